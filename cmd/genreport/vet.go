package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/siegebook/siegebook/internal/atomicfile"
	"github.com/siegebook/siegebook/internal/canceled"
	"github.com/siegebook/siegebook/internal/command"
	"github.com/siegebook/siegebook/internal/limitedread"
	"github.com/siegebook/siegebook/internal/plural"
	"github.com/siegebook/siegebook/internal/report/folder"
	"github.com/siegebook/siegebook/internal/report/press"
	"github.com/siegebook/siegebook/internal/report/program"
)

// vetCommand checks the cells of a report with Go's tools.
type vetCommand struct {
	Dir  string   `arg:"" placeholder:"DIR" help:"Folder of a report of your own."`
	Tool []string `arg:"" optional:"" passthrough:"" placeholder:"TOOL" help:"A tool to run instead of go vet ./..., with its arguments."`
	Out  string   `placeholder:"FOLDER" help:"Folder for the Go code of the pages, for other tools and editors."`
}

// Help returns the additional text for --help.
func (*vetCommand) Help() string {
	return `All messages name lines of the pages. vet does not read notebooks.

Examples:
  genreport vet course                            unformatted cells, and the findings of go vet
  genreport vet course staticcheck ./...          the findings of another tool
  genreport vet --out code course                 a Go module with the cells, at the same lines
  genreport vet course go test -cover ./...       the coverage of each page`
}

// codeModule matches the first line of go.mod in a folder with the Go code of pages.
var codeModule = regexp.MustCompile(`^module \S*siegebook(\.local/|-)pages\n`)

// checkCode returns an error for a folder that has files other than the Go code of pages.
func checkCode(dir string) error {
	entries, err := os.ReadDir(dir)
	if len(entries) == 0 && (err == nil || errors.Is(err, fs.ErrNotExist)) {
		return nil
	}
	if text, _ := os.ReadFile(filepath.Join(dir, "go.mod")); !codeModule.Match(text) {
		return command.Usagef("--out %s: the folder contains files that vet did not write: name a new or empty "+
			"folder", dir)
	}
	return nil
}

// Run writes the Go code of the pages to a folder, and runs a tool in it.
func (c *vetCommand) Run(ctx context.Context, s command.Streams) error {
	f, err := readFolder(c.Dir)
	if err != nil {
		return err
	}
	dir := c.Out
	if dir == "" {
		temporary, err := atomicfile.NewFolder("", "siegebook-code")
		if err != nil {
			return err
		}
		defer func() { _ = temporary.Remove() }()
		dir = temporary.Path
	} else if press.Holds(c.Dir, dir) {
		return command.Usagef("--out %s: the folder is inside the report, and a build would read it as pages: name "+
			"another "+
			"folder", dir)
	} else if err := checkCode(dir); err != nil {
		return err
	}
	code, err := c.write(ctx, f, dir)
	if err != nil {
		return err
	}
	if err := tellFaults(s, f, f.Faults(), false); err != nil {
		return err
	}
	var found []string
	tool := c.Tool
	if len(tool) == 0 {
		tool = []string{"go", "vet", "./..."}
		_ = f.Format(func(name string, _, _ []byte, lines []int) error {
			for _, line := range lines {
				said := fmt.Sprintf("%s:%d:1: the cell is not formatted: run genreport fmt %s", name, line, c.Dir)
				found = append(found, said)
			}
			return nil
		})
	}
	said, failed := "", error(nil)
	if code.Pages() > 0 {
		said, failed = runTool(ctx, code.Dir, tool)
	}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return canceled.Cause(ctx)
	case failed != nil && !errors.As(failed, &exit):
		return command.Usagef("%v: name an installed program", failed)
	}
	for line := range strings.Lines(code.Named(said)) {
		line = strings.TrimPrefix(strings.TrimRight(line, "\r\n"), "vet: ")
		if news := failed == nil && strings.HasPrefix(line, "go: "); !news && !strings.HasPrefix(line, "# ") {
			found = append(found, line)
		}
	}
	if len(found) == 0 && failed == nil {
		return s.Say("%s: no findings", c.Dir)
	}
	for _, line := range found {
		if err := s.Say("%s", command.Line(line)); err != nil {
			return err
		}
	}
	if failed != nil || len(c.Tool) == 0 && len(found) > 0 {
		return fmt.Errorf("%s: %s found faults: correct the lines above", c.Dir, strings.Join(tool, " "))
	}
	return nil
}

// write writes the Go code of the pages to a folder.
func (c *vetCommand) write(ctx context.Context, f *folder.Folder, dir string) (program.Code, error) {
	library, err := press.FindLibrary(ctx, c.Dir)
	if err != nil {
		return program.Code{}, err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return program.Code{}, err
	}
	return f.Code(ctx, program.Program{Library: library, Module: f.Module()}, dir)
}

// runTool runs a program in a folder, and returns its output.
func runTool(ctx context.Context, dir string, tool []string) (string, error) {
	cmd := exec.CommandContext(ctx, tool[0], tool[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GO111MODULE=on", "GOWORK="+filepath.Join(dir, "go.work"), "PWD="+dir)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	err := cmd.Run()
	return said.String(), err
}

type fmtCommand struct {
	Dir string `arg:"" placeholder:"DIR" help:"Folder of a report of your own."`
}

// Run formats the cells of the Markdown pages.
func (c *fmtCommand) Run(s command.Streams) error {
	f, err := readFolder(c.Dir)
	if err != nil {
		return err
	}
	return f.Format(func(name string, there, formatted []byte, lines []int) error {
		target := atomicfile.Target{Name: name, Ours: func(file *os.File) error {
			if now, err := limitedread.Read(file, name, press.MaxPage); err != nil || !bytes.Equal(now, there) {
				return atomicfile.Refuse("the file was changed while it was being read: format it again")
			}
			return nil
		}}
		if err := target.Write(formatted, 0o644); err != nil {
			return unstripped(name, err)
		}
		return s.Say("%s: formatted %s", name, plural.Count(len(lines), "cell"))
	})
}
