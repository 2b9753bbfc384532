// Package castle prepares battles of the castle game for display in a notebook cell: each function returns a drawing for
// show.Figure, which can still be changed, or a table.
//
// Cells usually import it by the name view, beside analysis/castle.
package castle
