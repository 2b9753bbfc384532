// Package castle prepares battles of the castle game for a notebook cell: tables, and the planes that maps lie on. The
// pictures themselves are in report/pictures/castle.
//
// Cells usually import it by the name view, beside analysis/castle.
package castle
