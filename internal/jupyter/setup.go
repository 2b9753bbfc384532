package jupyter

import (
	"bytes"
	"context"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/siegebook/siegebook/internal/scratch"
)

// ProjectKernel is the name of the project's kernel, ProjectKernelTitle what front ends show.
const (
	ProjectKernel      = "siegebook"
	ProjectKernelTitle = "Go (siegebook)"
)

// The programs of the project's kernel: packages of modules that the repository's go.mod names as tools, so that their
// versions are pinned there.
const (
	gonbPackage      = "github.com/janpfeifer/gonb"
	goimportsPackage = "golang.org/x/tools/cmd/goimports"
)

// SetupOptions says where the project's kernel is.
type SetupOptions struct {
	// Repo is the folder of the repository: its packages can be imported in cells, and its go.mod pins the kernel.
	Repo string
	// Dir is the kernelspec's folder. Its last element has to be ProjectKernel, so that front ends find it by that name.
	Dir string
}

// ProjectKernelDir returns the folder of the project's kernelspec among the user's kernels.
func ProjectKernelDir() (string, error) {
	dir := DataDir()
	if dir == "" {
		return "", errors.New("there is no home folder for the kernel: set JUPYTER_DATA_DIR")
	}
	return filepath.Abs(filepath.Join(dir, "kernels", ProjectKernel))
}

// Setup builds the project's kernel into a folder and writes its kernelspec, and returns it. Cells can import the
// repository's packages without a word of set-up, in the versions of its go.mod and without the network. Where all is in
// place, it changes nothing. The folder appears all at once or not at all; a kernel that runs from it goes on. Several at a time wait for one another.
//
// It needs the Go toolchain, and the network where modules are not downloaded yet.
func Setup(ctx context.Context, o SetupOptions) (Kernelspec, error) {
	repo, err := repository(o.Repo)
	if err != nil {
		return Kernelspec{}, err
	}
	o.Repo = repo
	if o.Dir, err = filepath.Abs(o.Dir); err != nil {
		return Kernelspec{}, err
	}
	goProgram, err := findGo()
	if err != nil {
		return Kernelspec{}, err
	}
	want, err := o.kernelspec(ctx, goProgram)
	if err != nil {
		return Kernelspec{}, err
	}
	if o.upToDate(want) {
		return readKernelspec(o.Dir)
	}
	parent := filepath.Dir(filepath.Dir(o.Dir)) // not among the kernels, where a front end could see it half done
	if err := os.MkdirAll(filepath.Dir(o.Dir), 0o755); err != nil {
		return Kernelspec{}, err
	}
	unlock, err := scratch.Lock(ctx, filepath.Join(parent, ".siegebook-kernel.lock"))
	if err != nil {
		return Kernelspec{}, err
	}
	defer unlock()
	if o.upToDate(want) { // somebody else has built it meanwhile
		return readKernelspec(o.Dir)
	}
	temp, err := scratch.NewFolder(parent, "siegebook-kernel")
	if err != nil {
		return Kernelspec{}, err
	}
	defer func() { _ = temp.Remove() }()
	if err := o.fill(ctx, filepath.Join(temp.Path, "new"), goProgram, want); err != nil {
		return Kernelspec{}, err
	}
	if err := swap(filepath.Join(temp.Path, "new"), o.Dir, filepath.Join(temp.Path, "old")); err != nil {
		return Kernelspec{}, err
	}
	return readKernelspec(o.Dir)
}

// repository returns the absolute path of a folder with a go.mod.
func repository(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil {
		return "", fmt.Errorf("%s: not the folder of the repository, it has no go.mod: run this there, or name it with --repo", dir)
	}
	return dir, nil
}

var errNoGo = errors.New("there is no Go toolchain on the PATH: install it from https://go.dev/dl")

func findGo() (string, error) {
	path, err := exec.LookPath("go")
	if err != nil {
		return "", errNoGo
	}
	return filepath.Abs(path)
}

// kernelspec returns the kernelspec that belongs into the folder. The environment of a user may hold settings that break
// cells (GOFLAGS=-mod=mod does), so those that matter are set.
func (o SetupOptions) kernelspec(ctx context.Context, goProgram string) ([]byte, error) {
	versions, err := o.goOutput(ctx, goProgram, "list", "-f", "{{.Module.Path}} {{.Module.Version}}", gonbPackage, goimportsPackage)
	if err != nil {
		return nil, fmt.Errorf("%s does not name the tools of the kernel, %s and %s: %w", filepath.Join(o.Repo, "go.mod"), gonbPackage, goimportsPackage, err)
	}
	settings, err := o.goOutput(ctx, goProgram, "env", "GOVERSION", "GOPATH", "GOBIN")
	if err != nil {
		return nil, err
	}
	goVersion, installed := installFolder(settings)
	bin := filepath.Join(o.Dir, "bin")
	spec := Kernelspec{
		Argv:        []string{filepath.Join(bin, "gonb"), "-kernel", "{connection_file}", "-go_work=" + o.Repo},
		DisplayName: ProjectKernelTitle, Language: "go", InterruptMode: "message",
		Env: map[string]string{
			// At last where `go install` puts gopls, which not everybody has on his PATH.
			"PATH": bin + ":" + filepath.Dir(goProgram) + ":${PATH}:" + installed,
			// Every cell is linked anew, which is faster without the tables for debuggers.
			"GOFLAGS": "-buildvcs=false -ldflags=-w", "GOPROXY": "off", "GOSUMDB": "off", "GOTOOLCHAIN": "local", "GOWORK": "", "GO111MODULE": "on",
			"GOTRACEBACK": "none", // a reader is told why a cell has panicked, not what its goroutines were at
		},
	}
	spec.Metadata.Siegebook.RunArgv = []string{"-raw_error"} // errors as text: nobody is there to hover over HTML
	spec.Metadata.Siegebook.Built = strings.Join(append(strings.Split(versions, "\n"), goVersion), ", ")
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err = encoder.Encode(spec)
	return out.Bytes(), err
}

// installFolder takes the version of Go and the folder of `go install` out of what go env prints: GOVERSION, GOPATH and
// GOBIN.
func installFolder(settings string) (goVersion, folder string) {
	goVersion, settings, _ = strings.Cut(settings, "\n")
	gopath, gobin, _ := strings.Cut(settings, "\n")
	if gobin != "" {
		return goVersion, gobin
	}
	gopath, _, _ = strings.Cut(gopath, string(filepath.ListSeparator))
	return goVersion, filepath.Join(gopath, "bin")
}

// goOutput runs the go command in the repository and returns what it prints.
func (o SetupOptions) goOutput(ctx context.Context, goProgram string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, goProgram, args...)
	cmd.Dir = o.Repo
	cmd.Env = append(os.Environ(), "GOWORK=off")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return "", context.Cause(ctx)
		}
		return "", fmt.Errorf("go %s: %w: %s", args[0], err, oneLine(stderr.String()))
	}
	return strings.TrimSpace(stdout.String()), nil
}

// upToDate says whether the folder holds the kernelspec and its programs.
func (o SetupOptions) upToDate(want []byte) bool {
	have, err := os.ReadFile(filepath.Join(o.Dir, "kernel.json"))
	if err != nil || !bytes.Equal(have, want) {
		return false
	}
	for _, name := range []string{"gonb", "goimports"} {
		if _, err := buildinfo.ReadFile(filepath.Join(o.Dir, "bin", name)); err != nil {
			return false
		}
	}
	return true
}

// fill makes the kernelspec's folder.
func (o SetupOptions) fill(ctx context.Context, dir, goProgram string, spec []byte) error {
	bin := filepath.Join(dir, "bin")
	if err := os.MkdirAll(bin, 0o755); err != nil {
		return err
	}
	if _, err := o.goOutput(ctx, goProgram, "build", "-o", bin+string(filepath.Separator), gonbPackage, goimportsPackage); err != nil {
		return fmt.Errorf("cannot build the kernel: %w", err)
	}
	return scratch.Write(filepath.Join(dir, "kernel.json"), spec, 0o644)
}

// swap puts a folder in the place of another one, which it moves away.
func swap(fresh, place, away string) error {
	if err := os.Rename(place, away); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(fresh, place); err != nil {
		_ = os.Rename(away, place)
		return err
	}
	return nil
}

// RemoveSetup removes the project's kernel from a folder, and says whether it was there. A folder that Setup has not
// made is an error and stays.
func RemoveSetup(dir string) (bool, error) {
	spec, err := readKernelspec(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	case spec.Metadata.Siegebook.Built == "":
		return false, fmt.Errorf("%s: this kernel was not installed by siegebook: remove it by hand", dir)
	}
	return true, os.RemoveAll(dir)
}
