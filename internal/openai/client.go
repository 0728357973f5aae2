package openai

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"time"
)

// Bounds of what is read from a server.
const (
	maxReply     = 16 << 20  // of a whole reply, or of the text of a stream, unless the client says otherwise
	maxStream    = 256 << 20 // of a stream, in which every token is wrapped in JSON
	maxErrorBody = 64 << 10
	maxRedirects = 5
)

// Endpoint is where requests go and what identifies the caller there.
type Endpoint struct {
	URL     string // as Address gives it
	Key     Secret // sent as a bearer token; none if empty
	Headers []Header
}

// Header is an additional request header.
type Header struct {
	Name  string
	Value Secret
}

// Client sends requests. It is safe for concurrent use.
type Client struct {
	// MaxReply bounds a reply, in bytes. Defaults to 16 MiB. It is not changed
	// after the first request.
	MaxReply int

	http *http.Client
}

// NewClient returns a client that uses the transport and the cookie jar of
// base, or its own if base is nil. It never follows a redirect to another
// origin, whatever the policy of base: the request carries a credential and
// the prompt.
func NewClient(base *http.Client) *Client {
	c := &http.Client{}
	if base != nil {
		*c = *base
	}
	if c.Transport == nil {
		c.Transport = newTransport()
	}
	c.Transport = stopRedirects{c.Transport}
	return &Client{http: c, MaxReply: maxReply}
}

// newTransport is the standard one, for many calls to few hosts.
func newTransport() http.RoundTripper {
	standard, ok := http.DefaultTransport.(*http.Transport)
	if !ok { // somebody replaced it, and had a reason
		return http.DefaultTransport
	}
	t := standard.Clone()
	t.MaxIdleConns, t.MaxIdleConnsPerHost = 0, 256
	t.MaxResponseHeaderBytes = 256 << 10
	return t
}

// CloseIdle closes the connections that no call uses.
func (c *Client) CloseIdle() { c.http.CloseIdleConnections() }

// Complete sends an encoded request and returns the reply. If onText is not
// nil, it asks for a stream and passes on text as it comes, on the calling
// goroutine; whether the server then streams is its own affair. The error is
// an *Error.
func (c *Client) Complete(ctx context.Context, to Endpoint, body []byte, onText func(string)) (*Reply, error) {
	x := newExchange(to, body)
	resp, err := c.send(ctx, to, x, onText != nil)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	x.receive(resp.StatusCode, resp.Header)
	reply, err := c.read(resp, x, onText)
	if err != nil {
		return nil, contextFirst(ctx, err)
	}
	return reply, nil
}

// send posts the request, and again where the server points to another
// address of its own.
func (c *Client) send(ctx context.Context, to Endpoint, x *exchange, stream bool) (*http.Response, error) {
	address, body := to.URL, x.body
	if stream {
		body = Streaming(body)
	}
	for range maxRedirects {
		req, err := newRequest(ctx, address, to, body, stream)
		if err != nil {
			return nil, err
		}
		resp, err := c.do(req)
		if err == nil {
			return resp, nil
		}
		if address, err = follow(req.URL, err); err != nil {
			return nil, contextFirst(ctx, transportError(err))
		}
	}
	return nil, &Error{Kind: Redirect, Reason: "redirects without end"}
}

// do sends a request. What http.Client adds to its transport are redirects,
// which are not wanted, cookies and a time limit: without the latter two it
// would only copy the request about.
func (c *Client) do(req *http.Request) (*http.Response, error) {
	if c.http.Jar == nil && c.http.Timeout == 0 {
		return c.http.Transport.RoundTrip(req)
	}
	return c.http.Do(req)
}

// newRequest builds the HTTP request.
func newRequest(ctx context.Context, address string, to Endpoint, body []byte, stream bool) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return nil, &Error{Kind: Unusable, Reason: "has an address that cannot be requested; check base_url"}
	}
	req.Header["Content-Type"], req.Header["User-Agent"], req.Header["Accept"] = typeJSON, userAgent, typeJSON
	if stream {
		req.Header["Accept"] = typeStream
	}
	for _, h := range to.Headers {
		if err := setHeader(req.Header, h.Name, h.Value.Reveal()); err != nil {
			return nil, err
		}
	}
	if key := to.Key.Reveal(); key != "" {
		return req, setHeader(req.Header, "Authorization", "Bearer "+key)
	}
	return req, nil
}

// The values of headers that are always the same. No transport may change
// them, and one that adds to them gets a copy.
var (
	typeJSON   = []string{"application/json"}
	typeStream = []string{"text/event-stream"}
	userAgent  = []string{"promptkit"}
)

// setHeader refuses what no header can carry. The usual cause is a line break
// at the end of a key that was read from a file.
func setHeader(h http.Header, name, value string) error {
	for _, c := range []byte(value) {
		if c < ' ' && c != '\t' || c == 0x7f {
			return &Error{Kind: Unusable, Reason: "cannot be sent the value of header " + name +
				", which holds a control character; look for a line break in the variable"}
		}
	}
	h.Set(name, value)
	return nil
}

// read reads the answer, whatever form it has.
func (c *Client) read(resp *http.Response, x *exchange, onText func(string)) (*Reply, error) {
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		// What can be read of the body helps; an error in reading it does not.
		body, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
		return nil, x.errorIn(body)
	}
	if x.json {
		return c.readWhole(resp.Body, resp.ContentLength, x, onText)
	}
	limited := &limitedBody{r: resp.Body, left: maxStream}
	buffered := borrowReader(limited)
	defer returnReader(buffered)
	if x.formOf(buffered) == formStream {
		s := &streamReader{x: x, lines: buffered, onText: onText, maxText: c.MaxReply}
		return s.read()
	}
	return c.readWhole(buffered, 0, x, onText)
}

// readWhole reads a reply that is one document, of a size that the server may
// have announced.
func (c *Client) readWhole(body io.Reader, size int64, x *exchange, onText func(string)) (*Reply, error) {
	b := borrowBuffer()
	defer returnBuffer(b)
	if size > 0 && size <= int64(c.MaxReply) {
		b.Grow(int(size) + bytes.MinRead)
	}
	if _, err := b.ReadFrom(&limitedBody{r: body, left: int64(c.MaxReply)}); err != nil {
		return nil, x.readError(err)
	}
	reply, err := x.decodeReply(b.Bytes())
	if err == nil && onText != nil && reply.Text != "" {
		onText(reply.Text)
	}
	return reply, err
}

// errLimit is a body that goes on and on.
var errLimit = errors.New("body exceeds the limit")

// limitedBody fails once a body exceeds a limit; io.LimitReader would let it
// pass as a complete one.
type limitedBody struct {
	r    io.Reader
	left int64
}

func (l *limitedBody) Read(p []byte) (int, error) {
	if l.left < 0 {
		return 0, errLimit
	}
	n, err := l.r.Read(p)
	if l.left -= int64(n); l.left < 0 {
		return 0, errLimit
	}
	return n, err
}

// stopRedirects hands a redirect to the caller instead of to http.Client,
// which would quote the address in its errors.
type stopRedirects struct{ next http.RoundTripper }

func (s stopRedirects) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := s.next.RoundTrip(req)
	if err != nil || resp.StatusCode < 300 || resp.StatusCode > 399 {
		return resp, err
	}
	_ = resp.Body.Close()
	return nil, &redirectError{status: resp.StatusCode, location: resp.Header.Get("Location")}
}

// CloseIdleConnections makes http.Client's method of that name work.
func (s stopRedirects) CloseIdleConnections() {
	if c, ok := s.next.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// redirectError is an answer that points elsewhere.
type redirectError struct {
	status   int
	location string
}

func (e *redirectError) Error() string { return "redirected" }

// follow returns the next address if err is a redirect that repeats the
// request at the same origin, else an error.
func follow(from *url.URL, err error) (string, error) {
	var r *redirectError
	if !errors.As(err, &r) {
		return "", err
	}
	if r.status != http.StatusTemporaryRedirect && r.status != http.StatusPermanentRedirect {
		return "", refuse(r.status, "redirects in a way that would lose the request; check base_url")
	}
	to, err := from.Parse(r.location)
	if err != nil || r.location == "" {
		return "", refuse(r.status, "redirects to no usable address")
	}
	if to.Scheme != from.Scheme || to.Host != from.Host || to.User != nil {
		return "", refuse(r.status, "redirects to another origin, which would carry the credential and the prompt there; "+
			"if that is where it should go, set base_url to it")
	}
	return to.String(), nil
}

func refuse(status int, reason string) *Error {
	return &Error{Kind: Redirect, Status: status, Reason: reason}
}

// contextFirst prefers the end of the context to the trouble that it caused.
func contextFirst(ctx context.Context, err error) error {
	var e *Error
	if errors.As(err, &e) && e.Kind != Connection && e.Kind != Timeout && e.Kind != Interrupted {
		return err // what the server said, it said before
	}
	cause := ctx.Err()
	if cause == nil {
		// A deadline of the context reaches the connection before the context.
		if deadline, ok := ctx.Deadline(); !ok || time.Now().Before(deadline) {
			return err
		}
		cause = context.DeadlineExceeded
	}
	return &Error{Kind: Canceled, Reason: "was given up on: " + cause.Error(), Err: cause}
}
