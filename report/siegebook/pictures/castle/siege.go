package castle

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
)

// mostSiege is the largest number that readers can type in the general siege, and mostArms is the largest number of
// shots and kills. These limits prevent products from overflowing.
const (
	mostSiege = 1_000_000_000_000_000
	mostArms  = 1000
)

// armsFields returns the fields for shots and kills.
func armsFields() []pictures.Field {
	field := func(name, label, one, many string) pictures.Field {
		return pictures.Number(name, label, 6, one, many).UpTo(mostArms)
	}
	return []pictures.Field{
		field("k", "shots k per soldier", "shot a soldier", "shots a soldier"),
		field("m", "kills m per defender", "kill a defender", "kills a defender"),
	}
}

func armsOf(v pictures.Values) arms { return arms{v.Int("k"), v.Int("m")} }

// firstRow lists the fields for the reinforcements after waves 1, 2 and 3.
var firstRow = []string{"d1", "d2", "d3"}

var siegeFields, lineFields = fieldsOfSiege(), fieldsOfLine()

func fieldsOfSiege() []pictures.Field {
	fields := battleFields(60, 400, 200)
	for i := range fields {
		fields[i] = fields[i].UpTo(mostSiege)
	}
	const fold = "Different reinforcements after the first waves"
	fields = append(append(fields, armsFields()...), pictures.Field{
		Name: "row", Label: "reinforcements", Start: "same", Fold: fold, Options: []pictures.Option{
			{Value: "same", Label: "the same after every wave"}, {Value: "own", Label: "different after waves 1 to 3"},
		},
	})
	for i, name := range firstRow {
		fields = append(fields, pictures.Field{
			Name: name, Label: fmt.Sprintf("defenders after wave %d", i+1), Most: 100, Limit: mostSiege, Start: "0",
			One: "defender", Many: "defenders", Fold: fold, Sets: pictures.Values{"row": "own"},
		})
	}
	return fields
}

func fieldsOfLine() []pictures.Field {
	return append([]pictures.Field{
		pictures.Number("n", "soldiers n", 200, "soldier", "soldiers").UpTo(mostSiege),
		{
			Name: "x", Label: "defenders left x", Most: 200, Limit: mostSiege, One: "defender left",
			Many: "defenders left", Start: "0",
		},
	}, armsFields()...)
}

// siegeBounds returns the ranges of the sliders. If a value exceeds the default maximum, the slider is extended, up to
// the limit of the field.
func siegeBounds(v pictures.Values, fields []pictures.Field) map[string]pictures.Bound {
	bounds := map[string]pictures.Bound{}
	for _, f := range fields {
		if len(f.Options) == 0 {
			bounds[f.Name] = pictures.Bound{Least: f.Least, Most: min(stretch(v.Int(f.Name), f.Most), f.Limit)}
		}
	}
	return bounds
}

// Siege returns the picture of the general siege. Readers change shots, kills and reinforcements, and see the resulting
// map, its border, the fastest win and its hunt.
func Siege() pictures.Picture {
	return pictures.Picture{Name: "castle-siege", Fields: siegeFields, See: seeSiege}
}

// siege holds a general battle and its solution.
type siege struct {
	arms
	b        game.Battle // the battle with the reinforcements that repeat
	row      []int64     // the reinforcements of the first waves, if they differ
	solution game.GeneralSolution
	runs     []game.Run
}

func seeSiege(v pictures.Values) (*pictures.View, error) {
	s := siege{arms: armsOf(v), b: battleOf(v)}
	if v["row"] == "own" {
		for _, name := range firstRow {
			s.row = append(s.row, v.Int(name))
		}
	}
	s.solution = s.general(s.b).Solve()
	for run := range s.solution.Runs() {
		s.runs = append(s.runs, game.Run{
			First: run.First, Last: run.Last, AtDefenders: int64(run.AtDefenders), AtCastle: run.AtCastle,
			End: run.End, Winner: run.Winner,
		})
		if len(s.runs) > mostRuns {
			return nil, pictures.Refuse("n", "soldiers (n) = %v: this line of play has more than %v different waves: "+
				"choose another number", s.b.Soldiers, mostRuns)
		}
	}
	view := &pictures.View{Answer: s.answer(), Bounds: siegeBounds(v, siegeFields)}
	view.ScreenReaderText = view.Answer + "."
	view.Parts = []pictures.Part{
		{Plate: s.plate()}, {Row: s.presets(v)}, s.borderWords(v), pictures.Words(s.relative()),
	}
	view.Parts = append(view.Parts, s.pursuit()...)
	view.Parts = append(view.Parts, lineTable("The battle, wave by wave", s.b, s.runs))
	return view, nil
}

// general returns the general battle for a cell of the map.
func (s siege) general(b game.Battle) game.GeneralBattle {
	return game.GeneralBattle{
		Soldiers: b.Soldiers, CastleHits: b.CastleHits, Shots: s.shots, Kills: s.kills,
		Reinforcements: append(slices.Clone(s.row), b.DefendersPerWave),
	}
}

func (s siege) answer() string {
	switch s.solution.Winner {
	case game.Soldiers:
		return "The soldiers win in " + pictures.Plural(s.solution.MinWaves, "wave")
	case game.Tie:
		return "A tie: the soldiers cannot win, but they can hold out for ever"
	}
	return "The castle wins"
}

// volley returns the number of shots that all soldiers fire in a wave.
func (s siege) volley() int64 { return s.shots * s.b.Soldiers } // does not overflow, see mostSiege

// part returns the part of the plane that the map shows: castles with up to four hits and two defenders for each shot.
// It contains few cells, because computing a cell takes a hundred times as long as in the known game.
func (s siege) part() part {
	const wide, high = 80, 40
	p := part{s0: 1, d0: 1, sStep: 1, dStep: 1, wide: wide, high: high}
	for p.sStep*wide < max(4*s.volley(), s.b.CastleHits) && p.sStep < largestStep {
		p.sStep *= 2
	}
	for p.dStep*high < max(2*s.volley(), s.b.DefendersPerWave) && p.dStep < largestStep {
		p.dStep *= 2
	}
	return p
}

// besieged keeps the most recent map.
var besieged pictures.Last[string, figure.PhaseMap]

func (s siege) plate() *pictures.Plate {
	p := s.part()
	key := fmt.Sprint(s.b.Soldiers, s.arms, s.row, p)
	return &pictures.Plate{
		Key: key, Label: "Map of who wins, by castle hits and defenders", Pick: &pictures.Pick{
			X: pictures.CellScale("s", p.s0, p.sStep, p.columns(), s.b.CastleHits),
			Y: pictures.CellScale("d", p.d0, p.dStep, p.rows(), s.b.DefendersPerWave),
		},
		Map: func(int) figure.PhaseMap {
			m, _ := besieged.Of(key, func() (figure.PhaseMap, error) { return s.drawing(p.plane(s.b.Soldiers)), nil })
			return m
		},
	}
}

// drawing returns the map of the fewest waves.
func (s siege) drawing(p Plane) figure.PhaseMap {
	title := fmt.Sprintf("Fewest waves in which the soldiers can win, n = %d, k = %d, m = %d",
		s.b.Soldiers, s.shots, s.kills)
	m := p.phases(title,
		func(b game.Battle) int {
			switch solution := s.general(b).Solve(); solution.Winner {
			case game.Soldiers:
				return int(min(solution.MinWaves, math.MaxInt32))
			case game.Tie:
				return tied
			}
			return cannotWin
		}, pictures.Cannot.Class(cannotWin, "cannot win"), tieClass("tie: cannot win, but can hold out for ever"))
	if s.row == nil {
		m.Curves = s.borders(p)
	}
	return m
}

// borders returns the border of the battles that the soldiers can win, and the line below which they win all battles.
func (s siege) borders(p Plane) []figure.Curve {
	x, y, _, _ := p.axes()
	shots, sum := float64(s.volley()), s.sum()*float64(s.b.Soldiers)
	line := figure.Curve{
		Label:  "d + s = " + ratio(s.sum()) + " n",
		Points: through(shots, sum-shots, sum-shots, shots),
	}
	if s.arms == known {
		line.Label = "d + s = (φ+1) n"
	}
	all := "d = n"
	if s.shots > 1 {
		all = fmt.Sprintf("d = %dn", s.shots)
	}
	curves := []figure.Curve{line}
	if shots < min(x.Max, y.Max) {
		curves = append(curves, figure.Curve{Label: all, Points: through(shots, shots, x.Max, shots), Dashed: true})
	}
	return curves
}

// sum returns (s + d)/n on the border for castles that do not fall in wave 1 and that have at least as many defenders
// per wave as the soldiers have shots. A fall in wave 2 leaves s + d - 2kn.
func (a arms) sum() float64 { return 2*float64(a.shots) + a.slope() }

// ratio formats a ratio with three digits.
func ratio(y float64) string { return strconv.FormatFloat(y, 'f', 3, 64) }

// presets returns buttons that lead to a battle for each kind of border, and to a battle with different reinforcements.
func (s siege) presets(v pictures.Values) *pictures.Row {
	preset := func(label string, b game.Battle, a arms, more ...any) pictures.Button {
		set := append([]any{"k", a.shots, "m", a.kills, "row", "same"}, more...)
		return pictures.Preset(label, v, setBattle(b, set...))
	}
	return &pictures.Row{Label: "Go to:", Buttons: []pictures.Button{
		preset("the known game", battle(34, 50, 39), known),
		preset("two shots", battle(20, 50, 44), arms{2, 1}),
		preset("two kills", battle(30, 36, 34), arms{1, 2}),
		preset("two shots, two kills", battle(29, 68, 60), arms{2, 2}),
		preset("8, 0, 3, 8, 8, …", battle(10, 43, 8), known, "row", "own", "d1", 8, "d2", 0, "d3", 3),
	}}
}

// borderWords describes the battle, and on which side of the border it is.
func (s siege) borderWords(v pictures.Values) pictures.Part {
	where := ""
	switch b := s.b; {
	case b.CastleHits <= s.volley():
		where = " The castle falls in wave 1, before any defender is out."
	case s.row != nil:
		where = pictures.Text(" The castle sends out %v, %v and %v defenders first, and then always %v.", s.row[0],
			s.row[1], s.row[2], b.DefendersPerWave)
	case b.DefendersPerWave < s.volley():
		x := max(0, int64(s.solution.DefendersLeft))
		where = pictures.Text(" There are fewer defenders than shots, so patience wins: the soldiers wait as long as "+
			"`*m**x*(*x* + *d*) > *n**d*`, here `%v`, and strike with `*x* = %v`.",
			new(big.Int).Mul(big.NewInt(b.Soldiers), big.NewInt(b.DefendersPerWave)), x)
	default:
		x := new(big.Int).Add(big.NewInt(b.CastleHits), big.NewInt(b.DefendersPerWave))
		x.Sub(x, big.NewInt(2*s.volley()))
		where = pictures.Text(" A fall in wave 2 leaves `*x* = *s* + *d* − %v*n* = %v`; the soldiers win up to `*x* = "+
			"%v`, the integer part of `%v *n*`.", 2*s.shots, x, s.mostLeft(b.Soldiers), ratio(s.slope()))
	}
	return pictures.Words("{soldier} with {shot} each, against a castle of {hit} and {defender} a wave with {kill} "+
		"each.%v", pictures.Drag("n", v), pictures.Drag("k", v), pictures.Drag("s", v), pictures.Drag("d", v),
		pictures.Drag("m", v), where)
}

// mostLeft returns the greatest x for which the form is positive. n soldiers win a hunt of at most x defenders.
func (a arms) mostLeft(n int64) int64 {
	low, high := int64(0), n/a.kills+1
	for high-low > 1 {
		middle := low + (high-low)/2
		if a.form(HuntWave{n, middle}).Sign() > 0 {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// relative returns a text that names the number that determines the border.
func (a arms) relative() string {
	km := a.shots * a.kills
	under := pictures.Formula(pictures.Text("%v · %v = %v", km, km+4, km*(km+4)))
	p := int64(math.Round(math.Sqrt(float64(km))))
	border := pictures.Text("A hunt is won below the line `*x* = %v *N*`. ", ratio(a.slope()))
	if p*p != km {
		return border + pictures.Text("Its slope contains the square root of %v. As `*k**m* = %v` is not a square, it "+
			"is not a metallic mean.", under, km)
	}
	names := map[int64]string{1: "golden ratio", 2: "silver mean", 3: "bronze mean"}
	name, known := names[p]
	if !known {
		name = pictures.Text("metallic mean number %v", p)
	}
	factor := ""
	if a.kills != p {
		divisor := gcd(a.kills, p)
		factor = pictures.Text(", times %v", a.kills/divisor)
		if p > divisor {
			factor += pictures.Text("/%v", p/divisor)
		}
	}
	return border + pictures.Text("Its slope contains the square root of %v. As `*k**m* = %v` is the square of %v, "+
		"`*N*/*x*` on it is the %v%v.", under, km, p, name, factor)
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// fall returns the wave in which the castle falls in the fastest win or, if there is no win, the first wave in which it
// could fall. It also returns the start of the hunt.
func (s siege) fall() (wave int64, first HuntWave, ok bool) {
	state, at := game.State{Soldiers: s.b.Soldiers, CastleHits: s.b.CastleHits}, int64(1)
	for _, run := range s.runs {
		volley, standing := s.shots*state.Soldiers, state.CastleHits
		if won := s.solution.Winner == game.Soldiers; won && run.Last == s.solution.FallWave {
			return run.Last, HuntWave{state.Soldiers, int64(s.solution.DefendersLeft)}, true
		} else if left := standing + int64(state.Defenders) - volley; !won && standing > 0 && standing <= volley {
			return at, HuntWave{state.Soldiers, left}, true
		}
		state, at = run.End, run.Last+1
	}
	return 0, HuntWave{}, false
}

// pursuit draws and describes the hunt after the fall.
func (s siege) pursuit() []pictures.Part {
	wave, first, ok := s.fall()
	if !ok {
		return []pictures.Part{pictures.Words("The castle cannot fall: no wave has enough shots.")}
	}
	how := "The castle falls in wave %v, and leaves {defender} to {soldier}. %v"
	if s.solution.Winner != game.Soldiers {
		how = "The castle can fall in wave %v, and leaves {defender} to {soldier}. %v"
	}
	return []pictures.Part{
		{Plate: s.chart(first)},
		pictures.Words(how, wave, max(0, first.Left), first.Soldiers, s.hunted(first)),
	}
}

// chart draws a hunt along its hyperbola.
func (a arms) chart(hunts ...HuntWave) *pictures.Plate {
	return &pictures.Plate{
		Key: fmt.Sprint("hunt ", a, hunts), Label: "The hunt as points of soldiers and defenders left",
		Draw: a.hyperbola(hunts...).Figure,
	}
}

// hunted describes a hunt.
func (a arms) hunted(first HuntWave) string {
	waves := a.hunt(first.Soldiers, first.Left)
	later, last := len(waves)-1, waves[len(waves)-1]
	form := pictures.Formula(a.formWords(a.form(first)))
	switch {
	case later == 0 && last.Left <= 0:
		return "No defender is left to hunt."
	case last.Left <= 0:
		return pictures.Text("The hunt takes {wave}, and {comes home|come home}. The number that stays the same is "+
			"%v, which is positive.", later, last.Soldiers, form)
	case later == 0:
		return "The defenders kill all soldiers at once."
	}
	return pictures.Text("{wave} later, no soldier is alive. The number that stays the same is %v, which is negative.",
		later, form)
}

// BorderLine returns the picture of the line between won and lost hunts. Readers change shots and kills, which turns
// the golden line into similar lines.
func BorderLine() pictures.Picture {
	return pictures.Picture{Name: "castle-line", Fields: lineFields, See: seeBorderLine}
}

func seeBorderLine(v pictures.Values) (*pictures.View, error) {
	a, first := armsOf(v), HuntWave{v.Int("n"), v.Int("x")}
	waves := a.hunt(first.Soldiers, first.Left)
	answer := chase{waves: waves, won: waves[len(waves)-1].Left <= 0}.verdict()
	view := &pictures.View{Answer: answer, ScreenReaderText: answer + ".", Bounds: siegeBounds(v, lineFields)}
	drawing := a.hyperbola(first)
	plate := a.chart(first)
	low, top := drawing.Y.Min, drawing.Y.Max
	plate.Pick = &pictures.Pick{Y: &pictures.Scale{
		Field: "x", From: low, To: top, Least: 0, Most: first.Soldiers,
		At: (min(float64(first.Left), top) - low) / (top - low),
	}}
	limit := a.mostLeft(first.Soldiers)
	view.Parts = []pictures.Part{
		{Plate: plate},
		{Row: &pictures.Row{Buttons: []pictures.Button{
			pictures.Preset("The last hunt that is won", v, pictures.With("x", limit)),
			pictures.Preset("The first hunt that is lost", v, pictures.With("x", limit+1)),
		}}},
		pictures.Words("{soldier brings|soldiers bring} the castle down, with {shot} each. "+
			"{defender is|defenders are} left, with {kill} each. %v", pictures.Drag("n", v), pictures.Drag("k", v),
			pictures.Drag("x", v), pictures.Drag("m", v), a.hunted(first)),
		pictures.Words(a.relative()),
	}
	return view, nil
}
