// Package imports makes pages of a book from notebooks, and from Markdown in the dialects of GitHub, Quarto, MyST,
// Pandoc and MkDocs.
//
// A book accepts only its own dialect of Markdown. An import translates other constructs into the dialect, and reports
// each change in a [Note]. A construct that the dialect cannot express stays on the page as text, so only its
// appearance is lost. At the end, the import reads the new book, and turns each paragraph that the book still refuses
// into plain text.
package imports

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/siegebook/siegebook/internal/limitedread"
	"github.com/siegebook/siegebook/internal/report/site"
)

// Note describes a change to a part of a file.
type Note struct {
	File string // its path in the source
	Line int    // from 1; for a notebook, the number of the cell
	Text string
}

// String returns the note as one line.
func (n Note) String() string { return fmt.Sprintf("%s:%d: %s", n.File, n.Line, n.Text) }

// Result is a folder that contains a book.
type Result struct {
	Files map[string][]byte // by path, with slashes
	Pages []string          // the paths of pages
	Notes []Note            // ordered by file and line
}

// These are the maximum sizes of input files, in bytes.
const (
	mostText = limitedread.MiB
	mostFile = 16 * limitedread.MiB
)

// endings lists the endings of files that can become pages.
var endings = []string{".md", ".markdown", ".qmd", ".rmd", ".mdx", ".myst", ".mkd", ".mdown", ".txt", ".ipynb"}

// IsPage reports whether a file can become a page.
func IsPage(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext != ".txt" && slices.Contains(endings, ext)
}

// Pages returns the files of a folder that become pages, sorted by name.
func Pages(source fs.FS) (names []string, err error) {
	err = fs.WalkDir(source, ".", func(name string, entry fs.DirEntry, err error) error {
		base := path.Base(name)
		unread := name != "." && (strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") ||
			slices.Contains([]string{"testdata", "vendor", "node_modules"}, base))
		switch {
		case err != nil:
			return err
		case unread && entry.IsDir():
			return fs.SkipDir
		case !unread && entry.Type().IsRegular() && IsPage(name):
			names = append(names, name)
		}
		return nil
	})
	return names, err
}

// document is a file that becomes a page.
type document struct {
	from, to string   // paths in the source and in the book
	lines    []line   // the lines of a text
	anchors  anchors  // the anchors of a text
	cells    []*piece // the cells of a notebook that stays a notebook
	notebook []byte   // the bytes of the notebook
	title    string   // the anchor of the first heading, if it is the title
	places   map[string]string
}

// line is a line of a text with its number in the file.
type line struct {
	text   string
	number int
}

// importer turns files into a book.
type importer struct {
	source fs.FS
	docs   []*document
	files  map[string][]byte
	made   map[string][]line // the pages in Markdown
	notes  []Note
	keys   map[string]bool // the keys in the bibliography
	bib    string          // the bibliography's file in the book
	labels map[string]place
	// variables are the variables in Quarto's file. {{< var name >}} shows a variable.
	variables map[string]yaml.Node
}

// place is the target of a label.
type place struct {
	kind, name string // kind and name in references, such as fig and map
	doc        *document
}

// Import makes pages from the given files of a folder. It returns an error if it cannot read a file.
func Import(source fs.FS, pages []string) (Result, error) {
	c := &importer{
		source: source, files: map[string][]byte{}, made: map[string][]line{}, keys: map[string]bool{},
		labels: map[string]place{},
	}
	if data, err := limitedread.ReadFS(source, "_variables.yml", mostText); err == nil &&
		yaml.Unmarshal(data, &c.variables) != nil {
		c.variables = nil
	}
	for _, from := range pages {
		if err := c.add(from); err != nil {
			return Result{}, err
		}
	}
	for _, d := range c.docs {
		if d.cells == nil {
			c.convert(d)
		}
	}
	for _, d := range c.docs {
		if d.cells != nil {
			c.convertNotebook(d)
		}
		if lines, ok := c.made[d.to]; ok {
			for i := range lines {
				lines[i].text = c.resolve(d, lines[i])
			}
		}
	}
	for _, d := range c.docs {
		c.keepNotes(d)
	}
	if err := c.configure(); err != nil {
		return Result{}, err
	}
	if err := c.settle(); err != nil {
		return Result{}, err
	}
	order := map[string]int{}
	r := Result{Files: c.files}
	for i, d := range c.docs {
		order[d.from] = i
		r.Pages = append(r.Pages, d.to)
		if lines, ok := c.made[d.to]; ok {
			c.files[d.to] = []byte(textOf(lines))
		}
	}
	slices.SortStableFunc(c.notes, func(a, b Note) int {
		return cmp.Or(cmp.Compare(order[a.File], order[b.File]), cmp.Compare(a.Line, b.Line))
	})
	r.Notes = slices.Compact(c.notes)
	return r, nil
}

var noteCall = regexp.MustCompile(`\[\^([^\[\]\s]+)\]`)

// keepNotes turns footnotes without a reference into paragraphs, because they would be lost otherwise.
func (c *importer) keepNotes(d *document) {
	called, fence := map[string]bool{}, ""
	lines := c.made[d.to]
	outside := func(do func(i int, text string)) {
		for i, l := range lines {
			text := strings.TrimSpace(strings.TrimLeft(l.text, "> "))
			switch mark := fenceMark(text); {
			case fence == "" && mark != "":
				fence = mark
			case fence != "" && strings.HasPrefix(text, fence) && strings.Trim(text, fence[:1]) == "":
				fence = ""
			case fence == "":
				do(i, l.text)
			}
		}
	}
	outside(func(_ int, text string) {
		text = noteDefinition.ReplaceAllString(text, "")
		for _, m := range noteCall.FindAllStringSubmatch(codeSpans.ReplaceAllString(text, ""), -1) {
			called[m[1]] = true
		}
	})
	var kept []line
	last := 0
	outside(func(i int, text string) {
		if m := noteDefinition.FindStringSubmatch(text); m != nil && !called[m[1]] {
			c.note(d, lines[i].number, "the footnote %s, which nothing refers to, becomes a paragraph", m[1])
			kept = append(kept, lines[last:i]...)
			kept = append(kept, line{"", lines[i].number}, line{
				escaped(m[1]) + ":" + strings.TrimPrefix(text, m[0]),
				lines[i].number,
			})
			last = i + 1
		}
	})
	if last > 0 {
		c.made[d.to] = tidy(append(kept, lines[last:]...))
	}
}

var codeSpans = regexp.MustCompile("`+[^`]*`+")

// textOf returns the text of lines, without empty lines at either end, and with at most one between blocks.
func textOf(lines []line) string {
	var out strings.Builder
	for _, l := range lines {
		out.WriteString(l.text)
		out.WriteByte('\n')
	}
	return strings.Trim(out.String(), "\n") + "\n"
}

// add reads a file.
func (c *importer) add(from string) error {
	most := int64(mostText)
	isNotebook := strings.EqualFold(path.Ext(from), ".ipynb")
	if isNotebook {
		most = 4 * mostFile
	}
	data, err := limitedread.ReadFS(c.source, from, most)
	if err != nil {
		return err
	}
	d := &document{from: from, places: map[string]string{}}
	d.to = c.nameOf(from, ".md")
	c.docs = append(c.docs, d)
	text := strings.ToValidUTF8(strings.TrimPrefix(string(data), "\uFEFF"), "\uFFFD")
	if isNotebook {
		if err := c.addNotebook(d, data); err != nil {
			return fmt.Errorf("%s: %w", from, err)
		}
	} else {
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
		d.lines = linesOf(text, 1)
	}
	d.anchors = anchorsOf(d.lines)
	return nil
}

func linesOf(text string, first int) (lines []line) {
	for i, l := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		lines = append(lines, line{strings.Map(plainRune, l), first + i})
	}
	return lines
}

// plainRune returns r if a page may contain it, and U+FFFD otherwise.
func plainRune(r rune) rune {
	if r >= '\uE000' && r <= '\uE004' || r < ' ' && r != '\t' {
		return '\uFFFD'
	}
	return r
}

// nameOf returns the path that the page made from a file gets in the book.
func (c *importer) nameOf(from, ext string) string {
	dir, base := path.Split(from)
	stem := strings.TrimSuffix(base, path.Ext(base))
	dirs := strings.Split(dir, "/")
	for i := range dirs {
		dirs[i] = strings.TrimLeft(dirs[i], "_.")
	}
	dir = strings.Join(dirs, "/")
	stem = cmp.Or(strings.TrimLeft(stem, "_."), "page")
	switch strings.ToLower(stem) {
	case "readme":
		stem = "overview"
		if dir == "" {
			stem = "index"
		}
	case "search", "bibliography", "claims":
		stem += "-page"
	}
	if strings.EqualFold(stem, "index") && dir == "" {
		stem, ext = "index", ".md"
	}
	if site.Slug(stem) == "" {
		stem = "page"
	}
	name := dir + stem
	for i := 2; slices.ContainsFunc(c.docs, func(d *document) bool {
		return strings.EqualFold(site.Slug(strings.ReplaceAll(strings.TrimSuffix(d.to, path.Ext(d.to)), "/", "-")),
			site.Slug(strings.ReplaceAll(name, "/", "-")))
	}); i++ {
		name = fmt.Sprintf("%s%s-%d", dir, stem, i)
	}
	return name + ext
}

func (c *importer) note(d *document, number int, format string, args ...any) {
	text := strings.Join(strings.Fields(fmt.Sprintf(format, args...)), " ")
	c.notes = append(c.notes, Note{d.from, number, text})
}

// doc returns the document that a link names, or nil if there is none.
func (c *importer) doc(file string) *document {
	try := []string{file}
	stem := strings.TrimSuffix(file, path.Ext(file))
	for _, ext := range endings {
		try = append(try, file+ext, path.Join(file, "index"+ext), path.Join(file, "README"+ext),
			path.Join(file, "_index"+ext))
		if slices.Contains([]string{".html", ".htm", ".md"}, path.Ext(file)) {
			try = append(try, stem+ext)
		}
	}
	for _, name := range try {
		for _, d := range c.docs {
			if d.from == name {
				return d
			}
		}
	}
	return nil
}

// copied copies a file of the source into the book, and reports whether the file exists.
func (c *importer) copied(name string) bool {
	if _, ok := c.files[name]; ok {
		return true
	}
	data, err := limitedread.ReadFS(c.source, name, mostFile)
	if err != nil {
		return false
	}
	c.files[name] = data
	return true
}

// configure writes book.yaml unless it would be empty.
func (c *importer) configure() error {
	var text []byte
	if c.bib != "" {
		text = []byte("bibliography: " + c.bib + "\n")
	}
	if len(c.variables) > 0 {
		variables, err := yaml.Marshal(map[string]any{"variables": c.variables})
		if err != nil {
			return err
		}
		text = append(text, variables...)
	}
	if text != nil {
		c.files["book.yaml"] = text
	}
	return nil
}

// hasVariable reports whether Quarto's file defines a variable, whose name may have several parts, such as mail.info.
func (c *importer) hasVariable(name string) bool {
	all := c.variables
	for {
		first, rest, deeper := strings.Cut(name, ".")
		node, ok := all[first]
		switch {
		case !ok:
			return false
		case !deeper:
			return node.Kind == yaml.ScalarNode && !strings.Contains(strings.TrimSpace(node.Value), "\n")
		}
		all = nil
		if node.Decode(&all) != nil {
			return false
		}
		name = rest
	}
}

// csvTable parses comma-separated values. It returns nil if they cannot be parsed.
func csvTable(text string, comma rune) [][]string {
	r := csv.NewReader(strings.NewReader(text))
	r.Comma, r.FieldsPerRecord, r.LazyQuotes, r.TrimLeadingSpace = comma, -1, true, true
	rows, err := r.ReadAll()
	if err != nil {
		return nil
	}
	return rows
}
