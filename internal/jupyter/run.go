package jupyter

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// These are the defaults for fields of RunOptions.
const (
	DefaultCellTimeout  = time.Minute
	DefaultStartTimeout = time.Minute
	DefaultOutputLimit  = 16 << 20
)

// RunOptions specifies how to run a notebook.
type RunOptions struct {
	// Kernel is the kernel to start.
	Kernel Kernelspec
	// Dir is the working folder of the cells; "" means the working folder of this process.
	Dir string
	// CellTimeout limits the time for each cell, and StartTimeout limits the time for starting the kernel. 0 means one
	// minute.
	CellTimeout, StartTimeout time.Duration
	// OutputLimit limits the output of each cell, in bytes. 0 means 16 MiB.
	OutputLimit int64
	// KeepGoing means that the run continues after a cell fails. A later cell that fails only because a failed cell did
	// not define a name is not reported as an error.
	KeepGoing bool
	// Progress, if not nil, is called before each cell and at the end, with the number of finished cells and the number
	// of all cells.
	Progress func(done, all int64)

	patience patience // its field start comes from StartTimeout; the zero value means the default
}

func (o RunOptions) withDefaults() RunOptions {
	o.CellTimeout = cmp.Or(o.CellTimeout, DefaultCellTimeout)
	o.OutputLimit = cmp.Or(o.OutputLimit, DefaultOutputLimit)
	o.patience = cmp.Or(o.patience, defaultPatience)
	o.patience.start = cmp.Or(o.StartTimeout, o.patience.start)
	if o.Progress == nil {
		o.Progress = func(int64, int64) {}
	}
	return o
}

// CellError reports the failure of one cell.
type CellError struct {
	// File is the notebook's file, if known.
	File string
	// Cell names the cell by its id or, without an id, by its 1-based position.
	Cell string
	// Number is the 1-based number that Run All in Jupyter would give the cell, or 0 if it is unknown. FirstLine is the
	// first line of the cell's code.
	Number    int
	FirstLine string
	// Line is the 1-based line of the cell that a compiler error names, or 0 if there is none. The text of Err contains
	// it, too.
	Line int
	// Err is the cause.
	Err error
}

// Error returns the failure as one line.
func (e *CellError) Error() string {
	text := e.Label() + ": " + e.Err.Error()
	if e.File != "" {
		return e.File + ": " + text
	}
	return text
}

// CellErrors returns the failures of cells that are part of an error from Run, in order.
func CellErrors(err error) (all []*CellError) {
	var joined interface{ Unwrap() []error }
	if errors.As(err, &joined) {
		for _, e := range joined.Unwrap() {
			if cell, ok := e.(*CellError); ok {
				all = append(all, cell)
			}
		}
	}
	return all
}

// Label returns a label for the cell: its number and its first line.
func (e *CellError) Label() string {
	if e.Number == 0 {
		return e.Cell
	}
	return fmt.Sprintf("cell [%d] (%s)", e.Number, e.FirstLine)
}

// firstLine returns the first nonempty line of a cell, shortened for messages.
func (c Cell) firstLine() string {
	const longest = 60
	for line := range strings.Lines(c.Source) {
		if line = strings.TrimSpace(line); line != "" && line != "%%" {
			if runes := []rune(line); len(runes) > longest {
				return string(runes[:longest-1]) + "…"
			}
			return line
		}
	}
	return strings.TrimSpace(c.Source)
}

// Unwrap returns e.Err.
func (e *CellError) Unwrap() error { return e.Err }

// Run runs the code cells of a notebook from top to bottom in a new kernel. It returns a copy of the notebook with the
// cells' outputs. The copy does not contain the time of the run. The first cell that fails ends the run, unless it is
// tagged raises-exception or RunOptions.KeepGoing is set. In that case, the copy has the outputs up to that point. The
// error joins a *CellError for each failed cell, see CellErrors. When Run returns, no process of the kernel is left.
func Run(ctx context.Context, n *Notebook, options RunOptions) (*Notebook, error) {
	o := options.withDefaults()
	work := n.work()
	if values := n.Values(); values != "" {
		o.Kernel.Env = maps.Clone(o.Kernel.Env)
		if o.Kernel.Env == nil {
			o.Kernel.Env = map[string]string{}
		}
		o.Kernel.Env[valuesVariable] = values
	}
	s, err := startSession(ctx, o.Kernel, o.Dir, o.patience)
	if err != nil {
		return nil, err
	}
	executed := n.Clone()
	executed.clearOutputs()
	err = s.runCells(ctx, executed, work, o)
	if ctx.Err() != nil {
		s.kill()
		return executed, context.Cause(ctx)
	}
	s.Close()
	return executed, err
}

// CodeCells returns the number of cells that a run executes: all code cells that are neither blank nor tagged
// skip-execution.
func (n *Notebook) CodeCells() int64 { return int64(len(n.work())) }

// work returns the indices of the cells to run.
func (n *Notebook) work() []int {
	var work []int
	for i, c := range n.Cells() {
		if c.Kind == Code && strings.TrimSpace(c.Source) != "" && !c.HasTag(TagSkip) {
			work = append(work, i)
		}
	}
	return work
}

func (s *session) runCells(ctx context.Context, n *Notebook, work []int, o RunOptions) error {
	cells := n.Cells()
	displays := map[string][]*Output{}
	results := map[int]*cellResult{}
	var failures []error
	lost := "" // the code of the cells that failed
	for done, i := range work {
		o.Progress(int64(done), int64(len(work)))
		r, failed := s.runCell(ctx, cells[i], o, displays)
		results[i] = r
		if failed == nil || lacks(failed, lost) {
			continue
		}
		lost += cells[i].Source + "\n"
		refused := new(refusal)
		_ = errors.As(failed, &refused)
		failures = append(failures, &CellError{
			Cell: cells[i].Name(i), Number: done + 1, FirstLine: cells[i].firstLine(), Line: refused.line, Err: failed,
		})
		if !r.ended || !o.KeepGoing {
			break
		}
	}
	// Outputs are set only now because a later cell may have updated a display of an earlier cell.
	for i, r := range results {
		n.setOutputs(i, r.count, r.outputs)
	}
	if failures == nil {
		o.Progress(int64(len(work)), int64(len(work)))
	}
	return errors.Join(failures...)
}

// lacks reports whether a cell failed because of an undefined name that occurs in lost, the code of earlier failed
// cells.
func lacks(failed error, lost string) bool {
	m := lackedName.FindStringSubmatch(failed.Error())
	return m != nil && regexp.MustCompile(`\b`+m[1]+`\b`).MatchString(lost)
}

type cellResult struct {
	count   int
	outputs []*Output
	ended   bool // the kernel has finished the cell and is ready for the next one
}

func (s *session) runCell(
	ctx context.Context, c Cell, o RunOptions, displays map[string][]*Output,
) (*cellResult, error) {
	outputs := newCollector(o.OutputLimit, displays)
	reply, err := s.execute(ctx, c.Source, o.CellTimeout, outputs)
	result := &cellResult{reply.Count, outputs.result(), err == nil}
	if err == nil && reply.Status != "ok" && !c.HasTag(TagRaises) {
		err = failure(reply, result.outputs)
	}
	return result, err
}

// patience limits how long a kernel may take for each step.
type patience struct {
	start     time.Duration // to give its first answer
	interrupt time.Duration // to stop an interrupted cell, so that its last outputs and its traceback are not lost
	shutdown  time.Duration // to end after a shutdown message
	terminate time.Duration // to end after a signal
}

// defaultPatience leaves interrupted commands time to clean up.
var defaultPatience = patience{
	start: DefaultStartTimeout, interrupt: 2 * time.Second, shutdown: time.Second, terminate: 500 * time.Millisecond,
}

// errDied is the error for a kernel that ended by itself.
var errDied = errors.New("the kernel died")

// session is a running kernel and the connection to it. Only one goroutine at a time may use it.
type session struct {
	id      string
	spec    Kernelspec
	wait    patience
	folder  string // a private folder for the connection file and the kernel's temporary files
	process *process
	sockets *sockets
}

// startSession starts a kernel in a working folder, and waits until the kernel answers. The kernel gets this process's
// environment, with the kernelspec's changes.
func startSession(ctx context.Context, spec Kernelspec, dir string, wait patience) (*session, error) {
	limited, cancel := context.WithTimeoutCause(ctx, wait.start,
		fmt.Errorf("the kernel did not answer within %v: check whether %s starts, or allow more time",
			wait.start, spec.Argv[0]))
	defer cancel()
	folder, err := os.MkdirTemp("", "siegebook-kernel-")
	if err != nil {
		return nil, err
	}
	s := &session{id: rand.Text(), spec: spec, wait: wait, folder: folder}
	if err := s.start(limited, dir); err != nil {
		message := s.lastWords()
		s.kill()
		if cause := context.Cause(limited); cause != nil {
			err = cause
		}
		return nil, fmt.Errorf("kernel %s: %w%s", spec.Name, err, message)
	}
	return s, nil
}

func (s *session) start(ctx context.Context, dir string) error {
	c, err := newConnection(s.spec, s.folder)
	if err != nil {
		return err
	}
	file := filepath.Join(s.folder, "kernel-"+rand.Text()+".json") // it contains the key, so only this user can read it
	if err := os.WriteFile(file, encoded(c), 0o600); err != nil {
		return err
	}
	cmd, err := s.command(dir, file)
	if err != nil {
		return err
	}
	if s.process, err = startProcess(cmd, s.id, s.folder); err != nil {
		return fmt.Errorf("cannot start the kernel: %w", err)
	}
	if s.sockets, err = s.dial(ctx, c); err != nil {
		return err
	}
	return s.waitReady(ctx)
}

// command returns the command that starts the kernel. The folder for the kernel's temporary files is removed with the
// session.
func (s *session) command(dir, file string) (*exec.Cmd, error) {
	temp := filepath.Join(s.folder, "tmp")
	if err := os.Mkdir(temp, 0o700); err != nil {
		return nil, err
	}
	// The time zone is UTC, so that outputs do not depend on the machine.
	env := append(s.spec.environment(os.Environ()), "TMPDIR="+temp, "TZ=UTC", "JPY_PARENT_PID="+
		strconv.Itoa(os.Getpid()))
	if err := s.spec.checkTools(env); err != nil {
		return nil, err
	}
	argv := s.spec.arguments(file)
	path, err := lookPath(argv[0], env)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(path, argv[1:]...)
	cmd.Args[0] = argv[0]
	cmd.Dir, cmd.Env = dir, env
	return cmd, nil
}

// dial connects to the kernel. It returns early if the kernel ends before it listens.
func (s *session) dial(ctx context.Context, c connection) (*sockets, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		select {
		case <-s.process.exited:
			cancel(errDied)
		case <-ctx.Done():
		}
	}()
	return dial(ctx, c)
}

// askAgain is the time after which a kernel is asked again whether it is ready. A kernel publishes only to subscribers
// that it knows, and when it first answers, it may not know us yet.
const askAgain = 250 * time.Millisecond

// waitReady waits until the kernel has answered on shell and on iopub.
func (s *session) waitReady(ctx context.Context) error {
	asked := map[string]bool{}
	ask := func() error {
		m := request(s.id, "kernel_info_request", struct{}{})
		asked[m.header.ID] = true
		return s.sockets.send(shell, m)
	}
	ticker := time.NewTicker(askAgain)
	defer ticker.Stop()
	err := ask()
	for replied, heard := false, false; err == nil && !(replied && heard); {
		select {
		case r := <-s.sockets.incoming:
			if err = r.err; asked[r.message.parent.ID] {
				replied = replied || r.message.header.Type == "kernel_info_reply"
				heard = heard || r.channel == iopub
			}
		case <-ticker.C:
			err = ask()
		case <-s.process.exited:
			err = errDied
		case <-ctx.Done():
			err = context.Cause(ctx)
		}
	}
	return err
}

// lastWords returns the exit status of a kernel that has ended by itself, and the last line that it wrote.
func (s *session) lastWords() string {
	if s.process == nil || !s.process.hasExited() {
		return ""
	}
	how := "it exited without an error"
	if s.process.err != nil {
		how = s.process.err.Error()
	}
	if line := lastLine(s.process.stderr.String()); line != "" {
		how += ": " + line
	}
	return " (" + how + ")"
}

func lastLine(text string) string {
	text = strings.TrimSpace(stripANSI(text))
	return strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
}

// interrupt asks the kernel to stop the current cell.
func (s *session) interrupt() {
	if s.spec.InterruptMode != "message" {
		s.process.signalGroup(syscall.SIGINT)
		return
	}
	_ = s.sockets.send(control, request(s.id, "interrupt_request", struct{}{}))
}

// Close ends the kernel: first with a message, then with a signal, and finally by force. When it returns, none of the
// kernel's processes is left.
func (s *session) Close() {
	go func() { // drains messages, so that a kernel that floods us can still read the request
		for {
			select {
			case <-s.sockets.incoming:
			case <-s.sockets.closed:
				return
			}
		}
	}()
	_ = s.sockets.send(control, request(s.id, "shutdown_request", map[string]bool{"restart": false}))
	s.process.exitsWithin(s.wait.shutdown)
	s.kill()
}

// kill ends the kernel without a message, and removes all traces of the session.
func (s *session) kill() {
	if s.process != nil {
		s.process.stop(s.wait.terminate)
	}
	if s.sockets != nil {
		s.sockets.Close()
	}
	_ = os.RemoveAll(s.folder)
}
