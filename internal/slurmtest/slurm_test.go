//go:build linux

package slurmtest

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/siegebook/siegebook/internal/waittest"
)

// sleeper is a job that prints its process number and never ends by itself.
const sleeper = "#!/bin/sh\n#SBATCH --output=/dev/null --requeue\n" +
	`trap "" TERM; echo $$ >"$1.new" && mv "$1.new" "$1"; while :; do sleep 1; done` + "\n"

// submitSleeper runs a sleeper and returns its number, when it runs, and the file that it has written it into.
func submitSleeper(t *testing.T, s *Slurm) (pid int, file string) {
	t.Helper()
	dir := t.TempDir()
	script := filepath.Join(dir, "job.sh")
	file = filepath.Join(dir, "pid")
	if err := os.WriteFile(script, []byte(sleeper), 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := s.Command("sbatch", script, file)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return written(t, file), file
}

// written waits for a file with a number.
func written(t *testing.T, file string) int {
	t.Helper()
	waittest.Until(t, "the job does not run", func() bool { _, err := os.Stat(file); return err == nil })
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	return pid
}

func runs(pid int) bool { return syscall.Kill(pid, 0) == nil }

// TestNode: a job outlives the daemon of its node, and a new daemon finds it again. It does not outlive the node, and
// runs once more when the node is back.
func TestNode(t *testing.T) {
	s := Start(t, Config{CPUs: 2})
	pid, file := submitSleeper(t, s)
	s.KillNode()
	if !runs(pid) {
		t.Error("with the daemon its job has ended")
	}
	s.StartNode(t)
	s.CrashNode(t)
	if runs(pid) {
		t.Error("the job outlives its node")
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	s.RepairNode(t)
	if again := written(t, file); again == pid {
		t.Errorf("process %d again", pid)
	}
}

// TestNothingIsLeft: when a test is killed, Slurm and its jobs end.
func TestNothingIsLeft(t *testing.T) {
	if file := os.Getenv("SIEGEBOOK_SLURMTEST_VICTIM"); file != "" {
		s := Start(t, Config{CPUs: 1})
		pid, _ := submitSleeper(t, s)
		pids := []string{strconv.Itoa(pid)}
		for _, d := range s.daemons {
			pids = append(pids, strconv.Itoa(d.pid), strconv.Itoa(d.keeper.Process.Pid))
		}
		os.Stdout.WriteString("\nvictims " + s.dir + " " + strings.Join(pids, " ") + "\n")
		select {}
	}
	if _, err := programs(); err != nil {
		Start(t, Config{}) // to skip
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "-test.run=^TestNothingIsLeft$", "-test.v")
	cmd.Env = append(os.Environ(), "SIEGEBOOK_SLURMTEST_VICTIM=1")
	cmd.Stderr = os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var victims []string
	for lines := bufio.NewScanner(out); victims == nil && lines.Scan(); {
		if text, ok := strings.CutPrefix(lines.Text(), "victims "); ok {
			victims = strings.Fields(text)
		}
	}
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	_ = cmd.Wait()
	if len(victims) != 8 {
		t.Fatalf("it says %q", victims)
	}
	t.Cleanup(func() { _ = os.RemoveAll(victims[0]) })
	for _, text := range victims[1:] {
		pid, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		waittest.Until(t, "process "+text+" goes on", func() bool { return !runs(pid) })
	}
}
