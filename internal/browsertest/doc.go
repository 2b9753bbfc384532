// Package browsertest looks at pages in Chromium, as a reader does: at the finished report, from the disk, without
// network, on a light and a dark page, on a telephone and a desktop, on paper and by keyboard, with axe-core and
// html-validate; at a notebook full of attacks as a page; and at a notebook in Jupyter Notebook, whose cells it runs.
//
// Everything is in its tests. They need a Chromium and a Jupyter Notebook 6 on PATH, and the checkers of npm.sh, which
// `make test` installs where it may, and never download one. Without them they skip; with CI=true they fail. To see
// what they see:
//
//	go test -run NotebookPage -artifacts -outputdir DIR ./internal/browsertest
package browsertest
