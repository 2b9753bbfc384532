package proofs

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/siegebook/siegebook/internal/must"
)

// TestExamples: each theorem of the list has its example.
func TestExamples(t *testing.T) {
	if err := Exemplified(Texts); err != nil {
		t.Error(err)
	}
}

// TestExamplesMissing takes the example of one theorem after the other away, and each time looks for that theorem in
// the error.
func TestExamplesMissing(t *testing.T) {
	files := map[string]string{}
	for _, theorem := range must.Get(Theorems(Texts)) {
		if files[theorem.File] == "" {
			text := must.Get(fs.ReadFile(Texts, theorem.File))
			files[theorem.File] = code(string(text))
		}
		line := "\nExample " + theorem.Name + "_holds "
		without := strings.Replace(files[theorem.File], line, strings.Replace(line, "Example", "Lemma", 1), 1)
		err := theorem.exemplified(without)
		if err == nil || !strings.Contains(err.Error(), "write Example "+theorem.Name+"_holds, ") {
			t.Errorf("%s without its example: %v", theorem.Name, err)
		}
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

// TestExamplesAreNoTheorems: neither the list nor what its statements rest on has an example, nor does one lengthen the
// statement before it or lend a theorem what it leans on.
func TestExamplesAreNoTheorems(t *testing.T) {
	const claim = "(**\n   Claim: one.\n   Prose: a\n*)\n"
	folder := fstest.MapFS{"A.v": {Data: []byte("Definition three := 3.\n" +
		claim + "Theorem one : 1 = 1.\nProof. reflexivity. Qed.\n" +
		"Example one_holds : 1 = 1.\nProof. exact one. Qed.\n" +
		claim + "Theorem two : 2 = 2.\nProof. reflexivity. Qed.\n" +
		"Example two_holds : 2 = 2 /\\ three = 3.\nProof. split; [exact two | pose one; reflexivity]. Qed.\n")}}
	list, err := Theorems(folder)
	if err != nil || len(list) != 2 || list[0].Statement != "Theorem one : 1 = 1." || list[1].Name != "two" ||
		len(list[1].Needs) != 0 {
		t.Errorf("%+v, %v", list, err)
	}
	if definitions, err := Definitions(folder); err != nil || len(definitions) != 0 {
		t.Errorf("%+v, %v", definitions, err)
	}
	for _, theorem := range must.Get(Theorems(Texts)) {
		if strings.Contains(theorem.Statement, "Example") || strings.HasSuffix(theorem.Name, "_holds") {
			t.Errorf("an example is in the list of theorems: %s", theorem.Statement)
		}
	}
	if err := Exemplified(folder); err != nil {
		t.Error(err)
	}
}
