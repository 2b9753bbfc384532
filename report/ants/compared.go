package ants

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/report/content"

	game "github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/report/chapter"
	pictures "github.com/siegebook/siegebook/report/pictures/ants"
	"github.com/siegebook/siegebook/report/site"
)

func comparedPage(ctx context.Context) (site.Page, error) {
	page := site.Page{Values: map[string]any{"radius2": game.ContestRadius2, "seed": Seed}}
	box, err := judgeBox(ctx, 3, 3)
	if err != nil {
		return site.Page{}, err
	}
	page.Values["box"], page.Values["box positions"] = "3\u00a0×\u00a03", chapter.Thousands(len(box))
	pictures, changed := pictureRules()
	page.Values["battles"], page.Values["changed battles"] = len(battles), changed
	page.Tables = append(page.Tables, pictures, sameTable(box))
	for _, law := range [][2]game.Rule{
		{game.Damage, game.Focus},
		{game.Focus, game.Support},
		{game.Closest, game.Support},
	} {
		if err := chapter.Expect(law[1].String()+" kills all whom "+law[0].String()+" kills",
			within(box, law[0], law[1])); err != nil {
			return site.Page{}, err
		}
	}
	sideways := !within(box, game.Damage, game.Closest) && !within(box, game.Closest, game.Focus)
	if err := chapter.Expect("closest spares whom damage kills, and kills whom focus spares", sideways); err != nil {
		return site.Page{}, err
	}
	for _, add := range []func() error{
		func() error { return addExample(&page, box) }, func() error { return addSpared(&page, box) },
		func() error { return addCrowds(ctx, &page) }, func() error { return addCost(ctx, &page) },
	} {
		if err := add(); err != nil {
			return site.Page{}, err
		}
	}
	return page, nil
}

// pictureRules lists the dead of the post's battles by each rule, army by army, and counts the battles in which not all
// rules kill the same ants.
func pictureRules() (table content.Table, changed int) {
	table = chapter.Table("pictures", "battle", "ants")
	for _, rule := range game.Rules() {
		table.Header = append(table.Header, content.Text(rule.String()))
	}
	for _, b := range battles {
		text := latin(picture(b.name).Map)
		focus := mustFight(text, game.Focus)
		row := chapter.Row(b.title, len(focus.army))
		same := true
		for _, rule := range game.Rules() {
			f := mustFight(text, rule)
			same = same && slices.Equal(f.dead, focus.dead)
			row = append(row, content.Text(f.fallen()))
		}
		if !same {
			changed++
		}
		table.Rows = append(table.Rows, row)
	}
	return table, changed
}

// fallen lists the dead by their letters: "5 A, 2 B".
func (f fight) fallen() string {
	var parts []string
	owners := map[rune]bool{}
	for _, ant := range f.army {
		owners[ant.Owner] = true
	}
	for _, owner := range slices.Sorted(maps.Keys(owners)) {
		if n := f.lost(owner); n > 0 {
			parts = append(parts, chapter.NoBreak(chapter.Thousands(n)+" "+string(owner)))
		}
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}

// addExample draws the first of the smallest positions of a box in which no two rules kill the same ants.
func addExample(page *site.Page, box []judged) error {
	best := -1
	for i, j := range box {
		if j.allDiffer() && (best < 0 || len(j.army) < len(box[best].army)) {
			best = i
		}
	}
	if err := chapter.Expect("all four rules differ somewhere in the box", best >= 0); err != nil {
		return err
	}
	example := box[best]
	alike := 0
	for _, j := range box {
		if len(j.army) == len(example.army) && j.allDiffer() {
			alike++
		}
	}
	for _, rule := range game.Rules() {
		f := mustFight(example.text, rule)
		page.Values[rule.String()+" fallen"] = f.fallen()
	}
	page.Values["example ants"], page.Values["example like"] = len(example.army), alike
	before := mustFight(example.text, game.Focus)
	holds := strings.Count(example.text, "A") == 3 && strings.Count(example.text, "B") == 2
	if err := chapter.Expect("three A meet two B", holds, example.text); err != nil {
		return err
	}
	if err := chapter.Draw(page, "four-position",
		pictures.Board("A position before anybody has died", before.grid("", pictures.Counts))); err != nil {
		return err
	}
	if err := play(page, "four-position", before, true, preset{title: "Three A meet two B", m: before.m}); err != nil {
		return err
	}
	four, err := pictures.Rules(before.m)
	if err != nil {
		return err
	}
	return chapter.Draw(page, "four", four)
}
