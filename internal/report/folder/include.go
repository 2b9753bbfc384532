package folder

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/internal/report/site"
)

// included is the text of another file that a page shows.
type included struct {
	rel   string
	lines []string
}

// mostIncluded is the maximum number of files that a page may include.
const mostIncluded = 100

// include shows the text of another file: Markdown as if it were written in the page, and other files as code. Paths in
// it are relative to the page's folder. The other file cannot contain Go cells, because a cell is identified by a line
// of the page.
func (r *reader) include(file string, a attributes, column int) string {
	rel := path.Join(path.Dir(r.p.rel), r.named(file))
	r.require(!slices.Contains(r.around, rel), column, "%q includes itself: remove this call", file)
	r.require(len(r.p.included) < mostIncluded, column, "the page includes more than %d files: split the "+
		"page", mostIncluded)
	data := bytes.TrimPrefix(r.readBeside(r.named(file), column), byteOrderMark)
	line, _ := notText(data)
	r.require(line == 0, column, "the file %s has invalid UTF-8 in line %d: save it as UTF-8", rel, line)
	text := strings.ReplaceAll(string(data), "\r\n", "\n")
	at := len(r.p.included)
	r.p.included = append(r.p.included, included{rel: rel})
	r.f.left = slices.DeleteFunc(r.f.left, func(left string) bool { return left == rel })
	if !pageEndings[strings.ToLower(path.Ext(rel))] {
		r.p.included[at].lines = r.code(file, text, a, column)
	} else {
		made, _ := site.ReadLoose("included", rel, text)
		inner := &reader{
			f: r.f, p: r.p, rel: rel, around: append(slices.Clone(r.around), rel), headings: r.headings,
			formulas: r.formulas, explored: r.explored, notes: r.notes,
		}
		inner.lines(strings.Split(made.Source, "\n"))
		r.headings, r.formulas, r.explored, r.notes = inner.headings, inner.formulas, inner.explored, inner.notes
		r.p.included[at].lines = inner.out
	}
	return fmt.Sprintf("{{ template %q . }}", includedName(at))
}

func includedName(at int) string { return "included-" + strconv.Itoa(at+1) }

// code returns the lines of a file, or some of them, as a fenced code block.
func (r *reader) code(file, text string, a attributes, column int) []string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if span := a.set["lines"]; span != "" {
		first, last, ranged := strings.Cut(span, "-")
		from, err1 := strconv.Atoi(first)
		to := from
		var err2 error
		if ranged {
			to, err2 = strconv.Atoi(last)
		}
		r.require(err1 == nil && err2 == nil && 1 <= from && from <= to && to <= len(lines), column,
			"lines=%q: the file has lines 1 to %d: write a range such as 3-9", span, len(lines))
		lines = lines[from-1 : to]
	}
	mark := "```"
	for strings.Contains(text, mark) {
		mark += "`"
	}
	language := strings.TrimPrefix(path.Ext(file), ".")
	title := ` title="` + strings.ReplaceAll(path.Base(file), `"`, "&quot;") + `"`
	out := []string{mark + language + escaped(title)}
	if language == "" {
		out[0] = mark + "text" + escaped(title)
	}
	for _, line := range lines {
		out = append(out, escaped(line))
	}
	return append(out, mark)
}

// withIncluded returns the text of a page, followed by templates with the files that it includes.
func (p *page) withIncluded(f *Folder, out []string) string {
	text := strings.Join(out, "\n")
	for i, inc := range p.included {
		text += "\n"
		p.made.Included = append(p.made.Included, site.Included{
			Line: strings.Count(text, "\n") + 1, File: f.path(inc.rel),
		})
		text += fmt.Sprintf("{{ define %q }}%s{{ end }}", includedName(i), strings.Join(inc.lines, "\n"))
	}
	return text
}
