package site

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/template"
	"text/template/parse"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"go.yaml.in/yaml/v3"

	"github.com/siegebook/siegebook/report/content"
)

// These private-use characters are marks for which Markdown has no syntax. A page's source must not contain them.
const (
	lineOpen, lineClose = "\uE000", "\uE001"   // around the number of a source line
	callOpen, callClose = "<\uE002", "\uE003>" // around the index of a call; '<' triggers the Markdown parser
	numberMark          = "\uE004"             // before a computed number, whose digits will be set in groups
	firstPrivate        = '\uE000'
	lastPrivate         = '\uE004'
)

// source is a page's text after its template calls have been executed: Markdown with placeholders for figures, tables
// and references. For each line of the text, source records the line in the page's file.
type source struct {
	page  *Page
	text  []byte
	marks []lineMark // the line marks in the order of their offsets
	calls []*call
	shown map[string]bool // the values that the template has used
	dead  []string        // the values that it has not used
}

// call is a call of a built-in function that leaves a placeholder.
type call struct {
	kind callKind
	id   string // the id of the figure, table or list; the target of a reference
	text string // the caption, or the text of a reference or picture
	seen bool   // the Markdown parser has seen the call, so it is not in code or math
}

type callKind uint8

const (
	callFigure callKind = iota
	callTable
	callEntries
	callExercise
	callRef
	callPicture
	callBlocks
	callAnchor
	callOnly // begins text for one form; with an empty id, ends it
)

func (k callKind) String() string {
	return [...]string{"figure", "table", "entries", "exercise", "ref", "picture", "blocks", "anchor", "only"}[k]
}

// inline reports whether calls of this kind are placed within a line.
func (k callKind) inline() bool { return k == callRef || k == callPicture || k == callAnchor }

// prefix returns the prefix of the anchors of the blocks that a call places, and of targets that are figures or tables.
func (k callKind) prefix() string { return [...]string{"fig", "tbl", "entries", "exercise"}[k] }

// execute executes the template calls in a page's source. Any error is an *Error.
func execute(p *Page) (*source, error) {
	text := plainLines(p.Source)
	if i := strings.IndexFunc(text, isPrivate); i >= 0 {
		return nil, &Error{
			File:   p.file(),
			Line:   lineOf(text, i),
			Column: i - strings.LastIndexByte(text[:i], '\n'),
			Msg:    "the source contains a private-use character (U+E000 to U+E004): remove it",
		}
	}
	src := &source{page: p, shown: map[string]bool{}}
	t, err := template.New("page").Funcs(src.funcs()).Parse(text)
	if err != nil {
		return nil, templateError(p, err)
	}
	for _, t := range t.Templates() {
		if t.Tree != nil {
			(&lineCounter{text: text}).mark(t.Tree.Root)
		}
	}
	var out strings.Builder
	if err := t.Execute(&out, values{src}); err != nil {
		return nil, templateError(p, err)
	}
	src.strip(out.String())
	// A value in a branch that is not taken also counts as unused: callers must leave out values that their page does
	// not show.
	src.dead = slices.DeleteFunc(slices.Sorted(maps.Keys(p.Values)), func(name string) bool { return src.shown[name] })
	return src, nil
}

func isPrivate(r rune) bool { return r >= firstPrivate && r <= lastPrivate }

func lineOf(text string, offset int) int { return 1 + strings.Count(text[:offset], "\n") }

// funcs returns the built-in functions and the page's own functions.
func (s *source) funcs() template.FuncMap {
	funcs := template.FuncMap{
		"figure":  func(id, caption string) (string, error) { return s.place(callFigure, id, caption) },
		"table":   func(id, caption string) (string, error) { return s.place(callTable, id, caption) },
		"entries": func(id, caption string) (string, error) { return s.place(callEntries, id, caption) },
		"exercise": func(id, number string) (string, error) {
			return s.place(callExercise, id, number)
		},
		"ref": func(target string, text ...string) (string, error) {
			return s.place(callRef, target, strings.Join(text, " "))
		},
		"picture": func(target, text string) (string, error) { return s.place(callPicture, target, text) },
		"anchor":  func(id string) (string, error) { return s.place(callAnchor, id, "") },
		"blocks":  func(id string) (string, error) { return s.place(callBlocks, id, "") },
		"only":    func(form string) (string, error) { return s.place(callOnly, form, "") },
		"text":    formatValue,
	}
	maps.Copy(funcs, s.page.Funcs)
	return funcs
}

// place records a call and returns its placeholder.
func (s *source) place(kind callKind, id, text string) (string, error) {
	if strings.TrimSpace(text) == "" && kind != callRef && kind < callBlocks {
		words := "caption"
		if kind == callExercise {
			words = "number"
		}
		if kind.inline() {
			words = "text"
		}
		return "", fmt.Errorf("%s %q has no %s: describe what it shows", kind, id, words)
	}
	s.calls = append(s.calls, &call{kind: kind, id: id, text: text})
	return placeholder(len(s.calls) - 1), nil
}

func placeholder(i int) string { return callOpen + strconv.Itoa(i) + callClose }

// lineCounter counts the lines of text incrementally.
type lineCounter struct {
	text string
	at   int // the current offset
	past int // the number of line feeds before the current offset
}

// line returns the number of the line that contains an offset. Offsets must not decrease from call to call.
func (c *lineCounter) line(offset int) int {
	c.past += strings.Count(c.text[c.at:offset], "\n")
	c.at = offset
	return c.past + 1
}

// mark inserts the number of the source line before each line of the template's fixed text.
func (c *lineCounter) mark(n parse.Node) {
	switch n := n.(type) {
	case *parse.ListNode:
		if n == nil {
			return
		}
		for _, inner := range n.Nodes {
			c.mark(inner)
		}
	case *parse.IfNode:
		c.mark(n.List)
		c.mark(n.ElseList)
	case *parse.RangeNode:
		c.mark(n.List)
		c.mark(n.ElseList)
	case *parse.WithNode:
		c.mark(n.List)
		c.mark(n.ElseList)
	case *parse.TextNode:
		line := c.line(int(n.Pos))
		var b strings.Builder
		for i, part := range strings.SplitAfter(string(n.Text), "\n") {
			b.WriteString(lineOpen + strconv.Itoa(line+i) + lineClose + part)
		}
		n.Text = []byte(b.String())
	}
}

// strip removes the line marks from the template's output, and records them. The output of a call belongs to the line
// in which the call begins.
func (s *source) strip(out string) {
	for {
		before, rest, found := strings.Cut(out, lineOpen)
		s.text = append(s.text, before...)
		if !found {
			return
		}
		number, after, _ := strings.Cut(rest, lineClose)
		if line, err := strconv.Atoi(number); err == nil {
			s.marks = append(s.marks, lineMark{len(s.text), line})
		}
		out = after
	}
}

// unseen reports calls whose placeholders the Markdown parser did not find in the text as faults.
func (s *source) unseen(p *prose, errs *errorList) {
	for i, c := range s.calls {
		if c.seen {
			continue
		}
		at := p.placeAt(max(strings.Index(string(s.text), placeholder(i)), 0))
		errs.addf(at, "{{ %s %q }} is in code, in a formula or in another place where it has no effect", c.kind, c.id)
	}
}

// values is the value of dot in a template.
type values struct{ src *source }

// Value returns the page's value with the given name as Markdown.
func (v values) Value(name string) (string, error) {
	v.src.shown[name] = true
	all := v.src.page.Values
	value, ok := all[name]
	if !ok {
		names := slices.Sorted(maps.Keys(all))
		return "", fmt.Errorf("there is no value %q; %s", name, among("the page has", name, names))
	}
	text, err := formatValue(value)
	if err != nil {
		return "", fmt.Errorf("value %q %w", name, err)
	}
	return text, nil
}

var templatePlace = regexp.MustCompile(
	`(?s)^template: page:(\d+)(?::(\d+))?: (?:executing "[^"]*" at <.*?>: )?(?:error calling [^:]*: )?(.*)$`,
)

// templateError converts an error of text/template to an *Error with the place in the page's file.
func templateError(p *Page, err error) error {
	var ours *Error
	if errors.As(err, &ours) {
		return ours
	}
	fault := &Error{File: p.file(), Line: 1, Msg: err.Error()}
	if m := templatePlace.FindStringSubmatch(fault.Msg); m != nil {
		fault.Line, _ = strconv.Atoi(m[1])
		if before, err := strconv.Atoi(m[2]); err == nil {
			fault.Column = before + 1
		}
		fault.Msg = m[3]
	}
	fault.File, fault.Line = comesFrom(p.Included, fault.File, fault.Line)
	fault.Msg = oneLine(fault.Msg)
	return fault
}

// Escape returns plain text as Markdown that shows exactly that text: on one line, without markup, math or HTML.
func Escape(s string) string {
	var b strings.Builder
	start := blockMarker(s)
	for i, r := range s {
		switch {
		case r == '$':
			// A backslash is not enough, because a formula that begins before the sign would end there.
			b.WriteString("&#36;")
		case r == '\n' || r == '\r' || r == '\t':
			b.WriteByte(' ')
		case r < ' ' || r == 0x7f || isPrivate(r):
			b.WriteRune('\uFFFD')
		case r == '[' || r == ']': // a backslash would begin a formula
			fmt.Fprintf(&b, "&#%d;", r)
		case i == start || strings.ContainsRune("\\`*_{}<>&~|@^", r), strings.ContainsRune(":=!?", r) && isMark(s, i),
			r == '.' && strings.HasSuffix(s[:i], "www"):
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// isMark reports whether a sign may be part of another dialect's markup or of an address: it is doubled, or a letter or
// a slash follows it.
func isMark(s string, at int) bool {
	next, _ := utf8.DecodeRuneInString(s[at+1:])
	return next == rune(s[at]) || next == '/' || unicode.IsLetter(next)
}

var blockRule = regexp.MustCompile(`^\s*(?:[0-9]{1,9}([.)])|([-+=#:!^])[-+=#:]*)(?:\s|$)`)

// blockMarker returns the offset of the character that would make s a list, heading, rule or definition at the start of
// a line, or -1 if there is none. The sign of a number is not a marker.
func blockMarker(s string) int {
	m := blockRule.FindStringSubmatchIndex(s)
	switch {
	case m == nil:
		return -1
	case m[2] >= 0:
		return m[2]
	}
	return m[4]
}

// formatValue returns a value of Page.Values as Markdown.
func formatValue(v any) (string, error) {
	switch v := v.(type) {
	case nil:
		return "", errors.New("is nil: compute it before the page is built")
	case content.Markdown:
		return string(v), nil
	case string:
		return Escape(v), nil
	case int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64, bool:
		return marked(fmt.Sprint(v)), nil
	case float64:
		return formatFloat(v, 64)
	case float32:
		return formatFloat(float64(v), 32)
	case *big.Int, *big.Rat:
		return marked(fmt.Sprint(v)), nil
	case fmt.Stringer:
		return Escape(v.String()), nil
	}
	return "", fmt.Errorf("is neither a string nor a number, but a %T: convert it to a string", v)
}

// Number returns a computed decimal number as Markdown. Its digits are set in groups in text and formulas, but not in
// code or addresses.
func Number(written string) content.Markdown { return content.Markdown(marked(written)) }

func formatFloat(f float64, bits int) (string, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return "", fmt.Errorf("is %v: a page shows finite numbers only", f)
	}
	return marked(strconv.FormatFloat(f, 'g', -1, bits)), nil
}

// frontMatter is the YAML between the two lines "---" at the beginning of a page's file.
type frontMatter struct {
	Title       string   `yaml:"title"`       // required
	Nav         string   `yaml:"nav"`         // see Page.Nav
	Description string   `yaml:"description"` // see Page.Description
	Unnumbered  bool     `yaml:"unnumbered"`  // see Page.Unnumbered
	Level       Level    `yaml:"level"`       // the level's name, such as "start here"
	Needs       []string `yaml:"needs"`       // see Page.Needs
	Part        string   `yaml:"part"`        // see Page.Part
	Kit         bool     `yaml:"kit"`         // see Page.Kit
	Sheets      bool     `yaml:"sheets"`      // see Page.Sheets
	Tool        bool     `yaml:"tool"`        // see Page.Tool
	Date        string   `yaml:"date"`        // see Page.Date
}

// ReadText parses the file of a page: the front matter, which must have a title, and the Markdown below it. Any error
// is an Errors.
func ReadText(slug, file, text string) (Page, error) {
	page, err := readText(slug, file, text, true)
	page.readTitle()
	return page, err
}

// ReadLoose parses a file like ReadText, but the file need not have front matter or a title. If the front matter has a
// fault, ReadLoose returns both an error and a page with everything that could be read.
func ReadLoose(slug, file, text string) (Page, error) {
	if !strings.HasPrefix(plainLines(text), "---\n") {
		page := Page{Slug: slug, File: file, Source: text}
		page.readTitle()
		return page, nil
	}
	page, err := readText(slug, file, text, false)
	page.readTitle()
	return page, err
}

// readTitle parses the markup of the page's title. If the front matter has no title, the first heading of level 1 is
// used.
func (p *Page) readTitle() {
	line := strings.TrimSpace(p.Title)
	if p.Title = line; line != "" {
		p.Heading = content.Markdown(line)
	} else if line = firstTitle(plainLines(p.Source)); line == "" {
		return
	}
	c := newChapter(&Page{File: p.file()}, "", nil)
	text := []byte("# " + oneLine(line) + "\n")
	if h, ok := c.parse(text).FirstChild().(*ast.Heading); ok {
		p.Title = c.titleOf(h, text)
	}
}

var (
	titleLine = regexp.MustCompile(`^ {0,3}#[ \t]+(.*)$`)
	underline = regexp.MustCompile(`^ {0,3}=+[ \t]*$`)
	fenceLine = regexp.MustCompile("^ {0,3}(```|~~~)")
)

// firstTitle returns the text of the first heading of level 1, or "" if there is none. It does not parse the whole
// text, which is unchecked and may take a long time to parse. It returns "" for a title with a template call or an
// expression, whose result is unknown.
func firstTitle(text string) string {
	before, fenced := "", false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		words := ""
		switch m := titleLine.FindStringSubmatch(line); {
		case fenceLine.MatchString(line):
			fenced = !fenced
		case fenced:
		case m != nil:
			words = m[1]
		case underline.MatchString(line):
			words = strings.TrimSpace(before)
		}
		if before = line; words == "" {
			continue
		}
		if len(words) > mostTitle || strings.Contains(words, "{{") || strings.Contains(words, "`go:") {
			return ""
		}
		return words
	}
	return ""
}

const mostTitle = 1000 // the maximum size of a title in bytes

func readText(slug, file, text string, titled bool) (Page, error) {
	page := Page{Slug: slug, File: file}
	fail := func(line int, format string, args ...any) (Page, error) {
		return page, Errors{{File: page.file(), Line: line, Column: 1, Msg: fmt.Sprintf(format, args...)}}
	}
	rest, begins := strings.CutPrefix(plainLines(text), "---\n")
	if !begins {
		return fail(
			1,
			`the file must begin with a line "---", its title in a line such as "title: The game", and another line `+
				`"---": add them`,
		)
	}
	matter, body, ends := strings.Cut("\n"+rest, "\n---\n")
	if !ends {
		return fail(1, `the front matter is not closed: end it with a line "---"`)
	}
	var front frontMatter
	decoder := yaml.NewDecoder(
		bytes.NewBufferString(matter),
	) // because of the empty line, line numbers in YAML are the same as in the file
	decoder.KnownFields(true)
	var err error
	if decoding := decoder.Decode(&front); decoding != nil && !errors.Is(decoding, io.EOF) {
		err = YAMLFaults(page.file(), []byte(matter), decoding, "the front matter must be YAML with the fields "+
			"title, nav, description, unnumbered, level, needs, part, date, kit, sheets and tool")
	}
	number := strings.Count(matter, "\n") + 2 // the line of the second "---"
	if err == nil && titled && strings.TrimSpace(front.Title) == "" {
		return fail(number, `the page has no title: add a line such as "title: The game"`)
	}
	page.Title, page.Nav, page.Description = front.Title, front.Nav, front.Description
	page.Unnumbered, page.Level, page.Needs, page.Part = front.Unnumbered, front.Level, front.Needs, front.Part
	page.Kit, page.Sheets, page.Tool = front.Kit, front.Sheets, front.Tool
	page.Date = front.Date
	page.Source = strings.Repeat("\n", number) + body // the empty lines preserve the line numbers of the body
	return page, err
}

var (
	yamlLine    = regexp.MustCompile(`^line (\d+): (.*)$`)
	yamlUnknown = regexp.MustCompile(`^field (.*) not found in type \S+$`)
	yamlTwice   = regexp.MustCompile(`^mapping key (.*) already defined at line (\d+)$`)
	yamlOther   = regexp.MustCompile("(?s)^cannot unmarshal !!(\\w+)(?: `(.*)`)? into (\\S+)$")
)

// yamlWords rewrites a message of the YAML decoder without the names of the program's types.
func yamlWords(message string) string {
	if m := yamlUnknown.FindStringSubmatch(message); m != nil {
		return fmt.Sprintf("there is no field %q", m[1])
	}
	if m := yamlTwice.FindStringSubmatch(message); m != nil {
		return fmt.Sprintf("the field %s is already in line %s", m[1], m[2])
	}
	m := yamlOther.FindStringSubmatch(message)
	if m == nil {
		return message
	}
	have := map[string]string{"seq": "a list", "map": "fields of its own"}[m[1]]
	wants := "fields of its own"
	switch {
	case m[3] == "bool":
		wants = "true or false"
	case m[3] == "string":
		wants = "a text"
	case strings.HasPrefix(m[3], "[]"):
		wants = "a list such as [a, b]"
	}
	return fmt.Sprintf("%s belongs here, not %s", wants, cmp.Or(have, strconv.Quote(m[2])))
}

// YAMLFaults returns the faults that a YAML decoder has found in data, each with its line. fields is a phrase that
// lists the known fields.
func YAMLFaults(file string, data []byte, err error, fields string) Errors {
	messages := []string{strings.TrimPrefix(err.Error(), "yaml: ")}
	if several := new(yaml.TypeError); errors.As(err, &several) {
		messages = several.Errors
	}
	var faults Errors
	for _, message := range messages {
		line, column := 1, 1
		if m := yamlLine.FindStringSubmatch(message); m != nil {
			line, _ = strconv.Atoi(m[1])
			message = m[2]
			lines := bytes.Split(data, []byte("\n"))
			text := lines[min(line, len(lines))-1]
			column = len(text) - len(bytes.TrimLeft(text, " \t")) + 1
		}
		message = oneLine(yamlWords(message)) + ": " + fields
		faults = append(faults, &Error{File: file, Line: line, Column: column, Msg: message})
	}
	return faults
}

// UnmarshalText sets the level with the given name.
func (l *Level) UnmarshalText(text []byte) error {
	i := slices.Index(levelNames[:], string(text))
	if i < 0 {
		return fmt.Errorf("there is no level %q: use one of %s", text, strings.Join(levelNames[1:], ", "))
	}
	*l = Level(i)
	return nil
}

// UnmarshalYAML sets the level with the given name. Its error contains the line, and does not hide errors in later
// fields.
func (l *Level) UnmarshalYAML(name *yaml.Node) error {
	if err := l.UnmarshalText([]byte(name.Value)); err != nil {
		return &yaml.TypeError{Errors: []string{fmt.Sprintf("line %d: %v", name.Line, err)}}
	}
	return nil
}

// Level states what readers of a page must know. The zero value means that the page has no level.
type Level uint8

// These are the levels, easiest first.
const (
	Unlevelled    Level = iota
	StartHere           // readers need only curiosity
	SchoolAlgebra       // readers know variables and graphs
	WithProofs          // readers have the patience for an argument that takes a page
	Reference           // readers look things up
)

var levelNames = [...]string{
	Unlevelled: "", StartHere: "start here", SchoolAlgebra: "with school algebra", WithProofs: "with proofs",
	Reference: "reference",
}

// String returns the level's plain name.
func (l Level) String() string { return levelNames[l] }
