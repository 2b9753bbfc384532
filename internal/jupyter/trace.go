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

// traceFilter takes the trace of a goroutine out of what a cell's program writes to stderr, where the program ends with
// it: behind a line that says why, down to the line that says how it has ended. The reason stays, and the first place
// in a cell. All else passes as it is. So a trace is held until the program has ended, or goes on with what is no
// trace.
type traceFilter struct {
	rest   string // a line without an end
	inside bool   // what was let through ends inside a line
	why    bool   // a line has said why the program ends
	held   string // what may be a trace
	last   traceLine
	place  string // of the program's end in a cell, as gonb reports it
	source string // of the cell, as gonb has it, with its number
	count  int
	temp   string // where the kernel has its programs
}

// traceLine is the kind of a line of a trace.
type traceLine int

const (
	noTrace traceLine = iota
	traceHead
	traceCall // of which the next line says where
	traceOther
	traceExit // how the program has ended
)

// longestTrace bounds what is held: a trace shows a hundred calls.
const longestTrace = 256 << 10

var (
	traceHeads = regexp.MustCompile(`^(?:goroutine \d+ .*\[.*\]:|\[signal SIG.*|runtime stack:)$`)
	traceExits = regexp.MustCompile(`^(?:exit status \d+|signal: .*|\^C)$`)
	traceCalls = regexp.MustCompile(`^(?:created by )?[^\s(]\S*(?:\(.*\)| in goroutine \d+)$`)
	// traceOthers are the places of calls, calls that are left out, and registers.
	traceOthers = regexp.MustCompile(`^(?:\t.*|\.\.\..*elided\.\.\.|\w+ +0x[0-9a-f]+|)$`)
	// traceOffset is what a trace has behind the number of a line, in JSON.
	traceOffset = regexp.MustCompile(` (?:\+|\\u002b|&#43;)0x[0-9a-f]+`)
	tracePlace  = regexp.MustCompile(`(?:\x1b\[7m)?\[\[ (Cell (?:\[\d+\] )?Line \d+) \]\]`)
	// programPlace is the same as Go writes it.
	programPlace = regexp.MustCompile(`(?m)^\s*(/.*/gonb_[^/]+/main\.go):(\d+)`)
	// besidePlace is the place in the program behind that in the cell.
	besidePlace = regexp.MustCompile(`(\[\[ Cell (?:\[\d+\] )?Line \d+ \]\](?:\x1b\[\d*m)?)` + programPath.String())
	// reportPlace is the first place in the report that gonb shows of a failed program, in JSON.
	reportPlace = regexp.MustCompile(`gonb-cell-line-info\\"(?:>|\\u003e)Cell(?:(\[\d+\]):)? Line (\d+)`)
)

// next returns the kind of a line that follows another one in a trace.
func (before traceLine) next(line string) traceLine {
	switch {
	case before == traceExit && !traceExits.MatchString(line):
		return noTrace
	case traceHeads.MatchString(line):
		return traceHead
	case before == traceCall && !strings.HasPrefix(line, "\t"):
		return noTrace
	case traceExits.MatchString(line):
		return traceExit
	case traceOthers.MatchString(line):
		return traceOther
	case traceCalls.MatchString(line):
		return traceCall
	}
	return noTrace
}

// filter returns what is left of a piece of text.
func (t *traceFilter) filter(text string) string {
	var out strings.Builder
	for line := range strings.Lines(t.rest + text) {
		t.rest = ""
		whole := strings.HasSuffix(line, "\n")
		if !whole && (t.held != "" || !t.inside && t.mayMatter(line)) {
			t.rest = line
			break
		}
		out.WriteString(t.line(line, whole))
	}
	return out.String()
}

// line takes the next line, and returns what can be let through.
func (t *traceFilter) line(line string, whole bool) string {
	bare := strings.TrimRight(line, "\r\n")
	begins := t.held == "" && t.why && !t.inside && traceHeads.MatchString(bare)
	if begins {
		t.last = traceHead
	} else if t.held != "" {
		t.last = t.last.next(bare)
	}
	if (begins || t.held != "") && t.last != noTrace && len(t.held) < longestTrace {
		t.held += line
		return ""
	}
	through := t.held + line
	if t.held != "" {
		t.held, t.why = "", false
	}
	if !t.inside {
		t.why = t.why || saysEnd(bare)
	}
	t.inside = !whole
	return through
}

// endings begin lines that say why a program ends.
var endings = []string{"panic: ", "fatal error: "}

func saysEnd(line string) bool {
	return slices.ContainsFunc(endings, func(begin string) bool { return strings.HasPrefix(line, begin) })
}

// mayMatter says whether a line without an end may become one at which a trace begins, or one that says why.
func (t *traceFilter) mayMatter(line string) bool {
	begins := endings
	if t.why {
		begins = append(slices.Clone(endings), "goroutine ", "[signal SIG", "runtime stack:")
	}
	return slices.ContainsFunc(begins, func(begin string) bool {
		return strings.HasPrefix(line, begin) && !slices.Contains(endings, begin) || strings.HasPrefix(begin, line)
	})
}

// report returns what has to be said before gonb's report on a failed program, given as the JSON of its message. The
// report has the place in any case, the trace only where gonb has read the line in one piece. It may come before it is
// told how the program has ended.
func (t *traceFilter) report(content []byte) string {
	if place := reportPlace.FindSubmatch(content); place != nil && t.place == "" {
		t.place = strings.TrimSpace("Cell "+string(place[1])) + " Line " + string(place[2])
	}
	if t.held == "" || t.last != traceExit {
		return ""
	}
	return t.end(true)
}

// end returns what is held back, without a trace that is the end of the program. Where the trace has no place, that of
// the report counts, or else the program's line that it names is looked for in the source of the cell, of which gonb
// changes no line. It reads no file but those in the folder for passing use. Of a program that runs without gonb nobody
// says how it has ended.
func (t *traceFilter) end(byGonb bool) string {
	rest := t.rest
	t.rest = ""
	if rest != "" {
		rest = t.line(rest, false)
	}
	held, last := t.held, t.last
	t.held, t.why = "", false
	if held == "" || byGonb && last != traceExit {
		return held + rest
	}
	exits := len(held)
	if byGonb {
		exits = traceExitLine.FindStringIndex(held)[0]
	}
	trace, exit, place := held[:exits], held[exits:], t.place
	file := programPlace.FindStringSubmatch(trace)
	if found := tracePlace.FindStringSubmatch(trace); found != nil {
		place = found[1]
	} else if file == nil {
		place = ""
	} else if place == "" {
		number, _ := strconv.Atoi(file[2])
		if line := t.lineIn(t.temp, file[1], number); line > 0 {
			place = fmt.Sprintf("Cell [%d] Line %d", t.count, line)
		}
	}
	if place != "" {
		exit = "  at [[ " + place + " ]]\n" + exit
	}
	return exit + rest
}

// traceExitLine finds how a program has ended in a text.
var traceExitLine = regexp.MustCompile(`(?m)` + traceExits.String())

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

func (t *traceFilter) lineIn(folder, name string, number int) int {
	file, err := filepath.Rel(folder, name)
	if err != nil || !filepath.IsLocal(file) {
		return 0
	}
	program, err := limitedread.ReadFile(name, limitedread.MiB)
	if err != nil {
		return 0
	}
	return lineOf(string(program), number, t.source)
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

// cellOutput is what front ends have got of the output of a cell. A page has to live with all of that, so the rest of
// what is too long is left out; the program goes on.
type cellOutput struct {
	traceFilter
	cell    *cellRequest       // nil for other requests; the reply, on another socket, may come before all outputs
	extents map[string]*extent // of stdout, stderr, and pictures
}

// plain returns gonb's message about the cell in words for people.
func (c *cellOutput) plain(content []byte) []byte {
	code := ""
	if c.cell != nil {
		code = c.cell.code
	}
	return plainJSON(content, code, c.count)
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
