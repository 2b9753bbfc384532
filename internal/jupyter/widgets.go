package jupyter

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Some front ends, such as VS Code, do not let a script in an output talk to the kernel, but have the widgets of
// ipywidgets. For them, the controls of a cell are also widgets. Each widget has a comm, and its messages are described
// at https://github.com/jupyter-widgets/ipywidgets/blob/main/packages/schema/messages.md. A front end without widgets
// closes the comms at once, and shows the controls that the script makes.

const (
	widgetTarget   = "jupyter.widget"         // comms of this target are widgets
	restoreTarget  = "jupyter.widget.control" // a comm that asks for the states of all widgets at once
	widgetView     = "application/vnd.jupyter.widget-view+json"
	widgetProtocol = "2.1.0"
	widgetModule   = "@jupyter-widgets/controls"
	widgetVersion  = "2.0.0" // of the module, since ipywidgets 8
)

// controlField is one control, as package show describes it.
type controlField struct {
	Kind  string   `json:"kind"` // range, field, steps, choice, check
	Name  string   `json:"name"`
	Least string   `json:"least"`
	Most  string   `json:"most"`
	Step  string   `json:"step"` // "" for an integer
	Words []string `json:"words"`
	Start string   `json:"start"`
}

// widget is a widget of a front end.
type widget struct {
	id    string
	state map[string]any // the state that the front end shows
	field int            // the index of the field that it sets, or -1
}

// widgets returns the widgets of a control with some fields, the box of all of them last.
func widgets(id string, fields []controlField) []*widget {
	style := id + "-style"
	all := []*widget{{style, model("DescriptionStyle", "Style", map[string]any{"description_width": "initial"}), -1}}
	var rows []string
	add := func(name string, field int, kind string, state map[string]any) string {
		if field >= 0 {
			state["description"], state["style"] = fields[field].Name, "IPY_MODEL_"+style
		}
		all = append(all, &widget{id + name, model(kind, kind, state), field})
		return "IPY_MODEL_" + id + name
	}
	for i, f := range fields {
		name := fmt.Sprintf("-%d", i)
		switch f.Kind {
		case "choice":
			rows = append(rows, add(name, i, "Dropdown", map[string]any{
				"_options_labels": f.Words, "index": slices.Index(f.Words, f.Start),
			}))
		case "check":
			rows = append(rows, add(name, i, "Checkbox", map[string]any{"value": f.Start == "true", "indent": false}))
		case "field":
			rows = append(rows, add(name, i, "Text", map[string]any{
				"value": f.Start, "placeholder": f.Least + " to " + f.Most, "continuous_update": false,
			}))
		default:
			kind, state := "IntSlider", map[string]any{
				"value": json.Number(f.Start), "min": json.Number(f.Least), "max": json.Number(f.Most), "step": 1,
			}
			if f.Step != "" {
				kind, state["step"] = "FloatSlider", json.Number(f.Step)
				state["readout_format"] = fmt.Sprintf(".%df", decimals(f.Step))
			}
			row := add(name, i, kind, state)
			if f.Kind == "steps" {
				play := add(name+"-play", i, "Play", map[string]any{
					"value": f.stepOf(f.Start), "min": 0, "max": f.stepOf(f.Most), "step": 1, "interval": 500,
				})
				row = add(name+"-row", -1, "HBox", map[string]any{"children": []string{play, row}})
			}
			rows = append(rows, row)
		}
	}
	rows = append(rows, add("-note", -1, "Label", map[string]any{"value": ""}))
	add("", -1, "VBox", map[string]any{"children": rows})
	return all
}

// model adds to the state of a widget the names of its classes in the front end, and returns the state.
func model(kind, view string, state map[string]any) map[string]any {
	state["_model_name"], state["_view_name"] = kind+"Model", view+"View"
	state["_model_module"], state["_model_module_version"] = widgetModule, widgetVersion
	state["_view_module"], state["_view_module_version"] = widgetModule, widgetVersion
	if view == "Style" {
		state["_view_module"] = "@jupyter-widgets/base"
	}
	return state
}

// decimals returns the number of decimals of a step, which is a power of ten.
func decimals(step string) int {
	_, after, _ := strings.Cut(step, ".")
	return len(after)
}

// value returns the value of the field that a widget sets, in the form that package show reads. It is "" if the state
// that a front end sent has no value.
func (w *widget) value(f controlField, sent map[string]any) string {
	if at, ok := sent["index"].(json.Number); ok {
		if n, err := strconv.Atoi(at.String()); err == nil && n >= 0 && n < len(f.Words) {
			return f.Words[n]
		}
	}
	switch v := sent["value"].(type) {
	case string:
		return strings.TrimSpace(v)
	case bool:
		return strconv.FormatBool(v)
	case json.Number:
		if w.plays() {
			n, _ := v.Int64()
			return f.atStep(n)
		}
		if x, err := v.Float64(); f.Step != "" && err == nil {
			return strconv.FormatFloat(x, 'f', decimals(f.Step), 64)
		}
		return v.String()
	}
	return ""
}

// plays reports whether the widget is the button that plays a slider.
func (w *widget) plays() bool { return w.state["_model_name"] == "PlayModel" }

// stepOf returns the number of steps from the smallest value of a field to a value.
func (f controlField) stepOf(value string) int64 {
	if f.Step == "" {
		n, _ := strconv.ParseInt(value, 10, 64)
		least, _ := strconv.ParseInt(f.Least, 10, 64)
		return n - least
	}
	x, _ := strconv.ParseFloat(value, 64)
	least, _ := strconv.ParseFloat(f.Least, 64)
	step, _ := strconv.ParseFloat(f.Step, 64)
	return int64(math.Round((x - least) / step))
}

// atStep returns the value of a field after a number of steps.
func (f controlField) atStep(n int64) string {
	if f.Step == "" {
		least, _ := strconv.ParseInt(f.Least, 10, 64)
		return fmt.Sprint(least + n)
	}
	least, _ := strconv.ParseFloat(f.Least, 64)
	step, _ := strconv.ParseFloat(f.Step, 64)
	return strconv.FormatFloat(least+float64(n)*step, 'f', decimals(f.Step), 64)
}

// openWidgets shows front ends the widgets of a control. Front ends that have closed such a comm get none.
func (c *controls) openWidgets(ctl *knob) {
	c.mu.Lock()
	for _, w := range ctl.widgets {
		c.widgets[w.id] = ctl
	}
	c.mu.Unlock()
	for _, w := range ctl.widgets {
		c.proxy.publishWith(map[string]string{"version": widgetProtocol}, ctl.parent, "comm_open", map[string]any{
			"comm_id": w.id, "target_name": widgetTarget,
			"data": map[string]any{"state": w.state, "buffer_paths": []string{}},
		})
	}
}

// takeComm handles a front end's message about comms. It returns false for a message that is not about our widgets.
func (c *controls) takeComm(by *peer, m message) bool {
	var content struct {
		ID     string `json:"comm_id"`
		Target string `json:"target_name"`
		Data   struct {
			Method string         `json:"method"`
			State  map[string]any `json:"state"`
		} `json:"data"`
	}
	decoder := json.NewDecoder(bytes.NewReader(m.content))
	decoder.UseNumber() // because a whole number may have more digits than a float
	if decoder.Decode(&content) != nil {
		return false
	}
	c.mu.Lock()
	ctl := c.widgets[content.ID]
	c.mu.Unlock()
	switch {
	case m.header.Type == "comm_info_request":
		c.mu.Lock()
		comms := map[string]map[string]string{}
		for id := range c.widgets {
			comms[id] = map[string]string{"target_name": widgetTarget}
		}
		c.mu.Unlock()
		if content.Target != "" && content.Target != widgetTarget {
			clear(comms)
		}
		c.proxy.serve(by, m.header, "comm_info_reply", map[string]any{"status": "ok", "comms": comms})
	case m.header.Type == "comm_open" && content.Target == restoreTarget:
		// Closed, so that the front end asks each widget for its state.
		c.proxy.whileBusy(m.header, func() {
			c.proxy.publish(m.header, "comm_close", map[string]any{"comm_id": content.ID, "data": struct{}{}})
		})
	case ctl == nil:
		return false
	case m.header.Type == "comm_close":
		c.mu.Lock()
		c.noWidgets[m.header.Session] = true
		for _, w := range ctl.widgets {
			delete(c.widgets, w.id)
		}
		c.mu.Unlock()
	case m.header.Type == "comm_msg":
		at := slices.IndexFunc(ctl.widgets, func(w *widget) bool { return w.id == content.ID })
		w, method, state := ctl.widgets[at], content.Data.Method, content.Data.State
		go c.proxy.whileBusy(m.header, func() { c.changed(ctl, w, m.header, method, state) })
	}
	return true
}

// changed handles a message to a widget: a request for its state, or a change by the reader.
func (c *controls) changed(ctl *knob, w *widget, asked header, method string, sent map[string]any) {
	strange := c.strange(ctl, asked.Session, method == "update")
	ctl.mu.Lock()
	defer ctl.mu.Unlock()
	if method == "request_state" {
		state := maps.Clone(w.state)
		if strange && w.field >= 0 { // a picture can be replaced only in the page that was open when the cell ran
			state["disabled"] = true
		}
		c.update(asked, w, state)
		return
	}
	if strange || method != "update" || w.field < 0 {
		return
	}
	value := w.value(ctl.fields[w.field], sent)
	for name, now := range sent {
		w.state[name] = now
	}
	if value == "" && sent["value"] == nil || value == ctl.values[w.field] || ctl.ended.Load() != nil {
		return
	}
	ctl.values[w.field] = value
	f := ctl.fields[w.field]
	for _, other := range ctl.widgets {
		if other != w && other.field == w.field { // a slider and its play button
			other.state["value"] = json.Number(value)
			if other.plays() {
				other.state["value"] = f.stepOf(value)
			}
			c.update(asked, other, map[string]any{"value": other.state["value"]})
		}
	}
	c.move(ctl, controlRequest{Values: ctl.values})
}

// update shows front ends a change of a widget's state.
func (c *controls) update(asked header, w *widget, state map[string]any) {
	c.proxy.publishWith(map[string]string{"version": widgetProtocol}, asked, "comm_msg", map[string]any{
		"comm_id": w.id, "data": map[string]any{"method": "update", "state": state, "buffer_paths": []string{}},
	})
}

// endWidgets shows front ends that a control has ended, if they have its widgets.
func (c *controls) endWidgets(ctl *knob, why string) {
	c.mu.Lock()
	opened := c.widgets[ctl.id] == ctl
	c.mu.Unlock()
	if !opened {
		return
	}
	for _, w := range ctl.widgets {
		switch {
		case w.field >= 0:
			w.state["disabled"] = true
			c.update(ctl.parent, w, map[string]any{"disabled": true})
		case w.state["_model_name"] == "LabelModel":
			w.state["value"] = "These controls have ended (" + why + "): run the cell to move them."
			c.update(ctl.parent, w, map[string]any{"value": w.state["value"]})
		}
	}
}

// withWidget returns the content of a display_data message in which the reference to a widget, which a program can
// only send as text, is JSON.
func withWidget(content []byte) []byte {
	var shown struct {
		Data      map[string]any `json:"data"`
		Metadata  any            `json:"metadata"`
		Transient any            `json:"transient,omitempty"`
	}
	if json.Unmarshal(content, &shown) != nil {
		return content
	}
	text, _ := shown.Data[widgetView].(string)
	if !json.Valid([]byte(text)) {
		return content
	}
	shown.Data[widgetView] = json.RawMessage(text)
	return encoded(shown)
}
