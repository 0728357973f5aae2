package cli

import (
	"embed"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
)

//go:embed starter
var starterFS embed.FS

func newInit(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "init [FOLDER]",
		Short: "Write a small project that works",
		Long: `Write a small project that works: a prompt, a profile, a backend, a schema and
samples to try it with. Nothing that exists is overwritten.`,
		Example: `  promptkit init
  promptkit init my-prompts`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return exactly("a folder")(cmd, args)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.init(a.dir)
			}
			if filepath.IsAbs(args[0]) {
				return a.init(filepath.Clean(args[0]))
			}
			return a.init(filepath.Join(a.dir, args[0]))
		},
	}
}

// initAnswer lists what was written; its JSON form is promptkit.init/v1.
type initAnswer struct {
	Format string   `json:"format"`
	Folder string   `json:"folder"`
	Files  []string `json:"files"`
}

func (a *app) init(dir string) error {
	starter, err := fs.Sub(starterFS, "starter")
	if err != nil {
		return err
	}
	files, err := writeTree(starter, dir, "a project")
	if err != nil {
		return err
	}
	answer := initAnswer{"promptkit.init/v1", dir, files}
	return a.emit(answer, func(pg *page) { layOutInit(pg, answer) })
}

// writeTree writes the files of fsys below dir and returns their names. It
// looks at all of them first, so that nothing is written if one is there.
func writeTree(fsys fs.FS, dir, what string) ([]string, error) {
	files := []string{}
	var there []string
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files = append(files, name)
		if _, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(name))); err == nil {
			there = append(there, name)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(there) > 0 {
		s := usagef("%q holds files that %s would overwrite; nothing was written", printable(dir), what)
		for _, name := range there {
			s.hint("%s", name)
		}
		return nil, s
	}
	for _, name := range files {
		if err := copyNew(fsys, name, filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			return nil, failedf("cannot write %q: %s", printable(filepath.Join(dir, name)), fileReason(err))
		}
	}
	return files, nil
}

// copyNew writes a file that must not exist yet.
func copyNew(fsys fs.FS, name, path string) error {
	data, err := fs.ReadFile(fsys, name)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	if _, err := f.Write(data); err != nil {
		_ = f.Close() // the write's error says more
		return err
	}
	return f.Close()
}

func layOutInit(pg *page, answer initAnswer) {
	p := &project{dir: answer.Folder}
	pg.line(pg.good("✓"), " Wrote a project to ", folderName(answer.Folder), ":")
	for _, name := range answer.Files {
		pg.line("    ", name)
	}
	pg.section("Next")
	pg.line("What will the prompt need?")
	pg.line("  promptkit", p.dirFlag(), " needs summary")
	pg.line("Run it without a model:")
	sample := filepath.ToSlash(filepath.Join(answer.Folder, "samples", "text.txt"))
	flagLines(pg, "  ", []string{"promptkit" + p.dirFlag(), "run", "summary", "--offline", "--var reader=colleagues", "--input text=" + shellWord(sample)})
	pg.prose("With a model: set OPENAI_API_KEY, or edit backends/openai.yaml, and drop --offline.")
}

func folderName(dir string) string {
	if dir == "." {
		return "this folder"
	}
	return printable(dir)
}
