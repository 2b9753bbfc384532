package sanitize

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
)

// inertElements lists the elements of drawings that do not run or load anything.
var inertElements = words("svg g path rect circle ellipse line polyline polygon text tspan title desc style defs " +
	"symbol use image clipPath mask marker pattern linearGradient radialGradient stop animate set animateTransform")

func words(list string) map[string]bool {
	all := map[string]bool{}
	for _, word := range strings.Fields(list) {
		all[word] = true
	}
	return all
}

const svgNamespace = "http://www.w3.org/2000/svg"

// Inert reports whether an SVG document is harmless even if it is opened as a file. Such a document contains only
// elements of drawings, runs no script, and refers to nothing outside itself. In case of doubt, Inert returns false.
func Inert(data []byte) bool {
	inStyle := 0
	for d := xml.NewDecoder(bytes.NewReader(data)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return true
		}
		if err != nil {
			return false
		}
		switch t := token.(type) {
		case xml.Directive, xml.ProcInst:
			return false
		case xml.StartElement:
			if t.Name.Space != svgNamespace || !inertElements[t.Name.Local] || !inertAttributes(t) {
				return false
			}
			if t.Name.Local == "style" {
				inStyle++
			}
		case xml.EndElement:
			if t.Name.Local == "style" {
				inStyle--
			}
		case xml.CharData:
			if inStyle > 0 && !inertStyle(string(t)) {
				return false
			}
		}
	}
}

// inertAttributes reports whether the attributes of an element neither run nor load anything.
func inertAttributes(t xml.StartElement) bool {
	for _, a := range t.Attr {
		name, value := strings.ToLower(a.Name.Local), strings.ToLower(strings.TrimSpace(a.Value))
		picture := t.Name.Local == "image" && strings.HasPrefix(value, "data:image/png;base64,")
		switch {
		case name == "xmlns" && a.Name.Space == "":
		case a.Name.Space != "", strings.HasPrefix(name, "on"), !inertStyle(value):
			return false
		case name == "href" && !picture && !strings.HasPrefix(value, "#"):
			return false
		case name == "attributename" && (value == "href" || strings.HasPrefix(value, "on") || value == "style"):
			return false
		}
	}
	return true
}

// inertStyle reports whether a style sheet or an attribute's value loads nothing.
func inertStyle(text string) bool {
	text = strings.ToLower(text)
	return !strings.Contains(text, "@import") && !strings.Contains(text, `\`) && !strings.Contains(text, "javascript:") &&
		!strings.Contains(text, "/*") && strings.Count(text, "url(") == strings.Count(text, "url(#")
}
