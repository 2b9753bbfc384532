package naval

import (
	"context"
	"fmt"
	"math/big"
	"slices"
)

// mostBoundDecks is the longest ship of [ShotsBound], which counts lines that are a cell longer.
const mostBoundDecks = maxDecks - 1

// ShotsBound returns a number of shots that no shooter can do better than on average, whatever he does, if all fleets
// of such ships that can lie on the board are equally likely. The ships do not touch, and he is told miss, hit or sunk.
// So against some fleet he needs as many shots or more.
//
// It counts pairs of fleets in which one ship lies differently: whoever shoots at a cell where only one of them has a
// deck misses in the other (docs/derivations/naval.md, Theorem 2). On some strips the best shooter needs no more than
// that. On the board of the post, with its fleet, the bound is 50.17.
//
// The board and the ships are those of [CountFleets], but a ship has 1..5 decks. The errors are those of CountFleets,
// also for the fleet with one more ship of one deck, and one that says that no fleet can lie there.
func ShotsBound(ctx context.Context, columns, rows int, decks []int) (*big.Rat, error) {
	if len(decks) > 0 && slices.Max(decks) > mostBoundDecks {
		return nil, fmt.Errorf("a ship of %d decks: use 1 to %d", slices.Max(decks), mostBoundDecks)
	}
	fleets, err := CountFleets(ctx, columns, rows, decks)
	if err != nil {
		return nil, err
	}
	if fleets == 0 {
		return nil, fmt.Errorf("%d x %d cells: there is no room for ships %v, use a larger board or fewer ships",
			columns, rows, decks)
	}
	misses, more := new(big.Int), new(big.Int)
	all, ones := 0, 0
	for at, d := range decks {
		if all += d; d == 1 {
			ones++
		}
		if slices.Contains(decks[:at], d) {
			continue
		}
		others := slices.Delete(slices.Clone(decks), at, at+1)
		pairs, err := countFleets(ctx, columns, rows, others, false, movesOf(d))
		if err != nil {
			return nil, err
		}
		misses.Add(misses, more.SetUint64(pairs))
	}
	if ones > 0 {
		free, err := CountFleets(ctx, columns, rows, append(slices.Clone(decks), 1))
		if err != nil {
			return nil, err
		}
		misses.Add(misses, more.Mul(big.NewInt(int64(ones)), more.SetUint64(free)))
	}
	mean := new(big.Rat).SetFrac(misses, new(big.Int).SetUint64(fleets))
	return mean.Add(mean, big.NewRat(int64(all), 1)), nil
}

// movesOf returns the forms that a ship covers together with a place near its own: one that has all its decks but one,
// or for a ship of one deck a cell that it touches; and for ships of three decks and more, the place beside it.
func movesOf(decks int) []form {
	switch decks {
	case 1:
		return []form{line(2), {{0, 0}, {1, 1}}}
	case 2:
		return []form{line(3), {{0, 0}, {1, 0}, {0, 1}}}
	default:
		return []form{line(decks + 1), block(decks, 2)}
	}
}
