package browsertest

import (
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"text/template"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"
	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/must"
	lessons "github.com/siegebook/siegebook/internal/report/lesson"
	"github.com/siegebook/siegebook/internal/report/site"
)

// strike returns the script that an attack tries to run. what names the attack.
func strike(what string) string { return "(window.struck=window.struck||[]).push('" + what + "')" }

// attackTemplates is a template for the attacks. It has a section for each media type, with an attack on each line.
//
//go:embed testdata/attacks.txt
var attackTemplates string

// attackParts are the parts from which the attacks are made.
var attackParts = template.FuncMap{
	"strike": strike, "svg": svgFile, "uses": uses, "repeat": strings.Repeat,
	"base64": func(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) },
	"json": func(text string) string { // escapes a text for a string in quotation marks
		data := must.Get(json.Marshal(text))
		return string(data[1 : len(data)-1])
	},
}

// attacks returns outputs of a notebook by their media types.
func attacks(t *testing.T) map[string][]string {
	t.Helper()
	var text strings.Builder
	must.Do(t, template.Must(template.New("").Funcs(attackParts).Parse(attackTemplates)).Execute(&text, nil))
	all := map[string][]string{}
	for _, section := range strings.Split(text.String(), "\n> ")[1:] {
		kind, lines, _ := strings.Cut(section, "\n")
		all[kind] = strings.Split(strings.TrimSpace(lines), "\n")
	}
	return all
}

// svgFile returns a drawing with the given content.
func svgFile(inside string) string {
	return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="90" height="90">` + inside + `</svg>`
}

// uses returns a drawing with levels of parts. Each part uses the next part ten times.
func uses(levels int) string {
	var b strings.Builder
	for i := range levels {
		fmt.Fprintf(&b, `<g id="l%d">%s</g>`, i, strings.Repeat(fmt.Sprintf(`<use href="#l%d"/>`, i+1), 10))
	}
	return svgFile(fmt.Sprintf(`%s<g id="l%d"><rect width="9" height="9"/></g><use href="#l0"/>`, b.String(), levels))
}

// publishLesson publishes a site with a front page and a notebook, and returns its folder.
func publishLesson(t *testing.T, n *jupyter.Notebook) string {
	t.Helper()
	page := lessons.Page(n, n.Cells(), lessons.Options{Slug: "lesson", File: "hostile.ipynb"})
	front := site.Page{Slug: "index", Title: "Start", Source: "Text.", Unnumbered: true}
	tree := must.Get(site.Render(t.Context(), site.Site{Title: "Lessons", Pages: []site.Page{front, page}},
		site.Options{}))
	dir := filepath.Join(t.TempDir(), "site")
	must.Do(t, (site.Folder{Dir: dir}).Publish(t.Context(), tree))
	return dir
}

// hostileNotebook returns a notebook with a cell for each attack, and attacks in its code, its prose and its streams.
func hostileNotebook(all map[string][]string) *jupyter.Notebook {
	type part = map[string]any
	cells := []part{{"id": "t", "cell_type": "markdown", "metadata": part{}, "source": "# Hostile \\<b> \\</title>"}}
	add := func(source string, outputs ...part) {
		cell := jupyter.CodeCell(fmt.Sprint("c", len(cells)), source, part{})
		cell["execution_count"], cell["outputs"] = len(cells), outputs
		cells = append(cells, cell)
	}
	for _, kind := range slices.Sorted(maps.Keys(all)) {
		for _, attack := range all[kind] {
			add("</code></pre><script>"+strike("code")+"</script>",
				part{"output_type": "display_data", "metadata": part{}, "data": part{kind: attack}},
				part{"output_type": "stream", "name": "stderr", "text": "<script>" + strike("stream") + "</script>"})
		}
	}
	add("x", part{
		"output_type": "error", "ename": "<script>" + strike("ename") + "</script>",
		"evalue": "<img src=x onerror=" + strike("evalue") + ">", "traceback": []string{"<b onclick=x>"},
	})
	return jupyter.Compose(cells, nil)
}

// provoked shows a page and activates everything on it that could react. It returns the attacks that ran, and
// everything that does not belong on a page.
func provoked(t *testing.T, tab *rod.Page, s *seen, file string) []string {
	t.Helper()
	wait := tab.EachEvent(func(*proto.PageJavascriptDialogOpening) {
		s.addf("a dialog opens")
		_ = proto.PageHandleJavaScriptDialog{Accept: true}.Call(tab)
	})
	go wait()
	show(t, tab, fileURL(file), 320)
	return check(t, tab, "provoke").Problems
}

// TestHostileNotebook renders a notebook in which every output is an attack, and opens it.
func TestHostileNotebook(t *testing.T) {
	t.Parallel()
	dir := publishLesson(t, hostileNotebook(attacks(t)))
	if files, err := filepath.Glob(filepath.Join(dir, "assets", "lesson", "*.svg")); err != nil || len(files) > 0 {
		t.Errorf("a reader can open %q alone: %v", files, err)
	}
	tab, s := open(t, start(t, false))
	for _, page := range []string{"lesson.html", "search.html"} {
		file := filepath.Join(dir, page)
		problems := provoked(t, tab, s, file)
		problems = append(problems, look(t, tab, s, file, 320, false)...)
		problems = append(problems, look(t, tab, s, file, 1280, false)...)
		for _, problem := range problems {
			if page == "search.html" && (strings.HasPrefix(problem, "holds <script") ||
				strings.HasPrefix(problem, "holds <input")) {
				continue // the page's own script; other tests check by hash which scripts may run
			}
			t.Errorf("%s: %s", page, problem)
		}
	}
	for _, problem := range crawl(t, dir) {
		t.Error(problem)
	}
}

// TestHostileFails checks that the attacks are real: on a page that inserts them without checking them, they run
// scripts, make requests and cover the page.
func TestHostileFails(t *testing.T) {
	t.Parallel()
	tab, s := open(t, start(t, false))
	var all []string
	for i, html := range attacks(t)["text/html"][:25] {
		file := filepath.Join(t.TempDir(), fmt.Sprint(i, ".html"))
		must.Write(t, file, barePageHead+"<h1>a</h1>"+html)
		if strings.Contains(html, "refresh") || strings.Contains(html, "srcdoc") || strings.Contains(html, "<form") {
			continue // the page would be gone before the test can check it
		}
		found := append(provoked(t, tab, s, file), s.take()...)
		if len(found) == 0 && !slices.ContainsFunc([]string{"<math>", "<noscript>", "svg+xml"},
			func(kept string) bool { return strings.Contains(html, kept) }) {
			// Today's browsers stop some attacks themselves.
			t.Errorf("no attack: %s", html)
		}
		all = append(all, found...)
	}
	for _, want := range []string{
		"ran: script", "ran: onerror", "ran: svg onload", "ran: onclick", "ran: onfocus", "ran: javascript",
		"ran: breaking out", "a dialog opens", "the page asks for https://example.org/pixel.png",
		"the page asks for https://example.org/x.css", "may cover the page", "the title is covered",
	} {
		if !slices.ContainsFunc(all, func(p string) bool { return strings.HasPrefix(p, want) }) {
			t.Errorf("did not happen: %s\n%q", want, all)
		}
	}
}
