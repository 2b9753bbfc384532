// Package tower prepares battles of the tower game for a notebook cell: tables, and the planes that maps lie on. The
// pictures themselves are in report/pictures/tower.
//
// Cells usually import it by the name view, beside analysis/tower.
package tower
