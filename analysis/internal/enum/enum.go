// Package enum gives the enumerations of the games their names, and reads values from them.
package enum

import (
	"fmt"
	"reflect"
	"strings"
)

// Names are the names of the values 0, 1, 2, ... of an enumeration.
type Names[T ~int8] struct {
	noun  string // what a value is, for errors
	names []string
}

// Of returns the names of a table's rows, of which each stands for a value: the first for 0.
func Of[T ~int8, Row any](noun string, table []Row, name func(Row) string) Names[T] {
	n := Names[T]{noun: noun}
	for _, row := range table {
		n.names = append(n.names, name(row))
	}
	return n
}

// New returns names that stand in no table.
func New[T ~int8](noun string, names ...string) Names[T] { return Names[T]{noun, names} }

// All lists the values in their order.
func (n Names[T]) All() []T {
	all := make([]T, len(n.names))
	for i := range all {
		all[i] = T(i)
	}
	return all
}

// String returns the name of a value, or for one outside of the enumeration what it is, such as Winner(9).
func (n Names[T]) String(value T) string {
	if n.Validate(value) != nil {
		return fmt.Sprintf("%s(%d)", reflect.TypeFor[T]().Name(), int8(value))
	}
	return n.names[value]
}

// Validate returns an error that names the choices if a value is outside of the enumeration.
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

// UnmarshalText sets a value to the one that the text names. Else it leaves the value as it is, and the error names the
// text and the choices.
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
	return fmt.Errorf("%s: no %s, use one of %s", what, n.noun, strings.Join(n.names, ", "))
}
