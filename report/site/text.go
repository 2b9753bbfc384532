package site

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// frontMatter is what stands between two lines "---" at the beginning of a page's file, in YAML.
type frontMatter struct {
	Title       string   `yaml:"title"`       // required
	Nav         string   `yaml:"nav"`         // see Page.Nav
	Description string   `yaml:"description"` // see Page.Description
	Unnumbered  bool     `yaml:"unnumbered"`  // see Page.Unnumbered
	Level       Level    `yaml:"level"`       // the level's name, such as "start here"
	Needs       []string `yaml:"needs"`       // see Page.Needs
	Part        string   `yaml:"part"`        // see Page.Part
}

// ReadText reads the file of a page: the front matter, which gives at least its title, and the Markdown below it. The
// error, if any, is an *Error.
func ReadText(slug, file, text string) (Page, error) { return readText(slug, file, text, true) }

// ReadLoose is ReadText for a file whose front matter and title may be missing.
func ReadLoose(slug, file, text string) (Page, error) {
	if !strings.HasPrefix(plainLines(text), "---\n") {
		return Page{Slug: slug, File: file, Source: text}, nil
	}
	return readText(slug, file, text, false)
}

func readText(slug, file, text string, titled bool) (Page, error) {
	page := Page{Slug: slug, File: file}
	fail := func(line int, format string, args ...any) (Page, error) {
		return page, &Error{File: page.file(), Line: line, Msg: fmt.Sprintf(format, args...)}
	}
	rest, begins := strings.CutPrefix(plainLines(text), "---\n")
	if !begins {
		return fail(
			1,
			`the file does not begin with a line "---", its title in a line such as "title: The game", and another "---": add `+
				`them`,
		)
	}
	matter, body, ends := strings.Cut("\n"+rest, "\n---\n")
	if !ends {
		return fail(1, `the lines about the page do not end: close them with a line "---"`)
	}
	var front frontMatter
	decoder := yaml.NewDecoder(
		bytes.NewBufferString(matter),
	) // with an empty line, so that it counts lines as the file does
	decoder.KnownFields(true)
	if err := decoder.Decode(&front); err != nil && !errors.Is(err, io.EOF) {
		return fail(yamlFault(err))
	}
	number := strings.Count(matter, "\n") + 2 // of the second "---"
	if titled && strings.TrimSpace(front.Title) == "" {
		return fail(number, `the page has no title: add a line such as "title: The game"`)
	}
	page.Title, page.Nav, page.Description = front.Title, front.Nav, front.Description
	page.Unnumbered, page.Level, page.Needs, page.Part = front.Unnumbered, front.Level, front.Needs, front.Part
	page.Source = strings.Repeat("\n", number) + body // empty lines keep the numbers of those that follow
	return page, nil
}

var yamlPlace = regexp.MustCompile(`(?s)^(?:yaml: )?(?:unmarshal errors:\s*)?line (\d+): (.*)$`)

// yamlFault returns the line of an error in front matter, and what to say.
func yamlFault(err error) (line int, format string, arg any) {
	text := err.Error()
	if m := yamlPlace.FindStringSubmatch(text); m != nil {
		line, _ = strconv.Atoi(m[1])
		text = m[2]
	}
	text = strings.ReplaceAll(text, " in type site.frontMatter", "")
	return max(
			line, 1,
		), "%s: the lines about the page are YAML with the fields title, nav, description, unnumbered, level, needs " +
			"and part", oneLine(text)
}

// UnmarshalText reads the name of a level.
func (l *Level) UnmarshalText(text []byte) error {
	i := slices.Index(levelNames[:], string(text))
	if i < 0 {
		return fmt.Errorf("there is no level %q, use one of %s", text, strings.Join(levelNames[1:], ", "))
	}
	*l = Level(i)
	return nil
}

// Show gives a page what another one shows: all that its text can name.
func (p *Page) Show(other Page) {
	p.Values, p.Lookups, p.Lists = other.Values, other.Lookups, other.Lists
	p.Figures, p.Tables, p.Entries, p.Exercises = other.Figures, other.Tables, other.Entries, other.Exercises
	p.Assets, p.Downloads = other.Assets, other.Downloads
}

// Level says what a page asks of its readers. The zero value says nothing.
type Level uint8

// The levels, from the easiest on.
const (
	Unlevelled    Level = iota
	StartHere           // nothing but the wish to know
	SchoolAlgebra       // letters for numbers, and a graph
	WithProofs          // patience with an argument that takes a page
	Reference           // nobody reads it from end to end
)

var levelNames = [...]string{
	Unlevelled: "", StartHere: "start here", SchoolAlgebra: "with school algebra", WithProofs: "with proofs",
	Reference: "reference",
}

// String is the level's plain name.
func (l Level) String() string { return levelNames[l] }
