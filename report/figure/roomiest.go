package figure

import "math"

// occupancy marks the cells under lines and labels, which a label of an area keeps clear of.
type occupancy struct {
	g    *gridMap
	data box
	busy []bool
}

func (g *gridMap) occupancy(data box, p *placer) *occupancy {
	o := &occupancy{g: g, data: data, busy: make([]bool, len(g.cells))}
	for _, q := range p.lines {
		o.take(boxAt(q.at, 8, 8))
	}
	for _, b := range p.taken {
		o.take(b)
	}
	return o
}

// take marks the cells that a box touches.
func (o *occupancy) take(b box) {
	cw, ch := o.data.w()/float64(o.g.w), o.data.h()/float64(o.g.h)
	c0, c1 := max(0, int((b.x0-o.data.x0)/cw)), min(o.g.w-1, int((b.x1-o.data.x0)/cw))
	r0, r1 := max(0, int((o.data.y1-b.y1)/ch)), min(o.g.h-1, int((o.data.y1-b.y0)/ch))
	for r := r0; r <= r1; r++ {
		for c := c0; c <= c1; c++ {
			o.busy[r*o.g.w+c] = true
		}
	}
}

// roomiest finds the middle of the largest box with the proportions of a w by h pixel label that lies wholly in one
// area and is not occupied, and takes the label's place in it. It reports whether the label fits at all.
func (o *occupancy) roomiest(area uint8, w, h float64) (middle pos, ok bool) {
	g, b := o.g, o.data
	cw, ch := b.w()/float64(g.w), b.h()/float64(g.h)
	sums := o.sums(area)
	try := func(factor float64) (at pos, ok bool) {
		kw, kh := int(math.Ceil(w*factor/cw)), int(math.Ceil(h*factor/ch))
		col, row, ok := g.fullBox(sums, kw, kh)
		return pos{b.x0 + (float64(col)+float64(kw)/2)*cw, b.y1 - (float64(row)+float64(kh)/2)*ch}, ok
	}
	if middle, ok = try(1); !ok {
		return middle, false
	}
	lo, hi := 1.0, max(b.w()/w, b.h()/h)
	for range 8 { // bisect the size
		mid := (lo + hi) / 2
		if at, ok := try(mid); ok {
			lo, middle = mid, at
		} else {
			hi = mid
		}
	}
	o.take(boxAt(middle, w, h))
	return middle, true
}

// sums are the two-dimensional prefix sums of the cells that are in the area and free: (w+1)*(h+1) of them.
func (o *occupancy) sums(area uint8) []int32 {
	g := o.g
	stride := g.w + 1
	out := make([]int32, stride*(g.h+1))
	for row := range g.h {
		run := int32(0)
		for col := range g.w {
			if g.index[row*g.w+col] == area && !o.busy[row*g.w+col] {
				run++
			}
			out[(row+1)*stride+col+1] = out[row*stride+col+1] + run
		}
	}
	return out
}

// fullBox finds a box of kw by kh cells that are all counted.
func (g *gridMap) fullBox(sums []int32, kw, kh int) (col, row int, ok bool) {
	stride := g.w + 1
	for row := 0; row+kh <= g.h; row++ {
		for col := 0; col+kw <= g.w; col++ {
			n := sums[(row+kh)*stride+col+kw] - sums[row*stride+col+kw] - sums[(row+kh)*stride+col] + sums[row*stride+col]
			if int(n) == kw*kh {
				return col, row, true
			}
		}
	}
	return 0, 0, false
}
