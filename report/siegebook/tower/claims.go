package tower

import (
	"context"
	_ "embed"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/claims"
	"github.com/siegebook/siegebook/report/content"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/tower"
)

//go:embed claims.star
var claimsText string

// claimTable returns the table of the claims, with the names that its conditions may use.
func claimTable() *claims.Game {
	g := &claims.Game{
		Name: "tower", File: "report/siegebook/tower/claims.star", Table: claimsText, Computed: computedClaims,
		Space: claims.Space{
			Kind: "every", Axes: []string{"n", "h", "k", "t"}, Wide: Wide.Ends(), Small: small.Ends(),
			Values: map[string]func([]int64) int64{},
		},
		Names: starlark.StringDict{"chance": claims.Call("chance", saysChance)},
	}
	g.Play = func(ctx context.Context, at []int64, play starlark.Value, values, holds string) (any, starlark.StringDict,
		error,
	) {
		return playClaimed(ctx, battleAt(at), play, values, holds)
	}
	for name, value := range battleValues {
		g.Values[name] = func(at []int64) int64 { return value(battleAt(at)) }
	}
	return g
}

// Battle returns the battle (n, h, k, t).
func Battle(n, h, k, t int64) game.Battle {
	return game.Battle{Soldiers: n, HitsPerTower: h, KillsPerTower: k, Towers: t}
}

func battleAt(at []int64) game.Battle { return Battle(at[0], at[1], at[2], at[3]) }

// battleValues has the numbers of a battle that conditions may name. The checker computes the first numbers by its own
// rules: the fewest rounds in which the soldiers can win, and in which they can lose with and without wasted shots, or
// 0 if they cannot; the most soldiers that can be left after round 1; and what is left after a round of evenly spread
// shots. Only the build computes the others.
var battleValues = map[string]func(game.Battle) int64{
	"best": best,
	"lost": func(b game.Battle) int64 { return quickestLoss(b, b.Soldiers, b.Towers, b.Towers*(b.HitsPerTower-1)) },
	"lost_thrifty": func(b game.Battle) int64 { // without waste, Fewest loses earliest
		if result := Play(b, game.Fewest); result.Winner == game.Towers {
			return result.Rounds
		}
		return 0
	},
	"kept":        func(b game.Battle) int64 { return AfterRound(b, game.Greedy, 1).State.Soldiers },
	"even_left":   func(b game.Battle) int64 { return AfterRound(b, game.Even, 1).State.Soldiers },
	"even_towers": func(b game.Battle) int64 { return AfterRound(b, game.Even, 1).State.Towers() },

	"even_wins":     func(b game.Battle) int64 { return claims.OneIf(Wins(b, game.Even)) },
	"even_rounds":   func(b game.Battle) int64 { return Play(b, game.Even).Rounds },
	"fewest_rounds": func(b game.Battle) int64 { return Play(b, game.Fewest).Rounds },
	"ratio":         func(b game.Battle) int64 { r, _ := ratio(b); return r },
	"whole":         func(b game.Battle) int64 { _, whole := ratio(b); return claims.OneIf(whole) },
	"whole_below_h": func(b game.Battle) int64 {
		r, whole := ratio(b)
		return claims.OneIf(whole && r > 1 && r < b.HitsPerTower && b.Towers > 1)
	},
	"even_shots_suffice": func(b game.Battle) int64 {
		r, _ := ratio(b)
		return claims.OneIf(pictures.EvenShots(r, b.KillsPerTower) >= b.HitsPerTower)
	},
	"even_destroys_more": func(b game.Battle) int64 { // in some round, more than necessary
		before := b.Start()
		for round := range b.Rounds(game.Even) {
			if round.Number > 0 && before.Towers()-round.State.Towers() > before.FewestDestroyed() {
				return 1
			}
			before = round.State
		}
		return 0
	},
	"at_once": func(b game.Battle) int64 { // the post says that such a battle is won in round 1
		r, whole := ratio(b)
		return claims.OneIf(b.Soldiers > b.Towers && (b.HitsPerTower == 1 || whole && r >= b.HitsPerTower))
	},
	"lost_by_waste":     func(b game.Battle) int64 { return claims.OneIf(losesByWaste(b)) },
	"published_differs": func(b game.Battle) int64 { return claims.OneIf(publishedDiffers(b, roundDown)) },
	"greedy_is_slower": func(b game.Battle) int64 { // another strategy wins sooner or loses later
		greedy := Play(b, game.Greedy)
		return claims.OneIf(slices.ContainsFunc(game.Strategies(), func(s game.Strategy) bool {
			switch other := Play(b, s); {
			case other.Winner != greedy.Winner:
				return other.Winner == game.Soldiers
			case other.Winner == game.Soldiers:
				return other.Rounds < greedy.Rounds
			default:
				return other.Rounds > greedy.Rounds
			}
		}))
	},
	"ties": func(b game.Battle) int64 {
		return claims.OneIf(slices.ContainsFunc(game.Strategies(), func(s game.Strategy) bool {
			r := Play(b, s)
			return r.Winner == game.Undecided || (r.SoldiersLeft > 0) == (r.TowersLeft > 0)
		}))
	},
	"kept_early": func(b game.Battle) int64 { // towers keep kills after a round in which they do not win
		for round := range b.Rounds(game.Greedy) {
			if round.KillsLeft.Big().Sign() > 0 && round.Number > 0 && round.Winner != game.Towers {
				return 1
			}
		}
		return 0
	},
}

// targetingNamed returns the play of a battle that has the given name in the table.
func targetingNamed(b game.Battle, name string) (targeting, bool) {
	switch name {
	case "worst":
		return byTower(ByOrders(b, WorstOrders(b))), true
	case "scattered":
		return scattered, true
	}
	found, ok := map[string]aiming{
		"": game.Greedy.Aims, "evenly": game.Even.Aims, "at one": AllAtOne, "levelling": levelling,
	}[name]
	return byTower(found), ok
}

// best returns the fewest rounds in which the soldiers can win, or 0 if they cannot. Greedy wins in this number of
// rounds.
func best(b game.Battle) int64 {
	if result := Play(b, game.Greedy); result.Winner == game.Soldiers {
		return result.Rounds
	}
	return 0
}

// playClaimed plays a battle for a claim. By default it plays a fastest win, or makes the battle as long as possible.
// Conditions may name the numbers after each round, and before the first.
func playClaimed(
	ctx context.Context, b game.Battle, play starlark.Value, values, holds string,
) (any, starlark.StringDict, error) {
	name, _ := starlark.AsString(play)
	aim, ok := targetingNamed(b, name)
	if !ok {
		return nil, nil, fmt.Errorf("there is no play %s", play)
	}
	r := recomputed(b, aim)
	said := starlark.StringDict{}
	for _, value := range strings.Fields(values) {
		switch value {
		case "best":
			r.best()
		case "lost":
			r.Lost = new(battleValues["lost"](b))
		case "sparing": // 0: no play that destroys the fewest towers in every round loses, as a check in Go shows
			r.Sparing, said["sparing"] = new(int64), starlark.MakeInt(0)
		case "together":
			r.chance(ctx, game.Simultaneous)
		case "in-turn":
			r.chance(ctx, game.Sequential)
		default:
			return nil, nil, fmt.Errorf("not a value of a battle: %s", value)
		}
	}
	r.Holds = holds
	var hits, standing []int64
	for _, towers := range r.Line.Hits {
		sum := int64(0)
		for _, left := range towers {
			sum += left
		}
		hits, standing = append(hits, sum), append(standing, upright(towers))
	}
	said["left"] = claims.Numbers(append([]int64{b.Soldiers}, r.Line.Soldiers...)...)
	said["hits"], said["standing"] = claims.Numbers(hits...), claims.Numbers(standing...)
	said["unspent"], said["rounds"] = claims.Numbers(r.Line.Kills...), starlark.MakeInt(len(r.Line.Soldiers))
	said["won"] = starlark.MakeInt64(claims.OneIf(r.Line.Winner == "soldiers"))
	return r, said, nil
}

// saysChance returns the chance of the soldiers in the post's first test if they aim at random.
func saysChance(ctx context.Context, targets starlark.Tuple) (starlark.Value, error) {
	reading := game.Simultaneous
	if targets[0] == starlark.String("in turn") {
		reading = game.Sequential
	}
	r, err := recomputed(FirstTest, weakestFirst).chance(ctx, reading)
	if err != nil {
		return nil, err
	}
	return starlark.String(content.ForPeople(new(big.Rat).SetFrac(r.Chance[0], r.Chance[1]).RatString())), nil
}

// computedClaims contains the checks of the table that are not conditions.
var computedClaims = map[string]func(context.Context) (chapter.Finding, error){
	"as many as can": checkAsMany,
	"division":       checkDivision,
	"sparing": func(context.Context) (chapter.Finding, error) {
		return chapter.Finding{}, chapter.HoldsAt(WinsHoweverSparing(TooSparing), "%v", TooSparing)
	},
	"under counts": checkUnderCounts,
	"powers":       checkPowers,
	"places":       checkPlaces,
}

// checkAsMany checks that scattered shots destroy as many towers as possible in each round.
func checkAsMany(context.Context) (chapter.Finding, error) {
	r := recomputed(Battle(11, 4, 2, 5), scattered)
	soldiers := r.N
	for i, hits := range r.Line.Hits[1:] {
		left := slices.Clone(r.Line.Hits[i])
		for j, shots := range weakestFirst(soldiers, left) {
			left[j] = max(0, left[j]-shots)
		}
		if err := chapter.HoldsAt(upright(hits) == upright(left), "round %d", i+1); err != nil {
			return chapter.Finding{}, err
		}
		soldiers = r.Line.Soldiers[i]
	}
	return chapter.Finding{}, nil
}

// losesByWaste reports whether the soldiers lose in round 1 if all of them fire at one tower.
func losesByWaste(b game.Battle) bool {
	aims := []game.Aim{{Towers: 1, Hits: b.HitsPerTower, Shots: b.Soldiers}}
	_, _, winner := b.Step(b.Start(), aims)
	return winner == game.Towers
}

// scattered destroys as many towers as possible, and fires the remaining shots one by one at the strongest tower.
func scattered(soldiers int64, hits []int64) []int64 {
	shots := weakestFirst(soldiers, hits)
	for i := range shots {
		if shots[i] == hits[i] {
			soldiers -= shots[i]
		} else {
			shots[i] = 0
		}
	}
	for ; soldiers > 0; soldiers-- {
		strongest := 0
		for i := range hits {
			if hits[i]-shots[i] > hits[strongest]-shots[strongest] {
				strongest = i
			}
		}
		shots[strongest]++
	}
	return shots
}

func checkUnderCounts(context.Context) (chapter.Finding, error) {
	for at := range chapter.Points(nil, []int64{1000, 50}) {
		hits, h, towers, under := at[0], at[1], int64(0), claims.OneIf(at[0]%at[1] > 0)
		for left := hits; left > 0; left -= h {
			towers++
		}
		if towers != (hits+h-1)/h || hits/h != towers-under {
			return chapter.Finding{}, chapter.HoldsAt(false, "%d hits, h = %d", hits, h)
		}
	}
	return chapter.Finding{}, nil
}

// checkPowers plays a battle of equal numbers down to one against one.
func checkPowers(context.Context) (chapter.Finding, error) {
	const most = 10
	for m := int64(0); m <= most; m++ {
		b := Battle(1<<m, 2, 1, 1<<m)
		for round := range b.Rounds(game.Greedy) {
			left := b.Soldiers >> round.Number
			halved := round.State.Soldiers == left && round.State.Towers() == left
			if last := round.Number == m+1; last != (round.Winner == game.Towers) || !last && !halved {
				return chapter.Finding{}, chapter.HoldsAt(false, "%v, round %d", b, round.Number)
			}
		}
	}
	return chapter.Finding{}, nil
}

// checkPlaces plays with two towers one behind the other, and with two side by side.
func checkPlaces(context.Context) (chapter.Finding, error) {
	b := Battle(4, 3, 2, 2)
	behind, inDepth := nearest(b, []int64{1, 1})
	beside, abreast := nearest(b, []int64{2})
	holds := behind == game.Soldiers && upright(slices.Concat(inDepth[0]...)) == 1 && beside == game.Towers &&
		upright(slices.Concat(abreast[0]...)) == 2
	wideFront := recomputed(b, byTower(game.Even.Aims))
	holds = holds && slices.Equal(wideFront.Line.Hits[1], abreast[0][0])
	for n := int64(1); n <= 60; n++ {
		b := Graphical
		b.Soldiers = n
		winner, _ := nearest(b, slices.Repeat([]int64{1}, int(b.Towers)))
		holds = holds && winner == Play(b, game.Greedy).Winner
	}
	if err := chapter.HoldsAt(holds, "%v", b); err != nil {
		return chapter.Finding{}, err
	}
	return chapter.Finding{}, nil
}

// levelling spreads the shots evenly if no tower must fall; otherwise it fires all of them at the weakest tower.
func levelling(s game.State) []game.Aim {
	if s.FewestDestroyed() == 0 {
		return game.Even.Aims(s)
	}
	return AllAtOne(s)
}

// quickestLoss returns the fewest rounds in which a play of only two orders loses from a state of a battle, or 0 if
// they do not lose. The state has the given soldiers and towers, and spare is the number of hits beyond the last hit of
// each tower.
func quickestLoss(b game.Battle, soldiers, towers, spare int64) int64 {
	if soldiers <= 0 {
		return 0
	}
	best := int64(0)
	try := func(left, standing, spared int64) {
		rounds := int64(1)
		if left > 0 {
			if rounds = quickestLoss(b, left, standing, spared); rounds == 0 {
				return
			}
			rounds++
		}
		if best == 0 || rounds < best {
			best = rounds
		}
	}
	if soldiers <= spare {
		try(soldiers-b.KillsPerTower*towers, towers, spare-soldiers)
	}
	if after := min(spare, (towers-1)*(b.HitsPerTower-1)); towers > 1 && soldiers > spare-after {
		try(soldiers-b.KillsPerTower*(towers-1), towers-1, after)
	}
	return best
}

// published plays a battle by the post's algorithm. divide rounds the quotient of the hits and a tower's hits: down
// like / in Python 2, or not at all like / since Python 3.
func published(b game.Battle, divide func(float64) float64) (winner game.Winner, rounds int64) {
	h, k := float64(b.HitsPerTower), float64(b.KillsPerTower)
	hits, soldiers := h*float64(b.Towers), float64(b.Soldiers)
	for {
		rounds++
		if hits -= soldiers; hits <= 0 {
			return game.Soldiers, rounds
		}
		towers := divide((hits + h - 1) / h)
		if soldiers -= k * towers; soldiers <= 0 {
			return game.Towers, rounds
		}
	}
}

// roundDown rounds a quotient down, as Python 2 does. The numbers in the box are small enough for the result to be
// exact.
func roundDown(x float64) float64 { return float64(int64(x)) }

// fractional returns the quotient unrounded, as Python 3 does.
func fractional(x float64) float64 { return x }

// publishedDiffers reports whether the post's algorithm ends a battle differently from greedy.
func publishedDiffers(b game.Battle, divide func(float64) float64) bool {
	result := Play(b, game.Greedy)
	winner, rounds := published(b, divide)
	return winner != result.Winner || rounds != result.Rounds
}

func checkDivision(_ context.Context) (chapter.Finding, error) {
	differs := func(b game.Battle) bool { return publishedDiffers(b, fractional) }
	otherSide := func(b game.Battle) bool {
		winner, _ := published(b, fractional)
		return winner != Play(b, game.Greedy).Winner
	}
	first, ok := Wide.First(otherSide)
	inWhole, bad := Wide.First(func(b game.Battle) bool { return publishedDiffers(b, roundDown) })
	winner, rounds := published(first, fractional)
	result := Play(first, game.Greedy)
	f := chapter.Finding{
		Example: chapter.MD("%v: the %v win in round %d, but if Python 3 runs the code, the %v win in round %d",
			first, result.Winner, result.Rounds, winner, rounds),
		Checked: fmt.Sprintf("%s: a wrong round or side in %s battles, the wrong side in %s; with // all are right",
			Wide, chapter.Thousands(Wide.Count(differs)), chapter.Thousands(Wide.Count(otherSide))),
		Recompute: recomputed(first, weakestFirst).best(),
	}
	if err := chapter.Expect("the rounding of the division decides a battle", ok && !bad, first, inWhole); err != nil {
		return chapter.Finding{}, err
	}
	return f, nil
}
