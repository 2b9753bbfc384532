package castle

import (
	"maps"
	"slices"
	"strings"
	"testing"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/listing"
	"github.com/siegebook/siegebook/report/chapter/chaptertest"
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
	used := "left hunt fibonacci lost add" // by the others
	for _, name := range program.Functions() {
		if !run[name] && !strings.Contains(" "+used+" ", " "+name+" ") {
			t.Errorf("%s is on a page, but nothing compares it with the library", name)
		}
	}
}

// TestFalseListings: a slip in a listing is found. Each is a text of a page with a change that a tired author might
// make.
func TestFalseListings(t *testing.T) {
	text := listedText()
	for _, slip := range []struct{ page, from, to string }{
		{"rules", "if x >= N:", "if x > N:"},
		{"rules", "    if hits > 0:\n        x += d", "    x += d"},
		{"rules", "if N > D:", "if N >= D:"},
		{"rules", "if S <= N:\n        return min(N - S, D)", "if S < N:\n        return min(N - S, D)"},
		{"rules", "    return min(N, D)\n", "    return N\n"},
		{"rules", "and x * x + d * x > n * d", "and x * x > n * d"},
		{"rules", "return 1 + q + hunt(n, x)", "return q + hunt(n, x)"},
		{"rules", "x * fibonacci(2 * k + 1) > n", "x * fibonacci(2 * k + 1) >= n"},
		{"tests", "wave <= 50", "wave < 50"},
		{"side", "i = N - S + 1 ", "i = N - S "},
		{"side", "N - S <= D - N", "N - S < D - N"},
		{"counts", "range(max(0, min(N - S, D)), min(N, D) + 1)", "range(0, min(N, D) + 1)"},
		{"counts", "add(after, (soldiers, hits, defenders), ways)", "add(after, (soldiers, hits, defenders), 1)"},
		{"counts", "min(high, fall - 1)", "min(high, fall)"},
		{"counts", "(N, S + D, last + 1), -ways", "(N, S + D, last), -ways"},
	} {
		chaptertest.Slip(t, text, slip.from, slip.to, func(spoiled string) error {
			program, err := listing.ReadProgram("listings", []byte(spoiled), listedLimits)
			if err != nil {
				t.Errorf("%q: %v", slip.to, err)
				return err
			}
			_, err = runListings(program, slip.page)
			return err
		})
	}
}

// TestBrokenListing: what cannot be read is an error of the page that runs it.
func TestBrokenListing(t *testing.T) {
	for text, want := range map[string]string{
		"def one_wave(d, N, S, D, i):\n    return D":         "the listing one_wave",
		"def play(n, s, d, at_defenders):\n    return 1":     "there is no function one_wave",
		"def one_wave(d, N, S, D):\n    return \"castle\"":   "accepts 4 positional arguments (5 given)",
		"def one_wave(d, N, S, D, i):\n    while True: pass": "more than 1000 steps",
	} {
		program, err := listing.ReadProgram("listings", []byte(text), listing.Limits{Steps: 1000})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := runListings(program, "rules"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestListingsInPython: the listings, copied out of the pages, answer in Python as they do here.
func TestListingsInPython(t *testing.T) {
	program, err := listedProgram()
	if err != nil {
		t.Fatal(err)
	}
	var calls []chaptertest.Call
	box{5, 9, 4}.each(func(b game.Battle) bool {
		numbers := numbersOf(b)
		add := func(function string, arguments ...any) {
			calls = append(calls, chaptertest.Call{Function: function, Arguments: arguments})
		}
		for _, function := range []string{"fewest", "castle_fastest", "count_states", "count_lines"} {
			add(function, numbers...)
		}
		for _, rule := range []listing.Function{"castle_first", "defenders_first", "best_play"} {
			add("play", append(numbersOf(b), rule)...)
			add("play_to_50", append(numbersOf(b), rule)...)
		}
		add("search", b.DefendersPerWave, b.Soldiers, b.CastleHits, int64(0), int64(1))
		return true
	})
	chaptertest.SameInPython(t, program, listedText(), calls)
}
