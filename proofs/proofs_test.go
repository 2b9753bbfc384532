package proofs

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/siegebook/siegebook/internal/must"
)

// tables contains the tables of the tests.
const tables = "testdata/tables.txt"

var update = flag.Bool("update", false, "rewrite theorems.json")

func ExampleTheorems() {
	list, err := Theorems(Texts)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(list[0].Module())
	// Output: Siegebook.Fibonacci.form_of_fibonacci
}

// TestList checks that the file theorems.json, which other programs read, lists exactly the theorems in the files.
func TestList(t *testing.T) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	definitions := must.Get(Definitions(Texts))
	must.Do(t, encoder.Encode(map[string]any{"definitions": definitions, "theorems": must.Get(Theorems(Texts))}))
	if *update {
		must.Do(t, os.WriteFile("theorems.json", text.Bytes(), 0o644))
	}
	kept := must.Get(os.ReadFile("theorems.json"))
	if !bytes.Equal(kept, text.Bytes()) {
		t.Error("theorems.json is not the list of the theorems in the files, and of what their statements rest on; " +
			"go test -update rewrites it")
	}
}

// TestNeeds checks that a proof that uses a theorem through a lemma needs this theorem, and that needed theorems come
// first.
func TestNeeds(t *testing.T) {
	before := map[string]bool{}
	for _, theorem := range must.Get(Theorems(Texts)) {
		for _, other := range theorem.Needs {
			if !before[other] {
				t.Errorf("%s needs %s, which does not come before it", theorem.Name, other)
			}
		}
		before[theorem.Name] = true
	}
	list, err := Theorems(fstest.MapFS{"A.v": {Data: []byte("(**\n   Claim: one.\n   Prose: a\n*)\nTheorem one : " +
		"True.\nProof. exact I. Qed.\n" +
		"Lemma two : True.\nProof. exact one. Qed.\n(* three *)\nLemma other : True.\nProof. exact I. Qed.\n" +
		"(**\n   Claim: three.\n   Prose: a\n*)\nTheorem three : True.\nProof. (* other *) exact two. Qed.\n")}})
	if err != nil || len(list) != 2 || len(list[0].Needs) != 0 || len(list[1].Needs) != 1 || list[1].Needs[0] != "one" {
		t.Errorf("%+v, %v", list, err)
	}
}

// TestProseIsThere checks that the texts to which theorems refer exist. The tests of the ledger check the references to
// claims.
func TestProseIsThere(t *testing.T) {
	for _, theorem := range must.Get(Theorems(Texts)) {
		places, err := theorem.Places()
		if err != nil {
			t.Error(err)
		}
		for _, place := range places {
			text, err := os.ReadFile(filepath.Join("..", "docs", "derivations", place.File))
			if err != nil {
				t.Errorf("%s: %s: %q is not a place: %v", theorem.File, theorem.Name, theorem.Prose, err)
			} else if !regexp.MustCompile(`(?m)^#+ ` + regexp.QuoteMeta(place.Heading) + `$`).Match(text) {
				t.Errorf("%s: %s: %s has no heading %q", theorem.File, theorem.Name, place.File, place.Heading)
			}
		}
	}
	said := Theorem{Prose: "a.md, 1. One, and two; b.md, A in part", Settles: "toy-x in part; toy-y"}
	if places, err := said.Places(); err != nil ||
		!slices.Equal(places, []Place{{File: "a.md", Heading: "1. One, and two"}, {"b.md", "A", true}}) {
		t.Errorf("%+v, %v", places, err)
	}
	if claims := said.Claims(); !slices.Equal(claims, []Claim{{"toy-x", true}, {ID: "toy-y"}}) {
		t.Errorf("%+v", claims)
	}
	if places, err := (Theorem{}).Places(); err != nil || len(places) != 0 {
		t.Errorf("%+v, %v", places, err)
	}
	for _, prose := range []string{"a.md", "somewhere", "toy errata, x", "a.md, A; "} {
		if _, err := (Theorem{Prose: prose}).Places(); err == nil {
			t.Errorf("%q is a place", prose)
		}
	}
}

// TestCodeIsThere checks that the functions that theorems are about exist.
func TestCodeIsThere(t *testing.T) {
	for _, theorem := range must.Get(Theorems(Texts)) {
		if theorem.Code == "" {
			continue
		}
		name := theorem.Code
		if receiver, method, ok := strings.Cut(name, "."); ok {
			name = `\(\w+ \*?` + receiver + `\) ` + method
		}
		if !matchFiles(t, filepath.Join("..", "analysis", "*", "*.go"), regexp.MustCompile(`(?m)^func `+name+`\(`)) {
			t.Errorf("%s: %s: no function %s in analysis", theorem.File, theorem.Name, theorem.Code)
		}
	}
}

func matchFiles(t *testing.T, pattern string, expression *regexp.Regexp) bool {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatal("no files ", pattern, err)
	}
	for _, name := range names {
		text := must.Get(os.ReadFile(name))
		if expression.Match(text) {
			return true
		}
	}
	return false
}

// files returns a folder with the given texts as A.v, B.v and so on.
func files(texts ...string) fstest.MapFS {
	all := fstest.MapFS{}
	for i, text := range texts {
		all[string(rune('A'+i))+".v"] = &fstest.MapFile{Data: []byte(text)}
	}
	return all
}

// TestStrange checks that files that assume something, or hide what they mean, are rejected, and that such words are
// allowed in comments and strings.
func TestStrange(t *testing.T) {
	for _, row := range must.Rows(t, tables, "TestStrange") {
		text := "Open Scope Z_scope.\n" + row[0] +
			"\n(**\n   Claim: one.\n   Prose: a\n*)\nTheorem one : True.\nProof. exact I. Qed.\n"
		if _, err := Theorems(files(text)); row[1] == "" {
			must.Do(t, err)
		} else if must.ErrorContains(t, err, row[1], row[0]); !strings.HasPrefix(fmt.Sprint(err), "A.v:") {
			t.Errorf("%q: %v", row[0], err)
		}
	}
}

// TestNames checks that no file can redefine a name that it can already use.
func TestNames(t *testing.T) {
	const first = "Definition never (n : nat) := n = 0.\nInductive side := Soldiers | Castle.\nRecord state := State " +
		"{ soldiers : nat; hits : nat }.\n"
	for _, row := range must.Rows(t, tables, "TestNames") {
		second, name := row[0]+"\n", row[1]
		_, err := Theorems(files(first, "From Siegebook Require Import A.\n"+second))
		must.ErrorContains(t, err, ".v: "+name+" is already defined in ", second)
		if _, err := Theorems(files(first, second)); err != nil && name != "form" {
			t.Errorf("%s: files that do not see one another: %v", second, err)
		}
	}
}

// TestDefinitions checks that Definitions finds the definitions that a statement uses directly or indirectly, in the
// files that it can use.
func TestDefinitions(t *testing.T) {
	const state = "(**\n   Claim: one.\n   Prose: a\n*)\nTheorem one : two = 2.\nProof. reflexivity. Qed.\n"
	list, err := Definitions(files(
		"Definition half := 1. (* two *)\nDefinition none := 0.\n",
		"From Siegebook Require Import A.\nDefinition two :=\n  half + half.\n"+state, "Definition two := 3.\n",
	))
	want := []Definition{{"half", "A.v", "Definition half := 1."}, {"two", "B.v", "Definition two :=\n  half + half."}}
	if err != nil || !slices.Equal(list, want) {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestListFails(t *testing.T) {
	const good = "(**\n   Claim: one and\n     one.\n   Prose: a.md, A\n*)\nTheorem one : 1 + 1 = 2.\nProof. " +
		"reflexivity. Qed.\n"
	list, err := Theorems(files(good))
	if err != nil || len(list) != 1 || list[0].Claim != "one and one." ||
		list[0].Statement != "Theorem one : 1 + 1 = 2." {
		t.Fatalf("%+v, %v", list, err)
	}
	for _, row := range must.Rows(t, tables, "TestListFails") {
		_, err := Theorems(files(row[1:]...))
		must.ErrorContains(t, err, row[0], row[1:])
	}
}

// TestExamples checks that each theorem of the list has an example.
func TestExamples(t *testing.T) {
	must.Do(t, Exemplified(Texts))
}

// TestExamplesFail checks that examples are rejected if they do not show that a theorem can be applied.
func TestExamplesFail(t *testing.T) {
	const theorem = "(**\n   Claim: one.\n   Prose: a\n*)\n" +
		"Theorem one : forall n, 2 < n -> n < 2 -> n = 7.\nProof. lia. Qed.\n"
	want := map[string]string{
		"missing": "A.v: theorem one: each needs an example directly after its proof: write Example one_holds, ",
		"open":    "A.v: theorem one: its Example one_holds must not have a premise (a variable, forall or ->): ",
		"unused":  "A.v: theorem one: the proof of Example one_holds has to use the theorem: ",
	}
	for _, row := range must.Rows(t, tables, "TestExamplesFail") {
		err := Exemplified(files(theorem + row[1]))
		if row[0] == "good" {
			must.Do(t, err)
			continue
		}
		must.ErrorContains(t, err, want[row[0]], row[1])
	}
	must.ErrorContains(t, Exemplified(files("Axiom a : False.\n")), "may not assume anything")
}
