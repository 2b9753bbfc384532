package naval

import (
	"cmp"
	"fmt"
	"strings"
)

// noHalo ends the name of a strategy without halos.
const noHalo = "no_halo"

// Strategies lists all strategies with halos that differ, by targeting, then by moves. [Informed] makes nothing of the
// moves, so it is listed with the first of them alone.
func Strategies() []Strategy {
	var list []Strategy
	for _, t := range Targetings() {
		for _, m := range AllMoves() {
			if m == 0 || !targetings[t].alone {
				list = append(list, Strategy{m, t, true})
			}
		}
	}
	return list
}

// compare orders strategies by targeting, then by moves, each in the order of its table, then those with halos first.
func (s Strategy) compare(t Strategy) int {
	if order := cmp.Or(cmp.Compare(s.Targeting, t.Targeting), cmp.Compare(s.Moves, t.Moves)); order != 0 ||
		s.Halo == t.Halo {
		return order
	}
	if s.Halo {
		return -1
	}
	return 1
}

// String returns the names of the moves and the targeting, such as "random-proper", and "random-proper-no_halo" if
// halos are not left out: the text that is also marshalled and read.
func (s Strategy) String() string {
	name := s.Moves.String() + "-" + s.Targeting.String()
	if !s.Halo {
		name += "-" + noHalo
	}
	return name
}

// MarshalText returns the name, or the error of Validate.
func (s Strategy) MarshalText() ([]byte, error) { return []byte(s.String()), s.Validate() }

// UnmarshalText reads the name. The error names the text, what is wrong with it, and the choices.
func (s *Strategy) UnmarshalText(text []byte) error {
	parts := strings.Split(string(text), "-")
	if len(parts) < 2 || len(parts) > 3 || len(parts) == 3 && parts[2] != noHalo {
		return fmt.Errorf("%q: no strategy, write its moves and its targeting, such as %v, or %v for one without halos",
			text, Strategy{Random, Proper, true}, Strategy{Random, Proper, false})
	}
	read := Strategy{Halo: len(parts) == 2}
	if err := read.Moves.UnmarshalText([]byte(parts[0])); err != nil {
		return fmt.Errorf("strategy %q: %w", text, err)
	}
	if err := read.Targeting.UnmarshalText([]byte(parts[1])); err != nil {
		return fmt.Errorf("strategy %q: %w", text, err)
	}
	*s = read
	return nil
}
