package castle

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
)

var (
	heading = regexp.MustCompile(`(?m)^#{2,4} .*$`)
	cells   = regexp.MustCompile("(?ms)^```.*?^```$")
	ticked  = regexp.MustCompile(`\^\[✓|castle\.Checked(Too)?\(`)
)

// TestOneNote checks that each section of the castle's pages has at most one note that says how its statements were
// checked.
func TestOneNote(t *testing.T) {
	found := 0
	for _, file := range must.Get(fs.Glob(texts, "*.md")) {
		page := cells.ReplaceAllString(string(must.Get(fs.ReadFile(texts, file))), "")
		names := append([]string{"the beginning"}, heading.FindAllString(page, -1)...)
		for i, section := range heading.Split(page, -1) {
			n := len(ticked.FindAllString(section, -1))
			if found += n; n > 1 {
				t.Errorf("%s, %s: %d notes; merge them", file, strings.TrimSpace(names[i]), n)
			}
		}
	}
	if found < 20 {
		t.Errorf("%d notes; the pattern does not match them", found)
	}
}

// TestChecked checks that a note lists the theorems of its steps and adds up the cases of the others.
func TestChecked(t *testing.T) {
	got := string(CheckedToo("and more", "wave", "detour", "shots"))
	want := "^[✓\u00a0proved by\u00a0Coq: [`step_agrees`](machine.html#step-agrees); [checked for\u00a04329 detours " +
		"and 19,717 waves](castle-derivation.html#checks); and more]"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
