package cli

import (
	"os"
	"path/filepath"
	"strconv"

	"github.com/promptkit-go/promptkit"
)

// projectFile names a project's folders. A project with the usual ones needs
// no such file.
const projectFile = "promptkit.yaml"

const maxProjectFile = 64 << 10

// A project is a folder of prompts and what belongs to them.
type project struct {
	dir     string  // as the caller named it
	folders folders // relative to dir, or absolute
	engine  *promptkit.Engine
}

// folders are the four sources of a project; "" where it has none.
type folders struct {
	prompts, profiles, backends, schemas string
}

func usualFolders() folders {
	return folders{prompts: "prompts", profiles: "profiles", backends: "backends", schemas: "schemas"}
}

// open finds the project and captures it. What is wrong with single
// definitions is no error here: the commands that need them say so.
func (a *app) open(opts ...promptkit.Option) (*project, error) {
	p, err := locate(a.dir)
	if err != nil {
		return nil, err
	}
	p.engine, err = promptkit.New(promptkit.Config{
		PromptDir:  p.path(p.folders.prompts),
		ProfileDir: p.path(p.folders.profiles),
		BackendDir: p.path(p.folders.backends),
		SchemaDir:  p.path(p.folders.schemas),
	}, opts...)
	if err != nil {
		return nil, err
	}
	return p, nil
}

// locate decides whether a folder is a project, and which folders it has.
func locate(dir string) (*project, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return nil, usagef("cannot open the folder %s: %s", strconv.Quote(dir), fileReason(err))
	}
	if !info.IsDir() {
		return nil, usagef("%s is a file; name the folder of a project", strconv.Quote(dir))
	}
	p := &project{dir: dir}
	if _, err := os.Lstat(filepath.Join(dir, projectFile)); err == nil {
		p.folders, err = readProjectFile(dir)
		return p, err
	}
	if !isFolder(filepath.Join(dir, usualFolders().prompts)) {
		return nil, noProject(dir)
	}
	p.folders = usualFolders()
	p.folders.dropMissing(dir)
	return p, nil
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// noProject says what was looked for, and where it might be instead.
func noProject(dir string) error {
	name := "this folder"
	if dir != "." {
		name = strconv.Quote(dir)
	}
	err := usagef("%s is no project: it has neither a prompts folder nor a %s", name, projectFile)
	if up := projectAbove(dir); up != "" {
		return err.hint("There is a project above it: add -C %s", shellWord(up))
	}
	return err.hint("Name a project with -C, or write a first one here: promptkit init")
}

// projectAbove looks for a project in the parent folders and returns the way
// there, or "".
func projectAbove(dir string) string {
	at, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	way := dir
	for parent := filepath.Dir(at); parent != at; parent = filepath.Dir(at) {
		at, way = parent, filepath.Join(way, "..")
		if isFolder(filepath.Join(at, usualFolders().prompts)) || isFile(filepath.Join(at, projectFile)) {
			return way
		}
	}
	return ""
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// path is where a folder of the project is, or "" if there is none.
func (p *project) path(folder string) string {
	if folder == "" || filepath.IsAbs(folder) {
		return folder
	}
	return filepath.Join(p.dir, folder)
}

// place is where a file of a source is, from where the command was called,
// so that an editor can open it.
func (p *project) place(kind promptkit.ProblemKind, file string) string {
	folder := p.folders.prompts
	switch kind {
	case promptkit.ProblemProfile:
		folder = p.folders.profiles
	case promptkit.ProblemBackend:
		folder = p.folders.backends
	case promptkit.ProblemSchema:
		folder = p.folders.schemas
	}
	return filepath.ToSlash(filepath.Join(p.path(folder), filepath.FromSlash(file)))
}
