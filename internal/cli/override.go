package cli

import (
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/promptkit-go/promptkit"
	"github.com/promptkit-go/promptkit/internal/diag"
)

// overrideFlags replace values of the profile for one run.
type overrideFlags struct {
	model string
	set   []string
}

func (f *overrideFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.model, "model", "", "use this `MODEL` in place of the profile's")
	cmd.Flags().StringArrayVar(&f.set, "set", nil, "replace a value of the profile, `NAME=VALUE`, such as temperature=0; repeatable")
	_ = cmd.RegisterFlagCompletionFunc("model", cobra.NoFileCompletions)
	_ = cmd.RegisterFlagCompletionFunc("set", func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		var names []cobra.Completion
		for _, s := range settables {
			names = append(names, s.name+"=")
		}
		return names, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	})
}

// overrides reads the flags. Values are checked for their shape here and for
// their range by the engine, as those of a profile file are.
func (f *overrideFlags) overrides() (promptkit.Overrides, error) {
	o := promptkit.Overrides{Model: f.model}
	values, err := parsePairs("--set", f.set)
	if err != nil {
		return o, err
	}
	for name, value := range values {
		i := slices.IndexFunc(settables, func(s settable) bool { return s.name == name })
		if i < 0 {
			return o, unknownSetting(name)
		}
		if err := settables[i].apply(&o, value); err != nil {
			return o, usagef("--set %s needs %s", name, settables[i].shape)
		}
	}
	return o, nil
}

// settings are the same as the lines of a profile's page.
func (f *overrideFlags) settings() ([]profileSetting, error) {
	if _, err := f.overrides(); err != nil {
		return nil, err
	}
	var out []profileSetting
	if f.model != "" {
		out = append(out, profileSetting{Name: "model", Value: f.model, From: "--model"})
	}
	for _, pair := range f.set {
		name, value, _ := strings.Cut(pair, "=")
		if name == "max_attempts" {
			name = "repair.max_attempts"
		}
		out = append(out, profileSetting{Name: name, Value: value, From: "--set"})
	}
	return out, nil
}

// A settable is a value of a profile that one run can replace.
type settable struct {
	name, shape string
	apply       func(o *promptkit.Overrides, value string) error
}

var settables = []settable{
	{"temperature", "a number", func(o *promptkit.Overrides, v string) error { return number(&o.Temperature, v) }},
	{"top_p", "a number", func(o *promptkit.Overrides, v string) error { return number(&o.TopP, v) }},
	{"max_output_tokens", "a whole number", func(o *promptkit.Overrides, v string) error { return whole(&o.MaxOutputTokens, v) }},
	{"seed", "a whole number", func(o *promptkit.Overrides, v string) error {
		n, err := strconv.ParseInt(v, 10, 64)
		o.Seed = &n
		return err
	}},
	{"stop", "texts, separated by commas", func(o *promptkit.Overrides, v string) error {
		o.Stop = strings.Split(v, ",")
		return nil
	}},
	{"reasoning_effort", "a word such as low, medium or high", func(o *promptkit.Overrides, v string) error {
		o.ReasoningEffort = v
		return nil
	}},
	{"max_attempts", "a whole number from 1", func(o *promptkit.Overrides, v string) error {
		n, err := strconv.Atoi(v)
		if err == nil && n < 1 {
			return strconv.ErrRange
		}
		o.MaxAttempts = n
		return err
	}},
}

func number(to **float64, v string) error {
	n, err := strconv.ParseFloat(v, 64)
	*to = &n
	return err
}

func whole(to **int, v string) error {
	n, err := strconv.Atoi(v)
	*to = &n
	return err
}

func unknownSetting(name string) error {
	var known []string
	for _, s := range settables {
		known = append(known, s.name)
	}
	err := usagef("--set knows no %s", label(name))
	if near := diag.Nearest(name, known); near != "" {
		return err.hint("Did you mean --set %s=…?", near)
	}
	return err.hint("It can set %s.", strings.Join(known, ", "))
}
