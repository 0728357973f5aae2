package openai

import (
	"errors"
	"net/url"
	"strings"
)

// Address returns where chat completions are found below a base URL. A base
// without a path gets /v1/chat/completions; one with a path, such as /v1,
// /api/v1 or /v1beta/openai, gets /chat/completions; one that already ends
// with that is complete. A query is kept. The error does not quote the URL,
// which may hold a credential.
func Address(base string) (string, error) {
	u, err := url.Parse(base)
	if err != nil || u.Opaque != "" || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return "", errors.New("base_url is no http or https address")
	}
	if u.User != nil {
		return "", errors.New("base_url holds a user name or password: use api_key_env")
	}
	const path = "/chat/completions"
	switch trimmed := strings.TrimRight(u.EscapedPath(), "/"); {
	case trimmed == "":
		u = u.JoinPath("/v1" + path)
	case strings.HasSuffix(trimmed, path):
	default:
		u = u.JoinPath(path)
	}
	u.Fragment, u.RawFragment = "", ""
	return u.String(), nil
}

// MaxTokensField is the field in which the server at a base URL expects the
// limit of output tokens. OpenAI itself refuses max_tokens for its reasoning
// models and takes max_completion_tokens for all; elsewhere, only a request
// that sets a reasoning effort is known to be for a server that takes it.
func MaxTokensField(base, reasoningEffort string) string {
	u, err := url.Parse(base)
	if reasoningEffort != "" || err == nil && (u.Hostname() == "api.openai.com" || strings.HasSuffix(u.Hostname(), ".openai.azure.com")) {
		return FieldMaxCompletionTokens
	}
	return FieldMaxTokens
}
