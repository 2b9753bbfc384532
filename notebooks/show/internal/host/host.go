// Package host is where package show finds the program of a book's pages, if it runs in one.
package host

import "github.com/siegebook/siegebook/report/pictures"

// Host takes what a page shows.
type Host interface {
	// Show shows one thing in its forms, by media type. It replaces what was shown under the same name, if it has one.
	Show(id string, forms map[string]string)
	// Control adds a picture that readers of the page can change, and returns the name under which the page asks for
	// it. Restart gives the picture's variables the values that they have now.
	Control(p pictures.Picture, restart func()) (name string)
	// Restart calls the restart of each control of the page.
	Restart()
	// Shared returns the value of a call of a function of a package, which one page computes for all. The error is the
	// author's: no page can have a value of that package.
	Shared(path, call string, compute func() []byte) ([]byte, error)
}

// Page is nil in the program of a notebook's cell.
var Page Host

// Failure is the panic with which a cell of a page ends. Its message is for the author of the page.
type Failure string

func (f Failure) Error() string { return string(f) }

// Refusal is the panic with which a page ends that cannot use the value of a parameter.
type Refusal struct{ Parameter, Message string }

func (r Refusal) Error() string { return "parameter " + r.Parameter + ": " + r.Message }
