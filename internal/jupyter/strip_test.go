package jupyter

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCheck(t *testing.T) {
	want := map[string][]string{
		"jupyter.ipynb": {
			"metadata language_info.version changes with every run or machine",
			`cell "c0ffee02": its outputs are in the file`, `cell "c0ffee02": its execution count is in the file`,
			`cell "c0ffee02": metadata collapsed changes with every run or machine`,
			`cell "c0ffee02": metadata execution changes with every run or machine`,
		},
		"vscode.ipynb": {`cell "9d8b7a6c": metadata vscode changes with every run or machine`},
		"colab.ipynb": {
			"nbformat 4.0 knows no cell ids, 4.5 does", "cell 1: its outputs are in the file",
			"cell 1: its execution count is in the file", "cell 1: metadata colab changes with every run or machine",
			"cell 1: metadata outputId changes with every run or machine",
		},
		"converter.ipynb": {
			`cell "same": another cell has the same id`, `cell "same": its outputs are in the file`,
			`cell "same": its execution count is in the file`,
		},
		"windows.ipynb": {
			"nbformat 4.4 knows no cell ids, 4.5 does",
			"cell 1: its outputs are in the file",
			"cell 1: its execution count is in the file",
		},
	}
	for name, data := range samples(t) {
		if diff := cmp.Diff(want[name], parse(t, data).Check()); diff != "" {
			t.Errorf("%s: -want +got:\n%s", name, diff)
		}
	}
}

func TestStrip(t *testing.T) {
	for name, data := range samples(t) {
		n := parse(t, data)
		n.Strip()
		again := parse(t, n.Bytes())
		if problems := again.Check(); len(problems) > 0 {
			t.Errorf("%s: %v is left", name, problems)
		}
		before := parse(t, data).Cells()
		for i, c := range again.Cells() {
			if c.Source != before[i].Source || len(c.Tags) != len(before[i].Tags) {
				t.Errorf("%s: cell %d has changed", name, i+1)
			}
		}
	}
}

// TestStripBytes: only what has to go is gone.
func TestStripBytes(t *testing.T) {
	data := string(samples(t)["jupyter.ipynb"])
	cut := func(from, to, with string) {
		begin := strings.Index(data, from)
		end := begin + strings.Index(data[begin:], to)
		data = data[:begin] + with + data[end:]
	}
	cut("\"execution_count\": 3", ",\n   \"id\"", `"execution_count": null`)
	cut("\"collapsed\"", "\"tags\"", "")
	cut("\"outputs\": [", ",\n   \"source\": [\n    \"var", `"outputs": []`)
	cut(",\n   \"version\"", "\n  }\n },", "")
	n := parse(t, samples(t)["jupyter.ipynb"])
	n.Strip()
	if diff := cmp.Diff(data, string(n.Bytes())); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestStripIDs: the first cell of two keeps its id, new ids depend on the cells alone and stand where nbformat puts
// them.
func TestStripIDs(t *testing.T) {
	n := parse(t, samples(t)["converter.ipynb"])
	n.Strip()
	cells := n.Cells()
	if cells[0].ID != "same" || cells[1].ID == "same" || !cellID.MatchString(cells[1].ID) {
		t.Errorf("ids %q and %q", cells[0].ID, cells[1].ID)
	}
	windows := parse(t, samples(t)["windows.ipynb"])
	windows.Strip()
	if got, want := string(windows.Bytes()), "\"execution_count\": null,\r\n\t\t\t\"id\": \""; !strings.Contains(
		got,
		want,
	) {
		t.Errorf("got %q, want in it %q", got, want)
	}
	twice := parse(
		t,
		[]byte(
			`{"cells":[{"cell_type":"raw","source":"x"},{"cell_type":"raw","source":"x"}],"metadata":{},"nbformat":4,"nbformat_minor":5}`,
		),
	)
	twice.Strip()
	if cells := twice.Cells(); cells[0].ID == cells[1].ID {
		t.Errorf("two equal cells have the same id %q", cells[0].ID)
	}
}
