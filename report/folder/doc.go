// Package folder makes a book of a folder: Markdown pages with Go cells, and notebooks.
//
// [Read] reads the folder, [Folder.Run] runs the cells, and [Folder.Book] gives a value that package report builds as
// it builds any book. Faults are collected: a folder with faults still gives a book, so that a build finds the others.
//
// # The folder
//
// Pages are the files *.md and *.ipynb in the order of their names, those of a folder in it as a part. README.md and
// names that begin with a dot or an underscore are no pages. index.md is the front page; where there is none, one is
// made. book.yaml has title, author, and the like: see config.
//
// # A page
//
// A page is in the dialect of package site. It may begin with front matter; its title is that of the front matter, else
// its heading of level 1, else the name of its file. Besides,
//
//   - a block ```go run is a cell. All cells of a page run in one kernel, from top to bottom, as those of a notebook.
//     The code is folded; "run show" leaves it open, "run hide" leaves it out, "run answer" folds what it puts out.
//     {#name} at the end of the line names its outputs for references: {{ ref "fig:name" }}, tbl:name, claim:name.
//   - `go: expression` is the value of the expression, which knows the declarations of the cells before.
//   - ![alternative text](file.png "Caption"){#name} on a line of its own is a figure; without caption and name, and
//     within a line, it is an image.
//   - {{ explore "castle-hunt" "n=40&x=24" "Caption" }} is an explorable, fig:castle-hunt; {{ explore
//     "castle-ask-most" "n=100" }} is an exercise whose answers are judged.
//   - [@key] cites the bibliography of the book, in a note.
//
// Links lead to pages by the names of their files, and to files of the folder, which are published with the page.
package folder
