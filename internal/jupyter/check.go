package jupyter

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/siegebook/siegebook/internal/plural"
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

//go:embed gopls.txt
var gopls string

// Gopls is what go install takes for the gopls that hints name.
func Gopls() string { return strings.TrimSpace(gopls) }

const installFix = "run 'go run ./cmd/genreport kernel install' in the repository"

// CheckSetup says of everything that the project's kernel needs whether it is there, and at last whether a cell runs
// that imports all packages of SetupOptions.Imports. It gets missing modules, as Setup does.
func CheckSetup(ctx context.Context, o SetupOptions) []Requirement {
	goProgram, goErr := findGo()
	list := []Requirement{requirement("Go toolchain", goProgram, goErr)}
	spec, err := readKernelspec(o.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("not in %s: %s", o.Dir, installFix)
	}
	list = append(list, requirement("kernelspec "+ProjectKernel, o.Dir, err))
	if err == nil {
		list = append(list, o.checkParts(spec)...)
	}
	if goErr == nil {
		importable, err := GetModules(ctx, o)
		have := "those of " + plural.Count(len(importable), "package") + " that cells import"
		list = append(list, requirement("modules", have, err))
		if !slices.ContainsFunc(list, func(r Requirement) bool { return !r.Met() }) {
			list = append(list, requirement("a cell that imports the repository", "runs", probe(ctx, spec, importable)))
		}
	}
	return append(list,
		optional("gopls", spec.environment(os.Environ()),
			"completion and help in front ends work with it: go install "+Gopls()),
		optional("jupyter", os.Environ(),
			"a front end to open notebooks with: make jupyter, or on Debian apt-get install jupyter-notebook"))
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
func (o SetupOptions) checkParts(spec Kernelspec) []Requirement {
	var list []Requirement
	here, hereErr := openRepository(o.Repo)
	for _, name := range kernelPrograms {
		want := ""
		i := slices.IndexFunc(toolPackages, func(p string) bool { return path.Base(p) == name })
		if i >= 0 && hereErr == nil {
			want = here.version(toolPackages[i])
		}
		if name != proxyProgram || filepath.Base(spec.Argv[0]) == name {
			list = append(list, checkProgram(spec, name, want))
		}
	}
	r := Requirement{Name: "repository"}
	if _, err := os.Stat(filepath.Join(spec.Repo(), "go.mod")); err != nil {
		r.Fix = fmt.Sprintf("%q is not there any more: in its new place, %s", spec.Repo(), installFix)
	} else if hereErr == nil && !SameFolder(here.dir, spec.Repo()) {
		r.Fix = fmt.Sprintf("cells import the packages of %s, not of %s: %s", spec.Repo(), here.dir, installFix)
	} else {
		r.Have = spec.Repo()
	}
	return append(list, r)
}

// SameFolder says whether two paths lead to one folder.
func SameFolder(a, b string) bool {
	first, err1 := os.Stat(a)
	second, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(first, second)
}

// checkProgram compares a program of the kernel with the version that go.mod pins, "" if that is unknown.
func checkProgram(spec Kernelspec, name, want string) Requirement {
	file := filepath.Join(spec.Dir, "bin", name)
	have := version(file)
	if have == "" {
		return Requirement{Name: name, Fix: file + " is missing: " + installFix}
	}
	if want != "" && want != have {
		return Requirement{Name: name, Fix: fmt.Sprintf("it is %s, go.mod pins %s: %s", have, want, installFix)}
	}
	return Requirement{Name: name, Have: have}
}

// version returns the module version of a Go program, "" if it is none.
func version(program string) string {
	info, err := readBuildInfo(program)
	if err != nil {
		return ""
	}
	return info.Main.Path + " " + info.Main.Version
}

// checkTools says what the project's own kernel would find out in a cell: that a program is gone.
func (k Kernelspec) checkTools(env []string) error {
	if !k.own() {
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
		return errors.New("it runs, but its output is not what it printed")
	}
	return nil
}
