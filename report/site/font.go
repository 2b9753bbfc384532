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

// The font's paths in the output. The style sheet names the first.
const (
	mathFontName        = "math.woff2"
	mathFontLicenseName = "math-font-license.txt"
)

// style as it is in an edition of one file, with the font inside.
var singleStyle = strings.Replace(style, `url("`+mathFontName+`")`, `url("data:font/woff2;base64,`+base64.StdEncoding.EncodeToString(mathFont)+`")`, 1)
