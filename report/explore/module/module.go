// Package module is what the WebAssembly modules of the report's pages have in common: pictures that readers change,
// and functions that their boards ask. Each module is a package beside this one, and a program below cmd/engine.
//
// A page asks for a picture with [Module.See]. The boards on which readers play ask questions: each is a [Function]
// with a name, which takes whole numbers and answers with a [Reply]. See ADR 42. Both answer within a second or so, or
// refuse with an error that says what to change. No rule of a game is written in JavaScript.
package module

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/report/pictures"
)

// Module is what a page can ask.
type Module struct {
	Pictures  []pictures.Picture
	Functions []Function
}

// Served is the module that a program is: its init sets it.
var Served Module

// Reply is an answer. The doc comment of a function says what is in it; what it does not speak of is empty.
type Reply struct {
	Ints  []int64 // numbers, often rows of a fixed length
	Bytes []byte  // small numbers of which there are many, such as the cells of a map
	Text  string  // for readers, plain text; of an error one line
}

// Add appends a row of numbers.
func (r *Reply) Add(row ...int64) { r.Ints = append(r.Ints, row...) }

// Function is a question that pages ask.
type Function struct {
	Name string // the game and the question: castle.answer
	// Args names the arguments, in order. If the last name ends with "...", it stands for any number of them.
	Args []string
	// Call answers. The error is one line for a reader: it names the value, the rule and the fix.
	Call func(args []int64, r *Reply) error
}

// Call asks a function. It returns an error, without a reply, for a name that there is not, for a wrong number of
// arguments, and for what the function refuses.
func (m Module) Call(name string, args []int64) (Reply, error) {
	at := slices.IndexFunc(m.Functions, func(f Function) bool { return f.Name == name })
	if at < 0 {
		return Reply{}, fmt.Errorf("%q: the engine has no such function", name)
	}
	f := m.Functions[at]
	if err := f.accepts(len(args)); err != nil {
		return Reply{}, err
	}
	var r Reply
	if err := f.Call(args, &r); err != nil {
		return Reply{}, err
	}
	return r, nil
}

// callText is Call for arguments in digits.
func (m Module) callText(name string, words []string) (Reply, error) {
	args := make([]int64, len(words))
	for i, word := range words {
		n, err := strconv.ParseInt(word, 10, 64)
		if err != nil {
			return Reply{}, fmt.Errorf("%s: %.40q is no whole number", name, word)
		}
		args[i] = n
	}
	return m.Call(name, args)
}

func (f Function) accepts(count int) error {
	fixed := len(f.Args)
	open := fixed > 0 && strings.HasSuffix(f.Args[fixed-1], "...")
	if open {
		fixed--
	}
	if count < fixed || count > fixed && !open {
		return fmt.Errorf("%s: arguments = %d, it takes %s", f.Name, count, strings.Join(f.Args, ", "))
	}
	return nil
}

// See does on a picture what a reader wants, if that is anything, and draws it for a hand. The reply has the view as
// JSON, see [pictures.View], and as bytes the pixels of a map that moves.
func (m Module) See(name, settings, do string, hand pictures.Hand) (Reply, error) {
	at := slices.IndexFunc(m.Pictures, func(p pictures.Picture) bool { return p.Name == name })
	if at < 0 {
		return Reply{}, fmt.Errorf("%q: there is no such picture", name)
	}
	values, err := m.Pictures[at].Values(settings)
	if err != nil {
		return Reply{}, err
	}
	view, err := m.Pictures[at].After(values, do)
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

// Ask answers a request of a page: lines, of which the first names what is asked. Behind "see" come the name of the
// picture, "dark" or "light", "moving" or "rest", the settings, what is done, and the keys of the drawings that the
// page has; behind the name of a [Function] its arguments. Of an error, it also returns the field that it is about, if
// it is one.
func (m Module) Ask(request string) (r Reply, field string, err error) {
	lines := strings.Split(request, "\n")
	if lines[0] == "see" && len(lines) >= 6 {
		r, err = m.See(lines[1], lines[4], lines[5], pictures.Hand{
			Dark: lines[2] == "dark", Moving: lines[3] == "moving", Has: lines[6:],
		})
	} else {
		r, err = m.callText(lines[0], lines[1:])
	}
	var refusal *pictures.Refusal
	if errors.As(err, &refusal) {
		field = refusal.Field
	}
	return r, field, err
}
