// Package naval draws naval battles: fleets with the shots at them, and how often cells are used.
//
// Those who import it usually name it pictures, beside analysis/naval.
package naval
