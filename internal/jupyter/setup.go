package jupyter

import (
	"bytes"
	"context"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/internal/atomicfile"
	"github.com/siegebook/siegebook/internal/limitedread"
)

// ProjectKernel is the name of the project's kernel, and ProjectKernelTitle is the name that front ends show.
// PlainKernel is the name of gonb's own kernel. Notebooks for that kernel also run in the project's kernel.
const (
	ProjectKernel      = "siegebook"
	PlainKernel        = "gonb"
	ProjectKernelTitle = "Go (siegebook)"
)

// SetupOptions specifies what the project's kernel is built from, and where it is built.
type SetupOptions struct {
	// Repo is the folder of the repository. Cells can import its packages, and its go.mod pins the kernel.
	Repo string
	// Module is the folder of another module whose packages cells can also import, or "" for none.
	Module string
	// Dir is the folder for the built files. For Setup, it is the kernelspec's folder, whose last path element is
	// ProjectKernel. For Prepare, it holds the programs of any number of kernels.
	Dir string
	// Imports are patterns of the repository's packages, such as ./notebooks/..., whose modules must be downloaded
	// before a kernel starts. An empty list means all packages.
	Imports []string
	// Later means that Go compiles these packages in a separate process, for which Setup does not wait.
	Later bool
	// Say, if not nil, is called before each step that takes seconds, with a description of the step.
	Say func(what string)
}

func (o SetupOptions) reportStep(what string) {
	if o.Say != nil {
		o.Say(what)
	}
}

// ProjectKernelDir returns the folder of the project's kernelspec among the user's kernels.
func ProjectKernelDir() (string, error) {
	dir := DataDir()
	if dir == "" {
		return "", errors.New("there is no home folder for the kernel: set JUPYTER_DATA_DIR")
	}
	return filepath.Abs(filepath.Join(dir, "kernels", ProjectKernel))
}

// setup is the state of a set-up.
type setup struct {
	SetupOptions
	repo  repository
	tools toolchain
	key   string // identifies the kernel's programs by everything that they are built from
}

// open reads the repository's go.mod and Go's settings.
func (o SetupOptions) open(ctx context.Context) (setup, error) {
	s := setup{SetupOptions: o}
	var err error
	if s.repo, err = openRepository(o.Repo); err != nil {
		return s, err
	}
	if s.Dir, err = filepath.Abs(o.Dir); err != nil {
		return s, err
	}
	if s.Module != "" {
		if s.Module, err = filepath.Abs(s.Module); err != nil {
			return s, err
		}
		if strings.Contains(s.Module, ",") {
			return s, fmt.Errorf("%s: the kernel cannot work with a folder whose path contains a comma: move it",
				s.Module)
		}
	}
	if s.tools, err = openToolchain(ctx, s.repo.dir); err != nil {
		return s, err
	}
	hash := sha256.New()
	fmt.Fprintf(hash, "%q %q %q %q", s.tools.platform, buildFlags, s.repo.packages(), s.repo.modules())
	err = s.repo.writeSources(hash)
	s.key = hex.EncodeToString(hash.Sum(nil)[:16])
	return s, err
}

// Setup builds the project's kernel into a folder, writes its kernelspec, and returns it. Cells import the repository's
// packages, and modules in the versions of its go.mod, without the network. If everything is in place, Setup changes
// nothing. A kernel that runs from the folder keeps running. Concurrent calls wait for one another.
//
// Setup needs the Go toolchain, and it needs the network if modules have not been downloaded yet. It keeps other files.
// The error names a file that is in the way, or a kernelspec that Setup did not write or that has been changed by hand.
func Setup(ctx context.Context, o SetupOptions) (Kernelspec, error) {
	s, err := o.open(ctx)
	if err != nil {
		return Kernelspec{}, err
	}
	s.reportStep("looking for the modules that cells need")
	importable, err := s.getModules(ctx)
	if err != nil {
		return Kernelspec{}, err
	}
	spec := s.kernelspec(filepath.Join(s.Dir, "bin"))
	want := spec.sealed()
	parent := filepath.Dir(filepath.Dir(s.Dir)) // outside the folder of kernels: no half-built kernel is seen
	installed := func() bool { return holds(s.Dir, want) && s.havePrograms(filepath.Join(s.Dir, "bin")) }
	err = once(ctx, parent, installed, func(temp string) error { return s.install(ctx, temp, want) })
	if err != nil {
		return Kernelspec{}, err
	}
	if s.Later && len(importable) > 0 {
		s.tools.goBeside(cellSettings, append([]string{"build", "--"}, importable...)...)
	}
	return readKernelspec(s.Dir)
}

// once calls build with a temporary folder inside dir, unless there returns true. Concurrent calls wait for a lock.
func once(ctx context.Context, dir string, there func() bool, build func(temp string) error) error {
	if there() {
		return nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	unlock, err := atomicfile.Lock(ctx, filepath.Join(dir, ".siegebook-kernel.lock"))
	if err != nil {
		return err
	}
	defer unlock()
	if there() { // another call has built it in the meantime
		return nil
	}
	temp, err := atomicfile.NewFolder(dir, "siegebook-kernel")
	if err != nil {
		return err
	}
	defer func() { _ = temp.Remove() }()
	return build(temp.Path)
}

// Prepare returns the project's kernel for a run. It writes no kernelspec file. If the programs are missing, it builds
// them. Repositories that pin the same versions share the programs. Concurrent calls wait for one another. Modules that
// cells need may still be missing: see GetModules.
func Prepare(ctx context.Context, o SetupOptions) (Kernelspec, error) {
	s, err := o.open(ctx)
	if err != nil {
		return Kernelspec{}, err
	}
	dir := filepath.Join(s.Dir, s.key)
	spec := s.kernelspec(dir)
	spec.Name, spec.Dir = ProjectKernel, dir
	return spec, once(ctx, s.Dir, func() bool { return s.havePrograms(dir) }, func(temp string) error {
		if err := s.build(ctx, temp+"/new"); err != nil {
			return err
		}
		return errors.Join(os.RemoveAll(dir), os.Rename(temp+"/new", dir)) // dir may contain some of the programs
	})
}

// GetModules downloads the modules that cells need, with the user's Go settings. It compiles the packages that cells
// import, and returns their paths. The error names a module that is not available. If nothing is missing, it takes a
// fraction of a second and needs no network. Setup does the same.
func GetModules(ctx context.Context, o SetupOptions) ([]string, error) {
	s, err := o.open(ctx)
	if err != nil {
		return nil, err
	}
	return s.getModules(ctx)
}

// kernelspec returns the kernelspec for programs in a folder. A user's environment may contain settings that break
// cells, such as GOFLAGS=-mod=mod, or that change what cells print. So the kernelspec sets all settings that matter.
func (s setup) kernelspec(bin string) Kernelspec {
	work := goWorkFlag + s.repo.dir
	if s.Module != "" {
		work += "," + s.Module
	}
	argv := []string{filepath.Join(bin, "gonb"), "-kernel", "{connection_file}", work}
	if s.repo.hasProxy() {
		argv = []string{filepath.Join(bin, proxyProgram), "{connection_file}", argv[0], argv[3]}
	}
	spec := Kernelspec{
		Argv:        argv,
		DisplayName: ProjectKernelTitle, Language: "go", InterruptMode: "message",
		Env: map[string]string{
			// The last folder is where `go install` puts gopls, because that folder may not be on the user's PATH.
			"PATH":    bin + ":" + s.tools.bin + ":${PATH}:" + s.tools.install,
			"GOFLAGS": cellFlags, "GOPROXY": "off", "GOSUMDB": "off", "GOTOOLCHAIN": "local", "GOWORK": "",
			"GO111MODULE": "on", "GODEBUG": "",
			// With "single", the trace of one goroutine contains the line of the cell. trace.go removes the rest of the
			// trace.
			"GOTRACEBACK": "single",
			"CGO_ENABLED": "0", // Go's own linker is faster
		},
	}
	spec.Metadata.Siegebook = OwnMetadata{
		RunArgv:   []string{"-raw_error"}, // errors as text, because nobody is there to hover over HTML
		Transport: "ipc",
		Built:     s.repo.version(gonbPackage) + ", " + s.repo.version(goimportsPackage) + ", " + s.tools.version,
		Programs:  s.key,
	}
	return spec
}

// cellFlags are Go's flags in cells. The program of every cell is linked, and linking is faster without symbol tables.
const (
	cellFlags = noHistory + " -ldflags=-s"
	noHistory = "-buildvcs=false" // do not stamp programs with the state of git
)

// goWorkFlag is the argument of gonb that names the repository whose packages cells import.
const goWorkFlag = "-go_work="

// Repo returns the repository whose packages cells import; or "" if the kernelspec names none.
func (k Kernelspec) Repo() string {
	for _, arg := range k.Argv {
		if dirs, ok := strings.CutPrefix(arg, goWorkFlag); ok {
			dir, _, _ := strings.Cut(dirs, ",")
			return dir
		}
	}
	return ""
}

// Plain returns a kernel with the same programs and packages, but without the proxy and the settings that make cells
// fast: it is gonb alone, with Go's defaults. Tests compare its speed and outputs with the project's kernel.
func (k Kernelspec) Plain() (Kernelspec, error) {
	if len(k.Argv) != 4 {
		return k, fmt.Errorf("the command of the kernel has an unknown form: %q", k.Argv)
	}
	k.Env = maps.Clone(k.Env)
	k.Env["GOFLAGS"] = noHistory
	k.Env["CGO_ENABLED"] = "" // as if the variable were unset
	k.Argv = []string{k.Argv[2], "-kernel", k.Argv[1], k.Argv[3]}
	return k, nil
}

// install moves the programs and then the kernelspec into place. It keeps programs that are up to date.
func (s setup) install(ctx context.Context, temp string, spec []byte) error {
	if err := checkOwn(s.Dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	bin := filepath.Join(s.Dir, "bin")
	if old, err := readKernelspec(s.Dir); err != nil || old.Metadata.Siegebook.Programs != s.key ||
		!s.havePrograms(bin) {
		if err := s.build(ctx, temp); err != nil {
			return err
		}
		if err := os.MkdirAll(bin, 0o755); err != nil {
			return err
		}
		for _, importPath := range s.repo.packages() {
			name := path.Base(importPath)
			if err := os.Rename(filepath.Join(temp, name), filepath.Join(bin, name)); err != nil {
				return err
			}
		}
	}
	return atomicfile.Target{Name: filepath.Join(s.Dir, "kernel.json")}.Write(spec, 0o644)
}

// havePrograms reports whether a folder contains the programs of the kernel, in any version.
func (s setup) havePrograms(dir string) bool {
	return !slices.ContainsFunc(s.repo.packages(), func(importPath string) bool {
		program, err := atomicfile.OpenNamed(filepath.Join(dir, path.Base(importPath)))
		if err != nil {
			return true
		}
		defer program.Close()
		info, err := buildinfo.Read(program)
		return err != nil || info.Path != importPath
	})
}

// build builds the programs into a folder. The programs depend only on what setup.key covers, not on the folder.
func (s setup) build(ctx context.Context, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	packages := s.repo.packages()
	s.reportStep("compiling the kernel")
	if _, err := s.getPackages(ctx, nil, packages); err != nil {
		return err
	}
	args := append([]string{"build", "-ldflags=-s", "-o", dir + string(filepath.Separator)}, packages...)
	if _, err := s.tools.goOutput(ctx, []string{"CGO_ENABLED=0"}, args...); err != nil {
		return fmt.Errorf("cannot build the kernel: %w", err)
	}
	return nil
}

// sealed returns the kernelspec as a file that contains a hash, which reveals later changes.
func (k Kernelspec) sealed() []byte {
	k.Metadata.Siegebook.Seal = ""
	sum := sha256.Sum256(k.encode())
	k.Metadata.Siegebook.Seal = hex.EncodeToString(sum[:])
	return k.encode()
}

func (k Kernelspec) encode() []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	_ = encoder.Encode(k) // cannot fail: all fields are strings
	return out.Bytes()
}

// checkOwn returns nil if a folder contains a kernel that Setup wrote and that is unchanged, so that it may be replaced
// or removed. If the folder contains no kernel, the error is fs.ErrNotExist.
func checkOwn(dir string) error {
	spec, err := readKernelspec(dir)
	switch own := spec.Metadata.Siegebook; {
	case errors.Is(err, fs.ErrNotExist):
		return err
	case err != nil:
		return fmt.Errorf("%w: move it away, then try again", err)
	case own.Built == "":
		return fmt.Errorf("%s: siegebook did not install this kernel: move it away, then try again", dir)
	case own.Seal == "": // an older edition wrote the kernelspec
		return nil
	}
	if !holds(dir, spec.sealed()) {
		return fmt.Errorf("%s: the file was changed after siegebook wrote it: move it away, then try again",
			filepath.Join(dir, "kernel.json"))
	}
	return nil
}

// holds reports whether the kernelspec file in a folder has exactly these bytes.
func holds(dir string, spec []byte) bool {
	have, err := limitedread.ReadFile(filepath.Join(dir, "kernel.json"), maxKernelspec)
	return err == nil && bytes.Equal(have, spec)
}

// RemoveSetup removes the project's kernel from a folder. It reports whether there was a kernel, and which other files
// stay. If Setup did not write the kernel, or if the kernel has been changed since, RemoveSetup keeps it and returns an
// error.
func RemoveSetup(dir string) (removed bool, kept []string, err error) {
	if err := checkOwn(dir); errors.Is(err, fs.ErrNotExist) {
		return false, nil, nil
	} else if err != nil {
		return false, nil, err
	}
	bin := filepath.Join(dir, "bin")
	files := []string{filepath.Join(dir, "kernel.json")}
	for _, name := range kernelPrograms {
		files = append(files, filepath.Join(bin, name))
	}
	for _, file := range files {
		if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false, nil, err
		}
	}
	_, _ = os.Remove(bin), os.Remove(dir) // succeeds only if they are empty
	err = filepath.WalkDir(dir, func(file string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			kept = append(kept, file)
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return true, kept, err
}
