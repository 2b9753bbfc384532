package report

import (
	"context"
	_ "embed"

	coq "github.com/siegebook/siegebook/proofs"
	"github.com/siegebook/siegebook/report/ants"
	"github.com/siegebook/siegebook/report/castle"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/ledger"
	"github.com/siegebook/siegebook/report/machine"
	"github.com/siegebook/siegebook/report/naval"
	"github.com/siegebook/siegebook/report/proofs"
	"github.com/siegebook/siegebook/report/site"
	"github.com/siegebook/siegebook/report/terms"
	"github.com/siegebook/siegebook/report/tower"
)

// The texts of the pages that only this package fills.
var (
	//go:embed front.md
	frontText string
	//go:embed questions.md
	questionsText string
	//go:embed about.md
	aboutText string
	//go:embed accessibility.md
	accessibilityText string
)

const (
	aboutSlug         = "about"
	accessibilitySlug = "accessibility"
)

// machineNumbers is the unit that computes what Coq computes as well as the program.
var machineNumbers = "machine/numbers"

// Siegebook returns the book of this repository: four games, the proofs, and the pages about the posts and the report.
func Siegebook() Book {
	b := Book{
		Title:  "siegebook",
		Macros: map[string]string{`\ceil`: `\left\lceil #1\right\rceil`, `\floor`: `\left\lfloor #1\right\rfloor`},
		Aids:   []string{terms.SymbolsSlug, terms.GlossarySlug},
		Games:  []chapter.Game{castle.Game, tower.Game, ants.Game, naval.Game},
		Order:  order,
		Heads:  heads,
		Mark:   mark,
		Units:  []chapter.Unit{{Name: machineNumbers, Compute: numbersPart}},
	}
	var fronts, open, claims []string
	for _, g := range b.Games {
		fronts, open = append(fronts, chapter.FrontOf(g.Name)), append(open, chapter.OpenOf(g.Name))
		claims = append(claims, chapter.ErrataOf(g.Name), chapter.OpenOf(g.Name))
	}
	b.Pages = append(
		[]BookPage{{Slug: frontSlug, File: "report/front.md", Text: frontText, Needs: fronts, Fill: fillFront}},
		proofPages()...)
	b.Pages = append(
		b.Pages,
		BookPage{
			Slug:  proofs.MachineSlug,
			File:  "report/machine/machine.md",
			Text:  machine.Text,
			Needs: append(claims[:len(claims):len(claims)], machineNumbers),
			Fill:  fillMachine,
		},
		BookPage{
			Slug:  chapter.QuestionsSlug,
			File:  "report/questions.md",
			Text:  questionsText,
			Needs: open,
			Fill:  fillQuestions,
		},
		BookPage{
			Slug:  ledger.Slug,
			File:  "report/ledger/claims.md",
			Text:  ledger.Text,
			Needs: claims,
			Fill:  fillLedger,
		},
		BookPage{
			Slug: terms.SymbolsSlug,
			File: "report/terms/symbols.md",
			Text: terms.SymbolsText,
			Fill: func(c *Contents, p *site.Page) error {
				terms.FillSymbols(p, c.Title)
				return nil
			},
		},
		BookPage{
			Slug: terms.GlossarySlug,
			File: "report/terms/glossary.md",
			Text: terms.GlossaryText,
			Fill: func(c *Contents, p *site.Page) error {
				terms.FillGlossary(p, c.Title)
				return nil
			},
		},
		BookPage{Slug: aboutSlug, File: "report/about.md", Text: aboutText, Fill: fillAbout},
		BookPage{Slug: accessibilitySlug, File: "report/accessibility.md", Text: accessibilityText},
	)
	return b
}

// proofPages are those of the proofs in words, whose texts have their titles inside.
func proofPages() []BookPage {
	var pages []BookPage
	for _, p := range proofs.Pages() {
		prose := p.Body[0].(content.Prose)
		pages = append(pages, BookPage{Slug: p.Slug, File: p.File, Text: string(prose.Text), Read: proofs.Page})
	}
	return pages
}

// fillQuestions lists the questions of all games, those that are still open first.
func fillQuestions(c *Contents, page *site.Page) error {
	var questions []chapter.Question
	var open []chapter.OpenQuestion
	for _, g := range c.Games() {
		questions, open = append(questions, g.Questions()...), append(open, c.Part(chapter.OpenOf(g.Name)).Open...)
	}
	page.Values = map[string]any{"open": len(open), "answered": len(questions)}
	page.Funcs = map[string]any{
		"questions": func() []chapter.Question { return questions },
		"open":      func() []chapter.OpenQuestion { return open },
	}
	return nil
}

// claimsOf returns the claims of all games and of the proofs, with what was found of them, and the theorems of Coq.
func claimsOf(c *Contents) ([]chapter.Entry, []coq.Theorem, error) {
	var claims []chapter.Entry
	for _, g := range c.Games() {
		claims = append(
			append(claims, c.Part(chapter.ErrataOf(g.Name)).Ledger...),
			c.Part(chapter.OpenOf(g.Name)).Ledger...)
	}
	return attached(claims)
}

// attached adds the claims of the proofs, and the theorems of Coq to all.
func attached(claims []chapter.Entry) ([]chapter.Entry, []coq.Theorem, error) {
	theorems, err := coq.Theorems(coq.Texts)
	if err != nil {
		return nil, nil, err
	}
	claims, err = ledger.Attach(append(claims, ledger.Derived()...), theorems)
	return claims, theorems, err
}

// fillLedger lists all claims.
func fillLedger(c *Contents, page *site.Page) error {
	claims, theorems, err := claimsOf(c)
	if err != nil {
		return err
	}
	return ledger.Fill(page, claims, theorems, c.Title)
}

// fillMachine lists the theorems of Coq.
func fillMachine(c *Contents, page *site.Page) error {
	claims, _, err := claimsOf(c)
	if err != nil {
		return err
	}
	checked, err := machine.New(claims, c.Title)
	if err != nil {
		return err
	}
	return checked.Fill(page, c.Part(machineNumbers).Page.Tables[0])
}

func numbersPart(ctx context.Context) (chapter.Part, error) {
	table, err := machine.Numbers(ctx)
	return chapter.Part{Page: site.Page{Tables: []content.Table{table}}}, err
}

// mark puts the theorems of Coq beside what they prove. The statements of claims are known without a check.
func mark(c *Contents, pages []site.Page) ([]site.Page, error) {
	var claims []chapter.Entry
	for _, g := range c.Games() {
		claims = append(claims, g.Stated()...)
	}
	claims, _, err := attached(claims)
	if err != nil {
		return nil, err
	}
	checked, err := machine.New(claims, c.Title)
	if err != nil {
		return nil, err
	}
	return checked.Mark(pages)
}

// The parts of the book that are named elsewhere too.
const (
	pathPart  = "The main path"
	aboutPart = "Reference"
)

// order is the order of the book: a path through the games that presupposes no later page, then what goes further, the
// notebooks, the evidence, and pages to look things up. It decides about menus and about "next". The front page comes
// before it. A page that is not in a report is passed over; for a page that is not here see inOrder.
var order = []Part{
	{pathPart, untitled(
		"castle-play", "castle-rules", "castle-compared", "castle-own", "castle-hunt", "castle-border", "castle-counts",
		"tower-rules", "ants-rules", "naval-rules",
	)},
	{"Further", []Section{
		{"Castle", []string{"castle-derivation", "castle-side", "castle-tests", "castle-agreement", "castle-cost"}},
		{"Towers", []string{"tower-strategies", "tower-random", "tower-own"}},
		{"Ants", []string{"ants-battles", "ants-compared", "ants-own"}},
		{"Naval battle", []string{"naval-play", "naval-placement", "naval-shooting", "naval-own"}},
	}},
	{lessonsPart, untitled(
		"lesson-01-battle-by-hand", "lesson-02-search", "lesson-03-fibonacci", "lesson-04-case-boundaries",
		"lesson-05-castles-side", "lesson-06-regions", "lesson-07-towers", "lesson-08-ants", "lesson-09-naval",
	)},
	{"For teachers", untitled("castle-lesson", "castle-sheet")},
	{"Evidence", []Section{
		{"The posts", []string{
			"castle-errata", "tower-errata", "ants-errata", "naval-errata", chapter.QuestionsSlug, ledger.Slug,
		}},
		{"Proofs", []string{
			"proofs-castle-soldiers", "proofs-castle-side", "proofs-counting", "proofs-tower", "proofs-ants",
			"proofs-naval", proofs.MachineSlug,
		}},
	}},
	{aboutPart, untitled(terms.SymbolsSlug, terms.GlossarySlug, aboutSlug, accessibilitySlug)},
}

func untitled(slugs ...string) []Section { return []Section{{"", slugs}} }

// heads are what stands below the titles of pages whose files have no front matter: notebooks, and the proofs, which
// read well on a code host.
var heads = map[string]Head{
	"lesson-01-battle-by-hand": {Level: site.StartHere, Pair: []string{"castle-rules"}},
	"lesson-02-search": {
		Level: site.SchoolAlgebra, Needs: []string{"lesson-01-battle-by-hand"}, Pair: []string{"castle-counts"},
	},
	"lesson-03-fibonacci": {
		Level: site.SchoolAlgebra, Needs: []string{"lesson-01-battle-by-hand"}, Pair: []string{"castle-hunt"},
	},
	"lesson-04-case-boundaries": {
		Level: site.SchoolAlgebra, Needs: []string{"lesson-01-battle-by-hand", "lesson-03-fibonacci"},
		Pair: []string{"castle-border"},
	},
	"lesson-05-castles-side": {
		Level: site.SchoolAlgebra, Needs: []string{"lesson-01-battle-by-hand"}, Pair: []string{"castle-side"},
	},
	"lesson-06-regions": {
		Level: site.SchoolAlgebra, Needs: []string{"lesson-01-battle-by-hand"},
		Pair: []string{"castle-compared"},
	},
	"lesson-07-towers": {Level: site.StartHere, Pair: []string{"tower-rules"}},
	"lesson-08-ants":   {Level: site.StartHere, Pair: []string{"ants-rules"}},
	"lesson-09-naval":  {Level: site.StartHere, Pair: []string{"naval-rules"}},

	"proofs-castle-soldiers": {Level: site.WithProofs, Needs: []string{"castle-rules"}},
	"proofs-castle-side":     {Level: site.WithProofs, Needs: []string{"proofs-castle-soldiers"}},
	"proofs-counting":        {Level: site.WithProofs, Needs: []string{"proofs-castle-soldiers"}},
	"proofs-tower":           {Level: site.WithProofs, Needs: []string{"tower-rules"}},
	"proofs-ants":            {Level: site.WithProofs, Needs: []string{"ants-rules"}},
	"proofs-naval":           {Level: site.WithProofs, Needs: []string{"naval-rules"}},
}

// fillAbout shows the values of the parameters.
func fillAbout(c *Contents, page *site.Page) error {
	page.Funcs = map[string]any{"parameters": func() []choice {
		var all []choice
		for _, p := range c.book.Parameters() {
			if value := p.Shown(c.Options.Settings.Of(p)); value != "" {
				all = append(all, choice{p.Name, content.Markdown("`" + value + "`")})
			}
		}
		return all
	}}
	return nil
}

// choice is a parameter's value, as the page About shows it.
type choice struct {
	Name  string
	Value content.Markdown
}
