package browsertest

import (
	_ "embed"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"

	"github.com/siegebook/siegebook/internal/waittest"
)

//go:embed inspect.js
var inspect string

// widths are those of the windows, in CSS pixels: a small telephone and a desktop.
var widths = []int{320, 1280}

// seen collects what the browser tells about a page while it is shown.
type seen struct {
	mu       sync.Mutex
	problems []string
	marks    chan string
}

func (s *seen) addf(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.problems = append(s.problems, fmt.Sprintf(format, args...))
}

// take returns the problems so far and forgets them.
func (s *seen) take() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	problems := s.problems
	s.problems = nil
	return problems
}

// open opens a tab and listens to it.
func open(t *testing.T, browser *rod.Browser) (*rod.Page, *seen) {
	t.Helper()
	tab, err := browser.Page(proto.TargetCreateTarget{URL: "about:blank"})
	if err != nil {
		t.Fatal(err)
	}
	s := &seen{marks: make(chan string, 16)}
	wait := tab.EachEvent(
		func(e *proto.RuntimeConsoleAPICalled) {
			switch text := consoleText(e); {
			case strings.HasPrefix(text, mark):
				s.marks <- text
			case e.Type == proto.RuntimeConsoleAPICalledTypeError || e.Type == proto.RuntimeConsoleAPICalledTypeWarning:
				s.addf("the console says: %s", text)
			}
		},
		func(e *proto.RuntimeExceptionThrown) { s.addf("a script fails: %s", e.ExceptionDetails.Text) },
		func(e *proto.LogEntryAdded) {
			if e.Entry.Level == proto.LogLogEntryLevelError || e.Entry.Level == proto.LogLogEntryLevelWarning {
				s.addf("the browser says: %s %s", e.Entry.Text, e.Entry.URL)
			}
		},
		func(e *proto.NetworkRequestWillBeSent) {
			if u, err := url.Parse(e.Request.URL); err != nil || !harmless[u.Scheme] {
				s.addf("the page asks for %s", e.Request.URL)
			}
		},
		func(e *proto.NetworkLoadingFailed) { s.addf("a request fails: %s %s", e.Type, e.ErrorText) },
	)
	go wait()
	return tab, s
}

const mark = "browsertest mark "

func consoleText(e *proto.RuntimeConsoleAPICalled) string {
	var parts []string
	for _, arg := range e.Args {
		parts = append(parts, arg.Value.Str())
	}
	return strings.Join(parts, " ")
}

// look shows a file in a window of a width and returns what is wrong with it. dark says what the browser was started
// for.
func look(t *testing.T, tab *rod.Page, s *seen, file string, width int, dark bool) []string {
	t.Helper()
	tab = tab.Context(t.Context()).Timeout(waittest.Patience)
	defer tab.CancelTimeout()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s, %d pixels: %v", filepath.Base(file), width, err)
		}
	}
	must(tab.SetViewport(&proto.EmulationSetDeviceMetricsOverride{Width: width, Height: 800, DeviceScaleFactor: 1, Mobile: width < 600}))
	must(tab.Navigate((&url.URL{Scheme: "file", Path: file}).String()))
	must(tab.WaitLoad())
	result, err := tab.Eval(inspect, dark)
	must(err)
	var problems []string
	must(result.Value.Unmarshal(&problems))
	must(settle(tab, s, fmt.Sprint(mark, file, width)))
	return append(problems, s.take()...)
}

// settle waits until all that has happened on a page so far has been told. Events and answers come on two roads: once
// the mark has arrived, so has everything before it.
func settle(tab *rod.Page, s *seen, text string) error {
	if _, err := tab.Eval("(text) => console.debug(text)", text); err != nil {
		return err
	}
	for got := ""; got != text; {
		select {
		case got = <-s.marks:
		case <-tab.GetContext().Done():
			return tab.GetContext().Err()
		}
	}
	return nil
}

// TestInspectionFails shows that each fault is found, and only it.
func TestInspectionFails(t *testing.T) {
	tab, s := open(t, start(t, false))
	for _, test := range []struct {
		name, body string
		width      int
		want       []string
	}{
		{"sound", `<math><mi>x</mi></math><img src="pixel.svg" alt=""><h2>b</h2><h3>c</h3><h2>d</h2>`, 320, nil},
		{"sound on a desktop", `<div style="width:700px">x</div>`, 1280, nil},
		{"its own scroll", `<div style="overflow-x:auto"><div style="width:700px">x</div></div>`, 320, nil},
		{"wide", `<div id="wide" style="width:700px">x</div>`, 320, []string{`the page is 7`}},
		{"image", `<img src="gone.svg" alt="">`, 320, []string{"the image file://", "a request fails: "}},
		{"broken image", `<img src="page.html" alt="">`, 320, []string{"the image file://"}},
		{"alt", `<img src="pixel.svg">`, 320, []string{"the image file://"}},
		{"formula", `<math style="display:inline-block"></math>`, 320, []string{"the formula <math"}},
		{"folded formula", `<details><summary>a</summary><math style="display:inline-block"></math></details>`, 320, []string{"the formula <math"}},
		{"level", `<h3>deep</h3>`, 320, []string{`the heading "deep" of level 3 comes after one of level 1`}},
		{"title", `<h1>again</h1>`, 320, []string{`the heading "again" is a second one`}},
		{"dark only", `<style>body { background: #000; color: #fff }</style>`, 320, []string{"the page is dark"}},
		{"id", `<p id="a"><p id="a">`, 320, []string{"the id a is given twice"}},
		{"console", `<script>console.error("bad")</script>`, 320, []string{"the console says: bad"}},
		{"exception", `<script>throw Error("bad")</script>`, 320, []string{"a script fails: Uncaught"}},
		{"network", `<link rel="stylesheet" href="https://example.org/x.css">`, 320, []string{"the page asks for https://example.org/x.css", "a request fails: Stylesheet"}},
		{"policy", `<meta http-equiv="Content-Security-Policy" content="style-src 'none'"><style>p { color: red }</style>`, 320, []string{"the browser says: "}},
	} {
		t.Run(test.name, func(t *testing.T) {
			file := badPage(t, test.body)
			problems := look(t, tab, s, file, test.width, false)
			for _, want := range test.want {
				if !slices.ContainsFunc(problems, func(p string) bool { return strings.HasPrefix(p, want) }) {
					t.Errorf("not found: %s", want)
				}
			}
			for _, problem := range problems {
				// The browser's own log repeats a failed request.
				if !slices.ContainsFunc(test.want, func(w string) bool { return strings.HasPrefix(problem, w) }) && !strings.Contains(problem, "ERR_") {
					t.Errorf("found too: %s", problem)
				}
			}
		})
	}
}

// TestDarkInspection shows that a dark browser is one.
func TestDarkInspection(t *testing.T) {
	tab, s := open(t, start(t, true))
	if problems := look(t, tab, s, badPage(t, ""), 320, true); len(problems) > 0 {
		t.Errorf("found: %q", problems)
	}
	problems := look(t, tab, s, badPage(t, `<style>body { background: #fff; color: #000 }</style>`), 320, true)
	if len(problems) != 1 || !strings.HasPrefix(problems[0], "the page is light") {
		t.Errorf("found: %q", problems)
	}
	if problems := look(t, tab, s, badPage(t, ""), 320, false); len(problems) == 0 {
		t.Error("a dark browser passes for a light one")
	}
}
