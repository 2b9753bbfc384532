package jupyter

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

var errNoGo = errors.New("there is no Go toolchain on the PATH: install it from https://go.dev/dl")

func findGo() (string, error) {
	path, err := exec.LookPath("go")
	if err != nil {
		return "", errNoGo
	}
	return filepath.Abs(path)
}

// toolchain is Go as the set-up uses it. The user says where modules come from and where they are kept (GOPROXY,
// GOMODCACHE and their like). Settings that would change what the programs do are fixed.
type toolchain struct {
	program  string // the one that is on PATH
	repo     string // the repository, in which it works
	version  string // of the one that works in the repository: go may get another one for it
	bin      string // where that one is
	install  string // where `go install` puts programs
	platform string // what programs are built for, in one line
	flags    string // GOFLAGS
}

// platformSettings are the settings of Go that change what it makes of the same source.
var platformSettings = []string{
	"GOVERSION", "GOOS", "GOARCH", "GO386", "GOAMD64", "GOARM", "GOARM64",
	"GOMIPS", "GOMIPS64", "GOPPC64", "GORISCV64", "GOWASM",
	"GOEXPERIMENT", "GOFIPS140",
}

// buildFlags are, without cgo, those of make report and of cells too: Go compiles a package for all of them once.
const buildFlags = noHistory

// openToolchain asks Go for its settings in a repository.
func openToolchain(ctx context.Context, repo string) (toolchain, error) {
	program, err := findGo()
	if err != nil {
		return toolchain{}, err
	}
	t := toolchain{program: program, repo: repo, bin: filepath.Dir(program), flags: buildFlags}
	args := append([]string{"env", "-json", "GOROOT", "GOPATH", "GOBIN", "GOFLAGS"}, platformSettings...)
	out, err := t.goOutput(ctx, []string{"GOFLAGS=" + os.Getenv("GOFLAGS")}, args...)
	if err != nil {
		return t, err
	}
	var env map[string]string
	if err := json.Unmarshal([]byte(out), &env); err != nil {
		return t, fmt.Errorf("go env: %w", err)
	}
	var platform []string
	for _, name := range platformSettings {
		platform = append(platform, env[name])
	}
	t.version, t.platform = env["GOVERSION"], strings.Join(platform, " ")
	if own := filepath.Join(env["GOROOT"], "bin"); env["GOROOT"] != "" && isFile(filepath.Join(own, "go")) {
		t.bin = own
	}
	gopath, _, _ := strings.Cut(env["GOPATH"], string(filepath.ListSeparator))
	t.install = cmp.Or(env["GOBIN"], filepath.Join(gopath, "bin"))
	if slices.Contains(strings.Fields(env["GOFLAGS"]), "-modcacherw") { // it says how to keep modules
		t.flags += " -modcacherw"
	}
	return t, nil
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// goOutput runs the go command in the repository, with settings besides those that matter, and returns what it prints.
func (t toolchain) goOutput(ctx context.Context, settings []string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, t.program, args...)
	cmd.Dir = t.repo
	cmd.Env = append(os.Environ(), "GO111MODULE=on", "GOWORK=off", "GOFLAGS="+t.flags, "PWD="+t.repo)
	cmd.Env = append(cmd.Env, settings...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return "", context.Cause(ctx)
		}
		return "", fmt.Errorf("go %s: %w: %s", args[0], err, oneLine(downloads.ReplaceAllString(stderr.String(), "")))
	}
	return strings.TrimSpace(stdout.String()), nil
}

// downloads are the lines in which Go tells what it downloads, before the one that says what is wrong.
var downloads = regexp.MustCompile(`(?m)^go: downloading .*$\n?`)
