package browsertest

import (
	"bytes"
	"compress/zlib"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/input"
	"github.com/go-rod/rod/lib/proto"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/waittest"
)

//go:embed checks.js
var checksFile string

var checks = strings.TrimSpace(checksFile)

// finding is the result of a check in checks.js.
type finding struct {
	Problems []string
	Seen     int // the number of things that it has checked
	Heights  []height
}

// check runs a check of checks.js in the page that a tab shows.
func check(t *testing.T, tab *rod.Page, name string, args ...any) (found finding) {
	t.Helper()
	result, err := tab.Timeout(waittest.Patience).Eval("async (name, args) => (await ("+checks+
		")[name](...args)) ?? {}", name, append([]any{}, args...))
	if err == nil {
		err = result.Value.Unmarshal(&found)
	}
	if err != nil {
		t.Fatalf("the check %s: %.200s", name, strings.ReplaceAll(err.Error(), checks, ""))
	}
	return found
}

// visit is a page that a reader sees, with the state of its checks.
type visit struct {
	*testing.T
	tab   *rod.Page
	heard *seen
	page  string
	alone bool // the page is the report as one file
	// The heights of its explorables are estimated, not recorded. The check "still" finds a page that moves.
	guessed bool
	seen    map[string]int // the number of things that each check has checked, on all pages of the tab
	other   func() *visit  // returns a visit in a browser with other letters
}

// reportProblems reports problems under the name of the page.
func (v *visit) reportProblems(what string, problems []string) {
	v.Helper()
	for _, problem := range problems {
		// Each chapter of the report as one file has its own title.
		if !v.alone || !strings.HasSuffix(problem, "is a second one of level 1") {
			v.Errorf("%s, %s: %s", filepath.Base(v.page), what, problem)
		}
	}
}

func (v *visit) check(what, name string, args ...any) {
	v.Helper()
	found := check(v.T, v.tab, name, args...)
	v.reportProblems(what, found.Problems)
	v.seen[name] += found.Seen
}

// resize gives the window a width, and waits until the page is drawn at this width.
func (v *visit) resize(width int) {
	v.Helper()
	v.size(width)
	check(v.T, v.tab, "settled")
}

func (v *visit) size(width int) {
	v.Helper()
	must.Do(v, v.tab.SetViewport(device(width)))
}

// media sets the medium of the page, and the preferences of its reader.
func (v *visit) media(medium string, features ...*proto.EmulationMediaFeature) {
	v.Helper()
	must.Do(v, (proto.EmulationSetEmulatedMedia{Media: medium, Features: features}).Call(v.tab))
}

// stillness, night and contrast are preferences that a reader may have.
var (
	night     = &proto.EmulationMediaFeature{Name: "prefers-color-scheme", Value: "dark"}
	stillness = &proto.EmulationMediaFeature{Name: "prefers-reduced-motion", Value: "reduce"}
	contrast  = &proto.EmulationMediaFeature{Name: "forced-colors", Value: "active"}
)

// light checks a page on a screen that is light first: by keyboard, on a desktop, on telephones, with high contrast, on
// a desktop that turns dark, and on paper. axe-core checks the page on the light telephone, and the colours on the
// desktop.
func (v *visit) light(axeCore string) {
	v.Helper()
	v.media("")
	v.load("", 1280)
	below := ""
	if !v.alone {
		below = ask[string](v.T, v.tab, farBelow)
	}
	v.media("", stillness)
	v.keys()
	v.check("on a desktop", "rings", v.alone)
	v.check("on a desktop", "marks")
	v.check("on a desktop", "inspect", false)
	v.check("on a desktop", "whole")
	v.reserved(visitedWidths[2], false)
	v.resize(390)
	v.check("on a telephone", "columns")
	v.reserved(visitedWidths[1], false)
	v.narrow(axeCore)
	v.reserved(visitedWidths[0], false)
	v.media("", contrast)
	v.check("with high contrast", "scroll")
	if !v.alone {
		v.media("", night)
		v.resize(1280)
		v.check("on a desktop in the evening", "inspect", true)
		v.audit("on a desktop in the evening", axeCore, "colours")
		v.paper()
	}
	if below != "" { // one width and one set of letters are enough, because the heights are recorded for all
		v.media("")
		there, turn := v, v.seen["still"]
		if turn%2 == 1 {
			there = v.other()
			there.page, there.seen = v.page, v.seen
		}
		there.load(below, []int{1280, 390}[turn/2%2])
		v.reportProblems("#"+below, there.takeComplaints())
	}
	v.reportProblems("all the time", v.takeComplaints())
}

// farBelow returns the last place of a page that is below its first explorable and that can be scrolled to the top. It
// leaves out folded places.
const farBelow = `() => {
	const first = document.querySelector(".explorable");
	const below = first === null ? [] : [...document.querySelectorAll("main [id]")].filter((e) =>
		first.compareDocumentPosition(e) & Node.DOCUMENT_POSITION_FOLLOWING && e.matches("h2, h3, .figure-block, .table-block") && e.checkVisibility());
	const end = document.documentElement.scrollHeight - innerHeight;
	return (below.findLast((e) => e.getBoundingClientRect().top + scrollY < end) ?? below.at(-1))?.id ?? "";
}`

// load loads the page in a window of a width, at one of its places or at the top. It checks that nothing moves
// meanwhile.
func (v *visit) load(place string, width int) {
	v.Helper()
	v.size(width)
	address := fileURL(v.page)
	if place != "" {
		address += "#" + place
	}
	tab := v.tab.Timeout(waittest.Patience)
	defer tab.CancelTimeout()
	// Without about:blank, going to another place of the same page would not load it.
	for _, to := range []string{"about:blank", address} {
		must.Do(v, tab.Navigate(to))
		must.Do(v, tab.WaitLoad())
	}
	check(v.T, v.tab, "settled")
	if !v.alone {
		v.check(fmt.Sprintf("#%s, %d pixels wide", place, width), "still")
	}
}

// reserved checks the heights that are reserved for explorables with narrow or wide letters. It skips the report as one
// file, where the heights are the same as on pages.
func (v *visit) reserved(width int, narrow bool) {
	v.Helper()
	if !v.alone && !v.guessed {
		v.check("heights", "reserved", width, narrow)
	}
}

// dark checks a page on a screen that is dark from the start: on a desktop, on paper, and on a telephone. It returns
// the printed page.
func (v *visit) dark(axeCore string) printed {
	v.Helper()
	v.load("", 390)
	v.reserved(visitedWidths[1], true)
	v.resize(1280)
	v.check("on a dark desktop", "inspect", true)
	if !v.alone {
		v.audit("on a dark desktop", axeCore, "all")
	}
	paper := printPage(v.T, v.tab)
	v.reportProblems("on paper, from a dark desktop", paper.dark())
	v.resize(320)
	v.check("on a dark telephone", "inspect", true)
	v.reportProblems("in the dark", v.takeComplaints())
	return paper
}

func (v *visit) narrow(axeCore string) {
	v.Helper()
	v.resize(320)
	v.check("on a small telephone", "inspect", false)
	v.check("on a small telephone", "rings", v.alone)
	for _, name := range []string{"marks", "scroll", "calm", "spaced", "fingers"} {
		v.check("on a small telephone", name)
	}
	if v.alone { // its colours are the same as on its pages
		v.audit("on a small telephone", axeCore, "structure")
	} else {
		v.audit("on a small telephone", axeCore, "all")
	}
}

// audit runs axe-core.
func (v *visit) audit(what, axeCore, rules string) {
	v.Helper()
	a, err := axe(v.T, v.tab, axeCore, rules)
	if err != nil {
		v.Fatalf("%s: %v", filepath.Base(v.page), err)
	}
	v.reportProblems(what+", axe", a.Findings)
	v.seen["axe"] += len(a.Passed)
}

// takeComplaints returns the browser's complaints since the last call.
func (v *visit) takeComplaints() []string {
	v.Helper()
	must.Do(v, settle(v.tab.Timeout(waittest.Patience), v.heard, mark+v.page))
	return v.heard.take()
}

// keys checks that the first key press reaches the link that skips the menu, and that this link leads into the text.
func (v *visit) keys() {
	v.Helper()
	if first := press(v.T, v.tab, input.Tab); !first.Skips || !first.Seen {
		v.Errorf("%s: the first stop is %+v", filepath.Base(v.page), first)
	}
	press(v.T, v.tab, input.Enter)
	if next := press(v.T, v.tab, input.Tab); !next.Inside && !next.Body {
		v.Errorf("%s: the link over the menu leads to %+v", filepath.Base(v.page), next)
	}
}

// This is A4 without the style sheet's margins of 2 cm, in CSS pixels.
const (
	paperWidth  = 642
	paperHeight = 971
)

// paper prints the page from a dark screen.
func (v *visit) paper() {
	v.Helper()
	v.media("print", night)
	must.Do(v, v.tab.SetViewport(screen(paperWidth, paperHeight)))
	check(v.T, v.tab, "fold")
	v.check("on paper", "printed", paperWidth, paperHeight)
	for _, name := range []string{"code", "entries", "answers", "paint"} {
		v.check("on paper", name)
	}
	paper := printPage(v.T, v.tab)
	v.reportProblems("on paper", append(paper.problems, paper.dark()...))
	if paper.sheets < 1 || paper.sheets > 72 { // the longest page has all theorems
		v.Errorf("%s is printed on %d sheets", filepath.Base(v.page), paper.sheets)
	}
	v.seen["sheets"] += paper.sheets
	if got := paper.answers(); len(got) > 0 {
		v.Errorf("%s: answers are printed: %v", filepath.Base(v.page), got)
	}
	v.media("")
}

// printed is a printed page.
type printed struct {
	problems []string
	sheets   int
	colours  map[[3]int]bool // the colours of everything that is painted, except the pixels of pictures
}

// printPage prints the page in a tab on A4.
func printPage(t *testing.T, tab *rod.Page) printed {
	t.Helper()
	return printOn(t, tab, 8.27, 11.69)
}

// printOn does the same for a sheet of a size in inches. It leaves out the marks for screen readers, because they take
// half of the time.
func printOn(t *testing.T, tab *rod.Page, width, height float64) printed {
	t.Helper()
	tab = tab.Timeout(waittest.Patience)
	defer tab.CancelTimeout()
	answer, err := tab.Call(tab.GetContext(), string(tab.SessionID), "Page.printToPDF", map[string]any{
		"paperWidth": width, "paperHeight": height, "preferCSSPageSize": true, "generateTaggedPDF": false,
	})
	must.Do(t, err)
	var pdf struct{ Data []byte }
	must.Do(t, json.Unmarshal(answer, &pdf))
	all := pdfPage.FindAll(pdf.Data, -1)
	p := printed{sheets: len(all), colours: coloursIn(pdf.Data)}
	if len(all) > 1 && !bytes.Contains(all[len(all)-1], []byte("/Font")) { // a sheet without letters
		p.problems = append(p.problems, "the last sheet is empty")
	}
	return p
}

var (
	pdfPage = regexp.MustCompile(`(?s)/Type\s*/Page\b.*?endobj`)
	// With the end of the line, because a compressed stream can itself end with \r.
	pdfStream = regexp.MustCompile(`(?s)stream\r?\n(.*?\n)endstream`)
	pdfColour = regexp.MustCompile(`([0-9.]+) ([0-9.]+) ([0-9.]+) rg\b`) // the colour for the next painting
)

// answers returns the numbers of the printed answers, which the check "paint" has painted.
func (p printed) answers() map[int]bool {
	found := map[int]bool{}
	for rgb := range p.colours {
		if rgb[0] == 3 && rgb[1] == 250 {
			found[rgb[2]] = true
		}
	}
	return found
}

// dark reports the printed colours that only dark screens should have: colours of grounds, letters and grids, on pages
// and in figures. The colours of figures are the inks of report/figure. TestPages checks that they occur on a screen.
func (p printed) dark() (problems []string) {
	for _, rgb := range [][3]int{
		{0x15, 0x17, 0x1b},
		{0x1e, 0x21, 0x27},
		{0xde, 0xda, 0xd2},
		{0xa5, 0xa0, 0x97},
		{0x8f, 0xb8, 0xf2},
		darkFigure,
		{0xa3, 0xab, 0xb5},
		{0x2d, 0x32, 0x3a},
		{0x26, 0x2c, 0x35},
	} {
		if p.colours[rgb] {
			problems = append(problems, "the colour "+hexOf(rgb)+" of dark screens is printed")
		}
	}
	return problems
}

func hexOf(rgb [3]int) string { return fmt.Sprintf("#%02x%02x%02x", rgb[0], rgb[1], rgb[2]) }

// darkFigure is the ink of figures on dark screens.
var darkFigure = [3]int{0xe8, 0xea, 0xed}

// coloursIn returns the colours of everything that is painted in a PDF, except the pixels of pictures.
func coloursIn(pdf []byte) map[[3]int]bool {
	found := map[[3]int]bool{}
	for _, m := range pdfStream.FindAllSubmatch(pdf, -1) {
		inflated, err := zlib.NewReader(bytes.NewReader(m[1]))
		if err != nil {
			continue // the stream of a picture
		}
		text, err := io.ReadAll(inflated)
		if err != nil {
			continue
		}
		for _, c := range pdfColour.FindAllSubmatch(text, -1) {
			var rgb [3]int
			for i := range rgb {
				share, _ := strconv.ParseFloat(string(c[i+1]), 64)
				rgb[i] = int(math.Round(255 * share))
			}
			found[rgb] = true
		}
	}
	return found
}

// darkPages are the pages that are tested on a screen that is dark from the start. They have every kind of thing that
// has colours from a style sheet or a script; other pages have only the same kinds. On the explored pages, scripts draw
// the figures again.
var darkPages = []struct {
	page     string
	explored bool
}{
	{"castle-play", true},
	{"castle-rules", false},
	{"castle-border", true},
	{"castle-own", true},
	{"tower-strategies", true},
	{"naval-play", true},
	{"castle-derivation", false},
	{"castle-errata", false},
	{"lesson-07-towers", false},
	{"proofs-tower", false},
	{"claims-graph", false},
	{"machine", false},
	{"search", false},
	{"index", false},
}

// TestPages checks every page of the report on a light screen that turns dark, some pages on a screen that is dark from
// the start, and the report as one file.
func TestPages(t *testing.T) {
	t.Parallel()
	r := some(t)
	axeCore := axeSource(t)
	begin := func(t *testing.T, dark bool) *visit {
		tab, heard := open(t, start(t, dark))
		return &visit{T: t, tab: tab, heard: heard, seen: map[string]int{}}
	}
	t.Run("light", func(t *testing.T) {
		t.Parallel()
		// A browser loads the font of formulas late, but only once. The first page that uses the font moves by 0.04.
		warm := func(dark bool) *visit {
			v := begin(t, dark)
			show(t, v.tab, fileURL(filepath.Join(r.dir, "castle-rules.html")), 1280)
			check(t, v.tab, "settled")
			return v
		}
		v := warm(false)
		v.other = sync.OnceValue(func() *visit { return warm(true) }) // may reuse a browser of another test
		for _, v.page = range r.pages {
			v.light(axeCore)
		}
		t.Logf("checked: %v", v.seen)
		for name, least := range map[string]int{
			"scroll": 100, "rings": 1000, "marks": 20, "columns": 10, "whole": 10, "code": 20, "entries": 10,
			"answers": 40, "sheets": 100,
		} {
			if !testing.Short() && v.seen[name] < least {
				t.Errorf("%s has looked at %d, less than %d: the test shows nothing", name, v.seen[name], least)
			}
		}
	})
	t.Run("dark", func(t *testing.T) {
		t.Parallel()
		v := begin(t, true)
		visited := 0
		for _, d := range darkPages {
			if v.page = filepath.Join(r.dir, d.page+".html"); !slices.Contains(r.pages, v.page) {
				continue // only with -short
			}
			visited++
			if !v.dark(axeCore).colours[[3]int{0x21, 0x1f, 0x1b}] {
				t.Errorf("%s: the ink of the page is not found in the print", d.page)
			}
			if d.explored && ask[int](t, v.tab, `(ink) => [...document.querySelectorAll(".x-plate > img")].
				filter((image) => image.src.includes(encodeURIComponent(ink))).length`, hexOf(darkFigure)) == 0 {
				t.Errorf("%s: no figure on the screen is dark", d.page)
			}
		}
		if visited < 2 || !testing.Short() && visited < len(darkPages) {
			t.Errorf("%d pages are visited", visited)
		}
	})
	t.Run("one file", func(t *testing.T) {
		t.Parallel()
		v := begin(t, false)
		v.page, v.alone = r.single, true
		v.light(axeCore)
	})
}

// TestWorksheet prints the worksheets that a teacher hands out, from the page and from the kit. On A4 and on Letter,
// each level of the worksheet takes at most two sheets, without answers. The answer sheet has all answers.
func TestWorksheet(t *testing.T) {
	t.Parallel()
	r := report(t)
	for file, prefix := range map[string]string{"castle-lesson.html": "", "lesson-kit.html": "castle-lesson--"} {
		tab, _ := open(t, start(t, false))
		show(t, tab, fileURL(filepath.Join(r.dir, file)), paperWidth)
		answers := check(t, tab, "paint").Seen
		if answers < 18 {
			t.Fatalf("%s has %d answers", file, answers)
		}
		for name, size := range map[string][2]float64{"A4": {8.27, 11.69}, "Letter": {8.5, 11}} {
			for fragment, most := range map[string]int{"sheet-1": 2, "sheet-2": 2, "exit": 1, "answer-sheet": 9} {
				ask[bool](t, tab, `(fragment) => { location.hash = fragment; return true; }`, prefix+fragment)
				want := 0
				if fragment == "answer-sheet" {
					want = answers
				}
				paper := printOn(t, tab, size[0], size[1])
				if got := paper.answers(); len(got) != want || paper.sheets > most {
					t.Errorf("%s, %s, #%s: %d sheets with the answers %v of %d", file, name, fragment,
						paper.sheets, got, answers)
				}
			}
		}
	}
}

// playedKit plays the game of a kit to its end with the main button, and opens all folds. It returns all words that
// readers see or hear there, and the words of the kit's translations.
const playedKit = `async () => {
	const host = document.querySelector(".explorable"), seen = new Set();
	const words = (text) => text.match(/[\p{L}\u00ad]+/gu) || [];
	const drawn = async () => {
		do await new Promise((done) => setTimeout(done, 20)); while (host.dataset.drawing !== undefined);
	};
	const look = () => {
		const svg = [...host.querySelectorAll("img[src^='data:image/svg']")].map(({src}) =>
			decodeURIComponent(src.slice(src.indexOf(","))).replace(/<style[^]*?<\/style>|<[^>]*>|&\w+;/g, " "));
		const heard = [...host.querySelectorAll("[aria-label], [alt]")].map((e) => (e.ariaLabel || "") + " " + (e.alt || ""));
		for (const text of [host.textContent, ...svg, ...heard]) for (const word of words(text)) seen.add(word);
	};
	for (const fold of host.querySelectorAll("details")) fold.open = true;
	for (let i = 0; i < 8; i++) {
		await drawn();
		look();
		host.querySelector(".x-main").click();
	}
	await drawn();
	for (const button of host.querySelectorAll("button[aria-disabled=false]")) {
		button.click();
		await drawn();
		look();
	}
	return [[...seen], words(Object.values(JSON.parse(host.dataset.words || "{}")).join(" "))];
}`

// TestLessonKit checks that a kit is one file of at most 4 MB in which readers can play the game, in each language.
// Kits in other languages contain no word of the English game.
func TestLessonKit(t *testing.T) {
	t.Parallel()
	r, dir, english := report(t), t.TempDir(), []string{}
	for _, language := range []string{"en", "de", "fr"} {
		kit := "lesson-kit" + map[string]string{"de": "-de", "fr": "-fr"}[language]
		data := must.Get(os.ReadFile(filepath.Join(r.dir, kit+".html")))
		if len(data) > 4<<20 {
			t.Errorf("%s has %d bytes", kit, len(data))
		}
		alone := filepath.Join(dir, kit+".html")
		must.Do(t, os.WriteFile(alone, data, 0o644))
		tab, _ := open(t, start(t, false))
		show(t, tab, fileURL(alone), 390)
		if got := ask[string](t, tab, `() => document.documentElement.lang`); got != language {
			t.Errorf("%s is in %q", kit, got)
		}
		if !waittest.Comes(func() bool {
			return ask[bool](t, tab, `() => document.querySelector(".explored .x-main:not([disabled])") !== null`)
		}) {
			t.Errorf("%s: the game has no button", kit)
		}
		said := ask[[2][]string](t, tab, playedKit)
		if language == "en" {
			english = said[0]
		}
		foreign := slices.DeleteFunc(slices.Clone(said[0]), func(word string) bool {
			return !slices.Contains(english, word) || slices.Contains(said[1], word)
		})
		if len(said[0]) < 60 || language != "en" && len(foreign) > 0 {
			t.Errorf("%s: of its %d words in play, these are English: %q", kit, len(said[0]), foreign)
		}
	}
}

// slides returns the names of the figures and tables that the projector view of a page shows below its title. It also
// returns the names of drawings that are higher than the screen, because they would fill two screens.
const slides = `() => {
	const all = [...document.querySelectorAll("main :is(.figure-block, .table-block, .callout, .chapter > p)")]
		.filter((e) => e.checkVisibility());
	const high = all.filter((e) => e.matches(".figure-block:not(:has(.explored))") &&
		Math.round(e.getBoundingClientRect().height) > innerHeight);
	return [all, high].map((list) => list.map((e) => e.id || e.className));
}`

// TestProjector checks that on the projector, the lesson shows the game, its texts for the board, the empty tables and
// its figure, each on one screen. It shows neither the teacher's plan nor answers.
func TestProjector(t *testing.T) {
	t.Parallel()
	address := fileURL(filepath.Join(report(t).dir, "castle-lesson.html"))
	tab, _ := open(t, start(t, false))
	show(t, tab, address, 1280)
	if shown := ask[[][]string](t, tab, slides)[0]; !slices.Contains(shown, "callout callout-note") {
		t.Errorf("the page has %v", shown)
	}
	show(t, tab, "about:blank", 1280)
	show(t, tab, address+"#projector", 1280)
	board := "callout callout-slide"
	want := []string{
		"fig-game", board, board, board, "tbl-hunts-1", "tbl-quotients-1", "tbl-hunts-2", "tbl-quotients-2", board,
		"fig-hunt",
	}
	if shown := ask[[][]string](t, tab, slides); !slices.Equal(shown[0], want) || len(shown[1]) > 0 {
		t.Errorf("the projector shows %v, and %v are higher than the screen", shown[0], shown[1])
	}
	for _, projected := range []string{
		address + "#projector",
		fileURL(filepath.Join(report(t).dir, "lesson-kit.html")) + "#castle-lesson--projector",
	} {
		show(t, tab, "about:blank", 1280)
		show(t, tab, projected, 1280)
		if wide := ask[int](t, tab, `() => document.documentElement.scrollWidth - innerWidth`); wide > 0 {
			t.Errorf("%s is %d pixels wider than the screen", projected, wide)
		}
	}
}

// TestAnswersOnPaper prints a page with answers. In the PDF, as in the layout for paper that TestPages checks, there is
// no answer, except an answer that the reader has opened. The answer sheet has all answers.
func TestAnswersOnPaper(t *testing.T) {
	t.Parallel()
	r := report(t)
	tab, _ := open(t, start(t, false))
	lesson := r.pages[slices.IndexFunc(r.pages, func(page string) bool {
		return strings.HasPrefix(filepath.Base(page), "lesson-")
	})]
	show(t, tab, fileURL(lesson), paperWidth)
	answers := check(t, tab, "paint").Seen
	if answers < 2 {
		t.Fatalf("%s has %d answers", lesson, answers)
	}
	for _, step := range []struct {
		what, do string
		want     int
	}{
		{"at first", `() => true`, 0},
		{"with one opened", `() => document.querySelector("main details:is(.callout-details, .callout-question)").open = true`, 1},
		{
			"on the answer sheet",
			`() => { document.querySelector("main details[open]").open = false; location.hash = "answer-sheet"; return true; }`, answers,
		},
	} {
		ask[bool](t, tab, step.do)
		if got := printPage(t, tab).answers(); len(got) != step.want {
			t.Errorf("%s: of %d answers %v are printed", step.what, answers, got)
		}
	}
}

// openEntries returns the anchors of the page's entries with visible texts.
const openEntries = `() => [...document.querySelectorAll(".entry")].filter((entry) => entry.querySelector("dl").checkVisibility()).map((entry) => entry.querySelector("h2, h3").id)`

// TestEntriesUnfold checks that a link to an entry unfolds it, and readers can fold it again. TestPages checks that all
// entries are open on paper.
func TestEntriesUnfold(t *testing.T) {
	t.Parallel()
	tab, _ := open(t, start(t, false))
	address := fileURL(filepath.Join(report(t).dir, "castle-errata.html"))
	want := func(what, anchors string) {
		t.Helper()
		var got string
		seen := waittest.Comes(func() bool {
			got = strings.Join(ask[[]string](t, tab, openEntries), " ")
			return got == anchors
		})
		if !seen {
			t.Errorf("%s: the entries %q are open, want %q", what, got, anchors)
		}
	}
	show(t, tab, address, 1280)
	want("the page", "")
	show(t, tab, address+"#one-short", 1280)
	want("a link", "one-short")
	summary := element(t, tab, ".entry:has(#one-short) > summary")
	click := func() {
		t.Helper()
		must.Do(t, summary.Click(proto.InputMouseButtonLeft, 1))
	}
	click()
	want("opened", "one-short")
	click()
	want("folded", "")
}

func element(t *testing.T, tab *rod.Page, selector string) *rod.Element {
	t.Helper()
	e, err := tab.Timeout(waittest.Patience).Element(selector)
	if err != nil {
		t.Fatalf("%s: %v", selector, err)
	}
	return e
}
