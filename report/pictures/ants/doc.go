// Package ants draws ant battles on boards: who stands where, how many enemies each ant has in range, who dies, who
// kills whom.
//
// Those who import it usually name it pictures, beside analysis/ants.
package ants
