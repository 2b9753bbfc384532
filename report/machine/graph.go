package machine

import (
	"strings"

	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
)

// graph shows which theorem uses which, file by file.
func (l *Shelf) graph() (content.Figure, error) {
	g := figure.Graph{Title: "Which theorem uses which", One: "theorem", Many: "theorems"}
	for _, f := range l.files {
		group := figure.Group{Name: f.name}
		for _, t := range f.theorems {
			group.Boxes = append(
				group.Boxes, figure.Box{Name: t.Name, Lines: broken(t.Name), Needs: t.Needs, Target: "#" + t.anchor()},
			)
		}
		if len(group.Boxes) > 0 {
			g.Groups = append(g.Groups, group)
		}
	}
	drawn, err := g.Figure()
	return drawn.Named("graph"), err
}

// lineLength is the most letters of a name that stand on one line, where it has a place to be broken.
const lineLength = 13

// broken writes a name on lines that end behind its underscores.
func broken(name string) []string {
	var lines []string
	for _, word := range strings.SplitAfter(name, "_") {
		if last := len(lines) - 1; last >= 0 && len(lines[last])+len(word) <= lineLength {
			lines[last] += word
			continue
		}
		lines = append(lines, word)
	}
	return lines
}
