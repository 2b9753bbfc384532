package explorables_test

import (
	"slices"
	"testing"

	"github.com/siegebook/siegebook/report/siegebook/explorables"
)

// TestKinds checks that each picture is a separate kind.
func TestKinds(t *testing.T) {
	kinds := explorables.Set().Kinds()
	if len(kinds) < 10 || !slices.IsSorted(kinds) || len(slices.Compact(slices.Clone(kinds))) < len(kinds) {
		t.Fatalf("the kinds are %q", kinds)
	}
}
