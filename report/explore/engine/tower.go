package engine

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/internal/plural"
)

// towerFunctions are about towers. A field that a reader aims at has few towers, each with the hits that it can still
// take, 0 if it has fallen; a strategy is its number in tower.Strategies, a reading that in tower.Readings.
var towerFunctions = []Function{
	{"tower.words", nil, towerWords},
	{"tower.play", []string{"n", "h", "k", "t", "shots..."}, towerPlay},
	{"tower.aims", []string{"strategy", "soldiers", "hits..."}, towerAims},
	{"tower.throw", []string{"reading", "seed", "soldiers", "hits..."}, towerThrow},
	{"tower.chance", []string{"reading", "k", "soldiers", "hits..."}, towerChance},
	{"tower.needs", []string{"h", "k", "t", "rows"}, towerNeeds},
}

// The largest battle that is played on a field: what a hand can aim at, and an address can hold.
const (
	mostSoldiers = 999
	mostPerTower = 99 // hits, and kills
	mostTowers   = 40
)

// towerWords says what there is to choose. Text has a line for each: what it is, its name, and what it does. Ints are
// the strategy that is the best play from any state, and that which is the worst without waste.
func towerWords(_ []int64, r *Reply) error {
	var lines []string
	for _, s := range tower.Strategies() {
		lines = append(lines, "strategy\t"+s.String()+"\t"+s.Description())
	}
	for _, reading := range tower.Readings() {
		lines = append(lines, "reading\t"+reading.String()+"\t"+reading.Description())
	}
	r.Text = strings.Join(lines, "\n")
	r.add(int64(tower.Greedy), int64(tower.Fewest))
	return nil
}

// towerPlay plays a battle as a reader aims: shots has a number for each tower and each round, round by round, of the
// towers in their order. Ints has a row for the start and one for each round. The row is: the winner (0 for none, 1 for
// the soldiers, 2 for the towers), the soldiers, the towers, the hits that all towers together can take, the shots that
// were wasted in the round, the kills that were left; then for each strategy, if it aims from here on: the winner, the
// round in which the battle ends, and how many of the winners are left, 0 three times if it has ended; then the hits of
// each tower.
//
// In a round in which all towers fall, shots may be missing: the soldiers left over find no target.
func towerPlay(args []int64, r *Reply) error {
	b := tower.Battle{Soldiers: args[0], HitsPerTower: args[1], KillsPerTower: args[2], Towers: args[3]}
	if err := fits(b); err != nil {
		return err
	}
	shots := args[4:]
	if int64(len(shots))%b.Towers != 0 {
		return fmt.Errorf("numbers of shots = %d: a round has one for each of %s, give them all", len(shots), plural.Count(b.Towers, "tower"))
	}
	f := newField(b)
	f.row(r, 0)
	for len(shots) > 0 {
		wasted, err := f.fire(shots[:b.Towers])
		if err != nil {
			return fmt.Errorf("round %d: %w", f.round, err)
		}
		shots = shots[b.Towers:]
		f.row(r, wasted)
	}
	return nil
}

// fits says what is wrong with a battle for a field.
func fits(b tower.Battle) error {
	if err := b.Validate(); err != nil {
		return err
	}
	for _, bound := range []struct {
		name        string
		value, most int64
	}{
		{"soldiers", b.Soldiers, mostSoldiers},
		{"hits per tower", b.HitsPerTower, mostPerTower},
		{"kills per tower", b.KillsPerTower, mostPerTower},
		{"towers", b.Towers, mostTowers},
	} {
		if bound.value > bound.most {
			return fmt.Errorf("%s = %d: a field has room for %d, use fewer", bound.name, bound.value, bound.most)
		}
	}
	return nil
}

// field is a battle whose towers have names: their places.
type field struct {
	tower.Battle
	round     int64
	state     tower.State
	hits      []int64 // of each tower
	killsLeft int64
	winner    tower.Winner
}

func newField(b tower.Battle) *field {
	f := &field{Battle: b, state: b.Start(), hits: make([]int64, b.Towers)}
	for i := range f.hits {
		f.hits[i] = b.HitsPerTower
	}
	for round := range b.Rounds(tower.Greedy) {
		f.killsLeft, _ = round.KillsLeft.Int64()
		break // the start
	}
	return f
}

// fire plays a round, and returns how many shots were wasted. What cannot be fired is an error.
func (f *field) fire(shots []int64) (wasted int64, err error) {
	f.round++
	if f.winner != tower.Undecided {
		return 0, fmt.Errorf("the %v have won in round %d, take the later rounds back", f.winner, f.round-1)
	}
	aims, err := f.aims(shots)
	if err != nil {
		return 0, err
	}
	before, _ := f.state.HitsLeft().Int64()
	fired := f.state.Soldiers
	state, killsLeft, winner := f.Step(f.state, aims)
	f.state, f.winner = state, winner
	f.killsLeft, _ = killsLeft.Int64()
	for i, hits := range f.hits {
		f.hits[i] = tower.Aim{Towers: 1, Hits: hits, Shots: shots[i]}.Left()
	}
	after, _ := f.state.HitsLeft().Int64()
	return fired - (before - after), nil
}

// aims are the shots at each tower that stands, of all soldiers.
func (f *field) aims(shots []int64) ([]tower.Aim, error) {
	var aims []tower.Aim
	fired, allFall := int64(0), true
	for i, hits := range f.hits {
		switch {
		case shots[i] < 0 || shots[i] > f.state.Soldiers-fired:
			return nil, fmt.Errorf("shots at tower %d = %d: %s left to fire, aim fewer", i+1, shots[i], soldiersAre(f.state.Soldiers-fired))
		case hits == 0 && shots[i] > 0:
			return nil, fmt.Errorf("shots at tower %d = %d: it has fallen, aim at one that stands", i+1, shots[i])
		case hits > 0:
			aim := tower.Aim{Towers: 1, Hits: hits, Shots: shots[i]}
			aims, fired, allFall = append(aims, aim), fired+aim.Shots, allFall && aim.Left() == 0
		}
	}
	if free := f.state.Soldiers - fired; free > 0 {
		if !allFall {
			return nil, fmt.Errorf("%s without a target: every soldier fires, aim at a tower for each", soldiersAre(free))
		}
		aims[len(aims)-1].Shots += free
	}
	return aims, nil
}

func soldiersAre(count int64) string {
	return plural.Count(count, "soldier") + " " + plural.Of(count, "is", "are")
}

// row appends what towerPlay says of the end of a round.
func (f *field) row(r *Reply, wasted int64) {
	hits, _ := f.state.HitsLeft().Int64()
	r.add(int64(f.winner), f.state.Soldiers, f.state.Towers(), hits, wasted, f.killsLeft)
	for _, s := range tower.Strategies() {
		winner, rounds, left := f.end(s)
		r.add(int64(winner), rounds, left)
	}
	r.add(f.hits...)
}

// end is how the battle ends if a strategy aims from here on.
func (f *field) end(s tower.Strategy) (winner tower.Winner, rounds, left int64) {
	if f.winner != tower.Undecided {
		return tower.Undecided, 0, 0
	}
	var last tower.Round
	for last = range f.RoundsFrom(f.state, s.Aims) { //nolint:revive // the last one counts
	}
	if last.Winner == tower.Soldiers {
		return last.Winner, f.round + last.Number, last.State.Soldiers
	}
	return last.Winner, f.round + last.Number, last.State.Towers()
}

// stateOf is the towers of a field that stand, before so many soldiers.
func stateOf(soldiers int64, hits []int64) (tower.State, error) {
	if soldiers < 1 || soldiers > mostSoldiers {
		return tower.State{}, fmt.Errorf("soldiers = %d: they have to be from 1 to %d", soldiers, mostSoldiers)
	}
	if len(hits) > mostTowers {
		return tower.State{}, fmt.Errorf("towers = %d: a field has room for %d, use fewer", len(hits), mostTowers)
	}
	s := tower.State{Soldiers: soldiers}
	for most := int64(mostPerTower); most > 0; most-- {
		group := tower.Group{Hits: most}
		for _, h := range hits {
			if h == most {
				group.Towers++
			}
		}
		if group.Towers > 0 {
			s.Groups = append(s.Groups, group)
		}
	}
	for i, h := range hits {
		if h < 0 || h > mostPerTower {
			return s, fmt.Errorf("hits of tower %d = %d: they have to be from 0 to %d", i+1, h, mostPerTower)
		}
	}
	if len(s.Groups) == 0 {
		return s, fmt.Errorf("no tower stands: give one of them hits")
	}
	return s, nil
}

// towerAims is how a strategy aims. Ints are its shots at each tower.
func towerAims(args []int64, r *Reply) error {
	strategies := tower.Strategies()
	if args[0] < 0 || args[0] >= int64(len(strategies)) {
		return fmt.Errorf("strategy %d: there are those from 0 to %d", args[0], len(strategies)-1)
	}
	hits := args[2:]
	s, err := stateOf(args[1], hits)
	if err != nil {
		return err
	}
	r.Ints = dealt(strategies[args[0]].Aims(s), hits)
	return nil
}

// dealt are the shots at each tower of a field.
func dealt(aims []tower.Aim, hits []int64) []int64 {
	shots, done := make([]int64, len(hits)), make([]bool, len(hits))
	for _, aim := range aims {
		for i := range hits {
			if aim.Towers > 0 && hits[i] == aim.Hits && !done[i] {
				shots[i], done[i] = aim.Shots, true
				aim.Towers--
			}
		}
	}
	return shots
}

// towerThrow is a round in which every soldier fires at a random tower. Ints are the shots at each tower, the same for
// the same seed.
func towerThrow(args []int64, r *Reply) error {
	reading, err := readingOf(args[0])
	if err != nil {
		return err
	}
	hits := args[3:]
	s, err := stateOf(args[2], hits)
	if err != nil {
		return err
	}
	r.Ints = dealt(reading.Aims(s, rand.New(rand.NewPCG(uint64(args[1]), 0))), hits)
	return nil
}

func readingOf(number int64) (tower.Reading, error) {
	readings := tower.Readings()
	if number < 0 || number >= int64(len(readings)) {
		return 0, fmt.Errorf("reading %d: there are those from 0 to %d", number, len(readings)-1)
	}
	return readings[number], nil
}

// certain stands for a probability of 1.
const certain = 1_000_000_000

// mostSteps and mostMemory bound what is asked of chance: it takes some tenths of a second, and so many bytes.
const (
	mostSteps  = 200_000_000
	mostMemory = 128 << 20
)

// towerChance is how a battle goes on if every soldier fires at a random tower. Ints are the probability of a win in
// billionths, rounded down: it is 0 only if no win is possible, and a billion only if it is certain; and then rows of
// the outcomes: the winner (1 for the soldiers, 2 for the towers), the rounds from here on, the probability in
// billionths.
func towerChance(args []int64, r *Reply) error {
	reading, err := readingOf(args[0])
	if err != nil {
		return err
	}
	if args[1] < 1 || args[1] > mostPerTower {
		return fmt.Errorf("kills per tower = %d: they have to be from 1 to %d", args[1], mostPerTower)
	}
	s, err := stateOf(args[2], args[3:])
	if err != nil {
		return err
	}
	found, err := tower.Battle{KillsPerTower: args[1]}.RandomFrom(context.Background(), s, reading, tower.RandomOptions{MaxSteps: mostSteps, MemoryLimit: mostMemory})
	if err != nil {
		return fmt.Errorf("what chance does to %d soldiers and %d towers takes too long to compute: take fewer of them, or fewer hits", s.Soldiers, s.Towers())
	}
	wins, losses := false, false
	for _, o := range found.Outcomes {
		wins, losses = wins || o.Winner == tower.Soldiers, losses || o.Winner == tower.Towers
	}
	r.add(billionths(found.Win.Float, wins, losses))
	for _, o := range found.Outcomes {
		r.add(int64(o.Winner), o.Rounds, billionths(o.Probability.Float, true, len(found.Outcomes) > 1))
	}
	return nil
}

// billionths rounds a probability down; possible and its contrary say of what is rounded that it is not 0, and not 1.
func billionths(p float64, possible, contrary bool) int64 {
	switch {
	case !possible:
		return 0
	case !contrary:
		return certain
	}
	return min(max(int64(math.Floor(p*certain)), 1), certain-1)
}

// towerNeeds is how many soldiers it takes to win by each strategy: with fewer the towers win, with as many or more the
// soldiers do. Ints has a row for each number of towers from t on, with a number for each strategy; 0 if the largest
// one is not enough.
func towerNeeds(args []int64, r *Reply) error {
	b, rows := tower.Battle{HitsPerTower: args[0], KillsPerTower: args[1], Towers: args[2]}, args[3]
	if rows < 1 || rows > mostRows || b.Towers > math.MaxInt64-rows {
		return fmt.Errorf("rows = %d from %s on: there are from 1 to %d, and towers for each", rows, plural.Count(b.Towers, "tower"), mostRows)
	}
	for range rows {
		for _, s := range tower.Strategies() {
			n, err := b.MinSoldiers(s, needSteps/rows)
			if err != nil {
				return err
			}
			r.add(n)
		}
		b.Towers++
	}
	return nil
}

// mostRows bounds the rows of soldiers needed, and needSteps the work on all of them.
const (
	mostRows  = 400
	needSteps = 4_000_000
)
