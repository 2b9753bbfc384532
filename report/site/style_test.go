package site

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestContrast computes the contrast ratio of every pair of ink and ground that text uses, in both schemes, after
// WCAG 2.2, which asks for 4.5.
func TestContrast(t *testing.T) {
	light := colours(t, style[:strings.Index(style, "@media screen and (prefers-color-scheme: dark)")])
	_, rest, _ := strings.Cut(style, "@media screen and (prefers-color-scheme: dark)")
	dark := colours(t, rest[:strings.Index(rest, "/* Page */")])
	if len(light) != len(dark) {
		t.Errorf("%d light colours, %d dark ones", len(light), len(dark))
	}
	pairs := [][2]string{{"ink", "ground"}, {"ink-soft", "ground"}, {"link", "ground"}, {"ink", "ground-soft"}, {"ink-soft", "ground-soft"}, {"link", "ground-soft"}}
	for name := range light {
		if tone, ok := strings.CutSuffix(name, "-ink"); ok {
			// A callout's ground is a mix of its tone's ground and the page's: both ends suffice.
			pairs = append(pairs, [2]string{name, tone + "-ground"}, [2]string{name, "ground"}, [2]string{"ink", tone + "-ground"})
		}
		if strings.HasPrefix(name, "tok-") {
			pairs = append(pairs, [2]string{name, "ground-soft"})
		}
	}
	if len(pairs) < 25 {
		t.Fatalf("only %d pairs", len(pairs))
	}
	for scheme, palette := range map[string]map[string]float64{"light": light, "dark": dark} {
		for _, pair := range pairs {
			a, okA := palette[pair[0]]
			b, okB := palette[pair[1]]
			if !okA || !okB {
				t.Errorf("%s: no colour for %v", scheme, pair)
				continue
			}
			if ratio := (max(a, b) + 0.05) / (min(a, b) + 0.05); ratio < 4.5 {
				t.Errorf("%s: --%s on --%s has contrast %.2f", scheme, pair[0], pair[1], ratio)
			}
		}
		if ratio := (max(palette["focus"], palette["ground"]) + 0.05) / (min(palette["focus"], palette["ground"]) + 0.05); ratio < 3 {
			t.Errorf("%s: the focus ring has contrast %.2f", scheme, ratio)
		}
	}
}

// colours reads the custom properties that are colours, as relative luminance.
func colours(t *testing.T, css string) map[string]float64 {
	t.Helper()
	found := map[string]float64{}
	for _, m := range regexp.MustCompile(`--([a-z-]+): #([0-9a-f]{6});`).FindAllStringSubmatch(css, -1) {
		v, err := strconv.ParseUint(m[2], 16, 32)
		if err != nil {
			t.Fatal(err)
		}
		channel := func(shift int) float64 {
			c := float64(v>>shift&0xff) / 255
			if c <= 0.04045 {
				return c / 12.92
			}
			return math.Pow((c+0.055)/1.055, 2.4)
		}
		found[m[1]] = 0.2126*channel(16) + 0.7152*channel(8) + 0.0722*channel(0)
	}
	return found
}

func TestHighlightKeepsTheCode(t *testing.T) {
	tests := []struct{ language, code, want string }{
		{"go", "func f() int { return 1 } // <x>\n", `<span class="tok-keyword">func</span>`},
		{"go", "func f() int { return 1 } // <x>\n", `<span class="tok-type">int</span>`},
		{"go", "func f() int { return 1 } // <x>\n", `<span class="tok-comment">// &lt;x&gt;`},
		{"json", `{"a": "b"}`, "tok-string"},
		{"no-such-language", "<b>", "&lt;b&gt;"},
		{"", "<b>", "&lt;b&gt;"},
	}
	tags := regexp.MustCompile(`<[^>]*>`)
	for _, tt := range tests {
		got := highlight(tt.language, tt.code)
		if !strings.Contains(got, tt.want) {
			t.Errorf("%s: %s lacks %s", tt.language, got, tt.want)
		}
		plain := strings.NewReplacer("&lt;", "<", "&gt;", ">", "&#34;", `"`, "&amp;", "&").Replace(tags.ReplaceAllString(got, ""))
		if plain != tt.code {
			t.Errorf("%s: the code reads %q, want %q", tt.language, plain, tt.code)
		}
	}
}
