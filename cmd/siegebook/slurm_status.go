package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/internal/atomicfile"
	"github.com/siegebook/siegebook/internal/canceled"
	"github.com/siegebook/siegebook/internal/command"
	"github.com/siegebook/siegebook/internal/plural"
	"github.com/siegebook/siegebook/internal/shard"
)

// slurmStatus is "siegebook slurm status".
type slurmStatus struct {
	Folder string `arg:""`
	Quick  bool
}

// job is a task of an array, or the job that merges, as squeue tells it.
type job struct {
	array, task, name, state, reason, comment string
}

// fate is what becomes of a shard that is not there, the best last.
type fate int

const (
	lost fate = iota // no task is to compute it
	failed
	waiting
	running
)

// fateOf says what a job's state means for the shards that it has not computed.
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

// progressOf is what is known of the shards of a folder.
type progressOf struct {
	whole  int64
	by     [running + 1][]lack // the others, with what is known of them
	atWork int64               // tasks that run
	merge  string
	spent  []float64 // seconds, on shards that are there
}

// Run tells how far the shards are.
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
	mark := shard.Mark{Recipe: p.Recipe, Version: ownVersion()}
	folder := shard.Folder{Dir: dir, Mark: mark, Parts: p.Shards, Ending: p.Ending}
	if there, err := shard.OpenFolder(ctx, dir); err == nil && there.Mark.Recipe == p.Recipe {
		folder = there // of whatever version
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
	return progressWith(p, jobs, lacking, logs).say(s, p)
}

// lacking returns the shards that are not there, or damaged.
func (c *slurmStatus) lacking(ctx context.Context, folder shard.Folder) ([]lack, error) {
	if !c.Quick {
		return lookAtAll(ctx, folder)
	}
	var missing []lack
	for p := (shard.Part{Number: 1, Of: folder.Parts}); p.Number <= p.Of; p.Number++ {
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

// mergeSuffix is the end of the name of the job that merges.
const mergeSuffix = "-merge"

// shards returns those that a task computes: from first to last.
func (j job) shards() (first, last int64, ok bool) {
	_, by, _ := strings.Cut(j.name, "-by-")
	each, err1 := strconv.ParseInt(by, 10, 64)
	task, err2 := strconv.ParseInt(j.task, 10, 64)
	if err1 != nil || err2 != nil || each < 1 || task < 1 {
		return 0, 0, false
	}
	return (task-1)*each + 1, task * each, true
}

// progressWith puts together what is there, what Slurm says, and what the logs do.
func progressWith(p preparation, jobs []job, lacking []lack, logs logsOf) progressOf {
	r := progressOf{whole: p.Shards - int64(len(lacking))}
	fates, reasons := make([]fate, p.Shards+1), make([]string, p.Shards+1)
	isThere := make([]bool, p.Shards+1)
	for i := range isThere {
		isThere[i] = true
	}
	for _, l := range lacking {
		isThere[l.Number] = false
		if l.reason != "missing" {
			reasons[l.Number] = l.reason
		}
	}
	newest := int64(0) // of the jobs that merge
	for _, j := range jobs {
		if strings.HasSuffix(j.name, mergeSuffix) {
			if number, _ := strconv.ParseInt(j.array, 10, 64); number >= newest {
				newest, r.merge = number, mergeIs(j)
			}
			continue
		}
		first, last, ok := j.shards()
		if !ok {
			continue
		}
		is := fateOf(j.state)
		if is == running {
			r.atWork++
		}
		for i := first; i <= min(last, p.Shards); i++ {
			if isThere[i] || is < fates[i] {
				continue
			}
			fates[i] = is
			switch {
			case is == failed:
				reasons[i] = failure(j, logs)
			case is == waiting && slices.Contains(telling, j.reason):
				reasons[i] = j.reason
			case is == waiting && logs.failed[i] != "":
				reasons[i] = "it has failed: " + logs.failed[i]
			}
			if is == running {
				is = waiting // one after the other
			}
		}
	}
	for _, l := range lacking {
		i := l.Number
		if fates[i] == lost {
			if last := logs.failed[i]; last != "" { // Slurm forgets a task some minutes after its end
				fates[i], reasons[i] = failed, last
			}
		}
		r.by[fates[i]] = append(r.by[fates[i]], lack{l.Part, reasons[i]})
	}
	for i, spent := range logs.spent {
		if i <= p.Shards && isThere[i] {
			r.spent = append(r.spent, spent)
		}
	}
	if _, err := os.Stat(p.Merged); err == nil && r.merge == "" {
		r.merge = "done"
	}
	return r
}

// telling are reasons for which a task may wait for ever.
var telling = []string{
	"JobHeldUser", "JobHeldAdmin", "PartitionTimeLimit", "PartitionNodeLimit", "AssocGrpCPUMinutesLimit",
	"AccountNotAllowed", "InvalidAccount", "InvalidQOS", "ReqNodeNotAvail",
}

// mergeIs says how the job that merges is.
func mergeIs(j job) string {
	switch is := fateOf(j.state); {
	case j.state == "COMPLETED":
		return "done"
	case is == running:
		return "running"
	case is == waiting && j.reason == "DependencyNeverSatisfied":
		return "never, as a task has failed"
	case is == waiting:
		return "waiting"
	default:
		return "failed (" + j.state + ")"
	}
}

// failure says why a task failed.
func failure(j job, logs logsOf) string {
	text := j.state
	if last := logs.last[j.array+"_"+j.task]; last != "" {
		text += ": " + last
	}
	if j.comment != "" && j.comment != "(null)" { // of a task that found no folder to write into
		text += ": " + j.comment
	}
	return text
}

// logsOf is what the logs of tasks say.
type logsOf struct {
	last   map[string]string // line, by array_task
	failed map[int64]string  // what is said last of a shard that failed
	spent  map[int64]float64 // seconds on shards, the longest
}

// ended is the line that the script writes for each shard.
var ended = regexp.MustCompile(`^shard ([0-9]+)/[0-9]+: exit code ([0-9]+), after ([0-9]+) s$`)

// readLogs reads the logs of a folder; a log that cannot be read says nothing. The error is that of ctx.
func readLogs(ctx context.Context, dir string) (logsOf, error) {
	logs := logsOf{map[string]string{}, map[int64]string{}, map[int64]float64{}}
	entries, _ := os.ReadDir(filepath.Join(dir, shard.LogFolder))
	for _, entry := range entries {
		task, isLog := strings.CutSuffix(entry.Name(), ".log")
		if !isLog || !strings.Contains(task, "_") {
			continue
		}
		file, err := atomicfile.Open(filepath.Join(dir, shard.LogFolder, entry.Name()))
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
			// The line before is the program's error.
			last = strings.TrimPrefix(last+", exit code "+form[2], ", ")
			logs.failed[i] = last
		}
		_ = file.Close()
		logs.last[task] = last
	}
	return logs, canceled.Cause(ctx)
}

// fateNames are how people call them.
var fateNames = [...]string{lost: "lost", failed: "failed", waiting: "waiting", running: "running"}

// mostFailures is how many shards that failed are shown with a line each.
const mostFailures = 10

// say prints what is known.
func (r progressOf) say(s streams, p preparation) error {
	lines := []string{
		fmt.Sprintf("%s of %s", plural.Count(p.Shards, "shard"), p.Recipe), "", fmt.Sprintf("there     %7d", r.whole),
	}
	var reasons []string
	for is := running; is >= lost; is-- {
		list := r.by[is]
		line := fmt.Sprintf("%-9s %7d", fateNames[is], len(list))
		if len(list) > 0 {
			line += "   shards " + stretches(list)
		}
		if is == lost && len(list) > 0 {
			line += ": no task is to compute them, run the script again"
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

// left says how long the shards take that are not there.
func (r progressOf) left(p preparation, shards int64) string {
	each, from := p.Seconds, "as estimated"
	if len(r.spent) > 0 {
		sum := 0.0
		for _, spent := range r.spent {
			sum += spent
		}
		each, from = sum/float64(len(r.spent)), "as those which are there"
	}
	text := fmt.Sprintf("A task that takes one shard after the other needs %s for the rest, %s each, %s.",
		duration(each*float64(shards)), duration(each), from)
	if r.atWork > 1 {
		text += fmt.Sprintf(" Now %d run: %s.", r.atWork, duration(each*float64(shards)/float64(r.atWork)))
	}
	return text
}
