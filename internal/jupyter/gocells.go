package jupyter

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
)

// Behind the proxy (proxy.go) gonb finds a go of ours on its PATH, which is the proxy's program under another name. It
// passes on everything but what gonb does for each cell:
//
//   - `go get`, which nearly always finds that all is there, is left out until a build says that something is missing.
//   - Programs are kept until something changes on which they depend.
//   - Where only the cell has changed, and imports nothing new, compiler and linker are called as Go has called
//     them before. The rest of the work of Go takes half as long as both of them.
//
// Whenever one of these does not work out, Go does what it always does.
const (
	realGoVariable = "SIEGEBOOK_GO"    // the go that does the work
	builtVariable  = "SIEGEBOOK_BUILT" // the folder of programs and plans, of this kernel alone
)

// giveGo puts our go before the other one on the PATH of an environment. Where that cannot be done, the other one
// stays.
func giveGo(folder string, env []string) []string {
	program, err := os.Executable()
	if err != nil || filepath.Base(program) != proxyProgram {
		return env
	}
	realGo, err := lookPath("go", env)
	if err != nil {
		return env
	}
	bin, built := filepath.Join(folder, "bin"), filepath.Join(folder, "built")
	if errors.Join(
		os.Mkdir(bin, 0o700), os.Mkdir(built, 0o700),
		os.Symlink(program, filepath.Join(bin, "go")), os.Symlink(program, filepath.Join(bin, recorderProgram)),
	) != nil {
		return env
	}
	path, _ := variable(env, "PATH")
	return append(env, "PATH="+bin+string(filepath.ListSeparator)+path, realGoVariable+"="+realGo, builtVariable+"="+
		built)
}

// RunTool runs what gonb and Go find under a name of ours on their PATH, and returns the exit code; it does not return
// where another program takes its place. It returns false where the name is that of the kernel.
func RunTool(args []string) (code int, ours bool) {
	switch filepath.Base(args[0]) {
	case "go":
		return RunGo(args[1:]), true
	case recorderProgram:
		return runRecorded(args[1:]), true
	}
	return 0, false
}

// RunGo is our go. It returns the exit code, or does not return, where the other one takes its place.
func RunGo(args []string) int {
	realGo, built := os.Getenv(realGoVariable), os.Getenv(builtVariable)
	if realGo == "" {
		fmt.Fprintln(os.Stderr, "go: "+realGoVariable+" does not say which go is meant")
		return 2
	}
	program := ""
	if here, err := os.Getwd(); err == nil && len(args) > 2 && (args[0] == "build" || args[0] == "test") {
		if at := slices.Index(args, "-o") + 1; at > 0 && at < len(args) &&
			filepath.Base(args[at]) == filepath.Base(here) {
			program = args[at] // gonb's name for that of a cell
		}
	}
	cells := isFile("main.go") && built != ""
	var build func() ([]byte, int)
	switch {
	case cells && slices.Equal(args, []string{"get"}):
		return 0
	case cells && len(args) == 3 && args[0] == "build" && args[1] == "-o":
		build = cellProgram{realGo, built, args[2]}.build
	case program != "":
		build = func() ([]byte, int) {
			_ = os.Remove(program) // a script of ours, which go test would not replace
			return runGo(realGo, os.Environ(), args...)
		}
	default:
		return become(realGo, append([]string{"go"}, args...))
	}
	text, code := build()
	if code != 0 && program != "" {
		file := "main.go"
		if !isFile(file) {
			file = "main_test.go"
		}
		text, code = setAside(file, text, build)
	}
	// gonb makes a line of a page of each of these.
	_, _ = os.Stderr.Write(bytes.TrimSpace(packageLine.ReplaceAll(text, nil)))
	if code == 0 && program != "" {
		if err := endInput(program); err != nil {
			fmt.Fprintf(os.Stderr, "go: %v\n", err)
			return 1
		}
	}
	return code
}

// Nobody can type into a cell. gonb gives what it starts an input that nobody writes to and that has no end, so
// programs would wait for ever: shells get an empty one at their start, and programs by a script in their place.
const (
	shellInput = "case $BASH_EXECUTION_STRING in ?*) exec </dev/null ;; esac\nunset BASH_ENV\n"
	cellInput  = "#!/bin/sh\n. \"$BASH_ENV\"\nexec \"$0" + cellSuffix + "\" \"$@\" </dev/null\n"
	cellSuffix = ".cell" // of the program itself
)

// asksForInput matches what a cell asks for input with.
var asksForInput = regexp.MustCompile(`\bos\.Stdin\b|\bfmt\.Scan|RequestInput\(|%with_(inputs|password)\b`)

// noInput is an environment in which the shells of cells have no input. The user's own BASH_ENV is read then.
func noInput(folder string, env []string) ([]string, error) {
	script := shellInput
	if own, is := variable(env, "BASH_ENV"); is {
		script += "export BASH_ENV='" + strings.ReplaceAll(own, "'", `'\''`) + "'\n. \"$BASH_ENV\"\n"
	}
	file := filepath.Join(folder, "input.sh")
	return append(env, "BASH_ENV="+file), os.WriteFile(file, []byte(script), 0o600)
}

func endInput(program string) error {
	_ = os.Remove(program + cellSuffix) // where it is the same file, Rename would leave it under both names
	if err := os.Rename(program, program+cellSuffix); err != nil {
		return err
	}
	return os.WriteFile(program, []byte(cellInput), 0o700)
}

// replaceProcess is replaced by tests, which would end well where they are another program.
var replaceProcess = syscall.Exec

// become runs another program in the place of this one.
func become(program string, argv []string) int {
	err := replaceProcess(program, argv, os.Environ())
	fmt.Fprintf(os.Stderr, "go: %v\n", err)
	return 2
}

// packageLine is what Go says before what the compiler says, or of the module that gonb makes of a cell.
var packageLine = regexp.MustCompile(`(?m)^(# .*\n|go: gonb_\w+ imports\n\t?)`)

// missingModule matches where Go complains of a package whose module go.mod does not name.
var missingModule = regexp.MustCompile(
	`no required module provides package|cannot find module providing package|` +
		`missing go.sum entry|updates to go.mod needed`)

func runGo(realGo string, env []string, args ...string) ([]byte, int) {
	cmd := exec.Command(realGo, args...)
	cmd.Env = env
	text, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		return text, max(1, exit.ExitCode())
	case err != nil:
		return []byte(err.Error() + "\n"), 1
	}
	return text, 0
}
