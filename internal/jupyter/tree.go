package jupyter

import (
	"encoding/json"
	"slices"

	"github.com/tailscale/hujson"
)

// index returns the place of a name among an object's members, -1 if it is not there. Of several the last counts, as
// for other readers of JSON.
func index(object *hujson.Object, name string) int {
	for i := len(object.Members) - 1; i >= 0; i-- {
		if text(object.Members[i].Name.Value) == name {
			return i
		}
	}
	return -1
}

// member returns a member's value, nil if it is not there.
func member(object *hujson.Object, name string) hujson.ValueTrimmed {
	if i := index(object, name); i >= 0 {
		return object.Members[i].Value.Value
	}
	return nil
}

// child returns a member that is an object, an empty one outside of the tree if there is none.
func child(object *hujson.Object, name string) *hujson.Object {
	if found, ok := member(object, name).(*hujson.Object); ok {
		return found
	}
	return &hujson.Object{}
}

// elements returns the elements of a member that is an array.
func elements(object *hujson.Object, name string) []hujson.ArrayElement {
	if array, ok := member(object, name).(*hujson.Array); ok {
		return array.Elements
	}
	return nil
}

// text returns a string, "" for any other value.
func text(value hujson.ValueTrimmed) string {
	if literal, ok := value.(hujson.Literal); ok && literal.Kind() == '"' {
		return literal.String()
	}
	return ""
}

// pack returns the bytes of a value.
func pack(value hujson.ValueTrimmed) json.RawMessage {
	if value == nil {
		return nil
	}
	whole := hujson.Value{Value: value}
	return whole.Pack()
}

// remove takes all members of a name out of an object, and says whether there were any. What is left keeps its bytes,
// and the line of what is gone goes with it.
func remove(object *hujson.Object, name string) bool {
	if !has(object, name) {
		return false
	}
	behindBracket := object.Members[0].Name.BeforeExtra
	object.Members = slices.DeleteFunc(object.Members, func(m hujson.ObjectMember) bool { return text(m.Name.Value) == name })
	if len(object.Members) > 0 {
		object.Members[0].Name.BeforeExtra = behindBracket
	} else {
		object.AfterExtra = nil
	}
	return true
}

// set gives a member a new value in the file's style, and appends the member if there is none.
func (s style) set(object *hujson.Object, name string, value any, depth int) {
	if i := index(object, name); i >= 0 {
		object.Members[i].Value.Value = s.value(value, depth+1)
		return
	}
	s.insert(object, len(object.Members), name, value, depth)
}

// insert puts a new member at a place of an object that is depth values deep.
func (s style) insert(object *hujson.Object, at int, name string, value any, depth int) {
	added := hujson.ObjectMember{
		Name:  hujson.Value{BeforeExtra: s.gap(depth+1, at == 0), Value: s.text(name)},
		Value: hujson.Value{BeforeExtra: s.afterColon(), Value: s.value(value, depth+1)},
	}
	switch {
	case len(object.Members) == 0:
		object.AfterExtra = s.gap(depth, true)
	case at == 0:
		first := &object.Members[0].Name
		added.Name.BeforeExtra, first.BeforeExtra = first.BeforeExtra, s.gap(depth+1, false)
	default: // like its neighbour, so that the file's own indentation goes on
		added.Name.BeforeExtra = slices.Clone(object.Members[at-1].Name.BeforeExtra)
		if at == 1 && len(added.Name.BeforeExtra) == 0 {
			added.Name.BeforeExtra = s.gap(depth+1, false)
		}
	}
	object.Members = slices.Insert(object.Members, at, added)
}
