// Package enum gives the enumerations of the games their names, and reads values from them.
package enum

import (
	"fmt"
	"reflect"
	"strings"
)

// Names are the names of the values 0, 1, 2, ... of an enumeration.
type Names[T ~int8] struct {
	noun  string // the word for a value in errors
	names []string
}

// Of returns the names of a table's rows. Row i belongs to the value i.
func Of[T ~int8, Row any](noun string, table []Row, name func(Row) string) Names[T] {
	n := Names[T]{noun: noun}
	for _, row := range table {
		n.names = append(n.names, name(row))
	}
	return n
}

// New returns Names with the names that are passed, in place of the rows of a table.
func New[T ~int8](noun string, names ...string) Names[T] { return Names[T]{noun, names} }

// All returns the values in their order.
func (n Names[T]) All() []T {
	all := make([]T, len(n.names))
	for i := range all {
		all[i] = T(i)
	}
	return all
}

// String returns the name of a value. A value outside of the enumeration is printed with its type, such as Winner(9).
func (n Names[T]) String(value T) string {
	if n.Validate(value) != nil {
		return fmt.Sprintf("%s(%d)", reflect.TypeFor[T]().Name(), int8(value))
	}
	return n.names[value]
}

// Validate returns an error if a value is outside of the enumeration; the error lists the choices.
func (n Names[T]) Validate(value T) error {
	if value < 0 || int(value) >= len(n.names) {
		return n.unknown(fmt.Sprintf("%s(%d)", reflect.TypeFor[T]().Name(), int8(value)))
	}
	return nil
}

// MarshalText returns the name of a value, or the error of Validate.
func (n Names[T]) MarshalText(value T) ([]byte, error) {
	if err := n.Validate(value); err != nil {
		return nil, err
	}
	return []byte(n.names[value]), nil
}

// UnmarshalText stores the value with the given name in value. If there is no such value, value stays the same, and the
// error lists the choices.
func (n Names[T]) UnmarshalText(value *T, text []byte) error {
	for i, name := range n.names {
		if name == string(text) {
			*value = T(i)
			return nil
		}
	}
	return n.unknown(fmt.Sprintf("%q", text))
}

func (n Names[T]) unknown(what string) error {
	return fmt.Errorf("%s: unknown %s, use one of %s", what, n.noun, strings.Join(n.names, ", "))
}
