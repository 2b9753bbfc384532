package folder

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/siegebook/siegebook/internal/report/lesson"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/figure"
)

// config is book.yaml.
type config struct {
	Title        string  `yaml:"title"`        // the folder's name unless told otherwise
	Description  string  `yaml:"description"`  // a sentence for the front page that is made
	Author       string  `yaml:"author"`       // stands in the foot and in the head of every page
	Language     string  `yaml:"language"`     // of the texts, as a BCP 47 tag; en unless told otherwise
	Licence      string  `yaml:"licence"`      // stands in the foot of every page
	Bibliography string  `yaml:"bibliography"` // a file of CSL JSON
	Claims       bool    `yaml:"claims"`       // adds a page that lists the claims
	Keep         bool    `yaml:"keep"`         // keeps results of cells that reach the clock, the network and the like
	Colours      colours `yaml:"colours"`
	Fonts        fonts   `yaml:"fonts"`
	// Parameters are values of the names of cells that hold parameters, by name or by page/name.
	Parameters map[string]parameterValue `yaml:"parameters"`
	// Order puts pages into parts and sections; the others follow, by their folders.
	Order []orderPart `yaml:"order"`
	// Header names pages that the header of each page links to.
	Header []pageName `yaml:"header"`
	// Glossary names the page whose headings of level 2 are words that pages link to.
	Glossary pageName `yaml:"glossary"`
	// Macros are macros of TeX for all formulas.
	Macros map[string]string `yaml:"macros"`
	// Words replace some of those that the frame of the pages has in the language.
	Words map[string]string `yaml:"words"`

	theme string // CSS
}

// colours are those of the light scheme, and of the dark one; see site.Palette.
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

// fonts are lists of families that the reader's machine may have, the best first.
type fonts struct {
	Text  string `yaml:"text"`
	Menus string `yaml:"menus"`
	Code  string `yaml:"code"`
}

const mostConfig = 64 << 10

var languageTag = regexp.MustCompile(`^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$`)

// readConfig reads book.yaml, if there is one. It ends as require does where that cannot be read.
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
			"author, language, licence, bibliography, claims, keep, parameters, order, header, glossary, macros, "+
			"colours (ground, ground-soft, ink, ink-soft, link, and dark with the same), fonts (text, menus, code) "+
			"and words")
		var fields *yaml.TypeError // after which the others are there
		if !errors.As(err, &fields) {
			panic(faulty{faults})
		}
		f.faults = append(f.faults, faults...)
	}
	at := func(key string) (line, column int) { return lineOf(data, key) }
	if language := f.config.Language; language != "" && !languageTag.MatchString(language) {
		line, column := at("language")
		f.fault(configFile, line, column, "%q is no language: write a tag such as en, de or pt-BR", language)
	}
	f.checkMacros(at)
	css, problems := site.Theme(f.config.Colours.named(), f.config.Colours.Dark.named(), site.Fonts(f.config.Fonts),
		[2][]string{figure.Inks(false), figure.Inks(true)})
	f.config.theme = css
	words, wrong := site.NewWords(f.config.Language, f.config.Words)
	f.words = words
	for _, problem := range append(problems, wrong...) {
		line, column := at(problem.Name)
		f.fault(configFile, line, column, "%s", problem.Message)
	}
	if f.config.Bibliography != "" {
		line, column := at("bibliography")
		f.readBibliography(place{configFile, line, column})
	}
}

// lineOf returns the place of a key, or of a key and those that it is in: "dark.ink".
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

// reference is an entry of a bibliography, as far as a note shows it.
type reference struct {
	ID        string `json:"id"`
	Title     string `json:"title"`
	Author    []name `json:"author"`
	Container string `json:"container-title"`
	Publisher string `json:"publisher"`
	Volume    any    `json:"volume"`
	Page      string `json:"page"`
	URL       string `json:"URL"`
	DOI       string `json:"DOI"`
	Issued    struct {
		Parts [][]any `json:"date-parts"`
	} `json:"issued"`
}

type name struct {
	Family  string `json:"family"`
	Given   string `json:"given"`
	Literal string `json:"literal"`
}

// readBibliography reads a file of CSL JSON, which the programs that keep bibliographies write.
func (f *Folder) readBibliography(at place) {
	rel := f.config.Bibliography
	var list []reference
	data := bytes.TrimPrefix(f.read(rel, mostFile, at), byteOrderMark)
	why, offset := wrongJSON(json.Unmarshal(data, &list))
	before := data[:min(offset, len(data))]
	here := place{rel, bytes.Count(before, []byte("\n")) + 1, max(1, len(before)-bytes.LastIndexByte(before, '\n')-1)}
	f.require(why == "", here, "not a list of CSL JSON: %s: export it so, as Zotero and JabRef do", why)
	notes := map[string]string{}
	for i, r := range list {
		note := noteOf(r.ID)
		switch {
		case r.ID == "" || strings.ContainsAny(r.ID, "[]^ \t\n"):
			f.fault(rel, 1, 1, "entry %d has the id %q: write one without spaces and brackets", i+1, r.ID)
		case notes[note] != "":
			f.fault(rel, 1, 1, "two entries have ids that are alike, %q and %q: rename one", notes[note], r.ID)
		case strings.TrimSpace(r.Title) == "":
			f.fault(rel, 1, 1, "the entry %q has no title: add one", r.ID)
		default:
			f.cited[r.ID], notes[note] = r.markdown(), r.ID
		}
	}
}

// wrongJSON says what is wrong with JSON, and how many bytes before that are not; it names no type of the program.
func wrongJSON(err error) (why string, offset int) {
	var kind *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case err == nil:
	case errors.As(err, &kind) && kind.Field != "":
		return fmt.Sprintf("%q cannot be a value of the kind %s", kind.Field, kind.Value), int(kind.Offset)
	case errors.As(err, &kind):
		return fmt.Sprintf("a value of the kind %s cannot stand here", kind.Value), int(kind.Offset)
	case errors.As(err, &syntax):
		return syntax.Error(), int(syntax.Offset)
	default:
		return err.Error(), 0
	}
	return "", 0
}

// markdown is the entry in one line: authors, title, where it stands, year, address.
func (r reference) markdown() string {
	var authors []string
	for _, a := range r.Author {
		if words := strings.TrimSpace(a.Given + " " + a.Family + a.Literal); words != "" {
			authors = append(authors, site.Escape(words))
		}
	}
	parts := []string{"*" + site.Escape(r.Title) + "*"}
	if len(authors) > 0 {
		parts = append([]string{strings.Join(authors, ", ")}, parts...)
	}
	where := r.Container
	if r.Volume != nil {
		where += " " + fmt.Sprint(r.Volume)
	}
	year := ""
	if len(r.Issued.Parts) > 0 && len(r.Issued.Parts[0]) > 0 {
		year = fmt.Sprint(r.Issued.Parts[0][0])
	}
	page := strings.ReplaceAll(r.Page, "-", "–")
	for _, part := range []string{where, r.Publisher, page, year} {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, site.Escape(part))
		}
	}
	address := r.URL
	if r.DOI != "" {
		address = "https://doi.org/" + r.DOI
	}
	if strings.HasPrefix(address, "https://") && !strings.ContainsAny(address, "<> \t\n{}") {
		parts = append(parts, "<"+address+">")
	}
	return strings.Join(parts, ", ") + "."
}
