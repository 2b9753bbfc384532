package site

import (
	"bytes"
	"errors"
	"fmt"
	"image/png"
	"strings"

	"github.com/siegebook/siegebook/report/content"

	"github.com/siegebook/siegebook/report/internal/foreign"
)

func validateFigure(f *content.Figure) error {
	switch {
	case !content.ValidID(f.ID):
		return errors.New("an id has lower-case letters, digits and single hyphens only")
	case f.Width <= 0 || f.Height <= 0:
		return fmt.Errorf("its size is %d x %d: set Width and Height to the drawing's size in pixels", f.Width, f.Height)
	case strings.TrimSpace(f.Alt) == "":
		return errors.New("it has no alt text: set Alt to what the drawing shows, in words")
	}
	for _, part := range []struct {
		name    string
		records content.Records
	}{{"data", f.Data}, {"summary", f.Summary}} {
		if err := part.records.Validate(); err != nil {
			return fmt.Errorf("its %s: %w", part.name, err)
		}
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
		if err := validateLegend(&e); err != nil {
			return err
		}
	}
	return nil
}

func validateLegend(e *content.LegendEntry) error {
	switch {
	case strings.TrimSpace(e.Label) == "":
		return errors.New("a legend entry has no label")
	case e.Sign == "" && e.Icon == nil:
		return fmt.Errorf("legend entry %q has neither an icon nor a sign", e.Label)
	case e.Icon == nil && e.DarkIcon != nil:
		return fmt.Errorf("legend entry %q has a dark icon but no light one", e.Label)
	}
	for _, icon := range [][]byte{e.Icon, e.DarkIcon} {
		if icon == nil {
			continue
		}
		if err := foreign.CheckSVG(icon); err != nil {
			return fmt.Errorf("legend entry %q: the icon %w", e.Label, err)
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
