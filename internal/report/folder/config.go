package folder

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"io/fs"
	"maps"
	"net/url"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/siegebook/siegebook/internal/report/citations"
	"github.com/siegebook/siegebook/internal/report/lesson"
	"github.com/siegebook/siegebook/internal/report/sanitize"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/figure"
)

// config is the content of book.yaml.
type config struct {
	Title        string   `yaml:"title"`        // the folder's name by default
	Description  string   `yaml:"description"`  // a sentence for the generated front page
	Author       string   `yaml:"author"`       // shown in the footer and in the HTML head of every page
	Language     string   `yaml:"language"`     // the language of the texts, a BCP 47 tag; en by default
	Licence      string   `yaml:"licence"`      // shown in the footer of every page
	Languages    []string `yaml:"languages"`    // the folders of translations, see Folder.Volumes
	Address      string   `yaml:"address"`      // see site.Site
	Icon         string   `yaml:"icon"`         // a picture for browser tabs
	Logo         string   `yaml:"logo"`         // a picture in front of the book's title
	Bibliography string   `yaml:"bibliography"` // a BibTeX or CSL JSON file
	Citations    string   `yaml:"citations"`    // a style, see package citations
	Claims       bool     `yaml:"claims"`       // adds a page that lists the claims
	Keep         bool     `yaml:"keep"`         // caches even results that depend on the clock, the network or the like
	Colours      colours  `yaml:"colours"`
	Fonts        fonts    `yaml:"fonts"`
	// Parameters maps parameters of cells, named name or page/name, to their values.
	Parameters map[string]parameterValue `yaml:"parameters"`
	// Order puts pages into parts and sections. The other pages follow, grouped by folder.
	Order []orderPart `yaml:"order"`
	// Kits are files to hand out, see site.Kit.
	Kits []kit `yaml:"kits"`
	// Header names the pages to which the header of each page links.
	Header []pageName `yaml:"header"`
	// Redirects maps the earlier addresses of pages, with or without anchors, to their files.
	Redirects map[string]pageName `yaml:"redirects"`
	// Glossary names the page whose headings of level 2 are words to which pages link.
	Glossary pageName `yaml:"glossary"`
	// Macros are TeX macros for all formulas.
	Macros map[string]string `yaml:"macros"`
	// Variables are texts that a page shows with {{ var "name" }}.
	Variables map[string]yaml.Node `yaml:"variables"`
	// Words replaces some of the language's words in menus and labels.
	Words map[string]string `yaml:"words"`

	theme string // CSS
}

// kit is a kit in book.yaml.
type kit struct {
	File     pageName   `yaml:"file"`
	Title    string     `yaml:"title"`
	Language string     `yaml:"language"`
	Pages    []pageName `yaml:"pages"`
}

// colours holds the colours of the light and the dark colour scheme; see site.Palette.
type colours struct {
	palette `yaml:",inline"`
	Dark    palette `yaml:"dark"`
}

type palette struct {
	Ground     string `yaml:"ground"`
	GroundSoft string `yaml:"ground-soft"`
	Ink        string `yaml:"ink"`
	InkSoft    string `yaml:"ink-soft"`
	Link       string `yaml:"link"`
}

func (p palette) named() site.Palette {
	return site.Palette{
		"ground": p.Ground, "ground-soft": p.GroundSoft, "ink": p.Ink, "ink-soft": p.InkSoft, "link": p.Link,
	}
}

// fonts contains lists of font families, most preferred first. The reader's computer may lack some of them.
type fonts struct {
	Text  string `yaml:"text"`
	Menus string `yaml:"menus"`
	Code  string `yaml:"code"`
}

const mostConfig = 64 << 10

var languageTag = regexp.MustCompile(`^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$`)

// readConfig reads book.yaml, if there is one. If the file cannot be read, it panics like require.
func (f *Folder) readConfig() {
	full, err := filepath.Abs(f.Name)
	if err != nil {
		full = f.Name
	}
	f.config.Title = lesson.TitleOf(full)
	if _, err := fs.Stat(f.files, configFile); errors.Is(err, fs.ErrNotExist) {
		return
	}
	data := f.readText(configFile, mostConfig)
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	decoder.KnownFields(true)
	if err := decoder.Decode(&f.config); err != nil && !errors.Is(err, io.EOF) {
		faults := site.YAMLFaults(f.path(configFile), data, err, "the keys are title, description, "+
			"author, language, languages, licence, address, icon, logo, redirects, bibliography, citations, claims, "+
			"keep, parameters, order, kits (file, title, language, pages), header, glossary, macros, variables, "+
			"colours (ground, ground-soft, ink, ink-soft, link, and dark with the same), fonts (text, menus, "+
			"code) and words")
		var fields *yaml.TypeError // the other fields have been decoded
		if !errors.As(err, &fields) {
			panic(faulty{faults})
		}
		f.faults = append(f.faults, faults...)
	}
	at := func(key string) (line, column int) { return lineOf(data, key) }
	if language := f.config.Language; language != "" && !languageTag.MatchString(language) {
		line, column := at("language")
		f.fault(configFile, line, column, "%q is not a language: write a tag such as en, de or pt-BR", language)
	}
	f.checkLanguages(at)
	f.checkMacros(at)
	f.checkPublished(at)
	f.readVariables("", f.config.Variables)
	css, problems := site.Theme(f.config.Colours.named(), f.config.Colours.Dark.named(), site.Fonts(f.config.Fonts),
		[2][]string{figure.Inks(false), figure.Inks(true)})
	f.config.theme = css
	words, wrong := site.NewWords(f.config.Language, f.config.Words)
	f.words = words
	for _, problem := range append(problems, wrong...) {
		line, column := at(problem.Name)
		f.fault(configFile, line, column, "%s", problem.Message)
	}
	if style := citations.Style(f.config.Citations); style != "" && !slices.Contains(citations.Styles, style) {
		line, column := at("citations")
		f.fault(configFile, line, column, "%q is not a citation style: write notes, authors or numbers", style)
	}
	if f.config.Bibliography != "" {
		line, column := at("bibliography")
		f.readBibliography(place{configFile, line, column})
	}
}

// checkPublished reads the address and the pictures of the book.
func (f *Folder) checkPublished(at func(key string) (line, column int)) {
	if address := f.config.Address; address != "" {
		u, err := url.Parse(address)
		if line, column := at("address"); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" ||
			u.RawQuery != "" || u.Fragment != "" {
			f.fault(configFile, line, column, "%q is not the address of a folder: write one such as "+
				"https://example.org/book/",
				address)
			f.config.Address = ""
		} else {
			f.config.Address = strings.TrimSuffix(address, "/") + "/"
		}
	}
	f.icon, f.logo = f.readPicture("icon", f.config.Icon, at), f.readPicture("logo", f.config.Logo, at)
}

// readPicture reads the picture file that the given key of book.yaml names. It returns nil if the key is not set.
func (f *Folder) readPicture(key, file string, at func(key string) (line, column int)) (read *site.Icon) {
	if file == "" {
		return nil
	}
	f.succeeds(func() {
		line, column := at(key)
		here, ext := place{configFile, line, column}, strings.ToLower(path.Ext(file))
		f.require(ext == ".svg" || ext == ".png", here, "the %s %q must be an .svg or .png file", key, file)
		picture, err := sanitize.NewPicture(media[ext], f.read(file, mostFile, here))
		f.require(err == nil, here, "the %s %q: %v", key, file, err)
		read = &site.Icon{Name: key + ext, Data: picture.Data}
	})
	return read
}

// readVariables records variables. A nested variable is named outer.inner.
func (f *Folder) readVariables(before string, all map[string]yaml.Node) {
	if f.variables == nil {
		f.variables = map[string]string{}
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		node := all[name]
		var inner map[string]yaml.Node
		switch text := strings.TrimSpace(node.Value); {
		case node.Kind == yaml.MappingNode && node.Decode(&inner) == nil:
			f.readVariables(before+name+".", inner)
		case node.Kind != yaml.ScalarNode:
			f.fault(configFile, node.Line, node.Column, "the variable %q is a list: write a string", before+name)
		case strings.Contains(text, "\n"):
			f.fault(configFile, node.Line, node.Column, "the value of the variable %q has several lines: write it on "+
				"one line", before+name)
		default:
			f.variables[before+name] = text
		}
	}
}

// lineOf returns the line and column of a key, which may be a path such as "dark.ink".
func lineOf(data []byte, key string) (line, column int) {
	var document yaml.Node
	if yaml.Unmarshal(data, &document) != nil || len(document.Content) == 0 {
		return 1, 1
	}
	node := document.Content[0]
	line, column = 1, 1
	for name := range strings.SplitSeq(key, ".") {
		for i := 0; i+1 < len(node.Content); i += 2 {
			if node.Content[i].Value == name {
				line, column, node = node.Content[i].Line, node.Content[i].Column, node.Content[i+1]
				break
			}
		}
	}
	return line, column
}

// readBibliography reads the bibliography from a BibTeX or CSL JSON file.
func (f *Folder) readBibliography(at place) {
	rel := f.config.Bibliography
	data := bytes.TrimPrefix(f.read(rel, mostFile, at), byteOrderMark)
	entries, err := citations.Read(rel, data)
	if err != nil {
		here := place{rel: rel, line: 1, column: 1}
		var fault *citations.Fault
		if errors.As(err, &fault) {
			here.line, here.column = citations.Place(data, fault.Offset)
		}
		f.require(false, here, "%v", err)
	}
	var good []citations.Entry
	notes := map[string]string{}
	for i, e := range entries {
		note := site.Slug(e.ID)
		switch {
		case e.ID == "" || strings.ContainsAny(e.ID, "[]^ \t\n"):
			f.fault(rel, 1, 1, "entry %d has the id %q: write an id without spaces or brackets", i+1, e.ID)
		case notes[note] != "":
			f.fault(rel, 1, 1, "the ids %q and %q of two entries are too similar: rename one", notes[note], e.ID)
		case strings.TrimSpace(e.Title) == "":
			f.fault(rel, 1, 1, "the entry %q has no title: add one", e.ID)
		default:
			good, notes[note] = append(good, e), e.ID
		}
	}
	f.works = citations.New(good, citations.Style(cmp.Or(f.config.Citations, string(citations.Notes))),
		f.config.Language)
}
