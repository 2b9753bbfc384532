// Package notebooktest holds our notebooks and our runner against Jupyter itself: every notebook of the course runs
// from top to bottom in both and shows the same, and files that other programs wrote come through unharmed.
//
// Everything but the notebook of a newcomer is in its tests. They build the kernel into a folder of their own and do
// not touch that of the user. They need jupyter-nbconvert on PATH, which `make test` installs where it may; without it
// they skip, and with CI=true they fail.
package notebooktest
