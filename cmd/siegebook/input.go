package main

import (
	"context"
	"fmt"
	"io"
	"os"
)

// input is a file or the standard input, open for reading. A read ends with the context, too.
type input struct {
	io.Reader
	io.Closer
	name string // for messages
}

// openInput opens a file, or the standard input for the name "-".
func openInput(ctx context.Context, s streams, name string) (*input, error) {
	const fix = "name a file that can be read, or - for standard input"
	switch name {
	case "-":
		return &input{interruptible(ctx, s.In), io.NopCloser(nil), "standard input"}, nil
	case "":
		return nil, usagef("the name of a file is empty: %s", fix)
	}
	file, err := openFile(ctx, name)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("%w; %s", err, fix)
	}
	if info, err := file.Stat(); err == nil && info.IsDir() {
		_ = file.Close()
		return nil, fmt.Errorf("%s: is a directory; %s", name, fix)
	}
	return &input{interruptible(ctx, file), file, name}, nil
}

// openFile is os.Open that ends with the context: to open a named pipe waits for somebody who writes to it.
func openFile(ctx context.Context, name string) (*os.File, error) {
	var file *os.File
	var err error
	opened := make(chan struct{})
	go func() {
		defer close(opened)
		file, err = os.Open(name)
	}()
	select {
	case <-opened:
		return file, err
	case <-ctx.Done():
		return nil, ctx.Err() // the goroutine ends with the process
	}
}
