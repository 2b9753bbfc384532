package report

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/report/site"
)

// TestFrontPage: the front page leads to every page, has a picture for each game, and says where to begin and which
// version it is, in reports with and without lessons and in part of one.
func TestFrontPage(t *testing.T) {
	link := regexp.MustCompile(`href="([^"#:,]+\.html)(?:#[^"]*)?"`)
	lessons, err := notebooks()
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		tree     site.Tree
		begin    string
		pictures int
	}{
		"whole":      {wholeReport(t), "castle-play.html", len(siegebook.Games)},
		"no lessons": {build(t, Options{Settings: small}), "castle-play.html", len(siegebook.Games)},
		"a part of it": {build(t, Options{
			Settings: small, Lessons: lessons,
			Only: []string{"castle-rules", "ants", "about"},
		}), "", 1},
	} {
		page := string(c.tree["index.html"])
		_, start, _ := strings.Cut(page, `<h2 id="start"`)
		_, list, _ := strings.Cut(page, `<h2 id="contents"`)
		list, _, _ = strings.Cut(list, `<h2`)
		var linked []string
		for _, m := range link.FindAllStringSubmatch(list, -1) {
			linked = append(linked, m[1])
		}
		for path := range c.tree {
			if strings.HasSuffix(path, ".html") && path != "index.html" && path != "search.html" &&
				!slices.Contains(linked, path) {
				t.Errorf("%s: the contents do not lead to %s", name, path)
			}
		}
		for _, m := range link.FindAllStringSubmatch(page, -1) {
			if c.tree[m[1]] == nil {
				t.Errorf("%s: the front page leads to %s, which is not there", name, m[1])
			}
		}
		if c.begin != "" {
			if m := link.FindStringSubmatch(start); m == nil || m[1] != c.begin {
				t.Errorf("%s: a pupil begins with %q", name, m)
			}
		}
		if n := strings.Count(page, `class="thumbnail"`); n != c.pictures {
			t.Errorf("%s: %d small pictures, not %d", name, n, c.pictures)
		}
		if strings.Contains(page, "notebook") == (name == "no lessons") ||
			!strings.Contains(page, "siegebook "+Version+", <em>Who wins a siege?</em>") {
			t.Errorf("%s: the front page speaks of notebooks that are not there, or not of its version", name)
		}
	}
}
