package terms

import (
	"strings"
	"testing"
)

// TestComplete checks that no letter has two meanings in a game, that no term occurs twice in the glossary, and that
// each letter and each term has a meaning.
func TestComplete(t *testing.T) {
	for _, c := range Symbols {
		seen := map[rune]bool{}
		for _, s := range c.Symbols {
			for _, letter := range s.Letters {
				if seen[letter] {
					t.Errorf("%s: the letter %c has two meanings", c.Title, letter)
				}
				seen[letter] = true
			}
			if s.Sign == "" || s.Letters == "" || s.Meaning == "" || c.Part != "" && s.Where == "" {
				t.Errorf("%s: %+v is incomplete", c.Title, s)
			}
		}
	}
	before := ""
	for _, term := range Glossary() {
		name := strings.ToLower(term.Name)
		if name <= before || term.Meaning == "" {
			t.Errorf("the term %q is out of order, there twice, or without a meaning", term.Name)
		}
		before = name
	}
}
