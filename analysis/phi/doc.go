// Package phi computes exactly with the golden ratio φ = (1+√5)/2, in integers only.
//
// The siege games meet φ in one place: soldiers who hunt down the defenders of a fallen castle shrink by Fibonacci
// numbers, and whether they live is the question on which side of 1/φ the ratio of defenders to soldiers lies. That
// question has an integer answer. For positive n and x
//
//	n > xφ   exactly when   n² - nx - x² > 0,
//
// and the two sides are never equal, because φ is irrational. Nothing in this package rounds.
//
// The identities that the derivations lean on are functions too (see fibonacci.go), so that a reader can
// evaluate both sides, and a test does so over a range.
package phi
