package browsertest

import (
	"bytes"
	"compress/zlib"
	"io"
	"math"
	"net/url"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"

	"github.com/siegebook/siegebook/internal/waittest"
)

// A4 within the margins of the style sheet, 2 cm, in CSS pixels.
const (
	paperWidth  = 642
	paperHeight = 971
)

// printed returns what would be cut where a page is printed, in the page's layout on paper: a page break may not fall
// into a figure and its like, which must fit a sheet (a long table may go on at a row), nor behind a heading or into a
// note; nothing is wider than a sheet or hidden in a box that scrolls.
const printed = `(width, height) => {
	const problems = [];
	const name = (element) => element.outerHTML.slice(0, 100).replaceAll(/\s+/g, " ");
	for (const element of document.querySelectorAll("figure:not(.table-block), .math, tr")) {
		const box = element.getBoundingClientRect();
		if (box.height === 0) continue;
		if (getComputedStyle(element).breakInside !== "avoid") problems.push("a page break may cut " + name(element));
		if (box.height > height) problems.push(Math.round(box.height) + " pixels high: " + name(element));
	}
	for (const table of document.querySelectorAll("main table")) {
		const whole = (element) => element && (getComputedStyle(element).breakInside === "avoid" || whole(element.parentElement));
		if (table.checkVisibility() && table.querySelectorAll("tbody tr").length <= 12 && !whole(table)) problems.push("a page break may cut the short table " + name(table));
	}
	for (const heading of document.querySelectorAll("h2, h3, h4, dt, .table-block > figcaption"))
		if (heading.checkVisibility() && getComputedStyle(heading.closest("summary") ?? heading).breakAfter !== "avoid") problems.push("a page break may come behind " + name(heading));
	for (const element of document.querySelectorAll(".notes"))
		if (getComputedStyle(element).breakInside !== "avoid" || getComputedStyle(element).breakBefore !== "avoid") problems.push("a page break may cut off the note " + name(element));
	for (const element of document.querySelectorAll("img, figcaption, .picture, .legend, .note"))
		if (element.getBoundingClientRect().right > width + 1) problems.push("wider than the sheet: " + name(element));
	for (const element of document.querySelectorAll("main *")) {
		const style = getComputedStyle(element);
		const scrolls = (overflow) => overflow === "auto" || overflow === "scroll";
		if (scrolls(style.overflowY) && element.scrollHeight > element.clientHeight + 1 && element.clientHeight > 0) problems.push("lower than its text: " + name(element));
	}
	for (const selector of [".site-header nav", ".side", ".pager", ".skip", ".search", ".site-footer"])
		for (const element of document.querySelectorAll(selector))
			if (element.checkVisibility()) problems.push("on paper: " + name(element));
	return problems;
}`

var (
	pdfPage = regexp.MustCompile(`/Type\s*/Page\b`)
	pdfFont = regexp.MustCompile(`/Type\s*/Font\b`)
)

// printSheets shows a page as it is printed and returns what would be cut, and the number of sheets.
func printSheets(t *testing.T, tab *rod.Page, file string) (problems []string, sheets int) {
	t.Helper()
	tab = tab.Context(t.Context()).Timeout(waittest.Patience)
	defer tab.CancelTimeout()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", filepath.Base(file), err)
		}
	}
	must(tab.SetViewport(&proto.EmulationSetDeviceMetricsOverride{Width: paperWidth, Height: paperHeight, DeviceScaleFactor: 1}))
	must(proto.EmulationSetEmulatedMedia{Media: "print"}.Call(tab))
	must(tab.Navigate((&url.URL{Scheme: "file", Path: file}).String()))
	must(tab.WaitLoad())
	result, err := tab.Eval(printed, paperWidth, paperHeight)
	must(err)
	must(result.Value.Unmarshal(&problems))
	width, height := 8.27, 11.69
	toPDF := func(ranges string) []byte {
		t.Helper()
		stream, err := tab.PDF(&proto.PagePrintToPDF{PaperWidth: &width, PaperHeight: &height, PreferCSSPageSize: true, PageRanges: ranges})
		must(err)
		pdf, err := io.ReadAll(stream)
		must(err)
		return pdf
	}
	sheets = len(pdfPage.FindAll(toPDF(""), -1))
	// A sheet without letters needs no font.
	if last := toPDF(strconv.Itoa(sheets)); sheets > 1 && !pdfFont.Match(last) {
		problems = append(problems, "the last sheet is empty")
	}
	return problems, sheets
}

// TestPrint prints every page.
func TestPrint(t *testing.T) {
	t.Parallel()
	r := report(t)
	tab, _ := open(t, start(t, false))
	total := 0
	for _, page := range r.pages {
		problems, sheets := printSheets(t, tab, page)
		for _, problem := range problems {
			t.Errorf("%s: %s", filepath.Base(page), problem)
		}
		if sheets < 1 || sheets > 50 { // the ledger of all claims is the longest
			t.Errorf("%s is printed on %d sheets", filepath.Base(page), sheets)
		}
		total += sheets
	}
	t.Logf("%d pages are printed on %d sheets", len(r.pages), total)
}

func TestPrintFails(t *testing.T) {
	t.Parallel()
	tab, _ := open(t, start(t, false))
	for body, want := range map[string]int{
		`<figure style="break-inside: avoid">x</figure>`:                           0,
		`<figure>x</figure>`:                                                       1,
		`<figure style="break-inside: avoid; height: 1200px">x</figure><p>y</p>`:   1,
		`<img src="pixel.svg" alt="" width="900">`:                                 1,
		`<main><p style="height: 2em; overflow: auto">x<br>x<br>x<br>x</main>`:     1,
		`<p class="skip">x</p>`:                                                    1,
		`<h2>x</h2>`:                                                               1,
		`<main><table><tbody><tr style="break-inside: avoid"><td>x</table></main>`: 1,
		`<div class="notes">x</div>`:                                               1,
		`<p>x</p><div style="break-before: page; height: 2em"></div>`:              1,
		`<p>x</p><footer class="site-footer">x</footer>`:                           1,
	} {
		problems, sheets := printSheets(t, tab, badPage(t, body))
		if len(problems) != want || sheets < 1 || sheets > 3 {
			t.Errorf("%s: %d sheets, found %q, want %d", body, sheets, problems, want)
		}
	}
}

// paintAnswers gives the text of each answer a colour of its own, and returns how many there are. A PDF names the
// colours of what is printed, and the letters only by their numbers in fonts.
const paintAnswers = `() => {
	const answers = [...document.querySelectorAll("main details:is(.callout-details, .callout-question)")];
	answers.forEach((answer, i) => {
		for (const e of [...answer.querySelectorAll(":scope > :not(summary), :scope > :not(summary) *")]) {
			e.style.setProperty("color", "rgb(3, 250, " + (i + 1) + ")", "important");
			e.style.setProperty("print-color-adjust", "exact", "important");
		}
	});
	return answers.length;
}`

var pdfStream = regexp.MustCompile(`(?s)stream\r?\n(.*?)\r?\nendstream`)

// printedAnswers prints a page and returns which answers, painted by paintAnswers, are on paper.
func printedAnswers(t *testing.T, tab *rod.Page) map[int]bool {
	t.Helper()
	stream, err := tab.PDF(&proto.PagePrintToPDF{})
	if err != nil {
		t.Fatal(err)
	}
	pdf, err := io.ReadAll(stream)
	if err != nil {
		t.Fatal(err)
	}
	found := map[int]bool{}
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
			var rgb [3]float64
			for i := range rgb {
				rgb[i], _ = strconv.ParseFloat(string(c[i+1]), 64)
			}
			if math.Round(255*rgb[0]) == 3 && math.Round(255*rgb[1]) == 250 {
				found[int(math.Round(255*rgb[2]))] = true
			}
		}
	}
	return found
}

// pdfColour is the colour of what is painted next.
var pdfColour = regexp.MustCompile(`([0-9.]+) ([0-9.]+) ([0-9.]+) rg\b`)

// TestAnswersOnPaper prints every page with answers: none of them is on paper, all of them are on its answer sheet, and
// one that the reader has opened is on paper alone.
func TestAnswersOnPaper(t *testing.T) {
	t.Parallel()
	r := report(t)
	tab, _ := open(t, start(t, false))
	sheets := 0
	for _, page := range r.pages {
		show(t, tab, fileURL(page), paperWidth)
		answers := ask[int](t, tab, paintAnswers)
		if answers == 0 {
			continue
		}
		sheets++
		if got := printedAnswers(t, tab); len(got) > 0 {
			t.Errorf("%s: answers are printed: %v", filepath.Base(page), got)
		}
		ask[bool](t, tab, `() => document.querySelector("main details:is(.callout-details, .callout-question)").open = true`)
		if got := printedAnswers(t, tab); len(got) != 1 || !got[1] {
			t.Errorf("%s: the reader has opened answer 1, and on paper are %v", filepath.Base(page), got)
		}
		ask[bool](t, tab, `() => { document.querySelector("main details[open]").open = false; location.hash = "answer-sheet"; return true; }`)
		if got := printedAnswers(t, tab); len(got) != answers {
			t.Errorf("%s: of %d answers the answer sheet has %v", filepath.Base(page), answers, got)
		}
	}
	if sheets < 20 {
		t.Errorf("only %d pages have answers", sheets)
	}
}
