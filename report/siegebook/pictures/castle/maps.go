// Package castle draws the castle game: maps of planes of battles, trees, battles wave by wave, and the number of ways
// to win.
//
// Importers usually name it pictures, because they also import analysis/castle.
package castle

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/analysis/phi"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
)

// These are the values of map cells that do not stand for a number of waves.
const (
	cannotWin = -1 - iota
	tied
	canWin
)

// phases returns a map of the plane. cell returns the value for a battle: a number of waves, or the value of a class.
func (p Plane) phases(title string, cell func(game.Battle) int, classes ...figure.Class) figure.PhaseMap {
	m := figure.PhaseMap{Title: title, Cells: p.cells(cell), One: "wave", Many: "waves", Classes: classes}
	m.X, m.Y, m.W, m.H = p.axes()
	return m
}

// tieClass returns the class of battles that end in a tie, which may form a thin row.
func tieClass(label string) figure.Class {
	class := pictures.Tied.Class(tied, label)
	class.Short = "tie"
	return class
}

// FewestWaves returns the map of the soldiers' fewest waves. waves returns 0 for battles that they cannot win.
func FewestWaves(p Plane, waves func(game.Battle) int64) figure.PhaseMap {
	var all []int64
	for b := range p.Battles() {
		all = append(all, waves(b))
	}
	return fewestWaves(p, all)
}

// fewestWaves returns the same map for the given waves. Whether soldiers who cannot win can hold out forever depends
// only on the number of defenders per wave, so it determines this once per row, for the strongest castle.
func fewestWaves(p Plane, waves []int64) figure.PhaseMap {
	columns, rows := p.size()
	_, up := p.steps()
	cells := make([]int, len(waves))
	for row := range rows {
		b := battle(p.Soldiers, math.MaxInt64, p.Defenders.First+int64(row)*up)
		lost := 0 // not known yet
		for i := row * columns; i < (row+1)*columns; i++ {
			switch {
			case waves[i] > 0:
				cells[i] = int(min(waves[i], math.MaxInt32))
			case lost != 0:
				cells[i] = lost
			case b.Solve().Winner == game.Tie:
				lost, cells[i] = tied, tied
			default:
				lost, cells[i] = cannotWin, cannotWin
			}
		}
	}
	m := figure.PhaseMap{
		Title: fmt.Sprintf("Fewest waves in which the soldiers can win, n = %d", p.Soldiers), Cells: cells,
		One: "wave", Many: "waves", Classes: []figure.Class{
			pictures.Cannot.Class(cannotWin, "cannot win"), tieClass("tie: cannot win, but can hold out for ever"),
		},
		Curves: p.Borders(),
	}
	m.X, m.Y, m.W, m.H = p.axes()
	return m
}

// CastleWaves returns the map of the castle's fewest waves. waves returns 0 for battles that the castle cannot win.
func CastleWaves(p Plane, waves func(game.Battle) int64) figure.PhaseMap {
	m := p.phases(fmt.Sprintf("Fewest waves in which the castle can win, n = %d", p.Soldiers), func(b game.Battle) int {
		if n := waves(b); n > 0 {
			return int(n)
		}
		return cannotWin
	}, pictures.Cannot.Class(cannotWin, "cannot win"))
	m.Curves = p.CastleBorders()
	return m
}

// Resistances returns the map of the number of waves that soldiers who cannot win can hold out.
func Resistances(p Plane) figure.PhaseMap {
	return p.phases(fmt.Sprintf("How many waves soldiers who cannot win can hold out, n = %d", p.Soldiers),
		func(b game.Battle) int {
			switch r := b.LongestResistance(); r.Winner {
			case game.Castle:
				return int(min(r.Waves, math.MaxInt32))
			case game.Tie:
				return tied
			default:
				return canWin
			}
		}, pictures.Sure.Class(canWin, "the soldiers can win"), tieClass("for ever: a tie"))
}

// Savings returns the map of the number of waves that one plan saves compared with another. waves returns this number
// for a battle.
func Savings(title string, p Plane, waves func(game.Battle) int64) figure.PhaseMap {
	return p.phases(title, func(b game.Battle) int { return int(waves(b)) },
		pictures.Nothing.Class(0, "nothing to gain"))
}

// Agreement returns the map of the verdicts on an algorithm's answers. Its legend contains Right and the other verdicts
// that occur.
func Agreement(p Plane, a game.Algorithm, verdict func(game.Battle) game.Verdict) figure.PhaseMap {
	title := fmt.Sprintf("%s compared with the exact answer, n = %d", content.Capital(a.Title), p.Soldiers)
	m := figure.PhaseMap{Title: title, Agreement: &figure.Agreement{Right: int(game.Right)}, Curves: p.Borders()}
	m.X, m.Y, m.W, m.H = p.axes()
	occurs := map[game.Verdict]bool{game.Right: true}
	m.Cells = p.cells(func(b game.Battle) int {
		v := verdict(b)
		occurs[v] = true
		return int(v)
	})
	for i, v := range verdicts {
		if occurs[game.Verdict(i)] {
			m.Classes = append(m.Classes, v.Class(i, v.words))
		}
	}
	return m
}

// Pictures returns the pictures of the game that readers can change.
func Pictures() []pictures.Picture {
	return []pictures.Picture{
		Map(), Guess(), HuntPicture(), Waiting(), Staircase(), Ways(), SideBySide(), SideMap(), BestPlay(), Paths(),
		Playing(), Siege(), BorderLine(), Duel(), Proof(), Pointed(),
	}
}

// presets lists the battles that a page can offer, by name. A page can also offer the pair of battles in which a single
// soldier makes the difference.
var presets = []struct{ name, label string }{
	{"golden", "the golden border"},
	{"tie", "a tie"},
	{"long", "a very long siege"},
}

// Map returns the phase map of the castle, on which readers choose a battle and read about it.
func Map() pictures.Picture {
	return pictures.Picture{Name: "castle-map", Fields: mapFields(), See: seeMap}
}

func mapFields() []pictures.Field {
	fields := append(battleFields(200, 400, 200), pictures.Memory("view", ""), pictures.Field{
		Name: "play", Label: "Wave by wave:", Options: algorithmOptions(players()), Start: players()[0].Name,
		Apart: true,
	}, pictures.Given("pair"), pictures.Given("border"))
	for _, p := range presets {
		fields = append(fields, pictures.Given(p.name))
	}
	return fields
}

// mapped keeps the most recent map of fewest waves, because computing the map takes most of the time for a picture.
var mapped pictures.Last[mapKey, figure.PhaseMap]

type mapKey struct {
	n int64
	part
	most   int // the maximum number of cells
	border string
}

func seeMap(v pictures.Values) (*pictures.View, error) {
	b := battleOf(v)
	view := &pictures.View{Answer: content.ForPeople(b.Reach())}
	view.ScreenReaderText = pictures.Text("Against {hit} and {defender} a wave: %v.", b.CastleHits, b.DefendersPerWave,
		view.Answer)
	slope := v["border"] == "slope" // shows only this border, because a lesson lets readers find the others
	plate, zooms := drawnPart(v, view, &mapped, func(p Plane) figure.PhaseMap {
		m := fewestWaves(p, p.fewest())
		if slope {
			m.Curves = []figure.Curve{p.Slope()}
		}
		return m
	})
	plate.Key += v["border"]
	plate.Label = "Map of who wins, by castle hits and defenders"
	runs, err := lineOf(named(v["play"]), b)
	if err != nil {
		return nil, err
	}
	judged, err := judgedTable(b)
	if err != nil {
		return nil, err
	}
	tie := ""
	if b.Solve().Winner == game.Tie {
		tie = "The soldiers cannot win, but they can hold out for ever. "
	}
	view.Parts = append([]pictures.Part{{Plate: plate}, zooms}, offered(v)...)
	if !slope {
		view.Parts = append(view.Parts, borderWords(v, b))
	}
	view.Parts = append(view.Parts, pictures.Words(content.ForPeople(tie+b.HelpedWin())))
	view.Parts = append(view.Parts, pictures.Part{Field: "play"},
		pictures.Words("Played this way, the battle ends like this: "+lineEnd(runs)+"."),
		lineTable("The battle, wave by wave", b, runs), judged)
	return view, nil
}

// borderWords describes where the soldiers can win, with numbers that readers can drag to move the map.
func borderWords(v pictures.Values, b game.Battle) pictures.Part {
	switch last := lastWon(b.Soldiers); {
	case b.CastleHits <= b.Soldiers:
		return battleWords(v, " The castle falls in wave 1, before any defender is out.")
	case b.DefendersPerWave < b.Soldiers:
		return battleWords(v, " There are fewer defenders than soldiers, so patience wins.")
	default:
		sum := new(big.Int).Add(big.NewInt(b.CastleHits), big.NewInt(b.DefendersPerWave))
		than := "more"
		if sum.Cmp(last) <= 0 {
			than = "no more"
		}
		return battleWords(v, pictures.Text(" Such an army wins up to `s + d = %v`, the integer part of `(φ + 1)n`. "+
			"This castle has `s + d = %v`, %v than that.", last, sum, than))
	}
}

// battleWords returns a battle with numbers that readers can drag, followed by more.
func battleWords(v pictures.Values, more string) pictures.Part {
	return pictures.Words("{soldier} against a castle of {hit} and {defender} a wave.%v", pictures.Drag("n", v),
		pictures.Drag("s", v), pictures.Drag("d", v), more)
}

// lastWon returns the greatest s + d for which n soldiers win against at least n defenders per wave if the castle does
// not fall in wave 1. This is (φ + 1)n rounded down, which equals 2n + ⌊n/φ⌋.
func lastWon(n int64) *big.Int {
	double := new(big.Int).Lsh(big.NewInt(n), 1)
	return double.Add(double, new(big.Int).SetUint64(phi.FloorDiv(uint64(n))))
}

// SideMap returns the map of the castle's fastest wins, on which readers choose a battle.
func SideMap() pictures.Picture {
	return pictures.Picture{
		Name: "castle-side", Fields: append(battleFields(200, 400, 200), pictures.Memory("view", "")),
		See: seeSideMap,
	}
}

// sided keeps the most recent map of the castle's fewest waves.
var sided pictures.Last[mapKey, figure.PhaseMap]

func seeSideMap(v pictures.Values) (*pictures.View, error) {
	b := battleOf(v)
	help := content.ForPeople(b.HelpedWin())
	view := &pictures.View{Answer: strings.TrimSuffix(help, "."), ScreenReaderText: help}
	plate, zooms := drawnPart(v, view, &sided,
		func(p Plane) figure.PhaseMap { return CastleWaves(p, game.Battle.CastleMinWaves) })
	plate.Label = "Map of how fast the castle can win, by castle hits and defenders"
	view.Parts = []pictures.Part{
		{Plate: plate},
		zooms,
		battleWords(v, " With best play: "+content.ForPeople(b.Reach())+"."),
	}
	return view, nil
}

// drawnPart returns the map of the part of the plane that a reader is looking at, and the buttons for it. It adds both
// to the view, and keeps the most recent map.
func drawnPart(v pictures.Values, view *pictures.View, last *pictures.Last[mapKey, figure.PhaseMap],
	draw func(Plane) figure.PhaseMap,
) (*pictures.Plate, pictures.Part) {
	b := battleOf(v)
	shown, own, notice := mapPart(v["view"], b)
	view.Notice, view.Bounds = notice, stretched(v, 200, 400, 200)
	plate := &pictures.Plate{
		Key: strconv.FormatInt(b.Soldiers, 10) + ":" + shown.String(), Pick: mapPick(shown, b),
		Map: func(most int) figure.PhaseMap {
			m, _ := last.Of(mapKey{b.Soldiers, shown, most, v["border"]}, func() (figure.PhaseMap, error) {
				return draw(shown.plane(b.Soldiers).thinned(most)), nil
			})
			return m
		},
	}
	switch setting := pictures.With("view", shown); {
	case own:
		view.Set = setting
	case shown != wholePart(b.Soldiers, 1, 1):
		plate.Pick.With = setting // keeps the map in place while the point moves
	}
	return plate, zooms(shown, b)
}

// mapPart returns the part of the plane that the map shows: the reader's own part if the battle is on it or near it,
// and the whole map otherwise.
func mapPart(text string, b game.Battle) (p part, own bool, notice string) {
	if text == "" {
		return wholePart(b.Soldiers, b.CastleHits, b.DefendersPerWave), false, ""
	}
	p, ok := parsePart(text)
	if !ok {
		const rule = "it must be empty, or the first castle hits, the first defenders, the steps of both, the number " +
			"of columns and, if needed, the number of rows"
		whole := wholePart(b.Soldiers, b.CastleHits, b.DefendersPerWave)
		return whole, false, fmt.Sprintf("view = %.40s: %s", text, rule)
	}
	if !p.contains(b.CastleHits, b.DefendersPerWave) {
		p = p.around(b.CastleHits, b.DefendersPerWave)
	}
	return p, true, ""
}

// mapPick returns the Pick with which readers choose a castle in a part of the plane.
func mapPick(p part, b game.Battle) *pictures.Pick {
	pick := &pictures.Pick{
		X: pictures.CellScale("s", p.s0, p.sStep, p.columns(), b.CastleHits),
		Y: pictures.CellScale("d", p.d0, p.dStep, p.rows(), b.DefendersPerWave),
	}
	if next, ok := p.closer(); ok {
		pick.Closer = pictures.With("view", next.around(b.CastleHits, b.DefendersPerWave))
	}
	if next, ok := p.farther(); ok {
		pick.Farther = pictures.With("view", next.around(b.CastleHits, b.DefendersPerWave))
	}
	return pick
}

// zooms returns the buttons that zoom a map.
func zooms(p part, b game.Battle) pictures.Part {
	pick := mapPick(p, b)
	button := func(label string, set pictures.Values, end string) pictures.Button {
		if set == nil {
			return pictures.Button{Label: label, Say: end}
		}
		return pictures.Button{Label: label, Set: set}
	}
	return pictures.Part{Row: &pictures.Row{Buttons: []pictures.Button{
		button("Closer", pick.Closer, "This is as close as possible."),
		button("Farther", pick.Farther, "This is the whole map."),
		{Label: "Whole map", Set: pictures.With("view", "")},
	}}}
}

// offered returns the battles that the page offers in the settings of its figure.
func offered(v pictures.Values) []pictures.Part {
	var parts []pictures.Part
	if n := numbers(v["pair"], 4); n != nil {
		near := part{sStep: 1, dStep: 1, wide: 50, high: 25}.around(n[2], n[3])
		offer := func(soldiers int64, end string) pictures.Button {
			set := setBattle(battle(soldiers, n[2], n[3]), "view", near)
			return pictures.Preset(pictures.Plural(soldiers, "soldier")+end, v, set)
		}
		parts = append(parts, pictures.Part{Row: &pictures.Row{
			Label:   pictures.Text("{hit}, {defender} a wave:", n[2], n[3]),
			Buttons: []pictures.Button{offer(n[0], ""), offer(n[1], "?")},
		}})
	}
	row := &pictures.Row{Label: "Go to:"}
	for _, p := range presets {
		if n := numbers(v[p.name], 3); n != nil {
			set := setBattle(battle(n[0], n[1], n[2]), "view", "")
			row.Buttons = append(row.Buttons, pictures.Preset(p.label, v, set))
		}
	}
	if len(row.Buttons) > 0 {
		parts = append(parts, pictures.Part{Row: row})
	}
	return parts
}

// numbers parses count positive numbers. It returns nil if the text contains anything else.
func numbers(text string, count int) []int64 {
	words := strings.Split(text, ",")
	if len(words) != count {
		return nil
	}
	var all []int64
	for _, word := range words {
		n, err := strconv.ParseInt(word, 10, 64)
		if err != nil || n < 1 {
			return nil
		}
		all = append(all, n)
	}
	return all
}

// stretched returns bounds for the sliders of a battle: if a value exceeds the default maximum of a slider, the slider
// becomes longer.
func stretched(v pictures.Values, n, s, d int64) map[string]pictures.Bound {
	return map[string]pictures.Bound{
		"n": {Least: 1, Most: stretch(v.Int("n"), n)}, "s": {Least: 1, Most: stretch(v.Int("s"), s)},
		"d": {Least: 1, Most: stretch(v.Int("d"), d)},
	}
}

// stretch returns the maximum of a slider for a value: the default, or a larger round number.
func stretch(value, end int64) int64 {
	for i := 0; value > end; i++ {
		factor := int64(25)
		if i%2 == 1 {
			factor = 10
		}
		if end > 1<<62/25 {
			return 1<<63 - 1
		}
		end = end / 5 * factor
	}
	return end
}

// part is the part of the plane of all castles that a map shows. It begins at s0 hits and d0 defenders. sStep and dStep
// are the steps between columns and between rows. wide and high are the numbers of columns and rows for which there is
// room; near the end of int64, the part has fewer.
type part struct{ s0, d0, sStep, dStep, wide, high int64 }

// sizes lists the possible numbers of columns in a map. A map has half as many rows.
var sizes = []int64{25, 50, 100, 200, 400}

const smallestPart, largestPart = 25, 400

func (p part) columns() int64 { return fit(p.s0, p.sStep, p.wide) }
func (p part) rows() int64    { return fit(p.d0, p.dStep, p.high) }

func fit(first, step, room int64) int64 { return min(room-1, (math.MaxInt64-first)/step) + 1 }

// plane returns the plane of the part.
func (p part) plane(n int64) Plane {
	return Plane{
		Soldiers: n, HitStep: p.sStep, DefenderStep: p.dStep,
		CastleHits: grid.Range{First: p.s0, Last: p.s0 + (p.columns()-1)*p.sStep},
		Defenders:  grid.Range{First: p.d0, Last: p.d0 + (p.rows()-1)*p.dStep},
	}
}

// String returns a part in the form that parsePart parses.
func (p part) String() string {
	numbers := []int64{p.s0, p.d0, p.sStep, p.dStep, p.wide}
	if !slices.Contains(sizes, p.wide) || p.high != p.wide/2 {
		numbers = append(numbers, p.high)
	}
	texts := make([]string, len(numbers))
	for i, n := range numbers {
		texts[i] = strconv.FormatInt(n, 10)
	}
	return strings.Join(texts, ",")
}

// parsePart parses a part, and reports whether the text is a valid part.
func parsePart(text string) (part, bool) {
	count := strings.Count(text, ",") + 1
	n := numbers(text, count)
	switch {
	case n == nil || count != 5 && count != 6:
		return part{}, false
	case count == 5:
		n = append(n, n[4]/2)
	}
	p := part{n[0], n[1], n[2], n[3], n[4], n[5]}
	known := count == 6 || slices.Contains(sizes, p.wide)
	return p, known && p.wide <= largestPart && p.high >= 1 && p.high <= largestPart/2
}

// contains reports whether the part contains a cell for a castle.
func (p part) contains(s, d int64) bool {
	return s >= p.s0 && d >= p.d0 && (s-p.s0)/p.sStep < p.columns() && (d-p.d0)/p.dStep < p.rows()
}

// around returns a part of the same size that is centred on the given castle.
func (p part) around(s, d int64) part {
	from := func(value, step, room int64) int64 { return value - step*min((value-1)/step, room/2) }
	p.s0, p.d0 = from(s, p.sStep, p.wide), from(d, p.dStep, p.high)
	return p
}

// closer returns a part of half the width and height, and farther returns one of twice the width and height. Both
// report whether such a part exists.
func (p part) closer() (part, bool) {
	switch {
	case p.sStep > 1 || p.dStep > 1:
		p.sStep, p.dStep = max(1, p.sStep/2), max(1, p.dStep/2)
	case p.wide > smallestPart:
		p.wide, p.high = p.wide/2, max(1, p.high/2)
	default:
		return p, false
	}
	return p, true
}

func (p part) farther() (part, bool) {
	if p.wide < largestPart {
		p.wide, p.high = min(2*p.wide, largestPart), min(2*p.high, largestPart/2)
		return p, true
	}
	before := p
	p.sStep, p.dStep = twice(p.sStep), twice(p.dStep)
	return p, p != before
}

// largestStep limits the steps, so that the castles of the largest part fit into int64. The step between rows may be
// twice as large, because there are half as many rows.
const largestStep = math.MaxInt64 >> 8

func twice(step int64) int64 {
	if step < largestStep {
		return 2 * step
	}
	return step
}

// wholePart returns the smallest part that begins at 1 and shows everything that matters for n soldiers: castles with
// up to four hits and two defenders for each soldier, and the battle itself.
func wholePart(n, s, d int64) part {
	wide, high := max(4*uint64(n), uint64(s)), max(2*uint64(n), uint64(d))
	if n > math.MaxInt64/2 {
		wide = math.MaxUint64
	}
	p := part{s0: 1, d0: 1, sStep: 1, dStep: 1, wide: 50}
	for p.wide < largestPart && (uint64(p.wide) < wide || uint64(p.wide/2) < high) {
		p.wide *= 2
	}
	p.high = p.wide / 2
	for uint64(p.sStep)*uint64(p.wide) < wide && p.sStep < largestStep {
		p.sStep *= 2
	}
	for uint64(p.dStep)*uint64(p.high) < high && p.dStep < 2*largestStep {
		p.dStep *= 2
	}
	return p
}

// View returns the setting for a map that shows castles up to the given hits and defenders, as far as possible, and
// that contains a battle. See [Map].
func View(b game.Battle, hits, defenders grid.Range) string {
	columns, rows := hits.Last-hits.First+1, defenders.Last-defenders.First+1
	p := part{
		s0: hits.First, d0: defenders.First, sStep: 1, dStep: 1, wide: min(columns, largestPart),
		high: min(rows, largestPart/2),
	}
	if p == wholePart(b.Soldiers, b.CastleHits, b.DefendersPerWave) {
		return ""
	}
	return p.String()
}
