package report

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"

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
	"go.yaml.in/yaml/v3"
)

// The texts of the pages that only this package fills, and the order of all.
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

// machineNumbers is the unit that computes what Coq computes as well as the program.
var machineNumbers = "machine/numbers"

// Siegebook returns the book of this repository: four games, the proofs, and the pages about the posts and the report.
func Siegebook() Book {
	b := Book{
		Title:  "siegebook",
		Macros: map[string]string{`\ceil`: `\left\lceil #1\right\rceil`, `\floor`: `\left\lfloor #1\right\rfloor`},
		Aids:   []string{terms.SymbolsSlug, terms.GlossarySlug},
		Terms:  terms.Linked(gameOf),
		Games:  []chapter.Game{castle.Game, tower.Game, ants.Game, naval.Game},
		Order:  register.Order,
		Heads:  register.Heads,
		Mark:   mark,
		Units:  []chapter.Unit{{Name: machineNumbers, Compute: numbersPart}},
	}
	var fronts, open, claims []string
	for _, g := range b.Games {
		fronts, open = append(fronts, chapter.FrontOf(g.Name)), append(open, chapter.OpenOf(g.Name))
		claims = append(claims, chapter.ErrataOf(g.Name), chapter.OpenOf(g.Name))
	}
	b.Pages = []BookPage{{Slug: frontSlug, File: "report/front.md", Text: frontText, Needs: fronts, Fill: fillFront}}
	for _, p := range proofs.Pages() { // whose texts have their titles inside
		text := string(p.Body[0].(content.Prose).Text)
		b.Pages = append(b.Pages, BookPage{Slug: p.Slug, File: p.File, Text: text, Read: proofs.Page})
	}
	b.Pages = append(b.Pages, []BookPage{
		{
			Slug: proofs.MachineSlug, File: "report/machine/machine.md", Text: machine.Text,
			Needs: append(slices.Clip(claims), machineNumbers), Fill: fillMachine,
		},
		{
			Slug: chapter.QuestionsSlug, File: "report/questions.md", Text: questionsText, Needs: open,
			Fill: fillQuestions,
		},
		{
			Slug: ledger.Slug, File: "report/ledger/claims.md", Text: ledger.Text, Needs: claims, Fill: fillLedger,
		},
		{
			Slug: ledger.GraphSlug, File: "report/ledger/graph.md", Text: ledger.GraphText, Needs: claims,
			Fill: fillGraph,
		},
		{
			Slug: terms.SymbolsSlug, File: "report/terms/symbols.md", Text: terms.SymbolsText,
			Fill: func(c *Contents, page *site.Page) { terms.FillSymbols(page, c.Title) },
		},
		{
			Slug: terms.GlossarySlug, File: "report/terms/glossary.md", Text: terms.GlossaryText,
			Fill: func(c *Contents, page *site.Page) { terms.FillGlossary(page, c.Title) },
		},
		{Slug: aboutSlug, File: "report/about.md", Text: aboutText, Fill: fillAbout},
		{Slug: accessibilitySlug, File: "report/accessibility.md", Text: accessibilityText},
	}...)
	return b
}

// fillQuestions lists the questions of all games, those that are still open first.
func fillQuestions(c *Contents, page *site.Page) {
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
}

// claims are those of all games and of the proofs, with what was found of them, and the theorems of Coq.
func (c *Contents) claims() ([]chapter.Entry, []coq.Theorem) {
	var claims []chapter.Entry
	for _, g := range c.Games() {
		claims = append(claims, c.Part(chapter.ErrataOf(g.Name)).Ledger...)
		claims = append(claims, c.Part(chapter.OpenOf(g.Name)).Ledger...)
	}
	return attached(claims)
}

// attached adds the claims of the proofs, and the theorems of Coq to all.
func attached(claims []chapter.Entry) ([]chapter.Entry, []coq.Theorem) {
	theorems := content.Get(coq.Theorems(coq.Texts))
	return ledger.Attach(append(claims, ledger.Derived()...), theorems), theorems
}

// fillLedger lists all claims, and fillGraph shows what proves them.
func fillLedger(c *Contents, page *site.Page) {
	claims, theorems := c.claims()
	ledger.Fill(page, claims, theorems, c.Title)
}

func fillGraph(c *Contents, page *site.Page) {
	claims, _ := c.claims()
	ledger.FillGraph(page, claims, c.Title)
}

// fillMachine lists the theorems of Coq.
func fillMachine(c *Contents, page *site.Page) {
	claims, _ := c.claims()
	machine.New(claims, c.Title).Fill(page, c.Part(machineNumbers).Page.Tables[0])
}

func numbersPart(ctx context.Context) (chapter.Part, error) {
	table, err := machine.Numbers(ctx)
	return chapter.Part{Page: site.Page{Tables: []content.Table{table}}}, err
}

// mark puts the theorems of Coq beside what they prove. The statements of claims are known without a check.
func mark(c *Contents, pages []site.Page) []site.Page {
	var claims []chapter.Entry
	for _, g := range c.Games() {
		claims = append(claims, g.Stated()...)
	}
	claims, _ = attached(claims)
	return machine.New(claims, c.Title).Mark(pages)
}

// The parts of the book that are named here too.
const (
	pathPart  = "The main path"
	aboutPart = "Reference"
)

// register is order.yaml: the order of the book, and what stands below the titles of pages whose files do not say so.
var register = func() (r struct {
	Order []Part
	Heads map[string]Head
},
) {
	if err := yaml.Unmarshal(orderText, &r); err != nil {
		panic("report: " + err.Error()) // it is compiled in
	}
	return r
}()

// gameOf returns the name of the game that a page is about, "" for a page about several. The front page is about the
// castle first.
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
	case frontSlug, "counting":
		return castle.Game.Name
	}
	return ""
}

// fillAbout shows the values of the parameters.
func fillAbout(c *Contents, page *site.Page) {
	page.Funcs = map[string]any{"parameters": func() []choice {
		var all []choice
		for _, p := range c.book.Parameters() {
			if value := p.Shown(c.Options.Settings.Of(p)); value != "" {
				all = append(all, choice{p.Name, content.Markdown("`" + value + "`")})
			}
		}
		return all
	}}
}

// choice is a parameter's value, as the page About shows it.
type choice struct {
	Name  string
	Value content.Markdown
}

// Part is a part of a book: a title in menus, and its pages.
type Part struct {
	Title    string
	Sections []Section
}

// Section is a section of a part, with the slugs of its pages; a section without a title is all of its part.
type Section struct {
	Title string
	Pages []string
}

// Head is what stands below the title of a page.
type Head struct {
	Level site.Level
	Needs []string // what should be read before
	Pair  []string // of a lesson: the chapters on the same subject
}

// lessonsPart holds the lessons, ours and notebooks of the reader's own.
const lessonsPart = "Notebooks"

// lessonSeries begins the numbers of lessons, so that those of chapters are the same without them.
const lessonSeries = "L"

// inOrder returns pages in the order of the book, each with its place in it. A page that the book does not know comes
// at the end of the part that it names, and a part that the book does not know before the posts.
func (b Book) inOrder(pages []site.Page) []site.Page {
	left := map[string]site.Page{}
	for _, p := range pages {
		left[p.Slug] = p
	}
	there := func(slug string) bool { _, ok := left[slug]; return ok }
	var ordered []site.Page
	known := b.slugs()
	for _, part := range b.Order {
		for _, section := range part.Sections {
			for _, slug := range section.Pages {
				if page, ok := left[slug]; ok {
					head := b.Heads[slug]
					page.Part, page.Group, page.Level = part.Title, section.Title, cmp.Or(head.Level, page.Level)
					page.Needs = only(append(slices.Clone(head.Needs), page.Needs...), there)
					page.Beside = b.beside(slug, there)
					ordered = append(ordered, page)
				}
			}
		}
		last := part.Sections[len(part.Sections)-1].Title
		for _, page := range pages {
			if !slices.Contains(known, page.Slug) &&
				(page.Part == part.Title || part.Title == lessonsPart && !b.isPart(page.Part)) {
				page.Group = last
				ordered = append(ordered, page)
			}
		}
	}
	return ordered
}

// beside are the pages on the same subject: of a lesson the chapters, of a chapter the lessons.
func (b Book) beside(slug string, there func(slug string) bool) []site.Beside {
	if chapters := only(b.Heads[slug].Pair, there); len(chapters) > 0 {
		return []site.Beside{{Words: "This notebook belongs to", Slugs: chapters}}
	}
	var lessons []string
	for _, other := range b.slugs() {
		if slices.Contains(b.Heads[other].Pair, slug) {
			lessons = append(lessons, other)
		}
	}
	switch lessons = only(lessons, there); len(lessons) {
	case 0:
		return nil
	case 1:
		return []site.Beside{{Words: "This page has a notebook, which make jupyter opens", Slugs: lessons}}
	}
	return []site.Beside{{Words: "This page has notebooks, which make jupyter opens", Slugs: lessons}}
}

func only(slugs []string, there func(slug string) bool) []string {
	return slices.DeleteFunc(slices.Clone(slugs), func(slug string) bool { return !there(slug) })
}

// slugs are those of all pages of the book in their order.
func (b Book) slugs() []string {
	var all []string
	for _, part := range b.Order {
		for _, section := range part.Sections {
			all = append(all, section.Pages...)
		}
	}
	return all
}

func (b Book) isPart(title string) bool {
	return slices.ContainsFunc(b.Order, func(p Part) bool { return p.Title == title })
}

// fillFront shows what the games have for the front page, and where the other pages are. The games' values share one
// page, so a game's names begin with its own, save the castle's, which is what the page is about.
func fillFront(c *Contents, page *site.Page) {
	page.Values, page.Figures = c.figuresOf()
	page.Funcs = map[string]any{
		"lessons":  func() ([]site.Page, error) { return lessonPages(c.Options.Lessons) },
		"link":     func(slugs ...string) (string, error) { return linkToFirst(c.Pages, slugs) },
		"contents": func() string { return contents(c.Pages) },
		"citation": func() string { return citation(page.Title) },
	}
}

// Index is a front page that lists the other pages, for a book whose author has written none.
func Index(title, description string) BookPage {
	read := func(file, text string) site.Page {
		return site.Page{
			Slug: frontSlug, File: file, Title: title, Description: description, Unnumbered: true,
			Source: text,
		}
	}
	return BookPage{
		Slug: frontSlug, File: "index.md", Text: site.Escape(description) + "\n\n{{ contents }}\n", Read: read,
		Fill: func(c *Contents, page *site.Page) {
			page.Funcs = map[string]any{"contents": func() string { return contents(c.Pages) }}
		},
	}
}

// linkToFirst returns a link to the first page that is there.
func linkToFirst(pages []site.Page, slugs []string) (string, error) {
	for _, slug := range slugs {
		if i := slices.IndexFunc(pages, func(p site.Page) bool { return p.Slug == slug }); i >= 0 {
			return linkTo(pages[i]), nil
		}
	}
	return "", fmt.Errorf("none of the pages %q is in the report", slugs)
}

func linkTo(p site.Page) string { return "[" + site.Escape(p.Title) + "](" + p.Slug + ".html)" }

// contents lists pages by their parts and groups.
func contents(pages []site.Page) string {
	var list strings.Builder
	var last site.Page
	for _, p := range pages {
		inPart := p.Part == last.Part && p.Part != ""
		switch {
		case inPart && p.Group == last.Group:
			list.WriteString(" · ")
		case p.Part == "":
			list.WriteString("\n- ")
		case p.Group == "":
			fmt.Fprintf(&list, "\n- **%s:** ", site.Escape(p.Part))
		case inPart:
			fmt.Fprintf(&list, "\n  - *%s:* ", site.Escape(p.Group))
		default:
			fmt.Fprintf(&list, "\n- **%s**\n  - *%s:* ", site.Escape(p.Part), site.Escape(p.Group))
		}
		list.WriteString(linkTo(p))
		last = p
	}
	return list.String() + "\n"
}

// home is where the source is.
const home = "https://github.com/siegebook/siegebook"

// citation says how to refer to the report under the title of its front page: in words, and for BibTeX.
func citation(title string) string {
	words := fmt.Sprintf("> siegebook %s, *%s* Exact answers to small siege games. <%s>", Version, title, home)
	return words + "\n\n```text\n@misc{siegebook,\n  author = {{siegebook}},\n  title  = {" + title +
		" Exact answers to small siege games},\n" +
		"  note   = {Version " + Version + "},\n  url    = {" + home + "}\n}\n```\n"
}
