package jupyter

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/siegebook/siegebook/internal/plural"
)

// Requirement is something that the project's kernel needs, and whether it exists.
type Requirement struct {
	Name string
	// Have describes what was found. It is "" if the requirement is missing or cannot be used.
	Have string
	// Fix says what is wrong and how to fix it. It is set if Have is "".
	Fix string
	// Optional means that the kernel works without the requirement.
	Optional bool
}

// Met reports whether the requirement is fulfilled.
func (r Requirement) Met() bool { return r.Have != "" }

// String returns the requirement as one line.
func (r Requirement) String() string {
	switch {
	case r.Met():
		return fmt.Sprintf("ok       %s: %s", r.Name, r.Have)
	case r.Optional:
		return fmt.Sprintf("optional %s: %s", r.Name, r.Fix)
	}
	return fmt.Sprintf("MISSING  %s: %s", r.Name, r.Fix)
}

//go:embed gopls.txt
var gopls string

// Gopls returns the argument for go install that installs the gopls version that our hints recommend.
func Gopls() string { return strings.TrimSpace(gopls) }

const installFix = "run 'go run ./cmd/genreport kernel install' in the repository"

// CheckSetup checks everything that the project's kernel needs. At the end, it runs a cell that imports all packages of
// SetupOptions.Imports. It downloads missing modules, as Setup does.
func CheckSetup(ctx context.Context, o SetupOptions) []Requirement {
	goProgram, goErr := findGo()
	list := []Requirement{requirement("Go toolchain", goProgram, goErr)}
	spec, err := readKernelspec(o.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("not in %s: %s", o.Dir, installFix)
	}
	list = append(list, requirement("kernelspec "+ProjectKernel, o.Dir, err))
	if err == nil {
		list = append(list, o.checkParts(ctx, spec)...)
	}
	if goErr == nil {
		importable, err := GetModules(ctx, o)
		have := "downloaded for " + plural.Count(len(importable), "package") + " that cells can import"
		list = append(list, requirement("modules", have, err))
		if !slices.ContainsFunc(list, func(r Requirement) bool { return !r.Met() }) {
			list = append(list, requirement("a cell that imports the repository", "runs", probe(ctx, spec, importable)))
		}
	}
	return append(list,
		optional("gopls", spec.environment(os.Environ()),
			"needed for completion and help in front ends: go install "+Gopls()),
		optional("jupyter", os.Environ(),
			"needed to open notebooks: run make jupyter, or on Debian apt-get install jupyter-notebook"))
}

func requirement(name, have string, err error) Requirement {
	if err != nil {
		return Requirement{Name: name, Fix: oneLine(err.Error())}
	}
	return Requirement{Name: name, Have: have}
}

// optional returns an optional requirement: the named program must be on the PATH of the given environment.
func optional(name string, env []string, fix string) Requirement {
	r := Requirement{Name: name, Fix: fix, Optional: true}
	r.Have, _ = lookPath(name, env)
	return r
}

// checkParts checks the programs and folders that the kernelspec names.
func (o SetupOptions) checkParts(ctx context.Context, spec Kernelspec) []Requirement {
	programs := Requirement{Name: "programs", Have: spec.Metadata.Siegebook.Built}
	here, err := o.open(ctx)
	if err != nil {
		programs = requirement("programs", "", err)
	} else if dir := filepath.Join(spec.Dir, "bin"); !here.havePrograms(dir) {
		programs = Requirement{Name: "programs", Fix: fmt.Sprintf("some are missing from %s: %s", dir, installFix)}
	} else if spec.Metadata.Siegebook.Programs != here.key {
		programs = Requirement{Name: "programs", Fix: "the repository's sources have changed since they were " +
			"built: " + installFix}
	}
	r := Requirement{Name: "repository"}
	if _, err := os.Stat(filepath.Join(spec.Repo(), "go.mod")); err != nil {
		r.Fix = fmt.Sprintf("%q no longer exists: if you moved it, %s", spec.Repo(), installFix)
	} else if here.repo.dir != "" && !SameFolder(here.repo.dir, spec.Repo()) {
		r.Fix = fmt.Sprintf("cells import the packages of %s, not of %s: %s", spec.Repo(), here.repo.dir, installFix)
	} else {
		r.Have = spec.Repo()
	}
	return []Requirement{programs, r}
}

// SameFolder reports whether two paths lead to the same folder.
func SameFolder(a, b string) bool {
	first, err1 := os.Stat(a)
	second, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(first, second)
}

// checkTools returns an error if the project's own kernel lacks a program that it needs only when a cell runs.
func (k Kernelspec) checkTools(env []string) error {
	if !k.own() {
		return nil
	}
	if _, err := lookPath("go", env); err != nil {
		return ErrNoGo
	}
	if _, err := lookPath("goimports", env); err != nil {
		return errors.New("goimports is not on the kernel's PATH: " + installFix)
	}
	return nil
}

// probe runs a cell that imports the given packages.
func probe(ctx context.Context, spec Kernelspec, imports []string) error {
	var source strings.Builder
	for _, importPath := range imports {
		fmt.Fprintf(&source, "import _ %q\n", importPath)
	}
	source.WriteString("%%\nfmt.Print(42)")
	s, err := startSession(ctx, spec, "", defaultPatience)
	if err != nil {
		return err
	}
	defer s.Close()
	result, err := s.runCell(ctx, Cell{Kind: Code, Source: source.String()},
		RunOptions{CellTimeout: 2 * time.Minute}.withDefaults(), map[string][]*Output{})
	if err != nil {
		return err
	}
	if len(result.outputs) != 1 || result.outputs[0].Text != "42" {
		return errors.New("the kernel runs, but does not show the output of its first cell")
	}
	return nil
}
