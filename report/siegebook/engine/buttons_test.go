package engine_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"modernc.org/quickjs"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/pictures"
	"github.com/siegebook/siegebook/report/siegebook/engine"
)

// deskScript lets a test control a state from web/state.js. It does the same as picture.js, but without a page.
const deskScript = `
let x;
const all = () => [...x.fields.values()];
const refused = (work) => {
	try {
		return work();
	} catch (fault) {
		if (!(fault instanceof Refused)) throw fault;
		return {refused: fault.words};
	}
};
const calls = {
	open({start, fields}) {
		x = new State(new Map(Object.entries(start)));
		for (const field of fields) x.field(field);
	},
	link(values) { x.restore(new Map(Object.entries(values))); },
	type([name, text]) { x.type(x.fields.get(name), text); },
	press(set) { x.press(set); },
	ask(over) { return refused(() => ({settings: x.settings(over), texts: [...x.texts()]})); },
	instead({words, act}) { return refused(() => ({over: x.instead(new Refused(words), act)})); },
	see([asked, over, view]) { x.see(new Map([...asked, ...Object.entries(over)]), view); },
	ended(refused) { x.refused = refused; },
	texts() { return {
		texts: Object.fromEntries(x.texts()), shown: Object.fromEntries(x.shown || []), fault: all().find(({fault}) => fault)?.fault.words,
	}; },
	save() { return {fields: all().map(({name, text, typed, low, most, high}) => ({name, text, typed, bounds: [low, most, high].map(String)})),
		shown: [...x.shown || []], refused: x.refused}; },
	load({fields, shown, refused}) {
		for (const {name, text, typed, bounds} of fields) {
			const field = x.fields.get(name);
			Object.assign(field, {text, typed});
			[field.low, field.most, field.high] = bounds.map(BigInt);
		}
		x.shown = shown.length > 0 ? new Map(shown) : undefined;
		x.refused = refused;
	},
};
const call = (name, given) => JSON.stringify(calls[name](JSON.parse(given)) ?? {});
`

// stateMachine returns a JavaScript machine that has run web/state.js followed by the script more.
func stateMachine(t *testing.T, more string) *quickjs.VM {
	t.Helper()
	vm, err := quickjs.NewVM()
	must.Do(t, err)
	t.Cleanup(func() { _ = vm.Close() })
	must.Get(vm.Eval(string(must.Get(os.ReadFile("../../explore/web/state.js")))+more, quickjs.EvalGlobal))
	return vm
}

// desk is a picture on a page: the state as the page's own script holds it, and the engine's view.
type desk struct {
	*testing.T
	vm      *quickjs.VM
	picture pictures.Picture
	view    *pictures.View
	did     []string
}

// asked contains the script's request, or the reason why there is none.
type asked struct {
	Refused  string
	Settings string
	Texts    [][2]string
	Over     pictures.Values
}

// held contains the values that the script holds.
type held struct {
	Texts, Shown pictures.Values
	Fault        string
}

func call[T any](d *desk, name string, given any) (answer T) {
	d.Helper()
	text, err := d.vm.Call("call", name, string(must.Get(json.Marshal(given))))
	if err != nil {
		d.Fatalf("%v: %s(%v): %v", d.did, name, given, err)
	}
	must.Do(d.T, json.Unmarshal([]byte(text.(string)), &answer))
	return answer
}

func newDesk(t *testing.T, vm *quickjs.VM, p pictures.Picture) *desk {
	t.Helper()
	d := &desk{T: t, vm: vm, picture: p}
	call[any](d, "open", map[string]any{"start": valuesIn(starts[p.Name]), "fields": p.Fields})
	return d
}

// starts contains the initial settings of pages that have special buttons or unusual limits.
var starts = map[string]string{
	"castle-map":  "n=100&s=150&d=100&pair=3820,3819,5000,5000&golden=100,131,130&tie=100,162,100",
	"castle-wait": "n=100&s=221&d=80&f=4&bet=12.42.10",
	"castle-play": "n=13&s=17&d=17&moves=0",
	"ants-board":  "rows=3&cols=5&board=3B1-1A1A1-3C1&guess=yes&presets=One_on_one.1A1B1.Around.torus-2B-2A-BBA",
	"tower-aim":   "n=27&h=6&k=2&t=8",
}

// valuesIn returns the values in an address.
func valuesIn(address string) pictures.Values {
	values := pictures.Values{}
	for setting := range strings.SplitSeq(address, "&") {
		if name, value, ok := strings.Cut(setting, "="); ok {
			values[name] = value
		}
	}
	return values
}

// draw requests and shows the view for the values of the fields after an action. If the engine refuses, it returns the
// refusal.
func (d *desk) draw(act string) (refused string) {
	d.Helper()
	if refused = d.see(act, pictures.Values{}); refused != "" {
		instead := call[asked](d, "instead", map[string]string{"words": refused, "act": act})
		if instead.Refused == "" {
			if wrong := d.see(act, instead.Over); wrong != "" || act != "" {
				refused = wrong
			}
		}
	}
	call[any](d, "ended", refused != "")
	return refused
}

func (d *desk) see(act string, over pictures.Values) (refused string) {
	d.Helper()
	ask := call[asked](d, "ask", over)
	if ask.Refused != "" {
		return ask.Refused
	}
	values, err := d.picture.Parse(ask.Settings)
	if err != nil {
		return err.Error()
	}
	view, err := d.picture.After(values, act)
	if err != nil {
		return err.Error()
	}
	d.view = view
	call[any](d, "see", []any{ask.Texts, over, pictures.View{Bounds: view.Bounds, Set: view.Set}})
	return ""
}

// buttons returns the buttons that can be pressed. The keys of a map are included as buttons.
func buttons(parts []pictures.Part) (all []pictures.Button) {
	for _, part := range parts {
		switch {
		case part.Row != nil:
			for _, b := range part.Row.Buttons {
				if b.Set != nil || b.Do != "" {
					all = append(all, b)
				}
			}
		case part.Fold != nil:
			all = append(all, buttons(part.Fold.Parts)...)
		case part.Plate != nil && part.Plate.Pick != nil:
			for _, set := range []pictures.Values{part.Plate.Pick.Closer, part.Plate.Pick.Farther} {
				if set != nil {
					all = append(all, pictures.Button{Label: "key", Set: set})
				}
			}
		}
		for _, column := range part.Beside {
			all = append(all, buttons(column)...)
		}
	}
	return all
}

func (d *desk) press(r *rand.Rand, b pictures.Button) (refused string) {
	d.Helper()
	if b.Do == "" {
		call[any](d, "press", b.Set)
		return d.draw("")
	}
	if b.Chance {
		return d.draw(fmt.Sprintf("%s %d", b.Do, r.Uint64()>>11))
	}
	return d.draw(b.Do)
}

// pressAndCheck presses a button, and returns what is wrong with the result, or "".
func (d *desk) pressAndCheck(r *rand.Rand, b pictures.Button) string {
	d.Helper()
	if refused := d.press(r, b); refused != "" {
		return "it is refused: " + refused
	}
	got := call[held](d, "texts", nil)
	if got.Fault != "" || !maps.Equal(got.Texts, got.Shown) {
		return fmt.Sprintf("the fields have %v, shown is %v: %s", got.Texts, got.Shown, got.Fault)
	}
	if b.Do != "" {
		return ""
	}
	if d.view.Notice != "" {
		return "a notice: " + d.view.Notice
	}
	for name, value := range b.Set {
		if _, chosen := d.view.Set[name]; !chosen && got.Shown[name] != value {
			return fmt.Sprintf("%s is %s, not %s", name, got.Shown[name], value)
		}
	}
	return ""
}

// spoil types text, most of it invalid, into one or two fields.
func (d *desk) spoil(r *rand.Rand) {
	d.Helper()
	for range 1 + r.IntN(2) {
		f := d.picture.Fields[r.IntN(len(d.picture.Fields))]
		if f.Memory || f.Given || len(f.Options) > 0 {
			continue
		}
		text := []string{"", "abc", "1e9", "-1", fmt.Sprint(f.Least - 1), strings.Repeat("9", 25), "0", "1"}[r.IntN(8)]
		d.did = append(d.did, f.Name+"="+text)
		call[any](d, "type", []string{f.Name, text})
	}
	_ = d.draw("")
}

// TestButtons checks that no button of any picture is ever blocked: from random states, which readers reach by links,
// typing and buttons, each button leads to a state that can be drawn, even while fields contain wrong text.
func TestButtons(t *testing.T) {
	most := 300
	if testing.Short() {
		most = 12
	}
	vm := stateMachine(t, deskScript)
	for _, p := range engine.Module.Pictures {
		t.Run(p.Name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(49, uint64(len(p.Name))))
			d := newDesk(t, vm, p)
			if refused := d.draw(""); refused != "" {
				t.Fatalf("the start is refused: %s", refused)
			}
			states, pressed, labels := most, 0, map[string]bool{}
			if p.Exercise != nil { // all exercises have the same buttons
				states = min(most, 30)
			}
			for i := range states {
				if d.did = nil; i > 0 {
					d.move(r)
				}
				before, view := call[any](d, "save", nil), d.view
				for _, b := range buttons(view.Parts) {
					call[any](d, "load", before)
					d.view, d.did = view, d.did[:min(1, len(d.did))]
					if b.To != "" {
						continue
					}
					if r.IntN(2) == 0 {
						d.spoil(r)
					}
					if fault := d.pressAndCheck(r, b); fault != "" {
						t.Fatalf("%v, then %q: %s", d.did, b.Label, fault)
					}
					pressed++
					labels[b.Label] = true
				}
			}
			if len(labels) == 0 && len(buttons(d.view.Parts)) > 0 {
				t.Error("no button is pressed: the test shows nothing")
			}
			t.Logf("%d presses of %d buttons", pressed, len(labels))
		})
	}
}

// tap presses a cell of the first drawing, if the drawing has anything to press.
func (d *desk) tap(r *rand.Rand) {
	d.Helper()
	plate := d.view.Parts[0].Plate
	switch {
	case plate == nil:
	case plate.Board != nil:
		_ = d.draw(fmt.Sprintf("press %d", r.IntN(len(plate.Board.Cells))))
	case plate.Pick != nil:
		set := pictures.Values{}
		maps.Copy(set, plate.Pick.With)
		for _, s := range []*pictures.Scale{plate.Pick.X, plate.Pick.Y} {
			if s != nil {
				value := s.Base + int64(s.From+r.Float64()*(s.To-s.From))
				if s.Count > 0 {
					value = s.First + s.Step*r.Int64N(s.Count)
				}
				set[s.Field] = fmt.Sprint(min(max(value, s.Least), s.Most))
			}
		}
		call[any](d, "press", set)
		if refused := d.draw(""); refused != "" {
			d.Errorf("%v, then a tap for %v: it is refused: %s", d.did, set, refused)
		}
	}
}

// move changes to another state by a link, by a button, by a tap, or by typing.
func (d *desk) move(r *rand.Rand) {
	d.Helper()
	all := buttons(d.view.Parts)
	all = slices.DeleteFunc(all, func(b pictures.Button) bool { return b.To != "" })
	switch way := r.IntN(4); {
	case way == 0 && len(all) > 0:
		b := all[r.IntN(len(all))]
		d.did = append(d.did, "from "+fmt.Sprint(call[held](d, "texts", nil).Texts)+" "+b.Label)
		_ = d.press(r, b)
	case way == 1:
		d.did = append(d.did, "from "+fmt.Sprint(call[held](d, "texts", nil).Texts)+" typed")
		d.spoil(r)
	case way == 2:
		d.did = append(d.did, "from "+fmt.Sprint(call[held](d, "texts", nil).Texts)+" tapped")
		d.tap(r)
	default:
		values := valuesIn(settings(r, d.picture))
		for _, name := range slices.Sorted(maps.Keys(values)) {
			if r.IntN(4) == 0 { // a link need not contain all values
				delete(values, name)
			}
		}
		d.did = append(d.did, fmt.Sprintf("link %v", values))
		call[any](d, "link", values)
		got, begin := call[held](d, "texts", nil).Texts, valuesIn(starts[d.picture.Name])
		for _, f := range d.picture.Fields {
			start, given := begin[f.Name]
			if !given {
				start = f.Start
			}
			if _, named := values[f.Name]; (f.Given || !named) && !f.Kept && got[f.Name] != start {
				d.Errorf("%v: %s is %s, at the start %s", d.did, f.Name, got[f.Name], start)
			}
		}
		_ = d.draw("")
	}
}

// TestNumbers checks that the fields of pages and the answer fields of exercises accept numbers in the forms that
// people write, and that errors describe correctly what is wrong.
func TestNumbers(t *testing.T) {
	vm := stateMachine(t, `
const field = new Field({name: "n", least: "1", most: "100", limit: "999"});
const number = (text) => {
	const {value} = readNumber(text);
	field.take(text, true);
	return [value === undefined ? "" : String(value), field.fault ? field.fault.words : ""].join("\t");
};`)
	for _, row := range must.Rows(t, "testdata/answers.txt", "TestNumbers") {
		if got := must.Get(vm.Call("number", row[0])); got != row[1]+"\t"+row[2] {
			t.Errorf("%q is read as %q, want %q", row[0], got, row[1:])
		}
	}
}
