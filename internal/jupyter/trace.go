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
	tracing bool
	placed  bool
}

var (
	traceBegins = regexp.MustCompile(`^(goroutine \d+ .*\[.*\]:|\[signal SIG.*|runtime stack:)$`)
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
		if !strings.HasSuffix(line, "\n") && (t.tracing || strings.HasPrefix(line, "goroutine") || strings.HasPrefix("goroutine", line)) {
			t.rest = line
			break
		}
		bare := strings.TrimRight(line, "\r\n")
		switch {
		case strings.HasPrefix(bare, "exit status ") || strings.HasPrefix(bare, "signal: ") || strings.HasPrefix(bare, "^C"):
			t.tracing = false
			out.WriteString(line)
		case traceBegins.MatchString(bare):
			t.tracing = true
		case t.tracing:
			if place := tracePlace.FindStringSubmatch(bare); place != nil && !t.placed {
				t.placed = true
				out.WriteString("  at " + place[1] + "\n")
			}
		default:
			out.WriteString(line)
		}
	}
	return out.String()
}
