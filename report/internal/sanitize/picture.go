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
)

// Picture is an image of which a page can show all that it is.
type Picture struct {
	// Data is the image, an SVG in the form in which this package writes it.
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

// NewPicture checks an image: that it is of the kind that its media type says, and if it is an SVG, that it neither
// runs nor loads anything and is drawn in reasonable time. The error says in words for a reader what is wrong with it.
func NewPicture(mediaType string, data []byte) (*Picture, error) {
	kind, ok := mediaKinds[strings.ToLower(strings.TrimSpace(mediaType))]
	if !ok {
		return nil, fmt.Errorf("the image is of the type %.40q, which a page does not show", mediaType)
	}
	p := &Picture{Data: data, Kind: kind, Drawn: 1}
	if kind == "svg" {
		d, err := readBounded(data)
		if err != nil {
			return nil, fmt.Errorf("the drawing %w", err)
		}
		p.size(d.root)
		p.Data, p.Title, p.Drawn = d.bytes(), d.title(), d.drawn
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
		return fmt.Errorf("the image has %d x %d pixels, more than the %d that a page shows", config.Width, config.Height, mostRaster)
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

// URL is the picture as an address that holds it.
func (p *Picture) URL() string {
	mediaType := map[string]string{"svg": "image/svg+xml", "png": "image/png", "jpg": "image/jpeg", "gif": "image/gif"}[p.Kind]
	return "data:" + mediaType + ";base64," + base64.StdEncoding.EncodeToString(p.Data)
}

// size reads the size of a drawing from its root, and where it gives none, from its view box.
func (p *Picture) size(root *element) {
	width, height := pixels(root.attr("width")), pixels(root.attr("height"))
	var viewWidth, viewHeight float64
	if box := strings.Fields(strings.ReplaceAll(root.attr("viewBox"), ",", " ")); len(box) == 4 {
		viewWidth, viewHeight = pixels(box[2]), pixels(box[3])
	}
	switch {
	case width > 0 && height > 0:
	case viewWidth > 0 && viewHeight > 0 && width > 0:
		height = width * viewHeight / viewWidth
	case viewWidth > 0 && viewHeight > 0 && height > 0:
		width = height * viewWidth / viewHeight
	case viewWidth > 0 && viewHeight > 0:
		width, height = viewWidth, viewHeight
	default:
		width, height = 640, 480
	}
	p.Width, p.Height = int(math.Ceil(min(width, 1e6))), int(math.Ceil(min(height, 1e6)))
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
