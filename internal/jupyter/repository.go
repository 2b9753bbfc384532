package jupyter

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/internal/limitedread"
	"golang.org/x/mod/modfile"
)

// The project's kernel consists of two tools, in the versions in the repository's go.mod, and one program of our own.
const (
	gonbPackage      = "github.com/janpfeifer/gonb"
	goimportsPackage = "golang.org/x/tools/cmd/goimports"
	proxyProgram     = "gokernel"
)

var (
	toolPackages   = []string{gonbPackage, goimportsPackage}
	kernelPrograms = []string{path.Base(gonbPackage), path.Base(goimportsPackage), proxyProgram}
)

// repository is a folder with a go.mod that requires the tools of the kernel.
type repository struct {
	dir string // the absolute path
	mod *modfile.File
}

// openRepository reads the go.mod of a folder.
func openRepository(dir string) (repository, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return repository{}, err
	}
	file := filepath.Join(dir, "go.mod")
	data, err := limitedread.ReadFile(file, limitedread.MiB)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return repository{}, err
	}
	if err != nil {
		return repository{}, fmt.Errorf("%s is not the repository's folder, because it has no go.mod: "+
			"run this in the repository, or give its path with --repo", dir)
	}
	mod, err := modfile.Parse(file, data, nil)
	if err != nil {
		return repository{}, err
	}
	r := repository{dir, mod}
	for _, program := range toolPackages {
		named := slices.ContainsFunc(mod.Tool, func(t *modfile.Tool) bool { return t.Path == program })
		if !named || r.version(program) == "" {
			return repository{}, fmt.Errorf("%s does not list both of the kernel's tools, %s: run "+
				"go get -tool %s", file, strings.Join(toolPackages, " and "), program)
		}
	}
	if strings.Contains(dir, ",") {
		return repository{}, fmt.Errorf("%s: the kernel cannot work with a folder whose path contains a comma: "+
			"move the repository", dir)
	}
	return r, nil
}

// FindRepository returns the nearest folder, from dir upwards, whose go.mod requires the tools of the project's kernel.
// If there is none and dir is a link, it searches upwards from the link's target. If no folder matches, it returns "".
func FindRepository(dir string) string {
	resolved, _ := filepath.EvalSymlinks(dir)
	for _, place := range []string{dir, cmp.Or(resolved, dir)} {
		place, err := filepath.Abs(place)
		for above := ""; err == nil && place != above; place = filepath.Dir(place) {
			if r, err := openRepository(place); err == nil {
				return r.dir
			}
			above = place
		}
	}
	return ""
}

// version returns a package's module and its version in go.mod, or "" if go.mod does not require the module.
func (r repository) version(importPath string) string {
	best := modfile.Require{}
	for _, require := range r.mod.Require {
		path := require.Mod.Path
		if (importPath == path || strings.HasPrefix(importPath, path+"/")) && len(path) > len(best.Mod.Path) {
			best = *require
		}
	}
	if best.Mod.Path == "" {
		return ""
	}
	return best.Mod.Path + " " + best.Mod.Version
}

// hasProxy reports whether the repository contains the proxy program, which runs between front ends and gonb.
func (r repository) hasProxy() bool {
	return isFile(filepath.Join(r.dir, "cmd", proxyProgram, "main.go"))
}

// packages returns the packages of the kernel's programs.
func (r repository) packages() []string {
	if !r.hasProxy() {
		return toolPackages
	}
	return append(slices.Clone(toolPackages), r.mod.Module.Mod.Path+"/cmd/"+proxyProgram)
}

// writeSources writes to hash the sources in the repository from which the proxy program may be built.
func (r repository) writeSources(hash io.Writer) error {
	if !r.hasProxy() {
		return nil
	}
	own := filepath.FromSlash(strings.TrimPrefix(valuesPath, "github.com/siegebook/siegebook/"))
	for _, folder := range []string{"internal", filepath.Join("cmd", proxyProgram), own} {
		if _, err := os.Stat(filepath.Join(r.dir, folder)); errors.Is(err, fs.ErrNotExist) && folder == own {
			continue // an older clone may not have this folder
		}
		err := filepath.WalkDir(filepath.Join(r.dir, folder), func(file string, entry fs.DirEntry, err error) error {
			if err != nil || !entry.Type().IsRegular() || filepath.Ext(file) != ".go" ||
				strings.HasSuffix(file, "_test.go") {
				return err
			}
			text, err := os.ReadFile(file)
			fmt.Fprintf(hash, "%q %q\n", strings.TrimPrefix(file, r.dir), text)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// modules returns a line for each version that go.mod specifies.
func (r repository) modules() []string {
	var lines []string
	for _, require := range r.mod.Require {
		lines = append(lines, require.Mod.String())
	}
	for _, replace := range r.mod.Replace {
		to := replace.New.String()
		if modfile.IsDirectoryPath(replace.New.Path) && !filepath.IsAbs(replace.New.Path) {
			to = filepath.Join(r.dir, filepath.FromSlash(replace.New.Path))
		}
		lines = append(lines, replace.Old.String()+" => "+to)
	}
	slices.Sort(lines)
	return lines
}

// goVersion returns the Go version in go.mod.
func (r repository) goVersion() string {
	if r.mod.Go == nil {
		return "1.21"
	}
	return r.mod.Go.Version
}

// Download returns the folder of a module's version in the module cache. It downloads the module if necessary.
func Download(ctx context.Context, module, version string) (string, error) {
	program, err := findGo()
	if err != nil {
		return "", err
	}
	t := toolchain{program: program, repo: os.TempDir(), flags: buildFlags}
	out, err := t.goOutput(ctx, nil, "mod", "download", "-json", module+"@"+version)
	if err != nil { // without -json, Go prints the reason
		_, why := t.goOutput(ctx, nil, "mod", "download", module+"@"+version)
		return "", cannotGet(cmp.Or(why, err).Error())
	}
	var found struct{ Dir string }
	err = json.Unmarshal([]byte(out), &found)
	return found.Dir, err
}
