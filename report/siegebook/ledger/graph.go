package ledger

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/siegebook/proofs"
)

// shelf summarizes the claims on a page: the number of claims with each standing, and the names of their proofs.
type shelf struct {
	slug, title string
	claims      map[content.Standing]int
	proofs      map[content.Standing][]string // the boxes of proofs: Coq files, or pages with proofs
	files       []string                      // the Coq files
}

// shelves returns a shelf for each page that claims refer to, in the order of the claims. title returns the title of
// the page with the given slug.
func shelves(entries []content.Statement, title func(slug string) string) []*shelf {
	var all []*shelf
	for _, e := range entries {
		_, slug, _ := parts(e.Ref)
		if title(slug) == "" {
			continue
		}
		i := slices.IndexFunc(all, func(s *shelf) bool { return s.slug == slug })
		if i < 0 {
			i = len(all)
			all = append(all, &shelf{
				slug: slug, title: shelfTitle(slug, title), claims: map[content.Standing]int{},
				proofs: map[content.Standing][]string{},
			})
		}
		s := all[i]
		s.claims[e.Stands]++
		add := func(name string) {
			if !slices.Contains(s.proofs[e.Stands], name) {
				s.proofs[e.Stands] = append(s.proofs[e.Stands], name)
			}
		}
		switch e.Stands {
		case content.ByMachine:
			for _, t := range e.Evidence.Theorems {
				add(t.File)
				if !slices.Contains(s.files, t.File) {
					s.files = append(s.files, t.File)
				}
			}
		case content.InProse:
			if _, from, _ := parts(e.Evidence.Proof); title(from) != "" {
				add(shelfTitle(from, title))
			}
		}
	}
	return all
}

// shelfTitle returns the title of a page. The title of a page of proofs gets a prefix, because some chapters have the
// same title.
func shelfTitle(slug string, title func(slug string) string) string {
	if strings.HasPrefix(slug, "proofs-") {
		return "Proofs: " + title(slug)
	}
	return title(slug)
}

// GraphText is the text of the page with the graph.
//
//go:embed graph.md
var GraphText string

// FillGraph draws the graph of claims and their proofs.
func FillGraph(page *site.Page, entries []content.Statement, title func(slug string) string) error {
	all := shelves(inOrder(entries), title)
	graph, err := standingGraph(all).Figure()
	if err != nil {
		return err
	}
	page.Figures = append(page.Figures, graph.Named("standing"))
	page.Tables = []content.Table{standingTable(all)}
	return nil
}

// standingGraph returns the graph of claims and their proofs. On the left are the Coq files and the pages with proofs.
// On the right are the pages, with their claims by standing.
func standingGraph(all []*shelf) figure.Graph {
	g := figure.Graph{Title: "Proofs, and the claims of each page by status", One: "box", Many: "boxes"}
	coq, words := figure.Group{Name: "Coq has checked"}, figure.Group{Name: "Proved in words"}
	var standing []figure.Group
	for _, stands := range content.Standings() {
		group := figure.Group{Name: lists[stands].title}
		for _, s := range all {
			n := s.claims[stands]
			if n == 0 {
				continue
			}
			for _, name := range s.proofs[stands] {
				switch {
				case stands == content.ByMachine && !containsBox(coq, name):
					file := "#file-" + site.Slug(name)
					coq.Boxes = append(coq.Boxes, figure.Box{
						Name: name, Lines: []string{name}, Target: proofs.MachineSlug + ".html" + file,
					})
				case stands == content.InProse && !containsBox(words, name):
					words.Boxes = append(words.Boxes, figure.Box{Name: name, Lines: wrapped(name)})
				}
			}
			group.Boxes = append(group.Boxes, figure.Box{
				Name:  s.title + ", " + string(stands),
				Lines: append(wrapped(s.title), content.Counted(n, "claim", "claims")),
				Needs: s.proofs[stands], Target: s.slug + ".html",
			})
		}
		if len(group.Boxes) > 0 {
			standing = append(standing, group)
		}
	}
	for _, group := range append([]figure.Group{coq, words}, standing...) {
		if len(group.Boxes) > 0 {
			g.Groups = append(g.Groups, group)
		}
	}
	return g
}

func containsBox(g figure.Group, name string) bool {
	return slices.ContainsFunc(g.Boxes, func(b figure.Box) bool { return b.Name == name })
}

// A title in a box has at most titleLines lines, each with at most titleLetter characters.
const (
	titleLines  = 2
	titleLetter = 22
)

// wrapped splits a title into at most two lines. A longer title is truncated with an ellipsis.
func wrapped(title string) []string {
	lines := []string{""}
	for word := range strings.FieldsSeq(title) {
		last := &lines[len(lines)-1]
		switch {
		case *last == "":
			*last = word
		case len([]rune(*last))+1+len([]rune(word)) <= titleLetter:
			*last += " " + word
		case len(lines) == titleLines:
			*last += " …"
			return lines
		default:
			lines = append(lines, word)
		}
	}
	return lines
}

// standingTable returns the numbers of the graph as a table with a row for each page.
func standingTable(all []*shelf) content.Table {
	table := chapter.Table("standing", "page")
	for _, stands := range content.Standings() {
		table.Header = append(table.Header, content.Text(string(stands)))
	}
	table.Header = append(table.Header, content.Text("checked in"))
	for _, s := range all {
		row := []any{content.Markdown(fmt.Sprintf("[%s](%s.html)", site.Escape(s.title), s.slug))}
		for _, stands := range content.Standings() {
			row = append(row, s.claims[stands])
		}
		slices.Sort(s.files)
		table.Add(append(row, strings.Join(s.files, ", "))...)
	}
	return table
}
