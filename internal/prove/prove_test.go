package main

import (
	"os/exec"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/siegebook/siegebook/proofs"
)

func wantError(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want one with %q", err, want)
	}
}

func TestChecked(t *testing.T) {
	const report = "\nCONTEXT SUMMARY\n===============\n\n* Theory: Set is predicative\n  \n* Axioms:%s\n  \n* Constants/Inductives relying on type-in-type: <none>\n"
	if err := checked(strings.Replace(report, "%s", " <none>", 1)); err != nil {
		t.Error(err)
	}
	wantError(t, checked(strings.Replace(report, "%s", "\n    Siegebook.A.cheat\n    Coq.Logic.Classical_Prop.classic", 1)), "Siegebook.A.cheat, Coq.Logic")
	wantError(t, checked("all is well"), "does not say")
}

func TestTold(t *testing.T) {
	theorems := []proofs.Theorem{{Name: "a"}, {Name: "b"}}
	answers, err := told("theorem: a\nClosed under the global context\ntheorem: b\nAxioms:\ncheat : forall A : Type,\n  A\n", theorems)
	if err != nil || answers[0] != closed || answers[1] != "Axioms: cheat : forall A : Type, A" {
		t.Errorf("%q, %v", answers, err)
	}
	_, err = told("theorem: a\nClosed under the global context\n", theorems)
	wantError(t, err, "told about 1 theorems, not about 2")
	_, err = told("theorem: b\nx\ntheorem: a\ny\n", theorems)
	wantError(t, err, "told about b where a was asked for")
}

func TestEvaluated(t *testing.T) {
	sums, err := evaluated("     = 12\n     : Z\n     = 18446744073709551615\n     : Z\n")
	if err != nil || len(sums) != 2 || sums[0] != 12 || sums[1] != 1<<64-1 {
		t.Errorf("%v, %v", sums, err)
	}
	_, err = evaluated("     = 18446744073709551616\n     : Z\n")
	wantError(t, err, "out of range")
}

// TestUnsound has Coq check files that prove nothing, or not enough, if it is there.
func TestUnsound(t *testing.T) {
	if _, err := exec.LookPath("coqc"); err != nil {
		t.Skip("no coqc on PATH")
	}
	const claim = "(**\n   Claim: something.\n   Prose: somewhere\n*)\n"
	for want, text := range map[string]string{
		"Unable to unify": claim + "Theorem wrong : 1 + 1 = 3.\nProof. reflexivity. Qed.\n",
		"finds axioms":    "Axiom cheat : 1 + 1 = 3.\n" + claim + "Theorem wrong : 1 + 1 = 3.\nProof. exact cheat. Qed.\n",
	} {
		var out strings.Builder
		err := run(t.Context(), fstest.MapFS{"A.v": {Data: []byte(text)}}, &out)
		wantError(t, err, want)
	}
	// What is not closed is told and fails by itself too, without the separate checker.
	dir := coq{t.TempDir()}
	if err := dir.compile(t.Context(), "A.v", []byte("Theorem wrong : 1 + 1 = 3.\nProof. Admitted.\n")); err != nil {
		t.Fatal(err)
	}
	answers, err := dir.assumptions(t.Context(), []proofs.Theorem{{Name: "wrong", File: "A.v"}})
	if err != nil || answers[0] != "Axioms: A.wrong : 1 + 1 = 3" {
		t.Errorf("%q, %v", answers, err)
	}
}
