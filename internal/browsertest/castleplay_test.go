package browsertest

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/input"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/content"
)

func init() { plays["castle-play"] = playCastlePlay }

// TestAnswerWithoutScript: where the battle stands is in the page, also where no script runs.
func TestAnswerWithoutScript(t *testing.T) {
	t.Parallel()
	data := must.Get(os.ReadFile(filepath.Join(report(t).dir, "castle-play.html")))
	found := regexp.MustCompile(`data-kind="castle-play" data-start="n=(\d+)&amp;s=(\d+)&amp;d=\d+"><output[^>]*>([^<]*)</output></div>`).FindSubmatch(data)
	if found == nil {
		t.Fatal("there is no answer")
	}
	if want := fmt.Sprintf("Wave 1: %s soldiers, 0 defenders, %s castle hits.", found[1],
		found[2]); string(found[3]) != want {
		t.Errorf("%q, want %q", found[3], want)
	}
}

// playedWaves is the table of the waves.
const playedWaves = "[aria-label='Your battle, wave by wave']"

// playCastlePlay plays battles wave by wave with random orders, which the rules of the library follow.
func playCastlePlay(p *player) {
	p.begin("")
	p.asksAndLoses()
	p.leavesGames()
	for range p.rounds(2) {
		p.begin("")
		p.writeBattle(math.MaxInt64)
		b := p.battle()
		p.push("", "Can I still win?")
		p.wantsText(content.ForPeople("From the start: " + b.Reach() + ". " + b.HelpedWin()))
	}
	for round, hand := range []pointer{mouse, touch, ""} {
		if !inTurn(p.window, round) {
			continue
		}
		b := castle.Battle{
			Soldiers: 5 + p.random.Int64N(40), CastleHits: 20 + p.random.Int64N(80),
			DefendersPerWave: 3 + p.random.Int64N(20),
		}
		p.begin(fmt.Sprintf("n=%d&s=%d&d=%d", b.Soldiers, b.CastleHits, b.DefendersPerWave))
		state, winner := b.Start(), castle.Undecided
		var moves []string
		for winner == castle.Undecided && len(moves) < 8 {
			low, high := state.Moves()
			order := low + p.random.Int64N(high-low+1)
			if round == 0 && low < high { // by the slider, from its one end to the other
				p.slide("order", input.Home, input.End)
				order = high
			} else {
				p.write("order", fmt.Sprint(order))
			}
			p.push(hand, fmt.Sprintf("Shoot! Wave %d", len(moves)+1))
			state, winner = b.Step(state, order)
			moves = append(moves, fmt.Sprint(order))
			if winner == castle.Undecided {
				p.wantsRow(playedWaves, fmt.Sprint(len(moves)), state.Soldiers, int64(state.Defenders),
					state.CastleHits)
			}
		}
		p.wantsInAddress(strings.Join(moves, ","))
		p.wantsText(map[castle.Winner]string{
			castle.Undecided: "Shoot!", castle.Soldiers: "You win in",
			castle.Castle: "The castle wins in wave", castle.Tie: "A tie:",
		}[winner])
		shown := p.state()
		p.begin(fmt.Sprintf("n=%d&s=%d&d=%d&moves=%s", b.Soldiers, b.CastleHits, b.DefendersPerWave,
			strings.Join(moves, ",")))
		if again := p.state(); again.Answers["answer"] != shown.Answers["answer"] || again.Problem != "" {
			p.Errorf("from its address it comes back as %+v, not as %+v", again, shown)
		}
	}
}

// asksAndLoses asks whether the battle can be won, and loses it: the answer is there before, is seen when it is asked
// for, and does not stand beside the defeat.
func (p *player) asksAndLoses() {
	p.Helper()
	seen := func(want string, is bool) {
		p.Helper()
		p.wants("that it says: "+want, fmt.Sprint(is),
			func() string { return fmt.Sprint(strings.Contains(p.state().Text, want)) })
	}
	table := func() float64 {
		p.settle()
		return inHost[float64](p,
			`return host.querySelector(given[0]).getBoundingClientRect().top - host.getBoundingClientRect().top;`,
			playedWaves)
	}
	b := castle.Battle{Soldiers: 19, CastleHits: 50, DefendersPerWave: 15}
	verdict := "From the start: " + b.Reach() + ". " + b.HelpedWin()
	seen(verdict, false)
	p.push(mouse, "Can I still win?")
	seen(verdict, true)
	p.begin("n=19&s=50&d=15")
	place := table()
	p.push(mouse, "Shoot! Wave 1")
	p.wantsRow(playedWaves, "1", 19, 15, 31)
	if now := table(); math.Abs(now-place) > 0.5 {
		p.Errorf("after wave 1 the table jumps from %v to %v", place, now)
	}
	for wave := 2; wave <= 3; wave++ {
		p.write("order", "8")
		p.push(mouse, fmt.Sprintf("Shoot! Wave %d", wave))
		if wave == 2 {
			p.wantsRow(playedWaves, "2", 12, 22, 20)
			p.wants("what has changed", "Castle hits: 20 (−11), Defenders: 22 (−8 +15), Soldiers: 12 (−7)",
				func() string {
					return inHost[string](p,
						`return host.querySelector(".x-plate > img").alt.match(/[A-Z][a-z ]+: \d+ \(.*?\)/g)?.join(", ") ?? "";`)
				})
			p.push("", "Can I still win?")
			p.wantsText("No, the castle wins. From here you can hold out until wave 4 at most.")
		}
	}
	p.wantsText("The castle wins in wave 3.")
	seen("From the start", false)
	p.wantsRemarks(", no choice, ✗ gave the win away, − 1 wave")
}

// wantsRemarks waits for what the table says of each order.
func (p *player) wantsRemarks(want string) {
	p.Helper()
	p.wants("what the orders were worth", want, func() string {
		return inHost[string](p,
			`return [...host.querySelectorAll(given[0] + " tbody tr")].map((row) => row.lastElementChild.textContent).join(", ");`, playedWaves)
	})
}

// leavesGames goes from a game to another battle and back, and plays what cannot be won, for which there is no praise.
func (p *player) leavesGames() {
	p.Helper()
	pressed := func(want string) {
		p.Helper()
		p.wants("the preset", want, func() string {
			p.settle()
			return inHost[string](p,
				`return [...host.querySelectorAll("[aria-pressed=true]")].map((e) => e.textContent).join();`)
		})
	}
	p.begin("n=19&s=50&d=15&moves=0,8")
	pressed("A fair fight")
	p.push(touch, "Hold out")
	p.wantsAddress("n=21&s=25&d=30&moves=&order=0")
	pressed("Hold out")
	p.push(touch, "Back to your game")
	p.wantsAddress("n=19&s=50&d=15&moves=0,8&order=0")
	pressed("A fair fight")
	p.write("s", "51")
	p.wantsAddress("n=19&s=51&d=15&moves=&order=0")
	pressed("")
	p.push("", "Back to your game")
	p.wantsAddress("n=19&s=50&d=15&moves=0,8&order=0")
	p.push("", "Hold out")
	p.push("", "Let best play finish")
	p.wantsText("nobody can hold out longer")
	p.wantsRemarks(", no choice, holds out longest, no choice, no choice, no choice")
}

// wantsRow waits until the last row of a table has the numbers left by a wave: the last cells but one that may hold
// words.
func (p *player) wantsRow(table, first string, left ...int64) {
	p.Helper()
	want := first
	for _, number := range left {
		want += " " + fmt.Sprint(number)
	}
	p.wants("the last row of "+table, want, func() string {
		p.settle()
		return inHost[string](p, `const cells = [...host.querySelector(given[0] + " tbody tr:last-child").cells].map((c) => c.textContent.replaceAll(",", ""));
		return [cells[0], ...cells.slice(3, 3 + given[1])].join(" ");`, table, len(left))
	})
}
