package site

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/internal/sanitize"
	nethtml "golang.org/x/net/html"
)

// TestWordsTable: each row of words.txt has the same number of {} in each language, its keys are in order of nothing
// but unique, and each is asked for somewhere.
func TestWordsTable(t *testing.T) {
	var sources strings.Builder
	for _, pattern := range []string{"*.go", "layout/*.tmpl", "../*.go", "../lesson/*.go", "../folder/*.go"} {
		files := must.Get(filepath.Glob(pattern))
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			data := must.Get(os.ReadFile(file))
			sources.Write(data)
		}
	}
	var made []string // keys that are put together
	for _, level := range levelNames[1:] {
		made = append(made, strings.ReplaceAll(level, " ", "-"))
	}
	made = append(made, "summary-table", "summary-of", "data-table", "data-of")
	seen := map[string]bool{}
	for line := range strings.Lines(wordsTable) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), " | ")
		key := cells[0]
		if len(cells) != len(languages)+1 || seen[key] {
			t.Errorf("%q: %d cells, or twice", key, len(cells))
			continue
		}
		seen[key] = true
		for _, words := range cells[2:] {
			if strings.Count(words, "{}") != strings.Count(cells[1], "{}") || words == "" {
				t.Errorf("%s: %q has not the {} of %q", key, words, cells[1])
			}
		}
		if !strings.Contains(sources.String(), `"`+key+`"`) && !slices.Contains(made, key) {
			t.Errorf("nothing says %q", key)
		}
	}
	for _, kind := range append(made, calloutNames...) {
		if !seen[kind] {
			t.Errorf("there is no %q", kind)
		}
	}
}

func TestNewWords(t *testing.T) {
	for _, c := range []struct {
		language    string
		own         map[string]string
		key, said   string
		values      []any
		wrong, name string
	}{
		{language: "", key: "figure", values: []any{"2.1"}, said: "Figure 2.1"},
		{language: "de", key: "figure", values: []any{"2.1"}, said: "Abbildung 2.1"},
		{language: "DE-at", key: "search", said: "Suche"},
		{language: "fr", key: "rows", values: []any{3, 5}, said: "Les 3 premières lignes sur 5 ; le fichier CSV " +
			"les contient toutes."},
		{language: "nl", key: "search", said: "Search"},
		{language: "nl", own: map[string]string{"search": "Zoeken"}, key: "search", said: "Zoeken"},
		{
			language: "en", own: map[string]string{"figure": "Plate {}"}, key: "figure", values: []any{"{}"},
			said: "Plate {}",
		},
		{
			own: map[string]string{"sarch": "x"}, key: "search", said: "Search", name: "words.sarch",
			wrong: `there are no words "sarch": the words are a-cell, a-page, a-table, `,
		},
		{
			own: map[string]string{"figure": "Plate"}, key: "figure", values: []any{1}, said: "Figure 1",
			name:  "words.figure",
			wrong: `the words "figure" have {} 0 times: write it 1 times, as in "Figure {}"`,
		},
		{
			own: map[string]string{"figure": " "}, key: "figure", values: []any{1}, said: "Figure 1",
			name:  "words.figure",
			wrong: `the words "figure" are empty: write what stands for "Figure {}"`,
		},
	} {
		words, problems := NewWords(c.language, c.own)
		if got := words.Say(c.key, c.values...); got != c.said {
			t.Errorf("%s, %v: %q, want %q", c.language, c.own, got, c.said)
		}
		var problem Problem
		if len(problems) > 0 {
			problem = problems[0]
		}
		if problem.Name != c.name || !strings.HasPrefix(problem.Message, c.wrong) ||
			c.wrong == "" != (problem.Message == "") {
			t.Errorf("%v: %q", c.own, problems)
		}
	}
}

var latin = regexp.MustCompile(`[A-Za-z]{2,}`)

// TestNoEnglish: a site whose authors and whose words use no Latin letters has none on its pages: all that the frame
// says comes from the words.
func TestNoEnglish(t *testing.T) {
	words := Words{}
	for key, said := range translated()["en"] {
		words[key] = "§" + strings.Repeat("{}", strings.Count(said, "{}"))
	}
	figure := content.Figure{
		ID: "f", Title: "φ", Light: []byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`), Width: 10, Height: 10,
		Alt: "φ", Data: content.Records{Header: []string{"α"}},
		Links:   []content.Link{{Label: "λ", Target: "#top", Width: 2, Height: 2}},
		Explore: &content.Explorable{Kind: "k"},
	}
	for range 2000 {
		figure.Data.Rows = append(figure.Data.Rows, []string{strings.Repeat("α", 300)})
	}
	mapped := figure
	mapped.ID, mapped.Explore = "m", nil
	mapped.Summary = content.Records{Header: []string{"α", "β"}, Rows: [][]string{{"1", "2"}}}
	wide := smallTable("t")
	wide.Header = []content.Cell{content.Text(strings.Repeat("α", 200))}
	var callouts strings.Builder
	for _, kind := range calloutNames {
		callouts.WriteString("\n> [!" + kind + "]\n> α\n\n> [!" + kind + "]- Β\n> α\n")
	}
	s := Site{Title: "Τ", Lang: "el", Words: words, Explorer: &Explorer{}, Pages: []Page{
		{
			Slug: "index", Title: "Α", Unnumbered: true,
			Source: "α[^1] {{ ref \"sec:s\" }} {{ ref \"page:b\" }}\n\n[^1]: ν\n\n## Σ {#s}\n",
		},
		{
			Slug: "b", Title: "Β", Part: "Μ", Group: "Γ", Level: WithProofs, Needs: []string{"index"},
			Beside: []Beside{{"Δ", []string{"c"}}},
			Source: "α[^n] β[^n] γ[^o] ^[δ] {{ ref \"fig:m\" }} {{ ref \"tbl:t\" }}\n\n[^n]: ν\n\n" +
				"[^o]: ν\n" + callouts.String() + "\n<details>\n\nα\n\n</details>\n\n## Σ {#s}\n\n{{ figure \"m\" " +
				"\"μ\" }}\n\n{{ table \"t\" \"τ\" }}\n\n{{ entries \"e\" \"ε\" }}\n\n{{ exercise \"x\" \"1\" }}\n\n$" +
				strings.Repeat("\\alpha+", 20) + "\\beta$\n\n$$\\alpha \\label{eq:q}$$\n\n$$\\begin{align}" +
				"\\alpha \\label{eq:r}\\\\ \\beta\\label{eq:t}\\end{align}$$\n\n```\nα\n```\n\n| " +
				strings.Repeat("α", 200) +
				" | β |\n|---|---|\n| 1 | 2 |\n",
			Figures: []content.Figure{mapped}, Tables: []content.Table{wide},
			Entries: []content.Entries{{ID: "e", Entries: []content.Entry{{
				ID: "i", Title: "ι", Where: "ω", Verdict: content.Text("ς"),
				Parts: []content.Part{{Name: "π", Text: "π"}},
			}}}},
			Exercises: []content.Exercise{
				{ID: "x", Explore: content.Explorable{Kind: "k"}, Question: "ξ", Solution: "ξ"},
			},
		},
		{Slug: "d", Title: "Δ", Part: "Μ", Source: "{{ figure \"f\" \"φ\" }}\n", Figures: []content.Figure{figure}},
		{Slug: "c", Title: "Γ", Level: StartHere, Body: []content.Block{
			content.Code{Text: "α\n", Folded: true, Number: 1},
			content.Code{Text: "α\n", Folded: true},
			content.Code{Text: "α\n", Number: 2},
			content.Claim{Text: "κ", Cases: 1, ID: "k"},
			content.Claim{Text: "κ", Cases: 2},
			&figure,
		}},
	}}
	tree := treeOf(t, s)
	single := singleOf(t, s)
	tree["single.html"] = single
	for name, page := range tree {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		inside := ""
		for z := nethtml.NewTokenizer(strings.NewReader(string(page))); ; {
			kind := z.Next()
			if kind == nethtml.ErrorToken {
				break
			}
			token := z.Token()
			var said []string
			switch kind {
			case nethtml.StartTagToken:
				inside = token.Data
				fallthrough
			case nethtml.SelfClosingTagToken:
				for _, key := range []string{"aria-label", "alt", "title", "placeholder"} {
					said = append(said, sanitize.Attribute(token.Attr, key))
				}
				if sanitize.Attribute(token.Attr, "name") == "description" {
					said = append(said, sanitize.Attribute(token.Attr, "content"))
				}
			case nethtml.EndTagToken:
				inside = ""
			case nethtml.TextToken:
				if !slices.Contains([]string{"style", "script", "annotation"}, inside) {
					said = append(said, token.Data)
				}
			}
			for _, text := range said {
				if found := latin.FindString(text); found != "" && found != "MB" {
					t.Errorf("%s: <%s> says %q", name, inside, strings.TrimSpace(text))
				}
			}
		}
	}
}
