package castle_test

import (
	"fmt"
	"testing"

	"github.com/siegebook/siegebook/report/siegebook/castle"
)

// TestRelatives compares the lines of the table with their equation, in whole numbers. With n = 1000, the last x of a
// won hunt is below the line, and the next x is above it. If the last digit of the ratio is increased by one, the ratio
// is on the other side of the line.
func TestRelatives(t *testing.T) {
	table := castle.RelativesTable()
	for i, r := range castle.Relatives {
		k, m := r[0], r[1]
		form := func(n, x int64) int64 { return k*n*n - k*m*n*x - m*x*x }
		x := castle.MostHunted(1000, k, m)
		if form(1000, x) <= 0 || form(1000, x+1) > 0 {
			t.Errorf("k = %d, m = %d: %d defenders", k, m, x)
		}
		var whole, digits int64
		text := fmt.Sprint(table.Rows[i][3])
		if _, err := fmt.Sscanf(text, "%d.%05d", &whole, &digits); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if n := whole*100_000 + digits; form(n, 100_000) > 0 || form(n+1, 100_000) <= 0 {
			t.Errorf("k = %d, m = %d: the ratio %s", k, m, text)
		}
	}
}
