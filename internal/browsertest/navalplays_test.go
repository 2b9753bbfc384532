package browsertest

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-rod/rod/lib/input"

	"github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/internal/must"
)

func init() {
	plays["naval-play"] = playNaval
}

// The boards of the explorable. While ships are placed, there is one.
const (
	navalSea = 1 + iota
	navalOwn
	navalPlaced = navalSea
)

func navalCell(board int, c naval.Cell) string {
	return fmt.Sprintf(".x-stage > div:nth-of-type(%d) .x-line:nth-child(%d) > .x-cell:nth-child(%d)", board, c.Y()+1,
		c.X()+1)
}

// navalLabels are what the cells of a board are called, for who listens.
func navalLabels(p *player, board int) []string {
	p.Helper()
	p.settle()
	return inHost[[]string](p,
		`return [...host.querySelectorAll(".x-stage > div:nth-of-type(" + given[0] + ") .x-cell")].map((e) => e.getAttribute("aria-label"));`, board)
}

// navalSetting is a value in the address, or of the start if the address has none, or "".
func navalSetting(p *player, name string) string {
	p.Helper()
	_, settings, _ := strings.Cut(p.state().Hash, "#")
	settings = strings.TrimPrefix(settings, p.block+":")
	for _, all := range []string{settings, p.start} {
		for part := range strings.SplitSeq(all, "&") {
			if n, value, _ := strings.Cut(part, "="); n == name {
				return value
			}
		}
	}
	return ""
}

// navalAddress is a cell as it stands in an address.
func navalAddress(c naval.Cell) string { return fmt.Sprintf("%d%d", c.X(), c.Y()) }

// navalText is a fleet as it stands in an address.
func navalText(f naval.Fleet) string {
	var ships []string
	for _, s := range f {
		direction := "r"
		if s.Upright {
			direction = "d"
		}
		ships = append(ships, navalAddress(s.First)+direction+fmt.Sprint(s.Decks))
	}
	return strings.Join(ships, ".")
}

func navalFleet(p *player, from []naval.Placement, seed uint64) naval.Fleet {
	p.Helper()
	f, _, err := naval.PlaceFleet(from, seed, 0)
	must.Do(p, err)
	return f
}

// navalBoard compares what a board says with what follows from the shots at a fleet.
func navalBoard(p *player, board int, f naval.Fleet, sunk []naval.Ship, shots []naval.Shot, seen bool) {
	p.Helper()
	labels := navalLabels(p, board)
	shot := map[naval.Cell]naval.Outcome{}
	for _, s := range shots {
		if s.Player == board-1 {
			shot[s.At] = s.Outcome
		}
	}
	inside := func(list []naval.Ship, c naval.Cell, cells func(naval.Ship) naval.Cells) bool {
		return slices.ContainsFunc(list, func(s naval.Ship) bool { return cells(s).Has(c) })
	}
	for i, label := range labels {
		c, want := naval.Cell(i), "not shot at"
		outcome, done := shot[c]
		switch {
		case inside(sunk, c, naval.Ship.Cells):
			want = "hit, ship sunk"
		case done && outcome == naval.Miss:
			want = "miss"
		case done:
			want = "hit"
		case inside(sunk, c, naval.Ship.Zone):
			want = "water beside a sunk ship"
		case seen && f.Cells().Has(c):
			want = "ship"
		}
		if rest, ok := strings.CutPrefix(label, c.String()+", "+want); !ok || rest != "" &&
			!strings.HasPrefix(rest, ", shot ") {
			p.Fatalf("board %d: %q, want %s, %s", board, label, c, want)
		}
	}
}

// navalMatch begins the match that the explorable begins.
func navalMatch(p *player, own naval.Fleet, seed uint64, first int) (*naval.Match, naval.Fleet) {
	p.Helper()
	hidden := navalFleet(p, naval.PostPlacements(), seed)
	hand := must.Get(naval.NewHand(hidden))
	shooter := must.Get(naval.NewShooter(naval.Strategy{Targeting: naval.Density, Halo: true}, own, seed, 0))
	m := must.Get(naval.NewMatch(hand, shooter, first))
	return m, hidden
}

// navalShoot shoots at a cell in turn by mouse, touch and keyboard.
func navalShoot(p *player, i int, c naval.Cell) {
	p.Helper()
	switch i % 3 {
	case 0:
		p.tap(mouse, navalCell(navalSea, c), 0.5, 0.5)
	case 1:
		p.tap(touch, navalCell(navalSea, c), 0.5, 0.5)
	default:
		p.focus(".x-stage > div:nth-of-type(1) .x-cell[tabindex='0']")
		p.press(0, input.PageUp, input.Home)
		keys := slices.Concat(slices.Repeat([]input.Key{input.ArrowRight}, c.X()),
			slices.Repeat([]input.Key{input.ArrowDown}, c.Y()))
		p.press(0, append(keys, input.Enter)...)
	}
}

func playNaval(p *player) {
	p.begin("")
	own := navalFleet(p, []naval.Placement{naval.Anywhere}, 1)
	if got := navalSetting(p, "fleet"); got != navalText(own) {
		p.Fatalf("it begins with the fleet %s, want %s", got, navalText(own))
	}
	for seed, first := range []int{0, 1} {
		if inTurn(p.window, seed) {
			playNavalInTurn(p, own, uint64(1+seed), first)
		}
	}
	playNavalAlone(p, own)
	playNavalPlacing(p)
	problems := map[string]string{
		"fleet=00r4.01r3": "the ship of 3 decks at (0, 1) touches the ship of 4 decks at (0, 0): leave a cell " +
			"of water between them", "fleet=<img/src=x>": "fleet = <img/src=x>: it has letters, digits and , . - _ " +
			"only",
		"shots=0000&play=hand": "(0, 0) was shot at before: choose another cell",
		"shots=K11":            "shots = K11: shots look like 235699, the column and the row of each",
		"game=-5":              "game = -5: it has to be a number of at most 9 digits",
		"play=alone&k=NaN":     "Computer’s shots (k) = NaN: it has to be a whole number from 0 to 100",
		"way=best":             "Computer shoots by (way) = best: it has to be one of",
	}
	for i, address := range slices.Sorted(maps.Keys(problems)) {
		if !inTurn(p.window, i) {
			continue
		}
		want := problems[address]
		p.begin(address)
		p.wants("the problem", "true", func() string { return fmt.Sprint(strings.Contains(p.state().Problem, want)) })
		p.push(mouse, "Start again")
		p.wants("the problem", "", func() string { return p.state().Problem })
	}
}

// navalNews says in words what has happened from the reader's last shot on, or from the start if there is none.
func navalNews(shots []naval.Shot) string {
	said := [2][]string{}
	for _, s := range slices.Backward(shots) {
		said[s.Player] = slices.Insert(said[s.Player], 0, fmt.Sprintf("at %v: %v", s.At, s.Outcome))
		if s.Player == 0 {
			break
		}
	}
	var sentences []string
	for player, who := range []string{"You", "The computer"} {
		if said[player] != nil {
			sentences = append(sentences, who+" shot "+strings.Join(said[player], ", ")+".")
		}
	}
	return strings.Join(sentences, " ")
}

// playNavalInTurn plays a game to its end, and compares each step with a match of the library.
func playNavalInTurn(p *player, own naval.Fleet, seed uint64, first int) {
	p.Helper()
	p.begin(fmt.Sprintf("game=%d&play=%s", seed, []string{"hand", "shooter"}[first]))
	m, hidden := navalMatch(p, own, seed, first)
	cells := p.random.Perm(naval.Side * naval.Side)
	if first == 0 { // one who wins
		slices.SortStableFunc(cells, func(a, b int) int {
			has := func(c int) int {
				if hidden.Cells().Has(naval.Cell(c)) {
					return 0
				}
				return 1
			}
			return has(a) - has(b)
		})
		cells = slices.Insert(cells, 5, cells[99])[:100]
	}
	text := ""
	if first == 1 {
		p.wantsText(navalNews(m.Shots))
	}
	for i, c := range cells {
		if _, over := m.Winner(); over {
			break
		}
		at := naval.Cell(c)
		must.Do(p, m.Shoot(at))
		text += navalAddress(at)
		navalShoot(p, i, at)
		p.wants(at.String(), "true", func() string {
			return fmt.Sprint(strings.Contains(navalLabels(p, navalSea)[at], "hit") ||
				strings.Contains(navalLabels(p, navalSea)[at], "miss"))
		})
		if i < 6 || i%10 == 0 {
			p.wantsText(navalNews(m.Shots))
			navalBoard(p, navalSea, hidden, m.Hand.Sunk(), m.Shots, false)
			navalBoard(p, navalOwn, own, m.Shooter.Sunk(), m.Shots, true)
		}
	}
	winner, _ := m.Winner()
	shots, _ := naval.Game{Shots: m.Shots}.Count(winner)
	p.wantsAnswer(fmt.Sprintf("%s with %d shots.", []string{"You have won", "The computer has won"}[winner], shots))
	navalBoard(p, navalSea, hidden, m.Hand.Sunk(), m.Shots, true)
	same := must.Get(naval.NewShooter(naval.Strategy{Targeting: naval.Density, Halo: true}, hidden, seed, 0))
	for !same.Done() {
		same.Shoot()
	}
	p.wantsText(fmt.Sprintf("It takes density %d shots to sink the fleet that you shot at", same.Shots()))
	p.wants("the shots in the address", text, func() string { return navalSetting(p, "shots") })
	address := p.state().Hash
	p.push(touch, "New game")
	p.wants("the shots in the address", "", func() string { return navalSetting(p, "shots") })
	_, settings, _ := strings.Cut(strings.TrimPrefix(address, "#"), p.block+":")
	if settings == "" {
		settings = strings.TrimPrefix(address, "#")
	}
	p.begin(settings) // a game is restored
	p.wantsAnswer(fmt.Sprintf("%s with %d shots.", []string{"You have won", "The computer has won"}[winner], shots))
}

// playNavalAlone lets the strategy shoot for itself, and looks into its thoughts.
func playNavalAlone(p *player, own naval.Fleet) {
	p.Helper()
	p.begin("")
	p.choose("play", "alone")
	p.choose("heat", "on")
	for i, way := range []struct {
		name     string
		strategy naval.Strategy
	}{
		{"random-density", naval.Strategy{Targeting: naval.Density, Halo: true}},
		{"linear-as_described", naval.Strategy{Moves: naval.Linear, Targeting: naval.AsDescribed, Halo: true}},
		{"random-informed", naval.Strategy{Targeting: naval.Informed, Halo: true}},
	} {
		if !inTurn(p.window, i) {
			continue
		}
		p.choose("way", way.name)
		p.write("k", "0")
		p.wants("its shots", "0", func() string { return p.field("k") })
		shooter := must.Get(naval.NewShooter(way.strategy, own, 1, 0))
		for k := range 6 {
			if k == 3 {
				p.slide("k", input.ArrowRight)
			} else {
				p.push([]pointer{mouse, touch}[k%2], "Let the computer shoot")
			}
			shooter.Shoot()
			p.wants("its shots", fmt.Sprint(shooter.Shots()), func() string { return p.field("k") })
			thoughts, labels := shooter.Thoughts(), navalLabels(p, navalOwn)
			for c, value := range thoughts.Cells {
				want := map[naval.ThoughtMeasure]string{
					naval.Ways: fmt.Sprintf(", %v way", value), naval.Odds: " % sure of a ship",
					naval.Drawn: ", the computer may shoot here next",
				}[thoughts.Measure]
				if value >= 0.0005 != strings.Contains(labels[c], want) {
					p.Fatalf("%s, %d shots: %q, thinks %v (%v)", way.name, shooter.Shots(), labels[c], value,
						thoughts.Measure)
				}
			}
		}
		p.push(mouse, "Let the computer finish")
		for !shooter.Done() {
			shooter.Shoot()
		}
		p.wantsText(fmt.Sprintf("The computer has sunk your fleet with %d shots.", shooter.Shots()))
	}
}

// playNavalPlacing places a fleet, at random and by hand.
func playNavalPlacing(p *player) {
	p.Helper()
	p.begin("")
	p.push(mouse, "Move your ships")
	p.wantsAnswer("Your fleet is complete. Begin?")
	for i, placement := range naval.Placements() {
		p.choose("mine", placement.String())
		p.push(mouse, "Place at random")
		want := navalFleet(p, []naval.Placement{placement}, uint64(2+i))
		p.wants("the fleet", navalText(want), func() string { return navalSetting(p, "fleet") })
	}
	p.push(touch, "Take all away")
	p.wantsAnswer("Place the ship of 4 decks, to the right.")
	p.tap(mouse, navalCell(navalPlaced, naval.At(7, 0)), 0.5, 0.5)
	p.wantsText("Not there: the ship of 4 decks at (7, 0) leaves the board")
	want := navalFleet(p, []naval.Placement{naval.Left}, 3)
	upright := false
	for i, s := range want {
		p.focus(".x-stage > div:nth-of-type(1) .x-cell[tabindex='0']")
		if s.Decks > 1 && s.Upright != upright {
			p.press(0, 'r')
			upright = s.Upright
		}
		p.settle()
		if i%2 == 0 {
			p.tap(touch, navalCell(navalPlaced, s.First), 0.5, 0.5)
		} else {
			p.press(0, input.PageUp, input.Home)
			p.press(0, append(slices.Concat(slices.Repeat([]input.Key{input.ArrowRight}, s.First.X()),
				slices.Repeat([]input.Key{input.ArrowDown}, s.First.Y())), input.Enter)...)
		}
		p.wants("the ships", fmt.Sprint(i+1),
			func() string { return fmt.Sprint(strings.Count(navalSetting(p, "fleet"), ".") + 1) })
	}
	p.wantsAnswer("Your fleet is complete. Begin?")
	p.tap(mouse, navalCell(navalPlaced, want[0].First), 0.5, 0.5) // taken up, and put down again
	p.wants("the ships", "9", func() string { return fmt.Sprint(strings.Count(navalSetting(p, "fleet"), ".") + 1) })
	p.tap(mouse, navalCell(navalPlaced, want[0].First), 0.5, 0.5)
	p.wantsAnswer("Your fleet is complete. Begin?")
	p.push(mouse, "Begin")
	p.wantsAnswer("Shoot at the computer’s fleet: press a cell.")
	navalBoard(p, navalOwn, want, nil, nil, true)
}
