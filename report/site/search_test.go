package site

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/internal/sanitize"
	"modernc.org/quickjs"
	"pgregory.net/rapid"
)

// unpackedIndex returns a page with its index, if it has one, as the JSON that it is.
func unpackedIndex(t *testing.T, page []byte) (all, index []byte) {
	t.Helper()
	before, rest, _ := bytes.Cut(page, []byte(`<script type="text/plain" id="search-index">`))
	packed, after, found := bytes.Cut(rest, []byte("</script>"))
	if !found {
		return page, nil
	}
	index = unsqueezed(t, packed)
	return slices.Concat(before, index, after), index
}

// readIndex returns the index of a page that searches.
func readIndex(t *testing.T, page []byte) searchIndex {
	t.Helper()
	_, data := unpackedIndex(t, page)
	if data == nil {
		t.Fatal("the page has no index")
	}
	var index searchIndex
	must.Do(t, json.Unmarshal(data, &index))
	return index
}

func TestSearchIndex(t *testing.T) {
	s := onePage(
		"Before **all** headings$x^2$.\n\n## Über *alles* {#over}\n\n- one\n- two[^n]\n\n```go\nfunc f() " +
			"{}\n```\n\n### $F_n$ </script>\n\n{{ figure \"f\" \"a caption\" }}\n\n" +
			"{{ table \"t\" \"a title\" }}\n\n[^n]: A note.\n",
	)
	s.Pages[1].Source = strings.ReplaceAll(s.Pages[1].Source, "</script>", "&lt;/script>")
	s.Pages[1].Figures, s.Pages[1].Tables = []content.Figure{smallFigure("f")}, []content.Table{smallTable("t")}
	s.Pages[1].Tables[0].Header[0] = content.Text("long_name") // which may wrap, and is one word
	tree := treeOf(t, s)
	single := singleOf(t, s)
	for name, index := range map[string]searchIndex{
		"search.html": readIndex(t, tree["search.html"]),
		"single":      readIndex(t, single),
	} {
		address := func(anchor string) string {
			switch {
			case name == "single" && anchor == "":
				return "#a--top"
			case name == "single":
				return "#a--" + anchor
			case anchor == "":
				return "a.html"
			}
			return "a.html#" + anchor
		}
		var got []string
		for _, section := range index.Sections {
			if section[0] == 1. {
				got = append(got, fmt.Sprintf("%s | %s | %s", section[1], section[2], section[3]))
			}
		}
		want := []string{
			"1 A | " + address("") + " | Before all headingsx2.",
			"1.1 Über alles | " + address("over") + " | one two A note. func f() {}",
			"1.1.1 Fn </script> | " + address("f-n-script") + " | Figure 1.1 a caption Table 1.1 a title long_name 1",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if !slices.Equal(index.Pages, []string{"Front", "A", "B"}) {
			t.Errorf("%s: pages %q", name, index.Pages)
		}
	}
}

// TestPolicies: a page says what it may load before it loads anything, and only one that searches runs its one script.
func TestPolicies(t *testing.T) {
	tree := renderSample(t, Options{Cache: testCache})
	single := singleOf(t, sampleSite(t))
	tree["single.html"] = single
	rule := regexp.MustCompile(`<meta http-equiv="Content-Security-Policy" content="([^"]*)" />`)
	pages := 0
	for name, data := range tree {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		pages++
		found := rule.FindAllSubmatchIndex(data, -1)
		if len(found) != 1 {
			t.Errorf("%s has %d policies", name, len(found))
			continue
		}
		if before := data[:found[0][0]]; bytes.Contains(before, []byte("href")) ||
			bytes.Contains(before, []byte("src")) {
			t.Errorf("%s loads something before its policy: %s", name, before)
		}
		policy := html.UnescapeString(string(data[found[0][2]:found[0][3]]))
		for _, want := range []string{"default-src 'none'", "base-uri 'none'", "form-action 'none'"} {
			if !slices.Contains(strings.Split(policy, "; "), want) {
				t.Errorf("%s has the policy %q, want %q in it", name, policy, want)
			}
		}
		if strings.Contains(policy, "unsafe") || strings.Contains(policy, "*") || strings.Contains(policy, "http") {
			t.Errorf("%s has the policy %q", name, policy)
		}
		searches := name == "search.html" || name == "single.html"
		if got := strings.Contains(policy, "script-src"); got != searches {
			t.Errorf("%s: its policy admits script: %v, want %v", name, got, searches)
		}
		scripts := bytes.Count(data, []byte("<script>"))
		if searches &&
			(scripts != 1 || !strings.Contains(policy, "'"+sourceHash(searchScript)+"'") ||
				!bytes.Contains(data, []byte("<script>"+searchScript+"</script>"))) ||
			!searches && bytes.Contains(data, []byte("<script")) {
			t.Errorf("%s holds %d scripts, policy %q", name, scripts, policy)
		}
	}
	if pages != 5 {
		t.Errorf("%d pages", pages)
	}
}

// TestReadingTime: each kind of thing takes its time, and what is folded away takes none.
func TestReadingTime(t *testing.T) {
	words := strings.Repeat("word ", 200)
	for body, want := range map[string]float64{
		"":                     0,
		"<p>" + words + "</p>": 60,
		"<p>" + words + "<math><mi>n</mi></math>, " + words +
			"</p>": 120 + perSign + perWord,
		`<div class="math"><math display="block"><mi>n</mi><mo>=</mo></math></div>`: perFormula,
		`<figure><div class="picture"><img alt="x" /></div><figcaption>` + words +
			`</figcaption></figure>`: 60 + perFigure,
		`<table><tr><td>` + words + `</td></tr></table>`: perTable,
		"<pre><code>a <span>b</span>\nc\n</code></pre><p>" + words +
			"</p>": 60 + 2*perCode,
		"<details><summary>" + words + "</summary><pre>a\nb\n</pre></details><p>" + words +
			"</p>": 120,
		`<div class="data"><a>Data</a><details><table><tr><td>` + words + `</td></tr></table></details></div>`: 0,
		`<p class="cell-label"><a>[1]</a></p><ul class="legend"><li>` + words + `<br /></li></ul><p>` + words[:5] +
			`</p>`: perWord,
	} {
		if got := readingTime(body); got < want-0.01 || got > want+0.01 {
			t.Errorf("%.70q takes %g s, not %g", body, got, want)
		}
	}
	for count, want := range map[int]int{1: 1, 290: 1, 310: 2, 4000: 20, 4200: 20, 4600: 25} {
		if got := minutes("<p>" + strings.Repeat("word ", count) + "</p>"); got != want {
			t.Errorf("%d words take %d minutes, not %d", count, got, want)
		}
	}
}

// exploredSite has a page "a" with an explorable figure, and a page "n" with a body, which has one too and outputs of
// others beside it.
func exploredSite() Site {
	s := onePage("{{ figure \"f\" \"x\" }}\n\n[n](n.html#the-hunt)\n")
	figure := smallFigure("f").Explored("castle-map", "n=19&s=50")
	s.Pages[1].Figures = []content.Figure{figure}
	forged, _, err := sanitize.HTML(`<div class="explorable" data-kind="castle-map" data-start="n=1">forged</div>`,
		func() string { return "Table" })
	if err != nil {
		panic(err) // it is HTML
	}
	s.Pages = append(s.Pages, Page{
		Slug: "n", Title: "Notebook", File: "nb/n.ipynb",
		Body: []content.Block{forged, cellOf("z", "## The Hunt"), &figure},
	})
	s.Explorer = &Explorer{
		Script: `if (1 < 2 && "a") start();` + "\n",
		Style:  ".x-row { color: red }",
		Engines: []Engine{
			{Name: "engine", Text: engineText},
			{Name: "other", Kinds: []string{"castle-own"}, Text: "another+engine"},
		},
	}
	return s
}

// engineText is the engine of exploredSite.
const engineText = "the+engine"

var (
	policyOfPage = regexp.MustCompile(`http-equiv="Content-Security-Policy" content="([^"]*)"`)
	hostOfPage   = regexp.MustCompile(`<div class="explorable"[^>]*>`)
)

// policyIn is the policy of a page.
func policyIn(t *testing.T, page []byte) string {
	t.Helper()
	all := policyOfPage.FindAllSubmatch(page, -1)
	if len(all) != 1 {
		t.Fatalf("%d policies", len(all))
	}
	return html.UnescapeString(string(all[0][1]))
}

// TestExplorer: a page runs scripts where it has something to explore and nothing of others, and nowhere else.
func TestExplorer(t *testing.T) {
	const drawn = `default-src 'none'; img-src 'self' data:; font-src data:; style-src 'self'; base-uri 'none'; ` +
		`form-action 'none'`
	const explored = drawn + `; script-src 'self' 'wasm-unsafe-eval'; worker-src blob:; require-trusted-types-for ` +
		`'script'; trusted-types siegebook`
	tree := treeOf(t, exploredSite())
	for name, want := range map[string]struct {
		policy         string
		scripts, hosts int
	}{"index.html": {drawn, 0, 0}, "a.html": {explored, 2, 1}, "b.html": {drawn, 0, 0}, "n.html": {drawn, 0, 0}} {
		page := tree[name]
		if want.scripts == 0 {
			readDocument(t, name, page) // which finds scripts, too
		}
		if got := policyIn(t, page); got != want.policy {
			t.Errorf("%s: the policy is\n%s, want\n%s", name, got, want.policy)
		}
		if scripts, hosts := bytes.Count(page,
			[]byte("<script")), len(hostOfPage.FindAll(page, -1)); scripts != want.scripts ||
			hosts != want.hosts {
			t.Errorf(
				"%s: %d scripts and %d explorables, want %d and %d", name, scripts, hosts, want.scripts, want.hosts,
			)
		}
	}
	if got := string(hostOfPage.Find(tree["a.html"])); got != `<div class="explorable" data-kind="castle-map" `+
		`data-start="n=19&amp;s=50">` {
		t.Errorf("the explorable begins with %s", got)
	}
	if got, want := string(tree["engine.js"]), `siegebook.start("`+engineText+`", "engine");`+"\n"; got != want {
		t.Errorf("engine.js is %q, want %q", got, want)
	}
	if string(tree["explore.js"]) != exploredSite().Explorer.Script ||
		!bytes.Contains(tree["explore.css"], []byte(".x-row")) {
		t.Error("the script or the style of the explorables is not there")
	}
}

// TestExplorerSingle: the edition in one file has the engine once, and runs no script but those that it names.
func TestExplorerSingle(t *testing.T) {
	page := singleOf(t, exploredSite())
	readDocument(t, "single", page)
	if engines := bytes.Count(page, []byte(engineText)); engines != 1 {
		t.Errorf("the engine is there %d times", engines)
	}
	if hosts := hostOfPage.FindAllString(string(page), -1); len(hosts) != 1 {
		t.Errorf("%d explorables: %q", len(hosts), hosts)
	}
	policy := policyIn(t, page)
	_, scripts, _ := strings.Cut(policy, "; script-src ")
	want := "'" + sourceHash(searchScript) + "' '" + sourceHash(
		inXML(exploredSite().Explorer.Script),
	) + "' 'wasm-unsafe-eval'; worker-src blob:; require-trusted-types-for 'script'; trusted-types siegebook"
	if scripts != want {
		t.Errorf("the policy is\n%s, want for scripts\n%s", policy, want)
	}
}

// TestElsewhere: where a figure is explorable and its page may run no script, a link leads to a page that may, with the
// figure's own values. The first explorable of a page is addressed without the name of its figure, which the edition of
// one file needs.
func TestElsewhere(t *testing.T) {
	s := exploredSite()
	second := smallFigure("g").Explored("castle-play", "n=1")
	s.Pages[1].Source += "\n{{ figure \"g\" \"y\" }}\n"
	s.Pages[1].Figures = append(s.Pages[1].Figures, second)
	n := &s.Pages[len(s.Pages)-1]
	other, alone := smallFigure("h").Explored("castle-play", "n=7&moves=0,8"),
		smallFigure("i").Explored("tower-map", "n=3")
	moved := n.Body[len(n.Body)-1].(*content.Figure).Explored("castle-map", "n=24")
	n.Body = append(n.Body[:len(n.Body)-1], &moved, &other, &alone)
	links := func(page []byte) (found []string) {
		for _, m := range elsewhere.FindAllSubmatch(page, -1) {
			found = append(found, html.UnescapeString(string(m[1])))
		}
		return found
	}
	tree := treeOf(t, s)
	title := s.Pages[1].Title
	want := []string{
		`a.html#n=24">Move it in the report: ` + title, `a.html#fig-g:n=7&moves=0,8">Move it in the report: ` + title,
	}
	if got := links(tree["n.html"]); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := links(tree["a.html"]); len(got) > 0 {
		t.Errorf("the page that can be explored has %q", got)
	}
	single := singleOf(t, s)
	want = []string{
		`#a--fig-f:n=24">Move it in the report: ` + title, `#a--fig-g:n=7&moves=0,8">Move it in the report: ` + title,
	}
	if got := links(single); !slices.Equal(got, want) {
		t.Errorf("one file: %q, want %q", got, want)
	}
	s.Explorer = nil
	if got := links(treeOf(t, s)["n.html"]); len(got) > 0 {
		t.Errorf("without an explorer: %q", got)
	}
}

var elsewhere = regexp.MustCompile(`<p class="elsewhere"><a href="([^<]*)</a>`)

// unsqueezed returns the text of which [squeezed] makes a number. The mixer is that of squeezed, the arithmetic
// another: of integers that know no width.
func unsqueezed(t rapid.TB, coded []byte) []byte {
	const signs = "!\"#$%'()*+,-./0123456789:;=?" +
		"@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~"
	number, width, digits := big.NewInt(0), big.NewInt(1), coded
	base, least := big.NewInt(91), new(big.Int).Exp(big.NewInt(91), big.NewInt(5), nil)
	var text []byte
	for m := newMixer(); ; {
		b := 0
		for range 8 {
			for ; width.Cmp(least) < 0; width.Mul(width, base) {
				digit := 0
				if len(digits) > 0 {
					if digit = strings.IndexByte(signs, digits[0]); digit == -1 {
						t.Fatalf("the text has the character %q", digits[0])
					}
					digits = digits[1:]
				}
				number.Add(number.Mul(number, base), big.NewInt(int64(digit)))
			}
			part := new(big.Int).Rsh(width, 16)
			part.Mul(part, big.NewInt(int64(m.chance())))
			bit := 0
			if number.Cmp(part) < 0 {
				bit, width = 1, part
			} else {
				number.Sub(number, part)
				width = new(big.Int).Sub(width, part)
			}
			m.learn(bit)
			b = 2*b + bit
		}
		if b == 0 {
			if len(digits) > 0 {
				t.Fatalf("%d digits stand behind the end", len(digits))
			}
			return text
		}
		if text = append(text, byte(b)); len(text) > 1<<24 {
			t.Fatal("the text does not end")
		}
	}
}

// page gives search.js a document with an index. The script reads the index, and this keeps what it reads.
const page = `var got = null;
globalThis.document = {getElementById: (id) => ({textContent: globalThis.coded, setAttribute: () => {}})};
globalThis.setTimeout = (go) => go();
globalThis.TextDecoder = class { decode(bytes) { return Array.from(bytes).join(); } };
JSON.parse = (text) => { got = text; throw new Error("read"); };`

// readByScript returns the bytes that search.js reads out of a number, in decimals with commas.
func readByScript(t rapid.TB, coded string) string {
	vm, err := quickjs.NewVM()
	must.Do(t, err)
	defer vm.Close()
	text, _ := json.Marshal(coded)
	for _, script := range []string{page, "globalThis.coded = " + string(text), searchScript} {
		must.Get(vm.Eval(script, quickjs.EvalGlobal))
	}
	got, err := vm.Eval("got", quickjs.EvalGlobal)
	must.Do(t, err)
	return fmt.Sprint(got)
}

// TestSqueezed: a text comes back from its number, by the mixer and by the script, which has the model once more.
func TestSqueezed(t *testing.T) {
	var long strings.Builder
	for i := range 1200 { // what comes again, far apart, beside what is new
		fmt.Fprintf(&long, "battle %d of (19, 50, %d), ½ “won”; ", i*i*i%7919, i%40)
	}
	for _, text := range []string{"", "a", strings.Repeat("ab", 600), "\x01\xff\xfe\u00e9", long.String()} {
		coded := squeezed([]byte(text))
		if got := string(unsqueezed(t, []byte(coded))); got != text {
			t.Fatalf("%.80q comes back as %.80q", text, got)
		}
		if len(text) > 8000 {
			text = text[:8000]
			coded = squeezed([]byte(text))
		}
		if got := readByScript(t, coded); got != decimals(text) {
			t.Fatalf("the script reads %.80q as %.80s", text, got)
		}
	}
	if all := long.String(); len(squeezed([]byte(all))) > len(all)/5 {
		t.Errorf("%d bytes take %d characters", len(all), len(squeezed([]byte(all))))
	}
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.OneOf(rapid.String(), rapid.StringMatching(`[a-c]{1,2}[ .\n]?`))
		words := strings.Join(rapid.SliceOfN(word, 0, 40).Draw(t, "words"), " ")
		text := []byte(strings.ReplaceAll(words, "\x00", ""))
		coded := squeezed(text)
		if got := unsqueezed(t, []byte(coded)); !bytes.Equal(got, text) {
			t.Fatalf("%q comes back as %q", text, got)
		}
	})
}

func decimals(text string) string {
	var list []string
	for _, b := range []byte(text) {
		list = append(list, fmt.Sprint(b))
	}
	return strings.Join(list, ",")
}

// previewedSite has links to a formula, a theorem, a figure and a folded answer of another page, and a page with markup
// of others.
func previewedSite() Site {
	foreign, _, err := sanitize.HTML("<b>others</b>", func() string { return "Table" })
	if err != nil {
		panic(err) // it is HTML
	}
	return Site{Title: "S", Previews: true, Pages: []Page{
		{Slug: "index", Title: "S", Source: "See {{ ref \"eq:a/border\" }}, {{ ref \"sec:a/hunt\" }}, " +
			"{{ ref \"fig:b/map\" }}, {{ ref \"eq:a/secret\" }} and {{ ref \"sec:index/here\" }}.\n\n" +
			"## Here {#here}\n\nText."},
		{Slug: "a", Title: "A", Source: "## The hunt {#hunt}\n\nWho wins? See {{ ref \"sec:index/here\" }}, and\n\n" +
			"$$ s = n \\label{eq:border} $$\n\nMore.\n\n> [!QUESTION]- Bet\n> $$ 1 = 1 \\label{eq:secret} $$\n"},
		{
			Slug: "b", Title: "B", Source: "{{ figure \"map\" \"The map\" }}",
			Figures: []content.Figure{smallFigure("map")},
		},
		{Slug: "n", Title: "N", Body: []content.Block{foreign, cellOf("z", "See [the hunt](a.html#hunt).")}},
	}}
}

// previewParts are what the script of a site has of other pages.
func previewParts(t *testing.T, tree Tree) map[string]string {
	t.Helper()
	script := string(tree[previewName])
	_, rest, _ := strings.Cut(script, "\n})(\"")
	data, err := base64.StdEncoding.DecodeString(strings.TrimSuffix(rest, "\");\n"))
	must.Do(t, err)
	r := must.Get(gzip.NewReader(bytes.NewReader(data)))
	text := must.Get(io.ReadAll(r))
	var parts map[string]json.RawMessage
	must.Do(t, json.Unmarshal(text, &parts))
	texts := map[string]string{}
	for address, part := range parts {
		texts[address] = string(part)
	}
	return texts
}

// TestPreviews: the previews have what links of other pages lead to, and no more: no folded answer, no id, no link. No
// page loads the script beside markup of others, and none loads it in a site without previews.
func TestPreviews(t *testing.T) {
	s := previewedSite()
	tree := treeOf(t, s)
	parts := previewParts(t, tree)
	if got := strings.Join(slices.Sorted(maps.Keys(parts)), " "); got != "a.html#eq-border a.html#hunt b.html#fig-map "+
		"index.html#here" {
		t.Errorf("there are previews of %s", got)
	}
	hunt := parts["a.html#hunt"]
	if !strings.Contains(hunt, "Who wins?") || !strings.Contains(hunt, "math") || strings.Contains(hunt, "More") {
		t.Errorf("the section is %s", hunt)
	}
	if !strings.Contains(parts["b.html#fig-map"], `"src":"assets/b/fig-map.svg"`) {
		t.Errorf("the figure is %s", parts["b.html#fig-map"])
	}
	for address, part := range parts {
		if strings.Contains(part, `"id"`) || strings.Contains(part, `"href"`) {
			t.Errorf("%s has ids or links: %s", address, part)
		}
	}
	const quiet = "; script-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'"
	s.Previews = false
	without := treeOf(t, s)
	for _, p := range s.Pages {
		name, want := p.Slug+".html", 1
		if p.Slug == "n" {
			want = 0
		}
		if got := bytes.Count(tree[name], []byte(`<script src="previews.js"></script>`)); got != want ||
			bytes.Count(tree[name], []byte("<script")) != want ||
			strings.HasSuffix(policyIn(t, tree[name]), quiet) != (want == 1) {
			t.Errorf("%s has %d scripts, policy %s", name, got, policyIn(t, tree[name]))
		}
		if bytes.Contains(without[name], []byte("<script")) {
			t.Errorf("%s has a script in a site without previews", name)
		}
	}
	if without[previewName] != nil {
		t.Error("a site without previews has their script")
	}
}

// TestPreviewsSingle: an edition of one file has the script without what it has itself, and its policy names it.
func TestPreviewsSingle(t *testing.T) {
	page := singleOf(t, previewedSite())
	script := inXML(previewCall(""))
	if bytes.Count(page, []byte("<script>"+script+"</script>")) != 1 ||
		!strings.Contains(policyIn(t, page), "'"+sourceHash(script)+"'") {
		t.Errorf("the script is not there, or not admitted: %s", policyIn(t, page))
	}
	readDocument(t, "single", page)
}
