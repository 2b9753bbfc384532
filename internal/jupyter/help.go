package jupyter

import (
	"encoding/json"
	"html"
	"regexp"
	"strings"
)

// withHelp adds HTML and plain text to an answer that explains a name in Markdown alone: Jupyter Notebook 6 shows no
// Markdown there.
func (f *front) withHelp(m message, frames [][]byte) [][]byte {
	var content map[string]json.RawMessage
	var data map[string]any
	if json.Unmarshal(m.content, &content) != nil || json.Unmarshal(content["data"], &data) != nil {
		return frames
	}
	text, ok := data["text/markdown"].(string)
	if !ok {
		return frames
	}
	if data["text/html"] == nil {
		data["text/html"] = helpHTML(text)
	}
	if data["text/plain"] == nil {
		data["text/plain"] = text
	}
	content["data"] = encoded(data)
	return f.changed(frames, encoded(content))
}

var (
	helpCode = regexp.MustCompile("`([^`]+)`")
	helpLink = regexp.MustCompile(`\[([^\]]+)\]\((https?://[^)\s]+)\)`)
	helpRule = regexp.MustCompile(`^(-{3,}|\*{3,})$`)
	helpHead = regexp.MustCompile(`^#{1,6} `)
	helpBack = regexp.MustCompile("\\\\([!-/:-@\\[-`{-~])")
)

// helpHTML turns what gopls says of a name into HTML: fenced code, paragraphs, headings, code and links.
func helpHTML(text string) string {
	var out, paragraph strings.Builder
	end := func() {
		if paragraph.Len() > 0 {
			out.WriteString("<p>" + strings.TrimSpace(paragraph.String()) + "</p>\n")
			paragraph.Reset()
		}
	}
	fenced := false
	for line := range strings.Lines(text) {
		bare := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(bare, "```"):
			end()
			out.WriteString(map[bool]string{false: "<pre>", true: "</pre>\n"}[fenced])
			fenced = !fenced
		case fenced:
			out.WriteString(html.EscapeString(line))
		case bare == "":
			end()
		case helpRule.MatchString(bare):
			end()
			out.WriteString("<hr>\n")
		case helpHead.MatchString(bare):
			end()
			out.WriteString("<p><b>" + helpWords(helpHead.ReplaceAllString(bare, "")) + "</b></p>\n")
		default:
			paragraph.WriteString(helpWords(bare) + "\n")
		}
	}
	if fenced {
		out.WriteString("</pre>\n")
	}
	end()
	return out.String()
}

// helpWords turns a line of text into HTML.
func helpWords(line string) string {
	line = html.EscapeString(helpBack.ReplaceAllString(line, "$1"))
	line = helpCode.ReplaceAllString(line, "<code>$1</code>")
	return helpLink.ReplaceAllString(line, `<a href="$2" target="_blank" rel="noopener">$1</a>`)
}
