package castle

import (
	"fmt"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
)

// HandedUp is the drawing of a search through all paths of a small battle: each box has, below its state, how many
// wins of the soldiers and of the castle it hands up to the box before it.
type HandedUp struct {
	Battle game.Battle
	Title  string
}

// Figure draws the tree. It fails for a battle with more paths, or longer ones, than can be read.
func (h HandedUp) Figure() (content.Figure, error) {
	root, err := h.Battle.Tree(figure.MaxLeaves * figure.MaxDepth)
	if err != nil {
		return content.Figure{}, err
	}
	drawn := box(root, "")
	handUp(root, drawn)
	return figure.Tree{Title: h.Title, Root: drawn, Classes: ends}.Figure()
}

// handUp adds to each box the wins of the soldiers and of the castle on the paths through it.
func handUp(n *game.Node, drawn *figure.Node) (soldiers, castle int) {
	switch n.Winner {
	case game.Soldiers:
		soldiers = 1
	case game.Castle:
		castle = 1
	}
	for i, child := range n.Children {
		s, c := handUp(child, drawn.Children[i])
		soldiers, castle = soldiers+s, castle+c
	}
	drawn.Lines = append(drawn.Lines, fmt.Sprintf("%d : %d", soldiers, castle))
	return soldiers, castle
}
