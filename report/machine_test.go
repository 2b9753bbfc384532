package report

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	coq "github.com/siegebook/siegebook/proofs"
	"github.com/siegebook/siegebook/report/proofs"
	"github.com/siegebook/siegebook/report/site"
)

// TestMachine: each theorem that Coq has checked has one entry on its page, and stands folded below every heading that
// it names, whose badge counts as many as it unfolds to.
func TestMachine(t *testing.T) {
	tree := wholeReport(t)
	theorems, err := coq.Theorems(coq.Texts)
	if err != nil {
		t.Fatal(err)
	}
	listed := string(tree[proofs.MachineSlug+".html"])
	definitions := strings.Count(listed, ` id="definitions-`) // each of a file with some
	if got := strings.Count(listed, `<details class="entry">`) - definitions; got != len(theorems) || definitions == 0 {
		t.Errorf("the page lists %d theorems, not %d", got, len(theorems))
	}
	badges := map[coq.Place]int{}
	for _, theorem := range theorems {
		anchor := proofs.TheoremAnchor(theorem.Name)
		if strings.Count(listed, ` id="`+anchor+`"`) != 1 {
			t.Errorf("the page has not one place for %s", theorem.Name)
		}
		places, err := theorem.Places()
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range places {
			p.Part = false // all that name a heading have one badge
			badges[p]++
			if fold := foldBelow(tree, p); !strings.Contains(
				fold, `<a href="`+proofs.MachineSlug+".html#"+anchor+`">`,
			) {
				t.Errorf("%s does not stand below %q in %s", theorem.Name, p.Heading, p.File)
			}
		}
	}
	count := regexp.MustCompile(
		`^<summary class="callout-title"><span class="callout-kind">Checked by Coq</span> (?:in part: )?(\d+) ` +
			`theorems?</summary>`,
	)
	folds := 0
	for p, want := range badges {
		fold := foldBelow(tree, p)
		m := count.FindStringSubmatch(fold)
		if m == nil || m[1] != strconv.Itoa(want) || strings.Count(fold, "<pre") != want {
			t.Errorf("the badge below %q in %s is not for %d theorems: %.150s", p.Heading, p.File, want, fold)
		}
	}
	for name, page := range tree {
		if strings.HasSuffix(name, ".html") && name != "search.html" {
			folds += strings.Count(string(page), `<details class="callout callout-checked">`)
		}
	}
	if folds != len(badges) {
		t.Errorf("%d badges for %d headings", folds, len(badges))
	}
	for _, want := range []string{`<dt>Checked by Coq</dt>`, `checked by Coq: <a href="machine.html#`} {
		if !strings.Contains(string(tree["castle-errata.html"]), want) {
			t.Errorf("the errata have no %s", want)
		}
	}
	if !strings.Contains(string(tree["claims.html"]), `<a href="machine.html#min-waves-is-right">`) {
		t.Error("the ledger does not lead to the theorems")
	}
}

// foldBelow returns the fold that follows a heading at once, "" if there is none.
func foldBelow(tree site.Tree, p coq.Place) string {
	_, rest, _ := strings.Cut(string(tree[proofs.SlugOf(p.File)+".html"]), ` id="`+site.Slug(p.Heading)+`">`)
	_, rest, _ = strings.Cut(rest, "</a></h")
	rest, ok := strings.CutPrefix(rest[min(3, len(rest)):], `<details class="callout callout-checked">`+"\n")
	if !ok {
		return ""
	}
	fold, _, _ := strings.Cut(rest, "</details>")
	return fold
}
