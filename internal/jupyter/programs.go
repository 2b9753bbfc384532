package jupyter

import (
	"context"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/siegebook/siegebook/internal/scratch"
)

// programsKey names the programs by all that they are made of.
func (s setup) programsKey() string {
	hash := sha256.New()
	fmt.Fprintf(hash, "%q %q %q %q", s.tools.platform, buildFlags, kernelPrograms, s.repo.modules())
	return hex.EncodeToString(hash.Sum(nil)[:16])
}

// havePrograms says whether a folder holds the programs of the kernel, in whatever version.
func havePrograms(dir string) bool {
	for _, importPath := range kernelPrograms {
		if !isProgram(filepath.Join(dir, path.Base(importPath)), importPath) {
			return false
		}
	}
	return true
}

// isProgram says whether a file is a Go program made of a package.
func isProgram(file, importPath string) bool {
	info, err := readBuildInfo(file)
	return err == nil && info.Path == importPath
}

// readBuildInfo returns what a Go program says about how it was built.
func readBuildInfo(file string) (*buildinfo.BuildInfo, error) {
	program, err := scratch.OpenNamed(file)
	if err != nil {
		return nil, err
	}
	defer program.Close()
	return buildinfo.Read(program)
}

// build builds the programs into a folder. They have the same bytes wherever that is done.
func (s setup) build(ctx context.Context, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if _, err := s.getPackages(ctx, nil, kernelPrograms); err != nil {
		return err
	}
	args := append([]string{"build", "-o", dir + string(filepath.Separator)}, kernelPrograms...)
	if _, err := s.tools.goOutput(ctx, []string{"CGO_ENABLED=0"}, args...); err != nil {
		return fmt.Errorf("cannot build the kernel: %w", err)
	}
	return nil
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
