package openai

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
)

// serverError is what a server says about an error, in any of the shapes that
// servers use: an object or a string under "error", the fields at the top, a
// list of such objects; codes that are strings or numbers.
type serverError struct {
	Code    string
	Type    string
	Param   string
	Message string // for classification only: never passed on
	Number  int    // the code or status, if a number between 400 and 599
}

// parseError reads an error body. What it cannot read stays empty.
func parseError(body []byte) serverError {
	var list []json.RawMessage
	if isArray(body) && json.Unmarshal(body, &list) == nil && len(list) > 0 {
		body = list[0]
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(body, &fields) != nil {
		return serverError{}
	}
	inner, nested := fields["error"]
	if !nested {
		return errorFields(fields)
	}
	var message string
	if json.Unmarshal(inner, &message) == nil {
		e := errorFields(fields)
		e.Message = message
		return e
	}
	var innerFields map[string]json.RawMessage
	_ = json.Unmarshal(inner, &innerFields)
	return errorFields(innerFields)
}

// errorFields reads the fields that name an error.
func errorFields(fields map[string]json.RawMessage) serverError {
	e := serverError{
		Code: scalar(fields["code"]), Type: scalar(fields["type"]),
		Param: scalar(fields["param"]), Message: scalar(fields["message"]),
	}
	if e.Message == "" {
		e.Message = scalar(fields["detail"])
	}
	for _, s := range []string{e.Code, scalar(fields["status"])} {
		if n, err := strconv.Atoi(s); err == nil && n >= 400 && n <= 599 {
			e.Number = n
			break
		}
	}
	return e
}

// scalar is the text of a JSON string or number, else "".
func scalar(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var n json.Number
	if json.Unmarshal(raw, &n) == nil {
		return n.String()
	}
	return ""
}

// describesError reports whether a body without choices is about an error,
// though not under that name.
func describesError(body []byte) bool {
	e := parseError(body)
	return e.Message != "" || e.Code != "" || e.Number != 0
}

// errorIn classifies an error body by the response's status, or if that says
// nothing by the number or the names in the body.
func (x *exchange) errorIn(body []byte) *Error {
	said := parseError(body)
	status := x.status
	if status < 400 {
		status = said.Number
	}
	kind := x.kindOf(status, said)
	e := &Error{Kind: kind, Status: x.status, Code: x.code(said), Reason: reasons[kind], RetryAfter: x.retryAfter()}
	if known := fieldName(said.Param); known != "" {
		e.Param = known
	}
	return e
}

// kindOf decides between what the status says and what the body says: the
// body is more exact about what will not get better by itself.
func (x *exchange) kindOf(status int, said serverError) Kind {
	names := strings.ToLower(said.Code + " " + said.Type)
	client := status >= 400 && status < 500 || status == 0
	switch {
	case containsAny(names, "insufficient_quota", "insufficient_balance", "insufficient_credit", "billing_") || status == http.StatusPaymentRequired:
		return Quota
	case client && isOverflow(names, said.Message):
		return ContextLength
	case client && containsAny(names, "content_filter", "content_policy"):
		return ContentFilter
	case x.formatted() && (status == 501 || client && status != 401 && status != 403 && status != 429) && aboutFormat(said):
		return Unsupported
	}
	if kind := kindOfStatus(status); kind != 0 {
		return kind
	}
	return kindOfName(names)
}

// kindOfStatus is the kind that a status alone means; 0 for none.
func kindOfStatus(status int) Kind {
	switch {
	case status == http.StatusRequestTimeout, status == http.StatusConflict:
		return Conflict
	case status == http.StatusTooManyRequests:
		return RateLimited
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return Unauthorized
	case status == http.StatusNotFound:
		return NotFound
	case status >= 500:
		return Server
	case status >= 400:
		return BadRequest
	}
	return 0
}

// kindOfName is the kind that a code or type means where the status says that
// all is well.
func kindOfName(names string) Kind {
	switch {
	case containsAny(names, "rate_limit", "resource_exhausted", "too_many_requests"):
		return RateLimited
	case containsAny(names, "api_key", "authentication", "permission", "unauthorized"):
		return Unauthorized
	case containsAny(names, "not_found"):
		return NotFound
	case containsAny(names, "invalid_request", "invalid_argument", "bad_request", "invalid_value", "unsupported"):
		return BadRequest
	}
	return Server
}

// isOverflow recognises a conversation that is too long. Few servers have a
// code for it.
func isOverflow(names, message string) bool {
	return containsAny(names, "context_length", "exceed_context_size", "context_window") ||
		containsAny(strings.ToLower(message), "context length", "context window", "context size", "prompt is too long", "maximum context")
}

// aboutFormat recognises a complaint about response_format. There is no code
// for it either.
func aboutFormat(said serverError) bool {
	return strings.HasPrefix(said.Param, "response_format") ||
		containsAny(strings.ToLower(said.Message), "response_format", "response format", "json_schema", "json schema",
			"json_object", "structured output", "grammar", "guided")
}

func containsAny(s string, parts ...string) bool {
	for _, part := range parts {
		if strings.Contains(s, part) {
			return true
		}
	}
	return false
}

// code is the server's name for an error: its code, or if that is no
// identifier its type.
func (x *exchange) code(said serverError) string {
	for _, name := range []string{said.Code, said.Type} {
		if id := x.identifier(name); id != "" {
			return id
		}
	}
	return ""
}

// fieldName returns name if it is, or is inside, a field of the request.
func fieldName(name string) string {
	field, _, _ := strings.Cut(name, ".")
	field, _, _ = strings.Cut(field, "[")
	if reserved[field] {
		return field
	}
	return ""
}

// identifier returns s if it is a name that can be shown: short, made of the
// characters that names are made of, and neither part of a credential that
// was sent nor of what the caller wrote in the request.
func (x *exchange) identifier(s string) string {
	if s == "" || len(s) > 128 || strings.IndexFunc(s, notOfName) >= 0 {
		return ""
	}
	for _, secret := range x.secrets {
		if strings.Contains(s, secret) || strings.Contains(secret, s) {
			return ""
		}
	}
	if wellKnown[s] || !bytes.Contains(x.body, []byte(s)) || x.askedFor(s) {
		return s
	}
	return ""
}

// finishReason is the identifier that the server gives for the end of a
// reply, in the protocol's spelling.
func (x *exchange) finishReason(s string) string {
	switch reason := x.identifier(strings.ToLower(s)); reason {
	case "max_tokens":
		return "length"
	default:
		return reason
	}
}

func notOfName(r rune) bool {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
		return false
	}
	return !strings.ContainsRune("_-.:/@+", r)
}

// wellKnown are names that the protocol itself gives, so that finding them in
// a request means nothing.
var wellKnown = map[string]bool{
	"stop": true, "length": true, "max_tokens": true, "content_filter": true, "tool_calls": true, "function_call": true,
	"error": true, "server_error": true, "invalid_request_error": true, "rate_limit_exceeded": true,
	"insufficient_quota": true, "context_length_exceeded": true, "invalid_api_key": true, "model_not_found": true,
}
