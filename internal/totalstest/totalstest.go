// Package totalstest tests what surveys and measurements have in common. Totals of parts can be added. Their JSON is
// read back unchanged, or refused.
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

// Same fails the test unless two values are the same, including unexported fields.
func Same[V any](t rapid.TB, want, got V) {
	t.Helper()
	every := cmp.Exporter(func(reflect.Type) bool { return true })
	if diff := cmp.Diff(want, got, every, cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("(-want +got)\n%s", diff)
	}
}

// Sum divides the numbers 0..size-1 into parts of any size. It has the parts' totals computed, and adds the totals in
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

// Text returns a value as JSON.
func Text(value any) string { return string(must.Get(json.Marshal(value))) }

// RoundTrip fails the test unless a value that is written as JSON is read back unchanged.
func RoundTrip[V any](t rapid.TB, value V) {
	t.Helper()
	var read V
	must.Do(t, json.Unmarshal([]byte(Text(value)), &read))
	Same(t, value, read)
}

// Faults reads the text of a value with one change at a time. The changes are in the test's table in a file. Its
// columns are the text to change, the new text, and a text that the error has to contain. After an error, the value
// that was read into must be unchanged.
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

// Fuzz reads any text, beginning with changes of the given text. A value that was read must be written in a form that
// can be read again.
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
