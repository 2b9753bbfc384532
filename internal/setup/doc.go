// Package setup holds the scripts that install programs besides Go modules: install.sh, npm.sh and gopls.sh for the
// tests, jupyter.sh for the notebooks. make calls them.
//
// Its tests, and those of internal/npmtest, run them with fake programs, and install nothing.
package setup
