package folder

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/report/book"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/lesson"
	"github.com/siegebook/siegebook/report/site"
)

// step is a cell of the notebook that runs for a page in Markdown.
type step struct {
	source string
	// main is the line before which a line %% was put in, from 0; negative for none.
	main   int
	cell   int   // its number on the page, from 1; 0 for one that computes values
	values []int // the values that it computes, in its order
}

// steps are the cells of a page, and between them cells that compute the values of the text.
func (p *page) steps() []step {
	var steps []step
	for k := 0; k <= len(p.cells); k++ {
		s := step{source: "%%", main: -1}
		for i, v := range p.values {
			if v.after == k {
				// Two lines each, so that a comment ends; see value.
				s.source += "\nfunc(v ...any) { fmt.Printf(\"%T %q\\n\", v[0], fmt.Sprint(v...)) }(" +
					v.expression + ",\n)"
				s.values = append(s.values, i)
			}
		}
		if len(s.values) > 0 {
			steps = append(steps, s)
		}
		if k < len(p.cells) {
			source, main := withMain(p.cells[k].code)
			steps = append(steps, step{source: source, main: main, cell: k + 1})
		}
	}
	return steps
}

// at returns the place in the page of a line of a step's source, 0 for an unknown one.
func (p *page) at(s step, line int) (int, int) {
	if s.cell == 0 {
		v := p.values[s.values[max(0, min((line-2)/2, len(s.values)-1))]]
		return v.line, v.column
	}
	if s.main >= 0 && line > s.main+1 {
		line--
	}
	return p.cells[s.cell-1].line + max(line, 1) - 1, 1
}

var kernelLine = regexp.MustCompile(`(?m)^[ \t]*([%!]|func[ \t]+main\b)`)

// withMain puts a line %% before the statements of a cell that has none: what stands below it is the cell's main. It
// returns the place of that line, and -1 where there is none to add.
func withMain(code string) (string, int) {
	parses := func(before, text, behind string, mode parser.Mode) bool {
		_, err := parser.ParseFile(token.NewFileSet(), "", before+text+behind, mode)
		return err == nil
	}
	if kernelLine.MatchString(code) || strings.TrimSpace(code) == "" || parses("package p\n", code, "", 0) {
		return code, -1
	}
	lines := strings.Split(code, "\n")
	from := 0 // behind the imports
	set := token.NewFileSet()
	if file, err := parser.ParseFile(set, "", "package p\n"+code, parser.ImportsOnly); err == nil {
		for _, d := range file.Decls {
			from = set.Position(d.End()).Line - 1
		}
	}
	rest := strings.Join(lines[from:], "\n")
	if !parses("package p\nfunc main() {\n", rest, "\n}", 0) {
		return code, -1
	}
	return strings.Join(slices.Insert(lines, from, "%%"), "\n"), from
}

// program is the notebook that runs for a page, nil where there is nothing to run.
func (p *page) program() *jupyter.Notebook {
	if p.notebook != nil {
		return p.notebook
	}
	cells := []map[string]any{}
	for i, s := range p.steps() {
		cells = append(cells, jupyter.CodeCell("step-"+strconv.Itoa(i+1), s.source, map[string]any{}))
	}
	if len(cells) == 0 {
		return nil
	}
	return jupyter.Compose(cells, nil)
}

// Run runs the cells of the pages that are wanted, and returns of how many pages that was done now. A failure in a
// cell is a fault. The error is of what is missing to run them; with Kept of the course, pages without results stay so.
func (f *Folder) Run(ctx context.Context, course lesson.Course, wants func(slug string) bool) (ran int, err error) {
	var runs *lesson.Runs
	for _, p := range f.pages {
		n := p.program()
		if n == nil || p.made.Unavailable != nil || !wants(p.made.Slug) {
			continue
		}
		if runs == nil {
			if runs, err = course.Begin(); errors.Is(err, lesson.ErrModule) {
				f.fault("go.mod", 1, 1, "it names no module: %v", lesson.ErrModule)
				return 0, nil
			} else if err != nil {
				return 0, err
			}
		}
		name := f.path(p.rel)
		cells, now, err := runs.Cells(ctx, n, name, filepath.Dir(name))
		failed := jupyter.CellErrors(err)
		switch {
		case err == nil:
			p.results = cells
		case ctx.Err() != nil:
			return ran, err
		case len(failed) > 0:
			p.broken = true
			before := len(f.faults)
			for _, cell := range failed {
				f.cellFault(p, cell)
			}
			f.failed = append(f.failed, f.faults[before:]...)
		case course.Kept && errors.Is(err, lesson.ErrMissing):
		default:
			return ran, fmt.Errorf("%s: the cells cannot be run: %w", name, err)
		}
		if now {
			ran++
		}
	}
	return ran, nil
}

// kernelPlace is where the kernel says that a program has failed, at the end of its message or at its start.
var kernelPlace = regexp.MustCompile(`^line \d+: |(?:^| at )Cell \[\d+\] Line (\d+)(?::(\d+))?:?`)

// cellFault takes note of a cell that has failed, or of a value.
func (f *Folder) cellFault(p *page, failed *jupyter.CellError) {
	message, line := failed.Err.Error(), failed.Line
	if m := kernelPlace.FindStringSubmatch(message); m != nil && line == 0 && m[1] != "" {
		line, _ = strconv.Atoi(m[1])
	}
	message = strings.TrimRight(strings.TrimSpace(kernelPlace.ReplaceAllString(message, "")), ": ")
	if p.notebook != nil {
		f.faults = append(f.faults, &site.Error{
			File: f.path(p.rel), Cell: failed.Cell, Line: line,
			Msg: strings.Join(strings.Fields(message), " ") + ": mend the cell",
		})
		return
	}
	for i, s := range p.steps() {
		if failed.Cell != fmt.Sprintf("cell %q", "step-"+strconv.Itoa(i+1)) {
			continue
		}
		what := "the cell"
		if s.cell == 0 {
			what = "the value"
		}
		at, column := p.at(s, line)
		f.fault(p.rel, at, column, "%s: mend %s", message, what)
	}
}

// fill gives a page what its cells have put out. Without results it has its code and says so.
func (f *Folder) fill(p *page) site.Page {
	if p.notebook != nil {
		cells := p.results
		options := lesson.Options{Slug: p.made.Slug, File: p.made.File, External: true, Words: f.words}
		if cells == nil {
			cells = lesson.Stored(p.notebook)
			switch {
			case p.broken:
				for i := range cells {
					cells[i].Outputs = nil
				}
			case lesson.HasResults(cells):
				options.Note = f.words.Say("stored")
			case p.notebook.CodeCells() > 0:
				options.Note = f.words.Say("not-run")
			}
		}
		made := lesson.Page(p.notebook, cells, options)
		made.Part, made.Group, made.Unavailable = p.part, p.group, p.awaited()
		maps.Copy(made.Assets, p.made.Assets)
		for i, b := range made.Body {
			if text, ok := b.(content.Prose); ok && !text.Inner {
				images := maps.Clone(p.pictures)
				maps.Copy(images, text.Images)
				text.Images = images
				made.Body[i] = text
			}
		}
		f.checkOutputs(p, cells, made.Body)
		return made
	}
	made := p.made
	made.Unavailable = p.awaited()
	var shown []lesson.Shown
	for i, s := range p.steps() {
		var result jupyter.Cell
		if p.results != nil {
			result = p.results[i]
		}
		if s.cell == 0 {
			f.fillValues(p, s, result, made.Values)
			continue
		}
		c := p.cells[s.cell-1]
		result.ID, result.Kind, result.Source, result.ExecutionCount = cellName(s.cell), jupyter.Code, c.code, 0
		switch c.how {
		case howShow:
			result.Tags = []string{lesson.TagShowInput}
		case howAnswer:
			result.Tags = []string{lesson.TagHideOutput}
		}
		shown = append(shown, lesson.Shown{
			Cell: result, Name: c.name, Hide: c.how == howHide,
			Place: content.Place{File: p.made.File, Cell: cellName(s.cell), Line: 1}, // see placed
		})
	}
	for i, blocks := range lesson.Blocks("go", shown, f.words) {
		if p.results == nil {
			blocks = append(blocks, content.Output{Kind: content.Remark, Text: f.words.Say("not-run")})
		}
		made.Blocks[cellName(i+1)] = blocks
		f.checkOutputs(p, []jupyter.Cell{shown[i].Cell}, blocks)
	}
	return made
}

// awaited are the names that the results of the page would have, if there are none.
func (p *page) awaited() []string {
	names := slices.Clone(p.made.Unavailable)
	if p.results != nil || p.program() == nil {
		return names
	}
	for _, c := range p.cells {
		if c.name != "" {
			names = append(names, c.name)
		}
	}
	return append(names, "cell")
}

// numberKind matches the types of numbers. The text of another one, which its author has written, is no number.
var numberKind = regexp.MustCompile(`^(u?int(8|16|32|64|ptr)?|float(32|64)|\*big\.(Int|Rat))$`)

// fillValues reads what a step has printed: a line for each value.
func (f *Folder) fillValues(p *page, s step, result jupyter.Cell, values map[string]any) {
	var printed strings.Builder
	for _, o := range result.Outputs {
		if o.Type == jupyter.Stream && o.Name == "stdout" {
			printed.WriteString(o.Text)
		}
	}
	lines := strings.Split(strings.TrimSuffix(printed.String(), "\n"), "\n")
	for k, i := range s.values {
		name := valuesName(i + 1)
		values[name] = "…"
		if p.results == nil {
			continue
		}
		kind, text, err := "", "", error(nil)
		if len(lines) == len(s.values) {
			kind, text, _ = strings.Cut(lines[k], " ")
			text, err = strconv.Unquote(text)
		}
		if err != nil || len(lines) != len(s.values) {
			f.shown = append(f.shown, f.wrong(place{p.rel, p.values[i].line, p.values[i].column},
				"the expression prints something besides its value: leave that out"))
			continue
		}
		if values[name] = text; numberKind.MatchString(kind) {
			values[name] = site.Number(text)
		}
	}
}

// checkOutputs reports what a page does not show of the outputs of cells: scripts, and pictures without words. Of
// results that were stored they are no faults, since nobody can mend them without a run.
func (f *Folder) checkOutputs(p *page, cells []jupyter.Cell, blocks []content.Block) {
	at := func(i int) (cell string, line int) {
		if p.notebook != nil {
			return cells[i].Name(i), 0
		}
		number, _ := strconv.Atoi(strings.TrimPrefix(cells[i].ID, "cell-"))
		return "", p.cells[number-1].line
	}
	report := func(i int, message string) {
		cell, line := at(i)
		if p.results == nil {
			if said := f.path(p.rel) + ": note: " + cell + ": " + message; !slices.Contains(f.said, said) {
				f.said = append(f.said, said)
			}
			return
		}
		f.shown = append(f.shown, &site.Error{File: f.path(p.rel), Cell: cell, Line: line, Column: 1, Msg: message})
	}
	for i, c := range cells {
		for _, o := range c.Outputs {
			html, _ := o.Data.Text("text/html")
			if _, ours := o.Data[content.MediaType]; !ours && strings.Contains(strings.ToLower(html), "<script") {
				report(i, "the output holds a script, which a page does not run: show a figure (show.Figure) or a "+
					"control (show.Slider)")
			}
		}
	}
	for _, b := range blocks {
		if figure, ok := b.(*content.Figure); ok && lesson.LacksDescription(figure) {
			i := 0
			if p.notebook != nil {
				i = slices.IndexFunc(cells, func(c jupyter.Cell) bool { return len(c.Outputs) > 0 })
			}
			report(i, "a picture has no alternative text: show it with words, as show.Plot and show.Figure do")
		}
	}
}

// claimsSlug and bibliographySlug are those of pages that are made.
const (
	claimsSlug       = "claims"
	bibliographySlug = "bibliography"
)

// Book returns the folder as a book, with the results of Run.
func (f *Folder) Book() book.Book {
	f.shown, f.said = nil, nil
	b := book.Book{
		Title: f.config.Title, Lang: f.config.Language, Words: f.words, Author: f.config.Author, Theme: f.config.theme,
		Explorables: f.explorables,
	}
	for _, field := range [][2]string{{"author", f.config.Author}, {"licence", f.config.Licence}} {
		if field[1] != "" {
			b.Stamp = append(b.Stamp, site.Field{Name: f.words.Say(field[0]), Value: field[1]})
		}
	}
	var pages []site.Page
	for _, p := range f.pages {
		made := f.fill(p)
		if p.rel == indexFile {
			made.Slug, made.Unnumbered, made.Part = "index", true, ""
		}
		pages = append(pages, made)
	}
	if len(pages) == 0 || f.pages[0].rel != indexFile {
		b.Pages = append(b.Pages, book.Index(f.config.Title, f.config.Description))
	}
	if f.config.Claims {
		pages = append(pages, f.claims(pages))
	}
	if len(f.cited) > 0 {
		pages = append(pages, f.bibliography())
	}
	for _, made := range pages {
		b.Pages = append(b.Pages, book.Page{
			Slug: made.Slug, File: made.File, Read: func(string, string) site.Page { return made },
		})
		if made.Slug == "index" {
			continue
		}
		b.Order = inOrder(b.Order, made)
	}
	for _, part := range b.Order {
		for i := range part.Sections {
			if len(part.Sections) > 1 && part.Sections[i].Title == "" { // the pages beside the sections
				part.Sections[i].Title = part.Title
			}
		}
	}
	hash := sha256.New()
	fmt.Fprintf(hash, "%+v %x", f.config, lesson.Digest(pages))
	b.Digest = hash.Sum(nil)
	return b
}

// inOrder adds a page at the end of an order.
func inOrder(order []book.Part, p site.Page) []book.Part {
	if last := len(order) - 1; last < 0 || order[last].Title != p.Part {
		order = append(order, book.Part{Title: p.Part})
	}
	part := &order[len(order)-1]
	if last := len(part.Sections) - 1; last < 0 || part.Sections[last].Title != p.Group {
		part.Sections = append(part.Sections, book.Section{Title: p.Group})
	}
	section := &part.Sections[len(part.Sections)-1]
	section.Pages = append(section.Pages, p.Slug)
	return order
}

// Explores says whether a page of the book has a figure that readers can play with.
func Explores(b book.Book) bool {
	for _, p := range b.Pages {
		made := p.Read("", "")
		figures := slices.Clone(made.Figures)
		for _, blocks := range made.Blocks {
			for _, block := range blocks {
				if figure, ok := block.(*content.Figure); ok {
					figures = append(figures, *figure)
				}
			}
		}
		if len(made.Exercises) > 0 ||
			slices.ContainsFunc(figures, func(f content.Figure) bool { return f.Explore != nil }) {
			return true
		}
	}
	return false
}

// claims is a page that lists the claims of the book.
func (f *Folder) claims(pages []site.Page) site.Page {
	var list strings.Builder
	for _, p := range pages {
		for _, c := range claimsOf(p) {
			place := p.Slug + ".html"
			if c.ID != "" {
				place += "#claim-" + c.ID
			}
			fmt.Fprintf(&list, "- ✓ %s", site.Escape(c.Text))
			if c.Cases > 0 {
				fmt.Fprintf(&list, " (%s)", site.Escape(f.words.Count(c.Cases, "case", "cases")))
			}
			fmt.Fprintf(&list, " [%s](%s)\n", site.Escape(p.Title), place)
		}
	}
	text := site.Escape(f.words.Say("claims-checked")) + "\n\n"
	return site.Page{
		Slug: claimsSlug, Title: f.words.Say("claims"), Unnumbered: true, File: f.path(configFile),
		Source: text + list.String(),
	}
}

// claimsOf are the claims of a page in their order, those that are folded too.
func claimsOf(p site.Page) []content.Claim {
	blocks := slices.Clone(p.Body)
	for i := range len(p.Blocks) {
		blocks = append(blocks, p.Blocks[cellName(i+1)]...)
	}
	var claims []content.Claim
	for _, b := range blocks {
		switch b := b.(type) {
		case content.Claim:
			claims = append(claims, b)
		case content.Fold:
			claims = append(claims, claimsOf(site.Page{Body: b.Body})...)
		}
	}
	return claims
}

// bibliography is a page that lists the references.
func (f *Folder) bibliography() site.Page {
	var entries []string
	for _, entry := range f.cited {
		entries = append(entries, "- "+escaped(entry)+"\n")
	}
	slices.Sort(entries)
	return site.Page{
		Slug: bibliographySlug, Title: f.words.Say("bibliography"), Unnumbered: true,
		File: f.path(path.Clean(f.config.Bibliography)), Source: strings.Join(entries, ""),
	}
}
