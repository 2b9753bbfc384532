package naval

// pool is the list of targets of the published program, see [AsCoded].
type pool struct {
	cells      [poolSize]Cell // the targets are cells[head:tail]
	head, tail int8
	first      Cell // the first hit since a ship was sunk
	anyHit     bool
}

// poolSize is enough: a fleet takes at most ten hits that sink nothing, and each adds at most four cells.
const poolSize = 40

func (p *pool) drain() { p.head, p.tail, p.anyHit = 0, 0, false }

// next takes targets out until one is unknown.
func (p *pool) next(unknown Cells) (at Cell, ok bool) {
	for p.head < p.tail {
		at = p.cells[p.head]
		p.head++
		if unknown.has(at) {
			return at, true
		}
	}
	return 0, false
}

// hit adds the targets that follow from a hit that sank nothing.
func (p *pool) hit(at Cell, unknown Cells) {
	if !p.anyHit {
		p.first, p.anyHit = at, true
	}
	if p.head == p.tail {
		x, y := at.X(), at.Y()
		p.add(x-1, y, unknown)
		p.add(x+1, y, unknown)
		p.add(x, y-1, unknown)
		p.add(x, y+1, unknown)
		return
	}
	a, b := p.cells[p.head], p.first
	p.slip(a.X(), b.X(), unknown)
	p.slip(a.Y(), b.Y(), unknown)
}

// slip adds what the program takes for the two cells at either end of a line.
func (p *pool) slip(a, b int, unknown Cells) {
	switch {
	case a > b:
		p.add(a+1, a+2, unknown)
		p.add(b-1, b-2, unknown)
	case a < b:
		p.add(a-1, a-2, unknown)
		p.add(b+1, b+2, unknown)
	}
}

// add puts a cell in, unless it is off the board or known.
func (p *pool) add(x, y int, unknown Cells) {
	if uint(x) < Side && uint(y) < Side && unknown.has(At(x, y)) {
		p.cells[p.tail] = At(x, y)
		p.tail++
	}
}
