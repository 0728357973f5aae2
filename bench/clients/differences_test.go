package clients

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/promptkit-go/promptkit"
)

// secret is a key that no error may show.
const secret = "sk-canary-0123456789"

// noChoice stands for a reply that has no choice, which no server says.
const noChoice = "\x00"

// outcome is what a caller sees of a call.
type outcome struct {
	text   string
	err    error
	calls  int32
	leaked bool // the error shows the key
}

// String is what the table says of an outcome, without what changes from run
// to run.
func (o outcome) String() string {
	var b strings.Builder
	var refused *promptkit.OutputError
	var failed *promptkit.ProviderError
	var status *openai.Error
	switch {
	case o.err == nil && o.text == noChoice:
		b.WriteString("no choice and no error")
	case o.err == nil && len(o.text) > 40:
		fmt.Fprintf(&b, "%d MB of text", len(o.text)/1e6)
	case o.err == nil:
		fmt.Fprintf(&b, "text %q", o.text)
	case errors.As(o.err, &refused):
		b.WriteString("`" + string(refused.Class) + "`")
	case errors.As(o.err, &failed):
		b.WriteString("`" + string(failed.Class) + "`")
	case errors.As(o.err, &status):
		fmt.Fprintf(&b, "error, status %d", status.StatusCode)
	default:
		b.WriteString("error")
	}
	if o.calls > 1 {
		fmt.Fprintf(&b, ", %d calls", o.calls)
	}
	if o.leaked {
		b.WriteString(", which shows the key")
	}
	return b.String()
}

// ours runs a prompt against the server. Both clients are told to try three
// times, as they do by default.
func ours(t *testing.T, url string, stream bool) (string, error) {
	t.Setenv("FAULTS_KEY", secret)
	engine, err := promptkit.New(promptkit.Config{},
		promptkit.WithPromptFS(fstest.MapFS{"p.yaml": {Data: []byte("id: p\nversion: \"1\"\ndefault_profile: live\nmessages: [{role: user, content: Go on.}]\n")}}),
		promptkit.WithProfiles(promptkit.Profile{ID: "live", Backend: "b", Model: model}),
		promptkit.WithBackends(promptkit.Backend{ID: "b", BaseURL: url, APIKeyEnv: "FAULTS_KEY", Retry: promptkit.Retry{BaseDelay: time.Millisecond}}))
	if err != nil {
		t.Fatal(err)
	}
	var options []promptkit.RunOption
	if stream {
		options = append(options, promptkit.OnText(func(int, string) {}))
	}
	result, err := engine.Run(t.Context(), promptkit.RunRequest{PromptID: "p"}, options...)
	if err != nil {
		return "", err
	}
	return result.Output, nil
}

// theirs does the same in the way that the client's own examples do.
func theirs(t *testing.T, url string, stream bool) (string, error) {
	client := openai.NewClient(option.WithBaseURL(url+"/v1"), option.WithAPIKey(secret), option.WithHTTPClient(pooled(t)))
	if stream {
		return theirStream(t.Context(), client)
	}
	reply, err := client.Chat.Completions.New(t.Context(), params())
	if err != nil {
		return "", err
	}
	if len(reply.Choices) == 0 {
		return noChoice, nil
	}
	return reply.Choices[0].Message.Content, nil
}

func theirStream(ctx context.Context, client openai.Client) (string, error) {
	var text strings.Builder
	stream := client.Chat.Completions.NewStreaming(ctx, params())
	for stream.Next() {
		if choices := stream.Current().Choices; len(choices) > 0 {
			text.WriteString(choices[0].Delta.Content)
		}
	}
	return text.String(), stream.Err()
}

// observe makes one call against a fault.
func observe(t *testing.T, f fault, call func(*testing.T, string, bool) (string, error)) outcome {
	t.Helper()
	url, calls := faulty(t, f)
	text, err := call(t, url, f.stream)
	leaked := err != nil && (strings.Contains(err.Error(), secret) || strings.Contains(fmt.Sprintf("%+v", err), secret))
	return outcome{text: text, err: err, calls: calls.Load(), leaked: leaked}
}

// TestDifferences holds the table of docs/clients.md against what both
// clients do. With -v it prints the table.
func TestDifferences(t *testing.T) {
	page, err := os.ReadFile("../../docs/clients.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			row := fmt.Sprintf("| %s | %s | %s |", f.name, observe(t, f, ours), observe(t, f, theirs))
			t.Log(row)
			if !strings.Contains(string(page), "\n"+row) {
				t.Errorf("docs/clients.md has no row that begins\n%s", row)
			}
		})
	}
}
