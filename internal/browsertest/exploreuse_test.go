package browsertest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/input"
	"github.com/go-rod/rod/lib/proto"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/waittest"
)

// lookAround checks an explorable while somebody plays: axe-core finds nothing, the keyboard reaches everything and its
// focus is visible, a finger can hit all controls, and nothing is too wide for a small phone. One browser checks a wide
// window, the other a narrow window.
func (p *player) lookAround(axeSource string) {
	p.Helper()
	for i, width := range []int{1280, 320} {
		if !inTurn(p.window, i+1) {
			continue
		}
		p.resize(width, 800)
		p.settle()
		problems := append(p.tooSmall(), p.reach()...)
		for _, problem := range append(problems, p.tooWide()...) {
			p.Errorf("%s, %d pixels: %s", p.kind, width, problem)
		}
		for _, finding := range p.axe(axeSource) {
			p.Errorf("%s, %d pixels: axe: %s", p.kind, width, finding)
		}
	}
}

// axe returns the findings of axe-core in the figure. TestPages runs it on whole pages.
func (p *player) axe(source string) []string {
	p.Helper()
	if _, err := p.eval("() => {" + source + "\n}"); err != nil {
		p.Fatalf("axe-core does not load: %v", err)
	}
	a := evaluate[audit](p.T, p.window, axeRun, "all", p.block)
	if len(a.Passed) < 10 {
		p.Errorf("only %d rules of axe-core pass: %q", len(a.Passed), a.Passed)
	}
	findings := slices.DeleteFunc(a.Findings,
		func(f string) bool { return strings.HasPrefix(f, "label-content-name-mismatch (incomplete)") })
	return append(findings, inHost[[]string](p, mislabelled)...)
}

// mislabelled finds controls whose names differ from their visible text. axe-core does the same, but ignores single
// letters.
const mislabelled = `const plain = (text) => text.toLowerCase().replaceAll(/\s+/g, " ").trim();
	return [...host.querySelectorAll("button[aria-label], a[aria-label], summary[aria-label]")]
		.filter((e) => e.checkVisibility() && !plain(e.getAttribute("aria-label")).includes(plain(e.innerText || e.textContent)))
		.map((e) => "the label of " + e.outerHTML.slice(0, 120) + " lacks what it reads: " + plain(e.innerText));`

// stopsIn returns the elements of a part of the page at which the keyboard stops. A group of radio buttons is one stop.
const stopsIn = `const stopsIn = (part) => [...part.querySelectorAll("a[href], summary, input, select, textarea, button, [tabindex]")]
	.filter((e) => e.tabIndex >= 0 && !e.disabled && e.checkVisibility() && !(e.type === "radio" && !e.checked));
	`

// stops holds the stops of an explorable.
const stops = stopsIn + `const stops = stopsIn(host);
	const name = (e) => e.outerHTML.slice(0, 120).replaceAll(/\s+/g, " ");
	`

// reach walks through an explorable by keyboard. It returns the stops that the keyboard does not reach, and the stops
// where the focus is not visible.
func (p *player) reach() []string {
	p.Helper()
	count := inHost[int](p, stops+`
	globalThis.stopsToSee = new Set(stops.slice(1));
	stops[0].focus({focusVisible: true});
	return stops.length;`)
	if count < 2 {
		return []string{fmt.Sprintf("only %d elements take the focus", count)}
	}
	var problems []string
	for range 2 * count {
		p.press(0, input.Tab)
		at := inHost[struct {
			Outside bool
			Left    int
			Fault   string
		}](p, stops+`const e = document.activeElement;
		stopsToSee.delete(e);
		if (!host.contains(e)) return {outside: true, left: stopsToSee.size};
		const style = getComputedStyle(e);
		return {left: stopsToSee.size, fault: style.outlineStyle === "none" || parseFloat(style.outlineWidth) < 2 ? "the focus is not seen on " + name(e) : ""};`)
		if at.Fault != "" && !slices.Contains(problems, at.Fault) {
			problems = append(problems, at.Fault)
		}
		if at.Outside || at.Left == 0 {
			break
		}
	}
	return append(problems,
		inHost[[]string](p, stops+
			`return [...stopsToSee].filter((e) => e.isConnected).map((e) => "out of the keyboard's reach: " + name(e));`)...)
}

// tooSmall returns the controls that are hard to hit with a finger: they are less than 24 pixels wide or high, and not
// part of a text. A control's label counts as part of the control.
func (p *player) tooSmall() []string {
	p.Helper()
	return inHost[[]string](p, stops+`
	return [...host.querySelectorAll("input, select, textarea, button, summary, [tabindex='0'], [role=button]")].filter((e) => e.checkVisibility()).filter((e) => {
		const boxes = [e, ...(e.labels ?? [])].map((part) => part.getBoundingClientRect());
		return !boxes.some((box) => box.width >= 24 && box.height >= 24);
	}).map((e) => { const box = e.getBoundingClientRect(); return box.width + " x " + box.height + " pixels are too small: " + name(e); });`)
}

// tooWide returns the elements that make the page scroll sideways, or that are wider than the explorable.
func (p *player) tooWide() []string {
	p.Helper()
	return inHost[[]string](p, stops+`
	const root = document.scrollingElement, right = root.clientWidth + 0.5;
	if (root.scrollWidth <= root.clientWidth) return [];
	const scrolls = (e) => e && e !== root && e !== document.body && (getComputedStyle(e).overflowX !== "visible" || scrolls(e.parentElement));
	const wide = [...document.body.querySelectorAll("*")].filter((e) => e.getBoundingClientRect().right > right && !scrolls(e)).slice(0, 3);
	return ["the page is " + root.scrollWidth + " pixels wide in a window of " + root.clientWidth + ", by " + wide.map(name).join(", ")];`)
}

// drawing describes what a reader sees of an explorable, and of the figure that it replaces.
type drawing struct {
	Block               string
	Picture, Explorable bool // whether they are visible
	Controls            int  // the number of visible controls in the figure
}

const drawn = `() => [...document.querySelectorAll(".explorable")].map((host) => {
	const block = host.closest(".figure-block");
	for (let e = block; e; e = e.parentElement) if (e.localName === "details") e.open = true;
	const shown = (e) => e !== null && e.checkVisibility() && e.getBoundingClientRect().height > 0;
	return {block: block.id, picture: shown(block.querySelector(".picture")), explorable: shown(host),
		controls: [...block.querySelectorAll("input, select, button")].filter(shown).length};
})`

// onlyDrawn fails the test if a page shows anything but drawings in place of its explorables.
func onlyDrawn(t *testing.T, w window, page string) {
	t.Helper()
	all := evaluate[[]drawing](t, w, drawn)
	if len(all) == 0 {
		t.Errorf("%s: there is no explorable", filepath.Base(page))
	}
	for i, d := range all {
		if !d.Picture || d.Controls > 0 {
			t.Errorf("%s: explorable %d: %+v, want the drawing alone", filepath.Base(page), i+1, d)
		}
	}
}

// onPaper checks that only the drawing of an explorable is printed, even after somebody has played.
func (p *player) onPaper(w *chromiumWindow) {
	p.Helper()
	look := func(medium string) drawing {
		p.Helper()
		must.Do(p, (proto.EmulationSetEmulatedMedia{
			Media: medium, Features: []*proto.EmulationMediaFeature{stillness},
		}).Call(w.tab))
		all := evaluate[[]drawing](p.T, w, drawn)
		return all[slices.IndexFunc(all, func(d drawing) bool { return d.Block == p.block })]
	}
	if d := look(""); d.Picture || !d.Explorable || d.Controls == 0 {
		p.Errorf("on the screen: %+v", d)
	}
	if d := look("print"); !d.Picture || d.Explorable || d.Controls > 0 {
		p.Errorf("on paper: %+v, want the drawing alone", d)
	}
	look("")
}

// TestExplorablesOnPaper runs onPaper on the report as one file, which TestPlays does not open.
func TestExplorablesOnPaper(t *testing.T) {
	t.Parallel()
	r := report(t)
	w := startChromium(t, false)
	w.open(fileURL(r.single))
	for _, g := range gamesOf(t, r.single) {
		(&player{T: t, window: w, game: g}).settle()
	}
	for _, d := range evaluate[[]drawing](t, w, drawn) {
		if d.Picture || !d.Explorable || d.Controls == 0 {
			t.Errorf("on the screen: %+v", d)
		}
	}
	must.Do(t, (proto.EmulationSetEmulatedMedia{Media: "print"}).Call(w.tab))
	onlyDrawn(t, w, r.single)
	for _, d := range evaluate[[]drawing](t, w, drawn) {
		if d.Explorable {
			t.Errorf("on paper: %+v", d)
		}
	}
}

// showWithoutScript opens a file whose scripts do not run.
func showWithoutScript(t *testing.T, tab *rod.Page, file string) {
	t.Helper()
	tab = tab.Timeout(waittest.Patience)
	must.Do(t, proto.EmulationSetScriptExecutionDisabled{Value: true}.Call(tab))
	loaded := tab.WaitNavigation(proto.PageLifecycleEventNameLoad)
	must.Do(t, tab.Navigate(fileURL(file)))
	loaded()
}

// TestExplorablesWithoutScript checks that without scripts, the page shows the drawings, and no useless controls.
func TestExplorablesWithoutScript(t *testing.T) {
	t.Parallel()
	r := report(t)
	w := startChromium(t, false)
	for _, page := range append(pagesToPlay(t, r), r.single) {
		showWithoutScript(t, w.tab, page)
		onlyDrawn(t, w, page)
	}
}

// TestExplorablesWithoutEngine checks that if the engine does not load, the drawings stay. All kinds share the script
// that is responsible for this, so the test needs only a few pages, which differ in their modules, and in the number
// and places of their explorables.
func TestExplorablesWithoutEngine(t *testing.T) {
	t.Parallel()
	r := report(t)
	dir := t.TempDir()
	must.Do(t, os.CopyFS(dir, os.DirFS(r.dir)))
	for _, name := range []string{"engine", "listings"} {
		broken := fmt.Sprintf("siegebook.start(%q, %q);", "AAAA", name)
		must.Write(t, filepath.Join(dir, name+".js"), broken)
	}
	inBrowsers(t, false, func(t *testing.T, w window) {
		for _, name := range []string{"index", "castle-border", "castle-own", "lesson-06-regions"} {
			page := filepath.Join(dir, name+".html")
			w.open(fileURL(page))
			for _, g := range gamesOf(t, page) {
				p := &player{T: t, window: w, game: g}
				p.settle()
			}
			onlyDrawn(t, w, page)
		}
	})
}
