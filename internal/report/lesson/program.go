package lesson

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/report/program"
)

// Programs is a Runner that runs a notebook as a Go program, without a kernel. A kernel runs notebooks that cannot be
// one program, for example because they contain commands. If a cell fails, the kernel runs the notebook again to report
// the fault.
type Programs struct {
	Program program.Program
	Kernel  Runner

	wanted atomic.Bool
	asked  sync.Once // guards tools and noGo
	tools  []byte
	noGo   error
}

// WantsKernel reports whether any of the notebooks so far cannot be a program. The result depends only on the
// notebooks.
func (p *Programs) WantsKernel() bool { return p.wanted.Load() }

var _ Runner = (*Programs)(nil)

// Fingerprint returns the fingerprint of Go, or of the kernel if the kernel runs the notebook.
func (p *Programs) Fingerprint(ctx context.Context, n *jupyter.Notebook) ([]byte, error) {
	if _, _, err := n.Merged(); err != nil {
		p.wanted.Store(true)
		return p.Kernel.Fingerprint(ctx, n)
	}
	p.asked.Do(func() { p.tools, p.noGo = p.Program.Fingerprint(ctx) }) // compute it once for all notebooks
	return p.tools, p.noGo
}

// Run returns the notebook with the outputs of all cells.
func (p *Programs) Run(ctx context.Context, n *jupyter.Notebook, o jupyter.RunOptions) (*jupyter.Notebook, error) {
	executed, err := p.Program.RunNotebook(ctx, n, o.Dir)
	if err == nil || ctx.Err() != nil {
		return executed, err
	}
	return p.Kernel.Run(ctx, n, o)
}
