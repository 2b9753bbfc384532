package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
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
		kind, tag := reflect.TypeFor[string](), fmt.Sprintf("name:%q placeholder:%q help:%q", p.Name, p.Placeholder,
			p.Help)
		if gathers(p) {
			kind, tag = reflect.TypeFor[[]string](), tag+` sep:"none"`
		}
		fields = append(fields, reflect.StructField{
			Name: fmt.Sprintf("Text%d", i), Type: kind,
			Tag: reflect.StructTag(tag),
		})
	}
	return parameterFlags{kong.Plugins{reflect.New(reflect.StructOf(fields)).Interface()}, parameters}
}

// gathers reports whether a parameter's flag names files, and may be given several times.
func gathers(p chapter.Parameter) bool { return p.File != nil && p.File.Gather != nil }

// texts are what was given to the parameter of that number, at most one unless it gathers files.
func (f parameterFlags) texts(i int) []string {
	field := reflect.ValueOf(f.Plugins[0]).Elem().Field(i)
	if all, ok := field.Interface().([]string); ok {
		return all
	}
	if field.String() == "" {
		return nil
	}
	return []string{field.String()}
}

// choose takes a value for the parameter of that number, as if its flag had been given.
func (f parameterFlags) choose(i int, value string) {
	field := reflect.ValueOf(f.Plugins[0]).Elem().Field(i)
	switch {
	case field.Kind() == reflect.String:
		field.SetString(value)
	case value != "":
		field.Set(reflect.ValueOf([]string{value}))
	}
}

// settings returns what was chosen, or the error of valueOf.
func (f parameterFlags) settings(ctx context.Context) (chapter.Settings, error) {
	settings := chapter.Settings{}
	for i, p := range f.parameters {
		texts := f.texts(i)
		if len(texts) == 0 {
			continue
		}
		value, err := valueOf(ctx, p, texts)
		if err != nil {
			return nil, err
		}
		settings[p.Name] = value
	}
	return settings, nil
}

// files are those that the flags name, by absolute paths.
func (f parameterFlags) files() (files []string) {
	for i, p := range f.parameters {
		for _, text := range f.texts(i) {
			full, err := filepath.Abs(text)
			if info, missing := os.Stat(full); p.File != nil && errors.Join(err, missing) == nil && !info.IsDir() {
				files = append(files, full)
			}
		}
	}
	return files
}

// follow chooses what no flag has chosen.
func (f parameterFlags) follow(settings chapter.Settings) {
	for i, p := range f.parameters {
		if len(f.texts(i)) == 0 {
			f.choose(i, settings[p.Name])
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
