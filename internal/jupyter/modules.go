package jupyter

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/siegebook/siegebook/internal/atomicfile"
)

// listing is what Go says of each package that is asked for, or that such a package needs: its path if a cell can
// import it, and what is wrong with it, unless it is the repository's own.
const listing = `{{if .Error}}{{if not (and .Module .Module.Main)}}missing {{.ImportPath}} ` +
	`{{printf "%q" .Error.Err}}{{end}}` +
	`{{else if not .DepOnly}}{{.Name}} {{.ImportPath}}{{end}}`

// getPackages downloads the modules that packages need, and returns those of the packages that a cell can import.
// Errors in the repository's own packages are none here: whoever builds them tells more.
func (s setup) getPackages(ctx context.Context, settings, patterns []string) ([]string, error) {
	args := append([]string{"list", "-e", "-deps", "-f", listing, "--"}, patterns...)
	out, err := s.tools.goOutput(ctx, settings, args...)
	if err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		return nil, cannotGet(err.Error())
	}
	var importable []string
	for line := range strings.Lines(out) {
		kind, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		importPath, quoted, _ := strings.Cut(rest, " ")
		switch kind {
		case "missing":
			text, err := strconv.Unquote(quoted)
			if err != nil {
				return nil, err
			}
			if !ownMistake.MatchString(text) {
				return nil, cannotGet(importPath + ": " + text)
			}
		case "main", "":
		default:
			if !strings.Contains("/"+importPath+"/", "/internal/") {
				importable = append(importable, importPath)
			}
		}
	}
	return importable, nil
}

// getModules does what GetModules says. A cell is built in a workspace, where Go wants to know the go.mod of every
// module that any other one names, far more than in the repository. So the question is asked in a workspace too.
// To compile the packages for the first time may take longer than a cell has.
func (s setup) getModules(ctx context.Context) ([]string, error) {
	temp, err := atomicfile.NewFolder("", "siegebook-workspace")
	if err != nil {
		return nil, err
	}
	defer func() { _ = temp.Remove() }()
	work := filepath.Join(temp.Path, "go.work")
	text := fmt.Appendf(nil, "go %s\n\nuse %s\n", s.repo.goVersion(), modfile.AutoQuote(s.repo.dir))
	if s.Module != "" {
		text = fmt.Appendf(text, "use %s\n", modfile.AutoQuote(s.Module))
	}
	if err := os.WriteFile(work, text, 0o600); err != nil {
		return nil, err
	}
	patterns := s.Imports
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	if s.Module != "" {
		patterns = append(slices.Clone(patterns), filepath.Join(s.Module, "..."))
	}
	importable, err := s.getPackages(ctx, []string{"GOWORK=" + work}, patterns)
	if err != nil || len(importable) == 0 {
		return importable, err
	}
	// The cell that imports a package says that it does not compile.
	settings := []string{"GOWORK=" + work, "GOPROXY=off", "CGO_ENABLED=0", "GOFLAGS=" + cellFlags}
	_, _ = s.tools.goOutput(ctx, settings, append([]string{"build", "--"}, importable...)...)
	return importable, ctx.Err()
}

// ownMistake matches where the repository asks for a package that no module of its go.mod has.
var ownMistake = regexp.MustCompile(`no required module provides package | is not in std`)

func cannotGet(reason string) error {
	fix := "run it once with the network, or set GOPROXY to a proxy that has them"
	if strings.Contains(reason, "permission denied") || strings.Contains(reason, "read-only file system") {
		fix = "set GOMODCACHE to a folder that you may write to, or have it filled by somebody who may"
	}
	return fmt.Errorf("cannot get the modules that cells need: %s: %s", oneLine(reason), fix)
}
