package chapter

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"sync"

	"github.com/siegebook/siegebook/internal/canceled"
	"github.com/siegebook/siegebook/report/site"
)

// Game is a game in a book: what its chapter is called, what it depends on, and the units of which it is made. The same
// settings make the same chapter.
type Game struct {
	Name       string      // how the slugs of its pages begin
	Title      string      // in menus
	Parameters []Parameter // what may be chosen
	Seed       uint64      // of everything in the chapter that is drawn at random; 0 if nothing is
	Slugs      []string    // of its pages, in reading order
	Texts      fs.FS       // rules.md is the text of the page with the slug "toy-rules"
	Questions  func() []Question
	// Stated returns the claims as far as they are known without a check, for a report that shows only a part of them.
	Stated func() []Entry
	// Units returns what the chapter consists of under settings.
	Units func(Settings) []Unit
}

// Unit is a part of a chapter that is computed when somebody wants it.
type Unit struct {
	// Name is the slug of its page, or that of a part without one: see FrontOf and OpenOf.
	Name string
	// Needs are the parameters on whose values it depends.
	Needs []Parameter
	// Compute returns the part. Errors are a setting that its parameter refuses, a [*SettingError], a [*PageError], and
	// that of the context.
	Compute func(context.Context) (Part, error)
}

// Part is what a unit computes: the page, without the text, and the claims that were checked for it; or what the front
// page shows of the game; or its open questions.
type Part struct {
	Page   site.Page
	Ledger []Entry
	Front  Front
	Open   []OpenQuestion
}

// TextOf returns the text of a game's page. There is one for each page, as the program has them inside.
func TextOf(texts fs.FS, page string) string {
	text, err := fs.ReadFile(texts, page+".md")
	if err != nil {
		panic("chapter: " + err.Error())
	}
	return string(text)
}

// FrontOf is the name of the unit that computes what the front page shows of a game.
func FrontOf(game string) string { return game + "/front" }

// OpenOf is the name of the unit that computes the open questions of a game.
func OpenOf(game string) string { return game + "/open" }

// ErrataOf is the slug of a game's page of errata, whose unit checks the claims.
func ErrataOf(game string) string { return game + "-" + errataName }

// Plan says of what a game's chapter consists. D is the data that its pages share.
type Plan[D any] struct {
	Name, Title string // as in Game
	Parameters  []Parameter
	Seed        uint64
	Texts       fs.FS                                      // as in Game
	Data        func(context.Context, Settings) (D, error) // nil where there is none
	Front       func(D) (Front, error)                     // nil where the front page shows nothing of the game
	Pages       []Page[D]                                  // in reading order
	Questions   func() []Question
	Open        func(context.Context) ([]OpenQuestion, error) // nil where there is none
	// Claims are what can be true or false; nil where there is none. Errata makes the last page of them, "errata".
	Claims func() Claims
	Errata func(Checked) (site.Page, error)
	// Post begins the source of claims of the posts, and how the ledger calls them: "Castle Defense ".
	Post string
}

// errataName is the name of the page that Plan.Errata makes.
const errataName = "errata"

// Page is a page of a chapter. One of its functions makes it.
type Page[D any] struct {
	Name  string                                       // its slug is the game's name, a hyphen and this
	Build func(context.Context, D) (site.Page, error)  // from the data
	Fixed func(ctx context.Context) (site.Page, error) // which depends on no parameter
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

// Once returns a function that computes something the first time it is asked for, and ends with the context of each
// call. An error is not kept: a call after one that was canceled gets an answer.
func Once[T any](compute func(context.Context) (T, error)) func(context.Context) (T, error) {
	var mu sync.Mutex
	var value T
	var done bool
	return func(ctx context.Context) (T, error) {
		mu.Lock()
		defer mu.Unlock()
		switch {
		case ctx.Err() != nil:
			var none T
			return none, canceled.Cause(ctx)
		case done:
			return value, nil
		}
		computed, err := compute(ctx)
		if err == nil {
			value, done = computed, true
		}
		return computed, err
	}
}

// Game returns the plan's entry in the register.
func (p Plan[D]) Game() Game {
	g := Game{
		Name: p.Name, Title: p.Title, Parameters: p.Parameters, Seed: p.Seed, Texts: p.Texts, Questions: p.Questions,
		Stated: p.stated, Units: p.units,
	}
	for _, page := range p.Pages {
		g.Slugs = append(g.Slugs, p.slug(page.Name))
	}
	if p.Errata != nil {
		g.Slugs = append(g.Slugs, p.slug(errataName))
	}
	return g
}

func (p Plan[D]) slug(page string) string { return p.Name + "-" + page }

// stated returns the claims without what a check would find.
func (p Plan[D]) stated() []Entry {
	if p.Claims == nil {
		return nil
	}
	return p.Claims().stated(p.Name, p.Post)
}

func (p Plan[D]) units(settings Settings) []Unit {
	data := Once(func(ctx context.Context) (data D, err error) {
		if p.Data != nil {
			data, err = p.Data(ctx, settings)
		}
		return data, err
	})
	var units []Unit
	add := func(name string, needs []Parameter, compute func(context.Context) (Part, error)) {
		units = append(units, Unit{name, needs, func(ctx context.Context) (Part, error) {
			if ctx.Err() != nil {
				return Part{}, canceled.Cause(ctx)
			}
			return compute(ctx)
		}})
	}
	page := func(name string, needs []Parameter, build func(context.Context) (site.Page, []Entry, error)) {
		slug := p.slug(name)
		add(slug, needs, func(ctx context.Context) (part Part, err error) {
			if part.Page, part.Ledger, err = build(ctx); err != nil {
				return Part{}, &PageError{Slug: slug, Err: err}
			}
			part.Page.Slug = slug
			return part, nil
		})
	}
	if p.Front != nil {
		add(FrontOf(p.Name), p.Parameters, func(ctx context.Context) (Part, error) {
			shared, err := data(ctx)
			if err != nil {
				return Part{}, err
			}
			front, err := p.Front(shared)
			if err != nil {
				err = fmt.Errorf("front page: %w", err)
			}
			return Part{Front: front}, err
		})
	}
	for _, made := range p.Pages {
		if made.Fixed != nil {
			page(made.Name, nil, func(ctx context.Context) (site.Page, []Entry, error) {
				built, err := made.Fixed(ctx)
				return built, nil, err
			})
			continue
		}
		page(made.Name, p.Parameters, func(ctx context.Context) (site.Page, []Entry, error) {
			shared, err := data(ctx)
			if err != nil {
				return site.Page{}, nil, err
			}
			built, err := made.Build(ctx, shared)
			return built, nil, err
		})
	}
	if p.Errata != nil {
		page(errataName, nil, func(ctx context.Context) (site.Page, []Entry, error) {
			checked, err := p.Claims().Check(ctx)
			if err != nil {
				return site.Page{}, nil, err
			}
			entries, err := checked.entries(p.Name, p.Post)
			if err != nil {
				return site.Page{}, nil, err
			}
			built, err := p.Errata(checked)
			return built, entries, err
		})
	}
	add(OpenOf(p.Name), nil, p.open)
	return units
}

// open computes the open questions, with their entries in the ledger.
func (p Plan[D]) open(ctx context.Context) (part Part, err error) {
	if p.Open == nil {
		return Part{}, nil
	}
	if part.Open, err = p.Open(ctx); err != nil {
		return Part{}, fmt.Errorf("open questions: %w", err)
	}
	for i, question := range part.Open {
		entry, err := question.entry()
		if err != nil {
			return Part{}, fmt.Errorf("open questions: %w", err)
		}
		part.Ledger = append(part.Ledger, entry)
		part.Open[i].Recompute = nil // its entry has it, in a form that can be kept in a file
	}
	return part, nil
}

// UnitOf returns the unit of a name, and whether there is one.
func UnitOf(units []Unit, name string) (Unit, bool) {
	i := slices.IndexFunc(units, func(u Unit) bool { return u.Name == name })
	if i < 0 {
		return Unit{}, false
	}
	return units[i], true
}
