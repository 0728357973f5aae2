package cli

import (
	"context"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/promptkit-go/promptkit"
	"github.com/promptkit-go/promptkit/internal/diag"
)

// checkAnswer lists the problems of a project; its JSON form is
// promptkit.check/v1.
type checkAnswer struct {
	Format   string         `json:"format"`
	Errors   int            `json:"errors"`
	Warnings int            `json:"warnings"`
	Prompts  int            `json:"prompts"`
	Problems []checkProblem `json:"problems"`
}

type checkProblem struct {
	Severity      string `json:"severity"`
	Kind          string `json:"kind"`
	File          string `json:"file"`
	Path          string `json:"path"` // from where the command was called
	Line          int    `json:"line"`
	Column        int    `json:"column"`
	Message       string `json:"message"`
	PromptID      string `json:"prompt_id,omitempty"`
	PromptVersion string `json:"prompt_version,omitempty"`
	Source        string `json:"source,omitempty"`
}

func newCheck(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check",
		Short: "What is wrong in this project?",
		Long: `Check every file of the project and print each problem as compilers do: where,
how bad, what and what to do, the line as it was written, and a caret. The
values of credential fields are masked.

The exit code is 1 if there is any problem, warnings included.`,
		Args:              exactly(),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(cmd *cobra.Command, _ []string) error { return a.check(cmd.Context()) },
	}
	a.registerOutput(cmd)
	return cmd
}

func (a *app) check(ctx context.Context) error {
	p, err := a.open()
	if err != nil {
		return err
	}
	problems, err := p.engine.Check(ctx)
	if err != nil {
		return err
	}
	answer := p.checkAnswer(problems)
	if err := a.emit(answer, func(pg *page) { layOutCheck(pg, answer) }); err != nil {
		return err
	}
	if len(problems) > 0 {
		return shown(exitFailed)
	}
	return nil
}

func (p *project) checkAnswer(problems []promptkit.Problem) checkAnswer {
	answer := checkAnswer{Format: "promptkit.check/v1", Prompts: len(p.engine.Prompts()), Problems: []checkProblem{}}
	for _, problem := range problems {
		if problem.Severity == promptkit.SeverityWarning {
			answer.Warnings++
		} else {
			answer.Errors++
		}
		source := p.sourceLine(problem)
		answer.Problems = append(answer.Problems, checkProblem{
			Severity: string(problem.Severity), Kind: string(problem.Kind),
			File: problem.File, Path: p.place(problem.Kind, problem.File),
			Line: problem.Line, Column: problem.Column, Message: problem.Message,
			PromptID: problem.PromptID, PromptVersion: problem.PromptVersion, Source: source,
		})
	}
	return answer
}

const maxQuotedFile = 4 << 20

// sourceLine is the line that a problem is about. The engine keeps the text of
// files that failed to load; of one that loaded and is only worth a warning,
// the line is read again. Backends are left to the engine, which knows what in
// them to mask.
func (p *project) sourceLine(problem promptkit.Problem) string {
	if line, ok := p.engine.SourceLine(problem); ok {
		return line
	}
	if problem.Line < 1 || problem.Kind == promptkit.ProblemBackend {
		return ""
	}
	data, err := readRegular(filepath.FromSlash(p.place(problem.Kind, problem.File)), maxQuotedFile)
	if err != nil {
		return ""
	}
	lines := strings.Split(string(data), "\n")
	if problem.Line > len(lines) {
		return ""
	}
	return strings.TrimRight(lines[problem.Line-1], "\r")
}

func layOutCheck(pg *page, answer checkAnswer) {
	for _, problem := range answer.Problems {
		layOutProblem(pg, problem)
		pg.line()
	}
	pg.line(checkSummary(pg, answer))
}

func layOutProblem(pg *page, c checkProblem) {
	at := diag.Position{File: printable(c.Path), Line: c.Line, Column: c.Column}
	severity := pg.bad(c.Severity)
	if c.Severity == string(promptkit.SeverityWarning) {
		severity = pg.warn(c.Severity)
	}
	pg.message("", 4, pg.bold(at.String()+":")+" "+severity+": "+printable(c.Message))
	if c.Source == "" {
		return
	}
	number := strconv.Itoa(c.Line)
	gutter := strings.Repeat(" ", max(5-len(number), 0)) + number
	excerpt := diag.Quote(c.Source, c.Column, pg.width-len(gutter)-3)
	pg.line(pg.faint(gutter+" │ "), excerpt.Text)
	if excerpt.Caret != "" {
		pg.line(pg.faint(strings.Repeat(" ", len(gutter))+" │ "), pg.warn(excerpt.Caret))
	}
}

func checkSummary(pg *page, answer checkAnswer) string {
	of := " in " + countOf(answer.Prompts, "prompt") + " that loaded"
	switch {
	case len(answer.Problems) == 0:
		return pg.good("✓ No problem") + " in " + countOf(answer.Prompts, "prompt") + "."
	case answer.Errors == 0:
		return pg.warn(countOf(answer.Warnings, "warning")) + of + "."
	case answer.Warnings == 0:
		return pg.bad(countOf(answer.Errors, "error")) + "; " + countOf(answer.Prompts, "prompt") + " loaded."
	}
	return pg.bad(countOf(answer.Errors, "error")) + " and " + pg.warn(countOf(answer.Warnings, "warning")) + "; " +
		countOf(answer.Prompts, "prompt") + " loaded."
}
