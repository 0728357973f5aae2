package cli

import (
	"strings"

	"charm.land/lipgloss/v2"
	"charm.land/lipgloss/v2/table"
	"github.com/charmbracelet/x/ansi"
)

// columnGap separates the columns of a table.
const columnGap = 2

// A grid is a table to be: titles, and rows whose cells may hold several
// lines.
type grid struct {
	titles []string
	rows   [][]string
}

// table writes one grid.
func (p *page) table(titles []string, rows [][]string) {
	p.tables(grid{titles, rows})
}

// tables writes grids of as many columns each below one another, with the
// same widths, so that they read as one. Where the rows are wider than the
// page the widest columns give way, and their cells wrap: nothing is cut off,
// least of all a name.
func (p *page) tables(grids ...grid) {
	widths := p.fit(grids)
	for i, g := range grids {
		if i > 0 {
			p.line()
		}
		p.grid(g, widths)
	}
}

func (p *page) grid(g grid, widths []int) {
	t := table.New().
		Border(lipgloss.NormalBorder()).
		BorderTop(false).BorderBottom(false).BorderLeft(false).BorderRight(false).
		BorderColumn(false).BorderHeader(true)
	if p.colour {
		t.BorderStyle(faintStyle)
	}
	t.StyleFunc(func(_, col int) lipgloss.Style {
		return lipgloss.NewStyle().Width(widths[col] + gapAfter(col, len(widths)))
	})
	head := make([]string, len(g.titles))
	for i, title := range g.titles {
		head[i] = p.bold(title)
	}
	t.Headers(head...)
	for _, row := range g.rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = wrapCell(cell, widths[i])
		}
		t.Row(cells...)
	}
	for l := range strings.Lines(t.Render() + "\n") {
		p.line(strings.TrimRight(l, " \n"))
	}
}

func gapAfter(col, columns int) int {
	if col == columns-1 {
		return 0
	}
	return columnGap
}

// fit gives each column the width of its widest line and then, while the
// whole is wider than the page, takes from the widest column.
func (p *page) fit(grids []grid) []int {
	widths := make([]int, len(grids[0].titles))
	for _, g := range grids {
		for _, row := range append([][]string{g.titles}, g.rows...) {
			for i, cell := range row {
				for l := range strings.SplitSeq(cell, "\n") {
					widths[i] = max(widths[i], ansi.StringWidth(l))
				}
			}
		}
	}
	for room := p.width - columnGap*(len(widths)-1); sum(widths) > room; {
		widest := 0
		for i, w := range widths {
			if w > widths[widest] {
				widest = i
			}
		}
		if widths[widest] <= 8 {
			break
		}
		widths[widest]--
	}
	return widths
}

// wrapCell breaks the lines of a cell that are wider than the column. What
// stands below a line's first word is indented by as much as that word is a
// mark, so that marks stay in a column of their own.
func wrapCell(cell string, width int) string {
	var out []string
	for l := range strings.SplitSeq(cell, "\n") {
		out = append(out, strings.Split(wrapMarked(l, width), "\n")...)
	}
	return strings.Join(out, "\n")
}

func wrapMarked(l string, width int) string {
	if ansi.StringWidth(l) <= width {
		return l
	}
	mark, text, ok := strings.Cut(l, " ")
	if !ok {
		return wrapName(l, width)
	}
	if ansi.StringWidth(mark) != 1 {
		return wrap(l, width)
	}
	return mark + " " + strings.ReplaceAll(wrap(text, width-2), "\n", "\n  ")
}

func sum(ns []int) int {
	total := 0
	for _, n := range ns {
		total += n
	}
	return total
}
