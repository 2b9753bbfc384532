package browsertest

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/waittest"
)

// TestServe edits texts while a browser shows the page. The page reloads after an edit, shows a mistake above the last
// good text, and recovers when the mistake is corrected. All of this works under the page's own policy.
func TestServe(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser and computes the chapters")
	}
	browser := start(t, false)
	texts := copyOfTexts(t)
	file := filepath.Join(texts, "report", "siegebook", "castle", "rules.md")
	original := must.Get(os.ReadFile(file))
	address := serveTexts(t, texts) + "castle-rules.html"
	tab, problems := openServed(t, browser, address)
	waitForText(t, tab, "the page", func(text string) bool { return strings.Contains(text, "The rules and two plans") })
	edit := func(more string) time.Time {
		t.Helper()
		must.Write(t, file, append(original[:len(original):len(original)], "\n\n"+more+"\n"...))
		return time.Now()
	}
	for _, step := range []struct{ more, want string }{
		{"A sentence that was not there.", "A sentence that was not there."},
		{`Bad $\nope$ here.`, `bad TeX in "\\nope"`},
		{"Mended, and well.", "Mended, and well."},
	} {
		begin := edit(step.more)
		// Lines of the new text may appear for a moment next to an earlier text's fault, if that text is built again.
		waitForText(t, tab, step.want, func(text string) bool {
			bad := strings.HasPrefix(step.more, "Bad")
			return strings.Contains(text, step.want) && strings.Contains(text, "The rules and two plans") &&
				strings.Contains(text, "must be corrected") == bad
		})
		t.Logf("%s: on the screen after %v", step.want, time.Since(begin).Round(time.Millisecond))
	}
	for _, problem := range problems() {
		t.Error(problem)
	}

	// On the front page, readers can play with a figure, in spite of the script that reloads the page.
	front, problems := openServed(t, browser, strings.TrimSuffix(address, "castle-rules.html"))
	waitFor(t, front, "the explorable", `() => document.querySelector(".figure-block.live [name=answer]") !== null`)
	for _, problem := range problems() {
		t.Error(problem)
	}
}

// serveTexts starts genreport serve in a folder and returns its address.
func serveTexts(t *testing.T, dir string) string {
	t.Helper()
	serve := exec.Command(must.Program(t, "genreport", t.TempDir()), "serve", "--addr", "127.0.0.1:0",
		"--notebooks", "off")
	serve.Dir = dir
	out := must.Get(serve.StdoutPipe())
	must.Do(t, serve.Start())
	t.Cleanup(func() {
		if err := errors.Join(serve.Process.Signal(syscall.SIGINT), serve.Wait()); err != nil {
			t.Errorf("genreport serve ends with %v", err)
		}
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	_, address, ok := strings.Cut(strings.TrimSpace(line), "serving the report at ")
	if !ok {
		t.Fatalf("%q, %v", line, err)
	}
	return address
}

// copyOfTexts copies the parts of the repository that genreport serve needs: the pages, and everything that their cells
// can import.
func copyOfTexts(t *testing.T) string {
	t.Helper()
	to, repository := t.TempDir(), filepath.Join("..", "..")
	for _, folder := range []string{"analysis", "docs", "internal", "notebooks/show", "report"} {
		must.Do(t, os.CopyFS(filepath.Join(to, folder), os.DirFS(filepath.Join(repository, folder))))
	}
	for _, file := range []string{"go.mod", "go.sum", "notebooks/modules.go"} {
		must.Write(t, filepath.Join(to, file), must.Get(os.ReadFile(filepath.Join(repository, file))))
	}
	return to
}

// openServed opens an address. It returns the tab, and a function that returns the browser's complaints: violations of
// a policy, failed scripts, and requests to other hosts.
func openServed(t *testing.T, browser *rod.Browser, address string) (*rod.Page, func() []string) {
	t.Helper()
	tab := newTab(t, browser)
	s := &seen{}
	home := address[:strings.LastIndex(address, "/")+1]
	wait := tab.EachEvent(
		func(e *proto.RuntimeExceptionThrown) { s.addf("a script fails: %s", e.ExceptionDetails.Text) },
		func(e *proto.LogEntryAdded) {
			if e.Entry.Source == proto.LogLogEntrySourceSecurity ||
				strings.Contains(e.Entry.Text, "Content Security Policy") {
				s.addf("the browser says: %s", e.Entry.Text)
			}
		},
		func(e *proto.NetworkRequestWillBeSent) {
			if !strings.HasPrefix(e.Request.URL, home) && !strings.HasPrefix(e.Request.URL, "data:") &&
				!strings.HasPrefix(e.Request.URL, "blob:"+home) {
				s.addf("the page asks for %s", e.Request.URL)
			}
		},
	)
	go wait()
	must.Do(t, tab.Navigate(address))
	return tab, s.take
}

// waitForText waits until the page in a tab shows a text. The page may be replaced meanwhile, which makes an evaluation
// fail.
func waitForText(t *testing.T, tab *rod.Page, what string, shown func(text string) bool) {
	t.Helper()
	waittest.Until(t, "the page does not show "+what, func() bool {
		result, err := tab.Eval("() => document.body ? document.body.innerText : ''")
		return err == nil && shown(result.Value.Str())
	})
}
