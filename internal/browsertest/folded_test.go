package browsertest

import (
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/proto"

	"github.com/siegebook/siegebook/internal/waittest"
)

// onPaper counts, of a printed lesson, folded listings that are seen, their lines that are not, and folded answers that
// are not; and of each of them how many there are.
const onPaper = `() => {
	const all = (selector) => [...document.querySelectorAll(selector)];
	const seen = (list) => list.filter((element) => element.checkVisibility()).length;
	const code = all(".code-fold pre"), lines = all(".code-fold summary"), answers = all("details.callout > :not(summary)");
	return [seen(code), lines.length - seen(lines), answers.length - seen(answers), code.length, lines.length, answers.length];
}`

// TestFoldsOnPaper: the code that is folded in a lesson stays away from paper, the line in its place does not, and
// answers stay folded: TestAnswersOnPaper prints them.
func TestFoldsOnPaper(t *testing.T) {
	t.Parallel()
	r := report(t)
	tab, _ := open(t, start(t, false))
	tab = tab.Context(t.Context()).Timeout(waittest.Patience)
	defer tab.CancelTimeout()
	if err := (proto.EmulationSetEmulatedMedia{Media: "print"}).Call(tab); err != nil {
		t.Fatal(err)
	}
	lessons := 0
	for _, page := range r.pages {
		if !strings.HasPrefix(filepath.Base(page), "lesson-") {
			continue
		}
		lessons++
		if err := tab.Navigate((&url.URL{Scheme: "file", Path: page}).String()); err != nil {
			t.Fatal(err)
		}
		if err := tab.WaitLoad(); err != nil {
			t.Fatal(err)
		}
		got := ask[[]int](t, tab, onPaper)
		if len(got) != 6 || got[0] != 0 || got[1] != 0 || got[2] != got[5] {
			t.Errorf("%s: %v; want no folded code, all lines in its place and no answers", filepath.Base(page), got)
		} else if got[3] == 0 || got[4] != got[3] || got[5] == 0 {
			t.Errorf("%s: %v folds: the test shows nothing", filepath.Base(page), got)
		}
	}
	if lessons == 0 {
		t.Error("the report has no lessons: the test shows nothing")
	}
}
