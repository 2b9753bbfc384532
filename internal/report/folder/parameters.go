package folder

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/report/book"
	"github.com/siegebook/siegebook/internal/report/site"
)

// parameterValue holds a parameter's value from book.yaml as text, because YAML would read 1:96 as a number.
type parameterValue struct {
	text  string
	plain bool // the value is a scalar, not a list or the like
}

// UnmarshalYAML accepts any value.
func (v *parameterValue) UnmarshalYAML(node *yaml.Node) error {
	*v = parameterValue{node.Value, node.Kind == yaml.ScalarNode}
	return nil
}

// parameters returns the sources of the cells that declare parameters.
func (p *page) parameters() jupyter.Parameters {
	if p.notebook != nil {
		return p.notebook.Parameters()
	}
	all := jupyter.Parameters{}
	for i, c := range p.cells {
		if c.parameters {
			all[i] = c.code
		}
	}
	return all
}

// takeParameters replaces the sources of the cells that declare parameters.
func (p *page) takeParameters(all jupyter.Parameters) {
	if p.notebook != nil {
		p.notebook.TakeParameters(all)
		return
	}
	for i, source := range all {
		p.cells[i].code = source
	}
}

// SetParameters gives values to parameters: by name on all pages, or by page/name on one page. They take precedence
// over the values in book.yaml, and the stamp lists them. The error is a user error: there is no such parameter, or the
// value has the wrong type.
func (f *Folder) SetParameters(values map[string]string) error {
	f.chosen = values
	for _, name := range parameterNames(values) {
		if err := f.setParameter(name, values[name]); err != nil {
			return err
		}
	}
	return nil
}

// Refused is a parameter whose value a page refused, with the page's message.
type Refused struct{ Parameter, Message string }

// Refused returns the parameters whose values pages refused when they ran.
func (f *Folder) Refused() []Refused { return f.refused }

// SetDeclared gives values to parameters by name, on the pages that declare them. The stamp does not list them.
func (f *Folder) SetDeclared(values map[string]string) error {
	declared := map[string]string{}
	for _, p := range f.pages {
		names, err := p.parameters().Names()
		if err != nil {
			return fmt.Errorf("%s: %w", f.path(p.rel), err)
		}
		for _, name := range names {
			if value, known := values[name]; known {
				declared[name] = value
			}
		}
	}
	for _, name := range parameterNames(declared) {
		if err := f.setParameter(name, declared[name]); err != nil {
			return err
		}
	}
	return nil
}

// configParameters sets the parameters that book.yaml names.
func (f *Folder) configParameters() {
	values := f.config.Parameters
	for _, name := range parameterNames(values) {
		err := errors.New("parameter " + name + ": must be a single value: write it as you would after -p, such as " +
			name + ": 20")
		if value := values[name]; value.plain {
			err = f.setParameter(name, value.text)
		}
		if err != nil {
			line, column := lineOf(f.readText(configFile, mostConfig), "parameters."+name)
			f.fault(configFile, line, column, "%v", err)
		}
	}
}

// parameterNames returns the names of parameters in the order in which they are set. Names for single pages come last,
// so they take precedence.
func parameterNames[V any](values map[string]V) []string {
	return slices.SortedFunc(maps.Keys(values), func(a, b string) int {
		return cmp.Or(cmp.Compare(strings.Count(a, "/"), strings.Count(b, "/")), cmp.Compare(a, b))
	})
}

// setParameter sets one parameter, on one page or on all pages that have it.
func (f *Folder) setParameter(full, value string) error {
	slug, name, ofOne := strings.Cut(full, "/")
	if !ofOne {
		name = full
	}
	var known, pages []string
	found := false
	for _, p := range f.pages {
		all := p.parameters()
		if len(all) > 0 {
			pages = append(pages, p.made.Slug)
		}
		if ofOne && slug != p.made.Slug {
			continue
		}
		names, err := all.Names()
		if err == nil && slices.Contains(names, name) {
			found, err = true, all.Set(name, value)
			p.takeParameters(all)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", f.path(p.rel), err)
		}
		known = append(known, names...)
	}
	slices.Sort(known)
	known = slices.Compact(known)
	switch {
	case found:
		return nil
	case len(pages) == 0:
		return fmt.Errorf("parameter %s: no page has parameters: write \"go run parameters\" above a cell that sets %s",
			full, name)
	case ofOne && !slices.Contains(pages, slug):
		return fmt.Errorf("parameter %s: the page %s has no parameters: %s", full, slug, jupyter.OneOf(pages))
	}
	return fmt.Errorf("parameter %s: no cell with parameters sets a variable of this name: "+
		"%s", full, jupyter.OneOf(known))
}

// stampParameters returns the fields of the stamp with the values that SetParameters has set.
func (f *Folder) stampParameters() (fields []site.Field) {
	for _, name := range slices.Sorted(maps.Keys(f.chosen)) {
		fields = append(fields, site.Field{Name: f.words.Say(book.StampParameter) + " " + name, Value: f.chosen[name]})
	}
	return fields
}
