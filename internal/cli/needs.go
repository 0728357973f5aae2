package cli

import (
	"context"
	"maps"

	"github.com/spf13/cobra"

	"github.com/promptkit-go/promptkit"
)

const needsLong = `Say what a prompt will need in this context, before any input exists and
without contacting a model.

The answer lists every input and variable, whether it is required, why, and
where it is used; then whether the list is final. If it is not, the reasons
follow, and the flags that would settle them.

--input binds a name as it does for prepare and run; the file is not read.
With --bindings or --bind the answer is a gate: exit code 1 if something
required is not planned or something planned is unknown. A plan is a file:

  inputs: [transcript, agenda]
  variables: [team, date]      # names; or name: value, where it is known`

const needsExample = `  promptkit needs weather-report
  promptkit needs weather-report --var city=oslo --var audience=sailors
  promptkit needs weather-report --var audience=sailors --against audience=farmers
  promptkit needs weather-report --bindings plan.yaml --require-complete`

type needsFlags struct {
	contextFlags
	turnFlags
	bindings        string
	bind            []string
	requireComplete bool
	against         []string
}

func newNeeds(a *app) *cobra.Command {
	f := &needsFlags{}
	cmd := &cobra.Command{
		Use:               "needs PROMPT",
		Short:             "What will it need, here, with these variables?",
		Long:              needsLong,
		Example:           needsExample,
		Args:              exactly("a prompt, ID or ID@version"),
		ValidArgsFunction: a.completePrompts(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.needs(cmd.Context(), f, args[0])
		},
	}
	f.contextFlags.register(a, cmd)
	f.turnFlags.register(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.bindings, "bindings", "", "compare with the plan in a YAML or JSON `FILE`")
	flags.StringArrayVar(&f.bind, "bind", nil, "compare with a plan to bind the input `NAME`; repeatable")
	flags.BoolVar(&f.requireComplete, "require-complete", false, "exit code 3 if the list is not final")
	flags.StringArrayVar(&f.against, "against", nil, "what would change with another value, `NAME=VALUE`; repeatable")
	a.registerOutput(cmd)
	_ = cmd.MarkFlagFilename("bindings", "yaml", "yml", "json")
	_ = cmd.RegisterFlagCompletionFunc("against", a.completeVars)
	return cmd
}

func (a *app) needs(ctx context.Context, f *needsFlags, arg string) error {
	p, err := a.open()
	if err != nil {
		return err
	}
	s, err := p.choose(arg)
	if err != nil {
		return err
	}
	q, err := f.question(s)
	if err != nil {
		return err
	}
	answer, err := p.ask(ctx, s, q)
	if err != nil {
		return p.explain(err, s, f.profile)
	}
	if len(f.against) > 0 {
		return a.against(ctx, p, s, q, answer, f.against)
	}
	if err := a.emit(answer, func(pg *page) { layOutNeeds(pg, p, q, answer) }); err != nil {
		return err
	}
	return answer.verdict(f.requireComplete)
}

// A question is all that the answer of needs depends on.
type question struct {
	request promptkit.RequirementInspectionRequest
	turn    turnFlags
	bound   []string // input names that flags or a plan bind
	plan    *plan    // nil if no plan was given
	flags   contextFlags
}

func (f *needsFlags) question(s selection) (question, error) {
	q := question{turn: f.turnFlags, flags: f.contextFlags}
	if err := f.turnFlags.check(); err != nil {
		return q, err
	}
	var err error
	if q.request, err = f.requirementRequest(s); err != nil {
		return q, err
	}
	if q.bound, err = f.inputNames(); err != nil {
		return q, err
	}
	if f.bindings == "" && len(f.bind) == 0 {
		return q, nil
	}
	q.plan = &plan{inputs: append(f.bind, q.bound...)}
	if f.bindings != "" {
		if err := q.plan.read(f.bindings); err != nil {
			return q, err
		}
	}
	q.bound = q.plan.inputs
	for name, value := range q.plan.values {
		if _, ok := q.request.Vars[name]; !ok {
			q.request.Vars[name] = value
		}
	}
	return q, nil
}

// with is the same question with other values.
func (q question) with(values map[string]string) question {
	vars := maps.Clone(q.request.Vars)
	maps.Copy(vars, values)
	q.request.Vars = vars
	return q
}

// verdict turns an answer into an exit code. A plan that cannot work is worse
// than an inventory that is not final.
func (n *needsAnswer) verdict(requireComplete bool) error {
	if n.Plan != nil && !n.Plan.OK {
		return shown(exitFailed)
	}
	if requireComplete && !n.Complete {
		return shown(exitIncomplete)
	}
	return nil
}
