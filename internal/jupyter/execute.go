package jupyter

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

var errInput = errors.New("the cell asks for input, and nobody is there to type it: take the question out of the cell")

// reply is what a kernel says of a cell that it has executed.
type reply struct {
	Status string `json:"status"`
	Count  int    `json:"execution_count"`
	Name   string `json:"ename"`
	Value  string `json:"evalue"`
}

// execution is one cell at work. It ends when its reply has come on shell and the state idle on iopub: each may be the
// first, and outputs come before idle.
type execution struct {
	session *session
	id      string
	outputs *collector
	reply   reply
	replied bool
	idle    bool
	cause   error // why it was interrupted
}

// execute runs code and collects its outputs. An error of the code is part of the reply; the error is that of the
// run: the time is over, there is too much output, the kernel has died or speaks another language, or the context has
// ended. After an error the session is of no use.
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

// wait takes messages until the cell has ended.
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
				return e.cause // it does not listen to an interrupt either
			}
			e.interrupt(e.late(limit), timer)
		case <-exited:
			// Messages that the kernel sent before may still be under way.
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

// late returns the error of a cell whose time is over.
func (e *execution) late(limit time.Duration) error {
	if e.session.process.waitsForInput() {
		return fmt.Errorf("the cell did not end within %v: it reads from the standard input, and nobody is there to type: take the question out of the cell", limit)
	}
	return fmt.Errorf("the cell did not end within %v: %s", limit, tooSlow)
}

// interrupt asks the kernel to give up the cell for a reason, and sets the timer for it to do so.
func (e *execution) interrupt(cause error, timer *time.Timer) {
	e.cause = cause
	e.session.interrupt()
	timer.Reset(e.session.wait.interrupt)
}

// died returns the error of a kernel that has ended, with what it said last.
func (e *execution) died() error {
	e.session.process.exitsWithin(e.session.wait.interrupt)
	return fmt.Errorf("%w%s", errDied, e.session.lastWords())
}

// take handles one message. Messages that answer other requests, or nobody's, are late ones of earlier cells.
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
		if r.message.header.Type == "status" {
			return e.state(r.message.content)
		}
		return e.outputs.take(r.message)
	}
	return nil
}

func (e *execution) state(content []byte) error {
	var status struct {
		State string `json:"execution_state"`
	}
	if err := json.Unmarshal(content, &status); err != nil {
		return fmt.Errorf("the kernel sent a status that cannot be read: %w", err)
	}
	e.idle = e.idle || status.State == "idle"
	return nil
}
