package report

import (
	"bytes"
	"context"
	"regexp"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/cache"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/site"
)

var small = chapter.Settings{"grid": "soldiers=12,castle=1:40,defenders=1:30"}

func build(t *testing.T, o Options) site.Tree {
	t.Helper()
	tree, err := Build(context.Background(), o)
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

// TestDeterministic builds twice, with different numbers of workers.
func TestDeterministic(t *testing.T) {
	sameTree(t, build(t, Options{Settings: small, Workers: 1}), build(t, Options{Settings: small, Workers: 7}))
}

// TestCached takes the second build from the cache, and the third, by another program, not.
func TestCached(t *testing.T) {
	store := cache.Open(t.TempDir())
	program := []byte("a program")
	first := build(t, Options{Settings: small, Cache: store, Program: program})
	steps := 0
	count := func(int, int, string) { steps++ }
	sameTree(t, first, build(t, Options{Settings: small, Cache: store, Program: program, Progress: count}))
	if steps != 0 {
		t.Errorf("the second build took %d steps", steps)
	}
	sameTree(t, first, build(t, Options{Settings: small, Cache: store, Program: []byte("another program"), Progress: count}))
	if steps == 0 {
		t.Error("another program took the report of the first from the cache")
	}
}

// TestSingleCached is TestCached for the single file.
func TestSingleCached(t *testing.T) {
	o := Options{Settings: small, Only: []string{"castle-rules"}, Cache: cache.Open(t.TempDir()), Program: []byte("a program")}
	steps := 0
	single := func(o Options) string {
		t.Helper()
		steps = 0
		o.Progress = func(int, int, string) { steps++ }
		page, err := BuildSingle(context.Background(), o)
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
	if _, err := Build(context.Background(), Options{Only: []string{"dragons"}}); err == nil {
		t.Error("an unknown chapter was built")
	}
}
