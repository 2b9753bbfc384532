//go:build !wasip1

package program

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"reflect"
	"strings"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
	"github.com/tetratelabs/wazero/sys"

	"github.com/siegebook/siegebook/internal/cache"
	"github.com/siegebook/siegebook/internal/canceled"
)

// These are the time limits for checking a page in the module, first in the interpreter, then compiled. Compiling the
// module takes as long as a few drawings in the interpreter.
const (
	interpretedTime = 3 * time.Second
	compiledTime    = 30 * time.Second
)

// mostMemory is the maximum memory for checking a page in the module: 1 GiB, in units of 64 KiB.
const mostMemory = 1 << 14

// check runs pages in the module, and calls judge with a verdict on each page.
func (b *builder) check(ctx context.Context, wasm []byte, pages []*made, judge func(*made, verdict)) error {
	for _, way := range []struct {
		config wazero.RuntimeConfig
		limit  time.Duration
	}{
		{wazero.NewRuntimeConfigInterpreter(), interpretedTime}, {wazero.NewRuntimeConfig(), compiledTime},
	} {
		if len(pages) == 0 {
			return nil
		}
		r := wazero.NewRuntimeWithConfig(ctx, way.config.WithCloseOnContextDone(true).
			WithMemoryLimitPages(mostMemory))
		defer r.Close(ctx)
		wasi_snapshot_preview1.MustInstantiate(ctx, r)
		module, err := r.CompileModule(ctx, wasm)
		if err != nil {
			return err
		}
		var late []*made
		for i, p := range pages {
			within, stop := context.WithTimeout(ctx, way.limit)
			v, err := b.compare(within, r, module, p)
			slow := within.Err() != nil
			stop()
			switch {
			case ctx.Err() != nil:
				return canceled.Cause(ctx)
			case slow && way.limit < compiledTime:
				late = pages[i:]
			case slow:
				judge(p, b.differs(p, 0, "the program does not finish within %v", compiledTime))
			case err != nil:
				return err
			default:
				judge(p, v)
			}
			if late != nil {
				break
			}
		}
		pages = late
	}
	return nil
}

// compare runs a page in the module, draws its controls with their start values, and returns a verdict on the results.
// If the results differ only in last digits, the page gets the results of the module.
func (b *builder) compare(ctx context.Context, r wazero.Runtime, module wazero.CompiledModule, p *made) (
	v verdict, err error,
) {
	var stdout, stderr bytes.Buffer
	clock := int64(0)
	tick := func() int64 { clock++; return clock }
	instance, err := r.InstantiateModule(ctx, module, wazero.NewModuleConfig().WithName("").
		WithStartFunctions("_initialize").WithStdout(&stdout).WithStderr(&stderr).
		WithRandSource(sevens{}).
		WithWalltime(func() (int64, int32) { return 0, int32(tick()) }, sys.ClockResolution(1)).
		WithNanotime(tick, sys.ClockResolution(1)).
		WithNanosleep(func(ns int64) { clock += ns }))
	if err != nil {
		return b.differs(p, 0, "the program does not start: %v", err), nil
	}
	defer instance.Close(ctx)
	mark := rand.Text()
	if _, _, err := ask(ctx, instance, "run\n"+p.page.Name+"\n"+mark); err != nil {
		return b.differs(p, 0, "the program ends with an error: %v", err), nil
	}
	again := &running{
		page: &made{page: p.page, result: &PageResult{}}, mark: mark, results: make([]Result, len(p.page.Cells)),
	}
	nothing := func() {}
	again.judge(nil, nil, again.readStdout(&stdout, nothing, nothing), again.readStderr(&stderr))
	if faults := again.page.result.Faults; len(faults) > 0 {
		return b.differs(p, faults[0].Cell, "%s", faults[0].Message), nil
	}
	for i, result := range p.result.Cells {
		switch {
		case i >= len(again.page.result.Cells), !near(result, again.page.result.Cells[i]):
			return b.differs(p, i, "the results differ"), nil
		case v.Near == nil && !reflect.DeepEqual(result, again.page.result.Cells[i]):
			c := p.page.Cells[i]
			v.Near = &Fault{Cell: i, Line: c.Line, Column: c.Column}
		}
	}
	for i, result := range again.page.result.Cells {
		for _, c := range result.Controls {
			figure, start := result.shown(c.Name), ""
			if figure != nil {
				start = figure.Explore.Address()
			}
			text, field, err := ask(ctx, instance,
				strings.Join([]string{c.Name, "light", "rest", start, "", ""}, "\n"))
			if err != nil {
				return b.differs(p, i, "%v%s", err, field), nil
			}
			if figure == nil || !draws(text, figure) {
				return b.differs(p, i, "the first drawing differs: a statement after the control, or the drawing "+
					"itself, changes what is drawn"), nil
			}
		}
	}
	if v.Near != nil {
		p.result.Cells = again.page.result.Cells
		if packed, err := cache.Pack(p.result.Cells); err == nil {
			_ = b.Cache.Put(p.key, packed) // after an error, the next build compares the page again
		}
	}
	return v, nil
}

// sevens is the random source of a page in a browser, as in report/explore/web/worker.js.
type sevens struct{}

func (sevens) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 7
	}
	return len(p), nil
}

// ask sends a request to a module, as worker.js does.
func ask(ctx context.Context, m api.Module, request string) (text, field string, err error) {
	at, err := m.ExportedFunction("request").Call(ctx, uint64(len(request)))
	if err != nil {
		return "", "", err
	}
	m.Memory().Write(uint32(at[0]), []byte(request))
	answer, err := m.ExportedFunction("ask").Call(ctx, uint64(len(request)))
	if err != nil {
		return "", "", err
	}
	var numbers [5]uint32
	for i := range numbers {
		numbers[i], _ = m.Memory().ReadUint32Le(uint32(answer[0]) + uint32(4*i))
	}
	data, _ := m.Memory().Read(numbers[3], numbers[4])
	if numbers[0] != 0 {
		field, words, _ := strings.Cut(string(data), "\n")
		return "", field, errors.New(words)
	}
	return string(data), "", nil
}
