package figure

import (
	"fmt"

	"github.com/siegebook/siegebook/report/content"
)

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
