package site

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	_ "image/gif"  // of notebooks
	_ "image/jpeg" // of notebooks
	_ "image/png"
	"strings"

	"github.com/siegebook/siegebook/report/content"

	"github.com/siegebook/siegebook/report/internal/sanitize"
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
			if err := sanitize.CheckSVG(icon); err != nil {
				return fmt.Errorf("legend entry %q: the icon %w", e.Label, err)
			}
		}
	}
	return nil
}

// imageKind returns the file extension of a drawing, "svg", "png", "jpg" or "gif", after checking that it is whole, and
// that an SVG neither runs nor loads anything.
func imageKind(data []byte) (string, error) {
	_, kind, err := image.DecodeConfig(bytes.NewReader(data))
	switch {
	case err == nil:
		return strings.Replace(kind, "jpeg", "jpg", 1), nil
	case !errors.Is(err, image.ErrFormat):
		return "", fmt.Errorf("is a broken %s: %w", strings.ToUpper(kind), err)
	}
	if err := sanitize.CheckSVG(data); err != nil {
		return "", fmt.Errorf("is no usable SVG: it %w", err)
	}
	return "svg", nil
}
