package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/site"
)

// TestFourthHeuristic adds one file to analysis/castle, testdata/fourth/even_split.go, and finds the algorithm that it
// registers wherever algorithms are: what the programs choose among, print and explain, the pages of the report, and a
// lesson.
func TestFourthHeuristic(t *testing.T) {
	if testing.Short() {
		t.Skip("builds both programs and the kernel, which takes seconds; leave out -short")
	}
	if _, err := exec.LookPath("go"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skipf("no Go toolchain: %v", err)
	}
	programs := buildWithFourth(t)
	t.Run("solve and sweep", func(t *testing.T) { fourthInCommands(t, programs) })
	t.Run("pages", func(t *testing.T) { fourthInPages(t, programs) })
	t.Run("lesson", func(t *testing.T) { fourthInLesson(t, programs) })
}

// buildWithFourth returns the folder of the programs, built with the additional file.
func buildWithFourth(t *testing.T) string {
	dir, root := t.TempDir(), must.Get(filepath.Abs(filepath.Join("..", "..")))
	added := must.Get(filepath.Abs(filepath.Join("testdata", "fourth", "even_split.go")))
	overlaid := filepath.Join(dir, "overlay.json")
	must.Write(t, overlaid, must.Get(json.Marshal(map[string]map[string]string{"Replace": {
		filepath.Join(root, "analysis", "castle", "even_split.go"): added,
	}})))
	for _, program := range []string{"siegebook", "genreport"} {
		build := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-overlay", overlaid, "-o",
			filepath.Join(dir, program), "./cmd/"+program)
		build.Dir = root
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("go build %s: %v\n%s", program, err, out)
		}
	}
	return dir
}

// output runs a program, which must succeed, and returns what it prints.
func output(t *testing.T, dir, program string, args ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), program, args...)
	command.Dir = dir
	var stderr strings.Builder
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", program, args, err, &stderr)
	}
	return string(out)
}

func fourthInCommands(t *testing.T, programs string) {
	siegebook := filepath.Join(programs, "siegebook")
	var line struct {
		Algorithm, Winner string
		Waves             int
	}
	must.Do(t, json.Unmarshal([]byte(output(t, "", siegebook, "solve", "castle", "10", "43", "8", "--algorithm",
		"even-split", "--json")), &line))
	if line.Algorithm != "even-split" || line.Waves == 0 {
		t.Errorf("%+v", line)
	}
	contains(t, "solve", output(t, "", siegebook, "solve", "castle", "10", "43", "8", "--algorithm", "even-split"),
		"even-split: the "+line.Winner)
	help := strings.Join(strings.Fields(output(t, "", siegebook, "solve", "castle", "--help")), " ")
	contains(t, "solve --help", help, "defenders-first, even-split, or published (its number only)",
		"even_split_winner, even_split_waves the battle of even split")
	if out, err := exec.CommandContext(t.Context(), siegebook, "solve", "castle", "1", "1", "1", "--algorithm",
		"x").CombinedOutput(); err == nil {
		t.Errorf("there is no algorithm x: %s", out)
	} else {
		contains(t, "the error", string(out), "use one of exact, castle-first, defenders-first, even-split, published;")
	}

	sweep := table(t, output(t, "", siegebook, "sweep", "castle", "--soldiers", "10", "--castle", "43", "--defenders",
		"8"))
	at := slices.Index(sweep[0], "even_split_winner")
	if at < 1 || sweep[0][at-1] != "defenders_first_waves" || sweep[0][at+1] != "even_split_waves" ||
		sweep[0][at+2] != "published_waves" {
		t.Fatalf("the columns are %v", sweep[0])
	}
	if sweep[1][at] != line.Winner || sweep[1][at+1] != strconv.Itoa(line.Waves) {
		t.Errorf("the sweep has %v, solve %+v", sweep[1], line)
	}
	contains(t, "sweep --help", output(t, "", siegebook, "sweep", "castle", "--help"),
		"even_split_winner, even_split_waves")
	contains(t, "survey --help", output(t, "", siegebook, "survey", "castle", "--help"), "even-split")
	survey := output(t, "", siegebook, "survey", "castle", "--soldiers", "10", "--castle", "43", "--defenders", "8",
		"--json")
	contains(t, "a survey", survey, `{"name":"even-split","battles":1,`)
	batch := filepath.Join(t.TempDir(), "battles.csv")
	must.Write(t, batch, "soldiers,castle_hits,defenders_per_wave\n10,43,8\n")
	if got, want := output(t, "", siegebook, "solve", "castle", "--batch", batch, "--columns", "even_split_waves"),
		"even_split_waves\n"+strconv.Itoa(line.Waves)+"\n"; got != want {
		t.Errorf("a batch has %q, want %q", got, want)
	}
}

func fourthInPages(t *testing.T, programs string) {
	site := filepath.Join(t.TempDir(), "site")
	output(t, "", filepath.Join(programs, "genreport"), "build", "--cache", testCacheFolder, "--notebooks", "off",
		"--grid", smallGrid, "--out", site)
	read := func(name string) string {
		data := must.Get(os.ReadFile(filepath.Join(site, filepath.FromSlash(name))))
		return string(data)
	}
	column := func(name string) {
		if header := table(t, read(name))[0]; !slices.Contains(header, "even split") &&
			!slices.Contains(header, "even split, wave by wave") {
			t.Errorf("%s has the columns %v", name, header)
		}
	}
	row := func(name string) {
		if !slices.ContainsFunc(table(t, read(name)), func(row []string) bool { return row[0] == "even split" }) {
			t.Errorf("%s has no row of it", name)
		}
	}
	column("assets/castle-tests/tbl-tests.csv")
	contains(t, "the tests", read("castle-tests.html"), "Even split is on the wrong side in ")
	row("assets/castle-compared/tbl-matrix.csv")
	contains(t, "the comparison", read("castle-compared.html"), `href="castle-agreement.html#even-split"`,
		"Even split ", "It finds the fewest waves in ")
	contains(t, "the maps side by side", read("assets/castle-compared/fig-waves-lost.csv"),
		"\nEven split,right: none lost,")
	contains(t, "the shares", read("assets/castle-compared/fig-shares.csv"), "\neven split,200,")
	survey := read("assets/castle-compared/survey.json")
	contains(t, "the survey", survey, `"name":"even-split"`)
	_, command, _ := strings.Cut(read("castle-compared.html"), "<code>siegebook survey castle --soldiers ")
	command, _, ok := strings.Cut(command, "</code>")
	if !ok {
		t.Fatal("the comparison names no command")
	}
	var printed bytes.Buffer
	must.Do(t, json.Compact(&printed, []byte(output(t, "", filepath.Join(programs, "siegebook"),
		append([]string{"survey", "castle", "--soldiers"}, strings.Fields(command)...)...))))
	if got := strings.TrimSpace(printed.String()); got != strings.TrimSpace(survey) {
		t.Errorf("siegebook survey castle --soldiers %s prints\n%s\nthe page offers\n%s", command, got, survey)
	}
	contains(t, "the rows", read("assets/castle-agreement/fig-even-split.csv"), ",even-split,")
	row("assets/castle-agreement/tbl-verdicts.csv")
	read("assets/castle-agreement/fig-even-split.svg")
	contains(t, "the agreement", read("castle-agreement.html"), `id="even-split"`,
		"Even split against the exact answer", "Even split is on the wrong side in ")
	column("assets/castle-cost/tbl-cost.csv")
	column("assets/castle-cost/tbl-cost-castle.csv")
	row("assets/castle-cost/tbl-laws.csv")
	contains(t, "the cost", read("castle-cost.html"), "even split, wave by wave", "no more than s and a hunt")
}

// fourthInLesson runs the first lesson in a copy of the repository that has the file.
func fourthInLesson(t *testing.T, programs string) {
	const lesson = "01-battle-by-hand.ipynb"
	repository := filepath.Join(t.TempDir(), "repository")
	must.Do(t, copyRepository(repository))
	for from, to := range map[string]string{
		filepath.Join("testdata", "fourth", "even_split.go"): filepath.Join("analysis", "castle", "even_split.go"),
		filepath.Join("..", "..", "notebooks", lesson):       filepath.Join("notebooks", lesson),
	} {
		data, err := os.ReadFile(from)
		if err == nil {
			err = os.WriteFile(filepath.Join(repository, to), data, 0o644)
		}
		must.Do(t, err)
	}
	output(t, repository, filepath.Join(programs, "genreport"), "notebooks", "run", "--timeout", "10m", "--out", "ran",
		filepath.Join("notebooks", lesson))
	data := must.Get(os.ReadFile(filepath.Join(repository, "ran", lesson)))
	if n := strings.Count(string(data), `"even split  `); n != 3 {
		t.Errorf("%d tables of the lesson have a row of it, want 3", n)
	}
}

func contains(t *testing.T, where, text string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("%s has no %q:\n%.2000s", where, w, text)
		}
	}
}

func table(t *testing.T, text string) [][]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(rows) < 2 {
		t.Fatalf("%v in\n%s", err, text)
	}
	return rows
}

// The toy report is built in a moment. It stands in for that of siegebook wherever a test is about the command and not
// about the pages: publishing, kills, permissions, caches. The program toyreport is genreport with this book.

// blocks is the parameter on which all pages of the toy depend.
var blocks = chapter.Parameter{
	Name: "blocks", Placeholder: "N", Help: "How many blocks there are.", Default: "3",
	Normal: func(text string) (string, error) {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return "", fmt.Errorf("%q is no number of blocks: use a whole number above 0", text)
		}
		return strconv.Itoa(n), nil
	},
}

// toyTexts are the texts of the toy under their names in a repository.
var toyTexts = fstest.MapFS{
	"report/front.md":     text("Toys", `See {{ ref "page:toy-rules" }}.`+"\n\n"+`{{ figure "house" "A house" }}`),
	"report/about.md":     text("About", "The toys."),
	"report/toy/rules.md": text("The rules of the toy", `Build with {{ .Value "blocks" }}, and let $x_{12} = 7$.`),
	"report/toy/tower.md": text("Towers", `A tower has {{ .Value "blocks" }}, and {{ ref "page:toy-rules" }} say how.`),
}

func text(title, body string) *fstest.MapFile {
	return &fstest.MapFile{Data: []byte("---\ntitle: " + title + "\n---\n" + body + "\n")}
}

// toyFiles is how many files belong to a page of the toy, so that writing them takes a while.
const toyFiles = 60

var toy = chapter.Plan[int]{
	Name: "toy", Title: "Toys", Parameters: []chapter.Parameter{blocks},
	Data: func(_ context.Context, settings chapter.Settings) (int, error) {
		return strconv.Atoi(settings.Of(blocks))
	},
	Pages: []chapter.Page[int]{
		{Name: "rules", Build: func(_ context.Context, n int) (site.Page, error) {
			page := site.Page{Values: map[string]any{"blocks": n}, Assets: map[string][]byte{}}
			for i := range toyFiles {
				page.Assets[fmt.Sprintf("file-%d.csv", i)] = fmt.Appendf(nil, "%0*d\n", 20_000, n)
			}
			return page, nil
		}},
		{Name: "tower", Build: func(_ context.Context, n int) (site.Page, error) {
			return site.Page{Values: map[string]any{"blocks": n}}, nil
		}},
	},
	Texts:     fstest.MapFS{"rules.md": toyTexts["report/toy/rules.md"], "tower.md": toyTexts["report/toy/tower.md"]},
	Questions: func() []chapter.Question { return nil },
}.Game()

func toyBook() report.Book {
	page := func(slug, file string, fill func(*report.Contents, *site.Page) error) report.BookPage {
		return report.BookPage{Slug: slug, File: file, Text: string(toyTexts[file].Data), Fill: fill}
	}
	house := content.Figure{
		ID: "house", Light: content.Drawing(`<svg xmlns="http://www.w3.org/2000/svg"/>`), Width: 10, Height: 10,
		Alt: "A house of three blocks.",
	}.Explored("castle-map", "n=19&s=50&d=15")
	return report.Book{
		Title: "Toys", Games: []chapter.Game{toy},
		Pages: []report.BookPage{
			page("index", "report/front.md", func(_ *report.Contents, p *site.Page) error {
				p.Figures = []content.Figure{house}
				return nil
			}),
			page("about", "report/about.md", nil),
		},
		Order: []report.Part{
			{Title: "Toys", Sections: []report.Section{{Pages: []string{"toy-rules", "toy-tower"}}}},
			{Title: "Notebooks", Sections: []report.Section{{}}}, // the part where notebooks stand
			{Title: "About", Sections: []report.Section{{Pages: []string{"about"}}}},
		},
	}
}

// withToys lets a test of this process build toys.
func withToys(t *testing.T) {
	t.Helper()
	before := book
	book = toyBook()
	t.Cleanup(func() { book = before })
}

// toyRepository is a folder that passes for the repository, with the texts of the toy.
func toyRepository(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	must.Do(t, os.CopyFS(dir, toyTexts))
	for _, name := range []string{"go.mod", "report/report.go", "docs/derivations" + "/toy.md"} {
		name = filepath.Join(dir, filepath.FromSlash(name))
		must.Write(t, name, "")
	}
	return dir
}
