// Package naval prepares games of the naval battle for a notebook cell, as tables. The pictures are in
// report/pictures/naval.
//
// Cells usually import it by the name view, beside analysis/naval.
package naval
