package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/siegebook/siegebook/internal/command"
)

// paramFlags holds the values that the flags -p set, by the parameter's name.
type paramFlags map[string]string

// Decode adds the value of one flag. Kong calls it.
func (p *paramFlags) Decode(ctx *kong.DecodeContext) error {
	var text string
	if err := ctx.Scan.PopValueInto("value", &text); err != nil {
		return err
	}
	name, value, ok := strings.Cut(text, "=")
	old, twice := (*p)[name]
	switch {
	case !ok || name == "":
		return fmt.Errorf("%q: write NAME=VALUE, such as n=20", text)
	case twice:
		return fmt.Errorf("%s has two values, %s and %s: leave one out", name, old, value)
	case *p == nil:
		*p = paramFlags{}
	}
	(*p)[name] = value
	return nil
}

// follow adds values from others for the names that do not have a value yet.
func (p *paramFlags) follow(others map[string]string) {
	all := maps.Clone(others)
	maps.Copy(all, *p)
	*p = all
}

// refuse returns an error if flags -p are given, although the report has other flags for its parameters.
func (p paramFlags) refuse(flags string) error {
	for _, name := range slices.Sorted(maps.Keys(p)) {
		return command.Usagef("-p %s=%s: this flag is only for the pages of a folder: name the folder, or set %s "+
			"with their own flags", name, p[name], flags)
	}
	return nil
}
