package jupyter

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/waittest"
)

// TestWidgetValues checks that what a widget sets is what its field shows, in the form that package show reads.
func TestWidgetValues(t *testing.T) {
	fields := []controlField{
		{Kind: "range", Name: "n", Least: "-3", Most: "9007199254740992", Start: "9007199254740991"},
		{Kind: "range", Name: "x", Least: "0.00", Most: "1.00", Step: "0.01", Start: "0.30"},
		{Kind: "steps", Name: "wave", Least: "-3", Most: "4", Start: "-2"},
		{Kind: "steps", Name: "y", Least: "0.5", Most: "2.5", Step: "0.1", Start: "0.7"},
		{Kind: "field", Name: "army", Least: "1", Most: "9", Start: "7"},
		{Kind: "choice", Name: "rule", Words: []string{"a", "b"}, Start: "b"},
		{Kind: "check", Name: "far", Start: "true"},
	}
	all := widgets("id", fields)
	if last := all[len(all)-1]; last.id != "id" || last.state["_model_name"] != "VBoxModel" ||
		len(last.state["children"].([]string)) != len(fields)+1 {
		t.Errorf("the last widget is %+v, want a box of all rows and a note", last)
	}
	set := map[int]int{}
	for _, w := range all {
		if w.field < 0 {
			continue
		}
		f := fields[w.field]
		set[w.field]++
		if got := w.value(f, decodedState(t, string(encoded(w.state)))); got != f.Start {
			t.Errorf("%s of %s sets %q, want %q", w.state["_model_name"], f.Name, got, f.Start)
		}
	}
	if got := fmt.Sprint(set); got != "map[0:1 1:1 2:2 3:2 4:1 5:1 6:1]" {
		t.Errorf("the numbers of widgets by field are %s", got)
	}
	for _, f := range fields[2:4] { // each step of the button is a value of the slider
		for n := range f.stepOf(f.Most) + 1 {
			if got := f.stepOf(f.atStep(n)); got != n {
				t.Errorf("%s: step %d is %s, which is step %d", f.Name, n, f.atStep(n), got)
			}
		}
		if got := f.atStep(f.stepOf(f.Most)); got != f.Most {
			t.Errorf("%s ends at %s, want %s", f.Name, got, f.Most)
		}
	}
	for _, state := range []string{
		`{}`, `{"index": 2}`, `{"index": -1}`, `{"index": 0.5}`, `{"value": null}`, `{"value": []}`,
	} {
		if got := all[0].value(fields[5], decodedState(t, state)); got != "" {
			t.Errorf("%s sets %q, want nothing", state, got)
		}
	}
}

// decodedState returns a state as a front end sends it.
func decodedState(t *testing.T, text string) (state map[string]any) {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	must.Do(t, decoder.Decode(&state))
	return state
}

// TestWidgetComms checks the messages between a front end with widgets and the proxy.
func TestWidgetComms(t *testing.T) {
	to, from := pagePeer(t)
	to.hears.Store(true)
	f := &proxy{key: signer("k"), outer: map[channel]*server{iopub: {peers: []*peer{to}}}}
	f.controls = newControls(f)
	// hear returns the content of the next message of a type.
	hear := func(kind string) string {
		t.Helper()
		for {
			frames := waittest.Ends(t, "the proxy", func() [][]byte {
				frames, _ := from.read()
				return frames
			})
			if m := must.Get(f.key.decode(frames)); m.header.Type == kind {
				return string(m.content)
			}
		}
	}
	wants := func(kind string, parts ...string) {
		t.Helper()
		said := hear(kind)
		for _, part := range parts {
			if !strings.Contains(said, part) {
				t.Fatalf("%s says %s, want %s", kind, said, part)
			}
		}
	}
	tell := func(session, kind string, content any) bool {
		return f.controls.takeComm(to, request(session, kind, content))
	}
	set := func(session string, value int) {
		t.Helper()
		if !tell(session, "comm_msg", map[string]any{
			"comm_id": "k-0", "data": map[string]any{"method": "update", "state": map[string]any{"value": value}},
		}) {
			t.Fatal("the proxy does not take a message to its widget")
		}
	}

	ctl := fakeKnob(t)
	ctl.fields = []controlField{{Kind: "steps", Name: "n", Least: "1", Most: "9", Start: "5"}}
	ctl.values, ctl.widgets = []string{"5"}, widgets("k", ctl.fields)
	f.controls.openWidgets(ctl)
	for range ctl.widgets {
		wants("comm_open", `"target_name":"jupyter.widget"`, `"_model_module"`)
	}
	tell("first", "comm_info_request", map[string]any{"target_name": "jupyter.widget"})
	wants("comm_info_reply", `"k":{"target_name":"jupyter.widget"}`, `"k-0-play"`)
	tell("first", "comm_info_request", map[string]any{"target_name": "another"})
	wants("comm_info_reply", `"comms":{}`)
	tell("first", "comm_open", map[string]any{"comm_id": "r", "target_name": "jupyter.widget.control"})
	wants("comm_close", `"comm_id":"r"`)

	set("first", 7)
	wants("comm_msg", `"comm_id":"k-0-play"`, `"value":6`)
	wants("update_display_data", `"text/plain":"7"`)
	wants("status", "idle")
	set("first", 7) // no change, so no picture
	wants("status", "busy")
	wants("status", "idle")
	set("second", 8) // the picture of another page cannot be replaced
	wants("status", "busy")
	wants("status", "idle")
	for session, disabled := range map[string]bool{"first": false, "second": true} {
		tell(session, "comm_msg", map[string]any{"comm_id": "k-0", "data": map[string]any{"method": "request_state"}})
		said := hear("comm_msg")
		if !strings.Contains(said, `"value":7`) || strings.Contains(said, "disabled") != disabled {
			t.Errorf("the %s session gets the state %s", session, said)
		}
	}

	f.controls.end(ctl, "interrupted")
	wants("comm_msg", `"disabled":true`)
	wants("comm_msg", `"disabled":true`)
	wants("comm_msg", "These controls have ended (interrupted)")
	set("first", 8)
	wants("status", "busy")
	wants("status", "idle")

	for _, stranger := range []string{"comm_open", "comm_msg", "comm_close"} {
		if tell("first", stranger, map[string]any{"comm_id": "x", "target_name": "gonb_comm"}) {
			t.Errorf("the proxy keeps a %s of gonb's", stranger)
		}
	}
	tell("first", "comm_close", map[string]any{"comm_id": "k-0"})
	if len(f.controls.widgets) > 0 || !f.controls.noWidgets["first"] {
		t.Error("a front end that closes a comm has widgets")
	}
}

// TestWithWidget checks that the reference to a widget becomes JSON, and that nothing else changes.
func TestWithWidget(t *testing.T) {
	got := withWidget([]byte(`{"data":{"text/plain":"n","` + widgetView + `":"{\"model_id\": \"k\"}"},"metadata":{}}`))
	if want := `{"data":{"` + widgetView + `":{"model_id":"k"},"text/plain":"n"},"metadata":{}}`; string(got) != want {
		t.Errorf("%s, want %s", got, want)
	}
	for _, same := range []string{
		`{"data":{"text/plain":"` + widgetView + `"}}`, `{"data":{"` + widgetView + `":"no JSON"}}`, `[]`,
	} {
		if got := withWidget([]byte(same)); string(got) != same {
			t.Errorf("%s becomes %s", same, got)
		}
	}
}
