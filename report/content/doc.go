// Package content is what pages are made of, as data: figures, tables, code, outputs, claims, formulas and prose.
//
// Chapters and notebooks build it, package site renders it. It draws nothing, checks only its own shape, and imports
// the standard library alone, so that a cell of a notebook that uses it is linked in no time.
package content
