package machine

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/site"
	coq "github.com/siegebook/siegebook/proofs"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/siegebook/proofs"
)

// sample is a file with two theorems. The second one uses the first one.
const sample = "(** Sums. *)\n\n(**\n   Claim: One *and* one are two.\n   Prose: toys.md, Theorem 1\n   Settles: " +
	"toy-a; toy-b\n   Code: Sum\n*)\nTheorem one_and_one :\n  1 + 1 = 2.\nProof. reflexivity. Qed.\n\n" +
	"(**\n   Claim: Again.\n   Prose: toys.md, Theorem 1\n*)\nTheorem again : 2 = 1 + 1.\nProof. now rewrite " +
	"one_and_one. Qed.\n"

func claims() []content.Statement {
	evidence := content.Evidence{Theorems: []content.Theorem{{Name: "one_and_one", File: "Sums.v"}}}
	return []content.Statement{
		{ID: "proofs-toys-theorem-1", Stands: content.ByMachine, Ref: "sec:proofs-toys/theorem-1"},
		{ID: "toy-a", Text: "$1 + 1 = 3$", Stands: content.Refuted, Ref: "sec:toy-errata/a", Evidence: evidence},
		{
			ID: "toy-b", Text: "$1 + 1 = 2$", Stands: content.ByMachine, Ref: "tbl:toy-errata/confirmed",
			Convention: chapter.NoWaste, Evidence: evidence,
		},
	}
}

func library(text string) *Shelf { return must.Get(reading(text)) }

func reading(text string) (*Shelf, error) {
	return read(
		fstest.MapFS{"Sums.v": {Data: []byte(text)}}, claims(), func(slug string) string { return "the page " + slug },
	)
}

func pages(text string) []site.Page {
	errata := site.Page{
		Slug: "toy-errata", Title: "Errata", Source: "{{ entries \"errata\" \"c\" }}\n\n{{ table \"confirmed\" \"c\" " +
			"}}\n", Entries: []content.Entries{
			{ID: "errata", Entries: []content.Entry{{
				ID: "a", Title: "A",
				Parts: []content.Point{{Name: "True", Text: "2."}},
			}}},
		},
		Tables: []content.Table{chapter.Table("confirmed", "statement", "checked")},
	}
	errata.Tables[0].Rows = [][]content.Cell{
		content.Row(chapter.Reading(claims()[2]), "all * of it"), content.Row(content.Markdown("other"), "c"),
	}
	return []site.Page{proofs.Page(proofs.Folder+"/toys.md", text), errata}
}

const toys = "# Toys\n\nText.\n\n## 1. Sums\n\n### Theorem 1\n\nOne.\n\n### Theorem 10\n\nBad $\\frac{1$.\n"

// TestMark checks that the theorems appear below the heading that they name, in the entry for their erratum and in the
// row for their confirmed statement, and nowhere else. Line numbers must stay right, and the given pages must not be
// changed.
func TestMark(t *testing.T) {
	given := pages(toys)
	marked := must.Get(library(sample).Mark(given))
	body := marked[0].Body
	if len(body) != 3 || len(given[0].Body) != 1 {
		t.Fatalf("%d blocks of %d: %+v", len(body), len(given[0].Body), body)
	}
	fold := string(body[1].(content.Prose).Text)
	const want = "> [!CHECKED]- 2 theorems\n>\n> [`one_and_one`](machine.html#one-and-one): One \\*and\\* one"
	if !strings.HasPrefix(fold, want) {
		t.Errorf("the fold is\n%s", fold)
	}
	if before, after := body[0].(content.Prose), body[2].(content.Prose); !strings.HasSuffix(
		string(before.Text), "### Theorem 1\n",
	) || !strings.HasPrefix(string(after.Text), "\nOne.") || after.Place.Line != 8 {
		t.Errorf("%+v, %+v", before, after)
	}
	parts := marked[1].Entries[0].Entries[0].Parts
	if len(parts) != 2 || parts[1].Name != badge || !strings.Contains(parts[1].Code.Text, "1 + 1 = 2.\n") ||
		len(given[1].Entries[0].Entries[0].Parts) != 1 {
		t.Errorf("the erratum has %+v", parts)
	}
	rows := marked[1].Tables[0].Rows
	if got := rows[0][1].Text; got != "all \\* of it; checked by Coq: [`one_and_one`](machine.html#one-and-one)" ||
		rows[1][1].Text != "c" || given[1].Tables[0].Rows[0][1].Text != "all * of it" {
		t.Errorf("the rows are %+v", rows)
	}
	marked = append(
		marked, site.Page{Slug: "index", Title: "x", Source: "Text.\n"},
		site.Page{Slug: proofs.MachineSlug, Title: "y", Source: "## One {#one-and-one}\n\n## Again {#again}\n"},
	)
	_, err := site.Render(t.Context(), site.Site{Title: "x", Pages: marked}, site.Options{})
	if err == nil || !strings.HasPrefix(err.Error(), proofs.Folder+"/toys.md:13") {
		t.Errorf("the fault is %v", err)
	}
}

// TestPart checks that the badge of a statement indicates if only a part of the statement is checked.
func TestPart(t *testing.T) {
	l := library(sample)
	l.claims[0].Stands = content.InProse
	marked := must.Get(l.Mark(pages(toys)))
	if fold := string(marked[0].Body[1].(content.Prose).Text); !strings.HasPrefix(
		fold, "> [!CHECKED]- in part: 2 theorems\n",
	) {
		t.Error(fold)
	}
}

// TestNowhere checks that a theorem that refers to a missing place stops the build.
func TestNowhere(t *testing.T) {
	for want, refused := range map[string]func() error{
		`theorem one_and_one of proofs/Sums.v refers to "Theorem 1" in toys.md, which has no such`: func() error {
			_, err := library(sample).Mark(pages(strings.Replace(toys, "### Theorem 1\n", "### Theorem 2\n", 1)))
			return err
		},
		aboutNothing("ants.md, Theorem 2"): func() error {
			of := strings.Replace(sample, "toys.md, Theorem 1", "ants.md, Theorem 2", 1)
			return library(of).Fill(&site.Page{}, content.Table{})
		},
		aboutNothing("naval-c"): func() error {
			return library(strings.Replace(sample, "toy-a; ", "naval-c; ", 1)).Fill(&site.Page{}, content.Table{})
		},
		"not a place": func() error {
			_, err := reading(strings.Replace(sample, "toys.md, Theorem 1", "toys.md", 1))
			return err
		},
	} {
		must.ErrorContains(t, refused(), want)
	}
}

func aboutNothing(name string) string {
	return "theorem one_and_one of proofs/Sums.v is about " + name + ": add it to what Coq has checked about " +
		"this game, in report/siegebook/machine/machine.md and in fewOf"
}

// TestList checks that the page lists each theorem in the files once, with the theorems that it uses and the theorems
// that use it.
func TestList(t *testing.T) {
	var page site.Page
	must.Do(t, library(sample).Fill(&page, content.Table{}))
	if len(page.Entries) != 2 || len(page.Entries[0].Entries) != 2 || len(page.Figures[0].Links) != 2 ||
		page.Values["theorems"] != 2 || page.Values["files"] != 1 || page.Values["coq"] != coq.Coq ||
		string(page.Assets["Sums.v"]) != sample {
		t.Fatalf("%+v", page)
	}
	said := func(e content.Entry) string {
		var parts []string
		for _, p := range e.Parts {
			parts = append(parts, p.Name+": "+string(p.Text))
		}
		return strings.Join(parts, "\n")
	}
	first, second := said(page.Entries[0].Entries[0]), said(page.Entries[0].Entries[1])
	for _, want := range []string{
		"Stated in: [the page proofs-toys, Theorem 1](proofs-toys.html#theorem-1).",
		"Used by: [`again`](machine.html#again).", "Claims: [toy-a](claims.html#claim-toy-a), [toy-b]",
		"Program: About `Sum`.",
	} {
		if !strings.Contains(first, want) {
			t.Errorf("no %s in\n%s", want, first)
		}
	}
	if want := "Uses: [`one_and_one`](machine.html#one-and-one)."; !strings.Contains(second, want) {
		t.Errorf("no %s in\n%s", want, second)
	}
}

// TestCovered checks that the table counts every statement of the proofs exactly once.
func TestCovered(t *testing.T) {
	for _, row := range library(sample).covered().Rows {
		links := 0
		if row[5].Text != "" {
			links = strings.Count(row[5].Text, ".html#")
		}
		if all, checked := row[1].Text, row[2].Text; all == "0" || checked != "0" ||
			all != content.Int(int64(links)).Text {
			t.Errorf("%+v", row)
		}
	}
}

// TestErrata checks that the table counts the entries of a page of errata, and names the entries without a theorem.
func TestErrata(t *testing.T) {
	l := library(sample)
	l.claims = append(
		l.claims, content.Statement{ID: "toy-c", Ref: "sec:toy-errata/c"},
		content.Statement{ID: "toy-d", Ref: "sec:toy-rules/d"},
		content.Statement{ID: "toy-e", Ref: "sec:toy-errata/section"},
	)
	rows := l.errata().Rows
	if len(rows) != 1 || rows[0][1].Text != "2" || rows[0][2].Text != "1" ||
		rows[0][3].Text != "[c](toy-errata.html#c)" {
		t.Errorf("%+v", rows)
	}
}

// TestBroken checks that the lines of a name, put together, are the name, and that no line that is too long could have
// been broken.
func TestBroken(t *testing.T) {
	for name, want := range map[string]string{
		"wave_3": "wave_3", "castle_first_is_not_fastest": "castle_first_ is_not_ fastest",
		"incomprehensibilities": "incomprehensibilities",
	} {
		if got := broken(name); strings.Join(got, " ") != want || strings.Join(got, "") != name {
			t.Errorf("%q, want %s", got, want)
		}
	}
}

// TestGraph checks that the graph omits a theorem that has no lines.
func TestGraph(t *testing.T) {
	const alone = "\n(**\n   Claim: Alone.\n   Prose: toys.md, Theorem 1\n*)\nTheorem alone : 3 = 2 + 1.\n" +
		"Proof. reflexivity. Qed.\n"
	g := library(sample + alone).graph()
	if len(g.Groups) != 1 || len(g.Groups[0].Boxes) != 2 {
		t.Fatalf("the graph has %+v", g.Groups)
	}
	if second := g.Groups[0].Boxes[1]; second.Name != "again" || len(second.Needs) != 1 {
		t.Errorf("the second box is %+v", second)
	}
}
