package siegebook

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/report/compile"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/report/book"
	"github.com/siegebook/siegebook/internal/report/site"
)

// These are the patterns that the tests look for in a report.
var (
	notices = regexp.MustCompile(
		`(?i)copyright|\x{a9}|@licen[cs]e|@preserve|SPDX-|licensed under|permission is hereby granted|redistribution and use`,
	)
	glyphs = regexp.MustCompile(
		`(?i)@font-face|<font\b|<glyph\b|<font-face|data:(application|font)/|\.woff|\.ttf|\.otf`,
	)
	script = regexp.MustCompile(`(?s)<script([^>]*)>(.*?)</script>`)
)

// fontFiles lists the first bytes of font files.
var fontFiles = []string{"wOFF", "wOF2", "\x00\x01\x00\x00", "OTTO", "true", "ttcf"}

// kinds lists the kinds of files in a report. All are texts that siegebook writes.
var kinds = []string{".html", ".js", ".css", ".svg", ".csv", ".json", ".ipynb", ".py", ".v"}

// withNotice returns a copy of a tree without the known parts by others, and checks their notices. These parts are the
// font of formulas, with its notice in the style sheet and its licence in a separate file, and the engines, which
// contain parts of Go and Starlark. The licences of Go and Starlark are at the head of explore.js.
func withNotice(t *testing.T, tree site.Tree) site.Tree {
	t.Helper()
	rest := maps.Clone(tree)
	notice := regexp.MustCompile(
		`(?s)/\* The font of formulas: [^*]*Copyright[^*]*Open Font License[^*]*math-font-license\.txt[^*]*\*/\n@font-face ` +
			`\{[^}]*url\("data:font/woff2;base64,d09GMg[^}]*\}\n`,
	)
	if !notice.Match(tree["style.css"]) ||
		!bytes.Contains(tree["math-font-license.txt"], []byte("SIL OPEN FONT LICENSE")) {
		t.Error("the report has no font of formulas with its notice and its licence")
	}
	rest["style.css"] = notice.ReplaceAll(tree["style.css"], nil)
	license := must.Get(os.ReadFile("../explore/golicense/LICENSE"))
	other := must.Get(os.ReadFile("../explore/starlarklicense/LICENSE"))
	head := "contain parts of Go:\n\n" + string(license) +
		"\nThe module of pages with an editor contains Starlark in Go:\n\n" + string(other) + "*/"
	if !bytes.Contains(tree["explore.js"], []byte(head)) || len(tree["engine.js"]) == 0 ||
		len(tree["listings.js"]) == 0 {
		t.Error("the report has no engines with the licences of Go and Starlark")
	}
	rest["explore.js"] = bytes.Replace(tree["explore.js"], []byte(head), nil, 1)
	ours := regexp.MustCompile(`(?s)<script type="application/gzip" id="siegebook-engine"[^>]*>.*?</script>|` +
		`<script>//<!\[CDATA\[\n// (The explorables of the book|This script shows previews).*?</script>`)
	for name, page := range tree {
		if !strings.HasPrefix(name, "lesson-kit") { // kits contain the style sheet, the scripts and the engine
			continue
		}
		if !notice.Match(page) || !bytes.Contains(page, []byte(head)) {
			t.Errorf("%s lacks a notice", name)
		}
		rest[name] = ours.ReplaceAll(notice.ReplaceAll(page, nil), nil)
	}
	delete(rest, "engine.js")
	delete(rest, "listings.js")
	delete(rest, "math-font-license.txt")
	return rest
}

// piece is the length in bytes of the pieces by which the test recognises a script.
const piece = 48

// searchText matches the packed texts of the search. These may contain any sequence of letters.
var searchText = regexp.MustCompile(`searched\("[^"]*"\)`)

// foreignParts returns the parts of a report's files that seem to be by others. The script katex must not be in the
// files, and own is the only script that may be in a page.
func foreignParts(tree site.Tree, katex, own string) []string {
	pieces := map[string]bool{}
	for i := 0; i+piece <= len(katex); i += piece / 4 {
		pieces[katex[i:i+piece]] = true
	}
	var found []string
	for _, name := range slices.Sorted(maps.Keys(tree)) {
		data := tree[name]
		if !slices.Contains(kinds, path.Ext(name)) {
			found = append(found, name+" is of a kind that is not known to be ours")
		}
		for _, magic := range fontFiles {
			if bytes.HasPrefix(data, []byte(magic)) {
				found = append(found, name+" is a font")
			}
		}
		plain := searchText.ReplaceAll(data, nil)
		for _, form := range []*regexp.Regexp{notices, glyphs} {
			if m := form.Find(plain); m != nil {
				found = append(found, fmt.Sprintf("%s holds %q", name, m))
			}
		}
		for _, m := range script.FindAllSubmatch(data, -1) {
			if bytes.Contains(m[1], []byte(`type="application/json"`)) ||
				regexp.MustCompile(`^ src="(explore|engine|listings|previews|search)\.js"`).Match(m[1]) {
				continue // the index of the search, or a link to one of our own scripts
			}
			if text := string(m[2]); path.Ext(name) == ".html" && strings.TrimSpace(text) != strings.TrimSpace(own) {
				found = append(found, fmt.Sprintf("%s holds the script %.60q", name, text))
			}
		}
		for i := 0; i+piece <= len(data); i++ {
			if pieces[string(data[i:i+piece])] {
				found = append(found, fmt.Sprintf("%s holds a piece of KaTeX: %q", name, data[i:i+piece]))
				break
			}
		}
	}
	return found
}

// scripts reads the script of KaTeX and the script of the search page.
func scripts(t *testing.T) (katex, own string) {
	t.Helper()
	texts := make([]string, 2)
	for i, name := range []string{
		"../../internal/report/site/internal/tex/katex/katex.min.js", "../../internal/report/site/search.js",
	} {
		data := must.Get(os.ReadFile(name))
		texts[i] = string(data)
	}
	return texts[0], texts[1]
}

// TestNothingForeign makes sure that the page About is right. Except for the font of formulas and the engines, a report
// has no parts by others that require a notice. If a new part requires one, the report must contain the notice, and
// About and docs/third-party.md must name the part.
func TestNothingForeign(t *testing.T) {
	katex, own := scripts(t)
	engines, err := compile.All(t.Context(), siegebook.Explorables, "../..", "")
	must.Do(t, err)
	tree := build(t, book.Options{Settings: small, Engines: engines})
	for _, found := range foreignParts(withNotice(t, tree), katex, own) {
		t.Error(found)
	}
	if about := string(tree["about.html"]); !strings.Contains(about, "STIX Two Math") ||
		!strings.Contains(about, "parts of Go") ||
		!strings.Contains(about, `id="third-party"`) {
		t.Error("the page About does not tell what others have made")
	}
}

// TestForeignParts makes sure that foreignParts finds each kind of part.
func TestForeignParts(t *testing.T) {
	katex, own := scripts(t)
	for name, data := range map[string]string{
		"a.wasm":  "x",
		"a.js":    "/*! Copyright Somebody */",
		"a.woff2": "wOF2",
		"b.css":   "/* Copyright Somebody */",
		"c.css":   "@font-face{font-family:x}",
		"d.html":  "<script>" + katex[1000:1100] + "</script>",
		"e.svg":   `<svg><font><glyph d="M0 0"/></font></svg>`,
		"f.html":  "<script>alert(1)</script>",
		"g.csv":   katex[5000:5200],
	} {
		if found := foreignParts(site.Tree{name: []byte(data)}, katex, own); len(found) == 0 {
			t.Errorf("%s: nothing is found in %.80q", name, data)
		}
	}
	if found := foreignParts(site.Tree{"a.html": []byte("<script>" + own + "</script>")}, katex, own); len(found) > 0 {
		t.Errorf("found: %q", found)
	}
}
