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
	for _, pair := range pairs {
		if err := f.name(dir, pair); err != nil {
			return f, err
		}
	}
	if !isFolder(joinUnlessAbsolute(dir, f.prompts)) {
		return f, failedf("%s: there is no folder %q beside it; name the folder that holds the prompts: prompts: FOLDER", path, f.prompts)
	}
	f.dropMissing(dir)
	return f, nil
}

// name sets one folder to what the project file says, which must exist.
func (f *folders) name(dir string, pair scalarPair) error {
	field, ok := f.byKey()[pair.key]
	if !ok {
		return unknownProjectKey(pair)
	}
	if !isFolder(joinUnlessAbsolute(dir, pair.value)) {
		return failedf("%s: error: %q names the folder %q, which does not exist", pair.valueAt, pair.key, printable(pair.value))
	}
	*field = filepath.FromSlash(pair.value)
	return nil
}

func (f *folders) byKey() map[string]*string {
	return map[string]*string{"prompts": &f.prompts, "profiles": &f.profiles, "backends": &f.backends, "schemas": &f.schemas}
}

// dropMissing forgets usual folders that are not there. A project needs none
// of them but that of its prompts.
func (f *folders) dropMissing(dir string) {
	for _, folder := range []*string{&f.profiles, &f.backends, &f.schemas} {
		if !isFolder(joinUnlessAbsolute(dir, *folder)) {
			*folder = ""
		}
	}
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
