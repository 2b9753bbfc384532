package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/siegebook/siegebook/internal/must"
)

// goForArm64 is a go program that compiles the cells' program for arm64, and replaces it with a script that runs it in
// QEMU. It passes everything else to Go.
const goForArm64 = `#!/bin/sh
case " $* " in
*" -o book/program "*)
	GOARCH=arm64 '%[1]s' "$@" && mv book/program book/program.arm64 || exit
	printf '#!/bin/sh\necho "$0" >>%[2]s\nexec qemu-aarch64 "%%s" "$@"\n' "$PWD/book/program.arm64" >book/program
	chmod +x book/program ;;
*) exec '%[1]s' "$@" ;;
esac
`

// TestArm64 checks that the samples have the same pages, and that the same controls work, if the cells' program is
// compiled for arm64, where Go may round only once for a multiplication and an addition.
func TestArm64(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("compiles the cells for arm64; leave out -short")
	}
	if runtime.GOOS != "linux" {
		t.Skip("QEMU runs programs of Linux on Linux alone")
	}
	if _, err := exec.LookPath("qemu-aarch64"); err != nil {
		must.SkipMissing(t, "no qemu-aarch64 on PATH: run make test as root or with sudo, or install QEMU yourself")
	}
	work := t.TempDir()
	ran := filepath.Join(work, "ran")
	must.Write(t, filepath.Join(work, "bin", "go"), fmt.Appendf(nil, goForArm64, must.Get(exec.LookPath("go")), ran))
	must.Do(t, os.Chmod(filepath.Join(work, "bin", "go"), 0o755))
	program := must.Get(exec.LookPath("genreport"))
	for _, sample := range []string{"continued-fractions", "worksheet"} {
		build := func(path string) (sums string) {
			t.Helper()
			out := t.TempDir()
			cmd := exec.CommandContext(t.Context(), program, "build", filepath.Join("..", "..", "examples", sample),
				"--cache", "off", "--out", out)
			cmd.Env = append(os.Environ(), "PATH="+path)
			if text, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%s: %v\n%s", sample, err, text)
			}
			moves := false
			for _, page := range must.Get(filepath.Glob(filepath.Join(out, "*.html"))) {
				moves = moves || bytes.Contains(must.Get(os.ReadFile(page)), []byte(`-control-1" data-start=`))
			}
			if !moves {
				t.Errorf("%s: no control moves", sample)
			}
			return string(must.Get(os.ReadFile(filepath.Join(out, "SHA256SUMS"))))
		}
		path := os.Getenv("PATH")
		native := build(path)
		if diff := cmp.Diff(native, build(filepath.Join(work, "bin")+":"+path)); diff != "" {
			t.Errorf("%s built for arm64 differs (-native +arm64):\n%s", sample, diff)
		}
	}
	if text, err := os.ReadFile(ran); err != nil || strings.Count(string(text), "\n") < 2 {
		t.Errorf("QEMU ran %q, error %v", text, err)
	}
}
