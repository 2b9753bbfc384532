// Package explore is what a reader plays with: the explorables of the report, and the engine that they ask.
//
// An explorable is JavaScript in web, which draws and takes what a hand does; every answer is that of package engine,
// which is the library itself as WebAssembly. See ADR 42 for why, and web/kit.js for how one is written.
package explore

import (
	"embed"
	"encoding/json"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/report/site"
)

//go:embed web
var web embed.FS

// goLicense is that of Go's runtime and library, of which the engine holds parts.
//
//go:embed golicense/LICENSE
var goLicense string

// kit.js and map.js are what explorables are made of; begin.js starts them when all are defined. Between them stand the
// explorables, by name, each with a style sheet of the same name if it needs one.
var (
	first = []string{"kit.js", "map.js"}
	last  = []string{"begin.js"}
)

// scripts are the names of the script's files, in their order.
func scripts() []string {
	explorables := slices.DeleteFunc(files("*.js"), func(name string) bool {
		return name == "worker.js" || slices.Contains(first, name) || slices.Contains(last, name)
	})
	return slices.Concat(first, explorables, last)
}

// files are the names of what is embedded, sorted.
func files(pattern string) []string {
	names, err := fs.Glob(web, path.Join("web", pattern))
	if err != nil {
		panic("explore: " + err.Error()) // patterns are ours
	}
	for i := range names {
		names[i] = path.Base(names[i])
	}
	return names
}

// style is the explorables' part of the style sheet: first what all use.
func style() string {
	var s strings.Builder
	s.WriteString(read("kit.css"))
	for _, name := range files("*.css") {
		if name != "kit.css" {
			s.WriteString("\n" + read(name))
		}
	}
	return s.String()
}

// Explorer returns what pages need for explorables, with an engine that Compile has made.
func Explorer(engine []byte) *site.Explorer {
	return &site.Explorer{Script: script(), Style: style(), Engine: engine}
}

// script is all explorables in one scope, which leaves nothing behind but the name siegebook.
func script() string {
	var s strings.Builder
	s.WriteString("// The explorables of the report. Each asks the engine, which is siegebook's library, and draws what it answers.\n" +
		"\n/*! With the library, the engine holds parts of Go:\n\n" + goLicense + "*/\n\n" +
		"\"use strict\";\nconst siegebook = (() => {\n")
	worker, _ := json.Marshal(read("worker.js")) // a string
	s.WriteString("const workerSource = " + string(worker) + ";\n")
	look, _ := json.Marshal(looks()) // strings
	s.WriteString("const look = " + string(look) + ";\n")
	for _, name := range scripts() {
		s.WriteString("\n// " + name + "\n" + read(name))
	}
	s.WriteString("})();\n")
	return s.String()
}

func read(name string) string {
	text, err := fs.ReadFile(web, path.Join("web", name))
	if err != nil {
		panic("explore: " + err.Error()) // it is embedded
	}
	return string(text)
}
