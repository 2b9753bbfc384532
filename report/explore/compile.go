package explore

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/siegebook/siegebook/internal/bounded"
	"github.com/siegebook/siegebook/internal/canceled"
	"github.com/siegebook/siegebook/internal/scratch"
)

// ErrNoGo says that there is no Go on this machine to compile the engine with.
var ErrNoGo = errors.New("there is no Go toolchain on the PATH, and without it no engine: install it from https://go.dev/dl")

// Folder is the name of the engine's folder in that of the cache.
const Folder = "engine"

// Compile compiles the engine of a repository with its own Go, and returns it compressed: the same bytes for the same
// sources and the same Go, wherever the repository is. What Go has compiled before it takes from its cache; the program
// itself is kept in folder, if that is not "", so that it is linked only when it has changed. A folder that cannot be
// written only costs time. Nobody else may be able to write to it: see cache.Secure.
func Compile(ctx context.Context, repository, folder string) ([]byte, error) {
	if _, err := exec.LookPath("go"); err != nil {
		return nil, ErrNoGo
	}
	if folder != "" {
		unlock, err := occupy(ctx, folder)
		if err == nil {
			defer unlock()
			return compile(ctx, repository, folder)
		}
		if ctx.Err() != nil {
			return nil, canceled.Cause(ctx)
		}
	}
	temp, err := scratch.NewFolder("", "siegebook-engine")
	if err != nil {
		return nil, err
	}
	defer func() { _ = temp.Remove() }()
	return compile(ctx, repository, temp.Path)
}

// occupy makes a folder and keeps others out of it until it is unlocked.
func occupy(ctx context.Context, folder string) (unlock func(), err error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	return scratch.Lock(ctx, filepath.Join(folder, ".engine.lock"))
}

// The program in its folder, and its checksum. Go asks a program only which build it was, and would leave a damaged one
// as it is.
const (
	programName = "engine.wasm"
	sumName     = "engine.sha256"
)

func compile(ctx context.Context, repository, folder string) ([]byte, error) {
	program, err := filepath.Abs(filepath.Join(folder, programName))
	if err != nil {
		return nil, err
	}
	sum := filepath.Join(folder, sumName)
	if !sound(program, sum) {
		if err := errors.Join(remove(program), remove(sum)); err != nil {
			return nil, err
		}
	}
	if err := link(ctx, repository, program); err != nil {
		return nil, err
	}
	module, err := readProgram(program)
	if err != nil {
		return nil, err
	}
	_ = scratch.Write(sum, []byte(checksum(module)), 0o644) // without it, the program is linked again
	return compress(module), nil
}

// sound says whether a program is what its checksum says.
func sound(program, sum string) bool {
	module, err := readProgram(program)
	if err != nil {
		return false
	}
	said, err := bounded.ReadFile(sum, bounded.MiB)
	return err == nil && string(said) == checksum(module)
}

func readProgram(program string) ([]byte, error) { return bounded.ReadFile(program, 64*bounded.MiB) }

func checksum(module []byte) string {
	sum := sha256.Sum256(module)
	return hex.EncodeToString(sum[:]) + "\n"
}

func remove(name string) error {
	if err := os.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// patience is how long Go may take to end when it is told to.
const patience = 2 * time.Second

// link makes the program, or leaves it as it is if it is what Go would make.
func link(ctx context.Context, repository, program string) error {
	// Go's own packages are not inlined: that makes the engine 5 % smaller, and no slower.
	cmd := exec.CommandContext(ctx, "go", "build", "-buildmode=c-shared", "-trimpath", "-gcflags=std=-l", "-ldflags=-s -w", "-o", program, "./cmd/engine")
	cmd.Dir = repository
	// What would change the bytes is set; where modules come from, and where Go keeps things, is the user's.
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "GOWASM=satconv,signext", "GOFLAGS=-buildvcs=false", "GO111MODULE=on", "GOWORK=off", "GOEXPERIMENT=", "GOFIPS140=off", "CGO_ENABLED=0")
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // Go then ends what it has started
	cmd.WaitDelay = patience
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return canceled.Cause(ctx)
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
