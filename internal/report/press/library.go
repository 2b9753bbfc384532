package press

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/siegebook/siegebook/internal/jupyter"
)

// Module is the path of this module.
const Module = "github.com/siegebook/siegebook"

// isLibrary reports whether a folder contains this module.
func isLibrary(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "cmd", "genreport", "main.go"))
	return dir != "" && err == nil
}

// LibraryVariable is the environment variable that names a clone of this module, for programs that cannot find one
// otherwise.
const LibraryVariable = "SIEGEBOOK_REPO"

// FindLibrary returns the folder of this module, whose packages cells import. It takes the first that exists of: the
// clone that the environment variable names, the clone that contains the report or the working folder, the source of
// this program, this program's version in the module cache, and the clone of the installed kernel.
func FindLibrary(ctx context.Context, dir string) (string, error) {
	_, source, _, _ := runtime.Caller(0)
	candidates := []string{os.Getenv(LibraryVariable), jupyter.FindRepository(dir), jupyter.FindRepository(".")}
	if filepath.IsAbs(source) {
		candidates = append(candidates, filepath.Join(filepath.Dir(source), "..", "..", ".."))
	}
	for _, candidate := range candidates {
		if isLibrary(candidate) {
			return candidate, nil
		}
	}
	var reason error
	if path, version := ownVersion(); version != "" {
		found, err := jupyter.Download(ctx, path, version)
		if err == nil {
			return found, nil
		}
		reason = err
	}
	if spec, err := jupyter.FindKernelspec(jupyter.ProjectKernel); err == nil && isLibrary(spec.Repo()) {
		return spec.Repo(), nil
	}
	if reason != nil {
		return "", fmt.Errorf("%w; or set %s to the path of a clone of siegebook", reason, LibraryVariable)
	}
	return "", errors.New("the packages that cells import are missing: run this within a clone of siegebook, set its " +
		"path in " + LibraryVariable + ", or install this program with 'go install " +
		"" + Module + "/cmd/genreport@latest'")
}

// ownVersion returns the path and the version of this module in the running program, which may belong to another
// module. The version is "" if it is not a published version.
func ownVersion() (path, version string) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "", ""
	}
	for _, m := range append([]*debug.Module{&info.Main}, info.Deps...) {
		if m.Path != Module {
			continue
		}
		if m.Replace != nil {
			m = m.Replace
		}
		if strings.HasPrefix(m.Version, "v") && !strings.Contains(m.Version, "+") {
			return m.Path, m.Version
		}
	}
	return "", ""
}

// ProgramSum returns the hash of the running program, or nil if the program cannot be read. A cached report depends on
// it.
func ProgramSum() []byte {
	path, err := os.Executable()
	if err != nil {
		return nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		return nil
	}
	return hash.Sum(nil)
}
