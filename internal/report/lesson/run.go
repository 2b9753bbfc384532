package lesson

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"

	"github.com/siegebook/siegebook/internal/cache"
	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/content"
)

// Runner runs notebooks. Its methods may be called concurrently.
type Runner interface {
	// Fingerprint identifies everything that the outputs depend on, apart from the notebook and the packages it
	// imports: the kernel and its version. All notebooks of a kernel have the same fingerprint. An error means that the
	// notebook cannot be run on this machine, and states what is missing.
	Fingerprint(ctx context.Context, n *jupyter.Notebook) ([]byte, error)
	// Run runs the notebook, and returns it with its outputs. The options name the working folder of its cells. The
	// error names the cell that failed. If it wraps ErrMissing, the notebook cannot be run on this machine.
	Run(ctx context.Context, n *jupyter.Notebook, o jupyter.RunOptions) (*jupyter.Notebook, error)
}

// Kernel is the Runner that starts the kernel named by a notebook.
type Kernel struct {
	// Own returns the project's own kernel. If Own is nil, the installed kernel is used.
	Own func(context.Context) (jupyter.Kernelspec, error)
	// Ready, if not nil, is called before the project's own kernel runs a notebook. Its error states what is missing.
	Ready func(context.Context) error
	// Foreign means that the project's own kernel also runs the notebooks of other kernels that it can run; see
	// RunsInOurs.
	Foreign bool
	// KeepGoing means that the cells after a failed cell run too. Their errors are joined.
	KeepGoing bool

	mu   sync.Mutex
	sums map[string][]byte // the fingerprints so far, by kernel
}

var _ Runner = (*Kernel)(nil)

func (k *Kernel) spec(ctx context.Context, n *jupyter.Notebook) (jupyter.Kernelspec, error) {
	if err := jupyter.CanRun(); err != nil {
		return jupyter.Kernelspec{}, err
	}
	name := cmp.Or(n.Kernel(), jupyter.ProjectKernel)
	if k.Own != nil && (name == jupyter.ProjectKernel || k.Foreign && RunsInOurs(name)) {
		return k.Own(ctx)
	}
	return jupyter.FindKernelspec(name)
}

// RunsInOurs reports whether the project's own kernel can run the notebooks of a kernel. It runs its own notebooks,
// notebooks that name no kernel, and notebooks for gonb, on which it is based.
func RunsInOurs(kernel string) bool {
	return slices.Contains([]string{"", jupyter.ProjectKernel, "gonb"}, kernel)
}

// Fingerprint returns the fingerprint of the kernel. It depends on the kernel's programs and settings, but not on their
// location. Fingerprint reads the programs completely, but only once.
func (k *Kernel) Fingerprint(ctx context.Context, n *jupyter.Notebook) ([]byte, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if sum, known := k.sums[n.Kernel()]; known {
		return sum, nil
	}
	spec, err := k.spec(ctx, n)
	if err != nil {
		return nil, err
	}
	sum, err := spec.Fingerprint(ctx)
	if err != nil {
		return nil, fmt.Errorf("kernel %q: %w", spec.Name, err)
	}
	if k.sums == nil {
		k.sums = map[string][]byte{}
	}
	k.sums[n.Kernel()] = sum
	return sum, nil
}

// ErrMissing means that a notebook cannot be run because something is missing that the user can install. Other errors
// wrap it.
var ErrMissing = errors.New("something is missing")

// missing is an error that wraps ErrMissing, but has its own message.
type missing struct{ error }

func (m missing) Unwrap() []error { return []error{m.error, ErrMissing} }

// Run runs the notebook in a new kernel process.
func (k *Kernel) Run(ctx context.Context, n *jupyter.Notebook, o jupyter.RunOptions) (*jupyter.Notebook, error) {
	spec, err := k.spec(ctx, n)
	if err != nil {
		return nil, err
	}
	if spec.Name == jupyter.ProjectKernel && k.Ready != nil {
		if err := k.Ready(ctx); err != nil {
			return nil, missing{err}
		}
	}
	o.Kernel, o.KeepGoing = spec, k.KeepGoing
	return jupyter.Run(ctx, n, o)
}

// runKind is the kind of cache entries that hold the cells of executed notebooks. Its number must change when the
// meaning of the entries changes.
const runKind = "notebook-run-2"

// work returns a hash of everything in a notebook that its outputs depend on. Prose and the outputs of earlier runs do
// not count.
func work(n *jupyter.Notebook) []byte {
	hash := sha256.New()
	fmt.Fprintf(hash, "%q %q%s\n", n.Kernel(), n.Language(), n.Values())
	for _, c := range n.Cells() {
		if c.Kind == jupyter.Code {
			fmt.Fprintf(hash, "%q %q\n", c.Source, c.Tags)
		}
	}
	return hash.Sum(nil)
}

// keptRuns gives access to the cached runs for a kernel's fingerprint and a hash of packages.
type keptRuns struct {
	store                 *cache.Cache
	fingerprint, packages []byte
}

func (k keptRuns) key(kind string, work []byte) cache.Key {
	return cache.NewKey(kind, work, k.fingerprint, k.packages)
}

// run returns the packed cells of an executed notebook, and whether the notebook was run now. If nothing has changed
// since the last run, the cells come from the cache.
func (k keptRuns) run(ctx context.Context, n *jupyter.Notebook, r Runner, dir string) (
	executed []byte, now bool, err error,
) {
	executed, err = k.store.Do(k.key(runKind, work(n)), func() ([]byte, error) {
		now = true
		executed, err := r.Run(ctx, n, jupyter.RunOptions{Dir: dir})
		if err != nil {
			return nil, err
		}
		cells := executed.Cells()
		if _, err := merge(n.Cells(), cells); err != nil {
			return nil, err
		}
		return cache.Pack(cells)
	})
	return executed, now, err
}

// hasResults reports whether the cache has the results of a notebook.
func (k keptRuns) hasResults(n *jupyter.Notebook) bool {
	_, ok := k.store.Get(k.key(runKind, work(n)))
	return ok
}

// merge copies the outputs of executed cells to the code cells among cells, whose prose may be newer.
func merge(cells, executed []jupyter.Cell) ([]jupyter.Cell, error) {
	next := 0
	for i := range cells {
		if cells[i].Kind != jupyter.Code {
			continue
		}
		for next < len(executed) && executed[next].Kind != jupyter.Code {
			next++
		}
		if next == len(executed) || executed[next].Source != cells[i].Source {
			return nil, fmt.Errorf("the run did not return the cells of the notebook: %s is missing",
				cells[i].Name(i))
		}
		cells[i].Outputs, cells[i].ExecutionCount = executed[next].Outputs, executed[next].ExecutionCount
		next++
	}
	return cells, nil
}

// withOutputs returns the cells of a notebook with the outputs of its packed run. Without a run, it returns them with
// the outputs that are stored in the notebook.
func withOutputs(n *jupyter.Notebook, run []byte) ([]jupyter.Cell, error) {
	if len(run) == 0 {
		return Stored(n), nil
	}
	executed, err := cache.Unpack[[]jupyter.Cell](run)
	if err != nil {
		return nil, err
	}
	return merge(n.Cells(), executed)
}

// Stored returns the cells of a notebook with the outputs that are stored in it. The cells get no execution numbers,
// because numbers from several sessions do not fit together.
func Stored(n *jupyter.Notebook) []jupyter.Cell {
	cells := n.Cells()
	for i := range cells {
		cells[i].ExecutionCount = 0
	}
	return cells
}

// HasResults reports whether cells have outputs.
func HasResults(cells []jupyter.Cell) bool {
	return slices.ContainsFunc(cells, func(c jupyter.Cell) bool { return len(c.Outputs) > 0 })
}

// Digest returns a hash of the contents of pages: their texts, pictures and downloads.
func Digest(pages []site.Page) []byte {
	hash := sha256.New()
	for _, p := range pages {
		bare := p
		bare.Body, bare.Blocks, bare.Figures = nil, nil, nil
		writeJSON(hash, bare)
		digest(hash, p.Body)
		for _, name := range slices.Sorted(maps.Keys(p.Blocks)) {
			fmt.Fprintf(hash, "%q %d", name, len(p.Blocks[name]))
			digest(hash, p.Blocks[name])
		}
		for _, f := range p.Figures {
			digest(hash, []content.Block{&f})
		}
	}
	return hash.Sum(nil)
}

func digest(hash io.Writer, blocks []content.Block) {
	for _, b := range blocks {
		switch block := b.(type) {
		case *content.Figure: // drawings may be binary, so they are not written as JSON
			fmt.Fprintf(hash, "%q %q", block.Light, block.Dark)
			bare := *block
			bare.Light, bare.Dark = nil, nil
			b = &bare
		case content.Fold:
			fmt.Fprintf(hash, "%T %q %d", b, block.Title, len(block.Body))
			digest(hash, block.Body)
			continue
		}
		fmt.Fprintf(hash, "%T", b)
		writeJSON(hash, b)
	}
}

// writeJSON writes a value as JSON. encoding/json sorts the keys of maps.
func writeJSON(w io.Writer, value any) {
	data, err := json.Marshal(value)
	if err != nil {
		panic("lesson: a page that is not JSON: " + err.Error())
	}
	_, _ = io.Copy(w, bytes.NewReader(data))
}
