package browsertest

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-rod/rod/lib/proto"
)

// interactions reports to the test each press of a key or pointer, and each event that took 16 ms or more from the
// input to the next picture. The browser gives times in steps of 8 ms, and the same id to all events of one press.
const interactions = `() => {
	for (const kind of ["keydown", "pointerdown"]) {
		addEventListener(kind, (e) => { if (e.isTrusted) interacted("0 0"); }, true);
	}
	new PerformanceObserver((list) => {
		for (const e of list.getEntries()) if (e.interactionId > 0) interacted(e.interactionId + " " + e.duration);
	}).observe({type: "event", durationThreshold: 16});
}`

var measure = flag.Bool("measure", false, "measure how long readers wait for an answer to a press")

// TestInteractions plays with every explorable, and logs how long a reader waits for a response to a press, which
// browsers call Interaction to Next Paint. The test does not fail, however long the responses take.
func TestInteractions(t *testing.T) {
	if !*measure {
		t.SkipNow() // this test only measures, and TestPlays makes the same plays
	}
	r := report(t)
	w := startChromium(t, false)
	// If only something outside the window changes, Chromium shows no new picture, and so does not end the interaction.
	wide, high := 1400, 1200
	w.must(w.tab.SetWindow(&proto.BrowserBounds{Width: &wide, Height: &high}))
	var mutex sync.Mutex
	presses, took := 0, map[int]float64{} // times by interaction
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
		times := make([]float64, max(0, presses-len(took)), presses+len(took)) // times below 16 ms count as 0
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

// spread returns a text about the distribution of sorted times, in ms.
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
