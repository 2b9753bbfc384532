package castle

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/totalstest"
)

// spotGrid returns a survey with errors of all kinds.
func spotGrid(t tester) Survey {
	return mustSurvey(t, to(40), to(160), to(80), SurveyOptions{})
}

// TestSpotCheck checks that correct surveys of any grid pass with any seed.
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

// TestSpotCheckWhole checks that each wrong number is found and named in a survey with no more battles than draws.
func TestSpotCheckWhole(t *testing.T) {
	s := mustSurvey(t, to(9), to(30), to(20), SurveyOptions{})
	for _, row := range must.Rows(t, tables, t.Name()) {
		_, err := changed(t, s, row[1:]).SpotCheck(t.Context(), s.Battles, 1)
		must.ErrorContains(t, err, row[0], row)
	}
	if check, err := s.SpotCheck(t.Context(), s.Battles, 1); err != nil || check != (SpotCheck{Whole: true}) {
		t.Errorf("%+v, %v", check, err)
	}
}

// changed returns a copy of a survey after changes of its text. The changes are pairs of an old and a new text.
func changed(t *testing.T, s Survey, changes []string) (read Survey) {
	text := totalstest.Text(s)
	for change := range slices.Chunk(changes, 2) {
		if !strings.Contains(text, change[0]) {
			t.Errorf("%s is not there", change[0])
		}
		text = strings.Replace(text, change[0], change[1], 1)
	}
	must.Do(t, json.Unmarshal([]byte(text), &read))
	return read
}

// TestSpotCheckFinds checks that a check finds changed numbers that still fit together, and that a survey whose
// numbers cannot fit together is refused.
func TestSpotCheckFinds(t *testing.T) {
	s := spotGrid(t)
	for _, row := range must.Rows(t, tables, t.Name()) {
		for seed := range uint64(3) {
			_, err := changed(t, s, row[1:]).SpotCheck(t.Context(), 20_000, seed)
			must.ErrorContains(t, err, row[0], row, seed)
		}
	}
	for want, change := range map[string]func(*Survey){
		"winnable = -1":                   func(s *Survey) { s.Winnable = -1 },
		`algorithm "guess": unknown here`: func(s *Survey) { s.Algorithms[1].Name = "guess" },
	} {
		impossible := changed(t, s, nil)
		change(&impossible)
		_, err := impossible.SpotCheck(t.Context(), 20_000, 1)
		must.ErrorContains(t, err, want)
	}
	if _, err := s.SpotCheck(must.CanceledContext(t), 1, 1); !must.Stopped(err) {
		t.Error(err)
	}
}

// TestSpotCheckShare checks that a number with an error of the size that Finds returns is found with any seed.
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

// TestDivergence checks that the bound is above the probability of the binomial distribution.
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

// FuzzSpotCheck checks that a check of any survey ends, with at most an error of one line, and that a survey which
// passes passes again.
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
