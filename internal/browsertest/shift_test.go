package browsertest

import (
	"path/filepath"
	"testing"

	"github.com/go-rod/rod/lib/proto"
)

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
