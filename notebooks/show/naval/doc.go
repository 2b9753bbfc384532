// Package naval prepares games of the naval battle for display in a notebook cell: each function returns a drawing for
// show.Figure, which can still be changed, or a table.
//
// Cells usually import it by the name view, beside analysis/naval.
package naval
