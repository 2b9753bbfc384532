// Package folder makes a book of a folder: Markdown pages with Go cells, and notebooks.
//
// [Read] reads the folder, [Folder.Run] runs the cells, and [Folder.Book] gives a value that package report builds as
// it builds any book. Faults are collected: a folder with faults still gives a book, so that a build finds the others.
//
// # The folder
//
// Pages are the files *.md and *.ipynb in the order of their names, those of a folder in it as a part. README.md and
// names that begin with a dot or an underscore are no pages. index.md is the front page; where there is none, one is
// made. book.yaml has title, author, and the like: see config.
//
// # A page
//
// A page is in the dialect of package site. It may begin with front matter; its title is that of the front matter, else
// its heading of level 1, else the name of its file. Besides,
//
//   - a block ```go run is a cell. All cells of a page run in one kernel, from top to bottom, as those of a notebook.
//     The code is folded; "run show" leaves it open, "run hide" leaves it out, "run answer" folds what it puts out.
//     {#name} at the end of the line names its outputs for references: {{ ref "fig:name" }}, tbl:name, claim:name.
//   - `go: expression` is the value of the expression, which knows the declarations of the cells before.
//   - ![alternative text](file.png "Caption"){#name} on a line of its own is a figure; without caption and name, and
//     within a line, it is an image.
//   - {{ explore "castle-hunt" "n=40&x=24" "Caption" }} is an explorable, fig:castle-hunt; {{ explore
//     "castle-ask-most" "n=100" }} is an exercise whose answers are judged.
//   - [@key] cites the bibliography of the book, in a note.
//
// Links lead to pages by the names of their files, and to files of the folder, which are published with the page.
package folder

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/limitedread"
	"github.com/siegebook/siegebook/internal/plural"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/lesson"
	"github.com/siegebook/siegebook/report/site"
)

// Bounds of a book, far beyond what a reader reads.
const (
	mostPages    = 500
	mostName     = 100 // letters of an address; file systems have 255 for a name with all endings
	mostText     = limitedread.MiB
	mostNotebook = 64 * limitedread.MiB
	mostFile     = 16 * limitedread.MiB // of a picture or a file that a page offers
)

// Folder is a folder that was read. Nothing outside of it is read, whatever links and texts in it say.
type Folder struct {
	// Name is the folder as the user has named it.
	Name string

	root   *os.Root
	files  fs.FS
	config config
	words  site.Words
	pages  []*page
	cited  map[string]string // the entries of the bibliography, by their keys
	faults site.Errors
	failed site.Errors // those of Run, which are among faults too
}

// page is a page on its way.
type page struct {
	rel  string // its path in the folder, with slashes
	part string
	made site.Page

	notebook *jupyter.Notebook // of a page that is one
	cells    []cell            // of a page in Markdown
	values   []value
	results  []jupyter.Cell // of a run of its program, nil for none
}

// stem is the page's path without its ending.
func (p *page) stem() string { return strings.TrimSuffix(strings.TrimSuffix(p.rel, ".md"), ".ipynb") }

// slug is made of the path.
func (p *page) slug() string { return site.Slug(strings.ReplaceAll(p.stem(), "/", "-")) }

const (
	indexFile  = "index.md"
	configFile = "book.yaml"
)

// Read reads a folder. The error is that of a folder that cannot be read; what is wrong in it is among Faults.
func Read(name string) (*Folder, error) {
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	f := &Folder{Name: name, root: root, files: root.FS(), cited: map[string]string{}}
	f.succeeds(f.readConfig)
	f.findPages(".", "")
	for _, p := range f.pages {
		if !f.succeeds(func() { f.readPage(p) }) {
			p.made.Awaited = []string{site.Anything}
		}
	}
	f.checkNames()
	f.root, f.files = nil, nil
	return f, nil
}

// Words are what the frame of its pages says.
func (f *Folder) Words() site.Words { return f.words }

// Pages returns how many pages the folder has.
func (f *Folder) Pages() int { return len(f.pages) }

// Runs says whether there is anything to run.
func (f *Folder) Runs() bool {
	return slices.ContainsFunc(f.pages, func(p *page) bool { return p.program() != nil })
}

// Sources are the files of the folder, by the names that faults have.
func (f *Folder) Sources() fs.FS { return sources(f.Name) }

type sources string

// Open opens a regular file of the folder.
func (s sources) Open(name string) (fs.File, error) {
	rel, err := filepath.Rel(string(s), name)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(string(s))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if info, err := root.Stat(rel); err != nil || !info.Mode().IsRegular() { // to open a pipe would wait
		return nil, errors.Join(err, fs.ErrInvalid)
	}
	return root.Open(rel)
}

// CellFaults are those that Run has found.
func (f *Folder) CellFaults() site.Errors {
	return f.failed
}

// Faults are what is wrong, and what a build has found besides, in the order of pages and lines.
func (f *Folder) Faults(more ...*site.Error) site.Errors {
	f.faults = append(f.faults, more...)
	order := map[string]int{f.path(configFile): -1}
	for i, p := range f.pages {
		order[f.path(p.rel)] = i
	}
	slices.SortStableFunc(f.faults, func(a, b *site.Error) int {
		return cmp.Or(cmp.Compare(order[a.File], order[b.File]), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column,
			b.Column))
	})
	return f.faults
}

// Module returns the folder if it has a go.mod of its own, "" if not.
func (f *Folder) Module() string {
	if info, err := os.Stat(filepath.Join(f.Name, "go.mod")); err == nil && info.Mode().IsRegular() {
		return f.Name
	}
	return ""
}

// path is a file of the folder as messages name it.
func (f *Folder) path(rel string) string { return filepath.Join(f.Name, filepath.FromSlash(rel)) }

// fault takes note of what is wrong at a place of a file.
func (f *Folder) fault(rel string, line, column int, format string, args ...any) {
	f.faults = append(f.faults, f.wrong(place{rel, line, column}, format, args...))
}

// place is a place in a file of the folder.
type place struct {
	rel          string
	line, column int
}

// require ends by [content.Do], with a fault at a place, unless something holds.
func (f *Folder) require(holds bool, at place, format string, args ...any) {
	if !holds {
		content.Do(site.Errors{f.wrong(at, format, args...)})
	}
}

// wrong is a fault at a place, in one line.
func (f *Folder) wrong(at place, format string, args ...any) *site.Error {
	message := strings.Join(strings.Fields(fmt.Sprintf(format, args...)), " ")
	return &site.Error{File: f.path(at.rel), Line: at.line, Column: at.column, Msg: message}
}

// succeeds calls a function that ends by [content.Do] at its first fault, and takes note of that. It says whether there
// was none.
func (f *Folder) succeeds(read func()) bool {
	err := content.Fault(read)
	if faults := site.Errors(nil); errors.As(err, &faults) {
		f.faults = append(f.faults, faults...)
	}
	return err == nil
}

// findPages takes note of the pages in a folder, in the order of their names.
func (f *Folder) findPages(dir, part string) {
	entries, err := fs.ReadDir(f.files, dir)
	if err != nil {
		f.fault(dir, 1, 1, "the folder cannot be read: %v", err)
		return
	}
	for _, entry := range entries {
		name := entry.Name()
		rel := path.Join(dir, name)
		switch ext := path.Ext(name); {
		case strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_"):
		case entry.IsDir() && dir == "." && name != "testdata" && name != "vendor":
			f.findPages(rel, lesson.TitleOf(name))
		case ext != ".md" && ext != ".ipynb", strings.EqualFold(name, "readme.md"), f.exported(rel):
		case len(f.pages) == mostPages:
			f.fault(rel, 1, 1, "the folder has more than %d pages: take pages out", mostPages)
			return
		default:
			p := &page{rel: rel, part: part}
			if rel == indexFile {
				f.pages = slices.Insert(f.pages, 0, p)
			} else {
				f.pages = append(f.pages, p)
			}
		}
	}
}

// exported says whether a notebook is the copy of a page beside it, for Jupyter.
func (f *Folder) exported(rel string) bool {
	stem, is := strings.CutSuffix(rel, ".ipynb")
	if _, err := fs.Stat(f.files, stem+".md"); !is || err != nil {
		return false
	}
	data, err := limitedread.ReadFS(f.files, rel, mostNotebook)
	return err == nil && IsExport(data)
}

// read returns what is in a file of the folder. Otherwise it ends with a fault at the place that asks for it.
func (f *Folder) read(rel string, most int64, at place) []byte {
	data, err := limitedread.ReadFS(f.files, rel, most)
	var large *limitedread.TooLarge
	f.require(!errors.As(err, &large), at, "%s has more than %d MiB: make it smaller, or take it out", rel,
		most/limitedread.MiB)
	f.require(!errors.Is(err, fs.ErrNotExist), at, "there is no file %q in the folder: add it, or mend its name", rel)
	inside := err == nil || !strings.Contains(err.Error(), "escapes") && fs.ValidPath(rel)
	f.require(inside, at, "%q leads out of the folder: copy the file into it", rel)
	f.require(err == nil, at, "%q cannot be read: %v: put a regular file there", rel, err)
	return data
}

// readText returns the text of a page or of book.yaml.
func (f *Folder) readText(rel string, most int64) []byte {
	data := f.read(rel, most, place{rel, 1, 1})
	line, column := notText(data)
	f.require(line == 0, place{rel, line, column}, "this is not UTF-8: save the file as UTF-8 without a byte order "+
		"mark")
	return data
}

// readPage ends where nothing of a page can be shown.
func (f *Folder) readPage(p *page) {
	slug := p.slug()
	p.made = site.Page{Slug: slug, File: f.path(p.rel), Title: lesson.TitleOf(p.rel), Part: p.part}
	switch {
	case !content.ValidID(slug):
		f.fault(p.rel, 1, 1, "the name of the file %q has no letters or digits for an address: rename it", p.rel)
		p.made.Slug = "page"
	case len(slug) > mostName:
		f.fault(p.rel, 1, 1, "the name of the file has more than %d letters for an address: rename it", mostName)
		p.made.Slug = slug[:mostName]
	}
	if path.Ext(p.rel) == ".ipynb" {
		p.notebook = f.readNotebook(p.rel)
	} else {
		f.readMarkdown(p, string(f.readText(p.rel, mostText)))
	}
}

// notText returns the place of the first byte that is no UTF-8, or of a byte order mark; line 0 if there is none.
func notText(data []byte) (line, column int) {
	at := 0
	if !bytes.HasPrefix(data, []byte("\uFEFF")) {
		if at = bytes.IndexByte(bytes.ToValidUTF8(data, []byte{0}), 0); at < 0 {
			return 0, 0
		}
	}
	before := data[:at]
	return bytes.Count(before, []byte("\n")) + 1, at - bytes.LastIndexByte(before, '\n')
}

// goKernels are the names of kernels that run Go cells; "" stands for a notebook that names none.
var goKernels = []string{"", jupyter.ProjectKernel, "gonb"}

func (f *Folder) readNotebook(rel string) *jupyter.Notebook {
	at := place{rel, 1, 1}
	n, err := jupyter.Parse(f.read(rel, mostNotebook, at))
	if err != nil {
		message := err.Error()
		if _, err := fmt.Sscanf(message, "line %d, column %d:", &at.line, &at.column); err == nil {
			_, message, _ = strings.Cut(message, ": ")
		}
		f.require(false, at, "%s", message)
	}
	inGo := slices.Contains(goKernels, n.Kernel()) && (n.Language() == "go" || n.Language() == "")
	f.require(inGo, at, "the notebook is for the kernel %q (%s): a book runs notebooks in Go, for the kernel %q",
		n.Kernel(), cmp.Or(n.Language(), "no language"), jupyter.ProjectKernel)
	why := tooMuch(n)
	f.require(why == "", at, "the notebook has more than %s: divide it", why)
	return n
}

// tooMuch says which of the bounds of a page a notebook passes, "" for none.
func tooMuch(n *jupyter.Notebook) string {
	size, headings, dollars := 0, 0, 0
	for _, c := range n.Cells() {
		if c.Kind != jupyter.Markdown {
			continue
		}
		size, dollars = size+len(c.Source), dollars+strings.Count(c.Source, "$")
		for line := range strings.Lines(c.Source) {
			if heading.MatchString(strings.TrimRight(line, "\r\n")) {
				headings++
			}
		}
	}
	switch {
	case size > mostText:
		return fmt.Sprintf("%d MiB of text", mostText/limitedread.MiB)
	case dollars > 2*mostFormulas:
		return fmt.Sprintf("%d formulas", mostFormulas)
	case headings > mostHeadings:
		return fmt.Sprintf("%d headings", mostHeadings)
	case n.CodeCells() > mostCells:
		return fmt.Sprintf("%d cells of code", mostCells)
	}
	return ""
}

// checkNames reports pages that would have the same address, and names that are the site's own.
func (f *Folder) checkNames() {
	seen := map[string]string{}
	for i, p := range f.pages {
		slug := p.made.Slug
		switch other, twice := seen[slug]; {
		case twice:
			f.fault(p.rel, 1, 1, "the page has the name of another, %s: both would be %s.html, rename one", other, slug)
			p.made.Slug = fmt.Sprintf("%s-%d", slug, i+1)
		case slug == "search", slug == claimsSlug && f.config.Claims,
			slug == bibliographySlug && f.config.Bibliography != "":
			f.fault(p.rel, 1, 1, "the name %q is that of a page of the book's own: rename the file", slug)
			p.made.Slug = fmt.Sprintf("%s-%d", slug, i+1)
		case slug == "index" && p.rel != indexFile:
			f.fault(p.rel, 1, 1, "the name is that of the front page, which is %s: rename the file", indexFile)
			p.made.Slug = fmt.Sprintf("%s-%d", slug, i+1)
		}
		seen[p.made.Slug] = p.rel
	}
	for _, p := range f.pages {
		for i, need := range p.made.Needs {
			slug := f.slugOf(path.Join(path.Dir(p.rel), need))
			if _, ok := seen[slug]; !ok {
				slug = strings.TrimSuffix(need, path.Ext(need))
			}
			if _, ok := seen[slug]; !ok {
				f.fault(p.rel, 1, 1, "needs: there is no page %q: name a file of the folder, such as %s", need,
					f.pages[0].rel)
				slug = p.made.Slug
			}
			p.made.Needs[i] = slug
		}
		p.made.Needs = slices.DeleteFunc(p.made.Needs, func(slug string) bool { return slug == p.made.Slug })
	}
}

// slugOf returns the slug of the page of a file, "" if there is none.
func (f *Folder) slugOf(rel string) string {
	for _, p := range f.pages {
		if p.rel == rel || p.rel == rel+".md" || p.rel == rel+".ipynb" {
			return cmp.Or(p.made.Slug, p.slug())
		}
	}
	return ""
}

// Summary says what the book has, for a line about a build.
func (f *Folder) Summary(ran int) string {
	cells := 0
	for _, p := range f.pages {
		if p.program() != nil {
			cells++
		}
	}
	if cells == 0 {
		return ""
	}
	return fmt.Sprintf("; ran the cells of %d of %s", ran, plural.Count(cells, "page"))
}
