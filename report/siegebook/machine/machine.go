// Package machine shows the theorems in the folder proofs, which Coq has checked. It adds them as folds to the proofs
// in words and to the claims of the posts, and lists them on their own page.
//
// It reads everything from the Coq files and from the ledger. A reference to a missing place stops the build.
package machine

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/site"
	coq "github.com/siegebook/siegebook/proofs"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/siegebook/proofs"
)

// theorem is a theorem with the claims and uses that the report shows.
type theorem struct {
	coq.Theorem
	places []coq.Place
	claims []content.Statement // claims of the ledger, in the ledger's order
	usedBy []string
}

// anchor returns the theorem's anchor on the page of theorems.
func (t *theorem) anchor() string { return proofs.TheoremAnchor(t.Name) }

// link returns a link to the theorem on the page of theorems.
func (t *theorem) link() string { return link("`"+t.Name+"`", proofs.MachineSlug+".html#"+t.anchor()) }

// listing returns the formal statement.
func (t *theorem) listing() content.Code {
	return content.Code{Language: "coq", Text: t.Statement + "\n"}
}

// Shelf contains the theorems in the folder of proofs, and the report's texts about them.
type Shelf struct {
	files    []file
	theorems []*theorem
	byName   map[string]*theorem
	claims   []content.Statement
	title    func(slug string) string
	placed   map[coq.Place]bool // the headings below which theorems have been added
}

// file is a Coq file.
type file struct {
	name     string
	about    string // the first comment in the file
	text     []byte
	theorems []*theorem
	// definitions lists the definitions in this file that are used by the statements of theorems, in this file or
	// another one.
	definitions []coq.Definition
}

// read reads the Coq files in a folder. claims are the claims of the ledger, with their theorems.
func read(folder fs.FS, claims []content.Statement, title func(slug string) string) (*Shelf, error) {
	list, err := coq.Theorems(folder)
	if err != nil {
		return nil, err
	}
	definitions, err := coq.Definitions(folder)
	if err != nil {
		return nil, err
	}
	files, err := coq.Files(folder)
	if err != nil {
		return nil, err
	}
	l := &Shelf{byName: map[string]*theorem{}, placed: map[coq.Place]bool{}, claims: claims, title: title}
	for _, listed := range list {
		places, err := listed.Places()
		if err != nil {
			return nil, err
		}
		t := &theorem{Theorem: listed, places: places}
		for _, e := range claims {
			if slices.ContainsFunc(e.Evidence.Theorems,
				func(said content.Theorem) bool { return said.Name == t.Name }) {
				t.claims = append(t.claims, e)
			}
		}
		for _, need := range t.Needs {
			l.byName[need].usedBy = append(l.byName[need].usedBy, t.Name)
		}
		l.theorems, l.byName[t.Name] = append(l.theorems, t), t
	}
	for _, read := range files {
		name := read.Name
		f := file{name: name, text: []byte(read.Text), about: opening(read.Text)}
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

// opening returns the comment at the beginning of a file, or "" if there is none.
func opening(text string) string {
	comment, ok := strings.CutPrefix(text, "(** ")
	comment, _, closed := strings.Cut(comment, "*)")
	if !ok || !closed {
		return ""
	}
	return strings.Join(strings.Fields(comment), " ")
}

// New returns the theorems of a report. claims are the claims of the ledger, with their theorems. title returns the
// title of the page with the given slug.
func New(claims []content.Statement, title func(slug string) string) (*Shelf, error) {
	return read(coq.Texts, claims, title)
}

func link(words, address string) string { return "[" + words + "](" + address + ")" }

// wordsAt returns a link to the place where a theorem is proved or discussed in words.
func (l *Shelf) wordsAt(p coq.Place) string {
	slug := proofs.SlugOf(p.File)
	return link(site.Escape(l.title(slug)+", "+p.Heading), slug+".html#"+site.Slug(p.Heading))
}

// badge is the name of the part of an entry that lists its theorems.
const badge = "Checked by Coq"

// Mark adds the theorems to the proofs in words and to the lists of errata. It returns an error for a theorem that
// refers to a missing place. Mark does not change the given pages.
func (l *Shelf) Mark(pages []site.Page) ([]site.Page, error) {
	pages = slices.Clone(pages)
	for i := range pages {
		p := &pages[i]
		if p.Body != nil && path.Dir(p.File) == proofs.Folder {
			p.Body = l.markProse(p)
		}
		p.Entries, p.Tables = slices.Clone(p.Entries), slices.Clone(p.Tables)
		for j := range p.Entries {
			p.Entries[j].Entries = l.markEntries(p.Slug, p.Entries[j].Entries)
		}
		for j := range p.Tables {
			p.Tables[j].Rows = l.markRows("tbl:"+p.Slug+"/"+p.Tables[j].ID, p.Tables[j].Rows)
		}
	}
	for _, t := range l.theorems {
		for _, p := range t.places {
			if !l.placed[p] {
				return nil, fmt.Errorf("theorem %s of proofs/%s refers to %q in %s, which has no such heading", t.Name,
					t.File, p.Heading, p.File)
			}
		}
	}
	return pages, nil
}

// heading matches the heading of a section or a statement.
var heading = regexp.MustCompile(`(?m)^##+ (.*)\n`)

// markProse inserts a fold into the text of a page of proofs, below each heading that a theorem names.
func (l *Shelf) markProse(p *site.Page) []content.Block {
	var body []content.Block
	for _, block := range p.Body {
		prose, ok := block.(content.Prose)
		if !ok {
			body = append(body, block)
			continue
		}
		text, place, from := string(prose.Text), prose.Place, 0
		cut := func(to int) {
			part := prose
			part.Text = content.Markdown(text[from:to])
			part.Place.Line = place.Line + strings.Count(text[:from], "\n")
			body, from = append(body, part), to
		}
		for _, at := range heading.FindAllStringSubmatchIndex(text, -1) {
			title := text[at[2]:at[3]]
			if found := l.below(path.Base(p.File), title); len(found) > 0 {
				cut(at[1])
				fold := content.Prose{
					Text:  l.fold(proofs.SlugOf(path.Base(p.File))+"-"+site.Slug(title), found),
					Place: place,
				}
				fold.Place.Line = place.Line + strings.Count(text[:at[2]], "\n")
				body = append(body, fold)
			}
		}
		cut(len(text))
	}
	return body
}

// below returns the theorems that name a heading, and records that the heading was found.
func (l *Shelf) below(file, title string) (found []*theorem) {
	for _, t := range l.theorems {
		for _, p := range t.places {
			if p.File == file && p.Heading == title {
				found, l.placed[p] = append(found, t), true
			}
		}
	}
	return found
}

// fold returns a badge that readers unfold to see the theorems. id is the name of the statement in the ledger, or "".
func (l *Shelf) fold(id string, found []*theorem) content.Markdown {
	var out strings.Builder
	part := ""
	if e := l.claim(id); e != nil && e.Stands != content.ByMachine {
		part = "in part: "
	}
	fmt.Fprintf(&out, "> [!CHECKED]- %s%s\n", part, content.Counted(len(found), "theorem", "theorems"))
	for _, t := range found {
		fmt.Fprintf(&out, ">\n> %s %s\n>\n> ```coq\n", t.link()+":", site.Escape(content.Minus(t.Claim)))
		for _, line := range strings.Split(t.Statement, "\n") {
			fmt.Fprintf(&out, "> %s\n", line)
		}
		out.WriteString("> ```\n")
	}
	return content.Markdown(out.String())
}

// claim returns the ledger's entry with the given ID, or nil if there is none.
func (l *Shelf) claim(id string) *content.Statement {
	if i := slices.IndexFunc(l.claims, func(e content.Statement) bool { return e.ID == id }); i >= 0 {
		return &l.claims[i]
	}
	return nil
}

// theoremsOf returns the theorems of a claim.
func (l *Shelf) theoremsOf(e content.Statement) (found []*theorem) {
	for _, said := range e.Evidence.Theorems {
		if t := l.byName[said.Name]; t != nil {
			found = append(found, t)
		}
	}
	return found
}

// markEntries adds theorems to the entries of a list that the ledger refers to.
func (l *Shelf) markEntries(slug string, entries []content.Entry) []content.Entry {
	entries = slices.Clone(entries)
	for _, e := range l.claims {
		for i := range entries {
			if e.Ref != "sec:"+slug+"/"+entries[i].ID {
				continue
			}
			for _, t := range l.theoremsOf(e) {
				entries[i].Parts = append(slices.Clip(entries[i].Parts), content.Point{
					Name: badge, Code: t.listing(),
					Text: content.Markdown(t.link() + ": " + site.Escape(content.Minus(t.Claim))),
				})
			}
		}
	}
	return entries
}

// markRows adds the names of theorems to the last cell of each table row whose statement is a claim in the ledger.
func (l *Shelf) markRows(ref string, rows [][]content.Cell) [][]content.Cell {
	rows = slices.Clone(rows)
	for _, e := range l.claims {
		if e.Ref != ref || len(l.theoremsOf(e)) == 0 {
			continue
		}
		var links []string
		for _, said := range e.Evidence.Theorems {
			if t := l.byName[said.Name]; t != nil && said.Part {
				links = append(links, t.link()+" (in part)")
			} else if t != nil {
				links = append(links, t.link())
			}
		}
		for i, row := range rows {
			said := string(chapter.Reading(e))
			if slices.ContainsFunc(
				row, func(c content.Cell) bool { return c.Kind == content.RichCell && c.Text == said },
			) {
				row = slices.Clone(row)
				last := &row[len(row)-1]
				said := last.Text
				if last.Kind != content.RichCell {
					said = site.Escape(said)
				}
				*last = content.Rich(content.Markdown(said + "; checked by Coq: " + strings.Join(links, ", ")))
				rows[i] = row
			}
		}
	}
	return rows
}
