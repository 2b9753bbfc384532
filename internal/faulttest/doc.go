// Package faulttest does to commands what the world does: it kills them, fills their disk, takes away their
// permissions, and turns back the clock. It is for tests, which then look at what is left.
package faulttest
