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

// cursorRequest is what a front end asks about a place in a cell.
type cursorRequest struct {
	Code   string `json:"code"`
	Cursor int    `json:"cursor_pos"` // in code points; gonb takes UTF-16
	Detail int    `json:"detail_level"`
}

// to has the cursor at a place, for gonb. It counts in bytes what gopls takes for UTF-16, so that the line before the
// cursor gets other letters where it may: in strings and comments.
func (r *cursorRequest) to(at int) {
	points := utf8.RuneCountInString(r.Code[:at])
	r.Code = plainBefore(r.Code, at)
	r.Cursor = len(utf16.Encode([]rune(r.Code[:byteAt(r.Code, points)])))
}

// plainBefore is a cell whose strings and comments in the line before a place have an x for each character that is not
// ASCII.
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

// atName turns the cursor of a request for help to the name that it asks for, and is false where it asks for none: gonb
// would look for one for ever, as from the comma of "a, b := 3, 4".
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

// atCursor is a request for completions as gonb takes it, the text of its cell, and where a line %% was added to it:
// before a statement in a cell that has none yet, where gonb would look for a declaration. There are none where it has
// no text.
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

// mainLine is the line below which a cell has statements.
const mainLine = "%%\n"

// declares matches the beginning of a line that is no statement in a cell without the line %%: a declaration, a
// comment, a command, or the end or the inside of a block.
var declares = regexp.MustCompile(`^(?:(?:import|package|var|const|type|func)\b|//|/\*|[%!)}\s]|$)`)

// hasMain matches a text with a line below which a cell has statements.
var hasMain = regexp.MustCompile(`(?m)^%(?:%|main\b|test\b)`)

// statementAt returns where the line of the cursor begins, if that is a statement in a cell without the line %%.
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

// described is gonb's answer about itself, with the name by which Pygments, and so nbconvert, knows its language. Front
// ends write it into the notebooks that they save.
func (f *proxy) described(m message, frames [][]byte) [][]byte {
	var content, language map[string]json.RawMessage
	if json.Unmarshal(m.content, &content) != nil || json.Unmarshal(content["language_info"], &language) != nil {
		return frames
	}
	language["pygments_lexer"] = encoded("go")
	content["language_info"] = encoded(language)
	return f.changed(frames, encoded(content))
}

// replaced is gonb's answer to a request for completions in a cell, with the place that they replace in code points.
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

// byteAt is the place in bytes of the one in code points, the nearest that there is.
func byteAt(text string, points int) int {
	for at := range text {
		if points <= 0 {
			return at
		}
		points--
	}
	return len(text)
}

// commandLine is a line that gonb reads as a command.
var commandLine = regexp.MustCompile(`(?m)^(//gonb:)?[%!].*$`)

// askedName is where the name begins that a cursor in a cell asks for: the name that it touches; otherwise that of the
// function or type in whose brackets, or behind whose brackets, it is. In the line of a command it is the line.
func askedName(code string, cursor int) (at int, found bool) {
	line := strings.LastIndexByte(code[:cursor], '\n') + 1
	if place := commandLine.FindStringIndex(code[line:]); place != nil && place[0] == 0 {
		return line, true
	}
	s, file := scan(code, 0)
	within := []bracket{{name: -1, block: true}}
	before := -1  // the name of the token before, or of what its brackets belong to
	touched := -1 // that of brackets that end at the cursor
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
	for i := len(within) - 1; !within[i].block; i-- { // in the innermost block
		if within[i].name >= 0 {
			return within[i].name, true
		}
	}
	return 0, false
}

// scan begins to read the Go of a cell, whatever is wrong with it; commands are spaces.
func scan(code string, mode scanner.Mode) (*scanner.Scanner, *token.File) {
	source := withoutCommands(code)
	file := token.NewFileSet().AddFile("", -1, len(source))
	var s scanner.Scanner
	s.Init(file, []byte(source), func(token.Position, string) {}, mode)
	return &s, file
}

// bracket is an opened one.
type bracket struct {
	name      int  // where the name begins that it stands behind, or -1
	block     bool // it has statements, not values
	blockNext bool // the next brace in it opens a block
}

// emptyScript matches the beginning of a cell that is a script for no program.
var emptyScript = regexp.MustCompile(`^((?://gonb:)?%%script)[ \t]*(\n|$)`)

// defaults are what gonb asks of the content of messages, and would panic without, with the protocol's defaults. Their
// types count too.
var defaults = map[string]map[string]any{
	"execute_request": {
		"code": "", "silent": false, "store_history": true, "allow_stdin": true, "stop_on_error": true,
	},
	"complete_request": {"code": "", "cursor_pos": 0.},
	"inspect_request":  {"code": "", "cursor_pos": 0., "detail_level": 0.},
	"input_reply":      {"value": ""},
}

// survivableMessage is a message on a channel whose headers have been read, with what gonb asks of its content. The
// error says why there is none. gonb reads JSON as we do, with the same bound on its depth.
func (f *proxy) survivableMessage(c channel, m message, frames [][]byte) (message, [][]byte, error) {
	var metadata, content map[string]any
	if json.Unmarshal(frames[4], &metadata) != nil || json.Unmarshal(m.content, &content) != nil || content == nil {
		return m, nil, errors.New("metadata and content of a message have to be JSON objects of at most 10,000 levels")
	}
	if c == control && !slices.Contains(onControl, m.header.Type) {
		return m, nil, fmt.Errorf("%s belongs on the channel shell", m.header.Type)
	}
	asked := defaults[m.header.Type]
	for name, usual := range asked {
		value, there := content[name]
		if !there {
			content[name] = usual
		} else if reflect.TypeOf(value) != reflect.TypeOf(usual) {
			return m, nil, fmt.Errorf("%s of %s has to be of the type of %q", name, m.header.Type, encoded(usual))
		}
	}
	if asked != nil {
		m.content = encoded(content)
		frames = f.changed(frames, m.content)
	}
	return m, frames, nil
}

// onControl are the requests that gonb answers on control as on shell, and that hold nothing which it would panic at.
var onControl = []string{"interrupt_request", "shutdown_request", "kernel_info_request", "comm_info_request"}

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
