// Package tower draws the tower game: maps of planes of battles, battles round by round, soldiers needed.
//
// Those who import it usually name it pictures, beside analysis/tower.
package tower
