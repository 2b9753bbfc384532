package report

import (
	"bytes"
	"context"
	"maps"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/cache"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/site"
)

// siegebook is the book of this repository.
var siegebook = Siegebook()

var small = chapter.Settings{"grid": "soldiers=12,castle=1:40,defenders=1:30"}

// shared keeps what the tests have computed.
var shared *cache.Cache

func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "siegebook-test")
	if err != nil {
		panic(err)
	}
	shared = cache.Open(folder)
	code := m.Run()
	_ = os.RemoveAll(folder)
	os.Exit(code)
}

// build builds a report of what other tests have computed, unless the options say from where to take it.
func build(t *testing.T, o Options) site.Tree {
	t.Helper()
	if o.Cache == nil {
		o.Cache, o.Program = shared, []byte("the tests")
	}
	tree, err := Build(context.Background(), siegebook, o)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func sameTree(t *testing.T, a, b site.Tree) {
	t.Helper()
	if len(a) != len(b) {
		t.Errorf("%d files and %d files", len(a), len(b))
	}
	for path, data := range a {
		if !bytes.Equal(data, b[path]) {
			t.Errorf("%s differs", path)
		}
	}
}

// TestDeterministic builds twice, with different numbers of workers, and once of units from the cache: nothing was run,
// so that the kernel is not in the stamp, but the report as a whole is another to the cache.
func TestDeterministic(t *testing.T) {
	anew, err := Build(t.Context(), siegebook, Options{Settings: small, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	sameTree(t, anew, build(t, Options{Settings: small, Workers: 7}))
	sameTree(t, anew, build(t, Options{Settings: small, Kernel: "k"}))
}

// TestUnits: a part of a report computes what it shows, and a change of a setting what depends on it.
func TestUnits(t *testing.T) {
	book, computed := siegebook, map[string]int{}
	for i, g := range book.Games {
		counted := g
		counted.Units = func(settings chapter.Settings) []chapter.Unit {
			units := g.Units(settings)
			for i, u := range units {
				units[i].Compute = func(ctx context.Context) (chapter.Part, error) {
					computed[u.Name]++ // by one goroutine at a time: each build has one worker
					return u.Compute(ctx)
				}
			}
			return units
		}
		book.Games = slices.Clone(book.Games)
		book.Games[i] = counted
	}
	old := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(old)
	o := Options{
		Settings: small, Only: []string{"castle-rules", "castle-compared"}, Cache: cache.Open(t.TempDir()),
		Program: []byte("a program"),
	}
	for _, step := range []struct {
		change func()
		want   []string
	}{
		{func() {}, []string{"castle-compared", "castle-rules", "castle/front"}},
		{func() { o.Kernel = "another report, and nothing else" }, nil},
		{
			func() { o.Settings = chapter.Settings{"grid": "soldiers=13,castle=1:40,defenders=1:30"} },
			[]string{"castle-compared", "castle/front"},
		},
		{func() { o.Only = []string{"ants-rules"} }, []string{"ants-rules"}},
	} {
		step.change()
		clear(computed)
		if _, err := Build(t.Context(), book, o); err != nil {
			t.Fatal(err)
		}
		if got := slices.Sorted(maps.Keys(computed)); !slices.Equal(got, step.want) {
			t.Errorf("computed are %q, not %q", got, step.want)
		}
	}
}

// TestCached takes the second build from the cache, and the third, by another program, not.
func TestCached(t *testing.T) {
	store := cache.Open(t.TempDir())
	program := []byte("a program")
	first := build(t, Options{Settings: small, Only: []string{"castle-rules"}, Cache: store, Program: program})
	steps := 0
	count := func(int, int, string) { steps++ }
	sameTree(t, first, build(t, Options{
		Settings: small, Only: []string{"castle-rules"}, Cache: store, Program: program,
		Progress: count,
	}))
	if steps != 0 {
		t.Errorf("the second build took %d steps", steps)
	}
	sameTree(t, first, build(t, Options{
		Settings: small, Only: []string{"castle-rules"}, Cache: store,
		Program: []byte("another program"), Progress: count,
	}))
	if steps == 0 {
		t.Error("another program took the report of the first from the cache")
	}
}

// TestSingleCached is TestCached for the single file.
func TestSingleCached(t *testing.T) {
	o := Options{
		Settings: small, Only: []string{"castle-rules"}, Cache: cache.Open(t.TempDir()),
		Program: []byte("a program"),
	}
	steps := 0
	single := func(o Options) string {
		t.Helper()
		steps = 0
		o.Progress = func(int, int, string) { steps++ }
		page, err := BuildSingle(context.Background(), siegebook, o)
		if err != nil {
			t.Fatal(err)
		}
		return string(page)
	}
	first := single(o)
	if again := single(o); again != first || steps != 0 {
		t.Errorf("the second time it took %d steps; the same: %v", steps, again == first)
	}
	o.Only = []string{"castle-cost"}
	if other := single(o); other == first || steps == 0 {
		t.Error("another chapter was taken from the cache")
	}
}

// outside matches references that leave the report, and scripts other than the page's own search. Links in the text are
// allowed to leave; pictures, styles and scripts are not.
var outside = regexp.MustCompile(`(?i)(src|srcset|data)="(https?:)?//|<link[^>]+href="(https?:)?//|@import|url\(["']?(https?:)?//|<script|\son[a-z]+=`)

func TestNothingOutside(t *testing.T) {
	for path, data := range build(t, Options{Settings: small}) {
		if strings.HasSuffix(path, ".html") || strings.HasSuffix(path, ".css") {
			if path == "search.html" { // report/site tests that this script is the one that its policy admits
				data = bytes.Replace(data, []byte("<script>// The search of a report."), nil, 1)
				data = bytes.Replace(data, []byte(`<script type="application/gzip" id="search-index"`), nil, 1)
			}
			if found := outside.Find(data); found != nil {
				t.Errorf("%s: %s", path, found)
			}
		}
	}
	if !outside.MatchString(`<img src="https://example.org/a.png">`) {
		t.Error("the check finds nothing")
	}
}

func TestOnly(t *testing.T) {
	tree := build(t, Options{Settings: small, Only: []string{"castle-cost"}})
	if tree["index.html"] == nil || tree["castle-cost.html"] == nil || tree["castle-tests.html"] != nil {
		t.Error("not just the front page and the chapter that was asked for")
	}
	if _, err := Build(context.Background(), siegebook, Options{Only: []string{"dragons"}}); err == nil {
		t.Error("an unknown chapter was built")
	}
}
