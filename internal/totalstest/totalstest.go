// Package totalstest tests what surveys and measurements have in common: totals of parts, which are added, and their
// JSON, which is read as it was written or not at all.
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

// Same fails unless two values are the same, in fields that are not exported too.
func Same[V any](t rapid.TB, want, got V) {
	t.Helper()
	every := cmp.Exporter(func(reflect.Type) bool { return true })
	if diff := cmp.Diff(want, got, every, cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("(-want +got)\n%s", diff)
	}
}

// Sum cuts the numbers 0..size-1 into parts of any size, has their totals computed, and adds these in any order, in
// pairs or one after the other.
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

// Text is a value as JSON.
func Text(value any) string { return string(must.Get(json.Marshal(value))) }

// RoundTrip fails unless a value is read as it is written.
func RoundTrip[V any](t rapid.TB, value V) {
	t.Helper()
	var read V
	must.Do(t, json.Unmarshal([]byte(Text(value)), &read))
	Same(t, value, read)
}

// Faults reads the text of a value with one change at a time: those of the table of the test in a file, whose columns
// are what is changed, into what, and what the error has to say. The value that is read into stays as it was.
func Faults[V any](t *testing.T, file, text string) {
	var value, same V
	must.Do(t, json.Unmarshal([]byte(text), &value), json.Unmarshal([]byte(text), &same))
	for at, row := range must.Table[struct{ Old, Wrong, Want string }](t, file, t.Name()) {
		if !strings.Contains(text, row.Old) {
			t.Errorf("%s: %s is not there", at, row.Old)
		}
		err := json.Unmarshal([]byte(strings.Replace(text, row.Old, row.Wrong, 1)), &value)
		must.ErrorContains(t, err, row.Want, at)
		Same(t, same, value)
	}
}

// Fuzz reads any text, beginning with changes of one: what is read is written as it can be read again.
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
