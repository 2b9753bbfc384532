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

// Paths are all paths of a small battle.
func Paths() pictures.Picture {
	return pictures.Picture{Name: "castle-tree", Fields: limitedBattle(20, 40, 30, 999), See: seePaths}
}

func seePaths(v pictures.Values) (*pictures.View, error) {
	b := battleOf(v)
	const most = figure.MaxLeaves * figure.MaxDepth
	root, err := b.Tree(most)
	if err != nil {
		return nil, fmt.Errorf("%v: its tree has more than %d boxes, choose a weaker castle or fewer soldiers", b, most)
	}
	f, err := Tree{Battle: b}.Figure()
	if err != nil {
		return nil, fmt.Errorf("%v: its tree has more than %d paths or more than %d waves, choose a weaker castle or "+
			"fewer soldiers", b, figure.MaxLeaves, figure.MaxDepth)
	}
	won, lost, tied := leaves(root, game.Soldiers), leaves(root, game.Castle), leaves(root, game.Tie)
	answer := fmt.Sprintf("On %s the soldiers win, on %d the castle", pictures.Plural(won, "path"), lost)
	if tied > 0 {
		answer += fmt.Sprintf(", and %d ends in a tie", tied) // at most one does
	}
	return &pictures.View{
		Answer: answer, Say: answer + ".", Bounds: stretched(v, 20, 40, 30),
		Parts: []pictures.Part{
			{Plate: &pictures.Plate{
				Key: b.String(), Label: "Tree of all paths", Draw: func() (content.Figure, error) { return f, nil },
			}},
			pictures.Words(pictures.Drag("n", v), " soldiers against a castle of ", pictures.Drag("s", v), " hits and ",
				pictures.Drag("d", v), " defenders a wave."),
		},
	}, nil
}

// leaves counts the paths on which a side wins.
func leaves(n *game.Node, winner game.Winner) (count int64) {
	if len(n.Children) == 0 && n.Winner == winner {
		return 1
	}
	for _, child := range n.Children {
		count += leaves(child, winner)
	}
	return count
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
		Lines: []string{
			fmt.Sprintf("N %d  S %d", n.State.Soldiers, n.State.CastleHits),
			fmt.Sprintf("D %d", n.State.Defenders),
		},
		Edge: edge, Class: int(n.Winner),
	}
	for _, child := range n.Children {
		b.Children = append(b.Children, box(child, fmt.Sprint(child.Move)))
	}
	return b
}
