package jupyter

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/waittest"
)

// client is a front end of a kernel behind a proxy.
type client struct {
	*testing.T
	c       connection
	folder  string // the folder for temporary files
	sockets *sockets
	ended   chan error
	stop    context.CancelFunc
	said    []string // the published messages, with the requests that they belong to
	wrote   []string // the code in execute_input messages
}

// proxyFile creates a folder for temporary files, and in it the connection file of a proxy.
func proxyFile(t *testing.T) (folder, file string, c connection) {
	t.Helper()
	var spec Kernelspec
	spec.Metadata.Siegebook.Transport = "ipc"
	folder = must.Get(os.MkdirTemp("", "f")) // its path is short enough for the sockets in the folder
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	t.Setenv("TMPDIR", folder)
	t.Setenv(fakePIDs, filepath.Join(t.TempDir(), "pids"))
	c = must.Get(newConnection(spec, folder))
	return folder, must.Get(c.write(folder)), c
}

// behindProxy starts the fake kernel behind a proxy, and connects to it.
func behindProxy(t *testing.T, arguments ...string) *client {
	t.Helper()
	program := must.Get(os.Executable())
	t.Setenv(fakeMode, "on")
	folder, file, c := proxyFile(t)
	ctx, stop := context.WithCancel(t.Context())
	cl := &client{T: t, c: c, folder: folder, ended: make(chan error, 1), stop: stop}
	go func() {
		cl.ended <- runProxy(ctx, file, append(fakeCommand(program), arguments...))
	}()
	cl.sockets = must.Get(dial(t.Context(), c))
	t.Cleanup(func() {
		stop()
		<-cl.ended
		cl.sockets.Close()
		kernel := processes(t, os.Getenv(fakePIDs))[0] // the kernel is in our process group
		waittest.Until(t, "the kernel does not end", func() bool { return !alive(kernel) })
	})
	cl.send("kernel_info_request", struct{}{})
	for heard := false; !heard; { // until the client is subscribed
		select {
		case r := <-cl.sockets.incoming:
			heard = r.channel == iopub
		case <-time.After(askAgain):
			cl.send("kernel_info_request", struct{}{})
		}
	}
	return cl
}

// fakeCommand returns the command line of a fake kernel, which uses the last argument as its connection file.
func fakeCommand(program string) []string {
	return []string{"/bin/sh", "-c", `shift $(($# - 1)); exec "$0" "$1"`, program}
}

func (c *client) send(kind string, content any) string {
	c.Helper()
	m := request("client", kind, content)
	must.Do(c, c.sockets.send(shell, m))
	return m.header.ID
}

// notGo begins a cell for the fake kernel. The cell's code is not Go, so the proxy passes it to the kernel unchanged.
const notGo = "%%\n"

// want sends a cell and returns the ID of the request.
func (c *client) want(stop bool, code string) string {
	c.Helper()
	if !strings.HasPrefix(code, notGo) {
		code = notGo + code
	}
	return c.send("execute_request", map[string]any{"code": code, "stop_on_error": stop, "allow_stdin": true})
}

// cells sends all cells at once, and returns the statuses of the replies after they have all arrived.
func (c *client) cells(stop bool, cells ...string) []string {
	c.Helper()
	var ids []string
	for _, code := range cells {
		ids = append(ids, c.want(stop, code))
	}
	states, idle := make([]string, len(ids)), map[string]bool{}
	c.said, c.wrote = nil, nil
	c.hear("a reply is missing", func(r received) bool {
		at := slices.Index(ids, r.message.parent.ID)
		switch {
		case at < 0:
		case r.channel == shell:
			var got reply
			must.Do(c, json.Unmarshal(r.message.content, &got))
			states[at] = got.Status
		case r.message.header.Type == "status":
			if strings.Contains(string(r.message.content), "idle") {
				idle[ids[at]] = true
			}
		case r.message.header.Type == "execute_input":
			c.wrote = append(c.wrote, string(r.message.content))
		default:
			c.said = append(c.said, fmt.Sprintf("%d %s", at, r.message.content))
		}
		return !slices.Contains(states, "") && len(idle) == len(ids)
	})
	return states
}

// hear receives messages until the wanted message arrives. If that message does not arrive, it ends the test.
func (c *client) hear(missing string, wanted func(received) bool) {
	c.Helper()
	waittest.Until(c.T, missing, func() bool {
		select {
		case r := <-c.sockets.incoming:
			return wanted(r)
		case <-time.After(askAgain):
			return false
		}
	})
}

// reply returns the reply to a request.
func (c *client) reply(id string) (got message) {
	c.Helper()
	c.hear("there is no reply", func(r received) bool {
		got = r.message
		return r.channel == shell && got.parent.ID == id
	})
	return got
}

// TestProxyStops checks that when a cell fails, waiting cells are aborted, unless the failing cell's request says
// otherwise, and that the next cell runs.
func TestProxyStops(t *testing.T) {
	c := behindProxy(t)
	cells := map[string]string{"fine": "busy\nok 1\nidle", "bad": "busy\nerror boom\nidle"}
	type row struct {
		Stop  bool
		Cells string
	}
	must.Answers(t, "testdata/cases.txtar", func(row row) []any {
		var codes []string
		for name := range strings.FieldsSeq(row.Cells) {
			codes = append(codes, cells[name])
		}
		return []any{strings.Join(c.cells(row.Stop, codes...), " ")}
	})
}

// TestProxyStopsLate checks that cells sent together with a failing cell are aborted even if they arrive after its
// failure, and that a cell sent after the reply runs.
func TestProxyStopsLate(t *testing.T) {
	old := burstPause
	burstPause = 2 * time.Second
	t.Cleanup(func() { burstPause = old })
	c := behindProxy(t)
	c.want(true, "busy\nerror boom\nidle")
	// The cell has failed by now. On a machine that is too busy for that, its failure stops the next cell anyway.
	time.Sleep(askAgain)
	for _, want := range []string{"aborted", "ok"} { // one at a time
		if got := c.cells(true, "busy\nok 1\nidle")[0]; got != want {
			t.Errorf("the next one: %s, want %s", got, want)
		}
	}
}

// TestProxyIdle checks that a cell runs if it is sent after the idle status of a failed cell, even if nobody has read
// the reply.
func TestProxyIdle(t *testing.T) {
	c := behindProxy(t)
	bad := c.want(true, "busy\nerror boom\nidle")
	c.hear("the cell does not end", func(r received) bool {
		return r.message.parent.ID == bad && r.message.header.Type == "status" &&
			strings.Contains(string(r.message.content), "idle")
	})
	if got := c.cells(true, "busy\nok 1\nidle")[0]; got != "ok" {
		t.Errorf("the next one: %s", got)
	}
}

// TestProxySays checks that stack traces are removed, and that a front end is told why a cell does not compile, without
// the names of commands and temporary files. All other output of a program must be unchanged.
func TestProxySays(t *testing.T) {
	c := behindProxy(t)
	for _, row := range must.Rows(t, "testdata/cases.txtar", "TestProxySays") {
		c.cells(true, row[0])
		if got := strings.Join(c.said, "\n"); got != row[1] {
			t.Errorf("%s\nsays\n%s\nwant\n%s", row[0], got, row[1])
		}
	}
}

// TestProxyLeavesOut checks that a front end gets only the beginning of a long output, and one line about the rest.
func TestProxyLeavesOut(t *testing.T) {
	c := behindProxy(t)
	for _, test := range must.Table[struct {
		Cell                string
		Times, Lines, Bytes int // the lines and bytes that are kept
		Note                string
	}](t, "testdata/cases.txtar", "TestProxyLeavesOut") {
		if got := c.cells(true, strings.Repeat(test.Cell+"\n", test.Times)+"busy\nok 1\nidle")[0]; got != "ok" {
			t.Errorf("%s: %s", test.Cell, got)
		}
		said := strings.Join(c.said, "\n")
		if lines := strings.Count(said, `line\n`); lines != test.Lines {
			t.Errorf("%s: %d lines, want %d", test.Cell, lines, test.Lines)
		}
		if test.Lines == 0 && (len(said) < test.Bytes || len(said) > test.Bytes+1000) {
			t.Errorf("%s: %d bytes, want about %d", test.Cell, len(said), test.Bytes)
		}
		if notes := strings.Count(said, "left out"); notes != min(1, len(test.Note)) ||
			!strings.Contains(said, test.Note) {
			t.Errorf("%s: %d notes, want %q: %.200s", test.Cell, notes, test.Note, said[max(0, len(said)-200):])
		}
	}
}

// TestProxyClone checks that there is exactly one notice if the notebook and the kernel belong to different clones.
func TestProxyClone(t *testing.T) {
	mine, other := fakeModule(t), fakeModule(t)
	for _, test := range []struct{ dir, want string }{
		{mine, ""},
		{t.TempDir(), ""}, // a folder outside of clones
		{filepath.Join(other, "gonb"), "This notebook is in " + other + ", but its cells import packages from " +
			mine + ": run 'make jupyter' in " + other + " to change that."},
	} {
		t.Chdir(test.dir)
		c := behindProxy(t, goWorkFlag+mine)
		c.cells(true, "busy\nok 1\nidle")
		if got := strings.Join(c.said, "\n"); (test.want == "") != (got == "") || !strings.Contains(got, test.want) {
			t.Errorf("%s: %q, want %q", test.dir, got, test.want)
		}
		c.cells(true, "busy\nok 2\nidle")
		if len(c.said) > 0 {
			t.Errorf("%s: said again: %q", test.dir, c.said)
		}
	}
}

// TestProxyEnds checks that the proxy ends with the kernel, and leaves no files and processes behind.
func TestProxyEnds(t *testing.T) {
	c := behindProxy(t)
	c.send("execute_request", map[string]any{"code": notGo + "die out of memory"})
	must.ErrorContains(t, <-c.ended, "exit status 3")
	c.ended <- nil
}

// TestProxyEndsCells checks that when the kernel is killed, the processes of its cells end, and their files are
// removed.
func TestProxyEndsCells(t *testing.T) {
	c := behindProxy(t)
	c.cells(true, "children\ntemporary\nbusy\nok 1\nidle")
	if left, _ := filepath.Glob(filepath.Join(c.folder, "siegebook-front-*", "of-a-cell-*")); len(left) != 1 {
		t.Errorf("the file of the cell: %v", left)
	}
	c.send("execute_request", map[string]any{"code": notGo + "killed"})
	must.ErrorContains(t, <-c.ended, "killed")
	c.ended <- nil
	wantNoneLeft(t, os.Getenv(fakePIDs))
	if left, _ := filepath.Glob(filepath.Join(c.folder, "*-*")); len(left) != 1 { // only the connection file is left
		t.Errorf("left: %v", left)
	}
}

// TestProxyInterrupts checks that an interrupt ends the processes of the running cell, but not the processes of earlier
// cells.
func TestProxyInterrupts(t *testing.T) {
	if _, err := os.Stat("/proc/self/environ"); err != nil {
		t.Skip("the system does not show the environment of processes")
	}
	c := behindProxy(t)
	pids := os.Getenv(fakePIDs)
	c.cells(true, "children\nbusy\nok 1\nidle")
	before := len(processes(t, pids))
	time.Sleep(20 * time.Millisecond) // the system records start times in hundredths of a second
	id := c.want(true, "children\nbusy\nwait\nerror interrupted\nidle")
	waittest.Until(t, "the cell does not run", func() bool { return len(processes(t, pids)) == before+2 })
	must.Do(t, c.sockets.send(control, request("client", "interrupt_request", struct{}{})))
	c.reply(id)
	all := processes(t, pids)
	for _, pid := range all[before:] {
		waittest.Until(t, "what the cell has started does not end", func() bool { return !alive(pid) })
	}
	for _, pid := range all[:before] {
		if !alive(pid) {
			t.Errorf("process %d of %v has ended: it is older than the cell", pid, all)
		}
	}
	if got := c.cells(true, "busy\nok 2\nidle")[0]; got != "ok" {
		t.Errorf("the next cell: %s", got)
	}
}

// TestProxyOdd checks that messages that would make gonb panic are answered, and not passed on.
func TestProxyOdd(t *testing.T) {
	c := behindProxy(t)
	write := func(on channel, parts ...string) {
		var frames [][]byte
		for _, part := range parts {
			frames = append(frames, []byte(part))
		}
		must.Do(t, c.sockets.open[on].write(append([][]byte{delimiter, c.sockets.key.sign(frames)}, frames...)))
	}
	deep := strings.Repeat("[", 200_000) + strings.Repeat("]", 200_000)
	for _, row := range must.Rows(t, "testdata/cases.txtar", "TestProxyOdd") {
		metadata, content := strings.ReplaceAll(row[1], "DEEP", deep), strings.ReplaceAll(row[2], "DEEP", deep)
		kind, onControl := strings.CutPrefix(row[0], "control ")
		m := request("client", kind, nil)
		on := map[bool]channel{false: shell, true: control}[onControl]
		write(on, string(encoded(m.header)), "{}", metadata, content)
		got := message{}
		c.hear("there is no reply to "+row[0], func(r received) bool {
			got = r.message
			return r.channel != iopub && got.parent.ID == m.header.ID
		})
		var refused struct{ Status, Evalue string }
		if err := json.Unmarshal(got.content, &refused); err != nil || refused.Status != "error" ||
			refused.Evalue == "" {
			t.Errorf("%.60s: %s", content, got.content)
		}
	}
	m := request("client", "execute_request", nil)
	// These messages cannot be answered.
	for _, heads := range [][2]string{{`"text"`, `{}`}, {`{"msg_type":1}`, `{}`}, {string(encoded(m.header)), `[]`}} {
		write(shell, heads[0], heads[1], "{}", "{}")
	}
	write(stdin, string(encoded(request("client", "input_reply", nil).header)), "{}", "{}", `{"value":1}`)
	for kind, want := range map[string]string{
		"execute_request": `"ok"`, "complete_request": `"matches":[]`, "inspect_request": `"found":false`,
	} { // the protocol defines defaults for the missing fields
		m := request("client", kind, struct{}{})
		write(shell, string(encoded(m.header)), "{}", "{}", "{}")
		if got := c.reply(m.header.ID); !strings.Contains(string(got.content), want) {
			t.Errorf("an empty %s: %s", kind, got.content)
		}
	}
	if got := c.cells(true, "busy\nok 1\nidle")[0]; got != "ok" {
		t.Errorf("the next cell: %s", got)
	}
}

// TestProxyRefuses checks that a cell that cannot run gets a number and ends, that a message explains why, and that the
// cells after it do not run. The page must show the cell's code unchanged.
func TestProxyRefuses(t *testing.T) {
	c := behindProxy(t)
	states := c.cells(true, "busy\nok 1\nidle\n/*\n%%\n*/", "%%\nx\n%%", "busy\nok 1\nidle")
	if got := strings.Join(states, " "); got != "ok error aborted" {
		t.Errorf("the states: %s", got)
	}
	why := "only one line of a cell can begin its statements, but %% comes after %%: remove one of them"
	want := `1 {"ename":"ERROR","evalue":"line 3, column 1: ` + why + `","execution_count":7,"status":"error",` +
		`"traceback":["Cell[7]: Line 3, column 1\n%%\n` + why + `\n"]}`
	if got := strings.Join(c.said, "\n"); got != want {
		t.Errorf("said is\n%s\nwant\n%s", got, want)
	}
	want = `{"code":"%%\nbusy\nok 1\nidle\n/*\n%%\n*/","execution_count":1} {"code":"%%\nx\n%%","execution_count":1}`
	if got := strings.Join(c.wrote, " "); got != want {
		t.Errorf("the cells are %s, want %s", got, want)
	}
}

// TestKernelEndsStrays checks that the processes of a cell end with the kernel, even if they have left the process
// group and have a different environment, and that an interrupted cell with commands counts as failed.
func TestKernelEndsStrays(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux gives a process the orphans of what it has started")
	}
	spec, pids := fakeSpec(t, "kernel")
	spec.Argv = append([]string{spec.Argv[0], "{connection_file}"}, fakeCommand(spec.Argv[0])...)
	n := Compose([]map[string]any{CodeCell("one", notGo+"stray\nchildren\nbusy\nok 1\nidle", map[string]any{})}, nil)
	must.Get(Run(t.Context(), n, RunOptions{Kernel: spec, patience: unhurried}))
	if got := len(processes(t, pids)); got != 5 {
		t.Errorf("%d processes, want the kernel, its group, and three that the cell has started", got)
	}
	wantNoneLeft(t, pids)
}

// TestProxyFile checks that the error about an unreadable connection file names the file.
func TestProxyFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "kernel-1.json")
	must.ErrorContains(t, runProxy(t.Context(), file, []string{"true"}), file)
}

// TestProxyKilled checks that if the proxy or its parent process is killed, no process and no folder is left.
func TestProxyKilled(t *testing.T) {
	if _, err := os.Stat("/proc/self/environ"); err != nil {
		t.Skip("the system does not show the environment of processes")
	}
	for name, line := range map[string][]string{
		"itself": {}, "its parent": {"/bin/sh", "-c", `"$0" "$@" & wait`},
	} {
		t.Run(name, func(t *testing.T) { testKilled(t, line) })
	}
}

func testKilled(t *testing.T, line []string) {
	t.Helper()
	program := must.Get(os.Executable())
	temp, file, _ := proxyFile(t)
	line = append(line, program, file, program)
	proxy := exec.Command(line[0], line[1:]...)
	proxy.Env = append(os.Environ(), fakeMode+"=proxy", "JPY_PARENT_PID=1")
	must.Do(t, proxy.Start())
	kernel := 0
	waittest.Until(t, "the kernel does not start", func() bool {
		data, _ := os.ReadFile(os.Getenv(fakePIDs))
		_, err := fmt.Sscan(string(data), &kernel)
		return err == nil
	})
	must.Do(t, proxy.Process.Kill())
	_ = proxy.Wait()
	waittest.Until(t, "the kernel lives on", func() bool { return syscall.Kill(kernel, 0) != nil })
	waittest.Until(t, "the folder stays", func() bool {
		left, _ := filepath.Glob(filepath.Join(temp, "siegebook-front-*"))
		return len(left) == 0
	})
}
