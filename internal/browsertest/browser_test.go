package browsertest

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/launcher"

	"github.com/siegebook/siegebook/internal/must"
)

// chromium returns the browser's path. Where there is none the test ends: skipped, or failed if CI=true.
func chromium(t *testing.T) string {
	t.Helper()
	names := []string{"chromium", "chromium-browser", "google-chrome"}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	const format = "no Chromium on PATH (looked for %s): run make test as root or with sudo, or install it yourself"
	if os.Getenv("CI") == "true" {
		t.Fatalf(format, strings.Join(names, ", "))
	}
	t.Skipf(format, strings.Join(names, ", "))
	return ""
}

// start starts a browser with a fresh profile that finds no host but this one and asks pages for light or dark. A tab
// that is told later to ask for the other would load some pictures twice.
func start(t *testing.T, dark bool) *rod.Browser {
	t.Helper()
	profile := must.Get(os.MkdirTemp("", "siegebook-browser-"))
	l := launcher.New().Bin(chromium(t)).Leakless(false).Headless(true).NoSandbox(true).UserDataDir(profile).
		Set("disable-gpu").Set("disable-quic").Set("no-first-run").Set("disable-background-networking").
		Set("disable-component-update").Set("disable-sync").
		Set("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1")
	if dark {
		l.Set("force-dark-mode")
	}
	address, err := l.Context(t.Context()).Launch()
	if err != nil {
		t.Fatalf("Chromium does not start: %v", err)
	}
	browser := rod.New().ControlURL(address).NoDefaultDevice()
	if err := browser.Connect(); err != nil {
		l.Kill()
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := browser.Close(); err != nil {
			l.Kill()
		}
		l.Cleanup() // waits for the end of the process, which writes to its profile until then
	})
	return browser
}
