package folder

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/siegebook/siegebook/internal/report/program"
	"github.com/siegebook/siegebook/internal/report/site"
)

// TestValues checks that a numeric expression is typeset as a number, but a string is not, even if it looks like a
// number.
func TestValues(t *testing.T) {
	for _, row := range []struct {
		kind, text string
		want       any
	}{
		{"int", "12345", site.Number("12345")},
		{"string", "12345", "12345"},
		{"float64", "-12345.5", site.Number("-12345.5")},
		{"*big.Int", "7", site.Number("7")},
		{"rules.Port", "18080", "18080"},
	} {
		if diff := cmp.Diff(row.want, shownValue(program.Result{Type: row.kind, Text: row.text}, true)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", row.kind, diff)
		}
	}
}
