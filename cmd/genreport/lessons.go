package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/siegebook/siegebook/internal/command"
	"github.com/siegebook/siegebook/internal/plural"
	"github.com/siegebook/siegebook/report"
	"github.com/siegebook/siegebook/report/lesson"
)

// lessonFlags decide which notebooks become pages, and whether they are run.
type lessonFlags struct {
	Notebooks string `placeholder:"DIR" help:"Folder of the notebooks that become lessons; notebooks, in the folder of the repository, unless told otherwise; \"off\" for none."`
	Lessons   string `default:"auto" enum:"auto,run,text" help:"run: results are required; text: run nothing; auto: run if the kernel can be built or is installed."`
}

// folder returns the folder of the notebooks, "" for none.
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

// checkFolder refuses a folder of notebooks that was named and cannot be used. Without this a slip of the pen would
// leave out all lessons.
func (f lessonFlags) checkFolder() error {
	if f.Notebooks == "" || f.Notebooks == "off" {
		return nil
	}
	if _, err := os.ReadDir(f.Notebooks); err != nil {
		return command.Usage(fmt.Errorf("--notebooks: %w; name a folder of notebooks, or off", err))
	}
	if _, err := os.Stat(filepath.Join(f.module(), "go.mod")); err != nil && f.Lessons != "text" {
		return command.Usagef(
			"--notebooks %s: cells import the packages of the folder above, %s, and it has no go.mod: name the "+
				"notebooks of a clone of the repository, or run none of them (--lessons text)", f.Notebooks, f.module(),
		)
	}
	return nil
}

// module is the folder whose packages the cells import.
func (f lessonFlags) module() string { return filepath.Dir(filepath.Clean(f.folder())) }

// complete adds the lessons to the options: it runs the notebooks that have changed, and says what it cannot run.
func (c settings) complete(
	ctx context.Context, s command.Streams, options report.Options,
) (completed report.Options, failed error) {
	folder := c.folder()
	if folder == "" {
		return options, command.Usage(book.Validate(options))
	}
	course := lesson.Course{
		Dir: folder, Module: c.module(), MustRun: c.Lessons == "run",
		Cache: options.Cache, Skip: func(slug string) bool { return !options.Wants(slug) },
	}
	var warnings []string
	if c.Lessons != "text" {
		kernel, err := newOwnKernel(c.cacheFolder(), c.module(), "", "./"+filepath.ToSlash(filepath.Base(folder))+
			"/...")
		if err != nil {
			return options, err
		}
		defer kernel.close()
		course.Runner = lesson.Kernel{Own: kernel.spec, Ready: kernel.modules}
		defer func() { completed.Kernel = kernel.built() }()
		course.Warn = func(message string) { warnings = append(warnings, message) }
	}
	progress := s.StartProgress("running the notebooks", 0, false)
	var err error
	options.Lessons, err = course.Lessons(ctx)
	progress.Stop()
	for _, w := range warnings {
		fmt.Fprintln(s.Err, "genreport: warning: "+w)
	}
	if err != nil {
		return options, err
	}
	return options, command.Usage(book.Validate(options))
}

// runs says how many notebooks were run, and why the others were not. A notebook that cannot be run has a warning.
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
		case l.Page.Omit:
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
