package requirement_test

import (
	"context"
	"fmt"
	"sync"

	"github.com/promptkit-go/promptkit/internal/diag"
	"github.com/promptkit-go/promptkit/internal/prompt"
	"github.com/promptkit-go/promptkit/internal/requirement"
	"github.com/promptkit-go/promptkit/internal/requirement/internal/oracle"
)

// functions is the table that test templates are compiled with.
var functions = sync.OnceValue(func() *prompt.Functions {
	f, err := prompt.NewFunctions(oracle.CustomFuncs())
	if err != nil {
		panic(err)
	}
	return f
})

// compile makes a program of a case.
func compile(c oracle.Case) (*requirement.Program, error) {
	var units []requirement.Unit
	for _, u := range c.Units {
		tmpl, problem := prompt.Compile(u.Text, diag.Origin{File: "m", Line: 1, Column: 1, Exact: true}, functions())
		if problem != nil {
			return nil, fmt.Errorf("message %d: %v", u.Message, problem)
		}
		units = append(units, requirement.Unit{Message: u.Message, Template: tmpl})
	}
	var declared []requirement.Declared
	for _, d := range c.Declared {
		declared = append(declared, requirement.Declared{Name: d.Name, Required: d.Required})
	}
	return requirement.Compile(units, declared), nil
}

// analyse asks the analysis about a case. A panic is an error.
func analyse(ctx context.Context, c oracle.Case) (report *oracle.Report, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	program, err := compile(c)
	if err != nil {
		return nil, err
	}
	r, err := program.Analyze(ctx, requirement.Query{Vars: c.Vars, SkipSession: c.SkipSession})
	if err != nil {
		return nil, err
	}
	return neutral(r), nil
}

// neutral turns a report into the form that the oracle judges.
func neutral(r *requirement.Report) *oracle.Report {
	out := &oracle.Report{CannotRender: r.CannotRender != nil}
	for _, in := range r.Inputs {
		out.Inputs = append(out.Inputs, oracle.Entry{
			Name: in.Name, Kind: kinds[in.Kind], Declared: in.Declared >= 0, Inactive: in.Inactive, Uses: uses(in.Uses),
		})
	}
	for _, v := range r.Variables {
		out.Variables = append(out.Variables, oracle.Entry{
			Name: v.Name, Kind: kinds[v.Kind], Supplied: v.Supplied, Inactive: v.Inactive, Uses: uses(v.Uses),
		})
	}
	for _, i := range r.Issues {
		out.Issues = append(out.Issues, issueName(i))
	}
	return out
}

var (
	kinds = map[requirement.Kind]oracle.Kind{
		requirement.Optional: oracle.Optional, requirement.Conditional: oracle.Conditional, requirement.Required: oracle.Required,
	}
	states = map[requirement.State]oracle.State{
		requirement.Certain: oracle.Certain, requirement.Possible: oracle.Possible, requirement.Inactive: oracle.Inactive,
	}
	codes = map[requirement.Code]string{
		requirement.DynamicInputName: "dynamic_input_name", requirement.DynamicVariableName: "dynamic_variable_name",
		requirement.ExpressionUnresolved: "expression_unresolved", requirement.InputContent: "input_content",
		requirement.MissingVariable: "missing_variable", requirement.UnsupportedConstruct: "unsupported_construct",
	}
)

func uses(list []requirement.Use) []oracle.Use {
	var out []oracle.Use
	for _, u := range list {
		out = append(out, oracle.Use{Message: u.Message, Line: u.Position.Line, Column: u.Position.Column, State: states[u.State]})
	}
	return out
}

// issueName is an issue as the vectors write it: the code, and the name that
// is its cause, if there is one.
func issueName(i requirement.Issue) string {
	name := codes[i.Code]
	for _, cause := range []string{i.Input, i.Variable} {
		if cause != "" {
			name += ":" + cause
		}
	}
	return name
}
