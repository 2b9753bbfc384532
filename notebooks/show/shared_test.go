package show

import (
	"math"
	"reflect"
	"strings"
	"testing"
)

// TestSharedKeys: values of one type have one text only if they are equal, and what could change behind it has none.
func TestSharedKeys(t *testing.T) {
	type pair struct {
		A string
		B any
	}
	type plain struct{ a, b string }
	seen := map[string]any{}
	for _, value := range []any{
		1, -1, uint8(2), 0.1, math.Nextafter(0.1, 1), math.Inf(1), "a", `"a"`, "a\n", true, false,
		[2]int{1, 2},
		[2]int{12, 2},
		plain{"a", "b"},
		plain{`a", "b`, ""},
		plain{`a", "`, "b"},
		[0]int{},
	} {
		var key strings.Builder
		if bad := writeKey(&key, reflect.ValueOf(value)); bad != nil {
			t.Errorf("%#v: %v", value, bad)
		}
		if other, twice := seen[key.String()]; twice {
			t.Errorf("%#v and %#v have the key %s", value, other, key.String())
		}
		seen[key.String()] = value
	}
	for _, value := range []any{new(int), pair{}, make(chan int), uintptr(1), [1]*int{}, 1i} {
		if writeKey(new(strings.Builder), reflect.ValueOf(value)) == nil {
			t.Errorf("%#v has a key", value)
		}
	}
}

// double is called by TestShared.
func double(n int) map[string]int { return map[string]int{"double": 2 * n} }

// TestShared: outside of a page the value is computed.
func TestShared(t *testing.T) {
	if got := Shared(double, 4)["double"]; got != 8 {
		t.Errorf("got %d", got)
	}
}
