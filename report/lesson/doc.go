// Package lesson makes pages of the report from notebooks.
//
// [Course] runs the notebooks of a folder, or takes what they put out from the cache, and makes one page of each. Prose
// becomes the page's own Markdown, so that its headings, links and formulas are checked like all others; code is
// highlighted; every output is shown. [Page] does this for one notebook that has been run elsewhere.
//
// What a cell puts out is foreign: HTML is sanitised, pictures are checked, text is escaped. A notebook can change how
// its own page reads and nothing else.
//
// # What prose may hold
//
// A Markdown cell is what package site reads, and also:
//
//   - The first heading of level 1 is the page's title. The others move to the levels from 2 on, keep their order, and
//     skip no level.
//   - <details><summary>Answer</summary> ... </details>, each tag at the start of a line, folds what is inside.
//     All other HTML is refused, with cell and line.
//   - A link to another notebook of the course leads to its page; one to #A-Heading, as Jupyter writes it, to that
//     heading.
//   - Images that are attached to the cell.
//   - A paragraph that is one TeX environment is display math, also without dollar signs.
//
// Template calls of package site are text here: a notebook computes in its cells.
//
// # What code cells show
//
// A cell that is tagged hide-code, or whose code is hidden in Jupyter, has its code folded. Of the forms of an output
// the richest is shown that can be: HTML, then pictures, then Markdown, then plain text. Raw cells are left out.
package lesson
