package show

import (
	"slices"
	"strings"

	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/pictures"
)

// Move shows a picture of the report with controls for some of its values, which begin as the settings say:
//
//	show.Move(castle.Map(), "n=40&s=80&d=40", "n")
//
// The names are those of the fields that get a control, in the order of the picture's fields. In a notebook the picture
// follows the controls as in [Controls]. On the report's page of the lesson readers move it without a kernel, with all
// its fields. Move ends the cell for settings that the picture refuses, and for a name that is none of its fields'.
func Move(p pictures.Picture, settings string, names ...string) {
	values, err := p.Values(settings)
	if err != nil {
		Fail("show: nothing to move: %v", err)
	}
	for _, name := range names {
		at := slices.IndexFunc(p.Fields, func(f pictures.Field) bool { return f.Name == name && !f.Memory })
		if at < 0 {
			Fail("show: nothing to move: the picture %s has no field %q", p.Name, name)
		}
	}
	view, err := p.See(values)
	if err != nil {
		Fail("show: nothing to move: %v", err)
	}
	var knobs []Knob
	for _, f := range p.Fields {
		if slices.Contains(names, f.Name) {
			knobs = append(knobs, fieldKnob(f, values, view.Bounds))
		}
	}
	Controls(func() Drawing { return moved{p, settings, values} }, knobs...)
}

// moved is a picture with values that began as settings.
type moved struct {
	pictures.Picture
	settings string
	values   pictures.Values
}

// Figure is the picture's, of the values that are set now.
func (m moved) Figure() (content.Figure, error) {
	var parts []string
	for _, f := range m.Fields {
		if m.values[f.Name] != f.Start || strings.Contains("&"+m.settings, "&"+f.Name+"=") {
			parts = append(parts, f.Name+"="+m.values[f.Name])
		}
	}
	return m.Picture.Figure(strings.Join(parts, "&"))
}

// fieldKnob is the control of a field. A number has a slider up to where that of the report ends.
func fieldKnob(f pictures.Field, values pictures.Values, bounds map[string]pictures.Bound) Knob {
	text := values[f.Name]
	var k Knob
	if len(f.Options) > 0 {
		var all []string
		for _, o := range f.Options {
			all = append(all, o.Value)
		}
		k = OneOf(f.Label, &text, all...)
	} else {
		n, least, most := values.Int(f.Name), f.Least, f.Most
		if b, ok := bounds[f.Name]; ok {
			least, most = b.Least, b.Most
		}
		kind := Range[int64]
		if most = max(most, n); most > exact {
			kind = Field[int64]
		}
		k = kind(f.Label, &n, least, most)
	}
	set := k.set
	k.set = func(value string) error {
		if err := set(value); err != nil {
			return err
		}
		values[f.Name] = k.value()
		return nil
	}
	return k
}
