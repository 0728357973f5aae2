package promptkit

import (
	"cmp"
	"net/url"
	"os"
	"strings"

	"github.com/promptkit-go/promptkit/internal/definition"
	"github.com/promptkit-go/promptkit/internal/profile"
)

// builtInProfileID is the profile that needs no file. It is used only where a
// request or a prompt asks for it by this name and no captured profile has
// it, so that an exported key never turns a dry run into spending.
const builtInProfileID = "openai"

// The environment variables that make up the built-in profile.
const (
	envBaseURL = "OPENAI_BASE_URL"
	envAPIKey  = "OPENAI_API_KEY"
	envModel   = "OPENAI_MODEL"
)

// defaultBaseURL is where OpenAI itself is.
const defaultBaseURL = "https://api.openai.com/v1"

// builtInSettings says which variable each setting of it comes from.
var builtInSettings = map[string]string{
	"model": envModel, "base_url": envBaseURL, "api_key_env": envAPIKey,
}

// builtInProfile reads the built-in profile from the environment, anew each
// time: unlike a file, the environment is not captured. The credential is
// only named, as in any other backend.
func builtInProfile() *profileLine {
	line := &profileLine{builtIn: true, target: &profile.Target{ProfileID: builtInProfileID, Line: []string{builtInProfileID}}}
	if model := os.Getenv(envModel); model != "" {
		line.target.Model = profile.Value[string]{Value: model, From: builtInProfileID}
	} else {
		line.targetErr = builtInFault("it takes its model from the environment variable " + envModel +
			", which is unset or empty; set it, or name a model in the request")
	}
	address := cmp.Or(os.Getenv(envBaseURL), defaultBaseURL)
	if address != shownURL(address) {
		line.targetErr = builtInFault("the environment variable " + envBaseURL + " is no plain address such as " +
			defaultBaseURL + "; correct it, or describe the backend in a file")
		return line
	}
	id := builtInBackendPrefix + address
	line.target.Backend = profile.Value[string]{Value: id, From: builtInProfileID}
	line.backends = builtInBackends(address)
	if line.targetErr == nil {
		line.backend, line.targetErr = line.target.Executable(line.backends)
	}
	return line
}

func builtInFault(reason string) error {
	return &profile.TargetError{ProfileID: builtInProfileID, Reason: reason}
}

// builtInBackendPrefix starts the ID of the backend behind the built-in
// profile. The address follows, so that the ID alone says where a frozen
// execution goes, whatever becomes of the environment.
const builtInBackendPrefix = "openai at "

// builtInBackend is the backend that such an ID stands for, or nil.
func builtInBackend(id string) *definition.Backend {
	address, ok := strings.CutPrefix(id, builtInBackendPrefix)
	if !ok {
		return nil
	}
	b, err := builtInBackends(address).Select(id, "")
	if err != nil {
		return nil
	}
	return b
}

func builtInBackends(address string) *definition.Catalog[definition.Backend] {
	// Without a source there is nothing that could not be read.
	backends, _ := definition.LoadBackends(nil, backendDefinitions([]Backend{{
		ID: builtInBackendPrefix + address, BaseURL: address, APIKeyEnv: envAPIKey,
	}})...)
	return backends
}

// shownURL is an address without what may be a credential: user information,
// query and fragment. It is "" for what is no address.
func shownURL(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return ""
	}
	u.User, u.RawQuery, u.ForceQuery, u.Fragment, u.RawFragment = nil, "", false, "", ""
	return u.String()
}
