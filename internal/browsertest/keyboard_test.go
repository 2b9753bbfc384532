package browsertest

import (
	"net/url"
	"path/filepath"
	"testing"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/input"
	"github.com/go-rod/rod/lib/proto"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/waittest"
)

// Browsers scroll by whole pixels, so a fraction of a pixel may remain out of sight.
const focused = `() => {
	const element = document.activeElement, box = element.getBoundingClientRect();
	return {name: element.outerHTML.slice(0, 60), body: element === document.body, skips: element.matches(".skip"),
		seen: box.top > -1 && box.bottom < innerHeight + 1 && box.left > -1 && box.right < innerWidth + 1 && box.height > 0,
		fits: box.height > 0 && box.width < innerWidth && box.height < innerHeight, inside: element.closest("main") !== null};
}`

// show opens an address in a tab with a window of the given width.
func show(t *testing.T, tab *rod.Page, address string, width int) {
	t.Helper()
	showOn(t, tab, address, screen(width, 800))
}

func showOn(t *testing.T, tab *rod.Page, address string, size *proto.EmulationSetDeviceMetricsOverride) {
	t.Helper()
	tab = tab.Timeout(waittest.Patience)
	for _, err := range []error{tab.SetViewport(size), tab.Navigate(address), tab.WaitLoad()} {
		if err != nil {
			t.Fatalf("%s: %v", address, err)
		}
	}
}

func fileURL(file string) string { return (&url.URL{Scheme: "file", Path: file}).String() }

// ask evaluates a function in the page, and returns its result.
func ask[T any](t *testing.T, tab *rod.Page, function string, args ...any) T {
	t.Helper()
	var answer T
	result, err := tab.Timeout(waittest.Patience).Eval(function, args...)
	if err == nil {
		err = result.Value.Unmarshal(&answer)
	}
	if err != nil {
		t.Fatalf("%s: %v", function, err)
	}
	return answer
}

// place is the place of the focus.
type place struct {
	Name                            string
	Body, Skips, Seen, Fits, Inside bool
}

func press(t *testing.T, tab *rod.Page, key input.Key) place {
	t.Helper()
	must.Do(t, tab.Keyboard.Type(key))
	at := ask[place](t, tab, focused)
	// The browser may scroll to the focus in a later frame.
	inSight := waittest.Comes(func() bool {
		at = ask[place](t, tab, focused)
		return at.Seen || at.Body || !at.Fits
	})
	if !inSight {
		t.Fatalf("the focus stays out of sight on %+v", at)
	}
	return at
}

// calm sets the reader's preference for no motion.
func calm(t *testing.T, tab *rod.Page) {
	t.Helper()
	still := []*proto.EmulationMediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}}
	must.Do(t, (proto.EmulationSetEmulatedMedia{Features: still}).Call(tab))
}

// allDrawn is the body of a function that waits until all explorables of a page are drawn.
const allDrawn = `while ([...document.querySelectorAll(".explorable")].some((e) => e.dataset.drawn === undefined)) {
	await new Promise((done) => setTimeout(done, 10));
}
return true;`

// TestKeyboardGoesRound walks through a whole page by keyboard, and out of it.
func TestKeyboardGoesRound(t *testing.T) {
	t.Parallel()
	r := report(t)
	tab, _ := open(t, start(t, false))
	calm(t, tab)
	show(t, tab, fileURL(filepath.Join(r.dir, "index.html")), 320)
	ask[bool](t, tab, "async () => {"+allDrawn+"}")
	stops := 0
	for at := press(t, tab, input.Tab); !at.Body; at = press(t, tab, input.Tab) {
		if stops++; !at.Seen && at.Name[:2] != "<d" { // a wide box with its own scrollbar may not fit
			t.Errorf("the focus is out of sight on %+v", at)
		}
		if stops > 500 {
			t.Fatalf("the focus does not leave the page: %+v", at)
		}
	}
	if want := ask[int](t, tab, "() => {"+stopsIn+"return stopsIn(document).length;}"); stops < want {
		t.Errorf("%d stops for %d elements", stops, want)
	}
}
