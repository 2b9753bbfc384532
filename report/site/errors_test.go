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

// TestFaultsOfSites changes a site without faults, whose page a has the text "Text.", or a figure and a table.
func TestFaultsOfSites(t *testing.T) {
	type files = map[string][]byte
	for _, tt := range []struct {
		want   string
		change func(s *Site, p *Page)
	}{
		{"site: Site.Title is empty", func(s *Site, _ *Page) { s.Title = "" }},
		{`a.md:1: page slug "../a"`, func(_ *Site, p *Page) { p.Slug = "../a" }},
		{`b.md:1: page slug "b" is used by two pages`, func(_ *Site, p *Page) { p.Slug = "b" }},
		{`a.md:1: page slug "search" is taken by the page that searches`, func(_ *Site, p *Page) { p.Slug = "search" }},
		{`a.md:1: figure "f" is given twice`, func(_ *Site, p *Page) {
			p.Figures = []content.Figure{smallFigure("f"), smallFigure("f")}
		}},
		{`a.md:1: table "t" is given twice`, func(_ *Site, p *Page) {
			p.Tables = []content.Table{smallTable("t"), smallTable("t")}
		}},
		{`a.md:2: figure "f" is never placed`, func(_ *Site, p *Page) { p.Figures = []content.Figure{smallFigure("f")} }},
		{`a.md:2: table "t" is never placed`, func(_ *Site, p *Page) { p.Tables = []content.Table{smallTable("t")} }},
		{`a.md:2: value "v" is never shown`, func(_ *Site, p *Page) { p.Values = map[string]any{"v": 1} }},
		{`a.md:1: value "v" is never shown`, func(_ *Site, p *Page) { // a branch that is not taken
			p.Source, p.Values = "{{ if false }}{{ .Value \"v\" }}{{ end }}", map[string]any{"v": 1}
		}},
		{`a.md:1: value "v" is never shown`, func(_ *Site, p *Page) {
			p.Source, p.Values = "{{/* .Value \"v\" */}}", map[string]any{"v": 1}
		}},
		{`a.md:1: value "v" is never shown`, func(_ *Site, p *Page) {
			p.Source, p.Values = "`.Value \"v\"`", map[string]any{"v": 1}
		}},
		{`a.md:1: figure "../f": an id has`, func(_ *Site, p *Page) { p.Figures = []content.Figure{smallFigure("../f")} }},
		{`a.md:1: asset "../x.png"`, func(_ *Site, p *Page) { p.Assets = files{"../x.png": nil} }},
		{`a.md:1: download "style.css": the site has a file of that name`, func(_ *Site, p *Page) {
			p.Downloads = files{"style.css": nil}
		}},
		{`b.md:1: download "x.py": the site has a file of that name`, func(s *Site, p *Page) {
			p.Downloads, s.Pages[2].Downloads = files{"x.py": nil}, files{"x.py": nil}
		}},
		{`a.md:1: the asset "fig-f.svg" has the name of a file of figure "f"`, func(_ *Site, p *Page) {
			placeBoth(p)
			p.Downloads = files{"fig-f.svg": nil}
		}},
		{`a.md:1: the asset "fig-f.svg" has the name of a file of figure "f"`, func(_ *Site, p *Page) {
			placeBoth(p)
			p.Assets = files{"fig-f.svg": nil}
		}},
		{`a.md:2: there is no "on"; near it are one`, func(_ *Site, p *Page) {
			p.Source, p.Lookups = "\n{{ f \"on\" }}", map[string]map[string]string{"f": {"one": "1"}}
		}},
		{`a.md:2: there is no list "no"; the page has`, func(_ *Site, p *Page) {
			p.Source = "\n{{ range .List \"no\" }}{{ end }}"
		}},
		{`a.md:1: bad TeX`, func(s *Site, p *Page) { s.Macros, p.Source = map[string]string{`\m`: `\nope`}, `$\m$` }},
	} {
		t.Run(tt.want, func(t *testing.T) {
			s := onePage("Text.\n")
			tt.change(&s, &s.Pages[1])
			wantFault(t, s, tt.want)
		})
	}
}

// placeBoth gives a page a figure f and a table t, and places them.
func placeBoth(p *Page) {
	p.Source = "{{ figure \"f\" \"x\" }}\n\n{{ table \"t\" \"x\" }}\n"
	p.Figures, p.Tables = []content.Figure{smallFigure("f")}, []content.Table{smallTable("t")}
}

// TestFaultsOfFiguresAndTables has one of each type that package content finds, and one that it does not.
func TestFaultsOfFiguresAndTables(t *testing.T) {
	for _, tt := range []struct {
		want   string
		change func(f *content.Figure, t *content.Table)
	}{
		{"its size is 0 x 10", func(f *content.Figure, _ *content.Table) { f.Width = 0 }},
		{"it has no header", func(_ *content.Figure, t *content.Table) { t.Header = nil }},
		{"bad TeX", func(_ *content.Figure, t *content.Table) { t.Rows[0][0] = content.Rich(`$\foo$`) }},
	} {
		t.Run(tt.want, func(t *testing.T) {
			s := onePage("")
			p := &s.Pages[1]
			placeBoth(p)
			tt.change(&p.Figures[0], &p.Tables[0])
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
