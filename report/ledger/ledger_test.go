package ledger

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/site"
)

// TestScript: the checker can be read in one sitting, and needs nothing but Python.
func TestScript(t *testing.T) {
	const most = 300
	if lines := bytes.Count(Script, []byte("\n")); lines > most {
		t.Errorf("the checker has %d lines, more than %d", lines, most)
	}
	standard := []string{"ast", "itertools", "json", "os", "sys", "threading", "collections", "fractions", "functools", "math"}
	for _, m := range regexp.MustCompile(`(?m)^\s*(?:from (\S+) )?import (.*)$`).FindAllStringSubmatch(string(Script), -1) {
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

func sample() []chapter.Entry {
	return []chapter.Entry{
		{
			ID: "toy-a", Statement: "$1 + 1 = 2$", Post: "The post", Where: "its text", Stands: chapter.Verified, Ref: "sec:toy-errata/a",
			Evidence: chapter.Evidence{Kind: "computation", Text: "Added <up> & down.", Recompute: map[string]any{"n": []int{1, -22, 3}, "rows": [][]int{{1, 2}, {}, {3}}, "text": []string{"12", "]"}}},
		},
		{ID: "toy-b", Statement: "all", Post: chapter.Ours, Stands: chapter.InProse, Ref: "page:toy-rules", Evidence: chapter.Evidence{Kind: "proof", Text: "See there.", Proof: "tbl:toy-rules/x"}},
	}
}

// TestJSON: lists of numbers stand on one line, and nothing else changes.
func TestJSON(t *testing.T) {
	text, err := JSON(sample())
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Claims []claim }
	if err := json.Unmarshal(text, &file); err != nil || len(file.Claims) != 2 {
		t.Fatalf("%v: %s", err, text)
	}
	want := map[string]any{"n": []any{1.0, -22.0, 3.0}, "rows": []any{[]any{1.0, 2.0}, []any{}, []any{3.0}}, "text": []any{"12", "]"}}
	if a := file.Claims[0]; !reflect.DeepEqual(a.Evidence.Check, want) || a.Source != "The post, its text" || a.Report != "toy-errata.html#a" || a.Evidence.Text != "Added <up> & down." {
		t.Errorf("%+v", a)
	}
	if b := file.Claims[1]; b.Evidence.Check != nil || b.Source != "ours" || b.Report != "toy-rules.html" || b.Evidence.Proof != "toy-rules.html#tbl-x" {
		t.Errorf("%+v", b)
	}
	if !bytes.Contains(text, []byte("[1,-22,3]")) {
		t.Errorf("a list of numbers is not on one line:\n%s", text)
	}
	if _, err := JSON([]chapter.Entry{{Evidence: chapter.Evidence{Recompute: func() {}}}}); err == nil {
		t.Error("a check that is no JSON passes")
	}
}

// TestDerived: each lemma and theorem of the proofs is a claim, with the address of its proof.
func TestDerived(t *testing.T) {
	all := Derived()
	ids := map[string]bool{}
	for _, e := range all {
		if ids[e.ID] || e.Statement == "" || strings.ContainsAny(string(e.Statement), "\n") || strings.Contains(string(e.Statement), "$$") {
			t.Errorf("%q is there twice, or its statement is no sentence: %q", e.ID, e.Statement)
		}
		ids[e.ID] = true
	}
	if len(all) < 40 || !ids["proofs-castle-soldiers-lemma-3-dominance"] || !ids["proofs-tower-theorem-8"] {
		t.Errorf("%d statements: %v", len(all), ids)
	}
}

// TestAttach: a theorem makes the claims that it proves proved by machine, and a claim that is not there stops the
// build.
func TestAttach(t *testing.T) {
	before := theorems
	defer func() { theorems = before }()
	theorems = []theorem{{chapter.Theorem{Name: "sum", File: "Sum.v"}, []string{"toy-a"}, []string{"toy-b"}}}
	all, err := Attach(sample())
	if err != nil || all[0].Stands != chapter.ByMachine || all[0].Evidence.Kind != "theorem" || len(all[0].Evidence.Theorems) != 1 ||
		all[1].Stands != chapter.InProse || all[1].Evidence.Kind != "proof" || len(all[1].Evidence.Theorems) != 1 || all[0].Evidence.Theorems[0].Part || !all[1].Evidence.Theorems[0].Part {
		t.Errorf("%+v, %v", all, err)
	}
	wrong := sample()
	wrong[0].Stands = chapter.Refuted
	if all, err := Attach(wrong); err != nil || all[0].Stands != chapter.Refuted || len(all[0].Evidence.Theorems) != 1 {
		t.Errorf("refuted: %+v, %v", all, err)
	}
	theorems[0].proves[0] = "toy-c"
	if _, err := Attach(sample()); err == nil || !strings.Contains(err.Error(), `"toy-c"`) {
		t.Errorf("error %v", err)
	}
}

// TestTheorems: the theorems of the claims are those of the folder with the proofs.
func TestTheorems(t *testing.T) {
	text, err := os.ReadFile("../../proofs/theorems.json")
	if err != nil {
		t.Skipf("the list of theorems: %v", err)
	}
	type row struct{ Name, File, Prose string }
	var listed []row
	if err := json.Unmarshal(text, &listed); err != nil {
		t.Fatal(err)
	}
	claims := map[string][]string{} // of each theorem
	for _, named := range theorems {
		claims[named.Name] = slices.Concat(named.proves, named.partly)
		if !slices.ContainsFunc(listed, func(l row) bool { return l.Name == named.Name && l.File == named.File }) {
			t.Errorf("there is no theorem %s in proofs/%s", named.Name, named.File)
		}
	}
	of := regexp.MustCompile(`\b([a-z]+) errata, ([a-z0-9-]+)`)
	for _, l := range listed {
		for _, m := range of.FindAllStringSubmatch(l.Prose, -1) {
			short, id := strings.TrimPrefix(m[2], m[1]+"-"), m[2]
			if !slices.Contains(claims[l.Name], id) && !slices.Contains(claims[l.Name], m[1]+"-"+short) {
				t.Errorf("theorem %s says that it is about %s, which the table does not", l.Name, id)
			}
		}
	}
}

// TestPage: the page has a section for each standing that occurs.
func TestPage(t *testing.T) {
	page, err := Page(sample(), func(slug string) string { return "the page " + slug })
	if err != nil || len(page.Entries) != 2 || page.Values["recomputed"] != 1 || len(page.Tables[0].Rows) != 2 || page.Downloads[FileName] == nil {
		t.Fatalf("%+v, %v", page, err)
	}
	if entry := page.Entries[1].Entries[0]; entry.ID != "claim-toy-a" || site.Slug(entry.ID) != entry.ID {
		t.Errorf("%+v", entry)
	}
}
