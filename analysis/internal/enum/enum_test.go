package enum

import (
	"slices"
	"testing"
)

type colour int8

func TestNames(t *testing.T) {
	names := Of[colour]("colour", []struct{ name string }{{"red"}, {"green"}},
		func(row struct{ name string }) string { return row.name })
	if all := names.All(); !slices.Equal(all, []colour{0, 1}) {
		t.Errorf("all are %v", all)
	}
	for _, value := range names.All() {
		text, err := names.MarshalText(value)
		var back colour
		if err != nil || names.UnmarshalText(&back, text) != nil || back != value ||
			names.String(value) != string(text) {
			t.Errorf("%d is %q, read back as %d, %v", value, text, back, err)
		}
	}
	for _, value := range []colour{-1, 2, 127} {
		text, err := names.MarshalText(value)
		if want := names.String(value) + ": unknown colour, use one of red, green"; text != nil || err == nil ||
			err.Error() != want {
			t.Errorf("%d: %q, error %v, want %q", value, text, err, want)
		}
	}
	if got := names.String(-1); got != "colour(-1)" {
		t.Errorf("-1 is %q", got)
	}
}

func TestUnknownName(t *testing.T) {
	names := New[colour]("colour", "red", "green")
	for _, text := range []string{"", "Red", "red ", "blue"} {
		value := colour(1)
		err := names.UnmarshalText(&value, []byte(text))
		if want := `"` + text + `": unknown colour, use one of red, green`; err == nil || err.Error() != want || value != 1 {
			t.Errorf("%q: value %d, error %v, want %q", text, value, err, want)
		}
	}
}
