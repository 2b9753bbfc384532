package browsertest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/proto"

	"github.com/siegebook/siegebook/internal/waittest"
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

// arriving serves a page with a formula in two parts. The second is sent when the browser has laid out the first.
func arriving(t *testing.T, first, second string) (address string) {
	t.Helper()
	laidOut := make(chan struct{})
	mux := http.NewServeMux()
	mux.HandleFunc("/laid-out", func(http.ResponseWriter, *http.Request) { close(laidOut) })
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, barePageHead+`<h1>a</h1><script>
const look = () => document.querySelector("math")?.getBoundingClientRect().height > 0 ? fetch("laid-out") : setTimeout(look);
look();
</script>`+first)
		if err := http.NewResponseController(w).Flush(); err != nil {
			t.Error(err)
		}
		waittest.Comes(func() bool {
			select {
			case <-laidOut:
				return true
			default:
				return false
			}
		})
		_, _ = io.WriteString(w, second)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

// TestFormulasThatArrive: what a browser says of a sound formula while half of it is there is no fault of the page, and
// a formula that lacks a part is found.
func TestFormulasThatArrive(t *testing.T) {
	t.Parallel()
	w := startFirefox(t, false)
	for _, test := range []struct {
		name, first, second string
		want                []string
	}{
		{"sound", `<math><msub><mi>x</mi>`, `<mn>1</mn></msub></math>`, nil},
		{
			"a part lacks", `<math><msub><mi>x</mi>`, `</msub></math>`,
			[]string{`a formula has too few parts, or too many: <msub><mi>x</mi></msub>`},
		},
	} {
		w.open(arriving(t, test.first, test.second))
		problems := slices.DeleteFunc(w.problems(),
			func(p string) bool { return strings.HasPrefix(p, "the page asks for ") })
		if got := slices.Compact(problems); !slices.Equal(got, test.want) {
			t.Errorf("%s: found are %q, want %q", test.name, got, test.want)
		}
	}
}
