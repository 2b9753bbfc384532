// Package browsertest looks at the finished report in Chromium, as a reader does: from the disk, without network, on a
// light and a dark page, on a telephone and a desktop.
//
// Everything is in its tests. They need a Chromium on PATH, which `make test` installs where it may, and never download one.
// Without it they skip; with CI=true they fail.
package browsertest
