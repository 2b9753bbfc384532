// Package browsertest looks at pages in Chromium, as a reader does: at the finished report, from the disk, without
// network, on a light and a dark page, on a telephone and a desktop, on paper and by keyboard, with axe-core and
// html-validate; at a notebook full of attacks as a page; and at a notebook in Jupyter Notebook, whose cells it runs.
// In Chromium and in Firefox it plays with the explorables, and compares what they answer with the library.
//
// An explorable is played by a function of its own in plays, which is given a player: that opens the page with a state,
// writes, slides, drags, taps and pushes, and reads what comes of it.
//
// Everything is in its tests. They need a Chromium, a Firefox and a Jupyter Notebook 6 on PATH, and the checkers of
// npm, which `make test` installs where it may, and never download one. Without them they skip; with CI=true they
// fail. To see what they see:
//
//	go test -run NotebookPage -artifacts -outputdir DIR ./internal/browsertest
package browsertest
