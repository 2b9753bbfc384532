package browsertest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/cdp"
	"github.com/go-rod/rod/lib/input"
	"github.com/go-rod/rod/lib/launcher"
	"github.com/go-rod/rod/lib/proto"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/waittest"
)

// window is a browser window that a test controls. An error ends the test.
type window interface {
	// open shows a page that is not open yet, and returns when the page has loaded.
	open(address string)
	resize(width, height int)
	// zoom makes everything larger, but keeps the size of the window in CSS pixels.
	zoom(width, height int, ratio float64)
	// picture returns an image of a part of the window.
	picture(left, top, width, height float64) image.Image
	// eval runs a function in the page and returns its result as JSON. If the function returns a promise, eval waits
	// for it.
	eval(function string, args ...any) (json.RawMessage, error)
	// stroke puts a pointer down at the first point, moves it through the other points, and lifts it at the last one.
	stroke(with pointer, points ...point)
	// press presses keys while holding down the key hold, unless hold is 0.
	press(hold input.Key, keys ...input.Key)
	// problems returns the problems that the browser has reported, and the requests that pages have made, since the
	// last call.
	problems() []string
	// serve makes the window report failures to a test, and returns the test to which it reported before.
	serve(t *testing.T) (before *testing.T)
}

// pointer is a kind of pointing device.
type pointer string

const (
	mouse pointer = "mouse"
	touch pointer = "touch"
)

// point is a position in the window, in CSS pixels.
type point struct{ x, y float64 }

// harmless contains the URL schemes that need no network.
var harmless = map[string]bool{"file": true, "data": true, "blob": true, "about": true}

// watch records errors, violations of the page's policy, and requests to an engine.
const watch = `() => {
	const asked = [], post = Worker.prototype.postMessage;
	Object.defineProperty(globalThis, "asked", {value: asked});
	Worker.prototype.postMessage = function (message, ...more) {
		if (message.request) asked.push(message.request);
		return post.call(this, message, ...more);
	};
	const said = [];
	Object.defineProperty(globalThis, "overheard", {value: said});
	addEventListener("securitypolicyviolation", (e) => said.push("the policy refuses " + e.violatedDirective + " " + e.blockedURI + " " + e.sample), true);
	// A size that is observed one frame later is not a failure of a script, nor does Chromium report it as one.
	const later = "ResizeObserver loop completed with undelivered notifications.";
	addEventListener("error", (e) => { if (e.message && e.message !== later) said.push("a script fails: " + e.message); }, true);
	addEventListener("unhandledrejection", (e) => said.push("a script fails: " + e.reason));
}`

// overheard returns the errors and violations that watch has recorded.
func overheard(t *testing.T, w window) []string {
	t.Helper()
	return evaluate[[]string](t, w, `() => globalThis.overheard ? overheard.splice(0) : []`)
}

// evaluate runs a function in the page and returns its result.
func evaluate[T any](t *testing.T, w window, function string, args ...any) T {
	t.Helper()
	var answer T
	data, err := w.eval(function, args...)
	if err == nil {
		err = json.Unmarshal(data, &answer)
	}
	if err != nil {
		t.Fatalf("%s of %v: %v", function, args, err)
	}
	return answer
}

// browsers contains the browsers in which explorables are tested.
var browsers = []struct {
	name  string
	start func(t *testing.T, dark bool) window
}{
	{"Chromium", func(t *testing.T, dark bool) window { return startChromium(t, dark) }},
	{"Firefox", func(t *testing.T, dark bool) window { return startFirefox(t, dark) }},
}

// inBrowsers runs a test in all browsers at the same time, each in its own window. If dark is true, Chromium's window
// is dark.
func inBrowsers(t *testing.T, dark bool, test func(t *testing.T, w window)) {
	t.Helper()
	for _, browser := range browsers {
		t.Run(browser.name, func(t *testing.T) {
			t.Parallel()
			if browser.name != "Chromium" && testing.Short() {
				t.Skip("another browser; leave out -short")
			}
			test(t, browser.start(t, dark && browser.name == "Chromium"))
		})
	}
}

// chromiumWindow is a Chromium window.
type chromiumWindow struct {
	t     *testing.T
	tab   *rod.Page
	heard *seen
	marks int
}

func (w *chromiumWindow) serve(t *testing.T) (before *testing.T) {
	before, w.t = w.t, t
	return before
}

func startChromium(t *testing.T, dark bool) *chromiumWindow {
	t.Helper()
	tab, heard := open(t, start(t, dark))
	if _, err := tab.EvalOnNewDocument("(" + watch + ")()"); err != nil {
		t.Fatal(err)
	}
	fingers := 5
	must.Do(t, (proto.EmulationSetTouchEmulationEnabled{Enabled: true, MaxTouchPoints: &fingers}).Call(tab))
	return &chromiumWindow{t: t, tab: tab, heard: heard}
}

func (w *chromiumWindow) must(err error) {
	w.t.Helper()
	must.Do(w.t, err)
}

func (w *chromiumWindow) open(address string) {
	w.t.Helper()
	tab := w.tab.Timeout(waittest.Patience)
	defer tab.CancelTimeout()
	// Without about:blank, going to another fragment of the same page would not load the page.
	for _, to := range []string{"about:blank", address} {
		w.must(tab.Navigate(to))
		w.must(tab.WaitLoad())
	}
}

func (w *chromiumWindow) resize(width, height int) {
	w.t.Helper()
	w.zoom(width, height, 1)
}

func (w *chromiumWindow) zoom(width, height int, ratio float64) {
	w.t.Helper()
	size := screen(width, height)
	size.DeviceScaleFactor = ratio
	w.must(w.tab.SetViewport(size))
}

func (w *chromiumWindow) picture(left, top, width, height float64) image.Image {
	w.t.Helper()
	tab := w.tab.Timeout(waittest.Patience)
	defer tab.CancelTimeout()
	// The clip is relative to the page, not to the window.
	up := evaluate[float64](w.t, w, "() => scrollY")
	data, err := tab.Screenshot(false, &proto.PageCaptureScreenshot{
		Clip: &proto.PageViewport{X: left, Y: top + up, Width: width, Height: height, Scale: 1},
	})
	w.must(err)
	drawn, err := png.Decode(bytes.NewReader(data))
	w.must(err)
	return drawn
}

func (w *chromiumWindow) eval(function string, args ...any) (json.RawMessage, error) {
	tab := w.tab.Timeout(waittest.Patience)
	defer tab.CancelTimeout()
	result, err := tab.Eval(function, args...)
	if crashed := context.Cause(w.tab.GetContext()); err != nil && crashed != nil {
		return nil, crashed
	}
	if err != nil {
		return nil, err
	}
	return result.Value.MarshalJSON()
}

func (w *chromiumWindow) stroke(with pointer, points ...point) {
	w.t.Helper()
	first, last := points[0], points[len(points)-1]
	if with == touch {
		now := float64(time.Now().UnixMilli()) / 1000
		dab := func(what proto.InputDispatchTouchEventType, at ...*proto.InputTouchPoint) {
			now += 0.01 // explicit times, because on a busy machine a tap could become a long press
			w.must(proto.InputDispatchTouchEvent{
				Type: what, TouchPoints: append([]*proto.InputTouchPoint{}, at...),
				Timestamp: proto.TimeSinceEpoch(now),
			}.Call(w.tab))
		}
		dab(proto.InputDispatchTouchEventTypeTouchStart, &proto.InputTouchPoint{X: first.x, Y: first.y})
		for _, at := range points[1:] {
			dab(proto.InputDispatchTouchEventTypeTouchMove, &proto.InputTouchPoint{X: at.x, Y: at.y})
		}
		dab(proto.InputDispatchTouchEventTypeTouchEnd)
		return
	}
	event := func(what proto.InputDispatchMouseEventType, at point, button proto.InputMouseButton, held int) {
		w.must(proto.InputDispatchMouseEvent{
			Type: what, X: at.x, Y: at.y, Button: button, Buttons: &held,
			ClickCount: 1,
		}.Call(w.tab))
	}
	event(proto.InputDispatchMouseEventTypeMouseMoved, first, proto.InputMouseButtonNone, 0)
	event(proto.InputDispatchMouseEventTypeMousePressed, first, proto.InputMouseButtonLeft, 1)
	for _, at := range points[1:] {
		event(proto.InputDispatchMouseEventTypeMouseMoved, at, proto.InputMouseButtonLeft, 1)
	}
	event(proto.InputDispatchMouseEventTypeMouseReleased, last, proto.InputMouseButtonLeft, 0)
}

func (w *chromiumWindow) press(hold input.Key, keys ...input.Key) {
	w.t.Helper()
	if hold != 0 {
		w.must(w.tab.Keyboard.Press(hold))
	}
	w.must(w.tab.Keyboard.Type(keys...))
	if hold != 0 {
		w.must(w.tab.Keyboard.Release(hold))
	}
}

func (w *chromiumWindow) problems() []string {
	w.t.Helper()
	said := overheard(w.t, w)
	tab := w.tab.Timeout(waittest.Patience)
	defer tab.CancelTimeout()
	w.marks++
	w.must(settle(tab, w.heard, mark+string(rune('a'+w.marks%26))))
	return append(said, w.heard.take()...)
}

// onPath returns the path of a browser: the first of the given names that is on the PATH. If there is none, it skips
// the test, or fails it if CI=true.
func onPath(t *testing.T, browser string, names ...string) string {
	t.Helper()
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	must.SkipMissing(t, "no %s on PATH (looked for %s): run make test as root or with sudo, or install it yourself",
		browser, strings.Join(names, ", "))
	return ""
}

func chromium(t *testing.T) string {
	t.Helper()
	return onPath(t, "Chromium", "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
}

func firefox(t *testing.T) string {
	t.Helper()
	return onPath(t, "Firefox", "firefox-esr", "firefox")
}

// idle holds the light and dark browsers that no test is using. A test takes a browser and returns it afterwards,
// because starting a browser takes at least four seconds of processor time. The test has its own tab, which is closed
// when the test ends. TestMain ends the browsers.
type idle[B interface{ end() }] struct {
	mu  sync.Mutex
	all map[bool][]B
}

var (
	chromiums idle[*chromiumProcess]
	firefoxes idle[*bidi]
)

// take returns an idle browser that is light or dark. If there is none, it starts one by calling begin.
func (i *idle[B]) take(dark bool, begin func() B) B {
	i.mu.Lock()
	last := len(i.all[dark]) - 1
	if last < 0 {
		i.mu.Unlock()
		return begin()
	}
	defer i.mu.Unlock()
	b := i.all[dark][last]
	i.all[dark] = i.all[dark][:last]
	return b
}

// give returns a browser from a test. It ends the browser if the test has failed, or if the browser's tabs do not
// close.
func (i *idle[B]) give(t *testing.T, dark bool, b B, closed bool) {
	if t.Failed() || !closed {
		b.end()
		return
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.all == nil {
		i.all = map[bool][]B{}
	}
	i.all[dark] = append(i.all[dark], b)
}

// end ends all browsers.
func (i *idle[B]) end() {
	for _, all := range i.all {
		for _, b := range all {
			b.end()
		}
	}
}

// chromiumProcess is a Chromium process. It starts without a tab.
type chromiumProcess struct {
	*rod.Browser
	launcher *launcher.Launcher
}

func (b *chromiumProcess) end() {
	if err := b.Close(); err != nil {
		b.launcher.Kill()
	}
	b.launcher.Cleanup() // waits until the process, which writes to its profile until then, has ended
}

// tabs closes all tabs, and returns the number of tabs that were open.
func (b *chromiumProcess) tabs() (open int, err error) {
	targets, err := proto.TargetGetTargets{}.Call(b)
	if err != nil {
		return 0, err
	}
	for _, target := range targets.TargetInfos {
		if target.Type == proto.TargetTargetInfoTypePage {
			open++
			_, _ = proto.TargetCloseTarget{TargetID: target.TargetID}.Call(b)
		}
	}
	return open, nil
}

// start returns a browser that prefers light or dark pages and has no tabs of other tests. If a tab's preference were
// changed later, the tab would load some pictures twice.
func start(t *testing.T, dark bool) *rod.Browser {
	t.Helper()
	b := chromiums.take(dark, func() *chromiumProcess { return launchChromium(t, dark) })
	t.Cleanup(func() {
		closed := false
		for begin := time.Now(); !closed && time.Since(begin) < time.Minute; time.Sleep(20 * time.Millisecond) {
			open, err := b.tabs()
			if closed = err == nil && open == 0; err != nil {
				break
			}
		}
		chromiums.give(t, dark, b, closed)
	})
	return b.Browser
}

// launchChromium starts a browser with a fresh profile. The browser can reach only this machine.
func launchChromium(t *testing.T, dark bool) *chromiumProcess {
	t.Helper()
	profile := must.Get(os.MkdirTemp("", "siegebook-browser-"))
	l := launcher.New().Bin(chromium(t)).Leakless(false).Headless(true).NoSandbox(true).UserDataDir(profile).
		Set("js-flags", "--wasm-tiering-budget=100000000"). // engines answer only a few times
		Set("disable-gpu").Set("in-process-gpu").Set("disable-quic").Set("no-first-run").
		Set("disable-background-networking").Set("disable-component-update").Set("disable-sync").
		Set("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1").
		Env(append(os.Environ(), fontsFor(t, dark))...)
	if dark {
		l.Set("blink-settings", "preferredColorScheme=0")
	}
	address, err := l.Context(t.Context()).Launch()
	if err != nil {
		t.Fatalf("Chromium does not start: %v", err)
	}
	b := &chromiumProcess{Browser: rod.New().ControlURL(address).NoDefaultDevice(), launcher: l}
	if err := b.Connect(); err != nil {
		l.Kill()
		t.Fatal(err)
	}
	return b
}

// firefoxSettings returns the settings of a profile that makes no requests: all hosts except this machine are behind a
// proxy that does not exist. Preferences for dark pages or reduced motion apply from the start.
func firefoxSettings(dark bool) string {
	colours := 1
	if dark {
		colours = 0
	}
	return fmt.Sprintf(`user_pref("network.proxy.type", 1);
user_pref("network.proxy.http", "127.0.0.1"); user_pref("network.proxy.http_port", 9);
user_pref("network.proxy.ssl", "127.0.0.1"); user_pref("network.proxy.ssl_port", 9);
user_pref("network.proxy.socks", "127.0.0.1"); user_pref("network.proxy.socks_port", 9);
user_pref("network.captive-portal-service.enabled", false); user_pref("network.connectivity-service.enabled", false);
user_pref("app.update.enabled", false); user_pref("app.normandy.enabled", false); user_pref("extensions.update.enabled", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false); user_pref("toolkit.telemetry.enabled", false);
user_pref("browser.shell.checkDefaultBrowser", false); user_pref("browser.safebrowsing.downloads.enabled", false);
user_pref("browser.aboutwelcome.enabled", false); user_pref("datareporting.policy.dataSubmissionPolicyBypassNotification", true);
user_pref("services.settings.server", "data:,#remote-settings-dummy/v1");
user_pref("layout.css.prefers-color-scheme.content-override", %d);
`, colours)
}

// bidi is the client of a WebDriver BiDi connection to Firefox.
type bidi struct {
	socket cdp.WebSocket
	stop   func()

	mu      sync.Mutex
	next    int
	waiting map[int]chan bidiMessage
	tell    func(method string, params json.RawMessage) // receives events, unless nil
	ended   error
}

type bidiMessage struct {
	Type, Method   string
	ID             *int
	Error, Message string
	Result, Params json.RawMessage
}

// startFirefox returns a Firefox window with its own tab.
func startFirefox(t *testing.T, dark bool) *firefoxWindow {
	t.Helper()
	w := &firefoxWindow{bidi: firefoxes.take(dark, func() *bidi { return launchFirefox(t, dark) }), t: t}
	t.Cleanup(func() {
		err := w.call(context.Background(), "browsingContext.close", map[string]any{"context": w.context}, nil)
		w.hearBy(nil)
		firefoxes.give(t, dark, w.bidi, err == nil)
	})
	// In the tab that Firefox opens at the start, the address bar has the focus, not the page.
	var tab struct{ Context string }
	w.must("browsingContext.create", map[string]any{"type": "tab"}, &tab)
	w.context = tab.Context
	w.must("browsingContext.activate", map[string]any{"context": w.context}, nil)
	w.hearBy(w.hear)
	return w
}

// launchFirefox starts Firefox with a fresh profile, and opens a session that receives the pages' messages, requests
// and failed requests.
func launchFirefox(t *testing.T, dark bool) *bidi {
	t.Helper()
	profile := must.Get(os.MkdirTemp("", "siegebook-firefox-"))
	must.Write(t, filepath.Join(profile, "user.js"), firefoxSettings(dark))
	cmd := exec.Command(firefox(t), "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0",
		"about:blank")
	cmd.Env = append(os.Environ(), fontsFor(t, dark), "HOME="+profile, "MOZ_CRASHREPORTER_DISABLE=1",
		"MOZ_DISABLE_AUTO_SAFE_MODE=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	said := must.Get(cmd.StderrPipe())
	if err := cmd.Start(); err != nil {
		t.Fatalf("Firefox does not start: %v", err)
	}
	address, exited := make(chan string, 1), make(chan struct{})
	go func() {
		lines := bufio.NewScanner(said)
		for lines.Scan() {
			if _, at, ok := strings.Cut(lines.Text(), "WebDriver BiDi listening on "); ok {
				address <- at
				break
			}
		}
		close(address)
		_, _ = io.Copy(io.Discard, said) // a browser blocks if nobody reads its output; its lines may be long
		_ = cmd.Wait()
		close(exited)
	}()
	b := &bidi{waiting: map[int]chan bidiMessage{}, stop: func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		<-exited
		_ = os.RemoveAll(profile) // so that the browser need not clean up its profile
	}}
	begun := false
	defer func() {
		if !begun {
			b.stop()
		}
	}()
	at := waittest.Ends(t, "the start of Firefox", func() string { return <-address })
	if at == "" {
		t.Fatal("Firefox ends before it listens")
	}
	// WebSocket clients must send a key. Any key works.
	header := http.Header{"Sec-WebSocket-Key": {"c2llZ2Vib29rIHBsYXlzIQ=="}}
	must.Do(t, b.socket.Connect(t.Context(), at+"/session", header))
	go b.listen()
	for _, call := range []struct {
		method string
		params map[string]any
	}{
		{"session.new", map[string]any{"capabilities": map[string]any{}}},
		{"session.subscribe", map[string]any{"events": []string{"log.entryAdded", "network.beforeRequestSent"}}},
		{"script.addPreloadScript", map[string]any{"functionDeclaration": watch}},
	} {
		must.Do(t, b.call(t.Context(), call.method, call.params, nil))
	}
	begun = true
	return b
}

func (b *bidi) end() { b.stop() }

// hearBy sets the function that receives the pages' events from now on.
func (b *bidi) hearBy(hear func(method string, params json.RawMessage)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tell = hear
}

// listen passes replies to the waiting callers, and events to the function that hearBy has set.
func (b *bidi) listen() {
	for {
		data, err := b.socket.Read()
		if err != nil {
			b.mu.Lock()
			b.ended = err
			for _, answer := range b.waiting {
				close(answer)
			}
			b.waiting = nil
			b.mu.Unlock()
			return
		}
		var m bidiMessage
		if json.Unmarshal(data, &m) != nil {
			continue
		}
		if m.Type == "event" {
			b.mu.Lock()
			tell := b.tell
			b.mu.Unlock()
			if tell != nil {
				tell(m.Method, m.Params)
			}
			continue
		}
		if m.ID == nil {
			continue
		}
		b.mu.Lock()
		answer := b.waiting[*m.ID]
		delete(b.waiting, *m.ID)
		b.mu.Unlock()
		if answer != nil {
			answer <- m
		}
	}
}

// call calls a method, and decodes its result into result unless result is nil.
func (b *bidi) call(ctx context.Context, method string, params, result any) error {
	ctx, cancel := context.WithTimeout(ctx, waittest.Patience)
	defer cancel()
	b.mu.Lock()
	if b.ended != nil {
		b.mu.Unlock()
		return fmt.Errorf("%s: %w", method, b.ended)
	}
	b.next++
	id, answer := b.next, make(chan bidiMessage, 1)
	b.waiting[id] = answer
	message, err := json.Marshal(map[string]any{"id": id, "method": method, "params": params})
	if err == nil {
		err = b.socket.Send(message)
	}
	b.mu.Unlock()
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	select {
	case m, ok := <-answer:
		switch {
		case !ok:
			return fmt.Errorf("%s: Firefox has ended", method)
		case m.Type == "error":
			return fmt.Errorf("%s: %s: %s", method, m.Error, m.Message)
		case result != nil:
			return json.Unmarshal(m.Result, result)
		}
		return nil
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", method, ctx.Err())
	}
}

// firefoxWindow is a Firefox window.
type firefoxWindow struct {
	*bidi
	t       *testing.T
	context string
	heard   seen
}

func (w *firefoxWindow) serve(t *testing.T) (before *testing.T) {
	before, w.t = w.t, t
	return before
}

func (w *firefoxWindow) must(method string, params, result any) {
	w.t.Helper()
	must.Do(w.t, w.call(w.t.Context(), method, params, result))
}

func (w *firefoxWindow) hear(method string, params json.RawMessage) {
	var event struct {
		Level, Text, Type string
		Request           struct{ URL string }
	}
	if json.Unmarshal(params, &event) != nil {
		return
	}
	switch method {
	case "log.entryAdded":
		if (event.Level == "error" || event.Level == "warn") && !arrivingFormula.MatchString(event.Text) {
			w.heard.addf("the console says: %s", event.Text)
		}
	case "network.beforeRequestSent":
		if u, err := url.Parse(event.Request.URL); err != nil || !harmless[u.Scheme] {
			w.heard.addf("the page asks for %s", event.Request.URL)
		}
	}
}

// arrivingFormula matches Firefox's message about a formula with too few parts. On a busy machine, Firefox also prints
// this message for a correct formula if it lays the formula out before the whole formula has arrived. checks.js counts
// the parts.
var arrivingFormula = regexp.MustCompile(`^Invalid markup: Incorrect number of children for <\w+/> tag\.$`)

func (w *firefoxWindow) open(address string) {
	w.t.Helper()
	// If Firefox leaves a page while the page changes its address, Firefox may never report that the next page has
	// loaded.
	evaluate[bool](w.t, w, `() => { history.replaceState = () => {}; return true; }`)
	// Without about:blank, going to another fragment of the same page would not load the page.
	for _, to := range []string{"about:blank", address} {
		w.must("browsingContext.navigate", map[string]any{"context": w.context, "url": to, "wait": "complete"}, nil)
	}
}

// TestOpen checks that Firefox can leave a page even while the page is changing its address. After 200 changes within
// ten seconds, Firefox rejects each further change with an error. On a busy machine, these errors block everything
// else.
func TestOpen(t *testing.T) {
	if testing.Short() {
		t.Skip("another browser; leave out -short")
	}
	t.Parallel()
	page := badPage(t, `<script>
let left = 180;
const write = () => { if (left-- > 0) history.replaceState(null, "", "#n=" + Math.random()); };
addEventListener("load", () => setTimeout(() => setInterval(write, 1), 20));
</script>`)
	w := startFirefox(t, false)
	for i := range 12 {
		w.open(fileURL(page))
		evaluate[bool](t, w, `(ms) => new Promise((done) => setTimeout(done, ms, true))`, 20+2*i)
	}
}

func (w *firefoxWindow) resize(width, height int) {
	w.t.Helper()
	w.zoom(width, height, 1)
}

func (w *firefoxWindow) zoom(width, height int, ratio float64) {
	w.t.Helper()
	w.must("browsingContext.setViewport", map[string]any{
		"context":  w.context,
		"viewport": map[string]int{"width": width, "height": height}, "devicePixelRatio": ratio,
	}, nil)
}

func (w *firefoxWindow) picture(left, top, width, height float64) image.Image {
	w.t.Helper()
	var drawn struct{ Data []byte }
	w.must("browsingContext.captureScreenshot", map[string]any{
		"context": w.context,
		"clip":    map[string]any{"type": "box", "x": left, "y": top, "width": width, "height": height},
	}, &drawn)
	return must.Get(png.Decode(bytes.NewReader(drawn.Data)))
}

// eval runs a function in the page and returns its result as JSON.
func (w *firefoxWindow) eval(function string, args ...any) (json.RawMessage, error) {
	given, err := json.Marshal(append([]any{}, args...))
	if err != nil {
		return nil, err
	}
	var answer struct {
		Type             string
		ExceptionDetails struct{ Text string }
		Result           struct{ Value string }
	}
	// The result is a string, because Firefox sends strings in one piece, but not objects.
	call := "async (given) => JSON.stringify(await (" + function + ")(...JSON.parse(given))) ?? 'null'"
	err = w.call(w.t.Context(), "script.callFunction", map[string]any{
		"functionDeclaration": call, "awaitPromise": true, "target": map[string]string{"context": w.context},
		"arguments": []any{map[string]string{"type": "string", "value": string(given)}},
	}, &answer)
	if err == nil && answer.Type != "success" {
		err = fmt.Errorf("%s", answer.ExceptionDetails.Text)
	}
	return json.RawMessage(answer.Result.Value), err
}

func (w *firefoxWindow) perform(sources ...map[string]any) {
	w.t.Helper()
	w.must("input.performActions", map[string]any{"context": w.context, "actions": sources}, nil)
}

func (w *firefoxWindow) stroke(with pointer, points ...point) {
	w.t.Helper()
	var actions []map[string]any
	for i, at := range points {
		actions = append(actions, map[string]any{"type": "pointerMove", "x": int(at.x), "y": int(at.y)})
		if i == 0 {
			actions = append(actions, map[string]any{"type": "pointerDown", "button": 0})
		}
	}
	actions = append(actions, map[string]any{"type": "pointerUp", "button": 0})
	w.perform(map[string]any{
		"type": "pointer", "id": string(with),
		"parameters": map[string]any{"pointerType": string(with)}, "actions": actions,
	})
}

// namedKeys maps keys that are not letters to WebDriver's codes.
var namedKeys = map[input.Key]rune{
	input.Tab: 0xE004, input.Enter: 0xE007, input.ShiftLeft: 0xE008, input.ControlLeft: 0xE009, input.Escape: 0xE00C,
	input.Space: ' ', input.PageUp: 0xE00E, input.PageDown: 0xE00F, input.End: 0xE010, input.Home: 0xE011,
	input.ArrowLeft: 0xE012, input.ArrowUp: 0xE013, input.ArrowRight: 0xE014, input.ArrowDown: 0xE015,
	input.Delete: 0xE017, input.Backspace: 0xE003,
}

func (w *firefoxWindow) press(hold input.Key, keys ...input.Key) {
	w.t.Helper()
	var actions []map[string]any
	add := func(what string, k input.Key) {
		letter, ok := namedKeys[k]
		if !ok {
			letter = rune(k)
		}
		actions = append(actions, map[string]any{"type": what, "value": string(letter)})
	}
	if hold != 0 {
		add("keyDown", hold)
	}
	for _, k := range keys {
		add("keyDown", k)
		add("keyUp", k)
	}
	if hold != 0 {
		add("keyUp", hold)
	}
	w.perform(map[string]any{"type": "key", "id": "keyboard", "actions": actions})
}

func (w *firefoxWindow) problems() []string {
	w.t.Helper()
	return append(overheard(w.t, w), w.heard.take()...)
}
