package engine_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/siegebook/siegebook/report/explore"
	"github.com/siegebook/siegebook/report/explore/engine"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
)

// module is the engine as pages have it, outside of a browser.
type module struct {
	t              *testing.T
	memory         api.Memory
	arguments, ask api.Function
}

func openModule(t *testing.T, packed []byte) *module {
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
	return &module{t, m.Memory(), m.ExportedFunction("arguments"), m.ExportedFunction("ask")}
}

func (m *module) call(f api.Function, args ...uint64) uint32 {
	m.t.Helper()
	results, err := f.Call(m.t.Context(), args...)
	if err != nil {
		m.t.Fatal(err)
	}
	return uint32(results[0])
}

func (m *module) read(at, size uint32) []byte {
	m.t.Helper()
	data, ok := m.memory.Read(at, size)
	if !ok {
		m.t.Fatalf("the engine points outside of its memory: %d bytes at %d", size, at)
	}
	return data
}

// Call is engine.Call; the error is what a page is told.
func (m *module) Call(name string, args []int64) (r engine.Reply, refused string) {
	m.t.Helper()
	request := []byte(name)
	for _, arg := range args {
		request = binary.LittleEndian.AppendUint64(request, uint64(arg))
	}
	if !m.memory.Write(m.call(m.arguments, uint64(len(request))), request) {
		m.t.Fatal("the engine has no room for a question")
	}
	answer := make([]uint32, 7)
	if _, err := binary.Decode(m.read(m.call(m.ask, uint64(len(name)), uint64(len(args))), 28), binary.LittleEndian, answer); err != nil {
		m.t.Fatal(err)
	}
	text := string(m.read(answer[5], answer[6]))
	if answer[0] != 0 {
		return engine.Reply{}, text
	}
	r.Text, r.Bytes, r.Ints = text, slices.Clone(m.read(answer[3], answer[4])), make([]int64, answer[2])
	if _, err := binary.Decode(m.read(answer[1], 8*answer[2]), binary.LittleEndian, r.Ints); err != nil {
		m.t.Fatal(err)
	}
	return r, ""
}

// TestWebAssembly: the module answers every question as the library does.
func TestWebAssembly(t *testing.T) {
	packed, err := explore.Compile(t.Context(), "../../..", "")
	if err != nil {
		t.Fatal(err)
	}
	m := openModule(t, packed)
	for _, f := range engine.Functions() {
		t.Run(f.Name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(1, uint64(len(f.Name))))
			for range rounds(f.Name) {
				args := samples[f.Name](random)
				want, err := engine.Call(f.Name, args)
				got, refused := m.Call(f.Name, args)
				if err != nil {
					if refused != err.Error() {
						t.Fatalf("%s %v: %q, the library: %v", f.Name, args, refused, err)
					}
				} else if refused != "" || got.Text != want.Text || !slices.Equal(got.Ints, want.Ints) || !bytes.Equal(got.Bytes, want.Bytes) {
					t.Fatalf("%s %v: %+v %s, the library: %+v", f.Name, args, got, refused, want)
				}
			}
		})
	}
}

// rounds is how often a function is compared: what is fast, more often.
func rounds(name string) int {
	if name == "castle.answer" {
		return 1_000_000
	}
	return 20_000
}
