package cli

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/promptkit-go/promptkit"
	"github.com/promptkit-go/promptkit/internal/diag"
)

// A selection is the prompt that an argument names.
type selection struct {
	id, version string
	identity    promptkit.PromptIdentity // zero if it did not load
}

// choose finds the prompt that an argument names: ID or ID@version. Both may
// hold an @ of their own, so the prompts there are decide where to split.
func (p *project) choose(arg string) (selection, error) {
	var candidates []promptkit.PromptIdentity
	for _, identity := range p.engine.Prompts() {
		if identity.ID == arg {
			candidates = append(candidates, identity)
		}
		if identity.ID+"@"+identity.Version == arg {
			return selection{identity.ID, identity.Version, identity}, nil
		}
	}
	switch len(candidates) {
	case 0:
		id, version := cutLast(arg, "@")
		return selection{id: id, version: version}, nil
	case 1:
		return selection{arg, "", candidates[0]}, nil
	}
	return selection{}, ambiguous(arg, candidates)
}

// cutLast cuts around the last separator; without one, after is empty.
func cutLast(s, sep string) (before, after string) {
	if i := strings.LastIndex(s, sep); i > 0 {
		return s[:i], s[i+len(sep):]
	}
	return s, ""
}

func ambiguous(id string, candidates []promptkit.PromptIdentity) error {
	err := usagef("there are %d versions of %s; say which one:", len(candidates), label(id))
	for _, c := range candidates {
		err.hint("%s", printable(c.ID+"@"+c.Version))
	}
	return err
}

// explain adds to an error of a selected prompt what the engine does not
// know: what was meant, and which command shows more.
func (p *project) explain(err error, s selection, profileID string) error {
	if err == nil {
		return nil
	}
	out := &stop{code: exitCode(err), message: err.Error(), cause: err}
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case strings.Contains(out.message, "did you mean"):
		// The engine has said it.
	case errors.Is(err, promptkit.ErrPromptNotFound):
		p.suggestPrompt(out, s)
	case errors.Is(err, promptkit.ErrProfileNotFound):
		suggestProfile(out, p.engine.ProfileIDs(), profileID)
	case errors.Is(err, promptkit.ErrProfileRequired):
		suggestProfile(out, p.engine.ProfileIDs(), "")
	case errors.Is(err, promptkit.ErrPromptLoad), errors.Is(err, promptkit.ErrProfileLoad), errors.Is(err, promptkit.ErrTarget):
		out.hint("promptkit%s check shows every problem of the project.", p.dirFlag())
	}
	return out
}

// dirFlag is the -C that leads to this project, for commands to copy.
func (p *project) dirFlag() string {
	if p.dir == "." || p.dir == "" {
		return ""
	}
	return " -C " + shellWord(p.dir)
}

func (p *project) suggestPrompt(out *stop, s selection) {
	var ids []string
	for _, identity := range p.engine.Prompts() {
		if identity.ID == s.id {
			return // another version; the error names those that there are
		}
		ids = append(ids, identity.ID)
	}
	if near := diag.Nearest(s.id, slices.Compact(ids)); near != "" {
		out.hint("Did you mean %s?", label(near))
		return
	}
	out.hint("promptkit%s list shows the prompts there are.", p.dirFlag())
}

func suggestProfile(out *stop, ids []string, wanted string) {
	if near := diag.Nearest(wanted, ids); near != "" {
		out.hint("Did you mean --profile %s?", shellWord(near))
		return
	}
	if len(ids) > 0 {
		out.hint("Profiles: %s.", printable(strings.Join(ids, ", ")))
	}
}

// completePrompts offers the prompts of the project, with the version where
// there are several.
func (a *app) completePrompts(most int) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		p, err := a.open()
		if err != nil || len(args) >= most {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return promptNames(p.engine.Prompts()), cobra.ShellCompDirectiveNoFileComp
	}
}

func promptNames(identities []promptkit.PromptIdentity) []cobra.Completion {
	versions := map[string]int{}
	for _, identity := range identities {
		versions[identity.ID]++
	}
	var names []cobra.Completion
	for _, identity := range identities {
		name := identity.ID
		if versions[identity.ID] > 1 {
			name += "@" + identity.Version
		}
		names = append(names, cobra.CompletionWithDesc(name, identity.Description))
	}
	return names
}

func (a *app) completeProfiles(_ *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	p, err := a.open()
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return p.engine.ProfileIDs(), cobra.ShellCompDirectiveNoFileComp
}
