package show

import (
	"encoding"
	"encoding/json"
	"reflect"
	"runtime"
	"strings"

	"github.com/siegebook/siegebook/notebooks/show/internal/host"
)

// Shared returns the result of a function for an argument. The first page that asks for the result computes it for all
// pages of a book, and for later builds:
//
//	table := show.Shared(survey.Table, n)
//
// The function must be declared in a package of the book's own module, or of siegebook. Its result must depend only on
// its argument and on files of the book. It runs in the folder of the module. A build computes the value again after a
// change of the package or of a package that it imports. If one of these packages reads files, a change of any file of
// the book counts too. If one of them uses the clock, the network or the like, each build recomputes the value.
//
// JSON must be able to represent the argument and the value completely, such as numbers, texts, lists and structs. For
// other values Shared ends the cell. In Jupyter each cell computes the value itself. A notebook of a book also computes
// a value that may depend on files.
func Shared[A, T any](compute func(A) T, argument A) T {
	if compute == nil {
		Fail("show.Shared has no function to call: name one of a package, such as survey.Table")
	}
	full := strings.ReplaceAll(runtime.FuncForPC(reflect.ValueOf(compute).Pointer()).Name(), "%2e", ".")
	name := full[strings.LastIndexByte(full, '/')+1:]
	path, of := "", strings.LastIndexByte(name, '.')
	if strings.Count(name, ".") == 1 && !strings.ContainsAny(name, "[-(") {
		path = full[:len(full)-len(name)+of]
	}
	if path == "" || path == "main" {
		failShared(name)
	}
	key, err := json.Marshal(argument)
	var again A // two arguments with the same key would share a value
	if err != nil || json.Unmarshal(key, &again) != nil || !reflect.DeepEqual(argument, again) {
		Fail("show.Shared: %s is called with %#v, which JSON cannot represent completely: use numbers, texts, bools, "+
			"lists or structs of these", name, argument)
	}
	if bad := unsaved(reflect.TypeFor[T](), map[reflect.Type]bool{}); bad != nil {
		Fail("show.Shared: %s returns a %v, and JSON cannot represent all of a %v: give structs exported fields, and "+
			"leave out functions, channels and interfaces", name, reflect.TypeFor[T](), bad)
	}
	pack := func() []byte {
		packed, err := json.Marshal(compute(argument)) // the bytes of a value are always the same
		if err != nil {
			Fail("show.Shared: the value of %s cannot be kept: %v", name, err)
		}
		return packed
	}
	var packed []byte
	if host.Page == nil {
		packed = pack()
	} else if data, err := host.Page.Shared(path, full+"("+string(key)+")", pack); err != nil {
		failShared(name)
	} else {
		packed = data
	}
	var value T // decode even a computed value, so that all pages have the same
	if err := json.Unmarshal(packed, &value); err != nil {
		Fail("show.Shared: the value of %s is not the same after JSON: %v", name, err)
	}
	return value
}

func failShared(name string) {
	Fail("show.Shared: %s is not a function that other pages can call: declare it by func in a package of the book's "+
		"own module, and name it", name)
}

// unsaved returns a type inside a type whose values JSON does not represent completely, or nil if there is none.
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
