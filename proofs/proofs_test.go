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

// TestList compares the list that is kept for others with the theorems that are there, both ways.
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

// TestNeeds looks at proofs that lean on others by their lemmas, and that all lean on such as come before.
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

// TestProseIsThere follows the references to derivations. The ledger follows those to claims.
func TestProseIsThere(t *testing.T) {
	for _, theorem := range must.Get(Theorems(Texts)) {
		places, err := theorem.Places()
		if err != nil {
			t.Error(err)
		}
		for _, place := range places {
			text, err := os.ReadFile(filepath.Join("..", "docs", "derivations", place.File))
			if err != nil {
				t.Errorf("%s: %s: %q is no place: %v", theorem.File, theorem.Name, theorem.Prose, err)
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

// TestCodeIsThere looks for the functions that theorems are about.
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

// TestStrange looks at each way to assume something or to say something else than what is read, and at words that only
// stand in comments or strings.
func TestStrange(t *testing.T) {
	const before, after = "Open Scope Z_scope.\n",
		"\n(**\n   Claim: one.\n   Prose: a\n*)\nTheorem one : True.\nProof. exact I. Qed.\n"
	for text, said := range map[string]string{
		"Axiom cheat : False.":                            "2: Axiom cheat :",
		"Section A.":                                      "Section",
		"Lemma a : False.\nAdmitted.":                     "3: Admitted",
		"Lemma a : False. admit.":                         "admit",
		"Lemma a : False. [g]: { Axiom b : False.":        "Axiom",
		"Unset Guard Checking.":                           "Unset",
		"#[bypass_check(guard)]":                          "#[",
		"From Coq Require Import Psatz.":                  "From Coq Require",
		"From Coq Require Import Reals.":                  "From Coq Require",
		"Notation \"1 = 2\" := True.":                     "Notation",
		"(* \"*)\" (* *) *) Axiom a : False.":             "Axiom",
		"Delimit Scope Z_scope with nat.":                 "Delimit Scope Z_scope",
		"Open Scope nat_scope.":                           "Open Scope nat_scope",
		"Redirect \"/tmp/x\" Print nat.":                  "Redirect",
		"Extraction \"x\" nat.":                           "Extraction",
		"From Coq Require Import ZArith. Import Z.":       "Import Z",
		"Require Import Coq.Logic.Classical.":             "Require Import Coq.Logic.Classical",
		"From Elsewhere Require Import A.":                "From Elsewhere Require",
		"Arguments nil {A}.":                              "Arguments nil {A}",
		"Instance a : A.":                                 "Instance a :",
		"Time Definition a := 1.":                         "Time Definition a",
		"Fixpoint a (n : nat) := n where \"x\" := (a x).": "where",
		"Record a := { b :> nat }.":                       ":>",
		"Lemma a : True.\nProof. - exact I. { Redirect \"x\" Print nat. } Qed.": "Redirect",
		"Lemma a : True.\nProof. 1: { Cd \"/tmp\". exact I. } Qed.":             "Cd",
	} {
		_, err := Theorems(fstest.MapFS{"A.v": {Data: []byte(before + text + after)}})
		if err == nil || !strings.Contains(err.Error(), said) || !strings.HasPrefix(err.Error(), "A.v:") {
			t.Errorf("%q: %v, want %q", text, err, said)
		}
	}
	for _, text := range []string{
		"(* no Axiom, (* no Parameter, *) no Variable *)", "(* \"(*\" *)",
		"Ltac a := idtac \"Axiom\".", "Lemma AxiomA : True. exact I. Qed.",
	} {
		if _, err := Theorems(fstest.MapFS{"A.v": {Data: []byte(before + text + after)}}); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestNames: a name that a file sees stands for one thing, whatever gives it.
func TestNames(t *testing.T) {
	const needs = "From Siegebook Require Import A.\n"
	const first = "Definition never (n : nat) := n = 0.\nInductive side := Soldiers | Castle.\nRecord state := State " +
		"{ soldiers : nat; hits : nat }.\n"
	for second, name := range map[string]string{
		"Definition never (n : nat) := True.":            "never",
		"Fixpoint never (n : nat) := True.":              "never",
		"Lemma side : True. Proof. exact I. Qed.":        "side",
		"Inductive other := Soldiers | Nobody.":          "Soldiers",
		"Inductive other :=\n| hits (n : nat) : other.":  "hits",
		"Record other := State { a : nat }.":             "State",
		"Record other := Other { a : nat; hits : nat }.": "hits",
		"Definition form := 1.\nDefinition form := 2.":   "form",
	} {
		_, err := Theorems(fstest.MapFS{"A.v": {Data: []byte(first)}, "B.v": {Data: []byte(needs + second + "\n")}})
		if err == nil || !strings.Contains(err.Error(), ".v: "+name+" has its name from ") {
			t.Errorf("%s: %v, want one about %s", second, err, name)
		}
		if name == "form" {
			continue
		}
		if _, err := Theorems(fstest.MapFS{
			"A.v": {Data: []byte(first)},
			"B.v": {Data: []byte(second + "\n")},
		}); err != nil {
			t.Errorf("%s: files that do not see one another: %v", second, err)
		}
	}
}

// TestDefinitions: what a statement rests on is found through other definitions, and in the file that it sees.
func TestDefinitions(t *testing.T) {
	const state = "(**\n   Claim: one.\n   Prose: a\n*)\nTheorem one : two = 2.\nProof. reflexivity. Qed.\n"
	list, err := Definitions(fstest.MapFS{
		"A.v": {Data: []byte("Definition half := 1. (* two *)\nDefinition none := 0.\n")},
		"B.v": {Data: []byte("From Siegebook Require Import A.\nDefinition two :=\n  half + half.\n" + state)},
		"C.v": {Data: []byte("Definition two := 3.\n")},
	})
	want := []Definition{{"half", "A.v", "Definition half := 1."}, {"two", "B.v", "Definition two :=\n  half + half."}}
	if err != nil || !slices.Equal(list, want) {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestListFails(t *testing.T) {
	const good = "(**\n   Claim: one and\n     one.\n   Prose: a.md, A\n*)\nTheorem one : 1 + 1 = 2.\nProof. " +
		"reflexivity. Qed.\n"
	list, err := Theorems(fstest.MapFS{"A.v": {Data: []byte(good)}})
	if err != nil || len(list) != 1 || list[0].Claim != "one and one." ||
		list[0].Statement != "Theorem one : 1 + 1 = 2." {
		t.Fatalf("%+v, %v", list, err)
	}
	for want, files := range map[string]fstest.MapFS{
		"no comment": {"A.v": {Data: []byte("(* one *)\nTheorem one : True.\nProof. exact I. Qed.\n")}},
		"neither Prose nor": {"A.v": {Data: []byte("(**\n   Claim: one.\n*)\nTheorem one : True.\nProof. exact I. " +
			"Qed.\n")}},
		"is no field": {"A.v": {Data: []byte("(**\n   Claim: one.\n   Settle: two.\n*)\nTheorem one : True.\nProof. " +
			"exact I. Qed.\n")}},
		"not with a field":    {"A.v": {Data: []byte("(**\n   one.\n*)\nTheorem one : True.\nProof. exact I. Qed.\n")}},
		"no proof follows":    {"A.v": {Data: []byte(strings.ReplaceAll(good, "Proof.", "exact"))}},
		"each belongs to one": {"A.v": {Data: []byte(strings.ReplaceAll(good, "Theorem", "Lemma"))}},
		"which is not there":  {"A.v": {Data: []byte("From Siegebook Require Import B.\n" + good)}},
		"require one another": {
			"A.v": {Data: []byte("From Siegebook Require Import B.\n")},
			"B.v": {Data: []byte("From Siegebook Require Import A.\n")},
		},
		"there twice": {"A.v": {Data: []byte("(**\n   Claim: one.\n   Claim: two.\n*)\nTheorem one : True.\nProof. " +
			"exact I. Qed.\n")}},
	} {
		if list, err := Theorems(files); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v, %v, want an error with %q", list, err, want)
		}
	}
}
