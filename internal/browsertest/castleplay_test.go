package browsertest

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/input"

	"github.com/siegebook/siegebook/analysis/castle"
)

func init() { plays["castle-play"] = playCastlePlay }

// TestAnswerWithoutScript: what the soldiers can reach from the start is in the page, also where no script runs.
func TestAnswerWithoutScript(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(filepath.Join(report(t).dir, "castle-play.html"))
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`data-kind="castle-play" data-start="n=(\d+)&amp;s=(\d+)&amp;d=(\d+)&amp;[^"]*"><output name="answer"[^>]*>([^<]*)</output></div>`).FindSubmatch(data)
	if found == nil {
		t.Fatal("there is no answer")
	}
	var numbers [3]int64
	for i := range numbers {
		numbers[i], _ = strconv.ParseInt(string(found[i+1]), 10, 64)
	}
	b := castle.Battle{Soldiers: numbers[0], CastleHits: numbers[1], DefendersPerWave: numbers[2]}
	if got := string(found[4]); got != b.Reach() {
		t.Errorf("%v: %q, want %q", b, got, b.Reach())
	}
}

// playCastlePlay plays battles wave by wave with random orders, which the rules of the library follow.
func playCastlePlay(p *player) {
	p.begin("")
	p.asksAndLoses()
	p.leavesGames()
	for range 2 {
		p.begin("")
		p.writeBattle(math.MaxInt64)
		p.judged()
	}
	for round, hand := range []pointer{mouse, touch, ""} {
		b := castle.Battle{Soldiers: 5 + p.random.Int64N(40), CastleHits: 20 + p.random.Int64N(80), DefendersPerWave: 3 + p.random.Int64N(20)}
		p.begin(fmt.Sprintf("n=%d&s=%d&d=%d", b.Soldiers, b.CastleHits, b.DefendersPerWave))
		state, winner := b.Start(), castle.Undecided
		var moves []string
		for winner == castle.Undecided && len(moves) < 8 {
			low, high := state.Moves()
			order := low + p.random.Int64N(high-low+1)
			if round == 0 && low < high { // by the slider, from its one end to the other
				p.focus(".x-play-order [type=range]")
				p.press(0, input.Home, input.End)
				order = high
			} else {
				p.writeInto(".x-play-order [type=text]", fmt.Sprint(order))
			}
			p.push(hand, fmt.Sprintf("Shoot! Wave %d", len(moves)+1))
			state, winner = b.Step(state, order)
			moves = append(moves, fmt.Sprint(order))
			if winner == castle.Undecided {
				p.wantsRow(".x-play-waves", fmt.Sprint(len(moves)), state.Soldiers, int64(state.Defenders), state.CastleHits)
			}
		}
		p.wantsInAddress(strings.Join(moves, ","))
		p.wantsText(map[castle.Winner]string{castle.Undecided: "Shoot!", castle.Soldiers: "You win in", castle.Castle: "The castle wins in wave", castle.Tie: "A tie:"}[winner])
		shown := p.state()
		p.begin(fmt.Sprintf("n=%d&s=%d&d=%d&moves=%s", b.Soldiers, b.CastleHits, b.DefendersPerWave, strings.Join(moves, ",")))
		if again := p.state(); again.Answers["answer"] != shown.Answers["answer"] || again.Problem != "" {
			p.Errorf("from its address it comes back as %+v, not as %+v", again, shown)
		}
	}
}

// asksAndLoses asks whether the battle can be won, and loses it: the answer is there before, is seen when it is asked
// for, and does not stand beside the defeat.
func (p *player) asksAndLoses() {
	p.Helper()
	seen := func(want string) {
		p.Helper()
		p.wants("what is seen of the answer", want, func() string {
			p.settle()
			return inHost[string](p, `const output = host.querySelector("output[name=answer]"), helped = output.parentElement.nextElementSibling;
			return output.closest(".hidden") ? "" : output.parentElement.textContent + " | " + helped.textContent;`)
		})
	}
	table := func() float64 {
		p.settle()
		return inHost[float64](p, `return host.querySelector(".x-play-waves").getBoundingClientRect().top - host.getBoundingClientRect().top;`)
	}
	b := castle.Battle{Soldiers: 19, CastleHits: 50, DefendersPerWave: 15}
	p.judged()
	seen("")
	p.push(mouse, "Can I still win?")
	seen("From the start: " + b.Reach() + " | " + b.HelpedWin())
	p.begin("n=19&s=50&d=15")
	place := table()
	p.push(mouse, "Shoot! Wave 1")
	p.wantsRow(".x-play-waves", "1", 19, 15, 31)
	if now := table(); math.Abs(now-place) > 0.5 {
		p.Errorf("after wave 1 the table jumps from %v to %v", place, now)
	}
	for wave := 2; wave <= 3; wave++ {
		p.writeInto(".x-play-order [type=text]", "8")
		p.push(mouse, fmt.Sprintf("Shoot! Wave %d", wave))
		if wave == 2 {
			p.wantsRow(".x-play-waves", "2", 12, 22, 20)
			p.wants("what has changed", "−7 | −8 +15 | −11", func() string {
				return inHost[string](p, `return [...host.querySelectorAll(".x-play-change")].map((e) => e.textContent).join(" | ");`)
			})
			p.push("", "Can I still win?")
			p.wantsText("No, the castle wins. From here you can hold out until wave 4 at most.")
		}
	}
	p.wantsText("The castle wins in wave 3.")
	seen("")
	p.wantsRemarks(", no choice, ✗ gave the win away, − 1 wave")
}

// wantsRemarks waits for what the table says of each order.
func (p *player) wantsRemarks(want string) {
	p.Helper()
	p.wants("what the orders were worth", want, func() string {
		return inHost[string](p, `return [...host.querySelectorAll(".x-play-waves tbody tr")].map((row) => row.lastElementChild.textContent).join(", ");`)
	})
}

// leavesGames goes from a game to another battle and back, and plays what cannot be won, for which there is no praise.
func (p *player) leavesGames() {
	p.Helper()
	pressed := func(want string) {
		p.Helper()
		p.wants("the preset", want, func() string {
			p.settle()
			return inHost[string](p, `return [...host.querySelectorAll("[aria-pressed=true]")].map((e) => e.textContent).join();`)
		})
	}
	p.begin("n=19&s=50&d=15&moves=0,8")
	pressed("A fair fight")
	p.push(touch, "Hold out")
	p.wantsAddress("n=21&s=25&d=30&moves=")
	pressed("Hold out")
	p.push(touch, "Back to your game")
	p.wantsAddress("n=19&s=50&d=15&moves=0,8")
	pressed("A fair fight")
	p.write("s", "51")
	p.wantsAddress("n=19&s=51&d=15&moves=")
	pressed("")
	p.push("", "Back to your game")
	p.wantsAddress("n=19&s=50&d=15&moves=0,8")
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
