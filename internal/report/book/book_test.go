package book

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/report/book/booktest"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/site"
)

// toyBook returns a book that shares nothing with ours: it has a game, a front page, and a page of open questions.
func toyBook() Book {
	return Book{
		Title: "Toys", Folder: "toys", Games: []chapter.Game{booktest.Toy},
		Pages: []Page{
			{
				Slug: FrontSlug,
				File: "front.md",
				Text: "---\ntitle: Toys\nunnumbered: true\n---\nSee {{ ref \"page:toy-rules\" }}.\n" +
					"Read {{ link \"lesson\" \"titles\" }}.\n",
			},
			{
				Slug: "toy-rules", File: "toys/toy/rules.md", Text: booktest.ToyRules,
				Fill: func(c *Contents, p *site.Page) error { return booktest.FillToy(c.Options.Settings, p) },
			},
			{
				Slug: "titles",
				File: "titles.md",
				Text: "---\ntitle: All titles\nnav: Titles\n---\n{{ .Value \"titles\" }}\n",
				Fill: func(c *Contents, p *site.Page) error {
					p.Values = map[string]any{
						"titles": c.Title("toy-rules") + ", " + c.Title("titles") + c.Title("nowhere"),
					}
					return nil
				},
			},
		},
		Order: []Part{{"Toys", []Section{{"", []string{"toy-rules", "titles"}}}}},
	}
}

// TestToyBook checks that the report of a book other than ours has that book's games, parameters, pages and order.
func TestToyBook(t *testing.T) {
	b := toyBook()
	if got := b.Chapters(); !slices.Equal(got, []string{"toy", "toy-rules", "titles"}) {
		t.Errorf("its chapters are %q", got)
	}
	tree, err := Build(t.Context(), b, Options{Settings: chapter.Settings{"blocks": "4"}})
	must.Do(t, err)
	if got := booktest.Followed(t, tree); !slices.Equal(got, []string{"toy-rules", "titles"}) {
		t.Errorf("next leads to %q", got)
	}
	for name, want := range map[string]string{
		"index.html": `See <a class="ref" href="toy-rules.html">Toys</a>.
Read <a href="titles.html">All titles</a>.`, "toy-rules.html": "Build with 4.",
		"titles.html": "Toys, All titles</p>",
	} {
		if !strings.Contains(string(tree[name]), want) {
			t.Errorf("%s has no %s:\n%s", name, want, tree[name])
		}
	}
	if err := b.Validate(Options{Settings: chapter.Settings{"levels": "1"}}); err == nil ||
		err.Error() != `parameter "levels": no chapter has this parameter: use blocks, marbles` {
		t.Errorf("a parameter of another book: %v", err)
	}
}

// TestToyTexts checks that all faults in the files of pages are reported at once, with their places.
func TestToyTexts(t *testing.T) {
	texts := fstest.MapFS{
		"front.md":          {Data: []byte("No title.\n")},
		"toys/toy/rules.md": {Data: []byte("---\ntitle: Toys\n---\n{{ .Value \"blocks\" }}\n")},
	}
	_, err := Build(t.Context(), toyBook(), Options{Texts: texts})
	must.ErrorContains(t, err, "front.md:1: the file must begin with")
	faults, _ := err.(site.Errors)
	if len(faults) != 2 || faults[1].File != "titles.md" || !strings.Contains(faults[1].Msg, "cannot be read") {
		t.Errorf("the faults are %v", faults)
	}
}

// TestLazy checks that menus and texts link to a page that is left out of a draft, at its future address.
func TestLazy(t *testing.T) {
	d, err := NewDraft(toyBook(), Options{})
	must.Do(t, err)
	tree, err := d.BuildOnly(t.Context(), nil, "", []string{"titles"})
	must.Do(t, err)
	if front := string(tree["index.html"]); tree["toy-rules.html"] != nil || tree["titles.html"] == nil ||
		!strings.Contains(front, `See <a class="ref" href="toy-rules.html">“Toys”</a>.`) ||
		strings.Count(front, `href="toy-rules.html"`) < 3 {
		t.Errorf("the front page does not lead to what is not there yet:\n%s", front)
	}
	if tree, err = d.BuildOnly(t.Context(), nil, "", []string{FrontSlug}); err != nil || tree["titles.html"] != nil {
		t.Errorf("the front page alone: %v", err)
	}
}
