package show

import (
	"encoding"
	"encoding/json"
	"errors"
	"reflect"
	"runtime"
	"strings"

	"github.com/siegebook/siegebook/notebooks/show/internal/host"
)

// Shared returns the result of a function for an argument, and stores it for later:
//
//	table := show.Shared(survey, n)
//
// The function must be declared with func in a cell, in a package of the book's own module, or in siegebook. Its result
// must depend only on its argument and on files. Shared computes the result again if anything that the function uses
// has changed: its source, declarations in cells, a package, Go, or, if one of these packages can read files, a file of
// the book. If the function uses a variable of a cell, Shared ends the cell.
//
// In a build, the first page that requests a result of a package's function computes it for all pages and for later
// builds. In Jupyter, the result is available in later kernels; the files of the book are then all files in the
// notebook's folder, except for notebooks. A result that depends on the clock, the network or the like is computed in
// each build and in each cell.
//
// JSON must be able to represent the argument and the result completely, as it does for numbers, strings, slices and
// structs. For other types, Shared ends the cell.
func Shared[A, T any](compute func(A) T, argument A) T {
	if compute == nil {
		Fail("show.Shared has no function to call: name one, such as survey.Table")
	}
	full := strings.ReplaceAll(runtime.FuncForPC(reflect.ValueOf(compute).Pointer()).Name(), "%2e", ".")
	name := full[strings.LastIndexByte(full, '/')+1:]
	path, of := "", strings.LastIndexByte(name, '.')
	if strings.Count(name, ".") == 1 && !strings.ContainsAny(name, "[-(") {
		path = full[:len(full)-len(name)+of]
	}
	if path == "" {
		failShared(name)
	}
	key, err := json.Marshal(argument)
	var again A // otherwise, two arguments with the same key would share a value
	if err != nil || json.Unmarshal(key, &again) != nil || !reflect.DeepEqual(argument, again) {
		Fail("show.Shared: %s is called with %#v, which JSON cannot represent completely: use numbers, strings, "+
			"bools, slices or structs of these", name, argument)
	}
	if bad := unsaved(reflect.TypeFor[T](), map[reflect.Type]bool{}); bad != nil {
		Fail("show.Shared: %s returns a %v, and JSON cannot represent all of a %v: give structs exported fields, and "+
			"leave out functions, channels and interfaces", name, reflect.TypeFor[T](), bad)
	}
	computed := false
	pack := func() []byte {
		computed = true
		value, rounds := watched(compute, argument)
		packed, err := json.Marshal(value) // the same value always gives the same bytes
		if err == nil {
			packed, err = json.Marshal(keptValue{packed, rounds})
		}
		if err != nil {
			Fail("show.Shared: the value of %s cannot be stored: %v", name, err)
		}
		return packed
	}
	keep := keptHere
	if host.Page != nil {
		keep = host.Page.Shared
	}
	packed, err := keep(path, full+"("+string(key)+")", pack)
	switch {
	case errors.Is(err, host.ErrNotShared):
		failShared(name)
	case err != nil:
		Fail("show.Shared: %v", err)
	}
	var value T // a computed value is decoded, too, so that all pages get the same value
	var all keptValue
	if err := errors.Join(json.Unmarshal(packed, &all), json.Unmarshal(all.Value, &value)); err != nil {
		Fail("show.Shared: the result of %s cannot be restored from JSON: %v", name, err)
	}
	if !computed {
		for _, r := range all.Rounds { // shows the same outputs as if the value had been computed now
			r.show("")
			record(r)
		}
	}
	return value
}

// keptValue is the form in which a value is stored, with the loops that Progress has shown during its computation.
type keptValue struct {
	Value  json.RawMessage
	Rounds []rounds `json:",omitempty"`
}

func failShared(name string) {
	Fail("show.Shared: the values of %s cannot be stored: pass a function that is declared with func in a cell or in "+
		"a package of the book's own module", name)
}

// unsaved returns a type, contained in the given type, whose values JSON does not represent completely, or nil if there
// is none.
func unsaved(t reflect.Type, seen map[reflect.Type]bool) reflect.Type {
	for _, own := range []reflect.Type{t, reflect.PointerTo(t)} {
		if own.Implements(reflect.TypeFor[json.Marshaler]()) ||
			own.Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
			return nil
		}
	}
	if seen[t] {
		return nil
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Func, reflect.Chan, reflect.Interface, reflect.UnsafePointer:
		return t
	case reflect.Map:
		if bad := unsaved(t.Key(), seen); bad != nil {
			return bad
		}
		return unsaved(t.Elem(), seen)
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return unsaved(t.Elem(), seen)
	case reflect.Struct:
		for f := range t.Fields() {
			if !f.IsExported() || f.Tag.Get("json") == "-" {
				return t
			}
			if bad := unsaved(f.Type, seen); bad != nil {
				return bad
			}
		}
	}
	return nil
}
