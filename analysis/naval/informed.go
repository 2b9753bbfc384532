package naval

type hyp struct{ small, large Cells; prior float64 }

var hyps = func() []hyp {
	var h []hyp
	for _, p := range Placements {
		if p == Random12 { h = append(h, hyp{board, board, 1}); continue }
		h = append(h, hyp{p.Region(), board.andNot(p.Region()), 1})
	}
	return h
}()

func (h *hyp) open(decks int) Cells { if decks == 1 { return h.small }; return h.large }

func nberths(free Cells, decks int) float64 { a, b := berths(free, decks); return float64(a.Count()+b.Count()) }

var lambda float64
var normalise = true

// likeliest
func (g *gunner) likeliest(c *chance) Cell {
	var score [boardCells]float64
	var zonesOf Cells
	for _, s := range g.sunk[:g.nSunk] { zonesOf = zonesOf.or(s.Zone()) }
	for i := range hyps {
		h := &hyps[i]
		w := h.prior
		// sunk ships in order of placing
		closed := Cells{}
		for d := longest; d >= 1 && w > 0; d-- {
			for _, s := range g.sunk[:g.nSunk] {
				if int(s.Decks) != d { continue }
				if !s.Cells().andNot(h.open(d)).empty() { w = 0; break }
				w /= nberths(h.open(d).andNot(closed), d)
				closed = closed.or(s.Zone())
			}
		}
		if w == 0 { continue }
		var per [5]float64
		woundedWays := 0.0
		free := g.unknown.or(g.wounded)
		var fl, up [5]Cells
		for d := 1; d <= longest; d++ {
			n := g.afloat[d]
			if n == 0 { continue }
			base := nberths(h.open(d).andNot(closed), d)
			fl[d], up[d] = berths(free.and(h.open(d)), d)
			now := float64(fl[d].Count()+up[d].Count())
			if !g.wounded.empty() { 
				// ships avoiding the wounded
				now = nberths(g.unknown.and(h.open(d)), d)
				fl[d], up[d] = g.possible(d, h.open(d))
				woundedWays += float64(n)*float64(fl[d].Count()+up[d].Count())/base
			}
			for range n { w *= now/base }
			if g.wounded.empty() {
			if now == 0 { w = 0; break }
			per[d] = float64(n)/now } else { 
			if now == 0 { w*=1e-3; }
			per[d] = float64(n)/base }
		}
		if !g.wounded.empty() { /* w * ways */ }
		if w == 0 { continue }
		for d := 1; d <= longest; d++ {
			if g.afloat[d]==0 {continue}
			v := w*per[d]
			for a := range fl[d].All() { for k:=0;k<d;k++ { score[int(a)+k]+=v } }
			for a := range up[d].All() { for k:=0;k<d;k++ { score[int(a)+k*10]+=v } }
		}
	}
	best := -1.0; var bs Cells
	for x := range g.unknown.All() {
		if score[x] > best*(1+1e-9) { best=score[x]; bs=single(x) } else if score[x] > best*(1-1e-9) { bs=bs.or(single(x)) }
	}
	return c.pick(bs)
}
