package requirement_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"
	"text/template"
	"text/template/parse"

	"github.com/promptkit-go/promptkit/internal/diag"
	"github.com/promptkit-go/promptkit/internal/prompt"
	"github.com/promptkit-go/promptkit/internal/requirement"
	"github.com/promptkit-go/promptkit/internal/requirement/internal/oracle"
)

// corpusFile holds real prompts, one JSON object a line. It is not part of
// this repository.
const corpusFile = "../../../shared/corpus/prompts.jsonl"

type corpusPrompt struct{ Repo, Path, Name, Template string }

// TestCorpus inspects real prompts and reports how many answers are complete.
func TestCorpus(t *testing.T) {
	prompts := readCorpus(t)
	var sum corpusSummary
	for _, p := range prompts {
		if err := sum.add(p); err != nil {
			t.Errorf("%s %s %s: %v", p.Repo, p.Path, p.Name, err)
		}
	}
	t.Logf("%d prompts\n%v", len(prompts), &sum)
	if percent(sum.plainComplete, sum.plain) < 95 {
		t.Errorf("with all variables supplied, %d of %d prompts that use texts only are complete", sum.plainComplete, sum.plain)
	}
}

func readCorpus(t *testing.T) []corpusPrompt {
	f, err := os.Open(corpusFile)
	if err != nil {
		t.Skipf("no corpus: %v", err)
	}
	defer f.Close()
	var out []corpusPrompt
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var p corpusPrompt
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		out = append(out, p)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// corpusSummary counts inspections.
type corpusSummary struct {
	inspected, complete, supplied int
	plain, plainComplete          int
	executions                    int
	incomplete                    []string // of the plain ones
}

func (s *corpusSummary) add(p corpusPrompt) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	shape, err := shapeOf(p.Template)
	if err != nil {
		return fmt.Errorf("does not parse: %w", err)
	}
	program, err := shape.compile(p.Template)
	if err != nil {
		return err
	}
	vars := map[string]string{}
	bare, err := program.Analyze(context.Background(), requirement.Query{Vars: vars})
	if err != nil {
		return err
	}
	full, err := supplyAll(program, bare)
	if err != nil {
		return err
	}
	if len(shape.custom) == 0 {
		if err := s.execute(p.Template, bare, full); err != nil {
			return err
		}
	}
	s.inspected++
	s.complete += toInt(len(bare.Issues) == 0)
	s.supplied += toInt(len(full.Issues) == 0)
	if shape.textsOnly() {
		s.plain++
		s.plainComplete += toInt(len(full.Issues) == 0)
		if len(full.Issues) > 0 {
			s.incomplete = append(s.incomplete, fmt.Sprintf("%s %s %s: %v", p.Repo, p.Path, p.Name, neutral(full).Issues))
		}
	}
	return nil
}

// execute holds the answers for a prompt without custom functions against
// executions: with nothing supplied, and with everything.
func (s *corpusSummary) execute(text string, reports ...*requirement.Report) error {
	for _, r := range reports {
		c := oracle.Case{Units: []oracle.Unit{{Text: text}}, Vars: map[string]string{}}
		for _, v := range r.Variables {
			if v.Supplied {
				c.Vars[v.Name] = "some text"
			}
		}
		subject, err := oracle.NewSubject(c)
		if err != nil {
			return err
		}
		j, _ := subject.Measure(neutral(r), limits)
		if claim := wrong(j); claim != "" {
			return fmt.Errorf("%s: %v %v", claim, j.Violations, j.Malformed)
		}
		s.executions += j.Runs
	}
	return nil
}

// supplyAll supplies every variable that a report lists, until none is new.
func supplyAll(program *requirement.Program, report *requirement.Report) (*requirement.Report, error) {
	vars := map[string]string{}
	for {
		n := len(vars)
		for _, v := range report.Variables {
			vars[v.Name] = "some text"
		}
		if len(vars) == n {
			return report, nil
		}
		var err error
		if report, err = program.Analyze(context.Background(), requirement.Query{Vars: vars}); err != nil {
			return nil, err
		}
	}
}

func (s *corpusSummary) String() string {
	text := fmt.Sprintf("inspected %d (and executed those without custom functions %d times): %.1f%% complete with nothing supplied, %.1f%% with all variables supplied\n"+
		"of %d that use texts only, %.1f%% are complete with all variables supplied",
		s.inspected, s.executions, percent(s.complete, s.inspected), percent(s.supplied, s.inspected), s.plain, percent(s.plainComplete, s.plain))
	for _, line := range s.incomplete {
		text += "\n  incomplete: " + line
	}
	return text
}

// shape is what a template uses that texts alone cannot give it.
type shape struct {
	custom      []string // functions that are not built in
	deep, loops bool     // fields of fields; ranges over variables
}

func (s *shape) textsOnly() bool { return len(s.custom) == 0 && !s.deep && !s.loops }

func shapeOf(text string) (*shape, error) {
	trees := map[string]*parse.Tree{}
	tree := parse.New("prompt")
	tree.Mode = parse.SkipFuncCheck
	if _, err := tree.Parse(text, "", "", trees); err != nil {
		return nil, err
	}
	s := &shape{}
	for _, t := range trees {
		s.node(t.Root)
	}
	return s, nil
}

// compile compiles with a stub for each custom function.
func (s *shape) compile(text string) (*requirement.Program, error) {
	stubs := template.FuncMap{}
	for _, name := range s.custom {
		stubs[name] = func(...any) any { return nil }
	}
	table, err := prompt.NewFunctions(stubs)
	if err != nil {
		return nil, err
	}
	tmpl, problem := prompt.Compile(text, diag.Origin{File: "corpus", Line: 1, Column: 1, Exact: true}, table)
	if problem != nil {
		return nil, fmt.Errorf("%v", problem)
	}
	return requirement.Compile([]requirement.Unit{{Template: tmpl}}, nil), nil
}

func (s *shape) node(n parse.Node) {
	switch n := n.(type) {
	case *parse.ListNode:
		if n == nil {
			return
		}
		for _, c := range n.Nodes {
			s.node(c)
		}
	case *parse.ActionNode:
		s.node(n.Pipe)
	case *parse.IfNode:
		s.branch(&n.BranchNode)
	case *parse.WithNode:
		s.branch(&n.BranchNode)
	case *parse.RangeNode:
		s.loops = s.loops || mentionsVariable(n.Pipe)
		s.branch(&n.BranchNode)
	case *parse.TemplateNode:
		s.node(n.Pipe)
	case *parse.PipeNode:
		if n == nil {
			return
		}
		for _, c := range n.Cmds {
			for _, a := range c.Args {
				s.node(a)
			}
		}
	default:
		s.operand(n)
	}
}

func (s *shape) branch(b *parse.BranchNode) {
	s.node(b.Pipe)
	s.node(b.List)
	s.node(b.ElseList)
}

func (s *shape) operand(n parse.Node) {
	switch n := n.(type) {
	case *parse.FieldNode:
		s.deep = s.deep || len(n.Ident) > 1
	case *parse.VariableNode:
		s.deep = s.deep || len(n.Ident) > 2 || len(n.Ident) > 1 && n.Ident[0] != "$"
	case *parse.ChainNode:
		s.deep = true
		s.node(n.Node)
	case *parse.IdentifierNode:
		if !slices.Contains(builtins(), n.Ident) && !slices.Contains(s.custom, n.Ident) {
			s.custom = append(s.custom, n.Ident)
		}
	}
}

func builtins() []string {
	table, err := prompt.NewFunctions(nil)
	if err != nil {
		panic(err)
	}
	return table.Names()
}

// mentionsVariable reports whether a pipeline has a field or a template
// variable in it.
func mentionsVariable(p *parse.PipeNode) bool {
	found := false
	for _, c := range p.Cmds {
		for _, a := range c.Args {
			switch a := a.(type) {
			case *parse.FieldNode, *parse.VariableNode, *parse.DotNode, *parse.ChainNode:
				found = true
			case *parse.PipeNode:
				found = found || mentionsVariable(a)
			}
		}
	}
	return found
}
