package sanitize

import "testing"

// TestInert checks that a drawing is harmless as a file if it has only elements of drawings and refers to nothing
// outside itself.
func TestInert(t *testing.T) {
	const begin = `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1">`
	for body, want := range map[string]bool{
		`<path d="M0 0" fill="url(#a)"/>`:                                              true,
		`<style>text{font:13px sans-serif}@media(max-width:9px){text{x:1}}</style>`:    true,
		`<image href="data:image/png;base64,AA=="/><use href="#a"/>`:                   true,
		`<animate attributeName="x" from="0" to="1"/>`:                                 true,
		`<script>alert(1)</script>`:                                                    false,
		`<path onclick="alert(1)"/>`:                                                   false,
		`<path ONLOAD="alert(1)"/>`:                                                    false,
		`<a href="#x"><text>t</text></a>`:                                              false,
		`<use href="other.svg#a"/>`:                                                    false,
		`<image href="https://example.org/a.png"/>`:                                    false,
		`<image href="data:image/svg+xml,%3Csvg/%3E"/>`:                                false,
		`<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">t</p></foreignObject>`: false,
		`<p xmlns="http://www.w3.org/1999/xhtml">t</p>`:                                false,
		`<set attributeName="href" to="javascript:alert(1)"/>`:                         false,
		`<set attributeName="onclick" to="a"/>`:                                        false,
		`<style>@import "a.css";</style>`:                                              false,
		`<style>path{fill:url(a.svg#b)}</style>`:                                       false,
		`<style>path{fill:u\72l(a.svg)}</style>`:                                       false,
		`<style>path{fill:url/**/(a.svg)}</style>`:                                     false,
		`<path style="fill:url('a.svg')"/>`:                                            false,
		`<use xlink:href="#a" xmlns:xlink="http://www.w3.org/1999/xlink"/>`:            false,
		`<?xml-stylesheet href="a.css"?>`:                                              false,
		`<path`:                                                                        false,
	} {
		if got := Inert([]byte(begin + body + `</svg>`)); got != want {
			t.Errorf("%s: %v", body, got)
		}
	}
	if Inert([]byte(`<!DOCTYPE svg [<!ENTITY a "b">]>`+begin+`</svg>`)) || Inert([]byte(`<svg></svg>`)) {
		t.Error("a definition of markup, or a drawing without a namespace, is taken for harmless")
	}
}
