// Package repotest tests the repository itself: that packages import only what ARCHITECTURE.md allows, that the
// commands and examples in the documentation work and print what is shown, that links lead somewhere, that the Makefile
// explains its targets, and that the picture in the README is the one that the code draws.
//
// Everything is in its tests. Each check is a function over a file tree, so that it can be shown to fail on a
// small broken one.
package repotest
