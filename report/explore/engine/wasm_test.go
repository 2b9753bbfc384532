package engine_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

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
	unpack, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	code, err := io.ReadAll(unpack)
	if err != nil {
		t.Fatal(err)
	}
	runtime := wazero.NewRuntime(ctx)
	t.Cleanup(func() { _ = runtime.Close(context.WithoutCancel(ctx)) })
	wasi_snapshot_preview1.MustInstantiate(ctx, runtime)
	m, err := runtime.InstantiateWithConfig(ctx, code, wazero.NewModuleConfig().WithStartFunctions("_initialize").WithStderr(t.Output()))
	if err != nil {
		t.Fatal(err)
	}
	return &wasm{t, m.Memory(), m.ExportedFunction("request"), m.ExportedFunction("ask")}
}

func (m *wasm) call(f api.Function, args ...uint64) uint32 {
	m.t.Helper()
	results, err := f.Call(m.t.Context(), args...)
	if err != nil {
		m.t.Fatal(err)
	}
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
	answer := make([]uint32, 7)
	if _, err := binary.Decode(m.read(m.call(m.ask, uint64(len(request))), 28), binary.LittleEndian, answer); err != nil {
		m.t.Fatal(err)
	}
	text := string(m.read(answer[5], answer[6]))
	if answer[0] != 0 {
		field, refused, _ = strings.Cut(text, "\n")
		return module.Reply{}, field, refused
	}
	r.Text, r.Bytes, r.Ints = text, slices.Clone(m.read(answer[3], answer[4])), make([]int64, answer[2])
	if _, err := binary.Decode(m.read(answer[1], 8*answer[2]), binary.LittleEndian, r.Ints); err != nil {
		m.t.Fatal(err)
	}
	return r, "", ""
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
	case refused != "" || got.Text != want.Text || !slices.Equal(got.Ints, want.Ints) || !bytes.Equal(got.Bytes, want.Bytes):
		m.t.Fatalf("%q: %+v %s, the library: %+v", request, got, refused, want)
	}
}

// TestWebAssembly: the module answers every question as the library does.
func TestWebAssembly(t *testing.T) {
	packed, err := explore.Compile(t.Context(), "../../..", "", explore.Modules()[0])
	if err != nil {
		t.Fatal(err)
	}
	m := openModule(t, packed)
	for _, f := range engine.Module.Functions {
		t.Run(f.Name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(1, uint64(len(f.Name))))
			for range rounds(f.Name) {
				request := f.Name
				for _, arg := range samples[f.Name](random) {
					request += "\n" + strconv.FormatInt(arg, 10)
				}
				m.same(request)
			}
		})
	}
}

// rounds is how often a function is compared: what is fast, more often.
func rounds(name string) int {
	count := 20_000
	if name == "castle.answer" {
		count = 1_000_000
	}
	if testing.Short() {
		count /= 10
	}
	return count
}

// seen is how often a picture is compared.
const seen = 6

// TestWebAssemblySees: the module draws every picture as the library does.
func TestWebAssemblySees(t *testing.T) {
	packed, err := explore.Compile(t.Context(), "../../..", "", explore.Modules()[0])
	if err != nil {
		t.Fatal(err)
	}
	m := openModule(t, packed)
	for _, p := range engine.Module.Pictures {
		t.Run(p.Name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(5, uint64(len(p.Name))))
			for i := range seen {
				m.same(strings.Join([]string{"see", p.Name, []string{"light", "dark"}[i%2], []string{"rest", "moving"}[i/2%2], settings(random, p), ""}, "\n"))
			}
		})
	}
}
