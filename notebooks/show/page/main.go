//go:build !wasip1

package page

import (
	"fmt"
	"os"
)

// These are the environment variables in which the generator passes the name of the page to run, and a unique mark.
const (
	pageVariable = "SIEGEBOOK_PAGE"
	markVariable = "SIEGEBOOK_MARK"
)

// Main runs the page that the generator has named.
func Main(pages map[string]func(*Session)) {
	name, mark := os.Getenv(pageVariable), os.Getenv(markVariable)
	_, _ = os.Unsetenv(pageVariable), os.Unsetenv(markVariable)
	page := pages[name]
	if page == nil {
		fmt.Fprintf(os.Stderr, "%q is not a page of this program, which genreport runs\n", name)
		os.Exit(2)
	}
	os.Args = []string{name}
	s := newSession(name, mark)
	s.store = openStore()
	serveGonb(s)
	if !s.run(page) {
		os.Exit(1)
	}
}

// Notebook runs a function with the code of one cell of a notebook. Controls are shown as drawings. The live controls
// on the notebook's page come from Main, which runs the cell separately.
func Notebook(cell func()) {
	mark := os.Getenv(markVariable)
	_, _ = os.Unsetenv(pageVariable), os.Unsetenv(markVariable)
	s := newSession("", mark)
	s.store = openStore()
	serveGonb(s)
	if !s.run(func(s *Session) {
		s.Cell(0)
		cell()
		s.Done()
	}) {
		os.Exit(1)
	}
}
