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
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/modfile"

	"github.com/siegebook/siegebook/internal/atomicfile"
)

// ErrNoGo means that Go is not installed on this machine.
var ErrNoGo = errors.New("there is no Go toolchain on the PATH: install it from https://go.dev/dl")

func findGo() (string, error) {
	path, err := exec.LookPath("go")
	if err != nil {
		return "", ErrNoGo
	}
	return filepath.Abs(path)
}

// toolchain is the Go toolchain as Setup uses it. The user's settings (GOPROXY, GOMODCACHE and the like) determine
// where modules come from and where they are stored. Setup overrides the settings that would change what the programs
// do.
type toolchain struct {
	program  string // the go on the PATH
	repo     string // the repository, the working folder
	version  string // the version of Go in the repository; the go command may download another version for it
	bin      string // the folder of this Go version
	install  string // the folder for programs from `go install`
	platform string // the platform of the built programs, on one line
	flags    string // GOFLAGS
}

// platformSettings are the settings of Go that change what it builds from the same source.
var platformSettings = []string{
	"GOVERSION", "GOOS", "GOARCH", "GO386", "GOAMD64", "GOARM", "GOARM64",
	"GOMIPS", "GOMIPS64", "GOPPC64", "GORISCV64", "GOWASM",
	"GOEXPERIMENT", "GOFIPS140",
}

// buildFlags are also the flags of make report and of cells without cgo, so that Go compiles each package only once.
const buildFlags = noHistory

// openToolchain reads Go's settings in a repository.
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
	if slices.Contains(strings.Fields(env["GOFLAGS"]), "-modcacherw") { // the flag concerns the module cache
		t.flags += " -modcacherw"
	}
	return t, nil
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// goOutput runs the go command in the repository and returns its output. settings are added to the fixed environment
// variables.
func (t toolchain) goOutput(ctx context.Context, settings []string, args ...string) (string, error) {
	cmd := t.goCommand(ctx, settings, args...)
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

// goCommand returns the command that goOutput runs.
func (t toolchain) goCommand(ctx context.Context, settings []string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, t.program, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // so that Go can remove its files
	cmd.WaitDelay = 10 * time.Second
	cmd.Dir = t.repo
	cmd.Env = append(os.Environ(), "GO111MODULE=on", "GOWORK=off", "GOFLAGS="+t.flags, "PWD="+t.repo)
	cmd.Env = append(cmd.Env, settings...)
	return cmd
}

// goBeside starts the go command on one processor. It does not wait for the command to end, and ignores its errors.
func (t toolchain) goBeside(settings []string, args ...string) {
	cmd := t.goCommand(context.Background(), append([]string{"GOMAXPROCS=1"}, settings...),
		slices.Insert(args, 1, "-p=1")...)
	if cmd.Start() == nil {
		_ = cmd.Process.Release()
	}
}

// downloads matches the lines in which Go reports downloads, which precede the line with the error.
var downloads = regexp.MustCompile(`(?m)^go: downloading .*$\n?`)

// listing is the template for go list. It prints the name and path of each requested package. It prints the error of
// each package outside the repository that cannot be loaded, whether it was requested or only imported.
const listing = `{{if .Error}}{{if not (and .Module .Module.Main)}}missing {{.ImportPath}} ` +
	`{{printf "%q" .Error.Err}}{{end}}` +
	`{{else if not .DepOnly}}{{.Name}} {{.ImportPath}}{{end}}`

// downloadTag is the build tag of files whose imports are downloaded, but are not compiled until a cell imports them.
const downloadTag = "download"

// getPackages downloads the modules that packages need, and returns the packages that a cell can import. It ignores
// errors in the repository's own packages, because compiling them gives better messages.
func (s setup) getPackages(ctx context.Context, settings, patterns []string) ([]string, error) {
	args := append([]string{"list", "-e", "-deps", "-tags=" + downloadTag, "-f", listing, "--"}, patterns...)
	out, err := s.tools.goOutput(ctx, settings, args...)
	if err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		return nil, cannotGet(err.Error())
	}
	var importable []string
	for line := range strings.Lines(out) {
		kind, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		importPath, quoted, _ := strings.Cut(rest, " ")
		switch kind {
		case "missing":
			text, err := strconv.Unquote(quoted)
			if err != nil {
				return nil, err
			}
			if !ownMistake.MatchString(text) {
				return nil, cannotGet(importPath + ": " + text)
			}
		case "main", "":
		default:
			if !strings.Contains("/"+importPath+"/", "/internal/") {
				importable = append(importable, importPath)
			}
		}
	}
	return importable, nil
}

// getModules does the work of GetModules. Cells are built in a workspace. There, Go needs the go.mod file of every
// module that any other module names, which are far more than in the repository alone. So getModules also lists the
// packages in a workspace. Then it compiles them, because the first compilation may take longer than a cell's time
// limit.
func (s setup) getModules(ctx context.Context) ([]string, error) {
	temp, err := atomicfile.NewFolder("", "siegebook-workspace")
	if err != nil {
		return nil, err
	}
	defer func() { _ = temp.Remove() }()
	work := filepath.Join(temp.Path, "go.work")
	text := fmt.Appendf(nil, "go %s\n\nuse %s\n", s.repo.goVersion(), modfile.AutoQuote(s.repo.dir))
	if s.Module != "" {
		text = fmt.Appendf(text, "use %s\n", modfile.AutoQuote(s.Module))
	}
	if err := os.WriteFile(work, text, 0o600); err != nil {
		return nil, err
	}
	patterns := s.Imports
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	if s.Module != "" {
		patterns = append(slices.Clone(patterns), filepath.Join(s.Module, "..."))
	}
	importable, err := s.getPackages(ctx, []string{"GOWORK=" + work}, patterns)
	if err != nil || len(importable) == 0 || s.Later {
		return importable, err
	}
	s.reportStep("compiling the packages that cells import")
	// It ignores errors, because the cell that imports the package will report them.
	settings := append([]string{"GOWORK=" + work}, cellSettings...)
	_, _ = s.tools.goOutput(ctx, settings, append([]string{"build", "--"}, importable...)...)
	return importable, ctx.Err()
}

// cellSettings are the settings for compiling packages as cells do.
var cellSettings = []string{"GOPROXY=off", "CGO_ENABLED=0", "GOFLAGS=" + cellFlags}

// ownMistake matches Go's message about a package that the repository imports but that no module in its go.mod
// provides.
var ownMistake = regexp.MustCompile(`no required module provides package | is not in std`)

func cannotGet(reason string) error {
	fix := "run this once with network access, or set GOPROXY to a proxy that has them"
	if strings.Contains(reason, "permission denied") || strings.Contains(reason, "read-only file system") {
		fix = "set GOMODCACHE to a folder that you may write to, or ask somebody who may to fill it"
	}
	return fmt.Errorf("cannot get the modules that cells need: %s: %s", oneLine(reason), fix)
}
