package jupyter

import (
	"encoding/json"
	"fmt"
	"go/scanner"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/internal/limitedread"
)

// traceFilter takes the traces of goroutines out of what a cell's program writes to stderr. The reason stays, and the
// first place in a cell. The text comes in pieces, so a last line that may matter is kept until its end is there.
type traceFilter struct {
	rest    string // a line without an end
	inside  bool   // what was let through ends inside a line
	tracing bool
	placed  bool
	held    string // how the program has ended, while its place in the cell is not known
	file    string // the first place in a program of gonb that a trace names, as Go has it
	line    int
	source  string // of the cell, with its number
	count   int
	temp    string // where the kernel has its programs
}

var (
	traceBegins = regexp.MustCompile(`^(goroutine \d+ .*\[.*\]:|\[signal SIG.*|runtime stack:)$`)
	// traceOffset is what a trace has behind the number of a line, in JSON.
	traceOffset = regexp.MustCompile(` (?:\+|\\u002b|&#43;)0x[0-9a-f]+`)
	tracePlace  = regexp.MustCompile(`(?:\x1b\[7m)?\[\[ (Cell (?:\[\d+\] )?Line \d+) \]\]`)
	// programPlace is the same as Go writes it.
	programPlace = regexp.MustCompile(`^\s*(/.*/gonb_[^/]+/main\.go):(\d+)`)
	// besidePlace is the place in the program behind that in the cell.
	besidePlace = regexp.MustCompile(`(\[\[ Cell (?:\[\d+\] )?Line \d+ \]\](?:\x1b\[\d*m)?)` + programPath.String())
	// reportPlace is the first place in the report that gonb shows of a failed program, in JSON.
	reportPlace = regexp.MustCompile(`gonb-cell-line-info\\"(?:>|\\u003e)Cell(?:(\[\d+\]):)? Line (\d+)`)
)

// filter returns what is left of a piece of text.
func (t *traceFilter) filter(text string) string {
	var out strings.Builder
	out.WriteString(t.held)
	t.held = ""
	for line := range strings.Lines(t.rest + text) {
		t.rest = ""
		whole := strings.HasSuffix(line, "\n")
		if t.inside && !t.tracing {
			t.inside = !whole
			out.WriteString(line)
			continue
		}
		if !whole && (t.tracing || mayBeTrace(line)) {
			t.rest = line
			break
		}
		bare := strings.TrimRight(line, "\r\n")
		switch {
		case strings.HasPrefix(bare, "exit status ") || strings.HasPrefix(bare, "signal: ") ||
			strings.HasPrefix(bare, "^C"):
			if t.tracing && !t.placed {
				t.held = line
			} else {
				out.WriteString(line)
			}
			t.tracing, t.inside = false, !whole
		case traceBegins.MatchString(bare):
			t.tracing = true
		case t.tracing:
			if place := tracePlace.FindStringSubmatch(bare); place != nil && !t.placed {
				t.placed = true
				out.WriteString("  at [[ " + place[1] + " ]]\n")
			} else if raw := programPlace.FindStringSubmatch(bare); raw != nil && t.file == "" {
				t.file = raw[1]
				t.line, _ = strconv.Atoi(raw[2])
			}
		default:
			t.inside = !whole
			out.WriteString(line)
		}
	}
	return out.String()
}

// mayBeTrace says whether a line without an end may be one with which a trace begins.
func mayBeTrace(line string) bool {
	return slices.ContainsFunc([]string{"goroutine", "[signal SIG", "runtime stack:"}, func(begin string) bool {
		return strings.HasPrefix(line, begin) || strings.HasPrefix(begin, line)
	})
}

// report returns what has to be said before gonb's report on a failed program, given as the JSON of its message. The
// report has the place in any case, the trace only where gonb has read the line in one piece.
func (t *traceFilter) report(content []byte) string {
	place := reportPlace.FindSubmatch(content)
	if t.placed || t.file == "" || place == nil {
		return t.find()
	}
	cell := string(place[1])
	if cell != "" {
		cell += " "
	}
	return t.release(fmt.Sprintf("Cell %sLine %s", cell, place[2]))
}

// find returns the same where there is no report: it looks for the line of the program that the trace names in the
// source of the cell, of which gonb changes no line. It reads no file but those in the folder for passing use.
func (t *traceFilter) find() string {
	if !t.placed && t.file != "" {
		if line := t.lineIn(t.temp); line > 0 {
			return t.release(fmt.Sprintf("Cell [%d] Line %d", t.count, line))
		}
	}
	return t.release("")
}

// begin takes the content of the message in which a kernel says which cell it executes.
func (t *traceFilter) begin(content []byte) {
	var in struct {
		Code  string `json:"code"`
		Count int    `json:"execution_count"`
	}
	if json.Unmarshal(content, &in) == nil {
		t.source, t.count = in.Code, in.Count
	}
}

// release returns what is held, behind the place that was missing.
func (t *traceFilter) release(place string) string {
	text := t.held
	t.held = ""
	if place != "" {
		t.placed = true
		text = "  at [[ " + place + " ]]\n" + text
	}
	return text
}

func (t *traceFilter) lineIn(folder string) int {
	file, err := filepath.Rel(folder, t.file)
	if err != nil || !filepath.IsLocal(file) {
		return 0
	}
	program, err := limitedread.ReadFile(t.file, limitedread.MiB)
	if err != nil {
		return 0
	}
	return lineOf(string(program), t.line, t.source)
}

// lineOf returns the number of the line in the source that is a line of the program, 0 if there is none. Of equal lines
// it takes the one that has as many behind it, as a cell stands at the end of its program.
func lineOf(program string, line int, source string) int {
	lines, cell := strings.Split(program, "\n"), strings.Split(source, "\n")
	if line < 1 || line > len(lines) {
		return 0
	}
	behind, code := 0, codeOf(lines[line-1])
	for _, other := range lines[line:] {
		if codeOf(other) == code {
			behind++
		}
	}
	for i, text := range slices.Backward(cell) {
		if codeOf(text) != code {
			continue
		}
		if behind == 0 {
			return i + 1
		}
		behind--
	}
	return 0
}

// codeOf returns what Go reads of a line. gonb writes the variables of all cells into one declaration, in which "var
// a=f() // first" is "a = f()".
func codeOf(line string) string {
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", -1, len(line)), []byte(line), func(token.Position, string) {}, 0)
	var code strings.Builder
	for {
		switch _, tok, text := s.Scan(); tok {
		case token.EOF:
			return code.String()
		case token.VAR:
		default:
			fmt.Fprintf(&code, "%v %s ", tok, text)
		}
	}
}

// end returns what is held back: how the program has ended, and the last line, if it has no end and belongs to no
// trace.
func (t *traceFilter) end() string {
	rest := t.held + t.rest
	t.held, t.rest = "", ""
	if t.tracing {
		return ""
	}
	return rest
}

// cellOutput is what front ends have got of the output of a cell. A page has to live with all of that, so the rest of
// what is too long is left out; the program goes on.
type cellOutput struct {
	traceFilter
	extents map[string]*extent // of stdout, stderr, and pictures
}

type extent struct {
	bytes, lines int
	full         bool
}

const (
	maxLines    = 10_000
	maxText     = 1_000_000
	maxPictures = DefaultOutputLimit
)

// cut returns what still fits of the next text of a kind, and what to say where the rest is left out, once.
func (c *cellOutput) cut(kind, text string, most int) (fits, note string) {
	e := c.extents[kind]
	if e == nil {
		e = &extent{}
		if c.extents == nil {
			c.extents = map[string]*extent{}
		}
		c.extents[kind] = e
	}
	if e.full {
		return "", ""
	}
	for line := range strings.Lines(text) {
		if e.lines == maxLines || e.bytes+len(line) > most {
			e.full = true
			const note = "[The rest of %s is left out: a cell shows 10,000 lines or %d MB of it.]\n"
			return fits, fmt.Sprintf(note, kind, most/1_000_000)
		}
		fits += line
		e.bytes += len(line)
		if strings.HasSuffix(line, "\n") {
			e.lines++
		}
	}
	return fits, ""
}
