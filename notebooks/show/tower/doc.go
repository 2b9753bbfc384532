// Package tower prepares battles of the tower game for display in a notebook cell: each function returns a drawing for
// show.Figure, which can still be changed, or a table.
//
// Cells usually import it by the name view, beside analysis/tower.
package tower
