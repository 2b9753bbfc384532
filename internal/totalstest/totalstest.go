// Package totalstest tests what surveys and measurements have in common: totals of parts can be added, and their JSON
// is either read back unchanged or rejected.
package totalstest

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/internal/must"
	_ "github.com/siegebook/siegebook/internal/rapidseed"
)

// Same fails the test unless two values are equal, including unexported fields.
func Same[V any](t rapid.TB, want, got V) {
	t.Helper()
	every := cmp.Exporter(func(reflect.Type) bool { return true })
	if diff := cmp.Diff(want, got, every, cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("(-want +got)\n%s", diff)
	}
}

// Sum divides the numbers 0..size-1 into parts of any size, computes the totals of the parts, and adds the totals in
// any order, in pairs or one after the other.
func Sum[T any, P interface {
	*T
	Add(T) error
}](t *rapid.T, size int64, part func(grid.Block) T,
) T {
	t.Helper()
	var parts []T
	for first := int64(0); first < size; {
		block := grid.Block{First: first, Size: rapid.Int64Range(0, size-first).Draw(t, "size")}
		parts = append(parts, part(block))
		first += block.Size
	}
	for parts = rapid.Permutation(parts).Draw(t, "order"); len(parts) > 1; {
		i := rapid.IntRange(0, len(parts)-2).Draw(t, "pair")
		var sum, none T
		for _, part := range []T{parts[i], none, parts[i+1]} {
			must.Do(t, P(&sum).Add(part))
		}
		parts = append(append(slices.Clone(parts[:i]), sum), parts[i+2:]...)
	}
	return parts[0]
}

// Text returns the JSON of a value.
func Text(value any) string { return string(must.Get(json.Marshal(value))) }

// RoundTrip fails the test unless a value that is encoded as JSON is decoded unchanged.
func RoundTrip[V any](t rapid.TB, value V) {
	t.Helper()
	var read V
	must.Do(t, json.Unmarshal([]byte(Text(value)), &read))
	Same(t, value, read)
}

// Faults makes one change at a time to the JSON of a value, and checks that reading the changed JSON fails. The changes
// are in a table in a file; the columns are the text to change, the new text, and a text that the error must contain.
// The failed read must leave the value unchanged.
func Faults[V any](t *testing.T, file, text string) {
	var value, same V
	must.Do(t, json.Unmarshal([]byte(text), &value), json.Unmarshal([]byte(text), &same))
	for at, row := range must.Table[struct{ Old, Wrong, Want string }](t, file, t.Name()) {
		if !strings.Contains(text, row.Old) {
			t.Errorf("%s: %s is missing", at, row.Old)
		}
		err := json.Unmarshal([]byte(strings.Replace(text, row.Old, row.Wrong, 1)), &value)
		must.ErrorContains(t, err, row.Want, at)
		Same(t, same, value)
	}
}

// Fuzz reads arbitrary JSON, starting with changed versions of the given text. If a value was read, it must be written
// in a form that can be read again.
func Fuzz[V any](f *testing.F, text string) {
	f.Add(text)
	f.Add("{}")
	f.Fuzz(func(t *testing.T, text string) {
		var value V
		if json.Unmarshal([]byte(text), &value) == nil {
			RoundTrip(t, value)
		}
	})
}
