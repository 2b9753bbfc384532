package program

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/siegebook/siegebook/internal/cache"
	"github.com/siegebook/siegebook/internal/canceled"
	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/report/content"
)

// These are the limits for running pages.
const (
	atOnce = 2 // the number of pages that run at the same time
	endsIn = 5 * time.Second
	// usualLimit is long, because other programs may keep the machine busy, and Ctrl-C can stop a build at any time.
	usualLimit = 5 * time.Minute
	maxOutput  = jupyter.DefaultOutputLimit // the bytes that a cell may print
)

// frame is a message from a page; see notebooks/show/page.
type frame struct {
	Cell   int                          `json:"cell"`
	Value  *struct{ Type, Text string } `json:"value"`
	Data   jupyter.Bundle               `json:"data"`
	ID     string                       `json:"id"`
	Module *Control                     `json:"control"`
	Shared map[string][]byte            `json:"shared"`
	Failed string                       `json:"failed"`
	Wrong  string                       `json:"wrong"`
	Line   int                          `json:"line"`
	Done   bool                         `json:"done"`
}

// runAll runs pages, atOnce at a time.
func (b *builder) runAll(ctx context.Context, program, folder string, pages []*made) error {
	sharing, err := b.sharing(ctx, folder, pages...)
	if err != nil {
		return err
	}
	errs := make([]error, len(pages))
	var group sync.WaitGroup
	turns := make(chan bool, atOnce)
	for i, m := range pages {
		turns <- true
		group.Go(func() {
			defer func() { <-turns }()
			if ctx.Err() != nil {
				return
			}
			m.result.Now = true
			if errs[i] = b.runPage(ctx, program, folder, m, sharing...); errs[i] == nil && len(m.result.Faults) == 0 {
				m.dropShared()
				if packed, err := cache.Pack(m.result.Cells); err == nil {
					_ = b.Cache.Put(m.key, packed) // after an error, the next build runs the page again
				}
			}
		})
	}
	group.Wait()
	if ctx.Err() != nil {
		return canceled.Cause(ctx)
	}
	return errors.Join(errs...)
}

// running is a page that is running.
type running struct {
	page    *made
	mark    string
	results []Result
}

// runPage runs one page or one cell of a notebook, with additional environment settings.
func (b *builder) runPage(ctx context.Context, program, folder string, m *made, settings ...string) error {
	limit := cmp.Or(b.Limit, usualLimit)
	limited, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	r := &running{page: m, mark: rand.Text(), results: make([]Result, len(m.page.Cells))}
	pipes, err := b.gonbPipes(folder, m)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(limited, program)
	cmd.Dir = m.page.Dir
	cmd.Env = slices.Concat(os.Environ(), []string{
		"SIEGEBOOK_PAGE=" + m.page.Name, "SIEGEBOOK_MARK=" + r.mark, "GOTRACEBACK=single",
	}, pipes, settings)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGQUIT) } // so that Go prints a stack trace
	// Processes that the page has started may keep its output streams open.
	cmd.WaitDelay = endsIn
	inOwnGroup(cmd)
	stdout, printed := io.Pipe()
	stderr, said := io.Pipe()
	cmd.Stdout, cmd.Stderr = printed, said
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("the program of the pages does not start: %w", err)
	}
	timer := time.AfterFunc(limit, func() { stop(errTooSlow) })
	defer timer.Stop()
	var readers sync.WaitGroup
	var texts [][]byte
	var frames []segment
	readers.Go(func() { texts = r.readStderr(stderr) })
	readers.Go(func() {
		frames = r.readStdout(stdout, func() { timer.Reset(limit) }, func() { stop(errTooMuch) })
	})
	err = cmd.Wait()
	_, _ = printed.Close(), said.Close()
	readers.Wait()
	endGroup(cmd)
	if ctx.Err() != nil {
		return canceled.Cause(ctx)
	}
	cause := context.Cause(limited)
	switch {
	case errors.Is(cause, errTooSlow):
		cause = fmt.Errorf("the cell did not finish within %v: make it faster", limit)
	case errors.Is(err, exec.ErrWaitDelay):
		err = nil
	}
	r.judge(cause, err, frames, texts)
	return nil
}

var (
	errTooSlow = errors.New("too slow")
	errTooMuch = fmt.Errorf("the cell wrote more than %d bytes of output: print less", maxOutput)
)

// segment is a frame and the text that the page printed before it.
type segment struct {
	text  []byte
	frame *frame
}

// readStdout reads the frames of a page, and the text between them. It calls begun for each frame. If a cell prints too
// much, it calls over once, and discards the rest.
func (r *running) readStdout(from io.Reader, begun, over func()) (all []segment) {
	in := bufio.NewReaderSize(from, 1<<16)
	mark := []byte("\x00" + r.mark + " ")
	var text []byte
	cell, size, told := -1, 0, false
	for {
		piece, err := in.ReadSlice(0)
		if errors.Is(err, bufio.ErrBufferFull) {
			err = nil
		}
		if bytes.HasSuffix(piece, []byte{0}) {
			text = append(text, piece[:len(piece)-1]...)
			if next, _ := in.Peek(len(mark) - 1); bytes.Equal(next, mark[1:]) {
				_, _ = in.Discard(len(mark) - 1)
				f, length := readFrame(in)
				begun()
				if size += length + len(text); f != nil && f.Cell != cell {
					cell, size = f.Cell, 0
				}
				all = append(all, segment{text, f})
				text = nil
			} else {
				text = append(text, 0)
			}
		} else {
			text = append(text, piece...)
		}
		if size+len(text) > maxOutput {
			if text = nil; !told {
				told = true
				over()
			}
		}
		if err != nil {
			return append(all, segment{text, nil})
		}
	}
}

// readFrame reads the part of a frame after its mark: the lengths of its two parts, and the parts. If the frame shows a
// block of the report, the second part is the encoded block. readFrame also returns the length of both parts.
func readFrame(in *bufio.Reader) (*frame, int) {
	head, err := in.ReadString('\n')
	var lengths [2]int
	if _, wrong := fmt.Sscanf(head, "%d %d\n", &lengths[0], &lengths[1]); err != nil || wrong != nil ||
		min(lengths[0], lengths[1]) < 0 || max(lengths[0], lengths[1]) > 8*maxOutput {
		return nil, 0
	}
	var parts [2][]byte
	for i, length := range lengths {
		parts[i] = make([]byte, length)
		if _, err := io.ReadFull(in, parts[i]); err != nil {
			return nil, 0
		}
	}
	var f frame
	if json.Unmarshal(parts[0], &f) != nil {
		return nil, lengths[0] + lengths[1]
	}
	if lengths[1] > 0 && f.Data != nil {
		block, _ := json.Marshal(string(parts[1])) // cannot fail: it is a string
		f.Data[content.MediaType] = block
	}
	return &f, lengths[0] + lengths[1]
}

// readStderr reads the text that a page writes to stderr, and splits it at the marks that the page writes after each
// frame.
func (r *running) readStderr(from io.Reader) [][]byte {
	data, _ := io.ReadAll(io.LimitReader(from, maxOutput))
	_, _ = io.Copy(io.Discard, from)
	return bytes.Split(data, []byte("\x00"+r.mark+"\n"))
}

// judge turns the output of a page into results. If the page has failed, it adds a fault.
func (r *running) judge(cause, ended error, printed []segment, said [][]byte) {
	cell, displays := 0, map[string][2]int{}
	add := func(name string, text []byte) {
		if len(text) > 0 {
			r.results[cell].stream(name, text)
		}
	}
	done := false
	for i, s := range printed {
		add("stdout", s.text)
		if i < len(said) && (s.frame != nil || done) {
			add("stderr", said[i])
		}
		f := s.frame
		if f == nil || f.Cell < 0 || f.Cell >= len(r.results) {
			continue
		}
		cell = f.Cell
		switch {
		case f.Failed != "":
			r.fault(cell, f.Line, f.Failed)
			r.page.result.Faults[len(r.page.result.Faults)-1].Parameter = f.Wrong
		case f.Value != nil:
			r.results[cell].Type, r.results[cell].Text = f.Value.Type, f.Value.Text
		case f.Module != nil:
			r.results[cell].Controls = append(r.results[cell].Controls, *f.Module)
		case f.Shared != nil:
			if r.results[cell].Shared == nil {
				r.results[cell].Shared = map[string][]byte{}
			}
			maps.Copy(r.results[cell].Shared, f.Shared)
		case f.Data != nil:
			r.show(displays, cell, f)
		}
		done = done || f.Done
	}
	last := said[len(said)-1] // the text after the last frame
	switch line, message := r.lastWords(last); {
	case len(r.page.result.Faults) > 0:
	case cause != nil:
		r.fault(cell, line, cause.Error())
	case done && ended == nil:
		r.page.result.Cells = r.results
	case message != "":
		r.fault(cell, line, message)
	case ended == nil:
		r.fault(cell, 0, "the program exited while running this cell, but the page continues: remove os.Exit")
	default:
		r.fault(cell, 0, fmt.Sprintf("the program exited while running this cell (%v): %s", ended, lastLine(last)))
	}
}

// show adds the data of a frame to the outputs of a cell. If the frame has an ID, a later frame with the same ID
// replaces the output. displays maps IDs to the cells and indices of such outputs.
func (r *running) show(displays map[string][2]int, cell int, f *frame) {
	if at, shown := displays[f.ID]; shown && f.ID != "" {
		r.results[at[0]].Outputs[at[1]].Data = f.Data
		return
	}
	displays[f.ID] = [2]int{cell, len(r.results[cell].Outputs)}
	r.results[cell].Outputs = append(r.results[cell].Outputs, jupyter.Output{Type: jupyter.DisplayData, Data: f.Data})
}

// fault records a fault of a cell at a line of the page, or at the first line of the cell if line is 0.
func (r *running) fault(cell, line int, message string) {
	c := r.page.page.Cells[cell]
	f := Fault{Line: c.Line, Column: c.Column, Message: message}
	if line > 0 && line != f.Line {
		f.Line, f.Column = line, 1
	}
	f.Cell = r.page.page.cellAt(f.Line, f.Column)
	r.page.result.Faults = append(r.page.result.Faults, f)
}

// stream adds text to the outputs of a cell. As in Jupyter, there is at most one output of each stream between two
// other outputs, and stdout comes first.
func (r *Result) stream(name string, text []byte) {
	at := len(r.Outputs)
	for at > 0 && r.Outputs[at-1].Type == jupyter.Stream && r.Outputs[at-1].Name <= name {
		at--
	}
	clean := string(bytes.ToValidUTF8(text, []byte("\uFFFD")))
	if at < len(r.Outputs) && r.Outputs[at].Name == name {
		r.Outputs[at].Text += clean
		return
	}
	r.Outputs = append(r.Outputs[:at:at], append([]jupyter.Output{{Type: jupyter.Stream, Name: name, Text: clean}},
		r.Outputs[at:]...)...)
}

// fatal matches the line in which Go reports why a program crashed.
var fatal = regexp.MustCompile(`(?m)^(panic|fatal error): (.*)$`)

// lastWords finds the message of a crash and the line of the page in a stack trace.
func (r *running) lastWords(text []byte) (line int, message string) {
	m := fatal.FindSubmatch(text)
	place := regexp.MustCompile(regexp.QuoteMeta(r.page.page.shownFile()) + `:(\d+)`).FindSubmatch(text)
	if place != nil {
		line, _ = strconv.Atoi(string(place[1]))
	}
	if m != nil {
		message = strings.TrimSpace(string(m[0]))
	}
	return line, message
}

func lastLine(text []byte) string {
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return lines[len(lines)-1]
}

// gonbPipes makes the named pipes for a page that imports gonb, and returns the environment settings that name them.
func (b *builder) gonbPipes(folder string, m *made) ([]string, error) {
	if !strings.Contains(m.text, "janpfeifer/gonb") {
		return nil, nil
	}
	var settings []string
	for _, name := range []string{"GONB_PIPE", "GONB_PIPE_BACK"} {
		pipe := filepath.Join(folder, m.name()+"-"+strings.ToLower(name))
		if err := makePipe(pipe); err != nil {
			return nil, err
		}
		settings = append(settings, name+"="+pipe)
	}
	return settings, nil
}
