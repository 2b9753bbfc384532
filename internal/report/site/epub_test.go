package site

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"io"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/npmtest"
)

func epubOf(t testing.TB, s Site) []byte {
	t.Helper()
	book, err := RenderEPUB(t.Context(), s, Options{Cache: testCache})
	must.Do(t, err)
	return book
}

// parts returns the files of an e-book. It checks that the first file is the uncompressed file mimetype.
func parts(t testing.TB, book []byte) map[string][]byte {
	t.Helper()
	r := must.Get(zip.NewReader(bytes.NewReader(book), int64(len(book))))
	if first := r.File[0]; first.Name != "mimetype" || first.Method != zip.Store {
		t.Errorf("the first file is %s, by the method %d", first.Name, first.Method)
	}
	files := map[string][]byte{}
	for _, f := range r.File {
		files[f.Name] = must.Get(fs.ReadFile(r, f.Name))
	}
	return files
}

// checkEPUB checks that the documents of an e-book are XML without scripts, that each link leads to a part of the
// e-book, and that the package lists each file once and shows each document.
func checkEPUB(t testing.TB, name string, book []byte) {
	t.Helper()
	files, ids, links := parts(t, book), map[string]bool{}, map[string]string{}
	for file, data := range files {
		if ext := path.Ext(file); ext != ".xhtml" && ext != ".opf" && file != epubContainer {
			continue
		}
		decoder := xml.NewDecoder(bytes.NewReader(data)) // the decoder does not accept HTML's entities
		for {
			token, err := decoder.Token()
			if err == io.EOF {
				break
			}
			must.Do(t, err)
			e, ok := token.(xml.StartElement)
			if !ok {
				continue
			}
			if slices.Contains([]string{"script", "style", "iframe", "form"}, e.Name.Local) {
				t.Errorf("%s: %s holds <%s>", name, file, e.Name.Local)
			}
			if (e.Name.Local == "math") != (e.Name.Space == "http://www.w3.org/1998/Math/MathML") &&
				e.Name.Space != "http://www.w3.org/1998/Math/MathML" {
				t.Errorf("%s: %s: <%s> is in %q", name, file, e.Name.Local, e.Name.Space)
			}
			for _, a := range e.Attr {
				u, err := url.Parse(a.Value)
				switch key := a.Name.Local; {
				case strings.HasPrefix(key, "on") || key == "style":
					t.Errorf("%s: %s: <%s> has the attribute %s", name, file, e.Name.Local, key)
				case key == "id" && ids[file+"#"+a.Value]:
					t.Errorf("%s: %s has the id %s twice", name, file, a.Value)
				case key == "id":
					ids[file+"#"+a.Value] = true
				case key != "href" && key != "src":
				case err != nil:
					t.Errorf("%s: %s: %v", name, file, err)
				case u.Scheme == "" && u.Host == "":
					to := file
					if u.Path != "" {
						to = path.Join(path.Dir(file), u.Path)
					}
					if u.Fragment != "" {
						to += "#" + u.Fragment
					}
					links[to] = file
				}
			}
		}
	}
	for to, from := range links {
		if file, _, anchored := strings.Cut(to, "#"); files[file] == nil || anchored && !ids[to] {
			t.Errorf("%s: %s leads to %s, which is not there", name, from, to)
		}
	}
	var opf struct {
		Items []struct {
			ID   string `xml:"id,attr"`
			Href string `xml:"href,attr"`
			Type string `xml:"media-type,attr"`
		} `xml:"manifest>item"`
		Shown []struct {
			ID string `xml:"idref,attr"`
		} `xml:"spine>itemref"`
	}
	must.Do(t, xml.Unmarshal(files[epubPackage], &opf))
	listed, shown := map[string]int{}, map[string]int{}
	for _, s := range opf.Shown {
		shown[s.ID]++
	}
	for _, item := range opf.Items {
		listed[epubFolder+item.Href]++
		if want := item.Type == "application/xhtml+xml"; (shown[item.ID] == 1) != want {
			t.Errorf("%s: %s, of the type %s, is shown %d times", name, item.Href, item.Type, shown[item.ID])
		}
	}
	for file := range files {
		if inside := strings.HasPrefix(file, epubFolder) && file != epubPackage; inside != (listed[file] == 1) {
			t.Errorf("%s: the package lists %s %d times", name, file, listed[file])
		}
	}
}

// TestEPUB checks that the same site gives the same bytes, and that UntouchedEPUB recognizes files that have been
// changed or were written by another program.
func TestEPUB(t *testing.T) {
	book := epubOf(t, sampleSite(t))
	if !bytes.Equal(book, epubOf(t, sampleSite(t))) {
		t.Error("two e-books of a site differ")
	}
	checkEPUB(t, "sample", book)
	rules := string(parts(t, book)["EPUB/rules.xhtml"])
	for _, want := range []string{
		`<h1><span class="number">1</span> The tank game</h1>`, `src="assets/rules/fig-phase.svg"`,
		`<math xmlns="http://www.w3.org/1998/Math/MathML"`, `id="tbl-outcomes"`,
	} {
		if !strings.Contains(rules, want) {
			t.Errorf("a chapter has no %s", want)
		}
	}
	for _, bad := range []string{".html", "permalink", "<svg", "Content-Security", ".dark.svg", ".csv"} {
		if strings.Contains(rules, bad) {
			t.Errorf("a chapter has %s", bad)
		}
	}
	must.Do(t, UntouchedEPUB(book))
	var changed bytes.Buffer
	w := zip.NewWriter(&changed)
	for name, data := range parts(t, book) {
		part := must.Get(w.Create(name))
		must.Get(part.Write(bytes.ReplaceAll(data, []byte("The tank game"), []byte("The bank game"))))
	}
	must.Do(t, w.Close())
	must.ErrorContains(t, UntouchedEPUB(changed.Bytes()), "the file was changed")
	for _, other := range [][]byte{nil, []byte("%PDF-1.7"), book[:len(book)/2]} {
		must.ErrorContains(t, UntouchedEPUB(other), "siegebook did not write this file")
	}
}

// TestForms checks that an e-book contains the text for screens and for editions of one file, but not for paper or for
// many files.
func TestForms(t *testing.T) {
	text := "```go\nx := 1\n```\n\n"
	for _, form := range forms {
		text += "{{ only \"" + form + "\" }}\n\nFor " + form + ".\n\n{{ only \"\" }}\n\n"
	}
	s := Site{Title: "Forms", Lang: "ar", Pages: []Page{{Slug: "index", Title: "Forms", Source: text}}}
	files := parts(t, epubOf(t, s))
	page := string(files["EPUB/index.xhtml"])
	if !strings.Contains(page, `<pre dir="ltr"`) {
		t.Errorf("code has no direction:\n%s", page)
	}
	for form, want := range map[string]bool{"paper": false, "screen": true, "pages": false, "single": true} {
		if strings.Contains(page, "For "+form) != want {
			t.Errorf("%s: there is text for %s: %t", page, form, !want)
		}
	}
	if !strings.Contains(page, ` lang="ar" xml:lang="ar" dir="rtl"`) ||
		!strings.Contains(string(files[epubPackage]), `page-progression-direction="rtl"`) {
		t.Error("an Arabic e-book is not read from right to left")
	}
}

// TestEPUBCheck runs an EPUB checker on an e-book, and also EPUBCheck itself if Debian's package is installed.
func TestEPUBCheck(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sample.epub")
	s := sampleSite(t)
	const drawn = "```diagram\ntree\n  A\n    B\n```\n\n" +
		"```mermaid\ngraph LR\nA[One] -->|\"<&>\"| B{Two}\n```\n\nFigure: A *way* {#way}\n"
	s.Pages = append(s.Pages, Page{Slug: "diagrams", Title: "Diagrams", Source: drawn})
	must.Write(t, file, epubOf(t, s))
	checker := "@likecoin/epubcheck-ts/bin/epubcheck.js"
	modules := npmtest.Modules(t, "epubcheck", checker)
	check := func(name string, args ...string) {
		out, err := exec.Command(name, append(args, file)...).CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
	check("node", filepath.Join(modules, checker), "--fail-on-warnings")
	const jar = "/usr/share/java/epubcheck.jar"
	if java, err := exec.LookPath("java"); err == nil {
		if _, err := os.Stat(jar); err == nil {
			check(java, "-jar", jar, "--failonwarnings")
		}
	}
}
