package sanitize

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"image"
	_ "image/gif"  // of outputs
	_ "image/jpeg" // of outputs
	_ "image/png"  // of outputs
	"math"
	"net/url"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/report/content"
)

// Picture is an image that a page can show.
type Picture struct {
	// Data is the image. An SVG is only harmless as an image: see the package comment.
	Data []byte
	// Kind is svg, png, jpg or gif.
	Kind string
	// Width and Height are the size at which it is shown, in CSS pixels.
	Width, Height int
	// Title is what an SVG calls itself; "" for nothing.
	Title string
	// Drawn is how many things a browser draws for it, at most 100,000.
	Drawn int
}

// MostPixels bounds the sides of a picture as it is shown; a larger one is shown smaller.
const MostPixels = 2000

// mostRaster bounds the pixels of an image: a browser needs four bytes for each, whatever its file needs.
const mostRaster = 40_000_000

// mostFile bounds the file of an image of pixels, in bytes.
const mostFile = 16 << 20

// mediaKinds are the media types of the images that a page can show.
var mediaKinds = map[string]string{"image/svg+xml": "svg", "image/png": "png", "image/jpeg": "jpg", "image/gif": "gif"}

// NewPicture checks that an image is of the kind that its media type says, and that a browser shows it in reasonable
// time: a drawing has at most 8 MiB, 100 levels of elements, and 100,000 elements when each part counts as often as the
// drawing uses it. The error says in words for a reader what is wrong with the image.
func NewPicture(mediaType string, data []byte) (*Picture, error) {
	kind, ok := mediaKinds[strings.ToLower(strings.TrimSpace(mediaType))]
	if !ok {
		return nil, fmt.Errorf("the image is of the type %.40q, which a page does not show", mediaType)
	}
	p := &Picture{Data: data, Kind: kind, Drawn: 1}
	if kind == "svg" {
		s, err := readSVG(data)
		if err == nil {
			p.Drawn, err = s.drawn()
		}
		if err != nil {
			return nil, fmt.Errorf("the drawing %w", err)
		}
		p.Data, p.Title = s.data, s.title
		p.Width, p.Height = int(math.Ceil(s.width)), int(math.Ceil(s.height))
	} else if err := p.readRaster(); err != nil {
		return nil, err
	}
	if p.Width <= 0 || p.Height <= 0 {
		return nil, errors.New("the image is empty")
	}
	p.Fit(0)
	return p, nil
}

// readRaster reads the kind and the size of an image of pixels.
func (p *Picture) readRaster() error {
	if len(p.Data) > mostFile {
		return fmt.Errorf("the image is %d bytes, more than the %d that a page shows", len(p.Data), mostFile)
	}
	config, format, err := image.DecodeConfig(bytes.NewReader(p.Data))
	if err != nil {
		return fmt.Errorf("the image is broken: %w", err)
	}
	if format = strings.Replace(format, "jpeg", "jpg", 1); format != p.Kind {
		return fmt.Errorf("the image is called %s but is %s", p.Kind, format)
	}
	if config.Width > 0 && config.Height > mostRaster/config.Width {
		return fmt.Errorf(
			"the image has %d x %d pixels, more than the %d that a page shows", config.Width, config.Height, mostRaster,
		)
	}
	p.Width, p.Height = config.Width, config.Height
	return nil
}

// Fit gives the picture a width, 0 for its own, and keeps its shape.
func (p *Picture) Fit(width int) {
	if width > 0 {
		p.Height = int(math.Round(float64(p.Height) * float64(width) / float64(p.Width)))
		p.Width = width
	}
	if longest := max(p.Width, p.Height); longest > MostPixels {
		p.Width = p.Width * MostPixels / longest
		p.Height = p.Height * MostPixels / longest
	}
	p.Width, p.Height = max(p.Width, 1), max(p.Height, 1)
}

// decodeURL returns the media type and the contents of a data: address.
func decodeURL(address string) (mediaType string, data []byte, err error) {
	rest, ok := strings.CutPrefix(address, "data:")
	head, body, comma := strings.Cut(rest, ",")
	if !ok || !comma {
		return "", nil, errors.New("the image is not inside of the output")
	}
	mediaType, options, _ := strings.Cut(head, ";")
	if strings.HasSuffix(";"+options, ";base64") {
		data, err = DecodeBase64(body)
		return mediaType, data, err
	}
	text, err := url.PathUnescape(body)
	return mediaType, []byte(text), err
}

// DecodeBase64 ignores white space, which files and attributes may have inside.
func DecodeBase64(text string) ([]byte, error) {
	data, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), ""))
	if err != nil {
		return nil, fmt.Errorf("the image is broken: %w", err)
	}
	return data, nil
}

// Figure returns the picture as a figure with an alternative text and a title.
func (p *Picture) Figure(alt, title string) *content.Figure {
	return &content.Figure{Light: p.Data, Width: p.Width, Height: p.Height, Alt: alt, Title: title}
}

// URL is the picture as an address that holds it.
func (p *Picture) URL() string {
	mediaType := map[string]string{
		"svg": "image/svg+xml", "png": "image/png", "jpg": "image/jpeg",
		"gif": "image/gif",
	}[p.Kind]
	return "data:" + mediaType + ";base64," + base64.StdEncoding.EncodeToString(p.Data)
}

// units are the lengths of CSS that do not depend on where the drawing stands, in pixels.
var units = map[string]float64{"": 1, "px": 1, "pt": 4.0 / 3, "pc": 16, "in": 96, "cm": 96 / 2.54, "mm": 9.6 / 2.54}

// pixels reads a length in CSS pixels, 0 if it is none or depends on where the drawing stands.
func pixels(length string) float64 {
	length = strings.ToLower(strings.TrimSpace(length))
	number := strings.TrimRight(length, "abcdefghijklmnopqrstuvwxyz%")
	factor, ok := units[length[len(number):]]
	value, err := strconv.ParseFloat(number, 64)
	if !ok || err != nil || math.IsNaN(value) || math.IsInf(value, 0) || value <= 0 {
		return 0
	}
	return value * factor
}
