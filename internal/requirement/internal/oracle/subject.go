package oracle

import (
	"fmt"
	"text/template"
	"text/template/parse"
)

// rootName names the template of a message; no definition of an author can
// have it by accident, and none of the generator's does.
const rootName = "\x00message"

// Subject is a case made executable: each unit plain, and with probes.
// It is not safe for concurrent use: the probes report to the run in progress.
type Subject struct {
	Case    Case
	units   []subjectUnit
	sites   []site
	domains domains
	run     *run // the probed execution in progress
	plain   *plainRun
}

type subjectUnit struct {
	message       int
	plain, probed *template.Template
}

// site is one place that reads a name.
type site struct {
	kind    siteKind
	message int
	at      []place // where the place may be said to be
	idents  []string
	args    bool   // a field with arguments, which always fails
	name    string // the literal name, if literal
	literal bool
	use     use
}

type siteKind uint8

const (
	siteField siteKind = iota
	siteIndex
	siteInput
)

// place is a position in a unit's text, line and column from 1.
type place struct{ line, column int }

// NewSubject compiles a case. The error is text/template's own.
func NewSubject(c Case) (*Subject, error) {
	s := &Subject{Case: c}
	var trees []*parse.Tree
	for _, u := range c.Units {
		if u.Message < 0 && c.SkipSession {
			continue
		}
		su, all, err := s.compileUnit(u)
		if err != nil {
			return nil, fmt.Errorf("message %d: %w", u.Message, err)
		}
		s.units = append(s.units, su)
		trees = append(trees, all...)
	}
	s.domains = newDomains(s, trees)
	return s, nil
}

// compileUnit parses a unit twice, since the trees of one are rewritten.
func (s *Subject) compileUnit(u Unit) (subjectUnit, []*parse.Tree, error) {
	plain, err := template.New(rootName).Option("missingkey=error").Funcs(s.plainFuncs()).Parse(u.Text)
	if err != nil {
		return subjectUnit{}, nil, err
	}
	probed, err := template.New(rootName).Option("missingkey=error").Funcs(s.probes()).Parse(u.Text)
	if err != nil {
		return subjectUnit{}, nil, err
	}
	var trees []*parse.Tree
	for _, t := range plain.Templates() {
		trees = append(trees, t.Tree)
		p := &prober{s: s, unit: u}
		p.rewrite(probed.Lookup(t.Name()).Root)
	}
	return subjectUnit{u.Message, plain, probed}, trees, nil
}
