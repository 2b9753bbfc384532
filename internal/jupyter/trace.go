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

// traceFilter removes the stack trace of a goroutine from the stderr of a cell's program, if the program ends with the
// trace. The trace is between the line with the reason and the line that reports how the program ended. The filter
// keeps the reason and the first position in a cell. All other text passes through unchanged. To do this, the filter
// holds a trace back until the program has ended, or until a line follows that is not part of a trace.
type traceFilter struct {
	rest   string // an incomplete line
	inside bool   // the last text that was passed on ends inside a line
	why    bool   // a line with the reason has been seen
	held   string // text that may be a trace
	last   traceLine
	place  string // the position in a cell at which the program ended, as gonb reports it
	source string // the code of the cell, in gonb's form
	count  int
	temp   string // the kernel's folder of programs
}

// traceLine is the kind of a line of a trace.
type traceLine int

const (
	noTrace traceLine = iota
	traceHead
	traceCall // the next line contains the position
	traceOther
	traceExit // reports how the program ended
)

// longestTrace limits the held-back text, in bytes. A trace shows up to a hundred calls.
const longestTrace = 256 << 10

var (
	traceHeads = regexp.MustCompile(`^(?:goroutine \d+ .*\[.*\]:|\[signal SIG.*|runtime stack:)$`)
	traceExits = regexp.MustCompile(`^(?:exit status \d+|signal: .*|\^C)$`)
	traceCalls = regexp.MustCompile(`^(?:created by )?[^\s(]\S*(?:\(.*\)| in goroutine \d+)$`)
	// traceOthers matches the positions of calls, notes about omitted calls, and registers.
	traceOthers = regexp.MustCompile(`^(?:\t.*|\.\.\..*elided\.\.\.|\w+ +0x[0-9a-f]+|)$`)
	// traceOffset matches the code offset after a line number in a trace, including in JSON.
	traceOffset = regexp.MustCompile(` (?:\+|\\u002b|&#43;)0x[0-9a-f]+`)
	tracePlace  = regexp.MustCompile(`(?:\x1b\[7m)?\[\[ (Cell (?:\[\d+\] )?Line \d+) \]\]`)
	// programPlace matches the same position as Go prints it.
	programPlace = regexp.MustCompile(`(?m)^\s*(/.*/gonb_[^/]+/main\.go):(\d+)`)
	// besidePlace matches a position in the cell followed by the position in the program.
	besidePlace = regexp.MustCompile(`(\[\[ Cell (?:\[\d+\] )?Line \d+ \]\](?:\x1b\[\d*m)?)` + programPath.String())
	// reportPlace matches the first position in gonb's report on a failed program, in JSON.
	reportPlace = regexp.MustCompile(`gonb-cell-line-info\\"(?:>|\\u003e)Cell(?:(\[\d+\]):)? Line (\d+)`)
)

// next returns the kind of a line in a trace, given the kind of the line before it.
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

// filter takes the next piece of text, and returns the text that can be passed on now.
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

// line takes the next line, and returns the text that can be passed on now.
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

// endings lists the beginnings of lines that give the reason why a program ends.
var endings = []string{"panic: ", "fatal error: "}

func saysEnd(line string) bool {
	return slices.ContainsFunc(endings, func(begin string) bool { return strings.HasPrefix(line, begin) })
}

// mayMatter reports whether an incomplete line may become the first line of a trace, or a line with the reason why the
// program ends.
func (t *traceFilter) mayMatter(line string) bool {
	begins := endings
	if t.why {
		begins = append(slices.Clone(endings), "goroutine ", "[signal SIG", "runtime stack:")
	}
	return slices.ContainsFunc(begins, func(begin string) bool {
		return strings.HasPrefix(line, begin) && !slices.Contains(endings, begin) || strings.HasPrefix(begin, line)
	})
}

// report returns the text to show before gonb's report on a failed program. content is the report's message as JSON.
// The report always contains the position. The trace contains it only if gonb has read the line in one piece. The
// report may arrive before the line that reports how the program ended.
func (t *traceFilter) report(content []byte) string {
	if place := reportPlace.FindSubmatch(content); place != nil && t.place == "" {
		t.place = strings.TrimSpace("Cell "+string(place[1])) + " Line " + string(place[2])
	}
	if t.held == "" || t.last != traceExit {
		return ""
	}
	return t.end(true)
}

// end returns the held-back text, without the trace if the trace ends the program. If the trace contains no position in
// the cell, end uses the position in the report. If the report contains none either, end looks up the program's line in
// the code of the cell, because gonb does not change lines. It reads only files in the temporary folder. If a program
// runs without gonb (byGonb is false), no line reports how the program ended.
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

// traceExitLine matches a line that reports how a program ended, anywhere in text.
var traceExitLine = regexp.MustCompile(`(?m)` + traceExits.String())

// begin takes the content of an execute_input message, which contains the cell that the kernel is executing.
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

// lineOf returns the number of the source line that matches a line of the program, or 0 if there is none. If several
// lines match, it counts from the end, because a cell is at the end of its program.
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

// codeOf returns the tokens of a line. It leaves out "var", because gonb writes the variables of all cells into one
// declaration. There, "var a=f() // first" becomes "a = f()".
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

// cellOutput tracks the output of a cell that front ends have received. A page must be able to display all of this
// output, so output beyond the limits is left out. The program keeps running.
type cellOutput struct {
	traceFilter
	cell    *cellRequest       // nil for other requests; the cell's reply may arrive before all outputs
	extents map[string]*extent // the output so far by kind: stdout, stderr, pictures
}

// plain returns gonb's message about the cell, reworded for people.
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

// cut returns the part of some text that fits into the limits of its kind. When text does not fit for the first time,
// note reports it.
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
			const note = "[The rest of %s is left out: a cell shows at most 10,000 lines or %d MB of it.]\n"
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
