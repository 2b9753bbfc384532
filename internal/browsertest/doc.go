// Package browsertest looks at the finished report in Chromium, as a reader does: from the disk, without network, on a
// light and a dark page, on a telephone and a desktop, on paper and by keyboard. It lets axe-core and html-validate look too, follows
// every link, and opens a notebook full of attacks.
//
// Everything is in its tests, which share one report. They need a Chromium on PATH, and axe-core and html-validate from npm, which
// `make setup` installs where it may, and never download anything themselves. Without they skip; with CI=true they fail.
package browsertest
