package jupyter

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/siegebook/siegebook/internal/limitedread"
)

// sealed returns the kernelspec as a file whose later changes can be told.
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
	_ = encoder.Encode(k) // texts always have a form in JSON
	return out.Bytes()
}

// checkOwn makes sure that the kernel in a folder is what Setup has made of it, so that it may be replaced or removed.
// The error is fs.ErrNotExist if the folder holds none.
func checkOwn(dir string) error {
	for _, importPath := range kernelPrograms {
		file := filepath.Join(dir, "bin", path.Base(importPath))
		if info, err := os.Lstat(file); err == nil && !(info.Mode().IsRegular() && isProgram(file, importPath)) {
			return fmt.Errorf("%s: this is not the %s that siegebook has built: move it away, then try again", file, path.Base(importPath))
		}
	}
	if file := filepath.Join(dir, "bin", frontProgram); !isFront(file) {
		if _, err := os.Lstat(file); err == nil {
			return fmt.Errorf("%s: this is not the %s that siegebook has built: move it away, then try again", file, frontProgram)
		}
	}
	spec, err := readKernelspec(dir)
	switch own := spec.Metadata.Siegebook; {
	case errors.Is(err, fs.ErrNotExist):
		return err
	case err != nil:
		return fmt.Errorf("%w: move it away, then try again", err)
	case own.Built == "":
		return fmt.Errorf("%s: this kernel was not installed by siegebook: move it away, then try again", dir)
	case own.Seal == "": // an older edition wrote it
		return nil
	}
	if !holds(dir, spec.sealed()) {
		return fmt.Errorf("%s: it was changed since siegebook wrote it: move it away, then try again", filepath.Join(dir, "kernel.json"))
	}
	return nil
}

// holds says whether the kernelspec in a folder consists of these bytes.
func holds(dir string, spec []byte) bool {
	have, err := limitedread.ReadFile(filepath.Join(dir, "kernel.json"), maxKernelspec)
	return err == nil && bytes.Equal(have, spec)
}

// RemoveSetup removes the project's kernel from a folder, and says whether it was there, and which other files the
// folder has: they stay. A kernel that Setup has not made, or that was changed since, is an error and stays too.
func RemoveSetup(dir string) (removed bool, kept []string, err error) {
	if err := checkOwn(dir); errors.Is(err, fs.ErrNotExist) {
		return false, nil, nil
	} else if err != nil {
		return false, nil, err
	}
	bin := filepath.Join(dir, "bin")
	files := []string{filepath.Join(dir, "kernel.json"), filepath.Join(bin, frontProgram)}
	for _, importPath := range kernelPrograms {
		files = append(files, filepath.Join(bin, path.Base(importPath)))
	}
	for _, file := range files {
		if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false, nil, err
		}
	}
	_, _ = os.Remove(bin), os.Remove(dir) // if nothing else is in them
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
