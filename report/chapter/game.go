package chapter

import (
	"context"
	"fmt"

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
	// and the cause of the context.
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
}

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
		g.Slugs = append(g.Slugs, p.slug(page))
	}
	return g
}

func (p Plan[D]) slug(page Page[D]) string { return p.Name + "-" + page.Name }

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
	for _, page := range p.Pages {
		if ctx.Err() != nil {
			return Chapter{}, context.Cause(ctx)
		}
		built, err := page.Build(ctx, data)
		if err != nil {
			return Chapter{}, &PageError{Slug: p.slug(page), Err: err}
		}
		built.Slug = p.slug(page)
		c.Pages = append(c.Pages, built)
	}
	c.Questions = p.Questions()
	return c, nil
}
