package figure

import (
	"regexp"
	"testing"
)

// TestColors: what is drawn outside of figures has their colours, and two swatches never look alike there.
func TestColors(t *testing.T) {
	form := regexp.MustCompile(`^#[0-9a-f]{6}$`)
	seen := map[[2]FillColor]Swatch{}
	for s := Auto + 1; s < swatchEnd; s++ {
		light, dark := s.Colors()
		for _, c := range []string{light.Ground, light.Mark, dark.Ground, dark.Mark} {
			if !form.MatchString(c) {
				t.Errorf("swatch %d: the colour %q", s, c)
			}
		}
		if other, ok := seen[[2]FillColor{light, dark}]; ok {
			t.Errorf("swatches %d and %d look alike", s, other)
		}
		seen[[2]FillColor{light, dark}] = s
	}
	if light, _ := Vermilion.Colors(); light != (FillColor{"#d55e00", "#7a3400", "#000000", "falling"}) {
		t.Errorf("vermilion: %v", light)
	}
	if scale := Scale(); len(scale) != 9 || scale[0] != "#440154" || scale[8] != "#fde725" {
		t.Errorf("the scale: %v", scale)
	}
	defer func() {
		if recover() == nil {
			t.Error("Auto has no colour of its own")
		}
	}()
	Auto.Colors()
}
