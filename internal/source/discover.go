package source

import (
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Found is one definition file, or a folder whose content cannot be listed
// and may therefore hold any definition.
type Found struct {
	Name string // slash-separated, relative to the root
	Err  error  // nil, or the *Error that keeps a folder from being listed
}

// Files returns every *.yaml and *.yml below the root in lexical order of the
// whole path. Hidden files and folders are skipped, links to folders are not
// followed. The error is an *Error and means that the root itself cannot be
// listed.
func (s *Source) Files() ([]Found, error) {
	if s.only != "" {
		return []Found{{Name: s.only}}, nil
	}
	var found []Found
	err := fs.WalkDir(s.fsys, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil && name == ".":
			return failure("the source root", err)
		case hidden(name):
			return skip(entry)
		case err != nil:
			found = append(found, Found{Name: name, Err: failure(name, err)})
		case !entry.IsDir() && isDefinition(name):
			found = append(found, Found{Name: name})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(found, func(a, b Found) int { return strings.Compare(a.Name, b.Name) })
	return found, nil
}

func hidden(name string) bool { return name != "." && path.Base(name)[0] == '.' }

func skip(entry fs.DirEntry) error {
	if entry != nil && entry.IsDir() {
		return fs.SkipDir
	}
	return nil
}

func isDefinition(name string) bool {
	ext := path.Ext(name)
	return ext == ".yaml" || ext == ".yml"
}
