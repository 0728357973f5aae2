// Package definition turns the files that people write into values: prompts,
// profiles and backends.
//
// One file is one definition. Its bytes are decoded once into YAML nodes; one
// pass over the nodes checks keys, types and values, builds the definition,
// and reports everything that is wrong, each problem with the line and column
// that an editor shows. Nodes and bytes are then dropped.
//
// A Catalog holds every definition of a kind. A file that is wrong is captured
// too, under as much of its identity as can be read, so that a lookup that
// might have meant it fails instead of finding something else. A file without
// any identity makes every negative answer uncertain, and the catalog says so.
//
// No message of this package repeats a value, template text or credential;
// names, IDs and paths it does repeat.
package definition
