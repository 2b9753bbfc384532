package folder

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/siegebook/siegebook/internal/gosource"
	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/limitedread"
	"github.com/siegebook/siegebook/internal/report/book"
	"github.com/siegebook/siegebook/internal/report/lesson"
	"github.com/siegebook/siegebook/internal/report/program"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/explore"
	"github.com/siegebook/siegebook/report/pictures"
)

// code returns the cells of a Markdown page and the expressions in its text, in the order of the page.
func (p *page) code() (all []program.Cell) {
	values := p.values
	for k := 0; k <= len(p.cells); k++ {
		for ; len(values) > 0 && values[0].after == k; values = values[1:] {
			v := values[0]
			all = append(all, program.Cell{Line: v.line, Column: v.column, Code: v.expression, Value: true})
		}
		if k < len(p.cells) {
			all = append(all, program.Cell{Line: p.cells[k].line, Column: 1, Code: p.cells[k].code})
		}
	}
	return all
}

// runs reports whether the page has cells to run.
func (p *page) runs() bool {
	return p.notebook != nil && p.notebook.CodeCells() > 0 || len(p.cells)+len(p.values) > 0
}

// Programs runs pages as a program; [program.Program] implements it.
type Programs interface {
	Run(ctx context.Context, pages []program.Page, o program.RunOptions) (program.Results, error)
}

// Runner runs the cells of a folder.
type Runner struct {
	// Program runs the cells of Markdown pages; see [program.Program.Run].
	Program Programs
	// Course returns the course that runs notebooks. It is called only if there is a notebook.
	Course func() (lesson.Course, error)
	// Live, if not nil, builds the files that readers of live pages need to run the cells. left maps the name of each
	// page that cannot run in a browser to the reason.
	Live func(ctx context.Context, pages []program.Page) (made *explore.Live, left map[string]program.Fault, err error)
	// Kept means that results come only from the cache. Pages that are not in the cache get no results.
	Kept bool
}

// Run runs the cells of the wanted pages, and returns the number of pages whose results did not come from the cache. A
// failure in a cell is recorded as a fault. An error means that the cells cannot be run.
func (f *Folder) Run(ctx context.Context, r Runner, wants func(slug string) bool) (ran int, err error) {
	var notebooks, texts []*page
	for _, p := range f.pages {
		switch {
		case !p.runs() || p.made.Unavailable != nil || !wants(p.made.Slug):
		case p.notebook != nil:
			notebooks = append(notebooks, p)
		default:
			texts = append(texts, p)
		}
	}
	if len(notebooks) > 0 {
		ran, err = f.runNotebooks(ctx, r, notebooks)
	}
	if err == nil {
		var more int
		more, err = f.runPrograms(ctx, r, texts, notebooks)
		ran += more
	}
	if errors.Is(err, gosource.ErrModule) {
		f.fault("go.mod", 1, 1, "go.mod names no module: %v", gosource.ErrModule)
		return ran, nil
	}
	return ran, err
}

// runPrograms runs the cells of Markdown pages as one program. The program also runs the cells of notebooks that have
// controls, so that the controls move.
func (f *Folder) runPrograms(ctx context.Context, r Runner, pages, notebooks []*page) (ran int, err error) {
	var all []program.Page
	for _, p := range pages {
		all = append(all, p.program(f))
	}
	for _, p := range notebooks {
		if p.movables = (movables{}); p.ran != nil {
			all = append(all, p.movables.pages(f.toRun(p), f.explorables, len(all))...)
		}
	}
	var results program.Results
	if len(all) > 0 {
		if results, err = r.Program.Run(ctx, all, program.RunOptions{Files: f.dataSum(), Kept: r.Kept}); err != nil {
			return 0, err
		}
		f.module = results.Module
	}
	if f.live = nil; r.Live != nil {
		if err := f.makeLive(ctx, r, all[:len(pages)], notebooks); err != nil {
			return 0, err
		}
	}
	for _, p := range notebooks {
		p.movables.take(results.Pages)
	}
	for i, p := range pages {
		result := results.Pages[i]
		if p.results = result.Cells; result.Now {
			ran++
		}
		for _, fault := range result.Faults {
			cure := "correct the cell"
			if all[i].Cells[fault.Cell].Value {
				cure = "correct the value"
			}
			p.broken = true
			message := fmt.Sprintf("%s: %s", fault.Message, cmp.Or(fault.Cure, cure))
			if fault.Parameter != "" {
				message = fmt.Sprintf("parameter %s: %s", fault.Parameter, fault.Message)
				f.refused = append(f.refused, Refused{fault.Parameter, fault.Message})
			}
			at := place{cmp.Or(fault.File, p.rel), fault.Line, fault.Column}
			failed := f.wrong(at, "%s", message)
			f.faults, f.failed = append(f.faults, failed), append(f.failed, failed)
		}
	}
	return ran, nil
}

// mostData is the maximum number of bytes that dataSum reads. For the remaining files it hashes only the size and the
// modification time.
const mostData = 64 * limitedread.MiB

// dataSum returns a hash of the files in the folder that cells may read: all files except pages and reports.
func (f *Folder) dataSum() []byte {
	sum, read := sha256.New(), int64(0)
	root, err := os.OpenRoot(f.Name)
	if err != nil {
		return nil
	}
	defer root.Close()
	files := Folder{files: root.FS()}
	_ = fs.WalkDir(files.files, ".", func(name string, entry fs.DirEntry, err error) error {
		switch hidden := strings.HasPrefix(entry.Name(), ".") && name != "."; {
		case err != nil:
			return nil //nolint:nilerr // a cell cannot read it either
		case entry.IsDir() && (hidden || files.built(name)):
			return fs.SkipDir
		case entry.IsDir() || hidden || name == configFile || pageEndings[strings.ToLower(path.Ext(name))]:
			return nil
		}
		info, err := entry.Info()
		if err != nil || !info.Mode().IsRegular() {
			return nil //nolint:nilerr // as above
		}
		fmt.Fprintf(sum, "%q %d\n", name, info.Size())
		if read += info.Size(); read > mostData {
			fmt.Fprintln(sum, info.ModTime().UnixNano())
			return nil
		}
		if file, err := root.Open(name); err == nil {
			_, _ = io.Copy(sum, file)
			_ = file.Close()
		}
		return nil
	})
	return sum.Sum(nil)
}

// runNotebooks runs notebooks, each in a kernel.
func (f *Folder) runNotebooks(ctx context.Context, r Runner, pages []*page) (ran int, err error) {
	course, err := r.Course()
	if err != nil {
		return 0, err
	}
	course.Kept = r.Kept
	runs, err := course.Begin()
	if err != nil {
		return 0, err
	}
	for _, p := range pages {
		name := f.path(p.rel)
		cells, now, err := runs.Cells(ctx, p.notebook, name, filepath.Dir(name))
		failed := jupyter.CellErrors(err)
		switch {
		case err == nil:
			p.ran = cells
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

// kernelPlace matches the position of a failure at the start or the end of a kernel's message.
var kernelPlace = regexp.MustCompile(`^line \d+: |(?:^| at )Cell \[\d+\] Line (\d+)(?::(\d+))?:?`)

// cellFault records that a cell of a notebook has failed.
func (f *Folder) cellFault(p *page, failed *jupyter.CellError) {
	message, line := failed.Err.Error(), failed.Line
	if m := kernelPlace.FindStringSubmatch(message); m != nil && line == 0 && m[1] != "" {
		line, _ = strconv.Atoi(m[1])
	}
	message = strings.TrimRight(strings.TrimSpace(kernelPlace.ReplaceAllString(message, "")), ": ")
	f.faults = append(f.faults, &site.Error{
		File: f.path(p.rel), Cell: failed.Cell, Line: line,
		Msg: strings.Join(strings.Fields(message), " ") + ": correct the cell",
	})
}

// stillFigures removes the controls from the outputs of a page whose controls do not move. If the reason is known, it
// adds a note.
func (f *Folder) stillFigures(p *page, blocks []content.Block) {
	for _, m := range f.module.Pictures {
		if slices.ContainsFunc(p.results, func(r program.Result) bool { return r.Has(m.Name) }) {
			return // either all controls of a page move, or none
		}
	}
	if fault, left := f.module.Left[p.made.Slug]; left {
		f.noteOnce(fmt.Sprintf("%s:%d:%d", f.path(p.rel), fault.Line, fault.Column),
			"the controls of the page do not move: "+fault.Message)
	}
	for i, b := range blocks {
		switch b := b.(type) {
		case *content.Figure:
			is := func(r program.Result) bool { return b.Explore != nil && r.Has(b.Explore.Kind) }
			if slices.ContainsFunc(p.results, is) {
				still := *b
				still.Explore = nil
				blocks[i] = &still
			}
		case content.Fold:
			f.stillFigures(p, b.Body)
		}
	}
}

// fill returns a page with the outputs of its cells. Without results, the page shows the code and a notice.
func (f *Folder) fill(p *page) site.Page {
	if p.left {
		return site.Page{
			Slug: p.made.Slug, File: p.made.File, Title: p.made.Title, Part: p.part, Group: p.group,
			Source:      "> [!WARNING]\n> " + site.Escape(f.words.Say("page-left-out")) + "\n",
			Unavailable: []string{site.Anything},
		}
	}
	if p.notebook != nil {
		cells := p.ran
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
		if f.live != nil && p.ran != nil {
			options.Live = p.whole
		}
		f.sayStays(p)
		made := lesson.Page(p.notebook, f.moving(p, cells), options)
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
	made.Unavailable, made.Assets = p.awaited(), maps.Clone(p.made.Assets)
	var shown []lesson.Shown
	values := 0
	for i, c := range p.code() {
		var result program.Result
		if p.results != nil {
			result = p.results[i]
		}
		if c.Value {
			values++
			at, name := place{p.rel, c.Line, c.Column}, valuesName(values)
			if p.values[values-1].formula {
				made.Values[name] = f.inFormula(at, result, p.results != nil)
			} else {
				made.Values[name] = shownValue(result, p.results != nil)
			}
			if len(result.Outputs) > 0 {
				f.shown = append(f.shown, f.wrong(at,
					"the expression prints or shows something in addition to its value: remove this output"))
			}
			continue
		}
		number := len(shown) + 1
		cell := jupyter.Cell{ID: cellName(number), Kind: jupyter.Code, Source: c.Code, Outputs: result.Outputs}
		own := p.cells[number-1]
		switch own.how {
		case howShow:
			cell.Tags = []string{lesson.TagShowInput}
		case howAnswer:
			cell.Tags = []string{lesson.TagHideOutput}
		}
		shown = append(shown, lesson.Shown{
			Cell: cell, Name: own.name, Hide: own.how == howHide,
			Place: content.Place{File: p.made.File, Cell: cell.ID, Line: 1}, // see Folder.placed
		})
	}
	if at, near := f.module.Near[p.made.Slug]; near {
		f.noteOnce(fmt.Sprintf("%s:%d:%d", f.path(p.rel), at.Line, at.Column),
			"in a browser, the last digits of floats differ, so the page shows the browser's digits")
	}
	p.stated = nil
	for i, blocks := range lesson.Blocks("go", shown, f.words) {
		if p.results == nil {
			blocks = append(blocks, content.Output{Kind: content.Remark, Text: f.words.Say("not-run")})
		}
		f.stillFigures(p, blocks)
		f.checkOutputs(p, []jupyter.Cell{shown[i].Cell}, blocks)
		made.Blocks[cellName(i+1)] = p.elsewhere(blocks, &made)
	}
	f.placeOutputs(p, &made)
	f.linkFiles(p, &made)
	if f.live != nil {
		made.Live = p.live(f)
	}
	f.sayStays(p)
	return made
}

// linkFiles fills in the addresses of links to files that cells offer.
func (f *Folder) linkFiles(p *page, made *site.Page) {
	for i, o := range p.linked {
		dest := o.name
		if made.Assets[o.name] == nil {
			if dest = "#top"; p.results != nil {
				f.shown = append(f.shown, f.wrong(place{p.rel, o.line, o.column},
					noFile+", or show it in a cell with show.File", o.name))
			}
		}
		made.Source = strings.Replace(made.Source, "("+fileLink(i+1)+")", "("+dest+")", 1)
	}
}

// elsewhere removes from a cell's blocks the figures, tables and entries that the page's text places itself, the
// claims, and the files that the cell offers. It adds them to the page and returns the other blocks.
func (p *page) elsewhere(blocks []content.Block, made *site.Page) []content.Block {
	is := func(kind, name string) bool {
		return slices.ContainsFunc(p.placed, func(o placed) bool { return o.kind == kind && o.name == name })
	}
	var here []content.Block
	for _, b := range blocks {
		switch b := b.(type) {
		case *content.Figure:
			if is("figure", b.ID) {
				made.Figures = append(made.Figures, *b)
				continue
			}
		case *content.Table:
			if is("table", b.ID) {
				made.Tables = append(made.Tables, *b)
				continue
			}
		case *content.Entries:
			if is("entries", b.ID) {
				made.Entries = append(made.Entries, *b)
				continue
			}
		case content.Statements:
			for _, s := range b {
				s.Ref, s.Evidence.Proof = p.fromElsewhere(s.Ref), p.fromElsewhere(s.Evidence.Proof)
				p.stated = append(p.stated, s)
			}
			continue
		case content.File:
			made.Assets[b.Name] = b.Data
			continue
		case content.Fold:
			b.Body = p.elsewhere(b.Body, made)
			if len(b.Body) > 0 {
				here = append(here, b)
			}
			continue
		}
		here = append(here, b)
	}
	return here
}

// fromElsewhere returns a reference to an item on the page in the form that other pages use: "sec:name" becomes
// "sec:page/name".
func (p *page) fromElsewhere(ref string) string {
	kind, target, _ := strings.Cut(ref, ":")
	if kind == "page" || target == "" || strings.Contains(target, "/") {
		return ref
	}
	return kind + ":" + p.made.Slug + "/" + target
}

// valueCall matches a call of .Value in a caption.
var valueCall = regexp.MustCompile(`\.Value "([^"]*)"`)

// placeOutputs puts the figures and tables of cells at their places in the text. If the cells have no results, it puts
// a remark there.
func (f *Folder) placeOutputs(p *page, made *site.Page) {
	titles := map[string]string{}
	for _, b := range made.Figures {
		titles["figure "+b.ID] = b.Title
	}
	for _, b := range made.Tables {
		titles["table "+b.ID] = b.Title
	}
	for _, b := range made.Entries {
		titles["entries "+b.ID] = b.Title
	}
	for i, o := range p.placed {
		title, there := titles[o.kind+" "+o.name]
		if !there {
			if p.results != nil {
				f.shown = append(f.shown, f.wrong(place{p.rel, o.line, o.column}, "no cell of the page shows the %s "+
					"%q: give a cell that name, as in go run {#%s}", o.kind, o.name, o.name))
			}
			made.Blocks[placeName(i+1)] = []content.Block{
				content.Output{Kind: content.Remark, Text: f.words.Say("not-run")},
			}
			for _, m := range valueCall.FindAllStringSubmatch(o.caption, -1) {
				delete(made.Values, m[1])
			}
			continue
		}
		call := fmt.Sprintf("{{ %s %q %s }}", o.kind, o.name, cmp.Or(o.caption, strconv.Quote(site.Escape(title))))
		made.Source = strings.Replace(made.Source, placeCall(i+1), call, 1)
	}
}

// awaited returns the names that the results of the page would define, if the page has no results yet.
func (p *page) awaited() []string {
	names := slices.Clone(p.made.Unavailable)
	if p.results != nil || p.ran != nil || !p.runs() {
		return names
	}
	for _, c := range p.cells {
		if c.name != "" {
			names = append(names, c.name)
		}
	}
	for _, o := range p.placed {
		names = append(names, o.name)
	}
	return append(names, "cell")
}

// numberKind matches the types of numbers. A value of another type is not a number, even if it looks like one.
var numberKind = regexp.MustCompile(`^(u?int(8|16|32|64|ptr)?|float(32|64)|\*big\.(Int|Rat))$`)

// markdownType is the name of the type of values with markup.
var markdownType = reflect.TypeFor[content.Markdown]().String()

// shownValue returns the value of an expression in the form in which the text shows it.
func shownValue(r program.Result, ran bool) any {
	switch {
	case !ran:
		return "…"
	case numberKind.MatchString(r.Type):
		return site.Number(r.Text)
	case r.Type == markdownType:
		return content.Markdown(r.Text)
	}
	return r.Text
}

// inFormula returns the value of an expression as TeX.
func (f *Folder) inFormula(at place, r program.Result, ran bool) content.Markdown {
	ends := func(c rune) bool { return c == '$' || c == '`' || unicode.IsControl(c) }
	switch bad := strings.IndexFunc(r.Text, ends); {
	case !ran:
		return `{\ldots}`
	case bad >= 0:
		c, _ := utf8.DecodeRuneInString(r.Text[bad:])
		f.shown = append(f.shown, f.wrong(at, "the value contains %q, which would end the formula: leave it out", c))
		return ""
	case numberKind.MatchString(r.Type):
		return "{" + site.Number(r.Text) + "}"
	}
	return content.Markdown("{" + r.Text + "}")
}

// checkOutputs reports outputs of cells that a page cannot show: scripts, and pictures without a description. In stored
// results these are notes rather than faults, because only a run can correct them.
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
		if p.results == nil && p.ran == nil {
			f.noteOnce(f.path(p.rel), cell+": "+message)
			return
		}
		f.shown = append(f.shown, &site.Error{File: f.path(p.rel), Cell: cell, Line: line, Column: 1, Msg: message})
	}
	for i, c := range cells {
		for _, o := range c.Outputs {
			html, _ := o.Data.Text("text/html")
			if _, ours := o.Data[content.MediaType]; !ours && strings.Contains(strings.ToLower(html), "<script") {
				report(i, "the output contains a script, which a page does not run: show a figure (show.Figure) or a "+
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
			report(i, "a picture has no alternative text: show it with a description, as show.Plot and show.Figure do")
		}
	}
}

// claimsSlug and bibliographySlug are the slugs of generated pages.
const (
	claimsSlug       = "claims"
	bibliographySlug = "bibliography"
)

// Book returns the folder as a book, with the results of Run.
func (f *Folder) Book() book.Book {
	f.shown, f.said = nil, nil
	b := book.Book{
		Title: f.config.Title, Lang: f.config.Language, Words: f.words, Author: f.config.Author, Theme: f.config.theme,
		Macros: f.config.Macros, HeaderLinks: f.header, Terms: f.linkedTerms(), Address: f.config.Address, Icon: f.icon,
		Kits: f.completeKits(f.kits), Logo: f.logo, Redirects: f.redirects,
	}
	for _, field := range [][2]string{{"author", f.config.Author}, {"licence", f.config.Licence}} {
		if field[1] != "" {
			b.Stamp = append(b.Stamp, site.Field{Name: f.words.Say(field[0]), Value: field[1]})
		}
	}
	b.Stamp = append(b.Stamp, f.stampParameters()...)
	var pages []site.Page
	for _, p := range f.pages {
		made := f.fill(p)
		if p.rel == indexFile {
			made.Slug, made.Unnumbered, made.Part = "index", true, ""
		}
		pages, b.Statements = append(pages, made), append(b.Statements, p.stated...)
	}
	if len(pages) == 0 || f.pages[0].rel != indexFile {
		b.Pages = append(b.Pages, book.Index(f.config.Title, f.config.Description))
	}
	if f.config.Claims {
		pages = append(pages, f.claims(pages, b.Statements))
	}
	if len(f.works.Keys()) > 0 {
		pages = append(pages, f.bibliography())
	}
	if f.live != nil && !slices.ContainsFunc(pages, func(p site.Page) bool { return p.Slug == notebookSlug }) {
		pages = append(pages, f.notebook())
	}
	for _, made := range pages {
		b.Pages = append(b.Pages, book.Page{Slug: made.Slug, File: made.File, Made: &made})
		if made.Slug == "index" {
			continue
		}
		b.Order = inOrder(b.Order, made)
	}
	b.Order = f.ordered(b.Order)
	for _, part := range b.Order {
		for i := range part.Sections {
			if len(part.Sections) > 1 && part.Sections[i].Title == "" { // pages outside sections
				part.Sections[i].Title = part.Title
			}
		}
	}
	b.Explorables = f.asked(pages)
	b.Digest = f.digest(pages, b.Statements)
	return b
}

// digest returns a function that returns a hash of a book with the given pages and statements. The hash takes time: a
// preview does not need it, and a report as a folder and as one file needs it only once.
func (f *Folder) digest(pages []site.Page, statements content.Statements) func() []byte {
	module, live := f.module, f.live
	return sync.OnceValue(func() []byte {
		hash := sha256.New()
		for _, picture := range []*site.Icon{f.icon, f.logo} {
			if picture != nil {
				fmt.Fprintf(hash, "%s %x", picture.Name, sha256.Sum256(picture.Data))
			}
		}
		fmt.Fprintf(hash, "%+v %x %x %+v", f.config, lesson.Digest(pages), sha256.Sum256(module.Bytes), statements)
		if live != nil {
			fmt.Fprintf(hash, "%x", sha256.Sum256(live.Bytes))
		}
		return hash.Sum(nil)
	})
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

// PagesModule is the name of the module that runs the controls of the folder's own pages.
const PagesModule = "pages"

// Engine returns the module of the folder's own pages, compressed, or nil if they have no controls.
func (f *Folder) Engine() []byte { return f.module.Bytes }

// asked returns the explorables for the given pages: the library's modules that they use, and the pages' own controls.
func (f *Folder) asked(pages []site.Page) explore.Set {
	kinds := map[string]bool{}
	for _, made := range pages {
		for _, e := range made.Exercises {
			kinds[e.Explore.Kind] = true
		}
		figures := append(slices.Clone(made.Figures), figuresIn(made.Body)...)
		for _, blocks := range made.Blocks {
			figures = append(figures, figuresIn(blocks)...)
		}
		for _, f := range figures {
			if f.Explore != nil {
				kinds[f.Explore.Kind] = true
			}
		}
	}
	set := f.explorables
	set.Live = f.live
	set.Modules = slices.DeleteFunc(slices.Clone(set.Modules), func(m explore.Module) bool {
		return !slices.ContainsFunc(m.Kinds(), func(kind string) bool { return kinds[kind] })
	})
	return WithControls(set, PagesModule, f.module)
}

// labelLine is the number of letters of a field's label that fit on one line.
const labelLine = 18

// roomFor returns a style sheet that reserves room below drawings until the module adds their controls: a row for each
// field, and the answer. A long label takes two lines. On a telephone, a field for a number takes two rows. On a wide
// screen, the module draws the picture a little smaller, so less room is needed.
func roomFor(all []pictures.Picture) string {
	var style strings.Builder
	for _, p := range all {
		wide, narrow := 5.4, 6.2 // rem
		for _, field := range p.Fields {
			if len(field.Options) > 0 {
				wide, narrow = wide+3.6, narrow+3.6
			} else {
				wide, narrow = wide+2.4, narrow+4.5
				if utf8.RuneCountInString(field.Label) > labelLine {
					wide, narrow = wide+0.75, narrow+0.75
				}
			}
		}
		rule := `.explorable[data-kind="` + p.Name + `"] + .drawn { contain: none; padding-block-end: %.1frem; }`
		fmt.Fprintf(&style, "@media screen and (scripting: enabled) { "+rule+" @media (max-width: 30rem) { "+rule+
			" } }\n", wide, narrow)
	}
	return style.String()
}

// figuresIn returns the figures among blocks, including figures in folds.
func figuresIn(blocks []content.Block) (figures []content.Figure) {
	for _, b := range blocks {
		switch b := b.(type) {
		case *content.Figure:
			figures = append(figures, *b)
		case content.Fold:
			figures = append(figures, figuresIn(b.Body)...)
		}
	}
	return figures
}

// claims returns a page that lists the claims of the book. The page also offers the statements as a file for programs.
func (f *Folder) claims(pages []site.Page, statements content.Statements) site.Page {
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
	made := site.Page{
		Slug: claimsSlug, Title: f.words.Say("claims"), Unnumbered: true, File: f.path(configFile),
		Blocks: map[string][]content.Block{},
	}
	made.Source = site.Escape(f.words.Say("claims-checked")) + "\n\n" + list.String()
	if len(statements) == 0 {
		return made
	}
	all := content.Entries{ID: "statements"}
	for _, s := range statements {
		entry := content.Entry{
			ID: "claim-" + s.ID, Title: s.ID, Where: s.Source(), Verdict: content.Text(string(s.Stands)),
			Lead:  content.Point{Name: f.words.Say("claims"), Text: s.Text},
			Parts: []content.Point{{Name: f.words.Say("evidence"), Text: s.Evidence.Text}},
		}
		if s.Ref != "" {
			entry.Parts[0].Text += content.Markdown(fmt.Sprintf(" {{ ref %q }}", s.Ref))
		}
		all.Entries = append(all.Entries, entry)
	}
	file, _ := json.MarshalIndent(statements, "", "  ") // cannot fail: the statements were decoded from JSON
	made.Downloads = map[string][]byte{claimsFile: append(file, '\n')}
	made.Entries = []content.Entries{all}
	made.Source += fmt.Sprintf("\n{{ entries \"statements\" %q }}\n\n[%s](%[2]s)\n", site.Escape(f.words.Say("claims")),
		claimsFile)
	return made
}

// claimsFile is the name of the file with the statements of a book.
const claimsFile = "claims.json"

// claimsOf returns the claims of a page in order, including folded ones.
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

// bibliography returns a page that lists the references.
func (f *Folder) bibliography() site.Page {
	var entries strings.Builder
	for _, work := range f.works.List() {
		fmt.Fprintf(&entries, "- {{ anchor %q }}%s\n", work.Anchor, escaped(work.Markdown))
	}
	return site.Page{
		Slug: bibliographySlug, Title: f.words.Say("bibliography"), Unnumbered: true,
		File: f.path(path.Clean(f.config.Bibliography)), Source: entries.String(),
	}
}
