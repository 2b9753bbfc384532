package figure

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/report/content"
)

// Crowds shows numbers as discs of dots on a common scale, with one dot per thing. The dots are arranged like the seeds
// of a sunflower. So a smaller number looks like the inside of a larger one, and readers can compare areas by eye.
// [Crowds.Moving] shows how the numbers changed from the earlier ones.
type Crowds struct {
	// Title says what the figure shows; required.
	Title string `rule:"name"`
	// Sides has 1 or 2 sides, from left to right. The second side is mirrored, and has the same number of discs as the
	// first.
	Sides []Side `rule:"1-2 sides"`
	// Closer is the zoom factor of the view, relative to the start; 0 means 1.
	Closer float64
	// Narrow selects the form for a phone, with the discs of a side one above the other.
	Narrow bool
	// Before contains the earlier numbers, in the same form; nil if nothing moves.
	Before *Crowds
	// Parts names the parts of the step from the earlier numbers; at most 4. All parts take the same time.
	Parts []string `rule:"0-4 parts"`
	// Seconds is the duration of the step.
	Seconds float64
}

// Side is one of the things that the figure compares.
type Side struct {
	// Name names the side; required.
	Name string `rule:"name"`
	// Discs are its discs, beginning at the outer edge of the figure; 1 to 3 of them.
	Discs []Disc `rule:"1-3 discs"`
	// Volleys are shots from one disc to another.
	Volleys []Volley
}

// Volley is a number of shots in one part of the step, from one disc of a side at another.
type Volley struct{ From, At, Part int }

// Disc is a disc of dots.
type Disc struct {
	// Places is the greatest number of dots that the disc has at any time; at least 1. It determines the room for the
	// disc.
	Places uint64
	// Crowds are the crowds of the disc, beginning at the centre; 1 to 3 crowds.
	Crowds []Crowd `rule:"1-3 crowds"`
	// Radius is a text for the radius of the disc. If it is not empty, the radius and the text are drawn.
	Radius string
}

// Crowd is a number of equal things.
type Crowd struct {
	// Label names the crowd with its number: "5000 trees"; may be empty.
	Label string
	// Role determines the colour and the form of the dots.
	Role Role
	// Count is the number of things. Missing is the number of empty rings after the things; MissingLabel names them.
	Count, Missing uint64
	MissingLabel   string
	// Room is the minimum number of places that are kept for the crowd.
	Room uint64
	// Lost is the part of the step in which things disappear. Come is the part in which other things appear. Parts are
	// numbered from 0.
	Lost, Come int
}

// Role is a part in a figure's story. It determines colour and form, so that no meaning depends on colour alone.
type Role int

// These are the roles.
const (
	Plain      Role = iota // discs in the colour of texts
	Ours                   // discs in blue
	Theirs                 // diamonds in orange
	Material               // squares in grey
	Difference             // rings in gold
	roleEnd
)

// roles contains the colours of dots and texts.
var roles = [roleEnd]struct{ dot, text themed }{
	Plain:      {both(0x5f594f, 0xa5a097), both(0x5f594f, 0xa5a097)},
	Ours:       {both(0x1f5fae, 0x7db3f7), both(0x1f5fae, 0x7db3f7)},
	Theirs:     {both(0xb2410c, 0xf48d5d), both(0xb2410c, 0xf48d5d)},
	Material:   {both(0x857b6b, 0x8d877c), both(0x5f594f, 0xa5a097)},
	Difference: {both(0xc08a12, 0xe0b044), both(0x8a5d00, 0xecc15c)},
}

const (
	// CrowdsWidth is the width of the figure. crowdsNarrow is the width of its narrow form.
	CrowdsWidth  = 720
	crowdsNarrow = 360

	crowdGap    = 14.0
	crowdLabels = 2       // lines of text above a disc
	mostDots    = 60_000  // the maximum for a figure
	volleyShots = 16      // the number of shots that are drawn
	goldenAngle = 2.39996 // the angle between successive seeds of a sunflower, in radians
	thickest    = 0.62    // the diameter of a dot, divided by the distance between dots
)

// places returns how many places the crowd takes.
func (k Crowd) places() uint64 { return max(k.Count+k.Missing, k.Room) }

// places returns how many places a disc takes.
func (d Disc) places() (all uint64) {
	for _, k := range d.Crowds {
		all += k.places()
	}
	return all
}

// Figure draws the crowds. It fails if a field breaks its rule above.
func (c Crowds) Figure() (content.Figure, error) { return drawn(c, c) }

func (c Crowds) figure() content.Figure {
	l := c.layout()
	f := finish(c.described(), l.width, l.height, func(s *stage) { l.paint(s, false) })
	f.Box = content.Box{Right: l.width, Bottom: l.height}
	return f
}

// Moving draws, in one theme, how the numbers changed. It ends as the figure.
func (c Crowds) Moving(onDark bool) ([]byte, error) {
	return moving(c, c, onDark, func() (content.Figure, float64, float64, func(*stage)) {
		l := c.layout()
		return c.described(), l.width, l.height, func(s *stage) { l.paint(s, c.Before != nil) }
	})
}

func (c Crowds) check(k *checker) {
	dots := uint64(0)
	for i, side := range c.Sides {
		name := fmt.Sprintf("Sides[%d]", i)
		k.require(len(side.Discs) == len(c.Sides[0].Discs), "%s has %d discs, but Sides[0] has %d; give each side the "+
			"same number", name, len(side.Discs), len(c.Sides[0].Discs))
		for j, d := range side.Discs {
			k.require(d.Places > 0, "%s.Discs[%d].Places is 0; give the maximum number of dots that it ever "+
				"has", name, j)
			for at, crowd := range d.Crowds {
				k.require(crowd.Role >= Plain && crowd.Role < roleEnd, "%s.Discs[%d].Crowds[%d].Role is %d; use one "+
					"of the named roles", name, j, at, crowd.Role)
				dots = min(dots+min(crowd.places(), mostDots+1), mostDots+1)
			}
		}
		for _, v := range side.Volleys {
			k.require(min(v.From, v.At) >= 0 && max(v.From, v.At) < len(side.Discs), "%s has shots from disc %d at "+
				"disc %d; use the numbers of two of its %d discs", name, v.From, v.At, len(side.Discs))
		}
	}
	k.require(dots <= mostDots, "the discs have more than %d dots; let a dot represent more than one", mostDots)
	k.require(c.Closer == 0 || c.Closer >= 1, "Closer is %v; give 1 or more", c.Closer)
	if c.Before != nil {
		k.require(c.Seconds > 0, "Seconds is %v; give the length of the step", c.Seconds)
		same := len(c.Before.Sides) == len(c.Sides)
		for i := 0; same && i < len(c.Sides); i++ {
			same = len(c.Before.Sides[i].Discs) == len(c.Sides[i].Discs)
			for j := 0; same && j < len(c.Sides[i].Discs); j++ {
				same = len(c.Before.Sides[i].Discs[j].Crowds) == len(c.Sides[i].Discs[j].Crowds)
			}
		}
		k.require(same, "Before has different sides, discs or crowds; give it the same ones with the earlier numbers")
	}
}

// described returns the figure without its drawing.
func (c Crowds) described() content.Figure {
	f := content.Figure{Title: c.Title, Data: content.Records{Header: []string{"side", "what", "number"}}, Sized: true}
	var all []string
	for _, side := range c.Sides {
		var parts []string
		for _, d := range side.Discs {
			for _, k := range d.Crowds {
				if k.Label != "" {
					parts = append(parts, k.Label)
					f.Data.Add(side.Name, k.Label, k.Count)
				}
				if k.Missing > 0 && k.MissingLabel != "" {
					parts = append(parts, k.MissingLabel)
					f.Data.Add(side.Name, k.MissingLabel, k.Missing)
				}
			}
		}
		all = append(all, side.Name+": "+strings.Join(parts, ", ")+".")
	}
	f.Alt = strings.Join(all, " ")
	return f
}

// crowdsLayout contains the positions of the discs.
type crowdsLayout struct {
	Crowds
	width, height float64
	unit          float64    // the distance between dots at the start
	middles       [][]pos    // by side and disc
	foot          float64    // the top of the texts below the discs
	parts         [][]string // the names of the parts in lines
}

// layout gives each disc the room that it needs at any time.
func (c Crowds) layout() *crowdsLayout {
	l := &crowdsLayout{Crowds: c, width: CrowdsWidth}
	if c.Narrow {
		l.width = crowdsNarrow
	}
	side := l.width / float64(len(c.Sides))
	all, widest := 0.0, 0.0
	for _, d := range c.Sides[0].Discs {
		r := math.Sqrt(float64(d.Places))
		all, widest = all+2*r, max(widest, 2*r)
	}
	discs := float64(len(c.Sides[0].Discs))
	l.unit = min((side-(discs+1)*crowdGap)/all, 260/widest)
	if c.Narrow {
		l.unit = min((side-crowdGap)/widest, 250/all)
	}
	head := crowdLabels*lineHeight + 6
	for i, s := range c.Sides {
		var at []pos
		x, y := side*float64(i)+(side-l.unit*all-(discs-1)*crowdGap)/2, outerGap
		for _, d := range s.Discs {
			r := l.unit * math.Sqrt(float64(d.Places))
			if c.Narrow {
				at = append(at, pos{side * (float64(i) + 0.5), y + head + r})
				y += head + 2*r
				continue
			}
			place := x + r
			if i == 1 {
				place = side*3 - x - r
			}
			at = append(at, pos{place, outerGap + head + l.unit*widest/2})
			x += 2*r + crowdGap
		}
		l.middles = append(l.middles, at)
		l.foot = y + 4
	}
	if !c.Narrow {
		l.foot = outerGap + head + l.unit*widest + 4
	}
	l.height = l.foot + 4
	if len(c.Parts) > 0 {
		room := l.width - crowdGap
		if !c.Narrow {
			room = l.width/float64(len(c.Parts)) - crowdGap
		}
		lines := 0
		for _, words := range c.Parts {
			l.parts = append(l.parts, wrap(words, room))
			lines = max(lines, len(l.parts[len(l.parts)-1]))
		}
		l.height = l.foot + lineHeight*float64(lines) + 12
	}
	return l
}

// slack is the factor by which a disc may grow before the view zooms in.
const slack = 1.25

// ComeCloser zooms in by a factor in each step of a film from step after on, as long as all discs fit. It also gives
// each disc as many places as the disc ever needs, and sets Before of each state but the first.
func ComeCloser(film []Crowds, by float64, after int) {
	if len(film) == 0 {
		return
	}
	room := make([]uint64, 3)
	each := func(c *Crowds, do func(disc int, d *Disc)) {
		for i := range c.Sides {
			for j := range c.Sides[i].Discs[:min(3, len(c.Sides[i].Discs))] {
				do(j, &c.Sides[i].Discs[j])
			}
		}
	}
	for i := range film {
		each(&film[i], func(j int, d *Disc) { room[j] = max(room[j], d.places(), 1) })
	}
	seen, closer := slices.Clone(room), 1.0
	for i := range film {
		if i > after {
			fits, next := true, closer*by
			each(&film[i], func(j int, d *Disc) {
				fits = fits && next*next*float64(d.places()) <= slack*float64(room[j])
			})
			if fits {
				closer = next
			}
		}
		film[i].Closer = closer
		each(&film[i], func(j int, d *Disc) {
			seen[j] = max(seen[j], uint64(math.Ceil(closer*closer*float64(d.places()))))
		})
	}
	for i := range film {
		each(&film[i], func(j int, d *Disc) { d.Places = seen[j] })
		if i > 0 {
			before := film[i-1]
			before.Before = nil
			film[i].Before = &before
		}
	}
}

func (c Crowds) closer() float64 { return max(c.Closer, 1) }

// seedAt returns the position of a dot relative to the middle of its disc; unit is the distance between dots.
func seedAt(i uint64, unit float64) pos {
	sin, cos := math.Sincos(float64(i) * goldenAngle)
	r := unit * math.Sqrt(float64(i)+0.5)
	return pos{r * cos, r * sin}
}

// paint draws the crowds, either at rest or in motion.
func (l *crowdsLayout) paint(s *stage, moves bool) {
	if len(l.Sides) == 2 {
		x := l.width / 2
		s.line(solidLine(s.grid, 1), pos{x, outerGap}, pos{x, l.foot - 4})
	}
	for i, side := range l.Sides {
		for j, d := range side.Discs {
			before := Disc{}
			if moves {
				before = l.Before.Sides[i].Discs[j]
			}
			l.disc(s, l.middles[i][j], d, before, moves)
			l.labels(s, l.middles[i][j], d, before, moves)
		}
		if moves {
			for _, v := range side.Volleys {
				l.volley(s, i, v)
			}
		}
	}
	l.feet(s, moves)
}

// span returns the times at which a part of the step begins and ends.
func (l *crowdsLayout) span(part int) (from, to float64) {
	parts := float64(max(len(l.Parts), 1))
	part = min(part, int(parts)-1)
	return l.Seconds * float64(part) / parts, l.Seconds * float64(part+1) / parts
}

// disc draws the dots of a disc. When the view zooms in, the dots grow from their earlier size.
func (l *crowdsLayout) disc(s *stage, hub pos, d, before Disc, moves bool) {
	unit := l.unit * l.closer()
	s.svg.flush()
	fmt.Fprintf(&s.svg.out, "<g transform=\"translate(%s%s)\">\n", decimal(hub[0]), spacedCents(hub[1]))
	if closer := l.closer(); moves && l.Before.closer() != closer {
		from, to := l.span(len(l.Parts) - 1)
		s.grows(l.Before.closer()/closer, from, to)
	} else {
		s.svg.out.WriteString("<g>\n")
	}
	at, was := uint64(0), uint64(0)
	for i, k := range d.Crowds {
		if !moves {
			s.dots(k.Role, at, at+k.Count, unit)
		} else {
			b := before.Crowds[i]
			lostFrom, lostTo := l.span(k.Lost)
			comeFrom, comeTo := l.span(k.Come)
			first, last := max(at, was), min(at+k.Count, was+b.Count)
			if last <= first { // no dot stays in its place
				first, last = was, was
			}
			s.dots(k.Role, first, last, unit)
			for _, gone := range [][2]uint64{{was, first}, {last, was + b.Count}} {
				s.fades(lostFrom, lostTo, false, func() { s.dots(k.Role, gone[0], gone[1], unit) })
			}
			for _, came := range [][2]uint64{{at, min(first, at+k.Count)}, {max(last, at), at + k.Count}} {
				s.fades(comeFrom, comeTo, true, func() { s.dots(k.Role, came[0], came[1], unit) })
			}
			was += b.places()
			if k.Missing > 0 {
				rings := func() { s.dots(Difference, at+k.Count, at+k.Count+k.Missing, unit) }
				if b.Missing == k.Missing && b.Count == k.Count {
					rings()
				} else {
					s.fades(lostFrom, lostTo, true, rings)
				}
			}
			at += k.places()
			continue
		}
		s.dots(Difference, at+k.Count, at+k.Count+k.Missing, unit)
		at += k.places()
	}
	if d.Radius != "" {
		gold := roles[Difference]
		end := unit * math.Sqrt(float64(d.places()))
		s.line(solidLine(gold.dot[s.theme], 2.5), pos{0, 0}, pos{end, 0})
		halo := s.ground
		s.text(pos{end / 2, -8}, d.Radius, textStyle{
			colour: gold.text[s.theme], halo: &halo, anchor: middle, bold: true,
		})
	}
	s.svg.flush()
	s.svg.out.WriteString("</g>\n</g>\n")
}

// labels writes the labels of a disc above it.
func (l *crowdsLayout) labels(s *stage, hub pos, d, before Disc, moves bool) {
	type line struct {
		text string
		role Role
	}
	lines := func(d Disc, at int) (all []line) {
		k := d.Crowds[at]
		if k.Label != "" {
			all = append(all, line{k.Label, k.Role})
		}
		if k.Missing > 0 && k.MissingLabel != "" {
			all = append(all, line{k.MissingLabel, Difference})
		}
		return all
	}
	write := func(d Disc, only int) func() {
		var all []line
		from := 0
		for i := range d.Crowds {
			if i == only {
				from = len(all)
			}
			all = append(all, lines(d, i)...)
		}
		count := len(lines(d, only))
		top := hub[1] - l.unit*math.Sqrt(float64(d.Places)) - 6 - lineHeight*float64(len(all)-1)
		return func() {
			for i := from; i < from+count; i++ {
				s.text(pos{hub[0], top + lineHeight*float64(i)}, all[i].text, textStyle{
					colour: roles[all[i].role].text[s.theme], anchor: middle, shift: sit, bold: true,
				})
			}
		}
	}
	for i, k := range d.Crowds {
		if !moves {
			write(d, i)()
			continue
		}
		// A label changes as soon as all numbers in it have changed.
		_, when := l.span(k.Lost)
		if b := before.Crowds[i]; k.Count > b.Count {
			when, _ = l.span(k.Come)
		}
		when = max(when, 0.1) // an animation that ends before the film begins would never run
		s.fades(when-0.08, when, false, write(before, i))
		s.fades(when, when+0.08, true, write(d, i))
	}
}

// feet writes the zoom factor and the names of the step's parts, and highlights the current part.
func (l *crowdsLayout) feet(s *stage, moves bool) {
	if l.closer() > 1 {
		words := fmt.Sprintf("seen %.1f × closer", l.closer())
		halo := s.ground
		write := func() {
			style := textStyle{colour: s.muted, halo: &halo, anchor: middle, shift: sit}
			s.text(pos{l.width / 2, l.foot - 6}, words, style)
		}
		if from, to := l.span(len(l.Parts) - 1); moves {
			s.fades(from, to, true, write)
		} else {
			write()
		}
	}
	if len(l.Parts) == 0 {
		return
	}
	part := l.width / float64(len(l.Parts))
	s.line(solidLine(s.grid, 1), pos{0, l.foot}, pos{l.width, l.foot})
	for i, lines := range l.parts {
		at, half := part*(float64(i)+0.5), part/2-4
		if l.Narrow { // show one part at a time
			at, half = l.width/2, l.width/2
		}
		write := func(style textStyle) func() {
			return func() {
				for j, words := range lines {
					s.text(pos{at, l.foot + 8 + lineHeight*(float64(j)+0.5)}, words, style)
				}
			}
		}
		style := textStyle{colour: s.muted, anchor: middle, shift: centre}
		from, to := l.span(i)
		switch {
		case !moves && !l.Narrow:
			write(style)()
		case !l.Narrow:
			s.flashes(from, to, false, write(style))
		}
		if !moves {
			continue
		}
		style.colour, style.bold = s.ink, !l.Narrow
		s.flashes(from, to, true, func() {
			write(style)()
			s.line(solidLine(roles[Difference].dot[s.theme], 2), pos{at - half, l.foot}, pos{at + half, l.foot})
		})
	}
}

// volley animates shots from one disc at another.
func (l *crowdsLayout) volley(s *stage, side int, v Volley) {
	before := l.Before.Sides[side]
	from, to := before.Discs[v.From], before.Discs[v.At]
	shooters, targets := from.places(), to.places()
	if shooters == 0 || targets == 0 {
		return
	}
	begin, end := l.span(v.Part)
	unit := l.unit * l.Before.closer()
	seen := min(shooters, volleyShots)
	for i := range seen {
		a, b := seedAt(shooters*i/seen, unit), seedAt(targets-1-min(targets-1, targets*i/seen/2), unit)
		m, n := l.middles[side][v.From], l.middles[side][v.At]
		by := pos{m[0] + a[0] - n[0] - b[0], m[1] + a[1] - n[1] - b[1]}
		wait := (end - begin) / 2 * float64(i) / float64(seen)
		s.moved(motion{by: by, from: begin + wait, to: begin + wait + (end-begin)/2, away: true, flies: true}, func() {
			s.disc(pos{n[0] + b[0], n[1] + b[1]}, 2, s.ink)
		})
	}
}

// dots draws the dots from..to-1 of a disc whose middle is at 0, 0.
func (s *stage) dots(role Role, from, to uint64, unit float64) {
	if from >= to {
		return
	}
	s.svg.flush()
	// If dots are too small to be seen individually, they are drawn thicker, so that the disc has their colour.
	size := unit * math.Sqrt(math.Pi) * min(max(0.95-unit/8, thickest), 0.85)
	colour := roles[role].dot[s.theme]
	if role == Difference {
		edge := min(max(size/6, 0.8), 2)
		for i := from; i < to; i++ {
			at := seedAt(i, unit)
			fmt.Fprintf(&s.svg.out, `<circle cx="%s" cy="%s" r="%s" stroke="%s" stroke-width="%s"/>`, decimal(at[0]),
				decimal(at[1]), decimal((size-edge)/2), css(colour), decimal(edge))
		}
		s.svg.out.WriteByte('\n')
		return
	}
	// A line of length 0 has the shape of its ends: a disc, or a square in its direction.
	end, step := "round", "h0"
	switch role {
	case Theirs:
		end, step, size = "square", "l.01.01", size*0.85
	case Material:
		end, size = "square", size*0.85
	}
	fmt.Fprintf(&s.svg.out, `<path stroke="%s" stroke-width="%s" stroke-linecap="%s" d="`, css(colour), decimal(size),
		end)
	for i := from; i < to; i++ {
		at := seedAt(i, unit)
		fmt.Fprintf(&s.svg.out, "M%s%s%s", oneDecimal(at[0]), spacedOne(at[1]), step)
	}
	s.svg.out.WriteString("\"/>\n")
}

// oneDecimal writes a number with at most one decimal.
func oneDecimal(x float64) string { return decimal(math.Round(10*x) / 10) }

func spacedOne(x float64) string { return spaced(10 * int(math.Round(10*x))) }

func spacedCents(x float64) string { return spaced(int(math.Round(100 * x))) }

// fades paints something that disappears or appears.
func (s *stage) fades(from, to float64, comes bool, paint func()) {
	seen, opacity := "1;0", ""
	if comes {
		seen, opacity = "0;1", ` opacity="0"`
	}
	s.timed(opacity, fmt.Sprintf(`<animate attributeName="opacity" values="%s" begin="%ss" dur="%ss" fill="freeze"/>`,
		seen, decimal(from), decimal(max(to-from, 0.01))), paint)
}

// flashes paints something that is visible only between two times, or only outside this interval.
func (s *stage) flashes(from, to float64, within bool, paint func()) {
	seen, opacity := "0", ""
	if within {
		seen, opacity = "1", ` opacity="0"`
	}
	s.timed(opacity, fmt.Sprintf(`<set attributeName="opacity" to="%s" begin="%ss" dur="%ss"/>`, seen, decimal(from),
		decimal(max(to-from, 0.01))), paint)
}

// timed paints into a group that changes over time. It writes nothing if paint paints nothing.
func (s *stage) timed(attributes, change string, paint func()) {
	s.svg.flush()
	length := s.svg.out.Len()
	fmt.Fprintf(&s.svg.out, "<g%s>\n", attributes)
	begun := s.svg.out.Len()
	paint()
	s.svg.flush()
	if s.svg.out.Len() == begun {
		s.svg.out.Truncate(length)
		return
	}
	s.svg.out.WriteString(change + "\n</g>\n")
}

// grows opens a group that grows from the given part of its size.
func (s *stage) grows(part, from, to float64) {
	scale := trimmed(part)
	fmt.Fprintf(&s.svg.out, "<g transform=\"scale(%s)\"><animateTransform attributeName=\"transform\" type=\"scale\" "+
		"values=\"%s;1\" begin=\"%ss\" dur=\"%ss\" calcMode=\"spline\" keyTimes=\"0;1\" keySplines=\".4 0 .4 1\" "+
		"fill=\"freeze\"/>\n", scale, scale, decimal(from), decimal(to-from))
}

// trimmed writes a number with at most four decimals.
func trimmed(x float64) string { return strings.TrimRight(fmt.Sprintf("%.4f", x), "0") }
