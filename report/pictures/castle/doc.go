// Package castle draws the castle game: maps of planes of battles, trees, battles wave by wave, counts of ways.
//
// Those who import it usually name it pictures, beside analysis/castle.
package castle
