package castle

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/siegebook/siegebook/analysis/grid"
)

// naiveSurvey is a survey of 1..n, 1..s, 1..d by one loop inside the other, with each algorithm's own road: the
// heuristics wave by wave, and the exact answer by exhaustive search.
func naiveSurvey(t *testing.T, n, s, d int64) Survey {
	t.Helper()
	survey := Survey{Soldiers: grid.Range{First: 1, Last: n}, Castle: grid.Range{First: 1, Last: s}, Defenders: grid.Range{First: 1, Last: d}}
	survey.MinWaves = map[int64]int64{}
	for _, a := range DefaultSurveyed() {
		survey.Algorithms = append(survey.Algorithms, Tally{Name: a.Name})
	}
	searches := make([]naiveSearch, d+1)
	for i := range searches {
		searches[i] = newNaiveSearch(i)
	}
	for soldiers := int64(1); soldiers <= n; soldiers++ {
		for hits := int64(1); hits <= s; hits++ {
			for defenders := int64(1); defenders <= d; defenders++ {
				b := Battle{soldiers, hits, defenders}
				exact := int64(searches[defenders].battle(int(soldiers), int(hits)).soldiers)
				survey.Battles++
				if exact > 0 {
					survey.Winnable++
					survey.MinWaves[exact]++
				}
				survey.Checksum += naiveChecksum(b, exact)
				for i, a := range DefaultSurveyed() {
					if win, waves, asked := naiveSays(t, a, b); asked {
						naiveTally(&survey.Algorithms[i], b, exact, win, waves)
					}
				}
			}
		}
	}
	return survey
}

// naiveSays returns whether an algorithm says that the soldiers win, and in how many waves; asked is false if a survey
// does not ask it.
func naiveSays(t *testing.T, a Algorithm, b Battle) (win bool, waves float64, asked bool) {
	switch {
	case a.Affordable != nil && !a.Affordable(b):
		return false, 0, false
	case a.Question == PlaysLine:
		waves := naiveLine(a.Strategy(b), b)
		return waves > 0, waves, true
	case a.Name == "published":
		waves, _, ok := b.Published()
		return ok, waves, true // which may be 0 waves or fewer
	}
	answer, err := a.Answer(t.Context(), b, Effort{})
	if err != nil {
		t.Fatal(err)
	}
	return answer.Winner == Soldiers, float64(answer.Waves), true
}

// naiveLine plays a battle wave by wave and returns the wave in which the soldiers win, or 0.
func naiveLine(strategy Strategy, b Battle) float64 {
	state := naiveState{int(b.Soldiers), 0, int(b.CastleHits)}
	for wave := 1; ; wave++ {
		shooters := int(strategy(int64(wave), State{int64(state.soldiers), uint64(state.defenders), int64(state.hits)}).AtDefenders)
		end, won := state, Undecided
		naiveMoves(state, int(b.DefendersPerWave), func(i int, next naiveState, winner Winner) {
			if i == shooters {
				end, won = next, winner
			}
		})
		switch won {
		case Soldiers:
			return float64(wave)
		case Castle, Tie:
			return 0
		}
		state = end
	}
}

func naiveTally(t *Tally, b Battle, exact int64, win bool, waves float64) {
	t.Battles++
	first := func(at **Battle) {
		if *at == nil { // battles come in their order
			*at = &b
		}
	}
	switch e := float64(exact); {
	case win != (exact > 0):
		t.WrongSide++
		first(&t.First.WrongSide)
	case !win || waves == e:
		t.Right++
		if win {
			t.RightWinnable++
		}
	case waves < e:
		t.TooFew++
		first(&t.First.TooFew)
	default:
		t.TooMany++
		first(&t.First.TooMany)
		extra := int64(waves - e)
		t.ExtraWavesSum.low += uint64(extra)
		if extra > t.ExtraWavesMax {
			t.ExtraWavesMax, t.ExtraWavesMaxAt = extra, &b
		}
	}
}

// naiveChecksum is the formula of the documentation, word by word.
func naiveChecksum(b Battle, waves int64) Checksum {
	mix := func(x uint64) uint64 {
		for range 2 {
			x = x * 0x9e3779b97f4a7c15
			x = x + x/(1<<32)
		}
		return x
	}
	n, s, d, w := uint64(b.Soldiers), uint64(b.CastleHits), uint64(b.DefendersPerWave), uint64(waves)
	return Checksum((2*mix(mix(mix(n)+d)+s) + 1) * (w + 1))
}

// TestSurveyAgainstDoubleLoop compares every number of a survey.
func TestSurveyAgainstDoubleLoop(t *testing.T) {
	n, s, d := int64(12), int64(60), int64(30)
	want := naiveSurvey(t, n, s, d)
	got, err := NewSurvey(t.Context(), want.Soldiers, want.Castle, want.Defenders, SurveyOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(WaveSum{})); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestSurveyJSON reads back what is written, and looks at the names and their order.
func TestSurveyJSON(t *testing.T) {
	survey, err := NewSurvey(t.Context(), grid.Range{First: 9, Last: 10}, grid.Range{First: 11, Last: 43}, grid.Range{First: 8, Last: 8}, SurveyOptions{})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(survey)
	if err != nil {
		t.Fatal(err)
	}
	var read Survey
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(survey, read, cmp.AllowUnexported(WaveSum{})); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	const want = `{"soldiers":"9:10","castle":"11:43","defenders":"8","battles":66,"winnable":66,"min_waves":{"2":2,"3":9,`
	if !strings.HasPrefix(string(text), want) {
		t.Errorf("%s\nwant %s", text, want)
	}
}
