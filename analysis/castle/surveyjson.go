package castle

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/analysis/internal/exactjson"
)

// surveyJSON is a survey as JSON, its members in their order.
type surveyJSON struct {
	Soldiers   rangeJSON        `json:"soldiers"`
	Castle     rangeJSON        `json:"castle"`
	Defenders  rangeJSON        `json:"defenders"`
	Battles    int64            `json:"battles"`
	Winnable   int64            `json:"winnable"`
	MinWaves   exactjson.Counts `json:"min_waves"`
	Algorithms []tallyJSON      `json:"algorithms"`
	Checksum   Checksum         `json:"checksum"`
}

type tallyJSON struct {
	Name            string     `json:"name"`
	Battles         int64      `json:"battles"`
	Right           int64      `json:"right"`
	RightWinnable   int64      `json:"right_winnable"`
	WrongSide       int64      `json:"wrong_side"`
	TooMany         int64      `json:"too_many"`
	TooFew          int64      `json:"too_few"`
	ExtraWavesSum   WaveSum    `json:"extra_waves_sum"` // a text: it may be larger than what readers of JSON take
	ExtraWavesMax   int64      `json:"extra_waves_max"`
	ExtraWavesMaxAt *placeJSON `json:"extra_waves_max_at"`
	First           struct {
		WrongSide *placeJSON `json:"wrong_side"`
		TooMany   *placeJSON `json:"too_many"`
		TooFew    *placeJSON `json:"too_few"`
	} `json:"first"`
}

// MarshalJSON returns the survey as one object with the members soldiers, castle, defenders, battles, winnable,
// min_waves, algorithms and checksum. Equal surveys are equal bytes. The error is that of Validate.
func (s Survey) MarshalJSON() ([]byte, error) {
	if err := s.Validate(); err != nil {
		return nil, fmt.Errorf("survey: %w", err)
	}
	out := surveyJSON{
		rangeJSON(s.Soldiers), rangeJSON(s.Castle), rangeJSON(s.Defenders),
		s.Battles, s.Winnable, exactjson.Counts(s.MinWaves), make([]tallyJSON, len(s.Algorithms)), s.Checksum,
	}
	for i, t := range s.Algorithms {
		j := &out.Algorithms[i]
		*j = tallyJSON{
			Name: t.Name, Battles: t.Battles, Right: t.Right, RightWinnable: t.RightWinnable,
			WrongSide: t.WrongSide, TooMany: t.TooMany, TooFew: t.TooFew,
			ExtraWavesSum: t.ExtraWavesSum, ExtraWavesMax: t.ExtraWavesMax, ExtraWavesMaxAt: (*placeJSON)(t.ExtraWavesMaxAt),
		}
		j.First.WrongSide, j.First.TooMany, j.First.TooFew = (*placeJSON)(t.First.WrongSide), (*placeJSON)(t.First.TooMany), (*placeJSON)(t.First.TooFew)
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON writes, with any white space and members in any order. The error names what is
// missing, is unknown or does not fit together.
func (s *Survey) UnmarshalJSON(text []byte) error {
	var in surveyJSON
	if err := exactjson.Read(text, &in); err != nil {
		return fmt.Errorf("survey: %w", err)
	}
	read := Survey{
		grid.Range(in.Soldiers), grid.Range(in.Castle), grid.Range(in.Defenders),
		Totals{in.Battles, in.Winnable, in.MinWaves, nil, in.Checksum},
	}
	for _, j := range in.Algorithms {
		read.Algorithms = append(read.Algorithms, Tally{
			Name: j.Name, Battles: j.Battles, Right: j.Right, RightWinnable: j.RightWinnable,
			WrongSide: j.WrongSide, TooMany: j.TooMany, TooFew: j.TooFew,
			ExtraWavesSum: j.ExtraWavesSum, ExtraWavesMax: j.ExtraWavesMax, ExtraWavesMaxAt: (*Battle)(j.ExtraWavesMaxAt),
			First: FirstErrors{(*Battle)(j.First.WrongSide), (*Battle)(j.First.TooMany), (*Battle)(j.First.TooFew)},
		})
	}
	if err := read.Validate(); err != nil {
		return fmt.Errorf("survey: %w", err)
	}
	*s = read
	return nil
}

// Validate returns an error unless the ranges are sound and the numbers fit together as those of any part of the grid
// do.
func (s Survey) Validate() error {
	size, err := s.Size()
	if err != nil {
		return err
	}
	if s.Battles < 0 || s.Battles > size {
		return fmt.Errorf("battles = %d: must be from 0 to the %d of the grid", s.Battles, size)
	}
	if err := s.Totals.validate(); err != nil {
		return err
	}
	for _, t := range s.Algorithms {
		for _, v := range []Verdict{WrongSide, TooMany, TooFew} {
			if at := t.First.Of(v); at != nil && !s.has(*at) {
				return fmt.Errorf("algorithm %q: first %v = %v: not in the grid", t.Name, v, *at)
			}
		}
		if at := t.ExtraWavesMaxAt; at != nil && !s.has(*at) {
			return fmt.Errorf("algorithm %q: extra_waves_max_at = %v: not in the grid", t.Name, *at)
		}
	}
	return nil
}

// validate returns an error unless the numbers fit together.
func (t Totals) validate() error {
	if t.Battles < 0 {
		return fmt.Errorf("battles = %d: must not be negative", t.Battles)
	}
	won := int64(0)
	for waves, n := range t.MinWaves {
		if waves < 1 || n < 1 || n > t.Winnable-won {
			return fmt.Errorf("min_waves %d: %d: must be positive numbers whose sum is winnable = %d",
				waves, n, t.Winnable)
		}
		won += n
	}
	if won != t.Winnable || t.Winnable > t.Battles {
		return fmt.Errorf("winnable = %d: must be the sum of min_waves, %d, and at most battles = %d",
			t.Winnable, won, t.Battles)
	}
	for i, tally := range t.Algorithms {
		if err := tally.validate(t); err != nil {
			return fmt.Errorf("algorithm %q: %w", tally.Name, err)
		}
		if slices.ContainsFunc(t.Algorithms[:i], func(other Tally) bool { return other.Name == tally.Name }) {
			return fmt.Errorf("algorithm %q: named twice, name it once", tally.Name)
		}
	}
	return nil
}

// validate returns an error unless the numbers of the tally fit together, and with those of its totals.
func (t Tally) validate(all Totals) error {
	if err := checkName(t.Name); err != nil {
		return err
	}
	left := t.Battles
	for _, v := range []Verdict{Right, WrongSide, TooMany, TooFew} {
		n := t.Count(v)
		if n < 0 || n > left {
			return fmt.Errorf("%v = %d: the verdicts must be natural numbers whose sum is battles = %d", v, n, t.Battles)
		}
		left -= n
		if at := t.First.Of(v); v != Right && (at != nil) != (n > 0) {
			return fmt.Errorf("first %v: must be there if there is a battle, and null if not", v)
		} else if at != nil && at.Validate() != nil {
			return fmt.Errorf("first %v: %w", v, at.Validate())
		}
	}
	switch at := t.ExtraWavesMaxAt; {
	case left != 0 || t.Battles < 0 || t.Battles > all.Battles:
		return fmt.Errorf("battles = %d: must be the sum of the verdicts and at most the %d of the survey",
			t.Battles, all.Battles)
	case t.RightWinnable < 0 || t.RightWinnable > min(t.Right, all.Winnable):
		return fmt.Errorf("right_winnable = %d: must be from 0 to right = %d and to winnable = %d",
			t.RightWinnable, t.Right, all.Winnable)
	case (at != nil) != (t.TooMany > 0) || (t.ExtraWavesMax > 0) != (t.TooMany > 0) || t.ExtraWavesMax < 0:
		return fmt.Errorf("extra_waves_max = %d: must be positive and have its battle if too_many is, else be 0 and null",
			t.ExtraWavesMax)
	case at != nil && at.Validate() != nil:
		return fmt.Errorf("extra_waves_max_at: %w", at.Validate())
	case !t.ExtraWavesSum.possible(t.TooMany, t.ExtraWavesMax):
		return fmt.Errorf("extra_waves_sum = %v: not possible for too_many = %d of at most extra_waves_max = %d",
			t.ExtraWavesSum, t.TooMany, t.ExtraWavesMax)
	}
	return nil
}

func (s Survey) has(b Battle) bool {
	within := func(v int64, r grid.Range) bool { return r.First <= v && v <= r.Last }
	return within(b.Soldiers, s.Soldiers) && within(b.CastleHits, s.Castle) && within(b.DefendersPerWave, s.Defenders)
}

// rangeJSON is a range as a text, "1:20".
type rangeJSON grid.Range

func (r rangeJSON) MarshalText() ([]byte, error) { return []byte(grid.Range(r).String()), nil }
func (r *rangeJSON) UnmarshalText(text []byte) error {
	read, err := grid.ParseRange(string(text), 1)
	*r = rangeJSON(read)
	return err
}

// placeJSON is a battle as [n, s, d].
type placeJSON Battle

func (p placeJSON) MarshalJSON() ([]byte, error) {
	return json.Marshal([]int64{p.Soldiers, p.CastleHits, p.DefendersPerWave})
}

func (p *placeJSON) UnmarshalJSON(text []byte) error {
	var numbers []int64
	if err := json.Unmarshal(text, &numbers); err != nil {
		return err
	}
	if len(numbers) != 3 {
		return fmt.Errorf("battle %s: write three numbers, [n,s,d]", text)
	}
	*p = placeJSON{numbers[0], numbers[1], numbers[2]}
	return nil
}
