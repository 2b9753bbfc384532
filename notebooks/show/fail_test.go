package show

import (
	"math"
	"testing"
)

// TestPlaced: the place follows the first line of a message, in a line of its own.
func TestPlaced(t *testing.T) {
	for _, test := range []struct{ text, place, want string }{
		{"n = 0: too few", "/tmp/x/main.go:3", "n = 0: too few\n  at /tmp/x/main.go:3"},
		{"wrong in\nA.B\n..A", "/tmp/x/main.go:3", "wrong in\n  at /tmp/x/main.go:3\nA.B\n..A"},
		{"n = 0", "", "n = 0"},
	} {
		if got := placed(test.text, test.place); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

func TestBetween(t *testing.T) {
	for _, test := range []struct {
		value, least, most int64
		want               string
	}{
		{1, 1, 3, ""},
		{3, 1, 3, ""},
		{math.MaxInt64, 0, math.MaxInt64, ""},
		{0, 1, 3, "n = 0: it has to be a number from 1 to 3, set it to one of them"},
		{4, 1, 3, "n = 4: it has to be a number from 1 to 3, set it to one of them"},
		{math.MinInt64, -5, 4_000_000_000, "n = −9,223,372,036,854,775,808: it has to be a number from −5 to " +
			"4,000,000,000, set it to one of them"},
	} {
		if got := panicOf(func() { Between("n", test.value, test.least, test.most) }); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}
