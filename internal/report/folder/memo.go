package folder

import (
	"crypto/sha256"
	"fmt"
	"sync"

	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/explore"
)

// Memo stores the pages that a reading has made from texts, so that the next reading makes only the pages whose texts
// have changed. It does not affect the result. It stores only pages that depend on nothing but their own text and the
// names of the other pages.
type Memo struct {
	mu    sync.Mutex // held while a folder is read
	pages map[string]remembered
	fresh map[string]remembered // the pages of this reading
}

// remembered is a page that was made from a text.
type remembered struct {
	text   string
	around [sha256.Size]byte
	made   site.Page
}

// Read does the same as the function [Read].
func (m *Memo) Read(name string, explorables explore.Set, others ...string) (*Folder, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.fresh = map[string]remembered{}
	f, err := read(name, explorables, others, m, nil, "")
	m.pages, m.fresh = m.fresh, nil
	return f, err
}

// setAround sets the hash of everything that a page in the memo may depend on, besides its own text.
func (f *Folder) setAround() {
	hash := sha256.New()
	fmt.Fprintf(hash, "%q", f.config.Glossary.file)
	for _, p := range f.pages {
		fmt.Fprintf(hash, " %q", p.rel)
	}
	f.around = [sha256.Size]byte(hash.Sum(nil))
}

// makePage makes a page from its text, or takes it from the memo.
func (f *Folder) makePage(p *page, text string) {
	if f.memo == nil {
		f.readMarkdown(p, text)
		return
	}
	name := f.path(p.rel)
	known, stored := f.memo.pages[name]
	if !stored || known.text != text || known.around != f.around {
		faults, terms := len(f.faults), len(f.terms)
		f.readMarkdown(p, text)
		if p.outside || p.runs() || len(p.linked)+len(p.placed)+len(p.included)+len(p.made.Needs) > 0 ||
			len(f.faults) > faults || len(f.terms) > terms {
			return
		}
		known = remembered{text, f.around, p.made}
	}
	p.made, f.memo.fresh[name] = known.made, known
}
