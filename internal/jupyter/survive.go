package jupyter

import (
	"encoding/json"
	"regexp"
)

var (
	emptyShell   = regexp.MustCompile(`(?m)^((?://gonb:)?!)[ \t]([ \t]*)$`)
	emptyCommand = regexp.MustCompile(`(?m)^((?://gonb:)?%)[ \t]([ \t]*)$`)
	emptyScript  = regexp.MustCompile(`^((?://gonb:)?%%script)[ \t]*(\n|$)`)
)

// survivable is the text of a cell without what gonb panics at, of the same length: a command that is empty but for
// spaces, which now does nothing in a shell, and is told to be none elsewhere.
func survivable(code string) string {
	return emptyCommand.ReplaceAllString(emptyShell.ReplaceAllString(code, "$1:$2"), "$1#$2")
}

// survivableCell is a request to run a cell, without what gonb panics at: also a script for no program.
func (f *front) survivableCell(m message, frames [][]byte) [][]byte {
	var content map[string]json.RawMessage
	var code string
	if json.Unmarshal(m.content, &content) != nil || json.Unmarshal(content["code"], &code) != nil {
		return frames
	}
	mended := emptyScript.ReplaceAllString(survivable(code), `$1 ""$2`)
	if mended == code {
		return frames
	}
	content["code"] = encoded(mended)
	return f.changed(frames, encoded(content))
}
