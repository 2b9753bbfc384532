package repotest

import (
	"encoding"
	"encoding/json"
	"go/ast"
	"go/token"
	"math/big"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/analysis/listing"
	"github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/internal/must"
	_ "github.com/siegebook/siegebook/internal/rapidseed"
)

// returned contains values of types that exportedTypes does not find through the samples: errors, and results of
// functions.
var returned = []any{
	ants.Found{},
	ants.MapError{},
	ants.Outlived{},
	castle.LimitError{},
	castle.OrderError{},
	castle.OutOfMemoryError{},
	castle.AllPlays,
	castle.TooManyCellsError{},
	castle.TooManyMovesError{},
	grid.PanicError{},
	listing.Entry{},
	listing.Function(""),
	listing.Tuple(nil),
	naval.MisplacedError{},
	tower.LimitError{},
}

// exportedTypes returns the exported types of the analysis that occur in the samples: their types, and the types of
// fields, parameters and results of their methods.
func exportedTypes(t *testing.T) []reflect.Type {
	var found []reflect.Type
	seen := map[reflect.Type]bool{}
	var visit func(reflect.Type)
	visit = func(typ reflect.Type) {
		ours := strings.Contains(typ.PkgPath(), "/analysis/") && !strings.Contains(typ.PkgPath(), "/internal/")
		if seen[typ] || typ.PkgPath() != "" && !ours && typ.PkgPath() != "iter" {
			return
		}
		if seen[typ] = true; ours && token.IsExported(typ.Name()) {
			found = append(found, typ)
		}
		switch typ.Kind() {
		case reflect.Struct:
			for i := range typ.NumField() {
				visit(typ.Field(i).Type)
			}
		case reflect.Map:
			visit(typ.Key())
			visit(typ.Elem())
		case reflect.Array, reflect.Pointer, reflect.Slice:
			visit(typ.Elem())
		case reflect.Func:
			for i := range typ.NumIn() {
				visit(typ.In(i))
			}
			for i := range typ.NumOut() {
				visit(typ.Out(i))
			}
		}
		if ours && typ.Kind() != reflect.Interface {
			for methods, i := reflect.PointerTo(typ), 0; i < methods.NumMethod(); i++ {
				visit(methods.Method(i).Type)
			}
		}
	}
	for _, s := range samples(t) {
		visit(reflect.TypeOf(s.valid))
	}
	for _, value := range slices.Concat(plain, returned, refused) {
		visit(reflect.TypeOf(value))
	}
	return found
}

// refused contains a value of each of the other exported types: functions, and work in progress. Encoding these values
// as JSON must fail.
var refused = []any{
	castle.Algorithm{},
	castle.Cost{},
	&castle.PairSearch{},
	castle.Strategy(nil),
	castle.SurveyOptions{},
	tower.RandomOptions{},
	&ants.Position{}, &ants.Solver{}, &naval.Hand{}, &naval.Match{},
	naval.Options{},
	&naval.Shooter{},
	grid.Grid{},
	grid.Options{},
	&listing.Listing{},
	&listing.Program{},
	listing.Game{},
	listing.Judge(nil),
	listing.Player{},
}

// makers contains functions that create values with unexported fields, or with fields that depend on each other.
var makers = map[reflect.Type]func(*rapid.T) any{
	reflect.TypeFor[*big.Int](): func(t *rapid.T) any {
		return new(big.Int).SetBytes(rapid.SliceOf(rapid.Byte()).Draw(t, "big"))
	},
	reflect.TypeFor[*big.Rat](): func(t *rapid.T) any {
		return big.NewRat(rapid.Int64().Draw(t, "p"), rapid.Int64Min(1).Draw(t, "q"))
	},
	reflect.TypeFor[any](): func(t *rapid.T) any { return rapid.String().Draw(t, "any") },
	reflect.TypeFor[tower.Uint128](): func(t *rapid.T) any {
		count := rapid.Int64Min(0)
		group := tower.Group{Towers: count.Draw(t, "towers"), Hits: count.Draw(t, "hits")}
		if group.Towers == 0 || group.Hits == 0 {
			return tower.Uint128{}
		}
		return tower.State{Groups: []tower.Group{group}}.HitsLeft()
	},
	reflect.TypeFor[castle.WaveSum](): func(t *rapid.T) any {
		number := new(big.Int).SetBytes(rapid.SliceOfN(rapid.Byte(), 0, 16).Draw(t, "sum")).String()
		var sum castle.WaveSum
		if err := sum.UnmarshalText([]byte(number)); err != nil || sum.String() != number {
			t.Fatalf("sum of waves %s: %v, %v", number, sum, err)
		}
		return sum
	},
	reflect.TypeFor[castle.Survey](): func(t *rapid.T) any {
		axis := rapid.Custom(func(t *rapid.T) grid.Range {
			first := rapid.Int64Range(1, 9).Draw(t, "first")
			return grid.Range{First: first, Last: first + rapid.Int64Range(0, 3).Draw(t, "more")}
		})
		soldiers, hits, defenders := axis.Draw(t, "soldiers"), axis.Draw(t, "castle"), axis.Draw(t, "defenders")
		return must.Get(castle.NewSurvey(t.Context(), soldiers, hits, defenders, castle.SurveyOptions{}))
	},
	reflect.TypeFor[naval.Measurement](): func(t *rapid.T) any {
		placements := []naval.Placement{rapid.SampledFrom(naval.Placements()).Draw(t, "placement")}
		moves := rapid.SampledFrom(naval.AllMoves()).Draw(t, "moves")
		strategies := []naval.Strategy{{Moves: moves, Targeting: naval.Proper}}
		seed := rapid.Uint64().Draw(t, "seed")
		return must.Get(naval.NewMeasurement(t.Context(), placements, strategies, 2, seed, naval.Options{}))
	},
	reflect.TypeFor[naval.Strategy](): func(t *rapid.T) any {
		return rapid.SampledFrom(naval.Strategies()).Draw(t, "strategy")
	},
	reflect.TypeFor[naval.Cells](): func(t *rapid.T) any {
		fleet, _, err := naval.PlaceFleet(naval.Placements(), rapid.Uint64().Draw(t, "seed"), 0)
		must.Do(t, err)
		return fleet.Cells()
	},
	reflect.TypeFor[ants.Map](): func(t *rapid.T) any {
		cols := rapid.IntRange(0, 5).Draw(t, "cols")
		if cols == 0 {
			return ants.Map{}
		}
		row := rapid.StringOfN(rapid.RuneFrom([]rune(".?%AbΩ")), cols, cols, -1)
		return must.Get(ants.ParseMap(strings.Join(rapid.SliceOfN(row, 1, 5).Draw(t, "rows"), "\n")))
	},
	reflect.TypeFor[ants.Outcome](): func(t *rapid.T) any {
		enemies, dead := rapid.SliceOf(rapid.Int()), rapid.SliceOf(rapid.Bool())
		return ants.Outcome{Enemies: enemies.Draw(t, "enemies"), Dead: dead.Draw(t, "dead")}
	},
}

// fill sets a value to a random value of its type.
func fill(t *rapid.T, v reflect.Value, depth int) {
	if made := makers[v.Type()]; made != nil {
		v.Set(reflect.ValueOf(made(t)))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if !v.Type().Field(i).IsExported() {
				t.Fatalf("%v has the unexported field %s: give the type MarshalText, and a maker in this test",
					v.Type(), v.Type().Field(i).Name)
			}
			if v.Type().Field(i).Tag.Get("json") != "-" {
				fill(t, v.Field(i), depth+1)
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(t, v.Index(i), depth+1)
		}
	case reflect.Slice:
		if size := rapid.IntRange(-1, 2).Draw(t, "size"); size >= 0 {
			v.Set(reflect.MakeSlice(v.Type(), min(size, max(0, 6-depth)), 2))
		}
		for i := range v.Len() {
			fill(t, v.Index(i), depth+1)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range rapid.IntRange(0, 2).Draw(t, "size") {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			fill(t, key, depth+1)
			fill(t, value, depth+1)
			v.SetMapIndex(key, value)
		}
	case reflect.Pointer:
		if rapid.Bool().Draw(t, "there") && depth < 6 {
			v.Set(reflect.New(v.Type().Elem()))
			fill(t, v.Elem(), depth+1)
		}
	case reflect.Int8: // an enumeration: a value that it cannot write is not one of its values
		_, named := v.Interface().(encoding.TextMarshaler)
		v.Set(rapid.Custom(func(t *rapid.T) reflect.Value {
			value := reflect.New(v.Type()).Elem()
			value.SetInt(int64(rapid.Int8Range(0, 12).Draw(t, "value")))
			return value
		}).Filter(func(value reflect.Value) bool {
			if !named {
				return true
			}
			_, err := value.Interface().(encoding.TextMarshaler).MarshalText()
			return err == nil
		}).Draw(t, v.Type().Name()))
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(rapid.Int64().Draw(t, "int") >> (64 - v.Type().Bits()))
	case reflect.Uint8, reflect.Uint64:
		v.SetUint(rapid.Uint64().Draw(t, "uint") >> (64 - v.Type().Bits()))
	case reflect.Float64:
		v.SetFloat(rapid.Float64().Draw(t, "float"))
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "bool"))
	case reflect.String:
		v.SetString(rapid.String().Draw(t, "string"))
	default:
		t.Fatalf("%v: this test makes no such values", v.Type())
	}
}

// keyForm matches valid JSON keys.
var keyForm = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)

// badKeys returns the fields of a struct that have no JSON key, or an invalid one, unless the type encodes itself.
func badKeys(typ reflect.Type) (fields []string) {
	for _, own := range []reflect.Type{reflect.TypeFor[json.Marshaler](), reflect.TypeFor[encoding.TextMarshaler]()} {
		if typ.Implements(own) {
			return nil
		}
	}
	for i := range typ.NumField() {
		field := typ.Field(i)
		if key := field.Tag.Get("json"); field.IsExported() && !field.Anonymous && key != "-" &&
			!keyForm.MatchString(key) {
			fields = append(fields, field.Name)
		}
	}
	return fields
}

// TestJSON checks for every exported type of the analysis that a value encoded as JSON is either decoded as the same
// value or rejected. No type may silently lose data.
func TestJSON(t *testing.T) {
	same := cmp.Options{
		cmpopts.EquateEmpty(),
		cmp.Comparer(func(a, b *big.Int) bool { return a == b || a != nil && b != nil && a.Cmp(b) == 0 }),
		cmp.Comparer(func(a, b *big.Rat) bool { return a == b || a != nil && b != nil && a.Cmp(b) == 0 }),
		cmpopts.IgnoreUnexported(ants.Outcome{}), // its solver; without it, the outcome lists no kills
		cmp.Exporter(func(reflect.Type) bool { return true }),
	}
	types := exportedTypes(t)
	unknown := declaredIn(t, func(d ast.Decl) (string, bool) {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.TYPE {
			return "", false
		}
		return g.Specs[0].(*ast.TypeSpec).Name.Name, len(g.Specs) == 1
	})
	for _, typ := range types {
		delete(unknown, typ.String())
	}
	for name := range unknown {
		t.Errorf("%s: neither the samples lead to it nor is it among what is returned or refused: add it", name)
	}
	for _, typ := range types {
		if slices.ContainsFunc(refused, func(v any) bool { return typeName(reflect.TypeOf(v)) == typ.String() }) {
			continue
		}
		if typ.Kind() == reflect.Struct {
			for _, field := range badKeys(typ) {
				t.Errorf("%v.%s: its key is not like min_waves, give it a json tag", typ, field)
			}
		}
		t.Run(typ.String(), rapid.MakeCheck(func(t *rapid.T) {
			want, got := reflect.New(typ), reflect.New(typ)
			fill(t, want.Elem(), 0)
			text := must.Get(json.Marshal(want.Elem().Interface()))
			if err := json.Unmarshal(text, got.Interface()); err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			if diff := cmp.Diff(want.Interface(), got.Interface(), same); diff != "" {
				t.Fatalf("%s comes back as another value (-written +read):\n%s", text, diff)
			}
		}))
	}
	for _, value := range refused {
		if text, err := json.Marshal(value); err == nil {
			t.Errorf("%T is written as %s, want an error", value, text)
		}
	}
}

// TestJSONRefused checks that JSON that is not a valid value is rejected with an error that contains the value's name,
// the rule and the fix, and that it changes nothing.
func TestJSONRefused(t *testing.T) {
	for _, test := range []struct {
		into       encoding.TextUnmarshaler
		text, want string
	}{
		{new(tower.Uint128), "-1", `number "-1": not a whole number from 0 to 2^128-1, write its decimal digits`},
		{new(tower.Uint128), "340282366920938463463374607431768211456", "2^128-1"},
		{new(castle.WaveSum), "1e3", `sum of waves "1e3": not a whole number`},
		{new(naval.Cells), "00 5", `cell "5": not on the board, write its column and its row, 00 to 99`},
		{new(naval.Cells), "A01", `cell "A01": not on the board`},
		{new(ants.Map), "..\n...", "line 2, column 3: the row is longer"},
	} {
		err := test.into.UnmarshalText([]byte(test.text))
		if err == nil || !strings.Contains(err.Error(), test.want) || !reflect.ValueOf(test.into).Elem().IsZero() {
			t.Errorf("%T of %q: %v, %v, want %q", test.into, test.text, test.into, err, test.want)
		}
	}
}
