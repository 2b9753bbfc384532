package castle

import (
	"context"
	"maps"
	"math/big"
	"slices"
	"strings"
	"testing"

	game "github.com/siegebook/siegebook/analysis/castle"
	pictures "github.com/siegebook/siegebook/report/pictures/castle"
)

// TestDecidingColumnsFirst: a narrow screen shows what the algorithms say, before what the battle is.
func TestDecidingColumnsFirst(t *testing.T) {
	table, _, right, err := testsTable(context.Background(), posts()[:3])
	if err != nil {
		t.Fatal(err)
	}
	var header []string
	for _, cell := range table.Header[:5] {
		header = append(header, cell.Text)
	}
	if got := strings.Join(header, "|"); got != "test|exact: best play|castle first|defenders first|published formula" {
		t.Errorf("the first columns are %s", got)
	}
	if len(right) != 3 || right[0] || right[1] || right[2] {
		t.Errorf("all algorithms are right: %v", right)
	}
}

// TestWalkTable: the lists that the search keeps are the paths, in their order.
func TestWalkTable(t *testing.T) {
	for _, b := range []game.Battle{posts()[walkedTest].Battle, smallSearch, {
		Soldiers: 5, CastleHits: 8,
		DefendersPerWave: 5,
	}} {
		var want []string
		for path, err := range b.Paths(t.Context(), game.PathOptions{}) {
			if err != nil {
				t.Fatal(err)
			}
			var states []string
			for _, s := range path.States {
				states = append(states, bare(s))
			}
			want = append(want, strings.ReplaceAll(strings.Join(states, " → "), " ", "\u00a0"))
		}
		var got []string
		rows := walkTable(b).Rows
		for _, row := range rows {
			if strings.HasSuffix(row[1].Text, "keep the list") {
				got = append(got, row[2].Text)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%v: kept %q, want %q", b, got, want)
		}
		if first, last := rows[0][2].Text, rows[len(rows)-1][2].Text; first != last || first != bare(b.Start()) {
			t.Errorf("%v: the search begins with %s and ends with %s", b, first, last)
		}
	}
}

func TestByWave(t *testing.T) {
	var waves []pictures.WaveWays
	for wave, ways := range map[int64]int64{2: 0, 3: 7, 4: 7, 5: 7, 7: 7, 8: 1200, 9: 0} {
		waves = append(waves, pictures.WaveWays{Wave: wave, Castle: big.NewInt(ways)})
	}
	slices.SortFunc(waves, func(a, b pictures.WaveWays) int { return int(a.Wave - b.Wave) })
	got := byWave(waves, func(w pictures.WaveWays) *big.Int { return w.Castle })
	if want := "3 to 5: 7, 7: 7, 8: 1200"; strings.ReplaceAll(got, "\u00a0", " ") != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestPrintedWaves: numbers of the post's list that disagree with its rule are found, and missing waves too.
func TestPrintedWaves(t *testing.T) {
	test := posts()[4]
	complete, err := waysOf(test.Battle)
	if err != nil {
		t.Fatal(err)
	}
	printed, err := printedWaysOf(test.Battle)
	if err != nil {
		t.Fatal(err)
	}
	waves := pictures.WavesOf(complete, printed)
	good := &printedWaves{}
	good.compare(test, waves)
	if good.entries != 20 || good.right != 20 || len(good.wrong)+len(good.gaps) > 0 || good.last != 13 ||
		good.lastTest != 4 {
		t.Errorf("%+v", good)
	}
	test.Printed.CastleWins = maps.Clone(test.Printed.CastleWins)
	test.Printed.CastleWins["5"]++
	delete(test.Printed.CastleWins, "8")
	spoiled := &printedWaves{}
	spoiled.compare(test, waves)
	if len(spoiled.wrong) != 1 || !strings.Contains(spoiled.wrong[0], "116 ways of the castle for wave 5, where "+
		"there are 115") || !slices.Equal(spoiled.gaps, []string{"4, castle, wave 8"}) {
		t.Errorf("%+v", spoiled)
	}
	if err := spoiled.report(map[string]any{}); err == nil {
		t.Error("the page would say what is not so")
	}
}

// TestWastefulPaths: battles in which no shot can be wasted have as many paths with waste as without.
func TestWastefulPaths(t *testing.T) {
	for _, b := range []game.Battle{{Soldiers: 3, CastleHits: 10, DefendersPerWave: 4}, {
		Soldiers: 5, CastleHits: 37,
		DefendersPerWave: 5,
	}, posts()[walkedTest].Battle} {
		counts, err := waysOf(b)
		if err != nil {
			t.Fatal(err)
		}
		all, won := wastefulPaths(b, b.Start())
		if legal := allPaths(counts).Int64(); int64(all) < legal || int64(won) < counts.Castle.Total().Int64() ||
			b.CastleHits > 3*b.Soldiers && int64(all) != legal {
			t.Errorf("%v: %d paths with waste, %d of them the castle's; %d without", b, all, won, legal)
		}
	}
}
