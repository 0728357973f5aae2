package promptkit_test

import (
	"errors"
	"testing"

	"github.com/promptkit-go/promptkit"
)

// sentinels are all categories.
var sentinels = []error{
	promptkit.ErrInvalidConfig, promptkit.ErrInvalidRequest,
	promptkit.ErrPromptNotFound, promptkit.ErrPromptLoad, promptkit.ErrPromptRender,
	promptkit.ErrProfileRequired, promptkit.ErrProfileNotFound, promptkit.ErrProfileLoad, promptkit.ErrTarget,
	promptkit.ErrCredentialMissing, promptkit.ErrArtifactLoad, promptkit.ErrSchemaLoad, promptkit.ErrOutputWrite,
	promptkit.ErrCapacity, promptkit.ErrGenerate, promptkit.ErrValidation,
}

// wantOnly checks that err matches one category and no other.
func wantOnly(t *testing.T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("got %v, want %v", err, want)
	}
	for _, other := range sentinels {
		if other != want && errors.Is(err, other) {
			t.Errorf("%v matches %q too", err, other)
		}
	}
}
