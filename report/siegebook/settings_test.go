package siegebook

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/report/book"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/press"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/siegebook/explorables"
)

// chosen builds pages with settings. As in a build with flags, the cells of the pages run with these settings.
func chosen(t *testing.T, settings chapter.Settings, only ...string) (site.Tree, error) {
	t.Helper()
	p := press.New(press.Settings{Dir: ".", Cache: scratch, Known: explorables.Set(), Only: only})
	defer p.Close()
	full, pages, err := p.AddPages(t.Context(), Book(), settings)
	if err != nil {
		return nil, err
	}
	if faults := pages.Faults(); len(faults) > 0 {
		return nil, faults
	}
	return book.Build(t.Context(), full, book.Options{Settings: settings, Only: only})
}

// onSettings lists the pages that depend on settings.
var onSettings = []string{"castle-side", "castle-agreement", "castle-compared"}

// TestAnySettings builds the pages for grids and surveys in which some kinds of battles do not occur.
func TestAnySettings(t *testing.T) {
	for i, row := range must.Rows(t, "castle/testdata/tables.txt", "TestAnySettings") {
		if testing.Short() && i != 2 { // in this row, the soldiers never win
			continue
		}
		t.Run(row[0], func(t *testing.T) {
			settings := chapter.Settings{"grid": row[1], "survey": row[2]}
			maps.DeleteFunc(settings, func(_, value string) bool { return value == "" })
			tree := must.Get(chosen(t, settings, onSettings...))
			for _, slug := range onSettings {
				page := string(tree[slug+".html"])
				if page == "" || strings.Contains(page, "NaN") || strings.Contains(page, "%!") {
					t.Errorf("%s is\n%.3000s", slug, page)
				}
			}
			if !strings.Contains(string(tree["castle-compared.html"]), "best play") {
				t.Errorf("best play is not compared:\n%.3000s", tree["castle-compared.html"])
			}
			figures := []string{"all lost", "small"}
			if lost := strings.Contains(string(tree["castle-side.html"]), `id="fig-resistance"`); slices.Contains(
				figures, row[0]) && !lost || row[0] == "all won" && lost {
				t.Errorf("a figure of lost battles: %v", lost)
			}
		})
	}
}

// TestSettingsReach checks that a page depends on the settings, and a value that its parameter refuses stops the build.
func TestSettingsReach(t *testing.T) {
	tree := must.Get(chosen(t, chapter.Settings{"grid": "soldiers=12,castle=1:40,defenders=1:30"}, "castle-side"))
	if page := string(tree["castle-side.html"]); !strings.Contains(page, "of 1200 battles") {
		t.Errorf("the page does not show the grid that was chosen:\n%.3000s", page)
	}
	_, err := chosen(t, chapter.Settings{"grid": "soldiers=0"}, "castle-side")
	must.ErrorContains(t, err, "grid: soldiers: ")
}

// TestRefusedSetting checks that a fault of an added program is reported as a fault of the flag, and not of the page
// that runs the program.
func TestRefusedSetting(t *testing.T) {
	programs := `[{"file":"rash.star","text":"def at_defenders(n, s, d, wave, N, S, D):\n    return -1\n"}]`
	_, err := chosen(t, chapter.Settings{"grid": small["grid"], "algorithm": programs}, "castle-agreement")
	var setting *chapter.SettingError
	if !errors.As(err, &setting) || setting.Name != "algorithm" ||
		!strings.HasPrefix(setting.Err.Error(), "rash.star: battle (12, 1, 1), wave 1") {
		t.Errorf("%v", err)
	}
}
