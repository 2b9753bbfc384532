package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAlgorithmFlag: a report with algorithms of one's own is the same wherever their files are, and a check finds all
// that it needs in the report.
func TestAlgorithmFlag(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("XDG_CACHE_HOME", testCacheFolder)
	const program = "def at_defenders(n, s, d, wave, N, S, D):\n    \"\"\"My plan.\"\"\"\n    return min(N, D)\n"
	for _, name := range []string{"mine.star", "other/mine.star", "yours.star"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(program), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	genreport := func(code int, args ...string) (stdout, stderr string) {
		t.Helper()
		got, stdout, stderr := run(t.Context(), append(args, "-q")...)
		if got != code {
			t.Fatalf("%q: exit code %d, want %d: %s", args, got, code, stderr)
		}
		return stdout, stderr
	}
	usual := []string{
		"build", "--notebooks", "off", "--explorables", "off", "--grid", smallGrid, "--only",
		"castle-compared,about",
	}
	build := func(code int, args ...string) { t.Helper(); genreport(code, append(usual, args...)...) }
	build(0, "--out", "a", "--algorithm", "mine.star", "--algorithm=yours.star")
	build(0, "--out", "b", "--algorithm", filepath.Join(dir, "other", "mine.star"), "--algorithm", "yours.star")
	if sameFolders(t, "a", "b") {
		build(0, "--out", "b") // the same files in the place of others
	}
	if sameFolders(t, "a", "b") {
		t.Error("a report without the algorithms is the same")
	}
	page := string(must(os.ReadFile("a/castle-compared.html")))
	contains(t, "the comparison", page, "My plan (yours)", "<dt>algorithm</dt> <dd>sha256:",
		",mine.star,yours.star --json")
	contains(t, "the page About", string(must(os.ReadFile("a/about.html"))),
		"the algorithm of this report is <code>sha256:")
	if strings.Contains(string(must(os.ReadFile("b/castle-compared.html"))), "<dt>algorithm</dt>") {
		t.Error("the stamp of a report without own algorithms names them")
	}
	for _, name := range []string{"mine.star", "other/mine.star", "yours.star"} {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	genreport(0, "check", "--out", "a", "--trust-cache", "--notebooks", "off")
	kept := "a/assets/castle-compared/algorithms.json"
	changed := strings.Replace(string(must(os.ReadFile(kept))), "min(N, D)", "min(D, N)", 1)
	if err := os.WriteFile(kept, []byte(changed), 0o644); err != nil {
		t.Fatal(err)
	}
	_, stderr := genreport(1, "check", "--out", "a", "--trust-cache", "--notebooks", "off")
	if !strings.Contains(stderr, "algorithm of the report: it is not the one that the stamp names") ||
		strings.Count(stderr, "\n") != 1 {
		t.Error(stderr)
	}
}

// sameFolders reports whether two folders have the same files.
func sameFolders(t *testing.T, a, b string) bool {
	t.Helper()
	return string(must(os.ReadFile(filepath.Join(a, "SHA256SUMS")))) == string(must(os.ReadFile(filepath.Join(b,
		"SHA256SUMS"))))
}
