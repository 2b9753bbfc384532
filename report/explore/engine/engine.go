// Package engine is what the pages of the report ask of the library while somebody plays with them.
//
// A page asks for a picture with [See]. The boards on which readers play ask questions: each is a [Function] with a
// name, which takes whole numbers and answers with a [Reply]. The same table serves the WebAssembly module of
// cmd/engine and the tests that compare it with the library; see ADR 42. Both answer within a second or so, or
// refuse with an error that says what to change. No rule of a game is written in JavaScript.
package engine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Reply is an answer. The doc comment of a function says what is in it; what it does not speak of is empty.
type Reply struct {
	Ints  []int64 // numbers, often rows of a fixed length
	Bytes []byte  // small numbers of which there are many, such as the cells of a map
	Text  string  // for readers, plain text; of an error one line
}

// add appends a row of numbers.
func (r *Reply) add(row ...int64) { r.Ints = append(r.Ints, row...) }

// Function is a question that pages ask.
type Function struct {
	Name string // the game and the question: castle.answer
	// Args names the arguments, in order. If the last name ends with "...", it stands for any number of them.
	Args []string
	// Call answers. The error is one line for a reader: it names the value, the rule and the fix.
	Call func(args []int64, r *Reply) error
}

// Functions returns all functions, by game, in the order of the games in the report.
func Functions() []Function {
	return slices.Concat(castleFunctions, castlePlayFunctions, navalFunctions)
}

var byName = func() map[string]Function {
	named := map[string]Function{}
	for _, f := range Functions() {
		named[f.Name] = f
	}
	return named
}()

// CallText is Call for arguments in digits.
func CallText(name string, words []string) (Reply, error) {
	args := make([]int64, len(words))
	for i, word := range words {
		n, err := strconv.ParseInt(word, 10, 64)
		if err != nil {
			return Reply{}, fmt.Errorf("%s: %.40q is no whole number", name, word)
		}
		args[i] = n
	}
	return Call(name, args)
}

// Call asks a function. It returns an error, without a reply, for a name that there is not, for a wrong number of
// arguments, and for what the function refuses.
func Call(name string, args []int64) (Reply, error) {
	f, ok := byName[name]
	if !ok {
		return Reply{}, fmt.Errorf("%q: the engine has no such function", name)
	}
	if err := f.accepts(len(args)); err != nil {
		return Reply{}, err
	}
	var r Reply
	if err := f.Call(args, &r); err != nil {
		return Reply{}, err
	}
	return r, nil
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
