package openai

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"time"
)

const answered = `{"choices":[{"message":{"content":"hello"},"finish_reason":"stop"}]}`

// serve starts a server and returns its endpoint.
func serve(t *testing.T, handler http.HandlerFunc) Endpoint {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// A server notices that its client is gone only once it has read.
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		handler(w, r)
	}))
	t.Cleanup(s.Close)
	return Endpoint{URL: s.URL + "/v1/chat/completions"}
}

// complete makes one call with a client of its own, and returns its error.
func complete(t *testing.T, base *http.Client, to Endpoint) *Error {
	t.Helper()
	c := NewClient(base)
	defer c.CloseIdle()
	_, err := c.Complete(t.Context(), to, []byte(`{"model":"m"}`), nil)
	var e *Error
	if err != nil && !errors.As(err, &e) {
		t.Fatalf("%T is no *Error: %v", err, err)
	}
	return e
}

func TestWhatIsSent(t *testing.T) {
	var got *http.Request
	var body []byte
	to := serve(t, func(w http.ResponseWriter, r *http.Request) {
		got = r.Clone(context.Background())
		body, _ = io.ReadAll(r.Body)
		_, _ = io.WriteString(w, answered)
	})
	to.Key = NewSecret("the-key")
	to.Headers = []Header{{"X-Tenant", NewSecret("the-tenant")}, {"User-Agent", NewSecret("mine")}}
	if err := complete(t, nil, to); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"Authorization": "Bearer the-key", "X-Tenant": "the-tenant", "User-Agent": "mine",
		"Content-Type": "application/json", "Accept": "application/json",
	}
	for name, value := range want {
		if got.Header.Get(name) != value {
			t.Errorf("%s is %q, want %q", name, got.Header.Get(name), value)
		}
	}
	if got.Method != http.MethodPost || got.URL.Path != "/v1/chat/completions" || string(body) != `{"model":"m"}` {
		t.Errorf("%s %s %s", got.Method, got.URL, body)
	}
}

func TestWithoutAKeyNoneIsSent(t *testing.T) {
	to := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if _, there := r.Header["Authorization"]; there {
			t.Error("there is an Authorization header")
		}
		_, _ = io.WriteString(w, answered)
	})
	if err := complete(t, nil, to); err != nil {
		t.Fatal(err)
	}
}

// TestTheCallersClient: its transport, jar and time limit are used, its
// redirect policy is not, and it stays as it was.
func TestTheCallersClient(t *testing.T) {
	other := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("the redirect was followed") })
	calls := 0
	to := serve(t, func(w http.ResponseWriter, r *http.Request) {
		calls++
		if _, err := r.Cookie("session"); calls == 2 && err != nil {
			t.Error("the cookie did not come back")
		}
		if calls == 3 {
			http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
			return
		}
		if calls == 4 {
			<-r.Context().Done()
			return
		}
		http.SetCookie(w, &http.Cookie{Name: "session", Value: "s"})
		_, _ = io.WriteString(w, answered)
	})
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	base := &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return nil }}
	for range 2 {
		if err := complete(t, base, to); err != nil {
			t.Fatal(err)
		}
	}
	if err := complete(t, base, to); err == nil || err.Kind != Redirect {
		t.Errorf("got %v", err)
	}
	base.Timeout = 20 * time.Millisecond
	if err := complete(t, base, to); err == nil || err.Kind != Timeout {
		t.Errorf("got %v", err)
	}
	if base.Transport != nil || base.CheckRedirect == nil {
		t.Error("the caller's client was changed")
	}
}

func TestConnectionsThatFail(t *testing.T) {
	quiet := log.New(io.Discard, "", 0)
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = quiet
	secure.StartTLS()
	t.Cleanup(secure.Close)
	plain := serve(t, func(http.ResponseWriter, *http.Request) {})
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = free.Close() // now nobody listens there
	resolve := &http.Client{Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		return nil, &net.DNSError{Err: "canary", Name: "canary.invalid", IsNotFound: true}
	}}}
	tests := []struct {
		name   string
		client *http.Client
		url    string
		says   string
		errno  error
	}{
		{"nobody listens", nil, "http://" + free.Addr().String() + "/canary", "refuses the connection", syscall.ECONNREFUSED},
		{"no such host", resolve, "http://canary.invalid/", "does not resolve", nil},
		{"a certificate of nobody's", nil, secure.URL + "/canary", "certificate that is not trusted", nil},
		{"TLS to a server without", nil, strings.Replace(plain.URL, "http:", "https:", 1), "does not speak TLS", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := complete(t, tt.client, Endpoint{URL: tt.url})
			if e == nil || e.Kind != Connection || !strings.Contains(e.Reason, tt.says) {
				t.Fatalf("got %v", e)
			}
			if tt.errno != nil && !errors.Is(e, tt.errno) {
				t.Errorf("%v does not match %v", e, tt.errno)
			}
			if shown := fmt.Sprintf("%v %+v %#v", e, e, e); strings.Contains(shown, "canary") || strings.Contains(shown, "127.0.0.1") {
				t.Errorf("the address shows: %s", shown)
			}
		})
	}
}

func TestAValueThatNoHeaderCanCarry(t *testing.T) {
	to := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("it was sent") })
	for _, value := range []string{"canary\n", "can\rary", "canary\x00", "canary\x7f"} {
		for _, to := range []Endpoint{{URL: to.URL, Key: NewSecret(value)}, {URL: to.URL, Headers: []Header{{"X-Tenant", NewSecret(value)}}}} {
			e := complete(t, nil, to)
			if e == nil || e.Kind != Unusable || strings.Contains(e.Error(), "can") && strings.Contains(e.Error(), "ary\n") || !strings.Contains(e.Error(), "line break") {
				t.Errorf("%q: got %v", value, e)
			}
		}
	}
}

func TestAContextThatEnds(t *testing.T) {
	to := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, events(chunkHel))
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	c := NewClient(nil)
	defer c.CloseIdle()
	ctx, cancel := context.WithCancel(t.Context())
	_, err := c.Complete(ctx, to, []byte(`{"model":"m"}`), func(string) { cancel() })
	var e *Error
	if !errors.As(err, &e) || e.Kind != Canceled || !errors.Is(err, context.Canceled) {
		t.Errorf("during a stream: got %v", err)
	}
	_, err = c.Complete(ctx, to, []byte(`{"model":"m"}`), nil)
	if !errors.As(err, &e) || e.Kind != Canceled || !errors.Is(err, context.Canceled) {
		t.Errorf("before the call: got %v", err)
	}
	late, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err = c.Complete(late, to, []byte(`{"model":"m"}`), nil)
	if !errors.As(err, &e) || e.Kind != Canceled || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a deadline: got %v", err)
	}
}
