package page

import (
	"fmt"
	"os"
	"strings"

	"github.com/siegebook/siegebook/report/explore/module"
)

func flush() {}

// store contains the results of calls that the build has computed.
type store map[string]string

// Main makes the program a module that answers requests from the pages' controls. The program's init calls it.
func Main(pages map[string]func(*Session), shared store) {
	module.Served = &served{pages, map[string]*Session{}, shared}
}

// Shared returns the value of a call as computed by the build, or else computes it.
func (s *Session) Shared(_, call string, compute func() []byte) ([]byte, error) {
	var value []byte
	if kept, is := (*s.store)[call]; is {
		value = []byte(kept)
	} else {
		value = compute()
	}
	s.share(call, value)
	return value, nil
}

// served holds the pages, and the sessions of the pages that have run.
type served struct {
	pages  map[string]func(*Session)
	ran    map[string]*Session
	shared store
}

// Ask answers a request for a picture, see [module.Module.Ask]. A page runs when its first picture is requested. If the
// generator sends "run", the name of a page and a mark, on separate lines, the page runs as it does outside a browser.
func (m *served) Ask(request string) (module.Reply, string, error) {
	name, rest, _ := strings.Cut(request, "\n")
	if name == "run" {
		page, mark, _ := strings.Cut(rest, "\n")
		os.Args = []string{page} // as in a program; a browser has no arguments
		s := newSession(page, mark)
		s.store = &m.shared
		if s.run(m.pages[page]) {
			m.ran[page] = s
		}
		return module.Reply{}, "", nil
	}
	page, _, _ := strings.Cut(name, controlInfix)
	s := m.ran[page]
	if s == nil {
		if m.pages[page] == nil {
			return module.Reply{}, "", fmt.Errorf("%q: there is no such page", page)
		}
		os.Args = []string{page}
		var failed string
		s = &Session{name: page, store: &m.shared, put: func(f frame) { failed = f.Failed }}
		if !s.run(m.pages[page]) {
			return module.Reply{}, "", fmt.Errorf("the page cannot be computed here: %s", failed)
		}
		m.ran[page] = s
	}
	s.use()
	return module.Module{Pictures: s.pictures}.Ask(request)
}
