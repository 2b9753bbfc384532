package jupyter

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/mod/modfile"
)

// Behind the front (front.go) gonb finds a go of ours on its PATH, which is the front's program under another name. It
// passes on everything but the two things that gonb does for each cell. `go get`, which nearly always finds that all is
// there, is left out until a build says that something is missing. A program that has been built is kept, and taken
// again when everything is as it was that goes into it.
const (
	realGoVariable = "SIEGEBOOK_GO"    // the go that does the work
	builtVariable  = "SIEGEBOOK_BUILT" // the folder of programs, of this kernel alone
)

// mostBuilt bounds the programs that are kept, of some six megabytes each.
const mostBuilt = 40

// giveGo puts our go before the other one on the PATH of an environment. Where that cannot be done, the other one
// stays.
func giveGo(folder string, env []string) []string {
	program, err := os.Executable()
	if err != nil || filepath.Base(program) != frontProgram {
		return env
	}
	realGo, err := lookPath("go", env)
	if err != nil {
		return env
	}
	bin, built := filepath.Join(folder, "bin"), filepath.Join(folder, "built")
	if errors.Join(os.Mkdir(bin, 0o700), os.Mkdir(built, 0o700), os.Symlink(program, filepath.Join(bin, "go"))) != nil {
		return env
	}
	path, _ := variable(env, "PATH")
	return append(env, "PATH="+bin+string(filepath.ListSeparator)+path, realGoVariable+"="+realGo, builtVariable+"="+built)
}

// RunGo is that go. It returns the exit code, or does not return, where the other one takes its place.
func RunGo(args []string) int {
	realGo, built := os.Getenv(realGoVariable), os.Getenv(builtVariable)
	if realGo == "" {
		fmt.Fprintln(os.Stderr, "go: "+realGoVariable+" does not say which go is meant")
		return 2
	}
	if isFile("main.go") && built != "" {
		switch {
		case slices.Equal(args, []string{"get"}):
			return 0
		case len(args) == 3 && args[0] == "build" && args[1] == "-o":
			return buildCellProgram(realGo, built, args[2])
		}
	}
	err := syscall.Exec(realGo, append([]string{"go"}, args...), os.Environ())
	fmt.Fprintf(os.Stderr, "go: %v\n", err)
	return 2
}

// buildCellProgram builds the program in this folder, or takes the one that was built of the same.
func buildCellProgram(realGo, built, out string) int {
	key, err := cellKey(realGo)
	kept := filepath.Join(built, key)
	if err == nil && takeProgram(kept, out) == nil {
		return 0
	}
	_ = os.Remove(out) // it has another name too, under which it must not change
	text, code := runGo(realGo, "build", "-o", out)
	if code != 0 && missingModule(text) {
		if text, code = runGo(realGo, "get"); code == 0 {
			text, code = runGo(realGo, "build", "-o", out)
		}
	}
	_, _ = os.Stderr.Write(text)
	// What was changed while Go was at work may or may not be in the program.
	if after, late := cellKey(realGo); code == 0 && err == nil && late == nil && after == key {
		if entries, _ := os.ReadDir(built); len(entries) >= mostBuilt {
			for _, entry := range entries {
				_ = os.Remove(filepath.Join(built, entry.Name()))
			}
		}
		_ = takeProgram(out, kept)
	}
	return code
}

// missingModule says whether Go complains of a package whose module go.mod does not name.
func missingModule(text []byte) bool {
	for _, sign := range []string{"no required module provides package", "cannot find module providing package", "missing go.sum entry", "updates to go.mod needed"} {
		if bytes.Contains(text, []byte(sign)) {
			return true
		}
	}
	return false
}

func runGo(realGo string, args ...string) ([]byte, int) {
	text, err := exec.Command(realGo, args...).CombinedOutput()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		return text, max(1, exit.ExitCode())
	case err != nil:
		return []byte(err.Error() + "\n"), 1
	}
	return text, 0
}

// takeProgram gives a program another name too.
func takeProgram(from, to string) error {
	if _, err := os.Lstat(from); err != nil {
		return err
	}
	if err := os.Remove(to); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Link(from, to)
}

// cellKey names all that goes into the program in this folder: the files here by their content; Go and its settings;
// and the files of the folders that go.work names by what the system says of them, which changes with each change of a
// file. What lies in the module cache does not change. It is an error where a go.mod takes modules from other folders.
func cellKey(realGo string) (string, error) {
	hash := sha256.New()
	for _, name := range append([]string{realGo}, "go.work", "go.mod") {
		if err := sayFile(hash, name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	env := slices.DeleteFunc(os.Environ(), func(entry string) bool {
		return !strings.HasPrefix(entry, "GO") && !strings.HasPrefix(entry, "CGO")
	})
	slices.Sort(env)
	fmt.Fprintf(hash, "%q\n", env)
	here, err := filepath.Glob("*")
	if err != nil {
		return "", err
	}
	for _, name := range here {
		if strings.HasSuffix(name, ".go") || strings.HasPrefix(name, "go.") {
			data, err := os.ReadFile(name)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(hash, "%s %d\n%s", name, len(data), data)
		}
	}
	dirs := []string{"."}
	if data, err := os.ReadFile("go.work"); err == nil {
		work, err := modfile.ParseWork("go.work", data, nil)
		if err != nil {
			return "", err
		}
		for _, use := range work.Use {
			dirs = append(dirs, use.Path)
		}
		if len(work.Replace) > 0 {
			return "", errors.New("go.work has replacements")
		}
	}
	for _, dir := range dirs {
		if err := sayModule(hash, dir); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// sayModule writes down all files of a module that packages can be made of; notebooks, which change all the time, are
// none.
func sayModule(out io.Writer, dir string) error {
	data, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return err
	}
	mod, err := modfile.ParseLax("go.mod", data, nil)
	if err != nil {
		return err
	}
	for _, replace := range mod.Replace {
		if modfile.IsDirectoryPath(replace.New.Path) {
			return errors.New("a module in another folder")
		}
	}
	if dir == "." {
		return nil // by content
	}
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch name := entry.Name(); {
		case err != nil:
			return err
		case entry.IsDir() && path != dir && (strings.HasPrefix(name, ".") || name == "testdata" || isFile(filepath.Join(path, "go.mod"))):
			return fs.SkipDir
		case entry.IsDir() || strings.HasSuffix(name, ".ipynb") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		return sayFile(out, path)
	})
}

// sayFile writes down what the system says of a file.
func sayFile(out io.Writer, path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%q %d %d %v\n", path, info.Size(), info.ModTime().UnixNano(), changeTime(info))
	return nil
}
