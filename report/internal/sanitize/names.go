package sanitize

import "strings"

// words makes a set of the words of a text.
func words(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(text) {
		set[w] = true
	}
	return set
}

// elements are those that a drawing may have. Not among them is what runs (script, set, animate), what holds another
// document (foreignObject, iframe), what leads elsewhere (a), and what costs a browser more than its size tells
// (filter).
var elements = words(`svg g defs symbol use image path rect circle ellipse line polyline polygon text tspan textPath
	title desc style linearGradient radialGradient stop pattern clipPath mask marker`)

// properties are those of CSS that a drawing may set, in a style sheet, in a style attribute and mostly as attributes
// too. Each of them changes how a thing looks, and takes no address.
var properties = words(`alignment-baseline background background-color baseline-shift border clip clip-path clip-rule color
	color-interpolation color-interpolation-filters color-rendering color-scheme cursor direction display dominant-baseline
	enable-background fill fill-opacity fill-rule filter flood-color flood-opacity font font-family font-feature-settings
	font-kerning font-size font-size-adjust font-stretch font-style font-variant font-variant-caps
	font-variant-east-asian font-variant-ligatures font-variant-numeric font-variant-position font-weight
	glyph-orientation-horizontal glyph-orientation-vertical height image-rendering isolation kerning letter-spacing
	lighting-color line-height marker marker-end marker-mid marker-start mask mask-type max-height max-width
	mix-blend-mode opacity overflow paint-order pointer-events shape-rendering solid-color solid-opacity stop-color
	stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity
	stroke-width text-align text-anchor text-decoration text-decoration-color text-decoration-line text-decoration-style
	text-indent text-orientation text-rendering text-transform transform transform-box transform-origin unicode-bidi
	user-select vector-effect vertical-align visibility white-space width word-spacing writing-mode`)

// namesParts are the properties whose value may be a part of the drawing, url(#id), with what that part costs.
var namesParts = map[string]refKind{
	"fill": perElement, "stroke": perElement, "marker-start": perElement, "marker-end": perElement,
	"marker": perVertex, "marker-mid": perVertex, "clip-path": once, "mask": once,
}

// layers are the properties for which a browser draws an element on a layer of its own.
var layers = words(`opacity mix-blend-mode isolation`)

// geometry are the attributes of numbers, keywords and path data, which no browser reads as CSS that loads.
var geometry = words(`x y width height cx cy r rx ry x1 y1 x2 y2 fx fy fr dx dy rotate textLength lengthAdjust startOffset method
	spacing side viewBox preserveAspectRatio d points pathLength offset gradientUnits spreadMethod patternUnits
	patternContentUnits clipPathUnits maskUnits maskContentUnits markerUnits markerWidth markerHeight refX refY orient`)

// transforms are attributes of numbers and the functions around them.
var transforms = words(`transform gradientTransform patternTransform`)

// texts are attributes that may hold any text: names of parts, and what is read to those who do not see the drawing.
var texts = words(`id class role lang aria-hidden aria-label aria-labelledby aria-describedby aria-roledescription`)

// geometrySigns are what such a value consists of: numbers, keywords and path data.
const geometrySigns = letters + digits + " \t\r\n.,+-%"
