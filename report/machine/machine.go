// Package machine shows the theorems that Coq has checked, which are those of the folder proofs: folded beside the
// proofs in words and the claims of the posts, and on a page of their own.
//
// It reads everything from the files for Coq and from the ledger. A reference that leads nowhere stops the build.
package machine

import (
	"io/fs"
	"slices"
	"strings"

	coq "github.com/siegebook/siegebook/proofs"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/proofs"
	"github.com/siegebook/siegebook/report/site"
)

// theorem is a theorem with the claims and uses that the report shows.
type theorem struct {
	coq.Theorem
	places []coq.Place
	claims []chapter.Entry // of the ledger, in its order
	usedBy []string
}

// anchor is the name of its place on the page of theorems.
func (t *theorem) anchor() string { return proofs.TheoremAnchor(t.Name) }

// link leads there from any page.
func (t *theorem) link() string { return link("`"+t.Name+"`", proofs.MachineSlug+".html#"+t.anchor()) }

// listing is the formal statement.
func (t *theorem) listing() content.Code {
	return content.Code{Language: "coq", Text: t.Statement + "\n"}
}

// Shelf is the folder of proofs with what the report says of it.
type Shelf struct {
	files    []file
	theorems []*theorem
	byName   map[string]*theorem
	claims   []chapter.Entry
	title    func(slug string) string
	placed   map[coq.Place]bool // the headings that have their theorems beside them
}

// file is one file for Coq.
type file struct {
	name     string
	about    string // its first comment
	text     []byte
	theorems []*theorem
	// definitions are those of this file that statements of theorems use, here or in another file.
	definitions []coq.Definition
}

// read reads the files for Coq of a folder. The claims are those of the ledger, with their theorems.
func read(folder fs.FS, claims []chapter.Entry, title func(slug string) string) (*Shelf, error) {
	list, err := coq.Theorems(folder)
	if err != nil {
		return nil, err
	}
	definitions, err := coq.Definitions(folder)
	if err != nil {
		return nil, err
	}
	names, err := coq.Files(folder)
	if err != nil {
		return nil, err
	}
	l := &Shelf{byName: map[string]*theorem{}, placed: map[coq.Place]bool{}, claims: claims, title: title}
	for _, listed := range list {
		t := &theorem{Theorem: listed}
		if t.places, err = listed.Places(); err != nil {
			return nil, err
		}
		for _, e := range claims {
			if slices.ContainsFunc(e.Evidence.Theorems,
				func(said chapter.Theorem) bool { return said.Name == t.Name }) {
				t.claims = append(t.claims, e)
			}
		}
		for _, need := range t.Needs {
			l.byName[need].usedBy = append(l.byName[need].usedBy, t.Name)
		}
		l.theorems, l.byName[t.Name] = append(l.theorems, t), t
	}
	for _, name := range names {
		text, err := fs.ReadFile(folder, name)
		if err != nil {
			return nil, err
		}
		f := file{name: name, text: text, about: opening(string(text))}
		for _, t := range l.theorems {
			if t.File == name {
				f.theorems = append(f.theorems, t)
			}
		}
		for _, d := range definitions {
			if d.File == name {
				f.definitions = append(f.definitions, d)
			}
		}
		l.files = append(l.files, f)
	}
	return l, nil
}

// opening is the comment at the beginning of a file, "" if there is none.
func opening(text string) string {
	comment, ok := strings.CutPrefix(text, "(** ")
	comment, _, closed := strings.Cut(comment, "*)")
	if !ok || !closed {
		return ""
	}
	return strings.Join(strings.Fields(comment), " ")
}

// New returns the theorems of a report with these claims: those of the ledger, with their theorems. title returns the
// title of the page with a slug.
func New(claims []chapter.Entry, title func(slug string) string) (*Shelf, error) {
	return read(coq.Texts, claims, title)
}

func link(words, address string) string { return "[" + words + "](" + address + ")" }

// wordsAt links to the place where a theorem is proved or discussed in words.
func (l *Shelf) wordsAt(p coq.Place) string {
	slug := proofs.SlugOf(p.File)
	return link(site.Escape(l.title(slug)+", "+p.Heading), slug+".html#"+site.Slug(p.Heading))
}
