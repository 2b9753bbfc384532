package explore

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/siegebook/siegebook/internal/bounded"
	"github.com/siegebook/siegebook/internal/scratch"
)

// ErrNoGo says that there is no Go on this machine to compile the engine with.
var ErrNoGo = errors.New("there is no Go toolchain on the PATH, and without it no engine: install it from https://go.dev/dl")

// Compile compiles the engine of a repository with its own Go, and returns it compressed: the same bytes for the same
// sources and the same Go, wherever the repository is. What Go has compiled before it takes from its cache; the program
// itself is kept in folder, if that is not "", so that it is linked only when it has changed.
func Compile(ctx context.Context, repository, folder string) ([]byte, error) {
	if _, err := exec.LookPath("go"); err != nil {
		return nil, ErrNoGo
	}
	if folder == "" {
		temp, err := scratch.NewFolder(os.TempDir(), "siegebook-engine")
		if err != nil {
			return nil, err
		}
		defer func() { _ = temp.Remove() }()
		folder = temp.Path
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	unlock, err := scratch.Lock(ctx, filepath.Join(folder, ".engine.lock"))
	if err != nil {
		return nil, err
	}
	defer unlock()
	program, err := filepath.Abs(filepath.Join(folder, "engine.wasm"))
	if err != nil {
		return nil, err
	}
	if err := link(ctx, repository, program); err != nil {
		return nil, err
	}
	module, err := bounded.ReadFile(program, 64*bounded.MiB)
	if err != nil {
		return nil, err
	}
	return compress(module), nil
}

// link makes the program, or leaves it as it is if it is what Go would make.
func link(ctx context.Context, repository, program string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-buildmode=c-shared", "-trimpath", "-ldflags=-s -w", "-o", program, "./cmd/engine")
	cmd.Dir = repository
	// What would change the bytes is set; where modules come from, and where Go keeps things, is the user's.
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "GOWASM=", "GOFLAGS=-buildvcs=false", "GO111MODULE=on", "GOWORK=off", "GOEXPERIMENT=", "GOFIPS140=off", "CGO_ENABLED=0")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return fmt.Errorf("compiling the engine of the explorables (go build ./cmd/engine): %w: %s", err, strings.Join(strings.Fields(stderr.String()), " "))
	}
	return nil
}

// compress is gzip without a name and a time.
func compress(module []byte) []byte {
	var zipped bytes.Buffer
	w, _ := gzip.NewWriterLevel(&zipped, gzip.BestCompression) // a level that there is
	_, _ = w.Write(module)                                     // memory takes it
	_ = w.Close()
	return zipped.Bytes()
}
