//go:build !linux

package jupyter

// tooSlow says what to do about a cell that does not end. Here nothing tells what it waits for.
const tooSlow = "make it faster, or allow more time with --timeout; if it reads from the standard input, take that out of the cell, as nobody is there to type"

// waitsForInput cannot say whether a program of the kernel waits for what somebody types.
func (p *process) waitsForInput() bool { return false }
