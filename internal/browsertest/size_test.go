package browsertest

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
)

// These are the size limits of a report in bytes. The size of a page includes its style sheet, and its pictures for
// light and dark pages, but not files that are downloaded only after a click. The style sheet contains the font of
// formulas, 67,000 bytes, so that nothing moves when the font loads. The edition in one file contains everything, a
// third larger because it is text.
const (
	htmlBudget   = 385_000 // a page without other files; the longest has all theorems that Coq has checked
	pageBudget   = 590_000
	kitBudget    = 4_000_000  // a kit, which teachers can send as one file
	scriptBudget = 250_000    // the explorables' script; for the engines see TestEngineSize
	shownBudget  = 84_000     // the script of previews, with the previewed parts
	wholeBudget  = 41_000_000 // everything, with all engines, and kits in three languages
	singleBudget = 32_000_000
)

// part is a file with its size.
type part struct {
	name string
	size int64
}

func total(parts []part) (sum int64) {
	for _, p := range parts {
		sum += p.size
	}
	return sum
}

// isKit reports whether a file of the report is a kit.
func isKit(name string) bool { return strings.HasPrefix(name, "lesson-kit") }

// overBudget returns a sentence that names the biggest parts if the total exceeds the budget, and "" otherwise.
func overBudget(what string, parts []part, budget int64) string {
	sum := total(parts)
	if sum <= budget {
		return ""
	}
	slices.SortFunc(parts, func(a, b part) int {
		return cmp.Or(cmp.Compare(b.size, a.size), cmp.Compare(a.name, b.name))
	})
	var biggest []string
	for _, p := range parts[:min(5, len(parts))] {
		biggest = append(biggest, fmt.Sprintf("%s %d", p.name, p.size))
	}
	return fmt.Sprintf("%s has %d bytes, %d more than its budget; its biggest parts are %s", what, sum, sum-budget,
		strings.Join(biggest, ", "))
}

// TestSize checks the sizes of each page and of the whole report.
func TestSize(t *testing.T) {
	t.Parallel()
	r := report(t)
	sizes := map[string]int64{}
	var whole []part
	for name, data := range filesIn(t, r.dir) {
		sizes[name] = int64(len(data))
		whole = append(whole, part{name, sizes[name]})
	}
	largest, most := int64(0), int64(0)
	for name, size := range sizes {
		if path.Ext(name) != ".html" {
			continue
		}
		if isKit(name) {
			if size > kitBudget {
				t.Errorf("%s has %d bytes, its budget is %d", name, size, kitBudget)
			}
			continue
		}
		if largest = max(largest, size); size > htmlBudget {
			t.Errorf("%s has %d bytes of HTML, its budget is %d", name, size, htmlBudget)
		}
	}
	for _, page := range r.pages {
		data := must.Get(os.ReadFile(page))
		name := filepath.Base(page)
		if isKit(name) {
			continue // a kit is one file
		}
		parts := []part{{name, sizes[name]}, {"style.css", sizes["style.css"]}}
		// files that several pages load
		shared := append(slices.Collect(maps.Keys(engineBudgets)), "explore.js", "previews.js")
		for _, link := range readMarkup(t, data).links {
			ext := path.Ext(link)
			counted := slices.ContainsFunc(parts, func(p part) bool { return p.name == link })
			if !counted && !slices.Contains(shared, link) && sizes[link] > 0 && ext != ".html" && ext != ".csv" &&
				ext != ".json" && ext != ".ipynb" && ext != ".v" && ext != ".py" {
				parts = append(parts, part{link, sizes[link]})
			}
		}
		if problem := overBudget(name, parts, pageBudget); problem != "" {
			t.Error(problem)
		}
		most = max(most, total(parts))
	}
	if script := sizes["explore.js"]; script == 0 || script > scriptBudget {
		t.Errorf("the script of the explorables has %d bytes, its budget is %d", script, scriptBudget)
	}
	if script := sizes["previews.js"]; script == 0 || script > shownBudget {
		t.Errorf("the script of the previews has %d bytes, its budget is %d", script, shownBudget)
	}
	if problem := overBudget("the report", whole, wholeBudget); problem != "" {
		t.Error(problem)
	}
	info := must.Get(os.Stat(r.single))
	if info.Size() > singleBudget {
		t.Errorf("the report as one file has %d bytes, its budget is %d", info.Size(), singleBudget)
	}
	t.Logf("the largest page has %d bytes, with style and pictures %d; the search has %d, the whole %d, one file %d",
		largest, most, sizes["search.html"], total(whole), info.Size())
}

// engineBudgets limits the sizes of engines on pages, in bytes. engine.js has the films of all games.
var engineBudgets = map[string]int64{"engine.js": 2_800_000, "lessons.js": 2_400_000, "listings.js": 3_000_000}

// TestEngineSize checks that the engines are within their budgets, and each page loads the engines that it needs. Only
// the edition of one file contains engines, each of them once.
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
	for _, id := range []string{`id="siegebook-engine"`, `id="siegebook-lessons"`, `id="siegebook-listings"`} {
		if engines := strings.Count(string(single), id); engines != 1 {
			t.Errorf("the report as one file has %d times %s", engines, id)
		}
	}
	t.Logf("explore.js has %d bytes", script.Size())
}
