package siegebook

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/siegebook/siegebook/internal/cache"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/report/book"
	"github.com/siegebook/siegebook/internal/report/book/booktest"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/press"
	"github.com/siegebook/siegebook/internal/report/site"
	coq "github.com/siegebook/siegebook/proofs"
	"github.com/siegebook/siegebook/report/siegebook/explorables"
	"github.com/siegebook/siegebook/report/siegebook/proofs"
	"github.com/siegebook/siegebook/report/siegebook/terms"
)

// siegebook is the book of this repository, with the pages whose cells TestMain runs.
var siegebook book.Book

var small = chapter.Settings{"grid": "soldiers=12,castle=1:40,defenders=1:30"}

// shared keeps the results of the tests in the folder scratch.
var (
	shared  *cache.Cache
	scratch string
)

func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "siegebook-test")
	if err != nil {
		panic(err)
	}
	shared, scratch = cache.Open(folder), folder
	p := press.New(press.Settings{Dir: ".", Cache: folder, Known: explorables.Set()})
	full, pages, err := p.AddPages(context.Background(), Book(), nil)
	if err == nil && len(pages.Faults()) > 0 {
		err = pages.Faults()
	}
	if err != nil {
		panic(err)
	}
	siegebook = full
	code := m.Run()
	_ = os.RemoveAll(folder)
	os.Exit(code)
}

// build builds a report. It uses results of other tests, unless the options have another cache.
func build(t *testing.T, o book.Options) site.Tree {
	t.Helper()
	if o.Cache == nil {
		o.Cache, o.Program = shared, []byte("the tests")
	}
	tree, err := book.Build(context.Background(), siegebook, o)
	must.Do(t, err)
	return tree
}

func sameTree(t *testing.T, a, b site.Tree) {
	t.Helper()
	if len(a) != len(b) {
		t.Errorf("%d files and %d files", len(a), len(b))
	}
	for path, data := range a {
		if !bytes.Equal(data, b[path]) {
			t.Errorf("%s differs", path)
		}
	}
}

// TestDeterministic builds a report twice, on different numbers of cores, and once more from cached units. The third
// report names a kernel. Nothing runs, so the kernel is not in the stamp, but the cache sees a different report.
func TestDeterministic(t *testing.T) {
	anew, err := book.Build(t.Context(), siegebook, book.Options{Settings: small})
	must.Do(t, err)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(7))
	sameTree(t, anew, build(t, book.Options{Settings: small}))
	sameTree(t, anew, build(t, book.Options{Settings: small, Kernel: "k"}))
}

// counted returns a book that counts its reports. made is the number of reports that are built and not taken from the
// cache.
func counted(b book.Book) (_ book.Book, made *int) {
	made = new(int)
	mark := b.Mark
	b.Mark = func(c *book.Contents, pages []site.Page) ([]site.Page, error) {
		*made++
		return mark(c, pages)
	}
	return b, made
}

// TestCached builds four reports, as folders and as single files. The second one comes from the cache. The third report
// is from another program, and the fourth has another chapter, so both are built.
func TestCached(t *testing.T) {
	changed, made := counted(siegebook)
	o := book.Options{
		Settings: small, Only: []string{"castle-rules"}, Cache: cache.Open(t.TempDir()), Program: []byte("a program"),
	}
	folder := func() string {
		tree, err := book.Build(t.Context(), changed, o)
		must.Do(t, err)
		return fmt.Sprint(tree)
	}
	single := func() string {
		page, err := book.BuildSingle(t.Context(), changed, o)
		must.Do(t, err)
		return string(page)
	}
	for name, build := range map[string]func() string{"folder": folder, "single": single} {
		o.Program, o.Only = []byte("a program of the "+name), []string{"castle-rules"}
		first := build()
		*made = 0
		if build() != first || *made > 0 {
			t.Errorf("%s: the second time it is made again, or another", name)
		}
		o.Program = []byte("another program of the " + name)
		if build() != first || *made != 1 {
			t.Errorf("%s: another program has taken the report of the first from the cache, or made another", name)
		}
		o.Only = []string{"castle-cost"}
		if build() == first || *made != 2 {
			t.Errorf("%s: another chapter was taken from the cache", name)
		}
	}
}

// outside matches references to files outside the report, and scripts. Links in the text may lead outside, but
// pictures, styles and scripts may not.
var outside = regexp.MustCompile(`(?i)(src|srcset|data)="(https?:)?//|<link[^>]+href="(https?:)?//|@import|` +
	`url\(["']?(https?:)?//|<script|\son[a-z]+=`)

func TestNothingOutside(t *testing.T) {
	for path, data := range build(t, book.Options{Settings: small}) {
		if strings.HasSuffix(path, ".html") || strings.HasSuffix(path, ".css") {
			if path == "search.html" { // TestNothingForeign checks the scripts of this page
				data = bytes.Replace(data, []byte(`<script src="search.js"></script>`), nil, 1)
				data = bytes.Replace(data, []byte(`<script type="application/json" id="search-index"`), nil, 1)
			}
			if found := outside.Find(data); found != nil {
				t.Errorf("%s: %s", path, found)
			}
		}
	}
	if !outside.MatchString(`<img src="https://example.org/a.png">`) {
		t.Error("the check finds nothing")
	}
}

// TestMachine checks that each theorem that Coq has checked has one entry on its page, and is in a fold below every
// heading that it names. The badge of a fold counts the theorems in it.
func TestMachine(t *testing.T) {
	tree := wholeReport(t)
	theorems, err := coq.Theorems(coq.Texts)
	must.Do(t, err)
	listed := string(tree[proofs.MachineSlug+".html"])
	definitions := strings.Count(listed, ` id="definitions-`) // one entry for each file with definitions
	if got := strings.Count(listed, `<details class="entry">`) - definitions; got != len(theorems) || definitions == 0 {
		t.Errorf("the page lists %d theorems, not %d", got, len(theorems))
	}
	badges := map[coq.Place]int{}
	for _, theorem := range theorems {
		anchor := proofs.TheoremAnchor(theorem.Name)
		if strings.Count(listed, ` id="`+anchor+`"`) != 1 {
			t.Errorf("the page has not one place for %s", theorem.Name)
		}
		places, err := theorem.Places()
		must.Do(t, err)
		for _, p := range places {
			p.Part = false // all theorems of a heading share a badge
			badges[p]++
			if fold := foldBelow(tree, p); !strings.Contains(
				fold, `<a href="`+proofs.MachineSlug+".html#"+anchor+`">`,
			) {
				t.Errorf("%s does not stand below %q in %s", theorem.Name, p.Heading, p.File)
			}
		}
	}
	count := regexp.MustCompile(
		`^<summary class="callout-title"><span class="callout-kind">Checked by Coq</span> (?:in part: )?(\d+) ` +
			`theorems?</summary>`,
	)
	folds := 0
	for p, want := range badges {
		fold := foldBelow(tree, p)
		m := count.FindStringSubmatch(fold)
		if m == nil || m[1] != strconv.Itoa(want) || strings.Count(fold, "<pre") != want {
			t.Errorf("the badge below %q in %s is not for %d theorems: %.150s", p.Heading, p.File, want, fold)
		}
	}
	for name, page := range tree {
		if strings.HasSuffix(name, ".html") && name != "search.html" {
			folds += strings.Count(string(page), `<details class="callout callout-checked">`)
		}
	}
	if folds != len(badges) {
		t.Errorf("%d badges for %d headings", folds, len(badges))
	}
	for _, want := range []string{`<dt>Checked by Coq</dt>`, `checked by Coq: <a href="machine.html#`} {
		if !strings.Contains(string(tree["castle-errata.html"]), want) {
			t.Errorf("the errata have no %s", want)
		}
	}
	if !strings.Contains(string(tree["claims.html"]), `<a href="machine.html#min-waves-is-right">`) {
		t.Error("the ledger does not lead to the theorems")
	}
}

// TestSteps checks that the theorems of a step in the derivation are the theorems that settle its claim.
func TestSteps(t *testing.T) {
	settle := map[string][]string{}
	for _, theorem := range must.Get(coq.Theorems(coq.Texts)) {
		for _, claim := range theorem.Claims() {
			if id, ok := strings.CutPrefix(claim.ID, "castle-step-"); ok && !claim.Part {
				settle[id] = append(settle[id], theorem.Name)
			}
		}
	}
	rows := strings.Split(string(must.Get(os.ReadFile("castle/_steps.md"))), "\n")[2:]
	proved := 0
	for _, row := range rows {
		cells := strings.Split(row, "|")
		if row == "" || len(cells) < 7 {
			continue
		}
		id, named := strings.TrimSpace(cells[1]), strings.Fields(cells[6])
		slices.Sort(named)
		slices.Sort(settle[id])
		if !slices.Equal(named, settle[id]) {
			t.Errorf("step %q names the theorems %v, and %v settle it", id, named, settle[id])
		}
		proved += len(named)
		delete(settle, id)
	}
	if len(settle) > 0 || proved < 20 {
		t.Errorf("%d theorems of steps; %v settle steps that are not there", proved, settle)
	}
}

// foldBelow returns the fold directly below a heading, or "" if there is none.
func foldBelow(tree site.Tree, p coq.Place) string {
	_, rest, _ := strings.Cut(string(tree[proofs.SlugOf(p.File)+".html"]), ` id="`+site.Slug(p.Heading)+`">`)
	_, rest, _ = strings.Cut(rest, "</a></h")
	rest, ok := strings.CutPrefix(rest[min(3, len(rest)):], `<details class="callout callout-checked">`+"\n")
	if !ok {
		return ""
	}
	fold, _, _ := strings.Cut(rest, "</details>")
	return fold
}

var (
	formulas = regexp.MustCompile(`(?s)<math( display="block")?[^>]*>(.*?)</math>`)
	letters  = regexp.MustCompile(`<mi[^>]*>([^<]*)</mi>`)
	upright  = regexp.MustCompile(`<mi mathvariant="normal">[^<]*</mi>`)
)

// lettersOf returns the single letters in the formulas of a page: with true in display formulas, and with false in
// others.
func lettersOf(page []byte) map[bool]string {
	found := map[bool]string{}
	for _, f := range formulas.FindAllSubmatch(page, -1) {
		display := len(f[1]) > 0
		for _, m := range letters.FindAllSubmatch(f[2], -1) {
			letter, size := utf8.DecodeRune(m[1])
			if size == len(m[1]) && unicode.IsLetter(letter) && !strings.ContainsRune(found[display], letter) {
				found[display] += string(letter)
			}
		}
	}
	return found
}

// missingSymbols returns the letters of display formulas that the table of their part lacks, and the rows that no
// formula uses. partOf returns the part of a page.
func missingSymbols(table []terms.Chapter, pages map[string][]byte, partOf func(slug string) string) []string {
	known := map[string]string{} // the letters by part; "" is for all parts
	for _, c := range table {
		for _, s := range c.Symbols {
			known[c.Part] += s.Letters
		}
	}
	var problems []string
	used := map[string]string{}
	for _, slug := range slices.Sorted(maps.Keys(pages)) {
		part := partOf(slug)
		found := lettersOf(pages[slug])
		for _, letter := range found[true] {
			if !strings.ContainsRune(known[part]+known[""], letter) {
				problems = append(
					problems, fmt.Sprintf("%s has the letter %c in a formula: add it to _letters.md", slug, letter),
				)
			}
		}
		used[part] += found[true] + found[false]
		used[""] += found[true] + found[false]
	}
	for _, c := range table {
		for _, s := range c.Symbols {
			if !strings.ContainsAny(used[c.Part], s.Letters) {
				problems = append(problems, fmt.Sprintf("no formula of %q has %s", c.Title, s.Sign))
			}
		}
	}
	return problems
}

// TestSymbols checks that every letter in a display formula of a chapter or lesson is in the table of symbols of its
// game, and every row of the table is used. The proofs introduce their own letters.
func TestSymbols(t *testing.T) {
	titles := map[string]string{} // the titles of the games
	for _, g := range siegebook.Games {
		titles[g.Name] = g.Title
	}
	part := func(slug string) string {
		game, _, _ := strings.Cut(slug, "-")
		if pair := siegebook.Heads[slug].Pair; len(pair) > 0 {
			game, _, _ = strings.Cut(pair[0], "-")
		}
		return titles[game]
	}
	pages := map[string][]byte{}
	for path, data := range wholeReport(t) {
		slug, isPage := strings.CutSuffix(path, ".html")
		if isPage && part(slug) != "" {
			pages[slug] = data
		}
	}
	for _, problem := range missingSymbols(terms.Symbols, pages, part) {
		t.Error(problem)
	}
}

// TestOneMeaning checks that the letters of a castle battle have no other meaning in formulas of other games, including
// proofs and notebooks. In the tower game, n also means soldiers.
func TestOneMeaning(t *testing.T) {
	seen := 0
	for path, data := range wholeReport(t) {
		slug, isPage := strings.CutSuffix(path, ".html")
		taken, other := map[string]string{"tower": "sdSD", "ants": "nsdNSD", "naval": "nsdNSD"}[gameOf(slug)]
		if !isPage || !other {
			continue
		}
		seen++
		found := lettersOf(upright.ReplaceAll(data, nil)) // without words in formulas, such as mod
		if all := found[true] + found[false]; strings.ContainsAny(all, taken) {
			t.Errorf("%s has one of %q in a formula, among %q: the castle game has these letters", slug, taken, all)
		}
	}
	if seen < 15 {
		t.Errorf("only %d pages of the other games", seen)
	}
}

// TestMissingSymbols makes sure that a letter without a row and a row without a letter are found.
func TestMissingSymbols(t *testing.T) {
	table := []terms.Chapter{
		{
			Title:   "Toys",
			Part:    "Toys",
			Symbols: []terms.Symbol{{Sign: "$b$", Letters: "b"}, {Sign: "$c$", Letters: "c"}},
		},
	}
	pages := map[string][]byte{
		"toy": []byte(`<math display="block"><mi>b</mi><mi>min</mi><mi>z</mi></math><math><mi>y</mi></math>`),
	}
	got := missingSymbols(table, pages, func(string) string { return "Toys" })
	want := []string{"toy has the letter z in a formula: add it to _letters.md", `no formula of "Toys" has $c$`}
	if !slices.Equal(got, want) {
		t.Errorf("found %q, not %q", got, want)
	}
}

// TestGlossaryLinks checks that the spellings of each word of the glossary link to the word's row, only on the pages of
// the word's game.
func TestGlossaryLinks(t *testing.T) {
	links := regexp.MustCompile(`<a class="term" href="glossary\.html#([^"]*)">`)
	linked := map[string][]string{}
	for path, data := range wholeReport(t) {
		slug, isPage := strings.CutSuffix(path, ".html")
		for _, m := range links.FindAllSubmatch(data, -1) {
			if anchor := string(m[1]); !isPage || slices.Contains(linked[anchor], slug) {
				t.Errorf("%s has two links to %s", path, anchor)
			} else {
				linked[anchor] = append(linked[anchor], slug)
			}
		}
	}
	for _, term := range terms.Glossary() {
		pages := linked[site.Slug(term.Name)]
		if (len(pages) > 0) != (len(term.Uses) > 0) {
			t.Errorf("%q has the spellings %q, and %d pages lead to it: %q", term.Name, term.Uses, len(pages), pages)
		}
		game := gameOf(strings.Split(term.Where, "#")[0])
		for _, slug := range pages {
			if game != "" && gameOf(slug) != game {
				t.Errorf("%s, a page on %q, leads to the word %q of %q", slug, gameOf(slug), term.Name, game)
			}
		}
	}
	for _, anchor := range []string{"wave", "hunt", "round", "killer"} {
		if len(linked[anchor]) < 3 {
			t.Errorf("%q is a link on %q only", anchor, linked[anchor])
		}
	}
}

// TestNewParameters checks that the parameters of a new chapter are in the stamp, in the recipe that is read from the
// stamp, on the page About, in the cache's key and in the messages. The test only adds the chapter to the book.
func TestNewParameters(t *testing.T) {
	changed, made := counted(siegebook)
	changed.Games = append(slices.Clone(changed.Games), booktest.Toy)
	changed.Pages = append(slices.Clone(changed.Pages), book.Page{
		Slug: "toy-rules", File: "rules.md", Text: booktest.ToyRules,
		Fill: func(c *book.Contents, p *site.Page) error { return booktest.FillToy(c.Options.Settings, p) },
	})
	build := func(t *testing.T, o book.Options) site.Tree {
		t.Helper()
		tree, err := book.Build(t.Context(), changed, o)
		must.Do(t, err)
		return tree
	}
	o := book.Options{
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
	recipe, err := changed.ReadRecipe([]byte(page))
	if err != nil || recipe.Settings["blocks"] != "5" || recipe.Settings["marbles"] != "40" ||
		recipe.Settings["grid"] != small["grid"] {
		t.Errorf("recipe %+v, %v", recipe, err)
	}
	if _, err := changed.ReadRecipe([]byte(strings.Replace(page, "<dt>marbles</dt> <dd>40</dd>", "", 1))); err == nil ||
		err.Error() != "the stamp has no value for marbles: give one such as 40 with --marbles" {
		t.Errorf("a stamp without a parameter: %v", err)
	}

	*made = 0
	o.Settings["blocks"] = "5" // another spelling of the same value
	if sameTree(t, tree, build(t, o)); *made > 0 {
		t.Error("the same settings are another report to the cache")
	}
	o.Settings["marbles"] = "41"
	if other := build(t, o); *made == 0 ||
		!strings.Contains(string(other["toy-rules.html"]), "<dt>marbles</dt> <dd>41</dd>") {
		t.Error("other settings are the same report to the cache")
	}

	for settings, want := range map[[2]string]string{
		{"blocks", "many"}: `blocks: "many" is not a number`,
		{"dolls", "1"}:     `parameter "dolls": no chapter has this parameter: use algorithm, blocks, grid, marbles, survey`,
	} {
		if err := changed.Validate(book.Options{Settings: chapter.Settings{settings[0]: settings[1]}}); err == nil ||
			err.Error() != want {
			t.Errorf("%q: %v, want %s", settings, err, want)
		}
	}
}

// TestParameters checks that no two parameters have the same name, no parameter has the name of another field in the
// stamp, and defaults are in normal form.
func TestParameters(t *testing.T) {
	taken := map[string]bool{}
	for _, field := range must.Get(site.ReadStamp(build(t, book.Options{Settings: small, Kernel: "k"})["index.html"])) {
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

// TestFileOfAPage checks that a report must include the page that keeps a file, because otherwise nobody could check
// the report.
func TestFileOfAPage(t *testing.T) {
	const made = `{"soldiers":"1:2","castle_hits":"1:2","defenders_per_wave":"1:2","battles":8,"winnable":1,"by_min_waves":{"1":1},` +
		`"algorithms":[],"checksum":"0000000000000000"}`
	o := book.Options{Settings: chapter.Settings{"survey": made}}
	for only, want := range map[string]string{
		"castle-agreement": "survey: the report publishes its file with the page castle-compared, which is not among " +
			"the chapters castle-agreement: add that page, or leave the survey out",
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
