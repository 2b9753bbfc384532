package naval

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/internal/must"
)

// naiveMeasurement plays the games one after the other by the slow version, and sums them up as the documentation says.
// It has no way to play Informed.
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

// naiveMix is the formula of the documentation, word by word.
func naiveMix(x uint64) uint64 {
	x = (x ^ x/(1<<30)) * 0xbf58476d1ce4e5b9
	x = (x ^ x/(1<<27)) * 0x94d049bb133111eb
	return x ^ x/(1<<31)
}

func mustMeasure(t interface{ Fatalf(string, ...any) }, placements []Placement, strategies []Strategy, fleets int64,
	seed uint64, options Options,
) Measurement {
	return must.Get(NewMeasurement(context.Background(), placements, strategies, fleets, seed, options))
}

// played are strategies that the slow version can play, in their order.
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
	got := mustMeasure(t, Placements(), mixed, fleets, seed, Options{Workers: 2})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
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

func marshalled(t interface{ Fatalf(string, ...any) }, m Measurement) string {
	text := must.Get(json.Marshal(m))
	return string(text)
}

// TestPartsOfMeasurements cuts a measurement into parts of any size, which are measured by any number of workers and
// added in any order, in pairs or one after the other: the bytes are those of the whole.
func TestPartsOfMeasurements(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		empty := drawMeasurement(t)
		whole := mustMeasure(t, empty.Placements, empty.Strategies, empty.Fleets, empty.Seed, Options{Workers: 1})
		size := whole.Games()
		var parts []Totals
		for first := int64(0); first < size; {
			block := grid.Block{First: first, Size: rapid.Int64Range(0, size-first).Draw(t, "size")}
			part, err := empty.Part(context.Background(), block,
				Options{Workers: rapid.IntRange(0, 3).Draw(t, "workers")})
			if err != nil || part.Games() != block.Size {
				t.Fatalf("part of %d games: %d, %v", block.Size, part.Games(), err)
			}
			valid := empty
			if valid.Totals = part; valid.Validate() != nil {
				t.Fatalf("%v", valid.Validate())
			}
			parts = append(parts, part)
			first += block.Size
		}
		for parts = rapid.Permutation(parts).Draw(t, "order"); len(parts) > 1; {
			i := rapid.IntRange(0, len(parts)-2).Draw(t, "pair")
			var sum Totals
			for _, part := range []Totals{parts[i], {}, parts[i+1]} {
				must.Do(t, sum.Add(part))
			}
			parts = append(append(slices.Clone(parts[:i]), sum), parts[i+2:]...)
		}
		empty.Totals = parts[0]
		if got, want := marshalled(t, empty), marshalled(t, whole); got != want {
			t.Fatalf("got %s\nwant %s", got, want)
		}
		checkMeasurementRoundTrip(t, whole)
	})
}

func checkMeasurementRoundTrip(t interface{ Fatalf(string, ...any) }, m Measurement) {
	var read Measurement
	if err := json.Unmarshal([]byte(marshalled(t, m)), &read); err != nil {
		t.Fatalf("%v", err)
	}
	if diff := cmp.Diff(m, read); diff != "" {
		t.Fatalf("(-want +got)\n%s", diff)
	}
}

// TestMeasurementWorkers: the number of workers changes nothing, also where a worker plays several blocks.
func TestMeasurementWorkers(t *testing.T) {
	strategies := []Strategy{{Linear, AsCoded, true}, {Random, Density, true}}
	one := mustMeasure(t, PostPlacements(), strategies, 2000, 3, Options{Workers: 1})
	if games := one.Games(); games < 4*one.atOnce() {
		t.Fatalf("%d games, of which a block has %d", games, one.atOnce())
	}
	if four := mustMeasure(t, PostPlacements(), strategies, 2000, 3, Options{Workers: 4}); marshalled(t,
		one) != marshalled(t, four) {
		t.Error("four workers find something else")
	}
}

// TestMeasurementCost: the cost of the first games is the sum of what each costs, and a block of games is bounded by
// it.
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

// TestMeasurementRefuses: what cannot be measured is refused in one line, before anything begins.
func TestMeasurementRefuses(t *testing.T) {
	left, one := []Placement{Left}, []Strategy{{Random, Proper, true}}
	for _, test := range []struct {
		placements []Placement
		strategies []Strategy
		fleets     int64
		want       string
	}{
		{nil, one, 1, "0 placements and 1 strategy: give one of each or more"},
		{left, nil, 1, "1 placement and 0 strategies: give one of each or more"},
		{[]Placement{99}, one, 1, "Placement(99): no placement, use one of left"},
		{[]Placement{Left, Left}, one, 1, "placement left: named twice"},
		{left, []Strategy{{Moves: 9}}, 1, "Moves(9): no move strategy"},
		{left, []Strategy{one[0], {}, one[0]}, 1, "strategy random-proper: named twice"},
		{left, one, 0, "0 fleets: use 1 to 922337203685477"},
		{left, one, maxFleets + 1, "922337203685478 fleets: use 1 to 922337203685477"},
		{Placements(), append(Strategies(), manyMore()...), maxFleets, ""},
	} {
		m, err := NewMeasurement(endedContext(t), test.placements, test.strategies, test.fleets, 1, Options{})
		switch {
		case test.want == "" && !errors.Is(err, context.Canceled):
			t.Errorf("%v, want to have begun", err)
		case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want) ||
			strings.Contains(err.Error(), "\n")):
			t.Errorf("error %v, want %q", err, test.want)
		case m.Tallies != nil:
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
		if _, err := m.Part(t.Context(), block, Options{}); err == nil ||
			!strings.Contains(err.Error(), "there are the numbers 0 to 4") {
			t.Errorf("%+v: %v", block, err)
		}
	}
}

// manyMore are the strategies without halos.
func manyMore() []Strategy {
	list := Strategies()
	for i := range list {
		list[i].Halo = false
	}
	return list
}

func endedContext(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}

// TestAddTallies: what is added stays as it was, tallies of others are kept in their order, and too many fleets are
// refused before anything is added.
func TestAddTallies(t *testing.T) {
	a := mustMeasure(t, []Placement{Right}, []Strategy{{Random, Proper, true}}, 4, 1, Options{})
	b := mustMeasure(t, []Placement{Left, Right}, []Strategy{{Random, AsCoded, true}}, 4, 1, Options{})
	before := marshalled(t, a) + marshalled(t, b)
	var ab, ba Totals
	for _, u := range []Totals{a.Totals, b.Totals} {
		must.Do(t, ab.Add(u))
	}
	for _, u := range []Totals{b.Totals, a.Totals} {
		must.Do(t, ba.Add(u))
	}
	if diff := cmp.Diff(ab, ba); diff != "" || len(ab.Tallies) != 3 || marshalled(t, a)+marshalled(t, b) != before {
		t.Errorf("%d tallies; %s", len(ab.Tallies), diff)
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

// TestSampleText compares the decimals with arithmetic in floating point, and at the edge of int64 with what they must
// be.
func TestSampleText(t *testing.T) {
	m := mustMeasure(t, Placements(), played(), 40, 1, Options{})
	for _, tally := range m.Tallies {
		s := tally.Sample()
		mean, margin := fmt.Sprintf("%.6f", s.Mean()), s.Margin()
		var got float64
		if _, err := fmt.Sscan(s.MarginText(6), &got); err != nil || s.MeanText(6) != mean || got < margin-1e-9 ||
			got > margin+1.001e-6 {
			t.Errorf("%+v: %s ± %s, want %s ± %.8f", s, s.MeanText(6), s.MarginText(6), mean, margin)
		}
	}
	for _, test := range []struct {
		s            Sample
		mean, margin string
	}{
		{Sample{}, "", ""},
		{Sample{1, 57, 57 * 57}, "57.000000", ""},
		{Sample{2, 114, 2 * 57 * 57}, "57.000000", "0.000000"},
		{Sample{2, 113, 56*56 + 57*57}, "56.500000", "0.980000"}, // 1.96 sqrt(1/2 / 2)
		{Sample{3, 170, 56*56 + 2*57*57}, "56.666667", "0.653334"},
		{Sample{maxFleets, 100 * maxFleets, 100 * 100 * maxFleets}, "100.000000", "0.000000"},
		// Half of them 20, half 100: 1.96 * 40 / sqrt(n-1), 2.6e-6.
		{Sample{maxFleets - 1, 60 * (maxFleets - 1), (20*20 + 100*100) / 2 * (maxFleets - 1)}, "60.000000", "0.000003"},
	} {
		if mean, margin := test.s.MeanText(6), test.s.MarginText(6); mean != test.mean || margin != test.margin {
			t.Errorf("%+v: %s ± %s, want %s ± %s", test.s, mean, margin, test.mean, test.margin)
		}
	}
	if mean, margin := (Sample{3, 170, 56*56 + 2*57*57}).MeanText(2), (Sample{
		3, 170, 56*56 + 2*57*57,
	}).MarginText(1); mean != "56.67" || margin != "0.7" {
		t.Errorf("%s ± %s", mean, margin)
	}
}

const measurementText = `{"placements":["left","anywhere"],"strategies":["random-as_coded-no_halo","diagonal-proper"],"fleets":2,"seed":18446744073709551615,"games":4,"tallies":[` +
	`{"placement":"left","strategy":"random-as_coded-no_halo","fleets":1,"mean":98.000000,"margin":null,"shots":98,"squares":9604,"least":98,"most":98,"by_shots":{"98":1},"checksum":"0000000000000062"},` +
	`{"placement":"left","strategy":"diagonal-proper","fleets":2,"mean":66.000000,"margin":11.760000,"shots":132,"squares":8784,"least":60,"most":72,"by_shots":{"60":1,"72":1},"checksum":"7b0b3e8b20b5a5b4"},` +
	`{"placement":"anywhere","strategy":"random-as_coded-no_halo","fleets":0,"mean":null,"margin":null,"shots":0,"squares":0,"least":0,"most":0,"by_shots":{},"checksum":"0000000000000000"},` +
	`{"placement":"anywhere","strategy":"diagonal-proper","fleets":1,"mean":100.000000,"margin":null,"shots":100,"squares":10000,"least":100,"most":100,"by_shots":{"100":1},"checksum":"0000000000000064"}],` +
	`"checksum":"7b0b3e8b20b5a67a"}`

// TestMeasurementJSON looks at the names of the members and their order.
func TestMeasurementJSON(t *testing.T) {
	var m Measurement
	if err := json.Unmarshal([]byte(measurementText), &m); err != nil || marshalled(t, m) != measurementText {
		t.Errorf("%v\ngot  %s\nwant %s", err, marshalled(t, m), measurementText)
	}
}

// TestBadMeasurements changes a measurement's text in one place, and expects an error that says where.
func TestBadMeasurements(t *testing.T) {
	for _, test := range []struct{ old, wrong, want string }{
		{`["left","anywhere"]`, `["anywhere","left"]`, "placement left: named twice or out of order, name each once"},
		{`["left","anywhere"]`, `["left"]`, "4 tallies: must be one for each placement and strategy"},
		{`["left","anywhere"]`, `[]`, "0 placements"},
		{`"diagonal-proper"]`, `"diagonal-random"]`, `"random": no targeting`},
		{`"diagonal-proper"]`, `"proper"]`, `"proper": no strategy`},
		{`"fleets":2,"seed"`, `"fleets":1,"seed"`, "diagonal-proper against left: 2 fleets of 1"},
		{`"fleets":2,"seed"`, `"fleets":0,"seed"`, "0 fleets: use 1 to"},
		{`"fleets":2,"seed"`, `"fleets":922337203685478,"seed"`, "use 1 to 922337203685477"},
		{`18446744073709551615`, `-1`, "cannot unmarshal"},
		{`"games":4`, `"games":5`, "games = 5"},
		{`"fleets":2,"mean"`, `"fleets":3,"mean"`, "diagonal-proper against left: fleets, mean"},
		{`66.000000`, `66.000001`, "must follow from by_shots"},
		{`66.000000`, `"66.000000"`, "must follow from by_shots"},
		{`11.760000`, `null`, "must follow from by_shots"},
		{`"margin":null`, `"margin":0.000000`, "must follow from by_shots"},
		{`"shots":132`, `"shots":133`, "must follow from by_shots"},
		{`"squares":8784`, `"squares":8785`, "must follow from by_shots"},
		{`"least":60`, `"least":59`, "must follow from by_shots"},
		{`"most":72`, `"most":73`, "must follow from by_shots"},
		{`"60":1`, `"61":1`, "must follow from by_shots"},
		{`"60":1`, `"19":1`, "by_shots 19: 1: must be positive numbers of fleets"},
		{`"60":1`, `"101":1`, "by_shots 101: 1"},
		{`"60":1`, `"60":-1`, "by_shots 60: -1"},
		{`"60":1`, `"60":0`, "by_shots 60: 0"},
		{`"60":1`, `"60":922337203685478`, "by_shots"},
		{`{"60":1,"72":1}`, `null`, `member "tallies"`},
		{`"0000000000000062"`, `"0000000000000063"`, "must be the sums over the tallies"},
		{`"7b0b3e8b20b5a5b4"`, `"7B0B3E8B20B5A5B4"`, "not 16 hexadecimal digits"},
		{`"seed"`, `"sead":1,"seed"`, `unknown field "sead"`},
		{measurementText, "{}", "is missing"},
	} {
		if !strings.Contains(measurementText, test.old) {
			t.Fatalf("%s is not there", test.old)
		}
		m := Measurement{Fleets: 7}
		err := json.Unmarshal([]byte(strings.Replace(measurementText, test.old, test.wrong, 1)), &m)
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") ||
			m.Fleets != 7 {
			t.Errorf("%s for %s: %v, want %q", test.wrong, test.old, err, test.want)
		}
	}
}

// FuzzMeasurementJSON: whatever is read is written as it can be read again.
func FuzzMeasurementJSON(f *testing.F) {
	f.Add(measurementText)
	f.Add("{}")
	f.Fuzz(func(t *testing.T, text string) {
		var m Measurement
		if json.Unmarshal([]byte(text), &m) == nil {
			checkMeasurementRoundTrip(t, m)
		}
	})
}

// TestStrategyNames: each strategy has a name of its own, which is read back, and they are in their order.
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
	for text, want := range map[string]string{
		"": `"": no strategy, write its moves and its targeting, such as random-proper, or ` +
			`random-proper-no_halo`,
		"random":                     "no strategy",
		"random-proper-halo":         "no strategy",
		"random-proper-no_halo-more": "no strategy",
		"zigzag-proper":              `strategy "zigzag-proper": "zigzag": no move strategy, use one of random`,
		"random-best":                `strategy "random-best": "best": no targeting, use one of as_coded`,
	} {
		s := Strategy{Moves: 1}
		if err := s.UnmarshalText([]byte(text)); err == nil || !strings.Contains(err.Error(), want) || s.Moves != 1 {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// TestStrategiesDiffer: no two of the strategies shoot alike, and those that are left out shoot like one that is
// listed.
func TestStrategiesDiffer(t *testing.T) {
	listed := mustMeasure(t, []Placement{Anywhere}, Strategies(), 40, 1, Options{})
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
			mean := mustMeasure(t, []Placement{Anywhere}, []Strategy{s}, 40, 1, Options{})
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

// TestKnownFigures: fleets without a region need about 57.9 shots by proper hunting and finishing, 56.6 with diagonals,
// 55.3 by density.
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
