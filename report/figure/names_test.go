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
	for _, make := range []func() drawing{
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
			v := reflect.New(reflect.TypeOf(make())).Elem()
			v.Set(reflect.ValueOf(make()))
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
		v := reflect.New(reflect.TypeOf(make())).Elem()
		v.Set(reflect.ValueOf(make()))
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
