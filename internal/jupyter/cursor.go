package jupyter

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/scanner"
	"go/token"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// cursorRequest is a front end's request about a position in a cell.
type cursorRequest struct {
	Code   string `json:"code"`
	Cursor int    `json:"cursor_pos"` // in code points; gonb expects UTF-16 units
	Detail int    `json:"detail_level"`
}

// to sets the cursor to a byte offset, in the form that gonb expects. gonb passes a number of bytes to gopls, but gopls
// expects UTF-16 units. So, where it can, to replaces non-ASCII characters before the cursor in its line: in strings
// and comments.
func (r *cursorRequest) to(at int) {
	points := utf8.RuneCountInString(r.Code[:at])
	r.Code = plainBefore(r.Code, at)
	r.Cursor = len(utf16.Encode([]rune(r.Code[:byteAt(r.Code, points)])))
}

// plainBefore returns the cell with an x for each non-ASCII character in strings and comments between the beginning
// of the line and at.
func plainBefore(code string, at int) string {
	from := strings.LastIndexByte(code[:at], '\n') + 1
	line := []byte(code[:from])
	plainTo := from
	for s, file := scan(code, scanner.ScanComments); ; {
		pos, kind, text := s.Scan()
		start := file.Offset(pos)
		if kind == token.EOF || start >= at {
			break
		}
		start, end := max(start, from), min(start+len(text), at)
		if kind != token.STRING && kind != token.CHAR && kind != token.COMMENT || end <= start {
			continue
		}
		line = append(line, code[plainTo:start]...)
		for _, r := range code[start:end] {
			if r > unicode.MaxASCII {
				r = 'x'
			}
			line = append(line, byte(r))
		}
		plainTo = end
	}
	return string(line) + code[plainTo:]
}

// atName moves the cursor of a request for help to the identifier that the request is about. It returns false if there
// is none, because gonb would then search forever, for example if the cursor is at the comma of "a, b := 3, 4".
func (f *proxy) atName(m message, frames [][]byte) ([][]byte, bool) {
	var r cursorRequest
	if json.Unmarshal(m.content, &r) != nil {
		return nil, false
	}
	code, survives := forCursor(r.Code)
	if !survives {
		return nil, false
	}
	r.Code = code
	at, found := askedName(r.Code, byteAt(r.Code, r.Cursor))
	if main, is := typedAt(r.Code); is && main <= at {
		r.Code, at = r.Code[:main]+mainLine+r.Code[main:], at+len(mainLine)
	}
	r.to(at)
	return f.changed(frames, encoded(r)), found
}

// atCursor returns a request for completions in the form that gonb expects, the text of its cell, and the position of
// an inserted line %%. Without that line, gonb would expect a declaration, so atCursor inserts it before a statement in
// a cell that lacks it. If code is "", there are no completions.
func (f *proxy) atCursor(m message, frames [][]byte) (out [][]byte, code string, main int) {
	var r cursorRequest
	if json.Unmarshal(m.content, &r) != nil {
		return frames, "", -1
	}
	var survives bool
	if r.Code, survives = forCursor(r.Code); !survives {
		return frames, "", -1
	}
	cursor, main := byteAt(r.Code, r.Cursor), -1
	at, is := typedAt(r.Code)
	if !is || at > cursor {
		at, is = statementAt(r.Code, cursor)
	}
	if is {
		main, cursor = utf8.RuneCountInString(r.Code[:at]), cursor+len(mainLine)
		r.Code = r.Code[:at] + mainLine + r.Code[at:]
	}
	r.to(cursor)
	return f.changed(frames, encoded(r)), r.Code, main
}

// mainLine is the line that precedes the statements of a cell.
const mainLine = "%%\n"

// declares matches the beginning of a line that is not a statement in a cell without the line %%: a declaration, a
// comment, a command, or the end or the inside of a block.
var declares = regexp.MustCompile(`^(?:(?:import|package|var|const|type|func)\b|//|/\*|[%!)}\s]|$)`)

// hasMain matches text with a line that precedes the statements of a cell.
var hasMain = regexp.MustCompile(`(?m)^%(?:%|main\b|test\b)`)

// statementAt returns the offset of the cursor's line if that line is a statement in a cell without a line %%.
func statementAt(code string, cursor int) (at int, is bool) {
	at = strings.LastIndexByte(code[:cursor], '\n') + 1
	line, _, _ := strings.Cut(code[at:], "\n")
	if declares.MatchString(line) || hasMain.MatchString(code[:at]) {
		return 0, false
	}
	depth := 0
	for s, _ := scan(code[:at], 0); ; {
		switch _, kind, _ := s.Scan(); kind {
		case token.EOF:
			return at, depth == 0
		case token.LBRACE, token.LPAREN, token.LBRACK:
			depth++
		case token.RBRACE, token.RPAREN, token.RBRACK:
			depth--
		}
	}
}

// described adds Pygments' name of the language to gonb's kernel_info_reply, because nbconvert uses that name. Front
// ends copy the reply into the notebooks that they save.
func (f *proxy) described(m message, frames [][]byte) [][]byte {
	var content, language map[string]json.RawMessage
	if json.Unmarshal(m.content, &content) != nil || json.Unmarshal(content["language_info"], &language) != nil {
		return frames
	}
	language["pygments_lexer"] = encoded("go")
	content["language_info"] = encoded(language)
	return f.changed(frames, encoded(content))
}

// replaced returns gonb's answer to a request for completions, with the range to replace in code points.
func (f *proxy) replaced(m message, frames [][]byte, by asking) [][]byte {
	var content map[string]json.RawMessage
	if json.Unmarshal(m.content, &content) != nil {
		return frames
	}
	text := utf16.Encode([]rune(by.code))
	for _, name := range []string{"cursor_start", "cursor_end"} {
		var at int
		if json.Unmarshal(content[name], &at) != nil {
			return frames
		}
		points := len(utf16.Decode(text[:min(max(at, 0), len(text))]))
		if by.main >= 0 && points > by.main {
			points = max(by.main, points-len(mainLine))
		}
		content[name] = encoded(points)
	}
	return f.changed(frames, encoded(content))
}

// byteAt returns the byte offset of a code point, or the length of the text if it has fewer code points.
func byteAt(text string, points int) int {
	for at := range text {
		if points <= 0 {
			return at
		}
		points--
	}
	return len(text)
}

// commandLine matches a line that gonb reads as a command.
var commandLine = regexp.MustCompile(`(?m)^(//gonb:)?[%!].*$`)

// askedName returns the offset of the identifier that a cursor in a cell refers to. If the cursor touches an
// identifier, it is that one. Otherwise it is the name of the function or type whose brackets contain the cursor or end
// directly before it. In a line with a command, askedName returns the start of the line.
func askedName(code string, cursor int) (at int, found bool) {
	line := strings.LastIndexByte(code[:cursor], '\n') + 1
	if place := commandLine.FindStringIndex(code[line:]); place != nil && place[0] == 0 {
		return line, true
	}
	s, file := scan(code, 0)
	within := []bracket{{name: -1, block: true}}
	before := -1  // the start of the last name before the cursor, or of the name whose brackets end there
	touched := -1 // the start of the name whose brackets end at the cursor
	for {
		pos, kind, text := s.Scan()
		start := file.Offset(pos)
		if kind == token.EOF || start > cursor || start == cursor && kind != token.IDENT {
			break
		}
		here := &within[len(within)-1]
		name := -1
		switch kind {
		case token.IDENT:
			if cursor <= start+len(text) {
				return start, true
			}
			name = start
		case token.FUNC, token.IF, token.FOR, token.SWITCH, token.SELECT, token.STRUCT, token.INTERFACE:
			here.blockNext = true
		case token.SEMICOLON:
			if text == "\n" {
				here.blockNext = false
			}
		case token.LPAREN, token.LBRACK, token.LBRACE:
			inner := bracket{name: before}
			if kind == token.LBRACE && here.blockNext {
				here.blockNext, inner = false, bracket{name: -1, block: true}
			}
			within = append(within, inner)
		case token.RPAREN, token.RBRACK, token.RBRACE:
			if len(within) > 1 {
				within = within[:len(within)-1]
				name = here.name
			}
			if start+1 == cursor {
				touched = name
			}
			if kind == token.RBRACE {
				name = -1
			}
		}
		before = name
	}
	if touched >= 0 {
		return touched, true
	}
	for i := len(within) - 1; !within[i].block; i-- { // only up to the innermost block
		if within[i].name >= 0 {
			return within[i].name, true
		}
	}
	return 0, false
}

// scan creates a scanner for the Go code of a cell. It ignores errors, and replaces commands with spaces.
func scan(code string, mode scanner.Mode) (*scanner.Scanner, *token.File) {
	source := withoutCommands(code)
	file := token.NewFileSet().AddFile("", -1, len(source))
	var s scanner.Scanner
	s.Init(file, []byte(source), func(token.Position, string) {}, mode)
	return &s, file
}

// bracket is an open bracket.
type bracket struct {
	name      int  // the start of the name before it, or -1
	block     bool // the bracket contains statements, not values
	blockNext bool // the next brace in it opens a block
}

// emptyScript matches the beginning of a cell with %%script but no program name.
var emptyScript = regexp.MustCompile(`^((?://gonb:)?%%script)[ \t]*(\n|$)`)

// defaults contains the fields without which gonb would panic, by kind of message, with the protocol's default values.
// gonb also panics if a field has the wrong type.
var defaults = map[string]map[string]any{
	"execute_request": {
		"code": "", "silent": false, "store_history": true, "allow_stdin": true, "stop_on_error": true,
	},
	"complete_request": {"code": "", "cursor_pos": 0.},
	"inspect_request":  {"code": "", "cursor_pos": 0., "detail_level": 0.},
	"input_reply":      {"value": ""},
}

// survivableMessage adds to a message's content all fields that gonb needs. The error explains why gonb must not get
// the message. gonb and this package parse JSON alike, with the same limit on its depth.
func (f *proxy) survivableMessage(c channel, m message, frames [][]byte) (message, [][]byte, error) {
	var metadata, content map[string]any
	if json.Unmarshal(frames[4], &metadata) != nil || json.Unmarshal(m.content, &content) != nil || content == nil {
		return m, nil, errors.New("the metadata and content of a message must be JSON objects at most " +
			"10,000 levels deep")
	}
	if c == control && !slices.Contains(onControl, m.header.Type) {
		return m, nil, fmt.Errorf("%s must be sent on the channel shell", m.header.Type)
	}
	asked := defaults[m.header.Type]
	for name, usual := range asked {
		value, there := content[name]
		if !there {
			content[name] = usual
		} else if reflect.TypeOf(value) != reflect.TypeOf(usual) {
			return m, nil, fmt.Errorf("%s of %s must have the same JSON type as %s", name, m.header.Type,
				encoded(usual))
		}
	}
	if asked != nil {
		m.content = encoded(content)
		frames = f.changed(frames, m.content)
	}
	return m, frames, nil
}

// onControl lists the requests that gonb answers on the control channel as on the shell channel, and that cannot make
// gonb panic.
var onControl = []string{"interrupt_request", "shutdown_request", "kernel_info_request", "comm_info_request"}

// withHelp adds plain text to a help text that is only in Markdown, because Jupyter Notebook 6 shows only plain text.
// Newer front ends show the Markdown.
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

// goplsLate is gonb's message when gopls has taken too long.
const goplsLate = "context deadline exceeded"

// goplsSilent matches gonb's message when gopls has nothing to say about an identifier.
var goplsSilent = regexp.MustCompile(
	`^(gopls request returned 'hover' with unexpected kind ""|line number [0-9]+ out of range [0-9]+-[0-9]+)(\n|$)`)

var (
	fileLink = regexp.MustCompile(`\[([^\]]+)\]\(file:[^)\s]+\)`) // a page from a server cannot open such links
	webLink  = regexp.MustCompile(`\[([^\]]+)\]\((https?://[^)\s]+)\)`)
	codeSpan = regexp.MustCompile("`([^`]+)`")
	escape   = regexp.MustCompile("\\\\([!-/:-@\\[-`{-~])")
	begins   = regexp.MustCompile(`(?m)^(#{1,6} +|(-{3,}|\*{3,})$)`) // the beginning of a heading, or a horizontal rule
	apart    = regexp.MustCompile(`\n{3,}`)
)

// helpText converts gopls's Markdown to plain text: it removes all markup except in code, and keeps line breaks.
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
