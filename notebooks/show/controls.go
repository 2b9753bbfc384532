package show

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"html"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/siegebook/siegebook/notebooks/show/internal/host"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
)

// whole lists the integer types that controls can set, and numeric lists all number types that they can set.
type (
	whole   interface{ int | int64 | uint64 }
	numeric interface{ whole | float64 }
)

// Slider shows a drawing that depends on a number, and a slider from least to most whose first value is start:
//
//	show.Slider("n", 1, 60, 24, func(n int64) show.Drawing { return figure.Lines{...} })
//	show.Slider("p", 0, 1, 0.5, func(p float64) show.Drawing { return figure.Lines{...} })
//
// The slider changes an integer by 1. It changes a floating-point number by a power of ten, in 100 to 1,000 steps.
//
// The drawing is updated while the slider moves (see [Controls]).
func Slider[T numeric](name string, least, most, start T, draw func(T) Drawing) {
	Controls(func() Drawing { return draw(start) }, Range(name, &start, least, most))
}

// Number shows a drawing like [Slider], but with an input field, which suits numbers that are far apart.
func Number[T numeric](name string, least, most, start T, draw func(T) Drawing) {
	Controls(func() Drawing { return draw(start) }, Field(name, &start, least, most))
}

// Play shows a drawing like [Slider], but with a button that plays the numbers one by one.
func Play[T numeric](name string, least, most, start T, draw func(T) Drawing) {
	Controls(func() Drawing { return draw(start) }, Steps(name, &start, least, most))
}

// Choice shows a drawing that depends on one of several values, and a list to choose from:
//
//	show.Choice("month", months, time.May, func(m time.Month) show.Drawing { return rain(m) })
func Choice[T comparable](name string, values []T, start T, draw func(T) Drawing) {
	Controls(func() Drawing { return draw(start) }, OneOf(name, &start, values...))
}

// CheckBox shows a drawing that depends on a bool, and a check box.
func CheckBox(name string, start bool, draw func(bool) Drawing) {
	Controls(func() Drawing { return draw(start) }, YesNo(name, &start))
}

// Knob is a control, such as a slider, a field or a list, together with the variable that it sets.
type Knob struct {
	knob
	value func() string // returns the value for the script
	set   func(string) error
	words func() string // returns the value for people
}

// knob describes a control to the script in the page.
type knob struct {
	Kind  string   `json:"kind"` // range, field, steps, choice, check
	Name  string   `json:"name"`
	Least string   `json:"least,omitempty"`
	Most  string   `json:"most,omitempty"`
	Step  string   `json:"step,omitempty"` // the step of a floating-point number
	Words []string `json:"words,omitempty"`
	Start string   `json:"start"`
}

// Range returns a slider that sets a number.
func Range[T numeric](name string, v *T, least, most T) Knob {
	return number("range", name, v, least, most)
}

// Field returns a field for typing a number.
func Field[T numeric](name string, v *T, least, most T) Knob {
	return number("field", name, v, least, most)
}

// Steps returns a slider with a button that plays it.
func Steps[T numeric](name string, v *T, least, most T) Knob {
	return number("steps", name, v, least, most)
}

// exact is the largest number for which sliders are exact, because browsers calculate in floating point.
const exact = 1 << 53

func number[T numeric](kind, name string, v *T, least, most T) Knob {
	set(name, v)
	switch v := any(v).(type) {
	case *float64:
		return decimal(kind, name, v, any(least).(float64), any(most).(float64))
	case *int:
		return wholeNumber(kind, name, v, any(least).(int), any(most).(int))
	case *int64:
		return wholeNumber(kind, name, v, any(least).(int64), any(most).(int64))
	case *uint64:
		return wholeNumber(kind, name, v, any(least).(uint64), any(most).(uint64))
	}
	panic("show: a number of an unknown type") // no other type is possible
}

// decimal returns a control for a floating-point number. It moves in steps of a power of ten.
func decimal(kind, name string, v *float64, least, most float64) Knob {
	if !(least <= most) || math.IsInf(most-least, 0) {
		Fail("%s from %v to %v: there is no such number: put the smaller one first", name, least, most)
	}
	if !(least <= *v && *v <= most) {
		Fail("%s = %v: set it to a number from %v to %v", name, *v, least, most)
	}
	digits := 0
	for digits < mostDigits && (most-least)*math.Pow10(digits) < leastSteps {
		digits++
	}
	text := func(x float64) string { return strconv.FormatFloat(x, 'f', digits, 64) }
	k := knob{Kind: kind, Name: name, Least: text(least), Most: text(most), Step: text(math.Pow10(-digits))}
	value := func() string { return text(*v) }
	return Knob{k, value, func(text string) error {
		to, err := strconv.ParseFloat(strings.Replace(text, "−", "-", 1), 64)
		if err != nil || !(least <= to && to <= most) {
			if text == "" {
				text = "nothing"
			}
			return fmt.Errorf("%s = %s: must be a number from %v to %v, such as %s", name, text, least, most,
				k.Least)
		}
		*v = to
		return nil
	}, func() string { return name + " = " + content.Minus(value()) }}
}

// These constants limit the control of a floating-point number: the minimum number of steps, and the maximum number of
// decimals.
const (
	leastSteps = 100
	mostDigits = 12
)

// wholeNumber returns a control for an integer.
func wholeNumber[T whole](kind, name string, v *T, least, most T) Knob {
	if least > most {
		Fail("%s from %s to %s: there is no such number: put the smaller one first", name, thousands(least),
			thousands(most))
	}
	Between(name, *v, least, most)
	if kind != "field" && max(magnitude(least), magnitude(most)) > exact {
		Fail("%s from %s to %s: a slider cannot go beyond 2^53: use show.Number or show.Field", name, thousands(least),
			thousands(most))
	}
	k := knob{Kind: kind, Name: name, Least: fmt.Sprint(least), Most: fmt.Sprint(most)}
	return Knob{k, func() string { return fmt.Sprint(*v) }, func(text string) error {
		to, err := parseWhole[T](text)
		if err != nil || to < least || to > most {
			if text == "" {
				text = "nothing"
			}
			return fmt.Errorf("%s = %s: must be a number from %s to %s, written in digits", name, text,
				thousands(least), thousands(most))
		}
		*v = to
		return nil
	}, func() string { return name + " = " + thousands(*v) }}
}

// set ends the cell if a control has no variable.
func set[T any](name string, v *T) {
	if v == nil {
		Fail("the control %q has no variable to set: give it the address of one, as in &n", name)
	}
}

// magnitude returns the absolute value of a number.
func magnitude[T whole](v T) uint64 {
	if v < 0 {
		return -uint64(v)
	}
	return uint64(v)
}

// grouped matches a number with its digits in groups of three, as the page shows it next to the field.
var grouped = regexp.MustCompile(`^-?[0-9]{1,3}(,[0-9]{3})+$`)

// parseWhole parses a number in Go's syntax, or as [thousands] formats it.
func parseWhole[T whole](text string) (T, error) {
	text = strings.Replace(text, "−", "-", 1)
	if grouped.MatchString(text) {
		text = strings.ReplaceAll(text, ",", "")
	}
	var to T
	if to--; to > 0 {
		n, err := strconv.ParseUint(text, 10, 64)
		return T(n), err
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err == nil && int64(T(n)) != n {
		err = strconv.ErrRange
	}
	return T(n), err
}

func thousands[T whole](v T) string { return prose("%s", figure.Thousands(fmt.Sprint(v))) }

// OneOf returns a list from which one value is chosen. It formats the values as fmt.Sprint does.
func OneOf[T comparable](name string, v *T, values ...T) Knob {
	set(name, v)
	var words []string
	for _, value := range values {
		word := fmt.Sprint(value)
		if slices.Contains(words, word) {
			Fail("%s: two of its values are shown as %s, so the choice is ambiguous: leave one out", name,
				word)
		}
		words = append(words, word)
	}
	if len(values) == 0 {
		Fail("%s: there is nothing to choose from: give it some values", name)
	}
	if !slices.Contains(values, *v) {
		Fail("%s = %v: must be one of %s", name, *v, strings.Join(words, ", "))
	}
	return Knob{
		knob{Kind: "choice", Name: name, Words: words},
		func() string { return fmt.Sprint(*v) },
		func(text string) error {
			at := slices.Index(words, text)
			if at < 0 {
				return fmt.Errorf("%s = %q: must be one of %s", name, text, strings.Join(words, ", "))
			}
			*v = values[at]
			return nil
		},
		func() string { return name + ": " + fmt.Sprint(*v) },
	}
}

// YesNo returns a check box.
func YesNo(name string, v *bool) Knob {
	set(name, v)
	return Knob{
		knob{Kind: "check", Name: name},
		func() string { return strconv.FormatBool(*v) },
		func(text string) (err error) {
			*v, err = strconv.ParseBool(text)
			return err
		},
		func() string { return name + ": " + map[bool]string{false: "no", true: "yes"}[*v] },
	}
}

// Controls shows a drawing that depends on variables, with controls that set the variables:
//
//	n, d := int64(24), int64(3)
//	show.Controls(func() show.Drawing { return lines(n, d) }, show.Range("n", &n, 1, 60), show.Field("d", &d, 1, 1e9))
//
// The cell ends at once, but the controls stay active until the cell runs again, the kernel is interrupted or
// restarted, or the page is left. The drawings appear in the order of the moves. If drawing is slower than moving, some
// moves are skipped, but never the last one. An error or a panic of the function is shown instead of the drawing until
// the next move.
//
// Moving a control does not change the variables of the notebook. At the first move, the cell's program starts again,
// and the code before the control runs again without output.
//
// The first drawing is shown if no reader can move the controls, as in a run by genreport or nbconvert, or if the
// kernel is not the project's. A saved notebook contains the last drawing.
func Controls(draw func() Drawing, knobs ...Knob) {
	checkKnobs(knobs)
	if draw == nil {
		Fail("show.Controls has no function: give it a function that returns a drawing")
	}
	shown++
	if host.Page != nil {
		control(draw, knobs)
		return
	}
	if served(shown, draw, knobs) {
		return
	}
	f := drawn(draw())
	caption := captionOf(knobs)
	id := "siegebook-" + newID()
	rich, plain := controlled(f, caption)
	spec := struct {
		ID     string `json:"id"`
		Kernel string `json:"kernel"`
		Knobs  []knob `json:"knobs"`
	}{ID: id, Kernel: kernelID()}
	for _, k := range knobs {
		k.Start = k.value()
		spec.Knobs = append(spec.Knobs, k.knob)
	}
	if !register(id, shown, spec.Knobs) {
		dropVast(f)
		send(f, rich, plain)
		return
	}
	data, err := json.Marshal(spec)
	if err != nil {
		Fail("show: %v", err)
	}
	toNotebook("", map[string]string{
		"text/html":  controlsHTML(id, string(data), strings.Replace(controlsScript, `"#ID"`, `"#`+id+`"`, 1)),
		"text/plain": caption,
		widgetView:   fmt.Sprintf(`{"version_major": 2, "version_minor": 0, "model_id": %q}`, id),
	})
	dropVast(f)
	display(id, f, rich, plain)
}

// widgetView is the media type of a widget. Front ends without widgets show the script's controls.
const widgetView = "application/vnd.jupyter.widget-view+json"

// controlsHTML returns the output from which the script creates the controls. A front end that does not trust the
// notebook removes the script and keeps the text.
func controlsHTML(id, spec, script string) string {
	return fmt.Sprintf(`<div class="siegebook-controls" id="%s" data-spec="%s"><p>This cell has controls. Run it in `+
		"Jupyter to use them.</p></div>\n<script>\n%s</script>\n", id, html.EscapeString(spec), script)
}

// checkKnobs ends the cell if two controls cannot be distinguished.
func checkKnobs(knobs []Knob) {
	if len(knobs) == 0 {
		Fail("show.Controls has no control: give it one, for example show.Range, or use show.Figure")
	}
	var names []string
	for _, k := range knobs {
		switch {
		case k.value == nil:
			Fail("show.Controls has an empty control: make it with show.Range, show.Field, show.Steps, " +
				"show.OneOf or show.YesNo")
		case strings.TrimSpace(k.Name) == "" || strings.ContainsFunc(k.Name, unicode.IsControl):
			Fail("a control is named %q: give it a name on one line", k.Name)
		case slices.Contains(names, k.Name):
			Fail("two controls are named %q: give each a name of its own", k.Name)
		}
		names = append(names, k.Name)
	}
}

// shown is the number of controls that the program has shown. They are numbered in the order in which they are shown.
var shown int

// controlsScript creates the controls in a page. "#ID" in the script stands for the ID of their output.
//
//go:embed controls.js
var controlsScript string

// captionOf returns the values of the controls as text.
func captionOf(knobs []Knob) string {
	var words []string
	for _, k := range knobs {
		words = append(words, k.words())
	}
	return strings.Join(words, ", ")
}

// controlled returns a figure with the values of its controls above it.
func controlled(f *content.Figure, caption string) (rich, plain string) {
	return captionHTML(caption) + figureHTML(f), caption + "\n" + f.Title + "\n" + f.Alt
}

// captionHTML returns the line with the values. The script of live controls hides it.
func captionHTML(caption string) string {
	return `<p class="siegebook-values">` + escape(caption) + "</p>\n"
}

// picture returns the drawing for the given values, or an error message.
func picture(draw func() Drawing, knobs []Knob, values []string) (forms map[string]string) {
	caption := ""
	defer func() {
		if r := recover(); r != nil {
			text := fmt.Sprint(r)
			if err, ok := r.(error); ok {
				text = "panic: " + err.Error()
			}
			text = shortened(text)
			forms = map[string]string{
				"text/html":  captionHTML(caption) + "<pre>" + html.EscapeString(text) + "</pre>\n",
				"text/plain": caption + "\n" + text,
			}
		}
	}()
	for i, k := range knobs {
		if i >= len(values) {
			break
		}
		if err := k.set(values[i]); err != nil {
			panic(err.Error())
		}
	}
	caption = captionOf(knobs)
	rich, plain := controlled(drawn(draw()), caption)
	return map[string]string{"text/html": rich, "text/plain": plain}
}

// longest is the maximum length in bytes of a message that is shown instead of a drawing. The message is stored in the
// page and the notebook.
const longest = 2000

// shortened returns text, or only its beginning if it is long.
func shortened(text string) string {
	if len(text) <= longest {
		return text
	}
	return strings.ToValidUTF8(text[:longest], "") + fmt.Sprintf(" … (%s bytes in all)", thousands(len(text)))
}

// Move shows a picture with controls for some of its values. settings contains the first values:
//
//	show.Move(pictures.Map(), "n=40&s=80&d=40", "n")
//
// names lists the fields that get a control, in the order of the picture's fields. In a notebook, the picture follows
// the controls as in [Controls]. On the lesson's page in the report, readers can change all fields without a kernel.
// Move ends the cell if the picture does not accept the settings, or if a name is not the name of one of its fields.
func Move(p pictures.Picture, settings string, names ...string) {
	start, err := pictures.ParseSettings(settings)
	if err != nil {
		Fail("show: cannot make the controls: %v", err)
	}
	values, err := p.Values(start)
	if err != nil {
		Fail("show: cannot make the controls: %v", err)
	}
	for _, name := range names {
		at := slices.IndexFunc(p.Fields, func(f pictures.Field) bool { return f.Name == name && !f.Memory })
		if at < 0 {
			Fail("show: the picture %s has no field %q", p.Name, name)
		}
	}
	view, err := p.See(values)
	if err != nil {
		Fail("show: cannot make the controls: %v", err)
	}
	if host.Page != nil {
		move(moved{p, start, values}, view.Answer)
		return
	}
	var knobs []Knob
	for _, f := range p.Fields {
		if slices.Contains(names, f.Name) {
			knobs = append(knobs, fieldKnob(f, values, view.Bounds))
		}
	}
	Controls(func() Drawing { return moved{p, start, values} }, knobs...)
}

// Film shows a film, see [pictures.Film]. A page plays it as soon as a reader sees it. In a notebook, a slider selects
// the step. Film ends the cell if the film breaks a rule.
func Film(f pictures.Film) {
	p := f.Picture()
	values, err := p.Values(nil)
	if err != nil {
		Fail("show: cannot show the film: %v", err)
	}
	view, err := p.See(values)
	if err != nil {
		Fail("show: cannot show the film: %v", err)
	}
	Move(p, f.Step+"="+view.Set[f.Step], f.Step)
}

// moved is a picture with its current values.
type moved struct {
	pictures.Picture
	start  []content.Setting
	values pictures.Values
}

// Figure returns the figure of the picture for the current values.
func (m moved) Figure() (content.Figure, error) {
	var now []content.Setting
	for _, f := range m.Fields {
		begins := slices.ContainsFunc(m.start, func(s content.Setting) bool { return s.Name == f.Name })
		if begins || m.values[f.Name] != f.Start {
			now = append(now, content.Setting{Name: f.Name, Value: m.values[f.Name]})
		}
	}
	return m.Picture.Figure(now...)
}

// fieldKnob returns a control for a field. The slider of a number has the same range as the report's slider.
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
