package promptkit

import (
	"cmp"
	"os"

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
func builtInProfile() (profileLine, error) {
	profiles, err := definition.LoadProfiles(nil, profileDefinitions([]Profile{{
		ID: builtInProfileID, Backend: builtInProfileID, Model: os.Getenv(envModel),
	}})...)
	if err != nil {
		return profileLine{}, fail(ErrProfileLoad, err.Error(), err)
	}
	backends, err := definition.LoadBackends(nil, backendDefinitions([]Backend{{
		ID: builtInProfileID, APIKeyEnv: envAPIKey, BaseURL: cmp.Or(os.Getenv(envBaseURL), defaultBaseURL),
	}})...)
	if err != nil {
		return profileLine{}, fail(ErrTarget, err.Error(), err)
	}
	line, err := newProfileSet(profiles, backends).line(builtInProfileID)
	if line.target != nil && !line.target.Model.Set() {
		line.targetErr = &profile.TargetError{ProfileID: builtInProfileID, Reason: "it takes its model from the environment variable " +
			envModel + ", which is unset or empty; set it, or name a model in the request"}
	}
	line.builtIn = true
	return line, err
}
