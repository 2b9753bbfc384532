package jupyter

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// patience says how long a kernel may take to do what it is told.
type patience struct {
	start     time.Duration // to answer for the first time
	interrupt time.Duration // to give up a cell, so that its last outputs and its traceback are not lost
	shutdown  time.Duration // to end after a message
	terminate time.Duration // to end after a signal
}

// defaultPatience leaves an interrupted command time to tidy up.
var defaultPatience = patience{
	start: DefaultStartTimeout, interrupt: 2 * time.Second, shutdown: time.Second, terminate: 500 * time.Millisecond,
}

// errDied is the error of all work on a kernel that has ended by itself.
var errDied = errors.New("the kernel died")

// session is a running kernel and the connection to it. It is used by one goroutine at a time.
type session struct {
	id      string
	spec    Kernelspec
	wait    patience
	folder  string // private: connection file, temporary files of the kernel
	process *process
	sockets *sockets
}

// startSession starts a kernel in a working folder and waits until it answers. The environment is that of this
// process, changed by the kernelspec.
func startSession(ctx context.Context, spec Kernelspec, dir string, wait patience) (*session, error) {
	limited, cancel := context.WithTimeoutCause(ctx, wait.start,
		fmt.Errorf("the kernel did not answer within %v: see whether %s starts, or allow more time",
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
	file := filepath.Join(s.folder, "kernel-"+rand.Text()+".json") // it holds the key, for this user alone
	if err := os.WriteFile(file, encoded(c), 0o600); err != nil {
		return err
	}
	cmd, err := s.command(dir, file)
	if err != nil {
		return err
	}
	if s.process, err = startProcess(cmd, s.id, s.folder); err != nil {
		return fmt.Errorf("cannot start it: %w", err)
	}
	if s.sockets, err = s.dial(ctx, c); err != nil {
		return err
	}
	return s.waitReady(ctx)
}

// command returns the kernel's command line. The folder for the kernel's temporary files is removed with the
// session.
func (s *session) command(dir, file string) (*exec.Cmd, error) {
	temp := filepath.Join(s.folder, "tmp")
	if err := os.Mkdir(temp, 0o700); err != nil {
		return nil, err
	}
	// The time zone is that of nobody: what cells show does not tell where they ran.
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

// dial connects, unless the kernel ends before it listens.
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

// askAgain is when a kernel is asked again whether it is ready: it publishes nothing to those whom it does not know
// yet, and may not know us at the first time.
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

// lastWords returns the last line that the kernel wrote before it ended by itself, and how it ended.
func (s *session) lastWords() string {
	if s.process == nil || !s.process.hasExited() {
		return ""
	}
	how := "it ended without an error"
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

// interrupt asks the kernel to give up the cell that it works on.
func (s *session) interrupt() {
	if s.spec.InterruptMode != "message" {
		s.process.signalGroup(syscall.SIGINT)
		return
	}
	_ = s.sockets.send(control, request(s.id, "interrupt_request", struct{}{}))
}

// Close ends the kernel: by a message, by a signal, by force. Afterwards none of its processes is left.
func (s *session) Close() {
	go func() { // so that a kernel which floods us comes to read the request
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

// kill ends the kernel without asking it, and removes all traces of the session.
func (s *session) kill() {
	if s.process != nil {
		s.process.stop(s.wait.terminate)
	}
	if s.sockets != nil {
		s.sockets.Close()
	}
	_ = os.RemoveAll(s.folder)
}
