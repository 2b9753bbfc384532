// Package folder turns a folder of Markdown pages with Go cells and notebooks into a book.
//
// [Read] reads the folder, [Folder.Run] runs the cells, and [Folder.Book] returns a value that package
// internal/report/book builds like any other book. The package collects faults. Even a folder with faults becomes a
// book, so that a build can find further faults.
//
// # The folder
//
// Pages are the files *.md, *.markdown and *.ipynb in the order of their names; numbers in names are compared by value.
// A folder inside the book's folder is a part, and the folders inside a part are its sections, at any depth. README.md,
// names that begin with a dot or an underscore, and the folders testdata, vendor and node_modules are left out; see
// [Folder.Summary]. [Folder.Notes] names other files that look like pages but are not. index.md is the front page; if
// there is none, one is generated. book.yaml contains the title, the author and the like; see config. The folders that
// it lists as languages are translations.
//
// # A page
//
// A page is written in the Markdown dialect of package site. It may begin with front matter. Its title is the title in
// the front matter, or else its heading of level 1, or else the name of its file. In addition,
//
//   - a block ```go run is a cell. All cells of a page run in one process, from top to bottom.
//     The code is folded; "run show" leaves it open, "run hide" leaves it out, and "run answer" folds the outputs.
//     "run parameters" declares values that can be set from outside, like a notebook's cell with the tag parameters.
//     {#name} at the end of the line names its outputs for references: {{ ref "fig:name" }}, tbl:name, claim:name.
//   - `go: expression` is the value of the expression, which can use the declarations of earlier cells; in a formula,
//     \go{expression}.
//   - ![alternative text](file.png "Caption"){#name} on a line of its own is a figure. Without a caption and a name, or
//     within a line, it is an image.
//   - {{ var "name" }} is the text of a variable in book.yaml.
//   - {{ include "_part.md" }} is the text of another file; {{ include "main.go" }}{lines="3-9"} is its code.
//   - {{ only "paper" }} begins text that appears in one form of the book only, and {{ end }} ends it.
//   - {{ table "data.csv" "Caption" }}{#name} is a table of the values in a CSV file next to the page.
//   - {{ explore "curve-hunt" "n=40&x=24" "Caption" }} is an explorable, fig:curve-hunt; {{ explore
//     "curve-ask-most" "n=100" }} is an exercise that checks the reader's answers.
//   - [@key], [see @a, p. 3; -@b] and @key cite the bibliography of the book.
//
// A link can name the file of another page, or another file of the folder, which is then published with the page.
package folder

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/limitedread"
	"github.com/siegebook/siegebook/internal/plural"
	"github.com/siegebook/siegebook/internal/report/book"
	"github.com/siegebook/siegebook/internal/report/citations"
	"github.com/siegebook/siegebook/internal/report/lesson"
	"github.com/siegebook/siegebook/internal/report/program"
	"github.com/siegebook/siegebook/internal/report/sanitize"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/explore"
)

// These limits are far larger than any book that somebody would read.
const (
	mostFolders  = 10_000
	mostName     = 200 // bytes of an address; file systems allow 255 for a name with all endings
	mostText     = limitedread.MiB
	mostNotebook = 64 * limitedread.MiB
	mostFile     = 16 * limitedread.MiB // the size of a picture, or of a file that a page offers
)

// Folder is a folder that has been read. Files outside it are never read, even if its links or pages name them.
type Folder struct {
	// Name is the folder's path as the user wrote it.
	Name string

	explorables explore.Set       // the explorables that pages may use
	memo        *Memo             // nil if there is none
	around      [sha256.Size]byte // see setAround

	root   *os.Root
	files  fs.FS
	config config
	words  site.Words
	pages  []*page
	byRel  map[string]*page        // the pages by their paths
	module program.Module          // runs the controls of the pages
	live   *explore.Live           // lets readers run the cells of the pages; nil if they cannot
	works  *citations.Bibliography // never nil
	chosen map[string]string       // the parameters that SetParameters has set
	// unsettled is set if book.yaml or the bibliography cannot be read. Then it is unknown which keys can be cited.
	unsettled bool
	others    []string    // files that Read leaves out
	order     []book.Part // the order in book.yaml
	header    []string    // the slugs of the pages in the header
	variables map[string]string
	icon      *site.Icon
	kits      []site.Kit
	logo      *site.Icon
	dir       string // a translation's folder, relative to the book's folder
	// translations are the translations of the book.
	translations []*Folder
	redirects    []site.Redirect
	glossary     string      // the slug of the glossary page, "" for none
	terms        []site.Term // the words of the glossary
	folders      int         // number of folders that were read
	full         bool        // a limit was exceeded and the fault has been reported
	left         []string    // files left out because of their names
	notes        []string
	faults       site.Errors
	failed       site.Errors // the faults of Run, which are also in faults
	refused      []Refused   // in the order of the pages
	shown        site.Errors // faults in what the pages show, from the last Book
	said         []string    // notes about what the pages show
}

// page is a page that is being read or built.
type page struct {
	rel         string // its path in the folder, with slashes
	part, group string // the part and section that its folder implies
	made        site.Page

	notebook *jupyter.Notebook // the notebook, if the page is one
	pictures map[string]string // the names of the picture files that its text shows, by their names in the text
	cells    []cell            // the cells of a Markdown page
	values   []value
	placed   []placed
	linked   []linked
	included []included
	results  []program.Result // the results of its code; nil if it has not run
	stated   content.Statements
	ran      []jupyter.Cell // the cells after a run of its notebook; nil if it has not run
	movables movables       // the cells that may have controls
	whole    *site.Live     // the program of a notebook whose cells readers edit
	stays    string         // why readers cannot edit the cells of the page
	broken   bool           // a cell has failed
	outside  bool           // the text depends on other files of the folder or on book.yaml; see Memo
	left     bool           // the page is left out of the book because of faults
}

// stem returns the page's path without its ending.
func (p *page) stem() string { return lesson.Stem(p.rel) }

// slug returns the slug, made from the path.
func (p *page) slug() string { return site.Slug(strings.ReplaceAll(p.stem(), "/", "-")) }

const (
	indexFile  = "index.md"
	configFile = "book.yaml"
)

// Read reads a folder. It returns an error if the folder cannot be read. [Folder.Faults] returns the faults that Read
// finds in it. Read leaves out the files listed in others, which are paths with slashes.
func Read(name string, explorables explore.Set, others ...string) (*Folder, error) {
	return read(name, explorables, others, nil, nil, "")
}

// read reads a folder. If of is not nil, the folder is a translation of the book of.
func read(name string, explorables explore.Set, others []string, memo *Memo, of *Folder, dir string) (*Folder, error) {
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	f := &Folder{
		Name: name, explorables: explorables, root: root, files: root.FS(), others: others, byRel: map[string]*page{},
		dir: dir, memo: memo,
	}
	if of != nil {
		f.config = of.config.inherit(dir)
	}
	f.works = citations.New(nil, citations.Notes, "")
	f.unsettled = !f.succeeds(f.readConfig)
	f.findPages(".")
	f.setAround()
	for _, p := range f.pages {
		if !f.succeeds(func() { f.readPage(p) }) {
			p.made.Unavailable = []string{site.Anything}
		}
	}
	f.checkNames()
	f.configPages()
	f.configParameters()
	err = f.readTranslations()
	f.root, f.files = nil, nil
	return f, err
}

// Words returns the words that menus and labels use.
func (f *Folder) Words() site.Words { return f.words }

// Pages returns the number of pages in the folder and its translations.
func (f *Folder) Pages() int {
	n := 0
	for _, t := range f.Translations() {
		n += len(t.pages)
	}
	return n
}

// Runs reports whether some page of the folder has cells to run.
func (f *Folder) Runs() bool {
	return slices.ContainsFunc(f.pages, func(p *page) bool { return p.runs() })
}

// Sources returns the files of the folder under the names that faults use.
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
	if info, err := root.Stat(rel); err != nil || !info.Mode().IsRegular() { // opening a pipe would block
		return nil, errors.Join(err, fs.ErrInvalid)
	}
	return root.Open(rel)
}

// CellFaults returns the faults that Run has found.
func (f *Folder) CellFaults() (faults site.Errors) {
	for _, t := range f.Translations() {
		faults = append(faults, t.failed...)
	}
	return faults
}

// Faults returns all faults in the order of pages and lines, including more, which are faults that a build has found.
func (f *Folder) Faults(more ...*site.Error) site.Errors {
	var faults site.Errors
	order := map[string]int{f.path(configFile): -1}
	for _, t := range f.Translations() {
		faults = slices.Concat(faults, t.faults, t.shown)
		for _, p := range t.pages {
			order[t.path(p.rel)] = len(order)
		}
		for i, fault := range more {
			more[i] = t.placed(fault)
		}
	}
	faults = append(faults, more...)
	slices.SortStableFunc(faults, func(a, b *site.Error) int {
		return cmp.Or(cmp.Compare(order[a.File], order[b.File]), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column,
			b.Column))
	})
	return faults
}

// outputPlace is the text that package lesson adds to the name of a cell for its output.
const outputPlace = ", output"

// placed converts the position of a fault from a line of a Markdown page's cell to a line of the page. It returns other
// faults unchanged.
func (f *Folder) placed(fault *site.Error) *site.Error {
	for _, p := range f.pages {
		cell, output := strings.CutSuffix(fault.Cell, outputPlace)
		for i, c := range p.cells {
			if f.path(p.rel) != fault.File || cell != cellName(i+1) {
				continue
			}
			moved := &site.Error{File: fault.File, Line: c.line + max(fault.Line, 1) - 1, Column: 1, Msg: fault.Msg}
			if output {
				moved.Line = c.line
				moved.Msg = fmt.Sprintf("the cell's output, line %d: %s", fault.Line, fault.Msg)
			}
			return moved
		}
	}
	return fault
}

// LeaveOut leaves the pages with faults out of the book. A stub with a notice replaces each of them, so links to it
// still work. It returns false if some fault is neither in a page nor in Go code that a page imports.
func (f *Folder) LeaveOut(faults site.Errors) bool {
	for _, fault := range faults {
		known := path.Ext(fault.File) == ".go"
		for _, t := range f.Translations() {
			known = t.leaveOut(fault.File) || known
		}
		if !known {
			return false
		}
	}
	for _, t := range f.Translations() {
		for _, p := range t.pages {
			p.left = p.left || p.broken
		}
		t.faults, t.failed = nil, nil
	}
	return true
}

// leaveOut leaves out the pages made from a file or including it, and reports whether there are any.
func (f *Folder) leaveOut(file string) (found bool) {
	for _, p := range f.pages {
		if f.path(p.rel) == file || slices.ContainsFunc(p.included, func(inc included) bool {
			return f.path(inc.rel) == file
		}) {
			p.left, found = true, true
		}
	}
	return found
}

// Keeps reports whether the author wants to keep results that may differ from build to build.
func (f *Folder) Keeps() bool { return f.config.Keep }

// Module returns the folder if it has a go.mod of its own, and "" otherwise.
func (f *Folder) Module() string {
	if info, err := os.Stat(filepath.Join(f.Name, "go.mod")); err == nil && info.Mode().IsRegular() {
		return f.Name
	}
	return ""
}

// path returns the name of a file of the folder for messages.
func (f *Folder) path(rel string) string { return filepath.Join(f.Name, filepath.FromSlash(rel)) }

// fault records a fault at a place of a file.
func (f *Folder) fault(rel string, line, column int, format string, args ...any) {
	f.faults = append(f.faults, f.wrong(place{rel, line, column}, format, args...))
}

// note records a note: something that is not a fault, but that the author may not have intended.
func (f *Folder) note(rel, message string) { f.notes = append(f.notes, f.path(rel)+": note: "+message) }

// noteOnce records a note about the content of a page. It ignores a repeated note, since a page may be filled several
// times.
func (f *Folder) noteOnce(at, message string) {
	if note := at + ": note: " + message; !slices.Contains(f.said, note) {
		f.said = append(f.said, note)
	}
}

// Notes returns the notes, one line each.
func (f *Folder) Notes() (notes []string) {
	for _, t := range f.Translations() {
		notes = slices.Concat(notes, t.notes, t.said)
	}
	return notes
}

// place is a place in a file of the folder.
type place struct {
	rel          string
	line, column int
}

// faulty is the value that require panics with. [Folder.succeeds] recovers it.
type faulty struct{ faults site.Errors }

// require panics with a fault at a place unless a condition holds.
func (f *Folder) require(holds bool, at place, format string, args ...any) {
	if !holds {
		panic(faulty{site.Errors{f.wrong(at, format, args...)}})
	}
}

// wrong returns a fault at a place, in one line.
func (f *Folder) wrong(at place, format string, args ...any) *site.Error {
	message := strings.Join(strings.Fields(fmt.Sprintf(format, args...)), " ")
	return &site.Error{File: f.path(at.rel), Line: at.line, Column: at.column, Msg: message}
}

// succeeds calls a function that panics at its first fault, as require does, and records the fault. It reports whether
// there was no fault.
func (f *Folder) succeeds(read func()) (good bool) {
	defer func() {
		switch end := recover().(type) {
		case nil:
		case faulty:
			f.faults = append(f.faults, end.faults...)
			good = false
		default:
			panic(end)
		}
	}()
	read()
	return true
}

// findPages records the pages in a folder and its subfolders, in the order of their names.
func (f *Folder) findPages(dir string) {
	if f.folders++; f.folders > mostFolders {
		f.fault(dir, 1, 1, "there are more than %d folders: name the folder that contains the pages", mostFolders)
		f.full = true
		return
	}
	entries, err := fs.ReadDir(f.files, dir)
	if err != nil {
		f.fault(dir, 1, 1, "the folder cannot be read: %v", err)
		return
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return lesson.ByName(a.Name(), b.Name()) })
	for _, entry := range entries {
		if f.full {
			return
		}
		rel := path.Join(dir, entry.Name())
		linked := entry.Type()&fs.ModeSymlink != 0
		switch isPage := pageEndings[strings.ToLower(path.Ext(rel))]; {
		case linked && f.leadsToFolder(rel):
			// A link to a folder inside the book's folder is fine if that folder has no pages: it may contain pictures.
			if _, outside := fs.Stat(f.files, rel); !unread(entry.Name()) && (outside != nil || f.holdsPages(rel)) {
				f.note(rel, "this is a link to a folder, and a book does not follow such links: put the folder "+
					"itself there "+
					"to include its pages")
			}
		case entry.IsDir() && unread(entry.Name()):
			if f.holdsPages(rel) {
				f.left = append(f.left, rel)
			}
		case entry.IsDir() && slices.Contains(f.config.Languages, rel):
		case entry.IsDir() && !f.built(rel):
			f.findPages(rel)
		case entry.IsDir(), slices.Contains(f.others, rel):
		case isPage && (unread(entry.Name()) || strings.EqualFold(lesson.Stem(entry.Name()), "readme")):
			f.left = append(f.left, rel)
		case isPage && !f.exported(rel):
			f.addPage(rel)
		case likePages[strings.ToLower(path.Ext(rel))] && !unread(entry.Name()):
			f.note(rel, "not in the book, because pages are .md, .markdown or .ipynb files: rename the file if it is "+
				"a page")
		}
	}
}

// pageEndings contains the file endings of pages. likePages contains file endings that other programs use for pages.
var (
	pageEndings = map[string]bool{".md": true, ".markdown": true, ".ipynb": true}
	likePages   = map[string]bool{
		".rmd": true, ".qmd": true, ".mdx": true, ".mdown": true, ".mkd": true, ".rst": true, ".adoc": true,
	}
)

// unread reports whether files and folders with this name are ignored when looking for pages.
func unread(name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") ||
		slices.Contains([]string{"testdata", "vendor", "node_modules"}, name)
}

// leadsToFolder reports whether a symbolic link leads to a folder, inside or outside the book's folder.
func (f *Folder) leadsToFolder(rel string) bool {
	info, err := os.Stat(f.path(rel))
	return err == nil && info.IsDir()
}

// holdsPages reports whether a folder contains files that could be pages. The copies that Jupyter stores do not count.
func (f *Folder) holdsPages(dir string) bool {
	entries, err := fs.ReadDir(f.files, dir)
	isPage := func(e fs.DirEntry) bool { return pageEndings[strings.ToLower(path.Ext(e.Name()))] }
	return err == nil && path.Base(dir) != ".ipynb_checkpoints" && slices.ContainsFunc(entries, isPage)
}

// built reports whether a folder is a built report, which contains notebooks of its pages.
func (f *Folder) built(dir string) bool {
	page, err1 := fs.Stat(f.files, path.Join(dir, "index.html"))
	sums, err2 := fs.Stat(f.files, path.Join(dir, "SHA256SUMS"))
	return err1 == nil && err2 == nil && page.Mode().IsRegular() && sums.Mode().IsRegular()
}

// addPage records a page. The outermost folder in its path is a part of the book, and the other folders are a section.
func (f *Folder) addPage(rel string) {
	p := &page{rel: rel}
	f.byRel[rel] = p
	if dir := path.Dir(rel); dir != "." {
		var titles []string
		for name := range strings.SplitSeq(dir, "/") {
			titles = append(titles, lesson.TitleOf(name))
		}
		p.part, p.group = titles[0], strings.Join(titles[1:], " / ")
	}
	if rel == indexFile {
		f.pages = slices.Insert(f.pages, 0, p)
	} else {
		f.pages = append(f.pages, p)
	}
}

// exported reports whether a notebook was exported for Jupyter from a page in the same folder.
func (f *Folder) exported(rel string) bool {
	stem, is := strings.CutSuffix(rel, ".ipynb")
	if _, err := fs.Stat(f.files, stem+".md"); !is || err != nil {
		return false
	}
	data, err := limitedread.ReadFS(f.files, rel, mostNotebook)
	return err == nil && IsExport(data)
}

// noFile is the format of the message about a file that is not in the folder.
const noFile = "there is no file %q in the folder: add it, or correct its name"

// read returns the contents of a file of the folder. If the file cannot be read, it panics with a fault at the place
// that names the file.
func (f *Folder) read(rel string, most int64, at place) []byte {
	data, err := limitedread.ReadFS(f.files, rel, most)
	var large *limitedread.TooLarge
	f.require(!errors.As(err, &large), at, "%s is larger than %d MiB: make it smaller, or remove it", rel,
		most/limitedread.MiB)
	f.require(!errors.Is(err, fs.ErrNotExist), at, noFile, rel)
	inside := err == nil || !strings.Contains(err.Error(), "escapes") && fs.ValidPath(rel)
	f.require(inside, at, "%q is outside the folder: copy the file into the folder", rel)
	f.require(err == nil, at, "%q cannot be read: %v: put a regular file there", rel, err)
	return data
}

// byteOrderMark is the mark that some editors write at the start of a file.
var byteOrderMark = []byte("\uFEFF")

// readText returns the text of a page or of book.yaml, without a byte order mark.
func (f *Folder) readText(rel string, most int64) []byte {
	data := bytes.TrimPrefix(f.read(rel, most, place{rel, 1, 1}), byteOrderMark)
	line, column := notText(data)
	f.require(line == 0, place{rel, line, column}, "this is not UTF-8 text: save the file as UTF-8")
	return data
}

// readPage reads a page. If it cannot show any part of the page, it panics with a fault.
func (f *Folder) readPage(p *page) {
	slug := p.slug()
	p.made = site.Page{Slug: slug, File: f.path(p.rel), Title: lesson.TitleOf(p.rel), Part: p.part}
	switch {
	case !content.ValidID(slug):
		f.fault(p.rel, 1, 1, "the file name %q has no letters or digits to make an address from: rename the "+
			"file", p.rel)
		p.made.Slug = "page"
	case len(slug) > mostName:
		f.fault(p.rel, 1, 1, "the names of the file and its folders make an address of %d bytes, but at most %d are "+
			"allowed: shorten the names", len(slug), mostName)
		p.made.Slug = "page"
	}
	if strings.EqualFold(path.Ext(p.rel), ".ipynb") {
		p.notebook = f.readNotebook(p.rel)
		f.readBeside(p)
	} else {
		f.makePage(p, string(f.readText(p.rel, mostText)))
	}
}

// notText returns the line and column of the first byte that is not valid UTF-8, or line 0 if there is none.
func notText(data []byte) (line, column int) {
	if utf8.Valid(data) && bytes.IndexByte(data, 0) < 0 {
		return 0, 0
	}
	at := bytes.IndexByte(bytes.ToValidUTF8(data, []byte{0}), 0)
	if at < 0 {
		return 0, 0
	}
	before := data[:at]
	return bytes.Count(before, []byte("\n")) + 1, at - bytes.LastIndexByte(before, '\n')
}

func (f *Folder) readNotebook(rel string) *jupyter.Notebook {
	at := place{rel, 1, 1}
	n, err := jupyter.Parse(bytes.TrimPrefix(f.read(rel, mostNotebook, at), byteOrderMark))
	if err != nil {
		message := err.Error()
		if _, err := fmt.Sscanf(message, "line %d, column %d:", &at.line, &at.column); err == nil {
			_, message, _ = strings.Cut(message, ": ")
		}
		f.require(false, at, "%s", message)
	}
	own := lesson.RunsInOurs(n.Kernel())
	inGo := own && (n.Language() == "go" || n.Language() == "")
	f.require(inGo || n.Language() != "go", at, "the notebook is for the kernel %q, but a book only runs notebooks "+
		"for the kernel %q: choose that kernel in Jupyter, and correct the cells that it rejects", n.Kernel(),
		jupyter.ProjectKernel)
	f.require(inGo, at, "the notebook is for the kernel %q (%s), but a book only runs Go notebooks, for the kernel %q",
		n.Kernel(), cmp.Or(n.Language(), "no language"), jupyter.ProjectKernel)
	why := tooMuch(n)
	f.require(why == "", at, "the notebook has more than %s: split it", why)
	if n.Kernel() != "" && n.Kernel() != jupyter.ProjectKernel {
		f.note(rel, fmt.Sprintf("the notebook is for the kernel %q, but the kernel %q runs it",
			n.Kernel(), jupyter.ProjectKernel))
	}
	return n
}

// picked matches an image in a notebook's text, or a link to a file.
var picked = regexp.MustCompile(`(!?)\[[^\[\]]*\]\(<?([^<>()#: \t\n]+)|(<img)\s[^<>]*?src=["']([^"'<>:]+)`)

// readBeside reads the files that the text of a notebook shows or links to. The build reports missing files.
func (f *Folder) readBeside(p *page) {
	r := &reader{f: f, p: p, rel: p.rel}
	p.made.Assets, p.pictures = map[string][]byte{}, map[string]string{}
	for _, c := range p.notebook.Cells() {
		if c.Kind != jupyter.Markdown {
			continue
		}
		for _, m := range picked.FindAllStringSubmatch(c.Source, -1) {
			shown := m[1]+m[3] != ""
			name := r.named(m[2] + m[4])
			ext := strings.ToLower(path.Ext(name))
			if p.pictures[name] != "" || p.made.Assets[name] != nil ||
				media[ext] == "" && !slices.Contains(offered, ext) {
				continue
			}
			data, err := limitedread.ReadFS(f.files, path.Join(path.Dir(p.rel), name), mostFile)
			if err == nil && media[ext] != "" {
				var picture *sanitize.Picture
				if picture, err = sanitize.NewPicture(media[ext], data); err == nil {
					ext, data = "."+picture.Kind, picture.Data
				}
			}
			switch {
			case err != nil:
			case shown:
				p.pictures[name] = r.asset(name, ext, data)
			case site.ValidAsset(name):
				p.made.Assets[name] = data
			}
		}
	}
}

// tooMuch returns a message that names the limit that a notebook exceeds, or "" if it exceeds none.
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

// checkNames reports pages that would have the same address, and pages with the name of one of the site's own files.
func (f *Folder) checkNames() {
	seen := map[string]string{}
	for i, p := range f.pages {
		slug := p.made.Slug
		switch other, twice := seen[slug]; {
		case twice:
			f.fault(p.rel, 1, 1, "this page and %s would both become %s.html: rename one", other, slug)
			p.made.Slug = fmt.Sprintf("%s-%d", slug, i+1)
		case slug == "search", slug == claimsSlug && f.config.Claims,
			slug == bibliographySlug && f.config.Bibliography != "":
			f.fault(p.rel, 1, 1, "the name %q is reserved for a page that the book adds: rename the file", slug)
			p.made.Slug = fmt.Sprintf("%s-%d", slug, i+1)
		case slug == "index" && p.rel != indexFile:
			f.fault(p.rel, 1, 1, "this name is reserved for the front page, %s: rename the file", indexFile)
			p.made.Slug = fmt.Sprintf("%s-%d", slug, i+1)
		}
		seen[p.made.Slug] = p.rel
	}
	for _, other := range f.others { // pages outside the folder may be made from these files
		seen[(&page{rel: other}).slug()] = other
	}
	for _, p := range f.pages {
		for i, need := range p.made.Needs {
			slug := f.slugOf(path.Join(path.Dir(p.rel), need))
			if _, ok := seen[slug]; !ok {
				slug = strings.TrimSuffix(need, path.Ext(need))
			}
			if _, ok := seen[slug]; !ok {
				f.fault(p.rel, 1, 1, "needs: there is no page %q: name a file in the folder, such as %s", need,
					f.pages[0].rel)
				slug = p.made.Slug
			}
			p.made.Needs[i] = slug
		}
		p.made.Needs = slices.DeleteFunc(p.made.Needs, func(slug string) bool { return slug == p.made.Slug })
	}
}

// slugOf returns the slug of the page made from a file, whose ending may be omitted, or "" if there is none.
func (f *Folder) slugOf(rel string) string {
	for _, name := range []string{rel, rel + ".md", rel + ".ipynb"} {
		if p := f.byRel[name]; p != nil {
			return cmp.Or(p.made.Slug, p.slug())
		}
	}
	return ""
}

// Summary describes in one line what the book contains, and which files were left out because of their names.
func (f *Folder) Summary(ran int) string {
	cells := 0
	for _, t := range f.Translations() {
		for _, p := range t.pages {
			if p.runs() {
				cells++
			}
		}
	}
	said := ""
	if cells > 0 {
		said = fmt.Sprintf("; ran the cells of %d of %s", ran, plural.Count(cells, "page"))
	}
	if left := f.LeftOut(); left != "" {
		said += "; " + left
	}
	return said
}

// LeftOut lists files that could be pages but were left out because of their names. It returns "" if there are none.
func (f *Folder) LeftOut() string {
	if len(f.left) == 0 {
		return ""
	}
	shown := f.left[:min(len(f.left), mostLeft)]
	said := "not in the book: " + strings.Join(shown, ", ")
	if more := len(f.left) - len(shown); more > 0 {
		said += fmt.Sprintf(" and %d more", more)
	}
	return said
}

// mostLeft is the maximum number of left-out files that LeftOut lists.
const mostLeft = 5
