package jupyter

import (
	"context"
	"debug/buildinfo"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Requirement is one thing that the project's kernel needs, and whether it is there.
type Requirement struct {
	// Name says what is needed.
	Name string
	// Have describes what is there; "" if it is missing or of no use.
	Have string
	// Fix says what is wrong and how to mend it, where Have is "".
	Fix string
	// Optional marks what only makes work more pleasant.
	Optional bool
}

// Met says whether the requirement is there.
func (r Requirement) Met() bool { return r.Have != "" }

// String returns one line.
func (r Requirement) String() string {
	switch {
	case r.Met():
		return fmt.Sprintf("ok       %s: %s", r.Name, r.Have)
	case r.Optional:
		return fmt.Sprintf("optional %s: %s", r.Name, r.Fix)
	}
	return fmt.Sprintf("MISSING  %s: %s", r.Name, r.Fix)
}

const installFix = "run 'genreport kernel install'"

// CheckSetup says of everything that the project's kernel needs whether it is there, and at last whether a cell runs
// that imports a package of the repository (its import path, "" for none).
func CheckSetup(ctx context.Context, o SetupOptions, importPath string) []Requirement {
	goProgram, goErr := findGo()
	list := []Requirement{requirement("Go toolchain", goProgram, goErr)}
	spec, err := readKernelspec(o.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("not in %s: %s", o.Dir, installFix)
	}
	list = append(list, requirement("kernelspec "+ProjectKernel, o.Dir, err))
	if err == nil {
		list = append(list, o.checkParts(ctx, spec, goProgram)...)
	}
	if !slices.ContainsFunc(list, func(r Requirement) bool { return !r.Met() }) {
		list = append(list, requirement("a cell that imports the repository", "runs", probe(ctx, spec, importPath)))
	}
	return append(list,
		optional("gopls", spec.environment(os.Environ()), "completion in front ends works with it: go install golang.org/x/tools/gopls@v0.23.0"),
		optional("jupyter", os.Environ(), "a front end to open notebooks with: make jupyter, or on Debian apt-get install jupyter-notebook"))
}

func requirement(name, have string, err error) Requirement {
	if err != nil {
		return Requirement{Name: name, Fix: oneLine(err.Error())}
	}
	return Requirement{Name: name, Have: have}
}

// optional looks for a program along the PATH of an environment.
func optional(name string, env []string, fix string) Requirement {
	r := Requirement{Name: name, Fix: fix, Optional: true}
	r.Have, _ = lookPath(name, env)
	return r
}

// checkParts looks at what the kernelspec names.
func (o SetupOptions) checkParts(ctx context.Context, spec Kernelspec, goProgram string) []Requirement {
	var list []Requirement
	for name, path := range map[string]string{"gonb": gonbPackage, "goimports": goimportsPackage} {
		list = append(list, o.checkProgram(ctx, spec, goProgram, name, path))
	}
	slices.SortFunc(list, func(a, b Requirement) int { return strings.Compare(a.Name, b.Name) })
	repo := ""
	for _, arg := range spec.Argv {
		if path, ok := strings.CutPrefix(arg, "-go_work="); ok {
			repo = path
		}
	}
	r := Requirement{Name: "repository", Have: repo}
	if _, err := os.Stat(filepath.Join(repo, "go.mod")); err != nil {
		r = Requirement{Name: "repository", Fix: fmt.Sprintf("%q is not there any more: in its new place, %s", repo, installFix)}
	} else if here, err := repository(o.Repo); err == nil && here != repo {
		r = Requirement{Name: "repository", Fix: fmt.Sprintf("cells import the packages of %s, not of %s: %s", repo, here, installFix)}
	}
	return append(list, r)
}

// checkProgram compares a program of the kernel with the version that go.mod pins.
func (o SetupOptions) checkProgram(ctx context.Context, spec Kernelspec, goProgram, name, importPath string) Requirement {
	have := version(filepath.Join(spec.Dir, "bin", name))
	if have == "" {
		return Requirement{Name: name, Fix: filepath.Join(spec.Dir, "bin", name) + " is missing: " + installFix}
	}
	if goProgram != "" {
		if want, err := o.goOutput(ctx, goProgram, "list", "-f", "{{.Module.Path}} {{.Module.Version}}", importPath); err == nil && want != have {
			return Requirement{Name: name, Fix: fmt.Sprintf("it is %s, go.mod pins %s: %s", have, want, installFix)}
		}
	}
	return Requirement{Name: name, Have: have}
}

// version returns the module version of a Go program, "" if it is none.
func version(program string) string {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return ""
	}
	return info.Main.Path + " " + info.Main.Version
}

// checkTools says of the project's own kernel what it would only find out in a cell: that a program is gone which it
// calls for every cell.
func (k Kernelspec) checkTools(env []string) error {
	if k.Metadata.Siegebook.Built == "" {
		return nil
	}
	if _, err := lookPath("go", env); err != nil {
		return errNoGo
	}
	if _, err := lookPath("goimports", env); err != nil {
		return errors.New("goimports is not on its PATH: " + installFix)
	}
	return nil
}

// probe runs a cell.
func probe(ctx context.Context, spec Kernelspec, importPath string) error {
	source := "%%\nfmt.Print(42)"
	if importPath != "" {
		source = fmt.Sprintf("import _ %q\n%s", importPath, source)
	}
	s, err := startSession(ctx, spec, "", defaultPatience)
	if err != nil {
		return err
	}
	defer s.Close()
	result, err := s.runCell(ctx, Cell{Kind: Code, Source: source}, RunOptions{CellTimeout: 2 * time.Minute}.withDefaults(), map[string][]*Output{})
	if err != nil {
		return err
	}
	if len(result.outputs) != 1 || result.outputs[0].Text != "42" {
		return errors.New("it runs, but its output is not what it printed")
	}
	return nil
}
