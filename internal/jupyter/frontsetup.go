package jupyter

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/siegebook/siegebook/internal/scratch"
)

// frontProgram is the program that stands between Jupyter and gonb in an installed kernel (front.go). It is a package
// of the repository itself, so it is built at every set-up, which Go makes short where nothing has changed. Runs of our
// own do without it: they stop at errors by themselves, and nobody is there to move a control.
const frontProgram = "gokernel"

// hasFront says whether the repository has that package.
func (r repository) hasFront() bool {
	return isFile(filepath.Join(r.dir, "cmd", frontProgram, "main.go"))
}

func (r repository) frontPackage() string { return r.mod.Module.Mod.Path + "/cmd/" + frontProgram }

// isFront says whether a file is such a program.
func isFront(file string) bool {
	info, err := os.Lstat(file)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	built, err := readBuildInfo(file)
	return err == nil && strings.HasSuffix(built.Path, "/cmd/"+frontProgram)
}

// installFront puts the program in place, unless the same one is there.
func (s setup) installFront(ctx context.Context) error {
	if !s.repo.hasFront() {
		return nil
	}
	if err := checkOwn(s.Dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	place := filepath.Join(s.Dir, "bin", frontProgram)
	parent := filepath.Dir(filepath.Dir(s.Dir))
	return once(ctx, parent, func() bool { return false }, func(temp string) error {
		fresh := filepath.Join(temp, frontProgram)
		if _, err := s.getPackages(ctx, nil, []string{s.repo.frontPackage()}); err != nil {
			return err
		}
		if _, err := s.tools.goOutput(ctx, []string{"CGO_ENABLED=0"}, "build", "-o", fresh, s.repo.frontPackage()); err != nil {
			return fmt.Errorf("cannot build the kernel: %w", err)
		}
		if same, err := sameBytes(fresh, place); same || err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(place), 0o755); err != nil {
			return err
		}
		return os.Rename(fresh, place)
	})
}

// sameBytes says whether a file is there and has the same bytes as another one.
func sameBytes(a, b string) (bool, error) {
	first, err := os.ReadFile(a)
	if err != nil {
		return false, err
	}
	program, err := scratch.OpenNamed(b)
	if err != nil {
		return false, nil
	}
	defer program.Close()
	var second bytes.Buffer
	if _, err := second.ReadFrom(program); err != nil {
		return false, nil
	}
	return bytes.Equal(first, second.Bytes()), nil
}
