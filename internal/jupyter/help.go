package jupyter

import (
	"encoding/json"
	"html"
	"regexp"
	"strings"
	"unicode/utf8"
)

// withHelp adds HTML and plain text to an answer that explains a name in Markdown alone. Jupyter Notebook 6 shows the
// plain text.
func (f *front) withHelp(m message, frames [][]byte) [][]byte {
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
		if data["text/html"] == nil {
			data["text/html"] = helpHTML(text)
		}
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
var goplsSilent = regexp.MustCompile(`^(gopls request returned 'hover' with unexpected kind ""|line number [0-9]+ out of range [0-9]+-[0-9]+)(\n|$)`)

// helpBlock is a part of what gopls says of a name.
type helpBlock struct {
	kind helpKind
	text string // for code as it is, otherwise a line of Markdown
}

type helpKind int

const (
	helpWords helpKind = iota
	helpItem
	helpHeading
	helpCode
	helpRule
)

var (
	codeSpan = regexp.MustCompile("`([^`]+)`")
	fileLink = regexp.MustCompile(`\[([^\]]+)\]\(file:[^)\s]+\)`) // pages of a server cannot open those
	webLink  = regexp.MustCompile(`\[([^\]]+)\]\((https?://[^)\s]+)\)`)
	rule     = regexp.MustCompile(`^(-{3,}|\*{3,})$`)
	heading  = regexp.MustCompile(`^#{1,6} `)
	item     = regexp.MustCompile(`^ *([-*]|[0-9]+\.) +`)
	escape   = regexp.MustCompile("\\\\([!-/:-@\\[-`{-~])")
)

// helpBlocks parts what gopls writes: fenced and indented code, rules, headings, lists and paragraphs.
func helpBlocks(text string) []helpBlock {
	var blocks []helpBlock
	fenced, open := false, false // open is a block that the next line goes on with
	add := func(kind helpKind, text string, goesOn bool) {
		blocks, open = append(blocks, helpBlock{kind, text}), goesOn
	}
	for line := range strings.Lines(text) {
		bare := strings.TrimSpace(line)
		last := len(blocks) - 1
		goesOn := func(kind helpKind) bool { return open && blocks[last].kind == kind }
		switch code, indented := strings.CutPrefix(strings.Replace(line, "\t", "    ", 1), "    "); {
		case strings.HasPrefix(bare, "```"):
			if fenced = !fenced; fenced {
				add(helpCode, "", true)
			} else {
				open = false
			}
		case fenced, indented && goesOn(helpCode):
			if !fenced {
				line = code
			}
			blocks[last].text += line
		case bare == "":
			open = false
		case indented && !open:
			add(helpCode, code, true)
		case rule.MatchString(bare):
			add(helpRule, "", false)
		case heading.MatchString(bare):
			add(helpHeading, heading.ReplaceAllString(bare, ""), false)
		case item.MatchString(line):
			add(helpItem, item.ReplaceAllString(line, ""), true)
			blocks[last+1].text = strings.TrimSpace(blocks[last+1].text)
		case goesOn(helpWords), goesOn(helpItem):
			blocks[last].text += " " + bare
		default:
			add(helpWords, bare, true)
		}
	}
	return blocks
}

// helpHTML turns what gopls says of a name into HTML.
func helpHTML(text string) string {
	var out strings.Builder
	for _, b := range helpBlocks(text) {
		switch b.kind {
		case helpCode:
			out.WriteString("<pre>" + html.EscapeString(b.text) + "</pre>\n")
		case helpRule:
			out.WriteString("<hr>\n")
		case helpHeading:
			out.WriteString("<p><b>" + wordsHTML(b.text) + "</b></p>\n")
		case helpItem:
			out.WriteString("<p>• " + wordsHTML(b.text) + "</p>\n")
		default:
			out.WriteString("<p>" + wordsHTML(b.text) + "</p>\n")
		}
	}
	return out.String()
}

// wordsHTML turns a line of Markdown into HTML.
func wordsHTML(line string) string {
	line = html.EscapeString(escape.ReplaceAllString(line, "$1"))
	line = codeSpan.ReplaceAllString(line, "<code>$1</code>")
	return webLink.ReplaceAllString(line, `<a href="$2" target="_blank" rel="noopener">$1</a>`)
}

// helpWidth is how many characters a line of plain text has at most, where words can be parted.
const helpWidth = 80

// helpText turns what gopls says of a name into plain text.
func helpText(text string) string {
	var parts []string
	for _, b := range helpBlocks(text) {
		switch b.kind {
		case helpCode:
			parts = append(parts, strings.TrimRight(b.text, "\n"))
		case helpRule:
		case helpItem:
			parts = append(parts, "• "+wrapped(wordsText(b.text), "  "))
		default:
			parts = append(parts, wrapped(wordsText(b.text), ""))
		}
	}
	return strings.Join(parts, "\n\n")
}

// wordsText turns a line of Markdown into plain text.
func wordsText(line string) string {
	line = codeSpan.ReplaceAllString(escape.ReplaceAllString(line, "$1"), "$1")
	return webLink.ReplaceAllString(line, "$1: $2")
}

// wrapped breaks a line between words. All lines but the first are indented.
func wrapped(line, indent string) string {
	var out strings.Builder
	width := 0
	for i, word := range strings.Fields(line) {
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
