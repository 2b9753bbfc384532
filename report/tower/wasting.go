package tower

import (
	"context"
	"slices"

	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/report/chapter"
	pictures "github.com/siegebook/siegebook/report/pictures/tower"
	"github.com/siegebook/siegebook/report/site"
)

// aiming is a play: the aims in a state. It may waste shots, which a game.Strategy does not do on purpose.
type aiming func(game.State) []game.Aim

// allAtOne fires everything at one tower in each round, at the weakest.
func allAtOne(s game.State) []game.Aim {
	weakest := s.Groups[len(s.Groups)-1]
	return []game.Aim{{Towers: 1, Hits: weakest.Hits, Shots: s.Soldiers}}
}

// wasting is the play that the pages call Waste: it spreads the shots so that no tower falls, and fires all of them at
// one tower where one must fall.
func wasting(s game.State) []game.Aim {
	if s.FewestDestroyed() == 0 {
		return game.Fewest.Aims(s)
	}
	return allAtOne(s)
}

// roundsBy plays a battle, the start first.
func roundsBy(b game.Battle, aims aiming) []game.Round {
	return slices.Collect(b.RoundsFrom(b.Start(), aims))
}

// endBy is the last round of a play.
func endBy(b game.Battle, aims aiming) game.Round {
	rounds := roundsBy(b, aims)
	return rounds[len(rounds)-1]
}

// winsBy reports whether the soldiers win by a play.
func winsBy(b game.Battle, aims aiming) bool { return endBy(b, aims).Winner == game.Soldiers }

// needBy returns from how many soldiers on, up to most, the soldiers win by a play; most + 1 if they do not win with
// most.
func needBy(aims aiming, h, k, t, most int64) int64 {
	n := most
	for n > 0 && winsBy(game.Battle{Soldiers: n, HitsPerTower: h, KillsPerTower: k, Towers: t}, aims) {
		n--
	}
	return n + 1
}

// addWaste compares Waste with firing all at one tower. That no play against these towers is worse than Waste is
// checked where chance picks the targets: soldiers who win for certain win by every play.
func addWaste(ctx context.Context, page *site.Page) error {
	b := game.Battle{HitsPerTower: heatHits, KillsPerTower: heatKills, Towers: heatExample}
	one, least := needBy(allAtOne, heatHits, heatKills, heatExample, heatSoldiers), needBy(wasting, heatHits, heatKills, heatExample, heatSoldiers)
	certain := int64(0)
	for b.Soldiers = 1; certain == 0; b.Soldiers++ {
		found, err := b.Random(ctx, game.Simultaneous, game.RandomOptions{Method: game.Float})
		if err != nil {
			return err
		}
		if pictures.Share(found) == 1 {
			certain = b.Soldiers
		}
	}
	b.Soldiers = least - 1
	spared, focused := roundsBy(b, wasting), endBy(b, allAtOne)
	page.Values["waste"], page.Values["waste n"], page.Values["waste t"] = quad(b), b.Soldiers, b.Towers
	page.Values["waste h"], page.Values["waste k"] = b.HitsPerTower, b.KillsPerTower
	page.Values["waste one"], page.Values["waste least"] = one, least
	page.Values["waste greedy"], page.Values["waste fewest"] = need(game.Greedy, heatHits, heatKills, heatExample), need(game.Fewest, heatHits, heatKills, heatExample)
	page.Values["focused round"], page.Values["focused soldiers"] = focused.Number, focused.State.Soldiers
	spread := firstSpread(spared)
	page.Values["spread round"] = spread
	page.Tables = append(page.Tables, roundTable("waste", b, wasting))
	holds := certain == least && certain == needAnyPlay(heatHits, heatKills, heatExample) && one < least && winsBy(b, allAtOne) && !winsBy(b, wasting) && spread > 1 && int(spread) < len(spared)
	if err := chapter.Expect("Waste is worse than all shots at one tower, and no play against these towers is worse than Waste", holds, certain, least, one, spread); err != nil {
		return err
	}
	return addWorst(page)
}

// firstSpread returns the first round in which no tower falls, 0 if there is none.
func firstSpread(rounds []game.Round) int64 {
	for i, round := range rounds[1:] {
		if round.State.Towers() == rounds[i].State.Towers() {
			return round.Number
		}
	}
	return 0
}
