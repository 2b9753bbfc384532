package jupyter

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/siegebook/siegebook/notebooks/show/values"
)

// Controls are sliders and similar elements that package show displays next to a picture. A cell's program registers
// each control at a socket (controlsVariable) and ends. When somebody moves a control, the program starts again with
// the number of the control (numberVariable). Without visible output, it does the same as the cell until it reaches
// that control. From then on, it receives values and returns pictures, which replace the cell's picture. A control ends
// when its output is removed, or when the kernel is interrupted or ends.

const (
	controlsVariable = "SIEGEBOOK_CONTROLS"
	numberVariable   = "SIEGEBOOK_CONTROL"
	controlMessage   = "siegebook_control"
)

// pipeVariables are set for a cell's program. A program that serves a control must run without them.
var pipeVariables = []string{"GONB_PIPE", "GONB_PIPE_BACK", controlsVariable, numberVariable}

type controls struct {
	proxy *proxy
	mu    sync.Mutex
	byID  map[string]*knob
	// widgets has the controls by the comms of their widgets, and noWidgets the sessions of front ends without widgets.
	widgets   map[string]*knob
	noWidgets map[string]bool
}

func newControls(f *proxy) *controls {
	return &controls{proxy: f, byID: map[string]*knob{}, widgets: map[string]*knob{}, noWidgets: map[string]bool{}}
}

// knob is a control.
type knob struct {
	id      string
	program string // our hard link to the program, or a copy; the next cell replaces the kernel's file
	number  string // the number of the control in its program
	args    []string
	env     []string
	dir     string
	parent  header // the header of the request that ran the cell
	cell    string // the cell's id in the notebook; "" if the front end does not send it
	fields  []controlField
	widgets []*widget

	page string // the page with the control; guarded by controls.mu, because an endless drawing holds mu

	mu      sync.Mutex
	values  []string // the current values of the fields, if widgets set them
	by      *peer
	asked   header
	ended   atomic.Pointer[string]         // the reason; set without holding mu
	process atomic.Pointer[controlProcess] // read without holding mu
}

// registration is the message with which a program registers a control.
type registration struct {
	ID     string         `json:"id"`
	Number string         `json:"number"`
	Args   []string       `json:"args"`
	Env    []string       `json:"env"`
	Dir    string         `json:"dir"`
	Exe    string         `json:"exe"`
	Fields []controlField `json:"fields"`
	// Build is set only in messages from our go program, see declarations.go.
	Build *buildNews `json:"build,omitempty"`
}

// listen accepts registrations, and returns the name of the socket on which it listens.
func (c *controls) listen(ctx context.Context) (string, error) {
	name := filepath.Join(c.proxy.folder, "c")
	if len(name) > longestSocket {
		return "", errors.New("the folder's name is too long for a socket")
	}
	listener, err := net.Listen("unix", name)
	if err != nil {
		return "", err
	}
	context.AfterFunc(ctx, func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go c.register(conn)
		}
	}()
	return name, nil
}

// register reads one registration, and replies whether users can move the control.
func (c *controls) register(conn net.Conn) {
	defer conn.Close()
	var r registration
	if json.NewDecoder(io.LimitReader(conn, 16<<20)).Decode(&r) != nil {
		return
	}
	if r.Build != nil {
		_ = json.NewEncoder(conn).Encode(c.proxy.building(*r.Build))
		return
	}
	c.proxy.mu.Lock()
	cell := c.proxy.running
	c.proxy.mu.Unlock()
	program := filepath.Join(c.proxy.folder, "p-"+r.ID)
	live := cell != nil && cell.live && kernelName.MatchString(r.ID) && keep(r.Exe, program) == nil
	if live {
		env := slices.DeleteFunc(r.Env, func(entry string) bool {
			name, _, _ := strings.Cut(entry, "=")
			return slices.Contains(pipeVariables, name)
		})
		env = withSameValues(env, program+keptSuffix)
		ctl := &knob{
			id: r.ID, program: program, number: r.Number, args: r.Args,
			env: append(env, numberVariable+"="+r.Number), dir: r.Dir, parent: cell.header, cell: cell.id,
			fields: r.Fields, widgets: widgets(r.ID, r.Fields),
		}
		for _, f := range r.Fields {
			ctl.values = append(ctl.values, f.Start)
		}
		c.mu.Lock()
		var older []*knob
		for _, other := range c.byID {
			again := ctl.cell != "" && other.cell == ctl.cell && other.parent.ID != ctl.parent.ID
			if again && other.ended.Load() == nil {
				older = append(older, other)
			}
		}
		c.byID[r.ID] = ctl
		without := c.noWidgets[cell.header.Session]
		c.mu.Unlock()
		for _, other := range older { // in a front end with widgets, nothing else says that their output is gone
			go c.end(other, "the cell has run again")
		}
		if !without {
			c.openWidgets(ctl)
		}
	}
	_ = json.NewEncoder(conn).Encode(map[string]bool{"live": live})
}

// keptSuffix is the suffix of the folder that holds the variables' values for a control's program.
const keptSuffix = "-kept"

// withSameValues returns an environment in which a program keeps seeing the current values, even if later cells store
// other values.
func withSameValues(env []string, folder string) []string {
	now, _ := variable(env, values.FolderVariable)
	files, err := os.ReadDir(now)
	if now == "" || err != nil || os.Mkdir(folder, 0o700) != nil {
		return env
	}
	for _, f := range files {
		if err := keep(filepath.Join(now, f.Name()), filepath.Join(folder, f.Name())); err != nil {
			return env
		}
	}
	return append(env, values.FolderVariable+"="+folder)
}

// keep gives a program a second name: a hard link or, if the file system does not support links, a copy.
func keep(program, name string) error {
	if os.Link(program, name) == nil {
		return nil
	}
	data, err := os.ReadFile(program)
	if err == nil {
		err = os.WriteFile(name, data, 0o700)
	}
	return err
}

// controlRequest is a message from the script in a page.
type controlRequest struct {
	ID     string   `json:"id"`
	Page   string   `json:"page"`
	Do     string   `json:"do"` // begin, move, end
	Seq    int64    `json:"seq"`
	Values []string `json:"values"`
}

// controlAnswer is the answer to the script.
type controlAnswer struct {
	ID    string `json:"id"`
	Seq   int64  `json:"seq"`
	Error string `json:"error,omitempty"` // the function's error; the control stays usable
	Ended string `json:"ended,omitempty"` // why the control has ended
}

// take handles a message from the script in a page.
func (c *controls) take(by *peer, m message) {
	var r controlRequest
	if json.Unmarshal(m.content, &r) != nil {
		return
	}
	answer := controlAnswer{ID: r.ID, Seq: r.Seq}
	c.mu.Lock()
	ctl := c.byID[r.ID]
	c.mu.Unlock()
	switch {
	case ctl == nil:
		answer.Ended = "the kernel no longer knows them"
	case c.strange(ctl, r.Page, true):
		// A picture can be replaced only in the page that was open when the cell ran.
		answer.Ended = "the page was reloaded"
	case r.Do == "end":
		c.end(ctl, "their output was removed")
		return
	default:
		ctl.mu.Lock()
		defer ctl.mu.Unlock()
		if ctl.ended.Load() == nil {
			ctl.by, ctl.asked = by, m.header
			if r.Do == "move" {
				answer.Error = c.move(ctl, r)
			}
		}
		if why := ctl.ended.Load(); why != nil {
			answer.Ended = *why
		}
	}
	c.proxy.answer(by, m.header, controlMessage, answer)
}

// strange reports whether a page is not the one that shows a control. The first page that uses the control is the one
// that shows it.
func (c *controls) strange(ctl *knob, page string, uses bool) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if ctl.page == "" && uses {
		ctl.page = page
	}
	return ctl.page != "" && ctl.page != page
}

// move calls the control's function with the given values, and publishes the resulting picture. It returns an error
// message for the page, or "".
func (c *controls) move(ctl *knob, r controlRequest) string {
	p := ctl.process.Load()
	if p == nil {
		var err error
		if p, err = startControl(ctl); err != nil {
			return err.Error()
		}
		ctl.process.Store(p)
		if ctl.ended.Load() != nil {
			p.kill() // the goroutine that ended the control may have missed this process
		}
	}
	data, problem, err := p.ask(r.Seq, r.Values)
	if err != nil && ctl.ended.Load() != nil {
		return "" // keeps the last picture
	}
	if err != nil {
		problem = p.lastWords()
		ctl.process.Store(nil)
		data = map[string]any{"text/plain": problem, "text/html": "<pre>" + html.EscapeString(problem) + "</pre>"}
	}
	if data != nil {
		c.proxy.publish(ctl.parent, "update_display_data", map[string]any{
			"data": data, "metadata": struct{}{}, "transient": map[string]string{"display_id": ctl.id},
		})
	}
	return problem
}

// end ends a control, even while the control is drawing.
func (c *controls) end(ctl *knob, why string) {
	first := ctl.ended.CompareAndSwap(nil, &why)
	if p := ctl.process.Load(); p != nil {
		p.kill() // so that an endless drawing releases the lock
	}
	ctl.mu.Lock()
	defer ctl.mu.Unlock()
	if p := ctl.process.Swap(nil); p != nil {
		p.kill()
	}
	if first {
		c.endWidgets(ctl, why)
	}
	_ = errors.Join(os.Remove(ctl.program), os.RemoveAll(ctl.program+keptSuffix))
}

// endAll ends all controls and notifies their pages.
func (c *controls) endAll(why string) {
	c.mu.Lock()
	all := slices.Collect(maps.Values(c.byID))
	c.mu.Unlock()
	var ends sync.WaitGroup
	for _, ctl := range all {
		ends.Go(func() {
			c.end(ctl, why)
			ctl.mu.Lock()
			defer ctl.mu.Unlock()
			if ctl.by != nil {
				c.proxy.answer(ctl.by, ctl.asked, controlMessage, controlAnswer{ID: ctl.id, Ended: *ctl.ended.Load()})
			}
		})
	}
	ends.Wait()
}

// controlProcess is a program that serves a control.
type controlProcess struct {
	cmd    *exec.Cmd
	to     *os.File
	from   *bufio.Reader
	read   *os.File
	stderr reason
	once   sync.Once
}

// startControl starts the program of a control. The program reads values from file 3 and answers on file 4. Its
// standard output is discarded.
func startControl(ctl *knob) (*controlProcess, error) {
	valuesOut, valuesIn, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	picturesOut, picturesIn, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, valuesOut.Close(), valuesIn.Close())
	}
	p := &controlProcess{
		cmd: exec.Command(ctl.program, ctl.args...), to: valuesIn,
		read: picturesOut, from: bufio.NewReaderSize(picturesOut, 1<<16),
	}
	p.cmd.Dir, p.cmd.Env, p.cmd.Stderr = ctl.dir, ctl.env, &p.stderr
	p.cmd.ExtraFiles = []*os.File{valuesOut, picturesIn}
	err = p.cmd.Start()
	_, _ = valuesOut.Close(), picturesIn.Close()
	if err != nil {
		_, _ = valuesIn.Close(), picturesOut.Close()
		return nil, err
	}
	return p, nil
}

// ask sends values and waits for the picture or for the function's error message.
func (p *controlProcess) ask(seq int64, values []string) (data map[string]any, problem string, err error) {
	if err := json.NewEncoder(p.to).Encode(controlRequest{Seq: seq, Values: values}); err != nil {
		return nil, "", err
	}
	line, err := p.from.ReadBytes('\n')
	if err != nil {
		return nil, "", err
	}
	var answer struct {
		Data  map[string]any `json:"data"`
		Error string         `json:"error"`
	}
	err = json.Unmarshal(line, &answer)
	return answer.Data, answer.Error, err
}

// lastWords returns the reason why a program ended.
func (p *controlProcess) lastWords() string {
	p.kill()
	if line := p.stderr.line(); line != "" {
		return line
	}
	return fmt.Sprintf("the function ended the program (%v): let it return a drawing instead", p.cmd.ProcessState)
}

// reason keeps the end of a program's stderr. It drops stack traces, because they may exceed its size limit.
type reason struct {
	filter traceFilter
	kept   tail
}

func (r *reason) Write(p []byte) (int, error) {
	_, _ = io.WriteString(&r.kept, r.filter.filter(string(p)))
	return len(p), nil
}

// line returns the line that explains why the program ended, or "" if the program wrote nothing.
func (r *reason) line() string {
	_, _ = io.WriteString(&r.kept, r.filter.end(false))
	text := strings.TrimSpace(stripANSI(r.kept.String()))
	for _, line := range slices.Backward(strings.Split(text, "\n")) {
		if strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") {
			return strings.TrimSpace(line)
		}
	}
	return lastLine(text)
}

func (p *controlProcess) kill() {
	p.once.Do(func() {
		_, _ = p.cmd.Process.Kill(), p.to.Close()
		_, _ = p.cmd.Wait(), p.read.Close()
	})
}
