// Package diagram reads diagrams that authors write as text: flowcharts in a subset of Mermaid's language, and trees.
//
//	flowchart TD
//	  write([Write]) --> read(Read it again)
//	  read --> good{Good?}
//	  good -->|no| write
//	  good -->|yes| build[Build]
//
//	tree LR
//	  Animals
//	    Birds
//	    Fish
package diagram

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/siegebook/siegebook/report/figure"
)

// Languages are the words after ``` that begin a diagram.
var Languages = []string{"diagram", "mermaid"}

// Fault is a fault in the text of a diagram.
type Fault struct {
	Line, Column int // from 1; the column is in bytes
	Message      string
}

func (f *Fault) Error() string { return f.Message }

// These are the limits of a diagram. Package figure has the same limits, but only here does a fault have a place.
const (
	mostItems  = 80
	mostArrows = 160
	mostLines  = 6  // lines of a label
	mostLabel  = 40 // characters of an arrow's label
	lineLength = 24 // characters in a line of a label
)

// reader reads one diagram, line by line.
type reader struct {
	made  figure.Diagram
	texts map[string]bool // the items that have a text of their own
	line  int
	text  string // the current line
	at    int    // the current place in the line, in bytes
	fault *Fault // the first fault
}

// Parse reads a diagram without its title. The error is a *Fault.
func Parse(source string) (figure.Diagram, error) {
	r := &reader{texts: map[string]bool{}}
	var read func()
	for i, line := range strings.Split(source, "\n") {
		r.line, r.text, r.at = i+1, strings.TrimRightFunc(line, ends), 0
		if r.blanks(); r.at == len(r.text) || strings.HasPrefix(r.rest(), "%%") {
			continue
		}
		if read == nil {
			read = r.header()
		} else {
			read()
		}
		if r.fault != nil {
			return r.made, r.fault
		}
	}
	if len(r.made.Items) == 0 {
		r.text, r.at = "", 0
		r.fail("the diagram is empty: write its boxes and arrows, such as A[One] --> B[Two]")
		return r.made, r.fault
	}
	return r.made, nil
}

// fail records a fault at the current place, unless there already is a fault.
func (r *reader) fail(format string, args ...any) {
	if r.fault == nil {
		r.fault = &Fault{r.line, r.at + 1, fmt.Sprintf(format, args...)}
	}
}

func (r *reader) rest() string { return r.text[r.at:] }

func (r *reader) blanks() {
	r.at += len(r.rest()) - len(strings.TrimLeftFunc(r.rest(), unicode.IsSpace))
}

// ends reports whether a character has no meaning at the end of a line.
func ends(c rune) bool { return c == ';' || unicode.IsSpace(c) }

var directions = map[string]figure.Direction{
	"": figure.Down, "TD": figure.Down, "TB": figure.Down, "LR": figure.Rightwards, "BT": figure.Up,
	"RL": figure.Leftwards,
}

// header reads the first line, and returns the function that reads the other lines.
func (r *reader) header() func() {
	words := strings.Fields(r.rest())
	way := strings.Join(words[1:], " ")
	towards, known := directions[way]
	read := r.flow
	switch words[0] {
	case "flowchart", "graph":
	case "tree":
		read = r.tree()
	default:
		r.fail("%q: a diagram must begin with flowchart TD, flowchart LR or tree: write one of them, or show a "+
			"picture instead", r.rest())
	}
	if !known {
		r.at += len(words[0])
		r.blanks()
		r.fail("%q is not a direction: write TD, LR, BT or RL", way)
	}
	r.made.Towards = towards
	return read
}

// tree returns a function that reads the lines of a tree. The parent of a line is the last line before it that is
// indented less.
func (r *reader) tree() func() {
	type open struct {
		indent int
		name   string
	}
	var around []open
	return func() {
		indent := len(strings.ReplaceAll(r.text[:r.at], "\t", "    "))
		for len(around) > 0 && around[len(around)-1].indent > indent {
			around = around[:len(around)-1]
			if len(around) == 0 || around[len(around)-1].indent < indent {
				r.fail("the line is indented by %s, but no line above it with the same parent is: indent it like its "+
					"neighbours", strconv.Itoa(indent))
				return
			}
		}
		if len(around) > 0 && around[len(around)-1].indent == indent {
			around = around[:len(around)-1]
		}
		name := "line " + strconv.Itoa(r.line)
		r.item(name)
		r.label(name, r.rest(), figure.Rounded)
		if len(around) > 0 {
			r.arrow(figure.Arrow{From: around[len(around)-1].name, To: name, Plain: true})
		}
		around = append(around, open{indent, name})
	}
}

// unsupported are the first words of the Mermaid lines that a book cannot show.
var unsupported = []string{"subgraph", "end", "classDef", "class", "style", "linkStyle", "click", "direction"}

var (
	nameRule = regexp.MustCompile(`^[\pL\pN_]+(?:[.-][\pL\pN_]+)*`)
	lineRule = regexp.MustCompile(`^(?:-{2,}>|-{3,}|={2,}>|={3,}|-\.+->|-\.+-)`)
	// wordedRule matches the line of an arrow that contains the arrow's label.
	wordedRule = regexp.MustCompile(`^(?:--[ \t]*([^-<>=|\s][^|]*?)[ \t]*(-{2,}>|-{3,})|` +
		`==[ \t]*([^-<>=|\s][^|]*?)[ \t]*(={2,}>|={3,})|` +
		`-\.[ \t]*([^-<>=.|\s][^|]*?)[ \t]*(\.+->|\.+-))`)
	barRule = regexp.MustCompile(`^[ \t]*\|([^|]*)\|`)
)

// flow reads a line of a flowchart: A & B --> C[Text] -->|label| D.
func (r *reader) flow() {
	for {
		if first := strings.FieldsFunc(r.rest(), ends); len(first) > 0 && slices.Contains(unsupported, first[0]) {
			r.fail("%q: a diagram can only have boxes and arrows: leave the line out, or make it a comment with %%%%",
				first[0])
			return
		}
		r.chain()
		if r.fault != nil || r.at == len(r.text) {
			return
		}
		if r.rest()[0] != ';' {
			r.fail("%q: write an arrow between two boxes, such as --> or -->|words|, or ---, -.->, ==>", r.next())
			return
		}
		r.at++
		r.blanks()
	}
}

// next returns the text at the current place, as messages quote it.
func (r *reader) next() string {
	all := []rune(r.rest())
	return string(all[:min(len(all), 20)])
}

// chain reads boxes with arrows between them.
func (r *reader) chain() {
	before := r.boxes()
	for r.fault == nil {
		a, ok := r.joint()
		if !ok {
			return
		}
		after := r.boxes()
		for _, from := range before {
			for _, to := range after {
				a.From, a.To = from, to
				r.arrow(a)
			}
		}
		before = after
	}
}

// boxes reads one box, or several boxes joined by &, and returns their names.
func (r *reader) boxes() (names []string) {
	for {
		r.blanks()
		name := nameRule.FindString(r.rest())
		if name == "" {
			r.fail("%q: write the name of a box here, in letters and digits, such as A or A[words]", r.next())
			return nil
		}
		r.item(name)
		r.at += len(name)
		r.shape(name)
		r.blanks()
		if names = append(names, name); r.fault != nil || !strings.HasPrefix(r.rest(), "&") {
			return names
		}
		r.at++
	}
}

// shapes maps brackets to the forms of boxes, with longer brackets first.
var shapes = []struct {
	open, close string
	form        figure.Form
}{
	{"([", "])", figure.Pill},
	{"((", "))", figure.Circle},
	{"{{", "}}", figure.Hexagon},
	{"[(", ")]", figure.Cylinder},
	{"[", "]", figure.Rectangle},
	{"(", ")", figure.Rounded},
	{"{", "}", figure.Diamond},
}

// shape reads the text of a box between its brackets.
func (r *reader) shape(name string) {
	for _, s := range shapes {
		inside, ok := strings.CutPrefix(r.rest(), s.open)
		if !ok {
			continue
		}
		text, _, closed := strings.Cut(inside, s.close)
		length := len(s.open) + len(text) + len(s.close)
		if strings.HasPrefix(inside, `"`) { // brackets inside quotation marks belong to the text
			text, _, closed = strings.Cut(inside[1:], `"`+s.close)
			length = len(s.open) + len(text) + len(s.close) + 2
		}
		switch {
		case !closed:
			r.fail("the text of the box is not closed: end it with %s", s.close)
		case strings.ContainsAny(text, `[](){}"<>`) && !strings.HasPrefix(inside, `"`) && !plainBreaks(text):
			r.fail("%q: put text with brackets in quotation marks, as in %s%q%s; the shapes of boxes are [..], (..), "+
				"([..]), {..}, {{..}}, ((..)) and [(..)]", text, s.open, "f(x)", s.close)
		case r.texts[name]:
			r.fail("the box %s already has a text: write only %s", name, name)
		default:
			r.texts[name] = true
			r.label(name, text, s.form)
		}
		r.at += min(length, len(r.rest()))
		return
	}
}

var breaks = regexp.MustCompile(`(?i)<br[ \t]*/?>|\\n`)

// plainBreaks reports whether a text has no brackets or quotation marks except in line breaks.
func plainBreaks(text string) bool {
	return !strings.ContainsAny(breaks.ReplaceAllString(text, ""), `[](){}"<>`)
}

// joint reads the line of an arrow.
func (r *reader) joint() (a figure.Arrow, ok bool) {
	rest, form := r.rest(), ""
	if m := wordedRule.FindStringSubmatch(rest); m != nil {
		for i := 1; i < len(m); i += 2 {
			if m[i] != "" {
				a.Label, form = m[i], rest[:2]+m[i+1]
			}
		}
		r.at += len(m[0])
	} else if form = lineRule.FindString(rest); form == "" {
		return a, false
	} else {
		r.at += len(form)
		if m := barRule.FindStringSubmatch(r.rest()); m != nil {
			a.Label = m[1]
			r.at += len(m[0])
		}
	}
	label := breaks.ReplaceAllString(strings.Trim(strings.TrimSpace(a.Label), `"`), " ")
	a.Label = strings.Join(strings.Fields(label), " ")
	if utf8.RuneCountInString(a.Label) > mostLabel {
		r.fail("the words %q on an arrow have more than %d characters: shorten them", a.Label, mostLabel)
	}
	a.Plain = !strings.HasSuffix(form, ">")
	switch {
	case strings.HasPrefix(form, "="):
		a.Line = figure.Thick
	case strings.Contains(form, "."):
		a.Line = figure.Dashed
	}
	return a, true
}

// item adds an item unless an item with its name exists.
func (r *reader) item(name string) {
	if slices.ContainsFunc(r.made.Items, func(i figure.Item) bool { return i.Name == name }) {
		return
	}
	if len(r.made.Items) == mostItems {
		r.fail("the diagram has more than %d boxes: divide it", mostItems)
	}
	r.made.Items = append(r.made.Items, figure.Item{Name: name, Lines: wrapped(name)})
}

// label gives an item its text and its form.
func (r *reader) label(name, text string, form figure.Form) {
	i := slices.IndexFunc(r.made.Items, func(i figure.Item) bool { return i.Name == name })
	item := &r.made.Items[i]
	item.Form, item.Lines = form, nil
	for _, part := range breaks.Split(text, -1) {
		item.Lines = append(item.Lines, wrapped(part)...)
	}
	if len(item.Lines) == 0 {
		r.fail("the box %s has no text: write text between its brackets", name)
	}
	if len(item.Lines) > mostLines {
		r.fail("the text %.40q has more than %d lines of %d characters: shorten it", text, mostLines, lineLength)
	}
}

// arrow adds an arrow.
func (r *reader) arrow(a figure.Arrow) {
	if a.From == a.To {
		r.fail("the arrow leads from %s to %s itself: describe that in the box", a.From, a.To)
	}
	if len(r.made.Arrows) == mostArrows {
		r.fail("the diagram has more than %d arrows: divide it", mostArrows)
	}
	r.made.Arrows = append(r.made.Arrows, a)
}

// wrapped divides a text into lines, between words if it can.
func wrapped(text string) (lines []string) {
	for word := range strings.FieldsSeq(text) {
		for last := len(lines) - 1; ; last = -1 {
			if last >= 0 && utf8.RuneCountInString(lines[last]+" "+word) <= lineLength {
				lines[last] += " " + word
				break
			}
			letters := []rune(word)
			lines = append(lines, string(letters[:min(len(letters), lineLength)]))
			if word = string(letters[min(len(letters), lineLength):]); word == "" {
				break
			}
		}
	}
	return lines
}
