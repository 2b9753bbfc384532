package site

import (
	"html/template"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/internal/report/sanitize"
	"github.com/siegebook/siegebook/report/content"
)

// Explorer is what explorable figures run on: a script for all of them, which asks engines.
type Explorer struct {
	// Script makes an explorable of every element of the class "explorable". It is classic JavaScript, without a
	// closing tag of a script in it. It finds the engines by itself.
	Script string
	// Style is the style sheet for it, beside that of all pages.
	Style string
	// Engines are what it asks; a page has those that its figures need.
	Engines []Engine
}

// Engine is what figures of some kinds ask.
type Engine struct {
	// Name names the engine and its file, in letters.
	Name string
	// Kinds are the kinds of explorables that ask it; nil for that of all others.
	Kinds []string
	// Text is the engine, as text without quotes, backslashes and markup.
	Text string
}

// file is the engine's path in the output.
func (e Engine) file() string { return e.Name + ".js" }

// The explorer's paths in the output. A page may not ask for a file beside it when it is opened from a disk, but it may
// load a script: so an engine is one.
const (
	explorerName      = "explore.js"
	explorerStyleName = "explore.css"
)

// engineID begins the ids of the elements that hold engines in an edition of one file.
const engineID = "siegebook-"

// scriptPolicy adds to a policy that these scripts may run, compile WebAssembly, and start workers of their own making.
// Nothing may make markup of text; the one policy of trusted types that there is admits a worker.
func scriptPolicy(sources string) string {
	return "; script-src " + sources + " 'wasm-unsafe-eval'; worker-src blob:; require-trusted-types-for 'script'; " +
		"trusted-types siegebook"
}

// explorable says whether a figure or an exercise is one that readers can play with, here.
func (b *book) explorable(f *block) bool {
	if b.Explorer == nil || f.explore() == nil {
		return false
	}
	return f.chapter.Body == nil || !f.explore().Other && !foreign(f.chapter.Body)
}

// foreign says whether markup of others stands among blocks. No script runs beside it.
func foreign(blocks []content.Block) bool {
	return slices.ContainsFunc(blocks, func(b content.Block) bool {
		switch b := b.(type) {
		case *sanitize.Markup:
			return true
		case content.Fold:
			return foreign(b.Body)
		}
		return false
	})
}

// explorableOf returns the first figure of the site that is explored by the same kind of explorable, on a page that is
// no lesson; nil if there is none.
func (b *book) explorableOf(e *content.Explorable) *block {
	if e == nil {
		return nil
	}
	for _, c := range b.chapters {
		for _, f := range c.blocks {
			if c.Body == nil && b.explorable(f) && f.explore().Kind == e.Kind {
				return f
			}
		}
	}
	return nil
}

// elsewhere is where a figure can be moved that cannot be moved here, nil for nowhere.
func (b *book) elsewhere(f *block) *elsewhereView {
	if f.figure == nil || b.explorable(f) {
		return nil
	}
	there := b.explorableOf(f.figure.Explore)
	if there == nil {
		return nil
	}
	return &elsewhereView{template.URL(b.hrefExplored(there, f.figure.Explore)), there.chapter.Title}
}

// hrefExplored returns the address of a figure's explorable with the settings of another one: those of the first of a
// page stand alone, and all others behind the name of their figure.
func (b *book) hrefExplored(there *block, e *content.Explorable) string {
	name := b.id(there.chapter, there.anchor) + ":"
	if b.single {
		return "#" + name + e.Address()
	}
	first := slices.IndexFunc(there.chapter.blocks, b.explorable)
	if there.chapter.blocks[first] == there {
		name = ""
	}
	return there.chapter.Slug + ".html#" + name + e.Address()
}

// explores says whether there is anything to explore on any page.
func (b *book) explores() bool {
	return len(b.engines(b.chapters...)) > 0
}

// scripts are those of a page.
func (b *book) scripts(c *chapter) []string {
	var files []string
	if engines := b.engines(c); len(engines) > 0 {
		files = append(files, explorerName)
		for _, e := range engines {
			files = append(files, e.file())
		}
	}
	if b.previewed(c) {
		files = append(files, previewName)
	}
	return files
}

// engines are those that the figures of some pages need.
func (b *book) engines(pages ...*chapter) []Engine {
	needed := map[int]bool{}
	for _, c := range pages {
		for _, f := range c.blocks {
			if !b.explorable(f) {
				continue
			}
			at := slices.IndexFunc(b.Explorer.Engines,
				func(e Engine) bool { return slices.Contains(e.Kinds, f.explore().Kind) })
			if at < 0 {
				at = slices.IndexFunc(b.Explorer.Engines, func(e Engine) bool { return e.Kinds == nil })
			}
			needed[at] = true
		}
	}
	var all []Engine
	if b.Explorer != nil {
		for i, e := range b.Explorer.Engines {
			if needed[i] {
				all = append(all, e)
			}
		}
	}
	return all
}

// policy is that of a page: scripts run only where there is something to explore, or where links have previews.
func (b *book) policy(c *chapter) string {
	switch {
	case len(b.engines(c)) > 0:
		return contentPolicy + scriptPolicy("'self'") // a browser refuses hashes of files on a disk
	case b.previewed(c):
		return contentPolicy + quietPolicy("'self'")
	}
	return contentPolicy
}

// singleStyle is the style sheet of an edition of one file, with what explorables need.
func (b *book) singleStyle() string {
	if !b.explores() {
		return style + b.Theme
	}
	return style + b.Theme + b.Explorer.Style
}

// addExplorer adds the files that pages share.
func (b *book) addExplorer(tree Tree) {
	if b.explores() {
		tree[explorerName] = []byte(b.Explorer.Script)
		tree[explorerStyleName] = []byte(b.Explorer.Style)
		for _, e := range b.engines(b.chapters...) {
			tree[e.file()] = []byte(`siegebook.start("` + e.Text + `", "` + e.Name + `");` + "\n")
		}
	}
}

// explorerParts are the same for an edition of one file.
func (b *book) explorerParts() template.HTML {
	if !b.explores() {
		return ""
	}
	var parts strings.Builder
	for _, e := range b.engines(b.chapters...) {
		parts.WriteString("\n" + `<script type="application/gzip" id="` + engineID + e.Name + `" data-engine="` +
			e.Name + `">` +
			e.Text + "</script>")
	}
	return template.HTML(parts.String() + "\n<script>" + inXML(b.Explorer.Script) + "</script>")
}

// inXML is a script for a page that stays well-formed as XML.
func inXML(script string) string {
	return "//<![CDATA[\n" + strings.TrimSuffix(script, "\n") + "\n//]]>"
}
