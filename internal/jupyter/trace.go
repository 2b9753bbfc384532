package jupyter

import (
	"encoding/json"
	"regexp"
	"strings"
)

// traceFilter takes the traces of goroutines out of what a cell's program writes to stderr. What stays is the reason,
// and the first place in a cell that a trace names. The text comes in pieces, cut anywhere, so the last line is kept
// until its end is there, while it may be one that matters.
type traceFilter struct {
	rest    string // a line without an end
	inside  bool   // what was let through ends inside a line
	tracing bool
	placed  bool
}

var (
	traceBegins = regexp.MustCompile(`^(goroutine \d+ .*\[.*\]:|\[signal SIG.*|runtime stack:)$`)
	// traceOffset is what a trace has behind the number of a line, in JSON.
	traceOffset = regexp.MustCompile(` (?:\+|\\u002b|&#43;)0x[0-9a-f]+`)
	tracePlace  = regexp.MustCompile(`(?:\x1b\[7m)?\[\[ (Cell (?:\[\d+\] )?Line \d+) \]\]`)
)

// stream filters the content of a message with a stream, and says whether it has changed; nil if nothing is left.
func (t *traceFilter) stream(content []byte) ([]byte, bool) {
	var in struct {
		Name string `json:"name"`
		Text string `json:"text"`
	}
	if json.Unmarshal(content, &in) != nil || in.Name != "stderr" {
		return content, false
	}
	text := t.filter(in.Text)
	switch text {
	case in.Text:
		return content, false
	case "":
		return nil, true
	}
	in.Text = text
	return encoded(in), true
}

// filter returns what is left of a piece of text.
func (t *traceFilter) filter(text string) string {
	var out strings.Builder
	for line := range strings.Lines(t.rest + text) {
		t.rest = ""
		whole := strings.HasSuffix(line, "\n")
		if t.inside && !t.tracing {
			t.inside = !whole
			out.WriteString(line)
			continue
		}
		if !whole && (t.tracing || strings.HasPrefix(line, "goroutine") || strings.HasPrefix("goroutine", line)) {
			t.rest = line
			break
		}
		bare := strings.TrimRight(line, "\r\n")
		switch {
		case strings.HasPrefix(bare, "exit status ") || strings.HasPrefix(bare, "signal: ") || strings.HasPrefix(bare, "^C"):
			t.tracing, t.inside = false, !whole
			out.WriteString(line)
		case traceBegins.MatchString(bare):
			t.tracing = true
		case t.tracing:
			if place := tracePlace.FindStringSubmatch(bare); place != nil && !t.placed {
				t.placed = true
				out.WriteString("  at [[ " + place[1] + " ]]\n")
			}
		default:
			t.inside = !whole
			out.WriteString(line)
		}
	}
	return out.String()
}

// end returns the last line, if it has no end and belongs to no trace.
func (t *traceFilter) end() string {
	rest := t.rest
	t.rest = ""
	if t.tracing {
		return ""
	}
	return rest
}
