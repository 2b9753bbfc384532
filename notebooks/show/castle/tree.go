package castle

import (
	"fmt"

	"github.com/siegebook/siegebook/report/content"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/figure"
)

// outcomes are the classes of a tree's leaves.
var outcomes = []figure.Class{
	{Value: int(game.Soldiers), Label: "the soldiers win", Sign: "✓", Swatch: figure.Blue},
	{Value: int(game.Castle), Label: "the castle wins", Sign: "✗", Swatch: figure.Vermilion},
	{Value: int(game.Tie), Label: "tie", Sign: "=", Swatch: figure.Green},
}

// Tree is the drawing of all paths of a small battle: at most [figure.MaxLeaves] of them, [figure.MaxDepth] waves long.
type Tree struct {
	Battle game.Battle
}

// Figure draws the tree. It fails for a battle with more paths, or longer ones, than can be read.
func (t Tree) Figure() (content.Figure, error) {
	root, err := t.Battle.Tree(figure.MaxLeaves * figure.MaxDepth)
	if err != nil {
		return content.Figure{}, err
	}
	return figure.Tree{
		Title: fmt.Sprintf("All paths of %v; a number on a line is how many soldiers shoot at defenders", t.Battle),
		Root:  node(root, ""), Classes: outcomes,
	}.Figure()
}

func node(n *game.Node, edge string) *figure.Node {
	box := &figure.Node{
		Lines: []string{fmt.Sprintf("S %d  D %d", n.State.Soldiers, n.State.Defenders), fmt.Sprintf("C %d", n.State.CastleHits)},
		Edge:  edge, Class: int(n.Winner),
	}
	for _, child := range n.Children {
		box.Children = append(box.Children, node(child, fmt.Sprint(child.Move)))
	}
	return box
}
