package lesson

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"
	"pgregory.net/rapid"
)

// nesting writes random prose in which lists and folds stand inside of each other, and notes where it has written what.
type nesting struct {
	t      *rapid.T
	places []string // of each word: the folds and lists around it, from outside
	around []string
}

func (g *nesting) word() string {
	g.places = append(g.places, strings.Join(g.around, " "))
	return fmt.Sprintf("word%d.", len(g.places))
}

// inside writes blocks inside of a fold or a list item.
func (g *nesting) inside(what string, write func() []string) []string {
	g.around = append(g.around, what)
	defer func() { g.around = g.around[:len(g.around)-1] }()
	return write()
}

// blocks returns some blocks as lines without indentation.
func (g *nesting) blocks(depth int) []string {
	var lines []string
	for range rapid.IntRange(1, 3).Draw(g.t, "blocks") {
		if len(lines) > 0 {
			lines = append(lines, "")
		}
		kind := rapid.IntRange(0, 6).Draw(g.t, "kind")
		if depth == 0 {
			kind = min(kind, 3)
		}
		if kind == 5 && len(lines) == 0 && len(g.around) > 0 && g.around[len(g.around)-1] == "li" {
			kind = 4 // the site refuses an item that begins with a numbered list: "2. 15. One hit more" loses its 15
		}
		switch kind {
		case 0:
			lines = append(lines, g.word(), "*"+g.word()+"*")
		case 1:
			lines = append(lines, "```", "", "    "+g.word(), "", "```")
		case 2:
			lines = append(lines, "### "+g.word())
		case 3:
			lines = append(lines, "> "+g.word(), ">", "> "+g.word())
		case 4:
			lines = append(lines, listed("-", g.inside("li", func() []string { return g.blocks(depth - 1) }))...)
		case 5:
			lines = append(lines, listed("1.", g.inside("li", func() []string { return g.blocks(depth - 1) }))...)
		case 6:
			lines = append(lines, g.inside("details", func() []string {
				fold := []string{"<details>", "<summary>" + g.word() + "</summary>", ""}
				return append(append(fold, g.blocks(depth-1)...), "", "</details>")
			})...)
		}
	}
	return lines
}

// listed makes one list item of lines.
func listed(mark string, lines []string) []string {
	var item []string
	for i, l := range lines {
		switch {
		case i == 0:
			item = append(item, mark+" "+l)
		case l == "":
			item = append(item, "")
		default:
			item = append(item, strings.Repeat(" ", len(mark)+1)+l)
		}
	}
	return item
}

var wordForm = regexp.MustCompile(`word[0-9]+\.`)

// placesOf returns where each word of a page stands, in the order of the text.
func placesOf(page string) (places []string) {
	var around []string
	z := html.NewTokenizer(strings.NewReader(page))
	for z.Next() != html.ErrorToken {
		t := z.Token()
		switch {
		case t.Data != "li" && t.Data != "details" && t.Type != html.TextToken:
		case t.Type == html.StartTagToken:
			around = append(around, t.Data)
		case t.Type == html.EndTagToken:
			around = around[:len(around)-1]
		default:
			for _, word := range wordForm.FindAllString(t.Data, -1) {
				places = append(places, word+" "+strings.Join(around, " "))
			}
		}
	}
	return places
}

// TestNesting makes sure that every word of prose with folds and lists is on the page once, in its fold and list.
func TestNesting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := &nesting{t: t}
		text := strings.Join(g.blocks(3), "\n")
		tree, err := render(t, Page(notebook(t, textCell("a", "# T"), textCell("b", text)), Options{Slug: "lesson", File: "n.ipynb"}))
		if err != nil {
			t.Fatalf("%v:\n%s", err, text)
		}
		wellFormed(t, string(tree["lesson.html"]))
		_, page, _ := strings.Cut(mainOf(tree["lesson.html"]), "This page is a Jupyter notebook")
		var want []string
		for i, place := range g.places {
			want = append(want, fmt.Sprintf("word%d. %s", i+1, place))
		}
		if diff := cmp.Diff(want, placesOf(page)); diff != "" {
			t.Fatalf("-want +got:\n%s\n%s\n---\n%s", diff, text, page)
		}
		if strings.Contains(page, "&lt;") || strings.Contains(page, "[!") || strings.Contains(page, "```") {
			t.Fatalf("markup is left over:\n%s\n---\n%s", text, page)
		}
	})
}
