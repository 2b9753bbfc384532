//go:build !linux

package jupyter

import (
	"io/fs"
	"net"
	"time"
)

// change is when a file was last changed; the number of the file is known on Linux only.
type change struct {
	time time.Time
	file uint64
}

func changeTime(info fs.FileInfo) change { return change{time: info.ModTime()} }

// ofAnotherUser is known on Linux only.
func ofAnotherUser(net.Conn) bool { return false }

// tooSlow says what to do about a cell that does not end. Here nothing tells what it waits for.
const tooSlow = "make it faster, or allow more time with --timeout; if it reads from the standard input, take that out of the cell, as nobody is there to type"

// waitsForInput cannot say whether a program of the kernel waits for what somebody types.
func (p *process) waitsForInput() bool { return false }
