package browsertest

import (
	"bytes"
	"compress/zlib"
	_ "embed"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
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

// finding is what a check of checks.js returns.
type finding struct {
	Problems []string
	Seen     int // how many things it has looked at
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

// visit is a page that a reader has before him, and all that is checked of it.
type visit struct {
	*testing.T
	tab   *rod.Page
	heard *seen
	page  string
	alone bool           // it is the report as one file
	seen  map[string]int // what each check has looked at, on all pages of the tab
}

// at returns the problems under the name of the page.
func (v *visit) at(what string, problems []string) {
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
	v.at(what, found.Problems)
	v.seen[name] += found.Seen
}

// resize gives the window a width, and waits until the page is drawn in it.
func (v *visit) resize(width int) {
	v.Helper()
	size := &proto.EmulationSetDeviceMetricsOverride{
		Width: width, Height: 800, DeviceScaleFactor: 1,
		Mobile: width < 600,
	}
	must.Do(v, v.tab.SetViewport(size))
	check(v.T, v.tab, "settled")
}

// media sets what kind of device the page is on, and what its reader has asked his system for.
func (v *visit) media(medium string, features ...*proto.EmulationMediaFeature) {
	v.Helper()
	must.Do(v, (proto.EmulationSetEmulatedMedia{Media: medium, Features: features}).Call(v.tab))
}

// stillness and contrast are wishes that a reader may have.
var (
	stillness = &proto.EmulationMediaFeature{Name: "prefers-reduced-motion", Value: "reduce"}
	contrast  = &proto.EmulationMediaFeature{Name: "forced-colors", Value: "active"}
)

// light is a visit on a light screen: by keyboard, on a desktop, on telephones, with high contrast, and on paper.
func (v *visit) light(axeCore string) {
	v.Helper()
	v.media("", stillness)
	show(v.T, v.tab, fileURL(v.page), 1280)
	check(v.T, v.tab, "settled")
	v.keys()
	v.wide(false)
	v.check("on a desktop", "whole")
	v.resize(390)
	v.check("on a telephone", "columns")
	v.narrow(false, axeCore)
	v.media("", contrast)
	v.check("with high contrast", "scroll")
	v.media("")
	if !v.alone {
		v.paper()
	}
	v.at("all the time", v.told())
}

// dark is a visit on a dark screen. axe-core looks at the desktop here, and at the telephone on a light screen.
func (v *visit) dark(axeCore string) {
	v.Helper()
	show(v.T, v.tab, fileURL(v.page), 1280)
	check(v.T, v.tab, "settled")
	v.wide(true)
	v.audit("on a dark desktop", axeCore)
	v.at("on paper, from a dark desktop", darkIn(printPage(v.T, v.tab)))
	v.resize(320)
	v.check("on a dark telephone", "inspect", true)
	v.at("in the dark", v.told())
}

func (v *visit) wide(dark bool) {
	v.Helper()
	v.check("on a desktop", "rings", v.alone)
	v.check("on a desktop", "marks")
	v.check("on a desktop", "inspect", dark)
}

func (v *visit) narrow(dark bool, axeCore string) {
	v.Helper()
	v.resize(320)
	v.check("on a small telephone", "inspect", dark)
	v.check("on a small telephone", "rings", v.alone)
	for _, name := range []string{"marks", "scroll", "calm", "spaced"} {
		v.check("on a small telephone", name)
	}
	v.audit("on a small telephone", axeCore)
}

// audit lets axe-core look, but not at the colours of the report as one file, which are those of its pages: measuring
// them takes a minute there.
func (v *visit) audit(what, axeCore string) {
	v.Helper()
	a, err := axe(v.T, v.tab, axeCore, !v.alone)
	if err != nil {
		v.Fatalf("%s: %v", filepath.Base(v.page), err)
	}
	v.at(what+", axe", a.Findings)
	v.seen["axe"] += len(a.Passed)
}

// told returns what the browser has complained about since it was asked last.
func (v *visit) told() []string {
	v.Helper()
	must.Do(v, settle(v.tab.Timeout(waittest.Patience), v.heard, mark+v.page))
	return v.heard.take()
}

// keys: the first key reaches the link over the menu, which leads into the text.
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

// A4 within the margins of the style sheet, 2 cm, in CSS pixels.
const (
	paperWidth  = 642
	paperHeight = 971
)

// paper prints the page.
func (v *visit) paper() {
	v.Helper()
	v.media("print")
	must.Do(v, v.tab.SetViewport(&proto.EmulationSetDeviceMetricsOverride{
		Width: paperWidth, Height: paperHeight,
		DeviceScaleFactor: 1,
	}))
	check(v.T, v.tab, "fold")
	v.check("on paper", "printed", paperWidth, paperHeight)
	for _, name := range []string{"code", "entries", "answers", "paint"} {
		v.check("on paper", name)
	}
	pdf := printPage(v.T, v.tab)
	problems, sheets := sheetsOf(pdf)
	v.at("on paper", problems)
	if sheets < 1 || sheets > 50 { // the ledger of all claims is the longest
		v.Errorf("%s is printed on %d sheets", filepath.Base(v.page), sheets)
	}
	v.seen["sheets"] += sheets
	if got := answersIn(pdf); len(got) > 0 {
		v.Errorf("%s: answers are printed: %v", filepath.Base(v.page), got)
	}
	v.media("")
}

// printPage returns the page that a tab shows as a PDF on A4.
func printPage(t *testing.T, tab *rod.Page) []byte {
	t.Helper()
	return printOn(t, tab, 8.27, 11.69)
}

// printOn is the same for a sheet of so many inches.
func printOn(t *testing.T, tab *rod.Page, width, height float64) []byte {
	t.Helper()
	tab = tab.Timeout(waittest.Patience)
	defer tab.CancelTimeout()
	stream, err := tab.PDF(&proto.PagePrintToPDF{PaperWidth: &width, PaperHeight: &height, PreferCSSPageSize: true})
	must.Do(t, err)
	data, err := io.ReadAll(stream)
	must.Do(t, err)
	return data
}

var (
	pdfPage   = regexp.MustCompile(`(?s)/Type\s*/Page\b.*?endobj`)
	pdfStream = regexp.MustCompile(`(?s)stream\r?\n(.*?)\r?\nendstream`)
	pdfColour = regexp.MustCompile(`([0-9.]+) ([0-9.]+) ([0-9.]+) rg\b`) // of what is painted next
)

// sheetsOf returns the number of sheets of a PDF, and whether the last one is empty: a sheet without letters needs no
// font.
func sheetsOf(pdf []byte) (problems []string, sheets int) {
	all := pdfPage.FindAll(pdf, -1)
	if len(all) > 1 && !bytes.Contains(all[len(all)-1], []byte("/Font")) {
		problems = append(problems, "the last sheet is empty")
	}
	return problems, len(all)
}

// answersIn returns which answers, painted by the check of that name, are in a PDF.
func answersIn(pdf []byte) map[int]bool {
	found := map[int]bool{}
	for rgb := range coloursIn(pdf) {
		if rgb[0] == 3 && rgb[1] == 250 {
			found[rgb[2]] = true
		}
	}
	return found
}

// darkIn returns the colours in a PDF that only dark screens have: of grounds, letters and grids, on pages and in
// figures. Those of figures are the inks of report/figure; TestDarkOnPaper sees them on a screen.
func darkIn(pdf []byte) (problems []string) {
	found := coloursIn(pdf)
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
		if found[rgb] {
			problems = append(problems, "the colour "+hexOf(rgb)+" of dark screens is printed")
		}
	}
	return problems
}

func hexOf(rgb [3]int) string { return fmt.Sprintf("#%02x%02x%02x", rgb[0], rgb[1], rgb[2]) }

// darkFigure is the ink of figures on dark screens.
var darkFigure = [3]int{0xe8, 0xea, 0xed}

// coloursIn returns the colours of all that is painted in a PDF, but for the pixels of pictures.
func coloursIn(pdf []byte) map[[3]int]bool {
	found := map[[3]int]bool{}
	for _, m := range pdfStream.FindAllSubmatch(pdf, -1) {
		inflated, err := zlib.NewReader(bytes.NewReader(m[1]))
		if err != nil {
			continue // a picture
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

// TestPages visits every page of the report on a light screen and on a dark one, and the report as one file.
func TestPages(t *testing.T) {
	t.Parallel()
	r := some(t)
	axeCore := axeSource(t)
	visitAll := func(t *testing.T, dark, alone bool, pages ...string) map[string]int {
		tab, heard := open(t, start(t, dark))
		seen := map[string]int{}
		for _, page := range pages {
			v := &visit{t, tab, heard, page, alone, seen}
			if dark {
				v.dark(axeCore)
			} else {
				v.light(axeCore)
			}
		}
		t.Logf("checked: %v", seen)
		return seen
	}
	t.Run("light", func(t *testing.T) {
		t.Parallel()
		seen := visitAll(t, false, false, r.pages...)
		for name, least := range map[string]int{
			"scroll": 100, "rings": 1000, "marks": 20, "columns": 10, "whole": 10, "code": 20, "entries": 10,
			"answers": 40, "sheets": 100,
		} {
			if !testing.Short() && seen[name] < least {
				t.Errorf("%s has looked at %d, less than %d: the test shows nothing", name, seen[name], least)
			}
		}
	})
	t.Run("dark", func(t *testing.T) {
		t.Parallel()
		visitAll(t, true, false, r.pages...)
	})
	t.Run("one file", func(t *testing.T) {
		t.Parallel()
		visitAll(t, false, true, r.single)
	})
}

// TestDarkOnPaper prints pages of a dark screen, with figures that readers have moved and without: on paper they are
// light.
func TestDarkOnPaper(t *testing.T) {
	t.Parallel()
	r := some(t)
	tab, _ := open(t, start(t, true))
	seen := 0
	for _, step := range []struct {
		page     string
		explored bool
	}{
		{"castle-play", true},
		{"castle-rules", false},
		{"castle-border", true},
		{"castle-own", true},
		{"tower-strategies", true},
		{"castle-derivation", false},
		{"lesson-07-towers", false},
	} {
		i := slices.IndexFunc(r.pages, func(page string) bool { return filepath.Base(page) == step.page+".html" })
		if i < 0 {
			continue // with -short
		}
		seen++
		show(t, tab, fileURL(r.pages[i]), 1280)
		check(t, tab, "settled")
		if step.explored {
			dark := ask[int](t, tab, `(ink) => [...document.querySelectorAll(".x-plate > img")].
				filter((image) => image.src.includes(encodeURIComponent(ink))).length`, hexOf(darkFigure))
			if dark == 0 {
				t.Errorf("%s: no figure on the screen is dark", step.page)
			}
		}
		pdf := printPage(t, tab)
		if !coloursIn(pdf)[[3]int{0x21, 0x1f, 0x1b}] {
			t.Errorf("%s: the ink of the page is not found in the print", step.page)
		}
		for _, problem := range darkIn(pdf) {
			t.Errorf("%s: %s", step.page, problem)
		}
	}
	if seen < 2 || !testing.Short() && seen < 7 {
		t.Errorf("%d pages are printed", seen)
	}
}

// TestWorksheet prints what a teacher hands out: two sheets at most on A4 and on Letter, without answers, and as an
// answer sheet with all of them.
func TestWorksheet(t *testing.T) {
	t.Parallel()
	r := report(t)
	tab, _ := open(t, start(t, false))
	show(t, tab, fileURL(filepath.Join(r.dir, "castle-sheet.html")), paperWidth)
	answers := check(t, tab, "paint").Seen
	if answers < 6 {
		t.Fatalf("there are %d answers", answers)
	}
	for name, size := range map[string][2]float64{"A4": {8.27, 11.69}, "Letter": {8.5, 11}} {
		for fragment, want := range map[string]int{"": 0, "answer-sheet": answers} {
			ask[bool](t, tab, `(fragment) => { location.hash = fragment; return true; }`, fragment)
			pdf := printOn(t, tab, size[0], size[1])
			_, sheets := sheetsOf(pdf)
			if got := answersIn(pdf); len(got) != want || sheets > 2 {
				t.Errorf("%s, #%s: %d sheets with the answers %v of %d", name, fragment, sheets, got, answers)
			}
		}
	}
}

// TestAnswersOnPaper prints a page with answers: in the PDF, as in the layout for paper that TestPages looks at, is no
// answer, one that the reader has opened is alone, and the answer sheet has them all.
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
		if got := answersIn(printPage(t, tab)); len(got) != step.want {
			t.Errorf("%s: of %d answers %v are printed", step.what, answers, got)
		}
	}
}

// openEntries returns the anchors of the entries of a page whose texts are seen.
const openEntries = `() => [...document.querySelectorAll(".entry")].filter((entry) => entry.querySelector("dl").checkVisibility()).map((entry) => entry.querySelector("h3").id)`

// TestEntriesUnfold: a link to an entry shows it, and one can fold it again. TestPages sees that all are open on paper.
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
