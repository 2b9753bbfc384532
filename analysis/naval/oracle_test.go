package naval

import "slices"

// This is the slow, obvious version against which the rest of the package is tested: grids and lists of cells, written
// from the rules. It shares with the package only the names of strategies and the stream of random numbers: where the
// rules say "random", it takes element k of a list in row order, where k is the next number of the stream. So both must
// agree shot for shot.

type spot struct{ x, y int }

type naiveShip struct {
	spots []spot
	hit   map[spot]bool
}

func onBoard(s spot) bool { return s.x >= 0 && s.x <= 9 && s.y >= 0 && s.y <= 9 }

// allSpots lists the board row by row.
func allSpots() []spot {
	var list []spot
	for y := range 10 {
		for x := range 10 {
			list = append(list, spot{x, y})
		}
	}
	return list
}

func filter(list []spot, keep func(spot) bool) []spot {
	return slices.DeleteFunc(slices.Clone(list), func(s spot) bool { return !keep(s) })
}

// naiveRegion returns the cells of the ships of one deck.
func naiveRegion(p Placement, c *chance) []spot {
	if p == Random12 {
		var region []spot
		rest := allSpots()
		for range 12 {
			k := c.below(len(rest))
			region = append(region, rest[k])
			rest = slices.Delete(rest, k, k+1)
		}
		return region
	}
	return filter(allSpots(), func(s spot) bool {
		switch p {
		case Left:
			return s.x <= 5
		case Right:
			return s.x >= 4
		case Top:
			return s.y <= 5
		case Bottom:
			return s.y >= 4
		case Square36:
			return s.x >= 2 && s.x <= 7 && s.y >= 2 && s.y <= 7
		case CenterVertical:
			return s.x >= 2 && s.x <= 7
		case CenterHorizontal:
			return s.x >= 2 && s.x <= 9 && s.y >= 2 && s.y <= 7
		}
		return true
	})
}

// naivePlaces lists where a ship of a length can be: to the right of each cell, then downwards.
func naivePlaces(decks int, allowed func(spot) bool) [][]spot {
	var places [][]spot
	for _, d := range []spot{{1, 0}, {0, 1}} {
		if decks == 1 && d.y == 1 {
			continue // would be the same place again
		}
		for _, s := range allSpots() {
			var ship []spot
			for k := range decks {
				ship = append(ship, spot{s.x + k*d.x, s.y + k*d.y})
			}
			if !slices.ContainsFunc(ship, func(s spot) bool { return !onBoard(s) || !allowed(s) }) {
				places = append(places, ship)
			}
		}
	}
	return places
}

func touches(a, b spot) bool {
	return a.x-b.x <= 1 && b.x-a.x <= 1 && a.y-b.y <= 1 && b.y-a.y <= 1
}

// naiveLengths returns the decks of the ships.
func naiveLengths(r Rules) []int {
	if r == Classic {
		return []int{5, 4, 3, 3, 2}
	}
	return []int{4, 3, 3, 2, 2, 2, 1, 1, 1, 1}
}

// naiveEverywhere holds the places on an empty board, by decks.
var naiveEverywhere = func() (places [6][][]spot) {
	for decks := range places {
		places[decks] = naivePlaces(decks, func(spot) bool { return true })
	}
	return places
}()

func naiveFleet(r Rules, p Placement, c *chance) []*naiveShip {
again:
	region := naiveRegion(p, c)
	var fleet []*naiveShip
	for _, decks := range naiveLengths(r) {
		free := func(s spot) bool {
			for _, ship := range fleet {
				if slices.ContainsFunc(ship.spots, func(t spot) bool { return s == t || r == Post && touches(s, t) }) {
					return false
				}
			}
			return true
		}
		if p == Uniform {
			ship := naiveEverywhere[decks][c.below(len(naiveEverywhere[decks]))]
			if slices.ContainsFunc(ship, func(s spot) bool { return !free(s) }) {
				goto again
			}
			fleet = append(fleet, &naiveShip{ship, map[spot]bool{}})
			continue
		}
		places := naivePlaces(decks, func(s spot) bool {
			return free(s) && (p == Anywhere || slices.Contains(region, s) == (decks == 1))
		})
		if len(places) == 0 {
			goto again
		}
		fleet = append(fleet, &naiveShip{places[c.below(len(places))], map[spot]bool{}})
	}
	return fleet
}

// naivePlayer is a player who shoots.
type naivePlayer struct {
	rules       Rules
	strategy    Strategy
	known       map[spot]bool // cells shot at, or around a sunk ship
	pool        []spot
	first       []spot // the first hit since a ship was sunk
	line        []spot // all hits on ships afloat
	afloat      []int  // the decks of the ships not sunk
	shots, hits int
}

func newNaivePlayer(r Rules, s Strategy) *naivePlayer {
	return &naivePlayer{rules: r, strategy: s, known: map[spot]bool{}, afloat: naiveLengths(r)}
}

func (p *naivePlayer) unknown(list []spot) []spot {
	return filter(list, func(s spot) bool { return onBoard(s) && !p.known[s] })
}

func around(s spot) []spot {
	return []spot{{s.x - 1, s.y}, {s.x + 1, s.y}, {s.x, s.y - 1}, {s.x, s.y + 1}}
}

func (p *naivePlayer) aim(c *chance) spot {
	random := func(list []spot) spot { return list[c.below(len(list))] }
	var ways map[spot]int
	if p.strategy.Targeting == Proper || p.strategy.Targeting == Density {
		ways = p.waysToCover()
	}
	switch p.strategy.Targeting {
	case AsCoded:
		for len(p.pool) > 0 {
			s := p.pool[0]
			p.pool = p.pool[1:]
			if !p.known[s] {
				return s
			}
		}
	case AsDescribed:
		if len(p.line) > 0 {
			return p.unknown(p.ends())[0]
		}
	case Proper:
		if len(p.line) > 0 {
			return random(filter(p.unknown(allSpots()), func(s spot) bool {
				return slices.Contains(p.ends(), s) && ways[s] > 0
			}))
		}
	case Density:
		most := 0
		var best []spot
		for _, s := range p.unknown(allSpots()) {
			n := ways[s]
			if n > most {
				most, best = n, nil
			}
			if n == most {
				best = append(best, s)
			}
		}
		if listed := filter(best, p.listed); len(listed) > 0 {
			best = listed
		}
		return random(best)
	}
	open := p.unknown(allSpots())
	if p.strategy.Targeting == Proper {
		open = filter(open, func(s spot) bool { return ways[s] > 0 })
	}
	if listed := filter(open, p.listed); len(listed) > 0 {
		open = listed
	}
	return random(open)
}

// ends lists the cells around a single hit, or at both ends of several hits; if ships may touch, the cells around all
// hits.
func (p *naivePlayer) ends() []spot {
	if p.rules == Classic {
		var list []spot
		for _, s := range p.line {
			list = append(list, around(s)...)
		}
		return list
	}
	if len(p.line) == 1 {
		return around(p.line[0])
	}
	var list []spot
	for side := range 4 {
		for _, s := range p.line {
			next := around(s)[side]
			sameLine := next.x == p.line[0].x && next.x == p.line[1].x || next.y == p.line[0].y && next.y == p.line[1].y
			if sameLine && !slices.Contains(p.line, next) {
				list = append(list, next)
			}
		}
	}
	return list
}

// waysToCover counts for each cell the places of ships afloat that cover this cell and all hits on the wounded ship,
// and no other known cell. If ships may touch, it counts the places that cover the most hits, among all places that do
// not cover only hits.
func (p *naivePlayer) waysToCover() map[spot]int {
	ways := map[spot]int{}
	most := 0
	hits := func(ship []spot) int {
		return len(filter(ship, func(s spot) bool { return slices.Contains(p.line, s) }))
	}
	free := func(t spot) bool { return !p.known[t] || slices.Contains(p.line, t) }
	for _, decks := range p.afloat {
		for _, ship := range naivePlaces(decks, free) {
			if hits(ship) < decks {
				most = max(most, hits(ship))
			}
		}
	}
	for decks := 1; decks <= 5; decks++ {
		equal := len(p.afloat) - len(slices.DeleteFunc(slices.Clone(p.afloat), func(d int) bool { return d == decks }))
		for _, ship := range naivePlaces(decks, free) {
			if p.rules == Classic && (hits(ship) != most || most == decks) ||
				p.rules == Post && hits(ship) < len(p.line) {
				continue
			}
			for _, s := range ship {
				ways[s] += equal
			}
		}
	}
	return ways
}

// listed reports whether a cell is on the list of the moves.
func (p *naivePlayer) listed(s spot) bool {
	switch p.strategy.Moves {
	case Cross:
		return crossPicture[s.y][s.x] == 'x'
	case Linear:
		return (s.x+s.y)%4 == 3
	case Diagonal:
		switch slices.Max(p.afloat) {
		case 5, 4:
			return (s.x+s.y)%4 == 3
		case 3, 2:
			return (s.x+s.y)%2 == 1
		}
	}
	return true
}

var crossPicture = []string{
	"x...x....x",
	".x...x..x.",
	"..x.x..x..",
	"...x.xx...",
	"x.x...x.x.",
	".x.x...x.x",
	"...xx.x...",
	"..x..x.x..",
	".x..x...x.",
	"x....x...x",
}

func (p *naivePlayer) learn(s spot, fleet []*naiveShip) Outcome {
	p.shots++
	p.known[s] = true
	for _, ship := range fleet {
		if !slices.Contains(ship.spots, s) {
			continue
		}
		p.hits++
		ship.hit[s] = true
		if len(ship.hit) == len(ship.spots) {
			p.sink(ship)
			return Sunk
		}
		p.line = append(p.line, s)
		p.extendPool(s)
		return Hit
	}
	return Miss
}

func (p *naivePlayer) sink(ship *naiveShip) {
	p.pool, p.first = nil, nil
	// Density may sink a ship while another is hit.
	p.line = filter(p.line, func(s spot) bool { return !slices.Contains(ship.spots, s) })
	i := slices.Index(p.afloat, len(ship.spots))
	p.afloat = slices.Delete(p.afloat, i, i+1)
	if !p.strategy.Halo || p.rules == Classic {
		return
	}
	for _, s := range allSpots() {
		if slices.ContainsFunc(ship.spots, func(t spot) bool { return touches(s, t) }) {
			p.known[s] = true
		}
	}
}

// extendPool extends the pool as the post's program does: crd_s1 is a, crd_s2 is b.
func (p *naivePlayer) extendPool(s spot) {
	if len(p.first) == 0 {
		p.first = []spot{s}
	}
	if len(p.pool) == 0 {
		p.pool = p.unknown(around(s))
		return
	}
	a := []int{p.pool[0].x, p.pool[0].y}
	b := []int{p.first[0].x, p.first[0].y}
	for k := range 2 {
		var more []spot
		if a[k] > b[k] {
			more = []spot{{a[k] + 1, a[k] + 2}, {b[k] - 1, b[k] - 2}}
		}
		if a[k] < b[k] {
			more = []spot{{a[k] - 1, a[k] - 2}, {b[k] + 1, b[k] + 2}}
		}
		p.pool = append(p.pool, p.unknown(more)...)
	}
}

// naiveGame plays a game of a tournament. Each player's moves are drawn from a list.
func naiveGame(placements [2]Placement, moves []Moves, targeting Targeting, halo bool, c *chance) (shots []Shot,
	players [2]*naivePlayer, winner int,
) {
	fleets := [2][]*naiveShip{naiveFleet(Post, placements[0], c), naiveFleet(Post, placements[1], c)}
	for i := range players {
		players[i] = newNaivePlayer(Post, Strategy{moves[c.below(len(moves))], targeting, halo})
	}
	turn := c.below(2)
	for {
		s := players[turn].aim(c)
		outcome := players[turn].learn(s, fleets[1-turn])
		shots = append(shots, Shot{turn, Cell(10*s.y + s.x), outcome})
		if players[turn].hits == 20 {
			return shots, players, turn
		}
		if outcome == Miss {
			turn = 1 - turn
		}
	}
}
