package main

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/chapter"
)

// TestParameterFlags: what chapters state becomes flags with their help, and what the flags say settings.
func TestParameterFlags(t *testing.T) {
	few := func(text string) (string, error) {
		if text != "1" {
			return "", errors.New("too many")
		}
		return text, nil
	}
	for _, c := range []struct {
		args   string
		follow chapter.Settings
		want   chapter.Settings
		err    string
	}{
		{want: chapter.Settings{}},
		{args: "--toy-blocks 1", want: chapter.Settings{"toy-blocks": "1"}},
		{args: "--toy-blocks 1 --marbles=1", want: chapter.Settings{"toy-blocks": "1", "marbles": "1"}},
		{args: "--marbles 2", err: "--marbles: too many"},
		{
			args: "--marbles 1", follow: chapter.Settings{"toy-blocks": "1", "marbles": "2"},
			want: chapter.Settings{"toy-blocks": "1", "marbles": "1"},
		},
		{follow: chapter.Settings{"toy-blocks": "2", "marbles": "1"}, err: "--toy-blocks: too many"},
	} {
		grammar := struct {
			parameterFlags
			Last bool
		}{parameterFlags: newParameterFlags([]chapter.Parameter{
			{Name: "toy-blocks", Placeholder: "N", Help: `"Blocks", 'so called', \ and such.`, Normal: few},
			{Name: "marbles", Placeholder: "N|M", Help: "Marbles.", Normal: few},
		})}
		var help strings.Builder
		parser, err := kong.New(&grammar, kong.Writers(&help, &help), kong.Exit(func(int) {}))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := parser.Parse(strings.Fields(c.args)); err != nil {
			t.Fatal(err)
		}
		grammar.follow(c.follow)
		got, err := grammar.settings(t.Context())
		if (err == nil) != (c.err == "") || err != nil && err.Error() != c.err || err == nil &&
			!maps.Equal(got, c.want) {
			t.Errorf("%q: %v, %v, want %v, %s", c.args, got, err, c.want, c.err)
		}
		if _, err := parser.Parse([]string{"--help"}); err != nil ||
			!strings.Contains(help.String(), `--toy-blocks=N    "Blocks", 'so called', \ and such.`) ||
			!strings.Contains(help.String(), "--marbles=N|M     Marbles.") {
			t.Errorf("%v, the help is\n%s", err, help.String())
		}
	}
}

// TestAlgorithmFlag: a report with algorithms of one's own is the same wherever their files are, and a check finds all
// that it needs in the report.
func TestAlgorithmFlag(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("XDG_CACHE_HOME", testCacheFolder)
	const program = "def at_defenders(n, s, d, wave, N, S, D):\n    \"\"\"My plan.\"\"\"\n    return min(N, D)\n"
	for _, name := range []string{"mine.star", "other/mine.star", "yours.star"} {
		must.Write(t, name, program)
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
	page := string(must.Get(os.ReadFile("a/castle-compared.html")))
	contains(t, "the comparison", page, "My plan (yours)", "<dt>algorithm</dt> <dd>sha256:",
		",mine.star,yours.star --json")
	contains(t, "the page About", string(must.Get(os.ReadFile("a/about.html"))),
		"the algorithm of this report is <code>sha256:")
	if strings.Contains(string(must.Get(os.ReadFile("b/castle-compared.html"))), "<dt>algorithm</dt>") {
		t.Error("the stamp of a report without own algorithms names them")
	}
	for _, name := range []string{"mine.star", "other/mine.star", "yours.star"} {
		must.Do(t, os.Remove(name))
	}
	genreport(0, "check", "--out", "a", "--trust-cache", "--notebooks", "off")
	kept := "a/assets/castle-compared/algorithms.json"
	changed := strings.Replace(string(must.Get(os.ReadFile(kept))), "min(N, D)", "min(D, N)", 1)
	must.Write(t, kept, changed)
	_, stderr := genreport(1, "check", "--out", "a", "--trust-cache", "--notebooks", "off")
	if !strings.Contains(stderr, "algorithm of the report: it is not the one that the stamp names") ||
		strings.Count(stderr, "\n") != 1 {
		t.Error(stderr)
	}
}

// sameFolders reports whether two folders have the same files.
func sameFolders(t *testing.T, a, b string) bool {
	t.Helper()
	return string(must.Get(os.ReadFile(filepath.Join(a, "SHA256SUMS")))) == string(must.Get(os.ReadFile(filepath.Join(b,
		"SHA256SUMS"))))
}
