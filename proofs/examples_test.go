package proofs

import (
	"strings"
	"testing"
	"testing/fstest"
)

// TestExamples: each theorem of the list has its example.
func TestExamples(t *testing.T) {
	if err := Exemplified(Texts); err != nil {
		t.Error(err)
	}
}

// TestExamplesFail has an example of each kind that does not show that a theorem can be applied.
func TestExamplesFail(t *testing.T) {
	const theorem = "(**\n   Claim: one.\n   Prose: a\n*)\n" +
		"Theorem one : forall n, 2 < n -> n < 2 -> n = 7.\nProof. lia. Qed.\n"
	const (
		missing = "A.v: theorem one: each needs an example directly behind its proof: write Example one_holds, "
		open    = "A.v: theorem one: its Example one_holds may have no premise, "
		unused  = "A.v: theorem one: the proof of Example one_holds has to use the theorem: "
	)
	for behind, want := range map[string]string{
		"": missing,
		"(* Example one_holds : 3 = 7.\nProof. apply one; lia. Qed. " +
			"*)\n": missing, "Lemma one_holds : 3 = 7.\nProof. apply one; lia. Qed.\n": missing,
		"Example two_holds : 3 = 7.\nProof. apply one; lia. " +
			"Qed.\n": missing, "Example one_holds' : 3 = 7.\nProof. apply one; lia. Qed.\n": missing,
		"Lemma a : True.\nProof. exact I. Qed.\nExample one_holds : 3 = 7.\nProof. apply one. " +
			"Qed.\n": missing, "Example one_holds : forall n, n = 7.\nProof. apply one; lia. Qed.\n": open,
		"Example one_holds : 3 < 2 -> 3 = 7.\nProof. intros. apply one; lia. " +
			"Qed.\n": open, "Example one_holds : True /\\ (2 < 3\n->3 < 2 -> 3 = 7).\nProof. split; [easy | apply " +
			"one]. Qed.\n": open,
		"Example one_holds (n : Z) : n = 7.\nProof. apply one; lia. " +
			"Qed.\n": open, "Example one_holds {n} : n = 7.\nProof. apply one; lia. Qed.\n": open,
		"Example one_holds : 7 = 7.\nProof. reflexivity. " +
			"Qed.\n": unused, "Example one_holds : 7 = 7.\nProof. (* apply one *) reflexivity. Qed.\n": unused,
		"Example one_holds : 7 = 7.\nProof. apply one_more. Qed.\n(* *)\nLemma b : 1 = 1.\nProof. apply one. " +
			"Qed.\n": unused, "Example one_holds : 7 = 7 := one.\n": unused,
	} {
		err := Exemplified(fstest.MapFS{"A.v": {Data: []byte(theorem + behind)}})
		if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, want one line that begins with %q", behind, err, want)
		}
	}
	for _, behind := range []string{
		"Example one_holds : 3 = 7.\nProof. apply one; lia. Qed.\n",
		"\n(* It says -> forall. *)\nExample one_holds :\n  3 = 7 <-> 3 = 7.\nProof.\n  exact (one 3). (* . *)\nQed.\n",
	} {
		if err := Exemplified(fstest.MapFS{"A.v": {Data: []byte(theorem + behind)}}); err != nil {
			t.Errorf("%q: %v", behind, err)
		}
	}
	err := Exemplified(fstest.MapFS{"A.v": {Data: []byte("Axiom a : False.\n")}})
	if err == nil || !strings.Contains(err.Error(), "assumes nothing") {
		t.Errorf("%v, want the error of Theorems", err)
	}
}
