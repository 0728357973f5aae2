package openai

import (
	"bufio"
	"bytes"
	"math"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// exchange is one request and what came back. It lives for one call, and
// exists so that reading a reply can know what was sent.
type exchange struct {
	body    []byte   // what was sent
	secrets []string // what was sent and must not come back in an error

	status int
	header http.Header
	media  string // the content type, without parameters
	json   bool   // it says JSON
	html   bool   // it says HTML, or the body looks like it
}

// newExchange prepares to read the answer to a request.
func newExchange(to Endpoint, body []byte) *exchange {
	x := &exchange{body: body}
	x.conceal(to.Key)
	for _, h := range to.Headers {
		x.conceal(h.Value)
	}
	return x
}

// conceal keeps a value that was sent out of errors.
func (x *exchange) conceal(secret Secret) {
	// Shorter values guard nothing and would be found everywhere.
	if value := secret.Reveal(); len(value) >= 4 {
		x.secrets = append(x.secrets, value)
	}
}

// askedFor reports whether the request is for this model. Encode puts it first.
func (x *exchange) askedFor(model string) bool {
	return bytes.HasPrefix(x.body, []byte(`{"model":"`+model+`"`))
}

// formatted reports whether the request has a response_format. Inside a
// string its quotes would be escaped.
func (x *exchange) formatted() bool {
	return bytes.Contains(x.body, []byte(`,"response_format":{`))
}

// receive notes status and headers.
func (x *exchange) receive(status int, header http.Header) {
	x.status, x.header = status, header
	x.media = mediaType(header.Get("Content-Type"))
	x.json = x.media == "application/json" || strings.HasSuffix(x.media, "+json")
	x.html = x.media == "text/html" || x.media == "application/xhtml+xml"
}

// mediaType is a content type without its parameters; "" if it is malformed.
func mediaType(contentType string) string {
	if contentType == "application/json" { // nearly always
		return contentType
	}
	media, _, _ := mime.ParseMediaType(contentType)
	return media
}

// form is how a body is to be read.
type form uint8

const (
	formWhole form = iota
	formStream
)

// formOf decides by the content type, and where that is missing or means
// nothing by the first bytes of the body.
func (x *exchange) formOf(body *bufio.Reader) form {
	switch {
	case x.media == "text/event-stream":
		return formStream
	case x.json, x.html:
		return formWhole
	}
	// Only what has arrived: the rest of a stream may take its time.
	_, _ = body.Peek(1)
	start, _ := body.Peek(body.Buffered())
	start = bytes.TrimLeft(bytes.TrimPrefix(start, []byte("\ufeff")), " \t\r\n")
	switch {
	case bytes.HasPrefix(start, []byte("data:")), bytes.HasPrefix(start, []byte("event:")), bytes.HasPrefix(start, []byte(":")):
		return formStream
	case bytes.HasPrefix(start, []byte("<")):
		x.html = true
	}
	return formWhole
}

// protocol is an error about the shape of an answer.
func (x *exchange) protocol(reason string) *Error {
	return &Error{Kind: Protocol, Status: x.status, Reason: reason}
}

// maxRetryAfter bounds what a server can ask for, before anybody's own limit.
const maxRetryAfter = 24 * time.Hour

// retryAfter reads how long the server asks to wait: milliseconds in a header
// of OpenAI's, else seconds or a date in the standard one.
func (x *exchange) retryAfter() time.Duration {
	if ms, err := strconv.ParseFloat(x.header.Get("Retry-After-Ms"), 64); err == nil {
		return wait(ms, time.Millisecond)
	}
	value := strings.TrimSpace(x.header.Get("Retry-After"))
	if s, err := strconv.ParseFloat(value, 64); err == nil {
		return wait(s, time.Second)
	}
	if at, err := http.ParseTime(value); err == nil {
		return min(max(time.Until(at), 0), maxRetryAfter)
	}
	return 0
}

// wait is n units, within bounds.
func wait(n float64, unit time.Duration) time.Duration {
	if math.IsNaN(n) || n <= 0 {
		return 0
	}
	if n >= float64(maxRetryAfter/unit) {
		return maxRetryAfter
	}
	return time.Duration(n * float64(unit))
}
