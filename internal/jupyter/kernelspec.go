package jupyter

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/internal/limitedread"
)

// Kernelspec describes how to start a kernel: it holds the contents of a kernel.json.
type Kernelspec struct {
	// Name is the name, in lower case, of the folder that contains the kernel.json file.
	Name string `json:"-"`
	// Dir is the folder that contains the kernel.json file.
	Dir string `json:"-"`
	// Argv is the command line. It contains {connection_file} and {resource_dir}, which are replaced when the kernel
	// starts.
	Argv []string `json:"argv"`
	// DisplayName and Language are for people and for front ends.
	DisplayName string `json:"display_name"`
	Language    string `json:"language"`
	// InterruptMode is "message" if a request on the control channel interrupts the kernel; otherwise SIGINT does.
	InterruptMode string `json:"interrupt_mode,omitempty"`
	// Env changes the environment. ${NAME} is replaced by the variable's previous value.
	Env map[string]string `json:"env,omitempty"`
	// Metadata contains notes for front ends.
	Metadata struct {
		Siegebook OwnMetadata `json:"siegebook,omitzero"`
	} `json:"metadata,omitzero"`
}

// OwnMetadata holds siegebook's own notes in a kernelspec.
type OwnMetadata struct {
	// RunArgv holds additional arguments for runs without a person.
	RunArgv []string `json:"run_argv,omitempty"`
	// Transport is "ipc" if the kernel can listen on sockets in a folder. Otherwise, a run uses TCP.
	Transport string `json:"transport,omitempty"`
	// Built names the versions from which Setup built the kernel; it is "" for kernels that Setup did not build.
	Built string `json:"built,omitempty"`
	// Programs identifies the kernel's programs by a hash of everything that they are built from.
	Programs string `json:"programs,omitempty"`
	// Seal is a hash of the rest of the file as Setup wrote it.
	Seal string `json:"seal,omitempty"`
}

// kernelName matches the names that Jupyter allows for kernels.
var kernelName = regexp.MustCompile(`^[A-Za-z0-9._-]+$`)

// FindKernelspec returns the kernelspec with the given name from the first of Jupyter's folders that has one. It
// searches the folders of JUPYTER_PATH, then the user's folder ($JUPYTER_DATA_DIR), then the system's folders. The
// error lists the available kernels.
func FindKernelspec(name string) (Kernelspec, error) {
	if !kernelName.MatchString(name) {
		return Kernelspec{}, fmt.Errorf("kernel %q: a kernel's name may contain only letters, digits, '.', '_' and '-'",
			name)
	}
	for _, folder := range kernelFolders() {
		spec, err := readKernelspec(filepath.Join(folder, strings.ToLower(name)))
		if !errors.Is(err, fs.ErrNotExist) {
			return spec, err
		}
	}
	fix := "install it, or name another one with --kernel"
	if name == ProjectKernel {
		fix = installFix
	}
	installed := "no kernel is installed"
	if names := kernelNames(); len(names) > 0 {
		installed = "installed: " + strings.Join(names, ", ")
	}
	return Kernelspec{}, fmt.Errorf("kernel %q: there is no such kernel (%s): %s", name, installed, fix)
}

// These are the maximum sizes of a kernelspec and of a program, in bytes.
const (
	maxKernelspec = limitedread.MiB
	maxProgram    = 1024 * limitedread.MiB
)

// readKernelspec reads the kernelspec in a folder. If there is none, the error is fs.ErrNotExist.
func readKernelspec(dir string) (Kernelspec, error) {
	spec := Kernelspec{Name: filepath.Base(dir), Dir: dir}
	path := filepath.Join(dir, "kernel.json")
	data, err := limitedread.ReadFile(path, maxKernelspec)
	if err != nil {
		return spec, err
	}
	if err := json.Unmarshal(data, &spec); err != nil {
		return spec, fmt.Errorf("%s: not a kernelspec: %w", path, syntaxError(data, err))
	}
	if len(spec.Argv) == 0 || spec.Argv[0] == "" {
		return spec, fmt.Errorf("%s: the kernelspec has no argv: add the command that starts the kernel", path)
	}
	return spec, nil
}

// kernelFolders returns the folders that may contain kernelspecs, in order of precedence.
func kernelFolders() []string {
	folders := append(filepath.SplitList(os.Getenv("JUPYTER_PATH")),
		DataDir(), "/usr/local/share/jupyter", "/usr/share/jupyter")
	folders = slices.DeleteFunc(folders, func(f string) bool { return f == "" })
	for i, folder := range folders {
		folders[i] = filepath.Join(folder, "kernels")
	}
	return folders
}

// DataDir returns Jupyter's folder for the user's data, which may not exist yet, or "" if the user has no home folder.
func DataDir() string {
	if dir := os.Getenv("JUPYTER_DATA_DIR"); dir != "" {
		return dir
	}
	home, err := os.UserHomeDir()
	switch {
	case err != nil:
		return ""
	case runtime.GOOS == "darwin":
		return filepath.Join(home, "Library", "Jupyter")
	case os.Getenv("XDG_DATA_HOME") != "":
		return filepath.Join(os.Getenv("XDG_DATA_HOME"), "jupyter")
	}
	return filepath.Join(home, ".local", "share", "jupyter")
}

// kernelNames returns the sorted names of all installed kernels.
func kernelNames() []string {
	var names []string
	for _, folder := range kernelFolders() {
		files, _ := filepath.Glob(filepath.Join(folder, "*", "kernel.json"))
		for _, file := range files {
			names = append(names, filepath.Base(filepath.Dir(file)))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// arguments returns the kernel's command line for the given connection file.
func (k Kernelspec) arguments(connectionFile string) []string {
	argv := slices.Concat(k.Argv, k.Metadata.Siegebook.RunArgv)
	fill := strings.NewReplacer("{connection_file}", connectionFile, "{resource_dir}", k.Dir)
	for i, arg := range argv {
		argv[i] = fill.Replace(arg)
	}
	return argv
}

var reference = regexp.MustCompile(`\$\{[A-Za-z_][A-Za-z0-9_]*\}`)

// environment returns env with the changes in k.Env. A reference to an unset variable stays as it is.
func (k Kernelspec) environment(env []string) []string {
	before := env
	env = slices.Clone(env)
	for _, name := range slices.Sorted(maps.Keys(k.Env)) {
		value := reference.ReplaceAllStringFunc(k.Env[name], func(ref string) string {
			if value, ok := variable(before, ref[2:len(ref)-1]); ok {
				return value
			}
			return ref
		})
		env = append(env, name+"="+value)
	}
	return env
}

// variable returns the value of a variable in an environment. The last entry takes precedence.
func variable(env []string, name string) (string, bool) {
	for _, entry := range slices.Backward(env) {
		if value, ok := strings.CutPrefix(entry, name+"="); ok {
			return value, true
		}
	}
	return "", false
}

// Fingerprint returns a hash of everything in a kernel that can affect the outputs of cells: its programs, its
// settings, and Go's settings in the kernel's environment. It does not cover paths and the repository.
func (k Kernelspec) Fingerprint(ctx context.Context) ([]byte, error) {
	hash := sha256.New()
	spec := k.portable().encode()
	fmt.Fprintf(hash, "%s %d\n%s", k.Name, len(spec), spec)
	env := k.environment(os.Environ())
	if programs := k.Metadata.Siegebook.Programs; programs != "" {
		fmt.Fprintln(hash, programs)
	} else {
		file, err := lookPath(k.arguments("")[0], env)
		if err != nil {
			return nil, err
		}
		content, err := limitedread.ReadFile(file, maxProgram)
		if err != nil {
			return nil, err
		}
		hash.Write(content)
	}
	if goProgram, err := lookPath("go", env); err == nil { // kernels of other languages do not need Go
		args := append([]string{"env", "GOFLAGS", "CGO_ENABLED"}, platformSettings...)
		settings := exec.CommandContext(ctx, goProgram, args...)
		settings.Env = env
		out, err := settings.Output()
		if err != nil && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		hash.Write(out)
	}
	return hash.Sum(nil), nil
}

// own reports whether Setup or Prepare created the kernelspec.
func (k Kernelspec) own() bool { return k.Metadata.Siegebook.Built != "" }

// portable returns the kernelspec with its paths removed.
func (k Kernelspec) portable() Kernelspec {
	k.Argv, k.Env = slices.Clone(k.Argv), maps.Clone(k.Env)
	k.Argv[0] = filepath.Base(k.Argv[0])
	if k.own() {
		k.Argv = slices.DeleteFunc(k.Argv, func(arg string) bool {
			return filepath.IsAbs(arg) || strings.HasPrefix(arg, goWorkFlag)
		})
		delete(k.Env, "PATH")
	}
	if k.Dir != "" {
		for i, arg := range k.Argv {
			k.Argv[i] = strings.ReplaceAll(arg, k.Dir, "{resource_dir}")
		}
		for name, value := range k.Env {
			k.Env[name] = strings.ReplaceAll(value, k.Dir, "{resource_dir}")
		}
	}
	k.Metadata.Siegebook = OwnMetadata{RunArgv: k.Metadata.Siegebook.RunArgv}
	return k
}

// lookPath finds a program as exec.LookPath does, but on the PATH of env, because a kernelspec may set its own PATH.
func lookPath(program string, env []string) (string, error) {
	if strings.ContainsRune(program, filepath.Separator) {
		return exec.LookPath(program)
	}
	path, _ := variable(env, "PATH")
	for _, dir := range filepath.SplitList(path) {
		if found, err := exec.LookPath(filepath.Join(dir, program)); err == nil && filepath.IsAbs(dir) {
			return found, nil
		}
	}
	return "", fmt.Errorf("program %q is not on the PATH: install it, or correct the kernelspec", program)
}
