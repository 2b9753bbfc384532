// Package module contains the common parts of the WebAssembly modules for the report's pages. The modules draw the
// pictures that readers change. A module consists of a package of the book and a program that serves it. A page
// requests a picture for some values, or the picture after an action. The reply takes at most about a second, or is an
// error that says what to change. No rule of a game is implemented in JavaScript. See ADR 64.
package module

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/report/pictures"
)

// Module holds the pictures that a page can request.
type Module struct {
	Pictures []pictures.Picture
	// Examples contains the programs that an editor offers, by the name of the picture. Tokens describes how the editor
	// colours programs. Both are nil if no picture has an editor.
	Examples map[string][]Example
	Tokens   *Tokens
}

// Example is a program that readers can start with.
type Example struct {
	Title string `json:"title"`
	Text  string `json:"text"`
}

// Tokens describes how an editor colours a program.
type Tokens struct {
	// Pattern is a JavaScript regular expression that finds the next token. Its groups follow one another without gaps.
	Pattern string `json:"pattern"`
	// Classes are the HTML classes of the groups; a group without a colour of its own has an empty class.
	Classes []string `json:"classes"`
	// Most is the maximum length of a program. Longer programs are not run, so they need no colours.
	Most int `json:"most"`
}

// Server answers requests from pages. [Module.Ask] describes the requests.
type Server interface {
	Ask(request string) (r Reply, field string, err error)
}

// Served is the Server of this program's module; the program's init sets it.
var Served Server

// Reply is the reply to a request.
type Reply struct {
	Text  string // a view as JSON, see [pictures.View]; for an error, one line
	Bytes []byte // the pixels of a map that the reader is moving
}

// See performs the reader's action on a picture, if do is not "", and draws the picture for the reader.
func (m Module) See(name, settings, do string, hand pictures.Hand) (Reply, error) {
	at := slices.IndexFunc(m.Pictures, func(p pictures.Picture) bool { return p.Name == name })
	if at < 0 {
		return Reply{}, fmt.Errorf("%q: there is no such picture", name)
	}
	p := m.Pictures[at].In(hand.Words)
	values, err := p.Parse(settings)
	if err != nil {
		return Reply{}, err
	}
	view, err := p.After(values, do)
	if err != nil {
		return Reply{}, err
	}
	pixels, err := view.Drawn(hand)
	if err != nil {
		return Reply{}, err
	}
	text, err := json.Marshal(view)
	return Reply{Bytes: pixels, Text: string(text)}, err
}

// Ask answers a request from a page. The lines of the request are the name of the picture, "dark" or "light", "moving"
// or "rest" (followed by a space and "tall" for a narrow screen), the settings, the action, the phrases in the reader's
// language as JSON ("" for English), and the keys of the drawings that the page already has. If there is an error, Ask
// also returns the name of the field that the error is about, or "".
func (m Module) Ask(request string) (r Reply, field string, err error) {
	lines := strings.Split(request, "\n")
	if len(lines) < 6 {
		return r, "", fmt.Errorf("the request has %d lines, but must have at least 6", len(lines))
	}
	var words pictures.Phrases
	if lines[5] != "" {
		if err := json.Unmarshal([]byte(lines[5]), &words); err != nil {
			return r, "", fmt.Errorf("the phrases of a request: %w", err)
		}
	}
	motion, shape, _ := strings.Cut(lines[2], " ")
	r, err = m.See(lines[0], lines[3], lines[4], pictures.Hand{
		Dark: lines[1] == "dark", Moving: motion == "moving", Tall: shape == "tall", Has: lines[6:],
		Words: words,
	})
	var refusal *pictures.Refusal
	if errors.As(err, &refusal) {
		field = refusal.Field
	}
	return r, field, err
}
