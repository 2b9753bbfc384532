package program

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/siegebook/siegebook/internal/jupyter"
)

// bodyLine matches the only command that pages support. The cell's statements follow it.
var bodyLine = regexp.MustCompile(`^(?://gonb:)?(?:%%|%main)[ \t\r]*$`)

// errCommand is the fault of a command in a page.
var errCommand = errors.New("is a command, but a page cannot have commands: write Go, or make the page a notebook " +
	"(.ipynb)")

// body returns the code of a cell with its line %% replaced by spaces, and the offset of that line, or len(code) if
// there is none. If the code contains another command, body returns its offset and an error, in which advice follows
// the first colon.
func body(code string) (blanked string, at int, err error) {
	at = len(code)
	for _, m := range jupyter.Commands(code) {
		if !bodyLine.MatchString(code[m[0]:m[1]]) {
			return code, m[0], fmt.Errorf("%.40q %w", code[m[0]:m[1]], errCommand)
		}
		if at < len(code) {
			return code, m[0], errors.New("a cell can have only one line %%: remove the second one")
		}
		at = m[0]
		code = code[:m[0]] + strings.Repeat(" ", m[1]-m[0]) + code[m[1]:]
	}
	return code, at, nil
}
