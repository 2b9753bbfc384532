// Package ants prepares ant battles for display in a notebook cell: each function takes a battle as a text map with
// edges and returns a drawing for show.Figure, which can still be changed, or a table.
//
// Cells usually import it by the name view, beside analysis/ants. Functions end the cell if the text is no map.
package ants
