package lesson

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/internal/jupyter"
)

// Tags of code cells that say how the page shows them. In Jupyter they do nothing: there the code is what one works on,
// and a result comes when its cell is run.
const (
	// TagShowInput leaves the code of a cell open; that of all others is folded.
	TagShowInput = "show-input"
	// TagHideOutput folds what a cell puts out, since it is the answer to a bet; that of all others is open.
	TagHideOutput = "hide-output"
)

// foldWords are what tags begin with that are about folding, as far as one can tell.
var foldWords = []string{"show", "hide", "open", "close", "fold", "remove", "collapse"}

// Check lists what is wrong with the tags that say how a page shows the cells of a notebook: a tag that is misspelt or
// that only others know, one on a cell that is no code, and one that contradicts what is hidden in Jupyter.
func Check(n *jupyter.Notebook) []string {
	var problems []string
	for i, c := range n.Cells() {
		add := func(format string, args ...any) {
			problems = append(problems, c.Name(i)+": "+fmt.Sprintf(format, args...))
		}
		for _, tag := range c.Tags {
			known := tag == TagShowInput || tag == TagHideOutput
			switch {
			case known && c.Kind != jupyter.Code:
				add("its tag %s is for code cells: take it off", tag)
			case !known && aboutFolding(tag):
				add(
					"its tag %q does nothing: %s leaves the code open on the page, %s folds the outputs, and without them it is the other way round",
					tag, TagShowInput, TagHideOutput,
				)
			}
		}
		if c.HasTag(TagShowInput) && hiddenInJupyter(c) {
			add("its tag %s leaves its code open, and jupyter.source_hidden hides it: take one of them off", TagShowInput)
		}
	}
	return problems
}

func aboutFolding(tag string) bool {
	return slices.ContainsFunc(foldWords, func(word string) bool { return strings.HasPrefix(strings.ToLower(tag), word) })
}

// hiddenInJupyter says whether somebody has collapsed the code of a cell in JupyterLab.
func hiddenInJupyter(c jupyter.Cell) bool {
	var m struct {
		Jupyter struct {
			SourceHidden bool `json:"source_hidden"`
		} `json:"jupyter"`
	}
	return json.Unmarshal(c.Metadata, &m) == nil && m.Jupyter.SourceHidden
}
