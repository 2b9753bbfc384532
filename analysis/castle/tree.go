package castle

import (
	"cmp"
	"fmt"
)

// Node is a state in the tree of all legal paths.
type Node struct {
	State    State
	Move     int64   // the orders that led here; of no meaning at the root
	Winner   Winner  // Undecided except at leaves
	Children []*Node // in increasing order of Move
}

// Tree returns the tree of all legal paths of a small battle. It returns an error if the tree has more than
// maxNodes nodes; nothing is built beyond that.
func (b Battle) Tree(maxNodes int) (*Node, error) {
	if err := cmp.Or(b.Validate(), natural("most nodes", maxNodes)); err != nil {
		return nil, err
	}
	root := &Node{State: b.start()}
	nodes := 1
	var grow func(*Node) error
	grow = func(node *Node) error {
		low, high := node.State.moves()
		for i := low; i <= high; i++ {
			if nodes++; nodes > maxNodes {
				return fmt.Errorf("tree of %v: more than %d nodes; raise the limit, or take a smaller battle", b, maxNodes)
			}
			next, winner := b.step(node.State, i)
			child := &Node{State: next, Move: i, Winner: winner}
			node.Children = append(node.Children, child)
			if winner != Undecided {
				continue
			}
			if err := grow(child); err != nil {
				return err
			}
		}
		return nil
	}
	if err := grow(root); err != nil {
		return nil, err
	}
	return root, nil
}
