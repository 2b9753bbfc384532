package castle

import (
	"context"
	_ "embed"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/phi"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/claims"
	"github.com/siegebook/siegebook/report/content"
)

//go:embed claims.star
var claimsText string

// allClaims returns the posts' claims and ours, which are the table and the steps of the derivation.
func allClaims() chapter.Claims {
	all := claimTable().Claims()
	after := 1 + slices.IndexFunc(all.Noted, func(c chapter.Claim) bool { return c.ID == "bounds" })
	all.Noted = slices.Insert(all.Noted, after, stepClaims()...)
	return all
}

// stepClaims returns the steps of the derivation, each with the range of its test. A test, not the build, checks the
// steps.
func stepClaims() []chapter.Claim {
	var all []chapter.Claim
	for _, s := range steps() {
		all = append(all, chapter.Claim{
			ID: "step-" + s.id, Where: "the derivation", Convention: s.convention, Ours: true,
			Ref: "sec:castle-derivation/checks", Printed: content.Markdown(content.Capital(string(s.says))),
			Check: func(context.Context) (chapter.Finding, error) {
				return chapter.Finding{Checked: plainly.Replace(string(s.over)) + ": " + s.tested()}, nil
			},
		})
	}
	return all
}

// plainly removes the formulas from the range of a step, so that it looks like the ranges of other claims.
var plainly = strings.NewReplacer("$", "", `\le`, "≤", `\varphi`, "φ", `\sqrt5`, "√5")

// claimTable returns the table of the claims, with the names that its conditions may use.
func claimTable() *claims.Game {
	g := &claims.Game{
		Name: "castle", File: "report/siegebook/castle/claims.star", Table: claimsText, Computed: computedClaims,
		Space: claims.Space{
			Kind: "every", Axes: []string{"n", "s", "d"}, Wide: Wide.Ends(), Small: small.Ends(),
			Values: map[string]func([]int64) int64{},
		},
	}
	g.Play = func(
		_ context.Context, at []int64, play starlark.Value, values, holds string,
	) (any, starlark.StringDict, error) {
		return playClaimed(battleAt(at), play, values, holds)
	}
	for name, value := range battleValues {
		g.Values[name] = func(at []int64) int64 { return value(battleAt(at)) }
	}
	for _, test := range PostTests() {
		b := test.Battle
		g.Tests = append(g.Tests, g.Battle([]int64{b.Soldiers, b.CastleHits, b.DefendersPerWave}, nil))
	}
	g.Names = starlark.StringDict{
		"posts_table": starlark.String(postsJSON),
		"fib": claims.Function("fib",
			func(at []int64) starlark.Value { return starlark.MakeInt64(Fib(int(at[0]))) }),
		"golden": claims.Function("golden", func(at []int64) starlark.Value {
			a, b := phi.PowerOfPhi(int(at[0]))
			return starlark.Tuple{starlark.MakeBigInt(a), starlark.MakeBigInt(b)}
		}),
		"powers": claims.Function("powers", func(at []int64) starlark.Value {
			return claims.Check(func(r *claims.Run) error {
				r.Tell(powersOf(at...))
				return nil
			})
		}),
		"thousands": claims.Function("thousands",
			func(at []int64) starlark.Value { return starlark.String(chapter.Thousands(at[0])) }),
		"paths": starlark.NewBuiltin("paths", pathsCheck),
		"line":  g.Quantifier(lineSpace),
		"wave":  g.Quantifier(waveSpace),
	}
	return g
}

// Battle returns the battle (n, s, d).
func Battle(n, s, d int64) game.Battle {
	return game.Battle{Soldiers: n, CastleHits: s, DefendersPerWave: d}
}

func battleAt(at []int64) game.Battle { return Battle(at[0], at[1], at[2]) }

// battleValues has the numbers of a battle that conditions may name. The checker computes the first numbers by its own
// rules: the fewest waves of each side, or 0 if it cannot win, also if shots may be wasted; the first and the last wave
// in which the castle falls in a fastest win of the soldiers; the results of the heuristics; and the numbers of ways to
// win. Only the build computes the others.
var battleValues = map[string]func(game.Battle) int64{
	"soldiers":   game.Battle.MinWaves,
	"castle":     game.Battle.CastleMinWaves,
	"castle_any": func(b game.Battle) int64 { return int64(withWaste(b, b.Start()).castle) },
	"first_fall": func(b game.Battle) int64 { first, _ := fastestFalls(b); return first },
	"last_fall":  func(b game.Battle) int64 { _, last := fastestFalls(b); return last },

	"castle_first":       func(b game.Battle) int64 { return wonBy(b, game.CastleFirst) },
	"castle_first_ties":  func(b game.Battle) int64 { return tiedBy(b, game.CastleFirst) },
	"castle_first_left":  func(b game.Battle) int64 { return b.Play(game.CastleFirst).SoldiersLeft },
	"castle_first_waves": func(b game.Battle) int64 { return b.Play(game.CastleFirst).Waves },

	"defenders_first":       func(b game.Battle) int64 { return wonBy(b, game.DefendersFirst) },
	"defenders_first_ties":  func(b game.Battle) int64 { return tiedBy(b, game.DefendersFirst) },
	"defenders_first_left":  func(b game.Battle) int64 { return b.Play(game.DefendersFirst).SoldiersLeft },
	"defenders_first_waves": func(b game.Battle) int64 { return b.Play(game.DefendersFirst).Waves },

	"soldiers_total": func(b game.Battle) int64 { return WaysOf(b).Soldiers.Total().Int64() },
	"castle_total":   func(b game.Battle) int64 { return WaysOf(b).Castle.Total().Int64() },

	// Only the build computes the following values. castle_as_printed is castle_total by the posts' rule.
	"castle_as_printed": func(b game.Battle) int64 { return PrintedWaysOf(b).Castle.Total().Int64() },

	"case_2a": func(b game.Battle) int64 { return claims.OneIf(b.Case() == game.Case2a) },
	"case_2b": func(b game.Battle) int64 { return claims.OneIf(b.Case() == game.Case2b) },
	"case_2d": func(b game.Battle) int64 { return claims.OneIf(b.Case() == game.Case2d) },

	"q":         func(b game.Battle) int64 { q, _ := PrintedParts(b); return q },
	"printed":   exactPrinted,
	"put_right": putRight,
	"hunted":    func(b game.Battle) int64 { return huntLength(b.Soldiers, LeftAt(b, 1)) },
	"planned":   func(b game.Battle) int64 { return wonBy(b, planOf(b)) },
	"struck_2":  func(b game.Battle) int64 { return wonBy(b, strikeOn(2)) },
	"struck_3":  func(b game.Battle) int64 { return wonBy(b, strikeOn(3)) },
	"published": func(b game.Battle) int64 { // as float64 rounds it, or -1 without a value
		waves, _, ok := b.Published()
		if !ok || waves != math.Trunc(waves) {
			return -1
		}
		return int64(waves)
	},

	"counted_first": func(b game.Battle) int64 {
		if wins := WaysOf(b).Soldiers; len(wins) > 0 {
			return wins[0].Wave
		}
		return 0
	},
	"delayed": func(b game.Battle) int64 {
		longest := b.LongestResistance()
		return claims.OneIf(longest.Winner == game.Tie || longest.Waves > 2)
	},
	"rubble_met": func(b game.Battle) int64 { // a wave of defenders first that begins with a fallen castle
		for wave := range b.Waves(game.DefendersFirst) {
			if wave.Winner == game.Undecided && wave.State.CastleHits == 0 {
				return wave.Number
			}
		}
		return 0
	},
	"soldiers_any": func(b game.Battle) int64 { return int64(withWaste(b, b.Start()).soldiers) },
	"can_fall":     func(b game.Battle) int64 { return claims.OneIf(canFall(b, b.Start(), map[game.State]bool{})) },
	"can_do_both": func(b game.Battle) int64 { // on day 2, soldiers can shoot all defenders and also hit the castle
		second := dayTwo(b)
		_, high := second.Moves()
		return claims.OneIf(high == int64(second.Defenders) && high < second.Soldiers)
	},
	"extremes_left": func(b game.Battle) int64 { // extremesAt is true on day 2 and on every day 3
		holds := extremesAt(dayTwo(b))
		eachDay(b, dayTwo(b), nil, 3, func(_ []int64, third game.State) { holds = holds && extremesAt(third) })
		return claims.OneIf(holds)
	},
	"lost_by_second_option": func(b game.Battle) int64 {
		return claims.OneIf(b.Play(secondOption(b.Soldiers)).Winner == game.Castle)
	},
}

// fastestFalls returns the first and the last wave in which the castle falls in a fastest win of the soldiers.
func fastestFalls(b game.Battle) (first, last int64) {
	from, to := b.Falls()
	for wave := from; wave <= to && wave > 0; wave++ {
		if fall, ok := b.FallIn(wave); ok && fall.Result.Winner == game.Soldiers && fall.Result.Waves == b.MinWaves() {
			if first == 0 {
				first = wave
			}
			last = wave
		}
	}
	return first, last
}

// wonBy returns the number of waves in which the soldiers win with a strategy, or 0 if they do not.
func wonBy(b game.Battle, strategy game.Strategy) int64 {
	if result := b.Play(strategy); result.Winner == game.Soldiers {
		return result.Waves
	}
	return 0
}

// tiedBy returns 1 if the soldiers tie with a strategy, and 0 otherwise.
func tiedBy(b game.Battle, strategy game.Strategy) int64 {
	return claims.OneIf(b.Play(strategy).Winner == game.Tie)
}

// waveSpace is the space of single waves: n soldiers, s hits, d defenders, and i defenders who are shot.
var waveSpace = claims.Space{
	Kind: "wave", Axes: []string{"n", "s", "d", "i"}, Small: []int64{8, 8, 8, 8},
	From: []int64{1, 1, 0, 0}, Wide: slices.Repeat([]int64{mostOfStates}, 4),
	Values: map[string]func([]int64) int64{
		"castle_first": func(at []int64) int64 { return game.CastleFirst(2, stateAt(at)).AtDefenders },
		"legal": func(at []int64) int64 {
			low, high := stateAt(at).Moves()
			return claims.OneIf(low <= at[3] && at[3] <= high)
		},
		"left": func(at []int64) int64 { after, _ := stepAt(at); return after.Soldiers },
		"out":  func(at []int64) int64 { after, _ := stepAt(at); return int64(after.Defenders) },
		"won":  func(at []int64) int64 { _, winner := stepAt(at); return claims.OneIf(winner == game.Soldiers) },
	},
}

func stateAt(at []int64) game.State {
	return game.State{Soldiers: at[0], CastleHits: at[1], Defenders: uint64(at[2])}
}

func stepAt(at []int64) (game.State, game.Winner) {
	b := Battle(at[0], at[1], 1)
	return b.Step(stateAt(at), at[3])
}

// lineSpace is the space of results of the same orders in all battles.
var lineSpace = func() claims.Space {
	s := claims.Space{
		Kind: "line", Axes: []string{"n", "s", "d"}, Small: []int64{8, 24, 16},
		Values: map[string]func([]int64) int64{},
	}
	for name, value := range map[string]func(game.State, game.Winner) int64{
		"left":      func(end game.State, _ game.Winner) int64 { return end.Soldiers },
		"defenders": func(end game.State, _ game.Winner) int64 { return int64(end.Defenders) },
		"hits":      func(end game.State, _ game.Winner) int64 { return end.CastleHits },
		"least":     func(end game.State, _ game.Winner) int64 { low, _ := end.Moves(); return low },
		"most":      func(end game.State, _ game.Winner) int64 { _, high := end.Moves(); return high },
		"won":       func(_ game.State, winner game.Winner) int64 { return claims.OneIf(winner == game.Soldiers) },
		"lost":      func(_ game.State, winner game.Winner) int64 { return claims.OneIf(winner == game.Castle) },
	} {
		s.Values[name] = func(at []int64) int64 {
			b := battleAt(at)
			state, winner := b.Start(), game.Undecided
			for _, order := range at[3:] {
				state, winner = b.Step(state, order)
			}
			return value(state, winner)
		}
	}
	return s
}()

// playClaimed plays a battle for a claim: by a named strategy, by given orders, or as a fastest win. Conditions may
// name the numbers after each wave, and before the first.
func playClaimed(b game.Battle, play starlark.Value, values, holds string) (any, starlark.StringDict, error) {
	r, err := played(b, play)
	if err != nil {
		return nil, nil, err
	}
	said := starlark.StringDict{}
	for _, value := range strings.Fields(values) {
		switch value {
		case "fewest":
			r.fewest()
		case "plays":
			r.plays()
		case "bounds":
			r.Soldiers = new(b.MinWaves())
			r.bounds()
		case "ways":
			r.ways()
			counts := WaysOf(b)
			said["soldiers_wins"], said["castle_wins"] = winsByWave(counts.Soldiers), winsByWave(counts.Castle)
			said["ties"] = starlark.MakeBigInt(counts.Ties)
			said["castle_printed"] = winsByWave(PrintedWaysOf(b).Castle)
		default:
			return nil, nil, fmt.Errorf("not a value of a battle: %s", value)
		}
	}
	r.Holds = holds
	left, hits, defenders, falls := []int64{b.Soldiers}, []int64{b.CastleHits}, []int64{0}, 0
	for i, state := range r.Line.States {
		left, hits, defenders = append(left, state[0]), append(hits, state[1]), append(defenders, state[2])
		if state[1] == 0 && falls == 0 {
			falls = i + 1
		}
	}
	said["left"], said["hits"] = claims.Numbers(left...), claims.Numbers(hits...)
	said["defenders"] = claims.Numbers(defenders...)
	said["shot"] = claims.Numbers(append([]int64{0}, r.Line.Orders...)...)
	said["waves"], said["falls"] = starlark.MakeInt(len(r.Line.Orders)), starlark.MakeInt(falls)
	said["won"] = starlark.MakeInt64(claims.OneIf(r.Line.Winner == "soldiers"))
	said["lost"] = starlark.MakeInt64(claims.OneIf(r.Line.Winner == "castle"))
	return r, said, nil
}

// played plays a battle in the way that the table of claims describes.
func played(b game.Battle, play starlark.Value) (*recompute, error) {
	switch how := play.(type) {
	case nil:
		return bestLine(b), nil
	case starlark.String:
		by, ok := map[starlark.String]func() game.Strategy{
			"castle first":    func() game.Strategy { return game.CastleFirst },
			"defenders first": func() game.Strategy { return game.DefendersFirst },
			"strike on day 2": func() game.Strategy { return strikeOn(2) },
			"strike on day 3": func() game.Strategy { return strikeOn(3) },
			"plan":            func() game.Strategy { return planOf(b) },
			"second option":   func() game.Strategy { return secondOption(b.Soldiers) },
			"castle":          func() game.Strategy { return b.FastestCastleWin().Strategy() },
		}[how]
		switch {
		case ok:
			return recomputed(b, by()), nil
		case how == "best":
			return bestLine(b), nil
		}
		return nil, fmt.Errorf("there is no play %s", how)
	case *starlark.List:
		orders, err := claims.WholeNumbers(how)
		return ordered(b, orders), err
	}
	return nil, fmt.Errorf("no way to play: %v", play)
}

// winsByWave lists the numbers of ways to win by wave, from wave 0 to the last wave with one.
func winsByWave(h game.Histogram) starlark.Value {
	var all []int64
	for _, c := range h {
		for int64(len(all)) < c.Wave {
			all = append(all, 0)
		}
		all = append(all, c.Ways.Int64())
	}
	return claims.Numbers(all...)
}

// pathsCheck plays all paths of a small battle and checks conditions on each path.
func pathsCheck(
	_ *starlark.Thread, f *starlark.Builtin, args starlark.Tuple, named []starlark.Tuple,
) (starlark.Value, error) {
	var at *claims.Battle
	var holds string
	err := starlark.UnpackArgs(f.Name(), args, named, "at", &at, "holds?", &holds)
	return claims.Check(func(r *claims.Run) error {
		for path, err := range battleAt(at.At).Paths(r, game.PathOptions{}) {
			if err == nil {
				err = r.Battle(at, claims.Numbers(path.Moves...), "", holds, "", true)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}), err
}

// recompute is a battle in the form that the ledger's checker reads. The line of play identifies the battle. Without
// it, a changed number could give another battle for which the claims are also true.
type recompute struct {
	Game           string         `json:"game"`
	Kind           string         `json:"kind"`
	N              int64          `json:"n"`
	S              int64          `json:"s"`
	D              int64          `json:"d"`
	Line           recomputedLine `json:"line"`
	Soldiers       *int64         `json:"soldiers,omitempty"` // fewest waves, or 0 if they cannot win
	Castle         *int64         `json:"castle,omitempty"`
	CastleFirst    []any          `json:"castle_first,omitempty"` // winner, waves, soldiers left
	DefendersFirst []any          `json:"defenders_first,omitempty"`
	Ways           map[string]any `json:"ways,omitempty"`
	Bounds         [][]int64      `json:"bounds,omitempty"`
	Holds          string         `json:"holds,omitempty"` // what the claim says, in the checker's words
}

type recomputedLine struct {
	Orders []int64    `json:"orders"`
	States [][3]int64 `json:"states"` // soldiers, hits, defenders after each wave
	Winner string     `json:"winner"`
}

// recomputed returns a battle with the line of play of a strategy.
func recomputed(b game.Battle, strategy game.Strategy) *recompute {
	var orders []int64
	for wave := range b.Waves(strategy) {
		if wave.Number > 0 {
			orders = append(orders, wave.AtDefenders)
		}
	}
	return ordered(b, orders)
}

// ordered returns a battle with a line of play. orders has the number of soldiers who shoot at defenders in each wave.
func ordered(b game.Battle, orders []int64) *recompute {
	r := &recompute{
		Game: "castle", Kind: "battle", N: b.Soldiers, S: b.CastleHits, D: b.DefendersPerWave,
		Line: recomputedLine{Orders: orders},
	}
	state, winner := b.Start(), game.Undecided
	for _, order := range orders {
		state, winner = b.Step(state, order)
		r.Line.States = append(r.Line.States, [3]int64{state.Soldiers, state.CastleHits, int64(state.Defenders)})
	}
	r.Line.Winner = sideName(winner)
	return r
}

// bestLine returns a battle with a fastest win of the soldiers. If they cannot win, it uses a fastest win of the
// castle, and if neither side can win, defenders first.
func bestLine(b game.Battle) *recompute {
	switch {
	case b.MinWaves() > 0:
		return recomputed(b, b.Solve().Strategy())
	case b.CastleMinWaves() > 0:
		return recomputed(b, b.FastestCastleWin().Strategy())
	}
	return recomputed(b, game.DefendersFirst)
}

// sideName returns the checker's name of a winner.
func sideName(w game.Winner) string {
	switch w {
	case game.Soldiers:
		return "soldiers"
	case game.Castle:
		return "castle"
	}
	return "none"
}

func (r *recompute) battle() game.Battle {
	return Battle(r.N, r.S, r.D)
}

// Recomputed returns the name of the battle for the checker.
func (r *recompute) Recomputed() string { return Triple(r.battle()) }

// fewest adds the fewest waves of both sides to the checker's data.
func (r *recompute) fewest() *recompute {
	r.Soldiers, r.Castle = new(r.battle().MinWaves()), new(r.battle().CastleMinWaves())
	return r
}

// plays adds the results of the heuristics.
func (r *recompute) plays() *recompute {
	end := func(strategy game.Strategy) []any {
		result := r.battle().Play(strategy)
		return []any{sideName(result.Winner), result.Waves, result.SoldiersLeft}
	}
	r.CastleFirst, r.DefendersFirst = end(game.CastleFirst), end(game.DefendersFirst)
	return r
}

// ways adds the number of ways to win, by side and wave.
func (r *recompute) ways() *recompute {
	counts := WaysOf(r.battle())
	byWave := func(h game.Histogram) map[int64]*big.Int {
		all := map[int64]*big.Int{}
		for _, c := range h {
			all[c.Wave] = c.Ways
		}
		return all
	}
	r.Ways = map[string]any{"soldiers": byWave(counts.Soldiers), "castle": byWave(counts.Castle), "ties": counts.Ties}
	return r
}

// bounds adds a certificate that the soldiers need their fewest waves, for d < n: with t + 1 waves left, S soldiers can
// win only if hits plus defenders are at most bounds[t][S-1]. Either the castle falls in this wave, and Theorem 1 of
// docs/derivations/castle-soldiers.md describes the hunt, or it falls later and this wave leaves no defender.
func (r *recompute) bounds() *recompute {
	for t := range *r.Soldiers - 2 {
		row := make([]int64, r.N)
		for i := range row {
			n := int64(i) + 1
			row[i] = n + n*int64(phi.Fib(int(2*t)))/int64(phi.Fib(int(2*t+1)))
			if t > 0 {
				row[i] = max(row[i], r.Bounds[t-1][i]+n-r.D)
			}
		}
		r.Bounds = append(r.Bounds, row)
	}
	return r
}

// small is the box that the checker searches when the build searches the wide box.
var small = box(12, 40, 24)

// box returns the battles with n, s and d from 1 to the given ends.
func box(n, s, d int64) chapter.Box[game.Battle] {
	return chapter.Box[game.Battle]{
		Sides: []chapter.Side{{Name: "n", To: n}, {Name: "s", To: s}, {Name: "d", To: d}}, Of: battleAt,
	}
}

// Wide is the box in which most claims are checked.
var Wide = box(30, 100, 60)
