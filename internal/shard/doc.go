// Package shard cuts a long computation into parts that any number of machines compute, in any order, and keeps what
// they find in a folder until all is there.
//
// The items of the computation are numbered 0..size-1. Shard I of N is a stretch of them, [Part.Block], and N shards
// are all of them, none twice. What a shard has found is a file that is complete or not there, [Folder.Write]: it
// names its recipe, which is the command that gives the whole, and its number, and holds a checksum of itself. So a
// folder can be asked which shards are whole, and which are still to be computed, [Folder.Look], whoever wrote them.
//
// The package knows no game and no format; see [MarkKey] for what it asks of one.
package shard
