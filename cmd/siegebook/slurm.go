package main

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/template"
	"unicode"

	"github.com/siegebook/siegebook/internal/atomicfile"
	"github.com/siegebook/siegebook/internal/canceled"
	"github.com/siegebook/siegebook/internal/command"
	"github.com/siegebook/siegebook/internal/limitedread"
	"github.com/siegebook/siegebook/internal/plural"
	"github.com/siegebook/siegebook/internal/shard"
)

// slurmArray is "siegebook slurm".
type slurmArray struct {
	Command []string `arg:"" passthrough:""`

	Submit    bool
	Merged    string `placeholder:"FILE"`
	NoMerge   bool
	Tasks     positive `default:"1000" placeholder:"N"`
	AtOnce    positive `placeholder:"N"`
	Retries   positive `default:"3" placeholder:"N"`
	CPUs      positive `name:"cpus" default:"1" placeholder:"N"`
	Time      string   `placeholder:"TIME"`
	Mem       string   `placeholder:"SIZE"`
	Account   string   `placeholder:"NAME"`
	Partition string   `placeholder:"NAME"`
	Sbatch    []string `sep:"none" placeholder:"OPTION"`
	Binary    string   `placeholder:"FILE"`
}

// markFile is the hidden file by which tasks recognize the folder of shards.
const markFile = ".siegebook-slurm"

// preparation is the content of markFile after the first line, which is the Mark of a slurmScript.
type preparation struct {
	Recipe shard.Recipe `json:"recipe"`
	Shards int64        `json:"shards"`
	Ending string       `json:"ending"`
	Merged string       `json:"merged,omitempty"`

	Seconds float64 `json:"seconds"` // the estimated time for a shard
}

// Run prints the script or submits it.
func (c *slurmArray) Run(ctx context.Context, s streams) error {
	if c.Submit {
		if err := slurmIsHere("sbatch"); err != nil {
			return err
		}
	}
	script, folder, err := c.script(ctx)
	if err != nil {
		return err
	}
	if err := prepare(script, folder); err != nil {
		return err
	}
	if !c.Submit {
		return script.write(s.Out)
	}
	return submit(ctx, s, script)
}

// slurmIsHere returns a user error if the named program of Slurm is not on the PATH.
func slurmIsHere(name string) error {
	if _, err := exec.LookPath(name); err != nil {
		return usagef("there is no %s on the PATH, so Slurm is not available here: run this command where jobs are "+
			"submitted", name)
	}
	return nil
}

// script returns the script and the folder of its shards. Errors are about the arguments.
func (c *slurmArray) script(ctx context.Context) (slurmScript, shard.Folder, error) {
	fail := func(err error) (slurmScript, shard.Folder, error) { return slurmScript{}, shard.Folder{}, err }
	args := c.Command
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	inner, w, err := cutWork(args)
	if err != nil {
		return fail(err)
	}
	dir, err := filepath.Abs(inner.shardFlags().Out)
	if err != nil {
		return fail(err)
	}
	parts := int64(inner.shardFlags().Shards)
	folder := w.folderOf(dir, parts)
	if err := folder.Check(ctx); err != nil {
		return fail(shardError(dir, err))
	}
	options, err := c.options()
	if err != nil {
		return fail(err)
	}
	tasks := (parts-1)/each(parts, int64(c.Tasks)) + 1
	if most := mostTasks(ctx, tasks); tasks > most {
		return fail(usagef("--tasks %d: the array would have %d tasks, but Slurm here allows at most %d (its "+
			"MaxArraySize is %d): use --tasks %[3]d, and each task computes several shards", c.Tasks, tasks, most,
			most+1))
	}
	script := slurmScript{
		Command: w.command(), Args: withoutShards(args), Dir: dir, Shards: parts, Each: each(parts, int64(c.Tasks)),
		AtOnce: int64(c.AtOnce), Retries: int64(c.Retries), CPUs: int64(c.CPUs),
		Time: c.Time, Memory: c.Mem, Options: options,
	}
	if script.Binary, err = c.binary(); err != nil {
		return fail(err)
	}
	if script.Merged, err = c.merged(folder); err != nil {
		return fail(err)
	}
	taken, err := takeSample(ctx, inner, w)
	if err != nil {
		return fail(err)
	}
	script.estimate(w, w.secondsOf(taken))
	return script, folder, script.check()
}

// fewTasks is a number of tasks that every Slurm accepts: its default limit is 1000.
const fewTasks = 100

// arraySize matches the line in which scontrol prints the limit of task numbers.
var arraySize = regexp.MustCompile(`(?m)^MaxArraySize\s*=\s*([0-9]+)`)

// mostTasks returns the maximum number of tasks in an array of the local Slurm. If tasks is small, or if Slurm does not
// answer, it returns tasks. For example, a machine that only prints the script may not have Slurm.
func mostTasks(ctx context.Context, tasks int64) int64 {
	if tasks <= fewTasks {
		return tasks
	}
	said, _ := exec.CommandContext(ctx, "scontrol", "show", "config").Output()
	if form := arraySize.FindSubmatch(said); form != nil {
		if size, err := strconv.ParseInt(string(form[1]), 10, 64); err == nil && size > 0 {
			return size - 1
		}
	}
	return tasks
}

// check returns an error for control characters in the user's names, the working folder and the path of this program.
// A quoted newline is harmless in the script's commands, but it would end a comment or a directive.
func (s *slurmScript) check() error {
	named := slices.Concat(s.Args, s.Options, []string{s.Binary, s.Dir, s.Merged, s.Time, s.Memory})
	for _, text := range named {
		if strings.IndexFunc(text, unicode.IsControl) >= 0 {
			return usagef("%q: names and options in a script must not contain control characters: use another one",
				text)
		}
	}
	return nil
}

// each returns the number of shards for each task, such that there are at most the given number of tasks.
func each(shards, tasks int64) int64 { return (shards-1)/tasks + 1 }

// cutWork returns the command that the arguments cut into shards, and its work.
func cutWork(args []string) (sharded, work, error) {
	fail := func(format string, a ...any) (sharded, work, error) {
		return nil, work{}, usagef("slurm: "+format, a...)
	}
	selected, err := grammar().Selected(args)
	if err != nil {
		return fail("%w", err)
	}
	inner, ok := selected.(sharded)
	if !ok {
		return fail("%s: this command has no shards: use sweep castle, survey castle or another command with --shards",
			strings.Join(args, " "))
	}
	flags := inner.shardFlags()
	switch {
	case flags.Shard != shardNumber{}:
		return fail("--shard %v: the tasks compute all shards: use --shards N", shard.Shard(flags.Shard))
	case flags.DryRun:
		return fail("--dry-run: a dry run computes no shards: run it without Slurm")
	case flags.Shards == 0:
		return fail("the number of shards is missing: add --shards N")
	case isStdout(flags.Out):
		return fail("the folder of the shards is missing: add --out FOLDER")
	}
	first := shard.Shard{Number: 1, Of: int64(flags.Shards)}
	if err := first.Validate(); err != nil {
		return fail("--shards: %w", err)
	}
	w, err := inner.work()
	if err == nil {
		_, err = w.block(first)
	}
	return inner, w, err
}

// withoutShards returns the arguments without --shards and --out, which are already parsed.
func withoutShards(args []string) []string {
	var kept []string
	for i := 0; i < len(args); i++ {
		name, _, joined := strings.Cut(args[i], "=")
		if name != "--shards" && name != "--out" {
			kept = append(kept, args[i])
		} else if !joined {
			i++
		}
	}
	return kept
}

// ownOptions are the options of sbatch that the script sets itself.
var ownOptions = []string{
	"-a", "--array", "-d", "--dependency", "-o", "--output", "-J", "--job-name", "--parsable", "--wrap", "--comment",
	"-n", "--ntasks", "-N", "--nodes",
}

// options returns the options that are passed to sbatch unchanged.
func (c *slurmArray) options() ([]string, error) {
	var options []string
	for name, value := range map[string]string{"--account": c.Account, "--partition": c.Partition} {
		if value != "" {
			options = append(options, name+"="+value)
		}
	}
	slices.Sort(options)
	for _, option := range c.Sbatch {
		name, _, _ := strings.Cut(option, "=")
		if !strings.HasPrefix(name, "-") || len(strings.Trim(name, "-")) == 0 {
			return nil, usagef("--sbatch %q: an option of sbatch must begin with -: write it as in --sbatch=--qos=long",
				option)
		}
		own := slices.ContainsFunc(ownOptions, func(o string) bool {
			return name == o || len(o) == 2 && strings.HasPrefix(name, o)
		})
		if own {
			return nil, usagef("--sbatch %q: the script sets this option itself: leave it out", option)
		}
		options = append(options, option)
	}
	return options, nil
}

// binary returns the path of the program.
func (c *slurmArray) binary() (string, error) {
	name := c.Binary
	if name == "" {
		self, err := os.Executable()
		if err != nil {
			return "", fmt.Errorf("the path of this program is unknown (%w): name it with --binary", err)
		}
		name = self
	}
	path, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || info.Mode()&0o111 == 0 {
		return "", usagef("--binary %s: there is no such program", name)
	}
	return path, nil
}

// merged returns the file for the merged result, or "" if there is none.
func (c *slurmArray) merged(folder shard.Folder) (string, error) {
	switch {
	case c.NoMerge && c.Merged != "":
		return "", usagef("--merged %s and --no-merge contradict each other: use only one of the two", c.Merged)
	case c.NoMerge:
		return "", nil
	case c.Merged != "":
		if isStdout(c.Merged) {
			return "", usagef("--merged %s: a job has no standard output: name a file", c.Merged)
		}
		if folder.Ending != "json" {
			if _, err := tableFormat(c.Merged, func() map[string]string { return nil }); err != nil {
				return "", usagef("--merged: %w", err)
			}
		}
		return filepath.Abs(c.Merged)
	}
	ending := "." + folder.Ending
	if name, cut := strings.CutSuffix(folder.Dir, ending); cut {
		return name + "-merged" + ending, nil
	}
	return folder.Dir + ending, nil
}

// Jobs request more time and memory than estimated, because nodes differ, and unused time and memory cost little.
const (
	timesEstimated = 4
	leastMinutes   = 10
	leastMemory    = 256 << 20
	memoryStep     = 256 << 20
)

// estimate sets time and memory if the user has not set them. all is the time of the whole work in seconds.
func (s *slurmScript) estimate(w work, all float64) {
	s.Seconds = all / float64(s.Shards) / float64(s.CPUs)
	s.Time = cmp.Or(s.Time, limit(s.Seconds*float64(s.Each)))
	task := estimate{work: w, tasks: s.Shards}
	s.Memory = cmp.Or(s.Memory, s.room(task, s.CPUs))
	merge := float64(s.Shards) / 100 // the time to open the files
	if w.ending != "json" {
		merge += all // the time to read and write rows
	}
	s.MergeTime, s.MergeMemory = limit(merge), s.room(estimate{work: w, tasks: 1}, 1)
}

// limit returns a time limit in minutes for an estimated time.
func limit(seconds float64) string {
	return strconv.FormatInt(leastMinutes+int64(min(seconds*timesEstimated/60, 1e9)), 10)
}

// room returns the memory for a job with the given cores.
func (*slurmScript) room(e estimate, cores int64) string {
	process, core := e.memory()
	bytes := leastMemory + 2*(process+core*cores)
	return fmt.Sprintf("%dM", (bytes+memoryStep-1)/memoryStep*memoryStep>>20)
}

// prepare creates the folder, its mark file, and the folder for logs.
func prepare(script slurmScript, folder shard.Folder) error {
	name := filepath.Join(script.Dir, markFile)
	text, err := json.Marshal(preparation{
		folder.Mark.Recipe, script.Shards, folder.Ending, script.Merged, script.Seconds,
	})
	if err != nil {
		return err
	}
	switch old, err := readMarkFile(script.Dir); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return usagef("--out %s: %w: remove it, or name another folder", script.Dir, err)
	default:
		if first, _, _ := strings.Cut(string(old), "\n"); first != script.Mark() {
			return usagef("--out %s: the folder was prepared for another computation, whose tasks may still be "+
				"waiting: name another folder, or remove %s", script.Dir, name)
		}
	}
	for _, dir := range []string{script.Dir, script.Logs()} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return outputError(dir, err)
		}
	}
	file, err := atomicfile.Target{Name: name}.Create(0o666)
	if err != nil {
		return outputError(script.Dir, err)
	}
	if _, err := fmt.Fprintf(file, "%s\n%s\n", script.Mark(), text); err != nil {
		return outputError(script.Dir, errors.Join(err, file.Discard()))
	}
	return outputError(script.Dir, file.Keep())
}

// readMarkFile returns the content of the markFile of a folder. All nodes share the folder, and others may write to it.
// So there may be something other than a file with this name, or a file of any size.
func readMarkFile(dir string) ([]byte, error) {
	name := filepath.Join(dir, markFile)
	file, err := atomicfile.Open(name)
	if err != nil {
		return nil, err
	}
	return limitedread.Read(file, name, limitedread.MiB)
}

// prepared returns the preparation of a folder.
func prepared(dir string) (preparation, error) {
	text, err := readMarkFile(dir)
	var large *limitedread.TooLarge
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return preparation{}, usagef("slurm status %s: this folder was not prepared for Slurm: name the folder that "+
			"was given to --out", dir)
	case err != nil && !errors.As(err, &large):
		return preparation{}, usagef("slurm status %w", ofFile(err))
	}
	var p preparation
	_, described, _ := strings.Cut(string(text), "\n")
	if err == nil {
		err = json.Unmarshal([]byte(described), &p)
	}
	if err == nil {
		err = (shard.Shard{Number: 1, Of: p.Shards}).Validate()
	}
	if err != nil {
		return preparation{}, usagef("slurm status %s: its file %s is damaged: print the script again", dir, markFile)
	}
	return p, nil
}

// scriptFile is the name of a submitted script, in the folder of logs.
const scriptFile = "job.sh"

// submit stores the script in the folder of logs and runs it. The script then submits both jobs.
func submit(ctx context.Context, s streams, script slurmScript) error {
	name := filepath.Join(script.Logs(), scriptFile)
	if err := writeOutput(nil, name, func(w io.Writer) error { return script.write(w) }); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "bash", name)
	var said strings.Builder
	cmd.Stdout, cmd.Stderr = s.Out, &said
	cmd.Env = outsideOfJobs(os.Environ())
	if err := cmd.Run(); err != nil {
		message := strings.ReplaceAll(strings.TrimSpace(said.String()), "\n", "; ")
		return fmt.Errorf("sbatch: %s (%w); the script is %s", command.Line(message), err, name)
	}
	return nil
}

// outsideOfJobs returns the environment without the variables that mark a process as a task. The user may submit from
// within a job.
func outsideOfJobs(environment []string) []string {
	return slices.DeleteFunc(environment, func(entry string) bool { return strings.HasPrefix(entry, "SLURM_ARRAY_") })
}

//go:embed slurm.sh.tmpl
var slurmTemplate string

// slurmScript is a batch script for Slurm that computes shards and merges them.
type slurmScript struct {
	Command     string   // the command for the whole work
	Args        []string // the arguments of the program for a shard, without its number and its folder
	Binary, Dir string   // absolute paths
	Merged      string   // the absolute path of the merged result; "" if nothing is merged
	Shards      int64
	Each        int64 // the number of shards for each task, at least 1
	AtOnce      int64 // the maximum number of tasks at the same time; 0 for any number
	Retries     int64
	CPUs        int64
	Time        string // in the format of sbatch
	Memory      string
	Seconds     float64 // the estimated time for a shard
	MergeTime   string
	MergeMemory string
	Options     []string // options of sbatch for both jobs
}

// Tasks returns the number of tasks in the array.
func (s slurmScript) Tasks() int64 { return (s.Shards + s.Each - 1) / s.Each }

// folderName returns the beginning of the names of all jobs for a folder.
func folderName(dir string) string {
	sum := sha256.Sum256([]byte(dir))
	return "siegebook-" + hex.EncodeToString(sum[:4])
}

// logFolder returns the folder of the tasks' output, next to the folder of shards. The logs cannot be in that folder,
// because some programs read all files of the folder as a table.
func logFolder(dir string) string { return dir + "-logs" }

// Logs returns the folder of the tasks' output.
func (s slurmScript) Logs() string { return logFolder(s.Dir) }

// Name returns the name of the array. The name of the merging job begins with it.
func (s slurmScript) Name() string { return fmt.Sprintf("%s-by-%d", folderName(s.Dir), s.Each) }

// Mark returns a hash that identifies a computation.
func (s slurmScript) Mark() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%d", s.Command, s.Shards))
	return hex.EncodeToString(sum[:8])
}

// write writes the script.
func (s slurmScript) write(w io.Writer) error {
	funcs := template.FuncMap{"word": quoted, "directive": directive}
	return template.Must(template.New("slurm").Funcs(funcs).Parse(slurmTemplate)).Execute(w, s)
}

// directive returns an option quoted for an #SBATCH line, which sbatch parses by its own rules.
func directive(option string) string {
	if !strings.ContainsAny(option, "\\\"'# \t") {
		return option
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(option) + `"`
}

// slurmStatus is "siegebook slurm status".
type slurmStatus struct {
	Folder string `arg:""`
	Quick  bool
}

// job is a task of an array, or the merging job, as squeue lists it.
type job struct {
	array, task, name, state, reason, comment string
}

// fate is the state of a missing shard. The states are ordered from worst to best.
type fate int

const (
	lost fate = iota // no task will compute it
	failed
	waiting
	running
)

// fateOf returns what a job's state means for its missing shards.
func fateOf(state string) fate {
	switch state {
	case "RUNNING", "COMPLETING", "CONFIGURING", "STAGE_OUT", "SIGNALING", "STOPPED", "SUSPENDED":
		return running
	case "PENDING", "REQUEUED", "REQUEUE_FED", "REQUEUE_HOLD", "SPECIAL_EXIT", "RESIZING", "RESV_DEL_HOLD":
		return waiting
	case "COMPLETED":
		return lost
	default: // BOOT_FAIL, CANCELLED, DEADLINE, FAILED, NODE_FAIL, OUT_OF_MEMORY, PREEMPTED, TIMEOUT
		return failed
	}
}

// progressOf is the known state of the shards of a folder.
type progressOf struct {
	whole  int64
	by     [running + 1][]lack // the missing shards, by fate, with reasons
	atWork int64               // the number of running tasks
	merge  string
	spent  []float64 // the seconds for each finished shard
}

// Run prints the progress of the shards.
func (c *slurmStatus) Run(ctx context.Context, s streams) error {
	if err := slurmIsHere("squeue"); err != nil {
		return err
	}
	dir, err := filepath.Abs(c.Folder)
	if err != nil {
		return err
	}
	p, err := prepared(dir)
	if err != nil {
		return err
	}
	jobs, err := jobsOf(ctx, dir)
	if err != nil {
		return err
	}
	mark := shard.Mark{Recipe: p.Recipe, Version: identity()}
	folder := shard.Folder{Dir: dir, Mark: mark, Parts: p.Shards, Ending: p.Ending}
	if there, err := shard.OpenFolder(ctx, dir); err == nil && there.Mark.Recipe == p.Recipe {
		folder = there // the shards may be of another version of the program
	}
	if err := folder.Check(ctx); err != nil {
		return shardError(dir, err)
	}
	lacking, err := c.lacking(ctx, folder)
	if err != nil {
		return shardError(dir, err)
	}
	logs, err := readLogs(ctx, dir)
	if err != nil {
		return err
	}
	return progressWith(p, jobs, lacking, logs).print(s, p)
}

// lacking returns the shards that are missing or damaged.
func (c *slurmStatus) lacking(ctx context.Context, folder shard.Folder) ([]lack, error) {
	if !c.Quick {
		return lookAtAll(ctx, folder)
	}
	var missing []lack
	for p := (shard.Shard{Number: 1, Of: folder.Parts}); p.Number <= p.Of; p.Number++ {
		if _, err := os.Stat(folder.Path(p)); err != nil {
			missing = append(missing, lack{p, "missing"})
		}
	}
	return missing, nil
}

// jobsOf asks Slurm for the jobs of a folder.
func jobsOf(ctx context.Context, dir string) ([]job, error) {
	var said strings.Builder
	user := "--user=" + strconv.Itoa(os.Getuid())
	cmd := exec.CommandContext(ctx, "squeue", "--noheader", "--array", "--states=all", user,
		"--format=%F|%K|%j|%T|%r|%k")
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("squeue: %s (%w)", command.Line(said.String()), err)
	}
	var jobs []job
	for line := range strings.Lines(string(out)) {
		fields := strings.SplitN(strings.TrimSpace(line), "|", 6)
		if len(fields) == 6 && strings.HasPrefix(fields[2], folderName(dir)+"-by-") {
			jobs = append(jobs, job{fields[0], fields[1], fields[2], fields[3], fields[4], fields[5]})
		}
	}
	return jobs, nil
}

// mergeSuffix is the end of the name of the merging job.
const mergeSuffix = "-merge"

// shards returns the shards that a task computes: from first to last.
func (j job) shards() (first, last int64, ok bool) {
	_, by, _ := strings.Cut(j.name, "-by-")
	each, err1 := strconv.ParseInt(by, 10, 64)
	task, err2 := strconv.ParseInt(j.task, 10, 64)
	if err1 != nil || err2 != nil || each < 1 || task < 1 {
		return 0, 0, false
	}
	return (task-1)*each + 1, task * each, true
}

// progressWith combines the missing shards, Slurm's jobs and the logs.
func progressWith(p preparation, jobs []job, lacking []lack, logs logsOf) progressOf {
	r := progressOf{whole: p.Shards - int64(len(lacking))}
	type known struct {
		fate   fate
		reason string
	}
	left := map[int64]*known{} // what is known about the missing shards
	for _, l := range lacking {
		left[l.Number] = &known{reason: strings.TrimPrefix(l.reason, "missing")}
	}
	newest := int64(0) // the newest of the merging jobs
	for _, j := range jobs {
		if strings.HasSuffix(j.name, mergeSuffix) {
			if number, _ := strconv.ParseInt(j.array, 10, 64); number >= newest {
				newest, r.merge = number, mergeIs(j)
			}
			continue
		}
		first, last, ok := j.shards()
		is := fateOf(j.state)
		if ok && is == running {
			r.atWork++
		}
		for i := first; i <= min(last, p.Shards); i++ {
			k := left[i]
			if k == nil || is < k.fate {
				continue
			}
			k.fate = is
			switch {
			case is == failed:
				k.reason = failure(j, logs)
			case is == waiting && slices.Contains(telling, j.reason):
				k.reason = j.reason
			case is == waiting && logs.failed[i] != "":
				k.reason = "an earlier run failed: " + logs.failed[i]
			}
			if is == running {
				is = waiting // a task computes its shards one after another
			}
		}
	}
	for _, l := range lacking {
		k := left[l.Number]
		if last := logs.failed[l.Number]; k.fate == lost && last != "" {
			// Slurm forgets a task a few minutes after its end.
			*k = known{failed, last}
		}
		r.by[k.fate] = append(r.by[k.fate], lack{l.Shard, k.reason})
	}
	for i, spent := range logs.spent {
		if i <= p.Shards && left[i] == nil {
			r.spent = append(r.spent, spent)
		}
	}
	if _, err := os.Stat(p.Merged); err == nil && r.merge == "" {
		r.merge = "done"
	}
	return r
}

// telling lists Slurm's reasons for which a task may wait for ever.
var telling = []string{
	"JobHeldUser", "JobHeldAdmin", "PartitionTimeLimit", "PartitionNodeLimit", "AssocGrpCPUMinutesLimit",
	"AccountNotAllowed", "InvalidAccount", "InvalidQOS", "ReqNodeNotAvail",
}

// mergeIs describes the state of the merging job.
func mergeIs(j job) string {
	switch is := fateOf(j.state); {
	case j.state == "COMPLETED":
		return "done"
	case is == running:
		return "running"
	case is == waiting && j.reason == "DependencyNeverSatisfied":
		return "never, because a task failed"
	case is == waiting:
		return "waiting"
	default:
		return "failed (" + j.state + ")"
	}
}

// failure returns the reason why a task failed.
func failure(j job, logs logsOf) string {
	text := j.state
	if last := logs.last[j.array+"_"+j.task]; last != "" {
		text += ": " + last
	}
	if j.comment != "" && j.comment != "(null)" { // the comment of a task that had no folder for its log
		text += ": " + j.comment
	}
	return text
}

// logsOf holds the content of the tasks' logs.
type logsOf struct {
	last   map[string]string // the last line, by array_task
	failed map[int64]string  // the last message about a failed shard
	spent  map[int64]float64 // the longest time for a shard, in seconds
}

// ended matches the line that the script writes for each shard.
var ended = regexp.MustCompile(`^shard ([0-9]+)/[0-9]+: exit code ([0-9]+), after ([0-9]+) s$`)

// readLogs reads the logs of a folder. It ignores logs that cannot be read. The error is the context's error.
func readLogs(ctx context.Context, dir string) (logsOf, error) {
	logs := logsOf{map[string]string{}, map[int64]string{}, map[int64]float64{}}
	entries, _ := os.ReadDir(logFolder(dir))
	for _, entry := range entries {
		task, isLog := strings.CutSuffix(entry.Name(), ".log")
		if !isLog || !strings.Contains(task, "_") {
			continue
		}
		file, err := atomicfile.Open(filepath.Join(logFolder(dir), entry.Name()))
		if err != nil {
			continue
		}
		last := ""
		for lines := bufio.NewScanner(file); lines.Scan() && ctx.Err() == nil; {
			form := ended.FindStringSubmatch(lines.Text())
			if form == nil {
				last = lines.Text()
				continue
			}
			i, _ := strconv.ParseInt(form[1], 10, 64)
			seconds, _ := strconv.ParseFloat(form[3], 64)
			if form[2] == "0" {
				logs.spent[i] = max(logs.spent[i], seconds)
				delete(logs.failed, i)
				continue
			}
			// The previous line is the error of the program.
			last = strings.TrimPrefix(last+", exit code "+form[2], ", ")
			logs.failed[i] = last
		}
		_ = file.Close()
		logs.last[task] = last
	}
	return logs, canceled.Cause(ctx)
}

// fateNames are the names of the fates for people.
var fateNames = [...]string{lost: "lost", failed: "failed", waiting: "waiting", running: "running"}

// mostFailures is the maximum number of failed shards that are listed on a line of their own.
const mostFailures = 10

// print prints the progress.
func (r progressOf) print(s streams, p preparation) error {
	lines := []string{
		fmt.Sprintf("%s of %s", plural.Count(p.Shards, "shard"), p.Recipe), "", fmt.Sprintf("done      %7d", r.whole),
	}
	var reasons []string
	for is := running; is >= lost; is-- {
		list := r.by[is]
		line := fmt.Sprintf("%-9s %7d", fateNames[is], len(list))
		if len(list) > 0 {
			line += "   shards " + stretches(list)
		}
		if is == lost && len(list) > 0 {
			line += ": no task will compute them: run the script again"
		}
		lines = append(lines, line)
		shown := 0
		for _, l := range list {
			if l.reason != "" && shown < mostFailures {
				reasons = append(reasons, fmt.Sprintf("shard %d, %s: %s", l.Number, fateNames[is], l.reason))
				shown++
			}
		}
	}
	if p.Merged != "" {
		lines = append(lines, fmt.Sprintf("merge     %s: %s", cmp.Or(r.merge, "not submitted"), p.Merged))
	}
	if len(reasons) > 0 {
		lines = append(append(lines, ""), reasons...)
	}
	if left := p.Shards - r.whole; left > 0 {
		lines = append(lines, "", r.left(p, left))
	}
	for _, line := range lines {
		if err := s.Say("%s", line); err != nil {
			return err
		}
	}
	return nil
}

// left returns an estimate of how long the missing shards will take.
func (r progressOf) left(p preparation, shards int64) string {
	each, from := p.Seconds, "as estimated"
	if len(r.spent) > 0 {
		sum := 0.0
		for _, spent := range r.spent {
			sum += spent
		}
		each, from = sum/float64(len(r.spent)), "the average so far"
	}
	text := fmt.Sprintf("One task alone would need %s for the remaining shards: %s each, %s.",
		duration(each*float64(shards)), duration(each), from)
	if r.atWork > 1 {
		text += fmt.Sprintf(" The %d tasks that are running need %s.", r.atWork,
			duration(each*float64(shards)/float64(r.atWork)))
	}
	return text
}
