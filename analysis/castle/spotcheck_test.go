package castle

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/totalstest"
)

// spotGrid is a survey with errors of all kinds.
func spotGrid(t tester) Survey {
	return mustSurvey(t, to(40), to(160), to(80), SurveyOptions{})
}

// TestSpotCheck: true surveys pass with any seed, of any grid.
func TestSpotCheck(t *testing.T) {
	s := spotGrid(t)
	for seed := range uint64(20) {
		check, err := s.SpotCheck(t.Context(), 2000, seed)
		if err != nil || check.Drawn != 2000 || check.Named < 8 || check.Before < 2 {
			t.Fatalf("seed %d: %+v, %v", seed, check, err)
		}
	}
	far := grid.Range{First: math.MaxInt64 - 5, Last: math.MaxInt64}
	few := grid.Range{First: 3, Last: 3}
	for _, s := range []Survey{
		mustSurvey(t, far, far, far, SurveyOptions{}),
		mustSurvey(t, few, to(40), few, SurveyOptions{Algorithms: Surveyable()}),
		mustSurvey(t, few, few, few, SurveyOptions{}),
		mustSurvey(t, to(6), far, grid.Range{First: 7, Last: 9}, SurveyOptions{}),
	} {
		check, err := s.SpotCheck(t.Context(), 300, 1)
		if whole := s.Battles <= 300; err != nil || check.Whole != whole || !whole && check.Drawn != 300 ||
			(check.Finds() == 0) != whole {
			t.Errorf("%v %v %v: %+v, %v", s.Soldiers, s.Castle, s.Defenders, check, err)
		}
	}
}

// TestSpotCheckWhole: in a survey that is no larger than the draws each number that is another one is found and named.
func TestSpotCheckWhole(t *testing.T) {
	s := mustSurvey(t, to(9), to(30), to(20), SurveyOptions{})
	for want, change := range map[string]func(*Survey){
		"winnable is said to be ":    func(v *Survey) { v.Winnable++; v.MinWaves[2]++ },
		"min_waves 2 is said to be ": func(v *Survey) { v.MinWaves[2]--; v.MinWaves[3]++ },
		"min_waves 9 is said to be 32, and computed again it is " +
			"33": func(v *Survey) { v.MinWaves[9]--; v.MinWaves[99]++ },
		"exact: battles is said to be 5399, and computed again it is " +
			"5400": func(v *Survey) { v.Algorithms[0].Battles--; v.Algorithms[0].Right-- },
		"castle-first: right is said to be ": func(v *Survey) { v.Algorithms[1].Right++; v.Algorithms[1].WrongSide-- },
		"castle-first: first wrong_side is said to be (9, 30, 20), and " +
			"": func(v *Survey) { v.Algorithms[1].First.WrongSide = &Battle{9, 30, 20} },
		"exact: right_winnable is said to be ": func(v *Survey) { v.Algorithms[0].RightWinnable-- },
		"defenders-first: extra_waves_sum is said to be " +
			"": func(v *Survey) { v.Algorithms[2].ExtraWavesSum.low++ },
		"checksum is said to be ": func(v *Survey) { v.Checksum++ },
	} {
		_, err := changed(t, s, change).SpotCheck(t.Context(), s.Battles, 1)
		must.Refuse(t, err, want)
	}
	if check, err := s.SpotCheck(t.Context(), s.Battles, 1); err != nil || check != (SpotCheck{Whole: true}) {
		t.Errorf("%+v, %v", check, err)
	}
}

// changed returns a copy of a survey with a change.
func changed(t *testing.T, s Survey, change func(*Survey)) (read Survey) {
	must.Do(t, json.Unmarshal([]byte(totalstest.Text(s)), &read))
	change(&read)
	return read
}

// TestSpotCheckFinds: what is changed in a survey so that its numbers still fit together is found.
func TestSpotCheckFinds(t *testing.T) {
	s := spotGrid(t)
	for name, test := range map[string]struct {
		change func(*Survey)
		want   string
	}{
		"more can be won": {func(s *Survey) {
			s.Winnable += s.Battles / 20
			s.MinWaves[1] += s.Battles / 20
		}, "winnable: said of"},
		"sooner": {func(s *Survey) {
			move := s.MinWaves[3] / 2
			s.MinWaves[3] -= move
			s.MinWaves[2] += move
		}, "min_waves "},
		"waves that there are not": {func(s *Survey) {
			s.MinWaves[3] += s.MinWaves[2]
			delete(s.MinWaves, 2)
		}, "waves at the fewest, and there is said to be no such battle"},
		"better": {func(s *Survey) {
			better := &s.Algorithms[1]
			better.Right += better.WrongSide / 2
			better.WrongSide -= better.WrongSide / 2
		}, "castle-first: right: said of"},
		"another first": {
			func(s *Survey) { s.Algorithms[1].First.WrongSide = &Battle{1, 2, 1} },
			"castle-first: the first battle with wrong_side is said to be (1, 2, 1), which is right",
		},
		"a later first": {
			func(s *Survey) { s.Algorithms[1].First.WrongSide = &Battle{3, 7, 2} },
			"is wrong_side, before (3, 7, 2), which is said to be the first",
		},
		"no error": {func(s *Survey) {
			t := &s.Algorithms[2]
			*t = Tally{
				Name: t.Name, Battles: t.Battles, Right: t.Right + t.TooMany, RightWinnable: t.RightWinnable,
				WrongSide: t.WrongSide, First: FirstErrors{WrongSide: t.First.WrongSide},
			}
		}, "defenders-first: "},
		"another most": {
			func(s *Survey) { s.Algorithms[2].ExtraWavesMaxAt = s.Algorithms[2].First.TooMany },
			"defenders-first: (4, 7, 3) is said to have the most extra waves",
		},
		"more of them": {func(s *Survey) {
			t := &s.Algorithms[2]
			t.ExtraWavesSum = WaveSum{low: uint64(t.TooMany * t.ExtraWavesMax)}
		}, "defenders-first: extra_waves_sum"},
		"not asked": {func(s *Survey) {
			t := &s.Algorithms[0]
			t.Battles /= 2
			t.Right /= 2
			t.RightWinnable /= 2
		}, "exact: battles: said of"},
		"a part":       {func(s *Survey) { s.Castle.Last++ }, "not all the 515200 of the grid"},
		"out of range": {func(s *Survey) { s.Winnable = -1 }, "winnable = -1"},
		"unknown":      {func(s *Survey) { s.Algorithms[1].Name = "guess" }, `algorithm "guess": unknown here`},
		"the castle's": {
			func(s *Survey) { s.Algorithms[1].Name = "castle-side" },
			`algorithm "castle-side": says when the castle can win`,
		},
	} {
		for seed := range uint64(3) {
			_, err := changed(t, s, test.change).SpotCheck(t.Context(), 20_000, seed)
			must.Refuse(t, err, test.want, name, seed)
		}
	}
	if _, err := s.SpotCheck(must.Ended(t), 1, 1); !must.Stopped(err) {
		t.Error(err)
	}
}

// TestSpotCheckShare: a number that is wrong by the share that draws find is found with any seed.
func TestSpotCheckShare(t *testing.T) {
	const draws = 3000
	share := SpotCheck{Drawn: draws}.Finds()
	s := spotGrid(t)
	wrong := int64(math.Ceil(share * float64(s.Battles)))
	s.Winnable += wrong
	s.MinWaves[1] += wrong
	for seed := range uint64(20) {
		if _, err := s.SpotCheck(t.Context(), draws, seed); err == nil {
			t.Errorf("seed %d: %v of the battles are taken for won, and nothing is found", seed, share)
		}
	}
	if all := (SpotCheck{}).Finds(); all != 1 {
		t.Errorf("without draws: %v", all)
	}
}

// TestDivergence: the bound is above what the binomial distribution says.
func TestDivergence(t *testing.T) {
	const draws = 60
	for _, p := range []float64{0, 0.01, 0.3, 0.5, 0.99, 1} {
		for seen := 0; seen <= draws; seen++ {
			q, tail := float64(seen)/draws, 0.0
			for k := 0; k <= draws; k++ {
				if q >= p && k >= seen || q < p && k <= seen {
					ways := math.Exp(logGamma(draws+1) - logGamma(k+1) - logGamma(draws-k+1))
					tail += ways * math.Pow(p, float64(k)) * math.Pow(1-p, float64(draws-k))
				}
			}
			if bound := math.Exp(-draws * divergence(q, p)); tail > bound*(1+1e-9) || math.IsNaN(bound) {
				t.Errorf("%d of %d for %v: %v, the bound is %v", seen, draws, p, tail, bound)
			}
		}
	}
}

func logGamma(n int) float64 {
	value, _ := math.Lgamma(float64(n))
	return value
}

// FuzzSpotCheck: whatever survey is read, a check of it ends, in an error of one line at most, and one that passes
// does so again.
func FuzzSpotCheck(f *testing.F) {
	f.Add(surveyText(), uint64(1))
	f.Add(strings.Replace(surveyText(), `[9,16,8]`, `[10,16,8]`, 1), uint64(2))
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		var s Survey
		if json.Unmarshal([]byte(text), &s) != nil {
			return
		}
		check, err := s.SpotCheck(t.Context(), 20, seed)
		again, same := s.SpotCheck(t.Context(), 20, seed)
		if check != again || (err == nil) != (same == nil) || err != nil && strings.Contains(err.Error(), "\n") {
			t.Fatalf("%+v, %v; and then %+v, %v", check, err, again, same)
		}
	})
}
