package proofs

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/report/site"
)

var (
	statement = regexp.MustCompile(`(?m)^### ((?:Lemma|Theorem|Proposition|Corollary)(?: \d+)?)\b`)
	bold      = regexp.MustCompile(`(?m)^\*\*(?:Lemma|Theorem|Proposition|Corollary)\b.*`)
	anchor    = regexp.MustCompile(`<h[2-6] id="((?:lemma|theorem|proposition|corollary)[a-z0-9-]*)"`)
)

// TestPages checks that every lemma and theorem of a text has an anchor that begins with its name on the page, and
// every proof is marked as a proof.
func TestPages(t *testing.T) {
	front := site.Page{Slug: "index", Title: "Start", Source: "Text.\n", Unnumbered: true}
	tree, err := site.Render(
		t.Context(), site.Site{Title: "Proofs", Pages: append([]site.Page{front}, Pages()...)}, site.Options{},
	)
	must.Do(t, err)
	for _, p := range Pages() {
		text := must.Get(os.ReadFile(filepath.Join("..", "..", "..", filepath.FromSlash(p.File))))
		if found := bold.Find(text); found != nil {
			t.Errorf("%s: %q is no heading, so it has no anchor", p.File, found)
		}
		names, anchors := statement.FindAllSubmatch(text, -1), anchor.FindAllSubmatch(tree[p.Slug+".html"], -1)
		if len(names) == 0 || len(names) != len(anchors) {
			t.Errorf("%s: %d lemmas and theorems, %d anchors", p.File, len(names), len(anchors))
			continue
		}
		for i := range names {
			if got, want := string(anchors[i][1]), site.Slug(string(names[i][1])); got != want &&
				!strings.HasPrefix(got, want+"-") {
				t.Errorf("%s: %s has the anchor %s", p.File, names[i][1], got)
			}
		}
		if !strings.Contains(string(tree[p.Slug+".html"]), "<h1>"+strings.ReplaceAll(p.Title, "'", "&#39;")+"</h1>") {
			t.Errorf("%s: the page has not the title %q", p.File, p.Title)
		}
	}
	if side := string(tree["proofs-castle-side.html"]); !strings.Contains(side,
		`<a href="proofs-castle-soldiers.html">`) {
		t.Error("a link to another text does not lead to its page")
	}
}

// TestPage checks that a fault in a text is reported with its file and line.
func TestPage(t *testing.T) {
	p := Page(Folder+"/hunts.md", "# Games: the hunt\n\nText.\n\nBad $\\frac{1$.\n")
	if p.Slug != "proofs-hunts" || p.Title != "Games: the hunt" || p.Nav != "" {
		t.Errorf("%+v", p)
	}
	front := site.Page{Slug: "index", Title: "Start", Source: "Text.\n"}
	_, err := site.Render(t.Context(), site.Site{Title: "x", Pages: []site.Page{front, p}}, site.Options{})
	if err == nil || !strings.HasPrefix(err.Error(), Folder+"/hunts.md:5") {
		t.Errorf("the fault is %v", err)
	}
}

// TestMentions checks that references to proofs in the code name existing texts.
func TestMentions(t *testing.T) {
	mention := regexp.MustCompile(regexp.QuoteMeta(Folder) + `/([a-z-]+\.md)`)
	known := map[string]bool{}
	for _, p := range Pages() {
		known[filepath.Base(p.File)] = true
	}
	root := filepath.Join("..", "..", "..")
	mentions := 0
	for _, folder := range []string{"analysis", "cmd", "internal", "report", "notebooks"} {
		err := filepath.WalkDir(filepath.Join(root, folder), func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
				return err
			}
			data, err := os.ReadFile(name)
			for _, m := range mention.FindAllSubmatch(data, -1) {
				if mentions++; !known[string(m[1])] {
					err = fmt.Errorf("%s speaks of %s, which is not there", name, m[0])
				}
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
	if mentions == 0 {
		t.Error("nobody speaks of a proof")
	}
}
