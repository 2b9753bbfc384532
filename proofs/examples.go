package proofs

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
)

var (
	// exampleLine matches the beginning of an example: its name, and what it binds before the colon.
	exampleLine = regexp.MustCompile(`^Example\s+([A-Za-z_0-9']+)([^:]*):`)
	// premise matches what would leave an example something to be met. The arrow of <-> is none.
	premise = regexp.MustCompile(`\bforall\b|(?:^|[^<])->`)
	// proofEnd matches the only end of a proof that command lets pass.
	proofEnd = regexp.MustCompile(`\bQed\.(?:\s|$)`)
)

// Exemplified looks for the example of each theorem of a folder. A theorem whose premises contradict one another is
// true and says nothing; its example, which has no premise and is proved by it, would not pass Coq. The error names the
// first theorem that has none, or one with a premise, or one whose proof does not use it.
func Exemplified(folder fs.FS) error {
	theorems, err := Theorems(folder)
	if err != nil {
		return err
	}
	for _, theorem := range theorems {
		text, err := fs.ReadFile(folder, theorem.File)
		if err != nil {
			return err
		}
		if err := theorem.exemplified(code(string(text))); err != nil {
			return fmt.Errorf("%s: theorem %s: %w", theorem.File, theorem.Name, err)
		}
	}
	return nil
}

// exemplified looks for the theorem's example in the text of its file, without comments.
func (t Theorem) exemplified(plain string) error {
	name := t.Name + "_holds"
	begin := regexp.MustCompile(`(?m)^Theorem +` + regexp.QuoteMeta(t.Name) + `[^A-Za-z_0-9']`).FindStringIndex(plain)
	if begin == nil {
		begin = []int{len(plain), len(plain)}
	}
	_, rest := cutAt(plain[begin[1]:], proofEnd)
	at := exampleLine.FindStringSubmatch(rest)
	if at == nil || at[1] != name {
		return fmt.Errorf("each needs an example directly behind its proof: write Example %s, "+
			"which says of numbers what the theorem says, and prove it by %s", name, t.Name)
	}
	statement, rest := cutAt(rest[len(at[0]):], sentenceEnd)
	if binds := strings.TrimSpace(at[2]); binds != "" || premise.MatchString(statement) {
		return fmt.Errorf("its Example %s may have no premise, neither a variable nor forall nor ->: "+
			"put numbers, and meet the premises of %s in its proof", name, t.Name)
	}
	proof, _ := cutAt(rest, proofEnd)
	if !strings.HasPrefix(proof, "Proof.") || !slices.Contains(words.FindAllString(proof, -1), t.Name) {
		return fmt.Errorf("the proof of Example %s has to use the theorem: "+
			"begin it with Proof. apply %s, and end it with Qed", name, t.Name)
	}
	return nil
}

// cutAt returns what stands before the first match, and behind it from the next word on.
func cutAt(text string, end *regexp.Regexp) (before, behind string) {
	at := end.FindStringIndex(text)
	if at == nil {
		return text, ""
	}
	return text[:at[0]], strings.TrimSpace(text[at[1]:])
}
