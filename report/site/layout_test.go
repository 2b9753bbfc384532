package site

import (
	"net/url"
	"strings"
	"testing"
)

// TestCompact: what a style sheet says stays, and its notice too.
func TestCompact(t *testing.T) {
	css := "/* A: notice;\n   of two lines */\n@font-face { a: b; }\n\n/* gone: \"x; */\n" +
		"a, b:hover > c {\n  d: e  f; /* g */\n" +
		"  h: \"i ;  j: /* k */\" / \"\";\n}\n@media (l: 1px) { :root { --m:  n; } }\n"
	want := "/* A: notice;\n   of two lines */\n@font-face { a: b; }\n" +
		"a,b:hover > c{d:e f;h:\"i ;  j: /* k */\" / \"\";}@media " +
		"(l:1px){:root{--m:n;}}\n"
	if got := compact(css); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	words := func(css string) string { // without what separates words
		for from := strings.Index(css, "\n\n"); from >= 0; {
			before, rest, found := strings.Cut(css[from:], "/*")
			if !found {
				break
			}
			_, after, _ := strings.Cut(rest, "*/")
			css = css[:from] + before + after
		}
		return strings.Join(strings.Fields(css), "")
	}
	if words(styleSource) != words(compact(styleSource)) {
		t.Error("the style sheet says something else without comments and indents")
	}
}

// TestDataURL: a drawing in a page is the drawing, without the words that its page has.
func TestDataURL(t *testing.T) {
	for svg, want := range map[string]string{
		`<svg id="a" role="img" aria-labelledby="a-t a-d" width="9">` + "\n<title id=\"a-t\">t</title>\n" +
			"<desc id=\"a-d\">d</desc>\n<g fill=\"#fff\">\n<path d=\"M1 2\"/>\n" +
			"<text x=\"1\">5% &amp; `ü`\n<tspan>2</tspan>\n</text>\n</g>\n</svg>\n": "<svg id='a' width='9'>" +
			"<g fill='#fff'><path d='M1 2'/><text x='1'>5% &amp; `ü`\n<tspan>2</tspan>\n</text></g></svg>",
		`<svg a="b'c"><title>t</title></svg>`: `<svg a="b'c"><title>t</title></svg>`,
	} {
		address := dataURL("f.svg", []byte(svg))
		if strings.ContainsAny(address, " \n<>\"#&") {
			t.Errorf("%q is not the address of an attribute", address)
		}
		text, found := strings.CutPrefix(address, "data:image/svg+xml,")
		got, err := url.PathUnescape(text)
		if !found || err != nil || got != want {
			t.Errorf("%q is %q, want %q: %v", svg, got, want, err)
		}
	}
	if got := dataURL("f.csv", []byte("a,b")); got != "data:text/csv;base64,YSxi" {
		t.Errorf("got %q", got)
	}
}
