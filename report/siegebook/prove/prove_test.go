package main

import (
	"encoding/json"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/proofs"
)

func wantError(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want one with %q", err, want)
	}
}

func TestChecked(t *testing.T) {
	const report = "\nCONTEXT SUMMARY\n===============\n\n* Theory: Set is predicative\n  \n* Axioms: <none>\n  \n" +
		"* Constants/Inductives relying on type-in-type: <none>\n  \n" +
		"* Constants/Inductives relying on unsafe (co)fixpoints: <none>\n  \n* Inductives whose positivity is " +
		"assumed: <none>\n  \n"
	if err := checked(report); err != nil {
		t.Error(err)
	}
	for _, what := range trusted {
		said := strings.Replace(report, what+": <none>",
			what+":\n    Siegebook.A.cheat\n    Coq.Logic.Classical_Prop.classic", 1)
		wantError(t, checked(said), "coqchk finds "+what+": Siegebook.A.cheat, Coq.Logic")
		wantError(t, checked(strings.Replace(report, what, "Nothing", 1)), "does not list its "+what)
	}
	wantError(t, checked("all is well"), "does not list")
}

func TestEvaluated(t *testing.T) {
	sum, err := evaluated("     = 18446744073709551615\n     : Z\n")
	if err != nil || sum != 1<<64-1 {
		t.Errorf("%v, %v", sum, err)
	}
	_, err = evaluated("     = 12\n     : Z\n     = 12\n     : Z\n")
	wantError(t, err, "computed 2 checksums, not one")
	_, err = evaluated("     = 18446744073709551616\n     : Z\n")
	wantError(t, err, "out of range")
}

// fake makes the PATH contain only programs with the names of Coq's programs, each of which runs the given script.
func fake(t *testing.T, script string) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"coqc", "coqchk"} {
		if script == "" {
			break
		}
		must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script), 0o700))
	}
	t.Setenv("PATH", dir)
	t.Setenv("TMPDIR", t.TempDir())
}

const claim = "(**\n   Claim: something.\n   Prose: somewhere\n*)\n"

const example = "Example right_holds : 1 + 1 = 2.\nProof. exact right. Qed.\n"

var small = fstest.MapFS{
	"A.v": {Data: []byte(claim + "Theorem right : 1 + 1 = 2.\nProof. reflexivity. Qed.\n" + example)},
}

// TestWithoutCoq runs prove without Coq, and with a version of Coq that cannot compile the files.
func TestWithoutCoq(t *testing.T) {
	fake(t, "")
	wantError(t, run(t.Context(), small, "", io.Discard), "coqc is missing: install Coq 8.16")
	fake(t, `[ "$1" = --version ] && echo The Rocq Prover, version 9.0.0 && exit
echo 'Error: Cannot find a physical path bound to logical path Lia.'; exit 1`)
	var out strings.Builder
	wantError(t, run(t.Context(), small, "", &out), "Error: Cannot find a physical path")
	if said := "The Rocq Prover, version 9.0.0; the files are written for Coq 8.16\n"; out.String() != said {
		t.Errorf("%q, want %q", out.String(), said)
	}
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "missing"))
	wantError(t, run(t.Context(), small, "", io.Discard), "no such file or directory")
}

func needCoq(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("coqc"); err != nil {
		t.Skip("no coqc on PATH")
	}
}

// TestVacuous checks that Coq rejects the example of a theorem with contradictory premises, for any numbers.
func TestVacuous(t *testing.T) {
	needCoq(t)
	const vacuous = "From Coq Require Import ZArith Lia.\nOpen Scope Z_scope.\n" + claim +
		"Theorem impossible : forall n d, 0 < d < n -> n <= d -> n = d + 7.\nProof. lia. Qed.\n"
	const used = "Example impossible_holds : 10 = 3 + 7.\nProof. apply impossible; lia. Qed.\n"
	files := fstest.MapFS{"A.v": {Data: []byte(vacuous + used)}}
	wantError(t, run(t.Context(), files, "", io.Discard), "Cannot find witness")
}

// TestUnsound has Coq, if it is installed, check files that prove nothing or not enough.
func TestUnsound(t *testing.T) {
	needCoq(t)
	err := run(t.Context(), fstest.MapFS{"A.v": {Data: []byte(claim +
		"Theorem wrong : 1 + 1 = 3.\nProof. reflexivity. Qed.\n" +
		"Example wrong_holds : 1 + 1 = 3.\nProof. exact wrong. Qed.\n")}}, "", io.Discard)
	wantError(t, err, "Unable to unify")
	// make prove must reject each file. Each of the checks must also reject the file on its own, so that no check
	// depends on another.
	for _, row := range must.Rows(t, "testdata/cases.txt", "TestUnsound") {
		refused, reported, assumes := row[1], row[2], row[3]
		text := strings.Replace(row[0], "THEOREM", claim+"Theorem wrong : 1 + 1 = 3.\nProof.", 1)
		wantError(t, run(t.Context(), fstest.MapFS{"A.v": {Data: []byte(text)}}, "", io.Discard), refused)
		dir := coq{t.TempDir()}
		must.Get(dir.script(t.Context(), "A.v", text))
		wantError(t, dir.check(t.Context(), []*proofs.File{{Name: "A.v"}}), reported)
		wantError(t, dir.closed(t.Context(), []proofs.Theorem{{Name: "wrong", File: "A.v"}}), assumes)
	}
}

// TestCheats checks that prove rejects files that change the meaning of a theorem.
func TestCheats(t *testing.T) {
	needCoq(t)
	for _, row := range must.Rows(t, "testdata/cases.txt", "TestCheats") {
		text, refused := row[0], row[1]
		files := fstest.MapFS{"A.v": {Data: []byte(text + "\n" + string(small["A.v"].Data))}}
		wantError(t, run(t.Context(), files, "", io.Discard), refused)
	}
}

// TestStated checks that stated rejects a theorem that differs from the statement shown, even if no other check notices
// the difference.
func TestStated(t *testing.T) {
	needCoq(t)
	dir := coq{t.TempDir()}
	files := []*proofs.File{{Name: "A.v", Text: "Theorem one : 1 + 1 = 2.\nProof. reflexivity. Qed.\n"}}
	must.Get(dir.script(t.Context(), "A.v", files[0].Text))
	for shown, fits := range map[string]bool{"1 + 1 = 2": true, "1 + 1 = 2 \\/ True": false, "1 = 2": false} {
		err := dir.stated(t.Context(), files,
			[]proofs.Theorem{{Name: "one", File: "A.v", Statement: "Theorem one : " + shown + "."}})
		if fits != (err == nil) || err != nil && !strings.Contains(err.Error(), "differs from its shown statement") {
			t.Errorf("%s: %v", shown, err)
		}
	}
}

// TestDrawn checks that the battles are valid, that the same seed gives the same battles, that each side wins some
// battles and loses others, and that some battles are near the largest int64.
func TestDrawn(t *testing.T) {
	for i, f := range functions {
		first, again := rand.New(rand.NewPCG(1, uint64(i))), rand.New(rand.NewPCG(1, uint64(i)))
		answers, cases, edge, none := map[string]int{}, map[castle.Case]int{}, 0, 0
		for range 3000 {
			b := f.draw(first)
			if err := b.Validate(); err != nil || b != f.draw(again) {
				t.Fatalf("%s: %v, %v", f.name, b, err)
			}
			said := f.ours(b)
			answers[said]++
			if said == "0" || strings.HasPrefix(said, "0 ") {
				none++
			}
			cases[b.Case()]++
			if b.CastleHits > math.MaxInt64-5 || b.Soldiers > math.MaxInt64-5 {
				edge++
			}
		}
		if len(answers) < 10 || f.name != "counted" && (none < 100 || len(cases) < 3) {
			t.Errorf("%s: %d answers, %d of them none, cases %v", f.name, len(answers), none, cases)
		}
		if f.name == "min_waves" && (edge < 300 || len(cases) < 5) {
			t.Errorf("%d battles at the end of int64, cases %v", edge, cases)
		}
	}
}

// TestDiffer checks that the error names a wrong answer or a missing one.
func TestDiffer(t *testing.T) {
	f, battles := functions[0], []castle.Battle{
		{Soldiers: 10, CastleHits: 43, DefendersPerWave: 8}, {Soldiers: 2, CastleHits: 1, DefendersPerWave: 1},
	}
	if err := f.differ(battles, "16\n1\n"); err != nil {
		t.Error(err)
	}
	wantError(t, f.differ(battles, "16\n2\n"), "min_waves of (2, 1, 1) is 2, but the program returns 1")
	wantError(t, f.differ(battles, "16\n"), "printed 1 lines for 2 battles")
}

// TestSieges checks that general battles are valid, that the same seed gives the same battles, that the soldiers win in
// several waves in many of them and do not win in many others, and that an error names a wrong answer.
func TestSieges(t *testing.T) {
	first, again := rand.New(rand.NewPCG(1, 1)), rand.New(rand.NewPCG(1, 1))
	answers := map[int64]int{}
	for range 3000 {
		b := drawnSiege(first)
		if err := b.Validate(); err != nil || b.String() != drawnSiege(again).String() {
			t.Fatalf("%v: %v", b, err)
		}
		answers[b.MinWaves()]++
	}
	if several := 3000 - answers[0] - answers[1]; answers[0] < 300 || several < 600 || len(answers) < 20 {
		t.Errorf("answers %v", answers)
	}
	battles := []castle.GeneralBattle{{
		Soldiers: 10, CastleHits: 43, Shots: 1, Kills: 1, Reinforcements: []int64{8, 0, 3, 8},
	}}
	if err := differInSieges(battles, []int64{10}, "10\n"); err != nil {
		t.Error(err)
	}
	wantError(t, differInSieges(battles, []int64{10}, "9\n"),
		"siege_waves of (10, 43, 1, 1; 8, 0, 3, 8) is 9, but the program returns 10")
	wantError(t, differInSieges(battles, []int64{10}, ""), "printed 0 lines for 1 battles")
}

const ledgerSample = `{"claims": [
	{"id": "a", "evidence": {"check": {"all": [
		{"game": "tower", "kind": "battle", "n": 1},
		{"game": "castle", "kind": "battle", "n": 2, "line": {"orders": [0, 9007199254740993]}, "holds": "castle == 2"}]}}},
	{"id": "b", "evidence": {}},
	{"id": "c", "evidence": {"check": {"game": "castle", "kind": "golden", "powers": [[1, 2, 3]]}}}]}`

// TestChanged checks that the parts about the castle game are found, and that each copy differs from its part in
// exactly one place.
func TestChanged(t *testing.T) {
	parts, err := castleParts([]byte(ledgerSample))
	if err != nil || len(parts) != 2 || parts[0].ID != "a-1" || parts[1].ID != "c-0" {
		t.Fatalf("%v, %v", parts, err)
	}
	texts := map[string]bool{}
	for seed := range uint64(20) {
		for _, c := range changed(parts[0], rand.New(rand.NewPCG(seed, 1))) {
			text := must.Get(json.Marshal(c.Evidence.Check))
			texts[string(text)] = true
		}
	}
	for _, want := range []string{
		`{"game":"castle","holds":"castle != 2","kind":"battle","line":{"orders":[0,9007199254740993]},"n":2}`,
		`{"game":"castle","holds":"castle == 2","kind":"battle","line":{"orders":[0,9007199254740993]},"n":3}`,
		`{"game":"castle","holds":"castle == 2","kind":"battle","line":{"orders":[1,9007199254740993]},"n":2}`,
		`{"game":"castle","holds":"castle == 2","kind":"battle","line":{"orders":[0,9007199254740994]},"n":2}`,
	} {
		if !texts[want] {
			t.Errorf("no copy is %s", want)
		}
	}
	if len(texts) != 4 {
		t.Errorf("%d copies differ, not 4: %v", len(texts), texts)
	}
}

// TestAgreed checks that agreed names verdicts that differ, and a false claim in the ledger.
func TestAgreed(t *testing.T) {
	claimed := []judged{named("a-1", nil), named("c-0", nil)}
	const right = "a-1 0 right\nc-0 0 unknown\na-1-changed-0 0 lie\na-1-changed-1 0 right\n"
	told, err := agreed(claimed, right, "a-1 0 right\nc-0 0 right\na-1-changed-0 0 lie\na-1-changed-1 0 right\n")
	if err != nil || told != (verdicts{right: 1, lies: 1, harmless: 1}) {
		t.Errorf("%+v, %v", told, err)
	}
	for theirs, refused := range map[string]string{
		"a-1 0 right\nc-0 0 right\na-1-changed-0 0 right\na-1-changed-1 0 right\n": "a-1-changed-0 is lie by the " +
			"extracted functions, but right by check_claims.py",
		"a-1 0 lie\nc-0 0 right\na-1-changed-0 0 lie\na-1-changed-1 0 right\n": "a-1 is right by the extracted " +
			"functions and lie by check_claims.py",
		"a-1 0 right\nc-0 0 right\nb-0 0 lie\na-1-changed-1 0 right\n": "a verdict on a-1-changed-0 where a " +
			"verdict on b-0 is expected",
		"a-1 0 right\n": "4 verdicts by the extracted functions and 1 by check_claims.py, on 2 parts",
	} {
		_, err := agreed(claimed, right, theirs)
		wantError(t, err, refused)
	}
	_, err = agreed(claimed, "a-1 0 unknown\nc-0 0 unknown\n", "a-1 0 right\nc-0 0 right\n")
	wantError(t, err, "check fewer than half of the parts")
}
