package ledger

import (
	"bytes"
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/site"
	coq "github.com/siegebook/siegebook/proofs"
	"github.com/siegebook/siegebook/report/content"
)

// TestScript checks that the checker is short enough to read in one sitting, and needs only Python.
func TestScript(t *testing.T) {
	const most = 500
	if lines := bytes.Count(Script, []byte("\n")); lines > most {
		t.Errorf("the checker has %d lines, more than %d", lines, most)
	}
	standard := []string{
		"ast", "hashlib", "itertools", "json", "os", "re", "sys", "collections", "fractions", "functools", "math",
	}
	for _, m := range regexp.MustCompile(`(?m)^\s*(?:from (\S+) )?import (.*)$`).FindAllStringSubmatch(string(Script),
		-1) {
		modules := strings.Split(m[2], ", ")
		if m[1] != "" {
			modules = []string{m[1]}
		}
		for _, module := range modules {
			if !slices.Contains(standard, module) {
				t.Errorf("the checker imports %s", module)
			}
		}
	}
}

func sample() []content.Statement {
	return []content.Statement{
		{
			ID: "toy-a", Text: "$1 + 1 = 2$", Convention: chapter.NoWaste, Post: "The post", Where: "its text",
			Stands: content.Verified, Ref: "sec:toy-errata/a",
			Evidence: content.Evidence{
				Kind: "computation", Text: "Added <up> & down.",
				Check: json.RawMessage(`{"n": [1, -22, 3], "rows": [[1, 2], [], [3]], "text": ["12", "]"]}`),
			},
		},
		{
			ID: "toy-b", Text: "all", Post: chapter.Ours, Stands: content.InProse, Ref: "page:toy-rules",
			Evidence: content.Evidence{Kind: "proof", Text: "See there.", Proof: "tbl:toy-rules/x"},
		},
	}
}

// TestJSON checks that lists of numbers are on one line, and that nothing else changes.
func TestJSON(t *testing.T) {
	text := must.Get(JSON(sample(), nil))
	var file struct{ Claims []claim }
	if err := json.Unmarshal(text, &file); err != nil || len(file.Claims) != 2 {
		t.Fatalf("%v: %s", err, text)
	}
	const want = `{"n":[1,-22,3],"rows":[[1,2],[],[3]],"text":["12","]"]}`
	var check bytes.Buffer
	must.Do(t, json.Compact(&check, file.Claims[0].Evidence.Check))
	if a := file.Claims[0]; check.String() != want || a.Source != "The post, its text" ||
		a.Report != "toy-errata.html#a" || a.Convention != chapter.NoWaste || a.Evidence.Text != "Added <up> & down." {
		t.Errorf("%+v", a)
	}
	if b := file.Claims[1]; b.Evidence.Check != nil || b.Source != "ours" || b.Report != "toy-rules.html" ||
		b.Evidence.Proof != "toy-rules.html#tbl-x" {
		t.Errorf("%+v", b)
	}
	if !bytes.Contains(text, []byte("[1,-22,3]")) {
		t.Errorf("a list of numbers is not on one line:\n%s", text)
	}
	wrong := []content.Statement{{Evidence: content.Evidence{Check: json.RawMessage("{")}}}
	if _, err := JSON(wrong, nil); err == nil {
		t.Error("a check that is no JSON passes")
	}
}

// TestDerived checks that each lemma and theorem of the proofs is a claim that contains the address of its proof.
func TestDerived(t *testing.T) {
	all := Derived()
	ids := map[string]bool{}
	for _, e := range all {
		if ids[e.ID] || e.Text == "" || strings.ContainsAny(string(e.Text), "\n") ||
			strings.Contains(string(e.Text), "$$") {
			t.Errorf("%q is there twice, or its statement is no sentence: %q", e.ID, e.Text)
		}
		ids[e.ID] = true
	}
	if len(all) < 40 || !ids["proofs-castle-soldiers-lemma-3-dominance"] || !ids["proofs-tower-theorem-8"] {
		t.Errorf("%d statements: %v", len(all), ids)
	}
}

// TestConvention checks that a statement of the proofs shows its convention in bold, and that the ledger contains the
// convention as a separate field.
func TestConvention(t *testing.T) {
	text := "### Lemma 1\n\nAll.\n\n### Lemma 2\n\n**No wasted shots.** All.\n\n### Lemma 3\n\n**Any shots.** All.\n"
	want := []content.Convention{"", chapter.NoWaste, chapter.AnyShots}
	for i, e := range statements("toys.md", text) {
		if e.Text != "All" || e.Convention != want[i] {
			t.Errorf("%s: %q, %q", e.ID, e.Text, e.Convention)
		}
	}
}

// TestAttach checks that claims that a theorem proves become proved by machine, that a missing claim stops the build,
// and that a statement in the proofs in words is a claim but a section is not.
func TestAttach(t *testing.T) {
	sum := coq.Theorem{
		Name: "sum", File: "Sum.v", Prose: "toys.md, 1. Sums; toys.md, Lemma 1", Settles: "toy-a; toy-b in part",
	}
	with := func(stands content.Standing) []content.Statement {
		all := sample()
		all[0].Stands = stands
		return append(all, content.Statement{ID: "proofs-toys-lemma-1", Stands: content.InProse})
	}
	all := must.Get(Attach(with(content.Verified), []coq.Theorem{sum}))
	for i, want := range []struct {
		stands content.Standing
		kind   string
		part   bool
	}{{content.ByMachine, "theorem", false}, {content.InProse, "proof", true}, {content.ByMachine, "theorem", false}} {
		theorems := []content.Theorem{{Name: "sum", File: "Sum.v", Part: want.part}}
		if e := all[i]; e.Stands != want.stands || e.Evidence.Kind != want.kind ||
			!slices.Equal(e.Evidence.Theorems, theorems) {
			t.Errorf("%+v, want %+v", e, want)
		}
	}
	if all := must.Get(Attach(with(content.Refuted), []coq.Theorem{sum})); all[0].Stands != content.Refuted ||
		len(all[0].Evidence.Theorems) != 1 {
		t.Errorf("refuted: %+v", all)
	}
	for want, wrong := range map[string]coq.Theorem{
		`"toy-c", but there is no such claim`:               {Settles: "toy-a; toy-c in part"},
		`"proofs-toys-lemma-2", but there is no such claim`: {Prose: "toys.md, Lemma 2"},
		"is not a place": {Prose: "toys.md"},
	} {
		_, err := Attach(with(content.Verified), []coq.Theorem{wrong})
		must.ErrorContains(t, err, want)
	}
}

// TestPage checks that the page has a section for each standing that occurs.
func TestPage(t *testing.T) {
	var page site.Page
	must.Do(t, Fill(&page, sample(), nil, func(slug string) string { return "the page " + slug }))
	if len(page.Entries) != 2 || page.Values["recomputed"] != 1 || len(page.Tables[0].Rows) != 2 ||
		page.Downloads[FileName] == nil {
		t.Fatalf("%+v", page)
	}
	entry := page.Entries[1].Entries[0]
	if said := entry.Lead.Text; entry.ID != "claim-toy-a" || site.Slug(entry.ID) != entry.ID ||
		said != "$1 + 1 = 2$ *(no wasted shots)*." {
		t.Errorf("%+v", entry)
	}
	if said := page.Entries[0].Entries[0].Lead.Text; said != "all." {
		t.Errorf("a claim that holds either way reads %q", said)
	}
	toys := statements("toys.md", "### Lemma 1\n\nAll.\n\n*Proof.* So.\n")
	lemma := view(toys[0], func(string) string { return "Toys" })
	want := []content.Point{{Name: "Statement and proof", Text: "[Toys, lemma 1](proofs-toys.html#lemma-1)"}}
	if lemma.Lead.Text != "" || !reflect.DeepEqual(lemma.Parts, want) {
		t.Errorf("a lemma is shown as %+v, want %+v", lemma, want)
	}
}

// TestStanding checks that every claim on an existing page is counted once, under its standing, and that a line leads
// to it from its proof.
func TestStanding(t *testing.T) {
	titles := map[string]string{
		"a": "The hunt", "proofs-a": "The hunt", "b": "A very long title that needs three lines",
	}
	by := func(id, ref string, stands content.Standing, proof string, files ...string) content.Statement {
		e := content.Statement{ID: id, Ref: ref, Stands: stands, Evidence: content.Evidence{Proof: proof}}
		for _, file := range files {
			e.Evidence.Theorems = append(e.Evidence.Theorems, content.Theorem{Name: id, File: file})
		}
		return e
	}
	all := shelves([]content.Statement{
		by("1", "sec:a/x", content.ByMachine, "sec:proofs-a/y", "Hunt.v", "Fall.v"),
		by("2", "page:a", content.ByMachine, "", "Hunt.v"),
		by("3", "page:b", content.InProse, "sec:proofs-a/y"),
		by("4", "page:a", content.InProse, "sec:proofs-a/z"),
		by("5", "page:b", content.Open, ""),
		by("6", "page:gone", content.Refuted, ""),
	}, func(slug string) string { return titles[slug] })
	var rows []string
	for _, row := range standingTable(all).Rows {
		var cells []string
		for _, cell := range row {
			cells = append(cells, cell.Text)
		}
		rows = append(rows, strings.Join(cells, "|"))
	}
	if got, want := strings.Join(rows, "\n"), "[The hunt](a.html)|2|1|0|0|0|Fall.v, Hunt.v\n"+
		"[A very long title that needs three lines](b.html)|0|1|0|0|1|"; got != want {
		t.Errorf("the table is\n%s, want\n%s", got, want)
	}
	graph, err := standingGraph(all).Figure()
	must.Do(t, err)
	for _, row := range [][]string{
		{"The hunt, proved by machine", "Proved by machine", "Hunt.v Fall.v"},
		{"The hunt, proved in prose", "Proved in prose", "Proofs: The hunt"},
		{"A very long title that needs three lines, open", "Open", ""},
	} {
		if !slices.ContainsFunc(graph.Data.Rows, func(other []string) bool { return slices.Equal(row, other) }) {
			t.Errorf("there is no row %q in %q", row, graph.Data.Rows)
		}
	}
	if got := strings.Join(wrapped(titles["b"]), "|"); got != "A very long title that|needs three lines" {
		t.Errorf("the title is %q", got)
	}
	if got := strings.Join(wrapped(titles["b"]+" and more of it"), "|"); got !=
		"A very long title that|needs three lines and …" {
		t.Errorf("the longer title is %q", got)
	}
}
