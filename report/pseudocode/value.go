package pseudocode

import (
	"fmt"
	"math"
	"strconv"
)

// Table holds values by keys; what is not in it is 0.
type Table struct {
	index   map[string]int
	entries []Entry
}

// Entry is a value of a table and its key.
type Entry struct {
	Key   []any
	Value any
}

func newTable() *Table { return &Table{index: map[string]int{}} }

// Entries returns what is in the table, in the order in which it got there.
func (t *Table) Entries() []Entry { return t.entries }

// At returns the value of a key, 0 if it has none.
func (t *Table) At(key ...any) any {
	if i, ok := t.index[textOf(key)]; ok {
		return t.entries[i].Value
	}
	return int64(0)
}

func (t *Table) set(key []any, value any) {
	text := textOf(key)
	if i, ok := t.index[text]; ok {
		t.entries[i].Value = value
		return
	}
	t.index[text] = len(t.entries)
	t.entries = append(t.entries, Entry{key, value})
}

// textOf writes a key so that different keys are different texts.
func textOf(key []any) string {
	var text []byte
	for _, part := range key {
		switch part := part.(type) {
		case int64:
			text = strconv.AppendInt(text, part, 10)
		case string:
			text = strconv.AppendQuote(text, part)
		default:
			text = fmt.Appendf(text, "%T %v", part, part)
		}
		text = append(text, ',')
	}
	return string(text)
}

// list returns the parts of a value: several values, or the one.
func list(v any) []any {
	if parts, ok := v.([]any); ok {
		return parts
	}
	return []any{v}
}

// constants have names of their own.
var constants = map[string]any{"φ": math.Phi, "∞": math.Inf(1)}

// builtins are the names that every listing knows.
var builtins = func() map[string]bool {
	names := map[string]bool{"min": true, "max": true, "log": true}
	for constant := range constants {
		names[constant] = true
	}
	return names
}()

// fraction returns a number as a float64.
func fraction(v any, line int) float64 {
	switch v := v.(type) {
	case int64:
		return float64(v)
	case float64:
		return v
	}
	panic(fault(line, "%v is no number", v))
}

// arithmetic adds, subtracts, multiplies or divides.
func arithmetic(operator string, a, b any, line int) any {
	x, whole1 := a.(int64)
	y, whole2 := b.(int64)
	if whole1 && whole2 && operator != "/" {
		z, ok := wholly(operator, x, y)
		if !ok {
			panic(fault(line, "%d %s %d is beyond 64 bits", x, operator, y))
		}
		return z
	}
	u, v := fraction(a, line), fraction(b, line)
	switch operator {
	case "+":
		return u + v
	case "−":
		return u - v
	case "·":
		return u * v
	default:
		return u / v
	}
}

// wholly calculates with whole numbers; ok is false where the result has more than 64 bits.
func wholly(operator string, x, y int64) (z int64, ok bool) {
	switch operator {
	case "+":
		z = x + y
		return z, (z > x) == (y > 0)
	case "−":
		z = x - y
		return z, (z < x) == (y > 0)
	default:
		if x == 0 || y == 0 {
			return 0, true
		}
		z = x * y
		return z, z/y == x && (y != -1 || x != math.MinInt64)
	}
}

// compare returns a negative number, 0 or a positive one.
func compare(a, b any, line int) int {
	if x, ok := a.(int64); ok {
		if y, ok := b.(int64); ok {
			return order(x, y)
		}
	}
	return order(fraction(a, line), fraction(b, line))
}

// order is compare for numbers of one kind. What is no number is above all others and not equal to itself.
func order[T int64 | float64](x, y T) int {
	switch {
	case x < y:
		return -1
	case x == y:
		return 0
	}
	return 1
}

// equal reports whether two values are the same.
func equal(a, b any, line int) bool {
	switch x := a.(type) {
	case int64, float64:
		switch b.(type) {
		case int64, float64:
			return compare(a, b, line) == 0
		}
		return false
	case []any:
		y, ok := b.([]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for i := range x {
			if !equal(x[i], y[i], line) {
				return false
			}
		}
		return true
	case *Table:
		y, ok := b.(*Table)
		if !ok || len(x.entries) != len(y.entries) {
			return false
		}
		for _, e := range x.entries {
			if !equal(e.Value, y.At(e.Key...), line) {
				return false
			}
		}
		return true
	}
	return a == b
}

// rounded returns a number rounded up or down, whole if it has at most 53 bits.
func rounded(v any, round func(float64) float64, line int) any {
	if whole, ok := v.(int64); ok {
		return whole
	}
	f := round(fraction(v, line))
	if math.Abs(f) <= 1<<53 {
		return int64(f)
	}
	return f
}

// extreme is min or max: the same number, not what it would be as a fraction.
func extreme(values []any, sign, line int) any {
	best := values[0]
	for _, v := range values[1:] {
		switch {
		case math.IsNaN(fraction(v, line)):
			return v
		case compare(v, best, line)*sign > 0:
			best = v
		}
	}
	return best
}

// sum adds a value to another: a number to a number, or a table to a table.
func sum(to, more any, line int) any {
	table, ok := more.(*Table)
	if !ok {
		return arithmetic("+", to, more, line)
	}
	into, ok := to.(*Table)
	if !ok {
		panic(fault(line, "a table can be added to a table only"))
	}
	for _, e := range table.entries {
		into.set(e.Key, sum(into.At(e.Key...), e.Value, line))
	}
	return into
}
