package jupyter

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/siegebook/siegebook/internal/limitedread"
)

// proxy stands between a front end and gonb, and does work that gonb lacks. It passes on every message as it is,
// with these exceptions:
//
//   - gonb gets one cell at a time. When a cell fails, those that wait are answered as aborted: Run All stops there.
//   - Controls in outputs are asked and answered here (controls.go).
//   - Of a failed program the reason and the line of the cell are shown, without the trace (trace.go).
//   - Requests for help name the identifier that they mean (cursor.go), answers are plain text too (cursor.go).
//   - Cells are read by Go's scanner before gonb sees them, which reads them by lines (split.go).
//   - Messages get what gonb asks of them and panics without (cursor.go).
type proxy struct {
	key     signer
	folder  string // private: sockets, the programs of controls, temporary files of gonb and of cells
	outer   map[channel]*server
	inner   *sockets
	process *process // gonb

	mu       sync.Mutex
	asked    map[string]asking // by the id of a request
	waiting  []*cellRequest
	running  *cellRequest
	wanted   time.Time              // when the latest cell came
	outputs  map[string]*cellOutput // by the id of the request
	controls *controls
	declared map[string]int  // which cell has declared something (aside.go)
	forget   []string        // what gonb has to forget when the running cell is done
	hidden   map[string]bool // the requests for that
	notice   string          // for the first cell that runs
}

// asking is a request that gonb has not answered yet.
type asking struct {
	by   *peer
	code string // of the cell that completions are wanted for, as gonb has it
	main int    // where the proxy has put the line %% into it, in code points, or -1
}

// cellRequest is a cell that a front end wants to have executed.
type cellRequest struct {
	by          *peer
	frames      [][]byte
	code        string
	header      header
	stopOnError bool
	// live says that somebody sits in front of it: programs that run notebooks allow no questions.
	live bool
	// last is what says that the cell has ended, where that came before the reply was told.
	last [][][]byte
	// refused says why the cell does not run. In its place gonb gets an empty one, which has a number and an end.
	refused error
	// began is when gonb got it; interrupted says that what it has started has to end with it.
	began       moment
	interrupted bool
}

// RunKernel is what a process does that is nothing but a kernel, for the front end of a connection file: it starts the
// kernel of a command line, which has to take "-kernel FILE" as its last arguments, and stands between the two, until
// either ends, or who has started the process. Then, on Linux, nothing is left that cells have started. Elsewhere only
// those end that stay in the process group.
func RunKernel(file string, argv []string) error {
	signal.Ignore(syscall.SIGINT) // front ends interrupt by a message
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	adoptOrphans()
	defer endDescendants(os.Getpid())
	if os.Getenv("JPY_PARENT_PID") != "" { // by which front ends say that their kernels end with them
		go func() {
			for parent := os.Getppid(); os.Getppid() == parent && ctx.Err() == nil; {
				time.Sleep(parentPause)
			}
			stop()
		}()
	}
	return runProxy(ctx, file, argv)
}

// parentPause lies between two looks at whether the parent lives.
const parentPause = time.Second

// runProxy is RunKernel without what concerns the whole process.
func runProxy(ctx context.Context, file string, argv []string) error {
	var outside connection
	data, err := limitedread.ReadFile(file, limitedread.MiB)
	if err == nil {
		err = json.Unmarshal(data, &outside)
	}
	if err != nil {
		return fmt.Errorf("connection file %s: %w", file, err)
	}
	folder, err := proxyFolder()
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	f := &proxy{
		key: signer(outside.Key), folder: folder, asked: map[string]asking{}, outputs: map[string]*cellOutput{},
		declared: map[string]int{}, hidden: map[string]bool{}, notice: otherClone(argv),
	}
	f.controls = &controls{proxy: f, byID: map[string]*knob{}}
	defer f.controls.endAll("the kernel has ended")
	defer func() {
		limit := time.Now().Add(time.Second) // for front ends to read what the kernel has said at its end
		for _, o := range f.outer {
			o.close(limit)
		}
	}()
	if err := f.listen(outside); err != nil {
		return err
	}
	inside, kernelFile, err := f.innerConnection(outside, filepath.Base(file))
	if err != nil {
		return err
	}
	cmd := exec.Command(argv[0], slices.Concat(argv[1:], quietLog, []string{"-kernel", kernelFile})...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if cmd.Env, err = noInput(folder, append(giveGo(folder, os.Environ()), "TMPDIR="+folder)); err != nil {
		return err
	}
	if values := openedNotebook(); values != "" {
		cmd.Env = append(cmd.Env, valuesVariable+"="+values)
	}
	if address, err := f.controls.listen(ctx); err == nil {
		cmd.Env = append(cmd.Env, controlsVariable+"="+address)
	}
	if f.process, err = startProcess(cmd, rand.Text(), folder); err != nil {
		return err
	}
	defer f.process.stop(defaultPatience.shutdown)
	go func() {
		<-f.process.exited
		cancel(errDied)
	}()
	if f.inner, err = connect(ctx, inside); err != nil {
		f.process.stop(defaultPatience.shutdown)
		return cmp.Or(f.process.err, err)
	}
	defer f.inner.Close()
	var readers sync.WaitGroup
	for c := range f.inner.open {
		readers.Go(func() { f.fromKernel(c) })
	}
	for _, o := range f.outer {
		go o.accept()
	}
	<-ctx.Done()
	f.process.stop(defaultPatience.shutdown)
	readers.Wait()
	return f.process.err
}

// quietLog keeps out of the terminal what gonb notes of each cell, with a trace of itself where the cell cannot be
// read. Errors are said.
var quietLog = []string{"-logtostderr=false", "-log_file=" + os.DevNull, "-stderrthreshold=ERROR"}

// proxyFolder makes a folder for this user alone, whose name leaves room for the sockets in it.
func proxyFolder() (string, error) {
	const name, deepest = "siegebook-front-", "/gonb_12345678/gopls_socket"
	folder, err := os.MkdirTemp("", name)
	if err == nil && len(folder)+len(deepest) > longestSocket {
		_ = os.Remove(folder)
		return os.MkdirTemp("/tmp", name)
	}
	return folder, err
}

// innerConnection picks the sockets between us and the kernel. The name of the file stays, as the kernel finds its id
// there.
func (f *proxy) innerConnection(outside connection, name string) (connection, string, error) {
	var spec Kernelspec
	spec.Name, spec.Metadata.Siegebook.Transport = outside.Name, "ipc"
	c, err := newConnection(spec, f.folder)
	if err != nil {
		return c, "", err
	}
	c.Key = outside.Key
	file := filepath.Join(f.folder, name)
	return c, file, os.WriteFile(file, encoded(c), 0o600)
}

// listen opens the channels for the front end.
func (f *proxy) listen(c connection) error {
	f.outer = map[channel]*server{}
	for channel, port := range c.ports() {
		o := &server{kind: "ROUTER"}
		switch channel {
		case iopub:
			o.kind = "PUB"
		case heartbeat:
			o.kind = "REP"
		}
		o.received = func(by *peer, frames [][]byte) bool { return f.fromFrontEnd(channel, by, frames) }
		f.outer[channel] = o
		var err error
		if o.listener, err = net.Listen(c.address(port)); err != nil {
			return err
		}
	}
	return nil
}

// split parts a message from the prefix that says where it comes from.
func split(frames [][]byte) (prefix, rest [][]byte) {
	at := slices.IndexFunc(frames, func(frame []byte) bool { return bytes.Equal(frame, delimiter) })
	if at < 0 {
		return nil, nil
	}
	return frames[:at], frames[at:]
}

// fromFrontEnd passes on a message of a front end, and says whether it is signed; nothing else is heeded.
func (f *proxy) fromFrontEnd(c channel, from *peer, frames [][]byte) bool {
	m, err := f.key.decode(frames)
	if err != nil {
		return false
	}
	_, frames = split(frames)
	if m, frames, err = f.survivableMessage(c, m, frames); err != nil {
		f.refuse(from, m.header, err)
		return true
	}
	by := asking{by: from}
	switch {
	case c == shell && m.header.Type == "execute_request":
		f.wantCell(from, frames, m)
		return true
	case c == shell && m.header.Type == "inspect_request":
		var found bool
		if frames, found = f.atName(m, frames); !found {
			f.serve(from, m.header, "inspect_reply", map[string]any{
				"status": "ok", "found": false, "data": map[string]any{}, "metadata": map[string]any{},
			})
			return true
		}
	case c == shell && m.header.Type == "complete_request":
		if frames, by.code, by.main = f.atCursor(m, frames); by.code == "" {
			f.serve(from, m.header, "complete_reply", map[string]any{
				"status": "ok", "matches": []string{}, "cursor_start": 0, "cursor_end": 0, "metadata": map[string]any{},
			})
			return true
		}
	case c == shell && m.header.Type == controlMessage:
		go f.controls.take(from, m)
		return true
	case c == control && (m.header.Type == "interrupt_request" || m.header.Type == "shutdown_request"):
		f.controls.endAll("interrupted")
		f.interrupt()
	}
	f.pass(c, by, m.header, frames)
	return true
}

// refuse answers what gonb would not survive.
func (f *proxy) refuse(by *peer, asked header, why error) {
	if kind, is := strings.CutSuffix(asked.Type, "_request"); is {
		f.answer(by, asked, kind+"_reply", map[string]any{
			"status": "error", "ename": "Refused", "evalue": why.Error(), "traceback": []string{},
		})
	}
}

// interrupt has all end that the running cell has started: gonb interrupts its own programs alone, and waits for all.
func (f *proxy) interrupt() {
	f.mu.Lock()
	defer f.mu.Unlock()
	cell := f.running
	if cell == nil || cell.interrupted {
		return
	}
	cell.interrupted = true
	signalMarked(f.process.mark, syscall.SIGINT, cell.began, f.process.cmd.Process.Pid)
	time.AfterFunc(defaultPatience.interrupt, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.running == cell {
			signalMarked(f.process.mark, syscall.SIGKILL, cell.began, 0)
		}
	})
}

// pass hands a message to the kernel, and remembers who asked.
func (f *proxy) pass(c channel, by asking, h header, frames [][]byte) {
	if strings.HasSuffix(h.Type, "_request") {
		f.mu.Lock()
		f.asked[h.ID] = by
		f.mu.Unlock()
	}
	_ = f.inner.open[c].write(frames) // where the kernel has ended, we end too
}

// wantCell hands a cell to the kernel, or keeps it as long as another one runs.
func (f *proxy) wantCell(by *peer, frames [][]byte, m message) {
	options := struct {
		Code string `json:"code"`
		Stop bool   `json:"stop_on_error"`
		Live bool   `json:"allow_stdin"`
	}{}
	_ = json.Unmarshal(m.content, &options) // which has been looked at
	r := &cellRequest{
		by: by, code: options.Code, header: m.header, stopOnError: options.Stop, live: options.Live,
	}
	var content map[string]any
	_ = json.Unmarshal(m.content, &content)
	content["code"], r.refused = forGonb(r.code)
	r.frames = f.changed(frames, encoded(content))
	f.mu.Lock()
	f.wanted = time.Now()
	if f.running != nil {
		f.waiting = append(f.waiting, r)
		f.mu.Unlock()
		return
	}
	f.running, r.began = r, now()
	notice := f.notice
	f.notice = ""
	f.mu.Unlock()
	f.hand(r, notice)
}

// hand tells the page of a cell a notice, and whether the cell asks for input, and gives the cell to the kernel.
func (f *proxy) hand(r *cellRequest, notice string) {
	if asksForInput.MatchString(r.code) {
		notice += "Cells have no input: use parameters or show.Number.\n"
	}
	if notice != "" {
		f.publish(r.header, "stream", map[string]string{"name": "stderr", "text": notice})
	}
	f.mu.Lock()
	f.outputs[r.header.ID] = &cellOutput{cell: r, traceFilter: traceFilter{temp: f.folder}}
	f.mu.Unlock()
	f.pass(shell, asking{by: r.by}, r.header, r.frames)
}

// otherClone says that a notebook, in whose folder the kernel starts, lies in another clone of the repository than the
// one whose packages its cells import; "" if it does not.
func otherClone(argv []string) string {
	repo := Kernelspec{Argv: argv}.Repo()
	here, err := os.Getwd()
	if err != nil || repo == "" {
		return ""
	}
	if clone := FindRepository(here); clone != "" && !SameFolder(clone, repo) {
		return fmt.Sprintf("This notebook lies in %s, and its cells import the packages of %s: "+
			"run 'make jupyter' in %s to change that.\n", clone, repo, clone)
	}
	return ""
}

// fromKernel passes on what the kernel says on a channel.
func (f *proxy) fromKernel(c channel) {
	for {
		raw, err := f.inner.open[c].read()
		if err != nil {
			return
		}
		prefix, frames := split(raw)
		m, err := f.key.decode(frames)
		if err != nil {
			continue
		}
		if c == iopub {
			said := f.published(m, frames)
			for i := range said {
				said[i] = slices.Concat(prefix, said[i])
			}
			if !f.holdsLast(m, said) {
				f.tellAll(said)
			}
			continue
		}
		f.mu.Lock()
		by := f.asked[m.parent.ID]
		f.mu.Unlock()
		if by.by == nil {
			continue
		}
		switch m.header.Type {
		case "inspect_reply":
			frames = f.withHelp(m, frames)
		case "complete_reply":
			frames = f.replaced(m, frames, by)
		case "kernel_info_reply":
			frames = f.described(m, frames)
		}
		tell := func() { by.by.send(frames) }
		if strings.HasSuffix(m.header.Type, "_reply") {
			f.mu.Lock()
			delete(f.asked, m.parent.ID)
			f.mu.Unlock()
		}
		if m.header.Type == "execute_reply" {
			m, frames = f.refusal(m, frames)
			go f.cellDone(m, tell) // other messages do not wait for it
		} else {
			tell()
		}
	}
}

// executedInput is the content of the message in which a kernel says which cell it executes, with the cell as the user
// has written it.
func executedInput(content []byte, code string) []byte {
	var said map[string]any
	if json.Unmarshal(content, &said) != nil {
		return content
	}
	said["code"] = code
	return encoded(said)
}

// errInterrupted is that of a cell with commands, of which gonb does not say that they did not all run.
var errInterrupted = errors.New("interrupted")

// refusal is the reply to the running cell, which says why that did not run where it is a refused one.
func (f *proxy) refusal(m message, frames [][]byte) (message, [][]byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	cell := f.running
	if cell == nil || cell.header.ID != m.parent.ID {
		return m, frames
	}
	var said reply
	_ = json.Unmarshal(m.content, &said)
	if cell.interrupted && said.Status == "ok" && runsCommands(cell.code) {
		cell.refused = errInterrupted
	}
	if cell.refused == nil {
		return m, frames
	}
	why := map[string]any{
		"status": "error", "execution_count": said.Count, "ename": "ERROR", "evalue": cell.refused.Error(),
		"traceback": []string{cell.refused.Error()},
	}
	var at *refusedCell
	if errors.As(cell.refused, &at) { // as gonb tells of what the compiler says
		line := strings.Split(cell.code, "\n")[at.line-1]
		place := fmt.Sprintf("Cell[%d]: Line %d, column %d\n%s\n", said.Count, at.line, at.column, oneLine(line))
		why["traceback"] = []string{place + at.text + "\n"}
	}
	f.publish(cell.header, "error", why)
	m.content = encoded(why)
	return m, f.changed(frames, m.content)
}

// holdsLast says whether a message says that the running cell has ended, which then is told with its reply.
func (f *proxy) holdsLast(m message, said [][][]byte) bool {
	if m.header.Type != "status" || !bytes.Contains(m.content, []byte(`"idle"`)) {
		return false
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.running == nil || f.running.header.ID != m.parent.ID {
		return false
	}
	f.running.last = said
	return true
}

// published returns what front ends get for a message on iopub.
func (f *proxy) published(m message, frames [][]byte) [][][]byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.hidden[m.parent.ID] {
		return nil
	}
	out := f.outputs[m.parent.ID]
	if out == nil {
		out = &cellOutput{traceFilter: traceFilter{temp: f.folder}}
		if m.header.Type != "status" {
			f.outputs[m.parent.ID] = out
		}
	}
	page := out.cell == nil || out.cell.live // programs have their own bounds
	before, after := "", ""                  // what else is said
	switch m.header.Type {
	case "execute_input":
		out.begin(m.content)
		if out.cell != nil {
			frames = f.changed(frames, executedInput(m.content, out.cell.code))
		}
	case "stream":
		var content map[string]string
		if json.Unmarshal(m.content, &content) != nil {
			break
		}
		text := content["text"]
		if content["name"] == "stderr" {
			text = besidePlace.ReplaceAllString(out.filter(text), "$1")
		}
		if page {
			text, after = out.cut(content["name"], text, maxText)
		}
		if text == "" {
			frames = nil
		} else if text != content["text"] {
			content["text"] = text
			frames = f.changed(frames, encoded(content))
		}
	case "display_data":
		if !bytes.Contains(m.content, []byte("gonb-err-location")) {
			fits := "all"
			if page {
				fits, after = out.cut("pictures", string(m.content), maxPictures)
			}
			if fits == "" {
				frames = nil
			}
			break
		}
		frames = f.changed(frames, traceOffset.ReplaceAll(out.plain(m.content), nil))
		before = out.report(m.content)
	case "error":
		frames = f.changed(frames, out.plain(m.content))
		before = out.report(m.content)
	case "status":
		if bytes.Contains(m.content, []byte(`"idle"`)) {
			before = besidePlace.ReplaceAllString(out.end(true), "$1")
			delete(f.outputs, m.parent.ID)
		}
	}
	var said [][][]byte
	if before != "" {
		said = append(said, f.stderr(m, before))
	}
	if frames != nil {
		said = append(said, frames)
	}
	if after != "" {
		said = append(said, f.stderr(m, after))
	}
	return said
}

// stderr is a message as if the program of the cell had written a text, for whom another message of the kernel is.
func (f *proxy) stderr(like message, text string) [][]byte {
	m := request(like.header.Session, "stream", map[string]string{"name": "stderr", "text": text})
	m.parent = like.parent
	return f.key.encode(m)
}

// changed returns a message with another content.
func (f *proxy) changed(frames [][]byte, content []byte) [][]byte {
	parts := slices.Clone(frames[2:6])
	parts[3] = content
	return slices.Concat([][]byte{delimiter, f.key.sign(parts)}, parts, frames[6:])
}

// burstPause is how long no cell has to have come before Run All counts as sent. A cell that gonb cannot read fails
// before the next ones of Run All are here.
var burstPause = 100 * time.Millisecond

// cellDone tells the front end of the reply to a cell, and hands the next cell to the kernel, or answers all that wait
// as aborted if this one has failed. It tells of a failure when the cells that were sent with it have come: who sends
// another one later may know of the failure.
func (f *proxy) cellDone(m message, tell func()) {
	var r reply
	_ = json.Unmarshal(m.content, &r)
	f.mu.Lock()
	if f.running == nil || f.running.header.ID != m.parent.ID {
		f.mu.Unlock()
		tell()
		return
	}
	var aborted []*cellRequest
	if r.Status == "error" && f.running.stopOnError {
		for time.Since(f.wanted) < burstPause {
			pause := burstPause - time.Since(f.wanted)
			f.mu.Unlock()
			time.Sleep(pause)
			f.mu.Lock()
		}
		aborted, f.waiting = f.waiting, nil
	}
	last := f.running.last
	if r.Status == "ok" || strings.HasPrefix(r.Value, "exit status ") || strings.HasPrefix(r.Value, "signal: ") {
		for _, name := range declaredBy(f.running.code) {
			f.declared[name] = r.Count
		}
		_ = forgetKept(filepath.Join(f.folder, "kept"), f.running.code) // where that fails, the values stay
	}
	var forget message
	if len(f.forget) > 0 {
		forget = request(f.running.header.Session, "execute_request", map[string]any{
			"code": "%rm " + strings.Join(f.forget, " "), "silent": true, "store_history": false, "allow_stdin": false,
		})
		f.forget, f.hidden[forget.header.ID] = nil, true
	}
	if f.running.interrupted {
		signalMarked(f.process.mark, syscall.SIGKILL, f.running.began, 0)
	}
	f.running = nil
	buryOrphans(f.process.cmd.Process.Pid, f.process.group())
	var next *cellRequest
	if len(f.waiting) > 0 {
		next, f.waiting = f.waiting[0], f.waiting[1:]
		f.running, next.began = next, now()
	}
	f.mu.Unlock()
	tell()
	f.tellAll(last)
	for _, a := range aborted {
		f.serve(a.by, a.header, "execute_reply", map[string]string{"status": "aborted"})
	}
	if forget.content != nil {
		_ = f.inner.open[shell].write(f.key.encode(forget))
	}
	if next != nil {
		f.hand(next, "")
	}
}

// tellAll says to all front ends what the kernel has said.
func (f *proxy) tellAll(said [][][]byte) {
	for _, frames := range said {
		f.outer[iopub].tell(frames)
	}
}

// publish says something to all front ends, as part of the answer to a request.
func (f *proxy) publish(parent header, kind string, content any) {
	m := request(parent.Session, kind, content)
	m.parent = parent
	f.outer[iopub].tell(append([][]byte{[]byte(kind)}, f.key.encode(m)...))
}

// serve answers a request in the place of the kernel. Some front ends wait for the idle kernel, too.
func (f *proxy) serve(to *peer, asked header, kind string, content any) {
	f.publish(asked, "status", map[string]string{"execution_state": "busy"})
	f.answer(to, asked, kind, content)
	f.publish(asked, "status", map[string]string{"execution_state": "idle"})
}

// answer says something to one front end.
func (f *proxy) answer(to *peer, parent header, kind string, content any) {
	m := request(parent.Session, kind, content)
	m.parent = parent
	to.send(f.key.encode(m))
}
