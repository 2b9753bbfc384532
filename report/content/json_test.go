package content

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/siegebook/siegebook/internal/must"
	_ "github.com/siegebook/siegebook/internal/rapidseed"
	"pgregory.net/rapid"
)

// anyText generates text with characters that JSON, HTML and drawings escape.
var anyText = rapid.OneOf(rapid.StringMatching(`[a-z<>&"'\\/ \n\t\x{2028}é−]{0,12}`), rapid.String())

var anyWords = rapid.StringMatching(`[a-z]{1,5}[ <&"é]?[a-z]{0,3}`)

var anyID = rapid.StringMatching(`([a-z0-9]{1,4}(-[a-z0-9]{1,3})?)?`)

var anyDrawing = rapid.Custom(func(t *rapid.T) Drawing {
	return Drawing("<svg>" + anyText.Draw(t, "drawing") + "</svg>")
})

var anyCell = rapid.Custom(func(t *rapid.T) Cell {
	c := rapid.SampledFrom([]Cell{
		Text(anyText.Draw(t, "text")), Int(rapid.Int64().Draw(t, "int")), Decimal("-1.5e-9"),
		Rich("*x* & $<$"), BigInt(new(big.Int).Lsh(big.NewInt(1), 70)),
	}).Draw(t, "cell")
	if rapid.Bool().Draw(t, "marked") {
		c = c.Marked(Mark{
			rapid.SampledFrom([]Tone{Plain, Red, Grey}).Draw(t, "tone"), anyWords.Draw(t, "sign"),
			anyWords.Draw(t, "meaning"),
		})
	}
	return c
})

var anyRecords = rapid.Custom(func(t *rapid.T) Records {
	width := rapid.IntRange(0, 3).Draw(t, "width")
	if width == 0 {
		return Records{}
	}
	row := rapid.SliceOfN(anyText, width, width)
	return Records{row.Draw(t, "header"), rapid.SliceOfN(row, 0, 3).Draw(t, "rows")}
})

var anyTable = rapid.Custom(func(t *rapid.T) Block {
	width := rapid.IntRange(1, 3).Draw(t, "width")
	row := rapid.SliceOfN(anyCell, width, width)
	table := &Table{
		ID: anyID.Draw(t, "id"), Title: anyText.Draw(t, "title"), Header: row.Draw(t, "header"),
		Rows:      rapid.SliceOfN(row, 0, 3).Draw(t, "rows"),
		RowHeader: rapid.Bool().Draw(t, "rowHeader"), Data: anyRecords.Draw(t, "data"),
	}
	if rapid.Bool().Draw(t, "groups") {
		table.Groups = []Group{{anyCell.Draw(t, "group"), width}}
	}
	return table
})

var anyFigure = rapid.Custom(func(t *rapid.T) Block {
	f := &Figure{
		ID: anyID.Draw(t, "id"), Title: anyText.Draw(t, "title"), Light: anyDrawing.Draw(t, "light"),
		Dark:  anyDrawing.Draw(t, "dark"),
		Width: rapid.IntRange(1, math.MaxInt).Draw(t, "width"), Height: rapid.IntRange(1, 9).Draw(t, "height"),
		Alt:  anyWords.Draw(t, "alt"),
		Data: anyRecords.Draw(t, "data"), Summary: anyRecords.Draw(t, "summary"), SummaryNote: anyText.Draw(t, "note"),
	}
	for range rapid.IntRange(0, 3).Draw(t, "entries") {
		e := LegendEntry{
			Label: anyWords.Draw(t, "label"), Count: anyText.Draw(t, "count"),
			Sign: anyWords.Draw(t, "sign"),
		}
		if rapid.Bool().Draw(t, "icons") {
			e.Icon, e.DarkIcon = anyDrawing.Draw(t, "icon"), anyDrawing.Draw(t, "icon")
		}
		f.Legend = append(f.Legend, e)
	}
	return f
})

var anyBlock = rapid.OneOf(
	anyTable, anyFigure,
	rapid.Custom(func(t *rapid.T) Block {
		return File{"a" + anyID.Draw(t, "name"), rapid.SliceOf(rapid.Byte()).Draw(t, "data")}
	}),
	rapid.Custom(func(t *rapid.T) Block {
		return Claim{anyWords.Draw(t, "claim"), rapid.Int64Min(0).Draw(t, "cases"), anyWords.Draw(t, "id")}
	}),
	rapid.Custom(func(t *rapid.T) Block {
		return Prose{
			Markdown(anyText.Draw(t, "text")),
			Place{anyText.Draw(t, "file"), anyText.Draw(t, "cell"), rapid.Int().Draw(t, "line")},
			rapid.Bool().Draw(t, "inner"),
			map[string]string{"a": anyText.Draw(t, "image")},
		}
	}),
	rapid.Custom(func(t *rapid.T) Block {
		return Output{
			rapid.SampledFrom([]OutputKind{Printed, Sentence}).Draw(t, "kind"), anyText.Draw(t, "text"),
			anyText.Draw(t, "label"),
		}
	}),
)

// TestJSONRoundTrip reads back a written block and writes the same bytes again.
func TestJSONRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := anyBlock.Draw(t, "block")
		data, err := Marshal(b)
		must.Do(t, err)
		got, err := Unmarshal(data)
		if err != nil {
			t.Fatalf("%v: %s", err, data)
		}
		if diff := cmp.Diff(b, got, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("-written +read:\n%s", diff)
		}
		if again, err := Marshal(got); err != nil || !bytes.Equal(again, data) {
			t.Fatalf("%s is written again as %s, error %v", data, again, err)
		}
	})
}

// TestPackedRecords checks that a large number of rows is compressed, and that reading them returns the same rows.
func TestPackedRecords(t *testing.T) {
	table := &Table{Header: Row("n"), Data: Records{Header: []string{"n", "verdict"}}}
	for n := range 20_000 {
		table.Data.Add(n, "right, \"or\"\r\nnot")
	}
	data := must.Get(Marshal(table))
	got := must.Get(Unmarshal(data)).(*Table)
	if diff := cmp.Diff(table, got, cmpopts.EquateEmpty()); diff != "" || len(data) > 100_000 {
		t.Errorf("%d bytes; -written +read:\n%.2000s", len(data), diff)
	}
	bomb := Records{Header: []string{""}, Rows: slices.Repeat([][]string{{strings.Repeat("x", 4800)}}, 21_000)}
	if _, err := Marshal(&Table{Header: Row("n"), Data: bomb}); err == nil ||
		!strings.Contains(err.Error(), "at most 100663296 are allowed") {
		t.Errorf("more data than are read are written: %v", err)
	}
	var packed bytes.Buffer
	w := must.Get(flate.NewWriter(&packed, flate.BestSpeed))
	for range 13 {
		_, _ = w.Write(bytes.Repeat([]byte(" "), MaxBytes))
	}
	must.Do(t, w.Close())
	for rows, want := range map[string]string{
		packed.String(): "the data exceeds 100663296 bytes", "no form": "data cannot be unpacked",
	} {
		form := fmt.Sprintf(`{"siegebook":1,"kind":"table","block":{"data":{"header":["n"],"packed":%q}}}`,
			base64.StdEncoding.EncodeToString([]byte(rows)))
		_, err := Unmarshal([]byte(form))
		must.ErrorContains(t, err, want)
	}
}

// TestJSONForm compares the form with a recorded one, because later versions read the results in notebooks that ran
// earlier.
func TestJSONForm(t *testing.T) {
	for _, row := range must.Rows(t, "testdata/tables.txt", "TestJSONForm") {
		b, err := Unmarshal([]byte(row[0]))
		must.Do(t, err)
		if got, err := Marshal(b); err != nil || string(got) != row[0] {
			t.Errorf("%T: %s, error %v, want %s", b, got, err, row[0])
		}
	}
}

// TestBadJSON checks that every fault is reported on one line of bounded length.
func TestBadJSON(t *testing.T) {
	form := map[string]string{
		"whole": "%s", "claim": `{"siegebook":1,"kind":"claim","block":%s}`,
		"figure": `{"siegebook":1,"kind":"figure","block":{"title":"","width":1,"height":1,"alt":"x",%s}}`,
		"table":  `{"siegebook":1,"kind":"table","block":{%s}}`,
	}
	if _, err := Unmarshal(fmt.Appendf(nil, form["claim"], `{"text":"x"}`)); err != nil {
		t.Fatal(err)
	}
	for _, row := range append(must.Rows(t, "testdata/tables.txt", "TestBadJSON"), [][]string{
		{
			"whole", `{"siegebook":1,"kind":"` + strings.Repeat("x", 999) + `"}`,
			"the known kinds are claim, entries, figure, file, output, prose, statements, table",
		},
		{"claim", `{"text":"x","` + strings.Repeat("y\\n", 999) + `":1}`, "unknown field"},
		{
			"whole", `{"siegebook":1,"kind":"prose","block":{"text":"` + strings.Repeat("x", MaxBytes) + `"}}`,
			"at most 8388608 are allowed",
		},
		{"whole", strings.Repeat("[", 100_000), "exceeded max depth"},
	}...) {
		b, err := Unmarshal(fmt.Appendf(nil, form[row[0]], row[1]))
		if err == nil || b != nil || !strings.Contains(err.Error(), row[2]) || strings.Contains(err.Error(), "\n") ||
			len(err.Error()) > 400 {
			t.Errorf("%s %.200s: %v, error %v, want %q", row[0], row[1], b, err, row[2])
		}
	}
}

// TestNoForm checks that Marshal returns an error for a block without a form, and writes nothing that Unmarshal could
// not read.
func TestNoForm(t *testing.T) {
	for _, test := range []struct {
		block Block
		want  string
	}{
		{nil, "a block of the type <nil> has no JSON form"},
		{&Entries{ID: "l", Entries: []Entry{{ID: "e", Title: "E"}}}, "no content to unfold"},
		{
			&Figure{Width: 1, Height: 1, Alt: "x", Light: Drawing("\x89PNG\r\n\x1a\n")},
			"only SVG documents have a text form",
		},
		{&Figure{}, "a figure: the size is 0 x 0"},
		{&Table{}, "a table: there is no header"},
		{&Table{Header: []Cell{{Kind: "html"}}}, "the kind of a cell must be empty, number or rich"},
		{&Table{Header: []Cell{Text("").Marked(Mark{"pink", "x", "y"})}}, "a tone must be plain, red"},
		{Output{Kind: "loud"}, "the kind of an output must be printed, diagnostic, failure, remark or sentence"},
		{Claim{}, "a claim: the claim has no text"},
		{Prose{Text: Markdown(strings.Repeat("x", MaxBytes))}, "at most 8388608 are allowed"},
	} {
		if data, err := Marshal(test.block); err == nil || data != nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%T: %.100s, error %v, want %q", test.block, data, err, test.want)
		}
	}
}

// FuzzUnmarshal checks that a block that Unmarshal reads can be written, and is the same when it is read again.
func FuzzUnmarshal(f *testing.F) {
	for _, row := range must.Rows(f, "testdata/tables.txt", "TestJSONForm") {
		f.Add([]byte(row[0]))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := Unmarshal(data)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("error of more than one line: %v", err)
			}
			return
		}
		written, err := Marshal(b)
		if err != nil {
			t.Fatalf("%s is read, but cannot be written: %v", data, err)
		}
		again, err := Unmarshal(written)
		if err != nil {
			t.Fatalf("%s: %v", written, err)
		}
		if diff := cmp.Diff(b, again, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("-read +again:\n%s", diff)
		}
	})
}
