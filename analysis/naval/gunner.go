package naval

// gunner is what a player knows of the other's fleet. It must be made ready by begin.
type gunner struct {
	strategy Strategy
	unknown  Cells             // neither shot at nor known to be empty
	wounded  Cells             // hits on ships afloat
	afloat   [longest + 1]int8 // ships not sunk, by decks
	sunk     [ships]Ship       // sunk[:nSunk]
	nSunk    int8
	pool     pool               // of AsCoded
	suspects [ofThePost]float64 // of Informed: how likely each placement is
	shots    int32
	score    int32 // shots that hit
}

// begin prepares for a new game.
func (g *gunner) begin(s Strategy) {
	g.strategy = s
	g.unknown, g.wounded = board, Cells{}
	g.afloat, g.nSunk = numberOf, 0
	g.pool.drain()
	if s.Targeting == Informed {
		g.suspectAll()
	}
	g.shots, g.score = 0, 0
}

func (g *gunner) shipsAfloat() int8 { return ships - g.nSunk }

// won reports whether all ships are sunk.
func (g *gunner) won() bool { return g.nSunk == ships }

// aim chooses the next cell, one of the unknown.
func (g *gunner) aim(c *chance) Cell { return targetings[g.strategy.Targeting].aim(g, c) }

func (g *gunner) aimAsCoded(c *chance) Cell {
	if at, ok := g.pool.next(g.unknown); ok {
		return at
	}
	return g.hunt(c)
}

func (g *gunner) aimAsDescribed(c *chance) Cell {
	if !g.wounded.empty() {
		return g.nextOnLine()
	}
	return g.hunt(c)
}

func (g *gunner) aimProperly(c *chance) Cell {
	if !g.wounded.empty() {
		return c.pick(g.extensions())
	}
	return g.hunt(c)
}

// learn takes in what a shot has done.
func (g *gunner) learn(at Cell, outcome Outcome, ship Ship) {
	g.shots++
	g.unknown = g.unknown.andNot(single(at))
	switch outcome {
	case Hit:
		g.score++
		g.wounded = g.wounded.or(single(at))
		if g.strategy.Targeting == AsCoded {
			g.pool.hit(at, g.unknown)
		}
	case Sunk:
		g.score++
		g.wounded = g.wounded.andNot(ship.Cells())
		if g.strategy.Halo {
			g.unknown = g.unknown.andNot(ship.Zone())
		}
		g.sunk[g.nSunk] = ship
		g.nSunk++
		g.afloat[ship.Decks]--
		g.pool.drain()
	}
}
