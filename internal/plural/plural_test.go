package plural

import (
	"math"
	"testing"
)

func TestCount(t *testing.T) {
	for n, want := range map[int64]string{
		-1: "-1 cells", 0: "0 cells", 1: "1 cell", 2: "2 cells", 11: "11 cells",
		math.MinInt64: "-9223372036854775808 cells",
	} {
		if got := Count(n, "cell"); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
	if one, many := Of(1, "leaf", "leaves"), Of(21, "leaf", "leaves"); one != "leaf" || many != "leaves" {
		t.Errorf("1 %s, 21 %s", one, many)
	}
}
