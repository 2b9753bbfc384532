package values

import (
	"fmt"
	"hash/fnv"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unsafe"
)

// OfSystem reports whether the structs of a package represent something outside the program, or something in its
// runtime.
func OfSystem(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	switch first {
	case "os", "net", "plugin", "reflect", "runtime", "syscall", "unique", "weak":
		return true
	}
	return path == "database/sql" || path == "internal/poll"
}

// layout describes the parts of a type.
type layout struct {
	plain  bool // a value consists only of its own bytes, without pointers
	system bool // see OfSystem
	fields []field
}

type field struct {
	of     reflect.Type
	offset uintptr
}

var layouts = map[reflect.Type]*layout{}

func layoutOf(t reflect.Type) *layout {
	if l := layouts[t]; l != nil {
		return l
	}
	l := &layout{plain: t.Kind() <= reflect.Complex128}
	switch t.Kind() {
	case reflect.Array:
		l.plain = layoutOf(t.Elem()).plain
	case reflect.Struct:
		l.system = OfSystem(t.PkgPath())
		l.plain = !l.system
		for i := range t.NumField() {
			f := t.Field(i)
			l.plain = l.plain && layoutOf(f.Type).plain
			l.fields = append(l.fields, field{f.Type, f.Offset})
		}
	}
	layouts[t] = l
	return l
}

var (
	inProgram [1]byte
	made      = reflect.New(reflect.TypeFor[[64]byte]()).Pointer()
)

// static reports whether an address belongs to a package-level variable. The system places those variables in one range
// of addresses, and memory that a running program allocates in another.
func static(at uintptr) bool {
	distance := func(other uintptr) uintptr { return max(at, other) - min(at, other) }
	return distance(uintptr(unsafe.Pointer(&inProgram))) < distance(made)
}

// expression returns a type in Go's syntax, with the quoted import path in place of each package name. It rejects types
// that a cell cannot name.
func expression(t reflect.Type, local string) string {
	unnamed := refusal("no cell can name its type " + t.String())
	if name := t.Name(); name != "" && t.PkgPath() == "" {
		return name
	} else if name != "" {
		qualified := func(path, name string) string {
			switch {
			case path == "main" && strings.Contains(local, " "+name+" "):
				panic(refusal("its type " + name + " is declared among statements: declare it above them"))
			case path == "main":
				return name
			case name[0] < 'A' || name[0] > 'Z' || slices.Contains(strings.Split(path, "/"), "internal"):
				panic(unnamed)
			}
			return strconv.Quote(path) + "." + name
		}
		name, arguments, generic := strings.Cut(name, "[")
		if strings.Contains(arguments, "·") {
			panic(unnamed)
		}
		if generic {
			var all strings.Builder
			for arguments = "[" + arguments; arguments != ""; {
				end := strings.IndexAny(arguments, "[]*, ")
				if end == 0 {
					all.WriteByte(arguments[0])
					arguments = arguments[1:]
					continue
				}
				of := arguments[:end] // removes the closing bracket
				if at := strings.LastIndexByte(of, '.'); at >= 0 {
					of = qualified(strings.ReplaceAll(of[:at], "%2e", "."), of[at+1:])
				}
				all.WriteString(of)
				arguments = arguments[end:]
			}
			arguments = all.String()
		}
		return qualified(t.PkgPath(), name) + arguments
	}
	switch t.Kind() {
	case reflect.Pointer:
		return "*" + expression(t.Elem(), local)
	case reflect.Slice:
		return "[]" + expression(t.Elem(), local)
	case reflect.Array:
		return "[" + strconv.Itoa(t.Len()) + "]" + expression(t.Elem(), local)
	case reflect.Map:
		return "map[" + expression(t.Key(), local) + "]" + expression(t.Elem(), local)
	case reflect.Interface:
		if t.NumMethod() == 0 {
			return "any"
		}
	case reflect.Struct:
		var fields strings.Builder
		for i := range t.NumField() {
			f := t.Field(i)
			if f.PkgPath != "" && f.PkgPath != "main" || f.Anonymous || f.Tag != "" {
				panic(unnamed)
			}
			fields.WriteString(f.Name + " " + expression(f.Type, local) + "; ")
		}
		return "struct{" + fields.String() + "}"
	}
	if t.Kind() == reflect.Func || t.Kind() == reflect.Chan {
		panic(refusal(fmt.Sprintf("a %v cannot outlive its cell", t.Kind())))
	}
	panic(unnamed)
}

// shapes returns a hash of the given types and of all types that they contain. The hash changes when one of these types
// is redeclared.
func shapes(types []reflect.Type) string {
	sum := fnv.New64a()
	seen := map[reflect.Type]bool{}
	var add func(t reflect.Type)
	add = func(t reflect.Type) {
		fmt.Fprintf(sum, "%v %v %d;", t.Kind(), t, t.Size())
		if seen[t] {
			return
		}
		seen[t] = true
		switch t.Kind() {
		case reflect.Map:
			add(t.Key())
			add(t.Elem())
		case reflect.Pointer, reflect.Slice, reflect.Array:
			add(t.Elem())
		case reflect.Struct:
			for i := range t.NumField() {
				fmt.Fprint(sum, t.Field(i).Name)
				add(t.Field(i).Type)
			}
		}
	}
	for _, t := range types {
		add(t)
	}
	return strconv.FormatUint(sum.Sum64(), 36)
}
