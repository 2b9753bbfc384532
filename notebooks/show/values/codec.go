package values

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"
	"unsafe"
)

// refusal is the reason why a value cannot be stored.
type refusal string

// object is the memory that a pointer, a slice or a map points to.
type object struct {
	at   uintptr
	of   reflect.Type // the type of the pointer, slice or map
	size uintptr      // 0 for a map
	used int          // the length of a slice
}

type encoder struct {
	data  []byte
	room  int
	local string
	ids   map[object]int
	count int            // the number of objects
	held  []reflect.Type // the types of values in interfaces
	depth int
}

// encode returns variables as bytes, or the reason why they cannot be stored.
func encode(local string, room int, variables ...Variable) (e *encoder, why refusal) {
	e = &encoder{room: room, local: local, ids: map[object]int{}}
	defer func() {
		if said := recover(); said != nil {
			var is bool
			if why, is = said.(refusal); !is {
				panic(said)
			}
		}
	}()
	for _, v := range variables {
		expression(v.value.Type(), local)
		e.value(v.value.Type(), v.value.Addr().UnsafePointer())
	}
	return e, ""
}

func (e *encoder) number(n int) { e.data = binary.AppendUvarint(e.data, uint64(n)) }

// deepest limits how deeply values may be nested.
const deepest = 1 << 20

// value appends the value stored at an address. It rejects functions, channels, values that belong to the system or to
// the process, variables of other packages, and types that a cell cannot name. It accepts their nil values.
func (e *encoder) value(t reflect.Type, place unsafe.Pointer) {
	if e.depth++; e.depth > deepest || len(e.data) > e.room {
		panic(refusal(fmt.Sprintf("the values of a cell take more than %d MB", Most>>20)))
	}
	if l := layoutOf(t); l.plain {
		e.raw(place, t.Size())
	} else {
		e.parts(t, l, place)
	}
	e.depth--
}

func (e *encoder) parts(t reflect.Type, l *layout, place unsafe.Pointer) {
	switch t.Kind() {
	case reflect.String:
		text := *(*string)(place)
		e.number(len(text))
		e.data = append(e.data, text...)
		return
	case reflect.Array:
		e.list(t.Elem(), place, t.Len())
		return
	case reflect.Struct:
		switch {
		case t == reflect.TypeFor[time.Time]():
			e.time(*(*time.Time)(place))
			return
		case l.system:
			panic(refusal("a value of type " + t.String() + " cannot outlive its cell"))
		}
		for _, f := range l.fields {
			e.value(f.of, unsafe.Add(place, f.offset))
		}
		return
	}
	switch v := reflect.NewAt(t, place).Elem(); t.Kind() {
	case reflect.Pointer:
		of := t.Elem()
		if e.begin(v.IsNil(), object{v.Pointer(), t, of.Size(), 0}) {
			if path := of.PkgPath(); path != "" && path != "main" && static(v.Pointer()) {
				panic(refusal("it points to a variable of package " + path))
			}
			e.value(of, v.UnsafePointer())
		}
	case reflect.Slice:
		if e.begin(v.IsNil(), object{v.Pointer(), t, uintptr(v.Cap()) * t.Elem().Size(), v.Len()}) {
			e.number(v.Len())
			e.number(v.Cap())
			e.list(t.Elem(), v.UnsafePointer(), v.Cap())
		}
	case reflect.Map:
		if e.begin(v.IsNil(), object{v.Pointer(), t, 0, 0}) {
			e.entries(v)
		}
	case reflect.Interface:
		if v.IsNil() {
			e.number(0)
			return
		}
		of := v.Elem().Type()
		expression(of, e.local)
		at := slices.Index(e.held, of)
		if at < 0 {
			at, e.held = len(e.held), append(e.held, of)
		}
		e.number(at + 1)
		held := reflect.New(of)
		held.Elem().Set(v.Elem())
		e.value(of, held.UnsafePointer())
	default: // functions, channels, unsafe.Pointer
		if !v.IsZero() {
			panic(refusal(fmt.Sprintf("a %v cannot outlive its cell", t.Kind())))
		}
	}
}

// list appends elements.
func (e *encoder) list(of reflect.Type, place unsafe.Pointer, n int) {
	if layoutOf(of).plain {
		e.raw(place, of.Size()*uintptr(n))
		return
	}
	for i := range n {
		e.value(of, unsafe.Add(place, uintptr(i)*of.Size()))
	}
}

func (e *encoder) raw(place unsafe.Pointer, size uintptr) {
	e.data = append(e.data, unsafe.Slice((*byte)(place), size)...)
}

// begin reports whether the content of an object must follow. It need not follow if the object is nil or has already
// been written.
func (e *encoder) begin(null bool, o object) bool {
	id, known := e.ids[o]
	switch {
	case null:
		e.number(0)
	case known && (o.size > 0 || o.of.Kind() == reflect.Map):
		e.number(id + 2)
	default:
		e.number(1)
		e.ids[o] = e.count
		e.count++
		return true
	}
	return false
}

// entries appends a map, sorted by the bytes of its keys. Several keys may have the same bytes if they are NaN.
func (e *encoder) entries(m reflect.Value) {
	all := map[string][]reflect.Value{}
	outer, objects := e.data, e.count
	for it := m.MapRange(); it.Next(); {
		key, value := reflect.New(m.Type().Key()), reflect.New(m.Type().Elem())
		key.Elem().SetIterKey(it)
		value.Elem().SetIterValue(it)
		e.data = nil
		if e.value(m.Type().Key(), key.UnsafePointer()); e.count > objects {
			panic(refusal("it contains a map with pointers as keys"))
		}
		all[string(e.data)] = append(all[string(e.data)], value)
	}
	e.data = outer
	e.number(m.Len())
	for _, key := range slices.Sorted(maps.Keys(all)) {
		for _, value := range all[key] {
			e.data = append(e.data, key...)
			e.value(m.Type().Elem(), value.UnsafePointer())
		}
	}
}

// time appends a time without its monotonic clock reading.
func (e *encoder) time(t time.Time) {
	if t.Location() != time.UTC && t.Location() != time.Local {
		panic(refusal("it contains a time in a zone other than UTC and local"))
	}
	e.data = binary.AppendVarint(e.data, t.Unix())
	e.number(2*t.Nanosecond() + map[bool]int{true: 1}[t.Location() == time.UTC])
}

// decoder reads the output of an encoder.
type decoder struct {
	data    []byte
	held    []reflect.Type
	objects []reflect.Value
}

func (d *decoder) number() int {
	n, size := binary.Uvarint(d.data)
	d.data = d.data[size:]
	return int(n)
}

func (d *decoder) bytes(n int) (b []byte) {
	b, d.data = d.data[:n], d.data[n:]
	return b
}

// value decodes a value and stores it at an address.
func (d *decoder) value(t reflect.Type, place unsafe.Pointer) {
	l := layoutOf(t)
	switch {
	case l.plain:
		d.raw(place, t.Size())
	case t.Kind() == reflect.String:
		*(*string)(place) = string(d.bytes(d.number()))
	case t.Kind() == reflect.Array:
		d.list(t.Elem(), place, t.Len())
	case t == reflect.TypeFor[time.Time]():
		*(*time.Time)(place) = d.time()
	case t.Kind() == reflect.Struct:
		for _, f := range l.fields {
			d.value(f.of, unsafe.Add(place, f.offset))
		}
	case t.Kind() == reflect.Interface:
		if n := d.number(); n > 0 {
			held := reflect.New(d.held[n-1])
			d.value(d.held[n-1], held.UnsafePointer())
			reflect.NewAt(t, place).Elem().Set(held.Elem())
		}
	case t.Kind() == reflect.Pointer, t.Kind() == reflect.Slice, t.Kind() == reflect.Map:
		v := reflect.NewAt(t, place).Elem()
		switch n := d.number(); {
		case n == 1:
			d.object(v)
		case n > 1:
			v.Set(d.objects[n-2])
		}
	}
}

func (d *decoder) list(of reflect.Type, place unsafe.Pointer, n int) {
	if layoutOf(of).plain {
		d.raw(place, of.Size()*uintptr(n))
		return
	}
	for i := range n {
		d.value(of, unsafe.Add(place, uintptr(i)*of.Size()))
	}
}

func (d *decoder) raw(place unsafe.Pointer, size uintptr) {
	copy(unsafe.Slice((*byte)(place), size), d.bytes(int(size)))
}

// object creates the memory that a pointer, a slice or a map points to. The content of the memory may point back to it.
func (d *decoder) object(v reflect.Value) {
	t := v.Type()
	switch t.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(t.Elem()))
		d.objects = append(d.objects, reflect.ValueOf(v.Interface()))
		d.value(t.Elem(), v.UnsafePointer())
	case reflect.Slice:
		length, room := d.number(), d.number()
		whole := reflect.MakeSlice(t, room, room)
		v.Set(whole.Slice(0, length))
		d.objects = append(d.objects, reflect.ValueOf(v.Interface()))
		d.list(t.Elem(), whole.UnsafePointer(), room)
	case reflect.Map:
		v.Set(reflect.MakeMap(t))
		d.objects = append(d.objects, reflect.ValueOf(v.Interface()))
		for range d.number() {
			key, value := reflect.New(t.Key()), reflect.New(t.Elem())
			d.value(t.Key(), key.UnsafePointer())
			d.value(t.Elem(), value.UnsafePointer())
			v.SetMapIndex(key.Elem(), value.Elem())
		}
	}
}

func (d *decoder) time() time.Time {
	seconds, size := binary.Varint(d.data)
	d.data = d.data[size:]
	rest := d.number()
	t := time.Unix(seconds, int64(rest/2))
	if rest%2 == 1 {
		t = t.UTC()
	}
	return t
}

// groups encodes variables. Variables that share memory form a group.
func groups(local string, variables []Variable) (all []group) {
	kept, why := make([]*encoder, len(variables)), make([]refusal, len(variables))
	room := Most
	for i, v := range variables {
		if kept[i], why[i] = encode(local, room, v); why[i] == "" {
			room -= len(kept[i].data)
		}
	}
	refuseOverlaps(variables, kept, why)
	of, first := make([]int, len(variables)), map[object]int{} // the first variable of each group and object
	for i := range variables {
		if of[i] = i; why[i] != "" {
			continue
		}
		for o := range kept[i].ids {
			if j, shared := first[o]; !shared {
				first[o] = i
			} else if a, b := of[i], of[j]; a != b {
				for k := range i + 1 {
					if of[k] == max(a, b) {
						of[k] = min(a, b)
					}
				}
			}
		}
	}
	for i, v := range variables {
		g := group{why: string(why[i])}
		for k := range variables {
			if of[k] == i {
				g.variables = append(g.variables, variables[k])
			}
		}
		switch e := kept[i]; {
		case why[i] != "":
			g.variables = []Variable{v}
		case len(g.variables) == 0:
			continue
		default:
			if len(g.variables) > 1 {
				e, _ = encode(local, 2*Most, g.variables...)
			}
			g.describe(e)
		}
		all = append(all, g)
	}
	return all
}

// refuseOverlaps rejects variables that point into the middle of memory that they or other variables point to. Memory
// is shared as a whole or not at all.
func refuseOverlaps(variables []Variable, kept []*encoder, why []refusal) {
	type span struct {
		object
		variable int
		own      bool
	}
	var spans []span
	for i, v := range variables {
		if why[i] != "" {
			continue
		}
		if v.own {
			of := v.value.Type()
			spans = append(spans, span{object{v.value.Addr().Pointer(), of, of.Size(), 0}, i, true})
		}
		for o := range kept[i].ids {
			spans = append(spans, span{o, i, false})
		}
	}
	slices.SortFunc(spans, func(a, b span) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(b.size, a.size), cmp.Compare(a.variable, b.variable))
	})
	into := func(bad, other span) {
		name := variables[other.variable].name
		if bad.variable == other.variable {
			name = "itself"
		}
		why[bad.variable] = refusal("it points into " + name)
	}
	var open span // the span that reaches farthest
	for _, s := range spans {
		switch {
		case s.size == 0 || why[s.variable] != "":
		case s.at >= open.at+open.size || why[open.variable] != "":
			open = s
		case s.own:
			into(open, s)
			open = s
		case s.object != open.object || open.own:
			into(s, open)
		}
	}
}
