package browsertest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-rod/rod"
)

// axeRun runs every rule of axe-core, those beyond WCAG too, or those that look at colours, over the page or the part
// of it that has an id, and returns the findings and the names of the rules that something there passes. What axe
// cannot decide counts as a finding too, save for the contrast of what it takes for no text, such as a sign, and of
// what has scrolled out of sight: report/site tests every pair of colours.
const axeRun = `async (coloursOnly, part) => {
	const settings = {resultTypes: ["violations", "incomplete", "passes"], elementRef: false, preload: false};
	if (coloursOnly) settings.runOnly = ["color-contrast", "link-in-text-block"];
	const result = await axe.run(part ? document.getElementById(part) : document, settings);
	const findings = [];
	for (const kind of ["violations", "incomplete"])
		for (const rule of result[kind])
			if (kind === "violations" || rule.id !== "color-contrast") for (const node of rule.nodes)
				findings.push(rule.id + " (" + kind + "): " + rule.help + ": " + node.html.slice(0, 160) + " " +
					[...node.any, ...node.all, ...node.none].map((check) => check.message).join("; "));
	return {findings, passed: result.passes.map((rule) => rule.id)};
}`

// audit is what axe-core says of a page.
type audit struct {
	Findings, Passed []string
}

// axe runs axe-core in the page that a tab shows. The browser's own channel brings it in, so that the page's policy
// stays as it is.
func axe(t *testing.T, tab *rod.Page, source string, coloursOnly bool) (audit, error) {
	t.Helper()
	var a audit
	if _, err := tab.Eval("() => {" + source + "\n}"); err != nil {
		return a, fmt.Errorf("axe-core does not load: %w", err)
	}
	result, err := tab.Eval(axeRun, coloursOnly, "")
	if err != nil {
		return a, fmt.Errorf("axe-core does not run: %w", err)
	}
	return a, result.Value.Unmarshal(&a)
}

// axeSource returns axe-core, or "" where it is not installed.
func axeSource(t *testing.T) string {
	t.Helper()
	source, err := os.ReadFile(filepath.Join(checkers(t), "axe-core", "axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	return string(source)
}

// TestAxeFails shows that faults of each kind are found, and nothing on a sound page.
func TestAxeFails(t *testing.T) {
	t.Parallel()
	source := axeSource(t)
	tab, s := open(t, start(t, false))
	for body, rule := range map[string]string{
		`<main><h1>a</h1><p>sound</p></main>`:                                               "",
		`<main><h1>a</h1><img src="pixel.svg"></main>`:                                      "image-alt",
		`<main><h1>a</h1><p style="color: #999; background: #fff">words to read</p></main>`: "color-contrast",
		`<main><h1>a</h1><h3>x</h3></main>`:                                                 "heading-order",
		`<main><h1>a</h1><a href="#x"></a></main>`:                                          "link-name",
		`<main><h1>a</h1><div style="overflow: auto; height: 2em"><p>x<p>y</div></main>`:    "scrollable-region-focusable",
		`<main><h1>a</h1><p role="doc-endnotes" aria-hidden="true" tabindex="0">x</main>`:   "aria-hidden-focus",
		`<main><h1>a</h1></main><p>outside of all landmarks</p>`:                            "region",
		`<main><h1>a</h1><table><tr><td id="x"><td headers="y">x</table></main>`:            "td-headers-attr",
		`<main><h1>a</h1><input type="search"></main>`:                                      "label",
	} {
		look(t, tab, s, barePage(t, body), 320, false)
		a, err := axe(t, tab, source, false)
		if err != nil {
			t.Fatal(err)
		}
		if found := slices.ContainsFunc(a.Findings, func(f string) bool { return strings.HasPrefix(f, rule+" ") }); found != (rule != "") {
			t.Errorf("%s: want %q, found %q", body, rule, a.Findings)
		}
		if rule == "" && (len(a.Findings) > 0 || len(a.Passed) < 10) {
			t.Errorf("%s: found %q, passed %q", body, a.Findings, a.Passed)
		}
	}
}
