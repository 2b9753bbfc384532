// Package ants is the report's chapter on the ant battles: its texts, the data behind every number in them, its figures
// and tables, and the checks of everything that it claims about the post.
//
// A number in the prose is computed, never typed; a claim that does not hold fails the build.
package ants

import (
	"embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	game "github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/site"
)

//go:embed *.md
var texts embed.FS

// Seed begins the random positions of the comparison: the year of the contest.
const Seed = 2011

// Game is the chapter's entry in the report's register.
var Game = chapter.Plan[chapter.Nothing]{
	Name: "ants", Title: "Ants", Seed: Seed, Texts: texts,
	Pages: []chapter.Page[chapter.Nothing]{
		{Name: "rules", Fixed: rulesPage},
		{Name: "battles", Fixed: battlesPage},
		{Name: "compared", Fixed: comparedPage},
		{Name: "own", Fixed: ownPage},
	},
	Claims: func() chapter.Claims { return claimTable().Claims() },
	Errata: errataPage, Post: "Rules of ant battles, ",
	Questions: questions, Open: openQuestions,
}.Game()

// play lets readers play with a figure of a page that shows the position of a fight before anybody has died: they guess
// who dies by the contest's rule before they see it. The battles of the post are there to choose from, and more of the
// page's own.
func play(page *site.Page, id string, f fight, counts bool, more ...preset) error {
	i := slices.IndexFunc(page.Figures, func(figure content.Figure) bool { return figure.ID == id })
	if i < 0 {
		return fmt.Errorf("there is no figure %q to play with", id)
	}
	known := "no"
	if counts {
		known = "yes"
	}
	page.Figures[i] = page.Figures[i].Explored("ants-board", strings.Join([]string{
		"rows=" + strconv.Itoa(f.m.Rows), "cols=" + strconv.Itoa(f.m.Cols), "board=" + inRuns(f.m), "edges=edges",
		"radius=" + strconv.FormatInt(f.world.Radius2, 10), "rule=" + game.Focus.String(), "guess=yes",
		"counts=" + known, "armies=2", "seed=" + strconv.Itoa(Seed), "presets=" + presets(more),
	}, "&"))
	return nil
}

// preset is a battle to choose.
type preset struct {
	title string
	m     game.Map
	torus bool
}

// presets are the battles of the post and others, as pictures.Playing reads them: titles and boards in turn.
func presets(more []preset) string {
	all := []preset{}
	for _, b := range battles {
		all = append(all, preset{title: b.title, m: drawn(b.name).m})
	}
	var parts []string
	for _, p := range append(all, more...) {
		board := inRuns(p.m)
		if p.torus {
			board = "torus-" + board
		}
		parts = append(parts, strings.ReplaceAll(p.title, " ", "_"), board)
	}
	return strings.Join(parts, ".")
}

// inRuns writes a map for an address: rows with - between them, a number for so many empty cells: 3B1-1A1A1-3C1.
func inRuns(m game.Map) string {
	var text strings.Builder
	empty := 0
	land := func() {
		if empty > 0 {
			text.WriteString(strconv.Itoa(empty))
		}
		empty = 0
	}
	for row := range m.Rows {
		if row > 0 {
			text.WriteByte('-')
		}
		for col := range m.Cols {
			if sign := m.At(row, col); sign == '.' {
				empty++
			} else {
				land()
				text.WriteRune(sign)
			}
		}
		land()
	}
	return text.String()
}
