package definition

import (
	"net/url"
	"strings"

	"go.yaml.in/yaml/v4"
)

const adviceOnCredentials = `a credential does not belong in a file; put it into an environment variable and name that under "api_key_env" in a backend`

// forbidden reports whether a key asks for a raw credential.
func forbidden(key string) bool {
	switch squeeze(key) {
	case "apikey", "apitoken", "apisecret", "authorization", "accesstoken", "bearertoken", "token", "secret", "password":
		return true
	}
	return false
}

// squeeze folds the spellings of a key: case, hyphens, underscores.
func squeeze(key string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '-' || r == '_' || r == '.' || r == ' ':
			return -1
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return r
	}, key)
}

// credential reports whether the value of a key may be a credential. It
// errs on the side of hiding.
func credential(key string) bool {
	k := squeeze(key)
	for _, part := range []string{"apikey", "secret", "password", "passwd", "authorization", "credential", "privatekey", "accesskey", "cookie"} {
		if strings.Contains(k, part) {
			return true
		}
	}
	return k == "key" || k == "sig" || k == "signature" || k == "auth" || strings.HasSuffix(k, "token")
}

// carriesCredential reports whether a header serves nothing but authorisation.
func carriesCredential(header string) bool {
	switch strings.ToLower(header) {
	case "authorization", "proxy-authorization", "x-api-key", "api-key", "x-goog-api-key", "cookie":
		return true
	}
	return false
}

// hasCredential reports whether the query of a URL names a credential.
func hasCredential(query url.Values) bool {
	for key := range query {
		if credential(key) {
			return true
		}
	}
	return false
}

// searchCredentials reports raw credentials below a key that is unknown
// anyway, so that removing that key does not merely move them.
func (d *document) searchCredentials(n *yaml.Node) {
	if n.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(n.Content); i += 2 {
			if key := n.Content[i]; key.Kind == yaml.ScalarNode && forbidden(key.Value) {
				d.report(d.at(key), "%s", adviceOnCredentials)
			}
		}
	}
	for _, child := range n.Content {
		d.searchCredentials(child)
	}
}
