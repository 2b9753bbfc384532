package show

import (
	"fmt"
	"os"
	"reflect"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/report/figure"
)

// mostRows is the maximum number of rows of a value shown as a table.
const mostRows = 100

// Value shows values in the same way as the last line of a cell. A drawing, a plot of gonum.org/v1/plot, or a value
// with a method Show is shown as such. A value with a method String, Error or Format is shown as text. Other structs,
// and slices or arrays of structs, become a table with at most 100 rows. All other values are shown as text, formatted
// as by [fmt.Print]. Value shows nothing for nil and for a struct without fields; for example, if f() returns a nil
// error, only its other results are shown.
func Value(values ...any) {
	var texts []string
	for _, v := range values {
		switch r := reflect.ValueOf(v); {
		case !r.IsValid(), isNil(r), r.Kind() == reflect.Struct && r.NumField() == 0:
		case len(values) == 1 && shownOtherwise(v):
		default:
			texts = append(texts, textOf(r))
		}
	}
	if len(texts) > 0 {
		fmt.Fprintln(os.Stdout, strings.Join(texts, " "))
	}
}

func isNil(r reflect.Value) bool {
	switch r.Kind() {
	case reflect.Pointer, reflect.Func, reflect.Chan, reflect.Interface, reflect.UnsafePointer:
		return r.IsNil()
	}
	return false
}

// plotted returns the drawing of a plot, or nil for other values. In a program for a page in a browser it always
// returns nil.
var plotted = func(any) Drawing { return nil }

// shownOtherwise shows a figure, a table, or a value that has a method Show. It returns false if the value must be
// shown as text.
func shownOtherwise(v any) bool {
	switch d := v.(type) {
	case Drawing:
		Figure(d)
		return true
	case interface{ Show() }:
		d.Show()
		return true
	}
	if d := plotted(v); d != nil {
		Figure(d)
		return true
	}
	r := structOf(reflect.ValueOf(v))
	switch r.Kind() {
	case reflect.Struct:
		if !speaks(reflect.TypeOf(v)) && !speaks(r.Type()) {
			tableOf([]reflect.Value{r}, 1)
			return true
		}
	case reflect.Slice, reflect.Array:
		element := r.Type().Elem()
		of := element
		if of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		if speaks(r.Type()) || speaks(element) || speaks(of) || of.Kind() != reflect.Struct || of.NumField() == 0 ||
			r.Len() == 0 {
			return false
		}
		var rows []reflect.Value
		for i := range min(r.Len(), mostRows) {
			rows = append(rows, structOf(r.Index(i)))
		}
		tableOf(rows, r.Len())
		return true
	}
	return false
}

// structOf returns the value that a pointer points to, and returns other values unchanged.
func structOf(r reflect.Value) reflect.Value {
	if r.Kind() == reflect.Pointer && !r.IsNil() {
		return r.Elem()
	}
	return r
}

// speaks reports whether values of a type, or pointers to them, have a method that returns their text.
func speaks(t reflect.Type) bool {
	for _, i := range []reflect.Type{
		reflect.TypeFor[fmt.Stringer](), reflect.TypeFor[error](), reflect.TypeFor[fmt.Formatter](),
	} {
		if t.Implements(i) || t.Kind() != reflect.Pointer && reflect.PointerTo(t).Implements(i) {
			return true
		}
	}
	return false
}

// textOf returns a value as text. It also uses a String method that is defined only for pointers to the type.
func textOf(r reflect.Value) string {
	if t := r.Type(); speaks(t) && !t.Implements(reflect.TypeFor[fmt.Stringer]()) &&
		reflect.PointerTo(t).Implements(reflect.TypeFor[fmt.Stringer]()) {
		p := reflect.New(t)
		p.Elem().Set(r)
		r = p
	}
	if speaks(r.Type()) {
		return fmt.Sprint(r)
	}
	return fmt.Sprintf("%+v", r)
}

// tableOf shows structs of one type as a table with a column for each field. all is the total number of structs; rows
// may contain only the first of them. A nil pointer becomes an empty row.
func tableOf(rows []reflect.Value, all int) {
	of := rows[0].Type()
	if of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	var names []string
	for field := range of.Fields() {
		names = append(names, field.Name)
	}
	title := ""
	if all > len(rows) {
		title = fmt.Sprintf("The first %d of %s rows", len(rows), figure.Thousands(strconv.Itoa(all)))
	}
	t := NewTable(title, names...)
	for _, row := range rows {
		cells := make([]any, len(names))
		for i := range cells {
			if cells[i] = ""; row.Kind() == reflect.Struct {
				cells[i] = plainly(row.Field(i))
			}
		}
		t.Row(cells...)
	}
	t.Show()
}

// plainly returns the value of a field. It returns numbers and strings as they are, even from an unexported field.
func plainly(r reflect.Value) any {
	switch v := r.Kind(); {
	case r.CanInterface():
		if f, is := r.Interface().(float32); is {
			return float64(f)
		}
		return r.Interface()
	case r.CanInt():
		return r.Int()
	case r.CanUint():
		return r.Uint()
	case v == reflect.Float32 || v == reflect.Float64:
		return r.Float()
	}
	return fmt.Sprint(r)
}
