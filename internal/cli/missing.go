package cli

import (
	"errors"

	"github.com/promptkit-go/promptkit"
)

// missingFlags are the flags that would supply what a request lacks.
func missingFlags(err error) []string {
	var m *promptkit.MissingError
	if !errors.As(err, &m) {
		return nil
	}
	return append(varFlags(m.Variables, "VALUE"), inputFlags(m.Inputs)...)
}
