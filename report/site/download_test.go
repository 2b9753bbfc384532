package site

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/report/content"
)

// TestDownloads: a large download names its size, and an edition of one file says where it is; a file of the page is
// saved, not opened, which browsers refuse for what is inside of the page.
func TestDownloads(t *testing.T) {
	figure := smallFigure("large")
	figure.Data = content.Records{Header: []string{"verdict"}}
	for range 150_000 {
		figure.Data.Rows = append(figure.Data.Rows, []string{"wrong_side"})
	}
	small := content.Table{ID: "small", Header: []content.Cell{content.Text("n")}, Rows: [][]content.Cell{{content.Int(1)}}}
	s := Site{Title: "t", Pages: []Page{{
		Slug: "index", Title: "A", Source: "[all](all.json), [run](run.py)\n\n{{ figure \"large\" `c` }}\n\n{{ table \"small\" `c` }}\n",
		Figures: []content.Figure{figure}, Tables: []content.Table{small}, Assets: map[string][]byte{"all.json": []byte("{}")}, Downloads: map[string][]byte{"run.py": []byte("1")},
	}}}
	tree, err := Render(context.Background(), s, Options{})
	if err != nil {
		t.Fatal(err)
	}
	single, err := RenderSingle(context.Background(), s, Options{})
	if err != nil {
		t.Fatal(err)
	}
	page, one := string(tree["index.html"]), string(single)
	for where, c := range map[string]struct{ page, want string }{
		"many: the size":   {page, `download="fig-large.csv">Data (CSV, 1.7 MB)<span class="hidden"> of Figure 1.1</span></a>`},
		"many: no size":    {page, `download="tbl-small.csv">Data (CSV)<span class="hidden"> of Table 1.1</span></a>`},
		"many: the asset":  {page, `<a href="assets/index/all.json" download="all.json">all</a>`},
		"many: the root":   {page, `<a href="run.py" download="run.py">run</a>`},
		"one: left out":    {one, `<span>Data (CSV, 1.7 MB)<span class="hidden"> of Figure 1.1</span>: in the edition of many files</span>`},
		"one: inside":      {one, `download="tbl-small.csv">Data (CSV)`},
		"one: inside, too": {one, `<a href="data:application/json;base64,e30=" download="all.json">all</a>`},
		"one: of the root": {one, `<a href="data:application/octet-stream;base64,MQ==" download="run.py">run</a>`},
	} {
		if !strings.Contains(c.page, c.want) {
			t.Errorf("%s: no %s", where, c.want)
		}
	}
	if string(tree["run.py"]) != "1" || tree["assets/index/run.py"] != nil {
		t.Error("the file for the root is not there")
	}
	if len(tree["assets/index/fig-large.csv"]) < largeDownload || bytes.Contains(single, []byte("text/csv;base64,dmVyZGlj")) {
		t.Error("the large download is not where it belongs")
	}
}
