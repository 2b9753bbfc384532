package browsertest

import (
	"context"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/input"
	"go.yaml.in/yaml/v3"

	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/analysis/listing"
	"github.com/siegebook/siegebook/analysis/listing/games"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/waittest"
	"github.com/siegebook/siegebook/report/content"
)

// ownPlay describes how to play with a game's page for readers' programs.
type ownPlay struct {
	Game    string         // the name of the game in games.Games
	Cases   []string       // the ranges at the start of the page, by the axes of the game
	Columns map[int]string // the columns in the table of all players that counted computes, by their positions
	Example string         // a program that the page offers
	Typed   []string       // the lines of a program's body to type; the editor indents them
	Valid   string         // a return statement that the rules allow
	Wrong   []string       // bodies with a result that the rules forbid
	Across  string         // the fields that the map sets
	Up      string
	Beside  string // a sentence about the chosen battle
}

//go:embed testdata/own.yaml
var ownTable []byte

// ownPlays has the plays of all games, keyed by the kinds of their explorables.
var ownPlays = func() (all map[string]ownPlay) {
	must.Get(0, yaml.Unmarshal(ownTable, &all))
	return all
}()

// counted returns the numbers of a tally in the form of the table of all players.
func counted(t listing.Tally) map[string]string {
	return map[string]string{
		"wrong side":     content.Thousands(fmt.Sprint(t.WrongSide)),
		"too many waves": content.Thousands(fmt.Sprint(t.TooMany)),
		"more":           content.Thousands(fmt.Sprint(t.Extra)),
		"most":           fmt.Sprint(t.ExtraMax),
		"mean":           big.NewRat(t.Extra, t.Battles).FloatString(2),
	}
}

func init() {
	for kind := range ownPlays {
		plays[kind] = playOwn
	}
}

// gameOf returns the game of a play.
func (o ownPlay) gameOf() listing.Game {
	return games.Games[slices.IndexFunc(games.Games, func(g listing.Game) bool { return g.Name == o.Game })]
}

// judged returns the tally of a program in the cases of the page.
func (o ownPlay) judged(text string) (t listing.Tally, err error) {
	l, err := listing.Read("program", []byte(text), o.gameOf().Signature, listing.Limits{})
	if err != nil {
		return t, err
	}
	var ranges []grid.Range
	for _, text := range o.Cases {
		ranges = append(ranges, must.Get(grid.ParseRange(text, 1)))
	}
	cases := must.Get(grid.Product(ranges...))
	judge := o.gameOf().Own(l)
	for at := range cases.Points(grid.Block{Size: cases.Size()}) {
		if err := judge(context.Background(), at, &t); err != nil {
			return t, err
		}
	}
	return t, nil
}

// wantsTally waits until the row of a program shows its tally.
func (o ownPlay) wantsTally(p *player, text string) {
	p.Helper()
	tally, err := o.judged(text)
	must.Do(p, err)
	numbers := counted(tally)
	join := func(cell func(column int) string) string {
		all := []string{"your algorithm"}
		for _, column := range slices.Sorted(maps.Keys(o.Columns)) {
			all = append(all, cell(column))
		}
		return strings.Join(all, "|")
	}
	p.wants("the row", join(func(column int) string { return numbers[o.Columns[column]] }), func() string {
		cells := inHost[[]string](p,
			drawnNow+`return [...host.querySelectorAll("tr.x-chosen > *")].map((e) => e.textContent);`)
		if len(cells) <= 3 {
			return strings.Join(cells, "|")
		}
		return strings.Replace(join(func(column int) string { return cells[column] }), "your algorithm", cells[0], 1)
	})
}

// playOwn writes programs by keyboard and from examples, runs and stops them, and checks the map.
func playOwn(p *player) {
	const plane = ".x-plane"
	o := ownPlays[p.kind]
	p.begin("")
	first := p.written()
	o.wantsTally(p, first)

	undoes := func(what string) {
		p.Helper()
		if !waittest.Comes(func() bool {
			p.focus(program)
			p.press(input.ControlLeft, input.KeyZ)
			p.settle()
			return p.written() == first
		}) {
			p.Fatalf("%s: the browser does not undo %s", p.kind, what)
		}
	}

	// An example replaces the program, and runs only when the reader runs it. The browser can undo it.
	p.push(mouse, o.Example)
	p.push(mouse, o.Example) // once more, which leaves nothing to undo
	second := p.written()
	if second == first {
		p.Fatal("the example is not there")
	}
	undoes("an example")
	p.push(mouse, o.Example)
	p.wantsText("Changed: press Run.")
	p.push("", "Run")
	o.wantsTally(p, second)
	p.wantsInAddress("text=" + programmed(second))
	// Firefox forgets its undo history when other windows need memory.
	if _, ok := p.window.(*chromiumWindow); ok {
		undoes("an example that has run")
	}

	// While somebody types a program, Enter indents as far as the previous line, or more after a colon. Tab indents,
	// and Shift and Tab unindent. Escape and then Tab leave the editor.
	p.focus(program)
	p.press(input.ControlLeft, input.KeyA)
	p.press(0, input.Delete)
	typed := o.gameOf().Signature.String() + ":"
	p.typeIn(typed)
	indent := "\n    "
	for _, line := range o.Typed {
		p.typeIn("\n")
		p.press(0, input.Tab)
		p.press(input.ShiftLeft, input.Tab)
		p.typeIn(line)
		typed += indent + line
		if strings.HasSuffix(line, ":") {
			indent += "    "
		}
	}
	p.wants("the program", typed, p.written)
	p.press(0, input.Escape, input.Tab)
	if inHost[bool](p, `return document.activeElement === host.querySelector(given[0]);`, program) {
		p.Error("Escape and Tab do not leave the program")
	}
	p.push(mouse, "Run")
	o.wantsTally(p, typed)

	// The map can be read by mouse, touch and keyboard.
	for _, hand := range []pointer{mouse, touch} {
		p.tap(hand, plane, 0.1+p.random.Float64()/4, 0.5+p.random.Float64()/4)
		p.wantsText(o.Beside)
	}
	across, up := p.fieldNumber(o.Across), p.fieldNumber(o.Up)
	p.focus(plane)
	p.press(0, input.ArrowRight, input.ArrowUp)
	if p.fieldNumber(o.Across) != across+1 || p.fieldNumber(o.Up) != up+1 {
		p.Errorf("the arrow keys lead from %d, %d to %d, %d", across, up, p.fieldNumber(o.Across), p.fieldNumber(o.Up))
	}

	// The message about a fault names the fault's position.
	p.push(mouse, "A mistake to look for")
	p.push(mouse, "Run")
	text := p.written()
	line := strings.Split(text, "\n")[2]
	column := strings.Index(line, "/") + 1
	told := func() {
		p.Helper()
		p.wants("the problem", fmt.Sprintf("Line 3, column %d: ", column), func() string {
			place, _, _ := strings.Cut(p.state().Problem, "/ makes fractions")
			if at := strings.Index(place, ": ") + 2; at > 1 {
				place = place[:at]
			}
			return place
		})
	}
	told()
	for _, width := range []int{320, 1280} { // which draws the map again
		p.resize(width, 1000)
		p.settle()
		told()
	}
	p.wants("the caret", line+"\n"+strings.Repeat(" ", column-1)+"^", func() string {
		return inHost[string](p, `return host.querySelector(".x-caret").textContent;`)
	})

	if got := inHost[string](p, `return host.querySelector(".x-blamed").textContent;`); got != "3" {
		p.Errorf("line %s is marked", got)
	}

	// A program from an address waits for the reader, and a slow program can be stopped.
	p.runsOnlyWhenAsked(o.gameOf().Signature.String() +
		":\n    for i in range(100000):\n        j = i\n    " + o.Valid + "\n")
	o.wantsTally(p, first)
}

// runsOnlyWhenAsked opens the page with a slow program in the address. The program waits until the reader runs it, and
// can be stopped. Then the explorable starts again.
func (p *player) runsOnlyWhenAsked(program string) {
	p.Helper()
	p.begin("text=" + programmed(program))
	p.wantsText("Read the program, then press Run.")
	if inHost[bool](p, `return host.querySelector("tr.x-chosen") !== null;`) {
		p.Error("a program of an address runs by itself")
	}
	inHost[bool](p, `const button = (label) => [...host.querySelectorAll("button")].find((b) => b.textContent === label);
		button("Run").click();
		while (button("Stop").getAttribute("aria-disabled") !== "false") await new Promise((done) => setTimeout(done));
		button("Stop").click();
		return true;`)
	p.wants("the problem", "Stopped.", func() string { return p.state().Problem })
	p.push("", "Start again")
}

// hostile returns programs that would never end, take all memory, or break the rules.
func (o ownPlay) hostile() []string {
	s := o.gameOf().Signature
	head := s.String() + ":\n    "
	all := []string{
		head + "while True:\n        x = 1\n",
		head + "return 1 << 10 ** 10\n",
		head + "return 1 << (1 << 34)\n",
		head + "return " + s.Name + "(" + strings.Join(s.Parameters, ", ") + ")\n",
		head + "x = \"ab\"\n    while True:\n        x += x\n",
		head + "while True:\n        print(\"many\")\n",
		head + "return 0.5\n",
		head + "print(\"<img src=x onerror=" + strike("print") + ">\")\n",
		head + "return \"<script>" + strike("text") + "</script>\"\n",
		"def other(n):\n    return 1\n",
		"def " + s.Name + "(more):\n    return more\n",
	}
	for _, body := range o.Wrong {
		all = append(all, head+body+"\n")
	}
	// Adds a third of the library's hostile programs that fit into an address.
	file := string(must.Get(os.ReadFile("../../analysis/listing/games/testdata/hostile.txt")))
	for i, part := range strings.Split(file, "\n-- "+o.Game+": ")[1:] {
		_, text, _ := strings.Cut(part, "\n")
		text, _, _ = strings.Cut(text, "\n-- want ")
		if i%3 == 0 && !strings.Contains(text, " ... ") {
			all = append(all, strings.Replace(text+"\n", "def play:", s.String()+":", 1))
		}
	}
	return all
}

// TestHostilePrograms checks that programs that would never end, or take all memory, are stopped with the library's
// message, and the page stays responsive.
func TestHostilePrograms(t *testing.T) {
	t.Parallel()
	r := report(t)
	inBrowsers(t, false, func(t *testing.T, w window) {
		w.resize(1280, 1000)
		for kind, o := range ownPlays {
			each(t, w, pagesOf(t, r, kind), func(p *player) {
				// The first program comes with the page, and each other program as if the reader followed a link on the
				// page.
				next := p.begin
				for _, text := range o.hostile() {
					_, err := o.judged(text)
					var fault *listing.Error
					if !errors.As(err, &fault) {
						p.Fatalf("%q: the library says %v", text, err)
					}
					want := fault.Message
					if fault.Line > 0 {
						want = fmt.Sprintf("Line %d, column %d: %s.", fault.Line, fault.Column, want)
					}
					next("text=" + programmed(text))
					next = p.follow
					p.wantsText("Read the program, then press Run.")
					p.push("", "Run")
					p.wants("the problem", want, func() string { return p.state().Problem })
					if struck := inHost[[]string](p, `return globalThis.struck ?? [];`); len(struck) > 0 {
						p.Errorf("it runs %q", struck)
					}
				}
				p.follow("text=" + programmed(o.gameOf().Signature.String()+":\n"+strings.Repeat("    # more\n", 600)+
					"    return 1\n"))
				p.wantsText("The program is too long for the address, so a link does not contain it.")
				p.push("", "Start again")
				p.wants("the row", "your algorithm", func() string {
					return inHost[string](p, drawnNow+
						`return host.querySelector("tr.x-chosen th")?.textContent ?? "";`)
				})
				p.quiet()
			})
		}
	})
}

// TestStopEndsOne checks that in the report as one file, which has several editors, Stop stops only the program of its
// own editor.
func TestStopEndsOne(t *testing.T) {
	t.Parallel()
	r := report(t)
	inBrowsers(t, false, func(t *testing.T, w window) {
		w.open(fileURL(r.single))
		var two []*player
		for _, g := range gamesOf(t, r.single) {
			o, ok := ownPlays[g.kind]
			if !ok || len(two) == 2 {
				continue
			}
			p := &player{T: t, window: w, game: g}
			p.settle()
			two = append(two, p)
			inHost[bool](p, setProgram+`write(given[0]);
	[...host.querySelectorAll("button")].find((b) => b.textContent === "Run").click();
	return true;`, o.gameOf().Signature.String()+":\n    for i in range(100000):\n        j = i\n    "+o.Valid+"\n")
		}
		if len(two) != 2 {
			t.Fatalf("%d editors in one file", len(two))
		}
		const stop = `const stop = [...host.querySelectorAll("button")].find((b) => b.textContent === "Stop");
	`
		running := func(p *player) bool {
			return inHost[bool](p, stop+`return stop.getAttribute("aria-disabled") === "false";`)
		}
		for i, p := range two {
			waittest.Until(t, p.kind+" runs", func() bool { return running(p) })
			inHost[bool](p, stop+`stop.click(); return true;`)
			waittest.Until(t, p.kind+" is stopped", func() bool { return !running(p) })
			p.wants("the problem", "Stopped.", func() string { return p.state().Problem })
			if i == 0 && !running(two[1]) {
				t.Error("Stop ends the work of another editor")
			}
		}
	})
}

const program = ".x-program"

// programmed returns a program in the form that addresses use.
func programmed(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }

// written returns the program in the editor.
func (p *player) written() string {
	p.Helper()
	return inHost[string](p, `return host.querySelector(given[0]).value;`, program)
}

// typeIn writes by keyboard at the caret of the editor.
func (p *player) typeIn(text string) {
	p.Helper()
	for _, letter := range text {
		if letter == '\n' {
			p.press(0, input.Enter)
		} else {
			p.press(0, input.Key(letter))
		}
	}
}

// pagesOf returns the pages with an explorable of a kind.
func pagesOf(t *testing.T, r *edition, kind string) []string {
	t.Helper()
	var pages []string
	for _, page := range pagesToPlay(t, r) {
		if strings.HasSuffix(page, kind+".html") {
			pages = append(pages, page)
		}
	}
	if len(pages) == 0 {
		t.Fatalf("there is no page %s", kind)
	}
	return pages
}
