package cli

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/promptkit-go/promptkit"
)

// manifestFile is what makes a folder the record of a run.
const manifestFile = "manifest.json"

// manifest is the record of a run: names and digests, and no value. Its JSON
// form is promptkit.record/v1.
type manifest struct {
	Format       string    `json:"format"`
	RunID        string    `json:"run_id"`
	Status       string    `json:"status"` // done or failed
	Prompt       promptRef `json:"prompt"`
	RenderedHash string    `json:"rendered_hash"`
	// Profile and Target are those that were prepared. If a fallback answered,
	// the last attempt says so.
	Profile      string                   `json:"profile"`
	Target       targetAnswer             `json:"target"`
	Parameters   parametersAnswer         `json:"parameters"`
	Overrides    overridesAnswer          `json:"overrides"`
	Contract     promptkit.OutputContract `json:"contract"`
	Turn         *turnAnswer              `json:"turn,omitempty"`
	Offline      bool                     `json:"offline"`
	Inputs       []preparedInput          `json:"inputs"`
	Instructions []preparedInstruction    `json:"instructions"`
	// Salt keys the digests of variables and of the session, whose values
	// are often short enough to be guessed from a plain digest. It makes
	// guessing slower and does not make it impossible.
	Salt      string            `json:"salt"`
	Variables map[string]string `json:"variables"` // name to digest
	Session   string            `json:"session,omitempty"`

	OutputDigest string          `json:"output_digest,omitempty"`
	OutputBytes  int             `json:"output_bytes"`
	Usage        usageAnswer     `json:"usage"`
	Attempts     []attemptAnswer `json:"attempts"`
	StartedAt    time.Time       `json:"started_at"`
	DurationMS   int64           `json:"duration_ms"`
}

type parametersAnswer struct {
	Temperature     *float64 `json:"temperature,omitempty"`
	TopP            *float64 `json:"top_p,omitempty"`
	MaxOutputTokens *int     `json:"max_output_tokens,omitempty"`
	Seed            *int64   `json:"seed,omitempty"`
	Stop            []string `json:"stop,omitempty"`
	ReasoningEffort string   `json:"reasoning_effort,omitempty"`
}

type overridesAnswer struct {
	Model string `json:"model,omitempty"`
	parametersAnswer
	MaxAttempts int `json:"max_attempts,omitempty"`
}

type turnAnswer struct {
	Action int  `json:"action"`
	Budget *int `json:"budget"`
}

// A recorder writes the record of one run to a folder.
type recorder struct {
	dir     string
	content bool
	seen    *observed
}

// observed is what is known of a run however it ends: a failed one has no
// result to read it from.
type observed struct {
	started, finished promptkit.Observation
	attempts          []promptkit.Attempt
}

// Observe keeps what a record needs.
func (o *observed) Observe(_ context.Context, about promptkit.Observation) {
	switch about.Kind {
	case promptkit.ObservedStarted:
		o.started = about
	case promptkit.ObservedAttempt:
		o.attempts = append(o.attempts, *about.Attempt)
	case promptkit.ObservedFinished:
		o.finished = about
	}
}

// newRecorder makes the folder before anything runs. An empty one will do. One
// that is not may hold what a run has left that was killed, and its files
// would pass for those of this run.
func newRecorder(dir string, content bool, seen *observed) (*recorder, error) {
	if _, err := os.Lstat(filepath.Join(dir, manifestFile)); err == nil {
		return nil, usagef("%q holds the record of another run; name a new folder", printable(dir))
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, failedf("cannot make the folder %q: %s", printable(dir), fileReason(err))
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, failedf("cannot read the folder %q: %s", printable(dir), fileReason(err))
	}
	if len(entries) > 0 {
		return nil, usagef("%q holds files that are no whole record; name a new folder", printable(dir))
	}
	return &recorder{dir, content, seen}, nil
}

// write records a run that brought a result, or the error that it ended with.
// A nil recorder records nothing.
func (r *recorder) write(req promptkit.RunRequest, prepared *promptkit.PreparedRun, result *promptkit.RunResult, err error) error {
	if r == nil {
		return nil
	}
	m := newManifest(req, prepared)
	m.RunID, m.StartedAt = r.seen.started.RunID, r.seen.started.Time
	m.Usage, m.DurationMS = usageAnswer(r.seen.finished.Usage), r.seen.finished.Duration.Milliseconds()
	attempts := attemptsOf(err)
	if attempts == nil {
		attempts = r.seen.attempts // the calls went well, and something else did not
	}
	if result != nil {
		attempts = result.Attempts
		m.Status = "done"
		m.OutputDigest, m.OutputBytes = digest([]byte(result.Output)), len(result.Output)
	}
	m.Attempts = attemptAnswers(attempts)
	if r.content {
		if err := r.writeContent(prepared, result, attempts); err != nil {
			return err
		}
	}
	return r.writeJSON(manifestFile, m) // last: the folder is a record when it is whole
}

func newManifest(req promptkit.RunRequest, prepared *promptkit.PreparedRun) manifest {
	salt := rand.Text()
	m := manifest{
		Format: "promptkit.record/v1", Status: "failed",
		Prompt:       promptRef{prepared.PromptID, prepared.PromptVersion, prepared.PromptHash},
		RenderedHash: prepared.RenderedHash, Profile: prepared.ProfileID, Target: newTarget(prepared.Target),
		Parameters: parametersAnswer(prepared.Target.Parameters),
		Overrides:  overridesAnswer{req.Overrides.Model, parametersAnswer(req.Overrides.Parameters), req.Overrides.MaxAttempts},
		Contract:   prepared.Output, Offline: req.Offline,
		Inputs: preparedInputs(prepared.Inputs), Instructions: preparedInstructions(prepared.Instructions),
		Salt: salt, Variables: map[string]string{},
	}
	if t := req.Turn; t != nil {
		m.Turn = &turnAnswer{t.Action, t.Budget}
	}
	for name, value := range req.Vars {
		m.Variables[name] = keyedDigest(salt, value)
	}
	if prepared.SessionID != "" {
		m.Session = keyedDigest(salt, prepared.SessionID)
	}
	return m
}

// writeContent adds what was sent and received, which is only done on request.
func (r *recorder) writeContent(prepared *promptkit.PreparedRun, result *promptkit.RunResult, attempts []promptkit.Attempt) error {
	err := r.writeJSON("messages.json", newPreparedAnswer(prepared).Messages)
	for _, at := range attempts {
		if err != nil || at.Content == nil {
			break
		}
		name := "attempt-" + itoa(at.Number)
		err = writeFile(filepath.Join(r.dir, name+".request.json"), []byte(at.Content.Request))
		if err == nil {
			err = writeFile(filepath.Join(r.dir, name+".reply.txt"), []byte(at.Content.Reply))
		}
	}
	if err == nil && result != nil {
		err = writeFile(filepath.Join(r.dir, "output.txt"), []byte(result.Output))
	}
	return err
}

func (r *recorder) writeJSON(name string, v any) error {
	data, err := encodeJSON(v)
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(r.dir, name), data)
}

// attemptsOf are the attempts that an error of a run carries.
func attemptsOf(err error) []promptkit.Attempt {
	if e := (*promptkit.OutputError)(nil); errors.As(err, &e) {
		return e.Attempts
	}
	if e := (*promptkit.ProviderError)(nil); errors.As(err, &e) {
		return e.Attempts
	}
	return nil
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}

func keyedDigest(salt, value string) string {
	mac := hmac.New(sha256.New, []byte(salt))
	mac.Write([]byte(value))
	return "hmac-sha256:" + hex.EncodeToString(mac.Sum(nil))
}

const maxManifest = 16 << 20

// readManifest reads the record in a folder.
func readManifest(dir string) (*manifest, error) {
	path := filepath.Join(dir, manifestFile)
	data, err := readRegular(path, maxManifest)
	if err != nil {
		return nil, usagef("%q is no record of a run: cannot read %s: %s", printable(dir), manifestFile, err).
			hint("promptkit run … --record %s makes one.", shellWord(dir))
	}
	var m manifest
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, failedf("%s is not the JSON of a record", printable(path))
	}
	if m.Format != "promptkit.record/v1" {
		return nil, failedf("%s has the format %q; this program reads promptkit.record/v1", printable(path), printable(m.Format))
	}
	return &m, nil
}
