package imports

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"pgregory.net/rapid"

	"github.com/siegebook/siegebook/internal/must"
	_ "github.com/siegebook/siegebook/internal/rapidseed"
)

var update = flag.Bool("update", false, "write testdata anew")

// folderOf returns a folder with the given files and the pictures a.png and img/b.png.
func folderOf(files []txtar.File) fstest.MapFS {
	source := fstest.MapFS{}
	for _, f := range files {
		source[f.Name] = &fstest.MapFile{Data: f.Data}
	}
	for _, name := range []string{"a.png", "img/b.png"} {
		source[name] = &fstest.MapFile{Data: pixel}
	}
	return source
}

// pixel is a PNG picture.
var pixel = must.Get(os.ReadFile("testdata/pixel.png"))

// imported imports all pages of a folder, and returns the files and notes as an archive.
func imported(t *testing.T, source fstest.MapFS) (Result, []txtar.File) {
	t.Helper()
	r := must.Get(Import(source, must.Get(Pages(source))))
	var files []txtar.File
	for _, name := range slices.Sorted(maps.Keys(r.Files)) {
		data := r.Files[name]
		if strings.HasSuffix(name, ".png") {
			data = []byte("a picture\n")
		}
		files = append(files, txtar.File{Name: name, Data: data})
	}
	var notes strings.Builder
	for _, n := range r.Notes {
		notes.WriteString(n.String() + "\n")
	}
	return r, append(files, txtar.File{Name: "notes", Data: []byte(notes.String())})
}

// TestShapes imports files in the formats of other programs, and compares the pages and the notes. Each archive in
// testdata is a folder; the expected files are below the folder "made".
func TestShapes(t *testing.T) {
	for _, file := range must.Get(filepath.Glob("testdata/*.txtar")) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive := must.Get(txtar.ParseFile(file))
			var files, want []txtar.File
			for _, f := range archive.Files {
				if name, made := strings.CutPrefix(f.Name, "made/"); made {
					want = append(want, txtar.File{Name: name, Data: f.Data})
				} else {
					files = append(files, f)
				}
			}
			r, got := imported(t, folderOf(files))
			checkBuilds(t, r)
			if *update {
				archive.Files = files
				for _, f := range got {
					archive.Files = append(archive.Files, txtar.File{Name: "made/" + f.Name, Data: f.Data})
				}
				must.Write(t, file, txtar.Format(archive))
				return
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("made is not what was wanted (-want +got):\n%s", diff)
			}
		})
	}
}

// checkBuilds reports the faults of an imported book.
func checkBuilds(t interface {
	Errorf(string, ...any)
	Fatal(...any)
}, r Result,
) {
	c := &importer{files: r.Files}
	faults, err := c.faults()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range faults {
		t.Errorf("%v", f)
	}
}

// fragments lists pieces of Markdown from which TestAnything builds texts.
var fragments = []string{
	"words", " ", "\n", "\n\n", "`code`", "`go: x`", "$x_1$", "$5", "$$\na\n$$", "{{ x }}", "{{< kbd A >}}",
	"[a](b.md)", "[a](#x)",
	"![](a.png)", "![alt](a.png){#fig-x}", "![x](none.png)", "@fig-x", "[@key; @other]", "[^1]", "[^1]: note",
	"# Title {#a .b}",
	"## Sub", "- item", "1. 2. item", "> quote", "```{note}\n", "```", "::: {.callout-tip}\n", ":::\n",
	"!!! tip \"T\"\n    text\n",
	"<br>", "<kbd>A</kbd>", "<b>", "</b>", "<div>", "</div>", "<details>\n", "<summary>s</summary>", "</details>\n",
	"<img src=a.png>",
	"H~2~O", "x^2^", "==mark==", ":smile:", "{ref}`x`", "{math}`a_1`", "<https://a.org>", "https://a.org/b_c",
	"| a | b |\n|---|---|\n| 1 | 2 |",
	": text", "    indented", "\\[a\\]", "\\(a\\)", "\\cite{key}", "<!-- comment -->", "<!--", "-->", "---", "***",
	"~~~\n", "[[wiki]]",
	"{#x}", "{.y}", "{width=50%}", "(label)=\n", "*em*", "**strong**", "_", "&amp;", "\\", "\t", "+++", "%",
	"% comment", "<foo>", "[x]", "]", "[",
}

// TestAnything checks that an import of any text terminates and loses no word, that the book builds, and that a second
// import gives the same result.
func TestAnything(t *testing.T) {
	for _, text := range []string{
		"words\n```words w10w \n", // a word after the language
		"```words`code` w2w ",     // backquotes that are not a fence
		"<div>words<!-- w6w ",     // an unclosed comment
	} {
		keepsWords(t, text)
	}
	rapid.Check(t, func(t *rapid.T) {
		var text strings.Builder
		count := rapid.IntRange(1, 14).Draw(t, "count")
		for i := range count {
			text.WriteString(rapid.SampledFrom(fragments).Draw(t, "fragment"))
			if rapid.Bool().Draw(t, "word") {
				fmt.Fprintf(&text, " w%dw ", i)
			}
		}
		keepsWords(t, text.String())
	})
}

// keepsWords imports a text twice, and looks for the text's words w1w, w2w and so on in the page.
func keepsWords(t interface {
	Errorf(string, ...any)
	Fatal(...any)
	Fatalf(string, ...any)
}, text string,
) {
	source := fstest.MapFS{"a.md": {Data: []byte(text)}, "a.png": {Data: pixel}}
	r, err := Import(source, []string{"a.md"})
	if err != nil {
		t.Fatal(err)
	}
	checkBuilds(t, r)
	made := string(r.Files["a.md"])
	for _, w := range regexp.MustCompile(`w[0-9]+w`).FindAllString(text, -1) {
		if !strings.Contains(made, w) {
			t.Fatalf("the word %s of %q is not in %q", w, text, made)
		}
	}
	again, err := Import(source, []string{"a.md"})
	if err != nil || cmp.Diff(r, again) != "" {
		t.Fatalf("a second import differs: %v", cmp.Diff(r, again))
	}
}
