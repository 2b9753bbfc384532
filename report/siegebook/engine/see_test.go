package engine_test

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/report/compile"
	"github.com/siegebook/siegebook/report/explore"
	"github.com/siegebook/siegebook/report/explore/module"
	"github.com/siegebook/siegebook/report/pictures"
	"github.com/siegebook/siegebook/report/siegebook/engine"
)

// settings returns random values of a picture: mostly small values that can be drawn, some values of any size, and
// sometimes an invalid value.
func settings(r *rand.Rand, p pictures.Picture) string {
	var all []string
	for _, f := range p.Fields {
		value := f.Start
		switch {
		case r.IntN(60) == 0:
			value = []string{"", "x", "-1", "0", "99999999999999999999", "1,2,3"}[r.IntN(6)]
		case f.Memory:
		case strings.HasPrefix(f.Label, "last "):
			value = fmt.Sprint(64 + r.IntN(10)) // at least as large as the first number
		case len(f.Options) > 0:
			value = f.Options[r.IntN(len(f.Options))].Value
		default:
			most := min(f.Most, 1<<r.IntN(7))
			if r.IntN(20) == 0 && p.Name != "castle-compared" && p.Name != "castle-counts" {
				most = math.MaxInt64 >> r.IntN(60)
			}
			value = fmt.Sprint(f.Least + r.Int64N(max(1, most-f.Least)))
		}
		all = append(all, f.Name+"="+value)
	}
	switch p.Name {
	case "castle-play":
		all = append(all, "moves="+moves(r, p, strings.Join(all, "&")))
	case "naval-play":
		all = append(all, "shots="+shots(r), "phase="+[]string{"play", "play", "place"}[r.IntN(3)])
		if r.IntN(4) == 0 {
			all = append(all, "fleet=00r4.03d3", "held=1", "at=55")
		}
	}
	return strings.Join(all, "&")
}

// moves returns orders for a battle that readers play. Sometimes one of them is illegal.
func moves(r *rand.Rand, p pictures.Picture, battle string) string {
	v, err := p.Parse(battle)
	if err != nil {
		return ""
	}
	b := castle.Battle{Soldiers: v.Int("n"), CastleHits: v.Int("s"), DefendersPerWave: v.Int("d")}
	state, winner := b.Start(), castle.Undecided
	var all []string
	for range r.IntN(20) {
		if winner != castle.Undecided {
			break
		}
		low, high := state.Moves()
		order := low + r.Int64N(high-low+1)
		all = append(all, fmt.Sprint(order))
		state, winner = b.Step(state, order)
	}
	if r.IntN(10) == 0 {
		all = append(all, "7")
	}
	return strings.Join(all, ",")
}

// shots returns some cells. In rare cases it contains the same cell twice.
func shots(r *rand.Rand) string {
	var all strings.Builder
	for _, c := range r.Perm(100)[:r.IntN(40)] {
		fmt.Fprintf(&all, "%02d", c)
	}
	if r.IntN(10) == 0 {
		return "1111"
	}
	return all.String()
}

func see(t *testing.T, p pictures.Picture, settings string, hand pictures.Hand) (pictures.View, module.Reply, error) {
	t.Helper()
	reply, err := engine.Module.See(p.Name, settings, "", hand)
	if err != nil {
		return pictures.View{}, reply, err
	}
	var view pictures.View
	must.Do(t, json.Unmarshal([]byte(reply.Text), &view))
	return view, reply, nil
}

// TestSee checks that the drawing that a page shows at rest is, byte for byte, the figure for paper, and that the
// engine does not send a drawing again that the page already has.
func TestSee(t *testing.T) {
	for _, p := range engine.Module.Pictures {
		if p.Exercise != nil {
			continue // TestExercises tests the exercises
		}
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			random, drawn := rand.New(rand.NewPCG(1, 2)), 0
			for range 24 {
				values := settings(random, p)
				view, _, err := see(t, p, values, pictures.Hand{})
				f, wrong := p.Figure(must.Get(pictures.ParseSettings(values))...)
				if (err != nil) && (wrong == nil) || err != nil && strings.ContainsAny(err.Error(), "\n") {
					t.Fatalf("%s: %v, the figure: %v", values, err, wrong)
				}
				if err != nil || wrong != nil {
					continue // nothing can be drawn, for example because no castle can fall
				}
				drawn++
				got := view.Parts[0].Plate.Drawn
				if got == nil || got.SVG != string(f.Light) || got.Alt != f.Alt || got.Width != f.Width ||
					got.Height != f.Height {
					t.Fatalf("%s: the page shows another drawing than the figure", values)
				}
				if view.Answer != f.Explore.Answer || len(got.Legend) != len(f.Legend) {
					t.Errorf("%s: the answer is %q, of the figure %q; legends %v, %v", values, view.Answer,
						f.Explore.Answer, got.Legend, f.Legend)
				}
				dark, _, _ := see(t, p, values, pictures.Hand{Dark: true})
				if dark.Parts[0].Plate.Drawn.SVG != string(f.Dark) {
					t.Errorf("%s: in the dark the page shows another drawing than the figure", values)
				}
				again, _, _ := see(t, p, values, pictures.Hand{Moving: true, Has: []string{view.Parts[0].Plate.Key}})
				if again.Parts[0].Plate.Drawn != nil {
					t.Errorf("%s: the drawing is sent again", values)
				}
			}
			if drawn < 5 {
				t.Errorf("only %d settings are drawn: the test shows nothing", drawn)
			}
		})
	}
}

// sentences returns the texts in parts, each with its numbers.
func sentences(parts []pictures.Part) (all []string) {
	joined := func(spans []pictures.Span) {
		text := ""
		for _, span := range spans {
			text += span.Text
		}
		all = append(all, text)
	}
	for _, part := range parts {
		joined(part.Text)
		switch {
		case part.Plate != nil && part.Plate.Drawn != nil:
			all = append(all, part.Plate.Drawn.Title, part.Plate.Drawn.Alt)
			for _, entry := range part.Plate.Drawn.Legend {
				all = append(all, entry.Label)
			}
		case part.Table != nil:
			all = append(all, part.Table.Caption)
			for _, head := range part.Table.Heads {
				joined(head)
			}
			for _, cell := range slices.Concat(part.Table.Rows...) {
				all = append(all, cell.Text)
			}
		case part.Row != nil:
			for _, button := range part.Row.Buttons {
				all = append(all, button.Label, button.Note)
			}
		case part.Fold != nil:
			all = append(append(all, part.Fold.Summary), sentences(part.Fold.Parts)...)
		}
		for _, column := range part.Beside {
			all = append(all, sentences(column)...)
		}
	}
	return all
}

// one matches the number 1 followed by a plural.
var one = regexp.MustCompile(`(?:^|[ (])1 (?:soldiers|defenders|hits|waves|towers|ants|shots|rounds|battles|ways|enemies|` +
	`ships|kills|paths|tries|positions|games)\b`)

// TestOne checks that no picture contains text such as "1 soldiers".
func TestOne(t *testing.T) {
	for _, p := range engine.Module.Pictures {
		r := rand.New(rand.NewPCG(8, uint64(len(p.Name))))
		for i := range 12 {
			values := ""
			if i > 0 {
				values = settings(r, p)
			}
			for _, f := range numeric(p) { // uses the least possible number for most fields
				if r.IntN(3) > 0 {
					values += fmt.Sprintf("&%s=%d", f.Name, max(f.Least, 1))
				}
			}
			view, _, err := see(t, p, strings.TrimPrefix(values, "&"), pictures.Hand{})
			if err != nil {
				continue
			}
			for _, said := range append(sentences(view.Parts), view.Answer, view.ScreenReaderText, view.Notice) {
				if found := one.FindString(said); found != "" {
					t.Errorf("%s %s: %q in %q", p.Name, values, found, said)
				}
			}
		}
	}
	if !one.MatchString("Against 1 hits") || !one.MatchString("1 soldiers") || one.MatchString("1 soldier") {
		t.Error("the test shows nothing")
	}
}

// numeric returns the fields in which readers type numbers.
func numeric(p pictures.Picture) (all []pictures.Field) {
	for _, f := range p.Fields {
		if !f.Memory && !f.Given && len(f.Options) == 0 {
			all = append(all, f)
		}
	}
	return all
}

// TestEnds checks that if fields are at the ends of their sliders, or at the limits of the numbers that can be typed, a
// picture is drawn, or a one-line error names one of the fields. Both ends of each slider must be drawable. Different
// drawings must have different keys.
func TestEnds(t *testing.T) {
	most := 1 << 10
	if testing.Short() {
		most = 1 << 6
	}
	for _, p := range engine.Module.Pictures {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			r, fields, drawn := rand.New(rand.NewPCG(7, uint64(len(p.Name)))), numeric(p), map[string]bool{}
			keys := map[string]string{}
			end := func(f pictures.Field, which int) string {
				limit := cmp.Or(f.Limit, math.MaxInt64)
				return fmt.Sprintf("%s=%d", f.Name, [...]int64{f.Least, f.Most, min(f.Least+1, limit), limit}[which])
			}
			var cases [][]string
			for which := range 3 { // each field is at an end of its slider; the others are at an end or at the start
				for i, f := range fields {
					for own := range 2 {
						var all []string
						for j, other := range fields {
							switch {
							case i == j:
								all = append(all, end(f, own))
							case which < 2:
								all = append(all, end(other, which))
							}
						}
						cases = append(cases, all)
					}
				}
			}
			every := 1 << (2 * len(fields))
			for ends := range min(every, most) { // two bits per field
				if every > most {
					ends = r.IntN(every)
				}
				var all []string
				for i, f := range fields {
					all = append(all, end(f, ends>>(2*i)&3))
				}
				cases = append(cases, all)
			}
			for i, all := range cases {
				wanted := all
				for _, f := range p.Fields {
					if len(f.Options) > 0 {
						wanted = append(wanted, f.Name+"="+f.Options[r.IntN(len(f.Options))].Value)
					}
				}
				values := strings.Join(wanted, "&")
				view, _, err := see(t, p, values, pictures.Hand{Moving: i%8 > 0})
				var refusal *pictures.Refusal
				switch {
				case errors.As(err, &refusal):
					if !slices.ContainsFunc(fields, func(f pictures.Field) bool {
						return f.Name == refusal.Field && strings.Contains(refusal.Words, f.Label)
					}) || strings.Contains(refusal.Words, "\n") {
						t.Errorf("%s: the refusal %q is about the field %q", values, refusal.Words, refusal.Field)
					}
				case err != nil:
					t.Errorf("%s: %v", values, err)
				default:
					for _, setting := range all {
						drawn[setting] = true
					}
					for _, part := range view.Parts {
						if part.Plate == nil {
							continue
						}
						before, known := keys[part.Plate.Key]
						if keys[part.Plate.Key] = part.Plate.Drawn.SVG; known && before != part.Plate.Drawn.SVG {
							t.Errorf("%s: another drawing has the key %s", values, part.Plate.Key)
						}
					}
				}
			}
			for _, f := range fields {
				for _, end := range []int64{f.Least, f.Most} {
					if !drawn[fmt.Sprintf("%s=%d", f.Name, end)] && p.Exercise == nil { // exercises have no sliders
						t.Errorf("%s = %d, an end of its slider, is never drawn", f.Name, end)
					}
				}
			}
		})
	}
}

// TestSeeMoving checks that the reply for a moving map contains pixels with the colours of the map's cells, and has the
// same box as the drawing at rest. On a narrow screen, the box is taller than it is wide.
func TestSeeMoving(t *testing.T) {
	maps := 0
	for _, p := range engine.Module.Pictures {
		random := rand.New(rand.NewPCG(3, 4))
		for i := range 16 {
			values, tall := settings(random, p), i%2 == 1
			view, reply, err := see(t, p, values, pictures.Hand{Moving: true, Tall: tall})
			if err != nil || view.Parts[0].Plate == nil || !strings.HasPrefix(view.Parts[0].Plate.Key, "moving:") {
				continue
			}
			maps++
			rest, _, err := see(t, p, values, pictures.Hand{Tall: tall})
			must.Do(t, err)
			got, want := view.Parts[0].Plate.Drawn, rest.Parts[0].Plate.Drawn
			if got.Box != want.Box || got.Width != want.Width || got.Height != want.Height ||
				len(reply.Bytes) != 4*got.Columns*got.Rows {
				t.Errorf("%s %s: %+v with %d bytes, at rest %+v", p.Name, values, got.Box, len(reply.Bytes), want.Box)
			}
			if b := got.Box; tall != (b.Bottom-b.Top > b.Right-b.Left) {
				t.Errorf("%s %s: for a narrow screen %v, and the box is %+v", p.Name, values, tall, b)
			}
			if reflect.DeepEqual(view, rest) {
				t.Errorf("%s %s: it is drawn as at rest", p.Name, values)
			}
		}
	}
	if maps < 8 {
		t.Errorf("%d maps move: the test shows nothing", maps)
	}
}

// TestSeeRefuses checks that a one-line error describes what is wrong and names the field.
func TestSeeRefuses(t *testing.T) {
	for _, row := range must.Rows(t, "testdata/answers.txt", "TestSeeRefuses") {
		_, field, err := engine.Module.Ask(strings.Join([]string{row[0], "light", "rest", row[1], "", ""}, "\n"))
		if must.ErrorContains(t, err, row[3], row); field != row[2] {
			t.Errorf("%q: field %q", row, field)
		}
	}
	var refusal *pictures.Refusal
	if _, err := engine.Module.See("castle-hunt", "x=-1", "", pictures.Hand{}); !errors.As(err, &refusal) ||
		refusal.Field != "x" {
		t.Errorf("%v", err)
	}
}

// TestAnswers checks the answers of pictures against testdata/answers.txt, which contains each kind of sentence,
// including with the largest numbers. Tests of other packages check the answers of games that readers play move by
// move.
func TestAnswers(t *testing.T) {
	for _, row := range must.Rows(t, "testdata/answers.txt", "TestAnswers") {
		p := engine.Module.Pictures[slices.IndexFunc(engine.Module.Pictures,
			func(p pictures.Picture) bool { return p.Name == row[0] })]
		view, err := p.See(must.Get(p.Parse(row[1])))
		if err != nil || view.Answer != row[2] {
			t.Errorf("%s %s: %q, %v, want %q", row[0], row[1], view.Answer, err, row[2])
		}
	}
}

func poseTo(t *testing.T, name, settings, do string) pictures.View {
	t.Helper()
	reply, err := engine.Module.See(name, settings, do, pictures.Hand{})
	if err != nil {
		t.Fatalf("%s %s, %s: %v", name, settings, do, err)
	}
	var got pictures.View
	must.Do(t, json.Unmarshal([]byte(reply.Text), &got))
	return got
}

// TestExercises checks that right answers are marked right and all others are marked wrong, both for the page's numbers
// and for other numbers within the bounds. No reply may contain a verdict before the reader answers.
func TestExercises(t *testing.T) {
	exercises := 0
	for _, p := range engine.Module.Pictures {
		if p.Exercise == nil {
			continue
		}
		exercises++
		random := rand.New(rand.NewPCG(5, uint64(len(p.Name))))
		settings := ""
		for range 40 {
			values, err := p.Parse(settings)
			if err != nil {
				t.Fatalf("%s: %v", p.Name, err)
			}
			problem := must.Get(p.Exercise.Pose(values))
			first := poseTo(t, p.Name, settings, "")
			for i, ask := range first.Parts[1].Form.Asks {
				if ask.Verdict != "" || ask.Given != "" {
					t.Errorf("%s %s: %q is judged before it is answered: %+v", p.Name, settings, problem.Asks[i].Label,
						ask)
				}
			}
			for i, ask := range problem.Asks {
				for _, off := range []int64{0, 1, -1, 1 + random.Int64N(50)} {
					given := make([]string, len(problem.Asks))
					given[i] = fmt.Sprint(ask.Answer + off)
					field := poseTo(t, p.Name, settings, "answer "+strings.Join(given, ";")).Parts[1].Form.Asks[i]
					if field.Right != (off == 0) || strings.HasPrefix(field.Verdict, "✓") != (off == 0) {
						t.Errorf("%s %s: %s is %d, and %d is judged %+v", p.Name, settings, ask.Label, ask.Answer,
							ask.Answer+off, field)
					}
				}
			}
			settings = ""
			for name, value := range p.Exercise.Other(random.Uint64() >> 11) {
				settings += "&" + name + "=" + value
			}
			settings = settings[1:]
		}
		solved := poseTo(t, p.Name, "help=solution", "")
		if len(solved.Parts) != 4 || len(solved.Parts[3].Text) == 0 || solved.ScreenReaderText == "" {
			t.Errorf("%s: its solution is not shown: %+v", p.Name, solved)
		}
		other := poseTo(t, p.Name, "help=hint&answer=1", "other 12345")
		if other.Set["answer"] != "" || other.Set["help"] != "" || len(other.Set) < 3 {
			t.Errorf("%s: with other numbers its values are %v", p.Name, other.Set)
		}
		for _, do := range []string{"answer one", "answer", "answer 1.5", "answer 99999999999999999999", "dance"} {
			if got := poseTo(t, p.Name, "", do); got.Notice == "" || strings.Contains(got.Notice, "\n") {
				t.Errorf("%s: %q is told %q", p.Name, do, got.Notice)
			}
		}
	}
	if exercises < 12 {
		t.Errorf("only %d exercises", exercises)
	}
}

// wasm is the pages' engine, run without a browser.
type wasm struct {
	t            *testing.T
	memory       api.Memory
	request, ask api.Function
}

func openModule(t *testing.T, packed []byte) *wasm {
	t.Helper()
	ctx := t.Context()
	unpack := must.Get(gzip.NewReader(bytes.NewReader(packed)))
	code := must.Get(io.ReadAll(unpack))
	runtime := wazero.NewRuntime(ctx)
	t.Cleanup(func() { _ = runtime.Close(context.WithoutCancel(ctx)) })
	wasi_snapshot_preview1.MustInstantiate(ctx, runtime)
	m, err := runtime.InstantiateWithConfig(ctx, code,
		wazero.NewModuleConfig().WithStartFunctions("_initialize").WithStderr(t.Output()))
	must.Do(t, err)
	return &wasm{t, m.Memory(), m.ExportedFunction("request"), m.ExportedFunction("ask")}
}

func (m *wasm) call(f api.Function, args ...uint64) uint32 {
	m.t.Helper()
	results, err := f.Call(m.t.Context(), args...)
	must.Do(m.t, err)
	return uint32(results[0])
}

func (m *wasm) read(at, size uint32) []byte {
	m.t.Helper()
	data, ok := m.memory.Read(at, size)
	if !ok {
		m.t.Fatalf("the engine points outside of its memory: %d bytes at %d", size, at)
	}
	return data
}

// Ask calls the module as a page does. refused is the error that the page would get.
func (m *wasm) Ask(request string) (r module.Reply, field, refused string) {
	m.t.Helper()
	if !m.memory.Write(m.call(m.request, uint64(len(request))), []byte(request)) {
		m.t.Fatal("the engine has no room for a question")
	}
	answer := make([]uint32, 5)
	must.Get(binary.Decode(m.read(m.call(m.ask, uint64(len(request))), 20), binary.LittleEndian, answer))
	text := string(m.read(answer[3], answer[4]))
	if answer[0] != 0 {
		field, refused, _ = strings.Cut(text, "\n")
		return module.Reply{}, field, refused
	}
	return module.Reply{Text: text, Bytes: slices.Clone(m.read(answer[1], answer[2]))}, "", ""
}

// same compares the module's reply with the library's.
func (m *wasm) same(request string) {
	m.t.Helper()
	want, field, err := engine.Module.Ask(request)
	got, gotField, refused := m.Ask(request)
	switch {
	case err != nil:
		if refused != err.Error() || gotField != field {
			m.t.Fatalf("%q: %q of %q, the library: %v of %q", request, refused, gotField, err, field)
		}
	case refused != "" || got.Text != want.Text || !bytes.Equal(got.Bytes, want.Bytes):
		m.t.Fatalf("%q: %+v %s, the library: %+v", request, got, refused, want)
	}
}

// seen is the number of comparisons per picture.
const seen = 6

// acts contains the actions of readers on pictures with which they play.
var acts = map[string][]string{
	"castle-play": {"shoot", "back", "can", "best", "finish", "surprise 7", "return", "to 2"},
	"tower-aim":   {"press 0", "key + 1", "fire", "back", "like greedy", "throw 5", "more all 0"},
	"naval-play":  {"press 5", "press 44", "turn", "chance", "away", "begin", "move", "new", "shoot", "finish", "at 7"},
	"ants-board":  {"press 3", "key B 2", "undo", "clear", "random", "guess", "reveal", "slide 1 2"},
}

// TestWebAssemblySees checks that the module draws every picture as the library does.
func TestWebAssemblySees(t *testing.T) {
	program := explore.Module{Program: "report/siegebook/engine/program"}
	packed, err := compile.Module(t.Context(), "../../..", "", program)
	must.Do(t, err)
	m := openModule(t, packed)
	for _, p := range engine.Module.Pictures {
		t.Run(p.Name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(5, uint64(len(p.Name))))
			for i := range seen * (1 + len(acts[p.Name])) {
				do := ""
				if all := acts[p.Name]; len(all) > 0 && i%2 == 1 {
					do = all[random.IntN(len(all))]
				}
				m.same(strings.Join([]string{
					p.Name, []string{"light", "dark"}[i%2],
					[]string{"rest", "moving", "rest tall", "moving tall"}[i/2%4], settings(random, p), do,
					[]string{"", `{"#":"no. #","the":"der","Wave #":"Runde #",",":" "}`}[i/8%2],
				}, "\n"))
			}
		})
	}
}
