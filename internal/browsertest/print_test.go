package browsertest

import (
	"io"
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
	for (const selector of [".site-header nav", ".side", ".pager", ".skip", ".search"])
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
	stamp, err := tab.Eval(`() => {
		const stamp = document.querySelector(".site-footer");
		if (stamp) stamp.style.visibility = "hidden";
		return stamp !== null;
	}`)
	must(err)
	if last := toPDF(strconv.Itoa(sheets)); stamp.Value.Bool() && !pdfFont.Match(last) {
		problems = append(problems, "the last sheet has nothing but the stamp")
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
		if sheets < 1 || sheets > 40 {
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
		`<figure style="break-inside: avoid">x</figure>`:                            0,
		`<figure>x</figure>`:                                                        1,
		`<figure style="break-inside: avoid; height: 1200px">x</figure>`:            1,
		`<img src="pixel.svg" alt="" width="900">`:                                  1,
		`<main><p style="height: 2em; overflow: auto">x<br>x<br>x<br>x</main>`:      1,
		`<p class="skip">x</p>`:                                                     1,
		`<h2>x</h2>`:                                                                1,
		`<main><table><tbody><tr style="break-inside: avoid"><td>x</table></main>`:  1,
		`<div class="notes">x</div>`:                                                1,
		`<p>x</p><footer class="site-footer" style="break-before: page">x</footer>`: 1,
		`<p>x</p><footer class="site-footer">x</footer>`:                            0,
	} {
		problems, sheets := printSheets(t, tab, badPage(t, body))
		if len(problems) != want || sheets < 1 || sheets > 3 {
			t.Errorf("%s: %d sheets, found %q, want %d", body, sheets, problems, want)
		}
	}
}
