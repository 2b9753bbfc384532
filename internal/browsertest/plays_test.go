package browsertest

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-rod/rod/lib/input"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/waittest"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/pictures"
	"github.com/siegebook/siegebook/report/siegebook/engine"
)

// playsTable lists what a reader does with each kind of explorable. A kind follows >, and also a part of the start if
// the lines are only for that start. The lines up to the first empty line are played on every page, and the other lines
// once in each browser. A number such as ~9 is a random number from 1 to 9, and ~ is a random place.
//
//	begin SETTINGS              begin with these settings, or with the start: open the page, or start again on it
//	open SETTINGS               open the page, also where it is open
//	write FIELD NUMBER          by keyboard
//	slide FIELD KEYS...         at the slider
//	choose FIELD OPTION
//	mouse|touch|keys BUTTON     push a button
//	tap mouse|touch SELECTOR X Y
//	drag mouse|touch SELECTOR X,Y X,Y...
//	focus SELECTOR
//	press KEYS...               where the focus is; Shift+KEY holds Shift
//	times N                     play the indented lines below so often
//	says TEXT, silent TEXT      the page shows the text, or does not
//	answer TEXT                 the answer is, or begins with, the text
//	address PART                the address has the part
//	problem TEXT                it complains of that
//	field FIELD VALUE
//	is EXPRESSION               a script's expression is true, where host is the explorable
//
// After each line that is not about a problem, the page must show the answer of package engine, compiled into this
// test, to the page's last request. The controls of lessons use the programs of the lessons, so for them only the lines
// say what is expected.
//
//go:embed testdata/plays.txt
var playsTable string

func init() {
	for _, table := range strings.Split(playsTable, "\n> ")[1:] {
		kind, _, _ := strings.Cut(table[:strings.IndexByte(table, '\n')], " ")
		plays[kind] = playTable
	}
}

func playTable(p *player) {
	for _, table := range strings.Split(playsTable, "\n> ")[1:] {
		head, body, _ := strings.Cut(table, "\n")
		kind, start, _ := strings.Cut(head, " ")
		if kind != p.kind || !strings.Contains(p.start, start) {
			continue
		}
		if p.before {
			body, _, _ = strings.Cut(body, "\n\n")
		}
		p.playLines(strings.Split(strings.TrimSpace(body), "\n"))
	}
}

func (p *player) playLines(lines []string) {
	p.Helper()
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if line == "" {
			continue
		}
		if count, is := strings.CutPrefix(line, "times "); is {
			var inside []string
			for ; i+1 < len(lines) && strings.HasPrefix(lines[i+1], "\t"); i++ {
				inside = append(inside, lines[i+1][1:])
			}
			for range must.Get(strconv.Atoi(count)) {
				p.playLines(inside)
			}
			continue
		}
		p.playLine(line)
		next := lines[i:min(i+2, len(lines))]
		problem := func(line string) bool { return strings.HasPrefix(line, "problem ") }
		if p.ofEngine() && !slices.ContainsFunc(next, problem) {
			p.agrees(line)
		}
	}
}

var randomNumber = regexp.MustCompile(`~\d+`)

func (p *player) playLine(line string) {
	p.Helper()
	line = randomNumber.ReplaceAllStringFunc(line, func(most string) string {
		return fmt.Sprint(p.number(must.Get(strconv.ParseInt(most[1:], 10, 64))))
	})
	verb, rest, _ := strings.Cut(line, " ")
	words := strings.Fields(rest)
	yes := func(what string, is func() bool) {
		p.Helper()
		p.wants(line+": "+what, "true", func() string { return fmt.Sprint(is()) })
	}
	switch verb {
	case "open":
		p.begin(rest)
	case "begin":
		if p.opened {
			p.again(rest)
		} else {
			p.begin(rest)
		}
	case "write":
		p.write(words[0], words[1])
	case "slide":
		p.slide(words[0], keysNamed(words[1:])...)
	case "choose":
		p.choose(words[0], words[1])
	case "mouse", "touch":
		p.push(pointer(verb), rest)
	case "keys":
		p.push("", rest)
	case "tap":
		at := len(words) - 2
		p.tap(pointer(words[0]), strings.Join(words[1:at], " "), p.share(words[at]), p.share(words[at+1]))
	case "drag":
		var way []point
		for _, place := range words[2:] {
			x, y, _ := strings.Cut(place, ",")
			way = append(way, point{p.share(x), p.share(y)})
		}
		p.drag(pointer(words[0]), words[1], way...)
	case "focus":
		p.focus(rest)
	case "press":
		for _, word := range words {
			hold := input.Key(0)
			if key, shift := strings.CutPrefix(word, "Shift+"); shift {
				word, hold = key, input.ShiftLeft
			}
			p.press(hold, keysNamed([]string{word})...)
		}
	case "says":
		p.wantsText(rest)
	case "silent":
		yes("it says more", func() bool { return !strings.Contains(p.state().Text, rest) })
	case "answer":
		yes("the answer", func() bool { return strings.HasPrefix(p.answer("answer"), rest) })
	case "address":
		p.wantsInAddress(rest)
	case "problem":
		yes("the problem", func() bool { return strings.Contains(p.state().Problem, rest) })
	case "field":
		p.wants(line, words[1], func() string { return p.field(words[0]) })
	case "is":
		yes("it is not so", func() bool { return inHost[bool](p, drawnNow+"return Boolean("+rest+");") })
	default:
		p.Fatalf("testdata/plays.txt: %q", line)
	}
}

// ofEngine reports whether package engine draws the explorable.
func (p *player) ofEngine() bool {
	return slices.ContainsFunc(engine.Module.Pictures, func(q pictures.Picture) bool { return q.Name == p.kind })
}

// share parses a place from 0 to 1.
func (p *player) share(text string) float64 {
	if text == "~" {
		return p.random.Float64()
	}
	return must.Get(strconv.ParseFloat(text, 64))
}

// keysNamed returns the keys with the given names in browsers.
func keysNamed(names []string) (keys []input.Key) {
	for _, name := range names {
		key := input.Key([]rune(name)[0])
		for named := range namedKeys {
			if named.Info().Code == name {
				key = named
			}
		}
		keys = append(keys, key)
	}
	return keys
}

// seenNow is what a reader sees of a picture, and the page's requests to the engine.
type seenNow struct {
	Answer, Words, Problem string
	Boards                 [][]string // the names of the cells
	Images                 []struct{ Alt, Source string }
	Fields                 map[string]string
	Asked                  []string
}

// seeNow returns a seenNow, or null if the explorable is not drawn at rest yet.
const seeNow = atRest + `
	if (!rests) return null;
	const all = (selector) => [...host.querySelectorAll(selector)];
	const problem = host.querySelector(".x-problem");
	return {answer: host.querySelector("output[name]").textContent, words: host.textContent, problem: problem.hidden ? "" : problem.textContent,
		boards: all(".x-board").map((board) => [...board.querySelectorAll(".x-cell")].map((cell) => cell.getAttribute("aria-label"))),
		images: all(".x-plate > img").map(({alt, src}) => ({alt, source: decodeURIComponent(src)})),
		fields: Object.fromEntries(all(".x-number [type=number], .x-choice select").map((e) => [e.name, e.value])),
		asked: asked.filter((request) => request.startsWith(given[0] + "\n")).slice(-40)};`

// agrees waits until the page shows the library's answer to the page's last request.
func (p *player) agrees(after string) {
	p.Helper()
	fault := ""
	if !waittest.Comes(func() bool {
		now := inHost[*seenNow](p, seeNow, p.kind)
		if fault = "it is not drawn at rest"; now != nil {
			fault = now.fault()
		}
		return fault == ""
	}) {
		p.Fatalf("%s: after %q %s", p.kind, after, fault)
	}
}

// fault describes the difference between the page and the library, or returns "" if there is none.
func (s seenNow) fault() string {
	if s.Problem != "" {
		return "it complains: " + s.Problem
	}
	for i, request := range slices.Backward(s.Asked) {
		view, settings, err := viewOf(request)
		if err != nil {
			continue
		}
		values := map[string]string{}
		for _, setting := range settings {
			values[setting.Name] = setting.Value
		}
		maps.Copy(values, view.Set)
		same := true
		for name, value := range s.Fields {
			same = same && values[name] == value
		}
		if same { // skips the requests for other values that a resting pointer causes
			return s.differs(view, s.Asked[:i])
		}
	}
	return fmt.Sprintf("the fields have %v, of which the engine was not asked: %.2000q", s.Fields, s.Asked)
}

// viewOf returns the library's answer to a request, drawn at rest, and the settings of the request.
func viewOf(request string) (view pictures.View, settings []content.Setting, err error) {
	lines := strings.Split(request, "\n")
	lines[2] = strings.Replace(lines[2], "moving", "rest", 1)
	reply, _, err := engine.Module.Ask(strings.Join(lines[:6], "\n"))
	if err == nil {
		err = json.Unmarshal([]byte(reply.Text), &view)
	}
	if err == nil {
		settings, err = content.ParseSettings(lines[3])
	}
	return view, settings, err
}

// drew reports whether an earlier view had a drawing with the same key. The page keeps such a drawing, because it looks
// the same.
func drew(asked []string, key, source string) bool {
	for _, request := range slices.Backward(asked[max(0, len(asked)-8):]) {
		view, _, err := viewOf(request)
		if err != nil {
			continue
		}
		_, plates := wordsOf(view.Parts)
		if slices.ContainsFunc(plates, func(plate *pictures.Plate) bool {
			return plate.Key == key && plate.Drawn.Moving == source
		}) {
			return true
		}
	}
	return false
}

// differs describes the parts of a view that the page does not show. before has the page's earlier requests.
func (s seenNow) differs(view pictures.View, before []string) string {
	if s.Answer != view.Answer {
		return fmt.Sprintf("the answer is %q, want %q", s.Answer, view.Answer)
	}
	words, plates := wordsOf(view.Parts)
	rest := s.Words
	for _, word := range words {
		_, behind, found := strings.Cut(rest, word)
		if !found {
			return fmt.Sprintf("no %q in %q", word, rest)
		}
		rest = behind
	}
	if len(plates) != len(s.Images) {
		return fmt.Sprintf("there are %d drawings, want %d", len(s.Images), len(plates))
	}
	for i, plate := range plates {
		if s.Images[i].Alt != plate.Drawn.Alt {
			return fmt.Sprintf("drawing %d of %d is %q, want %q", i, len(plates), s.Images[i].Alt, plate.Drawn.Alt)
		}
		_, source, _ := strings.Cut(s.Images[i].Source, ",")
		if source != plate.Drawn.SVG && source != plate.Drawn.Moving && !drew(before, plate.Key, source) {
			return fmt.Sprintf("drawing %d is another one", i)
		}
		if plate.Board != nil && !slices.Equal(s.Boards[i], plate.Board.Cells) {
			return fmt.Sprintf("the cells of board %d are %q, want %q", i, s.Boards[i], plate.Board.Cells)
		}
	}
	return ""
}

// wordsOf returns the texts of parts, and their drawings, both in the order of the page.
func wordsOf(parts []pictures.Part) (words []string, plates []*pictures.Plate) {
	add := func(inside []pictures.Part) {
		more, drawings := wordsOf(inside)
		words, plates = append(words, more...), append(plates, drawings...)
	}
	text := func(spans []pictures.Span) {
		joined := ""
		for _, span := range spans {
			joined += span.Text
		}
		words = append(words, joined)
	}
	for _, part := range parts {
		if part.Plate != nil {
			plates = append(plates, part.Plate)
		}
	}
	for _, part := range parts {
		switch {
		case part.Text != nil:
			text(part.Text)
		case part.Table != nil:
			for _, group := range part.Table.Groups {
				words = append(words, group.Text)
			}
			for _, head := range part.Table.Heads {
				text(head)
			}
			for _, cell := range slices.Concat(part.Table.Rows...) {
				words = append(words, cell.Text)
			}
		case part.Row != nil:
			words = append(words, part.Row.Label)
			for _, button := range part.Row.Buttons {
				words = append(words, button.Label, button.Note)
			}
		case part.Fold != nil:
			words = append(words, part.Fold.Summary)
			add(part.Fold.Parts)
		case part.Beside != nil:
			for _, column := range part.Beside {
				add(column)
			}
		}
	}
	return words, plates
}
