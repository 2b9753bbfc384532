package folder

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/siegebook/siegebook/internal/report/book"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/content"
)

// orderPart is a part in the order of book.yaml. It contains pages, or sections with pages.
type orderPart struct {
	Title    string         `yaml:"title"`
	Pages    []pageName     `yaml:"pages"`
	Sections []orderSection `yaml:"sections"`
}

type orderSection struct {
	Title string     `yaml:"title"`
	Pages []pageName `yaml:"pages"`
}

// pageName names a file of the folder in book.yaml.
type pageName struct {
	file         string
	line, column int
}

// UnmarshalYAML reads a name and records its line and column.
func (p *pageName) UnmarshalYAML(node *yaml.Node) error {
	p.line, p.column = node.Line, node.Column
	return node.Decode(&p.file)
}

// configPages checks the pages that book.yaml names, and resolves the names.
func (f *Folder) configPages() {
	if f.unsettled {
		return
	}
	taken := map[string]bool{}
	slug := func(key string, name pageName) string {
		found := f.slugOf(path.Clean(name.file))
		switch {
		case found == "":
			f.fault(configFile, name.line, name.column, "%s: the folder has no page %q: name one of its "+
				"files%s", key, name.file, f.example())
		case found == "index" && key == "order":
			f.fault(configFile, name.line, name.column, "order: %s is the front page, which always comes first: "+
				"leave it out",
				name.file)
			return ""
		}
		return found
	}
	section := func(title string, names []pageName) book.Section {
		s := book.Section{Title: title}
		for _, name := range names {
			page := slug("order", name)
			switch {
			case taken[page]:
				f.fault(configFile, name.line, name.column, "order: the page %q is listed twice: leave one out",
					name.file)
			case page != "":
				taken[page] = true
				s.Pages = append(s.Pages, page)
			}
		}
		return s
	}
	for _, part := range f.config.Order {
		made := book.Part{Title: part.Title}
		for _, s := range append([]orderSection{{Pages: part.Pages}}, part.Sections...) {
			if read := section(s.Title, s.Pages); len(read.Pages) > 0 {
				made.Sections = append(made.Sections, read)
			}
		}
		if len(made.Sections) > 0 {
			f.order = append(f.order, made)
		}
	}
	f.readKits(slug)
	for _, name := range f.config.Header {
		if page := slug("header", name); page != "" {
			f.header = append(f.header, page)
		}
	}
	for _, from := range slices.Sorted(maps.Keys(f.config.Redirects)) {
		name := f.config.Redirects[from]
		file, anchor, _ := strings.Cut(name.file, "#")
		name.file = file
		to := slug("redirects", name)
		switch {
		case !fs.ValidPath(from) || path.Ext(from) != ".html" || strings.ContainsAny(from, `\:`):
			f.fault(configFile, name.line, name.column, "redirects: %q cannot be an earlier address of a page: write "+
				"one such as old.html or 2025/old.html", from)
		case to != "":
			f.redirects = append(f.redirects, site.Redirect{
				From: from, To: to, Anchor: anchor,
				At: content.Place{File: f.path(configFile), Line: name.line},
			})
		}
	}
	if name := f.config.Glossary; name.file != "" {
		f.glossary = slug("glossary", name)
	}
}

// readKits reads and checks the kits.
func (f *Folder) readKits(slug func(key string, name pageName) string) {
	taken := map[string]bool{}
	for _, k := range f.config.Kits {
		good := true
		fault := func(format string, args ...any) {
			good = false
			f.fault(configFile, k.File.line, k.File.column, format, args...)
		}
		name, is := strings.CutSuffix(k.File.file, ".html")
		switch {
		case !is || !content.ValidID(name):
			fault("kits: %q is not a valid file name: write one such as lesson-kit.html, in lower-case letters, "+
				"digits and single hyphens", k.File.file)
		case taken[name] || name == "search" || f.slugOf(name) != "":
			fault("kits: the file %q has the name of another page or kit: choose another name", k.File.file)
		case len(k.Pages) == 0:
			fault("kits: %s has no pages: add some%s", k.File.file, f.example())
		case k.Language != "" && !languageTag.MatchString(k.Language):
			fault("kits: %s: %q is not a language: write a tag such as en, de or pt-BR", k.File.file, k.Language)
		}
		taken[name] = true
		made := site.Kit{Name: name, Title: cmp.Or(k.Title, f.config.Title), Lang: k.Language}
		for _, page := range k.Pages {
			if found := slug("kits", page); found != "" {
				made.Pages = append(made.Pages, found)
			}
		}
		if good && len(made.Pages) == len(k.Pages) {
			f.kits = append(f.kits, made)
		}
	}
}

// completeKits returns the kits whose pages all exist. Some pages may be missing, because a build can continue without
// pages that have faults.
func (f *Folder) completeKits(kits []site.Kit) []site.Kit {
	return slices.DeleteFunc(slices.Clone(kits), func(k site.Kit) bool {
		return slices.ContainsFunc(k.Pages, func(slug string) bool {
			return !slices.ContainsFunc(f.pages, func(p *page) bool { return f.slugOf(p.rel) == slug })
		})
	})
}

// example returns a phrase that names a page of the folder, as an example in a message.
func (f *Folder) example() string {
	if len(f.pages) == 0 {
		return ""
	}
	return ", such as " + f.pages[len(f.pages)-1].rel
}

// ordered puts the pages that book.yaml orders first. The other pages follow in their parts.
func (f *Folder) ordered(rest []book.Part) []book.Part {
	if len(f.order) == 0 {
		return rest
	}
	var order []book.Part
	known := map[string]bool{}
	for _, part := range f.order {
		for _, s := range part.Sections {
			for _, page := range s.Pages {
				known[page] = true
			}
		}
		part.Sections = slices.Clone(part.Sections)
		order = append(order, part)
	}
	for _, part := range rest {
		for _, s := range part.Sections {
			s.Pages = slices.DeleteFunc(slices.Clone(s.Pages), func(page string) bool { return known[page] })
			if len(s.Pages) == 0 {
				continue
			}
			at := slices.IndexFunc(order, func(p book.Part) bool { return p.Title == part.Title })
			if at < 0 {
				at = len(order)
				order = append(order, book.Part{Title: part.Title})
			}
			same := func(o book.Section) bool { return o.Title == s.Title }
			if k := slices.IndexFunc(order[at].Sections, same); k >= 0 && !known[order[at].Sections[k].Pages[0]] {
				order[at].Sections[k].Pages = append(order[at].Sections[k].Pages, s.Pages...)
				continue
			}
			order[at].Sections = append(order[at].Sections, s)
		}
	}
	return order
}

// glossaryHeading matches a heading of the glossary: a word, optionally followed by commas and other spellings.
var glossaryHeading = regexp.MustCompile(`^## +([^,{]+?)((?:, *[^,{]+?)*) *(?:\{#([^}]*)\})?$`)

// word records the word in a heading of the glossary, and returns the heading without the other spellings.
func (r *reader) word(line string) string {
	if r.p.rel != path.Clean(r.f.config.Glossary.file) {
		return line
	}
	m := glossaryHeading.FindStringSubmatch(line)
	if m == nil {
		return line
	}
	term := site.Term{Words: []string{m[1]}, Anchor: cmp.Or(m[3], site.Slug(m[1]))}
	term.On = func(string) bool { return true }
	for _, spelling := range strings.Split(m[2], ",")[1:] {
		term.Words = append(term.Words, strings.TrimSpace(spelling))
	}
	r.f.terms = append(r.f.terms, term)
	return fmt.Sprintf("## %s {#%s}", m[1], term.Anchor)
}

// linkedTerms returns the words of the glossary. The first use of each of them on a page becomes a link.
func (f *Folder) linkedTerms() []site.Term {
	if f.glossary == "" {
		return nil
	}
	terms := slices.Clone(f.terms)
	for i := range terms {
		terms[i].Page, terms[i].Home = f.glossary, f.glossary
	}
	return terms
}

// macroName matches the name of a TeX macro.
var macroName = regexp.MustCompile(`^\\[A-Za-z]+$`)

// checkMacros reports names of macros that are not valid in TeX.
func (f *Folder) checkMacros(at func(key string) (line, column int)) {
	for name := range f.config.Macros {
		if !macroName.MatchString(name) {
			line, column := at("macros." + name)
			f.fault(configFile, line, column, "macros: the name %q does not consist of a backslash and letters: "+
				`write a name such as '\ceil'`, name)
		}
	}
}
