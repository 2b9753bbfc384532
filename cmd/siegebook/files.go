package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/siegebook/siegebook/internal/atomicfile"
	"github.com/siegebook/siegebook/internal/command"
	"github.com/siegebook/siegebook/internal/rows"
)

// input is a file or the standard input, open for reading. A read also ends when the context is done.
type input struct {
	io.Reader
	io.Closer
	name string // the name for messages
}

// openInput opens a file, or the standard input if the name is "-".
func openInput(ctx context.Context, s streams, name string) (*input, error) {
	const fix = "name a file that can be read, or - for standard input"
	switch name {
	case "-":
		return &input{interruptible(ctx, s.In), io.NopCloser(nil), "standard input"}, nil
	case "":
		return nil, usagef("the file name is empty: %s", fix)
	}
	file, err := openFile(ctx, name)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, command.Unreadable(fmt.Errorf("%w; %s", ofFile(err), fix))
	}
	if info, err := file.Stat(); err == nil && info.IsDir() {
		_ = file.Close()
		return nil, usagef("%s: is a directory; %s", name, fix)
	}
	return &input{interruptible(ctx, file), file, name}, nil
}

// ofFile returns an error of the file system without the name of the failed operation.
func ofFile(err error) error {
	if named, is := errors.AsType[*fs.PathError](err); is {
		return fmt.Errorf("%s: %w", named.Path, named.Err)
	}
	return err
}

// openFile opens a file like os.Open, but also returns when the context is done, because opening a named pipe waits for
// a writer.
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

// interruptible returns a reader of r whose Read also returns when the context is done. A blocked read of a terminal or
// a pipe cannot be cancelled, so a goroutine reads. If the context ends first, the goroutine lives until the process
// ends.
func interruptible(ctx context.Context, r io.Reader) io.Reader {
	out, in := io.Pipe()
	context.AfterFunc(ctx, func() { _ = in.CloseWithError(ctx.Err()) })
	go func() {
		_, err := io.Copy(in, r)
		_ = in.CloseWithError(err) // nil means io.EOF
	}()
	return bufio.NewReaderSize(out, 32<<10) // as large as the pieces of io.Copy, so that each is passed on in one read
}

// writeOutput calls write with the output that name refers to: the standard output for "", "-" and its other names; an
// existing pipe or device; otherwise a file. The file gets its name once everything is written and on disk. If that
// fails, the old file is unchanged, and no other file is left. atomicfile.Target decides what may be replaced.
func writeOutput(stdout io.Writer, name string, write func(io.Writer) error) error {
	target := atomicfile.Target{Name: name}
	if isStdout(name) {
		return write(stdout)
	}
	if info, err := os.Stat(name); err == nil && info.Mode()&(fs.ModeNamedPipe|fs.ModeCharDevice) != 0 {
		stream, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return outputError(name, err)
		}
		return outputError(name, errors.Join(write(stream), stream.Close()))
	}
	file, err := target.Create(0o666)
	if err != nil {
		return outputError(name, err)
	}
	if err := write(file); err != nil {
		_ = file.Discard() // the first error is the one to report
		return outputError(name, err)
	}
	return outputError(name, file.Keep())
}

// isStdout reports whether a value of --out refers to the standard output.
func isStdout(name string) bool { return name == "" || atomicfile.Target{Name: name}.IsStdout() }

// outputError returns an error about the file that the user named. It replaces the system's error, which names a
// temporary file. Errors that do not come from the system, such as an interrupt, stay unchanged.
func outputError(name string, err error) error {
	if atomicfile.Refused(err) {
		return usagef("--out %s: %w", name, err)
	}
	var number syscall.Errno
	if !errors.As(err, &number) {
		return err
	}
	return command.Unwritable("--out", name, number)
}

// foreignEndings are endings of files in formats that we do not write, and of compressed files.
var foreignEndings = []string{
	".arrow", ".avro", ".feather", ".json", ".jsonl", ".ndjson", ".ods", ".orc", ".parq", ".pq", ".tsv", ".xls",
	".xlsx", ".bz2", ".gz", ".lz4", ".xz", ".zip", ".zst",
}

// tableFormat returns the format of a table in a file: Parquet with a recipe if the name ends with .parquet, otherwise
// CSV. It rejects a name that implies another format.
func tableFormat(name string, recipe func() map[string]string) (rows.Format, error) {
	ending := strings.ToLower(filepath.Ext(filepath.Clean(name)))
	switch {
	case ending == ".parquet":
		metadata := recipe()
		return rows.Parquet{Program: program, Version: metadata[recipeVersion], Metadata: metadata}, nil
	case slices.Contains(foreignEndings, ending):
		return nil, usagef("--out %s: %s is not a format that siegebook writes: use a name that ends with .csv or "+
			".parquet",
			name, ending)
	}
	return rows.CSV{}, nil
}
