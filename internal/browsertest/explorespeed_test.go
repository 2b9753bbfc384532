package browsertest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-rod/rod/lib/proto"

	"github.com/siegebook/siegebook/internal/must"
)

// engineBudgets bound the engines as pages have them, in bytes.
var engineBudgets = map[string]int64{"engine.js": 2_600_000, "listings.js": 3_000_000}

// TestEngineSize: the engines are within their budgets, each page loads those that it needs, and none has one inside
// but the edition of one file, each once.
func TestEngineSize(t *testing.T) {
	t.Parallel()
	r := report(t)
	for name, budget := range engineBudgets {
		info := must.Get(os.Stat(filepath.Join(r.dir, name)))
		if info.Size() > budget {
			t.Errorf("%s has %d bytes, its budget is %d", name, info.Size(), budget)
		}
		t.Logf("%s has %d bytes", name, info.Size())
	}
	for _, page := range r.pages {
		text := must.Get(os.ReadFile(page))
		editor := strings.HasSuffix(filepath.Base(page), "-own.html")
		if strings.Contains(string(text), `src="listings.js"`) != editor ||
			editor && strings.Contains(string(text), `src="engine.js"`) {
			t.Errorf("%s loads another engine than it needs", page)
		}
	}
	script := must.Get(os.Stat(filepath.Join(r.dir, "explore.js")))
	single := must.Get(os.ReadFile(r.single))
	for _, id := range []string{`id="siegebook-engine"`, `id="siegebook-listings"`} {
		if engines := strings.Count(string(single), id); engines != 1 {
			t.Errorf("the report as one file has %d times %s", engines, id)
		}
	}
	t.Logf("explore.js has %d bytes", script.Size())
}

// steps moves a slider by so many single steps, each when the one before is drawn, and returns how long each took until
// the page was drawn, in ms.
const steps = `
	const slider = host.querySelector(given[0]), took = [];
	for (let i = 0; i < given[1]; i++) {
		const begin = performance.now(), before = Number(host.dataset.drawn);
		const shown = new Promise((done) => {
			const seen = new MutationObserver(() => {
				if (Number(host.dataset.drawn) === before || host.dataset.drawing !== undefined) return;
				seen.disconnect();
				requestAnimationFrame(done);
			});
			seen.observe(host, {attributes: true});
		});
		slider.value = Number(slider.value) + (i % 40 < 20 ? 1 : -1);
		slider.dispatchEvent(new Event("input", {bubbles: true}));
		await shown;
		took.push(performance.now() - begin);
	}
	return took.sort((a, b) => a - b);`

// TestExploreSpeed measures, and fails for no time: how long the front page takes until its map is drawn, beside an
// empty page, and how long a step of a slider, from the hand to the drawing, which includes waiting for a frame.
func TestExploreSpeed(t *testing.T) {
	if !*measure {
		t.SkipNow() // TestPlays waits for the same drawings
	}
	r := report(t)
	front := filepath.Join(r.dir, "index.html")
	empty := badPage(t, "")
	for _, browser := range browsers {
		t.Run(browser.name, func(t *testing.T) {
			w := browser.start(t, false)
			w.resize(1280, 1000)
			const since = `() => performance.now()`
			var loads, usable []float64
			var p *player
			for range 5 {
				w.open(fileURL(empty))
				loads = append(loads, evaluate[float64](t, w, since))
				w.open(fileURL(front))
				if p == nil {
					all := explorables(t, w, front)
					at := slices.IndexFunc(all, func(g game) bool { return g.kind == "castle-map" })
					if at < 0 {
						t.Fatal("the front page has no map")
					}
					p = &player{T: t, window: w, game: all[at]}
				}
				usable = append(usable, inHost[float64](p, `
				while (!host.closest(".live")) await new Promise((done) => setTimeout(done));
				return performance.now();`))
			}
			slices.Sort(loads)
			slices.Sort(usable)
			t.Logf("an empty page is there after %.0f ms, the map is drawn after %.0f ms (medians of %d)",
				loads[len(loads)/2], usable[len(usable)/2], len(loads))
			p.begin("n=100&s=200&d=100") // a map of 400 by 200 cells
			p.settle()
			for _, name := range []string{"n", "s", "d"} {
				took := inHost[[]float64](p, steps, fmt.Sprintf(".x-number:has([name=%s]) [type=range]", name), 100)
				t.Logf("a step of %s takes %.1f ms, at worst %.1f ms", name, took[len(took)/2], took[len(took)-1])
			}
		})
	}
}

// interactions tells the test of each press of a key or pointer, and of each event that took 16 ms or more from the
// hand to the next picture. The browser gives times in steps of 8 ms, and the events of one press the same number.
const interactions = `() => {
	for (const kind of ["keydown", "pointerdown"]) {
		addEventListener(kind, (e) => { if (e.isTrusted) interacted("0 0"); }, true);
	}
	new PerformanceObserver((list) => {
		for (const e of list.getEntries()) if (e.interactionId > 0) interacted(e.interactionId + " " + e.duration);
	}).observe({type: "event", durationThreshold: 16});
}`

var measure = flag.Bool("measure", false, "measure how long readers wait for a drawing, and for answers to presses")

// TestInteractions plays with every explorable and logs how long a reader waits for an answer to a press, which the
// browser calls Interaction to Next Paint. It fails for no time.
func TestInteractions(t *testing.T) {
	if !*measure {
		t.SkipNow() // it is a measurement, and TestPlays does the same
	}
	r := report(t)
	w := startChromium(t, false)
	// Chromium shows no picture, and so ends no interaction, where only what lies outside of its window changes.
	wide, high := 1400, 1200
	w.must(w.tab.SetWindow(&proto.BrowserBounds{Width: &wide, Height: &high}))
	var mutex sync.Mutex
	presses, took := 0, map[int]float64{} // by interaction
	go w.tab.EachEvent(func(told *proto.RuntimeBindingCalled) {
		var id int
		var ms float64
		if _, err := fmt.Sscan(told.Payload, &id, &ms); told.Name != "interacted" || err != nil {
			return
		}
		mutex.Lock()
		defer mutex.Unlock()
		if id == 0 {
			presses++
			return
		}
		took[id] = max(took[id], ms)
	})()
	w.must(proto.RuntimeAddBinding{Name: "interacted"}.Call(w.tab))
	if _, err := w.tab.EvalOnNewDocument("(" + interactions + ")()"); err != nil {
		t.Fatal(err)
	}
	var all []float64
	gather := func() []float64 {
		mutex.Lock()
		defer mutex.Unlock()
		times := make([]float64, max(0, presses-len(took)), presses+len(took)) // those below 16 ms as 0
		for _, ms := range took {
			times = append(times, ms)
		}
		slices.Sort(times)
		presses = 0
		clear(took)
		return times
	}
	each(t, w, pagesToPlay(t, r), func(p *player) {
		if play := plays[p.kind]; play != nil {
			w.resize(1280, 1000)
			play(p)
		}
		evaluate[bool](p.T, w, `async () => {
			for (let i = 0; i < 3; i++) await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
			return true;
		}`)
		times := gather()
		all = append(all, times...)
		t.Logf("%s: %s", p.kind, spread(times))
	})
	slices.Sort(all)
	t.Logf("all: %s", spread(all))
}

// spread says how sorted times are distributed, in ms.
func spread(times []float64) string {
	if len(times) == 0 {
		return "no press"
	}
	within, _ := slices.BinarySearch(times, 50.5)
	var parts []string
	for _, percent := range []int{50, 95, 100} {
		parts = append(parts, fmt.Sprintf("%d %%: %.0f ms", percent, times[(len(times)-1)*percent/100]))
	}
	return fmt.Sprintf("%d presses, %.1f %% within 50 ms, %s", len(times), 100*float64(within)/float64(len(times)),
		strings.Join(parts, ", "))
}
