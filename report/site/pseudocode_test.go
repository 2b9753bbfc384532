package site

import (
	"html"
	"regexp"
	"strings"
	"testing"
)

// TestPseudocodeColours: the words of the notation have colours, and no character of a listing is lost.
func TestPseudocodeColours(t *testing.T) {
	listing := "function Left(q):                # what \"remains\"\n    C′ ← max(0, s − 2n)\n    for each S, D in now: add −S·φ to t[\"castle\", 1]\n    return √(n²) ≤ ⌈S⌉ and C′ ≠ ∞\n"
	got := highlight("pseudocode", listing)
	if text := html.UnescapeString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(got, "")); text != listing {
		t.Errorf("%q became %q", listing, text)
	}
	for _, want := range []string{
		`<span class="tok-keyword">function</span>`, `<span class="tok-function">Left</span>`, `<span class="tok-comment"># what &#34;remains&#34;</span>`,
		`<span class="tok-keyword">each</span>`, `<span class="tok-keyword">and</span>`, `<span class="tok-string">&#34;castle&#34;</span>`, `<span class="tok-number">2</span>`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s lacks %s", got, want)
		}
	}
}
