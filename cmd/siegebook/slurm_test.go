package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// hardTexts are texts without control characters, many of them with what means something to a shell.
func hardTexts() *rapid.Generator[string] {
	return rapid.StringOfN(rapid.OneOf(rapid.RuneFrom([]rune("ab \"'`$\\!*?~#&;|<>(){}[]%^=-,")), rapid.RuneFrom([]rune("éß火😀"))), 1, 20, 200)
}

// TestSlurmWords: whatever stands in the names of folders and files, and in arguments, a task of the script gives it to
// the program as it is.
func TestSlurmWords(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip(err)
	}
	rapid.Check(t, func(rt *rapid.T) {
		here, err := os.MkdirTemp("", "words")
		if err != nil {
			rt.Fatal(err)
		}
		defer os.RemoveAll(here)
		s := slurmScript{
			Command: "siegebook sweep castle", Dir: filepath.Join(here, "dir"+hardTexts().Draw(rt, "dir")), Shards: 3, Each: 1, CPUs: 1,
			Args: rapid.SliceOfN(hardTexts(), 0, 3).Draw(rt, "args"), Binary: filepath.Join(here, "bin"+hardTexts().Draw(rt, "binary")),
		}
		if err := os.MkdirAll(filepath.Join(s.Dir, "logs"), 0o777); err != nil {
			rt.Fatal(err)
		}
		for name, text := range map[string]string{
			filepath.Join(s.Dir, markFile): s.Mark() + "\n",
			s.Binary:                       "#!/bin/sh\nfor word; do printf '%s\\n' \"$word\"; done\n",
		} {
			if err := os.WriteFile(name, []byte(text), 0o777); err != nil {
				rt.Fatal(err)
			}
		}
		var script strings.Builder
		if err := s.write(&script); err != nil {
			rt.Fatal(err)
		}
		cmd := exec.Command(bash, "-s", "alone")
		cmd.Stdin, cmd.Dir = strings.NewReader(script.String()), here
		cmd.Env = append(os.Environ(), "SLURM_ARRAY_JOB_ID=7", "SLURM_ARRAY_TASK_ID=2", "SLURM_ARRAY_TASK_MIN=1", "SLURM_JOB_ID=9")
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			rt.Fatalf("%v: %s", err, out)
		}
		log, err := os.ReadFile(filepath.Join(s.Dir, "logs", "7_2.log"))
		if err != nil {
			rt.Fatal(err)
		}
		want := append(slices.Clone(s.Args), "--shard", "2/3", "--out", s.Dir, "shard 2/3: exit code 0, after 0 s", "")
		if got := strings.Split(string(log), "\n"); !slices.Equal(got[:len(got)-2], want[:len(want)-2]) {
			rt.Fatalf("the program gets %q, want %q", got, want)
		}
	})
}

// TestSlurmTasks: each shard belongs to one task, whatever the bound of tasks, which is kept.
func TestSlurmTasks(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		shards, most := rapid.Int64Range(1, 100_000).Draw(rt, "shards"), rapid.Int64Range(1, 2000).Draw(rt, "tasks")
		s := slurmScript{Shards: shards, Each: each(shards, most)}
		if n := s.Tasks(); n > most || n*s.Each < shards || (n-1)*s.Each >= shards {
			rt.Fatalf("%d shards, at most %d tasks: %d of %d", shards, most, n, s.Each)
		}
		i := rapid.Int64Range(1, shards).Draw(rt, "shard")
		task := (i-1)/s.Each + 1
		first, last, ok := job{name: s.Name(), task: strconv.FormatInt(task, 10)}.shards()
		if !ok || i < first || i > last {
			rt.Fatalf("shard %d is not among %d to %d of task %d", i, first, last, task)
		}
	})
}

// TestNoSlurm: where it is not, it is not asked, in one line, and nothing is written.
func TestNoSlurm(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("PATH", t.TempDir())
	wanted := []string{"--", "survey", "castle", "--soldiers", "1:3", "--castle", "1:4", "--defenders", "1:2", "--shards", "4", "--out", "x"}
	for want, args := range map[string][]string{
		"siegebook: there is no sbatch on PATH, so no Slurm here: run this where jobs are submitted\n": append([]string{"slurm", "--submit"}, wanted...),
		"siegebook: there is no squeue on PATH, so no Slurm here: run this where jobs are submitted\n": {"slurm", "status", "x"},
		`siegebook: "a\nb": a script cannot have it: leave out what is no character to be seen` + "\n": append([]string{"slurm", "--account", "a\nb"}, wanted...),
	} {
		if code, stdout, stderr := siegebook(t.Context(), "", args...); code != exitUsage || stdout != "" || stderr != want {
			t.Errorf("%q: exit code %d, %q, %q", args, code, stdout, stderr)
		}
	}
	if _, err := os.Stat("x"); err == nil {
		t.Error("a folder was made")
	}
}
