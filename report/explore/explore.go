// Package explore contains the explorables of the report, and their engines.
//
// An explorable is a picture of report/pictures. A module, which is the book's own Go code compiled to WebAssembly,
// draws it and writes its text. The JavaScript in web displays drawings and text, and passes the reader's actions to
// the module. See ADRs 42 and 64.
package explore

import (
	"embed"
	"encoding/ascii85"
	"encoding/hex"
	"encoding/json"
	"hash/fnv"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/report/explore/module"
	"github.com/siegebook/siegebook/report/pictures"
)

// Set contains all explorables of a book. It is empty for a book without explorables.
type Set struct {
	// Modules are the modules that draw the explorables. The first module draws most of them.
	Modules []Module
	// Heights is a style sheet with the recorded heights of explorables, so that pages can reserve space for them.
	Heights string
	// Live contains the files that live pages load. It is nil for a book without live pages.
	Live *Live
}

// Module is a WebAssembly module that answers requests from pages. A page loads only the modules that its own
// explorables need.
type Module struct {
	module.Module
	// Name is the name of the module and of its file.
	Name string
	// Program is the folder of the module's command, in the repository of the book.
	Program string
	// Inlined lists the Go packages whose functions the compiler may inline. An interpreter needs this, because it
	// creates many small values.
	Inlined []string
}

// Engines maps the names of modules to the compiled modules, see package internal/report/compile.
type Engines map[string][]byte

// Kinds returns the kinds of explorables that use the module, in the module's order.
func (m Module) Kinds() []string {
	var kinds []string
	for _, p := range m.Pictures {
		kinds = append(kinds, p.Name)
	}
	return kinds
}

//go:embed web
var web embed.FS

// goLicense is the licence of Go's runtime and library, parts of which are in the engine.
//
//go:embed golicense/LICENSE
var goLicense string

// starlarkLicense is the licence of Starlark, the interpreter of readers' programs.
//
//go:embed starlarklicense/LICENSE
var starlarkLicense string

// scripts lists the parts of the explorables' script: state.js holds the values of fields, kit.js contains the controls
// and the engine, picture.js shows the pictures that Go draws, and editor.js lets readers write programs. On a page,
// begin.js follows these files; in a notebook, cell.js does.
var scripts = []string{"state.js", "kit.js", "picture.js", "editor.js"}

// Pictures returns the pictures of all modules.
func (s Set) Pictures() []pictures.Picture {
	var all []pictures.Picture
	for _, m := range s.Modules {
		all = append(all, m.Pictures...)
	}
	return all
}

// Kinds returns all kinds of explorables, sorted: the names of the pictures.
func (s Set) Kinds() []string {
	var kinds []string
	for _, m := range s.Modules {
		kinds = append(kinds, m.Kinds()...)
	}
	slices.Sort(kinds)
	return kinds
}

// files returns the names of the embedded files that match a pattern, sorted.
func files(pattern string) []string {
	names, err := fs.Glob(web, path.Join("web", pattern))
	if err != nil {
		panic("explore: " + err.Error()) // cannot fail, because the patterns are our own
	}
	for i := range names {
		names[i] = path.Base(names[i])
	}
	return names
}

// Style returns the part of a page's style sheet that is for explorables. The rules that all explorables use come
// first.
func (s Set) Style() string {
	style := read("kit.css")
	for _, name := range files("*.css") {
		if name != "kit.css" && name != "cell.css" {
			style += "\n" + read(name)
		}
	}
	if s.Live != nil {
		style += "\n" + read("live/live.css")
	}
	return style + "\n" + s.Heights
}

// Script returns a script with all explorables. It defines only one global name, siegebook, and turns each element of
// the class "explorable" on its page into an explorable.
func (s Set) Script() string {
	lines, last := "", []string{"begin.js"}
	if s.Live != nil {
		lines, last = s.Live.lines(), []string{"live/live.js", "live/notebook.js", "begin.js"}
	}
	return head() + "\"use strict\";\nconst siegebook = " + s.scope(lines, last...) + ";\n"
}

// head returns the comment at the start of a script. It describes the script, and contains the licences of the code in
// the engine.
func head() string {
	return "// The explorables of the book. Each asks a module, which is compiled from the book's Go code, and draws " +
		"the answer.\n\n/*! The modules contain parts of Go:\n\n" + goLicense +
		"\nThe module of pages with an editor contains Starlark in Go:\n\n" + starlarkLicense + "*/\n\n"
}

// scope returns an expression that defines all explorables in a separate scope. lines precedes them, and the files
// named by last follow them.
func (s Set) scope(lines string, last ...string) string {
	var text strings.Builder
	text.WriteString("(() => {\nconst workerSource = " + literal(thread("worker.js")) + ";\nconst look = " +
		literal(s.looks()) + ";\n" + lines)
	for _, name := range append(slices.Clip(scripts), last...) {
		text.WriteString("\n// " + name + "\n" + read(name))
	}
	text.WriteString("})()")
	return text.String()
}

// literal returns a value as JavaScript. The result contains no tags, not even within a string.
func literal(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic("explore: " + err.Error()) // strings, lists and structs of strings can always be encoded
	}
	return string(text)
}

// thread returns the script of a thread: the code that all threads share, and the file with the given name.
func thread(name string) string { return read("thread.js") + read(name) }

func read(name string) string {
	text, err := fs.ReadFile(web, path.Join("web", name))
	if err != nil {
		panic("explore: " + err.Error()) // cannot fail, because the file is embedded
	}
	return string(text)
}

// Cell makes figures in the output of a notebook's cell explorable.
type Cell struct {
	// Name identifies the script and the engine with letters and digits, because a notebook may contain outputs of
	// different versions of the repository.
	Name string
	// Script turns each element of the class "siegebook-explorable" with data-script = Name into an explorable. The
	// element contains the drawing, and its attributes data-kind and data-start contain the kind and the settings. The
	// script contains the engine and no tags, and does not change the rest of the page.
	Script string
}

// ForCell returns the script for a notebook, with the engine that package compile has built from the first module.
func (s Set) ForCell(engine []byte) Cell {
	scope := plain(s.scope("const cellStyle = "+literal(read("cell.css")+s.Style())+";\n", "cell.js"))
	sum := fnv.New64a() // cells' programs import this package, so it should import few packages itself
	_, _ = sum.Write(append([]byte(scope), engine...))
	name := hex.EncodeToString(sum.Sum(nil))
	// All outputs in a notebook share these definitions and one engine.
	return Cell{name, head() + "(() => {\n\"use strict\";\nconst name = " + literal("siegebook-"+name) + ";\n" +
		"const siegebook = globalThis[name] || (globalThis[name] = " + scope + ");\n" +
		"siegebook.begin(" + literal(name) + ", " + literal(Text(engine)) + ");\n})();\n"}
}

// plain adapts a style, or a script that contains one, to notebooks. There, drawings always have a light background,
// even if the reader's system prefers a dark one, and the page's root element may have any font size, such as 10 pixels
// in Jupyter Notebook 6.
func plain(text string) string {
	text = strings.ReplaceAll(text, "(prefers-color-scheme: dark)", "not all")
	for digit := '0'; digit <= '9'; digit++ {
		text = strings.ReplaceAll(text, string(digit)+"rem", string(digit)+"em")
	}
	return text
}

// looks returns the data that a script needs before the engine is loaded: the pictures, and the language and the
// programs of an editor.
func (s Set) looks() map[string]any {
	looks := map[string]any{"examples": struct{}{}, "tokens": nil} // for a set without an editor
	var all []description
	for _, m := range s.Modules {
		for _, p := range m.Pictures {
			all = append(all, description{p.Name, p.Fields, m.Name})
		}
		if m.Tokens != nil {
			looks["examples"], looks["tokens"] = m.Examples, m.Tokens
		}
	}
	looks["pictures"] = all
	return looks
}

// description holds the data about a picture that a script needs before the engine is loaded.
type description struct {
	Name   string           `json:"name"`
	Fields []pictures.Field `json:"fields"`
	Module string           `json:"module"`
}

// A page contains an engine as text, in a string in a script or in an element. The text is in Ascii85, which encodes
// four bytes as five characters, so it is a sixteenth shorter than base64. Five of Ascii85's characters have a special
// meaning in a page, so fitting replaces them with others. The function fromText in web/kit.js decodes the text.
var fitting = strings.NewReplacer(`"`, "v", "&", "w", "<", "x", ">", "{", `\`, "y")

// Text encodes bytes as text for a page.
func Text(data []byte) string {
	text := make([]byte, ascii85.MaxEncodedLen(len(data)))
	return fitting.Replace(string(text[:ascii85.Encode(text, data)]))
}
