// Package siegebook is the book of this repository: four games, the proofs, and the pages about the posts and the
// report.
//
// The pages of a game are Markdown with Go cells in a folder below this one. The package in that folder computes the
// data of these pages, and builds the other pages. Package internal/report/book builds this book and any other.
package siegebook

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/internal/report/book"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/site"
	coq "github.com/siegebook/siegebook/proofs"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/siegebook/explorables"
	"github.com/siegebook/siegebook/report/siegebook/games"
	"github.com/siegebook/siegebook/report/siegebook/ledger"
	"github.com/siegebook/siegebook/report/siegebook/machine"
	"github.com/siegebook/siegebook/report/siegebook/proofs"
	"github.com/siegebook/siegebook/report/siegebook/terms"
	"go.yaml.in/yaml/v3"
)

// These are the texts of the pages that this package fills, and the order of all pages.
var (
	//go:embed about.md
	aboutText string
	//go:embed accessibility.md
	accessibilityText string
	//go:embed order.yaml
	orderText []byte
)

const (
	aboutSlug         = "about"
	accessibilitySlug = "accessibility"
)

// Book returns the book of this repository: four games, the proofs, and the pages about the posts and the report.
func Book() book.Book {
	b := book.Book{
		Title:       "siegebook",
		Macros:      map[string]string{`\ceil`: `\left\lceil #1\right\rceil`, `\floor`: `\left\lfloor #1\right\rfloor`},
		HeaderLinks: []string{terms.SymbolsSlug, terms.GlossarySlug},
		Terms:       terms.Linked(gameOf),
		Folder:      "report/siegebook",
		Cells:       true,
		Games:       games.All,
		Order:       register.Order,
		Heads:       register.Heads,
		Kits:        register.Kits,
		Address:     register.Address,
		Mark:        mark,
		Explorables: explorables.Set(),
	}
	claims := []string{chapter.QuestionsSlug} // the slugs of the pages that show claims
	for _, g := range b.Games {
		claims = append(claims, chapter.ErrataOf(g.Name))
	}
	for _, p := range proofs.Pages() { // the texts of proofs contain their titles
		text := string(p.Body[0].(content.Prose).Text)
		b.Pages = append(b.Pages, book.Page{Slug: p.Slug, File: p.File, Text: text, Read: proofs.Page})
	}
	b.Pages = append(b.Pages, []book.Page{
		{
			Slug: proofs.MachineSlug, File: "report/siegebook/machine/machine.md", Text: machine.Text,
			Needs: claims, Fill: fillMachine,
		},
		{
			Slug: ledger.Slug, File: "report/siegebook/ledger/claims.md", Text: ledger.Text, Needs: claims,
			Fill: fillLedger,
		},
		{
			Slug: ledger.GraphSlug, File: "report/siegebook/ledger/graph.md", Text: ledger.GraphText, Needs: claims,
			Fill: fillGraph,
		},
		{
			Slug: terms.SymbolsSlug, File: "report/siegebook/terms/symbols.md", Text: terms.SymbolsText,
			Fill: func(c *book.Contents, page *site.Page) error {
				terms.FillSymbols(page, c.Title)
				return nil
			},
		},
		{
			Slug: terms.GlossarySlug, File: "report/siegebook/terms/glossary.md", Text: terms.GlossaryText,
			Fill: func(c *book.Contents, page *site.Page) error {
				terms.FillGlossary(page, c.Title)
				return nil
			},
		},
		{Slug: aboutSlug, File: "report/siegebook/about.md", Text: aboutText, Fill: fillAbout},
		{Slug: accessibilitySlug, File: "report/siegebook/accessibility.md", Text: accessibilityText},
	}...)
	return b
}

// claimsOf returns the claims of all games and of the proofs, with the findings about them, and the theorems of Coq.
// The open questions of each game come last.
func claimsOf(c *book.Contents) ([]content.Statement, []coq.Theorem, error) {
	var claims, open []content.Statement
	for _, g := range c.Book().Games {
		open = nil
		for _, s := range c.Book().Statements {
			switch {
			case !strings.HasPrefix(s.ID, g.Name+"-"):
			case strings.HasPrefix(s.Ref, "sec:"+chapter.QuestionsSlug+"/"):
				open = append(open, s)
			default:
				claims = append(claims, s)
			}
		}
		claims = append(claims, open...)
	}
	return attached(claims)
}

// attached adds the claims of the proofs, and the theorems of Coq, to claims.
func attached(claims []content.Statement) ([]content.Statement, []coq.Theorem, error) {
	theorems, err := coq.Theorems(coq.Texts)
	if err != nil {
		return nil, nil, err
	}
	claims, err = ledger.Attach(append(claims, ledger.Derived()...), theorems)
	return claims, theorems, err
}

// fillLedger lists all claims, and fillGraph shows their proofs.
func fillLedger(c *book.Contents, page *site.Page) error {
	claims, theorems, err := claimsOf(c)
	if err != nil {
		return err
	}
	return ledger.Fill(page, claims, theorems, c.Title)
}

func fillGraph(c *book.Contents, page *site.Page) error {
	claims, _, err := claimsOf(c)
	if err != nil {
		return err
	}
	return ledger.FillGraph(page, claims, c.Title)
}

// fillMachine lists the theorems of Coq.
func fillMachine(c *book.Contents, page *site.Page) error {
	claims, _, err := claimsOf(c)
	if err != nil {
		return err
	}
	shelf, err := machine.New(claims, c.Title)
	if err != nil {
		return err
	}
	numbers, err := machine.Numbers(c)
	if err != nil {
		return err
	}
	return shelf.Fill(page, numbers)
}

// mark adds the theorems of Coq to the statements that they prove. The statements of claims are known before they are
// checked.
func mark(c *book.Contents, pages []site.Page) ([]site.Page, error) {
	var claims []content.Statement
	for _, g := range c.Book().Games {
		claims = append(claims, g.Stated()...)
	}
	claims, _, err := attached(claims)
	if err != nil {
		return nil, err
	}
	shelf, err := machine.New(claims, c.Title)
	if err != nil {
		return nil, err
	}
	return shelf.Mark(pages)
}

// The code refers to these parts of the book by name.
const (
	pathPart  = "The main path"
	aboutPart = "Reference"
)

// register is the content of order.yaml: the order of the book, and the front matter of pages whose files have none.
var register = func() (r struct {
	Order []book.Part
	Heads map[string]book.Head
	Kits  []site.Kit
	// Address is the address of the published report, or "" if it is unknown; see site.Site.
	Address string
},
) {
	if err := yaml.Unmarshal(orderText, &r); err != nil {
		panic("siegebook: " + err.Error()) // the file is compiled in
	}
	return r
}()

// gameOf returns the name of the game that a page is about, or "" for a page about several games. The front page counts
// as a page about the castle.
func gameOf(slug string) string {
	if pair := register.Heads[slug].Pair; len(pair) > 0 {
		slug = pair[0]
	}
	if rest, ok := strings.CutPrefix(slug, proofs.Prefix+"-"); ok {
		slug = rest
	}
	game, _, _ := strings.Cut(slug, "-")
	switch game {
	case book.FrontSlug, "counting":
		return games.All[0].Name
	}
	if slices.ContainsFunc(games.All, func(g chapter.Game) bool { return g.Name == game }) {
		return game
	}
	return ""
}

// fillAbout shows the values of the parameters.
func fillAbout(c *book.Contents, page *site.Page) error {
	page.Funcs = map[string]any{"parameters": func() []choice {
		var all []choice
		for _, p := range c.Book().Parameters() {
			if value := p.Shown(c.Options.Settings.Of(p)); value != "" {
				all = append(all, choice{p.Name, content.Markdown("`" + value + "`")})
			}
		}
		return all
	}}
	return nil
}

// choice is the value of a parameter in the form that the page About shows.
type choice struct {
	Name  string
	Value content.Markdown
}
