// Genreport renders the report: a folder of static HTML pages that need no network, and no script but to search.
//
//	genreport [build] [--out site] [--grid soldiers=100,castle=1:400,defenders=1:200] [--survey grid|FILE|DIR] [--algorithm FILE.star]... [--only chapter,...] [--single FILE.html] [--notebooks DIR]
//	genreport check [--out site | --single FILE.html] [the flags of build]
//	genreport serve [--addr 127.0.0.1:8000] [the flags of build]
//	genreport new DIR
//	genreport build|check|serve DIR [the flags of build]
//	genreport notebooks export|import PAGE.md...
//	genreport notebooks run|check|strip [FILE...] [--out DIR] [-p name=value] [--kernel NAME] [--timeout 60s]
//	genreport notebooks new NAME
//	genreport kernel install|uninstall|check
//
// build computes everything anew, or takes it from the cache if the same program has built the same report before, and
// puts the folder in place at the end: a build that fails or is interrupted leaves the last good report as it was.
//
// With a folder, the report is that of the folder: its Markdown pages with Go cells, and its notebooks. new begins one.
//
// serve shows the report in a browser while it is written: pages that an edit changes load themselves again,
// and faults stand on the page.
//
// notebooks runs notebooks without Python, in any installed kernel; kernel installs the Go kernel that ours run in.
//
// check computes a report anew with the grid, chapters and lessons that its own stamp names, compares with what is on
// disk, lists what differs, and exits with 1 if anything does. A survey that the build was given is computed again too,
// or as much of it as the seed draws.
package main
