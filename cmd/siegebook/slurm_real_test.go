//go:build linux

package main

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/siegebook/siegebook/internal/faulttest"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/waittest"
)

// cluster is a Slurm installation for a test: a controller, a node and their authentication daemon. All of them are
// processes of the test, with their own ports, folders and keys. The cluster needs no services, control groups or
// special rights, and leaves nothing behind when the test ends or is killed.
type cluster struct {
	dir      string            // has a short name, because sockets are in it
	programs map[string]string // the paths of Slurm's programs, by name
	program  string            // the path of siegebook
	texts    map[string]string // the texts of testdata/slurm.txtar, by name
}

// slurmPrograms finds the necessary programs. Some of them are only on root's PATH. If they are missing, the test is
// skipped, or fails if CI=true.
func slurmPrograms(t *testing.T) map[string]string {
	t.Helper()
	t.Setenv("PATH", os.Getenv("PATH")+":/usr/sbin:/sbin:/usr/local/sbin")
	found := map[string]string{}
	for _, name := range []string{"munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "scancel", "sinfo"} {
		path, err := exec.LookPath(name)
		if err != nil {
			must.SkipMissing(t, "no Slurm (%v): run make setup", err)
		}
		found[name] = path
	}
	return found
}

// newCluster starts Slurm with a node that claims to have six cores.
func newCluster(t *testing.T) cluster {
	t.Helper()
	c := cluster{programs: slurmPrograms(t), program: must.Get(exec.LookPath("siegebook")), texts: map[string]string{}}
	for _, file := range must.Get(txtar.ParseFile("testdata/slurm.txtar")).Files {
		c.texts[file.Name] = string(file.Data)
	}
	c.dir = must.Get(os.MkdirTemp("/tmp", "siegebook-slurm-"))
	c.configure(t)
	ends := exec.Command("sh", "-c", c.texts["keeper"], "keeper", c.path("slurm.conf"))
	ends.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // signals to the test's group do not end this process
	hold := must.Get(ends.StdinPipe())
	must.Do(t, ends.Start())
	t.Cleanup(func() {
		_ = hold.Close()
		waittest.Ends(t, "the end of Slurm's processes", ends.Wait)
		for _, name := range []string{"slurmctld", "slurmd"} {
			if text, _ := os.ReadFile(c.path(name + ".log")); t.Failed() {
				t.Logf("the last lines of %s:\n%s", name, text[max(0, len(text)-2000):])
			}
		}
		must.Do(t, os.RemoveAll(c.dir))
	})
	c.start(t, "munged", "--foreground", "--force", "--num-threads=2", "--key-file="+c.path("key"),
		"--socket="+c.path("munge"), "--pid-file="+c.path("munge.pid"), "--log-file="+c.path("munge.log"),
		"--seed-file="+c.path("munge.seed"))
	waittest.Until(t, "no socket of munged", func() bool { _, err := os.Stat(c.path("munge")); return err == nil })
	c.start(t, "slurmctld", "-D", "-c")
	c.start(t, "slurmd", "-D", "-N", "node")
	waittest.Until(t, "the node is not idle", func() bool {
		out, err := c.command("sinfo", "--noheader", "--format=%T").Output()
		return err == nil && strings.TrimSpace(string(out)) == "idle"
	})
	return c
}

func (c cluster) path(name string) string { return filepath.Join(c.dir, name) }

// configure writes the key and slurm.conf.
func (c cluster) configure(t *testing.T) {
	t.Helper()
	key := make([]byte, 128)
	_, _ = rand.Read(key) // this never fails
	must.Do(t, os.WriteFile(c.path("key"), key, 0o600), os.Mkdir(c.path("state"), 0o755),
		os.Mkdir(c.path("spool"), 0o755))
	var ports [2]int // ports that were free a moment ago
	for i := range ports {
		l := must.Get(net.Listen("tcp", ":0"))
		defer l.Close()
		ports[i] = l.Addr().(*net.TCPAddr).Port
	}
	me := strconv.Itoa(os.Getuid())
	if u, err := user.LookupId(me); err == nil {
		me = u.Username
	}
	must.Write(t, c.path("slurm.conf"), strings.NewReplacer("$DIR", c.dir, "$USER", me, "$CONTROLLER",
		strconv.Itoa(ports[0]), "$NODE", strconv.Itoa(ports[1])).Replace(c.texts["slurm.conf"]))
}

// environment returns the environment of commands that talk to this Slurm.
func (c cluster) environment() []string {
	return append(os.Environ(), "SLURM_CONF="+c.path("slurm.conf"))
}

// command returns a call of a Slurm program, such as scontrol.
func (c cluster) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(c.programs[name], args...)
	cmd.Env = c.environment()
	return cmd
}

// start starts a daemon.
func (c cluster) start(t *testing.T, name string, args ...string) {
	t.Helper()
	log := must.Get(os.OpenFile(c.path(name+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644))
	defer log.Close()
	cmd := c.command(name, args...)
	cmd.Stdout, cmd.Stderr, cmd.SysProcAttr = log, log, &syscall.SysProcAttr{Setsid: true}
	must.Do(t, cmd.Start())
	go func() { _ = cmd.Wait() }()
}

// site is a folder in which a scenario of cases computes something on a cluster.
type site struct {
	cluster
	t      *testing.T
	here   string
	args   []string // the arguments of the program, without shards
	n      string   // the number of shards
	dir    string   // the folder of shards
	merged string   // the file of the merged result
	array  string   // the number of the last array
	said   string   // the output of the last program
	stamps map[string]string
	disk   string
	room   func()
}

func (s *site) path(name string) string { return filepath.Join(s.here, name) }

// run runs a program, which must succeed without output on stderr, and returns its output.
func (s *site) run(name string, args ...string) string {
	s.t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env, cmd.Dir = s.environment(), s.here
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil || stderr.Len() > 0 {
		s.t.Fatalf("%q: %v\n%s%s", cmd.Args, err, out, stderr.Bytes())
	}
	return string(out)
}

// script returns the output of siegebook slurm with the additional flags, which are separated by tabs.
func (s *site) script(flags string) string {
	s.t.Helper()
	args := append([]string{"slurm", "--binary", s.path("gate")}, strings.FieldsFunc(flags, isTab)...)
	return s.run(s.program, slices.Concat(args, []string{"--"}, s.args, []string{"--shards", s.n, "--out", s.dir})...)
}

func isTab(r rune) bool { return r == '\t' }

// wantMerged waits for the merged result, which must equal the result of one machine.
func (s *site) wantMerged() {
	s.t.Helper()
	waittest.Until(s.t, "no merged result", func() bool { _, err := os.Stat(s.merged); return err == nil })
	got := must.Get(os.ReadFile(s.merged))
	if want := onOneMachine(s.t, s.args, s.t.TempDir(), filepath.Base(s.merged)); !bytes.Equal(got, want) {
		s.t.Errorf("the merged result has %d bytes, that of one machine %d, or others", len(got), len(want))
	}
}

// part returns the file of a shard; "" if it is missing.
func (s *site) part(number string) string {
	for _, name := range faulttest.Entries(s.path(s.dir)) {
		if strings.HasPrefix(name, "part-"+number+"-of-") {
			return s.path(filepath.Join(s.dir, name))
		}
	}
	return ""
}

// stamp returns a string that distinguishes the file of a shard from later files with the same name.
func (s *site) stamp(number string) string {
	s.t.Helper()
	info := must.Get(os.Stat(s.part(number)))
	return fmt.Sprint(info.ModTime().UnixNano(), info.Sys().(*syscall.Stat_t).Ino)
}

// calls returns the processes that called the gate for a shard or for the merge, in order.
func (s *site) calls(what string) []int {
	text, _ := os.ReadFile(s.path("calls"))
	var pids []int
	for line := range strings.Lines(string(text)) {
		if name, pid, _ := strings.Cut(strings.TrimSpace(line), " "); name == what {
			pids = append(pids, must.Get(strconv.Atoi(pid)))
		}
	}
	return pids
}

// parentOf returns the process that started the given one.
func parentOf(pid int) int {
	text := must.Get(os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)))
	_, behind, _ := strings.Cut(string(text), ") ")
	return must.Get(strconv.Atoi(strings.Fields(behind)[1]))
}

// queue returns squeue's output about the jobs of this site.
func (s *site) queue() string {
	s.t.Helper()
	var mine []string
	for line := range strings.Lines(s.run("squeue", "--noheader", "--array", "--states=all",
		"--format=%j|%F_%K|%T|%r|%k")) {
		if strings.HasPrefix(line, folderName(s.path(s.dir))) {
			mine = append(mine, line)
		}
	}
	return strings.Join(mine, "")
}

// waitForStatus waits until the status contains text, which must extend to the end of a line if whole is set.
func (s *site) waitForStatus(text string, whole bool) {
	s.t.Helper()
	if whole {
		text += "\n"
	}
	last := ""
	if !waittest.Comes(func() bool {
		last = s.run(s.program, "slurm", "status", s.dir)
		time.Sleep(100 * time.Millisecond)
		return strings.Contains(last, text)
	}) {
		s.t.Fatalf("the status never says %q:\n%s", text, last)
	}
}

// do executes a line of a scenario. The comment of cases describes the lines.
func (s *site) do(line string) {
	t := s.t
	t.Helper()
	verb, rest, _ := strings.Cut(strings.NewReplacer("ARRAY", s.array, "HERE", s.here).Replace(line), " ")
	words := strings.Fields(rest)
	until := func(so func() bool) { t.Helper(); waittest.Until(t, "it does not come to "+line, so) }
	want := func(so bool) {
		t.Helper()
		if !so {
			t.Errorf("%s: not so; said is %q, called %v", line, s.said, s.calls(strings.Fields(line + " x")[1]))
		}
	}
	switch verb {
	case "survey", "sweep":
		ranges, end := "--soldiers 1:6 --castle 1:12 --defenders 1:8", ".json"
		if verb == "sweep" {
			ranges, end = "--soldiers 1:30 --castle 1:50 --defenders 1:20", ".csv"
		}
		s.args = append([]string{verb, "castle"}, strings.Fields(ranges)...)
		// the name of this folder is hard to quote
		s.n, s.here, s.stamps = words[0], filepath.Join(t.TempDir(), `it's $HOME "a b"`), map[string]string{}
		s.dir = strings.TrimPrefix(rest, s.n+" ")
		if s.merged = s.path(s.dir + end); strings.HasSuffix(s.dir, ".parquet") {
			s.merged = s.path(strings.TrimSuffix(s.dir, ".parquet") + "-merged.parquet")
		}
		must.Write(t, s.path("program"), s.program)
		must.Write(t, s.path("gate"), s.texts["gate"])
		must.Do(t, os.Chmod(s.path("gate"), 0o755))
	case "submit":
		s.said = s.script(rest + "\t--submit")
		var merge int
		if _, err := fmt.Sscanf(s.said, "array %s\nmerge %d\n", &s.array, &merge); err != nil {
			t.Fatalf("%v: it prints %q", err, s.said)
		}
	case "script":
		must.Write(t, s.path("job.sh"), s.script(rest))
	case "run":
		s.said = s.run(words[0], words[1:]...)
	case "prints":
		want(strings.Contains(s.said, rest))
	case "merged":
		s.wantMerged()
	case "unmerged":
		_, err := os.Stat(s.merged)
		want(err != nil)
	case "says", "line":
		s.waitForStatus(rest, verb == "line")
	case "called":
		until(func() bool { return len(s.calls(words[0])) >= must.Get(strconv.Atoi(words[1])) })
	case "calls":
		want(fmt.Sprint(len(s.calls(words[0]))) == words[1])
	case "kill":
		must.Do(t, syscall.Kill(s.calls(words[0])[0], syscall.SIGKILL))
	case "killtask":
		program := s.calls(words[0])[0]
		must.Do(t, syscall.Kill(parentOf(program), syscall.SIGKILL), syscall.Kill(program, syscall.SIGKILL))
	case "there":
		until(func() bool { return s.part(rest) != "" })
	case "stamp":
		s.stamps[rest] = s.stamp(rest)
	case "same", "other":
		want((s.stamp(rest) == s.stamps[rest]) == (verb == "same"))
	case "cut":
		must.Do(t, os.Truncate(s.part(rest), must.Get(os.Stat(s.part(rest))).Size()/2))
	case "write":
		must.Write(t, s.path(rest), "")
	case "remove":
		must.Do(t, os.Remove(s.path(rest)))
	case "move":
		must.Do(t, os.Rename(s.path(words[0]), s.path(words[1])))
	case "none":
		_, err := os.Stat(s.path(rest))
		want(err != nil)
	case "lines":
		text := string(must.Get(os.ReadFile(s.path(words[0]))))
		s.said = text
		want(fmt.Sprint(strings.Count(text, "\n")) == words[1])
	case "disk":
		s.disk = faulttest.SmallDisk(t, rest)
		for _, name := range []string{s.dir, logFolder(s.dir)} {
			there := filepath.Join(s.disk, name)
			must.Do(t, os.Mkdir(there, 0o755), os.Symlink(there, s.path(name)))
		}
	case "fill":
		s.room = faulttest.Fill(t, s.disk, 0)
	case "room":
		s.room()
	case "entries":
		want(fmt.Sprint(len(faulttest.Entries(s.path(s.dir)))) == rest)
	case "queue":
		number, text, _ := strings.Cut(rest, " ")
		until(func() bool { return fmt.Sprint(strings.Count(s.queue(), text)) == number })
	default:
		t.Fatalf("%s: there is no such line", line)
	}
}

// TestSlurm checks that the merged result of an array equals the result of one machine, whatever happens in the
// meantime, and that no complete shard is recomputed.
func TestSlurm(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a Slurm")
	}
	c := newCluster(t)
	// The scenarios mostly wait for Slurm, so they run at the same time, even on few cores.
	var all sync.WaitGroup
	for _, scenario := range must.Get(txtar.ParseFile(cases)).Files {
		all.Go(func() {
			t.Run(scenario.Name, func(t *testing.T) {
				s := site{cluster: c, t: t}
				for line := range strings.SplitSeq(strings.TrimSpace(string(scenario.Data)), "\n") {
					if line != "" && line[0] != '#' {
						s.do(line)
					}
				}
			})
		})
	}
	all.Wait()
}
