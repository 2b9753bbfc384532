package tex

import (
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// TestVariantsAgainstUnicode checks the table of alphabets against Unicode's own: every styled letter decomposes to the
// letter it came from, and no two letters or styles share one.
func TestVariantsAgainstUnicode(t *testing.T) {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" +
		"ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩαβγδεζηθικλμνξοπρςστυφχψω" + "ϴ∇" + greekVariants
	seen := map[string]string{}
	for variant, a := range alphabets {
		changed := 0
		for _, r := range letters {
			styled := inVariant(variant, string(r))
			if styled == string(r) {
				continue
			}
			changed++
			if from, dup := seen[styled]; dup {
				t.Errorf("%s %c and %s are both %s", variant, r, from, styled)
			}
			seen[styled] = variant + " " + string(r)
			// Two Greek forms decompose further, to the letter they are a form of.
			if got, want := norm.NFKC.String(styled), norm.NFKC.String(string(r)); got != want {
				t.Errorf("%s %c is %s, which is a styled %s", variant, r, styled, got)
			}
			if first, _ := utf8.DecodeRuneInString(styled); !unicode.IsPrint(first) {
				t.Errorf("%s %c is the unassigned %U", variant, r, first)
			}
		}
		want := 52
		if a.digit != 0 {
			want += 10
		}
		if a.greekUpper != 0 {
			want += 24 + 25 + 2 + 7
		}
		if changed != want {
			t.Errorf("%s changes %d letters, want %d", variant, changed, want)
		}
	}
	if got := inVariant("unheard-of", "x"); got != "x" {
		t.Errorf("an unknown variant gave %q", got)
	}
}
