// Package host lets package show find the program that contains a book's pages, if it runs in one.
package host

import (
	"errors"

	"github.com/siegebook/siegebook/report/pictures"
)

// Host receives the outputs of a page.
type Host interface {
	// Show shows an output, given in several forms by media type. It replaces the output with the same ID, unless id is
	// "".
	Show(id string, forms map[string]string)
	// Control adds a picture that readers of the page can change, and returns the name under which the page requests
	// it. restart resets the picture's variables to their current values.
	Control(p pictures.Picture, restart func()) (name string)
	// Restart calls the restart function of each control of the page.
	Restart()
	// Shared returns the value of a call. If the function belongs to a package, one page computes the value for all
	// pages. The function may also belong to a cell; otherwise, the error is ErrNotShared. Any other error is for the
	// author: the value cannot be stored.
	Shared(path, call string, compute func() []byte) ([]byte, error)
}

// Page is the host of the current page. It is nil in the program of a notebook's cell.
var Page Host

// ErrNotShared means that a function belongs to no cell and to no package of the book.
var ErrNotShared = errors.New("the function does not belong to the book")

// Failure is the value of the panic that ends a cell of a page. Its message is for the author of the page.
type Failure string

func (f Failure) Error() string { return string(f) }

// Refusal is the value of the panic that ends a page that cannot use the value of a parameter.
type Refusal struct{ Parameter, Message string }

func (r Refusal) Error() string { return "parameter " + r.Parameter + ": " + r.Message }
