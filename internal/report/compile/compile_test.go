package compile

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/explore"
)

// clone writes a repository that contains only the engine.
func clone(t *testing.T, engine string) string {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":         "module example.com/siegebook\n\ngo 1.26\n",
		"engine/main.go": engine,
	} {
		must.Write(t, filepath.Join(dir, filepath.FromSlash(name)), text)
	}
	return dir
}

func compiled(t *testing.T, repository, folder string) []byte {
	t.Helper()
	engine, err := Module(t.Context(), repository, folder, sample)
	must.Do(t, err)
	return engine
}

var sample = explore.Module{Name: "engine", Program: "engine"}

const small = "package main\n\nfunc main() { println(\"engine\") }\n"

// TestCompile checks that the folder, the cache and the user's settings for Go do not change the bytes.
func TestCompile(t *testing.T) {
	repository, folder := clone(t, small), filepath.Join(t.TempDir(), "new", "engine")
	engine := compiled(t, repository, folder)
	unpack := must.Get(gzip.NewReader(bytes.NewReader(engine)))
	module, err := io.ReadAll(unpack)
	if err != nil || !bytes.HasPrefix(module, []byte("\x00asm\x01\x00\x00\x00")) {
		t.Errorf("error %v, the module begins with %q", err, module[:min(len(module), 8)])
	}
	if name, when := unpack.Name, unpack.ModTime; name != "" || !when.IsZero() {
		t.Errorf("the archive has the name %q and the time %v", name, when)
	}
	same := func(what string, got []byte) {
		t.Helper()
		if !bytes.Equal(got, engine) {
			t.Errorf("%s: other bytes", what)
		}
	}
	same("kept", compiled(t, repository, folder))
	same("in a folder that is removed", compiled(t, repository, ""))
	same("elsewhere", compiled(t, clone(t, small), folder))

	settings := filepath.Join(t.TempDir(), "env")
	must.Write(t, settings, "GOFLAGS=-race -tags=mine\nGOWORK=/nowhere/go.work\nGOOS=plan9\n")
	for name, value := range map[string]string{
		"GOFLAGS": "-race -tags=mine -v -x -mod=mod -trimpath=false -ldflags=-X=main.x=y -buildmode=pie -buildvcs=true",
		"GOWORK":  "/nowhere/go.work", "GO111MODULE": "off", "GOOS": "windows", "GOARCH": "386", "CGO_ENABLED": "1",
		"GOFIPS140": "latest", "GOENV": settings,
	} {
		t.Setenv(name, value)
	}
	same("with settings of the user's own", compiled(t, repository, ""))
}

// TestCompileAnew checks that the engine comes from the cache as long as its sources stay the same, and only then.
func TestCompileAnew(t *testing.T) {
	repository, folder := clone(t, "package main\n\nimport \"example.com/siegebook/words\"\n\nfunc main() { "+
		"println(words.Engine) }\n"), t.TempDir()
	words := filepath.Join(repository, "words", "words.go")
	must.Write(t, words, "package words\n\nconst Engine = \"engine\"\n")
	compiled(t, repository, folder)
	written := func() os.FileInfo {
		t.Helper()
		return must.Get(os.Stat(must.Get(filepath.Glob(filepath.Join(folder, "k-engine-1", "*", "*")))[0]))
	}
	before := written()
	must.Write(t, filepath.Join(repository, "words", "words_test.go"), "package words\n")
	must.Write(t, filepath.Join(repository, "other", "other.go"), "package other\n")
	if compiled(t, repository, folder); !os.SameFile(before, written()) {
		t.Error("it is linked again though nothing has changed that it is made of")
	}

	text := filepath.Join(repository, "words", "text.txt")
	must.Write(t, text, "one")
	must.Write(t, filepath.Join(repository, "words", "embedded.go"), "package words\n\nimport _ \"embed\"\n\n"+
		"//go:embed *.txt\nvar text string\n\nfunc init() { println(text) }\n")
	for name, edited := range map[string]string{
		text:  "two",
		words: "package words\n\nconst Engine = \"other\"\n",
		filepath.Join(repository, "engine", "more.go"): "package main\n\nfunc init() { println(1) }\n",
	} {
		before := compiled(t, repository, folder)
		must.Write(t, name, edited)
		if bytes.Equal(compiled(t, repository, folder), before) {
			t.Errorf("%s has changed, and the engine has not", name)
		}
	}
}

// TestCompileAfterAnother checks that a caller that waits for a compilation that is canceled compiles the module
// itself.
func TestCompileAfterAnother(t *testing.T) {
	repository, folder := clone(t, small), t.TempDir()
	key, known := keyOf(t.Context(), repository, sample)
	if !known {
		t.Fatal("the sources have no key")
	}
	began := make(chan struct{})
	go func() {
		_, _, _ = compiling.Do(key.String(), func() (any, error) {
			close(began)
			time.Sleep(time.Second) // almost always long enough for the other call to begin waiting
			return nil, context.Canceled
		})
	}()
	<-began
	compiled(t, repository, folder)
}

// TestCompileWithoutFolder checks that an unusable folder only costs time.
func TestCompileWithoutFolder(t *testing.T) {
	repository, file := clone(t, small), filepath.Join(t.TempDir(), "file")
	must.Write(t, file, "mine")
	engine := compiled(t, repository, "")
	if !bytes.Equal(compiled(t, repository, filepath.Join(file, "engine")), engine) {
		t.Error("another engine")
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "mine" {
		t.Errorf("the file has %q, error %v", text, err)
	}
	if os.Geteuid() == 0 {
		return // root can write anywhere
	}
	readOnly := t.TempDir()
	must.Do(t, os.Chmod(readOnly, 0o500))
	if !bytes.Equal(compiled(t, repository, readOnly), engine) {
		t.Error("another engine")
	}
}

func TestCompileFails(t *testing.T) {
	broken := clone(t, "package main\n\nfunc main() { return 1\n\tx y }\n")
	for name, folder := range map[string]string{"kept": t.TempDir(), "not kept": ""} {
		_, err := Module(t.Context(), broken, folder, sample)
		if err == nil || !strings.HasPrefix(err.Error(), "compiling the engine of the explorables (go build "+
			"./engine): ") ||
			!strings.Contains(err.Error(), "main.go:") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v; want one line with file and line", name, err)
		}
	}

	ended, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("Ctrl-C")
	cancel(stop)
	for name, folder := range map[string]string{"kept": t.TempDir(), "not kept": ""} {
		if _, err := Module(ended, clone(t, small), folder, sample); !errors.Is(err, stop) {
			t.Errorf("%s: %v, want %v", name, err, stop)
		}
	}

	t.Setenv("PATH", t.TempDir())
	if _, err := Module(t.Context(), broken, "", sample); !errors.Is(err, ErrNoGo) {
		t.Errorf("without Go: %v", err)
	}
}
