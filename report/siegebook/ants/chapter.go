// Package ants is the report's chapter on the ant battles: its texts, the data for every number in them, its figures
// and tables, and the checks of its claims about the post.
//
// All numbers in the prose are computed, and a false claim fails the build.
package ants

import (
	"context"
	"embed"
	"fmt"
	"math/big"
	"strings"

	game "github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/ants"
)

//go:embed *.md
var texts embed.FS

// Seed is the seed of the comparison's random positions: the year of the contest.
const Seed = 2011

// Game is the chapter's entry in the list of the book's games.
var Game = chapter.Game{
	Name: "ants", Title: "Ants", Seed: Seed, Texts: texts,
	Claims: func() chapter.Claims { return claimTable().Claims() },
	Post:   "Rules of ant battles, ",
	Open:   openQuestions,
}

// Played draws the position of a fight before any ant has died. Readers guess who dies by the contest's rule before the
// figure shows it. They can choose the battles of the post, and more battles of the page.
func Played(id, title string, f Fight, detail pictures.Detail, more ...Preset) content.Figure {
	known := "no"
	if detail == pictures.Counts {
		known = "yes"
	}
	drawing := chapter.Must(pictures.Board(title, f.Grid("", detail)).Figure())
	return drawing.Named(id).Explored("ants-board", content.Settings("rows", f.Map.Rows,
		"cols", f.Map.Cols, "board", inRuns(f.Map), "edges", "edges", "radius", f.World.Radius2, "rule", game.Focus,
		"guess", "yes", "counts", known, "armies", 2, "seed", Seed, "presets", presets(more)))
}

// Preset is a battle that readers can choose.
type Preset struct {
	Title string
	Fight Fight
}

// presets returns the battles of the post and other battles in the form that pictures.Playing reads: alternating titles
// and boards.
func presets(more []Preset) string {
	all := []Preset{}
	for _, b := range Battles {
		all = append(all, Preset{b.Title, Drawn(b.Name)})
	}
	var parts []string
	for _, p := range append(all, more...) {
		board := inRuns(p.Fight.Map)
		if !p.Fight.World.Bounded {
			board = "torus-" + board
		}
		parts = append(parts, strings.ReplaceAll(p.Title, " ", "_"), board)
	}
	return strings.Join(parts, ".")
}

// inRuns returns a map in the form of an address: 3B1-1A1A1-3C1.
func inRuns(m game.Map) string {
	var cells []rune
	for _, sign := range strings.ReplaceAll(m.String(), "\n", "") {
		if sign == '.' {
			sign = 0
		}
		cells = append(cells, sign)
	}
	return pictures.Runs(cells, m.Cols)
}

// openQuestions computes the known facts about the questions that the pages leave open.
func openQuestions(ctx context.Context) (map[string]chapter.Known, error) {
	list, err := KnownOutlived(ctx)
	if err != nil {
		return nil, err
	}
	best, share := list[0], new(big.Rat)
	var searchedTo, next Outlived // the last box that was searched, and the first that nobody has searched
	for _, o := range list {
		if s := big.NewRat(int64(o.Ants), int64(o.Rows*o.Cols)); s.Cmp(share) > 0 {
			best, share = o, s
		}
		if o.Found == byAttempt && next.Ants == 0 {
			next = o
		} else if o.Found != byAttempt {
			searchedTo = o
		}
	}
	most := big.NewRat(5, 7)
	if err := chapter.Expect("an army that is outlived fills at most five sevenths",
		share.Cmp(most) < 0 && share.Sign() > 0, share); err != nil {
		return nil, err
	}
	parts := func(r *big.Rat) string { return fmt.Sprintf("%s/%s (%s)", r.Num(), r.Denom(), r.FloatString(3)) }
	return map[string]chapter.Known{"ants-share": {
		Values: map[string]any{
			"most": parts(most), "share": parts(share), "box": best.Name(), "next": next.Name(), "ants": next.Ants,
			"bound": next.Bound(), "searched": searchedTo.Name(),
		},
		// The checker checks the largest army, and the first box that nobody has searched.
		Recompute: chapter.AllOf(recomputed(NewFight(best.First, game.Focus)).outlived(best.Ants),
			recomputed(NewFight(next.First, game.Focus)).outlived(next.Ants)),
	}}, nil
}
