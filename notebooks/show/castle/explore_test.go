package castle

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestAround: a battle lies on its map, which has not more cells than can be looked at.
func TestAround(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		positive := rapid.OneOf(rapid.Int64Range(1, 1000), rapid.Int64Range(1, math.MaxInt64),
			rapid.Int64Range(math.MaxInt64-300, math.MaxInt64))
		at, n := positive.Draw(t, "at"), positive.Draw(t, "n")
		var first, last int64
		if _, err := fmt.Sscanf(around(at, n, 4, 240), "%d:%d", &first, &last); err != nil {
			t.Fatal(err)
		}
		if first < 1 || at < first || at > last || last-first >= 240 {
			t.Fatalf("a range from %d to %d", first, last)
		}
	})
	for _, test := range []struct {
		at, n int64
		want  string
	}{
		{36, 24, "1:96"},
		{96, 24, "1:96"},
		{97, 24, "1:240"},
		{1, 1, "1:8"},
		{240, 60, "1:240"},
		{1, 61, "1:240"},
		{1000, 24, "880:1119"},
		{math.MaxInt64, math.MaxInt64, "9223372036854775687:9223372036854775807"},
	} {
		if got := around(test.at, test.n, 4, 240); got != test.want {
			t.Errorf("around %d with %d soldiers: %s, want %s", test.at, test.n, got, test.want)
		}
	}
}
