package browsertest

import (
	"os"
	"path/filepath"
	"slices"
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
// shows with the settings. What has no field, as a board has not, is not compared.
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

// TestElsewhere: from a figure of a lesson, one click leads to where it can be moved, with its own values. The page of
// the lesson itself runs no script.
func TestElsewhere(t *testing.T) {
	t.Parallel()
	r := report(t)
	lessons := slices.DeleteFunc(slices.Clone(r.pages), func(page string) bool { return !strings.HasPrefix(filepath.Base(page), "lesson-") })
	for _, browser := range browsers {
		t.Run(browser.name, func(t *testing.T) {
			t.Parallel()
			w := browser.start(t, false)
			w.resize(1280, 1000)
			want := followAll(t, w, lessons)
			if want == 0 {
				t.Error("no lesson has a figure that can be moved elsewhere")
			}
			if got := followAll(t, w, []string{r.single}); got != want {
				t.Errorf("the edition of one file has %d figures that can be moved elsewhere, the folder %d", got, want)
			}
		})
	}
}

// followAll follows all links of pages to explorables, and returns how many there are.
func followAll(t *testing.T, w window, pages []string) (all int) {
	t.Helper()
	for _, page := range pages {
		data, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		count := strings.Count(string(data), `<p class="elsewhere">`)
		all += count
		for i := range count {
			w.open(fileURL(page))
			// A page that is left answers no more, so only what stays is clicked.
			to := evaluate[string](t, w, `(i) => { const link = document.querySelectorAll(".elsewhere a")[i], stays = link.pathname === location.pathname; if (stays) link.click(); return (stays ? "" : link.href.split("#")[0]) + link.hash; }`, i)
			address, fragment, _ := strings.Cut(to, "#")
			link := "#" + fragment
			if address != "" {
				w.open(to)
			}
			var found *arrival
			if !waittest.Comes(func() bool { found = evaluate[*arrival](t, w, arrive, link); return found != nil && found.InSight }) {
				t.Errorf("%s: %s does not lead to an explorable in sight", filepath.Base(page), link)
			} else if len(found.Wrong) > 0 || found.Problem != "" {
				t.Errorf("%s: behind %s: %q %s", filepath.Base(page), link, found.Wrong, found.Problem)
			}
			for _, problem := range w.problems() {
				// Firefox lays a long page out while it is still coming in, and complains of formulas whose end it has
				// not seen.
				if !strings.Contains(problem, "Incorrect number of children for <m") {
					t.Error(problem)
				}
			}
		}
	}
	return all
}
