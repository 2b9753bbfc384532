package main

import (
	"bytes"
	"fmt"
	"io"
)

var errTooLong = fmt.Errorf("no row ends within %d KiB, write three numbers with commas between them, each row on a line of its own", longestRow>>10)

// rationed is a reader that hands out no more bytes than it is allowed to: errTooLong comes instead. Its user renews
// the ration with every row, so a row is bounded even if quotes make it go on over many lines.
type rationed struct {
	r     io.Reader
	left  int
	ended int // lines that have ended, among the bytes that were handed out
}

func (r *rationed) Read(p []byte) (int, error) {
	if r.left == 0 {
		return 0, errTooLong
	}
	n, err := r.r.Read(p[:min(len(p), r.left)])
	r.left -= n
	r.ended += bytes.Count(p[:n], []byte{'\n'})
	return n, err
}

// line is the number of the line that the last byte is in.
func (r *rationed) line() int { return r.ended + 1 }
