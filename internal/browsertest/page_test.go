package browsertest

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/npmtest"
	"github.com/siegebook/siegebook/internal/waittest"
)

// seen collects what the browser reports about a page while the page is shown.
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

// newTab opens an empty tab.
func newTab(t *testing.T, browser *rod.Browser) *rod.Page {
	t.Helper()
	tab, err := browser.Page(proto.TargetCreateTarget{URL: "about:blank"})
	must.Do(t, err)
	return tab.Context(t.Context())
}

// screen returns the settings for a window of a size in CSS pixels.
func screen(width, height int) *proto.EmulationSetDeviceMetricsOverride {
	return &proto.EmulationSetDeviceMetricsOverride{Width: width, Height: height, DeviceScaleFactor: 1}
}

// device returns the settings for a screen: a telephone if the width is small, and a desktop otherwise.
func device(width int) *proto.EmulationSetDeviceMetricsOverride {
	size := screen(width, 800)
	size.Mobile = width < 600
	return size
}

// errCrashed is the cause of a crashed tab's cancelled context.
var errCrashed = errors.New("the tab has crashed: is there enough memory?")

// open opens a tab and listens to it. If the tab crashes, its context ends with errCrashed.
func open(t *testing.T, browser *rod.Browser) (*rod.Page, *seen) {
	t.Helper()
	ctx, end := context.WithCancelCause(t.Context())
	tab := newTab(t, browser).Context(ctx)
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
		func(*proto.InspectorTargetCrashed) { end(errCrashed) },
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

// look shows a file in a window of the given width, and returns the problems. dark reports whether the browser was
// started with a preference for dark pages.
func look(t *testing.T, tab *rod.Page, s *seen, file string, width int, dark bool) []string {
	t.Helper()
	tab = tab.Timeout(waittest.Patience)
	defer tab.CancelTimeout()
	showOn(t, tab, fileURL(file), device(width))
	problems := check(t, tab, "inspect", dark).Problems
	must.Do(t, settle(tab, s, fmt.Sprint(mark, file, width)))
	return append(problems, s.take()...)
}

// settle waits until the browser has reported everything that has happened on a page so far. Events and answers arrive
// on two channels, so settle makes the page log a mark. Once the mark has arrived, everything before it has arrived,
// too.
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

// axeRun runs axe-core in a page, and returns an audit.
//
//go:embed axe.js
var axeRun string

// audit is the result of axe-core for a page.
type audit struct {
	Findings, Passed []string
}

// axe runs axe-core in the page that a tab shows. It loads axe-core through the browser's debugging channel, so that
// the page's policy stays unchanged.
func axe(t *testing.T, tab *rod.Page, source, rules string) (audit, error) {
	t.Helper()
	var a audit
	if !ask[bool](t, tab, `() => "axe" in globalThis`) {
		if _, err := tab.Eval("() => {" + source + "\n}"); err != nil {
			return a, fmt.Errorf("axe-core does not load: %w", err)
		}
	}
	result, err := tab.Eval(axeRun, rules, "")
	if err != nil {
		return a, fmt.Errorf("axe-core does not run: %w", err)
	}
	return a, result.Value.Unmarshal(&a)
}

// axeSource returns the source of axe-core, or "" if it is not installed.
func axeSource(t *testing.T) string {
	t.Helper()
	return string(must.Get(os.ReadFile(filepath.Join(checkers(t), "axe-core", "axe.min.js"))))
}

// validation is html-validate's configuration. Pages are well-formed XML, so empty elements close themselves and every
// attribute has a value. Ids that a text cannot define contain a dot or a colon. All other rules are as recommended.
const validation = `{"root": true, "extends": ["html-validate:recommended"], "rules": {
	"void-style": ["error", {"style": "selfclose"}],
	"attribute-boolean-style": ["error", {"style": "empty"}],
	"valid-id": ["error", {"relaxed": true}]
}}`

// validate runs html-validate on pages, and returns the findings for each page as "rule: line: message".
func validate(t *testing.T, pages ...string) map[string][]string {
	t.Helper()
	config := filepath.Join(t.TempDir(), "html-validate.json")
	must.Write(t, config, validation)
	tool := filepath.Join(checkers(t), "html-validate", "bin", "html-validate.mjs")
	cmd := exec.CommandContext(t.Context(), "node", append([]string{tool, "--config", config, "--formatter", "json"},
		pages...)...)
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		t.Fatalf("html-validate: %v\n%s", err, said.String())
	}
	var results []struct {
		FilePath string
		Messages []struct {
			RuleID, Message string
			Line            int
		}
	}
	if err := json.Unmarshal(out, &results); err != nil {
		t.Fatalf("html-validate: %v\n%s%s", err, out, said.String())
	}
	problems := map[string][]string{}
	for _, r := range results {
		for _, m := range r.Messages {
			problems[r.FilePath] = append(problems[r.FilePath], fmt.Sprintf("%s: line %d: %s", m.RuleID, m.Line,
				m.Message))
		}
	}
	return problems
}

// TestHTML validates every page, and the report as one file.
func TestHTML(t *testing.T) {
	t.Parallel()
	r := report(t)
	for page, problems := range validate(t, append(slices.Clone(r.pages), r.single)...) {
		t.Errorf("%s: %q", filepath.Base(page), problems)
	}
}

// checkers returns the folder of the npm packages that check pages, and that make the font of formulas.
func checkers(t *testing.T) string {
	t.Helper()
	return npmtest.Modules(t, "npm", "axe-core/axe.min.js")
}

func TestLockFile(t *testing.T) {
	npmtest.CheckLock(t, "npm", map[string]string{
		"axe-core": "4.14.1", "html-validate": "10.9.0", "subset-font": "2.9.0", "@fontsource/stix-two-math": "5.3.0",
	})
}
