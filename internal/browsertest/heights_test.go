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

	"github.com/go-rod/rod/lib/proto"

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

// anchors are some places of a page that are below its first explorable, folded ones left out.
const anchors = `() => {
	const first = document.querySelector(".explorable");
	const below = [...document.querySelectorAll("main [id]")].filter((e) =>
		first.compareDocumentPosition(e) & Node.DOCUMENT_POSITION_FOLLOWING && e.matches("h2, h3, .figure-block, .table-block") && e.checkVisibility());
	const step = Math.max(1, Math.floor(below.length / 2));
	return below.filter((_, i) => i % step === 0).map((e) => e.id);
}`

// landed returns how far the target of the address is from the place to which it belongs, in pixels, once everything is
// drawn, or how far the page can still be scrolled towards it, if that is less; and how much the page has moved
// meanwhile, as Chromium counts it.
const landed = `async () => {
	const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
	const busy = () => [...document.querySelectorAll(".explorable")].some((e) => e.dataset.drawn === undefined || e.dataset.drawing !== undefined);
	const shifts = [];
	new PerformanceObserver((list) => shifts.push(...list.getEntries())).observe({type: "layout-shift", buffered: true});
	do await frame(); while (busy());
	for (let last; last !== scrollY; await frame()) last = scrollY;
	const target = document.querySelector(":target");
	const padding = parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop);
	const rest = document.documentElement.scrollHeight - innerHeight - scrollY;
	const off = target ? target.getBoundingClientRect().top - padding - parseFloat(getComputedStyle(target).scrollMarginTop) : 0;
	await new Promise((done) => setTimeout(done, 100));
	const moved = shifts.flatMap((s) => s.sources.map(({node, previousRect: from, currentRect: to}) =>
		(node?.parentElement?.closest("[id]")?.id ?? "") + " " + (node?.className || node?.nodeName) + " from " + [from.y, from.height] + " to " + [to.y, to.height]));
	return {off: Math.min(off, Math.max(rest, 0)), shift: shifts.reduce((sum, s) => sum + s.value, 0), moved};
}`

// mostShift is how much a page may move while it loads. A good page has 0.1 at most, as https://web.dev/articles/cls
// has it.
const mostShift = 0.01

// TestNothingMoves opens every page with explorables at its top and at places below them: while it loads nothing moves,
// and a link leads to its target.
func TestNothingMoves(t *testing.T) {
	t.Parallel()
	r := some(t)
	w := startChromium(t, false)
	sizes := []int{390, 1280}
	if testing.Short() {
		sizes = sizes[:1]
	}
	for _, page := range pagesToPlay(t, r) {
		for at, width := range sizes {
			w.must(w.tab.SetViewport(&proto.EmulationSetDeviceMetricsOverride{
				Width: width, Height: 800,
				DeviceScaleFactor: 1, Mobile: width < 600,
			}))
			// The place of each anchor is looked up at one of the widths: TestHeights has the heights at all.
			places := []string{""}
			for i := 0; i < len(places); i++ {
				w.open(fileURL(page) + "#" + places[i])
				got := evaluate[struct {
					Off, Shift float64
					Moved      []string // what, with its place and height before and after
				}](t, w, landed)
				if i == 0 {
					for j, anchor := range evaluate[[]string](t, w, anchors) {
						if j%len(sizes) == at {
							places = append(places, anchor)
						}
					}
				}
				anchor := places[i]
				if got.Off < -4 || got.Off > 4 {
					t.Errorf("%s#%s, %d pixels wide: the target is %.0f pixels from its place", filepath.Base(page),
						anchor, width, got.Off)
				}
				if got.Shift > mostShift {
					t.Errorf("%s#%s, %d pixels wide: the page moves by %.3f while it loads: %q", filepath.Base(page),
						anchor, width, got.Shift, got.Moved)
				}
			}
		}
	}
}
