package sanitize

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
)

// open and end are the tags around the content of a drawing.
const (
	open = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="10" height="10">`
	end  = `</svg>`
)

// pixel is a PNG of one pixel.
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII="

// refused lists drawings that pages do not show, each for a different reason.
var refused = []struct{ svg, fault string }{
	{"", "is empty"},
	{"text", "is empty"},
	{"<svg", "is not XML"},
	{open + "<g></svg>", "is not XML"},
	{open + `&a;</svg>`, "is not XML"},
	{"<html/>", "has a root <html>"},
	{open + `</svg><svg/>`, "exactly one root, <svg>"},
	{`<!DOCTYPE svg [<!ENTITY a "b">]>` + open + end, "definition of its own markup"},
	{open + strings.Repeat("<g>", 300) + strings.Repeat("</g>", 300) + end, "levels deep"},
	{open + strings.Repeat("<g/>", mostDrawn) + end, "draws more than 100000"},
	{open + "<desc>" + strings.Repeat("x", mostSVG) + "</desc></svg>", "at most 8388608"},
	{laughs(9), "draws more than 100000"},
	{open + `<g id="a"><use href="#a"/></g></svg>`, "contains itself"},
	{open + `<g id="a"><use xlink:href="#b"/></g><g id="b"><use href="#a"/></g></svg>`, "contains itself"},
	{open + `<linearGradient id="a" href="#b"/><linearGradient id="b" href="#a"/></svg>`, "contains itself"},
}

// laughs returns a drawing with nested parts, like the XML bomb "billion laughs". Each part uses the next part ten
// times.
func laughs(levels int) string {
	var b strings.Builder
	b.WriteString(open)
	for i := range levels {
		fmt.Fprintf(&b, `<g id="l%d">%s</g>`, i, strings.Repeat(fmt.Sprintf(`<use href="#l%d"/>`, i+1), 10))
	}
	fmt.Fprintf(&b, `<g id="l%d"><rect width="9" height="9"/></g><use href="#l0"/>`, levels)
	return b.String() + end
}

// shown returns drawings that pages show unchanged. The drawings in testdata come from common programs.
// internal/browsertest checks that browsers do not run or load anything in these images.
func shown() []string {
	all := []string{
		open + end, open + `<script>alert(1)</script><g onload="alert(1)"/>` + end,
		open + `<style>@import "https://example.org/x.css";</style>` + end,
		open + `<foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" src="https://example.org"/>` +
			`</foreignObject>` + end,
		`<s:svg xmlns:s="http://www.w3.org/2000/svg" width="10" height="10"><s:g/></s:svg>`, laughs(3),
	}
	for _, program := range []string{"matplotlib", "graphviz", "svglite"} {
		all = append(all, string(must.Get(os.ReadFile("testdata/"+program+".svg"))))
	}
	return all
}

func TestRefused(t *testing.T) {
	for _, c := range refused {
		_, err := NewPicture("image/svg+xml", []byte(c.svg))
		must.ErrorContains(t, err, c.fault, c.svg)
	}
}

// inert matches the only form in which a page contains a drawing. Nothing in this form can end the attribute around it.
var inert = regexp.MustCompile(`^data:image/svg\+xml;base64,[A-Za-z0-9+/]+=*$`)

func TestShown(t *testing.T) {
	for _, svg := range shown() {
		p, err := NewPicture("image/svg+xml", []byte(svg))
		if err != nil || string(p.Data) != svg || !inert.MatchString(p.URL()) {
			t.Errorf("%.300s: %v", svg, err)
		}
	}
}

// TestNamespaces checks that a drawing gets the namespaces that it can omit inside HTML.
func TestNamespaces(t *testing.T) {
	for svg, want := range map[string]string{
		`<svg width="1"/>`: `<svg xmlns="http://www.w3.org/2000/svg" width="1"/>`,
		"<?xml version=\"1.0\"?>\n<svg xmlns='http://www.w3.org/2000/svg'><use " +
			"xlink:href='#a'/></svg>": "<?xml version=\"1.0\"?>\n<svg xmlns:xlink=\"http://www.w3.org/1999/xlink\" " +
			"xmlns='http://www.w3.org/2000/svg'><use xlink:href='#a'/></svg>",
	} {
		if p, err := NewPicture("image/svg+xml", []byte(svg)); err != nil || string(p.Data) != want {
			t.Errorf("%s is shown as %+v, want %s: %v", svg, p, want, err)
		}
	}
}

// FuzzSVG reads any drawing, and checks that an accepted drawing has an inert address and is accepted again unchanged.
func FuzzSVG(f *testing.F) {
	for _, c := range refused {
		if len(c.svg) < 3000 {
			f.Add(c.svg)
		}
	}
	for _, svg := range shown() {
		f.Add(svg)
	}
	f.Fuzz(func(t *testing.T, svg string) {
		p, err := NewPicture("image/svg+xml", []byte(svg))
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("the error is %q", err)
			}
			return
		}
		again, err := NewPicture("image/svg+xml", p.Data)
		if err != nil || string(again.Data) != string(p.Data) || !inert.MatchString(p.URL()) {
			t.Errorf("written as\n%s\nand then (%v) as\n%v", p.Data, err, again)
		}
	})
}

// TestOwnFigures checks that a lesson shows the report's own figures unchanged.
func TestOwnFigures(t *testing.T) {
	files, err := filepath.Glob("../../../report/figure/testdata/*.svg")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d figures: %v", len(files), err)
	}
	for _, file := range files {
		data := must.Get(os.ReadFile(file))
		if p, err := NewPicture("image/svg+xml", data); err != nil || string(p.Data) != string(data) {
			t.Errorf("%s: %v", file, err)
		}
	}
}

func TestSizes(t *testing.T) {
	must.Answers(t, "testdata/tables.txt", func(row struct{ Attributes string }) []any {
		p, err := NewPicture("image/svg+xml", []byte(`<svg `+row.Attributes+`/>`))
		must.Do(t, err)
		return []any{p.Width, p.Height}
	})
}

// TestRasters checks that images are refused if they need more memory than their file suggests.
func TestRasters(t *testing.T) {
	png := must.Get(base64.StdEncoding.DecodeString(pixel))
	if _, err := NewPicture("image/png", png); err != nil {
		t.Error(err)
	}
	var header strings.Builder // the header of a GIF
	header.WriteString("GIF89a\xff\xff\xff\xff\x00\x00\x00")
	_, err := NewPicture("image/gif", []byte(header.String()))
	must.ErrorContains(t, err, "65535 x 65535 pixels")
}
