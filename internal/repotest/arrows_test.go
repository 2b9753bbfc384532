package repotest

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
)

// arrows are the rows of the block below the heading "Who imports whom" in ARCHITECTURE.md: a package pattern, "->",
// and what it may import. Names with a dot in their first element are modules, others are packages of this one; <game>
// stands for one path element, the same on both sides; "..." at the end for any packages below. Tests may import what
// their package reaches by any number of arrows, and what is in the row "tests". The document is the rule: there is no
// second list that could differ from it.
type arrows struct {
	module string
	rows   []*arrow
	tests  *arrow
}

type arrow struct {
	from    string
	to      []string
	matched bool
	used    map[string]bool
}

// modulePath is the path in the first line of go.mod.
func modulePath(tree fs.FS) (string, error) {
	mod, err := fs.ReadFile(tree, "go.mod")
	first, _, _ := strings.Cut(string(mod), "\n")
	return strings.TrimSpace(strings.TrimPrefix(first, "module ")), err
}

const arrowsHeading = "## Who imports whom"

func readArrows(tree fs.FS) (*arrows, error) {
	module, err := modulePath(tree)
	if err != nil {
		return nil, err
	}
	doc, err := fs.ReadFile(tree, "ARCHITECTURE.md")
	if err != nil {
		return nil, err
	}
	_, rest, ok := strings.Cut(string(doc), arrowsHeading+"\n")
	_, rest, fence := strings.Cut(rest, "\n```text\n")
	block, _, end := strings.Cut(rest, "\n```")
	if !ok || !fence || !end {
		return nil, fmt.Errorf("ARCHITECTURE.md: no ```text block below %q", arrowsHeading)
	}
	a := &arrows{module: module}
	for line := range strings.Lines(block) {
		from, to, ok := strings.Cut(line, "->")
		row := &arrow{from: strings.TrimSpace(from), used: map[string]bool{}}
		switch {
		case strings.TrimSpace(line) == "":
			continue
		case strings.HasPrefix(line, " ") && !ok && len(a.rows) > 0: // a long row goes on
			row, to = a.rows[len(a.rows)-1], line
		case !ok:
			return nil, fmt.Errorf("ARCHITECTURE.md: row %q has no ->", strings.TrimSpace(line))
		default:
			a.rows = append(a.rows, row)
		}
		row.to = append(row.to, strings.FieldsFunc(to, func(r rune) bool { return strings.ContainsRune(", \n", r) })...)
	}
	return a, a.takeTests()
}

// takeTests moves the row of the tests to its own field.
func (a *arrows) takeTests() error {
	i := slices.IndexFunc(a.rows, func(row *arrow) bool { return row.from == "tests" })
	if i < 0 {
		return fmt.Errorf("ARCHITECTURE.md: no row \"tests ->\" below %q", arrowsHeading)
	}
	a.tests = a.rows[i]
	a.rows = slices.Delete(a.rows, i, i+1)
	return nil
}

var placeholder = regexp.MustCompile(`<game>`)

// row returns the row of a package, the one without <game> first, and what <game> stands for.
func (a *arrows) row(pkg string) (row *arrow, game string) {
	for _, row := range a.rows {
		if row.from == pkg {
			return row, ""
		}
	}
	for _, row := range a.rows {
		pattern := placeholder.ReplaceAllLiteralString(regexp.QuoteMeta(row.from), `([^/]+)`)
		if m := regexp.MustCompile("^" + pattern + "$").FindStringSubmatch(pkg); len(m) == 2 {
			return row, m[1]
		}
	}
	return nil, ""
}

// allows says whether the row admits an import, which it then remembers as used. Paths of this module come without
// the module.
func (row *arrow) allows(imported, game string) bool {
	to := row.match(imported, game)
	if to != "" {
		row.used[to] = true
	}
	return to != ""
}

// match returns the element of the row that admits an import, or "".
func (row *arrow) match(imported, game string) string {
	for _, to := range row.to {
		want := placeholder.ReplaceAllLiteralString(to, game)
		below, open := strings.CutSuffix(want, "...")
		if imported == want || open && strings.HasPrefix(imported+"/", below) ||
			isModule(want) && strings.HasPrefix(imported, want+"/") {
			return to
		}
	}
	return ""
}

// reaches says whether arrows lead from the row to a package, over any others: what a package's tests may import.
func (a *arrows) reaches(row *arrow, pkg, game string) bool {
	if row.match(pkg, game) != "" {
		return true
	}
	return slices.ContainsFunc(row.to, func(to string) bool {
		next, game := a.row(placeholder.ReplaceAllLiteralString(to, game))
		return next != nil && a.reaches(next, pkg, game)
	})
}

// isModule says whether a path names something outside of this module and the standard library.
func isModule(importPath string) bool {
	first, _, _ := strings.Cut(importPath, "/")
	return strings.Contains(first, ".")
}

// stale lists the rows that no package matches and the arrows that no import follows.
func (a *arrows) stale() []string {
	var problems []string
	for _, row := range append(slices.Clone(a.rows), a.tests) {
		if !row.matched && row != a.tests {
			problems = append(problems, fmt.Sprintf("ARCHITECTURE.md: there is no package %s: take the row out",
				row.from))
			continue
		}
		for _, to := range row.to {
			if !row.used[to] {
				problems = append(problems, fmt.Sprintf("ARCHITECTURE.md: %s does not import %s: take the arrow out",
					row.from, to))
			}
		}
	}
	return problems
}
