package figure

// skyline is what neighbouring bars look like from afar: an area with their tops as its edge. Bars of a few pixels are
// drawn so, because gaps and patterns of single bars would flicker.

// narrowBar is the width in pixels below which bars are joined.
const narrowBar = 6.0

// skylines joins bars that touch, which come from left to right and end at a common base.
func skylines(bars []box) [][]box {
	var runs [][]box
	for i, b := range bars {
		if i == 0 || b.x0 > bars[i-1].x1+1e-6 {
			runs = append(runs, nil)
		}
		last := len(runs) - 1
		runs[last] = append(runs[last], b)
	}
	return runs
}

// corners goes around a run of bars that touch, whose other ends are at the base.
func skylineCorners(run []box, base float64) []pos {
	last := run[len(run)-1]
	at := []pos{{last.x1, base}, {run[0].x0, base}}
	for _, b := range run {
		top := b.y0
		if b.y1 > base+1e-6 { // it hangs down
			top = b.y1
		}
		at = append(at, pos{b.x0, top}, pos{b.x1, top})
	}
	return at
}

// skylineBox is the smallest box around a run.
func skylineBox(run []box) box {
	all := run[0]
	for _, b := range run {
		all = box{min(all.x0, b.x0), min(all.y0, b.y0), max(all.x1, b.x1), max(all.y1, b.y1)}
	}
	return all
}

// coverSkyline fills bars that touch, with one pattern for all of them.
func (s *stage) coverSkyline(bars []box, base float64, f fill) {
	for _, run := range skylines(bars) {
		s.fill(f.ground[s.theme], skylineCorners(run, base)...)
		s.hatch(f, hatch(f.pattern, skylineBox(run), func(p pos) bool {
			for _, b := range run {
				if p[0] >= b.x0 && p[0] <= b.x1 {
					return p[1] >= b.y0 && p[1] <= b.y1
				}
			}
			return false
		}))
	}
}
