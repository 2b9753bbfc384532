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
var heightWidths = []int{240, 280, 320, 350, 390, 480, 481, 560, 640, 641, 752}

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

// visitedWidths are those of explorables in the windows of TestPages, which looks at their heights in Chromium.
var visitedWidths = []int{280, 350, 752}

// TestHeights compares the heights that are recorded for the explorables with those that they have in Firefox, at the
// widths that TestPages does not see. To record heights, both browsers measure all of them.
func TestHeights(t *testing.T) {
	t.Parallel()
	r := report(t)
	pages := pagesToPlay(t, r)
	if !*update {
		w := startFirefox(t, false)
		for _, page := range pages {
			w.open(fileURL(page))
			for _, width := range heightWidths {
				if slices.Contains(visitedWidths, width) {
					continue
				}
				for _, got := range heightsAt(t, w, page, width) {
					if got.Needed > got.Reserved+2 || got.Needed < got.Reserved-48 {
						t.Errorf("%s %s: %d pixels wide, it is %g pixels high, and %g are reserved: to record its "+
							"height, run go test -run '^TestHeights$' ./internal/browsertest -update",
							filepath.Base(page), got.block, width, got.Needed, got.Reserved)
					}
				}
			}
		}
		return
	}
	var mu sync.Mutex
	found := map[string]map[string][]int{} // by kind and start, for each width
	t.Run("browsers", func(t *testing.T) {
		inBrowsers(t, false, func(t *testing.T, w window) {
			for _, page := range pages {
				w.open(fileURL(page))
				heights := map[game][]int{}
				for _, width := range heightWidths {
					for _, got := range heightsAt(t, w, page, width) {
						heights[got.game] = append(heights[got.game], int(got.Needed))
					}
				}
				mu.Lock()
				for g, those := range heights {
					if found[g.kind] == nil {
						found[g.kind] = map[string][]int{}
					}
					found[g.kind][g.start] = highest(found[g.kind][g.start], those)
				}
				mu.Unlock()
			}
		})
	})
	if !t.Failed() {
		must.Write(t, heightsFile, heightsCSS(found))
	}
}

// height is what an explorable needs, and what is reserved for it.
type height struct {
	game
	Needed, Reserved float64
}

// heightsAt measures the explorables of a page that is open at one of heightWidths.
func heightsAt(t *testing.T, w window, page string, width int) (all []height) {
	t.Helper()
	window := width + 40
	if width == heightWidths[len(heightWidths)-1] {
		window = 1280 // letters grow with the window, and most that have so much room have more
	}
	w.resize(window, 1000)
	for _, g := range gamesOf(t, page) {
		got := inHost[height](&player{T: t, window: w, game: g}, measured, width)
		got.game = g
		all = append(all, got)
	}
	return all
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
