package figure

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/siegebook/siegebook/report/content"
)

// Diagram shows items and arrows between them, such as the steps of a process, the states of a machine, or a tree.
// Items are in layers. Arrows lead from a layer to a later one. Where arrows form a cycle, one of them leads back.
type Diagram struct {
	// Title says what the diagram shows; required.
	Title string `rule:"name"`
	// Towards is the side on which the last layer is.
	Towards Direction
	// Items has 1 to 80 items.
	Items []Item `rule:"1-80 items"`
	// Arrows has at most 160 arrows.
	Arrows []Arrow `rule:"0-160 arrows"`
	// Words are used in the alternative text and in the data; empty words are replaced by English ones.
	Words DiagramWords
}

// Item is one thing of a diagram.
type Item struct {
	Name  string   `rule:"name"` // required, unique
	Lines []string // the label: 1 to 6 lines of at most 32 characters
	Form  Form
}

// Arrow leads from one item to another.
type Arrow struct {
	From, To string // the names of items
	Label    string `rule:"40 characters"` // may be empty
	Line     LineForm
	Plain    bool // without a head
}

// DiagramWords are words for readers who cannot see a diagram.
type DiagramWords struct {
	Diagram         string // in English "Diagram"
	LeadsTo, Joined string // "leads to" for an arrow with a head, "is joined to" for a plain one
	From, To, Label string // the columns of the data, "from", "to" and "label"
}

// Direction is the side of a diagram on which its last layer is.
type Direction int

// These are the directions.
const (
	Down Direction = iota
	Rightwards
	Up
	Leftwards
	directionEnd
)

// Form is the form of an item.
type Form int

// These are the forms.
const (
	Rectangle Form = iota
	Rounded
	Pill
	Diamond
	Circle
	Hexagon
	Cylinder
	formEnd
)

// LineForm is the form of the line of an arrow.
type LineForm int

// These are the forms of lines.
const (
	Thin LineForm = iota
	Dashed
	Thick
	lineFormEnd
)

// Figure draws the diagram. It fails if a field breaks its rule above.
func (d Diagram) Figure() (content.Figure, error) { return drawn(d, d) }

func (d Diagram) figure() content.Figure {
	l := d.layout()
	f := content.Figure{Title: d.Title, Alt: d.describe(), Data: d.table()}
	return finish(f, l.width, l.height, l.paint)
}

func (d Diagram) check(c *checker) {
	c.require(d.Towards >= 0 && d.Towards < directionEnd, "Towards is %d; use Down, Rightwards, Up or Leftwards",
		d.Towards)
	names := map[string]bool{}
	for _, item := range d.Items {
		c.require(!names[item.Name], "item %q occurs twice; give each a name of its own", item.Name)
		names[item.Name] = true
		c.require(item.Form >= 0 && item.Form < formEnd, "item %q has the form %d; use Rectangle or the like",
			item.Name, item.Form)
		c.size("item "+item.Name, len(item.Lines), 1, 6, "lines")
		for _, line := range item.Lines {
			c.require(utf8.RuneCountInString(line) <= 32,
				"the line %q of item %q has more than 32 characters; divide it", line, item.Name)
		}
	}
	for i, a := range d.Arrows {
		for _, name := range []string{a.From, a.To} {
			c.require(names[name], "Arrows[%d] has the end %q, which is not an item", i, name)
		}
		c.require(a.From != a.To, "Arrows[%d] leads from %q to itself; describe that in the item", i, a.From)
		c.require(a.Line >= 0 && a.Line < lineFormEnd, "Arrows[%d].Line is %d; use Thin, Dashed or Thick", i, a.Line)
	}
}

// itemLabels returns the label of each item, by the item's name.
func (d Diagram) itemLabels() map[string]string {
	said := map[string]string{}
	for _, item := range d.Items {
		said[item.Name] = strings.Join(item.Lines, " ")
	}
	return said
}

// lonely returns the items without arrows.
func (d Diagram) lonely() (items []Item) {
	for _, item := range d.Items {
		if !slices.ContainsFunc(d.Arrows, func(a Arrow) bool { return a.From == item.Name || a.To == item.Name }) {
			items = append(items, item)
		}
	}
	return items
}

// describe returns the alternative text: it lists all arrows, and the items without arrows.
func (d Diagram) describe() string {
	said := d.itemLabels()
	var parts []string
	for _, a := range d.Arrows {
		verb := cmp.Or(d.Words.LeadsTo, "leads to")
		if a.Plain {
			verb = cmp.Or(d.Words.Joined, "is joined to")
		}
		part := said[a.From] + " " + verb + " " + said[a.To]
		if a.Label != "" {
			part += " (" + a.Label + ")"
		}
		parts = append(parts, part)
	}
	for _, item := range d.lonely() {
		parts = append(parts, said[item.Name])
	}
	return cmp.Or(d.Words.Diagram, "Diagram") + ": " + strings.Join(parts, "; ") + "."
}

// table returns a row for each arrow, and for each item without arrows.
func (d Diagram) table() content.Records {
	out := content.Records{Header: []string{
		cmp.Or(d.Words.From, "from"), cmp.Or(d.Words.To, "to"), cmp.Or(d.Words.Label, "label"),
	}}
	said := d.itemLabels()
	for _, a := range d.Arrows {
		out.Add(said[a.From], said[a.To], a.Label)
	}
	for _, item := range d.lonely() {
		out.Add(said[item.Name], "", "")
	}
	return out
}

// These are the sizes of a diagram.
const (
	itemPadX  = 10.0
	itemPadY  = 6.0
	itemGap   = 22.0 // between items of a layer
	bendGap   = 10.0 // next to a line that passes through a layer
	layerGap  = 40.0
	labelGap  = 18.0 // between a layer of labels and a layer of items
	headSize  = 7.0
	portRoom  = 16.0 // the maximum between lines that meet the same side
	curveRate = 0.5523
	sweeps    = 12
)

// station is an item, a label of an arrow, or the point where an arrow passes through a layer. Layers extend across;
// arrows lead along.
type station struct {
	item       *Item  // nil for a label or a part of an arrow
	label      string // the label of an arrow
	layer      int
	wide, deep float64 // its size across and along
	at         float64 // its middle across
	wanted     float64 // the preferred middle across
	before     []*station
	after      []*station
	rank       int // its index in its layer
}

// route is an arrow with the stations that it passes, in the order of layers.
type route struct {
	arrow    *Arrow
	back     bool // the arrow leads back, against the order of layers
	stations []*station
}

// diagramLayout is the layout of a diagram.
type diagramLayout struct {
	towards       Direction
	items         []*station
	routes        []*route
	layers        [][]*station
	begins, ends  []float64 // where each layer begins and ends, along
	width, height float64
}

// layout places the items: it finds layers, the order in each layer, and then coordinates (Sugiyama's method).
func (d Diagram) layout() *diagramLayout {
	l := &diagramLayout{towards: d.Towards}
	byName := map[string]*station{}
	for i := range d.Items {
		s := &station{item: &d.Items[i]}
		w, h := d.Items[i].size()
		s.wide, s.deep = l.turned(w, h)
		l.items, byName[s.item.Name] = append(l.items, s), s
	}
	step := 1
	for i := range d.Arrows {
		a := &d.Arrows[i]
		l.routes = append(l.routes, &route{arrow: a, stations: []*station{byName[a.From], byName[a.To]}})
		if a.Label != "" {
			step = 2 // layers of labels are between those of items
		}
	}
	l.turnBack()
	l.findLayers(step)
	l.fillRoutes()
	low := 0.0
	for _, part := range l.parts() { // place the parts next to each other
		part.order()
		part.place()
		part.straighten()
		low = part.shift(low) + itemGap
	}
	for _, layer := range l.layers {
		slices.SortFunc(layer, func(a, b *station) int { return cmp.Compare(a.at, b.at) })
		for rank, s := range layer {
			s.rank = rank
		}
	}
	l.measure(step)
	return l
}

// parts splits the diagram into parts that no arrow joins, and returns each with its layers.
func (l *diagramLayout) parts() (parts []*diagramLayout) {
	of := map[*station]*diagramLayout{}
	var visit func(s *station, part *diagramLayout)
	visit = func(s *station, part *diagramLayout) {
		if of[s] != nil {
			return
		}
		of[s] = part
		for _, next := range slices.Concat(s.before, s.after) {
			visit(next, part)
		}
	}
	for _, s := range l.items {
		if of[s] == nil {
			parts = append(parts, &diagramLayout{layers: make([][]*station, len(l.layers))})
			visit(s, parts[len(parts)-1])
		}
	}
	for i, layer := range l.layers {
		for _, s := range layer {
			of[s].layers[i] = append(of[s].layers[i], s)
		}
	}
	return parts
}

// shift moves all stations so that the first begins at low, and returns where the last one ends.
func (l *diagramLayout) shift(low float64) (high float64) {
	first, last := math.Inf(1), math.Inf(-1)
	for _, layer := range l.layers {
		for _, s := range layer {
			first, last = min(first, s.at-s.wide/2), max(last, s.at+s.wide/2)
		}
	}
	for _, layer := range l.layers {
		for _, s := range layer {
			s.at += low - first
		}
	}
	return last - first + low
}

// size returns the width and the height of an item.
func (i *Item) size() (w, h float64) {
	w, h = widest(i.Lines), float64(len(i.Lines))*lineHeight
	switch i.Form {
	case Diamond: // a w by h label is inside a W by H diamond if w/W + h/H is at most 1
		w, h = (w+4)/(1-1/2.2), (h+2)*2.2
	case Circle:
		w = math.Hypot(w, h) + itemPadY
		h = w
	case Pill, Hexagon:
		h += 2 * itemPadY
		w += h
	case Cylinder:
		w, h = w+2*itemPadX, h+2*itemPadY+2*lidHeight
	default:
		w, h = w+2*itemPadX, h+2*itemPadY
	}
	return math.Ceil(w), math.Ceil(h)
}

// lidHeight is half the height of the lid of a cylinder.
const lidHeight = 5.0

// turned converts a width and a height to sizes across and along, or back.
func (l *diagramLayout) turned(w, h float64) (wide, deep float64) {
	if l.towards == Rightwards || l.towards == Leftwards {
		return h, w
	}
	return w, h
}

// turnBack reverses arrows so that no cycle remains. A depth-first search finds these arrows: they lead to an item that
// the search has entered but not left.
func (l *diagramLayout) turnBack() {
	const entered, done = 1, 2
	state := map[*station]int{}
	var visit func(s *station)
	visit = func(s *station) {
		state[s] = entered
		for _, r := range l.routes {
			if r.stations[0] != s || r.back {
				continue
			}
			switch to := r.stations[1]; state[to] {
			case entered:
				r.back = true
			case 0:
				visit(to)
			}
		}
		state[s] = done
	}
	for _, s := range l.items {
		if state[s] == 0 {
			visit(s)
		}
	}
	for _, r := range l.routes {
		if r.back {
			slices.Reverse(r.stations)
		}
	}
}

// findLayers gives each item a later layer than the items that lead to it. An item without incoming arrows is in the
// last layer before the items to which it leads.
func (l *diagramLayout) findLayers(step int) {
	for changed := true; changed; {
		changed = false
		for _, r := range l.routes {
			if least := r.stations[0].layer + step; r.stations[1].layer < least {
				r.stations[1].layer, changed = least, true
			}
		}
	}
	for _, s := range l.items {
		next, reached := math.MaxInt, false
		for _, r := range l.routes {
			if r.stations[0] == s {
				next = min(next, r.stations[1].layer)
			}
			reached = reached || r.stations[1] == s
		}
		if !reached && next < math.MaxInt {
			s.layer = next - step
		}
	}
}

// fillRoutes adds stations where arrows pass layers. A label is in the layer next to the start of its arrow.
func (l *diagramLayout) fillRoutes() {
	last := 0
	for _, s := range l.items {
		last = max(last, s.layer)
	}
	l.layers = make([][]*station, last+1)
	for _, s := range l.items {
		l.layers[s.layer] = append(l.layers[s.layer], s)
	}
	for _, r := range l.routes {
		from, to := r.stations[0], r.stations[1]
		r.stations = []*station{from}
		labelled := from.layer + 1
		if r.back {
			labelled = to.layer - 1
		}
		for layer := from.layer + 1; layer < to.layer; layer++ {
			s := &station{layer: layer}
			if layer == labelled && r.arrow.Label != "" {
				s.label = r.arrow.Label
				s.wide, s.deep = l.turned(textWidth(s.label)+4, lineHeight)
			}
			r.stations = append(r.stations, s)
			l.layers[layer] = append(l.layers[layer], s)
		}
		r.stations = append(r.stations, to)
		for i, s := range r.stations[1:] {
			s.before = append(s.before, r.stations[i])
			r.stations[i].after = append(r.stations[i].after, s)
		}
	}
}

// order finds an order of each layer with few crossings. It repeatedly moves stations to the mean place of their
// neighbours in the layer before or behind, and keeps the best order.
func (l *diagramLayout) order() {
	seen, count := map[*station]bool{}, make([]int, len(l.layers))
	var visit func(s *station)
	visit = func(s *station) {
		if seen[s] {
			return
		}
		seen[s] = true
		s.rank = count[s.layer]
		count[s.layer]++
		for _, next := range s.after {
			visit(next)
		}
	}
	for _, layer := range l.layers {
		for _, s := range layer {
			visit(s)
		}
	}
	l.sortLayers()
	best, fewest := l.ranks(), l.crossings()
	for i := 0; i < 2*sweeps && fewest > 0; i++ {
		for k := range l.layers {
			layer := l.layers[k]
			if i%2 == 1 {
				layer = l.layers[len(l.layers)-1-k]
			}
			means := map[*station]float64{}
			for _, s := range layer {
				near := s.before
				if i%2 == 1 {
					near = s.after
				}
				means[s] = float64(s.rank)
				if len(near) > 0 {
					sum := 0
					for _, n := range near {
						sum += n.rank
					}
					means[s] = float64(sum) / float64(len(near))
				}
			}
			slices.SortStableFunc(layer, func(a, b *station) int { return cmp.Compare(means[a], means[b]) })
			for rank, s := range layer {
				s.rank = rank
			}
		}
		if now := l.crossings(); now < fewest {
			best, fewest = l.ranks(), now
		}
	}
	for s, rank := range best {
		s.rank = rank
	}
	l.sortLayers()
}

func (l *diagramLayout) sortLayers() {
	for _, layer := range l.layers {
		slices.SortFunc(layer, func(a, b *station) int { return a.rank - b.rank })
	}
}

func (l *diagramLayout) ranks() map[*station]int {
	ranks := map[*station]int{}
	for _, layer := range l.layers {
		for _, s := range layer {
			ranks[s] = s.rank
		}
	}
	return ranks
}

// crossings counts the pairs of lines between neighbouring layers that cross.
func (l *diagramLayout) crossings() (n int) {
	for _, layer := range l.layers {
		for i, a := range layer {
			for _, b := range layer[i+1:] {
				for _, x := range a.after {
					for _, y := range b.after {
						if y.rank < x.rank {
							n++
						}
					}
				}
			}
		}
	}
	return n
}

// place finds the places of stations across: each station moves towards its neighbours, and long lines become straight.
func (l *diagramLayout) place() {
	for _, layer := range l.layers {
		for i, s := range layer {
			if i > 0 {
				s.at = layer[i-1].at + spacing(layer[i-1], s)
			}
		}
	}
	for i := range 2 * sweeps {
		for k := range l.layers {
			layer, forward := l.layers[k], i%2 == 0
			if !forward {
				layer = l.layers[len(l.layers)-1-k]
			}
			for _, s := range layer {
				near := s.after
				if forward {
					near = s.before
				}
				if i >= 2*sweeps-2 || len(near) == 0 {
					near = slices.Concat(s.before, s.after)
				}
				s.wanted = s.pulled(near)
			}
			settle(layer)
		}
	}
}

// spacing returns the minimum distance between the middles of neighbours in a layer.
func spacing(a, b *station) float64 {
	gap := itemGap
	if a.item == nil || b.item == nil {
		gap = bendGap
	}
	return (a.wide+b.wide)/2 + gap
}

// straightness returns the weight of a neighbour for the place of a station. Lines that pass through layers have the
// greatest weight, so that they become straight.
func (s *station) straightness(n *station) float64 {
	switch {
	case s.item == nil && n.item == nil:
		return 8
	case s.item == nil || n.item == nil:
		return 2
	}
	return 1
}

// pulled returns the weighted mean of the places of a station's neighbours.
func (s *station) pulled(near []*station) float64 {
	sum, weight := 0.0, 0.0
	for _, n := range near {
		w := s.straightness(n)
		sum += float64(w * n.at) // the conversion makes the rounding equal on all processors
		weight += w
	}
	if weight == 0 {
		return s.at
	}
	return sum / weight
}

// settle places the stations of a layer as near as possible to their wanted places, by least squares. It keeps their
// order and their minimum distances.
func settle(layer []*station) {
	type pool struct {
		sum, weight float64
		count       int
	}
	var pools []pool
	shift := make([]float64, len(layer))
	for i, s := range layer {
		if i > 0 {
			shift[i] = shift[i-1] + spacing(layer[i-1], s)
		}
		weight := 1.0
		for _, n := range slices.Concat(s.before, s.after) {
			weight += s.straightness(n)
		}
		p := pool{float64(weight * (s.wanted - shift[i])), weight, 1}
		for len(pools) > 0 {
			last := pools[len(pools)-1]
			if last.sum/last.weight <= p.sum/p.weight {
				break
			}
			p = pool{p.sum + last.sum, p.weight + last.weight, p.count + last.count}
			pools = pools[:len(pools)-1]
		}
		pools = append(pools, p)
	}
	i := 0
	for _, p := range pools {
		for range p.count {
			layer[i].at = p.sum/p.weight + shift[i]
			i++
		}
	}
}

// straighten gives stations that follow each other in one line the same place across, as far as their neighbours
// permit.
func (l *diagramLayout) straighten() {
	done := map[*station]bool{}
	for _, layer := range l.layers {
		for _, s := range layer {
			var run []*station
			low, high := math.Inf(-1), math.Inf(1)
			if s.item != nil { // an item may be in line with its follower
				low, high = s.at, s.at
			}
			for next := s; next != nil && !done[next]; next = next.follower() {
				from, to := l.free(next)
				if next != s && max(low, from) > min(high, to) {
					break
				}
				low, high = max(low, from), min(high, to)
				run = append(run, next)
				done[next] = true
			}
			if len(run) < 2 {
				continue
			}
			sum := 0.0
			for _, part := range run {
				sum += part.at
			}
			at := max(low, min(high, sum/float64(len(run))))
			for _, part := range run {
				part.at = at
			}
		}
	}
}

// follower returns the only station after s, if s is also the only station before it; otherwise nil.
func (s *station) follower() *station {
	if len(s.after) != 1 {
		return nil
	}
	if next := s.after[0]; len(next.before) == 1 {
		return next
	}
	return nil
}

// free returns the range of places that a station can have between its neighbours in the layer.
func (l *diagramLayout) free(s *station) (from, to float64) {
	layer := l.layers[s.layer]
	from, to = math.Inf(-1), math.Inf(1)
	if s.rank > 0 {
		from = layer[s.rank-1].at + spacing(layer[s.rank-1], s)
	}
	if s.rank < len(layer)-1 {
		to = layer[s.rank+1].at - spacing(s, layer[s.rank+1])
	}
	return from, to
}

// measure finds where layers begin and end, and the size of the diagram.
func (l *diagramLayout) measure(step int) {
	low, high := math.Inf(1), math.Inf(-1)
	along := 1.0
	for i, layer := range l.layers {
		deep := 0.0
		for _, s := range layer {
			s.at = math.Round(2*s.at) / 2
			low, high = min(low, s.at-s.wide/2), max(high, s.at+s.wide/2)
			deep = max(deep, s.deep)
		}
		if i > 0 {
			along += []float64{layerGap, labelGap}[step-1]
		}
		l.begins, l.ends = append(l.begins, along), append(l.ends, along+deep)
		along += deep
	}
	low = math.Floor(low) - 1
	for _, layer := range l.layers {
		for _, s := range layer {
			s.at -= low
		}
	}
	l.width, l.height = l.turned(math.Ceil(high-low)+1, along+1)
}

// point converts a place across and along to a position in the drawing.
func (l *diagramLayout) point(across, along float64) pos {
	switch l.towards {
	case Rightwards:
		return pos{along, across}
	case Up:
		return pos{across, l.height - along}
	case Leftwards:
		return pos{l.width - along, across}
	}
	return pos{across, along}
}

// middle returns the middle of a station's layer, along.
func (l *diagramLayout) middle(s *station) float64 { return (l.begins[s.layer] + l.ends[s.layer]) / 2 }

// box returns the box of a station in the drawing.
func (l *diagramLayout) box(s *station) box {
	w, h := l.turned(s.wide, s.deep)
	return boxAt(l.point(s.at, l.middle(s)), w, h)
}

// flat returns the width of the side of an item where lines can meet it.
func (l *diagramLayout) flat(s *station) float64 {
	switch s.item.Form {
	case Diamond, Circle:
		return 0.55 * s.wide
	case Cylinder:
		return 0.7 * s.wide
	case Pill, Hexagon:
		return max(0.6*s.wide, s.wide-s.deep)
	}
	return s.wide - itemPadX
}

// inset returns the distance from the side of an item's box to its outline, at a place across.
func (l *diagramLayout) inset(s *station, across float64) float64 {
	sideways := l.towards == Rightwards || l.towards == Leftwards
	off := math.Abs(across - s.at)
	round := func(wide, deep float64) float64 { // the inset of an ellipse
		part := min(1, off/wide)
		return deep * (1 - math.Sqrt(1-part*part))
	}
	switch f := s.item.Form; {
	case f == Diamond:
		return off * s.deep / s.wide
	case f == Circle:
		return round(s.wide/2, s.deep/2)
	case f == Cylinder && !sideways:
		return round(s.wide/2, lidHeight)
	case f == Pill && sideways:
		return round(s.wide/2, s.wide/2)
	case f == Hexagon && sideways:
		return off / 2
	}
	return 0
}

// port returns the place across at which the line of a route meets an item: the middle if the side has one line.
func (l *diagramLayout) port(r *route, first bool) float64 {
	end := func(r *route) (item, next *station) {
		if first {
			return r.stations[0], r.stations[1]
		}
		return r.stations[len(r.stations)-1], r.stations[len(r.stations)-2]
	}
	s, _ := end(r)
	var all []*route
	for _, other := range l.routes {
		if item, _ := end(other); item == s {
			all = append(all, other)
		}
	}
	slices.SortStableFunc(all, func(a, b *route) int {
		_, x := end(a)
		_, y := end(b)
		return cmp.Compare(x.at, y.at)
	})
	gap := min(portRoom, l.flat(s)/float64(len(all)))
	return s.at + gap*(float64(slices.Index(all, r))-float64(len(all)-1)/2)
}

// piece is a piece of the line of an arrow: straight, or a curve whose ends point along.
type piece struct{ from, to [2]float64 } // across and along

// pieces returns the pieces of the line of a route. A line has a gap for its label.
func (l *diagramLayout) pieces(r *route) (pieces []piece) {
	last := len(r.stations) - 1
	begin, end := r.stations[0], r.stations[last]
	across := l.port(r, true)
	at := [2]float64{across, l.middle(begin) + begin.deep/2 - l.inset(begin, across)}
	lineTo := func(to [2]float64) {
		if to != at {
			pieces = append(pieces, piece{at, to})
		}
		at = to
	}
	lineTo([2]float64{at[0], l.ends[begin.layer]})
	for _, s := range r.stations[1:last] {
		if l.begins[s.layer] == l.ends[s.layer] { // without labels, the line can bend on the whole way to the next item
			continue
		}
		lineTo([2]float64{s.at, l.begins[s.layer]})
		if s.label != "" {
			lineTo([2]float64{s.at, l.middle(s) - s.deep/2})
			at[1] = l.middle(s) + s.deep/2
		}
		lineTo([2]float64{s.at, l.ends[s.layer]})
	}
	across = l.port(r, false)
	lineTo([2]float64{across, l.begins[end.layer]})
	lineTo([2]float64{across, l.middle(end) - end.deep/2 + l.inset(end, across)})
	return pieces
}

// paint draws lines, labels, then items.
func (l *diagramLayout) paint(s *stage) {
	for _, r := range l.routes {
		l.paintRoute(s, r)
		for _, at := range r.stations {
			if at.label != "" {
				s.label(l.box(at).middle(), at.label, middle, s.ink)
			}
		}
	}
	edge := solidLine(s.muted, 1)
	for _, i := range l.items {
		b := l.box(i)
		s.on.stroke(s.form(i.item.Form, b), edge)
		at := b.middle()
		if i.item.Form == Cylinder {
			s.on.stroke(s.lid(b), edge)
			at[1] += lidHeight
		}
		at[1] -= float64(len(i.item.Lines)-1) / 2 * lineHeight
		for _, line := range i.item.Lines {
			s.label(at, line, middle, s.ink)
			at[1] += lineHeight
		}
	}
}

// paintRoute draws the line of an arrow, and its head.
func (l *diagramLayout) paintRoute(s *stage, r *route) {
	pieces := l.pieces(r)
	sty := solidLine(s.muted, 1.25)
	switch r.arrow.Line {
	case Dashed:
		sty.Dashes = []float64{4, 3}
	case Thick:
		sty.Width = 2.5
	}
	if !r.arrow.Plain {
		tip, way := &pieces[len(pieces)-1].to, 1.0
		if r.back {
			tip, way = &pieces[0].from, -1
		}
		s.fill(s.muted, l.point(tip[0], tip[1]), l.point(tip[0]-headSize/2, tip[1]-way*headSize),
			l.point(tip[0]+headSize/2, tip[1]-way*headSize))
		tip[1] -= way * (headSize - 1)
	}
	var line path
	for i, p := range pieces {
		if i == 0 || pieces[i-1].to != p.from {
			line = append(line, bend{kind: moveTo, to: s.flipY(l.point(p.from[0], p.from[1]))})
		}
		to := bend{kind: lineTo, to: s.flipY(l.point(p.to[0], p.to[1]))}
		if p.from[0] != p.to[0] {
			half := (p.from[1] + p.to[1]) / 2
			to.kind = curveTo
			to.control = []point{s.flipY(l.point(p.from[0], half)), s.flipY(l.point(p.to[0], half))}
		}
		line = append(line, to)
	}
	s.on.stroke(line, sty)
}

// form returns the outline of an item.
func (s *stage) form(f Form, b box) path {
	m := b.middle()
	switch f {
	case Diamond:
		return append(s.polyline(pos{m[0], b.y0}, pos{b.x1, m[1]}, pos{m[0], b.y1}, pos{b.x0, m[1]}),
			bend{kind: closed})
	case Hexagon:
		in := b.h() / 4
		return append(s.polyline(pos{b.x0 + in, b.y0}, pos{b.x1 - in, b.y0}, pos{b.x1, m[1]}, pos{b.x1 - in, b.y1},
			pos{b.x0 + in, b.y1}, pos{b.x0, m[1]}), bend{kind: closed})
	case Circle:
		return s.circle(m, b.w()/2)
	case Pill:
		return s.rounded(b, b.h()/2, b.h()/2)
	case Rounded:
		return s.rounded(b, 8, 8)
	case Cylinder:
		return s.rounded(b, b.w()/2, lidHeight)
	}
	return append(s.polyline(b.corners()...), bend{kind: closed})
}

// rounded returns the outline of a box with rounded corners of the given width and height.
func (s *stage) rounded(b box, w, h float64) path {
	var line path
	corner := func(from, edge, to pos) {
		if len(line) == 0 {
			line = append(line, bend{kind: moveTo, to: s.flipY(from)})
		} else {
			line = append(line, bend{kind: lineTo, to: s.flipY(from)})
		}
		near := func(p pos) point {
			return s.flipY(pos{p[0] + curveRate*(edge[0]-p[0]), p[1] + curveRate*(edge[1]-p[1])})
		}
		line = append(line, bend{kind: curveTo, control: []point{near(from), near(to)}, to: s.flipY(to)})
	}
	corner(pos{b.x0, b.y0 + h}, pos{b.x0, b.y0}, pos{b.x0 + w, b.y0})
	corner(pos{b.x1 - w, b.y0}, pos{b.x1, b.y0}, pos{b.x1, b.y0 + h})
	corner(pos{b.x1, b.y1 - h}, pos{b.x1, b.y1}, pos{b.x1 - w, b.y1})
	corner(pos{b.x0 + w, b.y1}, pos{b.x0, b.y1}, pos{b.x0, b.y1 - h})
	return append(line, bend{kind: closed})
}

// lid returns the lower edge of the lid of a cylinder.
func (s *stage) lid(b box) path {
	low := b.y0 + 2*lidHeight
	from, to, dip := pos{b.x0, b.y0 + lidHeight}, pos{b.x1, b.y0 + lidHeight}, (1-curveRate)*b.w()/2
	return path{
		{kind: moveTo, to: s.flipY(from)},
		{kind: curveTo, control: []point{
			s.flipY(pos{b.x0, b.y0 + lidHeight + curveRate*lidHeight}), s.flipY(pos{b.x0 + dip, low}),
		}, to: s.flipY(pos{b.middle()[0], low})},
		{kind: curveTo, control: []point{
			s.flipY(pos{b.x1 - dip, low}), s.flipY(pos{b.x1, b.y0 + lidHeight + curveRate*lidHeight}),
		}, to: s.flipY(to)},
	}
}
