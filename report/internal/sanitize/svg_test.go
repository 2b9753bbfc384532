package sanitize

import (
	"encoding/base64"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// open and end are what stands around the inside of a drawing.
const (
	open = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="10" height="10">`
	end  = `</svg>`
)

// pixel is a PNG of one pixel.
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII="

// hostile are drawings that pages do not show, each for one reason.
func hostile() []struct{ svg, fault string } {
	return []struct{ svg, fault string }{
		{"", "is empty"},
		{"text", "is empty"},
		{"<svg", "is no XML"},
		{open + "<g></svg>", "is no XML"},
		{"<html/>", "has the root <html>"},
		{open + `</svg><svg/>`, "not one <svg>"},
		{open + `<script>x</script></svg>`, "holds <script>"},
		{open + `<SCRIPT>x</SCRIPT></svg>`, "holds <script>"},
		{open + `<foreignObject/></svg>`, "holds <foreignobject>"},
		{open + `<filter id="a"><feImage href="https://example.org/x.png"/></filter></svg>`, "holds <filter>"},
		{open + `<x:iframe xmlns:x="http://www.w3.org/1999/xhtml"/></svg>`, "HTML element <iframe>"},
		{open + `<x:p xmlns:x="http://www.w3.org/1999/xhtml"/></svg>`, "HTML element <p>"},
		{open + `<set attributeName="href" to="javascript:x"/></svg>`, "holds <set>"},
		{open + `<a href="#x"/></svg>`, "holds <a>"},
		{open + `<g onload="x"/></svg>`, "event handler onload"},
		{open + `<g xml:base="https://example.org/"><use href="#a"/></g></svg>`, "addresses begin elsewhere"},
		{open + `<use href="https://example.org/x.svg#a"/></svg>`, "outside of itself"},
		{open + `<use href="#%61"/></svg>`, "outside of itself"},
		{open + `<image xlink:href="http://example.org/x.png"/></svg>`, "outside of itself"},
		{open + `<image href="data:image/svg+xml;base64,PHN2Zy8+"/></svg>`, "outside of itself"},
		{open + `<image href="data: image/svg+xml;base64,PHN2Zy8+"/></svg>`, "outside of itself"},
		{open + `<image href="data:image/png;base64,AA=="/></svg>`, "is broken"},
		{open + `<rect fill="url(http://example.org/x)"/></svg>`, "loads"},
		{open + `<rect fill="url(#a"/></svg>`, "ends too early"},
		{open + `<rect style="fill:URL( 'http://example.org/x')"/></svg>`, "loads"},
		{open + `<rect style="cursor:url(#a)"/></svg>`, "cursor names a part"},
		{open + `<rect style="fill:url(data:image/png;base64,AA==)"/></svg>`, "loads"},
		{open + `<rect x="url(https://example.org/x)"/></svg>`, "has the attribute x="},
		{open + `<rect x="1" x="2"/></svg>`, "attribute x twice"},
		{open + `<style media="screen">a{}</style></svg>`, "the attribute media"},
		{open + `<style type="text/less">a{}</style></svg>`, "the attribute type"},
		{open + strings.Repeat(`<circle r="100000" fill="none" stroke="red" stroke-dasharray="1"/>`, 300) + `</svg>`, "draws more than"},
		{open + `<g style="stroke-dasharray:.001 .001">` + strings.Repeat(`<path d="M0 0H9999"/>`, 20) + `</g></svg>`, "draws more than"},
		{open + `<style>*{stroke-dasharray:1}</style><path d="m0 0q1e5 0 0 0` + strings.Repeat("t0 0", 1000) + `"/></svg>`, "draws more than"},
		{open + `<style>rect{width:1e9px}</style><rect height="1" stroke-dasharray="1"/></svg>`, "draws more than"},
		{open + `<style>text{font-size:9999px;stroke-dasharray:1%}</style><text>` + strings.Repeat("o", 1000) + `</text></svg>`, "draws more than"},
		{open + `<rect width="1e9%" height="1" stroke-dasharray="1"/></svg>`, "draws more than"},
		{open + `<path d="M0 0H1" pathLength="1e9" stroke-dasharray="1"/></svg>`, "cannot be told"},
		{open + `<style>path{vector-effect:non-scaling-stroke}</style><path transform="scale(1e9)" d="M0 0H1" stroke-dasharray="1"/></svg>`, "cannot be told"},
		{open + `<style>@import "x.css";</style></svg>`, "@import"},
		{open + `<style>@font-face{font-family:a;src:url(x)}</style></svg>`, "@font-face"},
		{open + `<style>@media print{a{fill:red}}</style></svg>`, "not understood"},
		{open + `<style>@media(max-width:9px){@import "x";}</style></svg>`, "@import"},
		{open + `<style>a{fill:\75rl(x)}</style></svg>`, "an escape"},
		{open + `<style>a{fill:image-set("x.png" 1x)}</style></svg>`, "image-set()"},
		{open + `<style>a{fill:src("x.png")}</style></svg>`, "src()"},
		{open + `<style>a{fill:red</style></svg>`, "ends too early"},
		{open + `<style>a{fill:red}/*</style></svg>`, "comment that does not end"},
		{open + `<style>a{list-style:none}</style></svg>`, "the property"},
		{open + `<style>a:hover{fill:red}</style></svg>`, "not understood"},
		{open + `<style>a{fill:"x</style></svg>`, "not understood"},
		{open + `<style>a a a a a{fill:red}</style></svg>`, "more than 4 parts"},
		{open + `<style>` + strings.Repeat("a{fill:red}", 1001) + `</style></svg>`, "more than 1000 rules"},
		{open + `<style>` + strings.Repeat("a{fill:url(#b)}", 201) + `</style></svg>`, "of more than 200 parts"},
		{open + `<rect style="` + strings.Repeat("fill:url(#b);", 17) + `"/></svg>`, "more than 16 parts"},
		{open + `<style><![CDATA[a{b:url(x)}]]></style></svg>`, "property"},

		// What stood between the letters hid the word from a check that looked for it.
		{open + `<style>@im<!-- -->port "https://example.org/comment.css";</style></svg>`, "@import"},
		{open + `<style>@im<![CDATA[port]]> "https://example.org/cdata.css";</style></svg>`, "@import"},
		{open + `<style><![CDATA[@im]]><![CDATA[port "https://example.org/cdatas.css";]]></style></svg>`, "@import"},
		{open + `<style>@im<g/>port "https://example.org/element.css";</style></svg>`, "style that holds <g>"},
		{open + `<style>@im<?xml ?>port "https://example.org/instruction.css";</style></svg>`, "@import"},
		{open + `<style>@im&#x70;ort "https://example.org/entity.css";</style></svg>`, "@import"},
		{open + `<style>rect{fill:u<!-- -->rl(https://example.org/comment.svg#a)}</style><rect/></svg>`, "loads"},
		{open + `<style>rect{fill:u<![CDATA[rl(https://example.org/cdata.svg#a)]]>}</style><rect/></svg>`, "loads"},
		{open + `<style>rect{fill:url(<x/>https://example.org/element.svg#a)}</style><rect/></svg>`, "style that holds <x>"},
		{open + `<style>rect{fill:ur<m:x xmlns:m="urn:x"/>l(https://example.org/foreign.svg#a)}</style><rect/></svg>`, "style that holds <x>"},
		{open + `<style>\40 import "https://example.org/escape.css";</style></svg>`, "an escape"},
		{open + `<style>@\69mport "https://example.org/escape.css";</style></svg>`, "@"},
		{open + `<rect style="mask:u\72l(https://example.org/escape.svg#a)"/></svg>`, "an escape"},
		{open + `<rect mask="\75\72\6c(https://example.org/escape.svg#a)"/></svg>`, "an escape"},
		{open + `<rect style="fill:url(/**/#a) url(https://example.org/x)"/></svg>`, "loads"},
		{open + `<rect style="mask:url( #&#x0a;https://example.org/x)"/></svg>`, "loads"},
		{open + `<rect style="mask-image:-webkit-image-set('https://example.org/x' 1x)"/></svg>`, "the property"},
		{`<?xml-stylesheet href="x"?>` + open + `</svg>`, "holds <?xml-stylesheet?>"},
		{`<!DOCTYPE svg [<!ENTITY a "b">]>` + open + `</svg>`, "definition of its own markup"},
		{open + `&a;</svg>`, "is no XML"},

		// More than a browser can draw in a while.
		{open + strings.Repeat("<g>", 300) + strings.Repeat("</g>", 300) + `</svg>`, "levels deep"},
		{open + strings.Repeat("<g/>", mostElements) + `</svg>`, "more than 100000 elements"},
		{open + "<desc>" + strings.Repeat("x", mostSVG) + "</desc></svg>", "more than the 8388608"},
		{open + `<g ` + manyAttributes(65) + `/></svg>`, "65 attributes"},
		{laughs(8, `<use href="#%s"/>`), "draws more than"},
		{laughs(8, `<use xlink:href="#%s"/>`), "draws more than"},
		{laughs(8, `<rect fill="url(#%s)"/>`), "draws more than"},
		{laughs(8, `<rect style="mask:url(#%s)"/>`), "draws more than"},
		{laughs(8, `<g clip-path="url(#%s)"/>`), "draws more than"},
		{markers(3, 1000), "draws more than"},
		{open + `<style>.a{fill:url(#p)}</style><g class="a">` + strings.Repeat("<rect/>", 2000) + `</g><pattern id="p">` + strings.Repeat("<rect/>", 2000) + `</pattern></svg>`, "draws more than"},
		{open + `<g fill="url(#p)"><g id="g">` + strings.Repeat("<rect/>", 2000) + `</g></g><pattern id="p">` + strings.Repeat("<rect/>", 2000) + `</pattern></svg>`, "draws more than"},
		{open + `<defs><path id="p" d="` + strings.Repeat("h1v1", 20000) + `"/></defs>` + strings.Repeat(`<use href="#p"/>`, 2000) + `</svg>`, "draws more than"},
		{open + strings.Repeat(`<g opacity=".5"/>`, 10_000) + `</svg>`, "draws more than"},
		{open + strings.Repeat(`<g style="mix-blend-mode:multiply"/>`, 10_000) + `</svg>`, "draws more than"},
		{open + `<mask id="m"/>` + strings.Repeat(`<g mask="url(#m)"/>`, 5_000) + `</svg>`, "draws more than"},
		{open + `<path d="M0 0` + strings.Repeat("L1 9", 200_001) + `"/></svg>`, "draws more than"},
		{open + `<g id="a"><use href="#a"/></g></svg>`, "contains itself"},
		{open + `<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g></svg>`, "contains itself"},
		{open + `<pattern id="a"><rect fill="url(#a)"/></pattern><rect fill="url(#a)"/></svg>`, "contains itself"},
		{open + `<style>rect{fill:url(#a)}</style><pattern id="a"><rect/></pattern></svg>`, "contains itself"},
		{open + `<linearGradient id="a" href="#b"/><linearGradient id="b" href="#a"/></svg>`, "contains itself"},
		{chain(25), "chain of more than 20"},
	}
}

func manyAttributes(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `data-%d="" `, i)
	}
	return b.String()
}

// laughs is a drawing of parts that each use the next ten times.
func laughs(levels int, use string) string {
	var b strings.Builder
	b.WriteString(open)
	for i := range levels {
		part := "mask"
		if strings.Contains(use, "fill") {
			part = "pattern"
		} else if strings.Contains(use, "clip") {
			part = "clipPath"
		} else if strings.Contains(use, "<use") {
			part = "g"
		}
		fmt.Fprintf(&b, `<%s id="l%d">%s</%s>`, part, i, strings.Repeat(fmt.Sprintf(use, fmt.Sprint("l", i+1)), 10), part)
	}
	fmt.Fprintf(&b, `<g id="l%d"><rect width="9" height="9"/></g>`, levels)
	return b.String() + fmt.Sprintf(use, "l0") + end
}

// markers is a line with a marker at each of its corners, that is a line with a marker at each of its corners.
func markers(levels, corners int) string {
	var b strings.Builder
	b.WriteString(open)
	for i := range levels {
		fmt.Fprintf(&b, `<marker id="m%d"><path marker-mid="url(#m%d)" d="M0 0%s"/></marker>`, i, i+1, strings.Repeat("h1v1", corners/2))
	}
	fmt.Fprintf(&b, `<marker id="m%d"><rect width="9" height="9"/></marker>`, levels)
	return b.String() + `<path marker-mid="url(#m0)" d="M0 0h1v1"/></svg>`
}

// chain is a drawing in which each part uses the next, once.
func chain(links int) string {
	var b strings.Builder
	b.WriteString(open)
	for i := range links {
		fmt.Fprintf(&b, `<g id="c%d"><use href="#c%d"/></g>`, i, i+1)
	}
	return b.String() + end
}

// harmless are drawings that pages show, with what becomes of their inside.
var harmless = []struct{ svg, want string }{
	{`<?xml version="1.0"?><!DOCTYPE svg PUBLIC "x" "y">` + open + `</svg>`, ``},
	{
		open + `<style>#a{fill:url(#b)}</style><use href="#a"/><image href="data:image/png;base64,` + pixel + `"/></svg>`,
		`<style>#a{fill:url(#b)}</style><use href="#a"/><image href="data:image/png;base64,` + pixel + `"/>`,
	},
	{open + `<!-- x --><metadata><rdf xmlns="urn:x" about="https://example.org"/></metadata><x:y xmlns:x="urn:x"/><g data-x="1" xlink:type="simple"/></svg>`, `<g/>`},
	{open + `<use xlink:href="#a" href="#b"/><use href="#b" xlink:href="#a"/></svg>`, `<use href="#b"/><use href="#b"/>`},
	{
		open + `<text xml:space="preserve" font-family='"Open Sans", Arial'>a &lt;b&gt; &amp;<![CDATA[<c>]]></text></svg>`,
		`<text xml:space="preserve" font-family="&quot;Open Sans&quot;, Arial">a &lt;b&gt; &amp;&lt;c&gt;</text>`,
	},
	{
		open + `<style type="text/css"><![CDATA[ *{stroke-linejoin: round; } .a rect>g.b , #c { fill : RGB( 10% , 20%, 30% ) !important;;-x-y: z;stroke:#Ab1 } ]]></style></svg>`,
		`<style type="text/css">*{stroke-linejoin:round}.a rect&gt;g.b,#c{fill:RGB(10% , 20%, 30%) !important;stroke:#Ab1}</style>`,
	},
	{
		open + `<style>a{font:13px/1.5 a,"b c"}@media ( max-width : 480px ) and (prefers-color-scheme:dark){a{fill:red}}</style></svg>`,
		`<style>a{font:13px/1.5 a,"b c"}@media(max-width:480px) and (prefers-color-scheme:dark){a{fill:red}}</style>`,
	},
	{
		open + `<g clip-path="url('#cpMC4wMHw3MjA=')" transform="translate(-1e-3, .5) scale(2)" fill="" style=""/></svg>`,
		`<g clip-path="url(#cpMC4wMHw3MjA=)" transform="translate(-1e-3, .5) scale(2)"/>`,
	},
	{open + `<text><![CDATA[]]></text><style> </style></svg>`, `<text/><style/>`},
	{`<s:svg xmlns:s="http://www.w3.org/2000/svg" width="10" height="10"><s:g/></s:svg>`, `<g/>`},
	{`<svg width="10" height="10"><g/></svg>`, `<g/>`},
	{laughs(4, `<use href="#%s"/>`), "*"},
	{matplotlib, "*"},
	{graphviz, "*"},
	{svglite, "*"},
	{open + strings.Repeat(`<use href="#p" x="1" y="2" style="fill:#123456"/>`, 30_000) + `<path id="p" d="M0 0h9v9z"/></svg>`, "*"},
	{open + `<svg fill="url(#g)"><linearGradient id="g" href="#h"/><linearGradient id="h"><stop offset="1"/></linearGradient></svg></svg>`, "*"},
}

// Drawings as common programs write them.
const (
	matplotlib = `<?xml version="1.0" encoding="utf-8" standalone="no"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN"
  "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg xmlns:xlink="http://www.w3.org/1999/xlink" width="460.8pt" height="345.6pt" viewBox="0 0 460.8 345.6" xmlns="http://www.w3.org/2000/svg" version="1.1">
 <metadata><rdf:RDF xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><dc:type rdf:resource="http://purl.org/dc/dcmitype/StillImage"/></rdf:RDF></metadata>
 <defs><style type="text/css">*{stroke-linejoin: round; stroke-linecap: butt}</style></defs>
 <g id="line2d_1"><defs><path id="m0b" d="M 0 0
L 0 3.5
" style="stroke: #000000; stroke-width: 0.8"/></defs><g><use xlink:href="#m0b" x="73.8" y="307.58" style="stroke: #000000; stroke-width: 0.8"/></g></g>
 <path d="M 57.6 307.5 C 0.795609 3 1.55874 2.683901 2.12132 2.12132 z" clip-path="url(#p4c)" style="fill: none; stroke: #1f77b4; stroke-width: 1.5; stroke-dasharray: 5.55,2.4; stroke-dashoffset: 0"/>
 <!-- Text -->
 <text style="font: 10px 'DejaVu Sans', 'Bitstream Vera Sans', sans-serif; text-anchor: middle" x="73.8" y="322.1" transform="rotate(-0 73.8 322.1)">−1</text>
 <defs><clipPath id="p4c"><rect x="57.6" y="41.4" width="357.12" height="266.1"/></clipPath></defs>
</svg>`
	graphviz = `<svg width="62pt" height="116pt" viewBox="0.00 0.00 62.00 116.00" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">
<g id="graph0" class="graph" transform="scale(1 1) rotate(0) translate(4 112)"><polygon fill="white" stroke="transparent" points="-4,4 -4,-112 58,-112 58,4 -4,4"/>
<g id="edge1" class="edge"><title>a&#45;&gt;b</title><path fill="none" stroke="black" d="M27,-71.7C27,-63.98 27,-54.71 27,-46.11"/><text text-anchor="middle" x="27" y="-86.3" font-family="Times,serif" font-size="14.00">a</text></g></g></svg>`
	svglite = `<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' class='svglite' width='720.00pt' height='576.00pt' viewBox='0 0 720.00 576.00'>
<defs><style type='text/css'><![CDATA[
    .svglite line, .svglite polyline, .svglite path { fill: none; stroke: #000000; stroke-linecap: round; stroke-miterlimit: 10.00; }
    .svglite text { white-space: pre; }
    .svglite g.glyphgroup path { fill: inherit; stroke: none; }
  ]]></style></defs>
<rect width='100%' height='100%' style='stroke: none; fill: #FFFFFF;'/>
<defs><clipPath id='cpMC4wMHw3MjAuMDB8MC4wMHw1NzYuMDA='><rect x='0.00' y='0.00' width='720.00' height='576.00' /></clipPath></defs>
<g clip-path='url(#cpMC4wMHw3MjAuMDB8MC4wMHw1NzYuMDA=)'><text x='5' y='6' style='font-size: 8.80px; fill: #4D4D4D; font-family: "Liberation Sans";' textLength='9.79px' lengthAdjust='spacingAndGlyphs'>10</text></g></svg>`
)

func TestHostile(t *testing.T) {
	for _, c := range hostile() {
		_, err := NewPicture("image/svg+xml", []byte(c.svg))
		if err == nil || !strings.Contains(err.Error(), c.fault) {
			t.Errorf("%.300s: error %v, want %s", c.svg, err, c.fault)
		}
	}
}

func TestHarmless(t *testing.T) {
	for _, c := range harmless {
		p, err := NewPicture("image/svg+xml", []byte(c.svg))
		if err != nil {
			t.Errorf("%.300s: %v", c.svg, err)
			continue
		}
		want := `<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10">` + c.want + "</svg>"
		if c.want == "" {
			want = strings.Replace(want, "></svg>", "/>", 1)
		}
		if got := string(p.Data); got != want && c.want != "*" {
			t.Errorf("%s is written as\n%s, want\n%s", c.svg, got, want)
		}
		outsideless(t, p.Data)
	}
}

// TestCheckSVG makes sure that a drawing of our own may be large, and may hold no more than those of others.
func TestCheckSVG(t *testing.T) {
	large := open + `<path d="M0 0` + strings.Repeat("h1v1", 1_000_000) + `"/>` + strings.Repeat("<g/>", 2*mostElements) + end
	if err := CheckSVG([]byte(large)); err != nil {
		t.Error(err)
	}
	for _, inside := range []string{`<script/>`, `<style>@im<!-- -->port "x";</style>`, `<rect fill="url(x)"/>`} {
		if err := CheckSVG([]byte(open + inside + end)); err == nil {
			t.Errorf("takes %s", inside)
		}
	}
}

// outsideless fails if a drawing that was written refers to anything outside of itself, or holds what runs. It is the
// slow road: a walk over the tokens with a few plain rules, that shares nothing with the reader and its grammar of CSS.
func outsideless(t *testing.T, svg []byte) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(string(svg)))
	style := 0
	for {
		token, err := d.RawToken()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatalf("no XML: %v\n%.1000s", err, svg)
		}
		switch e := token.(type) {
		case xml.StartElement:
			if e.Name.Space != "" || strings.Contains(" script foreignObject iframe set animate a filter feImage style/ ", " "+e.Name.Local+" ") {
				t.Errorf("holds <%s:%s>", e.Name.Space, e.Name.Local)
			}
			if style > 0 {
				t.Errorf("a style holds <%s>", e.Name.Local)
			}
			if e.Name.Local == "style" {
				style++
			}
			seen := map[string]bool{}
			for _, a := range e.Attr {
				name := a.Name.Space + ":" + a.Name.Local
				if seen[name] || strings.HasPrefix(a.Name.Local, "on") || a.Name.Space != "" && a.Name.Space != "xml" || a.Name.Local == "base" {
					t.Errorf("holds the attribute %s", name)
				}
				seen[name] = true
				switch a.Name.Local {
				case "xmlns", "id", "class", "role", "lang", "aria-hidden", "aria-label", "aria-labelledby", "aria-describedby", "aria-roledescription", "space":
				case "href":
					if !strings.HasPrefix(a.Value, "#") && !strings.HasPrefix(a.Value, "data:image/png;base64,") &&
						!strings.HasPrefix(a.Value, "data:image/gif;base64,") && !strings.HasPrefix(a.Value, "data:image/jpeg;base64,") {
						t.Errorf("refers to %q", a.Value)
					}
				default:
					inside(t, a.Value)
				}
			}
		case xml.EndElement:
			if e.Name.Local == "style" {
				style--
			}
		case xml.CharData:
			if style > 0 {
				inside(t, string(e))
			}
		default:
			t.Errorf("holds a %T", e)
		}
	}
}

// inside fails if CSS holds an address that is no fragment, or anything by which one could be hidden. A text in quotes
// is one word: nothing that a drawing may hold takes an address in quotes.
func inside(t *testing.T, css string) {
	t.Helper()
	parts := strings.Split(css, `"`)
	if len(parts)%2 == 0 {
		t.Errorf("quotes do not match in %q", css)
	}
	for i, part := range parts {
		if strings.ContainsAny(part, "\\") || i%2 == 0 && strings.ContainsAny(part, "'<&") {
			t.Errorf("%q could hide something", css)
		}
		if i%2 == 1 {
			continue
		}
		lower := strings.ToLower(part)
		for _, word := range strings.Split(lower, "@")[1:] {
			if !strings.HasPrefix(word, "media(") {
				t.Errorf("at-rule in %q", css)
			}
		}
		for i, rest := range strings.Split(lower, "(") {
			before := strings.Split(lower, "(")[:i]
			if i > 0 && strings.HasSuffix(before[i-1], "url") && !strings.HasPrefix(rest, "#") {
				t.Errorf("address in %q", css)
			}
			for _, loads := range []string{"image-set", "src", "image", "element", "cross-fade", "paint", "var", "env", "attr", "expression"} {
				if i > 0 && strings.HasSuffix(before[i-1], loads) {
					t.Errorf("%s() in %q", loads, css)
				}
			}
		}
		if strings.Contains(lower, "/*") || strings.Contains(lower, "://") || strings.Contains(lower, "javascript:") {
			t.Errorf("address or comment in %q", css)
		}
	}
}

// FuzzSVG writes any drawing that is taken: it refers to nothing outside of itself, and once written it is taken as it
// is.
func FuzzSVG(f *testing.F) {
	for _, c := range hostile() {
		if len(c.svg) < 3000 {
			f.Add(c.svg)
		}
	}
	for _, c := range harmless {
		if len(c.svg) < 3000 {
			f.Add(c.svg)
		}
	}
	f.Fuzz(func(t *testing.T, svg string) {
		p, err := NewPicture("image/svg+xml", []byte(svg))
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("the error is %q", err)
			}
			return
		}
		outsideless(t, p.Data)
		again, err := NewPicture("image/svg+xml", p.Data)
		if err != nil || string(again.Data) != string(p.Data) {
			t.Errorf("written as\n%s\nand then (%v) as\n%v", p.Data, err, again)
		}
	})
}

// TestOwnFigures makes sure that the report's own figures lose nothing when they are written anew in a lesson.
func TestOwnFigures(t *testing.T) {
	files, err := filepath.Glob("../../figure/testdata/*.svg")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d figures: %v", len(files), err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		// The recorded figures have a digest for their pixels.
		data = regexp.MustCompile(`;pixels,[0-9a-f]+"`).ReplaceAll(data, []byte(";base64,"+pixel+`"`))
		p, err := NewPicture("image/svg+xml", data)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if got, want := tokens(t, p.Data), tokens(t, data); got != want {
			t.Errorf("%s is written as\n%.3000s, not as\n%.3000s", file, got, want)
		}
	}
}

// tokens writes out what a drawing consists of, whatever the form.
func tokens(t *testing.T, svg []byte) string {
	t.Helper()
	var out strings.Builder
	d := xml.NewDecoder(strings.NewReader(string(svg)))
	for {
		token, err := d.Token()
		if err == io.EOF {
			return out.String()
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			fmt.Fprintf(&out, "<%v>", token)
		case xml.CharData:
			out.WriteString(strings.TrimSpace(string(token)))
		}
	}
}

func TestSizes(t *testing.T) {
	for _, c := range []struct {
		attributes    string
		width, height int
	}{
		{`width="20" height="10"`, 20, 10},
		{`width="72pt" height="0.5in"`, 96, 48},
		{`width="50%" viewBox="0 0 40 30"`, 40, 30},
		{`width="80" viewBox="0,0,40,30"`, 80, 60},
		{`height="60px" viewBox="0 0 40 30"`, 80, 60},
		{``, 640, 480},
		{`width="-1" height="NaN"`, 640, 480},
		{`width="1e300" height="10"`, 2000, 1},
		{`width="4000" height="1000"`, 2000, 500},
	} {
		p, err := NewPicture("image/svg+xml", []byte(`<svg `+c.attributes+`/>`))
		if err != nil || p.Width != c.width || p.Height != c.height {
			t.Errorf("%s: %+v, %v, want %d x %d", c.attributes, p, err, c.width, c.height)
		}
	}
}

// TestRasters refuses images that need more memory than their file tells.
func TestRasters(t *testing.T) {
	png, err := base64.StdEncoding.DecodeString(pixel)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewPicture("image/png", png); err != nil {
		t.Error(err)
	}
	var header strings.Builder // of a GIF
	header.WriteString("GIF89a\xff\xff\xff\xff\x00\x00\x00")
	if _, err := NewPicture("image/gif", []byte(header.String())); err == nil || !strings.Contains(err.Error(), "65535 x 65535 pixels") {
		t.Errorf("error %v", err)
	}
}
