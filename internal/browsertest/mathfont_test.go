package browsertest

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/siegebook/siegebook/internal/must"
)

// mathFont is the folder of the font of formulas.
const mathFont = "../../internal/report/site/mathfont"

// fontCharacters reads the list of characters from which the font is made. The script that makes the font checks that
// it has all of them.
func fontCharacters(t *testing.T) map[rune]bool {
	t.Helper()
	list := must.Get(os.ReadFile(filepath.Join(mathFont, "characters.txt")))
	characters := map[rune]bool{}
	for line := range strings.Lines(string(list)) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		var first, last rune
		if _, err := fmt.Sscanf(line, "U+%X U+%X ", &first, &last); err != nil || first > last {
			t.Fatalf("characters.txt: %q: %v", line, err)
		}
		for c := first; c <= last; c++ {
			characters[c] = true
		}
	}
	return characters
}

// italic returns the letter that a browser shows for a single letter in a formula.
func italic(c rune) rune {
	switch {
	case c == 'h':
		return 'ℎ'
	case 'A' <= c && c <= 'Z':
		return 0x1d434 + c - 'A'
	case 'a' <= c && c <= 'z':
		return 0x1d44e + c - 'a'
	case 'Α' <= c && c <= 'Ω':
		return 0x1d6e2 + c - 'Α'
	case 'α' <= c && c <= 'ω':
		return 0x1d6fc + c - 'α'
	}
	return c
}

// shownInFormulas records the characters that formulas below a node show, with the name of the page.
func shownInFormulas(shown map[rune]string, page string, n *html.Node, inMath bool) {
	inMath = inMath || n.Type == html.ElementNode && n.Data == "math"
	if n.Type == html.ElementNode && strings.HasPrefix(n.Data, "annotation") {
		return
	}
	if n.Type == html.TextNode && inMath {
		text := []rune(strings.TrimSpace(n.Data))
		single := n.Parent.Data == "mi" && len(text) == 1
		for _, a := range n.Parent.Attr {
			single = single && a.Key != "mathvariant"
		}
		for _, c := range text {
			shown[c] = page
			if single {
				shown[italic(c)] = page
			}
		}
	}
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		shownInFormulas(shown, page, child, inMath)
	}
}

// TestMathFontHasAllCharacters checks that the font has all characters in the formulas of the report.
func TestMathFontHasAllCharacters(t *testing.T) {
	t.Parallel()
	shown := map[rune]string{}
	for _, page := range report(t).pages {
		data := must.Get(os.ReadFile(page))
		doc := must.Get(html.Parse(bytes.NewReader(data)))
		shownInFormulas(shown, filepath.Base(page), doc, false)
	}
	if len(shown) < 80 {
		t.Fatalf("only %d characters are in formulas", len(shown))
	}
	characters := fontCharacters(t)
	for c, page := range shown {
		if !characters[c] {
			t.Errorf("%s shows %U %q, which the font of formulas lacks: add it to %s/characters.txt and make the "+
				"font as its subset.mjs says", page, c, c, mathFont)
		}
	}
}

// TestMathFontIsMade builds the font again, and checks that the bytes are the same.
func TestMathFontIsMade(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "math.woff2")
	cmd := exec.CommandContext(t.Context(), "node", filepath.Join(mathFont, "subset.mjs"), checkers(t), out)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	made := must.Get(os.ReadFile(out))
	kept := must.Get(os.ReadFile(filepath.Join(mathFont, "math.woff2")))
	if !bytes.Equal(made, kept) {
		t.Errorf("math.woff2 has %d bytes, made anew %d, and they differ: make it as subset.mjs says", len(kept),
			len(made))
	}
}

// stretches reports whether the font of formulas is loaded. It also returns the smallest height of a floor or ceiling
// sign around a fraction, as a share of the fraction's height.
const stretches = `async () => {
	await document.fonts.ready;
	const loaded = [...document.fonts].some((f) => f.family.includes("siegebook math") && f.status === "loaded");
	const signs = [...document.querySelectorAll("math[display=block] mo[fence]")].filter((mo) => "⌊⌋⌈⌉".includes(mo.textContent.trim()) && mo.parentElement.querySelector("mfrac"));
	const share = signs.map((mo) => mo.getBoundingClientRect().height / mo.parentElement.querySelector("mfrac").getBoundingClientRect().height);
	return JSON.stringify({ loaded, signs: signs.length, least: Math.min(...share) });
}`

// TestMathFontIsUsed opens the report from the disk, as a folder and as one file. It checks that the page's policy
// allows the font, and that floor signs are as high as fractions because of the font's MATH table.
func TestMathFontIsUsed(t *testing.T) {
	t.Parallel()
	r := report(t)
	tab, s := open(t, start(t, false))
	for _, file := range []string{filepath.Join(r.dir, "castle-derivation.html"), r.single} {
		show(t, tab, fileURL(file), 1280)
		got := ask[string](t, tab, stretches)
		var signs int
		var least float64
		if _, err := fmt.Sscanf(got, `{"loaded":true,"signs":%d,"least":%g}`, &signs, &least); err != nil ||
			signs < 2 || least < 0.9 {
			t.Errorf("%s: %s: the font of formulas is not used, or does not stretch", filepath.Base(file),
				strconv.Quote(got))
		}
		t.Logf("%s: %s", filepath.Base(file), got)
		for _, problem := range s.take() {
			t.Errorf("%s: %s", filepath.Base(file), problem)
		}
	}
}
