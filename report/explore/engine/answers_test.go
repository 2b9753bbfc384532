package engine_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/explore"
	"github.com/siegebook/siegebook/report/explore/engine"
	"github.com/siegebook/siegebook/report/explore/module"
	"github.com/siegebook/siegebook/report/pictures"
)

func castleOf(v pictures.Values) castle.Battle {
	return castle.Battle{Soldiers: v.Int("n"), CastleHits: v.Int("s"), DefendersPerWave: v.Int("d")}
}

func towersOf(v pictures.Values) tower.Battle {
	return tower.Battle{
		Soldiers: v.Int("n"), HitsPerTower: v.Int("h"), KillsPerTower: v.Int("k"), Towers: v.Int("t"),
	}
}

// huntAnswer plays a hunt by the rules, and says how it ends.
func huntAnswer(v pictures.Values) string {
	n, x := v.Int("n"), v.Int("x")
	if x >= n {
		return "The castle wins with the fall of the castle"
	}
	home, waves, winner := n, int64(0), castle.Soldiers
	b := castle.Battle{Soldiers: n, CastleHits: 1, DefendersPerWave: 1}
	for s := (castle.State{Soldiers: n - x, Defenders: uint64(x)}); x > 0; {
		_, all := s.Moves()
		waves++
		if s, winner = b.Step(s, all); winner != castle.Undecided {
			home = s.Soldiers
			break
		}
	}
	when := "with the fall of the castle"
	if waves > 0 {
		when = pictures.Plural(waves, "wave") + " after the fall"
	}
	switch {
	case winner == castle.Castle:
		return "The castle wins " + when
	case home == 1:
		return "The soldiers win " + when + ", and 1 comes home"
	}
	return "The soldiers win " + when + ", and " + pictures.People(home) + " come home"
}

// fallAnswer says what comes of a fall of the castle in a wave.
func fallAnswer(v pictures.Values) string {
	b, wave := castleOf(v), v.Int("f")
	first, last := b.Falls()
	fall, ok := b.FallIn(wave)
	at := pictures.People(wave)
	switch {
	case v["rows"] == "tried":
		return "" // a reader is asked to try
	case first == 0:
		return "The castle cannot fall"
	case !ok && first == last:
		return fmt.Sprintf("It cannot fall in wave %s, but only in wave %s", at, pictures.People(first))
	case !ok:
		return fmt.Sprintf("It cannot fall in wave %s, but in waves %s to %s", at, pictures.People(first),
			pictures.People(last))
	case fall.Result.Winner == castle.Soldiers:
		return fmt.Sprintf("Falls in wave %s: won in %s, %s of %s lost", at, pictures.Plural(fall.Result.Waves, "wave"),
			pictures.People(b.Soldiers-fall.Result.SoldiersLeft), pictures.Plural(b.Soldiers, "soldier"))
	}
	return fmt.Sprintf("Falls in wave %s: lost in wave %s", at, pictures.People(fall.Result.Waves))
}

// comparedAnswer is the verdict on an algorithm where one that is right judges it, else "".
func comparedAnswer(v pictures.Values) string {
	b := castleOf(v)
	a, _ := castle.AlgorithmNamed(v["algorithm"])
	by, _ := castle.AlgorithmNamed(v["measure"])
	if by.Kind != castle.Exact || a.Affordable != nil {
		return ""
	}
	says, fewest := must.Get(a.Answer(context.Background(), b, castle.Effort{})), b.MinWaves()
	want := map[castle.Verdict]string{
		castle.Right: "right", castle.WrongSide: "✗ wrong side",
		castle.TooMany: "+ too many waves", castle.TooFew: "− too few waves",
	}[says.SoldiersVerdict(fewest)]
	if extra := says.ExtraWaves(fewest); extra > 0 {
		want += fmt.Sprintf(" (%d more)", extra)
	}
	return a.Title + " by " + by.Title + ": " + want
}

// guessAnswer counts the battles on the wrong side of a line.
func guessAnswer(v pictures.Values) string {
	n, line := v.Int("n"), strings.Split(v["line"], ".")
	all, few, many := 0, 0, 0
	for s := int64(1); s <= 3*n; s++ {
		for d := int64(1); d <= 2*n; d++ {
			all++
			won := castle.Battle{Soldiers: n, CastleHits: s, DefendersPerWave: d}.Solve().Winner == castle.Soldiers
			switch said := d <= (pictures.Values{"d": line[s-1]}).Int("d"); {
			case won && !said:
				few++
			case said && !won:
				many++
			}
		}
	}
	if few+many == 0 {
		return fmt.Sprintf("All %d battles are right.", all)
	}
	return fmt.Sprintf("%d of %d battles are wrong: %d that they win, and %d that they do not.", few+many, all, few,
		many)
}

func countsAnswer(v pictures.Values) string {
	var convention castle.Convention
	if err := convention.UnmarshalText([]byte(v["convention"])); err != nil {
		return ""
	}
	counts := must.Get(castleOf(v).Count(context.Background(), castle.CountOptions{Convention: convention}))
	ways := func(h castle.Histogram) string {
		if total := h.Total().String(); total != "1" {
			return content.Thousands(total) + " ways"
		}
		return "1 way"
	}
	return ways(counts.Soldiers) + " for the soldiers, " + ways(counts.Castle) + " for the castle"
}

func treeAnswer(v pictures.Values) string {
	counts := must.Get(castleOf(v).Count(context.Background(), castle.CountOptions{}))
	won, ties, paths := counts.Soldiers.Total(), "", "paths"
	if counts.Ties.Sign() > 0 {
		ties = fmt.Sprintf(", and %v ends in a tie", counts.Ties)
	}
	if won.String() == "1" {
		paths = "path"
	}
	return fmt.Sprintf("On %v %s the soldiers win, on %v the castle%s", won, paths, counts.Castle.Total(), ties)
}

func traceAnswer(v pictures.Values) string {
	b := castleOf(v)
	r := b.Play(b.Solve().Strategy())
	switch r.Winner {
	case castle.Soldiers:
		return fmt.Sprintf("The soldiers win in wave %d with %d left", r.Waves, r.SoldiersLeft)
	case castle.Castle:
		return fmt.Sprintf("The castle wins in wave %d", r.Waves)
	}
	return fmt.Sprintf("A tie: wave %d changes nothing", r.Waves)
}

func towerMapAnswer(v pictures.Values) string {
	var winners []string
	b := towersOf(v)
	for _, strategy := range tower.Strategies() {
		if must.Get(b.Play(strategy, 0)).Winner == tower.Soldiers {
			winners = append(winners, strategy.String())
		}
	}
	verdict := strings.Join(winners, " and ") + " win"
	switch len(winners) {
	case 0:
		verdict = "no play wins"
	case 1:
		verdict = "only " + winners[0] + " wins"
	case len(tower.Strategies()):
		verdict = "all of them win"
	}
	return fmt.Sprintf("%s against %s: %s", pictures.Plural(b.Soldiers, "soldier"), pictures.Plural(b.Towers, "tower"),
		verdict)
}

func towerTraceAnswer(v pictures.Values) string {
	words := ""
	for i, strategy := range []tower.Strategy{tower.Greedy, tower.Fewest} {
		r := must.Get(towersOf(v).Play(strategy, 0))
		words += []string{"By ", ", by "}[i] + fmt.Sprintf("%v the %v win in round %d with %d left", strategy, r.Winner,
			r.Rounds, max(r.SoldiersLeft, r.TowersLeft))
	}
	return words
}

// answers are what pictures say of their values, in the words of the pages and with the library's numbers; "" where
// nothing is known. Those of games that are played move by move are in the tests of their packages.
var answers = map[string]func(pictures.Values) string{
	"castle-map":      func(v pictures.Values) string { return castleOf(v).Reach() },
	"castle-compared": comparedAnswer,
	"castle-hunt":     huntAnswer,
	"castle-wait":     fallAnswer,
	"castle-stairs": func(v pictures.Values) string {
		if waves := castleOf(v).MinWaves(); waves > 0 {
			return "The soldiers win in " + pictures.Plural(waves, "wave")
		}
		return "The soldiers cannot win"
	},
	"castle-guess":  guessAnswer,
	"castle-counts": countsAnswer,
	"castle-trace":  traceAnswer,
	"castle-tree":   treeAnswer,
	"castle-side": func(v pictures.Values) string {
		if waves := castleOf(v).CastleMinWaves(); waves > 0 {
			return fmt.Sprintf("If the soldiers helped it, without wasting a shot, the castle could win in wave %d",
				waves)
		}
		return "Even if the soldiers helped it, without wasting a shot, the castle could not win"
	},
	"tower-map":   towerMapAnswer,
	"tower-trace": towerTraceAnswer,
}

// TestAnswers: the answer of a picture is that of the library, also for the largest numbers.
func TestAnswers(t *testing.T) {
	largest := map[string]string{
		"castle-hunt": "n=9223372036854775807&x=5700357409661599242",
		"castle-wait": "n=1000000000000000000&s=9000000000000000000&d=999999999999999990&f=800000000000000000",
		"castle-map":  "n=9223372036854775807&s=9223372036854775806&d=9223372036854775805",
	}
	for _, p := range engine.Module.Pictures {
		answer := answers[p.Name]
		if answer == nil {
			continue
		}
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			random, judged := rand.New(rand.NewPCG(7, 8)), 0
			for i := range 250 {
				values := settings(random, p)
				if i == 0 {
					values = largest[p.Name]
				}
				if p.Name == "castle-guess" {
					n := 1 + random.Int64N(6)
					var line []string
					for range 3 * n {
						line = append(line, fmt.Sprint(random.Int64N(2*n+1)))
					}
					values = fmt.Sprintf("n=%d&line=%s&seen=yes", n, strings.Join(line, "."))
				}
				v, err := p.Values(values)
				if err != nil {
					continue
				}
				view, err := p.See(v)
				if err != nil {
					continue
				}
				want := content.ForPeople(answer(v))
				if want == "" {
					continue
				}
				judged++
				if content.ForPeople(view.Answer) != want {
					t.Errorf("%s: %q, want %q", values, view.Answer, want)
				}
			}
			if judged < 25 {
				t.Errorf("only %d answers are judged", judged)
			}
		})
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

// TestExercises: the right answers are judged right and all others wrong, for the numbers of the page and for others,
// which stay within their bounds; no reply has an answer before it is given.
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
			values, err := p.Values(settings)
			if err != nil {
				t.Fatalf("%s: %v", p.Name, err)
			}
			problem := p.Exercise.Pose(values)
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
					given[i] = fmt.Sprintf(" %d", ask.Answer+off)
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
		if len(solved.Parts) != 4 || len(solved.Parts[3].Text) == 0 || solved.Say == "" {
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

// wasm is the engine as pages have it, outside of a browser.
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

// Ask is engine.Ask; the error is what a page is told.
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

// same compares an answer of the module with that of the library.
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

// seen is how often a picture is compared.
const seen = 6

// acts are what readers do with the pictures that they play with.
var acts = map[string][]string{
	"castle-play": {"shoot", "back", "can", "best", "finish", "surprise 7", "return", "to 2"},
	"tower-aim":   {"press 0", "key + 1", "fire", "back", "like greedy", "throw 5", "more all 0"},
	"naval-play":  {"press 5", "press 44", "turn", "chance", "away", "begin", "move", "new", "shoot", "finish", "at 7"},
	"ants-board":  {"press 3", "key B 2", "undo", "clear", "random", "guess", "reveal", "slide 1 2"},
}

// TestWebAssemblySees: the module draws every picture as the library does.
func TestWebAssemblySees(t *testing.T) {
	packed, err := explore.Compile(t.Context(), "../../..", "", explore.Modules()[0])
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
				}, "\n"))
			}
		})
	}
}
