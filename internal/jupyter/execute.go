package jupyter

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

var errInput = errors.New("the cell asks for input, but nobody is there to type it: remove the question from the cell")

// reply is the content of a kernel's reply to a request to execute a cell.
type reply struct {
	Status string `json:"status"`
	Count  int    `json:"execution_count"`
	Name   string `json:"ename"`
	Value  string `json:"evalue"`
}

// execution is the execution of one cell. It ends when the reply has arrived on shell and the status idle on iopub.
// Either may arrive first. All outputs arrive before idle.
type execution struct {
	session *session
	id      string
	outputs *collector
	reply   reply
	replied bool
	idle    bool
	cause   error // why the execution was interrupted
}

// execute runs code and collects its outputs. An error in the code is part of the reply. The returned error is about
// the run: a time limit, an output limit, a kernel that died or sent invalid messages, or a canceled context. After
// such an error, the session is unusable.
func (s *session) execute(ctx context.Context, code string, limit time.Duration, outputs *collector) (reply, error) {
	m := request(s.id, "execute_request", map[string]any{
		"code": code, "silent": false, "store_history": true, "user_expressions": struct{}{},
		"allow_stdin": false, "stop_on_error": true,
	})
	if err := s.sockets.send(shell, m); err != nil {
		return reply{}, fmt.Errorf("%w: %w", errDied, err)
	}
	e := &execution{session: s, id: m.header.ID, outputs: outputs}
	err := e.wait(ctx, limit)
	return e.reply, err
}

// wait handles messages until the cell ends.
func (e *execution) wait(ctx context.Context, limit time.Duration) error {
	s := e.session
	timer := time.NewTimer(limit)
	defer timer.Stop()
	exited := s.process.exited
	for !e.replied || !e.idle {
		select {
		case r := <-s.sockets.incoming:
			if err := e.take(r); err != nil && e.cause == nil {
				e.interrupt(err, timer)
			}
		case <-timer.C:
			if e.cause != nil {
				return e.cause // the kernel did not react to the interrupt, either
			}
			e.interrupt(fmt.Errorf("the cell did not finish within %v: %s", limit, tooSlow), timer)
		case <-exited:
			// Messages that the kernel sent before it ended may still arrive.
			exited = nil
			timer.Reset(e.session.wait.interrupt)
			if e.cause == nil {
				e.cause = e.died()
			}
		case <-s.sockets.drained:
			if e.cause != nil {
				return e.cause
			}
			return e.died()
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return e.cause
}

// tooSlow is advice about a cell that takes too long.
const tooSlow = "make it faster, or allow more time with --timeout; " +
	"if it reads from standard input, remove that, because nobody is there to type"

// interrupt asks the kernel to stop the cell, records the cause, and sets the timer to the time that the kernel has to
// stop.
func (e *execution) interrupt(cause error, timer *time.Timer) {
	e.cause = cause
	e.session.interrupt()
	timer.Reset(e.session.wait.interrupt)
}

// died returns the error for a kernel that has ended. The error contains the kernel's last message.
func (e *execution) died() error {
	e.session.process.exitsWithin(e.session.wait.interrupt)
	return fmt.Errorf("%w%s", errDied, e.session.lastWords())
}

// take handles one message. It ignores messages that do not belong to this request, because they are late messages of
// earlier cells.
func (e *execution) take(r received) error {
	if r.err != nil {
		return r.err
	}
	if r.message.parent.ID != e.id {
		return nil
	}
	switch r.channel {
	case shell:
		if r.message.header.Type != "execute_reply" {
			return nil
		}
		e.replied = true
		if err := json.Unmarshal(r.message.content, &e.reply); err != nil {
			return fmt.Errorf("the kernel sent an execute_reply that cannot be read: %w", err)
		}
	case stdin:
		if r.message.header.Type == "input_request" {
			return errInput
		}
	case iopub:
		if r.message.header.Type != "status" {
			return e.outputs.take(r.message)
		}
		var status struct {
			State string `json:"execution_state"`
		}
		if err := json.Unmarshal(r.message.content, &status); err != nil {
			return fmt.Errorf("the kernel sent a status that cannot be read: %w", err)
		}
		e.idle = e.idle || status.State == "idle"
	}
	return nil
}

// collector collects the outputs of a cell from a kernel's messages.
type collector struct {
	limit    int64 // the maximum number of bytes of content
	used     int64
	over     bool
	outputs  []*Output
	texts    map[*Output]*[]byte // the text of each stream so far, as JSON
	clearing bool                // the outputs will be cleared before the next output
	// displays contains, by id, the displays of all cells that have an id. Later messages can replace them.
	displays map[string][]*Output
}

func newCollector(limit int64, displays map[string][]*Output) *collector {
	return &collector{limit: limit, texts: map[*Output]*[]byte{}, displays: displays}
}

// content is the content of a message that contains an output.
type content struct {
	Output
	Text      json.RawMessage `json:"text"` // a stream's text as JSON, with its quotes
	Transient struct {
		DisplayID string `json:"display_id"`
	} `json:"transient"`
	Wait bool `json:"wait"`
}

// take adds the output in a message. It ignores other types of messages. When the output exceeds the limit, it returns
// an error that names the limit; after that, it drops all messages.
func (c *collector) take(m message) error {
	kind := OutputType(m.header.Type)
	known := []OutputType{Stream, DisplayData, ExecuteResult, ErrorOutput, "update_display_data", "clear_output"}
	if c.over || !slices.Contains(known, kind) {
		return nil
	}
	var in content
	if err := json.Unmarshal(m.content, &in); err != nil {
		return fmt.Errorf("the kernel sent a message of type %s that cannot be read: %w", kind, err)
	}
	if c.used += int64(len(m.content)); c.used > c.limit {
		return c.overflow(in, int64(len(m.content)))
	}
	switch kind {
	case "clear_output":
		if c.clearing = in.Wait; !in.Wait {
			c.clear()
		}
	case "update_display_data":
		for _, shown := range c.displays[in.Transient.DisplayID] {
			shown.Data, shown.Metadata = in.Data, in.Metadata
		}
	case Stream:
		if len(in.Text) == 0 || in.Text[0] != '"' {
			return errors.New("the kernel sent a message of type stream without text")
		}
		c.write(in.Name, in.Text)
	default:
		in.Type = kind
		c.add(&in.Output, in.Transient.DisplayID)
	}
	return nil
}

func (c *collector) add(o *Output, displayID string) {
	if c.clearing {
		c.clear()
	}
	c.outputs = append(c.outputs, o)
	if displayID != "" {
		c.displays[displayID] = append(c.displays[displayID], o)
	}
}

// clear removes the outputs of the cell. It keeps outputs of other cells with the same display ids.
func (c *collector) clear() {
	for id, shown := range c.displays {
		c.displays[id] = slices.DeleteFunc(shown, func(o *Output) bool { return slices.Contains(c.outputs, o) })
	}
	c.outputs, c.clearing = nil, false
}

// write adds text to a stream. Between two outputs of other kinds, each stream has at most one output, and stdout comes
// first, because the lines of the two streams arrive in random order. A kernel may split text anywhere, even inside a
// character or a surrogate pair, so result decodes the text only when it is complete.
func (c *collector) write(name string, quoted json.RawMessage) {
	text := slices.Clone(quoted[1 : len(quoted)-1])
	if c.clearing {
		c.clear()
	}
	start := len(c.outputs)
	for start > 0 && c.outputs[start-1].Type == Stream {
		start--
	}
	at, found := slices.BinarySearchFunc(c.outputs[start:], name, func(o *Output, name string) int {
		return strings.Compare(name, o.Name) // descending, so that stdout precedes stderr
	})
	if at += start; found {
		into := c.texts[c.outputs[at]]
		*into = append(*into, text...)
		return
	}
	o := &Output{Type: Stream, Name: name}
	c.texts[o] = (*[]byte)(&text)
	c.outputs = slices.Insert(c.outputs, at, o)
}

// overflow ends the collection. It keeps as much of a stream's text as still fits, and adds a note to the outputs.
func (c *collector) overflow(in content, size int64) error {
	c.over = true
	var text string
	if json.Unmarshal(in.Text, &text) == nil {
		room := c.limit - (c.used - size)
		c.write(in.Name, encoded(strings.ToValidUTF8(text[:min(int64(len(text)), max(0, room))], "\uFFFD")))
	}
	c.write("stderr", encoded(fmt.Sprintf("\n[output cut off at %d bytes]\n", c.limit)))
	return fmt.Errorf("the cell wrote more than %d bytes of output: print less", c.limit)
}

// result returns the collected outputs.
func (c *collector) result() []*Output {
	for _, o := range c.outputs {
		if text := c.texts[o]; text != nil {
			_ = json.Unmarshal(slices.Concat([]byte(`"`), bytes.ToValidUTF8(*text, []byte("\uFFFD")), []byte(`"`)),
				&o.Text)
		}
	}
	return c.outputs
}
