package naval

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/siegebook/siegebook/analysis/internal/exactjson"
)

// measurementJSON is a measurement as JSON, its members in their order.
type measurementJSON struct {
	Placements []Placement        `json:"placements"`
	Strategies []Strategy         `json:"strategies"`
	Fleets     int64              `json:"fleets"`
	Seed       uint64             `json:"seed"`
	Games      int64              `json:"games"`
	Tallies    []measurementTally `json:"tallies"`
	Checksum   ShotsChecksum      `json:"checksum"`
}

type measurementTally struct {
	Placement Placement        `json:"placement"`
	Strategy  Strategy         `json:"strategy"`
	Fleets    int64            `json:"fleets"`
	Mean      decimal          `json:"mean"`
	Margin    decimal          `json:"margin"`
	Shots     int64            `json:"shots"`
	Squares   int64            `json:"squares"`
	Least     int64            `json:"least"`
	Most      int64            `json:"most"`
	ByShots   exactjson.Counts `json:"by_shots"`
	Checksum  ShotsChecksum    `json:"checksum"`
}

// decimals is how many mean and margin have.
const decimals = 6

// decimal is a number as its digits; "" is null.
type decimal string

func (d decimal) MarshalJSON() ([]byte, error) {
	if d == "" {
		return []byte("null"), nil
	}
	return []byte(d), nil
}

func (d *decimal) UnmarshalJSON(text []byte) error {
	if *d = decimal(text); string(text) == "null" {
		*d = ""
	}
	return nil
}

// MarshalJSON returns the measurement as one object. Its members are placements, strategies, fleets and seed, as they
// were chosen; games, how many there were; tallies, a list; and checksum, the sum of those of the tallies. A tally has
// the members placement, strategy and fleets; mean and margin, of which the last is half the width of the 95 % interval
// (see [Sample.MarginText]), null where there are too few fleets; shots and squares, the sums of the shots and of their
// squares; least and most shots; by_shots, an object with the number of fleets by their shots; and checksum. Equal
// measurements are equal bytes. The error is that of Validate.
func (m Measurement) MarshalJSON() ([]byte, error) {
	if err := m.Validate(); err != nil {
		return nil, fmt.Errorf("measurement: %w", err)
	}
	out := measurementJSON{
		m.Placements, m.Strategies, m.Fleets, m.Seed, m.Games(), make([]measurementTally, len(m.Tallies)), m.Checksum(),
	}
	for i, t := range m.Tallies {
		out.Tallies[i] = t.json()
	}
	return json.Marshal(out)
}

func (t Tally) json() measurementTally {
	byShots := exactjson.Counts{}
	for shots, fleets := range t.ByShots {
		if fleets != 0 {
			byShots[int64(shots)] = fleets
		}
	}
	s := t.Sample()
	return measurementTally{
		t.Placement, t.Strategy, s.Fleets, decimal(s.MeanText(decimals)),
		decimal(s.MarginText(decimals)), s.Shots, s.Squares, t.Least(), t.Most(), byShots, t.Checksum,
	}
}

// UnmarshalJSON reads what MarshalJSON writes, with any white space and members in any order. The error names what is
// missing, is unknown or does not fit together.
func (m *Measurement) UnmarshalJSON(text []byte) error {
	var in measurementJSON
	if err := exactjson.Read(text, &in); err != nil {
		return fmt.Errorf("measurement: %w", err)
	}
	read := Measurement{Placements: in.Placements, Strategies: in.Strategies, Fleets: in.Fleets, Seed: in.Seed}
	if _, err := read.Size(); err != nil {
		return fmt.Errorf("measurement: %w", err)
	}
	for _, j := range in.Tallies {
		t, err := j.tally()
		if err != nil {
			return fmt.Errorf("measurement: %v against %v: %w", j.Strategy, j.Placement, err)
		}
		read.Tallies = append(read.Tallies, t)
	}
	if err := read.Validate(); err != nil {
		return fmt.Errorf("measurement: %w", err)
	}
	if in.Games != read.Games() || in.Checksum != read.Checksum() {
		return fmt.Errorf("measurement: games = %d and checksum = %v: must be the sums over the tallies, %d and %v", in.Games,
			in.Checksum, read.Games(), read.Checksum())
	}
	*m = read
	return nil
}

// tally returns the tally, whose numbers must follow from by_shots.
func (j measurementTally) tally() (Tally, error) {
	t := Tally{Placement: j.Placement, Strategy: j.Strategy, Checksum: j.Checksum}
	left := int64(maxFleets)
	for shots, fleets := range j.ByShots {
		if shots < fleetDecks || shots > boardCells || fleets < 1 || fleets > left {
			return Tally{}, fmt.Errorf("by_shots %d: %d: must be positive numbers of fleets, together %d at most, that took %d "+
				"to %d shots",
				shots, fleets, int64(maxFleets), fleetDecks, boardCells)
		}
		left -= fleets
		t.ByShots[shots] = fleets
	}
	if !reflect.DeepEqual(j, t.json()) {
		return Tally{}, errors.New("fleets, mean, margin, shots, squares, least and most must follow from by_shots")
	}
	return t, nil
}

// Validate returns an error unless what is measured is sound and the tallies are those of any part of it.
func (m Measurement) Validate() error {
	if _, err := m.Size(); err != nil {
		return err
	}
	same := func(t, u Tally) bool { return t.compare(u) == 0 }
	if !slices.EqualFunc(m.Tallies, m.none().Tallies, same) {
		return fmt.Errorf("%d tallies: must be one for each placement and strategy, in their order", len(m.Tallies))
	}
	if err := m.Totals.validate(); err != nil {
		return err
	}
	for _, t := range m.Tallies {
		if fleets := t.Sample().Fleets; fleets > m.Fleets {
			return fmt.Errorf("%v against %v: %d fleets of %d: use %d at most", t.Strategy, t.Placement, fleets, m.Fleets,
				m.Fleets)
		}
	}
	return nil
}
