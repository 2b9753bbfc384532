package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/siegebook/siegebook/internal/atomicfile"
	"github.com/siegebook/siegebook/internal/command"
	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/limitedread"
	"github.com/siegebook/siegebook/internal/plural"
	"github.com/siegebook/siegebook/internal/report/book"
	"github.com/siegebook/siegebook/internal/report/lesson"
	"github.com/siegebook/siegebook/internal/report/press"
)

type notebookCommands struct {
	New    notebooksNew    `cmd:"" help:"Begin a notebook of your own, with a map to change."`
	Run    notebooksRun    `cmd:"" help:"Run notebooks from top to bottom; the files are not changed."`
	Check  notebooksCheck  `cmd:"" help:"Run notebooks, and also fail if a file has outputs or data that make noisy diffs, or a tag that folds nothing."`
	Export notebooksExport `cmd:"" help:"Write a Markdown page as a notebook that Jupyter opens."`
	Import notebooksImport `cmd:"" help:"Convert the notebook of an exported page back to the page."`
	Strip  notebooksStrip  `cmd:"" help:"Remove outputs, counts and noisy metadata from notebook files."`
}

// notebookFiles are the notebooks that a command works on.
type notebookFiles struct {
	Files []string `arg:"" optional:"" name:"file" help:"Notebooks; notebooks/*.ipynb if none is named."`
}

type notebookFile struct {
	path     string
	notebook *jupyter.Notebook
}

// read reads all files before any work begins. If a file is not a notebook, the error is a user error.
func (f notebookFiles) read() ([]notebookFile, error) {
	paths := f.Files
	if len(paths) == 0 {
		paths, _ = filepath.Glob(filepath.Join("notebooks", "*.ipynb"))
	}
	if len(paths) == 0 {
		return nil, command.Usagef(
			"there are no notebooks/*.ipynb: name a notebook, or change to the folder of the repository",
		)
	}
	var files []notebookFile
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
			return nil, command.Usagef("%s: %s, not a regular file: name a notebook file", path, atomicfile.Kind(info))
		}
		n, err := jupyter.Read(path)
		var fileSystem *os.PathError
		switch {
		case errors.As(err, &fileSystem):
			return nil, fmt.Errorf("%w; name a notebook file that can be read", err)
		case err != nil:
			return nil, command.Usage(err)
		}
		files = append(files, notebookFile{path, n})
	}
	return files, nil
}

// runFlags are the flags for running notebooks.
type runFlags struct {
	Param   paramFlags    `short:"p" placeholder:"NAME=VALUE" help:"Replace a value of the cell tagged parameters; may be repeated."`
	Kernel  string        `placeholder:"NAME" help:"Installed kernel to use, whatever repository it belongs to (default: the one that the notebook names; for a notebook of this repository, or run in it, the repository's own)."`
	Timeout time.Duration `default:"60s" help:"Time limit for each cell."`
}

// job is a notebook with the kernel in which it runs.
type job struct {
	notebookFile
	kernel func(context.Context) (jupyter.Kernelspec, error)
}

// prepare sets the parameters and finds the kernel of each notebook. The caller must call finish after all notebooks
// have run.
func (f runFlags) prepare(s command.Streams, files []notebookFile) (jobs []job, finish func(), err error) {
	if f.Timeout <= 0 {
		return nil, nil, command.Usagef("--timeout %v: must be positive, such as 60s", f.Timeout)
	}
	for _, file := range files {
		if file.notebook.CodeCells() == 0 {
			return nil, nil, command.Usagef("%s: the notebook has no code cell to run", file.path)
		}
		if err := file.notebook.SetParameters(f.Param); err != nil {
			return nil, nil, command.Usage(fmt.Errorf("%s: %w", file.path, err))
		}
	}
	find := kernels{name: f.Kernel, streams: s, own: map[string]*press.Kernel{}}
	for _, file := range files {
		kernel, err := find.kernelFor(file)
		if err != nil {
			find.close()
			return nil, nil, fmt.Errorf("%s: %w", file.path, err)
		}
		jobs = append(jobs, job{file, kernel})
	}
	return jobs, find.close, nil
}

// run runs one notebook in its own folder.
func (f runFlags) run(ctx context.Context, s command.Streams, j job) (*jupyter.Notebook, error) {
	progress := s.StartProgress(filepath.Base(j.path), j.notebook.CodeCells(), false)
	defer progress.Stop()
	spec, err := j.kernel(ctx)
	var executed *jupyter.Notebook
	if err == nil {
		executed, err = jupyter.Run(ctx, j.notebook, jupyter.RunOptions{
			Kernel: spec, Dir: filepath.Dir(j.path), CellTimeout: f.Timeout, Progress: progress.Set,
		})
	}
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("%s: %w", j.path, err)
	}
	return executed, err
}

type notebooksRun struct {
	notebookFiles
	runFlags
	Out string `placeholder:"DIR" help:"Folder for executed copies; only an older copy of the same notebook is overwritten, and only if all cells ran."`
}

// Run runs the notebooks one after another, and stops at the first failure. It writes the copy of a failed run only if
// there is no older copy.
func (c *notebooksRun) Run(ctx context.Context, s command.Streams) error {
	files, err := c.read()
	if err != nil {
		return err
	}
	if err := c.checkOut(files); err != nil {
		return err
	}
	jobs, finish, err := c.prepare(s, files)
	if err != nil {
		return err
	}
	defer finish()
	for _, j := range jobs {
		executed, failed := c.run(ctx, s, j)
		if executed != nil && c.Out != "" {
			if err := c.write(j.notebookFile, executed, failed); err != nil {
				return errors.Join(failed, err)
			}
		}
		if failed != nil {
			return failed
		}
		if err := s.Say("%s: ran %s", j.path, plural.Count(j.notebook.CodeCells(), "cell")); err != nil {
			return err
		}
	}
	return nil
}

// checkOut returns an error if a copy would overwrite anything except an older copy of the same notebook.
func (c *notebooksRun) checkOut(files []notebookFile) error {
	if c.Out == "" {
		return nil
	}
	names := map[string]string{}
	for _, file := range files {
		name := filepath.Base(file.path)
		if other, taken := names[name]; taken {
			return command.Usagef(
				"--out %s: %s and %s would be copied to the same file: run one of them with another "+
					"--out", c.Out, other,
				file.path,
			)
		}
		names[name] = file.path
		original, err1 := os.Stat(file.path)
		if copied, err2 := os.Stat(filepath.Join(c.Out, name)); err1 == nil && err2 == nil &&
			os.SameFile(original, copied) {
			return command.Usagef("--out %s: the copy would overwrite the notebook %s: name another folder", c.Out,
				file.path)
		}
		if _, err := os.Stat(c.Out); errors.Is(err, fs.ErrNotExist) {
			continue // the folder is created when the first file is written
		}
		if err := c.copyOf(file).Check(); err != nil {
			return unwritable("--out", filepath.Join(c.Out, name), err)
		}
	}
	return nil
}

// maxCopy is the maximum size in bytes of a notebook that may be replaced, including its outputs.
const maxCopy = 256 * limitedread.MiB

// copyOf returns the target for the copy of a notebook.
func (c *notebooksRun) copyOf(file notebookFile) atomicfile.Target {
	return atomicfile.Target{Name: filepath.Join(c.Out, filepath.Base(file.path)), Ours: func(there *os.File) error {
		old, err := limitedread.Read(there, there.Name(), maxCopy)
		if err == nil {
			err = file.notebook.CopyOf(old)
		} else if large := (&limitedread.TooLarge{}); errors.As(err, &large) {
			err = fmt.Errorf("the file is larger than %d MiB, so siegebook did not write it",
				maxCopy/limitedread.MiB)
		}
		if err != nil {
			return atomicfile.Refuse("%w: move it away, or name another folder", err)
		}
		return nil
	}}
}

// write writes the copy. The copy of a failed run shows the place of the error, but does not replace an older copy.
func (c *notebooksRun) write(file notebookFile, executed *jupyter.Notebook, failed error) error {
	if err := os.MkdirAll(c.Out, 0o755); err != nil {
		return unwritable("--out", c.Out, err)
	}
	target := c.copyOf(file)
	if _, err := os.Lstat(target.Name); failed != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	executed.Seal()
	return unwritable("--out", target.Name, executed.Write(target))
}

type notebooksCheck struct {
	notebookFiles
	runFlags
}

// Run checks all files first, and then runs them.
func (c *notebooksCheck) Run(ctx context.Context, s command.Streams) error {
	files, err := c.read()
	if err != nil {
		return err
	}
	noisy, mistagged := 0, 0
	for _, file := range files {
		noise, tags := file.notebook.Check(), lesson.Check(file.notebook)
		noisy, mistagged = noisy+len(noise), mistagged+len(tags)
		for _, problem := range append(noise, tags...) {
			if err := s.Say("%s: %s", file.path, problem); err != nil {
				return err
			}
		}
	}
	jobs, finish, err := c.prepare(s, files)
	if err != nil {
		return err
	}
	defer finish()
	var failures []string
	for _, j := range jobs {
		_, err := c.run(ctx, s, j)
		switch {
		case ctx.Err() != nil:
			return err
		case err != nil:
			failures = append(failures, err.Error())
		}
	}
	if noisy > 0 {
		failures = append(failures, plural.Count(noisy, "problem")+" in the files: run 'genreport notebooks strip'")
	}
	if mistagged > 0 {
		failures = append(failures, plural.Count(mistagged, "problem")+" with tags: change them as described above")
	}
	if len(failures) > 0 {
		return errors.New(strings.Join(failures, "; "))
	}
	return s.Say(
		"%s run, and %s clean", plural.Count(len(files), "notebook"),
		plural.Of(len(files), "its file is", "their files are"),
	)
}

type notebooksStrip struct{ notebookFiles }

// Run rewrites the files that are not clean, unless it finds an error in any of them first.
func (c *notebooksStrip) Run(s command.Streams) error {
	files, err := c.read()
	if err != nil {
		return err
	}
	targets := map[string]atomicfile.Target{}
	for _, file := range files {
		before := file.notebook.Bytes()
		file.notebook.Strip()
		if bytes.Equal(file.notebook.Bytes(), before) {
			continue
		}
		target := atomicfile.Target{Name: file.path, Ours: func(now *os.File) error {
			data, err := limitedread.Read(now, now.Name(), maxCopy)
			if err != nil {
				data = nil // the file is no longer readable
			}
			if n, err := jupyter.Parse(data); err != nil || !bytes.Equal(n.Bytes(), before) {
				return errors.New("the file was changed while it was being read: strip it again")
			}
			return nil
		}}
		if err := target.Check(); err != nil {
			return unstripped(file.path, err)
		}
		targets[file.path] = target
	}
	for _, file := range files {
		target, noisy := targets[file.path]
		if !noisy {
			continue
		}
		delete(targets, file.path) // the user may name a file twice
		if err := file.notebook.Write(target); err != nil {
			return unstripped(file.path, err)
		}
		if err := s.Say("%s: stripped", file.path); err != nil {
			return err
		}
	}
	return nil
}

// unstripped returns an error that states that a file stays unchanged.
func unstripped(path string, err error) error {
	err = fmt.Errorf("%s: %w", path, err)
	if atomicfile.Refused(err) {
		return command.Usage(err)
	}
	return err
}

// lessonFlags determine which notebooks become pages, and whether they are run.
type lessonFlags struct {
	Notebooks string `placeholder:"DIR" help:"Folder of the notebooks that become lessons (default: notebooks in the folder of the repository); \"off\" for none."`
	NoRun     bool   `help:"Run none of the book's code, as with --lessons text."`
	Lessons   string `default:"auto" enum:"auto,run,text" help:"run: results are required; text: run nothing, and show the results stored in notebooks; auto: run if the kernel can be built or is installed."`
}

// runsNothing reports whether no cells will be run.
func (f lessonFlags) runsNothing() bool { return f.NoRun || f.Lessons == "text" }

// folder returns the folder of the notebooks, or "" for none.
func (f lessonFlags) folder() string {
	const own = "notebooks"
	switch f.Notebooks {
	case "off":
		return ""
	case "":
		if _, err := os.Stat("go.mod"); err != nil {
			return ""
		}
		return own
	}
	return f.Notebooks
}

// checkFolder returns an error if the user has named a folder of notebooks that cannot be used. Without this check, a
// typo would silently leave out all lessons.
func (f lessonFlags) checkFolder() error {
	if f.Notebooks == "" || f.Notebooks == "off" {
		return nil
	}
	if _, err := os.ReadDir(f.Notebooks); err != nil {
		return command.Usage(fmt.Errorf("--notebooks: %w; name a folder of notebooks, or off", err))
	}
	if _, err := os.Stat(filepath.Join(f.module(), "go.mod")); err != nil && !f.runsNothing() {
		return command.Usagef(
			"--notebooks %s: cells import the packages of the folder above, %s, which has no go.mod: name the "+
				"notebooks of a clone of the repository, or run none of them (--lessons text)", f.Notebooks, f.module(),
		)
	}
	return nil
}

// module returns the folder whose packages the cells import.
func (f lessonFlags) module() string { return filepath.Dir(filepath.Clean(f.folder())) }

// complete adds the lessons to the options. It runs the changed notebooks, and warns about notebooks that it cannot
// run.
func (c settings) complete(
	ctx context.Context, s command.Streams, options book.Options,
) (completed book.Options, failed error) {
	folder := c.folder()
	if folder == "" {
		return options, command.Usage(own.Validate(options))
	}
	course := lesson.Course{
		Dir: folder, Module: c.module(), MustRun: c.Lessons == "run",
		Cache: options.Cache, Skip: func(slug string) bool { return !options.Wants(slug) },
	}
	var warnings []string
	work := &phases{streams: s, usual: "running the notebooks"}
	if !c.runsNothing() {
		kernel, err := newOwnKernel(c.cacheFolder(), c.module(), "", "./"+filepath.ToSlash(filepath.Base(folder))+
			"/...", work.doing)
		if err != nil {
			return options, err
		}
		defer kernel.Close()
		programs, err := c.folders().Programs(c.module(), "", folder)
		if err != nil {
			return options, err
		}
		runner := &lesson.Programs{
			Program: programs, Kernel: &lesson.Kernel{Own: kernel.Spec, Ready: kernel.Modules},
		}
		course.Runner = runner
		defer func() {
			if runner.WantsKernel() {
				completed.Kernel = kernel.Built()
			}
		}()
		course.Warn = func(message string) { warnings = append(warnings, message) }
	}
	work.begin()
	var err error
	options.Lessons, err = course.Lessons(ctx)
	work.end()
	for _, w := range warnings {
		fmt.Fprintln(s.Err, "genreport: warning: "+w)
	}
	if err != nil {
		return options, err
	}
	return options, command.Usage(own.Validate(options))
}

// runs returns text that states how many notebooks were run, and why the others were not. A notebook that cannot be run
// has a warning instead.
func runs(lessons []lesson.Lesson) string {
	if len(lessons) == 0 {
		return ""
	}
	now, known, omitted := 0, 0, 0
	for _, l := range lessons {
		switch {
		case l.RanNow:
			now++
		case l.Ran:
			known++
		case l.Omit:
			omitted++
		}
	}
	said := fmt.Sprintf("; ran %d of %s", now, plural.Count(len(lessons), "notebook"))
	if known > 0 {
		said += fmt.Sprintf(", %d unchanged since the last run", known)
	}
	if omitted > 0 {
		said += fmt.Sprintf(", %d left out by --only", omitted)
	}
	return said
}
