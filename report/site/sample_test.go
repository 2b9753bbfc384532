package site

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"strconv"
	"testing"

	"github.com/siegebook/siegebook/internal/cache"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/content"
)

// testCache keeps the formulas of all tests but those that are about formulas, which ask for no cache.
var testCache *cache.Cache

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "site-test")
	if err != nil {
		panic(err)
	}
	testCache = cache.Open(dir)
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// sampleSite is a site of three pages that uses every feature.
func sampleSite(t testing.TB) Site {
	t.Helper()
	return Site{
		Title: "Siegebook",
		Stamp: []Field{
			{"version", "v0.0.0-sample"},
			{"parameters", "soldiers=100, castle=1:400, defenders=1:200"},
			{"seed", "1"},
			{"data", "sha256:2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"},
		},
		Macros: map[string]string{`\ceil`: `\left\lceil #1 \right\rceil`},
		Pages: []Page{
			{
				Slug: "index", Title: "Siegebook", Nav: "Start", Unnumbered: true,
				Description: "Who wins four small siege games, and how fast.",
				Source:      readSample(t, "index.md"), File: "testdata/sample/index.md",
				Values: map[string]any{"total": 80_000, "wins": uint64(31_415)},
			},
			samplePage(t),
			{
				Slug: "colophon", Title: "What the posts got wrong", Nav: "Errata",
				Source: "See {{ ref \"fig:rules/phase\" }} and {{ ref \"sec:rules/the-rules\" }}.\n\n## Rules again " +
					"{#the-rules}\n\nBy {{ ref \"sec:the-rules\" }}, and {{ ref \"eq:rules/cases\" \"the four " +
					"cases\" }}.\n",
			},
		},
	}
}

func samplePage(t testing.TB) Page {
	exact := content.Mark{Tone: content.Green, Sign: "✓", Meaning: "right"}
	wrong := content.Mark{Tone: content.Red, Sign: "✗", Meaning: "wrong side"}
	slow := content.Mark{Tone: content.Cyan, Sign: "+", Meaning: "too many waves"}
	rows := [][]content.Cell{}
	for i := range 9 {
		mark := []content.Mark{exact, wrong, slow}[i%3]
		rows = append(
			rows,
			[]content.Cell{
				content.Int(i + 1), content.Int(100 * i), content.Rich(content.Markdown(fmt.Sprintf("$F_{%d}$", i))),
				content.Int(211861 * i).Marked(mark), content.Text("=castle|*wins*"),
			},
		)
	}
	var wide [][]content.Cell
	for i := range 4 {
		row := []content.Cell{content.Text(fmt.Sprintf("test %d", i))}
		for j := range 8 {
			row = append(row, content.Int(12345*i*j-2))
		}
		wide = append(wide, row)
	}
	header := []content.Cell{content.Text("Test")}
	for range 2 {
		header = append(
			header, content.Text("waves"), content.Text("wins"), content.Text("losses"), content.Rich("$k(x)$"),
		)
	}
	data := content.Records{Header: []string{"s", "d", "winner"}}
	for i := range 90 {
		data.Rows = append(
			data.Rows, []string{strconv.Itoa(i), strconv.Itoa(i * i * i), []string{"soldiers", "=castle"}[i%2]},
		)
	}
	return Page{
		Slug: "rules", Title: "The castle game", Nav: "Castle",
		Source: readSample(t, "rules.md"), File: "testdata/sample/rules.md",
		Values: map[string]any{
			"n":     8,
			"s":     14,
			"d":     5,
			"waves": content.Markdown("*three*"),
			"nasty": `<script>alert("*1*")</script> & $x$ [a](b) {{ . }}`,
		},
		Funcs: map[string]any{"tests": func() []int { return []int{1, 2, 3} }},
		Figures: []content.Figure{{
			ID: "phase", Light: sampleSVG("#ffffff", "#222222"), Dark: sampleSVG("#16181d", "#dddddd"), Width: 720,
			Height: 405, Alt: "A map in two colours: the soldiers win below a falling line, the castle above it.",
			Legend: []content.LegendEntry{
				{
					Label:    "soldiers win",
					Count:    "31,415 triples",
					Icon:     sampleIcon("#0072b2"),
					DarkIcon: sampleIcon("#56b4e9"),
					Sign:     "S",
				},
				{
					Label:    "castle wins",
					Count:    "48,585 triples",
					Icon:     sampleIcon("#d55e00"),
					DarkIcon: sampleIcon("#e69f00"),
				},
				{Label: "the line d + s = (φ + 1) n", Icon: sampleIcon("#222222")},
				{Label: "the posts' tests", Sign: "●"},
			},
			Data: data,
		}},
		Tables: []content.Table{
			{
				ID: "outcomes",
				Header: []content.Cell{
					content.Text("Test"), content.Text("Hits"), content.Rich("$F_k$"), content.Text("Ways"),
					content.Text("Winner"),
				},
				Rows:      rows,
				RowHeader: true,
			},
			{
				ID: "grouped", RowHeader: true, Header: header, Rows: wide,
				Groups: []content.Group{
					{Cell: content.Text(""), Span: 1},
					{Cell: content.Text("complete"), Span: 4},
					{Cell: content.Text("printed"), Span: 4},
				},
			},
		},
		Assets: map[string][]byte{"square.png": samplePNG(t), "run.ipynb": []byte("{}\n")},
	}
}

func readSample(t testing.TB, name string) string {
	t.Helper()
	data := must.Get(os.ReadFile("testdata/sample/" + name))
	return string(data)
}

func sampleSVG(ground, ink string) []byte {
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 405">`+
		`<rect width="720" height="405" fill="%s"/>`+
		`<path d="M40 20V365H700" fill="none" stroke="%s"/><path d="M40 80 600 365H40Z" fill="#0072b2"/>`+
		`<path d="M40 80 600 365H700V20H40Z" fill="#d55e00"/>`+
		`<path d="M40 80 600 365" stroke="%s" stroke-width="2" stroke-dasharray="8 4"/></svg>`, ground, ink, ink)
}

func sampleIcon(colour string) []byte {
	return []byte(
		`<svg xmlns="http://www.w3.org/2000/svg" width="28" height="18"><path d="M0 0h28v18H0z" fill="` + colour +
			`"/></svg>`,
	)
}

func samplePNG(t testing.TB) []byte {
	t.Helper()
	img := image.NewGray(image.Rect(0, 0, 64, 32))
	for i := range img.Pix {
		img.Pix[i] = color.Gray{0x99}.Y
	}
	var buf bytes.Buffer
	must.Do(t, png.Encode(&buf, img))
	return buf.Bytes()
}
