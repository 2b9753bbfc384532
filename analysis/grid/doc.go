// Package grid walks over products of whole-number ranges with all cores, in order and in bounded memory.
//
// A [Range] is what a user types, 1:100; a [Grid] is a product of ranges, whose points are numbered like the digits of
// an odometer, the last range fastest; [Sweep] cuts the numbers 0..size-1 into blocks, has them computed by several
// workers and hands the results over one by one, in the order of the blocks. How many workers there are changes
// the time and nothing else: neither the results, nor their order, nor which error is reported.
//
// The package knows no game and does no input or output.
package grid
