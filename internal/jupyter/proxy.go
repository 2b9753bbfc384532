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

// proxy is a program between a front end and gonb that adds features that gonb lacks. It passes on every message
// unchanged, with these exceptions:
//
//   - gonb gets one cell at a time. When a cell fails, the proxy answers waiting cells as aborted, so Run All stops
//     there.
//   - The proxy itself serves the controls in outputs (controls.go, widgets.go).
//   - For a failed program, the page shows the reason and the line of the cell, but no stack trace (trace.go).
//   - A request for help is moved to the identifier that it means. The answer also gets plain text (cursor.go).
//   - gonb reads cells line by line, so Go's scanner reads them first (split.go).
//   - Messages get any missing fields without which gonb would panic (cursor.go).
type proxy struct {
	key     signer
	folder  string // a private folder for sockets, programs of controls, and temporary files of gonb and of cells
	outer   map[channel]*server
	inner   *sockets
	process *process // gonb

	mu       sync.Mutex
	asked    map[string]asking // the unanswered requests, by their ids
	waiting  []*cellRequest
	running  *cellRequest
	ran      ranCells
	saved    savedNotebook
	wanted   time.Time              // when the latest cell arrived
	outputs  map[string]*cellOutput // the outputs of cells, by the ids of their requests
	controls *controls
	declared map[string]int  // the number of the cell that declares each name (declarations.go)
	forget   []string        // the names that gonb must forget after the running cell
	hidden   map[string]bool // the requests that make gonb forget names
	notice   string          // shown with the next cell that runs
}

// asking is a request that gonb has not yet answered.
type asking struct {
	by   *peer
	code string // the code of the cell to complete, in gonb's form
	main int    // the position, in code points, of the inserted line %%, or -1
}

// cellRequest is a front end's request to execute a cell.
type cellRequest struct {
	by          *peer
	frames      [][]byte
	code        string
	id          string // the cell's id in the notebook; "" if the front end does not send it
	header      header
	stopOnError bool
	// live is set if somebody can answer questions. Programs that run notebooks do not allow questions.
	live bool
	// last contains the messages that announce the end of the cell, if those arrive before the reply has been sent.
	last [][][]byte
	// refused explains why the cell does not run. In that case gonb gets an empty cell instead, to produce the
	// execution count and the idle status.
	refused error
	// began is the time when gonb got the cell. interrupted means that all processes of the cell must end when the cell
	// ends.
	began       moment
	interrupted bool
}

// RunKernel runs this process as a kernel for the front end of a connection file. It starts a kernel with the given
// command line, to which it appends "-kernel FILE", and passes messages between the front end and the kernel. It
// returns when the front end, the kernel or the parent process ends. On Linux, none of the cells' processes is left
// then. On other systems, only processes that stayed in the process group have ended.
func RunKernel(file string, argv []string) error {
	signal.Ignore(syscall.SIGINT) // front ends interrupt with a message
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	adoptOrphans()
	defer endDescendants(os.Getpid())
	if os.Getenv("JPY_PARENT_PID") != "" { // front ends set it if their kernels should end with them
		go func() {
			for parent := os.Getppid(); os.Getppid() == parent && ctx.Err() == nil; {
				time.Sleep(parentPause)
			}
			stop()
		}()
	}
	return runProxy(ctx, file, argv)
}

// parentPause is the time between two checks whether the parent process is alive.
const parentPause = time.Second

// runProxy does the work of RunKernel, except for settings of the whole process.
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
		declared: map[string]int{}, ran: ranCells{}, hidden: map[string]bool{}, notice: otherClone(argv),
	}
	f.controls = newControls(f)
	defer f.controls.endAll("the kernel has exited")
	defer func() {
		limit := time.Now().Add(time.Second) // time for front ends to read the kernel's last messages
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

// quietLog keeps gonb's log of each cell out of the terminal. For a cell that gonb cannot read, the log contains a
// stack trace of gonb. Errors are still printed.
var quietLog = []string{"-logtostderr=false", "-log_file=" + os.DevNull, "-stderrthreshold=ERROR"}

// proxyFolder creates a folder that only this user can open. Its path is short enough for the sockets in the folder.
func proxyFolder() (string, error) {
	const name, deepest = "siegebook-front-", "/gonb_12345678/gopls_socket"
	folder, err := os.MkdirTemp("", name)
	if err == nil && len(folder)+len(deepest) > longestSocket {
		_ = os.Remove(folder)
		return os.MkdirTemp("/tmp", name)
	}
	return folder, err
}

// innerConnection chooses the sockets between the proxy and the kernel. It keeps the name of the connection file,
// because the kernel derives its ID from that name.
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

// listen opens the channels for front ends.
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

// split separates a message from its routing prefix.
func split(frames [][]byte) (prefix, rest [][]byte) {
	at := slices.IndexFunc(frames, func(frame []byte) bool { return bytes.Equal(frame, delimiter) })
	if at < 0 {
		return nil, nil
	}
	return frames[:at], frames[at:]
}

// fromFrontEnd handles a message from a front end, and reports whether the message is signed. It ignores unsigned
// messages.
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
	case strings.HasPrefix(m.header.Type, "comm_") && f.controls.takeComm(from, m):
		return true
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

// refuse answers a request that would make gonb panic.
func (f *proxy) refuse(by *peer, asked header, why error) {
	if kind, is := strings.CutSuffix(asked.Type, "_request"); is {
		f.answer(by, asked, kind+"_reply", map[string]any{
			"status": "error", "ename": "Refused", "evalue": why.Error(), "traceback": []string{},
		})
	}
}

// interrupt ends all processes that the running cell has started. gonb interrupts only its own programs, but waits for
// all processes.
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

// pass sends a message to the kernel, and records who sent the request.
func (f *proxy) pass(c channel, by asking, h header, frames [][]byte) {
	if strings.HasSuffix(h.Type, "_request") {
		f.mu.Lock()
		f.asked[h.ID] = by
		f.mu.Unlock()
	}
	_ = f.inner.open[c].write(frames) // if the kernel has ended, this process will end, too
}

// wantCell sends a cell to the kernel, or queues it while another cell is running.
func (f *proxy) wantCell(by *peer, frames [][]byte, m message) {
	options := struct {
		Code string `json:"code"`
		Stop bool   `json:"stop_on_error"`
		Live bool   `json:"allow_stdin"`
	}{}
	_ = json.Unmarshal(m.content, &options) // cannot fail: the content was checked before
	r := &cellRequest{
		by: by, code: options.Code, header: m.header, stopOnError: options.Stop, live: options.Live,
	}
	var metadata struct {
		Cell string `json:"cellId"`
	}
	if json.Unmarshal(frames[4], &metadata) == nil { // after the delimiter, the signature and two headers
		r.id = metadata.Cell
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
	f.forwardCell(r, notice)
}

// forwardCell shows the notices for a cell, and then sends the cell to the kernel.
func (f *proxy) forwardCell(r *cellRequest, notice string) {
	if asksForInput.MatchString(r.code) {
		notice += "Cells cannot read input: use parameters or show.Number.\n"
	}
	if notice != "" {
		f.publish(r.header, "stream", map[string]string{"name": "stderr", "text": notice})
	}
	f.mu.Lock()
	f.outputs[r.header.ID] = &cellOutput{cell: r, traceFilter: traceFilter{temp: f.folder}}
	f.mu.Unlock()
	f.pass(shell, asking{by: r.by}, r.header, r.frames)
}

// otherClone returns a notice if the notebook is in a different clone of the repository than the packages that its
// cells import, and "" otherwise. The notebook's folder is the working folder of the kernel.
func otherClone(argv []string) string {
	repo := Kernelspec{Argv: argv}.Repo()
	here, err := os.Getwd()
	if err != nil || repo == "" {
		return ""
	}
	if clone := FindRepository(here); clone != "" && !SameFolder(clone, repo) {
		return fmt.Sprintf("This notebook is in %s, but its cells import packages from %s: "+
			"run 'make jupyter' in %s to change that.\n", clone, repo, clone)
	}
	return ""
}

// fromKernel passes on the kernel's messages on a channel.
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
			go f.cellDone(m, tell) // in a goroutine, so that other messages do not wait
		} else {
			tell()
		}
	}
}

// executedInput returns the content of an execute_input message, in which code, the source that the user wrote,
// replaces the cell's code.
func executedInput(content []byte, code string) []byte {
	var said map[string]any
	if json.Unmarshal(content, &said) != nil {
		return content
	}
	said["code"] = code
	return encoded(said)
}

// errInterrupted is the error of an interrupted cell with commands, because gonb itself reports success for such a
// cell.
var errInterrupted = errors.New("interrupted")

// refusal returns the reply to the running cell. If the cell was refused, the reply explains why the cell did not run.
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
	if errors.As(cell.refused, &at) { // uses gonb's format for compiler errors
		line := strings.Split(cell.code, "\n")[at.line-1]
		place := fmt.Sprintf("Cell[%d]: Line %d, column %d\n%s\n", said.Count, at.line, at.column, oneLine(line))
		why["traceback"] = []string{place + at.text + "\n"}
	}
	f.publish(cell.header, "error", why)
	m.content = encoded(why)
	return m, f.changed(frames, m.content)
}

// holdsLast reports whether a message announces the end of the running cell. It holds such a message back, so that
// cellDone sends it after the reply.
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

// published returns the messages that front ends get in place of the kernel's message on iopub.
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
	page := out.cell == nil || out.cell.live // programs that run notebooks have their own limits
	before, after := "", ""                  // text to show before and after the output
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
		if bytes.Contains(m.content, []byte(widgetView)) {
			frames = f.changed(frames, withWidget(m.content))
		}
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

// stderr returns a stream message that shows text as if the cell's program had written it to stderr. The new message
// has the same receivers as like.
func (f *proxy) stderr(like message, text string) [][]byte {
	m := request(like.header.Session, "stream", map[string]string{"name": "stderr", "text": text})
	m.parent = like.parent
	return f.key.encode(m)
}

// changed returns a message with new content and a new signature.
func (f *proxy) changed(frames [][]byte, content []byte) [][]byte {
	parts := slices.Clone(frames[2:6])
	parts[3] = content
	return slices.Concat([][]byte{delimiter, f.key.sign(parts)}, parts, frames[6:])
}

// burstPause is the time without a new cell after which Run All is considered complete. A cell that gonb cannot read
// fails before the next cells of Run All arrive.
var burstPause = 100 * time.Millisecond

// cellDone sends the reply to a cell and passes the next cell to the kernel. If the cell has failed, it answers all
// waiting cells as aborted. It reports a failure only after burstPause, when all cells that were sent together have
// arrived. Cells that arrive later are not aborted, because their sender may know about the failure.
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
	last, older := f.running.last, ""
	if r.Status == "ok" && f.running.live && f.running.id != "" {
		f.saved.read()
		ran := ranCell{code: f.running.code, count: r.Count, at: time.Now()}
		older = f.ran.add(f.running.id, ran, f.saved)
	}
	by := f.running.header
	if r.Status == "ok" || strings.HasPrefix(r.Value, "exit status ") || strings.HasPrefix(r.Value, "signal: ") {
		for _, name := range declaredBy(f.running.code) {
			f.declared[name] = r.Count
		}
		_ = forgetKept(filepath.Join(f.folder, "kept"), f.running.code) // if this fails, the values stay
	}
	if len(f.forget) > 0 { // before any other cell, because the next one may arrive as soon as the mutex is free
		forget := request(f.running.header.Session, "execute_request", map[string]any{
			"code": "%rm " + strings.Join(f.forget, " "), "silent": true, "store_history": false, "allow_stdin": false,
		})
		f.forget, f.hidden[forget.header.ID] = nil, true
		_ = f.inner.open[shell].write(f.key.encode(forget))
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
	if older != "" {
		f.publish(by, "stream", map[string]string{"name": "stderr", "text": older})
	}
	tell()
	f.tellAll(last)
	for _, a := range aborted {
		f.serve(a.by, a.header, "execute_reply", map[string]string{"status": "aborted"})
	}
	if next != nil {
		f.forwardCell(next, "")
	}
}

// tellAll sends the kernel's messages to all front ends.
func (f *proxy) tellAll(said [][][]byte) {
	for _, frames := range said {
		f.outer[iopub].tell(frames)
	}
}

// publish sends a message to all front ends, as part of the reply to a request.
func (f *proxy) publish(parent header, kind string, content any) {
	f.publishWith(nil, parent, kind, content)
}

// publishWith does what publish does, with metadata.
func (f *proxy) publishWith(metadata map[string]string, parent header, kind string, content any) {
	m := request(parent.Session, kind, content)
	m.parent, m.metadata = parent, metadata
	f.outer[iopub].tell(append([][]byte{[]byte(kind)}, f.key.encode(m)...))
}

// serve answers a request in place of the kernel.
func (f *proxy) serve(to *peer, asked header, kind string, content any) {
	f.whileBusy(asked, func() { f.answer(to, asked, kind, content) })
}

// whileBusy handles a message in place of the kernel. Some front ends wait until the kernel is idle, and send the next
// change of a widget only then.
func (f *proxy) whileBusy(asked header, do func()) {
	f.publish(asked, "status", map[string]string{"execution_state": "busy"})
	do()
	f.publish(asked, "status", map[string]string{"execution_state": "idle"})
}

// answer sends a message to one front end.
func (f *proxy) answer(to *peer, parent header, kind string, content any) {
	m := request(parent.Session, kind, content)
	m.parent = parent
	to.send(f.key.encode(m))
}
