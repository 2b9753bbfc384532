// Package notebooktest holds our notebooks and our runner against Jupyter itself: every notebook of the course runs
// from top to bottom in both and shows the same, and files that other programs wrote come through unharmed.
//
// Everything but the notebook of a newcomer is in its tests. They build the kernel into a folder of their own and do
// not touch that of the user. They need jupyter-nbconvert on PATH, which `make test` installs where it may; without it
// they skip, and with CI=true they fail.
package notebooktest

import (
	_ "embed"
	"encoding/json"
	"strings"
)

//go:embed testdata/newcomer.txt
var newcomer string

// Newcomer is a notebook as somebody writes it in the first hour, with what has to be among the outputs of each cell.
// Cells that fail have the tag raises-exception. In its file a line of --- parts the cells, and a line that begins with
// => has what is wanted, or says that the cell fails.
func Newcomer() (notebook []byte, wants [][]string) {
	var cells []any
	for source := range strings.SplitSeq(newcomer, "\n---\n") {
		var lines, want, tags []string
		for line := range strings.SplitSeq(strings.TrimSuffix(source, "\n"), "\n") {
			text, is := strings.CutPrefix(line, "=> ")
			switch {
			case !is:
				lines = append(lines, line)
			case text == "fails":
				tags = append(tags, "raises-exception")
			default:
				want = append(want, text)
			}
		}
		metadata := map[string]any{}
		if len(tags) > 0 {
			metadata["tags"] = tags
		}
		cells = append(cells, map[string]any{
			"cell_type": "code", "metadata": metadata, "execution_count": nil, "outputs": []any{},
			"source": strings.Join(lines, "\n"),
		})
		wants = append(wants, want)
	}
	notebook, err := json.Marshal(map[string]any{
		"cells": cells, "nbformat": 4, "nbformat_minor": 4,
		"metadata": map[string]any{"kernelspec": map[string]string{
			"display_name": "Go (siegebook)", "language": "go", "name": "siegebook",
		}},
	})
	if err != nil {
		panic(err)
	}
	return notebook, wants
}
