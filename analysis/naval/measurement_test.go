package naval

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/totalstest"
)

const tables = "testdata/tables.txt"

// naiveMeasurement plays the games one after another with the slow version, and sums them up as documented. It cannot
// play Informed.
func naiveMeasurement(rules Rules, placements []Placement, strategies []Strategy, fleets int64, seed uint64,
) Measurement {
	m := Measurement{
		Placements: placements, Strategies: strategies, Fleets: fleets, Seed: seed, Totals: Totals{Rules: rules},
	}
	decks := 0
	for _, d := range naiveLengths(rules) {
		decks += d
	}
	for _, p := range placements {
		for _, s := range strategies {
			tally := Tally{Placement: p, Strategy: s}
			for number := range fleets {
				var c chance
				c.restart(seed, streamFleet+uint64(p), uint64(number))
				fleet := naiveFleet(rules, p, &c)
				c.restart(seed, streamShots, uint64(number))
				player := newNaivePlayer(rules, s)
				for player.hits < decks {
					player.learn(player.aim(&c), fleet)
				}
				tally.ByShots[player.shots]++
				tally.Checksum += ShotsChecksum((2*naiveMix(uint64(number)) + 1) * uint64(player.shots))
			}
			m.Tallies = append(m.Tallies, tally)
		}
	}
	return m
}

// naiveMix evaluates the documented formula, word for word.
func naiveMix(x uint64) uint64 {
	x = (x ^ x/(1<<30)) * 0xbf58476d1ce4e5b9
	x = (x ^ x/(1<<27)) * 0x94d049bb133111eb
	return x ^ x/(1<<31)
}

func mustMeasure(from []Placement, strategies []Strategy, fleets int64, seed uint64, options Options) Measurement {
	return must.Get(NewMeasurement(context.Background(), from, strategies, fleets, seed, options))
}

// played returns the strategies that the slow version can play, in order.
func played() []Strategy {
	list := slices.DeleteFunc(Strategies(), func(s Strategy) bool { return s.Targeting == Informed })
	list = append(list, Strategy{Random, AsCoded, false}, Strategy{Linear, Proper, false})
	slices.SortFunc(list, Strategy.compare)
	return list
}

// TestMeasurementAgainstPlainLoop compares all numbers with games that are played one by one, slowly.
func TestMeasurementAgainstPlainLoop(t *testing.T) {
	const fleets, seed = 3, 11 // in one of these games Density sinks a ship while another is hit
	want := naiveMeasurement(Post, Placements(), played(), fleets, seed)
	mixed := slices.Clone(want.Strategies)
	slices.Reverse(mixed)
	got := mustMeasure(Placements(), mixed, fleets, seed, Options{Workers: 2})
	totalstest.Same(t, want, got)
	if size, err := got.Size(); err != nil || got.Games() != size ||
		size != int64(fleets*len(Placements())*len(played())) {
		t.Errorf("%d games of %d, %v", got.Games(), size, err)
	}
}

// drawMeasurement draws a measurement without its totals.
func drawMeasurement(t *rapid.T) Measurement {
	strategies := rapid.SliceOfNDistinct(rapid.SampledFrom(played()), 1, 4, rapid.ID).Draw(t, "strategies")
	placements := rapid.SliceOfNDistinct(rapid.SampledFrom(Placements()), 1, 4, rapid.ID).Draw(t, "placements")
	slices.SortFunc(strategies, Strategy.compare)
	slices.Sort(placements)
	return Measurement{
		Placements: placements, Strategies: strategies, Fleets: rapid.Int64Range(1, 12).Draw(t, "fleets"),
		Seed: rapid.Uint64().Draw(t, "seed"),
	}
}

// TestPartsOfMeasurements cuts a measurement into parts of any size, measures them with any number of workers and adds
// them in any order, in pairs or one after another. The JSON must equal the JSON of the whole measurement.
func TestPartsOfMeasurements(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		empty := drawMeasurement(t)
		whole := mustMeasure(empty.Placements, empty.Strategies, empty.Fleets, empty.Seed, Options{Workers: 1})
		empty.Totals = totalstest.Sum(t, whole.Games(), func(block grid.Block) Totals {
			part, err := empty.Part(t.Context(), block, Options{Workers: rapid.IntRange(0, 3).Draw(t, "workers")})
			if err != nil || part.Games() != block.Size {
				t.Fatalf("part of %d games: %d, %v", block.Size, part.Games(), err)
			}
			valid := empty
			valid.Totals = part
			must.Do(t, valid.Validate())
			return part
		})
		if got, want := totalstest.Text(empty), totalstest.Text(whole); got != want {
			t.Fatalf("got %s\nwant %s", got, want)
		}
		totalstest.RoundTrip(t, whole)
	})
}

// TestMeasurementWorkers checks that the number of workers does not affect the result, even if a worker plays several
// blocks.
func TestMeasurementWorkers(t *testing.T) {
	strategies := []Strategy{{Linear, AsCoded, true}, {Random, Density, true}}
	one := mustMeasure(PostPlacements(), strategies, 2000, 3, Options{Workers: 1})
	if games := one.Games(); games < 4*one.atOnce() {
		t.Fatalf("%d games, of which a block has %d", games, one.atOnce())
	}
	totalstest.Same(t, one, mustMeasure(PostPlacements(), strategies, 2000, 3, Options{Workers: 4}))
}

// TestMeasurementCost checks that the cost of the first games is the sum of their costs, and that the cost limits the
// size of a block of games.
func TestMeasurementCost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawMeasurement(t)
		if rapid.Bool().Draw(t, "informed") {
			m.Strategies = append(m.Strategies, Strategy{Cross, Informed, true})
		}
		size := must.Get(m.Size())
		sum := int64(0)
		for games := range size {
			if got := m.Cost(games); got.Cmp(big.NewInt(sum)) != 0 {
				t.Fatalf("%d games cost %v, want %d", games, got, sum)
			}
			sum += m.Strategies[games%int64(len(m.Strategies))].Targeting.Cost()
		}
		if got := m.Cost(size); got.Cmp(big.NewInt(sum)) != 0 {
			t.Fatalf("all cost %v, want %d", got, sum)
		}
	})
	huge := Measurement{
		Placements: []Placement{Left}, Strategies: []Strategy{{Random, Informed, true}},
		Fleets: maxFleets,
	}
	if want := new(big.Int).Mul(big.NewInt(maxFleets),
		big.NewInt(Informed.Cost())); huge.Cost(maxFleets).Cmp(want) != 0 {
		t.Errorf("%v, want %v", huge.Cost(maxFleets), want)
	}
	for _, targeting := range Targetings() {
		if targeting.Cost() < 1 {
			t.Errorf("%v costs %d", targeting, targeting.Cost())
		}
	}
}

// TestMeasurementRefuses checks that invalid measurements are refused in one line, before anything begins.
func TestMeasurementRefuses(t *testing.T) {
	left, one := []Placement{Left}, []Strategy{{Random, Proper, true}}
	for _, test := range []struct {
		placements []Placement
		strategies []Strategy
		fleets     int64
		want       string
	}{
		{nil, one, 1, "0 placements and 1 strategy: give at least one of each"},
		{left, nil, 1, "1 placement and 0 strategies: give at least one of each"},
		{[]Placement{99}, one, 1, "Placement(99): unknown placement, use one of left"},
		{[]Placement{Left, Left}, one, 1, "placement left: named twice"},
		{left, []Strategy{{Moves: 9}}, 1, "Moves(9): unknown move strategy"},
		{left, []Strategy{one[0], {}, one[0]}, 1, "strategy random-proper: named twice"},
		{left, one, 0, "0 fleets: use 1 to 922337203685477"},
		{left, one, maxFleets + 1, "922337203685478 fleets: use 1 to 922337203685477"},
		{Placements(), append(Strategies(), manyMore()...), maxFleets, "context canceled: enough"}, // it begins
	} {
		m, err := NewMeasurement(must.CanceledContext(t), test.placements, test.strategies, test.fleets, 1, Options{})
		if must.ErrorContains(t, err, test.want); m.Tallies != nil {
			t.Errorf("%+v", m)
		}
	}
	m := Measurement{Placements: left, Strategies: one, Fleets: 5}
	for _, block := range []grid.Block{
		{First: -1, Size: 1},
		{First: 0, Size: -1},
		{First: 5, Size: 1},
		{First: 1, Size: math.MaxInt64},
	} {
		_, err := m.Part(t.Context(), block, Options{})
		must.ErrorContains(t, err, "the games are numbered 0 to 4", block)
	}
}

// manyMore returns the strategies without halos.
func manyMore() []Strategy {
	list := Strategies()
	for i := range list {
		list[i].Halo = false
	}
	return list
}

// TestAddTallies checks that the added totals stay unchanged, that other tallies are inserted in order, and that too
// many fleets are refused before anything is added.
func TestAddTallies(t *testing.T) {
	a := mustMeasure([]Placement{Right}, []Strategy{{Random, Proper, true}}, 4, 1, Options{})
	b := mustMeasure([]Placement{Left, Right}, []Strategy{{Random, AsCoded, true}}, 4, 1, Options{})
	before := totalstest.Text(a) + totalstest.Text(b)
	var ab, ba Totals
	for _, u := range []Totals{a.Totals, b.Totals} {
		must.Do(t, ab.Add(u))
	}
	for _, u := range []Totals{b.Totals, a.Totals} {
		must.Do(t, ba.Add(u))
	}
	if totalstest.Same(t, ab, ba); len(ab.Tallies) != 3 || totalstest.Text(a)+totalstest.Text(b) != before {
		t.Errorf("%d tallies", len(ab.Tallies))
	}
	full := Totals{Tallies: []Tally{{Strategy: Strategy{Random, AsCoded, true}}}}
	full.Tallies[0].ByShots[20] = maxFleets - 3
	was := fmt.Sprint(full)
	if err := full.Add(b.Totals); err == nil || !strings.Contains(err.Error(), "random-as_coded against left") ||
		fmt.Sprint(full) != was {
		t.Errorf("%v, %v", err, full)
	}
	full.Tallies[0].ByShots[20]--
	if err := full.Add(b.Totals); err != nil {
		t.Error(err)
	}
}

// TestSampleText compares the decimals with floating-point arithmetic and, at the limit of int64, with known values.
func TestSampleText(t *testing.T) {
	m := mustMeasure(Placements(), played(), 40, 1, Options{})
	for _, tally := range m.Tallies {
		s := tally.Sample()
		mean, margin := fmt.Sprintf("%.6f", s.Mean()), s.Margin()
		var got float64
		if _, err := fmt.Sscan(s.MarginText(6), &got); err != nil || s.MeanText(6) != mean || got < margin-1e-9 ||
			got > margin+1.001e-6 {
			t.Errorf("%+v: %s ± %s, want %s ± %.8f", s, s.MeanText(6), s.MarginText(6), mean, margin)
		}
	}
	must.Answers(t, tables, func(row struct{ Sample Sample }) []any {
		return []any{row.Sample.MeanText(6), row.Sample.MarginText(6)}
	})
	three := Sample{3, 170, 56*56 + 2*57*57}
	if mean, margin := three.MeanText(2), three.MarginText(1); mean != "56.67" || margin != "0.7" {
		t.Errorf("%s ± %s", mean, margin)
	}
}

func measurementText() string {
	return strings.TrimSpace(string(must.Get(os.ReadFile("testdata/measurement.json"))))
}

// TestMeasurementJSON checks the names of the members and their order.
func TestMeasurementJSON(t *testing.T) {
	var m Measurement
	if err := json.Unmarshal([]byte(measurementText()), &m); err != nil || totalstest.Text(m) != measurementText() {
		t.Errorf("%v\ngot  %s\nwant %s", err, totalstest.Text(m), measurementText())
	}
}

// TestBadMeasurements changes a measurement's text in one place at a time, and expects an error that names the place.
func TestBadMeasurements(t *testing.T) { totalstest.Faults[Measurement](t, tables, measurementText()) }

// FuzzMeasurementJSON checks that everything that can be read is written in a form that can be read again.
func FuzzMeasurementJSON(f *testing.F) { totalstest.Fuzz[Measurement](f, measurementText()) }

// TestStrategyNames checks that each strategy has a unique name, that names are read back, and that they are in
// order.
func TestStrategyNames(t *testing.T) {
	list := append(Strategies(), manyMore()...)
	slices.SortFunc(list, Strategy.compare)
	seen := map[string]bool{}
	for i, s := range list {
		text, err := s.MarshalText()
		var read Strategy
		if err != nil || read.UnmarshalText(text) != nil || read != s || string(text) != s.String() ||
			seen[s.String()] {
			t.Errorf("%+v: %s, %v, read as %v", s, text, err, read)
		}
		seen[s.String()] = true
		if i > 0 && (list[i-1].compare(s) >= 0 || s.compare(list[i-1]) <= 0) || s.compare(s) != 0 {
			t.Errorf("%v does not stand behind %v", s, list[i-1])
		}
	}
	if got := (Strategy{Diagonal, Proper, true}).String() + " " +
		(Strategy{}).String(); got != "diagonal-proper random-as_coded-no_halo" {
		t.Error(got)
	}
	if _, err := (Strategy{Moves: 9}).MarshalText(); err == nil {
		t.Error("a strategy that there is not has a name")
	}
	must.Refusals(t, tables, func(row struct{ Text string }) error {
		s := Strategy{Moves: 1}
		err := s.UnmarshalText([]byte(row.Text))
		if s.Moves != 1 {
			t.Errorf("%s: it has become %v", row.Text, s)
		}
		return err
	})
}

// TestStrategiesDiffer checks that no two listed strategies shoot alike, and that each strategy that is not listed
// shoots like a listed one.
func TestStrategiesDiffer(t *testing.T) {
	listed := mustMeasure([]Placement{Anywhere}, Strategies(), 40, 1, Options{})
	seen := map[ShotsChecksum]Strategy{}
	for _, tally := range listed.Tallies {
		if other, there := seen[tally.Checksum]; there {
			t.Errorf("%v shoots like %v", tally.Strategy, other)
		}
		seen[tally.Checksum] = tally.Strategy
	}
	for _, targeting := range Targetings() {
		for _, m := range AllMoves() {
			s := Strategy{m, targeting, true}
			if slices.Contains(Strategies(), s) {
				continue
			}
			twin, ok := listed.Of(Anywhere, Strategy{Random, targeting, true})
			mean := mustMeasure([]Placement{Anywhere}, []Strategy{s}, 40, 1, Options{})
			if !ok || mean.Tallies[0].ByShots != twin.ByShots {
				t.Errorf("%v is not listed, and does not shoot like %v", s, twin.Strategy)
			}
		}
	}
}

func ExampleNewMeasurement() {
	m, err := NewMeasurement(context.Background(), []Placement{Left, Anywhere},
		[]Strategy{{Random, AsCoded, true}, {Random, Density, true}}, 1000, 1, Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, t := range m.Tallies {
		fmt.Printf("%v against %v: %s ± %s shots, %d to %d\n", t.Strategy, t.Placement, t.Sample().MeanText(6),
			t.Sample().MarginText(6), t.Least(), t.Most())
	}
	// Output:
	// random-as_coded against left: 68.101000 ± 0.466256 shots, 41 to 87
	// random-density against left: 61.446000 ± 0.489983 shots, 35 to 81
	// random-as_coded against anywhere: 65.276000 ± 0.446561 shots, 43 to 89
	// random-density against anywhere: 55.381000 ± 0.424814 shots, 33 to 78
}

// TestKnownFigures checks that fleets without a region need about 57.9 shots with Proper hunting and finishing, 56.6
// with diagonals, and 55.3 with Density.
func TestKnownFigures(t *testing.T) {
	for _, test := range []struct {
		strategy Strategy
		want     float64
	}{
		{Strategy{Random, Proper, true}, 57.9},
		{Strategy{Diagonal, Proper, true}, 56.6},
		{Strategy{Random, Density, true}, 55.3},
	} {
		s := must.Get(Measure(t.Context(), test.strategy, Anywhere, 10_000, 1, Options{}))
		if math.Abs(s.Mean()-test.want) > s.Margin()+0.15 { // these figures have a margin too
			t.Errorf("%v: %.2f +- %.2f, want about %.1f", test.strategy, s.Mean(), s.Margin(), test.want)
		}
	}
}
