package cli

import (
	"path/filepath"

	"github.com/promptkit-go/promptkit/internal/diag"
)

// readProjectFile reads the folders that a project names. It is as strict as
// every other file: what it does not know is an error and not a wish.
func readProjectFile(dir string) (folders, error) {
	f := usualFolders()
	path := filepath.ToSlash(filepath.Join(dir, projectFile))
	data, err := readRegular(path, maxProjectFile)
	if err != nil {
		return f, failedf("cannot read %s: %s", path, err)
	}
	pairs, problem := scalarPairs(data, path)
	if problem != nil {
		return f, &stop{code: exitFailed, message: problem.String()}
	}
	fields := map[string]*string{"prompts": &f.prompts, "profiles": &f.profiles, "backends": &f.backends, "schemas": &f.schemas}
	named := map[string]bool{}
	for _, pair := range pairs {
		field, ok := fields[pair.key]
		if !ok {
			return f, unknownProjectKey(pair)
		}
		at := pair.value
		if !isFolder(joinUnlessAbsolute(dir, at)) {
			return f, failedf("%s: error: %q names the folder %q, which does not exist", pair.valueAt, pair.key, printable(at))
		}
		*field, named[pair.key] = filepath.FromSlash(at), true
	}
	for key, field := range fields {
		if !named[key] && key != "prompts" && !isFolder(filepath.Join(dir, *field)) {
			*field = ""
		}
	}
	if !isFolder(joinUnlessAbsolute(dir, f.prompts)) {
		return f, failedf("%s: there is no folder %q beside it; name the folder that holds the prompts: prompts: FOLDER", path, f.prompts)
	}
	return f, nil
}

func unknownProjectKey(pair scalarPair) error {
	err := failedf("%s: error: %q is no key of a project file", pair.keyAt, printable(pair.key))
	if near := diag.Nearest(pair.key, []string{"prompts", "profiles", "backends", "schemas"}); near != "" {
		return err.hint("Did you mean %q?", near)
	}
	return err.hint("It may hold prompts, profiles, backends and schemas.")
}

func joinUnlessAbsolute(dir, path string) string {
	path = filepath.FromSlash(path)
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}
