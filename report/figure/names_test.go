package figure

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/report/content"
)

// TestNamesAtOnce: a drawing of any kind that lacks all names it needs is refused with all of them in one message. A
// name is needed where the drawing is refused without it alone.
func TestNamesAtOnce(t *testing.T) {
	type drawing interface {
		Figure() (content.Figure, error)
	}
	for _, sample := range []func() drawing{
		func() drawing { return samplePhase() }, func() drawing { return samplePhases() },
		func() drawing { return sampleAgreement() }, func() drawing { return sampleShares() },
		func() drawing { return sampleHistogram(true, true) }, func() drawing { return sampleBarPanels() },
		func() drawing { return sampleTrace() }, func() drawing { return sampleTree() },
		func() drawing { return sampleGraph() }, func() drawing { return sampleCost() },
		func() drawing { return sampleLines(false) }, func() drawing { return sampleHeats() },
		func() drawing { return sampleMasks() }, func() drawing { return sampleBoard() },
		func() drawing { return sampleWalks() }, func() drawing { return sampleLadder() },
	} {
		without := func(places ...int) (kind, message string) {
			v := reflect.New(reflect.TypeOf(sample())).Elem()
			v.Set(reflect.ValueOf(sample()))
			for i, text := range texts(v) {
				if slices.Contains(places, i) {
					text.SetString("")
				}
			}
			if _, err := v.Interface().(drawing).Figure(); err != nil {
				message = err.Error()
			}
			return v.Type().Name(), message
		}
		v := reflect.New(reflect.TypeOf(sample())).Elem()
		v.Set(reflect.ValueOf(sample()))
		var needed []int
		var names []string
		for i := range texts(v) {
			kind, message := without(i)
			if name, is := strings.CutSuffix(message, " is empty; name it"); is {
				needed, names = append(needed, i), append(names, strings.TrimPrefix(name, "figure: "+kind+": "))
			}
		}
		kind, message := without(needed...)
		if len(names) == 0 {
			t.Errorf("%s needs no name", kind)
		}
		for _, name := range names {
			if !strings.Contains(message, name) {
				t.Errorf("%s without all names: %q does not say %s", kind, message, name)
			}
		}
	}
}

// texts returns all texts in a value, in a fixed order. They are its own.
func texts(v reflect.Value) (all []reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		return []reflect.Value{v}
	case reflect.Struct:
		for _, field := range v.Fields() {
			if field.CanSet() {
				all = append(all, texts(field)...)
			}
		}
	case reflect.Slice:
		v.Set(reflect.AppendSlice(reflect.MakeSlice(v.Type(), 0, v.Len()), v)) // samples share some
		for i := range v.Len() {
			all = append(all, texts(v.Index(i))...)
		}
	}
	return all
}

func TestDecimal(t *testing.T) {
	for _, test := range []struct {
		v    float64
		want string
	}{
		{0, "0"},
		{7, "7"},
		{1234, "1234"},
		{-1234, "−1234"},
		{0.25, "0.25"},
		{-0.5, "−0.5"},
		{1. / 3, "0.333333"},
		{999_999.4, "999,999"},
		{999_999.5, "1,000,000"},
		{1_000_000, "1,000,000"},
		{1_000_040.5, "1,000,040"},
		{123_456_789.75, "123,456,790"},
		{-1_234_567.5, "−1,234,568"},
		{999_999_999_999_999, "999,999,999,999,999"},
		{1e15, "1e+15"},
		{1e-9, "1e-09"},
		{-2.5e-9, "−2.5e-09"},
	} {
		if got := Decimal(test.v); got != test.want {
			t.Errorf("%v is written %s, want %s", test.v, got, test.want)
		}
	}
}

// TestLargeCoordinates: an alternative text names the cells of a map far from the origin in full, and so does its
// table.
func TestLargeCoordinates(t *testing.T) {
	for first, want := range map[int]string{999_990: "1,000,001", 1_234_567_890: "1,234,567,901"} {
		m := PhaseMap{
			Title: "Far away", X: Cells("x", first, first+40, 1), Y: Cells("y", 1, 2, 1), W: 41, H: 2, One: "wave",
			Many:    "waves",
			Classes: []Class{{Value: 0, Label: "none"}},
		}
		for i := range 2 * 41 {
			m.Cells = append(m.Cells, i%41/11)
		}
		f, err := m.Figure()
		if err != nil {
			t.Fatal(err)
		}
		text := f.Alt
		for _, row := range append([][]string{f.Data.Header}, f.Data.Rows...) {
			text += " " + strings.Join(row, " ")
		}
		if strings.Contains(text, "e+") {
			t.Errorf("digits are lost in %.400s", text)
		}
		if !strings.Contains(f.Alt, want) {
			t.Errorf("no %s in %s", want, f.Alt)
		}
	}
}

// TestPercent: fractions are rounded themselves, halves up, and not the floats nearest to them.
func TestPercent(t *testing.T) {
	for _, c := range []struct {
		part, whole, decimals int
		want                  string
	}{
		{60, 80_000, 2, "0.08"},
		{1, 8, 0, "13"},
		{1, 8, 1, "12.5"},
		{0, 7, 1, "0.0"},
		{7, 7, 1, "100.0"},
		{1, 3, 2, "33.33"},
		{2, 3, 2, "66.67"},
		{1_005, 1_000_000, 2, "0.10"},
		{1005, 100_000, 2, "1.01"},
	} {
		if got := Percent(c.part, c.whole, c.decimals); got != c.want {
			t.Errorf("%d of %d: %s %%, want %s", c.part, c.whole, got, c.want)
		}
	}
	for _, c := range []struct {
		v        float64
		decimals int
		fixed    string
		share    string
	}{
		{0.285, 2, "0.29", "28.50"},
		{1.005, 2, "1.01", "100.50"},
		{0.0005, 1, "0.0", "0.1"},
		{0.00075, 2, "0.00", "0.08"},
		{0.1415, 1, "0.1", "14.2"},
		{-0.125, 2, "-0.13", "-12.50"},
		{0, 1, "0.0", "0.0"},
		{1, 0, "1", "100"},
		{1.0 / 3, 3, "0.333", "33.333"},
		{1e-9, 3, "0.000", "0.000"},
	} {
		if fixed, share := Fixed(c.v, c.decimals), Percentage(c.v, c.decimals); fixed != c.fixed || share != c.share {
			t.Errorf("%v is %s and %s %%, want %s and %s", c.v, fixed, share, c.fixed, c.share)
		}
	}
	if got := Ratio(9, 16, 3); got != "0.563" {
		t.Errorf("9/16: %s", got)
	}
	if got := Ratio(int64(-1), 8, 2); got != "-0.13" {
		t.Errorf("-1/8: %s", got)
	}
	for part, want := range map[int]string{
		0: "0 %", 1: "under 0.1 %", 10: "0.1 %", 15: "0.2 %", 9990: "99.9 %",
		9991: "over 99.9 %", 10_000: "100 %",
	} {
		if got := share(part, 10_000); got != want {
			t.Errorf("%d of 10,000: %s, want %s", part, got, want)
		}
	}
}
