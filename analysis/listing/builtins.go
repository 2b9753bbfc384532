package listing

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// functions lists the functions of the language in alphabetical order.
var functions = []string{
	"abs", "all", "any", "bool", "dict", "enumerate", "int", "len", "list", "max", "min", "print", "range", "reversed",
	"sorted", "str", "sum", "tuple", "zip",
}

// constants lists the values that are words of the language.
var constants = []string{"False", "None", "True"}

// Words returns the words of the language: the words of its grammar and its constants, and the names of its
// functions.
func Words() (fixed, called []string) {
	fixed = slices.Clone(constants)
	for t := syntax.AND; t <= syntax.WHILE; t++ {
		if t != syntax.LOAD && t != syntax.NOT_IN { // listings may not contain load, and "not in" is two words
			fixed = append(fixed, t.String())
		}
	}
	return fixed, slices.Clone(functions)
}

// These are the names of guards. No listing can contain them as names.
const (
	guardDepth   = "()"
	guardKey     = "[]"
	guardPut     = "[]="
	guardSlice   = "[:]"
	guardEntries = "{}"
	guardPairs   = "{:}"
	guardUnary   = "0" // followed by the operator
)

// predeclared has the functions of the language and the guards. It takes precedence over the interpreter's functions,
// and hides the functions that are not part of the language.
var predeclared = func() starlark.StringDict {
	all := starlark.StringDict{}
	for name := range starlark.Universe {
		all[name] = bounded(name, func(*spending, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
			return nil, fmt.Errorf("%s is not part of the language", name)
		})
	}
	for _, name := range constants {
		all[name] = starlark.Universe[name]
	}
	for name, do := range map[string]work{
		"abs": unbounded("abs"), "all": unbounded("all"), "any": unbounded("any"), "bool": unbounded("bool"),
		"len": unbounded("len"), "int": integer, "range": ranged, "sum": sum, "dict": dictionary,
		"min": extreme("min", syntax.LT), "max": extreme("max", syntax.GT), "sorted": sorted,
		"str": written("str"), "print": written("print"),
		"enumerate": shallow("enumerate", 4), "list": shallow("list", 2), "reversed": shallow("reversed", 2),
		"tuple": shallow("tuple", 2), "zip": shallow("zip", 2),
		guardDepth: depth, guardKey: key, guardPut: put, guardSlice: sliced, guardEntries: entries, guardPairs: pairs,
	} {
		all[name] = bounded(name, do)
	}
	for _, op := range []syntax.Token{syntax.MINUS, syntax.PLUS, syntax.TILDE} {
		all[guardUnary+op.String()] = bounded(op.String(), unary(op))
	}
	for _, op := range []syntax.Token{
		syntax.PLUS, syntax.MINUS, syntax.STAR, syntax.SLASHSLASH, syntax.PERCENT, syntax.AMP, syntax.PIPE,
		syntax.CIRCUMFLEX, syntax.LTLT, syntax.GTGT,
	} {
		all[op.String()] = bounded(op.String(), operation(op))
		all[op.String()+"="] = bounded(op.String(), inplace(op))
	}
	for _, op := range []syntax.Token{
		syntax.EQL, syntax.NEQ, syntax.LT, syntax.LE, syntax.GT, syntax.GE, syntax.IN, syntax.NOT_IN,
	} {
		all[op.String()] = bounded(op.String(), operation(op))
	}
	for _, name := range methods {
		all["."+name] = bounded("."+name, method(name))
	}
	all.Freeze()
	return all
}()

// work is the type of the language's own functions.
type work = func(s *spending, args starlark.Tuple, named []starlark.Tuple) (starlark.Value, error)

// bounded returns a function of the language that does the given work.
func bounded(name string, do work) *starlark.Builtin {
	return starlark.NewBuiltin(name, func(
		thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, named []starlark.Tuple,
	) (starlark.Value, error) {
		return do(spent(thread), args, named)
	})
}

// original returns a function of the interpreter.
func original(name string) *starlark.Builtin { return starlark.Universe[name].(*starlark.Builtin) }

// unbounded returns a function of the interpreter that takes at most the time to visit each element of its argument.
func unbounded(name string) work {
	do := original(name)
	return func(s *spending, args starlark.Tuple, named []starlark.Tuple) (starlark.Value, error) {
		if name == "all" || name == "any" {
			if err := s.count(elementsOf(args)); err != nil {
				return nil, err
			}
		}
		value, err := do.CallInternal(s.thread, args, named)
		if number, ok := value.(starlark.Int); ok {
			return s.checked(number)
		}
		return value, err
	}
}

// elementsOf returns the total number of elements of values, without nested ones.
func elementsOf(values starlark.Tuple) (n int) {
	for _, v := range values {
		n += max(0, starlark.Len(v))
	}
	return n
}

// shallow returns a function of the interpreter that creates a value from the elements of its arguments. Each of these
// elements counts as the given number of elements.
func shallow(name string, each int) work {
	do := original(name)
	return func(s *spending, args starlark.Tuple, named []starlark.Tuple) (starlark.Value, error) {
		n := elementsOf(args)
		if err := s.made(n); err != nil {
			return nil, err
		}
		if err := s.count(n * (each - 1)); err != nil {
			return nil, err
		}
		return do.CallInternal(s.thread, args, named)
	}
}

// written returns a function of the interpreter that converts values to strings.
func written(name string) work {
	do := original(name)
	return func(s *spending, args starlark.Tuple, named []starlark.Tuple) (starlark.Value, error) {
		if err := s.looked(args...); err != nil {
			return nil, err
		}
		for _, n := range named { // the separator of print
			if err := s.made(max(0, starlark.Len(n[1])) * len(args)); err != nil {
				return nil, err
			}
		}
		result, err := do.CallInternal(s.thread, args, named)
		if err != nil {
			return nil, err
		}
		return result, s.made(max(0, starlark.Len(result)))
	}
}

// integer implements int. It rejects a string with more digits than a number may have.
func integer(s *spending, args starlark.Tuple, named []starlark.Tuple) (starlark.Value, error) {
	for _, a := range args {
		if text, ok := a.(starlark.String); ok && len(text) > s.limits.Bits {
			return nil, s.tooLong()
		} else if err := s.count(max(0, starlark.Len(a))); err != nil {
			return nil, err
		}
	}
	for _, n := range named {
		if n[1].Type() == "string" {
			return nil, errors.New("int: pass a string as a positional argument, not by name")
		}
	}
	value, err := original("int").CallInternal(s.thread, args, named)
	if number, ok := value.(starlark.Int); ok {
		return s.checked(number)
	}
	return value, err
}

// ranged implements range, with limited length.
func ranged(s *spending, args starlark.Tuple, named []starlark.Tuple) (starlark.Value, error) {
	value, err := original("range").CallInternal(s.thread, args, named)
	if err != nil {
		return nil, err
	}
	if n := starlark.Len(value); n > int(s.limits.Steps) {
		return nil, fmt.Errorf("a range of %d numbers: a call can take at most %d steps", n, s.limits.Steps)
	}
	return value, nil
}

// sum adds numbers, like Python's sum.
func sum(s *spending, args starlark.Tuple, named []starlark.Tuple) (starlark.Value, error) {
	var over starlark.Iterable
	if err := starlark.UnpackArgs("sum", args, named, "iterable", &over); err != nil {
		return nil, err
	}
	if err := s.made(max(0, starlark.Len(over))); err != nil {
		return nil, err
	}
	total := starlark.MakeInt(0)
	for e := range starlark.Elements(over) {
		number, ok := e.(starlark.Int)
		if !ok {
			return nil, fmt.Errorf("sum: %s is %s, not a whole number", Short(e), kind(e))
		}
		total = total.Add(number)
		if _, err := s.checked(total); err != nil {
			return nil, err
		}
	}
	return total, nil
}

// extreme returns the function min or max.
func extreme(name string, op syntax.Token) work {
	do := original(name)
	return func(s *spending, args starlark.Tuple, named []starlark.Tuple) (starlark.Value, error) {
		if len(args) == 2 && len(named) == 0 {
			left, single := args[0].(starlark.Int)
			right, also := args[1].(starlark.Int)
			if single && also {
				if c, _ := right.Cmp(left, 0); c < 0 == (op == syntax.LT) && c != 0 {
					return right, nil
				}
				return left, nil
			}
		}
		if err := s.looked(args...); err != nil {
			return nil, err
		}
		return do.CallInternal(s.thread, args, s.keyed(named, 2))
	}
}

// keyed returns the named arguments. If a function key= is among them, each of its results is counted the given number
// of times.
func (s *spending) keyed(named []starlark.Tuple, times int) []starlark.Tuple {
	named = slices.Clone(named)
	for i, n := range named {
		of, ok := n[1].(starlark.Callable)
		if n[0] != starlark.String("key") || !ok {
			continue
		}
		named[i] = starlark.Tuple{n[0], bounded(of.Name(), func(
			s *spending, args starlark.Tuple, named []starlark.Tuple,
		) (starlark.Value, error) {
			value, err := starlark.Call(s.thread, of, args, named)
			if err != nil {
				return nil, err
			}
			items, err := s.weighed(value)
			if err != nil {
				return nil, err
			}
			return value, s.count(items * (times - 1))
		})}
	}
	return named
}

// sorted implements sorted. It counts each element about as often as it is compared, which is the logarithm of the
// number of elements.
func sorted(s *spending, args starlark.Tuple, named []starlark.Tuple) (starlark.Value, error) {
	if len(args) != 1 {
		return nil, errors.New("sorted takes one list, and the options key= and reverse=")
	}
	items, err := s.weighed(args[0])
	if err != nil {
		return nil, err
	}
	length := max(0, starlark.Len(args[0]))
	times := 2 + bits.Len(uint(length))/4
	if err := s.made(length); err != nil {
		return nil, err
	}
	if err := s.count(items * (times - 1)); err != nil {
		return nil, err
	}
	return original("sorted").CallInternal(s.thread, args, s.keyed(named, times))
}

// newDict returns an empty dictionary.
func (s *spending) newDict() (*starlark.Dict, error) { return new(starlark.Dict), s.count(32) }

// put sets a value in a dictionary.
func (s *spending) put(d *starlark.Dict, key, value starlark.Value) error {
	if err := s.putting(d, key); err != nil {
		return err
	}
	return d.SetKey(key, value)
}

// putAll adds the entries of a dictionary, or of a list of pairs, to a dictionary.
func (s *spending) putAll(d *starlark.Dict, from starlark.Value) error {
	if from, ok := from.(*starlark.Dict); ok {
		for _, item := range from.Items() {
			if err := s.put(d, item[0], item[1]); err != nil {
				return err
			}
		}
		return nil
	}
	over, ok := from.(starlark.Iterable)
	if !ok {
		return fmt.Errorf("dict: %s is %s, not a list of pairs", Short(from), kind(from))
	}
	if err := s.made(max(0, starlark.Len(over))); err != nil {
		return err
	}
	for pair := range starlark.Elements(over) {
		of, ok := pair.(starlark.Indexable)
		if !ok || of.Len() != 2 {
			return fmt.Errorf("dict: %s is not a pair", Short(pair))
		}
		if err := s.put(d, of.Index(0), of.Index(1)); err != nil {
			return err
		}
	}
	return nil
}

// dictionary implements dict.
func dictionary(s *spending, args starlark.Tuple, named []starlark.Tuple) (starlark.Value, error) {
	if len(args) > 1 {
		return nil, errors.New("dict takes one dictionary or list of pairs")
	}
	d, err := s.newDict()
	if err == nil && len(args) == 1 {
		err = s.putAll(d, args[0])
	}
	for _, n := range named {
		if err == nil {
			err = s.put(d, n[0], n[1])
		}
	}
	return d, err
}

// entries returns the dictionary {k: v, l: w} for the list [k, v, l, w].
func entries(s *spending, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	d, err := s.newDict()
	if len(args) == 1 {
		all := args[0].(*starlark.List) // bind wrote this argument
		for i := 0; i < all.Len() && err == nil; i += 2 {
			err = s.put(d, all.Index(i), all.Index(i+1))
		}
	}
	return d, err
}

// pairs returns the dictionary {k: v for …} for a list of pairs.
func pairs(s *spending, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	d, err := s.newDict()
	if err == nil {
		err = s.putAll(d, args[0])
	}
	return d, err
}

// key counts the cost of looking up a key.
func (s *spending) key(key starlark.Value) error {
	if _, number := key.(starlark.Int); number {
		return nil // hashing reads only its lowest bits
	}
	return s.looked(key)
}

// key returns its argument, the key in d[key].
func key(s *spending, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	return args[0], s.key(args[0])
}

// put returns the key in d[key] = value.
func put(s *spending, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	key := args[1]
	d, ok := args[0].(*starlark.Dict)
	if !ok {
		return key, nil
	}
	return key, s.putting(d, key)
}

// putting counts a key before it is put in a dictionary.
func (s *spending) putting(d *starlark.Dict, key starlark.Value) error {
	if err := s.key(key); err != nil {
		return err
	}
	if _, found, err := d.Get(key); err != nil || found {
		return err
	}
	return s.added(d, key)
}

// removing counts the cost of removing a key from a dictionary.
func (s *spending) removing(d *starlark.Dict, key starlark.Value) error {
	if err := s.key(key); err != nil {
		return err
	}
	_, found, err := d.Get(key)
	if found {
		s.removed(d, key)
	}
	return err
}

// sliced returns its argument, a slice, after counting its elements.
func sliced(s *spending, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	return args[0], s.made(max(0, starlark.Len(args[0])))
}

// manyParts is the maximum number of parts of a function whose calls need no more memory than usual.
const manyParts = 512

// depth limits nested calls. Calls of a large function need more memory, and take more time to begin.
func depth(s *spending, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	most := s.limits.Depth
	if len(args) > 0 {
		parts, _ := args[0].(starlark.Int).Int64() // bind wrote this argument
		most = max(1, most*manyParts/int(parts))
		if err := s.count(int(parts) / 16); err != nil {
			return nil, err
		}
	}
	if s.thread.CallStackDepth() > most {
		return nil, fmt.Errorf("more than %d nested calls: the recursion does not end", most)
	}
	return starlark.True, nil
}

// method returns a function that calls a method of a list or a dictionary.
func method(name string) work {
	return func(s *spending, args starlark.Tuple, named []starlark.Tuple) (starlark.Value, error) {
		of, args := args[0], args[1:]
		var err error
		switch of := of.(type) {
		case *starlark.List:
			switch {
			case name == "extend" && len(args) == 1 && len(named) == 0:
				return starlark.None, s.extend(of, args[0])
			case name == "insert" || name == "pop" && len(args) > 0:
				at, _ := starlark.AsInt32(args[:1][0])
				if at < 0 {
					at += of.Len()
				}
				err = s.count(max(0, of.Len()-max(at, 0)) / 32)
			case name == "clear":
				err = s.count(of.Len() / 32)
			}
		case *starlark.Dict:
			switch {
			case name == "items":
				err = s.count(3 * of.Len())
			case name == "clear":
				err = s.count(of.Len())
			case len(args) == 0:
			case name == "setdefault":
				err = s.putting(of, args[0])
			case name == "pop":
				err = s.removing(of, args[0])
			default:
				err = s.key(args[0])
			}
		}
		if err != nil {
			return nil, err
		}
		has, ok := of.(starlark.HasAttrs)
		var called starlark.Value
		if ok {
			if called, err = has.Attr(name); err != nil {
				return nil, err
			}
		}
		if called == nil {
			return nil, fmt.Errorf("%s is %s, which has no method %s", Short(of), kind(of), name)
		}
		result, err := called.(*starlark.Builtin).CallInternal(s.thread, args, named)
		if list, ok := result.(*starlark.List); ok && err == nil && name != "get" && name != "pop" &&
			name != "setdefault" {
			err = s.made(list.Len())
		}
		return result, err
	}
}

// extend appends values to a list.
func (s *spending) extend(list *starlark.List, values starlark.Value) error {
	over, ok := values.(starlark.Iterable)
	if !ok {
		return fmt.Errorf("%s has no elements", Short(values))
	}
	n := max(0, starlark.Len(values))
	if n+list.Len() > s.limits.Items {
		return s.made(n + list.Len())
	}
	if err := s.count(2 * n); err != nil {
		return err
	}
	for _, e := range slices.Collect(starlark.Elements(over)) {
		if err := list.Append(e); err != nil {
			return err
		}
	}
	return nil
}

// inplace returns the function for x op= y. It returns the new value of x; a list or a dictionary is changed in
// place.
func inplace(op syntax.Token) work {
	operation := operation(op)
	return func(s *spending, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		switch x := args[0].(type) {
		case *starlark.List:
			if op == syntax.PLUS {
				return x, s.extend(x, args[1])
			}
		case *starlark.Dict:
			if y, ok := args[1].(*starlark.Dict); ok && op == syntax.PIPE {
				return x, s.putAll(x, y)
			}
		}
		return operation(s, args, nil)
	}
}

// unary returns the function for an operation on one number.
func unary(op syntax.Token) work {
	return func(s *spending, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		value, err := starlark.Unary(op, args[0])
		if number, ok := value.(starlark.Int); ok {
			return s.checked(number)
		}
		return value, err
	}
}

// operation returns the function for x op y.
func operation(op syntax.Token) work {
	do := others(op)
	return func(s *spending, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		x, single := args[0].(starlark.Int)
		y, also := args[1].(starlark.Int)
		if single && also {
			return s.number(op, x, y)
		}
		return do(s, args[0], args[1])
	}
}

// number computes an operation on two numbers.
func (s *spending) number(op syntax.Token, x, y starlark.Int) (starlark.Value, error) {
	switch op {
	case syntax.PLUS:
		return s.checked(x.Add(y))
	case syntax.MINUS:
		return s.checked(x.Sub(y))
	case syntax.EQL, syntax.NEQ, syntax.LT, syntax.LE, syntax.GT, syntax.GE:
		holds, err := starlark.Compare(op, x, y)
		return starlark.Bool(holds), err
	case syntax.STAR, syntax.SLASHSLASH, syntax.PERCENT:
		m, n := bitLen(x), bitLen(y)
		if op == syntax.STAR && m+n > s.limits.Bits {
			return nil, s.tooLong()
		}
		if m > smallBits || n > smallBits {
			if err := s.count((m / 64) * (n / 64) / 32); err != nil {
				return nil, err
			}
		}
	case syntax.LTLT:
		shift, ok := y.Uint64()
		if y.Sign() > 0 && (!ok || shift > uint64(s.limits.Bits) || bitLen(x)+int(shift) > s.limits.Bits) {
			return nil, s.tooLong()
		}
	}
	value, err := starlark.Binary(op, x, y)
	if number, ok := value.(starlark.Int); ok {
		return s.checked(number)
	}
	return value, err
}

// others returns the function for an operation on two values that are not both numbers.
func others(op syntax.Token) func(s *spending, x, y starlark.Value) (starlark.Value, error) {
	switch op {
	case syntax.EQL, syntax.NEQ, syntax.LT, syntax.LE, syntax.GT, syntax.GE:
		return func(s *spending, x, y starlark.Value) (starlark.Value, error) {
			if x.Type() == y.Type() {
				if err := s.looked(x, y); err != nil {
					return nil, err
				}
			}
			holds, err := starlark.Compare(op, x, y)
			return starlark.Bool(holds), err
		}
	case syntax.PLUS:
		return func(s *spending, x, y starlark.Value) (starlark.Value, error) {
			if err := s.made(max(starlark.Len(x), 0) + max(starlark.Len(y), 0)); err != nil {
				return nil, err
			}
			return starlark.Binary(op, x, y)
		}
	case syntax.STAR:
		return repeated
	case syntax.PERCENT:
		return formatted
	case syntax.PIPE:
		return func(s *spending, x, y starlark.Value) (starlark.Value, error) {
			left, single := x.(*starlark.Dict)
			right, also := y.(*starlark.Dict)
			if !single || !also {
				return starlark.Binary(op, x, y)
			}
			d, err := s.newDict()
			for _, from := range []*starlark.Dict{left, right} {
				if err == nil {
					err = s.putAll(d, from)
				}
			}
			return d, err
		}
	case syntax.IN, syntax.NOT_IN:
		return func(s *spending, x, y starlark.Value) (starlark.Value, error) {
			values := starlark.Tuple{x, y}
			if _, dict := y.(*starlark.Dict); dict {
				values = values[:1]
			}
			if err := s.looked(values...); err != nil {
				return nil, err
			}
			in, err := starlark.Binary(syntax.IN, x, y)
			if err != nil {
				return nil, err
			}
			return starlark.Bool(bool(in.(starlark.Bool)) == (op == syntax.IN)), nil
		}
	}
	return func(_ *spending, x, y starlark.Value) (starlark.Value, error) { return starlark.Binary(op, x, y) }
}

// repeated returns a string, list or tuple repeated a number of times.
func repeated(s *spending, x, y starlark.Value) (starlark.Value, error) {
	times, of := x, y
	if _, ok := times.(starlark.Int); !ok {
		times, of = y, x
	}
	size := starlark.Len(of)
	if number, ok := times.(starlark.Int); ok && size > 0 && number.Sign() > 0 {
		n, ok := number.Uint64()
		over, low := bits.Mul64(n, uint64(size))
		if !ok || over > 0 || low > 1<<40 {
			return nil, fmt.Errorf("a value of more than %d elements", s.limits.Items)
		}
		if err := s.made(int(low)); err != nil {
			return nil, err
		}
	}
	return starlark.Binary(syntax.STAR, x, y)
}

// formatted returns a string with values in place of its % signs.
func formatted(s *spending, x, y starlark.Value) (starlark.Value, error) {
	if _, dict := y.(*starlark.Dict); dict {
		return nil, errors.New("string % dictionary is not part of the language: put the values in brackets")
	}
	if err := s.looked(x, y); err != nil {
		return nil, err
	}
	value, err := starlark.Binary(syntax.PERCENT, x, y)
	if err != nil {
		return nil, err
	}
	return value, s.made(max(0, starlark.Len(value)))
}
