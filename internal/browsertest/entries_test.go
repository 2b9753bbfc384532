package browsertest

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/waittest"
)

// openEntries returns the anchors of the entries of a page whose texts are seen.
const openEntries = `() => [...document.querySelectorAll(".entry")].filter((entry) => entry.querySelector("dl").checkVisibility()).map((entry) => entry.querySelector("h3").id)`

// TestEntriesUnfold: a link to an entry shows it, and one can fold it again. TestPages sees that all are open on paper.
func TestEntriesUnfold(t *testing.T) {
	t.Parallel()
	tab, _ := open(t, start(t, false))
	address := fileURL(filepath.Join(report(t).dir, "castle-errata.html"))
	want := func(what, anchors string) {
		t.Helper()
		var got string
		seen := waittest.Comes(func() bool {
			got = strings.Join(ask[[]string](t, tab, openEntries), " ")
			return got == anchors
		})
		if !seen {
			t.Errorf("%s: the entries %q are open, want %q", what, got, anchors)
		}
	}
	show(t, tab, address, 1280)
	want("the page", "")
	show(t, tab, address+"#one-short", 1280)
	want("a link", "one-short")
	summary := element(t, tab, ".entry:has(#one-short) > summary")
	click := func() {
		t.Helper()
		must.Do(t, summary.Click(proto.InputMouseButtonLeft, 1))
	}
	click()
	want("opened", "one-short")
	click()
	want("folded", "")
}

func element(t *testing.T, tab *rod.Page, selector string) *rod.Element {
	t.Helper()
	e, err := tab.Timeout(waittest.Patience).Element(selector)
	if err != nil {
		t.Fatalf("%s: %v", selector, err)
	}
	return e
}
