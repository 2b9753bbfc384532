package listing

import (
	"errors"
	"fmt"
	"maps"
	"math/bits"
	"slices"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// spending is what the call of a thread has made so far.
type spending struct {
	thread *starlark.Thread
	limits Limits
	items  int
}

const spendingKey = "spending"

func spent(thread *starlark.Thread) *spending { return thread.Local(spendingKey).(*spending) }

// made counts items that an operation makes, if possible before it makes them.
func (s *spending) made(items int) error {
	if items > s.limits.Items {
		return fmt.Errorf("a value of %d elements: at most %d", items, s.limits.Items)
	}
	if s.items += items; s.items > s.limits.Total {
		return fmt.Errorf("more than %d elements in one call: make fewer", s.limits.Total)
	}
	return nil
}

// looked counts what an operation looks through, which is all that its values hold, as often as they hold it.
func (s *spending) looked(values ...starlark.Value) error {
	items := 0
	for _, v := range values {
		items += weight(v, s.limits.Items-items)
	}
	return s.made(items)
}

// weight is how many values a value holds, itself included, counted no farther than the bound.
func weight(v starlark.Value, bound int) int {
	if bound <= 0 {
		return 1
	}
	items := 1
	switch v := v.(type) {
	case starlark.String:
		items += v.Len()
	case starlark.Tuple, *starlark.List:
		if size := starlark.Len(v); size > bound {
			return size
		}
		for e := range starlark.Elements(v.(starlark.Iterable)) {
			if items > bound {
				break
			}
			items += weight(e, bound-items)
		}
	case *starlark.Dict:
		if items += 2 * v.Len(); items > bound {
			break
		}
		for _, e := range v.Items() {
			if items > bound {
				break
			}
			items += weight(e[0], bound-items) + weight(e[1], bound-items)
		}
	case starlark.Sequence: // range
		items += v.Len()
	}
	return items
}

// functions are those of the language, in alphabetical order.
var functions = []string{
	"abs", "all", "any", "bool", "dict", "enumerate", "int", "len", "list", "max", "min", "print", "range", "reversed",
	"sorted", "str", "sum", "tuple", "zip",
}

// constants are the values that have a word of their own.
var constants = []string{"False", "None", "True"}

// Words returns the words of the language: those of its grammar and of its constants, and the names of its functions.
func Words() (fixed, called []string) {
	fixed = slices.Clone(constants)
	for t := syntax.AND; t <= syntax.WHILE; t++ {
		if t != syntax.LOAD && t != syntax.NOT_IN { // load is refused, not in is two words
			fixed = append(fixed, t.String())
		}
	}
	return fixed, slices.Clone(functions)
}

// predeclared are the functions of the language and the guards; they stand before those of the interpreter, of which
// the others are hidden.
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
	for _, name := range functions {
		if original, ok := starlark.Universe[name].(*starlark.Builtin); ok {
			all[name] = bounded(name, weighed(original))
		}
	}
	maps.Copy(all, starlark.StringDict{ // these have no original, or take its place
		"range":                  bounded("range", ranged),
		"sum":                    bounded("sum", sum),
		guardName + "_depth":     bounded("depth", depth),
		guardName + "_made":      bounded("made", made),
		guardName + "_extend":    bounded("extend", extend),
		guardName + "_inplace":   bounded("inplace", inplace),
		guardName + "_operation": bounded("operation", operation),
	})
	all.Freeze()
	return all
}()

// work is what a function of ours does.
type work = func(s *spending, args starlark.Tuple, named []starlark.Tuple) (starlark.Value, error)

// bounded is a function of ours.
func bounded(name string, do work) *starlark.Builtin {
	return starlark.NewBuiltin(name, func(
		thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, named []starlark.Tuple,
	) (starlark.Value, error) {
		return do(spent(thread), args, named)
	})
}

// weighed is a function of the interpreter whose arguments and results are looked at first, unless they are numbers.
func weighed(original *starlark.Builtin) work {
	return func(s *spending, args starlark.Tuple, named []starlark.Tuple) (starlark.Value, error) {
		plain := true
		for _, a := range args {
			_, number := a.(starlark.Int)
			plain = plain && number
		}
		if plain && len(named) == 0 && original.Name() != "str" && original.Name() != "print" {
			return original.CallInternal(s.thread, args, nil)
		}
		if original.Name() != "len" && original.Name() != "bool" {
			if err := s.looked(args...); err != nil {
				return nil, err
			}
		}
		result, err := original.CallInternal(s.thread, args, named)
		if err != nil {
			return nil, err
		}
		if _, ok := result.(starlark.Float); ok {
			return nil, errors.New("fractions are not part of the language")
		}
		return result, s.looked(result)
	}
}

// unbounded is range of any length.
var unbounded = starlark.Universe["range"].(*starlark.Builtin)

// ranged is range of a bounded length.
func ranged(s *spending, args starlark.Tuple, named []starlark.Tuple) (starlark.Value, error) {
	value, err := unbounded.CallInternal(s.thread, args, named)
	if err != nil {
		return nil, err
	}
	if n := starlark.Len(value); n > int(s.limits.Steps) {
		return nil, fmt.Errorf("a range of %d numbers: a call takes at most %d steps", n, s.limits.Steps)
	}
	return value, nil
}

// sum adds numbers, as Python's does.
func sum(s *spending, args starlark.Tuple, named []starlark.Tuple) (starlark.Value, error) {
	var over starlark.Iterable
	if err := starlark.UnpackArgs("sum", args, named, "iterable", &over); err != nil {
		return nil, err
	}
	if err := s.looked(over); err != nil {
		return nil, err
	}
	total := starlark.MakeInt(0)
	for e := range starlark.Elements(over) {
		number, ok := e.(starlark.Int)
		if !ok {
			return nil, fmt.Errorf("sum: %s is %s, no whole number", short(e), kind(e))
		}
		total = total.Add(number)
	}
	return total, nil
}

// made looks at a value that has been made: a slice, a tuple, the result of a method.
func made(s *spending, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	value := args[0]
	if tuple, ok := value.(starlark.Tuple); ok {
		if tupleWeight(tuple, maxTuple) > maxTuple {
			return nil, fmt.Errorf("a tuple that holds more than %d values: use a list", maxTuple)
		}
	}
	switch value := value.(type) {
	case *starlark.List, starlark.String, starlark.Tuple:
		return value, s.made(starlark.Len(value))
	}
	return value, nil
}

// tupleWeight is how many values a tuple is as a key: lists in it are none.
func tupleWeight(tuple starlark.Tuple, bound int) int {
	items := 1
	for _, e := range tuple {
		if items++; items > bound {
			break
		}
		if inner, ok := e.(starlark.Tuple); ok {
			items += tupleWeight(inner, bound-items)
		}
	}
	return items
}

// depth bounds calls inside of each other.
func depth(s *spending, _ starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	if most := s.limits.Depth; s.thread.CallStackDepth() > most {
		return nil, fmt.Errorf("more than %d calls inside of each other: the recursion does not end", most)
	}
	return starlark.True, nil
}

// maxTuple bounds what a tuple holds, in the tuples in it too: as a key it is walked through each time.
const maxTuple = 1000

func extend(s *spending, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	list, ok := args[0].(*starlark.List)
	if !ok {
		return nil, fmt.Errorf("extend: %s is no list", short(args[0]))
	}
	return starlark.None, extended(s, list, args[1])
}

// extended adds values at the end of a list.
func extended(s *spending, list *starlark.List, values starlark.Value) error {
	over, ok := values.(starlark.Iterable)
	if !ok {
		return fmt.Errorf("%s has no elements", short(values))
	}
	if n := starlark.Len(values); n >= 0 {
		if err := s.made(n + list.Len()); err != nil {
			return err
		}
	}
	for _, e := range slices.Collect(starlark.Elements(over)) {
		if err := list.Append(e); err != nil {
			return err
		}
	}
	return nil
}

// inplace is the value of x after x += y: a list stays the same list.
func inplace(s *spending, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	if list, ok := args[1].(*starlark.List); ok && operator(args[0]) == syntax.PLUS {
		return list, extended(s, list, args[2])
	}
	return operation(s, args, nil)
}

// operator is that of a guard's first argument.
func operator(number starlark.Value) syntax.Token {
	op, _ := number.(starlark.Int).Int64() // bind has written it
	return syntax.Token(op)
}

// operation is x op y, of bounded size.
func operation(s *spending, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	op, x, y := operator(args[0]), args[1], args[2]
	left, single := x.(starlark.Int)
	right, also := y.(starlark.Int)
	switch op {
	case syntax.EQL, syntax.NEQ, syntax.LT, syntax.LE, syntax.GT, syntax.GE:
		if !single && !also {
			if err := s.looked(x, y); err != nil {
				return nil, err
			}
		}
		holds, err := starlark.Compare(op, x, y)
		return starlark.Bool(holds), err
	case syntax.STAR:
		if single && also {
			return number(s, bitLen(left)+bitLen(right), op, x, y)
		}
		times, of := left, y
		if also {
			times, of = right, x
		}
		n, ok := times.Int64()
		size := starlark.Len(of)
		if over, low := bits.Mul64(uint64(max(n, 0)), uint64(max(size, 0))); (!ok && times.Sign() > 0) || over > 0 ||
			low > 1<<40 {
			return nil, fmt.Errorf("a value of more than %d elements", s.limits.Items)
		}
		if err := s.made(int(max(n, 0)) * max(size, 0)); err != nil {
			return nil, err
		}
	case syntax.LTLT:
		shift, ok := right.Uint64()
		if single && also && (!ok || shift > uint64(s.limits.Bits)) && right.Sign() > 0 {
			return nil, fmt.Errorf("a number of more than %d bits", s.limits.Bits)
		}
		return number(s, bitLen(left)+int(shift), op, x, y)
	case syntax.PLUS:
		if single && also {
			break
		}
		if err := s.made(max(starlark.Len(x), 0) + max(starlark.Len(y), 0)); err != nil {
			return nil, err
		}
	default: // in, not in, %, |
		if single && also {
			break
		}
		if _, dict := y.(*starlark.Dict); !dict || op == syntax.PIPE {
			if err := s.looked(x, y); err != nil {
				return nil, err
			}
		}
	}
	value, err := binary(op, x, y)
	if err == nil {
		_, err = made(s, starlark.Tuple{value}, nil)
	}
	return value, err
}

// bitLen is how many bits a number has.
func bitLen(i starlark.Int) int {
	if n, ok := i.Int64(); ok {
		return bits.Len64(uint64(max(n, -n)))
	}
	return i.BigInt().BitLen()
}

// number is an operation of two numbers whose result has no more bits than that.
func number(s *spending, size int, op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	if size > s.limits.Bits {
		return nil, fmt.Errorf("a number of more than %d bits", s.limits.Bits)
	}
	return binary(op, x, y)
}

func binary(op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	if op == syntax.NOT_IN {
		in, err := starlark.Binary(syntax.IN, x, y)
		if err != nil {
			return nil, err
		}
		return !in.(starlark.Bool), nil
	}
	return starlark.Binary(op, x, y)
}
