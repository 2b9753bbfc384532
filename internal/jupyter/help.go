package jupyter

import (
	"encoding/json"
	"regexp"
	"strings"
	"unicode/utf8"
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
	codeSpan = regexp.MustCompile("`([^`]+)`")
	fileLink = regexp.MustCompile(`\[([^\]]+)\]\(file:[^)\s]+\)`) // pages of a server cannot open those
	webLink  = regexp.MustCompile(`\[([^\]]+)\]\((https?://[^)\s]+)\)`)
	rule     = regexp.MustCompile(`^(-{3,}|\*{3,})$`)
	begins   = regexp.MustCompile(`^(#{1,6}|[-*]|[0-9]+\.) +`) // a heading, or an item of a list
	escape   = regexp.MustCompile("\\\\([!-/:-@\\[-`{-~])")
)

// helpWidth is how many characters a line of plain text has at most, where words can be parted.
const helpWidth = 80

// helpText turns the Markdown of gopls into plain text: code as it is, and paragraphs, headings and items of lists in
// lines that fit.
func helpText(text string) string {
	var parts []string
	var words string // of the paragraph that goes on
	code, fenced := false, false
	end := func() {
		if words != "" {
			parts = append(parts, wrapped(words))
		}
		words, code = "", false
	}
	for line := range strings.Lines(text) {
		bare := strings.TrimSpace(line)
		inner, indented := strings.CutPrefix(strings.Replace(line, "\t", "    ", 1), "    ")
		switch {
		case strings.HasPrefix(bare, "```"):
			fenced = !fenced
			end()
		case fenced || indented && words == "":
			if !fenced {
				line = inner
			}
			if !code {
				parts = append(parts, "")
			}
			code = true
			parts[len(parts)-1] += line
		case bare == "" || rule.MatchString(bare):
			end()
		case begins.MatchString(bare):
			end()
			words = begins.ReplaceAllStringFunc(bare, func(sign string) string {
				if sign[0] == '#' {
					return ""
				}
				return "• "
			})
		default:
			words += " " + bare
		}
	}
	end()
	for i := range parts {
		parts[i] = strings.TrimRight(parts[i], "\n")
	}
	return strings.Join(parts, "\n\n")
}

// wrapped is a paragraph without the signs of Markdown, broken between words. Lines below that of an item are indented.
func wrapped(words string) string {
	words = codeSpan.ReplaceAllString(escape.ReplaceAllString(words, "$1"), "$1")
	words = webLink.ReplaceAllString(words, "$1: $2")
	indent := ""
	if strings.HasPrefix(words, "• ") {
		indent = "  "
	}
	var out strings.Builder
	width := 0
	for i, word := range strings.Fields(words) {
		size := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case width+1+size > helpWidth:
			out.WriteString("\n" + indent)
			width = len(indent)
		default:
			out.WriteByte(' ')
			width++
		}
		out.WriteString(word)
		width += size
	}
	return out.String()
}
