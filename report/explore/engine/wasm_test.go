package engine_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/explore"
	"github.com/siegebook/siegebook/report/explore/engine"
	"github.com/siegebook/siegebook/report/explore/module"
)

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
