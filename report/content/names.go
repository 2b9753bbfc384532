package content

import (
	"fmt"
	"slices"
	"strings"
)

// names are those of an enumeration's values, in order, behind what its messages begin with.
type names[T ~uint8] struct {
	subject string
	values  []string
}

func (n names[T]) of(v T) string {
	if int(v) < len(n.values) {
		return n.values[v]
	}
	return fmt.Sprintf("unknown (%d)", v)
}

func (n names[T]) write(v T) ([]byte, error) {
	if int(v) < len(n.values) {
		return []byte(n.values[v]), nil
	}
	return nil, n.wrong(fmt.Sprint(v))
}

func (n names[T]) read(v *T, text []byte) error {
	i := slices.Index(n.values, string(text))
	if i < 0 {
		return n.wrong(string(text))
	}
	*v = T(i)
	return nil
}

func (n names[T]) wrong(value string) error {
	last := len(n.values) - 1
	return fmt.Errorf("%.40q: %s %s or %s", value, n.subject, strings.Join(n.values[:last], ", "), n.values[last])
}
