package show

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/notebooks/show/internal/host"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/pictures"
)

// control puts a drawing with controls on a page. The page shows the initial drawing until a reader changes it.
func control(draw func() Drawing, knobs []Knob) {
	p := pictures.Picture{See: func(v pictures.Values) (*pictures.View, error) {
		host.Page.Restart()
		return see(draw, knobs, v)
	}}
	var start []content.Setting
	for i, k := range knobs {
		f := k.field(fieldName(i))
		p.Fields, start = append(p.Fields, f), append(start, content.Setting{Name: f.Name, Value: f.Start})
	}
	f := drawn(draw())
	if len(knobs) <= mostKnobs {
		starts := startsOf(knobs)
		if name := host.Page.Control(p, func() { restart(knobs, starts) }); name != "" {
			*f = f.Explored(name, start).Answered(captionOf(knobs))
		}
	}
	dropVast(f)
	_, plain := controlled(f, captionOf(knobs))
	send(f, "", plain)
}

// move shows a picture on a page, with all its fields.
func move(m moved, answer string) {
	f := drawn(m)
	if name := host.Page.Control(m.Picture, func() {}); name != "" {
		*f = f.Explored(name, m.start).Answered(answer)
	}
	deliver(f, "")
}

// fieldName returns the name of the field for a knob in addresses: a, b, and so on.
func fieldName(i int) string { return string(rune('a' + i)) }

// mostKnobs is the maximum number of knobs for a drawing on a page.
const mostKnobs = 26

// startsOf returns the current values of the knobs' variables.
func startsOf(knobs []Knob) []string {
	var starts []string
	for _, k := range knobs {
		starts = append(starts, k.value())
	}
	return starts
}

// restart resets the variables of knobs to their first values.
func restart(knobs []Knob, starts []string) {
	for i, k := range knobs {
		_ = k.set(starts[i]) // the values have been checked already
	}
}

// field returns the field of a picture that corresponds to the knob. The field for a floating-point number counts
// steps.
func (k Knob) field(name string) pictures.Field {
	f := pictures.Field{Name: name, Label: k.Name, Start: k.toField(k.value()), Play: k.Kind == "steps"}
	switch k.Kind {
	case "choice", "check":
		words := k.choices()
		if k.Kind == "check" {
			words = []string{"no", "yes"} // the same words as in the caption
		}
		for i, word := range words {
			f.Options = append(f.Options, pictures.Option{Value: strconv.Itoa(i), Label: word})
		}
	default:
		f.Digits = k.digits()
		f.Least, _ = strconv.ParseInt(k.toField(k.Least), 10, 64)
		f.Most = math.MaxInt64 // the maximum on a page, even for a uint64
		if most, err := strconv.ParseInt(k.toField(k.Most), 10, 64); err == nil {
			f.Most = most
		}
		if f.Limit = f.Most; k.Kind == "field" {
			f.Most = min(f.Most, max(f.Least, exact))
		}
	}
	return f
}

// choices returns the words from which readers choose.
func (k Knob) choices() []string {
	if k.Kind == "check" {
		return []string{"false", "true"}
	}
	return k.Words
}

// digits returns the number of decimals of a number.
func (k Knob) digits() int {
	_, behind, _ := strings.Cut(k.Step, ".")
	return len(behind)
}

// toField converts a value of the knob to a value of the field.
func (k Knob) toField(value string) string {
	switch k.Kind {
	case "choice", "check":
		return strconv.Itoa(slices.Index(k.choices(), value))
	}
	n, err := strconv.ParseInt(strings.Replace(value, ".", "", 1), 10, 64)
	if err != nil {
		return value
	}
	return strconv.FormatInt(n, 10)
}

// fromField converts a valid value of the field to a value of the knob.
func (k Knob) fromField(value string) string {
	switch digits := k.digits(); {
	case k.Kind == "choice" || k.Kind == "check":
		i, _ := strconv.Atoi(value)
		return k.choices()[i]
	case digits > 0:
		sign := ""
		if rest, is := strings.CutPrefix(value, "-"); is {
			sign, value = "-", rest
		}
		value = strings.Repeat("0", max(0, digits+1-len(value))) + value
		return sign + value[:len(value)-digits] + "." + value[len(value)-digits:]
	}
	return value
}

// see draws the picture for the given values. Errors, including a panic of the author's function, are for readers.
func see(draw func() Drawing, knobs []Knob, v pictures.Values) (view *pictures.View, err error) {
	defer func() {
		if failure := recover(); failure != nil {
			err = fmt.Errorf("this cannot be drawn: %v", failure)
		}
	}()
	for i, k := range knobs {
		if err := k.set(k.fromField(v[fieldName(i)])); err != nil {
			return nil, pictures.Refuse(fieldName(i), "%v", err)
		}
	}
	d := draw()
	if d == nil {
		return nil, errors.New("there is nothing to show for these values")
	}
	f, err := named(d).Figure()
	if err != nil {
		return nil, fmt.Errorf("this cannot be drawn: %w", err)
	}
	caption := captionOf(knobs)
	return &pictures.View{Answer: caption, ScreenReaderText: caption, Parts: []pictures.Part{{Plate: &pictures.Plate{
		Key: caption, Label: f.Title, Draw: func() (content.Figure, error) { return f, nil },
	}}}}, nil
}
