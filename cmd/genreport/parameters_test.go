package main

import (
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
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
		must.Do(t, err)
		must.Get(parser.Parse(strings.Fields(c.args)))
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
	usual := []string{
		"build", "-q", "--notebooks", "off", "--explorables", "off", "--grid", smallGrid, "--only",
		"castle-compared,about",
	}
	build := func(code int, args ...string) { t.Helper(); exits(t, code, append(usual, args...)...) }
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
	exits(t, 0, "check", "-q", "--out", "a", "--trust-cache", "--notebooks", "off")
	kept := "a/assets/castle-compared/algorithms.json"
	changed := strings.Replace(string(must.Get(os.ReadFile(kept))), "min(N, D)", "min(D, N)", 1)
	must.Write(t, kept, changed)
	_, stderr := exits(t, 1, "check", "-q", "--out", "a", "--trust-cache", "--notebooks", "off")
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

// otherSurvey is a survey as another machine makes it: by the other program, as a text and as the folder of its shards.
func otherSurvey(t *testing.T) (text, shards string) {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skipf("no Go toolchain: %v", err)
	}
	dir := t.TempDir()
	siegebook := filepath.Join(dir, "siegebook")
	build := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-o", siegebook, "./cmd/siegebook")
	build.Dir = filepath.Join("..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	survey := []string{"survey", "castle", "--soldiers", "1:20", "--castle", "1:80", "--defenders", "1:41"}
	output(t, dir, siegebook, append(slices.Clone(survey), "--shards", "5", "--out", "shards")...)
	return output(t, dir, siegebook, append(survey, "--json")...), filepath.Join(dir, "shards")
}

// TestSurveyFile: a survey that another machine has made is compared and kept, the report is checked without it, as a
// folder and as one file, and changes in it, or in the report, are found. A file that is not a survey is refused in one
// line, and nothing is written.
func TestSurveyFile(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program and several reports, which takes seconds; leave out -short")
	}
	survey, shards := otherSurvey(t)
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		must.Write(t, path, text)
		return path
	}
	site, single, name := filepath.Join(dir, "site"), filepath.Join(dir, "report.html"), file("cluster.json", survey)
	genreport := func(want int, args ...string) (stdout, stderr string) {
		t.Helper()
		return exits(t, want, append(args, "--cache", testCacheFolder, "--notebooks", "off")...)
	}
	genreport(0, "build", "--grid", smallGrid, "--only", "castle-compared", "--survey", name, "--out", site)
	genreport(0, "build", "--grid", smallGrid, "--only", "castle-compared", "--survey", name, "--single", single)
	must.Do(t, os.Remove(name))
	for _, report := range [][]string{{"check", "--out", site}, {"check", "--single", single}} {
		stdout, _ := genreport(0, append(report, "--trust-cache")...)
		if !regexp.MustCompile(`^survey sha256:[0-9a-f]{64}: computed again: all 65,600 battles\n.* is what a build would write: .*\n$`).MatchString(stdout) {
			t.Errorf("%q", stdout)
		}
	}

	// The folder of the shards: the same survey, and each shard is computed again.
	cut := filepath.Join(dir, "cut")
	genreport(0, "build", "--grid", smallGrid, "--only", "castle-compared", "--survey", shards, "--out", cut)
	whole, sum := must.Get(os.ReadFile(filepath.Join(site, "assets", "castle-compared", "survey.json"))),
		must.Get(os.ReadFile(filepath.Join(cut, "assets", "castle-compared", "survey.json")))
	if string(whole) != string(sum) {
		t.Errorf("the shards add up to %s, not to %s", sum, whole)
	}
	list := filepath.Join(cut, "assets", "castle-compared", "shards.json")
	text := string(must.Get(os.ReadFile(list)))
	refused := func(want string) {
		t.Helper()
		if _, stderr := genreport(2, "build", "--grid", smallGrid, "--survey", shards, "--out",
			filepath.Join(dir, "none")); strings.Count(stderr, "\n") != 1 || !strings.HasPrefix(stderr,
			"genreport: --survey "+shards+": "+want) {
			t.Errorf("%s, want %s", stderr, want)
		}
	}
	must.Do(t, os.Truncate(filepath.Join(shards, "part-3-of-5.json"), 99))
	refused("shard 3 is no survey of castle games: it is damaged, siegebook merge says how to compute it: ")
	must.Do(t, os.Remove(filepath.Join(shards, "part-2-of-5.json")))
	refused("shard 2 is no survey of castle games: it is missing, siegebook merge says how to compute it")
	must.Write(t, filepath.Join(shards, "notes.txt"), "")
	refused("it holds notes.txt, which is no shard")
	must.Do(t, os.RemoveAll(shards))
	if stdout, _ := genreport(0, "check", "--out", cut, "--trust-cache"); !strings.Contains(stdout,
		"computed again: all 65,600 battles in 5 shards\n") {
		t.Error(stdout)
	}
	must.Write(t, list, strings.Replace(text, `"battles":[13120,`, `"battles":[13121,`, 1))
	if _, stderr := genreport(1, "check", "--out", cut, "--trust-cache"); !strings.Contains(stderr,
		"survey of the report: shards of the survey: ") {
		t.Error(stderr)
	}

	// A report of a survey with wrong shards, all of whose sums are right, is found wrong when it is checked.
	first := regexp.MustCompile(`"totals":\["[0-9a-f]`)
	tampered := filepath.Join(dir, "tampered.json")
	must.Write(t, tampered, append(sum, first.ReplaceAllString(text, `"totals":["x`)...))
	genreport(0, "build", "--grid", smallGrid, "--only", "castle-compared", "--survey", tampered, "--out",
		filepath.Join(dir, "tampered"))
	if _, stderr := genreport(1, "check", "--out", filepath.Join(dir, "tampered"), "--trust-cache", "--seed",
		"9"); !strings.Contains(stderr, "the survey of the report is wrong: shard 1 of 5, computed again, has other "+
		"totals") {
		t.Error(stderr)
	}

	// The same battles, computed by the build: other pages, as these say where the numbers come from.
	stdout, _ := genreport(1, "check", "--out", site, "--trust-cache", "--survey",
		"soldiers=1:20,castle=1:80,defenders=1:41")
	if !strings.Contains(stdout, "different: castle-compared.html\n") ||
		!regexp.MustCompile(`stamp: survey: sha256:[0-9a-f]{64}; here soldiers=1:20,castle=1:80,defenders=1:41\n`).MatchString(stdout) {
		t.Errorf("%s", stdout)
	}

	// A report of wrong numbers, which a sample cannot tell from right ones, is found wrong when it is checked.
	wrong := file("wrong.json", regexp.MustCompile(`"checksum": "[0-9a-f]`).ReplaceAllString(survey, `"checksum": "0`))
	genreport(0, "build", "--grid", smallGrid, "--only", "castle-compared", "--survey", wrong, "--out",
		filepath.Join(dir, "wrong"))
	if _, stderr := genreport(1, "check", "--out", filepath.Join(dir, "wrong"),
		"--trust-cache"); !strings.Contains(stderr, "the survey of the report is wrong: checksum is said to be ") {
		t.Error(stderr)
	}

	// The survey in the report was changed.
	kept := filepath.Join(site, "assets", "castle-compared", "survey.json")
	must.Write(t, kept, strings.Join(strings.Fields(survey), "")+" ")
	if stdout, _ := genreport(1, "check", "--out", site, "--trust-cache"); !strings.Contains(stdout, "survey.json") {
		t.Errorf("white space is added: %s", stdout)
	}
	for _, text := range []string{
		strings.Replace(survey, `"battles": 65600`, `"battles": 65601`, 1), survey[:300], "",
		string(must.Get(os.ReadFile(wrong))),
	} {
		must.Write(t, kept, text)
		if _, stderr := genreport(1, "check", "--out", site, "--trust-cache"); strings.Count(stderr, "\n") != 1 ||
			!strings.Contains(stderr, "survey of the report: ") ||
			!strings.Contains(stderr, "name the file that it was built with by --survey") {
			t.Errorf("%.20q: %s", text, stderr)
		}
	}

	// A file that is not a survey.
	none := filepath.Join(dir, "none")
	_, stderr := genreport(2, "build", "--grid", smallGrid, "--only", "castle-compared", "--survey",
		file("cut.json", survey[:len(survey)/2]), "--out", none)
	if !strings.HasPrefix(stderr, "genreport: --survey") || strings.Count(stderr, "\n") != 1 ||
		!strings.Contains(stderr, "no survey of castle games: unexpected EOF") {
		t.Error(stderr)
	}
	if _, err := os.Stat(none); err == nil {
		t.Error("something was written")
	}
}
