package figure

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/siegebook/siegebook/report/content"
)

// Class gives one value of a map, or of a tree's nodes or a board's pieces, a name and a look.
type Class struct {
	// Value is the integer that stands for the class in the input.
	Value int
	// Label names it in legend and alternative text; required, unique within a figure.
	Label string
	// Short names it where there is no room for the label, in at most 16 characters; may be empty.
	Short string
	// Sign is a text of at most 8 characters, such as "✗", drawn where the class covers enough room; may be empty.
	Sign string
	// Swatch is the look; Auto takes the next free colour. No two classes of one figure may share a swatch.
	Swatch Swatch
}

// short is the short name with its sign, if there is one.
func (k Class) short() string {
	if k.Short == "" {
		return ""
	}
	return strings.TrimSpace(k.Sign + " " + k.Short)
}

// classes checks classes and gives each its look.
func (c *checker) classes(classes []Class) []fill {
	c.size("Classes", len(classes), 0, maxClasses, "classes")
	used := map[Swatch]bool{}
	for i, k := range classes {
		name := fmt.Sprintf("Classes[%d]", i)
		c.name(name+".Label", k.Label)
		c.text(name+".Short", k.Short)
		c.require(utf8.RuneCountInString(k.Short) <= 16, "%s.Short is %q; give at most 16 characters", name, k.Short)
		c.text(name+".Sign", k.Sign)
		c.require(utf8.RuneCountInString(k.Sign) <= 8, "%s.Sign is %q; give at most 8 characters", name, k.Sign)
		c.require(k.Swatch >= Auto && k.Swatch < swatchEnd, "%s.Swatch is %d; use one of the named swatches", name,
			k.Swatch)
		c.require(k.Swatch == Auto || !used[k.Swatch], "%s.Swatch %d is taken; give every class its own or Auto", name,
			k.Swatch)
		used[k.Swatch] = true
		for _, o := range classes[:i] {
			c.require(o.Value != k.Value, "%s.Value %d is listed twice; list every value once", name, k.Value)
			c.require(o.Label != k.Label, "%s.Label %q is listed twice; name every class differently", name, k.Label)
		}
	}
	if c.err != nil {
		return nil
	}
	looks := make([]fill, len(classes))
	for i, k := range classes {
		if k.Swatch == Auto {
			free := slices.IndexFunc(coloured, func(s Swatch) bool { return !used[s] })
			if free < 0 {
				c.failf("Classes[%d] finds no free swatch; give some classes Quiet, Blocked or Missing", i)
				return nil
			}
			k.Swatch = coloured[free]
			used[k.Swatch] = true
		}
		looks[i] = swatches[k.Swatch]
	}
	return looks
}

// outcomes checks the classes of a figure in which 0 means no class.
func (c *checker) outcomes(classes []Class) []fill {
	for i, k := range classes {
		c.require(k.Value != 0, "Classes[%d].Value is 0, which means no class; number the classes from 1", i)
	}
	return c.classes(classes)
}

// outcome checks that a class is listed, or none.
func (c *checker) outcome(name string, classes []Class, value int) {
	known := value == 0 || classOf(classes, value) >= 0
	c.require(known, "%s has Class %d, which Classes does not list; add the class or use 0", name, value)
}

// classOf returns the number of a value's class, -1 for none.
func classOf(classes []Class, value int) int {
	return slices.IndexFunc(classes, func(k Class) bool { return k.Value == value })
}

// Size of a legend's icon in pixels.
const iconWidth, iconHeight = 28, 18

// iconMiddle is where a sign or the middle of a line stands in an icon.
var iconMiddle = pos{iconWidth / 2, iconHeight / 2}

// drawnEntry is an entry of a legend whose icon is painted in both themes.
func drawnEntry(e content.LegendEntry, paint func(*stage)) content.LegendEntry {
	e.Icon, e.DarkIcon = icon(light, paint), icon(dark, paint)
	return e
}

// areaEntry is the legend of a filled area.
func areaEntry(label, sign string, f fill, counted string) content.LegendEntry {
	return drawnEntry(content.LegendEntry{Label: label, Count: counted, Sign: sign}, func(s *stage) {
		b := box{1, 1, iconWidth - 1, iconHeight - 1}
		s.cover(b, f)
		s.outline(b, solidLine(s.muted, 1))
	})
}

// lineEntry is the legend of a line.
func lineEntry(label string, k stroke) content.LegendEntry {
	return drawnEntry(content.LegendEntry{Label: label}, func(s *stage) {
		s.line(k.line(s.theme), pos{1, iconHeight / 2}, pos{iconWidth - 1, iconHeight / 2})
		s.marker(iconMiddle, k.marker, k.colour[s.theme], markerRadius)
	})
}

// icon draws a small decorative picture; the entry's text says what it means.
func icon(t theme, paint func(*stage)) []byte {
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" `+
		`aria-hidden="true"><g fill="none">`+
		"\n%s</g></svg>\n", iconWidth, iconHeight, iconWidth, iconHeight, render(iconWidth, iconHeight, t, paint))
}
