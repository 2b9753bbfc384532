package jupyter

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/go-zeromq/zmq4"

	"github.com/siegebook/siegebook/internal/bounded"
)

// front stands between a front end and gonb, and does what gonb leaves undone. It passes on every message as it is,
// with these exceptions:
//
//   - gonb gets one cell at a time. When a cell fails, those that wait are answered as aborted: Run All stops there.
//   - Controls in outputs are asked and answered here, see controls.go: gonb knows nobody but the cell that runs.
//   - What says why a program has failed is the reason and the line of the cell, without a trace (trace.go).
//   - Help in Markdown comes as HTML too (help.go). Who asks for help or completions is asked for a name (cursor.go).
//   - Cells lose what gonb panics at (survive.go).
type front struct {
	key    signer
	folder string // private: sockets, the programs of controls
	outer  map[channel]*outerSocket
	inner  *sockets
	sends  [iopub + 1]sync.Mutex // of inner, one writer at a time

	mu       sync.Mutex
	asked    map[string]asking // by the id of a request
	waiting  []cellRequest
	running  *cellRequest
	wanted   time.Time               // when the latest cell came
	traces   map[string]*traceFilter // by the id of the request whose program writes
	controls *controls
	// notice is for the first cell that runs, and said once.
	notice string
}

// outerSocket is an end of a channel that the front end uses.
type outerSocket struct {
	zmq4.Socket
	mu sync.Mutex
}

func (s *outerSocket) write(frames [][]byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.SendMulti(zmq4.NewMsgFrom(frames...))
}

// asking is a request that gonb has not answered yet.
type asking struct {
	prefix [][]byte // of its front end
	code   string   // of the cell that completions are wanted for
}

// cellRequest is a cell that a front end wants to have executed.
type cellRequest struct {
	prefix, frames [][]byte // where it comes from; the message without that
	header         header
	stopOnError    bool
	// live says that somebody sits in front of it: programs that run notebooks allow no questions.
	live bool
	// last is what says that the cell has ended, where that came before the reply was told.
	last [][][]byte
}

// RunFront is a kernel: it starts the kernel of a command line, which has to take "-kernel FILE" as its last arguments,
// and stands between it and the front end of a connection file, until either ends.
func RunFront(ctx context.Context, file string, argv []string) error {
	var outside connection
	data, err := bounded.ReadFile(file, bounded.MiB)
	if err == nil {
		err = json.Unmarshal(data, &outside)
	}
	if err != nil {
		return fmt.Errorf("connection file %s: %w", file, err)
	}
	folder, err := os.MkdirTemp("", "siegebook-front-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	f := &front{key: signer(outside.Key), folder: folder, asked: map[string]asking{}, traces: map[string]*traceFilter{}}
	f.notice = otherClone(argv)
	f.controls = newControls(f)
	defer f.controls.endAll("the kernel has ended")
	if err := f.listen(ctx, outside); err != nil {
		return err
	}
	defer f.closeOuter()
	inside, kernelFile, err := f.innerConnection(outside, filepath.Base(file))
	if err != nil {
		return err
	}
	cmd := exec.Command(argv[0], append(slices.Clone(argv[1:]), "-kernel", kernelFile)...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.Env = giveGo(folder, os.Environ())
	if address, err := f.controls.listen(ctx); err == nil {
		cmd.Env = append(cmd.Env, controlsVariable+"="+address)
	}
	unguard, err := guardFront(cmd, folder)
	if err != nil {
		return err
	}
	defer unguard()
	if err := cmd.Start(); err != nil {
		return err
	}
	exited := make(chan error, 1)
	go func() {
		err := cmd.Wait()
		cancel(errDied)
		exited <- err
	}()
	f.inner = newSockets(ctx, inside)
	if err := f.inner.connect(inside, zmq4.OptionSubscribe); err != nil {
		_ = cmd.Process.Kill()
		return cmp.Or(<-exited, err)
	}
	defer f.inner.Close()
	for _, c := range []channel{shell, control, stdin, iopub} {
		go f.fromKernel(c)
		if c != iopub {
			go f.fromFrontEnd(c)
		}
	}
	go f.heartbeat()
	<-ctx.Done()
	if !errors.Is(context.Cause(ctx), errDied) {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		time.AfterFunc(defaultPatience.shutdown, func() { _ = cmd.Process.Kill() })
	}
	err = <-exited
	time.Sleep(lastMessages)
	return err
}

// guardFront has a shell wait for the end of this process: where it is killed, and cannot tidy up, the shell ends what
// cmd and its cells have started, and removes the folder. The function that it returns calls that off. Nothing is to be
// done where somebody else has marked this process and does the same.
func guardFront(cmd *exec.Cmd, folder string) (unguard func(), err error) {
	if os.Getenv(markName) != "" || errNoGroups != nil {
		return func() {}, nil
	}
	mark := rand.Text()
	guard := exec.Command("/bin/sh", "-c", guardScript, "guard", folder, markEntry(mark))
	guard.SysProcAttr = inGroup(0)
	lease, err := guard.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := guard.Start(); err != nil {
		return nil, err
	}
	cmd.Env = append(cmd.Env, markEntry(mark))
	return func() {
		_ = guard.Process.Kill()
		_ = guard.Wait()
		_ = lease.Close()
	}, nil
}

// lastMessages is how long sockets stay open for what the kernel has said at its end.
const lastMessages = 100 * time.Millisecond

// innerConnection picks the sockets between us and the kernel. The name of the file stays, as the kernel finds its id
// there.
func (f *front) innerConnection(outside connection, name string) (connection, string, error) {
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
func (f *front) listen(ctx context.Context, c connection) error {
	quiet := zmq4.WithLogger(log.New(io.Discard, "", 0))
	f.outer = map[channel]*outerSocket{
		shell:     {Socket: zmq4.NewRouter(ctx, quiet)},
		control:   {Socket: zmq4.NewRouter(ctx, quiet)},
		stdin:     {Socket: zmq4.NewRouter(ctx, quiet)},
		iopub:     {Socket: zmq4.NewPub(ctx, quiet)},
		heartbeat: {Socket: zmq4.NewRep(ctx, quiet)},
	}
	ports := map[channel]int{shell: c.Shell, control: c.Control, stdin: c.Stdin, iopub: c.IOPub, heartbeat: c.Heartbeat}
	for channel, port := range ports {
		if err := f.outer[channel].Listen(c.endpoint(port)); err != nil {
			f.closeOuter()
			return err
		}
	}
	return nil
}

func (f *front) closeOuter() {
	for _, s := range f.outer {
		_ = s.Close()
	}
}

// heartbeat says the same back to whoever asks whether we are alive.
func (f *front) heartbeat() {
	for s := f.outer[heartbeat]; ; {
		m, err := s.Recv()
		if err != nil || s.Send(m) != nil {
			return
		}
	}
}

// split parts a message from the prefix that says where it comes from.
func split(frames [][]byte) (prefix, rest [][]byte) {
	at := slices.IndexFunc(frames, func(frame []byte) bool { return bytes.Equal(frame, delimiter) })
	if at < 0 {
		return nil, nil
	}
	return frames[:at], frames[at:]
}

// fromFrontEnd passes on what the front end asks on a channel. What is not signed is nobody's.
func (f *front) fromFrontEnd(c channel) {
	for {
		raw, err := f.outer[c].Recv()
		if err != nil {
			return
		}
		prefix, frames := split(raw.Frames)
		m, err := f.key.decode(frames)
		if err != nil {
			continue
		}
		by := asking{prefix: prefix}
		switch {
		case c == shell && m.header.Type == "execute_request":
			f.wantCell(prefix, f.survivableCell(m, frames), m)
			continue
		case c == shell && m.header.Type == "inspect_request":
			var found bool
			if frames, found = f.atName(m, frames); !found {
				f.tellNothing(prefix, m.header)
				continue
			}
		case c == shell && m.header.Type == "complete_request":
			frames, by.code = f.atCursor(m, frames)
		case c == shell && m.header.Type == controlMessage:
			go f.controls.take(prefix, m)
			continue
		case c == control && (m.header.Type == "interrupt_request" || m.header.Type == "shutdown_request"):
			f.controls.endAll("interrupted")
		}
		f.pass(c, by, m.header, frames)
	}
}

// pass hands a message to the kernel, and remembers who asked.
func (f *front) pass(c channel, by asking, h header, frames [][]byte) {
	if strings.HasSuffix(h.Type, "_request") {
		f.mu.Lock()
		f.asked[h.ID] = by
		f.mu.Unlock()
	}
	f.sends[c].Lock()
	defer f.sends[c].Unlock()
	_ = f.inner.open[c].SendMulti(zmq4.NewMsgFrom(frames...)) // where the kernel has ended, we end too
}

// wantCell hands a cell to the kernel, or keeps it as long as another one runs.
func (f *front) wantCell(prefix, frames [][]byte, m message) {
	options := struct {
		Stop *bool `json:"stop_on_error"`
		Live *bool `json:"allow_stdin"`
	}{}
	_ = json.Unmarshal(m.content, &options) // the kernel complains
	r := cellRequest{prefix, frames, m.header, options.Stop == nil || *options.Stop, options.Live == nil || *options.Live, nil}
	f.mu.Lock()
	f.wanted = time.Now()
	if f.running != nil {
		f.waiting = append(f.waiting, r)
		f.mu.Unlock()
		return
	}
	f.running = &r
	notice := f.notice
	f.notice = ""
	f.mu.Unlock()
	f.pass(shell, asking{prefix: prefix}, m.header, frames)
	if notice != "" {
		f.publish(m.header, "stream", map[string]string{"name": "stderr", "text": notice})
	}
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
		return fmt.Sprintf("This notebook lies in %s, and its cells import the packages of %s: run 'make jupyter' in %s to change that.\n", clone, repo, clone)
	}
	return ""
}

// fromKernel passes on what the kernel says on a channel.
func (f *front) fromKernel(c channel) {
	for {
		raw, err := f.inner.open[c].Recv()
		if err != nil {
			return
		}
		prefix, frames := split(raw.Frames)
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
		switch m.header.Type {
		case "inspect_reply":
			frames = f.withHelp(m, frames)
		case "complete_reply":
			frames = f.replaced(m, frames, by.code)
		}
		tell := func() {
			if by.prefix != nil {
				_ = f.outer[c].write(slices.Concat(by.prefix, frames))
			}
		}
		if strings.HasSuffix(m.header.Type, "_reply") {
			f.mu.Lock()
			delete(f.asked, m.parent.ID)
			f.mu.Unlock()
		}
		if m.header.Type == "execute_reply" {
			go f.cellDone(m, tell) // other messages do not wait for it
		} else {
			tell()
		}
	}
}

// holdsLast says whether a message says that the running cell has ended, which then is told with its reply.
func (f *front) holdsLast(m message, said [][][]byte) bool {
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
func (f *front) published(m message, frames [][]byte) [][][]byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch m.header.Type {
	case "execute_input":
		f.traces[m.parent.ID] = &traceFilter{}
		f.traces[m.parent.ID].begin(m.content)
	case "stream":
		if f.traces[m.parent.ID] == nil {
			f.traces[m.parent.ID] = &traceFilter{}
		}
		if content, changed := f.traces[m.parent.ID].stream(m.content); changed {
			if content == nil {
				return nil
			}
			return [][][]byte{f.changed(frames, content)}
		}
	case "display_data", "error":
		if m.header.Type == "display_data" {
			if !bytes.Contains(m.content, []byte("gonb-err-location")) {
				break
			}
			frames = f.changed(frames, traceOffset.ReplaceAll(m.content, nil))
		}
		if t := f.traces[m.parent.ID]; t != nil {
			if text := t.report(m.content); text != "" {
				return [][][]byte{f.stderr(m, text), frames}
			}
		}
	case "status":
		if bytes.Contains(m.content, []byte(`"idle"`)) {
			t := f.traces[m.parent.ID]
			delete(f.traces, m.parent.ID)
			if t == nil {
				break
			}
			if rest := t.end(); rest != "" {
				return [][][]byte{f.stderr(m, rest), frames}
			}
		}
	}
	return [][][]byte{frames}
}

// stderr is a message as if the program of the cell had written a text, for whom another message of the kernel is.
func (f *front) stderr(like message, text string) [][]byte {
	m := request(like.header.Session, "stream", map[string]string{"name": "stderr", "text": text})
	m.parent = like.parent
	return f.key.encode(m)
}

// changed returns a message with another content.
func (f *front) changed(frames [][]byte, content []byte) [][]byte {
	parts := slices.Clone(frames[2:6])
	parts[3] = content
	return slices.Concat([][]byte{delimiter, f.key.sign(parts)}, parts, frames[6:])
}

// burstPause is how long no cell has to have come before Run All counts as sent. A cell that gonb cannot read fails
// before the next ones of Run All are here.
var burstPause = 100 * time.Millisecond

// cellDone tells the front end of the reply to a cell, and hands the next cell to the kernel, or answers all that wait
// as aborted if this one has failed. It tells of a failure when the cells that were sent with it have come, and not
// before: what comes after that was sent by somebody who may know of the failure, and runs.
func (f *front) cellDone(m message, tell func()) {
	var r reply
	_ = json.Unmarshal(m.content, &r)
	f.mu.Lock()
	if f.running == nil || f.running.header.ID != m.parent.ID {
		f.mu.Unlock()
		tell()
		return
	}
	var aborted []cellRequest
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
	f.running = nil
	var next cellRequest
	if len(f.waiting) > 0 {
		next, f.waiting = f.waiting[0], f.waiting[1:]
		f.running = &next
	}
	f.mu.Unlock()
	tell()
	f.tellAll(last)
	for _, a := range aborted {
		f.publish(a.header, "status", map[string]string{"execution_state": "busy"})
		f.answer(a.prefix, a.header, "execute_reply", map[string]string{"status": "aborted"})
		f.publish(a.header, "status", map[string]string{"execution_state": "idle"})
	}
	if next.frames != nil {
		f.pass(shell, asking{prefix: next.prefix}, next.header, next.frames)
	}
}

// tellAll says to all front ends what the kernel has said.
func (f *front) tellAll(said [][][]byte) {
	for _, frames := range said {
		_ = f.outer[iopub].write(frames)
	}
}

// publish says something to all front ends, as part of the answer to a request.
func (f *front) publish(parent header, kind string, content any) {
	m := request(parent.Session, kind, content)
	m.parent = parent
	_ = f.outer[iopub].write(append([][]byte{[]byte(kind)}, f.key.encode(m)...))
}

// answer says something to one front end.
func (f *front) answer(prefix [][]byte, parent header, kind string, content any) {
	m := request(parent.Session, kind, content)
	m.parent = parent
	_ = f.outer[shell].write(slices.Concat(prefix, f.key.encode(m)))
}
