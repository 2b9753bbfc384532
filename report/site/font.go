package site

import (
	_ "embed"
	"encoding/base64"
	"strings"
)

// Formulas are set in a font of their own, since few systems have one with a MATH table, and a browser without it
// neither stretches brackets nor finds the letters of mathematics. See mathfont/subset.mjs.

//go:embed mathfont/math.woff2
var mathFont []byte

//go:embed mathfont/LICENSE
var mathFontLicense []byte

// mathFontLicenseName is the path of the font's licence in the output.
const mathFontLicenseName = "math-font-license.txt"

//go:embed layout/style.css
var styleSource string

// style is the style sheet of all pages. The font is inside: a browser that loads it afterwards sets formulas in
// another font first, and the page moves when it changes.
var style = strings.Replace(styleSource, `"math.woff2"`, `"data:font/woff2;base64,`+base64.StdEncoding.EncodeToString(mathFont)+`"`, 1)
