package cli

import (
	"time"

	"github.com/promptkit-go/promptkit"
)

// runAnswer is the record of a run and its output; its JSON form is
// promptkit.run/v1.
type runAnswer struct {
	Format       string                   `json:"format"`
	RunID        string                   `json:"run_id"`
	Prompt       promptRef                `json:"prompt"`
	RenderedHash string                   `json:"rendered_hash"`
	Profile      string                   `json:"profile"`
	Session      string                   `json:"session"`
	Target       targetAnswer             `json:"target"`
	Contract     promptkit.OutputContract `json:"contract"`
	Offline      bool                     `json:"offline"`
	Output       string                   `json:"output"`
	OutputPath   string                   `json:"output_path,omitempty"`
	Usage        usageAnswer              `json:"usage"`
	Attempts     []attemptAnswer          `json:"attempts"`
	Inputs       []preparedInput          `json:"inputs"`
	Instructions []preparedInstruction    `json:"instructions"`
	StartedAt    time.Time                `json:"started_at"`
	DurationMS   int64                    `json:"duration_ms"`
}

type usageAnswer struct {
	InputTokens       int64 `json:"input_tokens"`
	OutputTokens      int64 `json:"output_tokens"`
	TotalTokens       int64 `json:"total_tokens"`
	CachedInputTokens int64 `json:"cached_input_tokens"`
	ReasoningTokens   int64 `json:"reasoning_tokens"`
}

// attemptAnswer is one call to a backend, without contents.
type attemptAnswer struct {
	Number        int                   `json:"number"`
	Try           int                   `json:"try"`
	Profile       string                `json:"profile"`
	Backend       string                `json:"backend"`
	Model         string                `json:"model"`
	Class         string                `json:"class"` // "" if the output was accepted
	Status        int                   `json:"status,omitempty"`
	Code          string                `json:"code,omitempty"`
	FinishReason  string                `json:"finish_reason"`
	Usage         usageAnswer           `json:"usage"`
	Violations    int                   `json:"violations"`
	WaitedMS      int64                 `json:"waited_ms"`
	DurationMS    int64                 `json:"duration_ms"`
	RequestBytes  int64                 `json:"request_bytes"`
	RequestDigest string                `json:"request_digest"`
	ReplyBytes    int64                 `json:"reply_bytes"`
	ReplyDigest   string                `json:"reply_digest"`
	Instructions  []preparedInstruction `json:"instructions"`
}

func newRunAnswer(r *promptkit.RunResult) runAnswer {
	answer := runAnswer{
		Format: "promptkit.run/v1", RunID: r.RunID, Prompt: promptRef{r.PromptID, r.PromptVersion, r.PromptHash},
		RenderedHash: r.RenderedHash, Profile: r.ProfileID, Session: r.SessionID, Target: newTarget(r.Target),
		Contract: r.Contract, Offline: r.Offline, Output: r.Output, OutputPath: r.OutputPath,
		Usage: usageAnswer(r.Usage), Attempts: attemptAnswers(r.Attempts),
		Inputs: preparedInputs(r.Inputs), Instructions: preparedInstructions(r.Instructions),
		StartedAt: r.StartedAt, DurationMS: r.Duration.Milliseconds(),
	}
	return answer
}

func attemptAnswers(attempts []promptkit.Attempt) []attemptAnswer {
	out := []attemptAnswer{}
	for _, at := range attempts {
		out = append(out, attemptAnswer{
			Number: at.Number, Try: at.Try, Profile: at.ProfileID, Backend: at.BackendID, Model: at.Model,
			Class: string(at.Class), Status: at.Status, Code: at.Code, FinishReason: at.FinishReason,
			Usage: usageAnswer(at.Usage), Violations: at.Violations,
			WaitedMS: at.Waited.Milliseconds(), DurationMS: at.Duration.Milliseconds(),
			RequestBytes: at.RequestBytes, RequestDigest: at.RequestDigest,
			ReplyBytes: at.ReplyBytes, ReplyDigest: at.ReplyDigest,
			Instructions: preparedInstructions(at.Instructions),
		})
	}
	return out
}
