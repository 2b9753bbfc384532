package report

import (
	"context"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/siegebook/siegebook/internal/cache"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/site"
)

// toy is a game with two parameters and a seed, which the report has never heard of.
var toy = chapter.Plan[int]{
	Name: "toy", Title: "Toys", Seed: 7,
	Parameters: []chapter.Parameter{number("blocks", "3"), number("marbles", "40")},
	Data: func(_ context.Context, settings chapter.Settings) (int, error) {
		return strconv.Atoi(settings.Of(number("blocks", "3")))
	},
	Pages: []chapter.Page[int]{{Name: "rules", Build: func(_ context.Context, blocks int) (site.Page, error) {
		return site.Page{Values: map[string]any{"blocks": blocks}}, nil
	}}},
	Texts:     fstest.MapFS{"rules.md": {Data: []byte("---\ntitle: Toys\n---\nBuild with {{ .Value \"blocks\" }}.")}},
	Questions: func() []chapter.Question { return nil },
}.Game()

// number is a parameter that is a whole number.
func number(name, usual string) chapter.Parameter {
	return chapter.Parameter{
		Name:        name,
		Placeholder: "N",
		Help:        "How many.",
		Default:     usual,
		Normal: func(text string) (string, error) {
			n, err := strconv.Atoi(text)
			if err != nil {
				return "", fmt.Errorf("%q is no number", text)
			}
			return strconv.Itoa(n), nil
		},
	}
}

// TestNewParameters: what a new chapter states of itself is in the stamp, in the recipe that is read from it, in the
// page About, in the cache's key and in the messages, and nothing but the register knows of the chapter.
func TestNewParameters(t *testing.T) {
	book := Siegebook()
	book.Games = append(book.Games, toy)
	build := func(t *testing.T, o Options) site.Tree {
		t.Helper()
		tree, err := Build(t.Context(), book, o)
		if err != nil {
			t.Fatal(err)
		}
		return tree
	}
	o := Options{
		Settings: maps.Clone(small),
		Only:     []string{"toy", "about"},
		Cache:    cache.Open(t.TempDir()),
		Program:  []byte("a program"),
	}
	o.Settings["blocks"] = "+05"
	tree := build(t, o)
	page := string(tree["toy-rules.html"])
	for _, want := range []string{
		"Build with 5.", "<dt>grid</dt> <dd>soldiers=12,castle=1:40,defenders=1:30</dd>", "<dt>blocks</dt> <dd>5</dd>",
		"<dt>marbles</dt> <dd>40</dd>", "toy 7",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q:\n%s", want, page)
		}
	}
	if about := string(tree["about.html"]); !strings.Contains(
		about, "the blocks of this report is <code>5</code>, the marbles of this report is <code>40</code>",
	) {
		t.Error("the page About does not name the settings")
	}
	recipe, err := book.ReadRecipe([]byte(page))
	if err != nil || recipe.Settings["blocks"] != "5" || recipe.Settings["marbles"] != "40" ||
		recipe.Settings["grid"] != small["grid"] {
		t.Errorf("recipe %+v, %v", recipe, err)
	}
	if _, err := book.ReadRecipe([]byte(strings.Replace(page, "<dt>marbles</dt> <dd>40</dd>", "", 1))); err == nil ||
		err.Error() != "its stamp names no marbles: write it like 40 with --marbles" {
		t.Errorf("a stamp without a parameter: %v", err)
	}

	steps := 0
	o.Progress = func(int, int, string) { steps++ }
	o.Settings["blocks"] = "5" // another text for the same setting
	if sameTree(t, tree, build(t, o)); steps != 0 {
		t.Error("the same settings are another report to the cache")
	}
	o.Settings["marbles"] = "41"
	if other := build(t, o); steps == 0 ||
		!strings.Contains(string(other["toy-rules.html"]), "<dt>marbles</dt> <dd>41</dd>") {
		t.Error("other settings are the same report to the cache")
	}

	for settings, want := range map[[2]string]string{
		{"blocks", "many"}: `blocks: "many" is no number`,
		{"dolls", "1"}:     `parameter "dolls": no chapter has it, use algorithm, blocks, grid, marbles, survey`,
	} {
		if err := book.Validate(Options{Settings: chapter.Settings{settings[0]: settings[1]}}); err == nil ||
			err.Error() != want {
			t.Errorf("%q: %v, want %s", settings, err, want)
		}
	}
}

// TestParameters: no two parameters have one name, nor the name of something else in the stamp, and defaults are in
// normal form.
func TestParameters(t *testing.T) {
	taken := map[string]bool{}
	for _, field := range (Options{Kernel: "k"}).stamp(siegebook, nil) {
		if taken[field.Name] {
			t.Errorf("the stamp has two fields %q", field.Name)
		}
		taken[field.Name] = true
	}
	for _, p := range siegebook.Parameters() {
		if normal, err := p.Normal(p.Default); err != nil || normal != p.Default {
			t.Errorf("%s: the default %q is %q, %v", p.Name, p.Default, normal, err)
		}
		if p.Placeholder == "" || p.Help == "" {
			t.Errorf("%s: its flag has no help", p.Name)
		}
	}
}

// TestFileOfAPage: a report that does not write the page on which a file is kept could not be checked, and is refused.
func TestFileOfAPage(t *testing.T) {
	const made = `{"soldiers":"1:2","castle":"1:2","defenders":"1:2","battles":8,"winnable":1,"min_waves":{"1":1},"algorithms":[],"checksum":"0000000000000000"}`
	o := Options{Settings: chapter.Settings{"survey": made}}
	for only, want := range map[string]string{
		"castle-agreement": "survey: a report keeps it with the page castle-compared, which is not among " +
			"the chapters castle-agreement: add that one, or leave the survey out",
		"castle-agreement castle-compared": "",
		"castle":                           "",
		"":                                 "",
	} {
		o.Only = strings.Fields(only)
		if err := siegebook.Validate(o); (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%s: %v", only, err)
		}
	}
}
