package browsertest

import (
	"context"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/input"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/analysis/listing"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/content"
)

func init() { plays["castle-own"] = playCastleOwn }

const program = ".x-program"

// programmed is a program as it stands in an address.
func programmed(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }

// written is the program in the editor.
func (p *player) written() string {
	p.Helper()
	return inHost[string](p, `return host.querySelector(given[0]).value;`, program)
}

// typeIn writes by keyboard where the caret is in the editor.
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

// wantsRow waits until the map and the table are those of a program: its answer and its row are those of the library's
// survey.
func (p *player) wantsSurvey(text string, n int64, hits, defenders grid.Range) {
	p.Helper()
	l := must.Get(listing.Read("own.star", []byte(text), listing.CastleSignature, listing.Limits{}))
	own := listing.Castle(l)
	survey := must.Get(castle.NewSurvey(context.Background(), grid.Range{First: n, Last: n}, hits, defenders,
		castle.SurveyOptions{Algorithms: []castle.Algorithm{own}, Effort: castle.Effort{Steps: 1 << 16}}))
	t, _ := survey.Of(own.Name)
	row := []string{
		"your algorithm", "", content.Thousands(fmt.Sprint(t.WrongSide)),
		content.Thousands(fmt.Sprint(t.TooMany)), "–", fmt.Sprint(t.ExtraWavesMax), "–",
	}
	if mean := t.MeanExtraWaves(); mean != nil {
		row[4] = mean.FloatString(3)
	}
	if t.ExtraWavesMaxAt != nil {
		row[6] = t.ExtraWavesMaxAt.String()
	}
	p.wants("the row", strings.Join(row, "|"), func() string {
		cells := inHost[[]string](p,
			drawnNow+`return [...host.querySelectorAll("tr.x-chosen > *")].map((e) => e.textContent);`)
		if len(cells) == len(row) {
			cells[1] = "" // a share, rounded
		}
		return strings.Join(cells, "|")
	})
	rows := inHost[int](p, `return host.querySelector("tr.x-chosen").parentElement.rows.length;`)
	if want := len(castle.DefaultSurveyed()) + 1; rows != want {
		p.Errorf("the table has %d rows, want %d", rows, want)
	}
}

// playCastleOwn writes programs by keyboard and by examples, runs and stops them, and looks at battles.
func playCastleOwn(p *player) {
	const plane = ".x-plane"
	hits, defenders := grid.Range{First: 1, Last: 80}, grid.Range{First: 1, Last: 40}
	p.begin("")
	first := p.written()
	p.wantsSurvey(first, 20, hits, defenders)
	p.wantsText("Best play: ")

	// An example takes the place of the program, and runs when it is told to.
	p.push(mouse, "Defenders first")
	second := p.written()
	if second == first {
		p.Fatal("the example is not there")
	}
	p.wantsText("Changed: press Run.")
	p.wantsSurvey(first, 20, hits, defenders)
	p.push("", "Run")
	p.wantsSurvey(second, 20, hits, defenders)
	p.wantsInAddress("text=" + programmed(second))

	// The browser undoes it.
	p.focus(program)
	p.press(input.ControlLeft, input.KeyZ)
	p.wants("the program", first, p.written)

	// Keys of the editor: Enter indents as far as the line before, or more behind a colon, Tab indents, Shift and Tab
	// take it back; Escape and then Tab leave.
	p.focus(program)
	p.press(0, input.Delete)
	p.typeIn("def at_defenders(n, s, d, wave, N, S, D):\n")
	p.typeIn("low = max(0, min(N - S, D))\n")
	p.press(0, input.Tab)
	p.press(input.ShiftLeft, input.Tab)
	p.typeIn("return max(low, min(N, D) - 1)")
	const typed = "def at_defenders(n, s, d, wave, N, S, D):\n    low = max(0, min(N - S, D))\n    return max(low, " +
		"min(N, D) - 1)"
	p.wants("the program", typed, p.written)
	p.press(0, input.Escape, input.Tab)
	if inHost[bool](p, `return document.activeElement === host.querySelector(given[0]);`, program) {
		p.Error("Escape and Tab do not leave the program")
	}
	p.write("n", "12")
	p.push(mouse, "Run")
	p.wantsSurvey(typed, 12, hits, defenders)

	// A battle of the map, by mouse, touch and keys: both lines stand side by side.
	for _, hand := range []pointer{mouse, touch} {
		p.tap(hand, plane, 0.1+p.random.Float64()/2, 0.1+p.random.Float64()/2)
		p.wantsBattles(typed)
	}
	before := p.battle()
	p.focus(plane)
	p.press(0, input.ArrowRight, input.ArrowUp)
	if got := p.battle(); got.CastleHits != before.CastleHits+1 || got.DefendersPerWave != before.DefendersPerWave+1 {
		p.Errorf("the arrow keys lead from %v to %v", before, got)
	}
	p.wantsBattles(typed)

	// A fault is told with its place, and the next letter takes it back.
	p.push(mouse, "A mistake to look for")
	p.push(mouse, "Run")
	p.wants("the problem", "Line 3, column 15: / makes fractions: divide by //, which rounds down.",
		func() string { return p.state().Problem })
	p.wants("the caret", "    share = N / 2\n              ^", func() string {
		return inHost[string](p, `return host.querySelector(".x-caret").textContent;`)
	})
	if got := inHost[string](p, `return host.querySelector(".x-blamed").textContent;`); got != "3" {
		p.Errorf("line %s is marked", got)
	}

	// A program that does not end is stopped, and another one runs.
	p.write("n", "100")
	p.begin("text=" + programmed("def at_defenders(n, s, d, wave, N, S, D):\n    for i in range(100000):\n        "+
		"wave += 1\n    return min(N, D)\n"))
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
	p.wantsSurvey(first, 20, hits, defenders)
}

// wantsBattles waits until both lines of the battle are there.
func (p *player) wantsBattles(text string) {
	p.Helper()
	l := must.Get(listing.Read("own.star", []byte(text), listing.CastleSignature, listing.Limits{}))
	b := p.battle()
	answer := must.Get(listing.Castle(l).Answer(context.Background(), b, castle.Effort{}))
	line := "Your algorithm: the castle wins in wave " + fmt.Sprint(answer.Waves)
	switch answer.Winner {
	case castle.Soldiers:
		line = fmt.Sprintf("Your algorithm: the soldiers win in wave %d, with %d left", answer.Waves,
			answer.SoldiersLeft)
	case castle.Tie:
		line = "Your algorithm: a tie"
	}
	p.wantsText(line)
	p.wantsText("Best play: ")
}

// pagesOf are the pages with an explorable of a kind.
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
