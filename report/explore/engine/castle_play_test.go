package engine_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/explore/engine"
)

// playRow is the length of the rows of castle.play.
const playRow = 13

// TestCastlePlay plays every line of small battles, and compares each row with the rules.
func TestCastlePlay(t *testing.T) {
	for n := int64(1); n <= 5; n++ {
		for s := int64(1); s <= 12; s++ {
			for d := int64(1); d <= 7; d++ {
				b := castle.Battle{Soldiers: n, CastleHits: s, DefendersPerWave: d}
				paths, err := b.AllPaths()
				if err != nil {
					t.Fatal(err)
				}
				for path := range paths {
					comparePlay(t, b, path)
				}
			}
		}
	}
}

func comparePlay(t *testing.T, b castle.Battle, path castle.Path) {
	t.Helper()
	args := append([]int64{b.Soldiers, b.CastleHits, b.DefendersPerWave}, path.Moves...)
	reply, err := engine.Module.Call("castle.play", args)
	if err != nil {
		t.Fatalf("%v %v: %v", b, path.Moves, err)
	}
	if len(reply.Ints) != playRow*(len(path.States)+1) {
		t.Fatalf("%v %v: %d numbers", b, path.Moves, len(reply.Ints))
	}
	rows := slices.Collect(slices.Chunk(reply.Ints[playRow:], playRow))
	given, cost := int64(0), int64(0)
	for wave, s := range path.States {
		row, last := rows[wave], wave == len(path.Moves)
		winner := castle.Undecided
		if last {
			winner = path.Winner
		}
		if state := (castle.State{Soldiers: row[3], Defenders: uint64(row[4]), CastleHits: row[5]}); state != s || castle.Winner(row[6]) != winner {
			t.Fatalf("%v %v: wave %d: %v, %v", b, path.Moves, wave, state, row)
		}
		if wave > 0 {
			before, move := path.States[wave-1], path.Moves[wave-1]
			if row[0] != move || row[1] != before.Soldiers-move || row[2] != int64(before.Defenders)-move {
				t.Fatalf("%v %v: wave %d: the order is %v", b, path.Moves, wave, row)
			}
			wasBest, best := fewestBy(b, before, castle.Undecided), fewestBy(b, s, winner)
			switch {
			case wasBest > 0 && best < 0:
				given = int64(wave)
				if row[12] != -1 {
					t.Fatalf("%v %v: wave %d gave the win away, not %v", b, path.Moves, wave, row)
				}
			case best >= 0 && wasBest > 0:
				cost += best + 1 - wasBest
				if row[12] != best+1-wasBest {
					t.Fatalf("%v %v: wave %d cost %d waves, not %v", b, path.Moves, wave, best+1-wasBest, row)
				}
			}
		}
		if last {
			continue
		}
		low, high := s.Moves()
		if row[10] != low || row[11] != high || row[9] < low || row[9] > high {
			t.Fatalf("%v %v: wave %d: legal is %d to %d, not %v", b, path.Moves, wave, low, high, row)
		}
		if best := fewestBy(b, s, winner); best > 0 && (castle.Winner(row[7]) != castle.Soldiers || row[8] != best) {
			t.Fatalf("%v %v: wave %d: a win in %d, not %v", b, path.Moves, wave, best, row)
		}
	}
	if b.MinWaves() == 0 {
		return
	}
	survivors, _ := b.MostSurvivors()
	if head := reply.Ints[:4]; head[0] != given || path.Winner == castle.Soldiers && (head[2] != cost || path.Waves() != b.MinWaves()+cost) || head[3] != survivors {
		t.Fatalf("%v %v: %v, and the win was given away in wave %d, or it took %d waves too many", b, path.Moves, head, given, cost)
	}
}

// fewestBy returns the fewest further waves of the soldiers, -1 if they cannot win.
func fewestBy(b castle.Battle, s castle.State, winner castle.Winner) int64 {
	switch winner {
	case castle.Soldiers:
		return 0
	case castle.Undecided:
		if waves := b.SoldiersFrom(s); waves > 0 {
			return waves
		}
	}
	return -1
}

// TestCastlePlayRefused: what is wrong is named.
func TestCastlePlayRefused(t *testing.T) {
	for name, c := range map[string]struct {
		args []int64
		want string
	}{
		"no soldiers":   {[]int64{0, 5, 5}, "soldiers = 0"},
		"illegal":       {[]int64{10, 43, 8, 0, 9}, "wave 2: 9 soldiers cannot shoot at defenders in S=10 D=8 C=33, where 0 to 8 can"},
		"no choice":     {[]int64{3820, 5000, 5000, 0, 2640, 3820}, "in S=1460 D=2360 C=0, where exactly 1460 can"},
		"negative":      {[]int64{10, 43, 8, -1}, "wave 1: -1 soldiers"},
		"after the end": {[]int64{10, 5, 8, 0, 0}, "wave 2: the battle is decided in wave 1 (soldiers)"},
		"too long":      {append([]int64{10, math.MaxInt64, 8, 0}, slices.Repeat([]int64{8}, 200)...), "a game of 201 waves: at most 200"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := engine.Module.Call("castle.play", c.args); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
	if _, err := engine.Module.Call("castle.play", append([]int64{10, math.MaxInt64, 8, 0}, slices.Repeat([]int64{8}, 199)...)); err != nil {
		t.Errorf("200 waves: %v", err)
	}
}

// TestCastleBest: the runs are those of best play, also of the largest battles.
func TestCastleBest(t *testing.T) {
	const most = math.MaxInt64
	for _, numbers := range [][3]int64{{10, 43, 8}, {19, 50, 15}, {3820, 5000, 5000}, {3819, 5000, 5000}, {5, 8, 5}, {most, most, 1}, {most, most, most}, {2, most, 1}, {most - 1, most, most}} {
		b := castle.Battle{Soldiers: numbers[0], CastleHits: numbers[1], DefendersPerWave: numbers[2]}
		reply, err := engine.Module.Call("castle.best", numbers[:])
		if err != nil {
			t.Fatal(err)
		}
		waves := b.MinWaves()
		if waves == 0 {
			waves = b.LongestResistance().Waves
		}
		last := reply.Ints[len(reply.Ints)-8:]
		if last[1] != waves || castle.Winner(last[7]) != b.Solve().Winner || len(reply.Ints) > 8*mostRuns {
			t.Errorf("%v: %d runs, the last %v, want %v in %d", b, len(reply.Ints)/8, last, b.Solve().Winner, waves)
		}
	}
}

// mostRuns bounds the runs of a best line.
const mostRuns = 100

// FuzzCastlePlay: whatever is asked, the answer is one, or a line of text.
func FuzzCastlePlay(f *testing.F) {
	f.Add(int64(10), int64(43), int64(8), "\x00\x08\x08\x05")
	f.Add(int64(math.MaxInt64), int64(math.MaxInt64), int64(math.MaxInt64), "\x00\xff")
	f.Fuzz(func(t *testing.T, n, s, d int64, moves string) {
		args := []int64{n, s, d}
		for _, m := range []byte(moves) {
			move := int64(m)
			if m > 200 { // a share of the soldiers
				move = n / 55 * int64(m-200)
			}
			args = append(args, move)
		}
		reply, err := engine.Module.Call("castle.play", args)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("%v: %q has several lines", args, err)
			}
			return
		}
		if len(reply.Ints) != playRow*(len(moves)+2) {
			t.Errorf("%v: %d numbers", args, len(reply.Ints))
		}
	})
}

// TestCastleWords: the words of a game that is lost, of one that cannot be won, and of a perfect one.
func TestCastleWords(t *testing.T) {
	words := func(args ...int64) map[string][]string {
		t.Helper()
		lines := strings.Split(strings.TrimSuffix(ask(t, "castle.play", args...).Text, "\n"), "\n")
		found := map[string][]string{}
		for _, line := range lines[len(castle.Winners()):] {
			name, sentence, _ := strings.Cut(line, "\t")
			found[name] = append(found[name], sentence)
		}
		return found
	}
	for _, c := range []struct {
		game []int64
		want map[string][]string
	}{
		{[]int64{19, 50, 15}, map[string][]string{
			"said": {"19 soldiers, 0 defenders, 50 castle hits."}, "range": {"In this wave 0 soldiers can shoot at defenders."},
			"more": {"Yes. From here best play wins in 8 more waves."},
		}},
		{[]int64{19, 50, 15, 0, 8}, map[string][]string{
			"remark": {"no choice", ""}, "did": {"Then: 7 defenders are left, and 7 soldiers die; the castle stands with 20 hits."},
			"more": {"No, the castle wins. From here you can hold out until wave 4 at most."},
		}},
		{[]int64{19, 50, 15, 0, 8, 8}, map[string][]string{
			"remark": {"no choice", "✗ gave the win away", "− 1 wave"}, "end": {"✗ The castle wins in wave 3."},
		}},
		{[]int64{3, 3, 5, 0}, map[string][]string{
			"end": {"✓ You win in 1 wave, and nobody can be faster. 3 soldiers come home. Nobody can be that fast and bring " +
				"more of them back: a perfect game."}, "given": {""},
		}},
	} {
		got := words(c.game...)
		for name, want := range c.want {
			if !slices.Equal(got[name], want) {
				t.Errorf("%v: %s is %q, want %q", c.game, name, got[name], want)
			}
		}
		if (len(got["end"]) > 0) == (len(got["hint"]) > 0) {
			t.Errorf("%v: %q", c.game, got)
		}
	}
	stories := strings.Split(ask(t, "castle.stories", 8, 20, 4).Text, "\n")
	if len(stories) != 7 || stories[1] != "fair\tA fair fight\t8 soldiers before a castle that takes 20 hits and sends out 4 "+
		"defenders a wave. Can you win? And in how few waves?" || strings.Contains(stories[4], "%") {
		t.Errorf("%q", stories)
	}
}
