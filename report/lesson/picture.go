package lesson

import (
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	_ "image/gif"  // of outputs
	_ "image/jpeg" // of outputs
	_ "image/png"  // of outputs
	"io"
	"math"
	"net/url"
	"strconv"
	"strings"
)

// picture is an image of an output that has been checked.
type picture struct {
	data          []byte
	kind          string // svg, png, jpg or gif
	width, height int    // in CSS pixels
	title         string // of an SVG; "" for none
}

// mostPixels bounds the sides of a picture; a larger one is shown smaller.
const mostPixels = 2000

// mediaKinds are the media types of the images that a page can show.
var mediaKinds = map[string]string{"image/svg+xml": "svg", "image/png": "png", "image/jpeg": "jpg", "image/gif": "gif"}

// newPicture checks an image: that it is whole, of the kind that its media type says, and if it is an SVG, that it
// neither runs nor loads anything.
func newPicture(mediaType string, data []byte) (*picture, error) {
	kind, ok := mediaKinds[strings.ToLower(strings.TrimSpace(mediaType))]
	if !ok {
		return nil, fmt.Errorf("the image is of the type %.40q, which a page does not show", mediaType)
	}
	p := &picture{data: data, kind: kind}
	if kind == "svg" {
		if err := p.readSVG(); err != nil {
			return nil, fmt.Errorf("the drawing %w", err)
		}
	} else {
		config, format, err := image.DecodeConfig(bytes.NewReader(data))
		if err != nil {
			return nil, fmt.Errorf("the image is broken: %w", err)
		}
		if format = strings.Replace(format, "jpeg", "jpg", 1); format != kind {
			return nil, fmt.Errorf("the image is called %s but is %s", kind, format)
		}
		p.width, p.height = config.Width, config.Height
	}
	if p.width <= 0 || p.height <= 0 {
		return nil, errors.New("the image is empty")
	}
	p.fit(0)
	return p, nil
}

// fit gives the picture a width, 0 for its own, and keeps its shape.
func (p *picture) fit(width int) {
	if width > 0 {
		p.height = int(math.Round(float64(p.height) * float64(width) / float64(p.width)))
		p.width = width
	}
	if longest := max(p.width, p.height); longest > mostPixels {
		p.width = p.width * mostPixels / longest
		p.height = p.height * mostPixels / longest
	}
	p.width, p.height = max(p.width, 1), max(p.height, 1)
}

// decodeDataURL returns the media type and the contents of a data: address.
func decodeDataURL(address string) (mediaType string, data []byte, err error) {
	rest, ok := strings.CutPrefix(address, "data:")
	head, body, comma := strings.Cut(rest, ",")
	if !ok || !comma {
		return "", nil, errors.New("the image is not inside of the output")
	}
	mediaType, options, _ := strings.Cut(head, ";")
	if strings.HasSuffix(";"+options, ";base64") {
		data, err = decodeBase64(body)
		return mediaType, data, err
	}
	text, err := url.PathUnescape(body)
	return mediaType, []byte(text), err
}

// decodeBase64 ignores white space, which files and attributes may have inside.
func decodeBase64(text string) ([]byte, error) {
	data, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), ""))
	if err != nil {
		return nil, fmt.Errorf("the image is broken: %w", err)
	}
	return data, nil
}

// dataURL is the picture inside of a page.
func (p *picture) dataURL() string {
	mediaType := map[string]string{"svg": "image/svg+xml", "png": "image/png", "jpg": "image/jpeg", "gif": "image/gif"}[p.kind]
	return "data:" + mediaType + ";base64," + base64.StdEncoding.EncodeToString(p.data)
}

// mostNested bounds how deep the elements of an SVG are nested, so that none can exhaust a browser's stack.
const mostNested = 200

// readSVG checks an SVG and reads its size and title. A document type is refused with all that it may define.
func (p *picture) readSVG() error {
	d := xml.NewDecoder(bytes.NewReader(p.data))
	depth, seen := 0, false
	var inside []string
	var title strings.Builder
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("is no XML: %w", err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			if depth == 0 && (t.Name.Local != "svg" || seen) {
				return fmt.Errorf("has the root <%.40s>, not one <svg>", t.Name.Local)
			}
			if depth == 0 {
				p.size(t)
			}
			if err := checkElement(t); err != nil {
				return err
			}
			seen = true
			inside = append(inside, t.Name.Local)
			if depth++; depth > mostNested {
				return fmt.Errorf("is nested more than %d levels deep", mostNested)
			}
		case xml.EndElement:
			depth--
			inside = inside[:len(inside)-1]
		case xml.CharData:
			if depth == 2 && inside[1] == "title" {
				title.Write(t)
			}
			if depth > 0 && inside[depth-1] == "style" {
				if err := checkStyle(string(t)); err != nil {
					return err
				}
			}
		case xml.ProcInst:
			if t.Target != "xml" {
				return fmt.Errorf("holds <?%.40s?>", t.Target)
			}
		case xml.Directive:
			if kind := strings.ToUpper(string(t[:min(len(t), 7)])); kind != "DOCTYPE" || bytes.ContainsAny(t, "[") {
				return errors.New("holds a definition of its own markup")
			}
		}
	}
	if !seen {
		return errors.New("is empty")
	}
	p.title = strings.Join(strings.Fields(title.String()), " ")
	return nil
}

// refused are elements that run something, hold other documents, or change attributes behind the back of a check.
var refused = []string{
	"script", "foreignobject", "handler", "listener", "iframe", "object", "embed", "audio", "video", "set", "animate",
	"animatetransform", "animatemotion", "a",
}

func checkElement(e xml.StartElement) error {
	name := strings.ToLower(e.Name.Local)
	for _, r := range refused {
		if name == r {
			return fmt.Errorf("holds <%s>", name)
		}
	}
	if e.Name.Space != "" && strings.Contains(e.Name.Space, "xhtml") {
		return fmt.Errorf("holds the HTML element <%.40s>", name)
	}
	for _, a := range e.Attr {
		attribute := strings.ToLower(a.Name.Local)
		value := strings.TrimSpace(a.Value)
		switch {
		case strings.HasPrefix(attribute, "on"):
			return fmt.Errorf("has the event handler %.40s", attribute)
		case attribute == "href" || attribute == "src":
			if !strings.HasPrefix(value, "#") && !rasterURL(value) {
				return fmt.Errorf("refers to %.40q outside of itself", value)
			}
		case a.Name.Space == "xmlns" || a.Name.Local == "xmlns":
		default:
			if err := checkStyle(value); err != nil {
				return err
			}
		}
	}
	return nil
}

// rasterURL says whether an address holds an image of pixels, which cannot hold anything else.
func rasterURL(address string) bool {
	for _, kind := range []string{"png", "jpeg", "gif"} {
		if strings.HasPrefix(address, "data:image/"+kind+";base64,") {
			return true
		}
	}
	return false
}

// checkStyle refuses style rules and attributes that load something: all that url() may name is a part of the drawing.
func checkStyle(css string) error {
	lower := strings.ToLower(css)
	for _, word := range []string{"@import", "expression(", "javascript:", "behavior:", "-moz-binding", "image-set(", "src("} {
		if strings.Contains(lower, word) {
			return fmt.Errorf("has a style with %s", strings.TrimRight(word, "(:"))
		}
	}
	if strings.Contains(css, `\`) && strings.Contains(lower, "{") {
		return errors.New("has a style with an escape, which may hide anything")
	}
	for rest := lower; ; {
		_, after, found := strings.Cut(rest, "url(")
		if !found {
			return nil
		}
		target := strings.TrimLeft(after, ` "'`)
		if !strings.HasPrefix(target, "#") && !rasterURL(target) {
			return fmt.Errorf("has a style that loads %.40q", target)
		}
		rest = after
	}
}

// size reads the size of a drawing from its root, and where it gives none, from its view box.
func (p *picture) size(root xml.StartElement) {
	var viewWidth, viewHeight, width, height float64
	for _, a := range root.Attr {
		switch a.Name.Local {
		case "width":
			width = pixels(a.Value)
		case "height":
			height = pixels(a.Value)
		case "viewBox":
			if box := strings.Fields(strings.ReplaceAll(a.Value, ",", " ")); len(box) == 4 {
				viewWidth, viewHeight = pixels(box[2]), pixels(box[3])
			}
		}
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
	p.width, p.height = int(math.Ceil(min(width, 1e6))), int(math.Ceil(min(height, 1e6)))
}

// units are the lengths of CSS that do not depend on where the drawing stands, in pixels.
var units = map[string]float64{"": 1, "px": 1, "pt": 4.0 / 3, "pc": 16, "in": 96, "cm": 96 / 2.54, "mm": 9.6 / 2.54}

// pixels reads a length, 0 if it is none or depends on where the drawing stands.
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
