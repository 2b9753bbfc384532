package main

import (
	"context"
	"fmt"
	"reflect"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/siegebook/siegebook/report/chapter"
)

// parameterFlags are the flags of the chapters' parameters. There is a text for each in a struct whose type is made at
// run time, because kong takes the flags from the fields of structs.
type parameterFlags struct {
	kong.Plugins
	parameters []chapter.Parameter
}

func newParameterFlags(parameters []chapter.Parameter) parameterFlags {
	var fields []reflect.StructField
	for i, p := range parameters {
		fields = append(fields, reflect.StructField{
			Name: fmt.Sprintf("Text%d", i), Type: reflect.TypeFor[string](),
			Tag: reflect.StructTag(fmt.Sprintf("name:%q placeholder:%q help:%q", p.Name, p.Placeholder, p.Help)),
		})
	}
	return parameterFlags{kong.Plugins{reflect.New(reflect.StructOf(fields)).Interface()}, parameters}
}

// text is what was given to the parameter of that number; "" if its flag was left out.
func (f parameterFlags) text(i int) reflect.Value {
	return reflect.ValueOf(f.Plugins[0]).Elem().Field(i)
}

// settings returns what was chosen, or the error of valueOf.
func (f parameterFlags) settings(ctx context.Context) (chapter.Settings, error) {
	settings := chapter.Settings{}
	for i, p := range f.parameters {
		text := f.text(i).String()
		if text == "" {
			continue
		}
		value, err := valueOf(ctx, p, text)
		if err != nil {
			return nil, err
		}
		settings[p.Name] = value
	}
	return settings, nil
}

// follow chooses what no flag has chosen.
func (f parameterFlags) follow(settings chapter.Settings) {
	for i, p := range f.parameters {
		if f.text(i).String() == "" {
			f.text(i).SetString(settings[p.Name])
		}
	}
}

// parameterNames lists the parameters in a sentence.
func parameterNames() string {
	var names []string
	for _, p := range book.Parameters() {
		names = append(names, "the "+p.Name)
	}
	return strings.Join(names, ", ")
}
