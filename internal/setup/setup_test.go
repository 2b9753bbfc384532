package setup

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// machine is a folder of programs, the only ones that a script finds, and a record of how they were called.
type machine struct {
	t   *testing.T
	bin string
}

// newMachine returns a machine with the tools that every system has, for a user with this number.
func newMachine(t *testing.T, user string) machine {
	t.Helper()
	m := machine{t, t.TempDir()}
	for _, name := range []string{"sh", "env", "cat", "chmod", "mktemp", "rm", "tail", "true", "dirname"} {
		path, err := exec.LookPath(name)
		if err != nil {
			t.Skip(err)
		}
		if err := os.Symlink(path, filepath.Join(m.bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	m.add("id", "echo "+user)
	return m
}

// add puts a program on the machine that records its call and then does as the script says.
func (m machine) add(name, script string) {
	m.t.Helper()
	text := "#!/bin/sh\necho " + name + ` "$@" >>"$CALLS"` + "\n" + script + "\n"
	if err := os.WriteFile(filepath.Join(m.bin, name), []byte(text), 0o755); err != nil {
		m.t.Fatal(err)
	}
}

// addApt puts an apt-get on the machine that installs programs which answer everything with a version.
func (m machine) addApt(programs ...string) {
	script := `[ "$1" = install ] || exit 1` + "\n" // an update that fails stops nothing
	for _, name := range programs {
		script += "cat >" + filepath.Join(m.bin, name) + " <<'EOF'\n#!/bin/sh\necho " + name +
			` "$@" >>"$CALLS"; echo 6.4.12` + "\nEOF\n" +
			"chmod +x " + filepath.Join(m.bin, name) + "\n"
	}
	m.add("apt-get", script)
}

// run runs a script and returns what it printed and which programs it called but id.
func (m machine) run(script string, args ...string) (output string, calls []string, err error) {
	m.t.Helper()
	record := filepath.Join(m.t.TempDir(), "calls")
	cmd := exec.CommandContext(m.t.Context(), "/bin/sh", append([]string{script}, args...)...)
	cmd.Env = []string{
		"PATH=" + m.bin, "SBIN=" + filepath.Join(m.bin, "sbin"), "CALLS=" + record,
		"XDG_CACHE_HOME=" + m.bin,
	}
	out, err := cmd.CombinedOutput()
	recorded, _ := os.ReadFile(record)
	for line := range strings.Lines(string(recorded)) {
		if line = strings.TrimSpace(line); line != "id -u" {
			calls = append(calls, line)
		}
	}
	return string(out), calls, err
}

const aptUpdate = "apt-get update -qq"

func aptInstall(packages string) string {
	return "apt-get install -y -qq -o DPkg::Lock::Timeout=600 --no-install-recommends " + packages
}

func TestInstall(t *testing.T) {
	const version6, version7 = "echo 6.4.12", "echo 7.2.1"
	for _, test := range []struct {
		name, user string
		there      map[string]string // programs, and what they do
		noApt      bool
		output     string // "" where there is nothing to do
		calls      []string
		fails      bool
	}{
		{
			"all is there", "1000",
			map[string]string{
				"chromium-browser": "", "firefox": "", "jupyter-notebook": version6,
				"jupyter-nbconvert": version7,
			},
			true, "", nil, false,
		},
		{
			"nothing is there", "0", nil, false,
			"installing Chromium and Firefox and Jupyter Notebook 6\n",
			[]string{aptUpdate, aptInstall("chromium fonts-dejavu-core firefox-esr fonts-dejavu-core jupyter-notebook " +
				"jupyter-nbconvert")},
			false,
		},
		{
			"with sudo", "1000",
			map[string]string{"chromium": "", "firefox-esr": "", "sudo": `[ "$1" = -n ] || exit 1; shift; exec "$@"`},
			false,
			"installing Jupyter Notebook 6\n",
			[]string{aptUpdate, aptInstall("jupyter-notebook jupyter-nbconvert")},
			false,
		},
		{
			"a newer page, which the tests do not know", "0",
			map[string]string{"chromium": "", "firefox-esr": "", "jupyter-notebook": version7, "jupyter-nbconvert": version7},
			false,
			"installing Jupyter Notebook 6\n",
			[]string{aptUpdate, aptInstall("jupyter-notebook jupyter-nbconvert")},
			false,
		},
		{
			"a shim that does not run", "0",
			map[string]string{"chromium": "", "firefox-esr": "", "jupyter-notebook": version6, "jupyter-nbconvert": "exit 127"},
			false,
			"installing Jupyter nbconvert\n",
			[]string{aptUpdate, aptInstall("jupyter-nbconvert")},
			false,
		},
		{
			"no right to install", "1000",
			map[string]string{"chromium": "", "firefox-esr": "", "sudo": "exit 1"},
			false,
			"Jupyter Notebook 6 missing (installing takes root, or sudo without a password): install jupyter-notebook " +
				"jupyter-nbconvert\n", nil, true,
		},
		{
			"another system", "0",
			map[string]string{"firefox": "", "jupyter-notebook": version6, "jupyter-nbconvert": version6},
			true,
			"Chromium missing (there is no apt-get here): install chromium fonts-dejavu-core\n", nil, true,
		},
		{
			"no Firefox", "0",
			map[string]string{"chromium": "", "jupyter-notebook": version6, "jupyter-nbconvert": version6},
			false,
			"installing Firefox\n",
			[]string{aptUpdate, aptInstall("firefox-esr fonts-dejavu-core")},
			false,
		},
		{
			"an apt-get that fails", "0",
			map[string]string{"chromium": "", "firefox-esr": "", "apt-get": "echo reading; echo 'E: no such package'; exit 100"},
			true,
			"installing Jupyter Notebook 6\nJupyter Notebook 6 missing (apt-get failed: E: no such package): install " +
				"jupyter-notebook jupyter-nbconvert\n",
			[]string{aptUpdate, aptInstall("jupyter-notebook jupyter-nbconvert")},
			true,
		},
		{
			"no Python", "0",
			map[string]string{
				"chromium": "", "firefox": "", "jupyter-notebook": version6, "jupyter-nbconvert": version6,
				"python3": "exit 127",
			},
			false,
			"installing Python 3\n",
			[]string{aptUpdate, aptInstall("python3")},
			false,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := newMachine(t, test.user)
			if !test.noApt {
				m.addApt()
			}
			m.add("python3", "echo Python 3.11.2")
			for name, script := range test.there {
				m.add(name, script)
			}
			output, calls, err := m.run("install.sh", "chromium", "firefox", "jupyter", "python")
			var kept []string
			for _, call := range calls {
				if strings.HasPrefix(call, "apt-get") {
					kept = append(kept, call)
				}
			}
			if output != test.output || strings.Join(kept, "\n") != strings.Join(test.calls, "\n") ||
				(err != nil) != test.fails {
				t.Errorf("it prints %q, calls %q, error %v", output, kept, err)
			}
		})
	}
}

// TestInstallSlurm: Slurm is installed unless all its programs are there, also in folders on root's PATH only.
func TestInstallSlurm(t *testing.T) {
	all := []string{"slurmctld", "slurmd", "sbatch", "munged"}
	for lacking := range len(all) + 1 {
		m := newMachine(t, "0")
		m.addApt()
		if err := os.Mkdir(filepath.Join(m.bin, "sbin"), 0o755); err != nil {
			t.Fatal(err)
		}
		for i, name := range all {
			if i != lacking {
				m.add(filepath.Join([]string{"sbin", ""}[i/2], name), "")
			}
		}
		var want []string
		if lacking < len(all) {
			want = []string{aptUpdate, aptInstall("slurmctld slurmd slurm-client munge")}
		}
		if output, calls, err := m.run("install.sh", "slurm"); err != nil || !slices.Equal(calls, want) {
			t.Errorf("without %q: it prints %q, calls %q, error %v", append(all, "nothing")[lacking], output, calls, err)
		}
	}
}

// TestInstallWaits: if another apt-get has the lock of the package lists, the update is tried again, because it does
// not wait by itself. After any other failure it is not tried again.
func TestInstallWaits(t *testing.T) {
	for fault, updates := range map[string]int{"E: Could not get lock /var/lib/apt/lists/lock. It is held by process 42 (apt-get)": 3, "E: no network": 1} {
		m := newMachine(t, "0")
		free := filepath.Join(m.bin, "free")
		m.add("sleep", `echo x >>`+free)
		m.add("apt-get", `[ "$1" = install ] || case $(cat `+free+` 2>/dev/null) in x*x) ;; *) echo "`+fault+
			`" >&2; exit 100 ;; esac`)
		_, calls, err := m.run("install.sh", "coq")
		got := 0
		for _, call := range calls {
			if call == aptUpdate {
				got++
			}
		}
		if err != nil || got != updates || calls[len(calls)-1] != aptInstall("coq") {
			t.Errorf("%s: calls %q, error %v", fault, calls, err)
		}
	}
}

// TestInstallNode: the script for packages of npm has node installed like everything else.
func TestInstallNode(t *testing.T) {
	m := newMachine(t, "0")
	m.addApt("node", "npm")
	output, calls, err := m.run("install.sh", "node")
	if want := []string{aptUpdate, aptInstall("nodejs npm")}; err != nil || output != "installing node and npm\n" ||
		!slices.Equal(calls, want) {
		t.Errorf("it prints %q, calls %q, error %v", output, calls, err)
	}
	if output, calls, err = m.run("install.sh", "node"); err != nil || output != "" || calls != nil {
		t.Errorf("where node is there it prints %q, calls %q, error %v", output, calls, err)
	}
}

func TestInstallCoq(t *testing.T) {
	m := newMachine(t, "0")
	m.addApt("coqc")
	output, calls, err := m.run("install.sh", "coq")
	if want := []string{aptUpdate, aptInstall("coq")}; err != nil || output != "installing Coq\n" ||
		strings.Join(calls, "\n") != strings.Join(want, "\n") {
		t.Errorf("it prints %q, calls %q, error %v", output, calls, err)
	}
	if output, calls, err = m.run("install.sh", "coq"); err != nil || output != "" || calls != nil {
		t.Errorf("where Coq is there it prints %q, calls %q, error %v", output, calls, err)
	}
}

func TestJupyter(t *testing.T) {
	const install = "go run ./cmd/genreport kernel install"
	only := func(page string) string { return `[ "$1" = ` + page + ` ] && echo 7.0.0` }
	for _, test := range []struct {
		name, user string
		there      map[string]string
		calls      []string // the last ones
		output     string   // its end
		fails      bool
	}{
		{
			"a Jupyter", "1000",
			map[string]string{"jupyter": "echo 6"},
			[]string{install, "jupyter notebook notebooks"},
			"",
			false,
		},
		{
			"as root", "0",
			map[string]string{"jupyter": "echo 6"},
			[]string{install, "jupyter notebook notebooks --allow-root"},
			"", false,
		},
		{
			"a notebook of one's own", "1000",
			map[string]string{"jupyter": "echo 6"},
			[]string{install, "jupyter notebook my notes/a.ipynb"},
			"", false,
		},
		{
			"a laboratory", "1000",
			map[string]string{"jupyter": only("lab")},
			[]string{install, "jupyter lab notebooks"},
			"",
			false,
		},
		{
			"none", "0", nil,
			[]string{
				aptUpdate, aptInstall("jupyter-notebook"), "jupyter notebook --version", "go env GOPATH", install,
				"jupyter notebook notebooks --allow-root",
			},
			"", false,
		},
		{
			"none, and no right to install", "1000",
			map[string]string{"sudo": "exit 1"},
			nil,
			"Jupyter missing (installing takes root, or sudo without a password): install jupyter-notebook\n", true,
		},
		{
			"one without a page", "1000",
			map[string]string{"jupyter": "exit 1", "jupyter-notebook": "echo 6"},
			nil,
			"look at what 'jupyter notebook --version' says\n", true,
		},
		{
			"a kernel that cannot be installed", "1000",
			map[string]string{"jupyter": "echo 6", "go": "echo no network >&2; exit 1"},
			[]string{install},
			"no network\n",
			true,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := newMachine(t, test.user)
			m.add("go", "")
			m.addApt("jupyter", "jupyter-notebook")
			for name, script := range test.there {
				m.add(name, script)
			}
			target := "notebooks"
			if strings.HasSuffix(test.name, "of one's own") {
				target = "my notes/a.ipynb"
			}
			output, calls, err := m.run("jupyter.sh", target)
			last := strings.Join(calls[max(0, len(calls)-len(test.calls)):], "\n")
			if last != strings.Join(test.calls, "\n") || !strings.HasSuffix(output, test.output) || (err != nil) != test.fails {
				t.Errorf("it prints %q, calls %q, error %v", output, calls, err)
			}
		})
	}
}

// TestJupyterOnPath: the script takes the first Jupyter on PATH that runs.
func TestJupyterOnPath(t *testing.T) {
	m, second := newMachine(t, "1000"), t.TempDir()
	m.add("go", "")
	m.add("jupyter", "exit 127")
	if err := os.WriteFile(filepath.Join(second, "jupyter"), []byte("#!/bin/sh\necho second $*\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	m.add("gopls", "")
	m.bin += ":" + second
	if output, _, err := m.run("jupyter.sh", "notebooks"); err != nil || output != "second notebook notebooks\n" {
		t.Errorf("it prints %q, error %v", output, err)
	}
}

// TestGopls: without gopls, one line says what is missing and how to install it.
func TestGopls(t *testing.T) {
	what, err := os.ReadFile("../jupyter/gopls.txt")
	if err != nil {
		t.Fatal(err)
	}
	hint := "without gopls cells have no completion and no help on names (Tab, Shift+Tab): go install " + string(what)
	for _, test := range []struct {
		name        string
		path, gobin bool
		setup       bool
		want        string
	}{
		{"none", false, false, false, hint},
		{"on PATH", true, false, false, ""},
		{"where go puts it", false, true, false, ""},
		{"where make setup puts it", false, false, true, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			m, gopath := newMachine(t, "1000"), t.TempDir()
			m.add("go", `[ "$1" = env ] && echo `+gopath+`; :`)
			m.add("jupyter", "exit 0")
			if test.path {
				m.add("gopls", "")
			}
			if test.setup {
				_, version, _ := strings.Cut(strings.TrimSpace(string(what)), "@")
				folder := filepath.Join(m.bin, "siegebook", "gopls-"+version)
				if err := os.MkdirAll(folder, 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(folder, "gopls"), []byte("#!/bin/sh\n"), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			if test.gobin {
				if err := os.Mkdir(filepath.Join(gopath, "bin"), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(gopath, "bin", "gopls"), []byte("#!/bin/sh\n"), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			if output, _, err := m.run("jupyter.sh", "notebooks"); err != nil || output != test.want {
				t.Errorf("it prints %q, want %q, error %v", output, test.want, err)
			}
		})
	}
}
