package machine

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/site"
	coq "github.com/siegebook/siegebook/proofs"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/siegebook/ledger"
	"github.com/siegebook/siegebook/report/siegebook/prove/grids"
)

// Text is the text of the page of theorems.
//
//go:embed machine.md
var Text string

// section is the part of the page that lists the theorems in a file.
type section struct {
	Entries, Anchor string
	File, About     content.Markdown
	Caption         string
}

// Fill lists all theorems on their page, and adds the table of checksums that Numbers returns. It returns an error if
// the page's text says that there are no theorems about a subject, but there is one.
func (l *Shelf) Fill(page *site.Page, numbers content.Table) error {
	if err := l.onlyFew(); err != nil {
		return err
	}
	graph, err := l.graph().Figure()
	if err != nil {
		return err
	}
	page.Figures = append(page.Figures, graph.Named("graph"))
	page.Assets = map[string][]byte{}
	var sections []section
	var names, modules []string
	lines, rest := 0, 0
	defined := content.Entries{ID: "definitions"}
	for _, f := range l.files {
		page.Assets[f.name] = f.text
		lines += bytes.Count(f.text, []byte("\n"))
		module := strings.TrimSuffix(f.name, ".v")
		modules, names = append(modules, module), append(names, link("`"+f.name+"`", f.name))
		if len(f.definitions) > 0 {
			defined.Entries = append(defined.Entries, f.definitionEntry())
			rest += len(f.definitions)
		}
		if len(f.theorems) == 0 {
			continue
		}
		id := site.Slug(f.name)
		list := content.Entries{ID: id}
		for _, t := range f.theorems {
			list.Entries = append(list.Entries, l.entry(t))
		}
		page.Entries = append(page.Entries, list)
		sections = append(sections, section{
			id, "file-" + id, content.Markdown(f.name), content.Markdown(site.Escape(f.about)),
			fmt.Sprintf("%s: %s", f.name, content.Counted(len(f.theorems), "theorem", "theorems")),
		})
	}
	page.Entries = append(page.Entries, defined)
	page.Values = map[string]any{
		"definitions": rest, "theorems": len(l.theorems), "files": len(l.files), "lines": lines, "coq": coq.Coq,
		"library": coq.Library, "module": modules[len(modules)-1], "modules": strings.Join(modules, " "),
		"example":   content.Markdown(strings.TrimPrefix(l.theorems[len(l.theorems)-1].Module(), coq.Library+".")),
		"downloads": content.Markdown(strings.Join(names, ", ")),
	}
	page.Funcs = map[string]any{"sections": func() []section { return sections }}
	page.Tables = []content.Table{numbers, l.covered(), l.errata()}
	return nil
}

// fewOf contains, for each game with only a few theorems, the headings and claims that the page names.
var fewOf = map[string][]string{
	"ants": {
		"Theorem 1", "Corollary", "Lemma 2", "ants-somebody-dies", "ants-single-enemy", "ants-chain", "ants-price",
	},
	"naval": {"Lemma 1", "Lemma 2", "Lemma 3", "Theorem 2", "Theorem 3", "naval-race"},
}

// onlyFew returns an error for a theorem about any other heading or claim of these games, because the page says that
// there is no such theorem.
func (l *Shelf) onlyFew() error {
	for _, t := range l.theorems {
		refused := ""
		for _, p := range t.places {
			headings, few := fewOf[strings.TrimSuffix(p.File, ".md")]
			if few && !slices.Contains(headings, p.Heading) {
				refused = p.File + ", " + p.Heading
			}
		}
		for _, c := range t.Claims() {
			game, _, _ := strings.Cut(c.ID, "-")
			if named, few := fewOf[game]; few && !slices.Contains(named, c.ID) {
				refused = c.ID
			}
		}
		if refused != "" {
			return fmt.Errorf("theorem %s of proofs/%s is about %s: add it to what Coq has checked about "+
				"this game, in report/siegebook/machine/machine.md and in fewOf", t.Name, t.File, refused)
		}
	}
	return nil
}

// entry returns the entry of a theorem on the page.
func (l *Shelf) entry(t *theorem) content.Entry {
	var words, where []string
	for _, p := range t.places {
		words, where = append(words, l.wordsAt(p)), append(where, p.Heading)
	}
	for _, c := range t.Claims() {
		where = append(where, c.ID)
	}
	said := content.Minus(strings.TrimRight(t.Claim, ".")) + "."
	e := content.Entry{
		ID: t.anchor(), Title: t.Name, Where: strings.Join(where, "; "), Verdict: content.Text(uses(len(t.Needs))),
		Lead: content.Point{Name: "In words", Text: content.Markdown(site.Escape(said))},
		// Here and below, code has no language, because syntax highlighting would make up a seventh of the page.
		Parts: []content.Point{{Name: "Statement", Code: content.Code{Text: t.Statement + "\n"}}},
	}
	var claims []string
	for _, c := range t.claims {
		stated := func(p coq.Place) bool { return c.ID == ledger.StatementID(p.File, p.Heading) }
		if slices.ContainsFunc(t.places, stated) {
			continue // "Stated in" leads there
		}
		claims = append(claims, link(site.Escape(c.ID), ledger.ClaimAddress(c.ID)))
	}
	add := func(name string, said []string, between string) {
		if len(said) > 0 {
			text := content.Markdown(strings.Join(said, between) + ".")
			e.Parts = append(e.Parts, content.Point{Name: name, Text: text})
		}
	}
	add("Stated in", words, "; ")
	add("Uses", l.links(t.Needs), ", ")
	add("Used by", l.links(t.usedBy), ", ")
	add("Claims", claims, ", ")
	if t.Code != "" {
		add("Program", []string{"About `" + t.Code + "`"}, "")
	}
	return e
}

// definitionEntry returns an entry with the definitions in a file that statements use.
func (f file) definitionEntry() content.Entry {
	var names, texts []string
	for _, d := range f.definitions {
		names, texts = append(names, "`"+d.Name+"`"), append(texts, d.Text)
	}
	return content.Entry{
		ID: "definitions-" + site.Slug(f.name), Title: f.name,
		Verdict: content.Text(content.Counted(len(texts), "definition", "definitions")),
		Lead:    content.Point{Name: "Names", Text: content.Markdown(strings.Join(names, ", ") + ".")},
		Parts:   []content.Point{{Name: "Text", Code: content.Code{Text: strings.Join(texts, "\n\n") + "\n"}}},
	}
}

// uses describes in words how many theorems a theorem uses.
func uses(needs int) string {
	if needs == 0 {
		return "uses none"
	}
	return fmt.Sprint("uses ", needs)
}

// links returns links to the theorems with the given names.
func (l *Shelf) links(names []string) (links []string) {
	for _, name := range names {
		links = append(links, l.byName[name].link())
	}
	return links
}

// Numbers returns the table of the checksums that are computed both by the library and by Coq or its extracted program.
func Numbers(ctx context.Context) (content.Table, error) {
	table := chapter.Table("numbers", "what", "n up to", "s up to", "d up to", "battles", "computed by",
		"Coq function", "checksum")
	for _, g := range grids.All() {
		sum, err := g.Checksum(ctx)
		if err != nil {
			return content.Table{}, err
		}
		table.Add(g.What, g.N, g.S, g.D, g.Battles(), g.By(),
			content.Markdown("`"+strings.Join(g.Functions, "`, `")+"`"), content.Markdown("`"+sum.String()+"`"))
	}
	return table, nil
}

// covered returns the table that counts the statements in each text of proofs by whether a machine has checked them.
func (l *Shelf) covered() content.Table {
	table := chapter.Table(
		"covered", "proofs in words", "statements", "checked", "in part", "in words only",
		"not checked, or checked in part",
	)
	var slugs []string
	stand := map[string]*[3]int{}
	left := map[string][]string{}
	for _, e := range ledger.Derived() {
		c := l.claim(e.ID)
		if c == nil {
			c = &e
		}
		_, target, _ := strings.Cut(e.Ref, ":")
		slug, anchor, _ := strings.Cut(target, "/")
		if stand[slug] == nil {
			stand[slug], slugs = new([3]int), append(slugs, slug)
		}
		_, name, _ := strings.Cut(e.Where, ", ")
		name, _, _ = strings.Cut(name, " (")
		said := link(site.Escape(name), slug+".html#"+anchor)
		switch {
		case c.Stands == content.ByMachine:
			stand[slug][0]++
			continue
		case len(c.Evidence.Theorems) > 0:
			stand[slug][1]++
			said += " (in part)"
		default:
			stand[slug][2]++
		}
		left[slug] = append(left[slug], said)
	}
	for _, slug := range slugs {
		n := stand[slug]
		table.Add(content.Markdown(link(site.Escape(l.title(slug)), slug+".html")), n[0]+n[1]+n[2], n[0], n[1], n[2],
			content.Markdown(strings.Join(left[slug], ", ")))
	}
	return table
}

// errata returns the table that counts the entries on each page of errata by whether they have a theorem.
func (l *Shelf) errata() content.Table {
	table := chapter.Table("errata", "page", "entries", "with a theorem", "without a theorem")
	var slugs []string
	entries, without := map[string]int{}, map[string][]string{}
	for _, e := range l.claims {
		slug, anchor, ok := strings.Cut(strings.TrimPrefix(e.Ref, "sec:"), "/")
		game, isErrata := strings.CutSuffix(slug, "-errata")
		// Other claims may refer only to a section of the page.
		if !ok || !isErrata || e.ID != anchor && e.ID != game+"-"+anchor {
			continue
		}
		if entries[slug]++; entries[slug] == 1 {
			slugs = append(slugs, slug)
		}
		if len(e.Evidence.Theorems) == 0 {
			without[slug] = append(without[slug], link(site.Escape(anchor), slug+".html#"+anchor))
		}
	}
	for _, slug := range slugs {
		n := len(without[slug])
		table.Add(content.Markdown(link(site.Escape(l.title(slug)), slug+".html")), entries[slug], entries[slug]-n,
			content.Markdown(strings.Join(without[slug], ", ")))
	}
	return table
}

// graph returns the graph of the theorems and the theorems that they use, file by file. It omits theorems that have no
// lines.
func (l *Shelf) graph() figure.Graph {
	g := figure.Graph{Title: "Which theorem uses which", One: "theorem", Many: "theorems"}
	used := map[string]bool{}
	for _, f := range l.files {
		for _, t := range f.theorems {
			for _, name := range t.Needs {
				used[name] = true
			}
		}
	}
	for _, f := range l.files {
		group := figure.Group{Name: f.name}
		for _, t := range f.theorems {
			if len(t.Needs) == 0 && !used[t.Name] {
				continue
			}
			group.Boxes = append(
				group.Boxes, figure.Box{Name: t.Name, Lines: broken(t.Name), Needs: t.Needs, Target: "#" + t.anchor()},
			)
		}
		if len(group.Boxes) > 0 {
			g.Groups = append(g.Groups, group)
		}
	}
	return g
}

// lineLength is the maximum number of characters on a line of a name that can be broken.
const lineLength = 13

// broken splits a name into lines that end after underscores.
func broken(name string) []string {
	var lines []string
	for _, word := range strings.SplitAfter(name, "_") {
		if last := len(lines) - 1; last >= 0 && len(lines[last])+len(word) <= lineLength {
			lines[last] += word
			continue
		}
		lines = append(lines, word)
	}
	return lines
}
