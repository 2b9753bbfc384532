package main

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
	"text/template"
)

//go:embed slurm.sh.tmpl
var slurmTemplate string

// slurmScript is a batch script of Slurm that computes shards, and merges them.
type slurmScript struct {
	Command     string   // that gives the whole
	Args        []string // of the program, for a shard, without its number and its folder
	Binary, Dir string   // absolute
	Merged      string   // where the merged result goes, absolute; "" if nothing is to be merged
	Shards      int64
	Each        int64 // shards of a task, at least 1
	AtOnce      int64 // most tasks that run at the same time, 0 for any number
	Retries     int64
	CPUs        int64
	Time        string // as sbatch reads it
	Memory      string
	Seconds     float64 // that a shard is estimated to take
	MergeTime   string
	MergeMemory string
	Options     []string // of sbatch, for both jobs
}

// Tasks is how many tasks the array has.
func (s slurmScript) Tasks() int64 { return (s.Shards + s.Each - 1) / s.Each }

// folderName is what the names of all jobs for a folder begin with.
func folderName(dir string) string {
	sum := sha256.Sum256([]byte(dir))
	return "siegebook-" + hex.EncodeToString(sum[:4])
}

// Name is the name of the array. Of the job that merges it is the beginning.
func (s slurmScript) Name() string { return fmt.Sprintf("%s-by-%d", folderName(s.Dir), s.Each) }

// Mark is what tells one computation from another.
func (s slurmScript) Mark() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%d", s.Command, s.Shards))
	return hex.EncodeToString(sum[:8])
}

// write writes the script.
func (s slurmScript) write(w io.Writer) error {
	return template.Must(template.New("slurm").Funcs(template.FuncMap{"word": quoted, "directive": directive}).Parse(slurmTemplate)).Execute(w, s)
}

// directive returns an option as a word of a line #SBATCH, which sbatch reads in its own way.
func directive(option string) string {
	if !strings.ContainsAny(option, "\\\"'# \t") {
		return option
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(option) + `"`
}
