package jupyter

import (
	"encoding/json"
	"regexp"
	"strings"
)

// withHelp adds plain text to an answer that explains a name in Markdown alone, since Jupyter Notebook 6 shows nothing
// else. Newer front ends show the Markdown.
func (f *proxy) withHelp(m message, frames [][]byte) [][]byte {
	var content map[string]json.RawMessage
	var data map[string]any
	if json.Unmarshal(m.content, &content) != nil || json.Unmarshal(content["data"], &data) != nil {
		return frames
	}
	if plain, _ := data["text/plain"].(string); plain == goplsLate {
		data["text/plain"] = "gopls is still reading the packages: ask again in a moment"
	} else if goplsSilent.MatchString(plain) {
		content["found"] = encoded(false)
		clear(data)
	} else if text, ok := data["text/markdown"].(string); ok {
		text = fileLink.ReplaceAllString(text, "$1")
		data["text/markdown"] = text
		if data["text/plain"] == nil {
			data["text/plain"] = helpText(text)
		}
	} else {
		return frames
	}
	content["data"] = encoded(data)
	return f.changed(frames, encoded(content))
}

// goplsLate is what gonb says where it has waited for gopls long enough.
const goplsLate = "context deadline exceeded"

// goplsSilent is what gonb makes of it where gopls has nothing to say.
var goplsSilent = regexp.MustCompile(
	`^(gopls request returned 'hover' with unexpected kind ""|line number [0-9]+ out of range [0-9]+-[0-9]+)(\n|$)`)

var (
	fileLink = regexp.MustCompile(`\[([^\]]+)\]\(file:[^)\s]+\)`) // pages of a server cannot open those
	webLink  = regexp.MustCompile(`\[([^\]]+)\]\((https?://[^)\s]+)\)`)
	codeSpan = regexp.MustCompile("`([^`]+)`")
	escape   = regexp.MustCompile("\\\\([!-/:-@\\[-`{-~])")
	begins   = regexp.MustCompile(`(?m)^(#{1,6} +|(-{3,}|\*{3,})$)`) // of a heading, or a rule
	apart    = regexp.MustCompile(`\n{3,}`)
)

// helpText turns the Markdown of gopls into plain text: all but code loses the signs of Markdown. Lines stay as their
// author broke them.
func helpText(text string) string {
	var out strings.Builder
	fenced := false
	for line := range strings.Lines(text) {
		fence := strings.HasPrefix(line, "```")
		if fenced = fenced != fence; !fenced && !strings.HasPrefix(line, "\t") {
			line = begins.ReplaceAllString(line, "")
			line = codeSpan.ReplaceAllString(escape.ReplaceAllString(line, "$1"), "$1")
			line = webLink.ReplaceAllString(line, "$1: $2")
		}
		if !fence {
			out.WriteString(line)
		}
	}
	return apart.ReplaceAllString(strings.TrimSpace(out.String()), "\n\n")
}
