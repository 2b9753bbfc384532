package tower

import (
	"fmt"
	"slices"

	game "github.com/siegebook/siegebook/analysis/tower"
)

// These are battles that Waste wins and another play loses.
var (
	// In Levelled, Waste levels the towers, so the tower that must fall takes more shots than its last hit.
	Levelled = Battle(8, 6, 2, 2)
	// In TooSparing, every play that destroys the fewest towers in each round wins.
	TooSparing = Battle(25, 20, 2, 3)
)

// NeedAnyPlay returns the smallest number of soldiers who win however they aim.
func NeedAnyPlay(h, k, t int64) int64 {
	n, err := game.Battle{HitsPerTower: h, KillsPerTower: k, Towers: t}.MinSoldiersAnyPlay(0)
	if err != nil {
		panic(fmt.Sprintf("report/siegebook/tower: %v", err))
	}
	return n
}

// AnyPlayBounds returns the proved bounds of NeedAnyPlay (docs/derivations/tower.md, Theorem 11).
func AnyPlayBounds(h, k, t int64) (least, most int64) {
	least, spared := k*t*(t-1)/2+1, int64(0)
	for (spared+1)+k*(spared+1)*spared/2 <= t*(h-1) {
		spared++
	}
	return least, least + k*t*spared
}

// WorstOrders returns the orders of a play that loses a battle. The battle must have such a play.
func WorstOrders(b game.Battle) []game.Order {
	winner, orders, err := b.Worst(0)
	if err != nil || winner != game.Towers {
		panic(fmt.Sprintf("report/siegebook/tower: no play loses %v: %v", b, err))
	}
	return orders
}

// ByOrders returns the play that gives these orders in a battle. The rounds of the battle must have different numbers
// of soldiers.
func ByOrders(b game.Battle, orders []game.Order) aiming {
	given := map[int64]game.Order{}
	return func(s game.State) []game.Aim {
		if _, ok := given[s.Soldiers]; !ok {
			given[s.Soldiers] = orders[len(given)]
		}
		return given[s.Soldiers].Aims(s)
	}
}

// WinsHoweverSparing reports whether soldiers win a battle in which no tower must fall until each has only its last hit
// left. It returns false for other battles, because there it matters which towers were damaged.
func WinsHoweverSparing(b game.Battle) bool {
	spare, soldiers := b.Towers*(b.HitsPerTower-1), b.Soldiers
	for soldiers > 0 && soldiers <= spare {
		spare -= soldiers
		soldiers -= b.KillsPerTower * b.Towers
	}
	if soldiers <= 0 || spare > 0 {
		return false
	}
	for towers := b.Towers - 1; towers > 0; towers-- { // now every tower has one hit left
		if soldiers -= b.KillsPerTower * towers; soldiers <= 0 {
			return false
		}
	}
	return true
}

// aiming is a play: it returns the aims in a state. Unlike a game.Strategy, it may waste shots on purpose.
type aiming func(game.State) []game.Aim

// AllAtOne fires all shots of a round at the weakest tower.
func AllAtOne(s game.State) []game.Aim {
	weakest := s.Groups[len(s.Groups)-1]
	return []game.Aim{{Towers: 1, Hits: weakest.Hits, Shots: s.Soldiers}}
}

// Waste returns the aims of the play that the pages call Waste: it spreads the shots so that no tower falls, and fires
// all of them at one tower if one must fall.
func Waste(s game.State) []game.Aim {
	if s.FewestDestroyed() == 0 {
		return game.Fewest.Aims(s)
	}
	return AllAtOne(s)
}

// RoundsBy plays a battle and returns its rounds, beginning with the start.
func RoundsBy(b game.Battle, aims aiming) []game.Round {
	return slices.Collect(b.RoundsFrom(b.Start(), aims))
}

// EndBy returns the last round of a play.
func EndBy(b game.Battle, aims aiming) game.Round {
	rounds := RoundsBy(b, aims)
	return rounds[len(rounds)-1]
}

// WinsBy reports whether the soldiers win by a play.
func WinsBy(b game.Battle, aims aiming) bool { return EndBy(b, aims).Winner == game.Soldiers }

// NeedBy returns the smallest number of soldiers, up to most, that win by a play. It returns most + 1 if most soldiers
// do not win.
func NeedBy(aims aiming, h, k, t, most int64) int64 {
	n := most
	for n > 0 && WinsBy(Battle(n, h, k, t), aims) {
		n--
	}
	return n + 1
}

// FirstSpread returns the first round in which no tower falls, or 0 if there is none.
func FirstSpread(rounds []game.Round) int64 {
	for i, round := range rounds[1:] {
		if round.State.Towers() == rounds[i].State.Towers() {
			return round.Number
		}
	}
	return 0
}
