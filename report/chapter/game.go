package chapter

import (
	"context"
	"fmt"
	"slices"

	"github.com/siegebook/siegebook/internal/canceled"
	"github.com/siegebook/siegebook/report/site"
)

// Game is an entry of the report's register: what its chapter is called, what it depends on, and how it is made. The
// same settings make the same chapter.
type Game struct {
	Name       string      // how the slugs of its pages begin
	Title      string      // in menus
	Parameters []Parameter // what may be chosen
	Seed       uint64      // of everything in the chapter that is drawn at random; 0 if nothing is
	Slugs      []string    // of its pages, in reading order
	// Build computes the chapter. Errors are a setting that its parameter refuses, a [*SettingError], a [*PageError],
	// and that of the context.
	Build func(context.Context, Settings) (Chapter, error)
}

// Plan says of what a game's chapter consists. D is the data that its pages share.
type Plan[D any] struct {
	Name, Title string // as in Game
	Parameters  []Parameter
	Seed        uint64
	Data        func(context.Context, Settings) (D, error) // nil where there is none
	Front       func(D) (Front, error)                     // nil where the front page shows nothing of the game
	Pages       []Page[D]                                  // in reading order
	Questions   func() []Question
	Open        func(context.Context, D) ([]OpenQuestion, error) // nil where there is none
	// Claims are what can be true or false; nil where there is none. Errata makes the last page of them, "errata".
	Claims func(D) Claims
	Errata func(context.Context, D, Checked) (site.Page, error)
	// Post begins the source of claims of the posts, and how the ledger calls them: "Castle Defense ".
	Post string
}

// errataName is the name of the page that Plan.Errata makes.
const errataName = "errata"

// Page is a page of a chapter.
type Page[D any] struct {
	Name  string // its slug is the game's name, a hyphen and this
	Build func(context.Context, D) (site.Page, error)
}

// Nothing is the data of a chapter whose pages share none.
type Nothing struct{}

// PageError is what went wrong with a page of a chapter.
type PageError struct {
	Slug string
	Err  error
}

func (e *PageError) Error() string { return fmt.Sprintf("page %s: %v", e.Slug, e.Err) }

// Unwrap returns what went wrong.
func (e *PageError) Unwrap() error { return e.Err }

// Game returns the plan's entry in the register.
func (p Plan[D]) Game() Game {
	g := Game{Name: p.Name, Title: p.Title, Parameters: p.Parameters, Seed: p.Seed, Build: p.build}
	for _, page := range p.Pages {
		g.Slugs = append(g.Slugs, p.slug(page.Name))
	}
	if p.Errata != nil {
		g.Slugs = append(g.Slugs, p.slug(errataName))
	}
	return g
}

func (p Plan[D]) slug(page string) string { return p.Name + "-" + page }

func (p Plan[D]) build(ctx context.Context, settings Settings) (c Chapter, err error) {
	var data D
	if p.Data != nil {
		if data, err = p.Data(ctx, settings); err != nil {
			return Chapter{}, err
		}
	}
	if p.Front != nil {
		if c.Front, err = p.Front(data); err != nil {
			return Chapter{}, fmt.Errorf("front page: %w", err)
		}
	}
	for _, page := range p.withErrata(&c) {
		if ctx.Err() != nil {
			return Chapter{}, canceled.Cause(ctx)
		}
		built, err := page.Build(ctx, data)
		if err != nil {
			return Chapter{}, &PageError{Slug: p.slug(page.Name), Err: err}
		}
		built.Slug = p.slug(page.Name)
		c.Pages = append(c.Pages, built)
	}
	c.Questions = p.Questions()
	if p.Open != nil {
		if c.Open, err = p.Open(ctx, data); err != nil {
			return Chapter{}, fmt.Errorf("open questions: %w", err)
		}
		for _, question := range c.Open {
			entry, err := question.entry()
			if err != nil {
				return Chapter{}, fmt.Errorf("open questions: %w", err)
			}
			c.Ledger = append(c.Ledger, entry)
		}
	}
	return c, nil
}

// withErrata returns the pages with that of the errata, which puts the claims into the chapter.
func (p Plan[D]) withErrata(c *Chapter) []Page[D] {
	if p.Errata == nil {
		return p.Pages
	}
	return append(slices.Clone(p.Pages), Page[D]{Name: errataName, Build: func(ctx context.Context, data D) (site.Page, error) {
		checked, err := p.Claims(data).Check(ctx)
		if err != nil {
			return site.Page{}, err
		}
		if c.Ledger, err = checked.entries(p.Name, p.Post); err != nil {
			return site.Page{}, err
		}
		return p.Errata(ctx, data, checked)
	}})
}
