package browsertest

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/input"

	"github.com/siegebook/siegebook/internal/waittest"
)

// player plays with an explorable in a window as a reader does: it uses keys and pointers, and reads what the page
// shows.
type player struct {
	*testing.T
	window
	game
	random *rand.Rand
	before bool // its kind was already played on another page
	opened bool // its page is open
}

// game is an explorable on a page.
type game struct {
	page  string // the file
	block string // the id of the figure
	kind  string
	start string // the state at the start, in the form of an address
}

// state is what an explorable shows.
type state struct {
	Answers map[string]string // outputs by name
	Fields  map[string]string // number fields and choices by name
	Problem string            // its message about a problem
	Text    string            // all text that it shows and says
	Said    string            // what screen readers announce, a moment after it is drawn
	Hash    string            // the fragment of the page's address
}

// host is the explorable's element, for the scripts of the functions below. If it is folded away, the script opens the
// fold.
const host = `const host = document.getElementById(block).querySelector(".explorable");
	if (!host) throw Error(block + " has no explorable");
	for (let e = host.parentElement; e; e = e.parentElement) if (e.localName === "details") e.open = true;
`

// inHost evaluates a function's body in the page, where host is the explorable's element and given are the arguments.
func inHost[T any](p *player, body string, given ...any) T {
	p.Helper()
	if given == nil {
		given = []any{}
	}
	// A page that waits gives up a little earlier than the test, to say what it waited for.
	patience := fmt.Sprintf("const patience = %d;\n", (waittest.Patience * 9 / 10).Milliseconds())
	return evaluate[T](p.T, p.window, "async (block, given) => {"+patience+host+body+"}", p.block, given)
}

// begin opens the page with a state in its address, such as "n=19&s=50", or at the start if address is "".
func (p *player) begin(address string) {
	p.Helper()
	to := fileURL(p.page)
	if address != "" {
		to += "#" + p.block + ":" + address
	}
	p.open(to)
	p.settle()
	p.opened = true
}

// again starts the explorable again on the open page, and then follows an address unless it is "". Loading the page
// would start an engine, which takes longer than most plays.
func (p *player) again(address string) {
	p.Helper()
	p.push("", "Start again")
	// It waits until the start is in the address, because a link to the page's current address changes nothing.
	inHost[bool](p, `await new Promise((done) => setTimeout(done, 350)); return true;`)
	if address != "" {
		p.follow(address)
	}
}

// drawnNow waits until the last change is drawn. The second frame begins after earlier events have been handled.
const drawnNow = `
	const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
	const skipped = () => host.checkVisibility() && !host.checkVisibility({contentVisibilityAuto: true});
	await frame();
	const begun = performance.now();
	do {
		if (performance.now() - begun > patience) {
			const {top, bottom} = host.getBoundingClientRect();
			throw Error("not drawn: " + JSON.stringify({...host.dataset, skipped: skipped(), top, bottom, innerHeight}));
		}
		// Chapters on the way change their heights when they are laid out, so the page may have to be scrolled again.
		if (host.dataset.far !== undefined || skipped()) host.scrollIntoView({block: "center", behavior: "instant"});
		await frame();
	} while (host.dataset.drawn === undefined || host.dataset.drawing !== undefined || skipped());
`

// followed sets the address of the open page, as a link on the page does, and waits until the result is drawn.
const followed = `	await new Promise((done) => {
		const before = location.hash;
		addEventListener("hashchange", done, {once: true});
		try {
			location.hash = given[0];
		} catch { // it is longer than the browser lets an address be
			done();
		}
		if (location.hash === before) done();
	});
` + drawnNow

// follow continues with a state in the address, on the open page.
func (p *player) follow(address string) {
	p.Helper()
	inHost[bool](p, followed+"return true;", p.block+":"+address)
}

// quiet fails the test if the browser has reported problems.
func (p *player) quiet() {
	p.Helper()
	for _, problem := range p.problems() {
		p.Error(problem)
	}
}

// settle waits until the last change is drawn.
func (p *player) settle() {
	p.Helper()
	inHost[bool](p, drawnNow+"return true;")
}

// later makes the page itself wait for something that comes about 300 ms after a change. That is cheaper than asking
// the page repeatedly.
const later = `	const later = async (so) => {
		for (let i = 0; i < 50 && !so(); i++) await new Promise((done) => setTimeout(done, 20));
	};
`

// atRest waits until the last change is drawn, and then a moment until it is drawn at rest, in sight: with its legend,
// and not as the cells of a moving map. rests reports whether it is.
const atRest = drawnNow + later + `
	const shown = host.checkVisibility({contentVisibilityAuto: true});
	if (!shown) host.scrollIntoView({block: "center", behavior: "instant"});
	const resting = () => host.dataset.drawing === undefined && !host.querySelector("canvas.x-cells:not([hidden])");
	if (shown) await later(resting);
	const rests = shown && resting();
`

// rest waits until the last change is drawn at rest.
func (p *player) rest() {
	p.Helper()
	waittest.Until(p.T, p.kind+" is drawn at rest", func() bool {
		return inHost[bool](p, atRest+"return rests;")
	})
}

// state returns the state once everything is drawn.
func (p *player) state() state {
	p.Helper()
	return inHost[state](p, drawnNow+`
	const named = (selector) => Object.fromEntries([...host.querySelectorAll(selector)].filter((e) => e.name).map((e) => [e.name, e.value]));
	const problem = host.querySelector(".x-problem");
	return {answers: named("output"), fields: named("input, select"), problem: problem.hidden ? "" : problem.textContent, text: host.innerText, said: host.querySelector("[role=status]")?.textContent ?? "", hash: location.hash};`)
}

// field, answer and problem are parts of the state.
func (p *player) field(name string) string { p.Helper(); return p.state().Fields[name] }

func (p *player) answer(name string) string { p.Helper(); return p.state().Answers[name] }

// fieldNumber returns the value of a field as a number.
func (p *player) fieldNumber(name string) int64 {
	p.Helper()
	return p.state().fieldNumber(p, name)
}

func (s state) fieldNumber(p *player, name string) int64 {
	p.Helper()
	n, err := strconv.ParseInt(s.Fields[name], 10, 64)
	if err != nil {
		p.Fatalf("%s: the field %s: %v", p.kind, name, err)
	}
	return n
}

// wants waits until a part of the state has the wanted value, and ends the test if that does not happen.
func (p *player) wants(what, want string, get func() string) {
	p.Helper()
	got := ""
	if !waittest.Comes(func() bool { got = get(); return got == want }) {
		p.Fatalf("%s: %s is %q, want %q; it shows: %+v", p.kind, what, got, want, p.state())
	}
}

// wantsText waits until the explorable shows a text somewhere.
func (p *player) wantsText(want string) {
	p.Helper()
	p.wants("what is shown", "true", func() string { return fmt.Sprint(strings.Contains(p.state().Text, want)) })
}

// wantsInAddress waits until the address contains a part of the state.
func (p *player) wantsInAddress(part string) {
	p.Helper()
	p.wants("that the address has "+part, "true",
		func() string { return fmt.Sprint(strings.Contains(p.address(part), part)) })
}

// address returns the fragment of the page's address, which follows the reader's actions. It waits until the fragment
// contains a part.
func (p *player) address(part string) string {
	p.Helper()
	return inHost[string](p, later+`await later(() => location.hash.includes(given[0])); return location.hash;`, part)
}

// focus puts the focus on an element of the explorable.
func (p *player) focus(selector string) {
	p.Helper()
	inHost[bool](p, `const e = host.querySelector(given[0]);
	for (let over = e.parentElement; over; over = over.parentElement) if (over.localName === "details") over.open = true;
	e.focus({focusVisible: true});
	if (e.select) e.select();
	// Keys that nobody takes would scroll the page, and go on to while something else is aimed at.
	if (e.getRootNode().activeElement !== e) throw Error(given[0] + " takes no keys");
	return true;`, selector)
}

// write replaces the text of a number field by keyboard.
func (p *player) write(name, text string) {
	p.Helper()
	p.writeInto("input[type=number][name="+name+"]", text)
}

// writeInto does the same as write for a field that is not part of the state.
func (p *player) writeInto(selector, text string) {
	p.Helper()
	p.focus(selector)
	p.press(0, input.Backspace)
	keys := []input.Key{}
	for _, letter := range text {
		keys = append(keys, input.Key(letter))
	}
	p.press(0, keys...)
}

// slide presses keys on the slider of a number field.
func (p *player) slide(name string, keys ...input.Key) {
	p.Helper()
	p.focus(".x-number:has([name=" + name + "]) [type=range]")
	p.press(0, keys...)
}

// choose selects an option of a choice by keyboard.
func (p *player) choose(name, value string) {
	p.Helper()
	at := inHost[int](p, `return [...host.querySelector("select[name=" + given[0] + "]").options].findIndex((o) => o.value === given[1]);`, name, value)
	if at < 0 {
		p.Fatalf("%s: the choice %s has no %s", p.kind, name, value)
	}
	p.focus("select[name=" + name + "]")
	p.press(0, input.Home)
	for range at {
		p.press(0, input.ArrowDown)
	}
	p.wants(name, value, func() string { return p.field(name) })
}

// push pushes the button with a label with a pointer, or by keyboard if with is "".
func (p *player) push(with pointer, label string) {
	p.Helper()
	const find = `const e = [...host.querySelectorAll("button")].find((b) => b.textContent.trim() === given[0] && b.checkVisibility());
	if (!e) throw Error("no button " + given[0]);
	`
	p.settle()
	if with == "" {
		inHost[bool](p, find+"e.focus({focusVisible: true}); return true;", label)
		p.press(0, input.Enter)
		return
	}
	inHost[bool](p, find+
		`globalThis.pushed = false; e.addEventListener("click", () => { pushed = true; }, {once: true}); return true;`,
		label)
	// On a busy machine, a tap may take so long that the page does not recognize it.
	pushed := func() bool {
		p.rest() // while a picture is drawn, most buttons do nothing
		p.stroke(with, p.scrollTo(find, 0.5, 0.5, label))
		p.settle()
		return inHost[bool](p, "return pushed;")
	}
	if !waittest.Comes(pushed) {
		at := p.scrollTo(find, 0.5, 0.5, label)
		there := inHost[string](p, find+`const there = document.elementFromPoint(given[1], given[2]);
		return there === e ? "the button itself" : String(there?.outerHTML).slice(0, 200);`, label, at.x, at.y)
		p.Fatalf("%s: by %s the button %s cannot be pushed: at its place is %s", p.kind, with, label, there)
	}
}

// tap taps at a place in an element. x and y are fractions of its width and height, from the top left.
func (p *player) tap(with pointer, selector string, x, y float64) {
	p.Helper()
	p.drag(with, selector, point{x, y})
}

// drag puts a pointer down at a place in an element, moves it to other places, and lifts it.
func (p *player) drag(with pointer, selector string, places ...point) {
	p.Helper()
	p.settle()
	var points []point
	for _, to := range places {
		points = append(points, p.scrollTo(`const e = host.querySelector(given[0]);`, to.x, to.y, selector))
	}
	p.stroke(with, points...)
}

// scrollTo scrolls an element to the middle of the window, and returns the position of a place in the element. find is
// the code that finds the element as e.
func (p *player) scrollTo(find string, x, y float64, given ...any) point {
	p.Helper()
	box := inHost[struct{ Left, Top, Width, Height float64 }](p, find+`
	e.scrollIntoView({block: "center", behavior: "instant"});
	const {left, top, width, height} = e.getBoundingClientRect();
	return {left, top, width, height};`, given...)
	return point{box.Left + x*box.Width, box.Top + y*box.Height}
}

// number returns a random number from 1 to most. All lengths are about equally likely, so it is often small.
func (p *player) number(most int64) int64 {
	bits := 1
	for bits < 63 && most>>bits > 0 {
		bits++
	}
	return min(most, 1+p.random.Int64N(1<<min(62, 1+p.random.IntN(bits))))
}
