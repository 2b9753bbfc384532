package browsertest

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// TestBooks looks at the books of examples as at our own report: every page light and dark, by keyboard, on telephones
// and on paper, each book as one file, the markup, and every page in Firefox.
func TestBooks(t *testing.T) {
	if testing.Short() {
		t.Skip("builds books and visits all of their pages")
	}
	t.Parallel()
	axeCore := axeSource(t)
	for _, book := range []string{"worksheet", "continued-fractions"} {
		dir := t.TempDir()
		site, single := filepath.Join(dir, "site"), filepath.Join(dir, "book.html")
		for _, target := range [][]string{{"--out", site}, {"--single", single}} {
			arguments := append([]string{"run", "-buildvcs=false", "./cmd/genreport", "build", "examples/" + book},
				target...)
			cmd := exec.CommandContext(t.Context(), "go", arguments...)
			cmd.Dir = filepath.Join("..", "..")
			if text, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%q: %v\n%s", cmd.Args, err, text)
			}
		}
		pages, err := filepath.Glob(filepath.Join(site, "*.html"))
		if err != nil || len(pages) < 4 {
			t.Fatalf("%s: %d pages, error %v", book, len(pages), err)
		}
		for page, problems := range validate(t, append(pages[:len(pages):len(pages)], single)...) {
			t.Errorf("%s: %s: %q", book, filepath.Base(page), problems)
		}
		for _, dark := range []bool{false, true} {
			tab, heard := open(t, start(t, dark))
			for _, page := range append(pages[:len(pages):len(pages)], single) {
				v := &visit{t, tab, heard, page, page == single, map[string]int{}}
				if dark {
					v.dark(axeCore)
				} else {
					v.light(axeCore)
				}
			}
		}
		w := startFirefox(t, false)
		for _, page := range pages {
			w.open(fileURL(page))
		}
		for _, problem := range w.problems() {
			t.Errorf("%s: in Firefox: %s", book, problem)
		}
	}
}
