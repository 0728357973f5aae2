package backend

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/promptkit-go/promptkit/internal/definition"
	"github.com/promptkit-go/promptkit/internal/execution"
	"github.com/promptkit-go/promptkit/internal/openai"
	"github.com/promptkit-go/promptkit/internal/schema"
)

// Markers that must not show in any error.
const (
	canaryKey    = "sk-canary-7f3a91"
	canaryHeader = "header-canary-11c2"
	canaryPrompt = "prompt-canary-5be0"
	canaryReply  = "reply-canary-d4d4"
)

// pipeNet is a network inside the process, so that a whole HTTP exchange can
// run on a virtual clock.
type pipeNet struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
	open   atomic.Int64 // connections that the client holds open
	dialed atomic.Int64
}

func newPipeNet() *pipeNet { return &pipeNet{conns: make(chan net.Conn), closed: make(chan struct{})} }

func (n *pipeNet) Accept() (net.Conn, error) {
	select {
	case c := <-n.conns:
		return c, nil
	case <-n.closed:
		return nil, net.ErrClosed
	}
}

func (n *pipeNet) Close() error {
	n.once.Do(func() { close(n.closed) })
	return nil
}

func (n *pipeNet) Addr() net.Addr { return &net.UnixAddr{Name: "pipe", Net: "pipe"} }

// dial refuses every host but the server's own.
func (n *pipeNet) dial(ctx context.Context, _, address string) (net.Conn, error) {
	if address != "server.test:80" {
		return nil, errors.New("dialled " + address)
	}
	client, server := net.Pipe()
	select {
	case n.conns <- server:
	case <-n.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	n.open.Add(1)
	n.dialed.Add(1)
	return &countedConn{Conn: client, open: &n.open}, nil
}

type countedConn struct {
	net.Conn
	open *atomic.Int64
	once sync.Once
}

func (c *countedConn) Close() error {
	c.once.Do(func() { c.open.Add(-1) })
	return c.Conn.Close()
}

// stage is a server, and everything that is needed to run against it.
type stage struct {
	net       *pipeNet
	server    *http.Server
	client    *openai.Client
	generator *Generator
	runner    *execution.Runner
	calls     atomic.Int64
	mu        sync.Mutex
	received  []string // bodies, in order
}

// bodies is what the server has received.
func (s *stage) bodies() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.received)
}

// newStage starts a server whose handler is told the number of the call.
func newStage(t *testing.T, handler func(w http.ResponseWriter, r *http.Request, call int)) *stage {
	t.Helper()
	s := &stage{net: newPipeNet()}
	s.server = &http.Server{
		ErrorLog: log.New(io.Discard, "", 0),
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			call := int(s.calls.Add(1))
			s.mu.Lock()
			s.received = append(s.received, string(body))
			s.mu.Unlock()
			// A server that repeats everything it was told, wherever it can.
			w.Header().Set("X-Echo", r.Header.Get("Authorization"))
			handler(w, r, call)
		}),
	}
	go func() { _ = s.server.Serve(s.net) }()
	s.client = openai.NewClient(&http.Client{Transport: &http.Transport{DialContext: s.net.dial, MaxIdleConnsPerHost: 64}})
	s.client.MaxReply = 1 << 20
	b := &definition.Backend{
		ID: "b", BaseURL: definition.Given("http://server.test"), APIKeyEnv: definition.Given("KEY"),
		Headers: []definition.Header{{Name: "X-Tenant", Env: "TENANT"}},
	}
	env := map[string]string{"KEY": canaryKey, "TENANT": canaryHeader}
	s.generator = NewGenerator(s.client,
		func(id string) *definition.Backend {
			if id != b.ID {
				return nil
			}
			return b
		},
		func(name string) (string, bool) { v, ok := env[name]; return v, ok })
	s.runner = &execution.Runner{Generator: s.generator, Chance: func() float64 { return 0.5 }}
	return s
}

// close ends client and server and reports connections that are still open.
func (s *stage) close(t *testing.T) {
	t.Helper()
	s.client.CloseIdle()
	if err := s.server.Close(); err != nil {
		t.Error(err)
	}
	for range 100 { // closing reaches the other goroutines in its own time
		if s.net.open.Load() == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d connections are left open", s.net.open.Load())
}

// target is the stage's backend with short limits.
func target() execution.Target {
	return execution.Target{
		ProfileID: "p", BackendID: "b", Model: "gpt-x", MaxOutputTokens: new(100),
		Timeout: 20 * time.Second,
		Retry:   execution.Retry{MaxAttempts: 3, BaseDelay: time.Second, MaxDelay: 30 * time.Second},
	}
}

const answerSchema = `{"type":"object","required":["answer"],"properties":{"answer":{"type":"string"},"n":{"type":"integer"}},"additionalProperties":false}`

// request asks for the schema of the tests.
func request(t *testing.T) execution.Request {
	t.Helper()
	s, err := schema.NewSet(func(string) ([]byte, error) { return []byte(answerSchema), nil }).Compile("answer.json")
	if err != nil {
		t.Fatal(err)
	}
	return execution.Request{
		Targets:  []execution.Target{target()},
		Messages: []execution.Message{{Role: "user", Content: "Tell me of " + canaryPrompt}},
		Output:   execution.Contract{Format: execution.FormatJSON, Validation: execution.ValidateSchema, Schema: s},
	}
}

// freeze fails the test if the request cannot be frozen.
func (s *stage) freeze(t *testing.T, req execution.Request) *execution.Frozen {
	t.Helper()
	f, err := execution.Freeze(s.generator, req)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
