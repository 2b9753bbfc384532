package browsertest

import (
	"fmt"
	"strings"

	"github.com/go-rod/rod/lib/input"

	"github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/internal/must"
)

func init() {
	plays["tower-aim"] = playTowerAim
	plays["tower-map"] = playTowerMap
}

// siege is a battle against towers as the library plays it, beside the one on the page.
type siege struct {
	*player
	tower.Battle
	state tower.State
	round int64
}

func (p *player) siege(b tower.Battle) *siege { return &siege{p, b, b.Start(), 0} }

func counted(count int64, one string) string {
	if count == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", count, one)
}

// stands wants the page to show the round that comes now.
func (s *siege) stands() {
	s.Helper()
	s.wantsAnswer(fmt.Sprintf("Round %d: %s against %s", s.round+1, counted(s.state.Soldiers, "soldier"),
		counted(s.state.Towers(), "tower")))
}

// fire aims like a strategy, fires, and wants what the library makes of it. It says whether the battle goes on.
func (s *siege) fire(with pointer, strategy tower.Strategy) bool {
	s.Helper()
	s.push(with, strategy.String())
	s.wantsText("Every soldier has a target.")
	s.push(with, "Fire")
	next, _, winner := s.Step(s.state, strategy.Aims(s.state))
	if left := next.Towers(); left > 0 {
		s.wantsText(fmt.Sprintf("The %s left killed %s.", counted(left, "tower"),
			counted(s.state.Soldiers-next.Soldiers, "soldier")))
	}
	s.state = next
	s.round++
	switch winner {
	case tower.Undecided:
		s.stands()
		return true
	case tower.Soldiers:
		s.wantsAnswer(fmt.Sprintf("✓ You win in round %d with %s left", s.round, counted(next.Soldiers, "soldier")))
	case tower.Towers:
		s.wantsAnswer(fmt.Sprintf("✗ The towers win in round %d with %s "+
			"left", s.round, counted(next.Towers(), "tower")))
	}
	return false
}

// ends wants the ends by all strategies to stand beside the reader's.
func (s *siege) ends() {
	s.Helper()
	for _, strategy := range tower.Strategies() {
		r := must.Get(s.Play(strategy, 0))
		s.wantsText(fmt.Sprintf("%v win in round %d, %d left", r.Winner, r.Rounds, max(r.SoldiersLeft, r.TowersLeft)))
	}
}

// towersOf reads the battle in an address.
func towersOf(start string) (b tower.Battle) {
	for _, setting := range strings.Split(start, "&") {
		name, value, _ := strings.Cut(setting, "=")
		if to := map[string]*int64{
			"n": &b.Soldiers, "h": &b.HitsPerTower, "k": &b.KillsPerTower,
			"t": &b.Towers,
		}[name]; to != nil {
			_, _ = fmt.Sscan(value, to)
		}
	}
	return b
}

func playTowerAim(p *player) {
	p.begin("")
	b := towersOf(p.start)
	s := p.siege(b)
	s.stands()
	p.wantsText("Each tower kills " + counted(b.KillsPerTower, "soldier") + " a round")
	for _, defined := range []string{"T tower not hit yet", "× dead soldier"} {
		p.wantsText(defined)
	}
	for _, strategy := range tower.Strategies() {
		p.wantsText(strategy.Description())
	}
	p.aimByHand(b)
	p.push(mouse, "Clear the aims")
	p.push(mouse, "Fire")
	p.wantsText(fmt.Sprintf("round 1: %s without a target", are(b.Soldiers)))
	for s.fire(mouse, tower.Greedy) {
	}
	s.ends()
	p.push(touch, "Take back the round")
	p.wantsText("Every soldier has a target.")
	p.push("", "Back to round 1")
	s = p.siege(b)
	s.stands()
	for range p.rounds(3) {
		b := tower.Battle{Soldiers: 1 + p.random.Int64N(60), HitsPerTower: 1 + p.random.Int64N(9), KillsPerTower: 1 +
			p.random.Int64N(4), Towers: 1 + p.random.Int64N(12)}
		address := fmt.Sprintf("n=%d&h=%d&k=%d&t=%d", b.Soldiers, b.HitsPerTower, b.KillsPerTower, b.Towers)
		p.begin(address + "&moves=&aim=")
		s := p.siege(b)
		s.stands()
		for goesOn := true; goesOn; {
			with := []pointer{mouse, touch, ""}[p.random.IntN(3)]
			goesOn = s.fire(with, tower.Strategies()[p.random.IntN(3)])
		}
		s.ends()
		end, settings := p.answer("answer"), p.wantsMoves(s.round)
		p.begin(settings)
		p.wantsAnswer(end) // the address has all of it
	}
}

func are(soldiers int64) string {
	if soldiers == 1 {
		return "1 soldier is"
	}
	return fmt.Sprintf("%d soldiers are", soldiers)
}

// wantsMoves waits until so many rounds stand in the address, and returns its settings.
func (p *player) wantsMoves(rounds int64) string {
	p.Helper()
	settings := ""
	p.wants("the number of rounds in the address", fmt.Sprint(rounds), func() string {
		settings = strings.TrimPrefix(strings.TrimPrefix(p.state().Hash, "#"), p.block+":")
		_, moves, _ := strings.Cut("&"+settings, "&moves=")
		moves, _, _ = strings.Cut(moves, "&")
		if moves == "" {
			return "0"
		}
		return fmt.Sprint(1 + strings.Count(moves, "_"))
	})
	return settings
}

// aimByHand aims at single towers of a battle with two towers or more, in all ways that there are.
func (p *player) aimByHand(b tower.Battle) {
	p.Helper()
	free := func(aimed int64) {
		p.Helper()
		p.wantsText(are(b.Soldiers-aimed) + " without a target.")
	}
	first, second := ".x-cell:nth-child(1)", ".x-cell:nth-child(2)"
	p.tap(mouse, first, 0.5, 0.5)
	free(b.HitsPerTower)
	p.tap(touch, second, 0.5, 0.5)
	free(2 * b.HitsPerTower)
	p.tap(mouse, first, 0.5, 0.5)
	free(b.HitsPerTower)
	p.focus(first)
	p.press(0, input.Enter)
	free(2 * b.HitsPerTower)
	p.press(0, input.ArrowRight)
	p.press(0, '-', '-')
	free(2*b.HitsPerTower - 2)
	p.press(0, '+')
	free(2*b.HitsPerTower - 1)
	p.press(0, input.Delete)
	free(b.HitsPerTower)
	p.push(mouse, "+1")
	free(b.HitsPerTower + 1)
	p.push("", "+1")
	free(b.HitsPerTower + 2)
	p.push(touch, "−1")
	free(b.HitsPerTower + 1)
	p.choose("click", "five")
	p.tap(touch, second, 0.5, 0.5)
	free(b.HitsPerTower + 6)
}

func playTowerMap(p *player) {
	const plane = ".x-plane"
	p.begin("")
	p.whoWins()
	for range p.rounds(8) {
		for name, most := range map[string]int64{"h": 30, "k": 6, "t": 40, "n": 200} {
			p.write(name, fmt.Sprint(1+p.random.Int64N(most)))
		}
		p.whoWins()
	}
	p.push("", "Start again")
	for _, hand := range []pointer{mouse, touch} {
		for range p.rounds(4) {
			p.tap(hand, plane, p.random.Float64(), p.random.Float64())
			p.whoWins()
			p.drag(hand, plane, point{p.random.Float64(), p.random.Float64()},
				point{p.random.Float64(), p.random.Float64()})
			p.whoWins()
		}
	}
	for _, strategy := range tower.Strategies() {
		p.push(mouse, "As few as win by "+strategy.String())
		b := p.battleOfTowers()
		if n, err := b.MinSoldiers(strategy, 0); err != nil || n != b.Soldiers {
			p.Errorf("as few as win by %v are %d, the library: %d, %v", strategy, b.Soldiers, n, err)
		}
		p.whoWins()
	}
	p.focus(plane)
	before := p.battleOfTowers()
	p.press(0, input.ArrowLeft, input.ArrowDown)
	if b := p.battleOfTowers(); b.Soldiers != before.Soldiers-1 || b.Towers != before.Towers-1 {
		p.Errorf("the arrow keys lead from %v to %v", before, b)
	}
	p.whoWins()
}

// battleOfTowers is that of the fields.
func (p *player) battleOfTowers() tower.Battle {
	p.Helper()
	return tower.Battle{
		Soldiers: p.whole("n"), HitsPerTower: p.whole("h"), KillsPerTower: p.whole("k"),
		Towers: p.whole("t"),
	}
}

// whoWins compares the answer with the library's.
func (p *player) whoWins() {
	p.Helper()
	b := p.battleOfTowers()
	var winners []string
	for _, strategy := range tower.Strategies() {
		r := must.Get(b.Play(strategy, 0))
		if r.Winner == tower.Soldiers {
			winners = append(winners, strategy.String())
		}
	}
	verdict := strings.Join(winners, " and ") + " win"
	switch len(winners) {
	case 0:
		verdict = "no play wins"
	case 1:
		verdict = "only " + winners[0] + " wins"
	case len(tower.Strategies()):
		verdict = "all of them win"
	}
	p.wantsAnswer(fmt.Sprintf("%s against %s: %s", counted(b.Soldiers, "soldier"), counted(b.Towers, "tower"), verdict))
}
