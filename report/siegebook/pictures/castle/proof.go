package castle

import (
	"fmt"
	"math"

	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
)

// Proof returns the film of two hunts as points in a plane. In each wave, the view zooms in by the factor by which a
// hunt on the golden line shrinks. So the line stays the same, and the gap between each hunt and the line grows.
func Proof() pictures.Picture {
	return pictures.Film{
		Name: "castle-proof", Step: "step", Still: 4, Of: proof,
		Fields: []pictures.Field{duelArmy("soldiers of the larger army")},
	}.Picture()
}

// firstHunted is the wave in which the castle of the duel falls.
const firstHunted = 2

// proofWindow is the number of soldiers up to which the first window extends, as a multiple of the army.
const proofWindow = math.Phi

// chased is a hunt of the film, with a point for each wave.
type chased struct {
	n     int64
	waves []HuntWave
}

func chasedOf(n int64) chased { return chased{n, Hunt(n, duelHits+duelDefenders-2*n)} }

// won reports whether the soldiers win the hunt.
func (c chased) won() bool { return c.waves[len(c.waves)-1].Left <= 0 }

// steps returns the number of states of the hunt. A lost hunt has an additional state, without soldiers.
func (c chased) steps() int {
	if c.won() {
		return len(c.waves)
	}
	return len(c.waves) + 1
}

// point returns the point of the hunt in a state: the number of soldiers who shoot, and the number of defenders left.
func (c chased) point(step int) figure.Point {
	if step < len(c.waves) {
		w := c.waves[step]
		return figure.Point{X: float64(w.Soldiers), Y: float64(max(w.Left, 0))}
	}
	end := c.waves[len(c.waves)-1]
	if c.won() {
		return c.point(len(c.waves) - 1)
	}
	return figure.Point{Y: float64(end.Left)}
}

// gap returns N - φx.
func (c chased) gap(step int) float64 {
	p := c.point(step)
	return p.X - math.Phi*p.Y
}

// track returns the points of the hunt up to a state.
func (c chased) track(step int) figure.Track {
	t := figure.Track{Label: pictures.People(c.n), Role: figure.Theirs}
	if c.won() {
		t.Role = figure.Ours
	}
	for i := range min(step+1, c.steps()) {
		t.Points = append(t.Points, c.point(i))
	}
	if step >= c.steps()-1 {
		t.Label += map[bool]string{true: ": no defender is left", false: ": no soldier is left"}[c.won()]
	}
	return t
}

func proof(v pictures.Values) (*pictures.Reel, error) {
	n := v.Int("n")
	hunts := []chased{chasedOf(n), chasedOf(n - 1)}
	steps := max(hunts[0].steps(), hunts[1].steps())
	reel := &pictures.Reel{Title: "The gap to the golden line, wave by wave", Head: "wave"}
	for _, h := range hunts {
		rows := []pictures.FilmRow{
			{Name: pictures.Text("%v: N", h.n), Role: figure.Plain},
			{Name: pictures.Text("%v: x", h.n)},
			{Name: pictures.Text("%v: gap", h.n), Role: figure.Difference},
		}
		for step := range steps {
			cells := []string{"", "", ""}
			if step < h.steps() {
				p := h.point(step)
				cells = []string{
					pictures.People(int64(p.X)), pictures.People(int64(p.Y)), signed(h.gap(step)),
				}
			}
			if step == h.steps()-1 {
				cells[2] = map[bool]string{true: "won", false: "lost"}[h.won()]
			}
			for i := range rows {
				rows[i].Cells = append(rows[i].Cells, cells[i])
			}
		}
		reel.Rows = append(reel.Rows, rows...)
	}
	across, closer := proofWindow*float64(n), false
	var before [2]*figure.Closeup
	for step := range steps {
		next := across / (math.Phi * math.Phi)
		if closer = step > 0 && next > highest(hunts, step); closer {
			across = next
		}
		var forms [2]figure.Closeup
		for i := range forms {
			c := closeup(hunts, step, across, i == 1)
			c.Before = before[i]
			forms[i] = c
			c.Before = nil
			before[i] = &c
		}
		seconds := 1.6
		if step == 0 {
			seconds = 1.2
		}
		reel.Frames = append(reel.Frames, pictures.Frame{
			Head: fmt.Sprint(step + firstHunted), Say: proofWords(hunts, step, steps-1, closer), Seconds: seconds + 0.6,
			Drawing: func(narrow bool) pictures.MovingDrawing {
				if narrow {
					return forms[1]
				}
				return forms[0]
			},
		})
	}
	reel.Buttons = armyButtons(n)
	return reel, nil
}

// highest returns the largest number of soldiers that the window must show in a state.
func highest(hunts []chased, step int) (most float64) {
	for _, h := range hunts {
		p := h.point(step)
		most = max(most, p.X, p.Y*1.5)
	}
	return most
}

func closeup(hunts []chased, step int, across float64, narrow bool) figure.Closeup {
	c := figure.Closeup{
		Title: pictures.Text("Two hunts and the golden line, wave %v", step+firstHunted), X: "N soldiers shoot",
		Y: "x defenders are left", Across: across, Slope: 1 / math.Phi, LineLabel: "golden line",
		Below: figure.Region{Label: "soldiers win", Role: figure.Ours},
		Above: figure.Region{Label: "castle wins", Role: figure.Theirs}, Unit: "one soldier",
		Narrow: narrow, Seconds: 1.6,
	}
	for _, h := range hunts {
		c.Tracks = append(c.Tracks, h.track(step))
	}
	return c
}

// signed formats a number with its sign and one decimal.
func signed(x float64) string {
	if x < 0 {
		return fmt.Sprintf("−%.1f", -x)
	}
	return fmt.Sprintf("+%.1f", x)
}

// proofWords returns the caption of a step of the proof.
func proofWords(hunts []chased, step, last int, closer bool) string {
	a, b := hunts[0], hunts[1]
	switch {
	case step == 0:
		return pictures.Text("Wave 2: %v soldiers leave %v defenders, %v leave %v. Can you see a gap between them and "+
			"the line? There is one.", a.n, a.waves[0].Left, b.n, b.waves[0].Left)
	case step == last:
		return proofEnd(a) + " " + proofEnd(b)
	case step >= a.steps()-1 || step >= b.steps()-1:
		return pictures.Text("Wave %v: one side has run out.", step+firstHunted)
	}
	seen := ""
	if closer {
		seen = ", magnified 2.618 times: the line stays the same"
	}
	return pictures.Text("Wave %v%v. The gaps, now %v and %v, are 2.618 times as large.", step+firstHunted, seen,
		signed(a.gap(step)), signed(b.gap(step)))
}

// proofEnd returns the end of a hunt in words.
func proofEnd(c chased) string {
	if c.won() {
		return pictures.Text("%v: the gap was positive, and the defenders ran out.", c.n)
	}
	return pictures.Text("%v: the gap was negative, and the soldiers ran out.", c.n)
}
