package jupyter

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/siegebook/siegebook/internal/waittest"
)

// client is a front end of a kernel behind a front.
type client struct {
	*testing.T
	sockets *sockets
	ended   chan error
	stop    context.CancelFunc
	said    []string // what was published, with the request that it answers
}

// behindFront starts the fake kernel behind a front, and connects.
func behindFront(t *testing.T, arguments ...string) *client {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(fakeMode, "on")
	t.Setenv(fakePIDs, filepath.Join(t.TempDir(), "pids"))
	var spec Kernelspec
	spec.Metadata.Siegebook.Transport = "ipc"
	folder, err := os.MkdirTemp("", "f")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	c, err := newConnection(spec, folder)
	if err != nil {
		t.Fatal(err)
	}
	file, err := c.write(folder)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	cl := &client{T: t, ended: make(chan error, 1), stop: stop}
	go func() {
		cl.ended <- RunFront(ctx, file, append([]string{"/bin/sh", "-c", `shift $(($# - 1)); exec "$0" "$1"`, program}, arguments...))
	}()
	if cl.sockets, err = dial(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stop()
		<-cl.ended
		cl.sockets.drain(defaultPatience.terminate)
		cl.sockets.Close()
		kernel := processes(t, os.Getenv(fakePIDs))[0] // the group is our own
		waittest.Until(t, "the kernel does not end", func() bool { return !alive(kernel) })
	})
	cl.send("kernel_info_request", struct{}{})
	for heard := false; !heard; { // until it is subscribed
		select {
		case r := <-cl.sockets.incoming:
			heard = r.channel == iopub
		case <-time.After(askAgain):
			cl.send("kernel_info_request", struct{}{})
		}
	}
	return cl
}

func (c *client) send(kind string, content any) string {
	c.Helper()
	m := request("client", kind, content)
	if err := c.sockets.send(shell, m); err != nil {
		c.Fatal(err)
	}
	return m.header.ID
}

// want sends a cell.
func (c *client) want(stop bool, code string) string {
	c.Helper()
	return c.send("execute_request", map[string]any{"code": code, "stop_on_error": stop, "allow_stdin": true})
}

// cells sends cells at once and returns the states of their replies, when all have come.
func (c *client) cells(stop bool, cells ...string) []string {
	c.Helper()
	var ids []string
	for _, code := range cells {
		ids = append(ids, c.want(stop, code))
	}
	states, idle := make([]string, len(ids)), map[string]bool{}
	c.said = nil
	waittest.Until(c.T, "a reply is missing", func() bool {
		select {
		case r := <-c.sockets.incoming:
			at := slices.Index(ids, r.message.parent.ID)
			switch {
			case at < 0:
			case r.channel == shell:
				var got reply
				if err := json.Unmarshal(r.message.content, &got); err != nil {
					c.Fatal(err)
				}
				states[at] = got.Status
			case r.message.header.Type == "status":
				if strings.Contains(string(r.message.content), "idle") {
					idle[ids[at]] = true
				}
			default:
				c.said = append(c.said, fmt.Sprintf("%d %s", at, r.message.content))
			}
		case <-time.After(askAgain):
		}
		return !slices.Contains(states, "") && len(idle) == len(ids)
	})
	return states
}

// TestFrontStops: when a cell fails, those that wait are aborted, unless its request says otherwise; the next one runs.
func TestFrontStops(t *testing.T) {
	c := behindFront(t)
	const fine, bad = "busy\nok 1\nidle", "busy\nerror boom\nidle"
	for _, test := range []struct {
		stop  bool
		cells []string
		want  string
	}{
		{true, []string{fine, bad, fine, bad, fine}, "ok error aborted aborted aborted"},
		{true, []string{fine, fine}, "ok ok"},
		{false, []string{bad, fine, bad}, "error ok error"},
		{true, []string{bad}, "error"},
		{true, []string{fine}, "ok"},
	} {
		if got := strings.Join(c.cells(test.stop, test.cells...), " "); got != test.want {
			t.Errorf("%q: %s, want %s", test.cells, got, test.want)
		}
	}
}

// TestFrontStopsLate: cells that were sent with one that fails are aborted also where they come after it has failed,
// and what is sent after its reply runs.
func TestFrontStopsLate(t *testing.T) {
	old := burstPause
	burstPause = 2 * time.Second
	t.Cleanup(func() { burstPause = old })
	c := behindFront(t)
	c.want(true, "busy\nerror boom\nidle")
	time.Sleep(askAgain)                             // it has failed by now; where the machine is busy and it has not, it stops the next one anyway
	for _, want := range []string{"aborted", "ok"} { // each is sent when the one before is idle and has its reply
		if got := c.cells(true, "busy\nok 1\nidle")[0]; got != want {
			t.Errorf("the next one: %s, want %s", got, want)
		}
	}
}

// TestFrontIdle: who sends a cell when the failed one is idle has it run, also without a look at the reply.
func TestFrontIdle(t *testing.T) {
	c := behindFront(t)
	bad := c.want(true, "busy\nerror boom\nidle")
	waittest.Until(t, "the cell does not end", func() bool {
		select {
		case r := <-c.sockets.incoming:
			return r.message.parent.ID == bad && strings.Contains(string(r.message.content), "idle")
		case <-time.After(askAgain):
			return false
		}
	})
	if got := c.cells(true, "busy\nok 1\nidle")[0]; got != "ok" {
		t.Errorf("the next one: %s", got)
	}
}

// TestFrontTrace: a trace is taken out; what else a program says comes as it is.
func TestFrontTrace(t *testing.T) {
	c := behindFront(t)
	c.cells(true, "busy\npublish stream {\"name\":\"stderr\",\"text\":\"panic: gone\\n\\ngoroutine 1 [running]:\\n\"}\n"+
		"publish stream {\"name\":\"stderr\",\"text\":\"main.main()\\n\\t [[ Cell [1] Line 5 ]] /tmp/main.go:5 +0x1\\nexit status 2\\n\"}\n"+
		"publish stream {\"name\":\"stdout\",\"text\":\"goroutine 1 [running]:\\nis what I print\"}\n"+
		"publish stream {\"name\":\"stderr\",\"text\":\"gorout\"}\nerror x\nidle")
	want := []string{
		`0 {"name":"stderr","text":"panic: gone\n\n"}`,
		`0 {"name":"stderr","text":"  at [[ Cell [1] Line 5 ]]\nexit status 2\n"}`,
		`0 {"name":"stdout","text":"goroutine 1 [running]:\nis what I print"}`,
		`0 {"name":"stderr","text":"gorout"}`,
	}
	if got := c.said; !slices.Equal(got, want) {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestFrontClone: whoever opens a notebook of one clone while the kernel belongs to another is told so, once.
func TestFrontClone(t *testing.T) {
	mine, other := fakeModule(t), fakeModule(t)
	for _, test := range []struct{ dir, want string }{
		{mine, ""},
		{t.TempDir(), ""}, // a folder of somebody's own
		{filepath.Join(other, "gonb"), "This notebook lies in " + other + ", and its cells import the packages of " + mine + ": run 'make jupyter' in " + other + " to change that."},
	} {
		t.Chdir(test.dir)
		c := behindFront(t, goWorkFlag+mine)
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

// TestFrontEnds: the front ends with the kernel, and leaves nothing.
func TestFrontEnds(t *testing.T) {
	c := behindFront(t)
	c.send("execute_request", map[string]any{"code": "die out of memory"})
	if err := <-c.ended; err == nil || !strings.Contains(err.Error(), "exit status 3") {
		t.Errorf("error %v", err)
	}
	c.ended <- nil
}

// TestFrontFile: a connection file that cannot be read is named.
func TestFrontFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "kernel-1.json")
	if err := RunFront(t.Context(), file, []string{"true"}); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("error %v", err)
	}
}

// TestFrontKilled: where the front is killed, nothing of what it has started is left, and no folder.
func TestFrontKilled(t *testing.T) {
	if _, err := os.Stat("/proc/self/environ"); err != nil {
		t.Skip("the system does not show the environment of processes")
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	temp, err := os.MkdirTemp("", "f")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(temp) })
	var spec Kernelspec
	spec.Metadata.Siegebook.Transport = "ipc"
	c, err := newConnection(spec, temp)
	if err != nil {
		t.Fatal(err)
	}
	file, err := c.write(temp)
	if err != nil {
		t.Fatal(err)
	}
	pids := filepath.Join(t.TempDir(), "pids")
	front := exec.Command(program, file, program)
	front.Env = append(os.Environ(), fakeMode+"=front", fakePIDs+"="+pids, "TMPDIR="+temp)
	if err := front.Start(); err != nil {
		t.Fatal(err)
	}
	kernel := 0
	waittest.Until(t, "the kernel does not start", func() bool {
		data, _ := os.ReadFile(pids)
		_, err := fmt.Sscan(string(data), &kernel)
		return err == nil
	})
	if err := front.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = front.Wait()
	waittest.Until(t, "the kernel lives on", func() bool { return syscall.Kill(kernel, 0) != nil })
	waittest.Until(t, "the folder stays", func() bool {
		left, _ := filepath.Glob(filepath.Join(temp, "siegebook-front-*"))
		return len(left) == 0
	})
}
