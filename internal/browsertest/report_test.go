package browsertest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/go-rod/rod"
)

// buildReport builds a report over a small grid into a new folder and returns the folder. The lessons' results may come from
// the user's cache, which an earlier build has filled.
func buildReport(t *testing.T) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "site")
	cmd := exec.CommandContext(t.Context(), "go", "run", "./cmd/genreport", "build", "--out", out,
		"--grid", "soldiers=12,castle=1:48,defenders=1:24")
	cmd.Dir = filepath.Join("..", "..")
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("genreport build: %v\n%s", err, text)
	}
	return out
}

// TestReport looks at every page of the report in every view.
func TestReport(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the report, which takes seconds; leave out -short")
	}
	light, dark := start(t, false), start(t, true)
	pages, err := filepath.Glob(filepath.Join(buildReport(t), "*.html"))
	if err != nil {
		t.Fatal(err)
	}
	if len(pages) < 3 {
		t.Fatalf("the report has only %d pages", len(pages))
	}
	t.Run("light", func(t *testing.T) { lookAtAll(t, light, pages, false) })
	t.Run("dark", func(t *testing.T) { lookAtAll(t, dark, pages, true) })
}

// lookAtAll shows every page in every width.
func lookAtAll(t *testing.T, browser *rod.Browser, pages []string, dark bool) {
	t.Parallel()
	tab, s := open(t, browser)
	for _, page := range pages {
		for _, width := range widths {
			for _, problem := range look(t, tab, s, page, width, dark) {
				t.Errorf("%s, %d pixels: %s", filepath.Base(page), width, problem)
			}
		}
	}
}

// badPage writes a page with a heading and the body to a folder of its own.
func badPage(t *testing.T, body string) string {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "page.html")
	head := `<!DOCTYPE html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">` +
		`<meta name="color-scheme" content="light dark"><title>t</title><style>:root { background: Canvas }</style><h1>a</h1>` + "\n"
	for name, text := range map[string]string{
		file:                            head + body,
		filepath.Join(dir, "pixel.svg"): `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"></svg>`,
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return file
}
