package castle

import (
	"fmt"
	"strings"
)

// named is a value of a fixed set, whose name is its text.
type named interface {
	comparable
	fmt.Stringer
}

// marshalName returns the name of a value, or an error if it is none of the set.
func marshalName[T named](set string, value T, all []T) ([]byte, error) {
	for _, v := range all {
		if v == value {
			return []byte(v.String()), nil
		}
	}
	return nil, fmt.Errorf("%v: no %s, use %s", value, set, names(all))
}

// unmarshalName sets the value to the one that the text names, or returns an error that lists the names.
func unmarshalName[T named](set string, value *T, text []byte, all []T) error {
	for _, v := range all {
		if v.String() == string(text) {
			*value = v
			return nil
		}
	}
	return fmt.Errorf("%q: no %s, use %s", text, set, names(all))
}

// names writes "soldiers, castle or tie".
func names[T named](all []T) string {
	list := make([]string, len(all))
	for i, v := range all {
		list[i] = v.String()
	}
	last := len(list) - 1
	return strings.Join(list[:last], ", ") + " or " + list[last]
}
