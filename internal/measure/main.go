// Command measure checks the speed claims of siegebook. Each claim is about the ratio of two measurements in the same
// run, so that it holds on any machine. The command also prints the absolute figures, but does not compare them with
// anything.
//
// It measures everything in rounds. A ratio is the median over the rounds, so that one slow round does not decide the
// result. Next to each ratio is its 95 % confidence interval. The command first builds the programs, and then measures
// them the way users run them.
//
// It exits with 1 if a ratio misses its bar or if a measurement fails.
package main

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"go/scanner"
	"go/token"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchmath"
	"golang.org/x/perf/benchunit"

	"github.com/siegebook/siegebook/internal/jupyter"
)

// rounds is the number of runs of the benchmarks. It is odd because of the median, and large enough for a 95 %
// confidence interval.
const rounds = 7

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	missed, err := run(ctx, os.Stdout, os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
	}
	if err != nil || missed > 0 {
		stop()
		os.Exit(1)
	}
}

// run measures everything. It prints the table to out and its progress to progress, and returns the number of missed
// bars.
func run(ctx context.Context, out, progress io.Writer) (missed int, err error) {
	dir, err := os.MkdirTemp("", "siegebook-measure-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	p := programs{dir, series{}}
	for _, part := range []struct {
		what    string
		measure func(context.Context) error
	}{
		{"building the programs", p.build},
		{"benchmarks", p.benchmarks},
		{"a sweep in each format", p.formats},
		{"the report", p.report},
		{"shards", p.shards},
		{"the cells of a notebook", p.cells},
		{"changed numbers", p.numbers},
		{"the pages of a book", p.pages},
	} {
		fmt.Fprintln(progress, part.what)
		if err := part.measure(ctx); err != nil {
			return 0, err
		}
	}
	return judge(out, p.series)
}

// programs holds the folder of the measured programs, and the measurements.
type programs struct {
	dir string
	series
}

func (p programs) path(name string) string { return filepath.Join(p.dir, name) }

func (p programs) build(ctx context.Context) error {
	if _, err := command(ctx, "go", "build", "-o", p.dir+string(filepath.Separator), "./cmd/siegebook",
		"./cmd/genreport"); err != nil {
		return err
	}
	for _, b := range benchmarked {
		if _, err := command(ctx, "go", "test", "-c", "-o", p.path(b.game+".test"), "./analysis/"+b.game); err != nil {
			return err
		}
	}
	return nil
}

// command runs a program and returns its standard output. Its error names the program.
func command(ctx context.Context, name string, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, name, args...).Output()
	if failed, is := errors.AsType[*exec.ExitError](err); is {
		return "", fmt.Errorf("%s %q: %w\n%s%s", filepath.Base(name), args, err, out, failed.Stderr)
	}
	return string(out), err
}

// The measured book has this number of pages, and of cells on each page.
const (
	bookPages = 10
	pageCells = 5
)

// pageCell returns a cell of a page. Its function computes a different value after each edit of the page. A line %%
// precedes the statements, because the kernel requires it.
func pageCell(page, cell, edit int) string {
	if page > 0 {
		edit = 0
	}
	name := fmt.Sprintf("value%d", cell)
	return fmt.Sprintf("func %s(n int) int { return %d*n + %d }\n%%%%\nfmt.Println(%s(%d))", name, cell+2,
		page+1000*edit, name, cell)
}

// pages measures the processor time of the first build of a book, and of a build after an edit. The book consists
// either of Markdown pages, whose cells form one program, or of notebooks with a command, which run in the kernel.
func (p programs) pages(ctx context.Context) error {
	kinds := []struct {
		name, file, head, cell, end string
		quote                       func(string) string
	}{
		{"program", "page%d.md", "# Page\n", "\n```go run\n%s\n```\n", "", func(code string) string { return code }},
		{
			"kernel", "page%d.ipynb", `{"nbformat": 4, "nbformat_minor": 0, "metadata": {}, "cells": [` +
				`{"cell_type": "code", "source": "%env PAGES=ten", "metadata": {}, "outputs": []}`,
			`,{"cell_type": "code", "source": %s, "metadata": {}, "outputs": []}`, "]}", strconv.Quote,
		},
	}
	for round := range pageRounds {
		for _, kind := range kinds {
			dir := p.path(fmt.Sprint("book-", kind.name, round))
			for edit, what := range []string{"first", "edited"} {
				for page := range bookPages {
					text := kind.head
					for cell := range pageCells {
						text += fmt.Sprintf(kind.cell, kind.quote(pageCell(page, cell, edit)))
					}
					name := filepath.Join(dir, fmt.Sprintf(kind.file, page))
					if err := os.MkdirAll(dir, 0o755); err != nil {
						return err
					}
					if err := os.WriteFile(name, []byte(text+kind.end), 0o644); err != nil {
						return err
					}
				}
				cmd := exec.CommandContext(ctx, p.path("genreport"), "build", dir, "--out", dir+"-site", "--cache",
					dir+"-cache", "--quiet")
				if out, err := cmd.CombinedOutput(); err != nil {
					return fmt.Errorf("genreport build: %w\n%s", err, out)
				}
				took := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
				if round > 0 { // the first round fills Go's cache
					p.add("Pages/"+what+"/"+kind.name+" sec", took.Seconds())
				}
			}
		}
	}
	return nil
}

// cellRounds is the number of runs of each cell. It is odd because of the median.
const cellRounds = 31

// pageRounds is the number of builds of a book: an odd number of measured builds, plus the first build, which is not
// measured.
const pageRounds = 4

// warmRounds is the number of initial rounds that are not measured, because they do work that is done only once.
const warmRounds = 2

// figureCell is a cell that draws a figure, and that prints a number to distinguish the cell from others.
const figureCell = `%%%%
line := pictures.Best(castle.Battle{Soldiers: 10, CastleHits: 43, DefendersPerWave: 8})
show.Figure(pictures.Trace(line.Battle, line.Strategy))
fmt.Println(%d)`

const cellImports = `import (
	"fmt"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/notebooks/show"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/castle"
)`

// cells measures a cell that draws a figure, after a change to its source and without a change.
func (p programs) cells(ctx context.Context) error {
	sources := []string{cellImports}
	for i := range cellRounds + warmRounds {
		// Another source has more tokens. The method numbers measures changes to a single number.
		text := fmt.Sprintf(figureCell, i) + strings.Repeat("\nfmt.Println()", i)
		sources = append(sources, text, text)
	}
	took, err := p.turns(ctx, sources)
	if err != nil {
		return err
	}
	for i, kernel := range kernels {
		for at, c := range took[i][1+2*warmRounds:] {
			p.add("Cell/"+[]string{"changed", "again"}[at%2]+"/"+kernel+" sec", c.wall.Seconds())
		}
	}
	return nil
}

// kernels lists the measured kernels: the installed kernel, and gonb alone with Go's defaults.
var kernels = [2]string{"ours", "gonb"}

// figureStride means that every sixth cell among the drawing cells of the course is measured.
const figureStride = 6

// numbers changes each number and each string in drawing cells of the course, one after the other.
func (p programs) numbers(ctx context.Context) error {
	course, err := filepath.Glob("notebooks/*.ipynb")
	if err != nil {
		return err
	}
	drawing := 0
	for _, path := range course {
		n, err := jupyter.Read(path)
		if err != nil {
			return err
		}
		var sources []string
		counts := map[int]bool{}
		for _, c := range n.Cells() {
			declares, does, _ := strings.Cut(c.Source, "%%\n")
			if c.Kind != jupyter.Code {
				continue
			}
			if draws.MatchString(does) {
				if drawing++; drawing%figureStride == 0 {
					sources = append(sources, c.Source)
					for _, text := range changed(does) {
						counts[len(sources)] = true
						sources = append(sources, declares+"%%\n"+text)
					}
					continue
				}
			}
			sources = append(sources, declares)
		}
		if len(counts) == 0 {
			continue
		}
		took, err := p.turns(ctx, sources)
		if err != nil {
			return err
		}
		for i, kernel := range kernels {
			for at, c := range took[i] {
				if counts[at] {
					p.add("Number/"+kernel+" sec", c.wall.Seconds())
					p.add("Number/"+kernel+" cpu-sec", c.processor.Seconds())
				}
			}
		}
	}
	return nil
}

// draws matches statements that draw.
var draws = regexp.MustCompile(`show\.(Figure|Plot|Slider|Drawing|Controls|Explored)|\bview\.`)

// changed returns, for each literal in some statements, the statements with that literal changed.
func changed(statements string) (all []string) {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(statements))
	s.Init(file, []byte(statements), nil, 0)
	for {
		pos, kind, text := s.Scan()
		other := text
		switch kind {
		case token.EOF:
			return all
		case token.INT:
			if n, err := strconv.ParseInt(text, 0, 64); err == nil {
				other = strconv.FormatInt(n+1+n/7, 10)
			}
		case token.FLOAT:
			other = strings.Replace(text, ".", "1.", 1)
		case token.STRING:
			other = text[:1] + "A" + text[1:]
		}
		if at := file.Offset(pos); other != text {
			all = append(all, statements[:at]+other+statements[at+len(text):])
		}
	}
}

// cost holds the elapsed time of a cell, and the processor time of all descendants of this process.
type cost struct{ wall, processor time.Duration }

// turns runs a notebook alternately in both kernels, and returns each cell's cost in each kernel. Cells may fail.
func (p programs) turns(ctx context.Context, sources []string) (took [2][]cost, err error) {
	spec, err := jupyter.Setup(ctx, jupyter.SetupOptions{
		Repo: ".", Dir: filepath.Join(p.path("jupyter"), "kernels", jupyter.ProjectKernel),
		Imports: []string{"./notebooks/..."},
	})
	if err != nil {
		return took, err
	}
	plain, err := spec.Plain()
	if err != nil {
		return took, err
	}
	var cells []map[string]any
	for i, source := range sources {
		tags := map[string]any{"tags": []string{jupyter.TagRaises}}
		cells = append(cells, jupyter.CodeCell(fmt.Sprint("c", i), source, tags))
	}
	notebook := jupyter.Compose(cells, nil)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	turns := [2]chan bool{make(chan bool, 1), make(chan bool, 1)}
	turns[0] <- true
	var group sync.WaitGroup
	var errs [2]error
	for i, spec := range []jupyter.Kernelspec{spec, plain} {
		group.Go(func() {
			took[i], errs[i] = timeCells(ctx, spec, notebook, turns[i], turns[1-i])
			if errs[i] != nil {
				cancel()
			}
		})
	}
	group.Wait()
	return took, errors.Join(errs[:]...)
}

// timeCells runs the cells of a notebook in a kernel, each when its turn comes, and reports the cost of each cell.
func timeCells(
	ctx context.Context, spec jupyter.Kernelspec, n *jupyter.Notebook, mine, other chan bool,
) ([]cost, error) {
	var took []cost
	var begin time.Time
	var used time.Duration
	_, err := jupyter.Run(ctx, n, jupyter.RunOptions{Kernel: spec, Progress: func(done, all int64) {
		if done > 0 {
			took = append(took, cost{time.Since(begin), processorTime(os.Getpid()) - used})
			other <- true
		}
		if done == all {
			return
		}
		select {
		case <-mine:
		case <-ctx.Done():
		}
		begin, used = time.Now(), processorTime(os.Getpid())
	}})
	if err == nil && int64(len(took)) != n.CodeCells() {
		err = fmt.Errorf("%d of %d cells were measured", len(took), n.CodeCells())
	}
	return took, err
}

// processorTime returns the processor time of a process and its descendants, as Linux reports it.
func processorTime(pid int) (used time.Duration) {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, fields, _ := strings.Cut(string(text), ") ")
	for i, field := range strings.Fields(fields) {
		if i >= 11 && i < 15 { // utime, stime, and the same for children that have ended
			n, _ := strconv.ParseInt(field, 10, 64)
			used += time.Duration(n) * time.Second / 100
		}
	}
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, list := range lists {
		children, _ := os.ReadFile(list)
		for child := range strings.FieldsSeq(string(children)) {
			n, _ := strconv.Atoi(child)
			used += processorTime(n)
		}
	}
	return used
}

// claim is a claim about the ratio of two measurements in the same round. Either the ratio is how many times better
// ours is than other, and must reach the bar, or it is how many times larger ours is than other, and must not exceed
// the bar.
type claim struct {
	what        string
	ours, other string // their names in series
	bar         float64
	atMost      bool
}

//go:embed claims.md
var claimed string

// claims contains the rows of the table in claims.md.
var claims = func() (all []claim) {
	_, rows, _ := strings.Cut(claimed, "|---|\n")
	for row := range strings.Lines(rows) {
		cells := strings.Split(strings.Trim(row, "| \n"), " | ")
		rule, number, _ := strings.Cut(strings.TrimPrefix(cells[3], "at "), " ")
		bar, err := strconv.ParseFloat(number, 64)
		if err != nil || rule != "most" && rule != "least" {
			panic(fmt.Sprintf("claims.md: %s: %v", row, err))
		}
		all = append(all, claim{cells[0], cells[1], cells[2], bar, rule == "most"})
	}
	return all
}()

// confidence is the confidence level of the intervals.
const confidence = 0.95

// summary returns the median of the given values, with an interval that assumes nothing about their distribution.
func summary(values []float64) benchmath.Summary {
	thresholds := benchmath.DefaultThresholds
	return benchmath.AssumeNothing.Summary(benchmath.NewSample(append([]float64{}, values...), &thresholds), confidence)
}

// judge prints a line for each claim, and returns the number of claims that miss their bars.
func judge(w io.Writer, s series) (missed int, err error) {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, c := range claims {
		ours := s[c.ours]
		if len(ours) == 0 || len(s[c.other]) != len(ours) {
			return 0, fmt.Errorf("%q was measured %d times, but %q %d times", c.ours, len(ours), c.other,
				len(s[c.other]))
		}
		var ratios []float64
		for i, other := range s[c.other] {
			if ours[i] <= 0 || other <= 0 {
				return 0, fmt.Errorf("%q is %v and %q is %v: both must be positive", c.ours, ours[i], c.other, other)
			}
			if ratio := other / ours[i]; c.atMost {
				ratios = append(ratios, 1/ratio)
			} else {
				ratios = append(ratios, ratio)
			}
		}
		ratio := summary(ratios)
		verdict, rule, reached := "ok", "at least", ratio.Center >= c.bar
		if c.atMost {
			rule, reached = "at most", ratio.Center <= c.bar
		}
		if !reached {
			verdict = "MISSED"
			missed++
		}
		fmt.Fprintf(out, "%s\t%.2f (%.2f to %.2f)\t%s %.4g\t%s\t%s, other %s\n", c.what, ratio.Center, ratio.Lo,
			ratio.Hi, rule, c.bar, verdict, shown(c.ours, ours), shown(c.other, s[c.other]))
	}
	return missed, out.Flush()
}

// shown formats the median of the given values, with the unit that name contains.
func shown(name string, values []float64) string {
	unit := name[strings.LastIndexByte(name, ' ')+1:]
	return benchunit.Scale(summary(values).Center, benchunit.ClassOf(unit)) + " " + unit
}

// series holds the measurements of all rounds, by name and unit, such as "Map/fill sec/op". Times are in seconds.
type series map[string][]float64

func (s series) add(name string, value float64) { s[name] = append(s[name], value) }

// read adds the results from the output of go test.
func (s series) read(text string) error {
	results := benchfmt.NewReader(strings.NewReader(text), "benchmarks")
	for results.Scan() {
		switch r := results.Result().(type) {
		case *benchfmt.Result:
			base, parts := r.Name.Parts()
			name := string(base)
			for _, part := range parts {
				if part[0] == '/' { // skips the number of cores
					name += string(part)
				}
			}
			for _, v := range r.Values {
				s.add(name+" "+v.Unit, v.Value)
			}
		case *benchfmt.SyntaxError:
			return r
		}
	}
	return results.Err()
}

// benchmarked lists packages in analysis, each with a pattern for the measured benchmarks.
var benchmarked = []struct{ game, pattern string }{
	{"castle", "^Benchmark(ClosedForm|Solve|Map|Histogram|CountSizes|Survey|Rows)$"},
	{"tower", "^BenchmarkPlay$"},
	{"ants", "^BenchmarkMapSizes$/^side=(50|400)$"},
	{"listing", "^BenchmarkCosts$"},
	{"naval", "^Benchmark(NavalGame|Sink)$/^(fast|slow|random_density|random_informed)$"},
}

// benchmarks runs each benchmark once in each round.
func (p programs) benchmarks(ctx context.Context) error {
	for range rounds {
		for _, b := range benchmarked {
			text, err := command(ctx, p.path(b.game+".test"), "-test.run", "^$", "-test.benchtime", "0.2s",
				"-test.bench", b.pattern)
			if err != nil {
				return err
			}
			if err := p.read(text); err != nil {
				return err
			}
		}
	}
	return nil
}

// timed runs siegebook, and records the elapsed time for each item.
func (p programs) timed(ctx context.Context, name string, items int, args ...string) error {
	begin := time.Now()
	_, err := command(ctx, p.path("siegebook"), args...)
	p.add(name, time.Since(begin).Seconds()/float64(items))
	return err
}

// grid returns the flags for a grid, and the number of its battles.
func grid(soldiers, castle, defenders int) (args []string, battles int) {
	args = strings.Fields(fmt.Sprintf("castle --soldiers 1:%d --castle-hits 1:%d --defenders-per-wave 1:%d", soldiers,
		castle, defenders))
	return args, soldiers * castle * defenders
}

// formats measures a sweep of several row groups, alternately in both formats.
func (p programs) formats(ctx context.Context) error {
	large, many := grid(100, 400, 50)
	for range rounds {
		for _, format := range []string{"csv", "parquet"} {
			file := p.path("formats." + format)
			if err := p.timed(ctx, "Sweep/"+format+" sec/row", many,
				slices.Concat([]string{"sweep"}, large, []string{"--out", file})...); err != nil {
				return err
			}
			info, err := os.Stat(file)
			if err != nil {
				return err
			}
			p.add("Sweep/"+format+" B/row", float64(info.Size())/float64(many))
		}
	}
	data, err := os.ReadFile(p.path("formats.csv"))
	if got := bytes.Count(data, []byte("\n")) - 1; err == nil && got != many {
		err = fmt.Errorf("the sweep wrote %d rows instead of %d", got, many)
	}
	return err
}

// shards measures a survey and two sweeps on one core, each in one run and in ten shards.
func (p programs) shards(ctx context.Context) error {
	battles, size := grid(100, 400, 250)
	for _, work := range []struct{ name, verb, whole, shards string }{
		{"survey", "survey", "cut.json", "cut"},
		{"csv", "sweep", "cut.csv", "cut-csv"},
		{"parquet", "sweep", "cut.parquet", "cuts.parquet"},
	} {
		args := slices.Concat([]string{work.verb}, battles, []string{"--workers", "1"})
		for range rounds {
			if err := p.timed(ctx, "Shards/"+work.name+"/whole sec/battle", size,
				slices.Concat(args, []string{"--out", p.path(work.whole)})...); err != nil {
				return err
			}
			if err := os.RemoveAll(p.path(work.shards)); err != nil {
				return err
			}
			cut := slices.Concat(args, []string{"--shards", "10", "--out", p.path(work.shards)})
			if err := p.timed(ctx, "Shards/"+work.name+"/ten sec/battle", size, cut...); err != nil {
				return err
			}
		}
	}
	return nil
}

// report measures the time to build the castle's chapters in a folder without caches, and again without any change.
func (p programs) report(ctx context.Context) error {
	build := func() (float64, error) {
		begin := time.Now()
		_, err := command(ctx, p.path("genreport"), "build", "--only", "castle", "--out", p.path("site"), "--cache",
			p.path("cache"))
		return time.Since(begin).Seconds(), err
	}
	cold, err := build()
	if err != nil {
		return err
	}
	for range rounds {
		again, err := build()
		if err != nil {
			return err
		}
		p.add("Report/cold sec", cold)
		p.add("Report/again sec", again)
	}
	return nil
}
