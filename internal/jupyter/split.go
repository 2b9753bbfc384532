package jupyter

import (
	"bytes"
	"fmt"
	"go/scanner"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// gonb reads a cell line by line. It treats a line that begins with % or ! as a command, and drops a line that begins
// with "package", even inside a string. So Go's scanner reads a cell first.

// cellParts holds the parts of a cell that must be changed before gonb reads the cell, in order. The rest is Go code
// without tokens that span lines.
type cellParts []cellPart

// cellPart is a part of a cell, as byte offsets.
type cellPart struct {
	kind     partKind
	from, to int
	before   token.Token // the token before a string
	text     string      // the text to insert
}

type partKind int

const (
	commandPart partKind = iota // a command with its continuation lines, up to the end of the last line
	textPart                    // a raw string of several lines
	commentPart                 // a comment of several lines
	openPart                    // a string or a comment that is not terminated
	packagePart                 // an empty part before a name that begins a line and starts with "package"
	blankPart                   // the name _ of an import, and its path
	insertPart                  // an empty part where text is inserted
)

// misread matches the beginning of a line that gonb does not read as Go.
var misread = regexp.MustCompile(`(?m)^(?:(?://gonb:)?[%!]|package)`)

// isCommand reports whether text begins with a line that gonb treats as a command.
func isCommand(text string) bool {
	line, _, _ := strings.Cut(text, "\n")
	line = strings.TrimPrefix(line, gonbComment)
	return len(line) > 1 && (line[0] == '%' || line[0] == '!')
}

// gonbComment may precede a command, so that other programs can read the cell as Go.
const gonbComment = "//gonb:"

// commandEnd returns the end of the command that begins at a given offset. A backslash at the end of a line continues
// the command on the next line.
func commandEnd(code string, at int) int {
	for {
		line, _, more := strings.Cut(code[at:], "\n")
		at += len(line)
		if !more || !strings.HasSuffix(strings.TrimPrefix(line, gonbComment), `\`) {
			return at
		}
		at++
	}
}

// splitCell returns the parts of a cell.
func splitCell(code string) (parts cellParts) {
	source := []byte(code)
	for at := 0; at < len(code); {
		if isCommand(code[at:]) {
			end := commandEnd(code, at)
			parts = append(parts, cellPart{kind: commandPart, from: at, to: end})
			at = end + 1
			continue
		}
		at = parts.read(code, source, at)
	}
	return parts
}

// Commands returns the ranges of the commands in a cell, from the first byte to the end of the last line.
func Commands(code string) (places [][2]int) {
	for _, p := range splitCell(code) {
		if p.kind == commandPart {
			places = append(places, [2]int{p.from, p.to})
		}
	}
	return places
}

// read adds the parts of the Go code from an offset to the next command, and returns the offset of that command.
func (parts *cellParts) read(code string, source []byte, at int) int {
	file := token.NewFileSet().AddFile("", -1, len(source)-at)
	var s scanner.Scanner
	s.Init(file, source[at:], func(token.Position, string) {}, scanner.ScanComments)
	underscore := 0 // the offset of _ as the name of an import
	for before := token.SEMICOLON; ; {
		pos, kind, text := s.Scan()
		from := at + file.Offset(pos)
		atLine := from == 0 || code[from-1] == '\n'
		rest := code[from:]
		to, found := 0, true
		part := commentPart
		switch {
		case kind == token.EOF:
			return len(code)
		case kind == token.SEMICOLON && text == "\n":
			before, underscore = kind, 0
			continue
		case atLine && isCommand(rest):
			return from
		case atLine && strings.HasPrefix(rest, "package") && !packageClause.MatchString(rest):
			*parts = append(*parts, cellPart{kind: packagePart, from: from, to: from, before: before})
		case kind == token.STRING && underscore > 0:
			*parts = append(*parts, cellPart{kind: blankPart, from: underscore, to: from + len(text), before: before})
			before, underscore = kind, 0
			continue
		case kind == token.STRING && rest[0] == '`':
			part = textPart
			to, found = endOf(rest, 1, "`")
		case kind == token.COMMENT && strings.HasPrefix(rest, "/*"):
			to, found = endOf(rest, 2, "*/")
		}
		if !found {
			part, to = openPart, len(rest)
		}
		underscore = 0
		if text == "_" && (before == token.IMPORT || before == token.LPAREN || before == token.SEMICOLON) {
			underscore = from
		}
		if strings.Contains(rest[:to], "\n") || !found {
			*parts = append(*parts, cellPart{kind: part, from: from, to: from + to, before: before})
		}
		if kind != token.COMMENT {
			before = kind
		}
	}
}

// packageClause matches a real package clause, which gonb rightly drops.
var packageClause = regexp.MustCompile(`^package[ \t]+[\pL_][\pL_\d]*[ \t\r]*;?[ \t\r]*(?://.*)?(?:\n|$)`)

// endOf returns the end of a token that is terminated by mark, and whether the mark was found.
func endOf(text string, from int, mark string) (int, bool) {
	at := strings.Index(text[from:], mark)
	return from + at + len(mark), at >= 0
}

// command returns the command as gonb reads it: with its lines joined, and without the prefix gonbComment.
func (p cellPart) command(code string) string {
	var all strings.Builder
	for line := range strings.Lines(code[p.from:p.to]) {
		line = strings.TrimPrefix(strings.TrimRight(line, "\r\n"), gonbComment)
		if cut, more := strings.CutSuffix(line, `\`); more {
			line = cut + " "
		}
		all.WriteString(line)
	}
	return all.String()
}

// beginsBody matches a command that is followed by the statements of a cell.
var beginsBody = regexp.MustCompile(`^(?:%%(?:[ \t]|$)|%main)`)

// body returns the command that is followed by the statements of a cell, and whether there is one.
func (parts cellParts) body(code string) (cellPart, bool) {
	for _, p := range parts {
		if p.kind == commandPart && beginsBody.MatchString(p.command(code)) {
			return p, true
		}
	}
	return cellPart{from: len(code), to: len(code)}, false
}

// runsCommands reports whether a cell contains commands that run programs.
func runsCommands(code string) bool {
	return otherLanguage.MatchString(code) || slices.ContainsFunc(splitCell(code), func(p cellPart) bool {
		return p.kind == commandPart && p.command(code)[0] == '!'
	})
}

// withoutCommands returns the Go code of a cell with commands replaced by spaces. Offsets and line numbers stay the
// same.
func withoutCommands(code string) string {
	out := []byte(code)
	for _, p := range splitCell(code) {
		if p.kind == commandPart {
			blank(out[p.from:p.to])
		}
	}
	return string(out)
}

// blank overwrites text with spaces, except for line breaks.
func blank(text []byte) {
	for i, c := range text {
		if c != '\n' && c != '\r' {
			text[i] = ' '
		}
	}
}

// otherLanguage matches the beginning of a cell that gonb does not read as Go.
var otherLanguage = regexp.MustCompile(`^(?://gonb:)?[ \t]*%%(?:writefile|script|bash|sh|gx)(?:[ \t\n]|$)`)

// longest limits the length of lines that gonb splits into words: the first line of a cell, and commands. gonb's time
// for a line grows with the square of its length.
const longest = 10_000

// refusedCell is an error that the proxy finds in a line of a cell before gonb sees the cell.
type refusedCell struct {
	line, column int // 1-based; the column is in characters
	text         string
}

func (r *refusedCell) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", r.line, r.column, r.text)
}

// refuseAt returns an error at an offset in a cell.
func refuseAt(code string, at int, format string, arguments ...any) error {
	begin := strings.LastIndexByte(code[:at], '\n') + 1
	return &refusedCell{
		strings.Count(code[:at], "\n") + 1, utf8.RuneCountInString(code[begin:at]) + 1,
		fmt.Sprintf(format, arguments...),
	}
}

// forGonb returns a cell in the form that gonb needs: each line has the same Go code, and no string or comment contains
// a line that gonb misreads. The error is a *refusedCell.
func forGonb(code string) (string, error) {
	code = strings.ReplaceAll(code, "\r\n", "\n") // as Go does in source files
	if first, _, _ := strings.Cut(code, "\n"); len(first) > longest {
		return "", refuseAt(code, 0, "the first line has %d bytes, but must be shorter than %d: "+
			"put an empty line above it", len(first), longest)
	}
	if otherLanguage.MatchString(code) {
		return emptyScript.ReplaceAllString(code, `$1 ""$2`), nil
	}
	parts := splitCell(code)
	if err := parts.check(code); err != nil {
		return "", err
	}
	tail := ""
	c, _, err := asTyped(code)
	if err != nil {
		return "", err
	}
	if len(c.items) > 0 && c.first >= 0 {
		for _, put := range c.insertions() {
			at := func(p cellPart) bool { return p.from >= put.from }
			i := slices.IndexFunc(append(parts, cellPart{from: len(code)}), at)
			parts = slices.Insert(parts, i, put)
		}
		tail = c.uses() + "}"
	}
	var out strings.Builder
	done := 0
	for _, p := range parts {
		text := code[p.from:p.to]
		switch {
		case p.kind == insertPart:
			text = p.text
		case p.kind == commandPart:
			text = survivable(p.command(code), text)
		case p.kind == packagePart:
			text = " "
		case p.kind == blankPart:
			text = named(text)
		case !misread.MatchString(text[strings.IndexByte(text, '\n')+1:]):
		case p.kind == commentPart:
			text = misread.ReplaceAllString(text, " $0")
		default:
			text = quoted(text, p.before)
		}
		out.WriteString(code[done:p.from] + text)
		done = p.to
	}
	return out.String() + code[done:] + tail, nil
}

// check returns an error for parts that gonb would drop without a message, or that would make it panic.
func (parts cellParts) check(code string) error {
	begun := ""
	for _, p := range parts {
		switch p.kind {
		case openPart:
			mark := "`"
			if code[p.from] == '/' {
				mark = "*/"
			}
			return refuseAt(code, p.from, "this string or comment has no end: close it with %s", mark)
		case commandPart:
			command := p.command(code)
			name, rest, _ := strings.Cut(command, " ")
			if len(command) > longest && command[0] == '%' {
				return refuseAt(code, p.from, "%.20s… has %d bytes, but must be shorter than %d: "+
					"write it into a file", command, len(command), longest)
			}
			runs := strings.HasPrefix(name, "%exec")
			if runs && (name != "%exec" || !startsWithName.MatchString(rest)) {
				return refuseAt(code, p.from, "%.40q names no function: write %%exec NAME", command)
			}
			if runs || beginsBody.MatchString(command) {
				if begun != "" {
					return refuseAt(code, p.from, "only one line of a cell can begin its statements, but %s comes "+
						"after %s: remove one of them", name, begun)
				}
				begun = name
			}
		}
	}
	return checkDirectives(code)
}

var startsWithName = regexp.MustCompile(`^[\pL_]`)

// survivable changes the lines of a command so that gonb does not panic. command is the same command as gonb reads it.
// The number of lines stays the same. An empty command becomes a command that does nothing in a shell, or a command
// that gonb rejects.
func survivable(command, lines string) string {
	harmless, empty := emptyCommand(command)
	switch {
	case empty:
		return harmless + strings.Repeat("\n", strings.Count(lines, "\n"))
	case testCommand.MatchString(command):
		return testFlag.ReplaceAllString(lines, "${1}-test.$2")
	}
	return lines
}

// gonb keeps only one import for each name, and therefore only one import with the name _. So each blank import in a
// cell gets a unique name, which our goimports and our go recognize.
const blankName = "siegebookBlank"

var blankImport = regexp.MustCompile(`\b` + blankName + `[0-9a-f]+([ \t]*["` + "`" + `])`)

// named returns an import spec with a unique name in place of _.
func named(spec string) string {
	path, err := strconv.Unquote(strings.TrimSpace(spec[1:]))
	if err != nil {
		return spec
	}
	return fmt.Sprintf("%s%x%s", blankName, path, spec[1:])
}

// nameless returns the source with _ in place of the names of blank imports.
func nameless(source []byte) []byte { return blankImport.ReplaceAll(source, []byte("_$1")) }

// A test program accepts the flags of go test with the prefix "test.".
var (
	testCommand = regexp.MustCompile(`^%test[ \t]`)
	testFlag    = regexp.MustCompile(`([ \t])-{1,2}(v|run|bench|benchtime|benchmem|count|cpu|failfast|fullpath|list|` +
		`parallel|short|shuffle|skip|timeout)\b`)
)

// quoted returns a raw string as an interpreted string on one line. To keep line numbers, the result is in parentheses:
// first the line breaks, which have no effect there, then the string. If the string is the tag of a field, there are no
// parentheses, and the line breaks follow the string: after the token before a tag, parentheses would mean a call.
func quoted(text string, before token.Token) string {
	lines := strings.Repeat("\n", strings.Count(text, "\n"))
	text = strconv.Quote(strings.ReplaceAll(text[1:len(text)-1], "\r", "")) // Go also drops \r
	switch before {
	case token.IDENT, token.INT, token.FLOAT, token.IMAG, token.CHAR, token.STRING, token.RPAREN, token.RBRACK,
		token.RBRACE:
		return text + lines
	}
	return "(" + lines + text + ")"
}

// lostDirectives lists directives in comments that Go would obey but that gonb drops, and what to do instead.
var lostDirectives = []struct{ begin, cure string }{
	{"//go:embed", "read the file with os.ReadFile"},
	{"//go:build", "remove it, because cells have no build tags"},
	{"// +build", "remove it, because cells have no build tags"},
	{"//go:debug", "write %env GODEBUG=… in a cell of its own"},
	{"//go:generate", "run its command with !"},
}

// checkDirectives returns an error for a directive in a comment that gonb would drop.
func checkDirectives(code string) error {
	if !strings.Contains(code, "//go:") && !strings.Contains(code, "+build") {
		return nil
	}
	for s, file := scan(code, scanner.ScanComments); ; {
		pos, kind, text := s.Scan()
		if kind == token.EOF {
			return nil
		}
		from := file.Offset(pos)
		line := code[strings.LastIndexByte(code[:from], '\n')+1 : from]
		if kind != token.COMMENT || strings.TrimLeft(line, " \t") != "" {
			continue
		}
		for _, d := range lostDirectives {
			if rest, is := strings.CutPrefix(text, d.begin); is && (rest == "" || rest[0] == ' ' || rest[0] == '\t') {
				return refuseAt(code, from, "%s has no effect in a cell: %s", d.begin, d.cure)
			}
		}
	}
}

// forCursor returns a cell of the same length, for gonb's search for the cursor. Its strings and comments contain no
// lines that gonb misreads, but their text may differ. It returns false if the cell would make gonb panic.
func forCursor(code string) (string, bool) {
	out := []byte(code)
	if otherLanguage.MatchString(code) {
		return code, true
	}
	parts := splitCell(code)
	if parts.check(code) != nil {
		return code, false
	}
	for _, p := range parts {
		text := out[p.from:p.to]
		if p.kind == commandPart {
			blankCommand(p.command(code), text)
			continue
		}
		for _, place := range misread.FindAllIndex(text, -1) {
			if place[0] > 0 {
				text[place[0]] = 'x'
			}
		}
	}
	return string(bytes.ReplaceAll(out, []byte("\r\n"), []byte(" \n"))), true
}

// blankCommand replaces a command that would make gonb panic with a harmless command of the same length.
func blankCommand(command string, text []byte) {
	if harmless, empty := emptyCommand(command); empty {
		blank(text)
		copy(text, harmless)
	}
}

// emptyCommand reports whether a command is empty except for spaces, and returns a command of the same kind that gonb
// accepts.
func emptyCommand(command string) (harmless string, empty bool) {
	return map[byte]string{'!': "!:", '%': "%#"}[command[0]], strings.Trim(command[1:], " \t") == ""
}
