package jupyter

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"pgregory.net/rapid"

	"github.com/siegebook/siegebook/internal/atomicfile"
	"github.com/siegebook/siegebook/internal/must"
	_ "github.com/siegebook/siegebook/internal/rapidseed"
)

// samples returns notebooks in the styles of various writers, by name.
func samples(t testing.TB) map[string][]byte {
	t.Helper()
	all := texts()
	maps.DeleteFunc(all, func(name string, _ []byte) bool { return strings.Contains(name, " ") })
	return all
}

// texts returns the files in testdata/samples.txtar, whose comment describes them.
func texts() map[string][]byte {
	all := map[string][]byte{}
	for _, file := range must.Get(txtar.ParseFile("testdata/samples.txtar")).Files {
		all[file.Name] = file.Data
		if strings.HasPrefix(file.Name, "vscode.ipynb") && !strings.HasSuffix(file.Name, " problems") {
			all[file.Name] = bytes.TrimSuffix(file.Data, []byte("\n"))
		}
	}
	return all
}

// TestChanges checks for each sample that Check finds the problems, that Strip removes exactly these problems, that
// Strip's IDs depend only on the cells, and that new outputs are in the style of the file.
func TestChanges(t *testing.T) {
	all := texts()
	for name, data := range samples(t) {
		n := must.Get(Parse(data))
		problems := strings.Join(append(n.Check(), ""), "\n")
		n.Strip()
		stripped := n.Bytes()
		if left := must.Get(Parse(stripped)).Check(); len(left) > 0 {
			t.Errorf("%s: stripped, and %v is left", name, left)
		}
		n = must.Get(Parse(data))
		for i, c := range n.Cells() {
			if c.Kind == Code {
				n.setOutputs(i, 1, []*Output{{Type: Stream, Name: "stdout", Text: "é\n😀"}})
			}
		}
		for what, got := range map[string][]byte{
			" problems": []byte(problems), " stripped": stripped, " edited": n.Bytes(),
		} {
			if diff := cmp.Diff(string(all[name+what]), string(got)); diff != "" {
				t.Errorf("%s%s: -want +got:\n%s", name, what, diff)
			}
		}
	}
	twice := must.Get(Parse([]byte(
		`{"cells":[{"cell_type":"raw","source":"x"},{"cell_type":"raw","source":"x"}],"metadata":{},"nbformat":4,"nbformat_minor":5}`,
	)))
	twice.Strip()
	if cells := twice.Cells(); cells[0].ID == cells[1].ID {
		t.Errorf("two equal cells have the same id %q", cells[0].ID)
	}
}

func TestRoundTrip(t *testing.T) {
	for name, data := range samples(t) {
		n := must.Get(Parse(data))
		if got := n.Bytes(); !bytes.Equal(got, data) {
			t.Errorf("%s: -want +got:\n%s", name, cmp.Diff(string(data), string(got)))
		}
		path := filepath.Join(t.TempDir(), "copy.ipynb")
		must.Do(t, n.Clone().Write(atomicfile.Target{Name: path}))
		if again, err := Read(path); err != nil || !bytes.Equal(again.Bytes(), data) {
			t.Errorf("%s: written and read it differs, error %v", name, err)
		}
	}
}

// TestEditKeepsTheRest replaces the outputs of each code cell with the same outputs. If the program that wrote the file
// sorts the keys of outputs as we do, no byte may change.
func TestEditKeepsTheRest(t *testing.T) {
	data := samples(t)["jupyter.ipynb"]
	n := must.Get(Parse(data))
	for i, c := range n.Cells() {
		if c.Kind == Code {
			var list []*Output
			for _, o := range c.Outputs {
				list = append(list, &o)
			}
			n.setOutputs(i, c.ExecutionCount, list)
		}
		n.SetSource(i, c.Source)
	}
	if got := n.Bytes(); !bytes.Equal(got, data) {
		t.Errorf("-want +got:\n%s", cmp.Diff(string(data), string(got)))
	}
}

func TestCells(t *testing.T) {
	n := must.Get(Parse(samples(t)["jupyter.ipynb"]))
	cells := n.Cells()
	if n.Kernel() != "siegebook" || n.Language() != "go" || len(cells) != 3 {
		t.Errorf("kernel %q, language %q, %d cells", n.Kernel(), n.Language(), len(cells))
	}
	if image, ok := cells[0].Attachments["dot.png"].Text("image/png"); !ok || image != "iVBORw0KGgo=" {
		t.Errorf("attachment %q", image)
	}
	code := cells[1]
	want := Cell{
		ID: "c0ffee02", Kind: Code, Source: "var n = 20\nconst name = \"φ\" // stays", Tags: []string{"parameters"},
		ExecutionCount: 3, Attachments: map[string]Bundle{}, Metadata: code.Metadata, Outputs: code.Outputs,
	}
	if diff := cmp.Diff(want, code); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if text, ok := code.Outputs[1].Data.Text("text/plain"); code.Outputs[0].Text != "20\nφ ≈ 1.618\n" || !ok ||
		text != "result" ||
		code.Outputs[2].Traceback[0] != "\x1b[31mexit status 2\x1b[0m" {
		t.Errorf("outputs %+v", code.Outputs)
	}
	if _, ok := code.Outputs[1].Data.Text("application/json"); ok {
		t.Error("an object is no text")
	}
}

func TestParseErrors(t *testing.T) {
	const head = `"metadata":{},"nbformat":4,"nbformat_minor":5`
	rows := append(must.Rows(t, "testdata/cases.txtar", "TestParseErrors"),
		[]string{strings.Repeat("[", 100_000), "exceeded max depth"})
	for _, row := range rows {
		data, want := strings.Replace(row[0], "HEAD", head, 1), row[1]
		if _, err := Parse([]byte(data)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: error %v, want %q", data, err, want)
		}
	}
	if _, err := Read(filepath.Join("testdata", "no-such.ipynb")); !os.IsNotExist(err) {
		t.Errorf("no file: error %v", err)
	}
}

// FuzzParse checks that Parse never panics, and that Bytes returns accepted input byte for byte. It also checks that
// after Strip, Check finds no problems, and that another Strip changes nothing.
func FuzzParse(f *testing.F) {
	for _, data := range samples(f) {
		f.Add(data)
	}
	f.Add(
		[]byte(
			`{"cells":[{"cell_type":"code","source":"","id":1,"metadata":[],"outputs":[1]}],"nbformat":4,"nbformat_minor":5,"metadata":{"widgets":{}},"nbformat":4}`,
		),
	)
	f.Fuzz(func(t *testing.T, data []byte) {
		n, err := Parse(data)
		if err != nil {
			return
		}
		if !bytes.Equal(n.Bytes(), data) {
			t.Fatalf("comes out as %q", n.Bytes())
		}
		n.Cells()
		_ = n.SetParameters(map[string]string{"n": "1"})
		n.Strip()
		stripped := must.Get(Parse(n.Bytes()))
		if problems := stripped.Check(); len(problems) > 0 {
			t.Fatalf("stripped to %q, which has %v", n.Bytes(), problems)
		}
		stripped.Strip()
		if !bytes.Equal(stripped.Bytes(), n.Bytes()) {
			t.Fatalf("stripped again: %q, after %q", stripped.Bytes(), n.Bytes())
		}
	})
}

// TestOutputsComeBack writes outputs of all kinds into files of all styles, and reads them back.
func TestOutputsComeBack(t *testing.T) {
	files := samples(t)
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"jupyter.ipynb", "colab.ipynb", "converter.ipynb", "windows.ipynb"}).
			Draw(t, "file")
		text := rapid.StringOf(rapid.RuneFrom([]rune("aé😀\n\r\t\"\\\x00\u2028<"))).Draw(t, "text")
		quoted := must.Get(json.Marshal(text))
		want := []*Output{
			{Type: Stream, Name: "stdout", Text: text},
			{
				Type: DisplayData, Data: Bundle{"text/html": quoted, "image/png": quoted},
				Metadata: json.RawMessage("{}"),
			},
			{Type: ErrorOutput, ErrorName: text, ErrorValue: text, Traceback: []string{text, text}},
		}
		n := must.Get(Parse(files[name]))
		at := 0
		for n.Cells()[at].Kind != Code {
			at++
		}
		n.setOutputs(at, 5, want)
		again := must.Get(Parse(n.Bytes()))
		got := again.Cells()[at]
		html, _ := got.Outputs[1].Data.Text("text/html")
		png, _ := got.Outputs[1].Data.Text("image/png")
		if got.ExecutionCount != 5 || got.Outputs[0].Text != text || html != text || png != text ||
			cmp.Diff(*want[2], got.Outputs[2]) != "" {
			t.Fatalf("%q comes back as %+v", text, got.Outputs)
		}
	})
}

// TestSeal checks that CopyOf recognizes a copy, whichever program wrote the notebook, unless a byte of the copy
// changes.
func TestSeal(t *testing.T) {
	all := samples(t)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		n := must.Get(Parse(all[name]))
		if err := n.CopyOf(all[name]); err == nil {
			t.Errorf("%s: the notebook itself is taken for a copy", name)
		}
		executed := n.Clone()
		executed.Seal()
		sealed := executed.Bytes()
		if err := n.CopyOf(sealed); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		executed.Seal()
		if !bytes.Equal(executed.Bytes(), sealed) {
			t.Errorf("%s: sealed again it is another file", name)
		}
		for at := 0; at < len(sealed); at += 1 + len(sealed)/97 {
			changed := bytes.Clone(sealed)
			changed[at] ^= 1
			if n.CopyOf(changed) == nil {
				t.Errorf("%s: with byte %d (%q) changed it is taken for untouched", name, at, sealed[at])
			}
		}
		if n.CopyOf(append(bytes.Clone(sealed), '\n')) == nil {
			t.Errorf("%s: with a line more it is taken for untouched", name)
		}
		executed.Strip()
		if bytes.Contains(executed.Bytes(), []byte(sumName)) {
			t.Errorf("%s: the seal is not stripped", name)
		}
	}
}

// TestCopyOfAnother checks that CopyOf still recognizes copies of a notebook to which cells were added, but not copies
// of another notebook with the same name. CopyOf recognizes cells by their IDs or, without IDs, by their text.
func TestCopyOfAnother(t *testing.T) {
	for _, cell := range []string{
		`{"cell_type": "code", "id": "%s", "metadata": {}, "outputs": [], "execution_count": null, "source": []}`,
		`{"cell_type": "markdown", "metadata": {}, "source": ["%s"]}`,
	} {
		notebook := func(names ...string) *Notebook {
			for i, name := range names {
				names[i] = fmt.Sprintf(cell, name)
			}
			return must.Get(Parse(fmt.Appendf(nil, `{"cells": [%s], "nbformat": 4, "nbformat_minor": 5}`,
				strings.Join(names, ", "))))
		}
		old := notebook("title", "one", "two")
		old.Seal()
		if err := notebook("title", "zero", "one", "three").CopyOf(old.Bytes()); err != nil {
			t.Errorf("%s: %v", cell, err)
		}
		if err := notebook("title", "x", "y").CopyOf(old.Bytes()); err == nil ||
			err.Error() != "the file is an executed copy of another notebook" {
			t.Errorf("%s: error %v", cell, err)
		}
	}
}
