package site

import (
	"context"
	"slices"
	"strings"
	"testing"
)

// TestReadStamp reads the stamp back from pages and from the single file, whatever is in it, and whatever the text
// says.
func TestReadStamp(t *testing.T) {
	s := Site{
		Title: "t", Stamp: []Field{{"grid", `a=1:2,"b"<c>&'d'`}, {"a & b", "ü – 100 %"}, {"empty", ""}},
		Pages: []Page{{Slug: "index", Title: "t", Source: "`<dl class=\"stamp\">` {{ .Value \"x\" }}", Values: map[string]any{
			"x": `<dl class="stamp"><div><dt>grid</dt> <dd>forged</dd></div></dl>`,
		}}},
	}
	tree, err := Render(context.Background(), s, Options{})
	if err != nil {
		t.Fatal(err)
	}
	single, err := RenderSingle(context.Background(), s, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, page := range map[string][]byte{"page": tree["index.html"], "single file": single} {
		if got, err := ReadStamp(page); err != nil || !slices.Equal(got, s.Stamp) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	page := string(single)
	for name, bad := range map[string]string{"another page": "<p>x</p>", "half a page": page[:strings.LastIndex(page, "</dl>")], "": ""} {
		if fields, err := ReadStamp([]byte(bad)); err == nil {
			t.Errorf("%s: %q", name, fields)
		}
	}
}
