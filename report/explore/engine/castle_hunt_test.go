package engine_test

import (
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/phi"
	"github.com/siegebook/siegebook/report/explore/engine"
	"pgregory.net/rapid"
)

func mustCall(t testing.TB, name string, args ...int64) engine.Reply {
	t.Helper()
	r, err := engine.Call(name, args)
	if err != nil {
		t.Fatalf("%s %v: %v", name, args, err)
	}
	return r
}

// rowsOf cuts numbers behind a head into rows.
func rowsOf(t testing.TB, ints []int64, head, length int) [][]int64 {
	t.Helper()
	if (len(ints)-head)%length != 0 {
		t.Fatalf("%d numbers are no head of %d and rows of %d", len(ints), head, length)
	}
	return slices.Collect(slices.Chunk(ints[head:], length))
}

// TestHunt compares hunts with the formulas of the derivation, which no function of the engine uses.
func TestHunt(t *testing.T) {
	check := func(n, x int64) {
		r := mustCall(t, "castle.hunt", n, x)
		waves := rowsOf(t, r.Ints, 2, 2)
		lines := strings.Split(r.Text, "\n")
		if r.Ints[1] != int64(len(waves)-1) || len(lines) != len(waves)+2 {
			t.Fatalf("n = %d, x = %d: %d waves, %d rows, %d lines", n, x, r.Ints[1], len(waves), len(lines))
		}
		if won := x == 0 || phi.Cmp(uint64(n), uint64(x)) > 0; r.Ints[0] == 1 != won {
			t.Fatalf("n = %d, x = %d: %d says who wins, it should be %v", n, x, r.Ints[0], won)
		}
		for i, wave := range waves {
			soldiers := combine(n, phi.BigFib(2*i-1), x, phi.BigFib(2*i))
			left := combine(x, phi.BigFib(2*i+1), n, phi.BigFib(2*i))
			if big.NewInt(wave[0]).Cmp(soldiers) != 0 || big.NewInt(wave[1]).Cmp(left) != 0 {
				t.Fatalf("n = %d, x = %d, wave %d: %v, the formulas say %v %v", n, x, i, wave, soldiers, left)
			}
			if form := phi.Form(soldiers, left).String(); form != lines[0] {
				t.Fatalf("n = %d, x = %d, wave %d: the form is %s, not %s", n, x, i, form, lines[0])
			}
			if decides := wave[1] <= 0 || wave[1] >= wave[0]; decides != (i == len(waves)-1) || decides != (lines[i+2] == "") {
				t.Fatalf("n = %d, x = %d, wave %d of %d: %v, share %q", n, x, i, len(waves), wave, lines[i+2])
			}
		}
		checkRatios(t, lines[1], waves, lines[2:])
	}
	for n := int64(1); n <= 60; n++ {
		for x := int64(0); x <= n+2; x++ {
			check(n, x)
		}
	}
	for k := 60; k <= 92; k++ {
		check(int64(phi.Fib(k)), int64(phi.Fib(k-1)))
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(1, math.MaxInt64).Draw(t, "n")
		check(n, rapid.Int64Range(0, n).Draw(t, "x"))
	})
}

// combine is ab - cd.
func combine(a int64, b *big.Int, c int64, d *big.Int) *big.Int {
	left := new(big.Int).Mul(big.NewInt(a), b)
	return left.Sub(left, new(big.Int).Mul(big.NewInt(c), d))
}

// checkRatios: shares are cut off where 1/φ is, and the first differs from it on the right side.
func checkRatios(t testing.TB, golden string, waves [][]int64, shares []string) {
	t.Helper()
	root := new(big.Float).SetPrec(400).SetInt64(5)
	root.Sqrt(root).Sub(root, big.NewFloat(1)).Quo(root, big.NewFloat(2))
	digits := len(golden) - len("0.")
	if want := root.Text('f', 60)[:digits+2]; golden != want {
		t.Fatalf("1/φ is %s, not %s", want, golden)
	}
	for i, share := range shares {
		if share == "" {
			continue
		}
		quotient := new(big.Rat).SetFrac64(waves[i][1], waves[i][0]).FloatString(80)
		if share != quotient[:digits+2] {
			t.Fatalf("%v: the share is %s, not %s", waves[i], quotient[:digits+2], share)
		}
	}
	if first := shares[0]; first != "" && (first == golden || first < golden != (phi.Cmp(uint64(waves[0][0]), uint64(waves[0][1])) > 0)) {
		t.Fatalf("%v: the share is %s, beside %s", waves[0], first, golden)
	}
}

// TestLimits compares the limits with hunts that are played.
func TestLimits(t *testing.T) {
	for n := int64(1); n <= 120; n++ {
		for _, row := range rowsOf(t, mustCall(t, "castle.limits", n).Ints, 0, 6) {
			k := row[0]
			for x := int64(0); x <= n; x++ {
				hunt := mustCall(t, "castle.hunt", n, x).Ints
				within, won := hunt[1] <= k, hunt[0] == 1
				if (within && won) != (x <= row[1]) || (within && !won) != (x >= row[2]) {
					t.Fatalf("n = %d, x = %d: won %v in %d waves, limits %v", n, x, won, hunt[1], row)
				}
			}
			for i, want := range []uint64{phi.Fib(int(2 * k)), phi.Fib(int(2*k + 1)), phi.Fib(int(2*k + 2))} {
				if uint64(row[3+i]) != want {
					t.Fatalf("n = %d: %v, want F(%d) = %d", n, row, 2*k+int64(i), want)
				}
			}
		}
	}
	for _, n := range []int64{math.MaxInt64, int64(phi.Fib(91)), int64(phi.Fib(92))} {
		rows := rowsOf(t, mustCall(t, "castle.limits", n).Ints, 0, 6)
		if last := rows[len(rows)-1]; last[2] != last[1]+1 || len(rows) > 46 {
			t.Fatalf("n = %d: %d rows, the last is %v", n, len(rows), last)
		}
	}
}

// TestFalls compares rows with the library, asked wave by wave, and the rule with the best of all falls.
func TestFalls(t *testing.T) {
	const head, length = 5, 7
	for n := int64(1); n <= 14; n++ {
		for s := int64(1); s <= 50; s++ {
			for d := int64(1); d <= 20; d++ {
				b := castle.Battle{Soldiers: n, CastleHits: s, DefendersPerWave: d}
				r := mustCall(t, "castle.falls", n, s, d, 1, 200)
				rows, first := rowsOf(t, r.Ints, head, length), r.Ints[0]
				if first > 0 && int64(len(rows)) != r.Ints[1]-first+1 {
					t.Fatalf("%v: %d rows for waves %d to %d", b, len(rows), first, r.Ints[1])
				}
				fewest := int64(0)
				for i, row := range rows {
					fall, ok := b.FallIn(first + int64(i))
					if !ok || row[0] != fall.Wave || row[1] != fall.Hits || uint64(row[2]) != fall.Left || row[4] != fall.Result.Waves || row[5] != fall.Result.SoldiersLeft {
						t.Fatalf("%v: %v, the library: %+v", b, row, fall)
					}
					if won := row[3] == 1; won && (fewest == 0 || row[4] < fewest) {
						fewest = row[4]
					} else if !won && (fall.Result.Winner == castle.Soldiers) {
						t.Fatalf("%v: %v, the library: %+v", b, row, fall)
					}
					checkRule(t, b, row, r.Text, i)
				}
				if fewest != r.Ints[2] || fewest != b.MinWaves() {
					t.Fatalf("%v: %d waves, the best fall has %d", b, r.Ints[2], fewest)
				}
			}
		}
	}
}

// checkRule compares what the rule says of a row with x² + dx > nd, which stands in the text.
func checkRule(t testing.TB, b castle.Battle, row []int64, text string, i int) {
	t.Helper()
	if b.Case() != castle.Case2a {
		if text != "" {
			t.Fatalf("%v: the rule does not apply, but there is %q", b, text)
		}
		return
	}
	x, lines := row[2], strings.Split(text, "\n")
	square, limit := x*x+b.DefendersPerWave*x, b.Soldiers*b.DefendersPerWave
	if lines[0] != strconv.FormatInt(limit, 10) || lines[i+1] != strconv.FormatInt(square, 10) {
		t.Fatalf("%v, %v: text %q, want %d and %d", b, row, text, limit, square)
	}
	if early := row[6] == 1; early != (square > limit) {
		t.Fatalf("%v, %v: too early is %v, but %d against %d", b, row, early, square, limit)
	}
}

// TestFallsFar: a battle with more falls than an answer has rows shows those around the wave, and the best.
func TestFallsFar(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(2, math.MaxInt64).Draw(t, "n")
		b := castle.Battle{
			Soldiers: n, CastleHits: rapid.Int64Range(1, math.MaxInt64).Draw(t, "s"),
			DefendersPerWave: max(1, n-rapid.Int64Range(-2, 20).Draw(t, "gain")%n),
		}
		if b.Validate() != nil {
			return
		}
		wave, count := rapid.Int64().Draw(t, "wave"), rapid.Int64Range(1, 200).Draw(t, "count")
		r := mustCallRapid(t, "castle.falls", b.Soldiers, b.CastleHits, b.DefendersPerWave, wave, count)
		first, last, best := r.Ints[0], r.Ints[1], r.Ints[3]
		rows := (len(r.Ints) - 5) / 7
		if first > 0 && int64(rows) < min(count, last-first+1) || int64(rows) > count+1 {
			t.Fatalf("%v: %d rows of %d to %d, asked for %d", b, rows, first, last, count)
		}
		seen, before := best == 0, int64(0)
		for i := range rows {
			at := r.Ints[5+7*i]
			if at <= before || at < first || at > last {
				t.Fatalf("%v: rows %v are not in order", b, r.Ints)
			}
			before, seen = at, seen || at == best
		}
		if !seen {
			t.Fatalf("%v: the best wave %d is not among the rows %v", b, best, r.Ints)
		}
	})
}

func mustCallRapid(t *rapid.T, name string, args ...int64) engine.Reply {
	r, err := engine.Call(name, args)
	if err != nil {
		t.Fatalf("%s %v: %v", name, args, err)
	}
	return r
}

// TestStairs compares the ends of stairs with the closed form, and with the marks that are to explain them.
func TestStairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.SampledFrom([]int64{60, 5000, 1 << 40, math.MaxInt64}).Draw(t, "most")
		n := rapid.Int64Range(1, most).Draw(t, "n")
		d := rapid.Int64Range(1, most).Draw(t, "d")
		if rapid.Bool().Draw(t, "close") {
			d = max(1, n-rapid.Int64Range(0, 30).Draw(t, "gain"))
		}
		s := rapid.Int64Range(1, most).Draw(t, "s")
		r := mustCallRapid(t, "castle.stairs", n, s, d)
		fewest := func(s int64) int64 {
			return castle.Battle{Soldiers: n, CastleHits: s, DefendersPerWave: d}.MinWaves()
		}
		if r.Ints[0] != fewest(s) {
			t.Fatalf("(%d, %d, %d): %d waves, closed form %d", n, s, d, r.Ints[0], fewest(s))
		}
		shown := false
		for row := range slices.Chunk(r.Ints[1:], 5) {
			from, to, waves, struck, waited := row[0], row[1], row[2], row[3], row[4]
			if fewest(from) != waves || fewest(to) != waves || from > 1 && fewest(from-1) == waves || to < math.MaxInt64 && fewest(to+1) == waves {
				t.Fatalf("n = %d, d = %d: stair %v, closed form %d and %d", n, d, row, fewest(from), fewest(to))
			}
			if waves >= 2 && max(struck, waited) != to {
				t.Fatalf("n = %d, d = %d: stair %v ends at none of its marks", n, d, row)
			}
			shown = shown || from <= s && s <= to
		}
		if !shown || len(r.Ints) > 1+5*60 {
			t.Fatalf("(%d, %d, %d): stairs %v", n, s, d, r.Ints)
		}
	})
}
