package jupyter

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// SetParameters gives new values to names that the cells tagged parameters declare or assign, as n in
//
//	var n = 20
//
// Only the value changes, nothing around it. A value is written as in Go; a string may also stand without quotes. The
// error is the user's: no cell with the tag, another language than Go, a name that is not there, or a value that is not
// of the declared kind. After an error the notebook is as it was.
func (n *Notebook) SetParameters(values map[string]string) error {
	if len(values) == 0 {
		return nil
	}
	if language := n.Language(); language != "" && language != "go" {
		return fmt.Errorf("the notebook is written in %s: parameters can be set in Go notebooks only", language)
	}
	sources, err := n.parameterCells()
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if err := setParameter(sources, name, values[name]); err != nil {
			return err
		}
	}
	for i, source := range sources {
		n.setSource(i, source)
	}
	return nil
}

// parameterCells returns the sources of the cells tagged parameters, by place.
func (n *Notebook) parameterCells() (map[int]string, error) {
	sources := map[int]string{}
	for i, c := range n.Cells() {
		if c.Kind == Code && c.HasTag(TagParameters) {
			sources[i] = c.Source
		}
	}
	if len(sources) == 0 {
		return nil, errors.New("the notebook has no code cell tagged " + TagParameters + ": tag the cell that holds the values to set")
	}
	return sources, nil
}

func setParameter(sources map[int]string, name, value string) error {
	var names []string
	for _, i := range slices.Sorted(maps.Keys(sources)) {
		found, err := goValues(sources[i])
		if err != nil {
			return fmt.Errorf("the cell tagged %s cannot be read: %w", TagParameters, err)
		}
		for _, v := range found {
			if v.name != name {
				names = append(names, v.name)
				continue
			}
			replaced, err := v.replace(sources[i], value)
			if err == nil {
				_, err = goValues(replaced) // a value may hold what no Go source may, such as a zero byte
			}
			if err != nil {
				return fmt.Errorf("parameter %s=%s: %w", name, value, err)
			}
			sources[i] = replaced
			return nil
		}
	}
	there := "there are none"
	if len(names) > 0 {
		there = "use one of " + strings.Join(names, ", ")
	}
	return fmt.Errorf("parameter %s: the cell tagged %s sets no such name: %s", name, TagParameters, there)
}
