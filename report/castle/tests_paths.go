package castle

import (
	"fmt"
	"slices"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/site"
)

// printedPaths are the fastest wins that Castle Defense II prints, by test: soldiers, defenders and castle hits at the
// end of each wave.
var printedPaths = map[int][2][][3]int64{
	2: {
		{{2, 1, 8}, {2, 1, 7}, {2, 1, 6}, {2, 1, 5}, {2, 1, 4}, {2, 1, 3}, {2, 1, 2}, {1, 1, 0}, {1, 0, 0}},
		{{2, 1, 8}, {2, 1, 7}, {2, 1, 6}, {2, 1, 5}, {2, 1, 4}, {2, 1, 3}, {2, 1, 2}, {2, 1, 1}, {2, 0, 0}},
	},
	7: {
		{{4, 7, 2}, {0, 5, 0}},
		{{4, 7, 2}, {0, 4, 1}},
	},
}

// pathTests are the tests of which the post prints paths, and whose wins they are.
var pathTests = []struct {
	number int
	side   game.Winner
}{{2, game.Soldiers}, {7, game.Castle}}

// addPaths puts the printed paths on the page, after a comparison with the library's.
func addPaths(page *site.Page, tests []postTest) error {
	for _, test := range pathTests {
		b := tests[test.number].Battle
		paths, err := b.MinimumPaths(test.side)
		if err != nil {
			return err
		}
		var found []game.Path
		for path := range paths {
			found = append(found, path.Clone())
		}
		if err := chapter.Expect("there are two fastest wins", len(found) == 2, b, len(found)); err != nil {
			return err
		}
		part := 0
		for i, path := range found {
			var ends [][3]int64
			for _, s := range path.States[1:] {
				ends = append(ends, [3]int64{s.Soldiers, int64(s.Defenders), s.CastleHits})
			}
			if err := chapter.Expect("the post prints the same states", slices.Equal(ends, printedPaths[test.number][i]), b, ends); err != nil {
				return err
			}
		}
		for found[0].States[part] == found[1].States[part] {
			part++
		}
		prefix := fmt.Sprintf("paths %d ", test.number)
		page.Values[prefix+"battle"] = triple(b)
		if test.side == game.Soldiers {
			page.Values[prefix+"part"], page.Values[prefix+"waves"] = part, found[0].Waves()
		}
		page.Tables = append(page.Tables, pathsTable(fmt.Sprintf("paths-%d", test.number), found))
	}
	return nil
}

// pathsTable lists two paths of the same length side by side.
func pathsTable(id string, paths []game.Path) content.Table {
	table := chapter.Table(id, "wave")
	table.Groups = []content.Group{{Cell: content.Text(""), Span: 1}}
	for i := range paths {
		table.Groups = append(table.Groups, content.Group{Cell: content.Text(fmt.Sprintf("path %d", i+1)), Span: 4})
		table.Header = append(table.Header, chapter.Row(chapter.MD("$i$"), "soldiers", "defenders", "hits")...)
	}
	for wave := range paths[0].States {
		name := any(wave)
		if wave == 0 {
			name = "start"
		}
		row := chapter.Row(name)
		for _, path := range paths {
			order := content.Text("")
			if wave > 0 {
				order = content.Int(path.Moves[wave-1])
			}
			state := path.States[wave]
			row = append(row, chapter.Row(order, state.Soldiers, state.Defenders, state.CastleHits)...)
		}
		table.Rows = append(table.Rows, row)
	}
	return table
}
