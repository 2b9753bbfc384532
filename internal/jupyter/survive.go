package jupyter

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
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

// assumed are the members of a request's content that gonb takes for granted, with what they are where they are missing.
var assumed = map[string]map[string]any{
	"execute_request":  {"code": "", "silent": false, "store_history": true, "allow_stdin": true},
	"inspect_request":  {"code": "", "cursor_pos": 0.0, "detail_level": 0.0},
	"complete_request": {"code": "", "cursor_pos": 0.0},
}

// survivableMessage is a message whose headers have been read, without what gonb panics at: also a script for no
// program. The error says why there is none. gonb reads JSON as we do, with the same bound on its depth.
func (f *front) survivableMessage(m message, frames [][]byte) (message, [][]byte, error) {
	var metadata, content map[string]any
	if json.Unmarshal(frames[4], &metadata) != nil || json.Unmarshal(m.content, &content) != nil || content == nil {
		return m, nil, errors.New("metadata and content of a message have to be JSON objects of at most 10,000 levels")
	}
	changed := false
	for name, like := range assumed[m.header.Type] {
		if got, is := content[name]; !is {
			content[name], changed = like, true
		} else if reflect.TypeOf(got) != reflect.TypeOf(like) {
			return m, nil, fmt.Errorf("%s in the content of a message has to be of type %T", name, like)
		}
	}
	if m.header.Type == "execute_request" {
		code := content["code"].(string)
		content["code"] = emptyScript.ReplaceAllString(survivable(code), `$1 ""$2`)
		changed = changed || content["code"] != code
	}
	if changed {
		m.content = encoded(content)
		frames = f.changed(frames, m.content)
	}
	return m, frames, nil
}
