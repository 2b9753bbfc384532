package castle

import (
	"context"
	"fmt"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/chapter"
)

// outcomes are what can come of a state if soldiers may waste shots: the fewest waves in which each side can win, and
// the most in which the castle can. 0 means that it cannot be.
type outcomes struct{ soldiers, castle, latest int64 }

// anyShots searches all lines of play with d defenders per wave, also those in which shots are wasted: every soldier
// may fire at the castle, fallen or not.
type anyShots struct {
	d     int64
	known map[game.State]outcomes
}

func withWaste(d int64) anyShots { return anyShots{d, map[game.State]outcomes{}} }

func (w anyShots) from(s game.State) outcomes {
	if found, ok := w.known[s]; ok {
		return found
	}
	var all outcomes
	for order := int64(0); order <= min(s.Soldiers, int64(s.Defenders)); order++ {
		left, hits := int64(s.Defenders)-order, max(0, s.CastleHits-(s.Soldiers-order))
		next := game.State{Soldiers: s.Soldiers - left, Defenders: uint64(left), CastleHits: hits}
		if hits > 0 {
			next.Defenders += uint64(w.d)
		}
		var after outcomes
		switch {
		case left == 0 && hits == 0:
			after.soldiers = 1
		case next.Soldiers <= 0:
			after.castle, after.latest = 1, 1
		case next != s: // else it is a tie
			after = w.from(next).aWaveLater()
		}
		all = outcomes{sooner(all.soldiers, after.soldiers), sooner(all.castle, after.castle), max(all.latest, after.latest)}
	}
	w.known[s] = all
	return all
}

func (o outcomes) aWaveLater() outcomes {
	for _, waves := range []*int64{&o.soldiers, &o.castle, &o.latest} {
		if *waves > 0 {
			*waves++
		}
	}
	return o
}

// sooner is the lesser of two numbers of waves, where 0 means never.
func sooner(a, b int64) int64 {
	if a == 0 || b == 0 {
		return a + b
	}
	return min(a, b)
}

// byReading are the claims whose verdict another reading changes: what they say of battles and the castle's fewest
// waves, and whether that is so if shots may be wasted.
var byReading = []struct {
	id   string
	says func(b game.Battle, castle int64) bool
	any  bool
}{
	{"always-bad", func(b game.Battle, castle int64) bool { return b.CastleHits <= b.Soldiers || castle > 0 }, true},
	{"always-two", func(b game.Battle, castle int64) bool { return soldierWaves(b) > 0 || castle == 2 }, true},
	{"le-2n", func(b game.Battle, castle int64) bool {
		return b.DefendersPerWave >= b.Soldiers || b.DefendersPerWave+b.CastleHits > 2*b.Soldiers || castle == 0
	}, false},
	{"n-plus-2", func(b game.Battle, castle int64) bool {
		return b.CastleHits != b.Soldiers+2 || b.DefendersPerWave >= b.Soldiers || castle == 0
	}, false},
	{"n-plus-3-only", func(b game.Battle, castle int64) bool {
		return b.CastleHits != b.Soldiers+3 || b.DefendersPerWave >= b.Soldiers-1 || castle == 0
	}, false},
	{"two-or-three", func(b game.Battle, castle int64) bool {
		two := b.CastleHits+b.DefendersPerWave >= 3*b.Soldiers
		return soldierWaves(b) > 0 || two && castle == 2 || !two && castle == 3
	}, false},
	{"safe", func(b game.Battle, castle int64) bool {
		n := b.Soldiers
		return b.CastleHits <= n || !outnumbered(b) || (castle == 0) == (n > 1 && b.CastleHits == n+1 && b.DefendersPerWave == n)
	}, false},
}

// checkAnyShots compares both sides' fewest waves with what they are if shots may be wasted.
func checkAnyShots(context.Context) (chapter.Finding, error) {
	wrong := map[string]bool{} // with any shots
	for b := range small.each {
		all := withWaste(b.DefendersPerWave).from(b.Start())
		can := b.CastleHits > b.Soldiers
		if all.soldiers != soldierWaves(b) || (all.castle > 0) != can || (all.castle == 2) != (can && outnumbered(b)) {
			return chapter.Finding{}, chapter.HoldsAt(false, "%v: %+v", b, all)
		}
		for _, claim := range byReading {
			wrong[claim.id] = wrong[claim.id] || !claim.says(b, all.castle)
		}
	}
	var hold, fail []string
	for _, claim := range byReading {
		link := fmt.Sprintf("[`castle-%[1]s`](claims.html#claim-castle-%[1]s)", claim.id)
		if claim.any {
			hold = append(hold, link)
		} else {
			fail = append(fail, link)
		}
		if wrong[claim.id] == claim.any {
			return chapter.Finding{}, chapter.HoldsAt(false, "%s is %v with any shots", claim.id, !claim.any)
		}
	}
	b := game.Battle{Soldiers: 2, CastleHits: 3, DefendersPerWave: 1}
	return chapter.Finding{
		Truth: chapter.MD("If all soldiers fire at the castle in each wave, nobody stops the defenders. So with this reading %s would hold, and %s would not. The soldiers' fewest waves stay the same",
			listed(hold), listed(fail)),
		Example: chapter.MD("%v: without waste the castle cannot win. With it, it wins in %d waves: both soldiers fire at its last hit, and one then at its ruins",
			b, withWaste(b.DefendersPerWave).from(b.Start()).castle),
		Checked: small.String() + ", a search of all lines of play",
	}, nil
}

// verifyRubble lets soldiers fire at a fallen castle in the hunt.
func verifyRubble(n, x int64) error {
	all := withWaste(1).from(game.State{Soldiers: n - x, Defenders: uint64(x)})
	waves, winner := playHunt(n, x, nil)
	holds := winner == game.Soldiers && all.soldiers == int64(waves) || winner == game.Castle && all.soldiers == 0 && all.latest == int64(waves)
	return chapter.HoldsAt(holds, "n = %d, x = %d: %v in wave %d, else %+v", n, x, winner, waves, all)
}
