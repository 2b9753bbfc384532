package tower

import (
	"cmp"
	"context"
	"fmt"
	"math"
)

// MinSoldiers returns how many soldiers it takes to win the battle by the strategy, however many soldiers it has: with
// fewer the towers win, with as many or more the soldiers do (proved in docs/derivations/tower.md). It returns 0 if not
// even 2^63 - 1 soldiers win. The other three numbers are positive, or the error names the first that is not; the whole
// int64 range is allowed.
//
// For Fewest there is a formula. For the other strategies it plays about 64 battles; all of them together may take
// maxSteps steps (0 means 100,000,000), or the error is an *LimitError.
func (b Battle) MinSoldiers(strategy Strategy, maxSteps int64) (int64, error) {
	b.Soldiers = 1
	if err := cmp.Or(b.Validate(), strategyNames.Validate(strategy), natural("max steps", maxSteps)); err != nil {
		return 0, err
	}
	if strategy == Fewest {
		if number := b.minFewest(); number.IsInt64() {
			return number.Int64(), nil
		}
		return 0, nil
	}
	left := stepLimit(maxSteps)
	wins := func(soldiers int64) (bool, error) {
		b.Soldiers = soldiers
		result, steps, err := b.play(context.Background(), strategy, left)
		left -= steps
		if err != nil {
			return false, &LimitError{fmt.Sprintf("looking for the fewest soldiers by %v where towers = %d, hits = %d, kills = %d",
				strategy, b.Towers, b.HitsPerTower, b.KillsPerTower), stepLimit(maxSteps)}
		}
		return result.Winner == Soldiers, nil
	}
	// A shot for every hit wins in the first round.
	low, high := int64(0), int64(math.MaxInt64) // the soldiers lose with low; no soldiers lose
	if hits, ok := mul(b.HitsPerTower, b.Towers).Int64(); ok {
		high = hits
	} else if ok, err := wins(high); !ok || err != nil {
		return 0, err
	}
	return bisect(low, high, wins)
}

// bisect returns the least number that wins, between one that does not and one that does.
func bisect(low, high int64, wins func(int64) (bool, error)) (int64, error) {
	for high-low > 1 {
		middle := low + (high-low)/2
		ok, err := wins(middle)
		if err != nil {
			return 0, err
		}
		if ok {
			high = middle
		} else {
			low = middle
		}
	}
	return high, nil
}
