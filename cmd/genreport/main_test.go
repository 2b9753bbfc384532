package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/siegebook/siegebook/internal/command"
)

// testCacheFolder is a cache that all tests share, so that formulas are converted once.
var testCacheFolder string

func TestMain(m *testing.M) {
	testscript.Main(withCache{m}, map[string]func(){
		"genreport": func() { command.Main("genreport", execute) },
		"toyreport": func() {
			book = toyBook()
			command.Main("genreport", execute)
		},
	})
}

// withCache runs the tests with the shared cache.
type withCache struct{ *testing.M }

func (w withCache) Run() int {
	var err error
	if testCacheFolder, err = os.MkdirTemp("", "genreport-test-"); err != nil {
		panic(err)
	}
	defer os.RemoveAll(testCacheFolder)
	// The tests set XDG_CACHE_HOME to this cache. Without GOCACHE, Go would keep what it compiles there too, and
	// compile everything again.
	if compiled, err := exec.Command("go", "env", "GOCACHE").Output(); err == nil {
		os.Setenv("GOCACHE", strings.TrimSpace(string(compiled)))
	}
	return w.M.Run()
}

const smallGrid = "soldiers=12,castle=1:40,defenders=1:30"

// run carries out the command in this process.
func run(ctx context.Context, args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = command.Run(ctx, "genreport", args, command.Streams{In: strings.NewReader(""), Out: &out, Err: &err},
		execute)
	return code, out.String(), err.String()
}

// TestScript runs the cases in testdata/script. They share a cache, so that formulas are converted once. The command
// status is that of TestKernelScript.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("XDG_CACHE_HOME", testCacheFolder)
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){"status": status},
		Condition: func(name string) (bool, error) {
			return name == "root" && os.Getuid() == 0, nil
		},
	})
}
