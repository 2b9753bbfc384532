package sanitize

import (
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	_ "image/gif"  // outputs may contain GIF
	_ "image/jpeg" // outputs may contain JPEG
	_ "image/png"  // outputs may contain PNG
	"io"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/siegebook/siegebook/report/content"
)

// Picture is an image that a page can show.
type Picture struct {
	// Data is the image. An SVG is harmless only as an image; see the package comment.
	Data []byte
	// Kind is svg, png, jpg or gif.
	Kind string
	// Width and Height are the size in CSS pixels at which a page shows the image.
	Width, Height int
	// Title is the title of an SVG; "" if it has none.
	Title string
	// Drawn is the number of elements that a browser draws for the image, at most 100,000.
	Drawn int

	mediaType string
}

// MostPixels is the maximum width and height at which a picture is shown. Larger pictures are scaled down.
const MostPixels = 2000

// mostRaster is the maximum number of pixels of an image. A browser needs four bytes for each pixel, however small the
// file is.
const mostRaster = 40_000_000

// mostFile is the maximum size in bytes of a raster image's file.
const mostFile = 16 << 20

// mediaKinds maps the media types of images that a page can show to kinds.
var mediaKinds = map[string]string{"image/svg+xml": "svg", "image/png": "png", "image/jpeg": "jpg", "image/gif": "gif"}

// NewPicture checks that an image has the kind that its media type specifies, and that a browser can show it in
// reasonable time. A drawing may have up to 8 MiB, 100 levels of elements, and 100,000 elements, where each part counts
// as often as the drawing uses it. The error is a message for readers.
func NewPicture(mediaType string, data []byte) (*Picture, error) {
	known := strings.ToLower(strings.TrimSpace(mediaType))
	kind, ok := mediaKinds[known]
	if !ok {
		return nil, fmt.Errorf("the image has the type %.40q, which a page cannot show", mediaType)
	}
	p := &Picture{Data: data, Kind: kind, Drawn: 1, mediaType: known}
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

// readRaster reads the kind and the size of a raster image.
func (p *Picture) readRaster() error {
	if len(p.Data) > mostFile {
		return fmt.Errorf("the image has %d bytes, but a page shows at most %d", len(p.Data), mostFile)
	}
	config, format, err := image.DecodeConfig(bytes.NewReader(p.Data))
	if err != nil {
		return fmt.Errorf("the image is broken: %w", err)
	}
	if format = strings.Replace(format, "jpeg", "jpg", 1); format != p.Kind {
		return fmt.Errorf("the image claims to be %s but is %s", p.Kind, format)
	}
	if config.Width > 0 && config.Height > mostRaster/config.Width {
		return fmt.Errorf(
			"the image has %d x %d pixels, but a page shows at most %d", config.Width, config.Height, mostRaster,
		)
	}
	p.Width, p.Height = config.Width, config.Height
	return nil
}

// Fit scales the picture to a width and keeps its proportions. If width is 0, the picture keeps its own width.
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
		return "", nil, errors.New("the image is not part of the output")
	}
	mediaType, options, _ := strings.Cut(head, ";")
	if strings.HasSuffix(";"+options, ";base64") {
		data, err = DecodeBase64(body)
		return mediaType, data, err
	}
	text, err := url.PathUnescape(body)
	return mediaType, []byte(text), err
}

// DecodeBase64 decodes base64. It ignores white space, which may occur in files and attributes.
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

// URL returns the picture as a data: address.
func (p *Picture) URL() string {
	return "data:" + p.mediaType + ";base64," + base64.StdEncoding.EncodeToString(p.Data)
}

// units maps the absolute units of CSS to pixels.
var units = map[string]float64{"": 1, "px": 1, "pt": 4.0 / 3, "pc": 16, "in": 96, "cm": 96 / 2.54, "mm": 9.6 / 2.54}

// pixels returns a length in CSS pixels. It returns 0 if the string is not a length, or if the length depends on the
// context of the drawing.
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

// These are the limits of a drawing. The largest plots in use have about ten thousand elements.
const (
	mostSVG   = 8 << 20 // bytes of an SVG
	mostDrawn = 100_000 // elements, counted as often as they are drawn; a browser draws about ten thousand per second
	mostShort = 40      // characters of a sign or a count in a legend, which are not wrapped
)

// svg is a parsed drawing.
type svg struct {
	data          []byte
	width, height float64
	title         string
	elements      []element // parents first
	parts         map[string]int
}

// element is an element of a drawing, with the data needed to limit the cost of drawing.
type element struct {
	children []int
	href     string // the id of the part that it repeats; "" if it repeats none
	drawn    int    // elements drawn for it and its content; 0 if not yet computed, -1 during the computation
}

// readSVG reads a drawing. The error completes the sentence "the drawing ...".
func readSVG(data []byte) (*svg, error) {
	if len(data) > mostSVG {
		return nil, fmt.Errorf("has %d bytes, but a page shows at most %d", len(data), mostSVG)
	}
	s := &svg{data: data, parts: map[string]int{}}
	var open []int // open elements, the innermost last
	var names []string
	rootAt, unboundLink := int64(0), false
	for d := xml.NewDecoder(bytes.NewReader(data)); ; {
		at := d.InputOffset()
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("is not XML: %w", err)
		}
		switch t := token.(type) {
		case xml.Directive:
			if bytes.ContainsAny(t, "[") {
				return nil, errors.New("contains a definition of its own markup")
			}
		case xml.StartElement:
			i := len(s.elements)
			if len(open) == 0 {
				if t.Name.Local != "svg" || i > 0 {
					return nil, fmt.Errorf("has a root <%.40s>, but must have exactly one root, <svg>", t.Name.Local)
				}
				rootAt = at
				s.size(t)
			} else {
				parent := &s.elements[open[len(open)-1]]
				parent.children = append(parent.children, i)
			}
			e := element{}
			for _, a := range t.Attr {
				switch {
				case a.Name.Local == "href":
					unboundLink = unboundLink || a.Name.Space == "xlink"
					e.href = strings.TrimPrefix(strings.TrimSpace(a.Value), "#")
				case a.Name.Local == "id" && a.Name.Space == "":
					if _, taken := s.parts[a.Value]; !taken {
						s.parts[a.Value] = i
					}
				}
			}
			s.elements = append(s.elements, e)
			open, names = append(open, i), append(names, t.Name.Local)
			if len(open) > mostNested {
				return nil, fmt.Errorf("is nested more than %d levels deep", mostNested)
			}
		case xml.EndElement:
			open, names = open[:len(open)-1], names[:len(names)-1]
		case xml.CharData:
			if slices.Equal(names, []string{"svg", "title"}) {
				s.title = strings.Join(strings.Fields(s.title+" "+string(t)), " ")
			}
		}
	}
	if len(s.elements) == 0 {
		return nil, errors.New("is empty")
	}
	s.addNamespaces(int(rootAt), unboundLink)
	return s, nil
}

// addNamespaces adds the namespaces that a drawing needs as an image but can omit inside HTML.
func (s *svg) addNamespaces(root int, link bool) {
	const start = "<svg"
	if !bytes.HasPrefix(s.data[root:], []byte(start)) {
		return // the root has a prefix, so its namespace is declared
	}
	head, rest := s.data[:root+len(start)], s.data[root+len(start):]
	tag, _, _ := bytes.Cut(rest, []byte(">"))
	more := ""
	if !bytes.Contains(tag, []byte("xmlns=")) {
		more += ` xmlns="http://www.w3.org/2000/svg"`
	}
	if link {
		more += ` xmlns:xlink="http://www.w3.org/1999/xlink"`
	}
	s.data = slices.Concat(head, []byte(more), rest)
}

// drawn returns the number of elements that a browser draws. Each part counts as often as an element refers to it.
func (s *svg) drawn() (int, error) {
	var count func(i int) (int, error)
	count = func(i int) (int, error) {
		e := &s.elements[i]
		switch {
		case e.drawn > 0:
			return e.drawn, nil
		case e.drawn < 0:
			return 0, errors.New("has a part that contains itself")
		}
		e.drawn = -1
		sum := 1
		inside := e.children
		if part, ok := s.parts[e.href]; ok {
			inside = append(slices.Clone(inside), part)
		}
		for _, c := range inside {
			n, err := count(c)
			if err != nil {
				return 0, err
			}
			sum = min(sum+n, mostDrawn+1)
		}
		e.drawn = sum
		return sum, nil
	}
	drawn, err := count(0)
	if err == nil && drawn > mostDrawn {
		err = fmt.Errorf("draws more than %d elements, counting a part each time that it is used", mostDrawn)
	}
	return drawn, err
}

// size reads the size of a drawing from the attributes of its root, or else from its view box.
func (s *svg) size(root xml.StartElement) {
	attr := func(name string) string {
		i := slices.IndexFunc(root.Attr, func(a xml.Attr) bool { return a.Name.Local == name && a.Name.Space == "" })
		if i < 0 {
			return ""
		}
		return root.Attr[i].Value
	}
	width, height, viewWidth, viewHeight := pixels(attr("width")), pixels(attr("height")), 0.0, 0.0
	if box := strings.Fields(strings.ReplaceAll(attr("viewBox"), ",", " ")); len(box) == 4 {
		viewWidth, viewHeight = pixels(box[2]), pixels(box[3])
	}
	switch view := viewWidth > 0 && viewHeight > 0; {
	case width > 0 && height > 0:
	case view && width > 0:
		height = width * viewHeight / viewWidth
	case view && height > 0:
		width = height * viewWidth / viewHeight
	case view:
		width, height = viewWidth, viewHeight
	default:
		width, height = 640, 480
	}
	s.width, s.height = math.Min(width, 1e6), math.Min(height, 1e6)
}

// CheckFigure checks the drawings of an untrusted figure; see [NewPicture]. It returns the number of elements that a
// browser draws for the light or the dark drawing, whichever is larger.
func CheckFigure(f *content.Figure) (drawn int, err error) {
	if max(f.Width, f.Height) > MostPixels {
		return 0, fmt.Errorf("the figure has %d x %d pixels: a page shows at most %d", f.Width, f.Height, MostPixels)
	}
	light, dark := []*content.Drawing{&f.Light}, []*content.Drawing{&f.Dark}
	for i := range f.Legend {
		for _, short := range []string{f.Legend[i].Sign, f.Legend[i].Count} {
			if utf8.RuneCountInString(short) > mostShort {
				return 0, fmt.Errorf(
					"%.40q in a legend is too long: a page shows at most %d characters", short, mostShort,
				)
			}
		}
		light, dark = append(light, &f.Legend[i].Icon), append(dark, &f.Legend[i].DarkIcon)
	}
	for _, drawings := range [][]*content.Drawing{light, dark} {
		sum := 0
		for _, d := range drawings {
			if *d == nil {
				continue
			}
			p, err := NewPicture("image/svg+xml", *d)
			if err != nil {
				return 0, err
			}
			*d = p.Data
			if sum += p.Drawn; sum > mostDrawn {
				return 0, errors.New("the figure's drawings have more elements than a browser can draw in reasonable " +
					"time")
			}
		}
		drawn = max(drawn, sum)
	}
	return drawn, nil
}
