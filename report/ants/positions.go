package ants

import (
	"strings"

	game "github.com/siegebook/siegebook/analysis/ants"
)

// everyText yields all positions of two armies in a box as maps, A being the army of the first ant.
func everyText(rows, cols int) []string {
	var all []string
	cells := make([]byte, rows*cols)
	var fill func(cell int, empty bool)
	fill = func(cell int, empty bool) {
		if cell == len(cells) {
			var lines []string
			for i := 0; i < len(cells); i += cols {
				lines = append(lines, string(cells[i:i+cols]))
			}
			all = append(all, strings.Join(lines, "\n"))
			return
		}
		for _, sign := range []byte(".AB") {
			if sign == 'B' && empty {
				continue
			}
			cells[cell] = sign
			fill(cell+1, empty && sign == '.')
		}
	}
	fill(0, true)
	return all
}

// everyPosition decides them by the contest's rule.
func everyPosition(rows, cols int) ([]fight, error) {
	var all []fight
	for _, text := range everyText(rows, cols) {
		f, err := newFight(text, game.Focus)
		if err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return all, nil
}
