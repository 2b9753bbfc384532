package castle

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/pseudocode"
)

// TestListings: every page's listings are run, and no function of a listing is left out.
func TestListings(t *testing.T) {
	program, err := listedProgram()
	if err != nil {
		t.Fatal(err)
	}
	run := map[string]bool{}
	for _, page := range slices.Sorted(maps.Keys(listingsOf)) {
		if battles, err := checkListings(page); err != nil || battles < 500 {
			t.Errorf("%s: %d battles, %v", page, battles, err)
		}
		for _, l := range listingsOf[page] {
			for _, name := range strings.Split(l.functions, " and ") {
				run[name] = true
			}
		}
	}
	used := "Left Hunt F K Lost" // by the others
	for _, name := range program.Functions() {
		if !run[name] && !strings.Contains(" "+used+" ", " "+name+" ") {
			t.Errorf("%s is on a page, but nothing compares it with the library", name)
		}
	}
}

// TestFalseListings: a slip in a listing is found. Each is a text of a page with a change that a tired author might
// make.
func TestFalseListings(t *testing.T) {
	var sources []string
	for _, page := range []string{"rules", "tests", "side", "counts"} {
		sources = append(sources, chapter.TextOf(texts, page))
	}
	for _, slip := range []struct{ page, from, to string }{
		{"rules", "x ≥ S: return \"castle\"", "x > S: return \"castle\""},
		{"rules", "if C′ > 0: add d to D′", "add d to D′"},
		{"rules", "if S > D: return D ", "if S ≥ D: return D "},
		{"rules", "if C ≤ S: return min(S − C, D)", "if C < S: return min(S − C, D)"},
		{"rules", "return min(S, D)\n```", "return S\n```"},
		{"rules", "x² + d·x > n·d: return", "x² > n·d: return"},
		{"rules", "return 1 + q + Hunt(Left(q))", "return q + Hunt(Left(q))"},
		{"rules", "x·F(2k + 1) > n·F(2k)", "x·F(2k + 1) ≥ n·F(2k)"},
		{"tests", "return q + max(0, K(", "return 1 + q + max(0, K("},
		{"tests", "log(φ) / 4⌉", "log(φ) / 2⌉"},
		{"tests", "wave > 50", "wave ≥ 50"},
		{"side", "S − C + 1 ", "S − C "},
		{"side", "S − C ≤ D − S", "S − C < D − S"},
		{"counts", "max(0, min(S − C, D)) to min(S, D):\n        winner", "0 to min(S, D):\n        winner"},
		{"counts", "add now[S, D, C] to next", "add 1 to next"},
		{"counts", "min(high, fall − 1)", "min(high, fall)"},
		{"counts", "notes[S, B, last + 1]", "notes[S, B, last]"},
	} {
		var listed []string
		changed := false
		for _, source := range sources {
			spoiled := strings.Replace(source, slip.from, slip.to, 1)
			changed = changed || spoiled != source
			listed = append(listed, listingTexts(spoiled)...)
		}
		if !changed {
			t.Errorf("%q is in no listing", slip.from)
			continue
		}
		spoiled, err := pseudocode.Parse(listingNumbers, listed...)
		if err != nil {
			t.Errorf("%q: %v", slip.to, err)
			continue
		}
		if _, err := runListings(spoiled, slip.page); err == nil {
			t.Errorf("%q goes unnoticed", slip.to)
		}
	}
}

// TestBrokenListing: what cannot be read is an error of the page that runs it.
func TestBrokenListing(t *testing.T) {
	for text, want := range map[string]string{
		"function Wave(S, D, C, i):\n    return D":       "the listing Wave",
		"function Play(Rule):\n    return 1":             "there is no function Wave",
		"function Wave(S, D, C):\n    return \"castle\"": "Wave takes 3 values, not 4",
	} {
		program, err := pseudocode.Parse(listingNumbers, text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := runListings(program, "rules"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
