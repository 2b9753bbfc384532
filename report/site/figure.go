package site

import (
	"bytes"
	"fmt"
	"image/png"

	"github.com/siegebook/siegebook/report/content"

	"github.com/siegebook/siegebook/report/internal/foreign"
)

func validateFigure(f *content.Figure) error {
	if err := f.Validate(); err != nil {
		return err
	}
	kind, err := imageKind(f.Light)
	if err != nil {
		return fmt.Errorf("the light drawing %w", err)
	}
	if f.Dark != nil {
		dark, err := imageKind(f.Dark)
		if err != nil {
			return fmt.Errorf("the dark drawing %w", err)
		}
		if dark != kind {
			return fmt.Errorf("the light drawing is %s, the dark one is %s: make them alike", kind, dark)
		}
	}
	for _, e := range f.Legend {
		for _, icon := range []content.Drawing{e.Icon, e.DarkIcon} {
			if icon == nil {
				continue
			}
			if err := foreign.CheckSVG(icon); err != nil {
				return fmt.Errorf("legend entry %q: the icon %w", e.Label, err)
			}
		}
	}
	return nil
}

// imageKind returns the file extension of a drawing, "svg" or "png", after checking that it is whole, and that an SVG
// neither runs nor loads anything.
func imageKind(data []byte) (string, error) {
	if bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")) {
		if _, err := png.DecodeConfig(bytes.NewReader(data)); err != nil {
			return "", fmt.Errorf("is a broken PNG: %w", err)
		}
		return "png", nil
	}
	if err := foreign.CheckSVG(data); err != nil {
		return "", fmt.Errorf("is no usable SVG: it %w", err)
	}
	return "svg", nil
}

func isPNG(f *content.Figure) bool { return bytes.HasPrefix(f.Light, []byte("\x89PNG")) }
