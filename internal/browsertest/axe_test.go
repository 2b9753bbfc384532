package browsertest

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-rod/rod"

	"github.com/siegebook/siegebook/internal/must"
)

// axeRun runs every rule of axe-core, those beyond WCAG too, or all but those that look at colours, over the page or
// the part of it that has an id, and returns the findings and the names of the rules that something there passes. A
// check that axe cannot decide counts as a finding too, except for the contrast of signs and of text out of sight:
// report/site tests every pair of colours.
const axeRun = `async (colours, part) => {
	const settings = {resultTypes: ["violations", "incomplete", "passes"], elementRef: false, preload: false};
	if (!colours) settings.rules = {"color-contrast": {enabled: false}, "link-in-text-block": {enabled: false}};
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
func axe(t *testing.T, tab *rod.Page, source string, colours bool) (audit, error) {
	t.Helper()
	var a audit
	if _, err := tab.Eval("() => {" + source + "\n}"); err != nil {
		return a, fmt.Errorf("axe-core does not load: %w", err)
	}
	result, err := tab.Eval(axeRun, colours, "")
	if err != nil {
		return a, fmt.Errorf("axe-core does not run: %w", err)
	}
	return a, result.Value.Unmarshal(&a)
}

// axeSource returns axe-core, or "" where it is not installed.
func axeSource(t *testing.T) string {
	t.Helper()
	return string(must.Get(os.ReadFile(filepath.Join(checkers(t), "axe-core", "axe.min.js"))))
}
