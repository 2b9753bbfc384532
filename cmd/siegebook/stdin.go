package main

import (
	"context"
	"io"
)

// interruptible returns a reader of r whose Read also ends with the context. A blocked read of a terminal or a pipe
// cannot be called back, so it is left to a goroutine, which in that case ends with the process.
func interruptible(ctx context.Context, r io.Reader) io.Reader {
	i := &interruptibleReader{ctx: ctx, chunks: make(chan chunk), free: make(chan []byte, 2)}
	i.free <- make([]byte, chunkSize)
	i.free <- make([]byte, chunkSize)
	go i.pump(r)
	return i
}

const chunkSize = 64 << 10

type chunk struct {
	bytes []byte
	err   error
}

type interruptibleReader struct {
	ctx    context.Context
	chunks chan chunk
	free   chan []byte // two buffers: one is read while the other is filled
	buffer []byte      // the one that is read
	rest   []byte      // what is left of it
	err    error
}

// pump reads until an error, such as the end.
func (i *interruptibleReader) pump(r io.Reader) {
	for {
		buffer := <-i.free
		n, err := r.Read(buffer)
		select {
		case i.chunks <- chunk{buffer[:n], err}:
		case <-i.ctx.Done():
			return
		}
		if err != nil {
			return
		}
	}
}

func (i *interruptibleReader) Read(p []byte) (int, error) {
	for len(i.rest) == 0 {
		if i.buffer != nil {
			i.free <- i.buffer
			i.buffer = nil
		}
		if i.err != nil {
			return 0, i.err
		}
		select {
		case <-i.ctx.Done():
			return 0, i.ctx.Err()
		case next := <-i.chunks:
			i.buffer, i.rest, i.err = next.bytes[:chunkSize], next.bytes, next.err
		}
	}
	n := copy(p, i.rest)
	i.rest = i.rest[n:]
	return n, nil
}
