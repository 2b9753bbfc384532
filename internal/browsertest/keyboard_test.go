package browsertest

import (
	"fmt"
	"net/url"
	"path/filepath"
	"testing"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/input"
	"github.com/go-rod/rod/lib/proto"

	"github.com/siegebook/siegebook/internal/waittest"
)

// rings gives each element that can have the focus the focus as a keyboard does, and returns those whose focus cannot
// be seen.
const rings = `() => {
	const problems = [];
	const name = (element) => element.outerHTML.slice(0, 100).replaceAll(/\s+/g, " ");
	let seen = 0;
	for (const element of document.querySelectorAll("a[href], summary, input, button, [tabindex]")) {
		if (!element.checkVisibility() || element.disabled) continue;
		element.focus({focusVisible: true, preventScroll: true});
		if (document.activeElement !== element) { problems.push("takes no focus: " + name(element)); continue; }
		const style = getComputedStyle(element), box = element.getBoundingClientRect();
		if (style.outlineStyle === "none" || parseFloat(style.outlineWidth) < 2) problems.push("the focus is not seen on " + name(element));
		if (box.width === 0 || box.height === 0) problems.push("has the focus but no size: " + name(element));
		if (element.tabIndex > 0) problems.push("is out of turn: " + name(element));
		seen++;
	}
	document.activeElement.blur();
	if (document.getAnimations().length > 0) problems.push("something moves");
	return {problems, seen};
}`

// A browser scrolls by whole pixels, so that a fraction of one may stay out of sight.
const focused = `() => {
	const element = document.activeElement, box = element.getBoundingClientRect();
	return {name: element.outerHTML.slice(0, 60), body: element === document.body, skips: element.matches(".skip"),
		seen: box.top > -1 && box.bottom < innerHeight + 1 && box.left > -1 && box.right < innerWidth + 1 && box.height > 0,
		fits: box.height > 0 && box.width < innerWidth && box.height < innerHeight, inside: element.closest("main") !== null};
}`

// show opens a file in a tab at a width.
func show(t *testing.T, tab *rod.Page, address string, width int) {
	t.Helper()
	tab = tab.Timeout(waittest.Patience)
	for _, err := range []error{
		tab.SetViewport(&proto.EmulationSetDeviceMetricsOverride{Width: width, Height: 800, DeviceScaleFactor: 1}),
		tab.Navigate(address),
		tab.WaitLoad(),
	} {
		if err != nil {
			t.Fatalf("%s: %v", address, err)
		}
	}
}

func fileURL(file string) string { return (&url.URL{Scheme: "file", Path: file}).String() }

// ask evaluates a function in the page.
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

// place is where the focus is.
type place struct {
	Name                            string
	Body, Skips, Seen, Fits, Inside bool
}

func press(t *testing.T, tab *rod.Page, key input.Key) place {
	t.Helper()
	if err := tab.Keyboard.Type(key); err != nil {
		t.Fatal(err)
	}
	at := ask[place](t, tab, focused)
	// The browser scrolls to the focus in a later frame.
	inSight := waittest.Comes(func() bool {
		at = ask[place](t, tab, focused)
		return at.Seen || at.Body || !at.Fits
	})
	if !inSight {
		t.Fatalf("the focus stays out of sight on %+v", at)
	}
	return at
}

// calm says that the reader wants no motion.
func calm(t *testing.T, tab *rod.Page) {
	t.Helper()
	still := []*proto.EmulationMediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}}
	if err := (proto.EmulationSetEmulatedMedia{Features: still}).Call(tab); err != nil {
		t.Fatal(err)
	}
}

// TestKeyboard: on every page the first key reaches the link over the menu, which leads into the text; every focus is
// seen; nothing moves for those who do not want it.
func TestKeyboard(t *testing.T) {
	t.Parallel()
	r := report(t)
	tab, _ := open(t, start(t, false))
	calm(t, tab)
	for _, page := range append([]string{r.single}, r.pages...) {
		for _, width := range widths {
			name := fmt.Sprintf("%s, %d pixels", filepath.Base(page), width)
			show(t, tab, fileURL(page), width)
			if first := press(t, tab, input.Tab); !first.Skips || !first.Seen {
				t.Errorf("%s: the first stop is %+v", name, first)
			}
			press(t, tab, input.Enter)
			if next := press(t, tab, input.Tab); !next.Inside && !next.Body {
				t.Errorf("%s: the link over the menu leads to %+v", name, next)
			}
			if behaviour := ask[string](t, tab, `() => getComputedStyle(document.documentElement).scrollBehavior`); behaviour != "auto" {
				t.Errorf("%s: scrolls %s for those who want no motion", name, behaviour)
			}
			got := ask[struct {
				Problems []string
				Seen     int
			}](t, tab, rings)
			for _, problem := range got.Problems {
				t.Errorf("%s: %s", name, problem)
			}
			if got.Seen < 3 {
				t.Errorf("%s: only %d elements take the focus", name, got.Seen)
			}
		}
	}
}

// TestKeyboardGoesRound walks over a whole page by keyboard, and out of it.
func TestKeyboardGoesRound(t *testing.T) {
	t.Parallel()
	r := report(t)
	tab, _ := open(t, start(t, false))
	calm(t, tab)
	show(t, tab, fileURL(filepath.Join(r.dir, "index.html")), 320)
	ask[bool](t, tab, `async () => {
		while ([...document.querySelectorAll(".explorable")].some((e) => e.dataset.drawn === undefined)) await new Promise((done) => setTimeout(done, 10));
		return true;
	}`)
	stops := 0
	for at := press(t, tab, input.Tab); !at.Body; at = press(t, tab, input.Tab) {
		if stops++; !at.Seen && at.Name[:2] != "<d" { // a wide box that scrolls by itself may not fit
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

func TestKeyboardFails(t *testing.T) {
	t.Parallel()
	tab, _ := open(t, start(t, false))
	for body, want := range map[string]int{
		`<a href="#x">x</a>`:                                               0,
		`<a href="#x" style="outline: none">x</a>`:                         1,
		`<a href="#x"></a>`:                                                1,
		`<a href="#x" tabindex="3">x</a>`:                                  1,
		`<input disabled>`:                                                 0, // nothing to do there
		`<p inert><a href="#x">x</a></p>`:                                  1,
		`<style>:focus { outline: 0 !important }</style><p tabindex="0">x`: 1,
	} {
		show(t, tab, fileURL(badPage(t, "<style>:focus-visible { outline: 3px solid }</style>"+body)), 320)
		if first := press(t, tab, input.Tab); first.Skips {
			t.Errorf("%s has a link over the menu", body)
		}
		got := ask[struct{ Problems []string }](t, tab, rings)
		if len(got.Problems) != want {
			t.Errorf("%s: found %q, want %d", body, got.Problems, want)
		}
	}
}
