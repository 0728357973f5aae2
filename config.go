package promptkit

// Config names the directories of a project. Each defaults to "", which means
// that there is no such directory; a source given by an option replaces the
// directory of the same kind. Definitions are found in subdirectories too;
// hidden files and directories are skipped, and links to directories are not
// followed.
type Config struct {
	// PromptDir holds prompt definitions, one a *.yaml or *.yml file, and the
	// message files that they name.
	PromptDir string
	// ProfileDir holds execution profiles, one a *.yaml or *.yml file.
	ProfileDir string
	// BackendDir holds backends, one a *.yaml or *.yml file.
	BackendDir string
	// SchemaDir holds the JSON Schemas that output contracts name. A schema
	// is read when something needs it, not when the engine is built.
	SchemaDir string
}
