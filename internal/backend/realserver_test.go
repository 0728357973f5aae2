package backend

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/promptkit-go/promptkit/internal/capacity"
	"github.com/promptkit-go/promptkit/internal/definition"
	"github.com/promptkit-go/promptkit/internal/execution"
	"github.com/promptkit-go/promptkit/internal/openai"
	"github.com/promptkit-go/promptkit/internal/schema"
)

// realServer is a runner against a llama.cpp server whose address is in
// PROMPTKIT_REAL_SERVER and which wants the key in PROMPTKIT_REAL_SERVER_KEY;
// tools/realserver starts one.
// Its model may talk nonsense: nothing here depends on the sense of a reply.
func realServer(t *testing.T) *execution.Runner {
	t.Helper()
	address := os.Getenv("PROMPTKIT_REAL_SERVER")
	if address == "" {
		t.Skip("PROMPTKIT_REAL_SERVER names no server; make integration starts one")
	}
	client := openai.NewClient(nil)
	t.Cleanup(client.CloseIdle)
	backends := map[string]*definition.Backend{
		"real": {ID: "real", BaseURL: definition.Given(address), APIKeyEnv: definition.Given("PROMPTKIT_REAL_SERVER_KEY")},
		"anon": {ID: "anon", BaseURL: definition.Given(address + "/v1")},
	}
	if os.Getenv("PROMPTKIT_REAL_SERVER_KEY") == "" {
		backends["real"].APIKeyEnv = definition.Field[string]{}
	}
	generator := NewGenerator(client, func(id string) *definition.Backend { return backends[id] }, os.LookupEnv)
	pool := capacity.NewPool(capacity.Limits{Backend: "real", MaxConcurrent: 4, MaxWaiting: -1})
	return &execution.Runner{Generator: generator, Admission: pool}
}

// realRequest asks the real server for a text.
func realRequest() execution.Request {
	return execution.Request{
		Targets: []execution.Target{{
			ProfileID: "p", BackendID: "real", Model: "tiny", MaxOutputTokens: new(48), Seed: new(int64(7)), Temperature: new(0.8),
			Timeout: time.Minute, Retry: execution.Retry{MaxAttempts: 2, BaseDelay: 10 * time.Millisecond},
		}},
		Messages: []execution.Message{{Role: "system", Content: "You are brief."}, {Role: "user", Content: "Say something about the weather."}},
		Output:   execution.Contract{Format: execution.FormatText, Validation: execution.ValidateNone},
	}
}

const nestedSchema = `{
	"type": "object", "required": ["title", "kind", "items", "ok"], "additionalProperties": false,
	"properties": {
		"title": {"type": "string", "maxLength": 12},
		"kind": {"enum": ["sun", "rain"]},
		"ok": {"type": "boolean"},
		"items": {"type": "array", "minItems": 2, "maxItems": 2, "items": {"$ref": "parts.json#/$defs/item"}}
	}
}`

const partsSchema = `{"$defs": {"item": {
	"type": "object", "required": ["name", "at"], "additionalProperties": false,
	"properties": {"name": {"type": "string", "maxLength": 8}, "at": {"$ref": "#/$defs/place"}}
}, "place": {"type": "object", "required": ["x"], "additionalProperties": false, "properties": {"x": {"type": "integer", "minimum": 0, "maximum": 9}}}}}`

func mustFreeze(t *testing.T, r *execution.Runner, req execution.Request) *execution.Frozen {
	t.Helper()
	f, err := execution.Freeze(r.Generator, req)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// run runs a request against a real server.
func run(t *testing.T, r *execution.Runner, req execution.Request, opts execution.Options) (*execution.Result, *execution.Error) {
	t.Helper()
	result, err := r.Run(t.Context(), mustFreeze(t, r, req), opts)
	var e *execution.Error
	if err != nil && !errors.As(err, &e) {
		t.Fatal(err)
	}
	return result, e
}

func TestRealText(t *testing.T) {
	r := realServer(t)
	req := realRequest()
	req.Targets[0].Stop = []string{"."}
	for seed := range int64(20) { // some begin with the stop word, or never come to it
		req.Targets[0].Seed = &seed
		result, failed := run(t, r, req, execution.Options{})
		if failed != nil {
			if failed.Stage != execution.Validation {
				t.Fatal(failed)
			}
			continue
		}
		if result.Usage.InputTokens == 0 || result.Usage.OutputTokens == 0 || result.FinishReason != "stop" || result.Model == "" {
			t.Errorf("got %+v", result)
		}
		return
	}
	t.Error("no seed gave a whole reply")
}

func TestRealSchema(t *testing.T) {
	r := realServer(t)
	set := schema.NewSet(func(path string) ([]byte, error) {
		return []byte(map[string]string{"weather.json": nestedSchema, "parts.json": partsSchema}[path]), nil
	})
	compiled, err := set.Compile("weather.json")
	if err != nil {
		t.Fatal(err)
	}
	req := realRequest()
	req.Targets[0].MaxOutputTokens = new(600)
	req.Output = execution.Contract{Format: execution.FormatJSON, Validation: execution.ValidateSchema, Schema: compiled}
	for _, stream := range []bool{false, true} {
		var heard strings.Builder
		var opts execution.Options
		if stream {
			opts.OnText = func(_ int, text string) { heard.WriteString(text) }
		}
		result, failed := run(t, r, req, opts)
		if failed != nil {
			t.Fatalf("stream=%v: %v; the reply was %q", stream, failed, failed.LastReply())
		}
		if !json.Valid([]byte(result.Output)) || stream && heard.String() != result.Output {
			t.Errorf("stream=%v: output %q, heard %q", stream, result.Output, heard.String())
		}
		if result.Usage.OutputTokens == 0 {
			t.Errorf("stream=%v: no usage", stream)
		}
	}
}

func TestRealSeed(t *testing.T) {
	r := realServer(t)
	reply := func(seed int64) string {
		req := realRequest()
		req.Targets[0].Seed = new(seed)
		result, failed := run(t, r, req, execution.Options{})
		if failed != nil {
			return failed.LastReply() // cut at the limit, as a rule
		}
		return result.Output
	}
	first := reply(7)
	if first == "" || reply(7) != first {
		t.Error("the same seed gave another reply")
	}
	if reply(8) == first && reply(9) == first {
		t.Error("the seed makes no difference")
	}
}

func TestRealTruncation(t *testing.T) {
	r := realServer(t)
	req := realRequest()
	req.Targets[0].MaxOutputTokens = new(3)
	req.Output = execution.Contract{Format: execution.FormatJSON, Validation: execution.ValidateJSON}
	for _, stream := range []bool{false, true} {
		var opts execution.Options
		if stream {
			opts.OnText = func(int, string) {}
		}
		_, failed := run(t, r, req, opts)
		if failed == nil || failed.Class != execution.ClassTruncated || failed.LastReply() == "" {
			t.Errorf("stream=%v: got %v", stream, failed)
		}
	}
}

func TestRealWrongKey(t *testing.T) {
	r := realServer(t)
	if os.Getenv("PROMPTKIT_REAL_SERVER_KEY") == "" {
		t.Skip("the server wants no key")
	}
	req := realRequest()
	req.Targets[0].BackendID = "anon"
	_, failed := run(t, r, req, execution.Options{})
	if failed == nil || failed.Class != execution.ClassUnauthorized || failed.Status != 401 || len(failed.Attempts) != 1 {
		t.Errorf("got %v", failed)
	}
}

func TestRealContextOverflow(t *testing.T) {
	r := realServer(t)
	req := realRequest()
	req.Messages[1].Content = strings.Repeat("rain and sun and ", 4000)
	_, failed := run(t, r, req, execution.Options{})
	if failed == nil || failed.Class != execution.ClassContextLength || failed.Status != 400 {
		t.Errorf("got %v", failed)
	}
}

func TestRealConcurrency(t *testing.T) {
	r := realServer(t)
	req := realRequest()
	req.Targets[0].MaxOutputTokens = new(8)
	frozen := mustFreeze(t, r, req)
	var whole, cut atomic.Int64
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			_, err := r.Run(t.Context(), frozen, execution.Options{})
			var e *execution.Error
			switch {
			case err == nil:
				whole.Add(1)
			case errors.As(err, &e) && e.Class == execution.ClassTruncated:
				cut.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	wg.Wait()
	pool, _ := r.Admission.(*capacity.Pool)
	if s := pool.Stats()[0]; whole.Load()+cut.Load() != 64 || s.Admitted != 64 || s.Running != 0 || s.Waited == 0 {
		t.Errorf("%d whole, %d cut, %+v", whole.Load(), cut.Load(), s)
	}
}
