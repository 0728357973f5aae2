package execution

import (
	"errors"
	"strings"

	"github.com/promptkit-go/promptkit/internal/repair"
	"github.com/promptkit-go/promptkit/internal/schema"
)

// verdict is what became of a reply.
type verdict struct {
	class      Class
	output     string // with ClassOK: what the caller gets
	violations []schema.Violation
	problem    string // where it is no JSON
}

// judge holds a reply to a contract. A reply that is cut, declined or empty
// keeps no contract, not even one that validates nothing.
func judge(c Contract, r *Reply) verdict {
	switch {
	case r.Refusal != "" || r.FinishReason == "content_filter":
		return verdict{class: ClassRefused}
	case r.FinishReason == "length":
		return verdict{class: ClassTruncated}
	case strings.TrimSpace(r.Text) == "":
		return verdict{class: ClassEmpty}
	case c.Validation == ValidateJSON, c.Validation == ValidateSchema:
		return judgeJSON(c, r.Text)
	}
	return verdict{output: r.Text}
}

func judgeJSON(c Contract, text string) verdict {
	document, err := repair.JSON(text)
	if syntax := (*repair.SyntaxError)(nil); errors.As(err, &syntax) {
		return verdict{class: ClassNotJSON, problem: syntax.Error()}
	}
	if c.Validation == ValidateJSON {
		return verdict{output: document}
	}
	violations, err := c.Schema.Validate([]byte(document))
	switch {
	case err != nil: // what one decoder takes and the other does not
		return verdict{class: ClassNotJSON, problem: err.Error()}
	case len(violations) > 0:
		return verdict{class: ClassMismatch, violations: violations}
	}
	return verdict{output: document}
}

// repairTurn is what is said after a reply that can be mended: the reply
// itself, and what is wrong with it.
func repairTurn(c Contract, r *Reply, v verdict) []Message {
	said := Message{Role: "assistant", Content: r.Text}
	switch v.class {
	case ClassNotJSON:
		return []Message{said, {Role: "user", Content: repair.NotJSON(v.problem)}}
	case ClassMismatch:
		return []Message{said, {Role: "user", Content: repair.Mismatch(exact(v.violations))}}
	}
	// Many servers refuse a message without text.
	return []Message{{Role: "user", Content: repair.Empty(c.Validation != ValidateNone)}}
}

// exact is the wording of violations for the model that wrote the reply.
func exact(violations []schema.Violation) []repair.Violation {
	out := make([]repair.Violation, len(violations))
	for i, v := range violations {
		out[i] = repair.Violation{Path: v.Exact.Path(), Message: v.Exact.Message()}
	}
	return out
}
