package explore

import (
	"fmt"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/siegebook/siegebook/internal/must"
	_ "github.com/siegebook/siegebook/internal/rapidseed"
	"github.com/siegebook/siegebook/report/explore/module"
	"github.com/siegebook/siegebook/report/pictures"
	"modernc.org/quickjs"
	"pgregory.net/rapid"
)

// samples contains the explorables of a book: one with fields, and one with an editor.
var samples = Set{
	Heights: ".explorable { --h240: 100; }\n",
	Modules: []Module{
		{
			Name: "engine", Program: "engine",
			Module: module.Module{Pictures: []pictures.Picture{{Name: "slope"}, {Name: "curve"}}},
		},
		{
			Name: "programs", Program: "programs", Module: module.Module{
				Pictures: []pictures.Picture{{Name: "own"}},
				Examples: map[string][]module.Example{"own": {{Title: "First", Text: "def first():\n    return 1\n"}}},
				Tokens:   &module.Tokens{Pattern: `(def)`, Classes: []string{"tok-keyword"}, Most: 100},
			},
		},
	},
}

// TestKinds checks that each picture has a kind of explorable, and that each style sheet belongs to a script.
func TestKinds(t *testing.T) {
	if kinds := samples.Kinds(); !slices.Equal(kinds, []string{"curve", "own", "slope"}) {
		t.Errorf("the kinds are %q", kinds)
	}
	for _, file := range files("*.css") {
		if script := strings.TrimSuffix(file, ".css") + ".js"; !slices.Contains(files("*.js"), script) {
			t.Errorf("%s: no script has its name", file)
		}
	}
}

// parse returns the syntax error of a script, or nil.
func parse(t *testing.T, script string) error {
	t.Helper()
	vm, err := quickjs.NewVM()
	must.Do(t, err)
	defer vm.Close()
	_, err = vm.Compile(script, quickjs.EvalGlobal)
	return err
}

func TestScriptParses(t *testing.T) {
	for what, script := range map[string]string{
		"the page's": samples.Script(), "that of no explorables": Set{}.Script(),
		"the notebook's": samples.ForCell([]byte("engine")).Script,
		"the worker's":   thread("worker.js"), "that of live pages": thread("live/worker.js"),
	} {
		if err := parse(t, script); err != nil {
			t.Errorf("%s script: %v", what, err)
		}
		// On a page, each of these would end the script too early, or hide its end.
		if tag := regexp.MustCompile(`(?i)</?script|<!--|-->|\]\]>`).FindString(script); tag != "" {
			t.Errorf("%s script has %s in it", what, tag)
		}
	}
	for _, broken := range []string{
		"const a = ;", strings.TrimSuffix(samples.Script(), "})();\n"),
		strings.Replace(samples.Script(), "const make =", "const make = 1, make =", 1),
	} {
		if parse(t, broken) == nil {
			t.Errorf("nothing is found in a broken script of %d bytes", len(broken))
		}
	}
}

// TestWeight checks that the scripts stay short and readable.
func TestWeight(t *testing.T) {
	const mostLines, mostLive, mostColumns = 1880, 1245, 120
	all, live := 0, 0
	for _, file := range slices.Concat(files("*.js"), liveFiles("*.js")) {
		lines := strings.Split(strings.TrimSuffix(read(file), "\n"), "\n")
		if strings.HasPrefix(file, "live/") {
			live += len(lines)
		} else {
			all += len(lines)
		}
		for i, line := range lines {
			if n := utf8.RuneCountInString(strings.ReplaceAll(line, "\t", "    ")); n > mostColumns {
				t.Errorf("%s:%d: %d columns, at most %d", file, i+1, n, mostColumns)
			}
		}
	}
	if all > mostLines || all < 500 {
		t.Errorf("%d lines, at most %d: what a picture paints and says belongs to Go", all, mostLines)
	}
	if live > mostLive || live < 500 {
		t.Errorf("%d lines for live pages, at most %d: what can be Go belongs to its generator", live, mostLive)
	}
}

// liveFiles returns the names of the files for live pages that match a pattern.
func liveFiles(pattern string) []string {
	names := files("live/" + pattern)
	for i := range names {
		names[i] = "live/" + names[i]
	}
	return names
}

// literals matches string literals in a script.
var literals = regexp.MustCompile("\"[^\"]*\"|`[^`]*`|'[^']*'")

// games matches words about games.
var games = regexp.MustCompile(`(?i)\b(?:waves?|hits?|ships?|decks?|fleets?|` +
	`shots?|shoots?|battles?|arm(?:y|ies)|win(?:s|ner)?|los(?:es|t)|siege)\b`)

// paints matches code that draws: colours, lines, hatching, ticks and colour scales.
var paints = regexp.MustCompile(`#[0-9a-fA-F]{3,8}\b|\brgba?\(|\bhsla?\(|(?i)viridis|hatch|\bticks?\b|colou?r|\bstroke(?:Style|Rect|Text)?\(|` +
	`fillStyle|fillRect|fillText|lineTo|moveTo|createElementNS`)

// TestScriptsKnowNoGame checks that the scripts contain no drawing code and no words about games, because these come
// from Go.
func TestScriptsKnowNoGame(t *testing.T) {
	for _, file := range slices.Concat(files("*.js"), liveFiles("*.js")) {
		for i, line := range strings.Split(read(file), "\n") {
			code, _, _ := strings.Cut(line, "//") // a comment may give an example
			said := strings.Join(literals.FindAllString(code, -1), " ")
			found := games.FindString(said) + paints.FindString(strings.ReplaceAll(code, "prefers-color-scheme", ""))
			if found != "" {
				t.Errorf("%s:%d has %q: %s", file, i+1, found, strings.TrimSpace(line))
			}
		}
	}
	for _, bad := range []string{`say("the army wins")`, `draw("#d55e00")`, "c.lineTo(1, 2)"} {
		if !games.MatchString(bad) && !paints.MatchString(bad) {
			t.Errorf("nothing is found in %s", bad)
		}
	}
}

// TestPolicy checks that the scripts never turn text into markup, and never load anything from outside the page.
// Readers see only the words of a Refused. The message of any other error is for the console, so only worker.js, which
// shows readers nothing, reads messages.
func TestPolicy(t *testing.T) {
	for _, bad := range []*regexp.Regexp{
		regexp.MustCompile(`\b(innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function|fetch\(|XMLHttpRequest|WebSocket|sendBeacon|localStorage|sessionStorage|indexedDB|import\()`),
		regexp.MustCompile(`(?i)https?://[^"\s]*|\burl\(|@import`), regexp.MustCompile(`\.message\b`),
	} {
		for _, file := range slices.Concat(files("*.js"), files("*.css"), liveFiles("*")) {
			if found := bad.FindString(read(file)); found != "" && found+path.Base(file) != ".messageworker.js" {
				t.Errorf("%s has %s", file, found)
			}
		}
	}
}

var (
	used     = regexp.MustCompile(`var\((--[a-z0-9-]+)`)
	property = regexp.MustCompile(`(--[a-z0-9-]+):\s*([^;]+);`)
	recorded = regexp.MustCompile(`^--h\d+$`) // defined in Set.Heights
	setting  = regexp.MustCompile(`(?:setProperty\("|[{;\s]|")(--[a-z0-9-]+)["':]`)
)

// values returns the custom properties of a style sheet, with the first value of each.
func values(sheet string) map[string]string {
	all := map[string]string{}
	for _, match := range property.FindAllStringSubmatch(sheet, -1) {
		if _, ok := all[match[1]]; !ok {
			all[match[1]] = match[2]
		}
	}
	return all
}

// TestCellStyle checks that the custom properties that explorables take from a page's style sheet have the same values
// in a notebook.
func TestCellStyle(t *testing.T) {
	sheet := must.Get(os.ReadFile(path.Join("..", "..", "internal", "report", "site", "layout", "style.css")))
	page, cell := values(string(sheet)), values(read("cell.css"))
	if len(page) < 10 || page["--ink"] == "" {
		t.Fatalf("the page's style has %q: the test shows nothing", page)
	}
	for name, value := range cell {
		if page[name] != value {
			t.Errorf("cell.css: %s is %s, on a page %s", name, value, page[name])
		}
	}
	own := map[string]bool{}
	for _, file := range slices.Concat(files("*.js"), files("*.css")) {
		for _, match := range setting.FindAllStringSubmatch(read(file), -1) {
			own[match[1]] = true
		}
	}
	for _, file := range slices.Concat(files("*.js"), files("*.css")) {
		for _, match := range used.FindAllStringSubmatch(read(file), -1) {
			switch {
			case own[match[1]], recorded.MatchString(match[1]):
			case page[match[1]] == "":
				t.Errorf("%s uses %s, which neither it nor the page has", file, match[1])
			case cell[match[1]] == "":
				t.Errorf("%s uses %s, which is not in cell.css: add it", file, match[1])
			}
		}
	}
}

// TestPlain checks that in a notebook, lengths do not depend on the page's root element, and colours do not depend on
// the reader's system.
func TestPlain(t *testing.T) {
	if got, want := plain("a { margin: .5rem 10rem; } @media screen and (prefers-color-scheme: dark) { .remember {} }"),
		"a { margin: .5em 10em; } @media screen and not all { .remember {} }"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	script := samples.ForCell(nil).Script
	for _, bad := range []string{"prefers-color-scheme: dark", "location.hash", "localStorage"} {
		if strings.Contains(script, bad) {
			t.Errorf("the notebook's script has %q", bad)
		}
	}
	if a, b := samples.ForCell([]byte("a")), samples.ForCell([]byte("b")); a.Name == b.Name ||
		a.Name != samples.ForCell([]byte("a")).Name {
		t.Errorf("two engines have the names %s and %s", a.Name, b.Name)
	}
}

// TestText checks that the script decodes the text of an engine to the engine's bytes, and that the text is safe
// anywhere on a page.
func TestText(t *testing.T) {
	vm, err := quickjs.NewVM()
	must.Do(t, err)
	defer vm.Close()
	_, reader, _ := strings.Cut(read("kit.js"), "const fromText = ")
	reader, _, _ = strings.Cut(reader, "\n};\n")
	must.Get(vm.Eval("globalThis.fromText = "+reader+"\n};", quickjs.EvalGlobal))
	rapid.Check(t, func(t *rapid.T) {
		data := rapid.SliceOf(rapid.ByteRange(0, 255)).Draw(t, "data")
		if rapid.Bool().Draw(t, "with zeros") {
			data = append(data, 0, 0, 0, 0, 0, 0, 0, 0, 0)
		}
		text := Text(data)
		if strings.ContainsAny(text, "\"&<>\\") {
			t.Fatalf("%q", text)
		}
		got, err := vm.Eval(`[...fromText("`+text+`")].join()`, quickjs.EvalGlobal)
		want := strings.Trim(strings.Join(strings.Fields(fmt.Sprint(data)), ","), "[]")
		if err != nil || got != want {
			t.Fatalf("%v, %v, want %s", got, err, want)
		}
	})
}

// TestLiveScripts checks that only books with live pages have the scripts and the style for live pages, that the parts
// that live pages load together contain all bytes, and that each part is small enough for a script.
func TestLiveScripts(t *testing.T) {
	live := samples
	data := make([]byte, mostPart+10)
	for i := range data {
		data[i] = byte(i % 251)
	}
	live.Live = &Live{Pieces: []Piece{{"a", mostPart}, {"b", 10}}, Bytes: data}
	for _, with := range []struct {
		set  Set
		want bool
	}{{samples, false}, {live, true}} {
		for _, text := range []string{with.set.Script(), with.set.Style()} {
			if got := strings.Contains(text, "live-"); got != with.want {
				t.Errorf("it is %v that the text has something of live pages", got)
			}
		}
	}
	before, after, _ := strings.Cut(live.Script(), live.Live.lines())
	_, after, _ = strings.Cut(after, read("live/notebook.js"))
	if !strings.HasPrefix(samples.Script(), before) || !strings.HasSuffix(samples.Script(), after) {
		t.Error("the rest of the script differs from that of other books")
	}
	parts := live.Live.Parts()
	if len(parts) != 2 || len(parts[0]) > 5_010_000 || parts[1] != Text(data[mostPart:]) {
		t.Errorf("%d parts, the first of %d letters", len(parts), len(parts[0]))
	}
	if !strings.Contains(License(), "Redistribution and use") {
		t.Error("the parts have no licence")
	}
}
