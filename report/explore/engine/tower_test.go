package engine_test

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/report/explore/engine"
)

// TestTowerPlay: a battle that is aimed as a strategy aims goes as the library plays it, row by row; and so does what
// would come if a strategy went on.
func TestTowerPlay(t *testing.T) {
	for _, numbers := range [][4]int64{{13, 2, 3, 8}, {225, 20, 1, 40}, {27, 6, 2, 8}, {5, 4, 3, 2}, {4, 3, 1, 2}, {9, 6, 3, 2}, {1, 1, 1, 1}, {999, 99, 1, 40}} {
		b := tower.Battle{Soldiers: numbers[0], HitsPerTower: numbers[1], KillsPerTower: numbers[2], Towers: numbers[3]}
		for i, s := range tower.Strategies() {
			args := []int64{b.Soldiers, b.HitsPerTower, b.KillsPerTower, b.Towers}
			var want []int64
			for round := range b.Rounds(s) {
				played := ask(t, "tower.play", args...).Ints
				if !slices.Equal(played[:len(want)], want) {
					t.Fatalf("%v by %v: the rows of before have changed", b, s)
				}
				row := played[len(want):]
				if len(row) != rowLength(int(b.Towers)) {
					t.Fatalf("%v: a row of %d numbers", b, len(row))
				}
				want = played
				hits := row[len(row)-int(b.Towers):]
				checkRow(t, b, s, round, row[:6], hits)
				checkEnds(t, b, round, row[6:len(row)-int(b.Towers)])
				if round.Winner == tower.Undecided {
					args = append(args, ask(t, "tower.aims", slices.Concat([]int64{int64(i), round.State.Soldiers}, hits)...).Ints...)
				}
			}
		}
	}
}

func ask(t *testing.T, name string, args ...int64) engine.Reply {
	t.Helper()
	reply, err := engine.Call(name, args)
	if err != nil {
		t.Fatal(err)
	}
	return reply
}

func checkRow(t *testing.T, b tower.Battle, s tower.Strategy, round tower.Round, row, hits []int64) {
	t.Helper()
	left, _ := round.State.HitsLeft().Int64()
	kills, _ := round.KillsLeft.Int64()
	wasted := row[4]
	if s != tower.Even && round.Winner != tower.Soldiers && wasted != 0 || wasted < 0 {
		t.Errorf("%v by %v, round %d: %d shots wasted", b, s, round.Number, wasted)
	}
	want := []int64{int64(round.Winner), round.State.Soldiers, round.State.Towers(), left, wasted, kills}
	groups := map[int64]int64{}
	for _, group := range round.State.Groups {
		groups[group.Hits] = group.Towers
	}
	for _, h := range hits {
		groups[h]--
	}
	delete(groups, 0) // those that have fallen
	for h, more := range groups {
		if more != 0 {
			t.Errorf("%v by %v, round %d: %d towers of %d hits are missing in %v", b, s, round.Number, more, h, hits)
		}
	}
	if !slices.Equal(row, want) {
		t.Errorf("%v by %v, round %d: %v, the library %v", b, s, round.Number, row, want)
	}
}

func checkEnds(t *testing.T, b tower.Battle, round tower.Round, ends []int64) {
	t.Helper()
	for i, s := range tower.Strategies() {
		want := []int64{0, 0, 0}
		if round.Winner == tower.Undecided {
			for last := range b.RoundsFrom(round.State, s.Aims) {
				want = []int64{int64(last.Winner), round.Number + last.Number, 0}
				if last.Winner == tower.Soldiers {
					want[2] = last.State.Soldiers
				} else {
					want[2] = last.State.Towers()
				}
			}
		}
		if !slices.Equal(ends[3*i:3*i+3], want) {
			t.Errorf("%v, round %d: %v ends %v, the library %v", b, round.Number, s, ends[3*i:3*i+3], want)
		}
	}
}

// TestTowerWaste: what one tower gets beyond its hits is wasted; and where all towers fall, the soldiers left over need
// no target.
func TestTowerWaste(t *testing.T) {
	wasted := ask(t, "tower.play", 5, 2, 1, 2, 5, 0).Ints[rowLength(2):][4]
	if wasted != 3 {
		t.Errorf("5 shots at a tower of 2 hits: %d wasted", wasted)
	}
	won := ask(t, "tower.play", 5, 2, 1, 2, 2, 2).Ints[rowLength(2):]
	if won[0] != int64(tower.Soldiers) || won[4] != 1 {
		t.Errorf("5 soldiers destroy two towers of 2 hits: %v", won)
	}
}

// TestTowerRefuses: one line that names value, rule and fix.
func TestTowerRefuses(t *testing.T) {
	for _, test := range []struct {
		name string
		args []int64
		want string
	}{
		{"tower.play", []int64{0, 1, 1, 1}, "soldiers = 0: must be a positive whole number, use 1 or more"},
		{"tower.play", []int64{1000, 1, 1, 1}, "soldiers = 1000: a field has room for 999, use fewer"},
		{"tower.play", []int64{1, 1, 1, math.MaxInt64}, "towers = 9223372036854775807: a field has room for 40, use fewer"},
		{"tower.play", []int64{5, 2, 1, 2, 5}, "numbers of shots = 1: a round has one for each of 2 towers, give them all"},
		{"tower.play", []int64{5, 2, 1, 2, 3, 1}, "round 1: 1 soldier is without a target: every soldier fires, aim at a tower for each"},
		{"tower.play", []int64{5, 2, 1, 2, 3, 3}, "round 1: shots at tower 2 = 3: 2 soldiers are left to fire, aim fewer"},
		{"tower.play", []int64{5, 2, 1, 2, math.MaxInt64, math.MaxInt64}, "round 1: shots at tower 1 = 9223372036854775807: 5 soldiers are left to fire, aim fewer"},
		{"tower.play", []int64{5, 2, 1, 2, -1, 6}, "round 1: shots at tower 1 = -1: 5 soldiers are left to fire, aim fewer"},
		{"tower.play", []int64{5, 2, 1, 2, 5, 0, 4, 0}, "round 2: shots at tower 1 = 4: it has fallen, aim at one that stands"},
		{"tower.play", []int64{5, 2, 1, 2, 3, 2, 1, 0}, "round 2: the soldiers have won in round 1, take the later rounds back"},
		{"tower.aims", []int64{3, 1, 1}, "strategy 3: there are those from 0 to 2"},
		{"tower.aims", []int64{0, 0, 1}, "soldiers = 0: they have to be from 1 to 999"},
		{"tower.aims", []int64{0, 1, 0, 0}, "no tower stands: give one of them hits"},
		{"tower.aims", []int64{0, 1, 100}, "hits of tower 1 = 100: they have to be from 0 to 99"},
		{"tower.throw", []int64{-1, 1, 1, 1}, "reading -1: there are those from 0 to 1"},
		{"tower.throw", []int64{0, 1, math.MaxInt64, 1}, "soldiers = 9223372036854775807: they have to be from 1 to 999"},
		{"tower.chance", []int64{2, 1, 1, 1}, "reading 2: there are those from 0 to 1"},
		{"tower.chance", []int64{0, 0, 1, 1}, "kills per tower = 0: they have to be from 1 to 99"},
		{"tower.chance", slices.Concat([]int64{0, 1, 225}, slices.Repeat([]int64{20}, 40)), "what chance does to 225 soldiers and 40 towers takes too long to compute: take fewer of them, or fewer hits"},
		{"tower.needs", []int64{1, 1, 1, 0}, "rows = 0 from 1 tower on: there are from 1 to 400, and towers for each"},
		{"tower.needs", []int64{1, 0, 1, 1}, "kills per tower = 0: must be a positive whole number, use 1 or more"},
	} {
		reply, err := engine.Call(test.name, test.args)
		if err == nil || err.Error() != test.want {
			t.Errorf("%s %v: %v, %v, want %s", test.name, test.args, reply, err, test.want)
		}
	}
}

// TestTowerChance compares with Random, which has another way to the same numbers, exact ones.
func TestTowerChance(t *testing.T) {
	for n := int64(1); n <= 14; n++ {
		for h := int64(1); h <= 3; h++ {
			for towers := int64(1); towers <= 4; towers++ {
				b := tower.Battle{Soldiers: n, HitsPerTower: h, KillsPerTower: 1, Towers: towers}
				for i, reading := range tower.Readings() {
					d, err := b.Random(t.Context(), reading, tower.RandomOptions{Method: tower.Exact})
					if err != nil {
						t.Fatal(err)
					}
					got := ask(t, "tower.chance", slices.Concat([]int64{int64(i), 1, n}, slices.Repeat([]int64{h}, int(towers)))...).Ints
					checkChance(t, b, d.Win, got[0])
					if len(got) != 1+3*len(d.Outcomes) {
						t.Fatalf("%v %v: %v, want %+v", b, reading, got, d)
					}
					for k, o := range d.Outcomes {
						if row := got[1+3*k:]; row[0] != int64(o.Winner) || row[1] != o.Rounds {
							t.Errorf("%v %v: outcome %v, want %+v", b, reading, row[:3], o)
						}
						checkChance(t, b, o.Probability, got[3+3*k])
					}
				}
			}
		}
	}
}

func checkChance(t *testing.T, b tower.Battle, want tower.Probability, got int64) {
	t.Helper()
	impossible, certain := want.Exact.Sign() == 0, want.Exact.IsInt() && want.Exact.Sign() > 0
	if impossible != (got == 0) || certain != (got == 1_000_000_000) || math.Abs(float64(got)-1e9*want.Float) > 1.5 {
		t.Errorf("%v: %d billionths, want %v", b, got, want)
	}
}

// TestTowerThrow: every soldier fires, at a tower that stands.
func TestTowerThrow(t *testing.T) {
	for seed := range int64(100) {
		for reading := range int64(2) {
			hits := []int64{3, 0, 2, 5}
			sum := int64(0)
			for i, shots := range ask(t, "tower.throw", append([]int64{reading, seed, 7}, hits...)...).Ints {
				sum += shots
				if shots > 0 && hits[i] == 0 || reading == int64(tower.Sequential) && shots > hits[i] {
					t.Errorf("reading %d, seed %d: %d shots at a tower of %d hits", reading, seed, shots, hits[i])
				}
			}
			if sum != 7 {
				t.Errorf("reading %d, seed %d: %d shots", reading, seed, sum)
			}
		}
	}
}

// TestTowerNeeds: on both sides of each number the battle is played.
func TestTowerNeeds(t *testing.T) {
	const h, k, t0, rows = 6, 2, 3, 12
	got := ask(t, "tower.needs", h, k, t0, rows).Ints
	for row := range int64(rows) {
		for _, s := range tower.Strategies() {
			for _, less := range []int64{0, 1} {
				b := tower.Battle{Soldiers: got[0] - less, HitsPerTower: h, KillsPerTower: k, Towers: t0 + row}
				result, err := b.Play(s, 0)
				if err != nil || (result.Winner == tower.Soldiers) != (less == 0) {
					t.Errorf("%v by %v: %+v, %v", b, s, result, err)
				}
			}
			got = got[1:]
		}
	}
	if len(got) > 0 {
		t.Errorf("%d numbers too many", len(got))
	}
	if huge := ask(t, "tower.needs", math.MaxInt64, 1, math.MaxInt64-1, 1).Ints; !slices.Equal(huge, []int64{0, 0, 0}) {
		t.Errorf("no number of soldiers should do: %v", huge)
	}
}

// TestTowerWords: a line for each strategy and each reading, in the order of the library.
func TestTowerWords(t *testing.T) {
	lines := strings.Split(ask(t, "tower.words").Text, "\n")
	for i, s := range tower.Strategies() {
		if lines[i] != "strategy\t"+s.String()+"\t"+s.Description() {
			t.Errorf("line %q", lines[i])
		}
	}
	for i, reading := range tower.Readings() {
		if lines[len(tower.Strategies())+i] != "reading\t"+reading.String()+"\t"+reading.Description() {
			t.Errorf("line %q", lines[len(tower.Strategies())+i])
		}
	}
}

// FuzzTower: whatever is asked, there is an answer or one line that refuses.
func FuzzTower(f *testing.F) {
	names := []string{"tower.play", "tower.aims", "tower.throw", "tower.chance", "tower.needs"}
	r := rand.New(rand.NewPCG(1, 2))
	for i, name := range names {
		for range 5 {
			var data []byte
			for _, arg := range samples[name](r) {
				data = binary.LittleEndian.AppendUint64(data, uint64(arg))
			}
			f.Add(uint8(i), data)
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, data []byte) {
		var args []int64
		for ; len(data) >= 8; data = data[8:] {
			args = append(args, int64(binary.LittleEndian.Uint64(data)))
		}
		name := names[int(which)%len(names)]
		reply, err := engine.Call(name, args)
		if err != nil && (err.Error() == "" || strings.Contains(err.Error(), "\n")) {
			t.Errorf("%s %v: %q", name, args, err)
		}
		if err == nil && name == "tower.play" && len(reply.Ints)%rowLength(int(args[3])) != 0 {
			t.Errorf("%s %v: %d numbers", name, args, len(reply.Ints))
		}
	})
}
