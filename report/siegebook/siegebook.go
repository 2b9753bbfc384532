// Package siegebook is the book of this repository: four games, the proofs, and the pages about the posts and the
// report.
//
// The pages of a game are Markdown with Go cells in a folder below this one. The package in that folder computes what
// they show, and builds the other pages. Package internal/report/book builds this book and any other.
package siegebook

import (
	"context"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/internal/report/book"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/site"
	coq "github.com/siegebook/siegebook/proofs"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/siegebook/ants"
	"github.com/siegebook/siegebook/report/siegebook/castle"
	"github.com/siegebook/siegebook/report/siegebook/explorables"
	"github.com/siegebook/siegebook/report/siegebook/ledger"
	"github.com/siegebook/siegebook/report/siegebook/machine"
	"github.com/siegebook/siegebook/report/siegebook/naval"
	"github.com/siegebook/siegebook/report/siegebook/proofs"
	"github.com/siegebook/siegebook/report/siegebook/terms"
	"github.com/siegebook/siegebook/report/siegebook/tower"
	"go.yaml.in/yaml/v3"
)

// The texts of the pages that only this package fills, and the order of all pages.
var (
	//go:embed front.md
	frontText string
	//go:embed questions.md
	questionsText string
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

// machineNumbers is the name of the unit that computes the numbers that Coq computes as well.
var machineNumbers = "machine/numbers"

// Book returns the book of this repository: four games, the proofs, and the pages about the posts and the report.
func Book() book.Book {
	b := book.Book{
		Title:       "siegebook",
		Macros:      map[string]string{`\ceil`: `\left\lceil #1\right\rceil`, `\floor`: `\left\lfloor #1\right\rfloor`},
		HeaderLinks: []string{terms.SymbolsSlug, terms.GlossarySlug},
		Terms:       terms.Linked(gameOf),
		Folder:      "report/siegebook",
		Cells:       true,
		Games:       []chapter.Game{castle.Game, tower.Game, ants.Game, naval.Game},
		Order:       register.Order,
		Heads:       register.Heads,
		Kits:        register.Kits,
		Address:     register.Address,
		Mark:        mark,
		Explorables: explorables.Set(),
		Units:       []chapter.Unit{{Name: machineNumbers, Compute: numbersPart}},
	}
	var fronts, open, claims []string
	for _, g := range b.Games {
		fronts, open = append(fronts, chapter.FrontOf(g.Name)), append(open, chapter.OpenOf(g.Name))
		claims = append(claims, chapter.ErrataOf(g.Name), chapter.OpenOf(g.Name))
	}
	b.Pages = []book.Page{{
		Slug: book.FrontSlug, File: "report/siegebook/front.md", Text: frontText, Needs: fronts, Fill: fillFront,
	}}
	for _, p := range proofs.Pages() { // whose texts have their titles inside
		text := string(p.Body[0].(content.Prose).Text)
		b.Pages = append(b.Pages, book.Page{Slug: p.Slug, File: p.File, Text: text, Read: proofs.Page})
	}
	b.Pages = append(b.Pages, []book.Page{
		{
			Slug: proofs.MachineSlug, File: "report/siegebook/machine/machine.md", Text: machine.Text,
			Needs: append(slices.Clip(claims), machineNumbers), Fill: fillMachine,
		},
		{
			Slug: chapter.QuestionsSlug, File: "report/siegebook/questions.md", Text: questionsText, Needs: open,
			Fill: fillQuestions,
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

// fillQuestions lists the questions of all games. Open questions come first.
func fillQuestions(c *book.Contents, page *site.Page) error {
	var questions []chapter.Question
	var open []chapter.OpenQuestion
	for _, g := range c.Book().Games {
		questions, open = append(questions, g.Questions()...), append(open, c.Part(chapter.OpenOf(g.Name)).Open...)
	}
	page.Values = map[string]any{"open": len(open), "answered": len(questions)}
	page.Funcs = map[string]any{
		"questions": func() []chapter.Question { return questions },
		"open":      func() []chapter.OpenQuestion { return open },
	}
	return nil
}

// claimsOf returns the claims of all games and of the proofs, with the findings about them, and the theorems of Coq.
func claimsOf(c *book.Contents) ([]chapter.Entry, []coq.Theorem, error) {
	var claims []chapter.Entry
	for _, g := range c.Book().Games {
		claims = append(claims, c.Part(chapter.ErrataOf(g.Name)).Ledger...)
		claims = append(claims, c.Part(chapter.OpenOf(g.Name)).Ledger...)
	}
	return attached(claims)
}

// attached adds the claims of the proofs, and the theorems of Coq, to claims.
func attached(claims []chapter.Entry) ([]chapter.Entry, []coq.Theorem, error) {
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
	return shelf.Fill(page, c.Part(machineNumbers).Page.Tables[0])
}

func numbersPart(ctx context.Context) (chapter.Part, error) {
	table, err := machine.Numbers(ctx)
	return chapter.Part{Page: site.Page{Tables: []content.Table{table}}}, err
}

// mark adds the theorems of Coq to the statements that they prove. The statements of claims are known without a check.
func mark(c *book.Contents, pages []site.Page) ([]site.Page, error) {
	var claims []chapter.Entry
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

// The parts of the book that Go code names, too.
const (
	pathPart  = "The main path"
	aboutPart = "Reference"
)

// register is the content of order.yaml: the order of the book, and the front matter of pages whose files have none.
var register = func() (r struct {
	Order []book.Part
	Heads map[string]book.Head
	Kits  []site.Kit
	// Address is the address of the published report, "" if nobody knows it; see site.Site.
	Address string
},
) {
	if err := yaml.Unmarshal(orderText, &r); err != nil {
		panic("siegebook: " + err.Error()) // it is compiled in
	}
	return r
}()

// gameOf returns the name of the game that a page is about, or "" for a page about several. The front page counts as a
// page about the castle.
func gameOf(slug string) string {
	if pair := register.Heads[slug].Pair; len(pair) > 0 {
		slug = pair[0]
	}
	if rest, ok := strings.CutPrefix(slug, proofs.Prefix+"-"); ok {
		slug = rest
	}
	game, _, _ := strings.Cut(slug, "-")
	switch game {
	case castle.Game.Name, tower.Game.Name, ants.Game.Name, naval.Game.Name:
		return game
	case book.FrontSlug, "counting":
		return castle.Game.Name
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

// choice is a parameter's value on the page About.
type choice struct {
	Name  string
	Value content.Markdown
}

// fillFront shows the results of the games on the front page, and links the other pages. The values of the games share
// one page, so their names begin with the name of the game, except the castle's: the page is about that game.
func fillFront(c *book.Contents, page *site.Page) error {
	page.Values = map[string]any{}
	for _, g := range c.Book().Games {
		front := c.Part(chapter.FrontOf(g.Name)).Front
		maps.Copy(page.Values, front.Values)
		page.Figures = append(page.Figures, front.Figures...)
	}
	page.Funcs = map[string]any{
		"lessons":  c.Lessons,
		"citation": func() string { return citation(page.Title) },
	}
	return nil
}

// home is the address of the source.
const home = "https://github.com/siegebook/siegebook"

// citation describes how to cite the report, in words and as BibTeX. title is the title of its front page.
func citation(title string) string {
	words := fmt.Sprintf("> siegebook %s, *%s* Exact answers to small siege games. <%s>", book.Version, title, home)
	return words + "\n\n```text\n@misc{siegebook,\n  author = {{siegebook}},\n  title  = {" + title +
		" Exact answers to small siege games},\n" +
		"  note   = {Version " + book.Version + "},\n  url    = {" + home + "}\n}\n```\n"
}
