package castle

import (
	"context"

	game "github.com/siegebook/siegebook/analysis/castle"
)

// waysOf counts the ways of a small battle.
func waysOf(b game.Battle) (game.Counts, error) {
	return b.Count(context.Background(), game.CountOptions{})
}

// printedWaysOf counts them as the post does.
func printedWaysOf(b game.Battle) (game.Counts, error) {
	return b.Count(context.Background(), game.CountOptions{Convention: game.Printed})
}
