package browsertest

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"
)

// silent returns what scrolls sideways in a page without a sign at its edge that more is to come, or without the
// keyboard's reach. Such a sign is a background that stays while the text moves over it.
const silent = `() => {
	const problems = [];
	for (const details of document.querySelectorAll("details")) details.open = true;
	let seen = 0;
	const name = (element) => element.outerHTML.slice(0, 100).replaceAll(/\s+/g, " ");
	for (const element of document.querySelectorAll("main, main *")) {
		const style = getComputedStyle(element);
		if (!["auto", "scroll"].includes(style.overflowX) || element.clientWidth === 0 || element.scrollWidth <= element.clientWidth + 1) continue;
		seen++;
		const places = style.backgroundAttachment;
		if (!style.backgroundImage.includes("gradient") || !places.includes("local") || !places.includes("scroll")) problems.push("has no sign that it scrolls: " + name(element));
		if (element.tabIndex < 0 && !element.querySelector("a[href], summary, input, [tabindex]")) problems.push("scrolls out of the keyboard's reach: " + name(element));
	}
	return {problems, seen};
}`

// scrolled is what silent returns.
type scrolled struct {
	Problems []string
	Seen     int
}

// contrast sets whether a tab has the colours of the reader's system in place of the page's.
func contrast(t *testing.T, tab *rod.Page, forced string) {
	t.Helper()
	features := []*proto.EmulationMediaFeature{{Name: "forced-colors", Value: forced}}
	if err := (proto.EmulationSetEmulatedMedia{Features: features}).Call(tab); err != nil {
		t.Fatal(err)
	}
}

// TestScrollSigns: where a page scrolls sideways, one sees it, also with high contrast, and the keyboard gets there.
func TestScrollSigns(t *testing.T) {
	t.Parallel()
	r := report(t)
	tab, _ := open(t, start(t, false))
	seen := 0
	for _, forced := range []string{"none", "active"} {
		contrast(t, tab, forced)
		for _, page := range r.pages {
			show(t, tab, fileURL(page), 390)
			got := ask[scrolled](t, tab, silent)
			seen += got.Seen
			for _, problem := range got.Problems {
				t.Errorf("%s, forced colours %s: %s", filepath.Base(page), forced, problem)
			}
		}
	}
	if seen < 100 {
		t.Errorf("only %d places scroll", seen)
	}
	t.Logf("%d places scroll", seen)
}

func TestScrollSignsFail(t *testing.T) {
	t.Parallel()
	tab, _ := open(t, start(t, false))
	const sign = `background: linear-gradient(red, red) local, linear-gradient(red, red) scroll`
	for body, want := range map[string]int{
		`<p style="overflow-x: auto"><b style="display: block; width: 900px">x</b></p>`:                                     2,
		`<p style="overflow-x: auto" tabindex="0"><b style="display: block; width: 900px">x</b></p>`:                        1,
		fmt.Sprintf(`<p style="overflow-x: auto; %s"><b style="display: block; width: 900px">x</b></p>`, sign):              1,
		fmt.Sprintf(`<p style="overflow-x: auto; %s" tabindex="0"><b style="display: block; width: 900px">x</b></p>`, sign): 0,
		`<p style="overflow-x: auto">x</p>`: 0,
	} {
		show(t, tab, fileURL(badPage(t, "<main>"+body+"</main>")), 320)
		if got := ask[scrolled](t, tab, silent); len(got.Problems) != want {
			t.Errorf("%s: found %q, want %d", body, got.Problems, want)
		}
	}
}
