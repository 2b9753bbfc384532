//go:build !wasip1

package page

import (
	"fmt"
	"os"
)

// Settings by which the generator names the page that runs, and a word that nothing else begins with.
const (
	pageVariable = "SIEGEBOOK_PAGE"
	markVariable = "SIEGEBOOK_MARK"
)

// Main runs the page that the generator names.
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
	serveGonb(s)
	if !s.run(page) {
		os.Exit(1)
	}
}
