package naval

import (
	"math"
	"testing"
)

// seven are the placements of the post's third update, where for the first time there are several in one tournament.
var seven = []Placement{Left, Right, Top, Bottom, Square36, CenterVertical, CenterHorizontal}

// figures are what the post prints of a tournament: mean moves of all players, of winners, of losers, and the mean
// score of the losers.
type figures [4]float64

func figuresOf(s Statistics) figures {
	return figures{s.MeanMoves(), s.MeanMovesWinners(), s.MeanMovesLosers(), s.MeanLosersScore()}
}

const repeats = 40 // tournaments of ours against one of the post

// tournaments plays a tournament with several seeds.
func tournaments(t *testing.T, tournament Tournament) []Statistics {
	t.Helper()
	if testing.Short() {
		t.Skip("plays many tournaments")
	}
	var list []Statistics
	for seed := range uint64(repeats) {
		tournament.Seed = seed
		s, err := tournament.Play(t.Context(), Options{Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, s)
	}
	return list
}

// standard returns how far a printed value is from our mean, in standard errors of their difference, given our values;
// spread is a further variance of the printed value.
func standard(printed float64, ours []float64, spread float64) float64 {
	n, sum, squares := float64(len(ours)), 0.0, 0.0
	for _, v := range ours {
		sum += v
	}
	for _, v := range ours {
		squares += (v - sum/n) * (v - sum/n)
	}
	variance := squares / (n - 1)
	return (printed - sum/n) / math.Sqrt(variance*(1+1/n)+spread)
}

// TestPrintedFigures: every figure that the post prints of a tournament lies within three standard errors of ours.
func TestPrintedFigures(t *testing.T) {
	random, all := []Moves{Random}, PostMoves()
	for _, test := range []struct {
		name       string
		placements []Placement
		moves      []Moves
		halo       bool
		printed    figures
	}{
		{"first update", []Placement{Square36}, random, false, figures{85.06, 85.95, 84.17, 17.75}},
		{"second update", []Placement{Square36}, random, true, figures{58.91, 60.98, 56.83, 15.37}},
		{"left", []Placement{Left}, random, true, figures{63.18, 64.82, 61.54, 16.24}},
		{"right", []Placement{Right}, random, true, figures{62.58, 64.23, 60.93, 16.23}},
		{"36", []Placement{Square36}, random, true, figures{58.94, 61.02, 56.87, 15.35}},
		{"bottom", []Placement{Bottom}, random, true, figures{62.85, 64.55, 61.16, 16.15}},
		{"center_vertical", []Placement{CenterVertical}, random, true, figures{61.59, 63.37, 59.81, 15.95}},
		{"third update, seven placements", seven, random, true, figures{61.03, 62.89, 59.18, 15.78}},
		{"fourth update, eight placements", PostPlacements(), all, true, figures{61.43, 63.23, 59.63, 15.93}},
	} {
		list := tournaments(t, Tournament{
			Players: 1024, Placements: test.placements, Moves: test.moves, Halo: test.halo,
			Redraw: len(test.placements) == len(seven),
		})
		for k, printed := range test.printed {
			var ours []float64
			for _, s := range list {
				ours = append(ours, figuresOf(s)[k])
			}
			z := standard(printed, ours, 0)
			t.Logf("%s, figure %d: %.2f, printed %.2f, %.1f standard errors", test.name, k, mean(ours), printed, z)
			if math.Abs(z) > 3 {
				t.Errorf("%s, figure %d: printed %.2f is %.1f standard errors from %.2f", test.name, k, printed, z, mean(ours))
			}
		}
	}
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// TestFirstOfTwo: the wins and losses printed for tournaments with one placement add up to 1023, not to 2046: of each
// game one player is recorded. It is a fair coin whether he has won.
func TestFirstOfTwo(t *testing.T) {
	for _, printed := range []struct{ losses, wins float64 }{{508, 515}, {498, 525}, {518, 505}, {526, 497}, {512, 511}} {
		if printed.losses+printed.wins != 1023 {
			t.Errorf("%v does not add up", printed)
		}
		if z := (printed.wins - 1023.0/2) / math.Sqrt(1023.0/4); math.Abs(z) > 3 {
			t.Errorf("%v: %.1f standard errors from even", printed, z)
		}
	}
}

var thirdUpdate = map[Placement]Record{ // wins, losses
	Square36: {109, 148}, Bottom: {50, 34}, CenterHorizontal: {120, 129}, CenterVertical: {94, 96}, Left: {44, 28},
	Right: {48, 40}, Top: {48, 35},
}

// TestThirdUpdate: the wins and losses by placement of the third update, where again one player of each game is
// recorded, are within three standard errors if who finds no place for his first fleet draws again. If he keeps his
// placement, as the post has it, they are not.
func TestThirdUpdate(t *testing.T) {
	total := int64(0)
	for _, r := range thirdUpdate {
		total += r.Wins + r.Losses
	}
	if total != 1023 {
		t.Errorf("%d players recorded", total)
	}
	worst := func(redraw bool) (worst float64) {
		list := tournaments(t, Tournament{
			Players: 1024, Placements: seven, Redraw: redraw, Moves: []Moves{Random},
			Halo: true,
		})
		for p, printed := range thirdUpdate {
			for k, value := range []int64{printed.Wins, printed.Losses} {
				var ours []float64
				for _, s := range list {
					r := s.ByPlacement[p]
					ours = append(ours, float64([]int64{r.Wins, r.Losses}[k])/2)
				}
				z := standard(float64(value), ours, mean(ours)/2) // a half of them is recorded: variance n/4
				worst = max(worst, math.Abs(z))
			}
		}
		return worst
	}
	z := worst(true)
	t.Logf("drawn again: %.2f standard errors", z)
	if z > 3 {
		t.Errorf("drawn again if there is no place: %.1f standard errors off", z)
	}
	if z := worst(false); z < 5 {
		t.Errorf("equal shares: only %.1f standard errors off", z)
	}
}

// TestRedraw: players are drawn in proportion to the share of attempts that give a fleet, and all alike without Redraw.
func TestRedraw(t *testing.T) {
	const n = 20_000
	all := 0.0
	for _, p := range seven {
		all += p.FleetRate(n, 5)
	}
	for _, redraw := range []bool{false, true} {
		count := map[Placement]float64{}
		for _, p := range (Tournament{Placements: seven, Redraw: redraw, Seed: 3}).draw(n) {
			count[p]++
		}
		for _, p := range seven {
			want := 1 / float64(len(seven))
			if redraw {
				want = p.FleetRate(n, 5) / all
			}
			if got := count[p] / n; math.Abs(got-want) > 5*math.Sqrt(want/n) {
				t.Errorf("redraw %v: %v %.4f, want %.4f", redraw, p, got, want)
			}
		}
	}
	if rate := Left.FleetRate(n, 5); math.Abs(rate-1/attempts[Left]) > 0.02 {
		t.Errorf("left: %v", rate)
	}
}

// TestLeastEffective: in the fourth update's setting the two placements that the post calls the least effective win the
// fewest games, and the four sides the most.
func TestLeastEffective(t *testing.T) {
	var total Statistics
	for _, s := range tournaments(t, Tournament{
		Players: 1024, Placements: PostPlacements(), Moves: PostMoves(),
		Halo: true,
	}) {
		total.merge(s)
	}
	share := func(p Placement) float64 {
		r := total.ByPlacement[p]
		return float64(r.Wins) / float64(r.Wins+r.Losses)
	}
	for _, least := range []Placement{Square36, Random12} {
		for _, p := range []Placement{Left, Right, Top, Bottom, CenterVertical, CenterHorizontal} {
			t.Logf("%v %.3f, %v %.3f", least, share(least), p, share(p))
			if share(least) >= share(p) {
				t.Errorf("%v wins %.3f, %v only %.3f", least, share(least), p, share(p))
			}
		}
	}
}

// TestAsDescribed: shooting as the text says needs fewer moves than the program: 52.5 against 58.9 in the square of 36.
func TestAsDescribed(t *testing.T) {
	s, err := Tournament{
		Players: 1 << 14, Placements: []Placement{Square36}, Moves: []Moves{Random},
		Targeting: AsDescribed, Halo: true,
	}.Play(t.Context(), Options{Workers: 2})
	if err != nil || math.Abs(s.MeanMoves()-52.5) > 0.3 {
		t.Errorf("%.2f moves, %v", s.MeanMoves(), err)
	}
}
