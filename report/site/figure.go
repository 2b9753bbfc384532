package site

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	_ "image/gif"  // of notebooks
	_ "image/jpeg" // of notebooks
	_ "image/png"
	"io"
	"strings"

	"github.com/siegebook/siegebook/report/content"
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
			if err := isSVG(icon); err != nil {
				return fmt.Errorf("legend entry %q: the icon %w", e.Label, err)
			}
		}
	}
	return nil
}

// imageKind returns the file extension of a drawing: "svg", "png", "jpg" or "gif".
func imageKind(data []byte) (string, error) {
	_, kind, err := image.DecodeConfig(bytes.NewReader(data))
	switch {
	case err == nil:
		return strings.Replace(kind, "jpeg", "jpg", 1), nil
	case !errors.Is(err, image.ErrFormat):
		return "", fmt.Errorf("is a broken %s: %w", strings.ToUpper(kind), err)
	}
	if err := isSVG(data); err != nil {
		return "", fmt.Errorf("is no usable SVG: it %w", err)
	}
	return "svg", nil
}

// isSVG returns an error that completes the sentence "it ..." for data whose first element is not <svg>.
func isSVG(data []byte) error {
	for d := xml.NewDecoder(bytes.NewReader(data)); ; {
		switch token, err := d.Token(); t := token.(type) {
		case xml.StartElement:
			if t.Name.Local == "svg" {
				return nil
			}
			return fmt.Errorf("has the root <%.40s>", t.Name.Local)
		default:
			if errors.Is(err, io.EOF) {
				return errors.New("is empty")
			}
			if err != nil {
				return fmt.Errorf("is no XML: %w", err)
			}
		}
	}
}
