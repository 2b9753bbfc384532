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

	"github.com/siegebook/siegebook/internal/faulttest"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/waittest"
)

// gate stands for the program in tasks, which it becomes when no file hold or hold-SHARD is beside it. It notes who
// calls. While there is a file full, nothing of more than 512 bytes can be written, as on a full disk.
const gate = `#!/bin/sh
here=$(dirname "$0")
shard=$(echo "$*" | sed -n 's/.*--shard \([0-9]*\)\/.*/\1/p')
echo "${shard:-merge} $$" >>"$here/calls"
while [ -e "$here/hold" ] || [ -e "$here/hold-$shard" ]; do sleep 0.05; done
[ ! -e "$here/full" ] || ulimit -f 1
exec "$(cat "$here/program")" "$@"
`

// cluster is a Slurm for a test: a controller, a node and their authentication daemon, all of them processes of the
// test, with their own ports, folders and keys. It needs no services, control groups or special rights, and leaves
// nothing when the test ends or is killed.
type cluster struct {
	dir      string            // with a short name: there are sockets in it
	programs map[string]string // of Slurm, by their names
	program  string            // siegebook
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

// slurmPrograms finds the programs that are needed, some of which only root has on PATH. Without them the test is
// skipped, or fails if CI=true.
func slurmPrograms(t *testing.T) map[string]string {
	t.Helper()
	t.Setenv("PATH", os.Getenv("PATH")+":/usr/sbin:/sbin:/usr/local/sbin")
	found := map[string]string{}
	for _, name := range []string{"munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "scancel", "sinfo"} {
		path, err := exec.LookPath(name)
		if err != nil {
			must.Need(t, "no Slurm (%v): run make setup", err)
		}
		found[name] = path
	}
	return found
}

// newCluster starts a Slurm with a node of six cores, which it need not have.
func newCluster(t *testing.T) cluster {
	t.Helper()
	c := cluster{programs: slurmPrograms(t), program: must.Get(exec.LookPath("siegebook"))}
	c.dir = must.Get(os.MkdirTemp("/tmp", "siegebook-slurm-"))
	c.configure(t)
	ends := exec.Command("sh", "-c", keeper, "keeper", c.path("slurm.conf"))
	ends.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // no signal to the group of the test ends it
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
	_, _ = rand.Read(key) // it never fails
	must.Do(t, os.WriteFile(c.path("key"), key, 0o600), os.Mkdir(c.path("state"), 0o755),
		os.Mkdir(c.path("spool"), 0o755))
	var ports [2]int // that were free a moment ago
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
		strconv.Itoa(ports[0]), "$NODE", strconv.Itoa(ports[1])).Replace(slurmConf))
}

// slurmConf is the configuration. A task that is requeued waits until the credentials of its last run have expired.
const slurmConf = `ClusterName=siegebook
SlurmctldHost=localhost
SlurmctldAddr=127.0.0.1
SlurmUser=$USER
SlurmdUser=$USER
AuthType=auth/munge
AuthInfo=socket=$DIR/munge,cred_expire=5
SlurmctldPort=$CONTROLLER
SlurmdPort=$NODE
StateSaveLocation=$DIR/state
SlurmdSpoolDir=$DIR/spool
SlurmctldPidFile=$DIR/slurmctld.pid
SlurmdPidFile=$DIR/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
SlurmdParameters=config_overrides
KillWait=1
SlurmdTimeout=20
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0,sched_min_interval=0
NodeName=node NodeHostname=localhost NodeAddr=127.0.0.1 CPUs=6 RealMemory=1000000 State=UNKNOWN
PartitionName=all Nodes=node Default=YES MaxTime=INFINITE State=UP
`

// environment is that of commands that talk to this Slurm.
func (c cluster) environment() []string {
	return append(os.Environ(), "SLURM_CONF="+c.path("slurm.conf"))
}

// command is a program of Slurm, such as scontrol.
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

// run runs a program of Slurm, which must succeed, and returns what it prints.
func (c cluster) run(t *testing.T, name string, args ...string) string {
	t.Helper()
	return strings.TrimSpace(faulttest.Run(t, c.command(name, args...), exitDone))
}

// site is a folder in which a computation is done on a cluster.
type site struct {
	cluster
	t    *testing.T
	here string
	args []string // of the program, without shards
	n    int      // of shards
	dir  string   // of shards
	end  string   // of the merged file's name
}

// newSite returns a site in a folder whose name is hard to quote.
func (c cluster) newSite(t *testing.T, n int, dir string, args ...string) site {
	t.Helper()
	s := site{c, t, filepath.Join(t.TempDir(), `it's $HOME "a b"`), args, n, dir, ".json"}
	if args[0] == "sweep" {
		s.end = ".csv"
	}
	must.Do(t, os.Mkdir(s.here, 0o755))
	s.write("program", c.program)
	s.write("gate", gate)
	return s
}

func (s site) path(name string) string { return filepath.Join(s.here, name) }

func (s site) write(name, text string) {
	s.t.Helper()
	must.Do(s.t, os.WriteFile(s.path(name), []byte(text), 0o755))
}

func (s site) remove(name string) {
	s.t.Helper()
	must.Do(s.t, os.Remove(s.path(name)))
}

// do runs a command, which must succeed, and returns what it prints.
func (s site) do(name string, args ...string) string {
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

// script returns the arguments of siegebook slurm, with further flags.
func (s site) script(flags ...string) []string {
	return slices.Concat([]string{"slurm", "--binary", s.path("gate")}, flags, []string{"--"}, s.args,
		[]string{"--shards", strconv.Itoa(s.n), "--out", s.dir})
}

// submit submits the script and returns the number of the array.
func (s site) submit(flags ...string) string {
	s.t.Helper()
	said := s.do(s.program, s.script(append(flags, "--submit")...)...)
	var array, merge int
	if _, err := fmt.Sscanf(said, "array %d\nmerge %d\n", &array, &merge); err != nil {
		s.t.Fatalf("%v: it prints %q", err, said)
	}
	return strconv.Itoa(array)
}

func (s site) status() string { return s.do(s.program, "slurm", "status", s.dir) }

// merged is where the merged result is.
func (s site) merged() string {
	if name, cut := strings.CutSuffix(s.dir, ".parquet"); cut {
		return s.path(name + "-merged.parquet")
	}
	return s.path(s.dir + s.end)
}

// wantMerged waits for the merged result, which must be that of one machine.
func (s site) wantMerged() {
	s.t.Helper()
	waittest.Until(s.t, "no merged result", func() bool { _, err := os.Stat(s.merged()); return err == nil })
	got := must.Get(os.ReadFile(s.merged()))
	var want []byte
	if s.args[0] == "sweep" {
		whole := s.path("whole" + filepath.Ext(s.merged()))
		s.do(s.program, append(slices.Clone(s.args), "--out", whole)...)
		want = must.Get(os.ReadFile(whole))
	} else {
		want = []byte(s.do(s.program, append(slices.Clone(s.args), "--json")...))
	}
	if !bytes.Equal(got, want) {
		s.t.Errorf("the merged result has %d bytes, that of one machine %d, or others", len(got), len(want))
	}
}

// part is the file of a shard.
func (s site) part(i int) string {
	found, err := filepath.Glob(filepath.Join(strings.NewReplacer(`"`, `?`, `'`, `?`).Replace(s.here), s.dir,
		fmt.Sprintf("part-%d-of-*", i)))
	if err != nil || len(found) != 1 {
		return ""
	}
	return found[0]
}

// stamp tells a file from any other that has its name later.
func (s site) stamp(i int) string {
	s.t.Helper()
	info := must.Get(os.Stat(s.part(i)))
	return fmt.Sprint(info.ModTime().UnixNano(), info.Sys().(*syscall.Stat_t).Ino)
}

// calls returns the processes in which the gate was called for a shard, or merge, one after the other.
func (s site) calls(what string) []int {
	text, _ := os.ReadFile(s.path("calls"))
	var pids []int
	for line := range strings.Lines(string(text)) {
		if name, pid, _ := strings.Cut(strings.TrimSpace(line), " "); name == what {
			n := must.Get(strconv.Atoi(pid))
			pids = append(pids, n)
		}
	}
	return pids
}

// called waits until the gate was called so often for a shard, and returns the last process.
func (s site) called(what string, times int) int {
	s.t.Helper()
	waittest.Until(s.t, fmt.Sprintf("%s is not called %d times", what, times),
		func() bool { return len(s.calls(what)) >= times })
	return s.calls(what)[times-1]
}

func (s site) kill(pid int) {
	s.t.Helper()
	must.Do(s.t, syscall.Kill(pid, syscall.SIGKILL))
}

// says waits until the status says something.
func (s site) says(text string) {
	s.t.Helper()
	last := ""
	if !waittest.Comes(func() bool {
		last = s.status()
		time.Sleep(100 * time.Millisecond)
		return strings.Contains(last, text)
	}) {
		s.t.Fatalf("the status never says %q:\n%s", text, last)
	}
}

var (
	smallSurvey = []string{"survey", "castle", "--soldiers", "1:6", "--castle", "1:12", "--defenders", "1:8"}
	smallSweep  = []string{"sweep", "castle", "--soldiers", "1:30", "--castle", "1:50", "--defenders", "1:20"}
)

// TestSlurm: what an array gives when merged is what one machine gives, whatever happens meanwhile, and no shard that
// is whole is computed again.
func TestSlurm(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a Slurm")
	}
	c := newCluster(t)
	// They wait for Slurm most of the time, and so together, whatever the number of cores.
	var all sync.WaitGroup
	for name, test := range map[string]func(*testing.T, cluster){
		"damaged":    damagedShard,
		"submitted":  submittedHere,
		"by sbatch":  submittedBySbatch,
		"by bash":    submittedByBash,
		"twice":      submittedTwice,
		"killed":     killedTasks,
		"full disk":  fullDisk,
		"hopeless":   hopelessTasks,
		"cancelled":  cancelledTask,
		"not shared": notShared,
	} {
		all.Go(func() { t.Run(name, func(t *testing.T) { test(t, c) }) })
	}
	all.Wait()
}

// damagedShard: a shard that is cut in half is computed once more, and no other.
func damagedShard(t *testing.T, c cluster) {
	s := c.newSite(t, 4, "shards", smallSurvey...)
	s.submit()
	s.wantMerged()
	stamps := map[int]string{}
	for i := range s.n {
		stamps[i+1] = s.stamp(i + 1)
	}
	info := must.Get(os.Stat(s.part(3)))
	must.Do(t, os.Truncate(s.part(3), info.Size()/2))
	s.says("lost            1   shards 3: no task is to compute them, run the script again\n")
	s.remove("shards.json")
	s.submit()
	s.wantMerged()
	for i, stamp := range stamps {
		if again := s.stamp(i) != stamp; again != (i == 3) {
			t.Errorf("shard %d computed again: %v", i, again)
		}
	}
}

func submittedHere(t *testing.T, c cluster) {
	s := c.newSite(t, 3, "of one's own", smallSweep...)
	array := s.submit("--partition", "all", "--sbatch=--mail-type=FAIL", `--sbatch=--mail-user=a "b" 'c' \$d # e`,
		"--at-once", "1")
	if said := c.run(t, "scontrol", "show", "job", array); !strings.Contains(said,
		`MailUser=a "b" 'c' \$d # e MailType=`) {
		t.Errorf("sbatch has understood an option as\n%s", said)
	}
	s.wantMerged()
	s.says("there           3\n")
	s.says("merge     done: ")
}

// submittedBySbatch: the first task submits the merge. Of seven shards a task computes two, the last one.
func submittedBySbatch(t *testing.T, c cluster) {
	s := c.newSite(t, 7, "shards", smallSweep...)
	s.write("job.sh", s.do(s.program, s.script("--tasks", "4", "--at-once", "3", "--cpus", "2")...))
	s.do("sbatch", "--parsable", "job.sh")
	s.wantMerged()
	for i := range s.n {
		if n := len(s.calls(strconv.Itoa(i + 1))); n != 1 {
			t.Errorf("shard %d was computed %d times", i+1, n)
		}
	}
}

func submittedByBash(t *testing.T, c cluster) {
	s := c.newSite(t, 3, "shards.parquet", smallSweep...)
	s.write("job.sh", s.do(s.program, s.script()...))
	if said := s.do("bash", "job.sh"); !strings.HasPrefix(said, "array ") || !strings.Contains(said, "\nmerge ") {
		t.Errorf("it prints %q", said)
	}
	s.wantMerged()
}

// submittedTwice: two arrays at a time do the same, and do no harm.
func submittedTwice(t *testing.T, c cluster) {
	s := c.newSite(t, 4, "shards", smallSurvey...)
	s.write("hold", "")
	s.submit()
	s.submit()
	s.called("1", 2)
	s.remove("hold")
	s.wantMerged()
	s.called("merge", 2)
	s.says("merge     done: ")
	s.wantMerged()
}

// killedTasks: the program in a task is killed, another task is requeued, of a third the script is killed too.
func killedTasks(t *testing.T, c cluster) {
	s := c.newSite(t, 4, "shards", smallSurvey...)
	s.write("hold-1", "")
	s.write("hold-2", "")
	s.write("hold-3", "")
	array := s.submit()
	s.kill(s.called("1", 1))
	s.called("2", 1)
	c.run(t, "scontrol", "requeue", array+"_2")
	program := s.called("3", 1)
	shell := parentOf(t, program)
	s.kill(shell)
	s.kill(program)
	s.says("failed          1   shards 3\n")
	s.called("1", 2)
	s.called("2", 2)
	waittest.Until(t, "shard 4 does not come", func() bool { return s.part(4) != "" })
	whole := s.stamp(4)
	for _, name := range []string{"hold-1", "hold-2", "hold-3"} {
		s.remove(name)
	}
	waittest.Until(t, "shards 1 and 2 do not come", func() bool { return s.part(1) != "" && s.part(2) != "" })
	if _, err := os.Stat(s.merged()); err == nil {
		t.Error("it is merged without shard 3")
	}
	s.submit()
	s.wantMerged()
	if s.stamp(4) != whole {
		t.Error("shard 4 was computed again")
	}
}

// parentOf returns the process that has started another one.
func parentOf(t *testing.T, pid int) int {
	t.Helper()
	text := must.Get(os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)))
	_, behind, _ := strings.Cut(string(text), ") ")
	parent := must.Get(strconv.Atoi(strings.Fields(behind)[1]))
	return parent
}

// fullDisk: on a disk that is really full, where logs cannot be written either, tasks are run again too.
func fullDisk(t *testing.T, c cluster) {
	disk := faulttest.SmallDisk(t, "1m")
	s := c.newSite(t, 2, "shards", smallSurvey...)
	must.Do(t, os.Mkdir(filepath.Join(disk, "shards"), 0o755))
	must.Do(t, os.Symlink(filepath.Join(disk, "shards"), s.path("shards")))
	s.write("hold", "")
	s.submit()
	s.called("1", 1)
	s.called("2", 1)
	room := faulttest.Fill(t, disk, 0)
	s.remove("hold")
	s.called("1", 2)
	s.called("2", 2)
	if left := faulttest.Entries(s.path("shards")); len(left) != 2 {
		t.Errorf("left: %q", left)
	}
	room()
	s.wantMerged()
	s.says("merge     done: ")
}

// hopelessTasks: a task that fails again and again is given up, and the merge with it; one whose arguments are wrong is
// at once.
func hopelessTasks(t *testing.T, c cluster) {
	s := c.newSite(t, 2, "shards", smallSurvey...)
	s.write("full", "")
	s.submit("--retries", "1")
	s.says("failed          2   shards 1-2\n")
	s.says("file too large")
	s.says("merge     failed (CANCELLED): ")
	for _, shard := range []string{"1", "2"} {
		if n := len(s.calls(shard)); n != 2 {
			t.Errorf("shard %s was tried %d times", shard, n)
		}
	}
	s.remove("full")
	s.submit()
	s.wantMerged()

	w := c.newSite(t, 1, "shards", smallSurvey...)
	w.write("hold", "")
	w.submit()
	w.called("1", 1)
	w.write("shards/notes.txt", "mine")
	w.remove("hold")
	waittest.Until(t, "the task does not end", func() bool {
		return !strings.Contains(w.queue(), "RUNNING") && !strings.Contains(w.queue(), "COMPLETING")
	})
	w.remove("shards/notes.txt")
	w.says("it holds notes.txt, which is no shard")
	if n := len(w.calls("1")); n != 1 {
		t.Errorf("with wrong arguments it was tried %d times", n)
	}
}

// queue is what squeue says of the jobs of this site.
func (s site) queue() string {
	s.t.Helper()
	dir := must.Get(filepath.Abs(s.path(s.dir)))
	var mine []string
	for line := range strings.Lines(s.do("squeue", "--noheader", "--array", "--states=all",
		"--format=%j|%F_%K|%T|%r|%k")) {
		if strings.HasPrefix(line, folderName(dir)) {
			mine = append(mine, line)
		}
	}
	return strings.Join(mine, "")
}

// cancelledTask: what the user cancels stays so.
func cancelledTask(t *testing.T, c cluster) {
	s := c.newSite(t, 2, "shards", smallSurvey...)
	s.write("hold-2", "")
	array := s.submit()
	s.called("2", 1)
	c.run(t, "scancel", array+"_2")
	s.says("failed          1   shards 2\n")
	s.says("shard 2, failed: CANCELLED")
	if n := len(s.calls("2")); n != 1 {
		t.Errorf("it was tried %d times", n)
	}
}

// notShared: where a node does not see the folder, the task says so, and where somebody will look.
func notShared(t *testing.T, c cluster) {
	s := c.newSite(t, 2, "shards", smallSurvey...)
	array := s.submit("--sbatch=--hold")
	s.says("waiting         2   shards 1-2\n")
	s.says("JobHeldUser")
	must.Do(t, os.Rename(s.path("shards"), s.path("elsewhere")))
	c.run(t, "scontrol", "release", array)
	waittest.Until(t, "no tasks fail", func() bool { return strings.Count(s.queue(), "|FAILED|") == 2 })
	log, err := os.ReadFile(s.path("siegebook-" + array + ".log"))
	if err != nil || strings.Count(string(log), "\n") != 2 ||
		!strings.Contains(string(log), s.path("shards")+" is not shared with this node") {
		t.Errorf("the log says %q, %v", log, err)
	}
	if _, err := os.Stat(s.path("shards")); err == nil {
		t.Error("a task has made a folder of its own")
	}
	must.Do(t, os.Rename(s.path("elsewhere"), s.path("shards")))
	s.says("shard 1, failed: FAILED: node: " + s.path("shards") + " is not shared with this node")
}
