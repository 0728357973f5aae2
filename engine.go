package promptkit

import (
	"fmt"
	"slices"

	"github.com/promptkit-go/promptkit/internal/prompt"
)

// Engine answers questions about the prompts that it captured, and runs them.
// It is safe for concurrent use. A nil Engine answers every method that
// returns an error with ErrInvalidConfig, and every other with a zero value.
type Engine struct {
	prompts  *promptSet
	profiles *profileSet
	schemas  *schemaSet
	problems []Problem // sorted

	artifacts ArtifactReader
	runner    *runner
}

// Format prints what the engine is, for every verb, and nothing that it
// captured.
func (e *Engine) Format(s fmt.State, verb rune) {
	if !e.usable() {
		formatText(s, verb, "promptkit.Engine without a project")
		return
	}
	formatText(s, verb, fmt.Sprintf("promptkit.Engine with %d prompts and %d profiles", len(e.Prompts()), len(e.profiles.ids)))
}

// PromptIdentity is one captured prompt.
type PromptIdentity struct {
	ID, Version string
	// Description is what the definition says the prompt is for; may be "".
	Description string
	// File is slash-separated and relative to the prompt source.
	File string
}

// New captures every source once and returns an engine that answers from what
// it captured. A definition that fails to load fails alone: it is listed by
// Problems, and lookups that could have selected it fail.
//
// New itself fails with ErrInvalidConfig for a configuration that makes no
// sense, and with ErrPromptLoad or ErrProfileLoad if the root of a source of
// prompts, or of profiles or backends, cannot be read.
func New(cfg Config, opts ...Option) (*Engine, error) {
	s, err := settle(cfg, opts)
	if err != nil {
		return nil, err
	}
	funcs, err := prompt.NewFunctions(s.funcs)
	if err != nil {
		return nil, fail(ErrInvalidConfig, "WithFuncs: "+err.Error(), nil)
	}
	e := &Engine{artifacts: s.artifacts}
	if e.profiles, err = captureProfiles(s); err != nil {
		return nil, err
	}
	if e.prompts, err = capturePrompts(s, funcs); err != nil {
		return nil, err
	}
	e.schemas = newSchemaSet(s.schemas)
	e.runner = newRunner(s, e.profiles)
	e.problems = e.capturedProblems()
	return e, nil
}

// settle adds up the configuration and the options, and refuses what no
// engine can be built from.
func settle(cfg Config, opts []Option) (*settings, error) {
	s := &settings{
		prompts:   dirChoice(cfg.PromptDir),
		profiles:  dirChoice(cfg.ProfileDir),
		backends:  dirChoice(cfg.BackendDir),
		schemas:   dirChoice(cfg.SchemaDir),
		artifacts: fileReader{},
	}
	for _, opt := range opts {
		if opt != nil {
			opt(s)
		}
	}
	if len(s.invalidities) > 0 {
		return nil, fail(ErrInvalidConfig, s.invalidities[0], nil)
	}
	if s.prompts.kind == sourceNone {
		return nil, fail(ErrInvalidConfig, "there is no source of prompts; set Config.PromptDir or use WithPromptFS or WithPromptFile", nil)
	}
	return s, nil
}

// errNoEngine answers for an engine that New did not build.
var errNoEngine = fail(ErrInvalidConfig, "the engine is nil; build one with New", nil)

// usable reports whether New built the engine.
func (e *Engine) usable() bool { return e != nil && e.prompts != nil }

// Prompts lists the prompts that loaded, by ID and then, within one ID, in
// the order in which they were discovered. The slice belongs to the caller.
func (e *Engine) Prompts() []PromptIdentity {
	if !e.usable() {
		return nil
	}
	loaded := e.prompts.catalog.Loaded()
	identities := make([]PromptIdentity, len(loaded))
	for i, def := range loaded {
		identities[i] = PromptIdentity{
			ID: def.ID, Version: def.Version, Description: def.Description, File: def.Position.File,
		}
	}
	return identities
}

// ProfileIDs lists the profiles that loaded, sorted. The slice belongs to the
// caller.
func (e *Engine) ProfileIDs() []string {
	if !e.usable() {
		return nil
	}
	return slices.Clone(e.profiles.ids)
}
