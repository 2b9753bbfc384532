// Package content is what pages are made of, as data: figures, tables, code, outputs, claims, formulas and prose.
//
// Chapters and notebooks build it, package site renders it. A block has a JSON form, in which the cell of a notebook
// hands it to the report, see [Marshal]. The package draws nothing, checks only its own shape, and imports the standard
// library alone, so that a cell of a notebook that uses it is linked in no time.
package content
