package folder

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/report/site"
)

// TestValues: an expression that is a number is set as one, and a text is not, whatever it looks like.
func TestValues(t *testing.T) {
	p := &page{values: make([]value, 5), results: []jupyter.Cell{}}
	printed := "int \"12345\"\nstring \"12345\"\nfloat64 \"-12345.5\"\n*big.Int \"7\"\nmain.Port \"18080\"\n"
	result := jupyter.Cell{Outputs: []jupyter.Output{{Type: jupyter.Stream, Name: "stdout", Text: printed}}}
	got := map[string]any{}
	new(Folder).fillValues(p, step{values: []int{0, 1, 2, 3, 4}}, result, got)
	want := map[string]any{
		"values-1": site.Number("12345"), "values-2": "12345", "values-3": site.Number("-12345.5"),
		"values-4": site.Number("7"), "values-5": "18080",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
