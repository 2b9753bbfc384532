package site

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Palette maps the names of colours in the style sheet to the colours of a colour scheme, in the form #rrggbb. The
// names are ground, ground-soft, ink, ink-soft and link. "" means the style sheet's own colour.
type Palette map[string]string

// Fonts contains lists of font families for running text, for menus and captions, and for code. "" means the families
// of the style sheet.
type Fonts struct{ Text, Menus, Code string }

// Problem is a fault in a setting: the setting's name, such as colours.ink, colours.dark.ink or fonts.text, and one
// line that states what is wrong and how to fix it.
type Problem struct{ Name, Message string }

// leastContrast is the minimum contrast between text and its background according to WCAG 2.2.
const leastContrast = 4.5

var (
	colourForm   = regexp.MustCompile(`^#[0-9a-fA-F]{6}$`)
	colourOfName = regexp.MustCompile(`--([a-z-]+): (#[0-9a-f]{6});`)
	familyForm   = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9 -]*$`)
)

// darkScheme precedes the dark colours in the style sheet.
const darkScheme = "@media screen and (prefers-color-scheme: dark)"

// palettes returns the light and the dark colours of the style sheet.
func palettes() (schemes [2]Palette) {
	light, rest, _ := strings.Cut(styleSource, darkScheme)
	dark, _, _ := strings.Cut(rest, "/* Page */")
	for i, css := range []string{light, dark} {
		schemes[i] = Palette{}
		for _, m := range colourOfName.FindAllStringSubmatch(css, -1) {
			schemes[i][m[1]] = m[2]
		}
	}
	return schemes
}

// inkPairs returns the names of all pairs of text colour and background colour that pages use.
func inkPairs(p Palette) [][2]string {
	pairs := [][2]string{
		{"ink", "ground"},
		{"ink-soft", "ground"},
		{"link", "ground"},
		{"ink", "ground-soft"},
		{"ink-soft", "ground-soft"},
		{"link", "ground-soft"},
	}
	for _, name := range slices.Sorted(maps.Keys(p)) {
		if tone, ok := strings.CutSuffix(name, "-ink"); ok {
			// A callout's background is a mix of its tone's ground and the page's ground, so it is enough to check
			// both.
			pairs = append(pairs, [2]string{name, tone + "-ground"}, [2]string{name, "ground"}, [2]string{
				"ink", tone + "-ground",
			})
		}
		if strings.HasPrefix(name, "tok-") {
			pairs = append(pairs, [2]string{name, "ground-soft"}, [2]string{name, "cyan-ground"}) // selected text
		}
	}
	return pairs
}

// luminance returns the relative luminance of a colour #rrggbb as defined in WCAG 2.2.
func luminance(colour string) float64 {
	v, _ := strconv.ParseUint(colour[1:], 16, 32) // cannot fail: the form has been checked
	channel := func(shift int) float64 {
		c := float64(v>>shift&0xff) / 255
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*channel(16) + 0.7152*channel(8) + 0.0722*channel(0)
}

func contrast(a, b string) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// Theme returns the CSS for colours and fonts, or "" if there are none. inks are the colours of letters in figures on
// light and on dark pages; the background of figures is the page's ground. Printed pages keep the style sheet's
// colours.
func Theme(light, dark Palette, fonts Fonts, inks [2][]string) (css string, problems []Problem) {
	own := palettes()
	var schemes [2]string
	for i, chosen := range []Palette{light, dark} {
		prefix := []string{"colours.", "colours.dark."}[i]
		scheme := []string{"light", "dark"}[i]
		for _, name := range slices.Sorted(maps.Keys(chosen)) {
			switch colour := chosen[name]; {
			case colour == "":
			case !colourForm.MatchString(colour):
				problems = append(problems, Problem{
					prefix + name, fmt.Sprintf("%.40q is not a colour: write it as #rrggbb, in quotation "+
						"marks", colour),
				})
			default:
				own[i][name] = strings.ToLower(colour)
			}
			if light[name]+dark[name] != "" { // if one scheme sets a colour, the other sets it too
				schemes[i] += "  --" + name + ": " + own[i][name] + ";\n"
			}
		}
		// worst maps each chosen colour to its lowest contrast.
		worst := map[string]float64{}
		words := map[string]string{}
		judge := func(ink, inkColour, ground string) {
			ratio := contrast(inkColour, own[i][ground])
			at := ink
			if chosen[ink] == "" {
				at = ground
			}
			if least, known := worst[at]; chosen[at] == "" || ratio >= leastContrast || known && least <= ratio {
				return
			}
			worst[at] = ratio
			words[at] = fmt.Sprintf("the contrast of %s %s on %s %s is %.2f in the %s scheme, but text needs at "+
				"least %.1f: choose colours that differ "+
				"more", ink, inkColour, ground, own[i][ground], ratio, scheme, leastContrast)
		}
		for _, pair := range inkPairs(own[i]) {
			judge(pair[0], own[i][pair[0]], pair[1])
		}
		for _, ink := range inks[i] {
			judge("the letters of figures", ink, "ground")
		}
		for _, name := range slices.Sorted(maps.Keys(words)) {
			problems = append(problems, Problem{prefix + name, words[name]})
		}
	}
	if schemes[0]+schemes[1] != "" {
		css = "@media screen { :root {\n" + schemes[0] + "} }\n" + darkScheme + " { :root {\n" + schemes[1] + "} }\n"
	}
	families := ""
	for _, f := range []struct{ key, name, list, last string }{
		{"fonts.text", "serif", fonts.Text, "serif"},
		{"fonts.menus", "sans", fonts.Menus, "sans-serif"},
		{"fonts.code", "mono", fonts.Code, "monospace"},
	} {
		list, bad := familyList(f.list, f.last)
		if bad != "" {
			problems = append(problems, Problem{
				f.key,
				fmt.Sprintf("%.40q is not a font name: use only letters, digits and spaces, and separate names with "+
					"commas", bad),
			})
		} else if list != "" {
			families += "  --" + f.name + ": " + list + ";\n"
		}
	}
	if families != "" {
		css += ":root {\n" + families + "}\n"
	}
	if css != "" {
		css = "\n/* The book's own colours and fonts */\n" + css
	}
	return css, problems
}

// familyList returns a list of families as CSS, with last appended. bad is the first entry that is not a valid name.
func familyList(list, last string) (css, bad string) {
	if strings.TrimSpace(list) == "" {
		return "", ""
	}
	var names []string
	for name := range strings.SplitSeq(list, ",") {
		name = strings.Trim(strings.TrimSpace(name), `"'`)
		if !familyForm.MatchString(name) {
			return "", cmp.Or(name, ",")
		}
		if slices.Contains([]string{"serif", "sans-serif", "monospace", "system-ui", "ui-monospace"}, name) {
			names = append(names, name)
		} else {
			names = append(names, `"`+name+`"`)
		}
	}
	return strings.Join(append(names, last), ", "), ""
}
