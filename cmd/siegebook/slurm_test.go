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

	"github.com/siegebook/siegebook/internal/faulttest"
	"github.com/siegebook/siegebook/internal/must"
)

// evil is a command that leaves a trace. It runs if a shell misinterprets a name.
const evil = "evil"

// hardNames generates file names without control characters, but with characters that are special to a shell.
func hardNames() *rapid.Generator[string] {
	signs := rapid.StringOfN(rapid.OneOf(
		rapid.RuneFrom([]rune("ab \"'`$\\!*?~#&;|<>(){}[]%^=-,")), rapid.RuneFrom([]rune("éß火😀\u2028")),
	), 1, 20, 150)
	attack := rapid.SampledFrom([]string{
		"", "$(evil)", "`evil`", "; evil;", "' evil '", "\" evil \"", "'$(evil)'", "# $(evil)", "& evil &",
	})
	return rapid.Custom(func(t *rapid.T) string {
		return signs.Draw(t, "before") + attack.Draw(t, "attack") + signs.Draw(t, "after")
	})
}

// controls are texts with control characters.
var controls = []string{
	"\nevil\n", "\revil", "\nEND OF MERGE\nevil\n", "'\nevil\n'", "\n#SBATCH --wrap=evil\n", "\x1b[2J", "\u0085evil",
}

// stubs are the programs of TestSlurmNames. The program and sbatch write their arguments to the folder in NOTES, each
// with a NUL at the end. sbatch also stores the job that it reads.
var stubs = map[string]string{
	evil:      `touch "$NOTES/evil"`,
	"program": `printf '%s\0' "$@" >>"$NOTES/program"`,
	"sbatch":  `printf '%s\0' "$@" >>"$NOTES/sbatch"; case "$*" in *--dependency*) cat >"$NOTES/merge.sh" ;; esac; echo 7`,
}

// noted returns the notes of a stub, and removes them.
func noted(t *rapid.T, name string) []string {
	text := string(must.Get(os.ReadFile(name)))
	must.Do(t, os.Remove(name))
	return strings.Split(strings.TrimSuffix(text, "\x00"), "\x00")
}

// TestSlurmNames checks that for any names of the working folder, the folder of shards, the merged file and the
// program, and any options of sbatch, the script and its jobs pass these names on unchanged, and execute nothing
// else. A control character in any of them is refused in one line, and nothing is written.
func TestSlurmNames(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip(err)
	}
	bin := t.TempDir()
	for name, text := range stubs {
		must.Do(t, os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+text+"\n"), 0o777))
	}
	t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	t.Chdir(t.TempDir())
	rapid.Check(t, func(rt *rapid.T) { slurmNames(rt, bash, bin) })
}

func slurmNames(t *rapid.T, bash, bin string) {
	top := must.Get(os.MkdirTemp("", "names"))
	defer os.RemoveAll(top)
	names := []string{"here", "program", "option", "shards", "merged"}
	spoilt := rapid.IntRange(-len(names), len(names)-1).Draw(t, "spoilt")
	for i, name := range names {
		names[i] = name[:1] + hardNames().Draw(t, name)
		if i == spoilt {
			names[i] += rapid.SampledFrom(controls).Draw(t, "control")
		}
	}
	names[0] += rapid.SampledFrom([]string{"", "\xff"}).Draw(t, "bytes") // no argument, so it need not be UTF-8
	here, program, option, shards, merged := filepath.Join(top, names[0]), filepath.Join(top,
		names[1]), "--qos="+names[2], names[3], names[4]
	notes := filepath.Join(top, "notes")
	must.Do(t, os.Mkdir(notes, 0o777))
	must.Do(t, os.Mkdir(here, 0o777))
	must.Do(t, os.Symlink(filepath.Join(bin, "program"), program))
	must.Do(t, os.Chdir(here))
	defer func() { must.Do(t, os.Chdir(bin)) }() // so the folder can be removed

	code, script, stderr := siegebook(t.Context(), "", "slurm", "--binary", program, "--sbatch="+option,
		"--merged", merged, "--", "survey", "castle", "--soldiers", "1:3", "--castle", "1:4", "--defenders", "1:2",
		"--shards", "3", "--out", shards)
	dir := filepath.Join(here, shards)
	if spoilt >= 0 {
		if code != exitUsage || script != "" || strings.Count(stderr, "\n") != 1 ||
			!strings.Contains(stderr, "must not contain control characters") {
			t.Fatalf("exit code %d, %q, %q", code, script, stderr)
		}
		if left, err := os.ReadDir(here); err != nil || len(left) > 0 {
			t.Fatalf("in the folder are %v, %v", left, err)
		}
		return
	}
	if code != exitDone || stderr != "" {
		t.Fatalf("exit code %d, %q", code, stderr)
	}
	job := filepath.Join(top, "job.sh")
	must.Do(t, os.WriteFile(job, []byte(script), 0o666))
	bashed := func(file string, variables ...string) string {
		cmd := exec.Command(bash, file)
		cmd.Dir, cmd.Env = top, append(append(os.Environ(), "NOTES="+notes), variables...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s\n%s", err, out, script)
		}
		return string(out)
	}
	wanted := func(stub string, want ...string) {
		t.Helper()
		if got := noted(t, filepath.Join(notes, stub)); !slices.Equal(got, want) {
			t.Fatalf("%s gets\n%q, want\n%q", stub, got, want)
		}
	}
	name := folderName(dir) + "-by-1"
	submits := func() []string {
		return []string{
			"--parsable", "--dependency=afterok:7", "--kill-on-invalid-dep=yes", "--comment=after 7", "--job-name=" +
				name + "-merge", "--requeue",
			"--output=/dev/null", "--nodes=1", "--ntasks=1", "--cpus-per-task=1", "--time=10", "--mem=512M", option,
		}
	}
	if said := bashed(job); said != "array 7\nmerge 7\n" {
		t.Fatalf("bash FILE prints %q", said)
	}
	wanted("sbatch", append([]string{"--parsable", job, "alone"}, submits()...)...)
	bashed(filepath.Join(notes, "merge.sh"))
	wanted("program", "merge", dir, "--out", filepath.Join(here, merged))
	bashed(job, "SLURM_ARRAY_JOB_ID=7", "SLURM_ARRAY_TASK_ID=2", "SLURM_ARRAY_TASK_MIN=1", "SLURM_JOB_ID=9")
	wanted("program", "survey", "castle", "--soldiers", "1:3", "--castle", "1:4", "--defenders", "1:2", "--shard",
		"2/3", "--out", dir)
	if _, err := os.Stat(filepath.Join(notes, evil)); err == nil {
		t.Fatalf("the name has called a command:\n%s", script)
	}
	for where, want := range map[string]string{
		top:  strings.Join(sorted("notes", filepath.Base(here), filepath.Base(program), "job.sh"), "\n"),
		here: strings.Join(sorted(shards, shards+"-logs"), "\n"),
	} {
		if left := faulttest.Entries(where); strings.Join(left, "\n") != want {
			t.Fatalf("in %q are %q, want %q", where, left, want)
		}
	}
}

func sorted(names ...string) []string {
	slices.Sort(names)
	return names
}

// TestSlurmTasks checks that each shard belongs to one task, for any limit of tasks, and that the limit is respected.
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
