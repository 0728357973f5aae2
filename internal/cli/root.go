package cli

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/promptkit-go/promptkit/internal/diag"
)

const rootLong = `Promptkit keeps LLM prompts as files and says, before any input exists and
without contacting a model, what each of them will need. Then it prepares
them and runs them.

Prompts are named ID or ID@version. A project is a folder with prompts/, and
perhaps profiles/, backends/ and schemas/; or with a promptkit.yaml that names
other folders.`

const rootExample = `  promptkit demo                        a tour on built-in examples
  promptkit init                        write a small project here
  promptkit needs weather-report        what will this prompt need?
  promptkit check                       what is wrong in this project?`

const exitCodes = `Exit codes:
  0    done
  1    the project, a prompt, a binding or an output failed a check
  2    usage: unknown flags, unknown or ambiguous names, a folder that is no project
  3    discovery is incomplete, and --require-complete was given
  4    the backend: credential, admission, call
  130  interrupted
`

const (
	groupLook    = "look"
	groupDo      = "do"
	groupProject = "project"
)

// newRoot builds the whole command.
func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:           "promptkit",
		Short:         "What will this prompt need? Then prepare it, and run it.",
		Long:          rootLong,
		Example:       rootExample,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		RunE:          unknownCommand,
	}
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetFlagErrorFunc(flagError)
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), "FlagUsages", "FlagUsagesWrapped 80"))
	root.SetHelpTemplate(root.HelpTemplate() + "{{if not .HasParent}}\n" + exitCodes + "{{end}}")
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		if err := checkNamed(cmd.Flags()); err != nil {
			return err
		}
		return a.checkFormat()
	}

	flags := root.PersistentFlags()
	flags.StringVarP(&a.dir, "dir", "C", ".", "the project's `FOLDER`; files in other flags stay relative to where you are")
	flags.StringVar(&a.format, "format", formatText, "`FORMAT` of the answer, text or json")
	_ = root.RegisterFlagCompletionFunc("format", cobra.FixedCompletions([]string{formatText, formatJSON}, cobra.ShellCompDirectiveNoFileComp))
	_ = root.MarkPersistentFlagDirname("dir")

	root.AddGroup(
		&cobra.Group{ID: groupLook, Title: "Ask:"},
		&cobra.Group{ID: groupDo, Title: "Do:"},
		&cobra.Group{ID: groupProject, Title: "Set up:"},
	)
	add := func(group string, commands ...*cobra.Command) {
		for _, c := range commands {
			c.GroupID = group
			root.AddCommand(c)
		}
	}
	add(groupLook, newList(a), newShow(a), newNeeds(a), newDiff(a), newProfile(a), newCheck(a))
	add(groupDo, newPrepare(a), newRun(a), newReplay(a))
	add(groupProject, newInit(a), newDemo(a), newVersion(a))
	root.SetHelpCommand(newHelp())
	completion(root)
	version := readVersion()
	root.Version = version.Version
	root.SetVersionTemplate("promptkit {{.Version}} " + version.Go + " " + version.Platform + "\n")
	return root
}

// newHelp replaces a help command that takes a command it does not know for
// none at all.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND]",
		Short:   "Help about any command",
		GroupID: groupProject,
		Args:    cobra.ArbitraryArgs,
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return commandNames(cmd.Root()), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return unknownCommand(cmd.Root(), args)
			}
			return about.Help()
		},
	}
}

// completion adds the command that writes completion scripts, and makes it as
// strict about its arguments as the others are.
func completion(root *cobra.Command) {
	root.SetCompletionCommandGroupID(groupProject)
	root.InitDefaultCompletionCmd("") // "": whatever is being called, have the command
	cmd, _, err := root.Find([]string{"completion"})
	if err != nil {
		return
	}
	cmd.Args = cobra.ArbitraryArgs
	cmd.RunE = unknownCommand
	for _, shell := range cmd.Commands() {
		shell.Args = exactly()
	}
}

func commandNames(parent *cobra.Command) []string {
	var names []string
	for _, c := range parent.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return names
}

// checkNamed refuses a flag that names nothing, as --output "$FILE" does where
// FILE is not set: to go on as if the flag were absent would put the answer
// somewhere else. An empty session ID has a meaning of its own.
func checkNamed(flags *pflag.FlagSet) (err error) {
	flags.Visit(func(f *pflag.Flag) {
		if err == nil && f.Value.Type() == "string" && f.Value.String() == "" && f.Name != "session" {
			what, _ := pflag.UnquoteUsage(f)
			err = usagef("--%s is empty; it needs its %s", f.Name, what).
				hint("Is the shell's variable set?")
		}
	})
	return err
}

func (a *app) checkFormat() error {
	if a.format == formatText || a.format == formatJSON {
		return nil
	}
	err := usagef("--format is text or json")
	if near := diag.Nearest(a.format, []string{formatText, formatJSON}); near != "" {
		err.hint("Did you mean --format %s?", near)
	}
	return err
}

// unknownCommand answers a root without a command: with help if nothing was
// asked for, and else with what was meant.
func unknownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return cmd.Help()
	}
	err := usagef("there is no command %q", cmd.CommandPath()+" "+printable(args[0]))
	if near := diag.Nearest(args[0], commandNames(cmd)); near != "" {
		return err.hint("Did you mean %s %s?", cmd.CommandPath(), near)
	}
	return err.hint("%s --help lists the commands.", cmd.CommandPath())
}

// flagError rewords what the flag parser says and adds what was meant.
func flagError(cmd *cobra.Command, err error) error {
	message := strings.TrimSuffix(err.Error(), ".")
	s := &stop{code: exitUsage, message: message}
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if near := diag.Nearest(unknown.GetSpecifiedName(), names); near != "" && unknown.GetSpecifiedShortnames() == "" {
			return s.hint("Did you mean --%s?", near)
		}
	}
	if invalid := (*pflag.InvalidValueError)(nil); errors.As(err, &invalid) {
		s.message = "--" + invalid.GetFlag().Name + " cannot take this value; it needs " + flagShape(invalid.GetFlag())
	}
	return s.hint("See %s --help.", cmd.CommandPath())
}

// flagShape words what a flag takes.
func flagShape(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "int", "int64":
		return "a whole number"
	case "float64":
		return "a number"
	case "duration":
		return "a duration such as 30s"
	case "bool":
		return "true or false"
	}
	return "a text"
}

// exactly refuses any other number of arguments, and says what belongs there.
func exactly(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < len(names):
			return usagef("%s needs %s", cmd.Name(), strings.Join(names[len(args):], " and ")).
				hint("Usage: %s", cmd.UseLine())
		case len(args) > len(names):
			return usagef("%s takes %s, and was given %q too", cmd.Name(), countWord(len(names)), printable(args[len(names)])).
				hint("Usage: %s", cmd.UseLine())
		}
		return nil
	}
}

func countWord(n int) string {
	switch n {
	case 0:
		return "no argument"
	case 1:
		return "one argument"
	}
	return "two arguments"
}
