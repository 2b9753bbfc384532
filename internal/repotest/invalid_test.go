package repotest

import (
	"cmp"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.starlark.net/starlark"

	"github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/analysis/listing"
	"github.com/siegebook/siegebook/analysis/listing/games"
	"github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/analysis/phi"
	"github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/internal/must"
)

// A sample is a valid value of a type with exported methods, and a description of invalid values of the type. Each word
// in changes describes one invalid value: the word is "zero" or a comma-separated list of changes to fields. more
// contains further invalid values.
type sample struct {
	valid   any
	changes string
	more    []any
}

// invalid returns the invalid values that a sample describes. For an enumeration, these are values outside it.
func (s sample) invalid() []any {
	all, typ := s.more, reflect.TypeOf(s.valid)
	if typ.Kind() == reflect.Int8 {
		s.changes = "=-1 =99"
	}
	for change := range strings.FieldsSeq(s.changes) {
		v := reflect.New(typ).Elem()
		if change != "zero" {
			v.Set(reflect.ValueOf(s.valid))
			for part := range strings.SplitSeq(change, ",") {
				name, number, _ := strings.Cut(part, "=")
				field := v
				if name != "" {
					field = v.FieldByName(name)
				}
				field.Set(reflect.ValueOf(must.Get(strconv.ParseInt(number, 10, 64))).Convert(field.Type()))
			}
		}
		all = append(all, v.Interface())
	}
	return all
}

var (
	castleBattle = castle.Battle{Soldiers: 10, CastleHits: 27, DefendersPerWave: 8}
	lostBattle   = castle.Battle{Soldiers: 10, CastleHits: 43, DefendersPerWave: 12}
	towerBattle  = tower.Battle{Soldiers: 5, HitsPerTower: 2, KillsPerTower: 1, Towers: 2}
	small        = grid.Range{First: 1, Last: 3}
)

// halfOfThem is a listing for the castle game.
const halfOfThem = "def at_defenders(n, s, d, wave, N, S, D):\n    return min(N, D) // 2\n"

// samples returns a sample for every exported type of the analysis that can have invalid values, and has methods or is
// a parameter of methods.
func samples(t *testing.T) []sample {
	survey := must.Get(castle.NewSurvey(t.Context(), small, small, small, castle.SurveyOptions{}))
	tournament := naval.Tournament{Players: 2, Placements: naval.PostPlacements(), Moves: naval.PostMoves()}
	played := must.Get(tournament.Play(t.Context(), naval.Options{}))
	measured := must.Get(naval.NewMeasurement(t.Context(), naval.PostPlacements()[:1], naval.Strategies()[:1], 2, 1,
		naval.Options{}))
	fleet, _, err := naval.PlaceFleet(naval.Placements(), 1, 1)
	must.Do(t, err)
	shooter := must.Get(naval.NewShooter(naval.Strategies()[0], fleet, 1, 1))
	half := must.Get(listing.Read("half.star", []byte(halfOfThem), games.CastleSignature, listing.Limits{}))
	program := must.Get(listing.ReadProgram("half.star", []byte(halfOfThem), listing.Limits{}))
	hand := must.Get(naval.NewHand(fleet))
	match := must.Get(naval.NewMatch(hand, shooter, 0))
	solver := must.Get(ants.NewSolver(ants.World{Rows: 2, Cols: 2, Radius2: 5}))
	outcome := must.Get(solver.Solve(t.Context(), twoAnts, ants.Focus))
	land := must.Get(ants.ParseMap("A.\n.B"))
	points := must.Get(grid.Product(small))
	list := []sample{
		{castleBattle, "zero Soldiers=-5 CastleHits=0 DefendersPerWave=-1 Soldiers=-9223372036854775808", nil},
		{
			castle.State{Soldiers: 10, Defenders: 8, CastleHits: 17},
			"zero Soldiers=-1,Defenders=0 CastleHits=0,Defenders=0 CastleHits=-1", nil,
		},
		{castleBattle.Solve(), "zero", []any{castle.Solution{Battle: castleBattle, Winner: castle.Soldiers}}},
		{castleBattle.General(), "zero Soldiers=0 CastleHits=0 Shots=0 Kills=-1", nil},
		{castleBattle.General().Solve(), "zero", []any{
			castle.GeneralSolution{Battle: castleBattle.General(), Winner: castle.Soldiers},
		}},
		{
			lostBattle.FastestCastleWin(), "zero",
			[]any{castle.CastleWin{Battle: castle.Battle{Soldiers: 2, CastleHits: 1, DefendersPerWave: 1}}},
		},
		{lostBattle.LongestResistance(), "zero", []any{castle.Resistance{Battle: castleBattle}}},
		{castle.Answer{Winner: castle.Soldiers, Waves: 3}, "Winner=9 Winner=-1 Winner=0,Waves=-1", nil},
		{survey, "zero", []any{
			castle.Survey{Soldiers: small, Castle: grid.Range{First: 3, Last: 1}, Defenders: small},
		}},
		{survey.Totals, "", []any{castle.Totals{Battles: -1}, castle.Totals{Battles: 1, Winnable: 2}}},
		{castle.SpotCheck{}, "Drawn=-1", nil},
		{castle.SurveyOptions{}, "", []any{
			castle.SurveyOptions{Algorithms: []castle.Algorithm{{}}},
			castle.SurveyOptions{Effort: castle.Effort{Steps: -1}},
		}},
		{castle.Algorithms()[0], "zero", nil},
		{castle.Effort{}, "Steps=-1 Memory=-1", nil},
		{castle.PathOptions{}, "Side=9 MaxMoves=-1 MemoryLimit=-1", nil},
		{castle.CountOptions{}, "Convention=9 CellLimit=-1 MemoryLimit=-1", nil},
		{castle.Strategy(castle.CastleFirst), "zero", nil},

		{towerBattle, "zero KillsPerTower=-3 Soldiers=-1,HitsPerTower=-1,KillsPerTower=-1,Towers=-1", nil},
		{towerBattle.Start(), "", []any{
			tower.State{Soldiers: -1},
			tower.State{Soldiers: 1, Groups: []tower.Group{{Towers: 0, Hits: 1}}},
			tower.State{Soldiers: 1, Groups: []tower.Group{{Towers: 1, Hits: 1}, {Towers: 1, Hits: 2}}},
			tower.State{Soldiers: 1, Groups: []tower.Group{{Towers: math.MaxInt64, Hits: 2}, {Towers: 1, Hits: 1}}},
		}},
		{tower.Aim{Towers: 1, Hits: 2, Shots: 1}, "zero Hits=-9223372036854775808 Hits=0,Shots=-1", nil},
		{tower.RandomOptions{}, "Method=9 MaxSteps=-1 Samples=-1 MemoryLimit=-1", nil},

		{castle.NewPairSearch(2, 1, castle.AllPlays), "zero", []any{new(castle.PairSearch)}},
		{ants.World{Rows: 2, Cols: 2, Radius2: 5}, "zero Rows=-1 Radius2=0", nil},
		{ants.Box{Rows: 2, Cols: 2, Owners: 2, Radius2: 5}, "zero Owners=0", nil},
		{land, "", []any{ants.Map{Rows: 2, Cols: 2}, ants.Map{Rows: math.MaxInt, Cols: math.MaxInt}}},
		{solver, "zero", []any{new(ants.Solver)}},
		{outcome, "", []any{ants.Outcome{Dead: []bool{true}}}},

		{naval.At(1, 2), "=100 =237", nil},
		{naval.Sample{Fleets: 2, Shots: 100, Squares: 5000}, "Fleets=-1,Shots=0,Squares=0 Shots=-1,Squares=0", nil},
		{played, "zero", nil},
		{tournament, "zero Players=3", nil},
		{measured, "zero", []any{naval.Measurement{Placements: measured.Placements, Strategies: measured.Strategies}}},
		{measured.Totals, "", []any{
			naval.Totals{Tallies: []naval.Tally{{Placement: 99}}},
			naval.Totals{Tallies: slices.Repeat(measured.Tallies, 2)},
		}},
		{naval.Strategies()[0], "Moves=9 Targeting=-1", nil},
		{naval.Waters{Rows: 1, Cols: 3, Ships: []int{1}}, "zero", []any{naval.Waters{Rows: 1, Cols: 3}}},
		{fleet, "zero", nil},
		{hand, "zero", []any{new(naval.Hand)}},
		{shooter, "zero", []any{new(naval.Shooter)}},
		{match, "zero", []any{new(naval.Match)}},

		{half, "zero", []any{new(listing.Listing)}},
		{program, "zero", []any{new(listing.Program)}},

		{points, "zero", nil},
		{grid.Block{Size: 1}, "First=-1 First=1,Size=9223372036854775807", nil},
	}
	for _, value := range []any{
		castle.Case1, castle.Complete, castle.Exact, castle.PlaysLine, castle.Right, castle.Castle,
		tower.Automatic, tower.Sacrifice, tower.Simultaneous, tower.Even, tower.Towers, ants.Focus,
		naval.Random, naval.Hit, naval.Left, naval.Optimal, naval.Classic, naval.Proper, naval.Ways,
	} {
		list = append(list, sample{valid: value})
	}
	return list
}

var twoAnts = []ants.Ant{{Owner: 'A'}, {Row: 1, Owner: 'B'}}

// plain contains values of types without invalid values: their methods look up names or add up numbers, whatever these
// are.
var plain = []any{
	castle.Checksum(0),
	castle.FirstErrors{},
	castle.Histogram{},
	castle.Value{},
	castle.Path{},
	castle.Tally{},
	castle.WaveSum{},
	tower.Probability{},
	tower.Uint128{},
	naval.Cells{},
	naval.Game{},
	naval.Ship{},
	naval.ShotsChecksum(0),
	naval.Tally{},
	grid.Range{},
	listing.Error{},
	listing.Tally{},
}

// answered gives the reason why a method returns a result although its receiver or an argument is invalid.
var answered = map[string]string{
	"castle.Totals.Of":         "there is no tally of that name",
	"naval.Totals.Of":          "there is no tally of that strategy",
	"naval.Totals.Games":       "adds up what there is",
	"naval.Totals.Checksum":    "adds up what there is",
	"naval.Measurement.Sorted": "puts in order what there is",
	"naval.Cells.Has":          "such a cell is in no set",
	"naval.Fleet.Cells":        "what is no ship has no cells",
}

// given returns arguments for methods, in addition to the valid samples.
func given() []any {
	state := towerBattle.Start()
	return []any{
		int64(1), int(1), uint64(1), true, "1", rand.New(rand.NewPCG(1, 1)),
		make([]int64, 2), castle.Algorithms()[:1],
		castle.Tally{Name: "exact"},
		castle.Value{Winner: castle.Castle},
		tower.Greedy.Aims(state), tower.Greedy.Aims, twoAnts, func(int) rune { return 'x' },
		naval.Options{},
	}
}

// implementing contains arguments for parameters of interface types.
var implementing = map[reflect.Type]any{
	reflect.TypeFor[fmt.Stringer]():   starlark.MakeInt(1),
	reflect.TypeFor[starlark.Value](): starlark.MakeInt(1),
}

// passing maps packages that only pass on their arguments to the packages that reject invalid ones.
var passing = map[string]string{"games": "listing"}

// lines returns a description of the problem unless a call ends with a one-line error, or with a one-line panic that
// begins with the name of the package. If the call returns an iterator, lines takes a few values from it.
func lines(pkg string, call func() []reflect.Value) (problem string) {
	pkg = cmp.Or(passing[pkg], pkg)
	defer func() {
		switch value := recover().(type) {
		case nil:
		case string:
			problem = ""
			if !strings.HasPrefix(value, pkg+": ") || strings.Contains(value, "\n") {
				problem = fmt.Sprintf("panics with %q", value)
			}
		case runtime.Error:
			problem = fmt.Sprintf("fails: %v", value)
		default:
			problem = fmt.Sprintf("panics with a %T: %v", value, value)
		}
	}()
	for _, result := range call() {
		if err := errorOf(result); err != nil {
			if strings.Contains(err.Error(), "\n") {
				return fmt.Sprintf("its error has several lines: %v", err)
			}
			return ""
		}
	}
	return "answers"
}

// errorOf returns the error in a result: the result itself, or the error that an iterator yields.
func errorOf(result reflect.Value) error {
	if err, ok := result.Interface().(error); ok {
		return err
	}
	t := result.Type()
	if t.Kind() != reflect.Func || t.NumOut() != 0 || t.NumIn() != 1 || t.In(0).Kind() != reflect.Func ||
		result.IsNil() {
		return nil
	}
	var found error
	left := 3
	result.Call([]reflect.Value{reflect.MakeFunc(t.In(0), func(yielded []reflect.Value) []reflect.Value {
		for _, value := range yielded {
			if err, ok := value.Interface().(error); ok {
				found = err
			}
		}
		left--
		return []reflect.Value{reflect.ValueOf(left > 0)}
	})})
	return found
}

// library is the state of a test in this file: a valid value and the invalid values of each type, and the methods found
// so far.
type library struct {
	*testing.T
	valid   map[reflect.Type]reflect.Value
	invalid map[reflect.Type][]any
	excused map[string]bool // the methods in answered that return a result
}

// typeName returns the name of a type, or of the type that it points to, qualified by its package.
func typeName(t reflect.Type) string { return strings.TrimPrefix(t.String(), "*") }

// untested lists methods that accept any receiver, because they print it or overwrite it.
var untested = []string{"String", "Error", "Unwrap", "UnmarshalText", "UnmarshalJSON"}

// arguments returns valid arguments for a method. It leaves out variadic parameters.
func (l *library) arguments(name string, method reflect.Type) (list []reflect.Value) {
	for i := range method.NumIn() {
		switch in := method.In(i); {
		case method.IsVariadic() && i == method.NumIn()-1:
		case in == reflect.TypeFor[context.Context]():
			list = append(list, reflect.ValueOf(l.Context()))
		case l.valid[in].IsValid():
			list = append(list, l.valid[in])
		default:
			l.Fatalf("%s takes a %v: this test has none, add one to the samples, or to what is given", name, in)
		}
	}
	return list
}

// refuses fails the test unless a call with an invalid value is rejected.
func (l *library) refuses(name string, with any, call func() []reflect.Value) {
	pkg, _, _ := strings.Cut(name, ".")
	switch problem := lines(pkg, call); {
	case problem == "":
	case problem == "answers" && answered[name] != "":
		l.excused[name] = true
	default:
		l.Errorf("%s, with the invalid %T %+v: %s", name, with, with, problem)
	}
}

// onPointer returns a pointer to a copy of a value, so that pointer methods can be called. It returns a pointer
// unchanged.
func onPointer(value any) reflect.Value {
	v := reflect.ValueOf(value)
	if v.Kind() == reflect.Pointer {
		return v
	}
	to := reflect.New(v.Type())
	to.Elem().Set(v)
	return to
}

// promoted reports whether a method belongs to an embedded field. Such methods are tested with that field's type.
func promoted(t reflect.Type, name string) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return false
	}
	for i := range t.NumField() {
		field := t.Field(i)
		if _, has := reflect.PointerTo(field.Type).MethodByName(name); field.Anonymous && has {
			return true
		}
	}
	return false
}

// TestInvalid checks that no method of the analysis returns a result for an invalid receiver or argument. It must
// return an error, or panic with a line that explains what is wrong.
func TestInvalid(t *testing.T) {
	l := &library{t, map[reflect.Type]reflect.Value{}, map[reflect.Type][]any{}, map[string]bool{}}
	seen := map[string]bool{}
	renew := func() {
		for _, s := range samples(t) {
			typ := reflect.TypeOf(s.valid)
			l.valid[typ], l.invalid[typ] = reflect.ValueOf(s.valid), s.invalid()
		}
		for _, value := range append(given(), plain...) {
			l.valid[reflect.TypeOf(value)] = reflect.ValueOf(value)
		}
		for typ, value := range implementing {
			l.valid[typ] = reflect.ValueOf(value)
		}
	}
	renew()
	for _, value := range plain {
		l.invalid[reflect.TypeOf(value)] = nil
	}
	byName := func(a, b reflect.Type) int { return strings.Compare(a.String(), b.String()) }
	for _, typ := range slices.SortedFunc(maps.Keys(l.invalid), byName) {
		seen[typeName(typ)] = true
		methods := onPointer(l.valid[typ].Interface()).Type()
		for i := range methods.NumMethod() {
			method := methods.Method(i)
			name := typeName(typ) + "." + method.Name
			if slices.Contains(untested, method.Name) || promoted(typ, method.Name) {
				continue
			}
			renew() // because methods may change their receivers and arguments
			l.method(name, typ, method.Name)
		}
	}
	for name, why := range answered {
		if !l.excused[name] {
			t.Errorf("%s does not answer for invalid values (%q): leave it out", name, why)
		}
	}
	for name := range declaredIn(t, withMethods) {
		if !seen[name] {
			t.Errorf("%s has methods: add it to the samples, or to the plain types", name)
		}
	}
}

func (l *library) method(name string, typ reflect.Type, method string) {
	of := func(receiver any) reflect.Value { return onPointer(receiver).MethodByName(method) }
	valid := l.valid[typ].Interface()
	arguments := l.arguments(name, of(valid).Type())
	problem := lines(name, func() []reflect.Value { return of(valid).Call(arguments) })
	if problem != "" && problem != "answers" {
		l.Errorf("%s, with nothing but valid values: %s", name, problem)
	}
	for _, receiver := range l.invalid[typ] {
		l.refuses(name, receiver, func() []reflect.Value { return of(receiver).Call(arguments) })
	}
	for i, argument := range arguments {
		for _, wrong := range l.invalid[argument.Type()] {
			changed := slices.Clone(arguments)
			changed[i] = reflect.ValueOf(wrong)
			l.refuses(name, wrong, func() []reflect.Value { return of(valid).Call(changed) })
		}
	}
}

// declaredIn returns the exported names that find returns for declarations in the analysis.
func declaredIn(t *testing.T, find func(ast.Decl) (name string, found bool)) map[string]bool {
	names := map[string]bool{}
	ours := func(name string) bool {
		return strings.HasPrefix(name, "analysis/") && !strings.Contains(name, "/internal/") &&
			strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go")
	}
	inEach(tree(t), ours, func(name string, source []byte) []string {
		file := must.Get(parser.ParseFile(token.NewFileSet(), name, source, parser.SkipObjectResolution))
		for _, d := range file.Decls {
			if name, found := find(d); found && ast.IsExported(name) {
				names[file.Name.Name+"."+name] = true
			}
		}
		return nil
	})
	return names
}

// withMethods returns the name of the type to which an exported method belongs.
func withMethods(d ast.Decl) (string, bool) {
	f, ok := d.(*ast.FuncDecl)
	if !ok || f.Recv == nil || !f.Name.IsExported() || slices.Contains(untested, f.Name.Name) {
		return "", false
	}
	of := f.Recv.List[0].Type
	if star, is := of.(*ast.StarExpr); is {
		of = star.X
	}
	id, ok := of.(*ast.Ident)
	return fmt.Sprint(id), ok
}

// thatTake returns the name of a declared function that has parameters. It returns false for any other declaration.
func thatTake(d ast.Decl) (string, bool) {
	f, ok := d.(*ast.FuncDecl)
	if !ok || f.Recv != nil || len(f.Type.Params.List) == 0 {
		return "", false
	}
	return f.Name.Name, true
}

// A badCall is a call of a function with an invalid argument, or of a method with an invalid number. The test adds a
// context as the first argument if the function takes one.
type badCall struct {
	name string
	call any
	with []any
}

var (
	square  = ants.World{Rows: 2, Cols: 2, Radius2: 5}
	oneShip = naval.Sample{Fleets: 1, Shots: 50, Squares: 2500}
)

func badCalls(t *testing.T) []badCall {
	survey := must.Get(castle.NewSurvey(t.Context(), small, small, small, castle.SurveyOptions{}))
	wantAll := func(*ants.Position) (int, bool) { return 0, true }
	half := must.Get(listing.Read("half.star", []byte(halfOfThem), games.CastleSignature, listing.Limits{}))
	return []badCall{
		{"games.Castle", games.Castle, []any{new(listing.Listing)}},
		{"games.Deaths", games.Deaths, []any{new(listing.Listing), square, twoAnts}},
		{"games.Deaths", games.Deaths, []any{half, ants.World{}, twoAnts}},
		{"games.Sink", games.Sink, []any{new(listing.Listing), naval.Fleet{}}},
		{"games.Sink", games.Sink, []any{half, naval.Fleet{}}},
		{"listing.ReadProgram", listing.ReadProgram, []any{"a.star", []byte("x = 1 / 2"), listing.Limits{}}},
		{"listing.ReadProgram", listing.ReadProgram, []any{"a.star", []byte("x = 1"), listing.Limits{Text: -1}}},
		{"games.Tower", games.Tower, []any{new(listing.Listing), tower.Battle{}}},
		{"listing.Read", listing.Read, []any{"a.star", []byte("x = 1"), games.CastleSignature, listing.Limits{}}},
		{"listing.Read", listing.Read, []any{"a.star", []byte(halfOfThem), listing.Signature{}, listing.Limits{}}},
		{"listing.Read", listing.Read, []any{
			"a.star", []byte(halfOfThem), games.CastleSignature,
			listing.Limits{Text: -1},
		}},
		{"castle.ExactAnswers", castle.ExactAnswers, []any{-1, 0}},
		{"castle.ExactAnswers", castle.ExactAnswers, []any{0, -1}},
		{"castle.HuntBounds", castle.HuntBounds, []any{0, 1}},
		{"castle.HuntBounds", castle.HuntBounds, []any{1, -1}},
		{"castle.SmallestCastle", castle.SmallestCastle, []any{0, 1}},
		{"castle.SmallestCastle", castle.SmallestCastle, []any{1, -1}},
		{"castle.CastleFirst", castle.CastleFirst, []any{1, castle.State{}}},
		{"castle.DefendersFirst", castle.DefendersFirst, []any{1, castle.State{Soldiers: -1, CastleHits: 1}}},
		{"castle.NewSurvey", castle.NewSurvey, []any{grid.Range{Last: 1}, small, small, castle.SurveyOptions{}}},
		{"castle.NewPairSearch", castle.NewPairSearch, []any{0, 1, castle.AllPlays}},
		{"castle.NewPairSearch", castle.NewPairSearch, []any{1, -1, castle.AllPlays}},
		{"castle.NewPairSearch", castle.NewPairSearch, []any{1, 1, castle.Plays(9)}},
		{"castle.NewAlgorithm", castle.NewAlgorithm, []any{"Mine", nil}},
		{"castle.Battle.Step", castleBattle.Step, []any{castleBattle.Start(), 1}},
		{"castle.Battle.Tree", castleBattle.Tree, []any{-1}},
		{"castle.Checksum.Add", new(castle.Checksum).Add, []any{castleBattle, -1}},
		{"castle.Survey.SpotCheck", survey.SpotCheck, []any{-1, 1}},

		{"tower.Battle.Play", towerBattle.Play, []any{tower.Even, -1}},
		{"tower.Battle.MinSoldiers", towerBattle.MinSoldiers, []any{tower.Even, -1}},
		{"tower.Battle.MinSoldiersAnyPlay", towerBattle.MinSoldiersAnyPlay, []any{-1}},
		{"tower.Battle.Worst", towerBattle.Worst, []any{-1}},
		{"tower.Battle.Step", towerBattle.Step, []any{towerBattle.Start(), nil}},
		{"tower.Battle.Step", towerBattle.Step, []any{tower.State{}, nil}},
		{"tower.Battle.RoundsFrom", towerBattle.RoundsFrom, []any{towerBattle.Start(), nil}},
		{"tower.Reading.Aims", tower.Sequential.Aims, []any{towerBattle.Start(), nil}},
		{"tower.Order.Aims", tower.Spare.Aims, []any{towerBattle.Start()}},
		{
			"tower.Order.Aims", tower.Sacrifice.Aims,
			[]any{tower.State{Soldiers: 1, Groups: []tower.Group{{Towers: 1, Hits: 2}}}},
		},

		{"ants.World.Distance2", square.Distance2, []any{2, 0, 0, 0}},
		{"ants.Map.At", ants.Map{}.At, []any{0, 0}},
		{"ants.NewSolver", ants.NewSolver, []any{ants.World{}}},
		{"ants.Solve", ants.Solve, []any{ants.World{}, twoAnts, ants.Focus}},
		{"ants.Solve", ants.Solve, []any{ants.World{Rows: 1, Cols: 1, Radius2: 1}, twoAnts, ants.Focus}},
		{"ants.ParseMap", ants.ParseMap, []any{""}},
		{"ants.ReadMap", ants.ReadMap, []any{strings.NewReader("!")}},
		{"ants.Search", ants.Search, []any{ants.Box{}, wantAll}},
		{"ants.Search", ants.Search, []any{ants.Box{Rows: 1, Cols: 1, Owners: 1, Radius2: 1}, nil}},
		{"ants.Outlive", ants.Outlive, []any{0, 1, 5}},
		{"ants.MostOutlived", ants.MostOutlived, []any{0, 20}},
		{"ants.MostOutlived", ants.MostOutlived, []any{36, 100_000_000}},

		{"naval.At", naval.At, []any{11, -3}},
		{"naval.At", naval.At, []any{0, 10}},
		{"naval.CountFleets", naval.CountFleets, []any{0, 1, nil}},
		{"naval.ShotsBound", naval.ShotsBound, []any{0, 1, nil}},
		{"naval.TouchingShotsBound", naval.TouchingShotsBound, []any{0, 1, nil}},
		{"naval.CountTouchingFleets", naval.CountTouchingFleets, []any{0, 1, nil}},
		{"naval.FleetOf", naval.FleetOf, []any{nil}},
		{"naval.Together", naval.Together, []any{[]naval.Ship{{}}}},
		{"naval.PlaceFleet", naval.PlaceFleet, []any{nil, 1, 1}},
		{"naval.PlaceFleet", naval.PlaceFleet, []any{[]naval.Placement{99}, 1, 1}},
		{"naval.Measure", naval.Measure, []any{naval.Strategy{}, naval.Left, 0, 1, naval.Options{}}},
		{"naval.NewMeasurement", naval.NewMeasurement, []any{nil, naval.Strategies(), 1, 1, naval.Options{}}},
		{"naval.NewHand", naval.NewHand, []any{naval.Fleet{}}},
		{"naval.NewShooter", naval.NewShooter, []any{naval.Strategy{}, naval.Fleet{}, 1, 1}},
		{"naval.NewMatch", naval.NewMatch, []any{new(naval.Hand), nil, 0}},
		{"naval.Sample.Mean", naval.Sample{}.Mean, nil},
		{"naval.Sample.Margin", oneShip.Margin, nil},
		{"naval.Sample.MeanText", oneShip.MeanText, []any{-1}},
		{"naval.Sample.MarginText", oneShip.MarginText, []any{-1}},
		{"naval.Placement.FleetRate", naval.Left.FleetRate, []any{0, 1}},
		{"naval.Game.Count", naval.Game{}.Count, []any{2}},

		{"grid.ParseNumber", grid.ParseNumber, []any{"", 1}},
		{"grid.ParseRange", grid.ParseRange, []any{"2:1", 1}},
		{"grid.Product", grid.Product, []any{grid.Range{First: 2, Last: 1}}},
		{"phi.Fib", phi.Fib, []any{-1}},
		{"phi.Convergents", phi.Convergents, []any{-1}},
	}
}

// takesAny gives the reason why a function needs no bad call.
var takesAny = map[string]string{
	"castle.AlgorithmsOf": "of other kinds there are none", "castle.AlgorithmNamed": "its ok is false",
	"castle.Folded":      "joins what comes",
	"listing.In":         "any error that is none of a listing comes back",
	"listing.Name":       "any text is made a name",
	"listing.Short":      "shows any value",
	"castle.OutOfEffort": "asks about any error", "grid.Sweep": "of no numbers there are no blocks",
	"phi.BigFib": "any index", "phi.Cmp": "any numbers", "phi.FloorDiv": "any number", "phi.Form": "any numbers",
	"phi.FormOnFibonacci": "any index",
	"phi.HuntInvariant":   "any numbers", "phi.PowerOfPhi": "any index", "phi.Sign": "any numbers",
}

// TestInvalidCalls does the same as TestInvalid for functions, and for invalid numbers.
func TestInvalidCalls(t *testing.T) {
	functions, called := declaredIn(t, thatTake), map[string]bool{}
	for _, bad := range badCalls(t) {
		called[bad.name] = true
		call := reflect.ValueOf(bad.call)
		var arguments []reflect.Value
		if call.Type().NumIn() > 0 && call.Type().In(0) == reflect.TypeFor[context.Context]() {
			arguments = append(arguments, reflect.ValueOf(t.Context()))
		}
		for _, value := range bad.with {
			in := call.Type().In(len(arguments))
			if in.Kind() == reflect.Slice && call.Type().IsVariadic() {
				in = in.Elem()
			}
			if argument := reflect.Zero(in); value == nil {
				arguments = append(arguments, argument)
			} else {
				arguments = append(arguments, reflect.ValueOf(value).Convert(in))
			}
		}
		pkg, _, _ := strings.Cut(bad.name, ".")
		if problem := lines(pkg, func() []reflect.Value { return call.Call(arguments) }); problem != "" {
			t.Errorf("%s of %v: %s", bad.name, bad.with, problem)
		}
	}
	for name := range functions {
		if called[name] == (takesAny[name] != "") {
			t.Errorf("%s takes something: add a call with what is not valid, or say why there is none, and not both",
				name)
		}
	}
	for name := range takesAny {
		if !functions[name] {
			t.Errorf("%s: there is no such function, leave it out", name)
		}
	}
}
