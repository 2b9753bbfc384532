package site

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/internal/sanitize"
)

// previewedSite has links to a formula, a theorem, a figure and a folded answer of another page, and a page with markup
// of others.
func previewedSite() Site {
	foreign, _, err := sanitize.HTML("<b>others</b>", func() string { return "Table" })
	if err != nil {
		panic(err) // it is HTML
	}
	return Site{Title: "S", Previews: true, Pages: []Page{
		{Slug: "index", Title: "S", Source: "See {{ ref \"eq:a/border\" }}, {{ ref \"sec:a/hunt\" }}, " +
			"{{ ref \"fig:b/map\" }}, {{ ref \"eq:a/secret\" }} and {{ ref \"sec:index/here\" }}.\n\n" +
			"## Here {#here}\n\nText."},
		{Slug: "a", Title: "A", Source: "## The hunt {#hunt}\n\nWho wins? See {{ ref \"sec:index/here\" }}, and\n\n" +
			"$$ s = n \\label{eq:border} $$\n\nMore.\n\n> [!QUESTION]- Bet\n> $$ 1 = 1 \\label{eq:secret} $$\n"},
		{
			Slug: "b", Title: "B", Source: "{{ figure \"map\" \"The map\" }}",
			Figures: []content.Figure{smallFigure("map")},
		},
		{Slug: "n", Title: "N", Body: []content.Block{foreign, cellOf("z", "See [the hunt](a.html#hunt).")}},
	}}
}

// previewParts are what the script of a site has of other pages.
func previewParts(t *testing.T, tree Tree) map[string]string {
	t.Helper()
	script := string(tree[previewName])
	_, rest, _ := strings.Cut(script, "\n})(\"")
	data, err := base64.StdEncoding.DecodeString(strings.TrimSuffix(rest, "\");\n"))
	must.Do(t, err)
	r := must.Get(gzip.NewReader(bytes.NewReader(data)))
	text := must.Get(io.ReadAll(r))
	var parts map[string]json.RawMessage
	must.Do(t, json.Unmarshal(text, &parts))
	texts := map[string]string{}
	for address, part := range parts {
		texts[address] = string(part)
	}
	return texts
}

// TestPreviews: the previews have what links of other pages lead to, and no more: no folded answer, no id, no link. No
// page loads the script beside markup of others, and none loads it in a site without previews.
func TestPreviews(t *testing.T) {
	s := previewedSite()
	tree := treeOf(t, s)
	parts := previewParts(t, tree)
	if got := strings.Join(slices.Sorted(maps.Keys(parts)), " "); got != "a.html#eq-border a.html#hunt b.html#fig-map "+
		"index.html#here" {
		t.Errorf("there are previews of %s", got)
	}
	hunt := parts["a.html#hunt"]
	if !strings.Contains(hunt, "Who wins?") || !strings.Contains(hunt, "math") || strings.Contains(hunt, "More") {
		t.Errorf("the section is %s", hunt)
	}
	if !strings.Contains(parts["b.html#fig-map"], `"src":"assets/b/fig-map.svg"`) {
		t.Errorf("the figure is %s", parts["b.html#fig-map"])
	}
	for address, part := range parts {
		if strings.Contains(part, `"id"`) || strings.Contains(part, `"href"`) {
			t.Errorf("%s has ids or links: %s", address, part)
		}
	}
	const quiet = "; script-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'"
	s.Previews = false
	without := treeOf(t, s)
	for _, p := range s.Pages {
		name, want := p.Slug+".html", 1
		if p.Slug == "n" {
			want = 0
		}
		if got := bytes.Count(tree[name], []byte(`<script src="previews.js"></script>`)); got != want ||
			bytes.Count(tree[name], []byte("<script")) != want ||
			strings.HasSuffix(policyIn(t, tree[name]), quiet) != (want == 1) {
			t.Errorf("%s has %d scripts, policy %s", name, got, policyIn(t, tree[name]))
		}
		if bytes.Contains(without[name], []byte("<script")) {
			t.Errorf("%s has a script in a site without previews", name)
		}
	}
	if without[previewName] != nil {
		t.Error("a site without previews has their script")
	}
}

// TestPreviewsSingle: an edition of one file has the script without what it has itself, and its policy names it.
func TestPreviewsSingle(t *testing.T) {
	page := singleOf(t, previewedSite())
	script := inXML(previewCall(""))
	if bytes.Count(page, []byte("<script>"+script+"</script>")) != 1 ||
		!strings.Contains(policyIn(t, page), "'"+sourceHash(script)+"'") {
		t.Errorf("the script is not there, or not admitted: %s", policyIn(t, page))
	}
	readDocument(t, "single", page)
}
