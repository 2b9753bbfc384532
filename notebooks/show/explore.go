package show

import (
	"context"
	"errors"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"
	"github.com/siegebook/siegebook/internal/cache"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/explore"
)

// Explore shows a drawing as [Figure] does. If the front end lets outputs run scripts, an explorable of a book replaces
// the figure. The set has the explorables of the book, the kind names one of them, see [explore.Set.Kinds], and start
// has the values with which it begins, those of the drawing: "n=24&s=36&d=24". On the report's page of a lesson the
// explorable replaces the figure too. In a notebook that is not trusted and on paper the figure stays.
//
// The output contains script and engine, which makes the notebook's file 1.5 MB larger. The engine is the library as
// WebAssembly; Go compiles it for the first cell that shows one, which takes seconds. Without Go the figure stays. An
// unknown kind and invalid settings end the cell.
func Explore(set explore.Set, d Drawing, kind, start string) {
	f := drawn(Explored(set, d, kind, "%s", start))
	f.Explore.Other = false
	cell, err := script(set)
	switch {
	case errors.Is(err, explore.ErrNoGo):
		deliver(f, figureHTML(f))
	case err != nil:
		Fail("show: nothing to play with: %v", err)
	default:
		deliver(f, fmt.Sprintf(`<div class="siegebook-explorable" data-script="%s" data-kind="%s" data-start="%s">`+
			"\n%s</div>\n<script>\n%s</script>\n", cell.Name, kind, html.EscapeString(f.Explore.Address()),
			figureHTML(f), cell.Script))
	}
}

// Explored names the explorable of a book that shows the same as a drawing, see [Explore], and its first values,
// formatted as by [fmt.Sprintf]:
//
//	show.Slider("n", 1, 60, 24, func(n int64) show.Drawing {
//		return show.Explored(explorables.Set(), drawing(n), "castle-map", "n=%d&s=36&d=24", n)
//	})
//
// The report's page has a link to it below the figure. A notebook shows the drawing unchanged. Explored ends the cell
// for the same errors as Explore.
func Explored(set explore.Set, d Drawing, kind, format string, values ...any) Drawing {
	if kinds := set.Kinds(); !slices.Contains(kinds, kind) {
		Fail("show: nothing to play with: %q is no kind of explorable: choose one of %s", kind,
			strings.Join(kinds, ", "))
	}
	settings, err := content.ParseSettings(fmt.Sprintf(format, values...))
	e := explored{d, &content.Explorable{Kind: kind, Start: settings, Other: true}}
	if err == nil {
		err = e.by.Validate()
	}
	if err != nil {
		Fail("show: nothing to play with: %v", err)
	}
	return e
}

// explored is a drawing with the explorable that shows the same.
type explored struct {
	Drawing
	by *content.Explorable
}

// Figure is the drawing's, with its explorable.
func (e explored) Figure() (content.Figure, error) {
	if e.Drawing == nil {
		return content.Figure{}, errors.New("the drawing is nil")
	}
	f, err := e.Drawing.Figure()
	f.Explore = e.by
	return f, err
}

// script returns the script that makes a drawing explorable, the same for all drawings of a program. Tests replace it.
var script = func(set explore.Set) (explore.Cell, error) {
	made.Do(func() { made.cell, made.err = makeScript(context.Background(), set) })
	return made.cell, made.err
}

// made is not computed at its declaration, so that programs without explorables do not link the code for it.
var made struct {
	sync.Once
	cell explore.Cell
	err  error
}

// makeScript makes the script with an engine that Go compiles. Outside of a notebook there is none.
func makeScript(ctx context.Context, set explore.Set) (explore.Cell, error) {
	if !gonbui.IsNotebook {
		return explore.Cell{}, explore.ErrNoGo
	}
	repository, err := repositoryOf(ctx, os.Getenv(protocol.GONB_TMP_DIR_ENV))
	if err != nil {
		return explore.Cell{}, err
	}
	engine, err := explore.Compile(ctx, repository, engineFolder(), set.Modules[0])
	if err != nil {
		return explore.Cell{}, err
	}
	return set.ForCell(engine), nil
}

// repositoryOf asks Go for the folder of siegebook that the module of the cells uses.
func repositoryOf(ctx context.Context, folder string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "github.com/siegebook/siegebook")
	cmd.Dir = folder
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	dir := strings.TrimSpace(string(out))
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return "", explore.ErrNoGo
	case err != nil:
		return "", fmt.Errorf("where siegebook is (go list -m): %w: %s", err,
			strings.Join(strings.Fields(stderr.String()), " "))
	case dir == "":
		return "", errors.New("where siegebook is (go list -m): it is not downloaded")
	}
	return dir, nil
}

// engineFolder is the folder of the engine in the user's cache, the same as genreport's; "" if others could change it.
func engineFolder() string {
	folder, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	folder = filepath.Join(folder, "siegebook")
	if cache.Secure(folder, explore.Folder) != nil {
		return ""
	}
	return filepath.Join(folder, explore.Folder)
}
