// Package naval prepares games of the naval battle for a notebook cell, as tables. The drawings are in
// report/siegebook/pictures/naval.
//
// Cells usually import it under the name view, because they also import analysis/naval.
package naval

import (
	"strconv"

	game "github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/notebooks/show"
)

// Cells returns a table with a number for each cell of the board, row by row. Rows and columns are numbered from 1.
func Cells(title string, numbers [game.Side][game.Side]int) *show.Table {
	columns := []string{"row"}
	for x := range game.Side {
		columns = append(columns, strconv.Itoa(x+1))
	}
	table := show.NewTable(title, columns...)
	for y, row := range numbers {
		cells := []any{y + 1}
		for _, n := range row {
			cells = append(cells, n)
		}
		table.Row(cells...)
	}
	return table
}
