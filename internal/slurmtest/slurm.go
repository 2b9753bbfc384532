//go:build linux

// Package slurmtest starts a Slurm for a test: a controller, a node and their authentication daemon, all of them
// processes of the test, with their own ports, folders and keys. It needs no services, control groups or special
// rights, and leaves nothing when the test ends or is killed.
package slurmtest

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/waittest"
)

// Slurm is a running controller with a node.
type Slurm struct {
	dir      string // with a short name: there are sockets in it
	config   Config
	programs map[string]string
	daemons  []*daemon // all that were started
	keeper   *exec.Cmd
	hold     io.Closer // the keeper's standard input
}

// daemon is a running program.
type daemon struct {
	name  string
	ended chan struct{} // closed when it has ended
}

// keeper is a script that waits until its standard input is closed, also by the death of the test. Then it ends all
// processes of a Slurm: the daemons, and the tasks, which outlive these. They have the configuration file in their
// environment.
const keeper = `cat >/dev/null
while found=$(grep -slzxF "SLURM_CONF=$1" /proc/[0-9]*/environ); [ -n "$found" ]; do
	for file in $found; do
		pid=${file#/proc/}
		kill -9 "${pid%/environ}"
	done 2>/dev/null
	sleep 0.02
done`

// Config has the settings that tests may change.
type Config struct {
	CPUs int // of the node; it need not have them
}

// sbin is the folder of daemons that only root has on PATH.
const sbin = "/usr/sbin:/sbin:/usr/local/sbin"

// programs finds the programs that are needed.
func programs() (map[string]string, error) {
	found := map[string]string{}
	for _, name := range []string{
		"munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "scancel", "sinfo", "bash",
	} {
		for _, dir := range filepath.SplitList(os.Getenv("PATH") + string(filepath.ListSeparator) + sbin) {
			path := filepath.Join(dir, name)
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 &&
				filepath.IsAbs(path) {
				found[name] = path
				break
			}
		}
		if found[name] == "" {
			return nil, fmt.Errorf("there is no %s", name)
		}
	}
	return found, nil
}

// Start starts a Slurm, which ends with the test. If Slurm is not installed, the test is skipped, or fails if CI=true.
func Start(t testing.TB, config Config) *Slurm {
	t.Helper()
	found, err := programs()
	if err != nil {
		must.Need(t, "no Slurm (%v): run make setup", err)
	}
	// Another process may take a port between its choice and its use.
	for range 5 {
		s, err := start(t, config, found)
		if err == nil {
			return s
		}
		t.Logf("once more: %v", err)
	}
	t.Fatal("Slurm does not start")
	return nil
}

// errTaken means that a daemon has ended before it was ready.
var errTaken = errors.New("has ended")

// start starts a Slurm. The error is errTaken if one of its daemons ended before it was ready.
func start(t testing.TB, config Config, found map[string]string) (*Slurm, error) {
	t.Helper()
	dir := must.Get(os.MkdirTemp("/tmp", "siegebook-slurm-"))
	s := &Slurm{dir: dir, config: config, programs: found}
	t.Cleanup(func() {
		s.stop(t)
		if t.Failed() {
			t.Logf("the last lines of the controller:\n%s\nof the node:\n%s", s.lastLines("slurmctld"),
				s.lastLines("slurmd"))
		}
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	must.Do(t, s.configure())
	s.keeper = exec.Command("sh", "-c", keeper, "keeper", s.path("slurm.conf"))
	s.keeper.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // no signal to the group of the test ends it
	s.hold = must.Get(s.keeper.StdinPipe())
	must.Do(t, s.keeper.Start())
	munge := s.start(t, "munged", "--foreground", "--force", "--num-threads=2", "--key-file="+s.path("key"),
		"--socket="+s.path("munge"),
		"--pid-file="+s.path("munge.pid"), "--log-file="+s.path("munge.log"), "--seed-file="+s.path("munge.seed"))
	waittest.Until(t, "no socket of munged", func() bool {
		_, err := os.Stat(s.path("munge"))
		return err == nil || munge.hasEnded()
	})
	s.start(t, "slurmctld", "-D", "-c")
	s.start(t, "slurmd", "-D", "-N", "node")
	idle := func() bool {
		out, err := s.Command("sinfo", "--noheader", "--format=%T").Output()
		return err == nil && strings.TrimSpace(string(out)) == "idle"
	}
	waittest.Until(t, "the node is not idle", func() bool { return s.ended() != "" || idle() })
	if name := s.ended(); name != "" {
		s.stop(t)
		return nil, fmt.Errorf("%s: %w: %s", name, errTaken, s.lastLines(filepath.Base(name)))
	}
	return s, nil
}

// ended names a daemon that has ended, "" if all are running.
func (s *Slurm) ended() string {
	for _, d := range s.daemons {
		if d.hasEnded() {
			return d.name
		}
	}
	return ""
}

// hasEnded reports whether the daemon has ended by itself, or been killed.
func (d *daemon) hasEnded() bool {
	select {
	case <-d.ended:
		return true
	default:
		return false
	}
}

// stop ends all processes. It may be called again.
func (s *Slurm) stop(t testing.TB) {
	t.Helper()
	if s.keeper == nil {
		return
	}
	_ = s.hold.Close()
	waittest.Ends(t, "the end of Slurm's processes", s.keeper.Wait)
	s.keeper = nil
}

func (s *Slurm) path(name string) string { return filepath.Join(s.dir, name) }

// lastLines returns the last lines that a daemon has written.
func (s *Slurm) lastLines(name string) string {
	text, err := os.ReadFile(s.path(name + ".log"))
	if err != nil {
		return err.Error()
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return strings.Join(lines[max(0, len(lines)-12):], "\n")
}

// freePorts returns ports that were free a moment ago.
func freePorts(n int) ([]int, error) {
	ports := make([]int, n)
	for i := range ports {
		l, err := net.Listen("tcp", ":0")
		if err != nil {
			return nil, err
		}
		defer l.Close()
		ports[i] = l.Addr().(*net.TCPAddr).Port
	}
	return ports, nil
}

// configure writes the key and slurm.conf.
func (s *Slurm) configure() error {
	key := make([]byte, 128)
	_, _ = rand.Read(key) // it never fails
	if err := os.WriteFile(s.path("key"), key, 0o600); err != nil {
		return err
	}
	for _, name := range []string{"state", "spool"} {
		if err := os.Mkdir(s.path(name), 0o755); err != nil {
			return err
		}
	}
	ports, err := freePorts(2)
	if err != nil {
		return err
	}
	me := strconv.Itoa(os.Getuid())
	if u, err := user.LookupId(me); err == nil {
		me = u.Username
	}
	lines := []string{
		"ClusterName=siegebook", "SlurmctldHost=localhost", "SlurmctldAddr=127.0.0.1", "SlurmUser=" + me,
		"SlurmdUser=" + me,
		// A task that is requeued waits until the credentials of its last run have expired.
		"AuthType=auth/munge", "AuthInfo=socket=" + s.path("munge") + ",cred_expire=5",
		fmt.Sprintf("SlurmctldPort=%d", ports[0]), fmt.Sprintf("SlurmdPort=%d", ports[1]),
		"StateSaveLocation=" + s.path("state"), "SlurmdSpoolDir=" + s.path("spool"),
		"SlurmctldPidFile=" + s.path("slurmctld.pid"), "SlurmdPidFile=" + s.path("slurmd.pid"),
		"ProctrackType=proctrack/linuxproc", "TaskPlugin=task/none", "JobAcctGatherType=jobacct_gather/none",
		"AccountingStorageType=accounting_storage/none", "SwitchType=switch/none", "MpiDefault=none",
		"SelectType=select/cons_tres", "SelectTypeParameters=CR_Core",
		"ReturnToService=2", "SlurmdParameters=config_overrides", "KillWait=1", "SlurmdTimeout=20",
		"SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0,sched_min_interval=0",
		fmt.Sprintf("NodeName=node NodeHostname=localhost NodeAddr=127.0.0.1 CPUs=%d RealMemory=1000000 State=UNKNOWN",
			s.config.CPUs),
		"PartitionName=all Nodes=node Default=YES MaxTime=INFINITE State=UP",
	}
	return os.WriteFile(s.path("slurm.conf"), []byte(strings.Join(lines, "\n")+"\n"), 0o644)
}

// Environment is the environment of commands that talk to this Slurm.
func (s *Slurm) Environment() []string {
	return append(os.Environ(), "SLURM_CONF="+s.path("slurm.conf"),
		"PATH="+filepath.Dir(s.programs["sbatch"])+string(filepath.ListSeparator)+os.Getenv("PATH"))
}

// Command is a program of Slurm, such as scontrol.
func (s *Slurm) Command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(s.programs[name], args...)
	cmd.Env = s.Environment()
	return cmd
}

// start starts a daemon.
func (s *Slurm) start(t testing.TB, name string, args ...string) *daemon {
	t.Helper()
	log := must.Get(os.OpenFile(s.path(name+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644))
	defer log.Close()
	cmd := s.Command(name, args...)
	cmd.Stdout, cmd.Stderr, cmd.SysProcAttr = log, log, &syscall.SysProcAttr{Setsid: true}
	must.Do(t, cmd.Start())
	d := &daemon{cmd.Path, make(chan struct{})}
	s.daemons = append(s.daemons, d)
	go func() {
		_ = cmd.Wait()
		close(d.ended)
	}()
	return d
}

// Run runs a program of Slurm, which must succeed, and returns what it prints.
func (s *Slurm) Run(t testing.TB, name string, args ...string) string {
	t.Helper()
	cmd := s.Command(name, args...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
	return strings.TrimSpace(string(out))
}
