package figure

import (
	"testing"

	"github.com/go-fonts/dejavu/dejavusans"
	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// TestAdvances compares the widths of letters with the font itself.
func TestAdvances(t *testing.T) {
	f, err := opentype.Parse(dejavusans.TTF)
	if err != nil {
		t.Fatal(err)
	}
	var buffer sfnt.Buffer
	for r := rune(0x20); r < 0x3000; r++ {
		glyph, err := f.GlyphIndex(&buffer, r)
		if err != nil {
			t.Fatal(err)
		}
		want := unitsPerEm
		if glyph != 0 {
			advance, err := f.GlyphAdvance(&buffer, glyph, fixed.I(unitsPerEm), font.HintingNone)
			if err != nil {
				t.Fatal(err)
			}
			want = advance.Round()
		}
		if got := textWidth(string(r)); got != float64(want)*narrowSize/unitsPerEm {
			t.Errorf("%q is %v wide, in the font %d units", r, got, want)
		}
	}
}
