//go:build !wasip1

package show

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"github.com/janpfeifer/gonb/gonbui/protocol"

	"github.com/siegebook/siegebook/internal/cache"
	"github.com/siegebook/siegebook/internal/report/compile"
	"github.com/siegebook/siegebook/report/explore"
)

// script returns the script that makes drawings explorable. All drawings of a program share it. Tests replace it.
var script = func(set explore.Set) (explore.Cell, error) {
	made.Do(func() { made.cell, made.err = makeScript(context.Background(), set) })
	return made.cell, made.err
}

// made is not initialized in its declaration, so that programs without explorables do not link the code for it.
var made struct {
	sync.Once
	cell explore.Cell
	err  error
}

// makeScript creates the script with an engine that Go compiles. Outside a notebook, it returns an error.
func makeScript(ctx context.Context, set explore.Set) (explore.Cell, error) {
	if !inNotebook() {
		return explore.Cell{}, errNoEngine
	}
	repository, err := repositoryOf(ctx, os.Getenv(protocol.GONB_TMP_DIR_ENV))
	if err != nil {
		return explore.Cell{}, err
	}
	engine, err := compile.Module(ctx, repository, engineFolder(), set.Modules[0])
	switch {
	case errors.Is(err, compile.ErrNoGo):
		return explore.Cell{}, errNoEngine
	case err != nil:
		return explore.Cell{}, err
	}
	return set.ForCell(engine), nil
}

// repositoryOf returns the folder of the siegebook module that the module of the cells uses, according to Go.
func repositoryOf(ctx context.Context, folder string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "github.com/siegebook/siegebook")
	cmd.Dir = folder
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	dir := strings.TrimSpace(string(out))
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return "", errNoEngine
	case err != nil:
		return "", fmt.Errorf("find siegebook (go list -m): %w: %s", err,
			strings.Join(strings.Fields(stderr.String()), " "))
	case dir == "":
		return "", errors.New("find siegebook (go list -m): the module is not downloaded")
	}
	return dir, nil
}

// engineFolder returns the folder of the engine in the user's cache, which genreport also uses, or "" if other users
// could change it.
func engineFolder() string { return ownCache(compile.Folder) }

// ownCache returns a folder in the user's cache, or "" if other users could change it.
func ownCache(name string) string {
	folder, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	folder = filepath.Join(folder, "siegebook")
	if cache.Secure(folder, name) != nil {
		return ""
	}
	return filepath.Join(folder, name)
}
