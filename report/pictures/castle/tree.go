package castle

import (
	"cmp"
	"fmt"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
)

// ends are the classes of a tree's leaves.
var ends = []figure.Class{
	pictures.Won.Class(int(game.Soldiers), "the soldiers win"),
	pictures.Lost.Class(int(game.Castle), "the castle wins"),
	pictures.Tied.Class(int(game.Tie), "tie"),
}

// Tree is the drawing of all paths of a small battle: at most [figure.MaxLeaves] of them, [figure.MaxDepth] waves long.
type Tree struct {
	Battle game.Battle
	Title  string // by default it says what the numbers on lines are
}

// Figure draws the tree. It fails for a battle with more paths, or longer ones, than can be read.
func (t Tree) Figure() (content.Figure, error) {
	root, err := t.Battle.Tree(figure.MaxLeaves * figure.MaxDepth)
	if err != nil {
		return content.Figure{}, err
	}
	explained := fmt.Sprintf("All paths of %v; a number on a line is how many soldiers shoot at defenders", t.Battle)
	return figure.Tree{Title: cmp.Or(t.Title, explained), Root: box(root, ""), Classes: ends}.Figure()
}

// box draws a state and what follows from it; edge is the move that has led there.
func box(n *game.Node, edge string) *figure.Node {
	b := &figure.Node{
		Lines: []string{fmt.Sprintf("N %d  D %d", n.State.Soldiers, n.State.Defenders), fmt.Sprintf("S %d", n.State.CastleHits)},
		Edge:  edge, Class: int(n.Winner),
	}
	for _, child := range n.Children {
		b.Children = append(b.Children, box(child, fmt.Sprint(child.Move)))
	}
	return b
}
