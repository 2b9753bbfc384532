package show

import (
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"math"
	"math/big"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/siegebook/siegebook/internal/must"
	_ "github.com/siegebook/siegebook/internal/rapidseed"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/explore"
	"github.com/siegebook/siegebook/report/explore/module"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
)

// tables is the file that contains the tables for the tests.
const tables = "testdata/tables.txt"

// capture returns the outputs of a cell that are for people, in both forms.
func capture(t interface{ Helper() }, cell func()) (rich, plain []string) {
	t.Helper()
	before := send
	defer func() { send = before }()
	send = func(_ content.Block, r, p string) { rich, plain = append(rich, r), append(plain, p) }
	cell()
	return rich, plain
}

// blocks returns the outputs of a cell that are for the report.
func blocks(cell func()) (list []content.Block) {
	before := send
	defer func() { send = before }()
	send = func(b content.Block, _, _ string) { list = append(list, b) }
	cell()
	return list
}

// panicOf returns the value with which a call panics, or "" if the call does not panic.
func panicOf(call func()) string { return strings.TrimPrefix(fmt.Sprint(must.Panic(call)), "<nil>") }

var drawing = figure.Lines{
	Title:  `Squares of "a" & <b>`,
	X:      figure.Axis{Label: "n"},
	Y:      figure.Axis{Label: "n²"},
	Series: []figure.Series{{Name: "squares", Points: []figure.Point{{X: 0, Y: 0}, {X: 1, Y: 1}, {X: 2, Y: 4}}}},
}

var legended = figure.PhaseMap{
	Title: "Parity", X: figure.Cells("x", 0, 6, 1), Y: figure.Cells("y", 0, 0, 1), W: 7, H: 1,
	Cells: []int{-1, -2, -3, -4, -5, -6, -7},
	Classes: []figure.Class{ // too many classes to name in the map, so the legend must name them
		{Value: -1, Label: "even < odd", Sign: "✓"},
		{Value: -2, Label: "odd"},
		{Value: -3, Label: "three"},
		{Value: -4, Label: "four"},
		{Value: -5, Label: "five"},
		{Value: -6, Label: "six"},
		{Value: -7, Label: "seven", Swatch: figure.Missing},
	},
}

var image = regexp.MustCompile(`<img src="data:image/svg\+xml;base64,([^"]*)" alt="([^"]*)"`)

// TestFigure checks the parts of the output: a well-formed picture with a background, the description and the legend.
func TestFigure(t *testing.T) {
	rich, plain := capture(t, func() { Figure(legended) })
	if len(rich) != 1 {
		t.Fatalf("%d outputs, want 1", len(rich))
	}
	want, err := legended.Figure()
	must.Do(t, err)
	images := image.FindAllStringSubmatch(rich[0], -1)
	if len(images) != 1+len(legended.Classes) {
		t.Fatalf("%d images, want the figure and an icon for each class:\n%s", len(images), rich[0])
	}
	for i, img := range images {
		svg := must.Get(base64.StdEncoding.DecodeString(img[1]))
		for range must.Tokens(t, "an image", svg) { // reads the whole image
		}
		first := regexp.MustCompile(`^<svg [^>]*>(<[^>]*>)`).FindStringSubmatch(string(svg))
		if len(first) < 2 || first[1] != `<rect width="100%" height="100%" fill="#fff"/>` {
			t.Errorf("image %d does not begin with its ground: %.200s", i, svg)
		}
	}
	if got := html.UnescapeString(images[0][2]); got != want.Alt {
		t.Errorf("alt is %q, want %q", got, want.Alt)
	}
	for _, text := range []string{"<b>Parity</b>", "even &lt; odd (✓):&nbsp;1&nbsp;(14.3&nbsp;%)"} {
		if !strings.Contains(rich[0], text) {
			t.Errorf("no %q in\n%s", text, rich[0])
		}
	}
	if plain[0] != want.Title+"\n"+want.Alt {
		t.Errorf("as text it is %q", plain[0])
	}
}

// TestNumbers checks that a picture has a table of its data, or of a map's areas, truncated to a readable length.
func TestNumbers(t *testing.T) {
	long := figure.Lines{Title: "Long", X: drawing.X, Y: drawing.Y, Series: []figure.Series{{Name: "n"}}}
	for i := range 2000 {
		long.Series[0].Points = append(long.Series[0].Points, figure.Point{X: float64(i), Y: float64(i)})
	}
	f, err := long.Figure()
	must.Do(t, err)
	rich, plain := capture(t, func() { Figure(drawing); Figure(legended); Figure(long) })
	for i, want := range []struct {
		rows  int
		parts []string
	}{
		{1 + 3, []string{"</i> Data as a table</summary>", ">squares</td>", ">4</td>"}},
		{1 + 7, []string{"</i> Summary as a table</summary>", ">even &lt; odd</td>", ">odd</td>"}},
		{1 + 60, []string{fmt.Sprintf("The first 60 of %s rows.", figure.Thousands(fmt.Sprint(len(f.Data.Rows))))}},
	} {
		_, table, found := strings.Cut(rich[i], "<details>")
		if rows := strings.Count(table, "<tr>"); !found || rows != want.rows {
			t.Errorf("output %d has a table of %d rows, want %d", i, rows, want.rows)
		}
		for _, part := range want.parts {
			if !strings.Contains(table, part) {
				t.Errorf("no %q in %s", part, table)
			}
		}
		if strings.Contains(plain[i], "as a table") {
			t.Errorf("the text repeats the table:\n%s", plain[i])
		}
	}
}

// TestUntrusted checks that the output contains nothing that front ends remove from notebooks that they do not trust.
func TestUntrusted(t *testing.T) {
	rich, _ := capture(t, func() {
		Figure(drawing)
		Figure(legended)
		NewTable("<script>", "a").Row("<style>").Show()
		Text("<svg onload=x>")
		Claim(true, "<script>")
	})
	for _, r := range rich {
		if bad := regexp.MustCompile(`(?i)<(script|style|svg|iframe|object|link)|javascript:|<[^>"]*\son\w+=`).FindString(r); bad != "" {
			t.Errorf("%q in %s", bad, r)
		}
	}
}

func TestTable(t *testing.T) {
	rich, plain := capture(t, func() {
		NewTable("Powers", "name", "value", "share").
			Row("one & all", 1, "").
			Row("many", new(big.Int).Lsh(big.NewInt(1), 70), 0.25).
			Row("none", -12345, 1e-9).
			Row("2", "lost", "-1234.5").Show()
	})
	const want = `Powers
name                               value    share
one & all                              1
many       1,180,591,620,717,411,303,424     0.25
none                             −12,345    1e-09
2                                   lost  −1234.5`
	if plain[0] != want {
		t.Errorf("as text:\n%s\nwant:\n%s", plain[0], want)
	}
	for _, part := range []string{
		"<b>Powers</b>", `<th scope="col" align="left" style="text-align:left">name</th>`,
		`<th scope="col" align="right" style="text-align:right">value</th>`,
		`<td align="left" style="text-align:left">one &amp; all</td><td align="right" style="text-align:right">1</td>`,
	} {
		if !strings.Contains(rich[0], part) {
			t.Errorf("no %q in\n%s", part, rich[0])
		}
	}
}

// TestColumnsLineUp checks that the cells of each row are in the right columns, whatever they contain.
func TestColumnsLineUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table := NewTable("", "first", "second")
		rows := rapid.SliceOfN(rapid.StringMatching(`[a-zé€<&]{0,12}`), 1, 8).Draw(t, "rows")
		for i, text := range rows {
			table.Row(text, i)
		}
		rich, plain := capture(t, table.Show)
		lines := strings.Split(plain[0], "\n")
		if len(lines) != len(rows)+1 {
			t.Fatalf("%d lines for %d rows", len(lines), len(rows))
		}
		for _, line := range lines {
			if got, want := len([]rune(line)), len([]rune(lines[0])); got != want {
				t.Fatalf("a line of %d characters below one of %d:\n%s", got, want, plain[0])
			}
		}
		if cells := strings.Count(rich[0], "<td "); cells != 2*len(rows) {
			t.Fatalf("%d cells in %d rows", cells, len(rows))
		}
	})
}

// TestBlocks checks that the report receives the same data that front ends receive as HTML.
func TestBlocks(t *testing.T) {
	squares, err := drawing.Figure()
	must.Do(t, err)
	parity, err := legended.Figure()
	must.Do(t, err)
	parity.Box = content.Box{} // it is not part of the JSON, because nobody can point at a notebook's figure
	got := blocks(func() {
		Figure(drawing)
		Figure(legended)
		Place("squares", drawing)
		NewTable("Powers", "name", "value").Row("half", 0.5).Row("<many>", uint64(math.MaxUint64)).Show()
		Text("%d\n%d", -1, 2)
		Claim(true, "%d < %d", 1, 2)
		all := Every("n = n")
		all.Case(true, "")
		all.Show()
	})
	for i, b := range got {
		data, err := content.Marshal(b)
		must.Do(t, err)
		got[i] = must.Get(content.Unmarshal(data))
	}
	placed := squares.Named("squares")
	want := []content.Block{
		&squares, &parity, &placed,
		&content.Table{
			Title: "Powers", Header: []content.Cell{content.Text("name"), content.Text("value")},
			Rows: [][]content.Cell{
				{content.Text("half"), content.Decimal("0.5")},
				{content.Text("<many>"), content.Int(uint64(math.MaxUint64))},
			},
		},
		content.Output{Kind: content.Sentence, Text: "−1\n2"},
		content.Claim{Text: "1 < 2"},
		content.Claim{Text: "n = n", Cases: 1},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestVastData checks that a figure with too much data is sent without the data, and that its summary is kept.
func TestVastData(t *testing.T) {
	plain := must.Get(figure.Tree{Title: "One", Root: &figure.Node{Lines: []string{"a"}}}.Figure())
	got := blocks(func() {
		for _, rows := range []int{1, 3400} {
			f := plain
			f.Data = content.Records{Header: make([]string, 10_000)}
			f.Data.Rows = slices.Repeat([][]string{f.Data.Header}, rows)
			f.Summary = content.Records{Header: []string{"rows"}, Rows: [][]string{{fmt.Sprint(rows)}}}
			Block(f)
		}
	})
	small, vast := got[0].(*content.Figure), got[1].(*content.Figure)
	if len(small.Data.Rows) != 1 || len(vast.Data.Rows) != 0 || len(vast.Summary.Rows) == 0 {
		t.Errorf("%d and %d rows of data, want 1 and none; %d rows of summary", len(small.Data.Rows),
			len(vast.Data.Rows), len(vast.Summary.Rows))
	}
}

func TestPanics(t *testing.T) {
	for _, test := range []struct {
		call func()
		want string
	}{
		{func() { Figure(figure.Lines{}) }, "show: cannot draw the figure: "},
		{func() { NewTable("", "a", "b").Row(1) }, "a row of 1 cell in a table of 2 columns"},
		{func() { Claim(1 == 2, "%d is %d", 1, 2) }, "this claim does not hold: 1 is 2"},
		{func() { Every("nothing").Show() }, "this claim was not tested on any case: nothing"},
		{func() {
			squares := Every("n² = n")
			for n := range 5 {
				squares.Case(n*n == n, "n = %d", n)
			}
		}, "this claim does not hold: n² = n. Case 3: n = 2"},
	} {
		var got string
		rich, _ := capture(t, func() { got = panicOf(test.call) })
		if !strings.Contains(got, test.want) {
			t.Errorf("panics with %q, want %q", got, test.want)
		}
		if len(rich) > 0 {
			t.Errorf("shows %q before it panics", rich)
		}
	}
}

// TestPlaced checks that the position follows the first line of a message, on its own line.
func TestPlaced(t *testing.T) {
	must.Answers(t, tables, func(row struct{ Text, Place string }) []any { return []any{placed(row.Text, row.Place)} })
}

func TestBetween(t *testing.T) {
	must.Answers(t, tables, func(row struct{ Value, Least, Most int64 }) []any {
		return []any{panicOf(func() { Between("n", row.Value, row.Least, row.Most) })}
	})
}

// TestSettles checks that a display waits until the pipes are empty, and then until the kernel has been idle for a
// moment.
func TestSettles(t *testing.T) {
	var calls []string
	left := 3
	s := settler{limit: time.Hour, printed: func() int {
		calls = append(calls, "printed")
		left--
		return max(0, left)
	}}
	s.idle = func() bool {
		calls = append(calls, "idle")
		return len(calls) > 6
	}
	s.wait()
	want := []string{"printed", "printed", "printed", "idle", "printed", "idle", "printed", "idle"}
	if diff := cmp.Diff(want, calls); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestGivesUp checks that a kernel that never reads what was printed delays a program only once, and not with every
// display.
func TestGivesUp(t *testing.T) {
	for name, s := range map[string]*settler{
		"full pipe": {
			limit: 50 * time.Millisecond, printed: func() int { return 1 },
			idle: func() bool { return true },
		},
		"busy kernel": {
			limit: 50 * time.Millisecond, printed: func() int { return 0 },
			idle: func() bool { return false },
		},
	} {
		begin := time.Now()
		s.wait()
		if waited := time.Since(begin); waited < s.limit {
			t.Errorf("%s: it gave up after %v", name, waited)
		}
		asked := false
		s.printed = func() int { asked = true; return 1 }
		if s.wait(); asked {
			t.Errorf("%s: it waits again", name)
		}
	}
}

// maps contains the explorables of a book.
var maps = explore.Set{Modules: []explore.Module{
	{Module: module.Module{Pictures: []pictures.Picture{{Name: "castle-map"}}}, Name: "engine"},
}}

// scripted makes cells get a script, or an error, during a test.
func scripted(t *testing.T, cell explore.Cell, err error) {
	t.Helper()
	before := script
	t.Cleanup(func() { script = before })
	script = func(explore.Set) (explore.Cell, error) { return cell, err }
}

// TestExplore checks that the output contains the same figure as without a script, followed by the script.
func TestExplore(t *testing.T) {
	cell := maps.ForCell([]byte("the engine"))
	scripted(t, cell, nil)
	still, _ := capture(t, func() { Figure(legended) })
	rich, plain := capture(t, func() { Explore(maps, legended, "castle-map", "n=24&s=36&d=24") })
	want := `<div class="siegebook-explorable" data-script="` + cell.Name +
		`" data-kind="castle-map" data-start="n=24&amp;s=36&amp;d=24">` + "\n" + still[0] + "</div>\n<script>\n" +
		cell.Script + "</script>\n"
	if len(rich) != 1 || rich[0] != want {
		t.Errorf("%.500q, want %.500q", rich, want)
	}
	if strings.Contains(plain[0], "script") {
		t.Errorf("as text it is %q", plain[0])
	}
	if engine := explore.Text([]byte("the engine")); strings.Count(rich[0], engine) != 1 {
		t.Errorf("the engine stands %d times in the output", strings.Count(rich[0], engine))
	}
	if tags := regexp.MustCompile(`(?i)</?script|<!--`).FindAllString(rich[0], -1); len(tags) != 2 {
		t.Errorf("a browser sees another end of the script than we: %q", tags)
	}

	list := blocks(func() { Explore(maps, legended, "castle-map", "n=24&s=36&d=24") })
	data, err := content.Marshal(list[0])
	must.Do(t, err)
	if len(data) > 100_000 {
		t.Errorf("the report gets %d bytes: the engine is none of its business", len(data))
	}
	block, err := content.Unmarshal(data)
	must.Do(t, err)
	if f := block.(*content.Figure); f.Explore == nil || f.Explore.Kind != "castle-map" ||
		f.Explore.Address() != "n=24&s=36&d=24" {
		t.Errorf("the report gets %+v", f.Explore)
	}
}

// TestExploreWithoutGo checks that the drawing is shown if there is no Go.
func TestExploreWithoutGo(t *testing.T) {
	scripted(t, explore.Cell{}, errNoEngine)
	still, _ := capture(t, func() { Figure(legended) })
	rich, _ := capture(t, func() { Explore(maps, legended, "castle-map", "n=24") })
	if rich[0] != still[0] {
		t.Errorf("%q, want %q", rich[0], still[0])
	}
}

func TestExploreFails(t *testing.T) {
	scripted(t, explore.Cell{}, errors.New("no space left"))
	for _, row := range must.Rows(t, tables, "TestExploreFails") {
		refused(t, "show: cannot show the explorable: "+row[2], func() { Explore(maps, legended, row[0], row[1]) })
	}
}

// TestRepositoryOf checks that the module that the kernel creates for cells determines the repository.
func TestRepositoryOf(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip(err)
	}
	repo := must.Get(filepath.Abs(filepath.Join("..", "..")))
	cells := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":  "module cells\n\ngo 1.26\n",
		"go.work": "go 1.26.0\n\nuse (\n\t.\n\t" + repo + "\n)\n",
	} {
		must.Write(t, filepath.Join(cells, name), text)
	}
	for name, value := range map[string]string{"GOWORK": "", "GOFLAGS": "", "GOPROXY": "off", "GOTOOLCHAIN": "local"} {
		t.Setenv(name, value)
	}
	if got, err := repositoryOf(t.Context(), cells); err != nil || got != repo {
		t.Errorf("%q, %v, want %q", got, err, repo)
	}
	if got, err := repositoryOf(t.Context(), t.TempDir()); err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("without a module: %q, %v; want an error of one line", got, err)
	}
}
