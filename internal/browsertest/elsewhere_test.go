package browsertest

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/waittest"
)

// arrival is what a reader finds behind a link from a lesson to an explorable.
type arrival struct {
	Wrong   []string // settings that the link has and the explorable has not
	Problem string
	InSight bool
}

// arrive looks at the explorable to which the page's address leads, once it is drawn, and compares the fields that it
// shows with the settings. Settings without a field, such as a board, are not compared.
const arrive = `async (settings) => {
	const named = /^#([A-Za-z0-9_.-]+):/.exec(settings);
	const host = named ? document.getElementById(named[1])?.querySelector(".explorable") : document.querySelector(".explorable");
	if (!host || host.dataset.drawn === undefined || host.dataset.drawing !== undefined) return null;
	const wrong = [];
	let compared = 0;
	for (const [, name, value] of settings.replace(/^#([^:]*:)?/, "").matchAll(/([A-Za-z]+)=([^&]*)/g)) {
		const field = host.querySelector("input[name=" + name + "], select[name=" + name + "]");
		if (field) compared++;
		if (field && field.value !== value) wrong.push(name + " is " + field.value + ", not " + value);
	}
	if (compared === 0) wrong.push("nothing to compare");
	const problem = host.querySelector(".x-problem"), {top, bottom} = host.getBoundingClientRect();
	return {wrong, problem: problem.hidden ? "" : problem.textContent, inSight: bottom > 0 && top < innerHeight};
}`

// TestElsewhere: from a figure of a lesson that has no picture of its own in the report, one click leads to where its
// values can be moved. In the report as one file the links stay on the page.
func TestElsewhere(t *testing.T) {
	t.Parallel()
	r := report(t)
	inBrowsers(t, false, func(t *testing.T, w window) {
		w.resize(1280, 1000)
		inFolder := 0
		for _, page := range r.pages {
			if strings.HasPrefix(filepath.Base(page), "lesson-") {
				inFolder += followAll(t, w, page)
			}
		}
		if inFile := followAll(t, w, r.single); inFolder == 0 || inFile != inFolder {
			t.Errorf("figures that can be moved elsewhere: the folder has %d, the report as one file %d", inFolder,
				inFile)
		}
	})
}

// followAll follows all links of a page to explorables, and returns how many there are.
func followAll(t *testing.T, w window, page string) int {
	t.Helper()
	w.open(fileURL(page))
	links := evaluate[[]string](t, w, `() => [...document.querySelectorAll(".elsewhere a")].map((link) => link.href)`)
	for i, link := range links {
		address, fragment, _ := strings.Cut(link, "#")
		if address == fileURL(page) {
			evaluate[bool](t, w, `(i) => { document.querySelectorAll(".elsewhere a")[i].click(); return true; }`, i)
		} else {
			w.open(link)
		}
		var found *arrival
		if !waittest.Comes(func() bool {
			found = evaluate[*arrival](t, w, arrive, "#"+fragment)
			return found != nil && found.InSight
		}) {
			t.Errorf("%s: %s does not lead to an explorable in sight", filepath.Base(page), link)
		} else if len(found.Wrong) > 0 || found.Problem != "" {
			t.Errorf("%s: behind %s: %q %s", filepath.Base(page), link, found.Wrong, found.Problem)
		}
		for _, problem := range w.problems() {
			t.Error(problem)
		}
	}
	return len(links)
}
