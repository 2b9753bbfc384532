// Package setup holds the scripts that fetch what is no module of ours: install.sh, npm.sh and gopls.sh for the tests,
// jupyter.sh for the notebooks. make calls them.
//
// Its tests, and those of internal/npmtest, run them among programs that only pretend, and install nothing.
package setup
