// Package setup contains the scripts that install programs other than Go modules: install.sh, npm.sh and gopls.sh for
// the tests, and jupyter.sh for the notebooks. make calls them.
//
// The tests run the scripts with fake programs, and install nothing.
package setup

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
)

// machine is a folder with the only programs that a script can find, and a record of calls to them.
type machine struct {
	t   *testing.T
	bin string
}

// newMachine returns a machine with the basic tools of every system.
func newMachine(t *testing.T) machine {
	t.Helper()
	m := machine{t, t.TempDir()}
	for _, name := range []string{"sh", "env", "cat", "chmod", "mktemp", "rm", "tail", "true", "dirname"} {
		path, err := exec.LookPath(name)
		if err != nil {
			t.Skip(err)
		}
		must.Do(t, os.Symlink(path, filepath.Join(m.bin, name)))
	}
	return m
}

// add puts a program on the machine. The program records its call, and then runs the given script.
func (m machine) add(name, script string) {
	m.t.Helper()
	file := filepath.Join(m.bin, name)
	text := "#!/bin/sh\necho " + filepath.Base(name) + ` "$@" >>"$BIN/calls"` + "\n" + script + "\n"
	must.Do(m.t, os.MkdirAll(filepath.Dir(file), 0o755))
	must.Do(m.t, os.WriteFile(file, []byte(text), 0o755))
}

// addApt puts an apt-get on the machine. It installs programs that print a version whenever they are called.
func (m machine) addApt(programs string) {
	script := `[ "$1" = install ] || exit 1` + "\n" // updates fail, which must not stop the script
	for name := range strings.FieldsSeq(programs) {
		script += `printf '#!/bin/sh\necho ` + name + ` "$@" >>"$BIN/calls"; echo 6.4.12\n' >"$BIN/` + name + `"` +
			"\n" + `chmod +x "$BIN/` + name + `"` + "\n"
	}
	m.add("apt-get", script)
}

// asides matches the calls with which a script only inspects the machine.
var asides = regexp.MustCompile(`(?m)^(id -u|go env .*|sudo .*|.* --version)\n`)

// run runs a script. It returns the script's output, a line for each call that it made, and "fails" if the script
// failed.
func (m machine) run(args []string) (said string) {
	m.t.Helper()
	cmd := exec.CommandContext(m.t.Context(), "/bin/sh", args...)
	cmd.Env = []string{
		"BIN=" + m.bin, "PATH=" + m.bin + ":" + m.bin + "/second", "SBIN=" + m.bin + "/sbin", "XDG_CACHE_HOME=" + m.bin,
	}
	out, err := cmd.CombinedOutput()
	record := filepath.Join(m.bin, "calls")
	calls, _ := os.ReadFile(record)
	_ = os.Remove(record)
	said = regexp.MustCompile(`(?m)^`).ReplaceAllString(strings.TrimSuffix(string(out), "\n"), "prints ") + "\n"
	if len(out) == 0 {
		said = ""
	}
	for line := range strings.Lines(asides.ReplaceAllString(string(calls), "")) {
		said += "calls " + line
	}
	if err != nil {
		said += "fails\n"
	}
	return said
}

// TestScripts runs the scripts on the machines described in testdata/cases.txt.
func TestScripts(t *testing.T) {
	text := must.Get(os.ReadFile("testdata/cases.txt"))
	gopls := must.Get(os.ReadFile("../jupyter/gopls.txt"))
	_, version, _ := strings.Cut(strings.TrimSpace(string(gopls)), "@")
	known := strings.NewReplacer(
		"$UPDATE", "apt-get update -qq",
		"$INSTALL", "apt-get install -y -qq -o DPkg::Lock::Timeout=600 --no-install-recommends",
		"$NOGOPLS", "without gopls, cells have no completion and no help on names (Tab, Shift+Tab): run go install "+
			strings.TrimSpace(string(gopls)),
		"$GOPLS", "siegebook/gopls-"+version+"/gopls",
	)
	for _, section := range strings.Split(known.Replace(string(text)), "\n\n")[1:] {
		name, lines, _ := strings.Cut(strings.TrimSpace(section)+"\n", "\n")
		t.Run(strings.TrimPrefix(name, "# "), func(t *testing.T) {
			m := newMachine(t)
			var run []string
			want := ""
			check := func() {
				if run == nil {
					return
				}
				if got := m.run(run); got != want {
					t.Errorf("%s:\n%swant:\n%s", run, got, want)
				}
				want = ""
			}
			for line := range strings.Lines(lines) {
				verb, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
				switch verb {
				case "user":
					m.add("id", "echo "+rest)
				case "apt":
					m.addApt(rest)
				case "has":
					program, script, _ := strings.Cut(rest, " ")
					m.add(program, script)
				case "run":
					check()
					run = strings.Split(rest, " ")
					if script, notebook, found := strings.Cut(rest, " = "); found {
						run = []string{script, notebook}
					}
				default:
					want += line
				}
			}
			check()
		})
	}
}
