package cli

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/promptkit-go/promptkit"
)

// contextFlags are what the commands that look at one prompt in one context
// have in common.
type contextFlags struct {
	vars     []string
	varsFile string
	inputs   []string
	profile  string
	session  string
}

func (f *contextFlags) register(a *app, cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&f.vars, "var", nil, "set a variable, `NAME=VALUE`; repeatable")
	flags.StringVar(&f.varsFile, "vars-file", "", "variables from a YAML or JSON `FILE` of names and plain values")
	flags.StringArrayVar(&f.inputs, "input", nil, "bind an input to a file, `NAME=FILE`; - is standard input; repeatable")
	flags.StringVar(&f.profile, "profile", "", "execution profile `ID`; the prompt's default otherwise")
	flags.StringVar(&f.session, "session", "", "session `ID`, in place of the prompt's session template")
	_ = cmd.RegisterFlagCompletionFunc("profile", a.completeProfiles)
	_ = cmd.RegisterFlagCompletionFunc("session", cobra.NoFileCompletions)
	_ = cmd.RegisterFlagCompletionFunc("var", a.completeVars)
	_ = cmd.RegisterFlagCompletionFunc("input", a.completeInputs)
	_ = cmd.MarkFlagFilename("vars-file", "yaml", "yml", "json")
}

// requirementRequest is the context as requirement inspection takes it.
func (f *contextFlags) requirementRequest(s selection) (promptkit.RequirementInspectionRequest, error) {
	vars, err := readVars(f.varsFile, f.vars)
	return promptkit.RequirementInspectionRequest{
		PromptID: s.id, PromptVersion: s.version, ProfileID: f.profile, Vars: vars, SessionID: f.session,
	}, err
}

// runRequest is the context as preparation and execution take it. It reads
// standard input where an input is bound to it, and no file.
func (f *contextFlags) runRequest(a *app, s selection) (promptkit.RunRequest, error) {
	vars, err := readVars(f.varsFile, f.vars)
	if err != nil {
		return promptkit.RunRequest{}, err
	}
	inputs, err := f.bindings(a.stdin)
	return promptkit.RunRequest{
		PromptID: s.id, PromptVersion: s.version, ProfileID: f.profile, Vars: vars, SessionID: f.session, Inputs: inputs,
	}, err
}

// bindings are the inputs in the order of the flags.
func (f *contextFlags) bindings(stdin io.Reader) ([]promptkit.Input, error) {
	if _, err := f.inputNames(); err != nil {
		return nil, err
	}
	var inputs []promptkit.Input
	for _, pair := range f.inputs {
		name, path, _ := strings.Cut(pair, "=")
		in := promptkit.Input{Name: name, Path: path}
		if path == "-" {
			data, err := readLimited(stdin, promptkit.MaxArtifactBytes)
			if err != nil {
				return nil, failedf("cannot read input %s from standard input: %s", label(name), err)
			}
			in = promptkit.Input{Name: name, Text: string(data)}
		}
		inputs = append(inputs, in)
	}
	return inputs, nil
}

// inputNames are the names that the flags bind. Nothing is read.
func (f *contextFlags) inputNames() ([]string, error) {
	paths, err := parsePairs("--input", f.inputs)
	if err != nil {
		return nil, err
	}
	var names []string
	var fromStdin []string
	for _, pair := range f.inputs {
		name, _, _ := strings.Cut(pair, "=")
		names = append(names, name)
		switch paths[name] {
		case "":
			return nil, usagef("--input %s names no file", label(name)).hint("Write --input %s=FILE, or - for standard input.", shellWord(name))
		case "-":
			fromStdin = append(fromStdin, label(name))
		}
	}
	if len(fromStdin) > 1 {
		return nil, usagef("standard input can be bound once, and is bound to %s", strings.Join(fromStdin, " and to "))
	}
	return names, nil
}

// completeVars offers the variables of the prompt that is being named.
func (a *app) completeVars(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var names []cobra.Completion
	if found := a.inventory(cmd, args); found != nil {
		for _, v := range found.Variables {
			names = append(names, v.Name+"=")
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// completeInputs offers the inputs of the prompt that is being named, and
// then files.
func (a *app) completeInputs(cmd *cobra.Command, args []string, toComplete string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if strings.Contains(toComplete, "=") {
		return nil, cobra.ShellCompDirectiveDefault
	}
	var names []cobra.Completion
	if found := a.inventory(cmd, args); found != nil {
		for _, in := range found.Inputs {
			names = append(names, in.Name+"=")
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// inventory inspects the prompt of a command line that is still being
// written, or returns nil.
func (a *app) inventory(cmd *cobra.Command, args []string) *promptkit.RequirementInspection {
	p, err := a.open()
	if err != nil || len(args) == 0 {
		return nil
	}
	s, err := p.choose(args[0])
	if err != nil {
		return nil
	}
	given, _ := cmd.Flags().GetStringArray("var")
	vars := map[string]string{}
	for _, pair := range given {
		if name, value, ok := strings.Cut(pair, "="); ok {
			vars[name] = value
		}
	}
	found, err := p.engine.InspectRequirements(cmd.Context(), promptkit.RequirementInspectionRequest{
		PromptID: s.id, PromptVersion: s.version, Vars: vars,
	})
	if err != nil {
		return nil
	}
	return found
}
