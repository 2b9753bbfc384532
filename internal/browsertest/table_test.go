package browsertest

import (
	"path/filepath"
	"testing"
)

// narrowCells returns for each table of what was confirmed how many cells of its first column it has, and which of
// them are too narrow for the words that say where a statement stands.
const narrowCells = `() => [...document.querySelectorAll("[id$='tbl-confirmed']")].map((table) => {
	const cells = [...table.querySelectorAll("tbody tr > :first-child")];
	const narrow = cells.filter((e) => e.getBoundingClientRect().width < 7 * parseFloat(getComputedStyle(e).fontSize));
	return {id: table.id, cells: cells.length, narrow: narrow.map((e) => e.textContent)};
})`

// TestShortColumns: on a telephone too, the short column of the statements that hold is not squeezed by the long ones,
// neither on the pages of the folder nor in the edition of one file.
func TestShortColumns(t *testing.T) {
	t.Parallel()
	r := report(t)
	tab, _ := open(t, start(t, false))
	inFolder := 0
	look := func(file string) (tables int) {
		show(t, tab, fileURL(file), 390)
		for _, table := range ask[[]struct {
			ID     string
			Cells  int
			Narrow []string
		}](t, tab, narrowCells) {
			if tables++; table.Cells == 0 || len(table.Narrow) > 0 {
				t.Errorf("%s: of %d cells of %s too narrow are %q", filepath.Base(file), table.Cells, table.ID, table.Narrow)
			}
		}
		return tables
	}
	errata, err := filepath.Glob(filepath.Join(r.dir, "*-errata.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range errata {
		inFolder += look(page)
	}
	if inOne := look(r.single); inFolder == 0 || inOne != inFolder {
		t.Errorf("%d tables in the folder, %d in the one file", inFolder, inOne)
	}
}

// outsideMarks are the entries of legends whose sign is not in its box.
const outsideMarks = `() => [...document.querySelectorAll(".mark")].filter((mark) => {
	const sign = document.createRange(), box = mark.getBoundingClientRect();
	sign.selectNodeContents(mark);
	const text = sign.getBoundingClientRect();
	return text.left < box.left || text.right > box.right;
}).map((mark) => mark.parentNode.textContent)`

// TestMarks: the sign of a verdict stands in its coloured box.
func TestMarks(t *testing.T) {
	t.Parallel()
	tab, _ := open(t, start(t, false))
	for _, page := range []string{"castle-errata.html", "naval-errata.html"} {
		for _, width := range []int{390, 1280} {
			show(t, tab, fileURL(filepath.Join(report(t).dir, page)), width)
			if ask[int](t, tab, `() => document.querySelectorAll(".mark").length`) == 0 {
				t.Errorf("%s has no marks", page)
			}
			if outside := ask[[]string](t, tab, outsideMarks); len(outside) > 0 {
				t.Errorf("%s, %d px wide: outside of their boxes are the signs of %q", page, width, outside)
			}
		}
	}
}
