package browsertest

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/waittest"
)

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
	must.Do(t, err)
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
	must(tab.SetViewport(&proto.EmulationSetDeviceMetricsOverride{
		Width: width, Height: 800, DeviceScaleFactor: 1,
		Mobile: width < 600,
	}))
	must(tab.Navigate((&url.URL{Scheme: "file", Path: file}).String()))
	must(tab.WaitLoad())
	problems := check(t, tab, "inspect", dark).Problems
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
