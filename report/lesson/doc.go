// Package lesson makes pages of the report from notebooks.
//
// [Course] runs the notebooks of a folder, or takes what they put out from the cache, and makes one page of each: a
// body of blocks, in which a Markdown cell is prose, a code cell a listing, and each of its outputs one block or more.
// [Page] does this for one notebook that has been run elsewhere. Prose is in the dialect of package site, which reports
// faults with file, cell and line.
//
// # What code cells show
//
// The code of a cell is folded, and the comment that it begins with says in its place what it does; it stays open where
// the cell is tagged [TagShowInput]. Outputs are open; those of a cell that is tagged [TagHideOutput] are folded. Of
// the forms of an output the richest is shown that can be: a block of the report, then HTML, pictures, Markdown and
// plain text. Raw cells are left out.
//
// Outputs of cells are not trusted, also those of our own runs: drawings become images, HTML is sanitised, pictures are
// checked, text is escaped. A notebook can change how its own page reads and nothing else.
package lesson
