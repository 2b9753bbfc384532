package browsertest

import (
	"encoding/xml"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
)

// These texts are not prose: code, the output of programs, and the stamp with its versions and checksums.
var (
	codeElements = []string{"code", "pre", "samp", "script", "style"}
	codeClasses  = []string{"stamp"}
)

// A word is odd if it is a number with five digits or more that are not in groups of three, or a number of four digits
// with a comma. Digits after a decimal point, in names and in addresses do not count.
var (
	wordRule  = regexp.MustCompile(`[\p{L}\p{N}_.,#/-]+`)
	oddNumber = regexp.MustCompile(`^([0-9]{5,}|[0-9],[0-9]{3})(\.[0-9]+)?(/[0-9,]+)?$`)
)

// oddNumbers returns the numbers in the texts and alternative texts of a page or a drawing that do not have the
// report's form.
func oddNumbers(t *testing.T, name string, page []byte) (odd []string) {
	t.Helper()
	look := func(text string) {
		for _, word := range wordRule.FindAllString(text, -1) {
			if word = strings.Trim(word, ".,/-"); oddNumber.MatchString(word) {
				odd = append(odd, word+" in "+strings.Join(strings.Fields(text), " "))
			}
		}
	}
	depth := 0 // the depth of elements that are not prose
	var text strings.Builder
	for token := range must.Tokens(t, name, page) {
		switch e := token.(type) {
		case xml.StartElement:
			code := slices.Contains(codeElements, e.Name.Local)
			for _, a := range e.Attr {
				switch a.Name.Local {
				case "alt", "aria-label", "title":
					look(a.Value)
				case "class":
					code = code || slices.ContainsFunc(strings.Fields(a.Value),
						func(class string) bool { return slices.Contains(codeClasses, class) })
				}
			}
			if depth > 0 || code {
				depth++
			}
			if !isSpan(e.Name.Local, e.Attr) {
				look(text.String())
				text.Reset()
			}
		case xml.EndElement:
			if depth > 0 {
				depth--
			}
		case xml.CharData:
			if depth == 0 {
				text.Write(e)
			}
		}
	}
	look(text.String())
	return odd
}

// isSpan reports whether an element occurs inside numbers.
func isSpan(name string, attributes []xml.Attr) bool {
	return name == "span" && slices.ContainsFunc(attributes, func(a xml.Attr) bool {
		return a.Name.Local == "class" &&
			a.Value == "comma"
	})
}

// TestNumbers checks that numbers have the same form wherever readers see them.
func TestNumbers(t *testing.T) {
	t.Parallel()
	r := report(t)
	seen := 0
	for name, data := range filesIn(t, r.dir) {
		if ext := filepath.Ext(name); ext != ".html" && ext != ".svg" {
			continue
		}
		if isKit(name) && name != "lesson-kit.html" {
			continue // in German and French, a comma precedes decimals
		}
		seen++
		for _, number := range oddNumbers(t, name, data) {
			t.Errorf("%s: %.120s", filepath.Base(name), number)
		}
	}
	if seen < 60 {
		t.Errorf("only %d pages and drawings", seen)
	}
}

// TestNumbersAreCopied checks that a number copied from a table has no commas, but that screen readers read it with
// commas.
func TestNumbersAreCopied(t *testing.T) {
	t.Parallel()
	r := report(t)
	tab, _ := open(t, start(t, false))
	show(t, tab, fileURL(filepath.Join(r.dir, "castle-tests.html")), 1280)
	got := ask[struct{ Copied, Read string }](t, tab, `() => {
		const cell = document.querySelector(".comma").closest("td");
		getSelection().selectAllChildren(cell);
		return {copied: getSelection().toString(), read: cell.textContent};
	}`)
	if !regexp.MustCompile(`^[0-9]{5,}$`).MatchString(strings.TrimSpace(got.Copied)) ||
		!strings.Contains(got.Read, ",") {
		t.Errorf("a number is copied as %q and read as %q", got.Copied, got.Read)
	}
}
