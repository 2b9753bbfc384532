package site

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/siegebook/siegebook/report/content"
)

// onePage returns a site with a front page and a page "a" of the given source, in file a.md.
func onePage(source string) Site {
	return Site{Title: "T", Pages: []Page{
		{Slug: "index", Title: "Front", Unnumbered: true, Source: "Text.\n\n## Shared {#shared}\n"},
		{Slug: "a", Title: "A", File: "a.md", Source: source},
		{Slug: "b", Title: "B", Source: "## Shared {#shared}\n\n$$ x \\label{eq:b} $$\n"},
	}}
}

func smallFigure(id string) content.Figure {
	return content.Figure{
		ID:     id,
		Light:  []byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`),
		Width:  10,
		Height: 10,
		Alt:    "nothing",
	}
}

func smallTable(id string) content.Table {
	return content.Table{ID: id, Header: []content.Cell{content.Text("x")}, Rows: [][]content.Cell{{content.Int(1)}}}
}

func TestFaultsOfSources(t *testing.T) {
	archive, err := txtar.ParseFile(filepath.Join("testdata", "faults.txtar"))
	if err != nil || len(archive.Files) < 50 {
		t.Fatalf("%d faults: %v", len(archive.Files), err)
	}
	for _, file := range archive.Files {
		want, source, _ := strings.Cut(strings.TrimSuffix(string(file.Data), "\n"), "\n")
		t.Run(file.Name, func(t *testing.T) {
			s := onePage(source)
			p := &s.Pages[1]
			p.Values = map[string]any{"n": 1, "nil": nil}
			p.Assets = map[string][]byte{"x.png": samplePNG(t)}
			p.Funcs = map[string]any{
				"fail":  func() (string, error) { return "", errors.New("the claim\ndoes not hold") },
				"list":  func() []int { return []int{1} },
				"lines": func() string { return "a\n\nb\n\nc" },
			}
			if strings.Contains(source, `figure "f"`) {
				p.Figures = []content.Figure{smallFigure("f")}
			}
			wantFault(t, s, want)
		})
	}
}

// wantFault checks that a site is refused, with that fault first among those of its line, and on one line.
func wantFault(t *testing.T, s Site, want string) {
	t.Helper()
	_, err := Render(context.Background(), s, Options{Cache: testCache})
	var faults Errors
	if !errors.As(err, &faults) {
		t.Fatalf("err = %v, want %s", err, want)
	}
	for _, f := range faults {
		if strings.Contains(f.Error(), "\n") {
			t.Errorf("an error of several lines: %q", f)
		}
		if strings.HasPrefix(f.Error(), want) {
			return
		}
	}
	t.Errorf("faults %q, want %q", faults.Unwrap(), want)
}

// TestCausesFirst: where the text of a page cannot be read, that is told, and not what others miss on it.
func TestCausesFirst(t *testing.T) {
	s := onePage("one\n\n{{ nosuch }}\n\n## Here {#here}\n")
	s.Pages[0].Source = "{{ ref \"sec:a/here\" }} [x](a.html#here)\n\n{{ ref \"page:aa\" }} {{ ref \"eq:b/x\" }}\n"
	_, err := Render(context.Background(), s, Options{Cache: testCache})
	var faults Errors
	if !errors.As(err, &faults) {
		t.Fatal(err)
	}
	var got []string
	for _, f := range faults {
		got = append(got, f.Error())
	}
	want := []string{
		`index.md:3: {{ ref "page:aa" }}: there is no such target; near it are page:a, page:b, page:index`,
		`index.md:3: {{ ref "eq:b/x" }}: there is no such target; near it are eq:b/b`,
		`a.md:3: function "nosuch" not defined`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("faults\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestNear(t *testing.T) {
	pages := []string{
		"castle-tests", "castle-agreement", "castle-counts", "castle-rules", "tower-rules", "naval-rules", "index",
	}
	for name, want := range map[string]string{
		"castle-ruless": "castle-rules, castle-tests, castle-counts",
		"idnex":         "index, ",
	} {
		if got := near(name, pages); !strings.HasPrefix(got, want) || !strings.HasSuffix(got, " and others") {
			t.Errorf("%s: %s", name, got)
		}
	}
	for pair, want := range map[[2]string]int{
		{"", ""}: 0, {"a", ""}: 1, {"", "ab"}: 2, {"kitten", "sitting"}: 3,
		{"abc", "abc"}: 0, {"ab", "ba"}: 2,
	} {
		if got := edits(pair[0], pair[1]); got != want {
			t.Errorf("%q: %d edits", pair, got)
		}
	}
}

func TestFaultsOfSites(t *testing.T) {
	tests := []struct {
		name   string
		change func(*Site)
		want   string
	}{
		{"no title", func(s *Site) { s.Title = "" }, "site: Site.Title is empty"},
		{"no pages", func(s *Site) { s.Pages = nil }, "site: Site.Pages is empty"},
		{"no front page", func(s *Site) { s.Pages = s.Pages[1:] }, `site: no page has the slug "index"`},
		{"path in a slug", func(s *Site) { s.Pages[1].Slug = "../a" }, `a.md:1: page slug "../a"`},
		{"slug used twice", func(s *Site) { s.Pages[1].Slug = "b" }, `b.md:1: page slug "b" is used by two pages`},
		{"page without title", func(s *Site) { s.Pages[1].Title = "" }, `a.md:1: page "a" has no title`},
		{
			"figure given twice",
			func(s *Site) { s.Pages[1].Figures = []content.Figure{smallFigure("f"), smallFigure("f")} },
			`a.md:1: figure "f" is given twice`,
		},
		{
			"table given twice",
			func(s *Site) { s.Pages[1].Tables = []content.Table{smallTable("t"), smallTable("t")} },
			`a.md:1: table "t" is given twice`,
		},
		{
			"figure not placed", func(s *Site) { s.Pages[1].Figures = []content.Figure{smallFigure("f")} },
			`a.md:2: figure "f" is never placed`,
		},
		{
			"value not shown", func(s *Site) { s.Pages[1].Values = map[string]any{"v": 1} },
			`a.md:2: value "v" is never shown`,
		},
		{"value in a branch that is not taken", func(s *Site) {
			s.Pages[1].Source, s.Pages[1].Values = "{{ if false }}{{ .Value \"v\" }}{{ end }}", map[string]any{"v": 1}
		}, `a.md:1: value "v" is never shown`},
		{"value in a template's comment", func(s *Site) {
			s.Pages[1].Source, s.Pages[1].Values = "{{/* .Value \"v\" */}}", map[string]any{"v": 1}
		}, `a.md:1: value "v" is never shown`},
		{"value in code", func(s *Site) {
			s.Pages[1].Source, s.Pages[1].Values = "`.Value \"v\"`", map[string]any{"v": 1}
		}, `a.md:1: value "v" is never shown`},
		{
			"table not placed", func(s *Site) { s.Pages[1].Tables = []content.Table{smallTable("t")} },
			`a.md:2: table "t" is never placed`,
		},
		{
			"path in a figure's id", func(s *Site) { s.Pages[1].Figures = []content.Figure{smallFigure("../f")} },
			`a.md:1: figure "../f": an id has`,
		},
		{
			"path in an asset", func(s *Site) { s.Pages[1].Assets = map[string][]byte{"../x.png": nil} },
			`a.md:1: asset "../x.png"`,
		},
		{
			"path in a download", func(s *Site) { s.Pages[1].Downloads = map[string][]byte{"../x.py": nil} },
			`a.md:1: download "../x.py"`,
		},
		{
			"download in the record's place",
			func(s *Site) { s.Pages[1].Downloads = map[string][]byte{"SHA256SUMS": nil} },
			`a.md:1: download "SHA256SUMS"`,
		},
		{
			"download in a page's place", func(s *Site) { s.Pages[1].Downloads = map[string][]byte{"b.html": nil} },
			`a.md:1: download "b.html": names that end in .html`,
		},
		{
			"download in the site's place",
			func(s *Site) { s.Pages[1].Downloads = map[string][]byte{"Style.css": nil} },
			`a.md:1: download "Style.css": the name is that of a file of the site itself`,
		},
		{"download of two pages", func(s *Site) {
			s.Pages[1].Downloads, s.Pages[2].Downloads = map[string][]byte{"x.py": nil}, map[string][]byte{"X.py": nil}
		}, `b.md:1: download "X.py": the name is that of a download of page "a"`},
		{"download and asset of one name", func(s *Site) {
			s.Pages[1].Assets, s.Pages[1].Downloads = map[string][]byte{"x.py": nil}, map[string][]byte{"x.py": nil}
		}, `a.md:1: download "x.py": page "a" has an asset of that name`},
		{"download in a figure's place", func(s *Site) {
			s.Pages[1].Figures = []content.Figure{smallFigure("f")}
			s.Pages[1].Source = "\n{{ figure \"f\" \"x\" }}"
			s.Pages[1].Downloads = map[string][]byte{"fig-f.svg": nil}
		}, `a.md:2: the asset "fig-f.svg" has the name of a file of figure "f"`},
		{"asset in a figure's place", func(s *Site) {
			s.Pages[1].Figures = []content.Figure{smallFigure("f")}
			s.Pages[1].Source = "\n{{ figure \"f\" \"x\" }}"
			s.Pages[1].Assets = map[string][]byte{"fig-f.svg": nil}
		}, `a.md:2: the asset "fig-f.svg" has the name of a file of figure "f"`},
		{
			"built-in function",
			func(s *Site) { s.Pages[1].Funcs = map[string]any{"ref": func() string { return "" }} },
			`a.md:1: Page.Funcs["ref"] has the name of another function`,
		},
		{"lookup with the name of a function", func(s *Site) {
			s.Pages[1].Funcs = map[string]any{"f": func() string { return "" }}
			s.Pages[1].Lookups = map[string]map[string]string{"f": nil}
		}, `a.md:1: Page.Lookups["f"] has the name of another function`},
		{"unknown text of a lookup", func(s *Site) {
			s.Pages[1].Lookups = map[string]map[string]string{"f": {"one": "1"}}
			s.Pages[1].Source = "\n{{ f \"on\" }}"
		}, `a.md:2: there is no "on"; near it are one`},
		{
			"unknown list", func(s *Site) { s.Pages[1].Source = "\n{{ range .List \"no\" }}{{ end }}" },
			`a.md:2: there is no list "no"; the page has`,
		},
		{"function that is none", func(s *Site) { s.Pages[1].Funcs = map[string]any{"f": 1} }, `a.md:1: Page.Funcs: `},
		{
			"bad macro", func(s *Site) { s.Macros = map[string]string{`\m`: `\nope`}; s.Pages[1].Source = `$\m$` },
			`a.md:1: bad TeX`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := onePage("Text.\n")
			tt.change(&s)
			wantFault(t, s, tt.want)
		})
	}
}

func TestFaultsOfFiguresAndTables(t *testing.T) {
	figure := func(change func(*content.Figure)) content.Figure {
		f := smallFigure("f")
		change(&f)
		return f
	}
	table := func(change func(*content.Table)) content.Table {
		t := smallTable("t")
		change(&t)
		return t
	}
	red := content.Mark{Tone: content.Red, Sign: "x", Meaning: "wrong"}
	tests := []struct {
		want   string
		figure content.Figure
		table  content.Table
	}{
		{"its size is 0 x 10", figure(func(f *content.Figure) { f.Width = 0 }), smallTable("t")},
		{"it has no alt text", figure(func(f *content.Figure) { f.Alt = " " }), smallTable("t")},
		{
			"the light drawing is no usable SVG: it has the root <html>",
			figure(func(f *content.Figure) { f.Light = []byte("<html/>") }), smallTable("t"),
		},
		{"it is empty", figure(func(f *content.Figure) { f.Light = nil }), smallTable("t")},
		{"broken PNG", figure(func(f *content.Figure) { f.Light = []byte("\x89PNG\r\n\x1a\n") }), smallTable("t")},
		{
			"the light drawing is svg, the dark one is png", figure(func(f *content.Figure) { f.Dark = samplePNG(t) }),
			smallTable("t"),
		},
		{
			"a legend entry has no label",
			figure(func(f *content.Figure) { f.Legend = []content.LegendEntry{{Sign: "x"}} }), smallTable("t"),
		},
		{
			"neither an icon nor a sign",
			figure(func(f *content.Figure) { f.Legend = []content.LegendEntry{{Label: "x"}} }), smallTable("t"),
		},
		{
			"its data: row 1 has 1 cell, the header has 2",
			figure(
				func(f *content.Figure) {
					f.Data = content.Records{
						Header: []string{"a", "b"},
						Rows:   [][]string{{"1"}},
					}
				},
			),
			smallTable("t"),
		},
		{
			"a dark icon but no light one",
			figure(
				func(f *content.Figure) {
					f.Legend = []content.LegendEntry{{Label: "x", Sign: "x", DarkIcon: f.Light}}
				},
			),
			smallTable("t"),
		},
		{"it has no header", smallFigure("f"), table(func(t *content.Table) { t.Header = nil })},
		{
			"row 1 has 2 cells, the header has 1", smallFigure("f"),
			table(func(t *content.Table) { t.Rows[0] = append(t.Rows[0], content.Text("")) }),
		},
		{
			"its groups span 2 columns of 1", smallFigure("f"),
			table(func(t *content.Table) { t.Groups = []content.Group{{Cell: content.Text("g"), Span: 2}} }),
		},
		{"a group spans at least one", smallFigure("f"), table(func(t *content.Table) {
			t.Groups = []content.Group{{Cell: content.Text("g"), Span: 0}, {Cell: content.Text("h"), Span: 1}}
		})},
		{
			"the mark has no sign", smallFigure("f"),
			table(func(t *content.Table) { m := red; m.Sign = ""; t.Rows[0][0] = content.Int(1).Marked(m) }),
		},
		{
			"the mark has no meaning", smallFigure("f"),
			table(func(t *content.Table) { m := red; m.Meaning = ""; t.Rows[0][0] = content.Int(1).Marked(m) }),
		},
		{
			"unknown tone", smallFigure("f"),
			table(func(t *content.Table) { m := red; m.Tone = 99; t.Rows[0][0] = content.Int(1).Marked(m) }),
		},
		{"bad TeX", smallFigure("f"), table(func(t *content.Table) { t.Rows[0][0] = content.Rich(`$\foo$`) })},
	}
	for _, tt := range tests {
		t.Run(tt.want, func(t *testing.T) {
			s := onePage("{{ figure \"f\" \"x\" }}\n\n{{ table \"t\" \"x\" }}\n")
			s.Pages[1].Figures, s.Pages[1].Tables = []content.Figure{tt.figure}, []content.Table{tt.table}
			_, err := Render(context.Background(), s, Options{Cache: testCache})
			if err == nil || !strings.HasPrefix(err.Error(), "a.md:") || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("err = %v, want %s", err, tt.want)
			}
		})
	}
}

func TestErrorsListsAll(t *testing.T) {
	_, err := Render(context.Background(), onePage("{{ ref \"eq:no\" }}\n\n$x\n\n[x](no.html)\n"), Options{})
	var faults Errors
	if !errors.As(err, &faults) || len(faults) != 3 || !strings.HasSuffix(err.Error(), "(and 2 more)") {
		t.Fatalf("err = %v", err)
	}
	for i, line := range []int{1, 3, 5} {
		if faults[i].Line != line {
			t.Errorf("fault %d: %v, want line %d", i, faults[i], line)
		}
	}
}

func TestCancelledRender(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Render(ctx, onePage("x"), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v", err)
	}
}
