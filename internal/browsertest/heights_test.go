package browsertest

import (
	"flag"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
)

var update = flag.Bool("update", false, "record the heights of the explorables in report/explore/web/heights.css")

const heightsFile = "../../report/explore/web/heights.css"

// heightWidths are the widths of an explorable whose heights are recorded, in CSS pixels: those of kit.css.
var heightWidths = []int{280, 320, 350, 390, 480, 481, 560, 640, 641, 752}

// measured returns the height that an explorable needs at a width, and the height that is reserved for it.
const measured = drawnNow + `
	const box = host.parentElement;
	box.style.inlineSize = given[0] + "px";
	host.style.minBlockSize = 0;
	let before = -1, needed = 0;
	while (before !== needed) {
		before = needed;
		do await frame(); while (host.dataset.drawing !== undefined);
		needed = box.getBoundingClientRect().height;
	}
	host.style.minBlockSize = "";
	const reserved = parseFloat(getComputedStyle(host).minBlockSize);
	box.style.inlineSize = "";
	return {needed: Math.ceil(needed), reserved};`

// TestHeights compares the heights that are recorded for the explorables with those that they have. One may have less
// by a line of text, as letters are wider in one browser than in the other. Every other width is measured in Firefox.
func TestHeights(t *testing.T) {
	t.Parallel()
	r := report(t)
	pages := pagesToPlay(t, r)
	var mu sync.Mutex
	found := map[string]map[string][]int{} // by kind and start, for each width
	t.Run("browsers", func(t *testing.T) {
		inBrowsers(t, false, func(t *testing.T, w window) {
			for _, page := range pages {
				w.open(fileURL(page))
				games := gamesOf(t, page)
				heights := make([][]int, len(games))
				for i, width := range heightWidths { // with each, all of the page is drawn again
					if !*update && !inTurn(w, i) {
						continue
					}
					window := width + 40
					if i == len(heightWidths)-1 {
						window = 1280 // letters grow with the window, and most that have so much room have more
					}
					w.resize(window, 1000)
					for at, g := range games {
						p := &player{T: t, window: w, game: g}
						got := inHost[struct{ Needed, Reserved float64 }](p, measured, width)
						heights[at] = append(heights[at], int(got.Needed))
						if !*update && (got.Needed > got.Reserved+2 || got.Needed < got.Reserved-48) {
							t.Errorf("%s %s: %d pixels wide, it is %g pixels high, and %g are reserved: to record its "+
								"height, run go test -run '^TestHeights$' ./internal/browsertest -update",
								filepath.Base(page), g.block, width, got.Needed, got.Reserved)
						}
					}
				}
				mu.Lock()
				for at, g := range games {
					if found[g.kind] == nil {
						found[g.kind] = map[string][]int{}
					}
					found[g.kind][g.start] = highest(found[g.kind][g.start], heights[at])
				}
				mu.Unlock()
			}
		})
	})
	if *update && !t.Failed() {
		must.Write(t, heightsFile, heightsCSS(found))
	}
}

// highest are the greater of heights, width by width.
func highest(a, b []int) []int {
	all := slices.Clone(b)
	for i := range a {
		all[i] = max(a[i], b[i])
	}
	return all
}

// heightsCSS is the style sheet that records heights: those of a kind, or of each start of it where they differ by more
// than a line of text.
func heightsCSS(found map[string]map[string][]int) string {
	var css strings.Builder
	css.WriteString("/* The heights of explorables by their widths, in pixels: recorded by TestHeights of " +
		"internal/browsertest, with -update. */\n")
	rule := func(selector string, heights []int) {
		css.WriteString(selector + " {")
		for i, width := range heightWidths {
			fmt.Fprintf(&css, " --h%d: %d;", width, heights[i])
		}
		css.WriteString(" }\n")
	}
	for _, kind := range slices.Sorted(maps.Keys(found)) {
		var most []int
		for _, heights := range found[kind] {
			most = highest(most, heights)
		}
		selector := fmt.Sprintf(`.explorable[data-kind="%s"]`, kind)
		rule(selector, most)
		for _, start := range slices.Sorted(maps.Keys(found[kind])) {
			for i, height := range found[kind][start] {
				if height < most[i]-24 {
					// The edition of one file has the style inside, and is XML too: & is written as CSS writes it.
					rule(selector+fmt.Sprintf(`[data-start="%s"]`, strings.ReplaceAll(start, "&", `\26 `)),
						found[kind][start])
					break
				}
			}
		}
	}
	return css.String()
}
