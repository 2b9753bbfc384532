package browsertest

import (
	"bytes"
	"encoding/json"
	"image"
	"image/png"
	"testing"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/input"
	"github.com/go-rod/rod/lib/proto"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/waittest"
)

// window is a browser window in which a test plays. An error ends the test.
type window interface {
	// open shows a page that is not open yet, and returns when it is loaded.
	open(address string)
	resize(width, height int)
	// zoom makes everything larger, and leaves the window as large as it is in CSS pixels.
	zoom(width, height int, ratio float64)
	// picture is what is seen in a part of the window.
	picture(left, top, width, height float64) image.Image
	// eval returns what a function in the page returns, or comes to return, as JSON.
	eval(function string, args ...any) (json.RawMessage, error)
	// stroke puts a pointer down at the first point, moves it over the others, and lifts it at the last.
	stroke(with pointer, points ...point)
	// press presses keys, while it holds one if that is not 0.
	press(hold input.Key, keys ...input.Key)
	// problems returns what the browser has complained about since it was asked last, and what the pages have asked
	// for.
	problems() []string
	// serve has a test hear of what fails in the window, and returns the one that did before.
	serve(t *testing.T) (before *testing.T)
}

// pointer is what a hand has.
type pointer string

const (
	mouse pointer = "mouse"
	touch pointer = "touch"
)

// point is a place in the window, in CSS pixels.
type point struct{ x, y float64 }

// harmless are the schemes of addresses that need no network.
var harmless = map[string]bool{"file": true, "data": true, "blob": true, "about": true}

// watch keeps what fails and what the page's policy refuses.
const watch = `() => {
	const said = [];
	Object.defineProperty(globalThis, "overheard", {value: said});
	addEventListener("securitypolicyviolation", (e) => said.push("the policy refuses " + e.violatedDirective + " " + e.blockedURI + " " + e.sample), true);
	addEventListener("error", (e) => { if (e.message) said.push("a script fails: " + e.message); }, true);
	addEventListener("unhandledrejection", (e) => said.push("a script fails: " + e.reason));
}`

// overheard is what watch has kept.
func overheard(t *testing.T, w window) []string {
	t.Helper()
	return evaluate[[]string](t, w, `() => globalThis.overheard ? overheard.splice(0) : []`)
}

// evaluate returns what a function in the page returns.
func evaluate[T any](t *testing.T, w window, function string, args ...any) T {
	t.Helper()
	var answer T
	data, err := w.eval(function, args...)
	if err == nil {
		err = json.Unmarshal(data, &answer)
	}
	if err != nil {
		t.Fatalf("%s: %v", function, err)
	}
	return answer
}

// browsers are those in which everything is played.
var browsers = []struct {
	name  string
	start func(t *testing.T, dark bool) window
}{
	{"Chromium", func(t *testing.T, dark bool) window { return startChromium(t, dark) }},
	{"Firefox", func(t *testing.T, dark bool) window { return startFirefox(t, dark) }},
}

// inBrowsers runs a test in every browser, in all at the same time, each in a window of its own. Chromium's is dark if
// the test says so.
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

// chromiumWindow is a window of a Chromium.
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
	return &chromiumWindow{t: t, tab: tab.Context(t.Context()), heard: heard}
}

func (w *chromiumWindow) must(err error) {
	w.t.Helper()
	must.Do(w.t, err)
}

func (w *chromiumWindow) open(address string) {
	w.t.Helper()
	tab := w.tab.Timeout(waittest.Patience)
	defer tab.CancelTimeout()
	// From the same page with another fragment there would be no load.
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
	w.must(w.tab.SetViewport(&proto.EmulationSetDeviceMetricsOverride{
		Width: width, Height: height,
		DeviceScaleFactor: ratio,
	}))
}

func (w *chromiumWindow) picture(left, top, width, height float64) image.Image {
	w.t.Helper()
	tab := w.tab.Timeout(waittest.Patience)
	defer tab.CancelTimeout()
	// Of a page, and not of the window.
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
			now += 0.01 // a busy machine may take long, which would make a long press of a tap
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
