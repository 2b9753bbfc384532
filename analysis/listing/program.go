package listing

import (
	"cmp"
	"math/big"
	"slices"

	"go.starlark.net/starlark"
)

// Program is a text that defines functions which call each other, such as the listings of a book. Several goroutines
// may call them at once.
type Program struct {
	notData
	listing *Listing
	globals starlark.StringDict
}

// Function names a function of a program that is handed to another one.
type Function string

// Tuple is an argument that is a tuple.
type Tuple []any

// Entry is a key of a dictionary with its value.
type Entry struct{ Key, Value any }

// ReadProgram reads a program. Zero limits are those of DefaultLimits, for each call. The error is an *Error.
func ReadProgram(file string, text []byte, limits Limits) (*Program, error) {
	l := &Listing{Name: Name(file), file: file, text: string(text), limits: limits.orDefault()}
	globals, err := l.run(limits)
	if err != nil {
		return nil, err
	}
	return &Program{listing: l, globals: globals}, nil
}

// Functions returns the names of the functions that the text defines, in alphabetical order.
func (p *Program) Functions() []string {
	p.must()
	names := p.globals.Keys()
	return slices.DeleteFunc(names, func(name string) bool {
		_, ok := p.globals[name].(*starlark.Function)
		return !ok
	})
}

// Call calls a function. Arguments are int64, string, bool, nil, [Function], a function from int64 to int64, and lists
// of them, []any, or [Tuple]. The result is one of these; a tuple is a list then, a dictionary []Entry, and a number
// beyond int64 a *big.Int. The error is an *Error.
func (p *Program) Call(function string, arguments ...any) (any, error) {
	p.must()
	f, ok := p.globals[function].(*starlark.Function)
	if !ok {
		return nil, p.listing.fault("there is no function %s", function)
	}
	values, err := p.valuesOf(arguments)
	if err != nil {
		return nil, err
	}
	thread := p.listing.threads.Get().(*starlark.Thread)
	defer p.listing.threads.Put(thread)
	p.listing.renew(thread)
	result, err := starlark.Call(thread, f, values, nil)
	if err != nil {
		return nil, p.listing.failed(err)
	}
	return p.fromValue(result)
}

func (p *Program) valuesOf(all []any) ([]starlark.Value, error) {
	values := make([]starlark.Value, len(all))
	for i, v := range all {
		switch v := v.(type) {
		case int64:
			values[i] = starlark.MakeInt64(v)
		case string:
			values[i] = starlark.String(v)
		case bool:
			values[i] = starlark.Bool(v)
		case nil:
			values[i] = starlark.None
		case Function:
			f, ok := p.globals[string(v)]
			if !ok {
				return nil, p.listing.fault("there is no function %s", v)
			}
			values[i] = f
		case func(int64) int64:
			values[i] = bounded("function", ofNumber(v))
		case Tuple:
			elements, err := p.valuesOf(v)
			if err != nil {
				return nil, err
			}
			values[i] = starlark.Tuple(elements)
		case []any:
			elements, err := p.valuesOf(v)
			if err != nil {
				return nil, err
			}
			values[i] = starlark.NewList(elements)
		default:
			return nil, p.listing.fault("an argument of the type %T: programs have none", v)
		}
	}
	return values, nil
}

// ofNumber lets a program call a function from numbers to numbers.
func ofNumber(f func(int64) int64) work {
	return func(_ *spending, args starlark.Tuple, named []starlark.Tuple) (starlark.Value, error) {
		var of int64
		if err := starlark.UnpackPositionalArgs("function", args, named, 1, &of); err != nil {
			return nil, err
		}
		return starlark.MakeInt64(f(of)), nil
	}
}

func (p *Program) fromValue(value starlark.Value) (any, error) {
	switch v := value.(type) {
	case starlark.NoneType:
		return nil, nil
	case starlark.Bool:
		return bool(v), nil
	case starlark.String:
		return string(v), nil
	case starlark.Int:
		if n, ok := v.Int64(); ok {
			return n, nil
		}
		return new(big.Int).Set(v.BigInt()), nil
	case *starlark.Dict:
		entries := []Entry{}
		for _, item := range v.Items() {
			key, err1 := p.fromValue(item[0])
			value, err2 := p.fromValue(item[1])
			if err := cmp.Or(err1, err2); err != nil {
				return nil, err
			}
			entries = append(entries, Entry{key, value})
		}
		return entries, nil
	case starlark.Iterable:
		list := []any{}
		for e := range starlark.Elements(v) {
			element, err := p.fromValue(e)
			if err != nil {
				return nil, err
			}
			list = append(list, element)
		}
		return list, nil
	}
	return nil, p.listing.fault("a function returns %s, %s: it has to return numbers, texts or lists", short(value),
		kind(value))
}

// must panics unless ReadProgram has made the program.
func (p *Program) must() {
	if p == nil || p.listing == nil {
		panic("listing: a Program that is not made by ReadProgram")
	}
}
