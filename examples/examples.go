// Package examples holds a complete Promptkit project: prompts, profiles,
// backends, schemas, and sample inputs and variables to try them with.
//
// The command's demo runs on it, so the demo works without a checkout:
//
//	promptkit demo
//	promptkit -C examples list
//
// The prompts cover what a project of one's own usually needs: two versions of
// one prompt, content files, a session template, branches on variables,
// lookups with defaults, input names that a variable selects, an input whose
// content decides, JSON Schema contracts with a shared schema, profiles that
// inherit, and instructions that state facts of a turn.
package examples

import "embed"

// FS holds the project in the layout of this folder. It is read-only and safe
// for concurrent use.
//
//go:embed promptkit.yaml prompts profiles backends schemas samples
var FS embed.FS
