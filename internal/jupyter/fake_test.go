package jupyter

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-zeromq/zmq4"

	"github.com/siegebook/siegebook/internal/must"

	"github.com/siegebook/siegebook/internal/waittest"
)

// The test binary is also the tests' kernel: if fakeMode is in its environment, it runs fakeKernel.
const (
	fakeMode = "SIEGEBOOK_FAKE_KERNEL" // selects how the kernel starts
	fakePIDs = "SIEGEBOOK_FAKE_PIDS"   // the file for the ids of its process, its group and its children
)

func TestMain(m *testing.M) {
	if code, ours := RunTool(os.Args); ours {
		os.Exit(code)
	}
	switch mode := os.Getenv(fakeMode); mode {
	case "":
		os.Exit(m.Run())
	case "orphan":
		runOrphan()
	case "control":
		fakeControl()
	case "proxy":
		orExit(os.Setenv(fakeMode, "never"))
		orExit(RunKernel(os.Args[1], os.Args[2:]))
	case "kernel":
		orExit(os.Setenv(fakeMode, "on"))
		orExit(RunKernel(os.Args[1], os.Args[2:]))
	default:
		fakeKernel(mode, os.Args[1])
	}
}

// fake is a kernel that reads the lines of a cell as commands.
type fake struct {
	key                   signer
	shell, control, iopub zmq4.Socket
	stdin                 zmq4.Socket
	interrupted           chan struct{}
	client                []byte // the identity of the client of the current request
	parent                header
}

func orExit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(9)
	}
}

func fakeKernel(mode, connectionFile string) {
	recordProcesses(os.Getpid(), syscall.Getpgrp())
	switch mode {
	case "exits":
		fmt.Fprintln(os.Stderr, "loading\n\x1b[31mno license found\x1b[0m")
		os.Exit(4)
	case "never":
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT)
		time.Sleep(time.Hour) // select {} is a deadlock for Go, except with cgo
	}
	data, err := os.ReadFile(connectionFile)
	orExit(err)
	var c connection
	orExit(json.Unmarshal(data, &c))
	if mode == "wrongkey" {
		c.Key = "another"
	}
	f := &fake{key: signer(c.Key), interrupted: make(chan struct{}, 1)}
	ctx, quiet := context.Background(), zmq4.WithLogger(log.New(io.Discard, "", 0))
	f.shell, f.control, f.stdin = zmq4.NewRouter(ctx, quiet), zmq4.NewRouter(ctx, quiet), zmq4.NewRouter(ctx, quiet)
	f.iopub = zmq4.NewPub(ctx, quiet)
	for port, socket := range map[int]zmq4.Socket{
		c.Shell: f.shell, c.Control: f.control, c.Stdin: f.stdin,
		c.IOPub: f.iopub,
	} {
		network, address := c.address(port)
		orExit(socket.Listen(strings.ReplaceAll(network, "unix", "ipc") + "://" + address))
	}
	if mode == "mute" {
		time.Sleep(time.Hour)
	}
	go f.serveControl(mode)
	f.serveShell()
}

// recordProcesses appends pids to the file that fakePIDs names.
func recordProcesses(pids ...int) {
	file, err := os.OpenFile(os.Getenv(fakePIDs), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	orExit(err)
	defer file.Close()
	for _, pid := range pids {
		fmt.Fprintln(file, pid)
	}
}

func (f *fake) serveControl(mode string) {
	for {
		raw, err := f.control.Recv()
		orExit(err)
		m, err := f.key.decode(raw.Frames)
		orExit(err)
		switch m.header.Type {
		case "shutdown_request":
			if mode != "stubborn" {
				os.Exit(0)
			}
		case "interrupt_request":
			f.interrupted <- struct{}{}
		}
	}
}

func (f *fake) serveShell() {
	for {
		raw, err := f.shell.Recv()
		orExit(err)
		m, err := f.key.decode(raw.Frames)
		orExit(err)
		f.client, f.parent = raw.Frames[0], m.header
		var metadata, content map[string]any // gonb uses only these parts of a message
		orExit(json.Unmarshal(raw.Frames[5], &metadata))
		orExit(json.Unmarshal(m.content, &content))
		code, _ := content["code"].(string)
		switch m.header.Type {
		case "kernel_info_request":
			f.publish("status", `{"execution_state":"busy"}`)
			f.reply("kernel_info_reply", `{"status":"ok"}`)
			f.publish("status", `{"execution_state":"idle"}`)
		case "execute_request":
			_, _ = content["silent"].(bool), content["store_history"].(bool) // like gonb, panics if they are missing
			f.publish("execute_input", string(encoded(map[string]any{"code": content["code"], "execution_count": 1})))
			if code == "" {
				f.do("busy", "")
				f.do("ok", "7")
				f.do("idle", "")
			}
			for line := range strings.Lines(code) {
				command, argument, _ := strings.Cut(strings.TrimSpace(line), " ")
				f.do(command, argument)
			}
		}
	}
}

// do executes one command of a cell.
func (f *fake) do(command, argument string) {
	size, _ := strconv.Atoi(argument) // used by some commands
	switch command {
	case "busy", "idle":
		f.publish("status", `{"execution_state":"`+command+`"}`)
	case "ok":
		f.reply("execute_reply", `{"status":"ok","execution_count":`+argument+`}`)
	case "error":
		f.reply("execute_reply", `{"status":"error","execution_count":1,"ename":"ValueError","evalue":"`+argument+`"}`)
	case "publish": // publishes a message with this type and content
		kind, content, _ := strings.Cut(argument, " ")
		f.publish(kind, content)
	case "stranger":
		kind, content, _ := strings.Cut(argument, " ")
		parent := f.parent
		f.parent = header{ID: "another request"}
		f.publish(kind, content)
		f.parent = parent
	case "bytes": // writes a stream with these bytes, given in Go's syntax
		text, err := strconv.Unquote(argument)
		orExit(err)
		f.publish("stream", `{"name":"stdout","text":"`+text+`"}`)
	case "huge":
		f.publish("stream", `{"name":"stdout","text":"`+strings.Repeat("x", size)+`"}`)
	case "lines":
		f.publish("stream", `{"name":"stdout","text":"`+strings.Repeat(`line\n`, size)+`"}`)
	case "picture":
		f.publish("display_data", `{"data":{"image/png":"`+strings.Repeat("x", size)+`"},"metadata":{}}`)
	case "flood":
		for {
			f.publish("stream", `{"name":"stdout","text":"`+strings.Repeat("flood\\n", 1000)+`"}`)
		}
	case "forge":
		own := f.key
		f.key = signer("forged")
		f.publish("stream", `{"name":"stdout","text":"forged"}`)
		f.key = own
	case "garbage":
		orExit(f.iopub.SendMulti(zmq4.NewMsgFrom([]byte("topic"), []byte("no message"))))
	case "ask":
		f.send(f.stdin, f.client,
			message{header: header{Type: "input_request"}, parent: f.parent, content: []byte(`{"prompt":"?"}`)})
	case "die":
		fmt.Fprintln(os.Stderr, argument)
		os.Exit(3)
	case "killed":
		orExit(syscall.Kill(os.Getpid(), syscall.SIGKILL))
	case "wait": // waits for an interrupt
		<-f.interrupted
	case "hang":
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT)
		time.Sleep(time.Hour) // select {} is a deadlock for Go, except with cgo
	case "children": // starts a child in the group, and a child that leaves it; both ignore polite signals
		for _, apart := range []bool{false, true} {
			child := exec.Command("/bin/sh", "-c", `trap "" TERM INT HUP; while :; do sleep 1; done`)
			child.SysProcAttr = &syscall.SysProcAttr{Setsid: apart}
			orExit(child.Start())
			recordProcesses(child.Process.Pid)
		}
	case "stray": // starts a child that leaves the group and has another environment
		child := exec.Command("/bin/sh", "-c", `trap "" TERM INT HUP; while :; do sleep 1; done`)
		child.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		child.Env = []string{"PATH=" + os.Getenv("PATH")}
		orExit(child.Start())
		recordProcesses(child.Process.Pid)
	case "temporary":
		file, err := os.CreateTemp("", "of-a-cell-")
		orExit(err)
		orExit(file.Close())
	case "unmask": // so that the client notices that the cell has got this far
		orExit(os.WriteFile(argument, nil, 0o600))
	}
}

func (f *fake) publish(kind, content string) {
	f.send(f.iopub, []byte("topic"), message{header: header{Type: kind}, parent: f.parent, content: []byte(content)})
}

func (f *fake) reply(kind, content string) {
	f.send(f.shell, f.client, message{header: header{Type: kind}, parent: f.parent, content: []byte(content)})
}

func (f *fake) send(socket zmq4.Socket, prefix []byte, m message) {
	orExit(socket.SendMulti(zmq4.NewMsgFrom(append([][]byte{prefix}, f.key.encode(m)...)...)))
}

// processes returns the ids of the processes that a fake kernel has recorded, or nil if it ended before that.
func processes(t *testing.T, file string) []int {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	var pids []int
	for _, field := range strings.Fields(string(data)) {
		pid := must.Get(strconv.Atoi(field))
		pids = append(pids, pid)
	}
	return pids
}

// alive reports whether a process is running. Zombies do not count.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return os.IsPermission(err)
	}
	_, state, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(state, "Z")
}

// wantNoneLeft fails the test if a process of the fake kernel is still running.
func wantNoneLeft(t *testing.T, file string) {
	t.Helper()
	for _, pid := range processes(t, file) {
		if !waittest.Comes(func() bool { return !alive(pid) }) {
			t.Fatalf("process %d is left", pid)
		}
	}
}

// fakeSpec returns the kernelspec of a fake kernel, and the path of the file in which it records its processes.
func fakeSpec(t *testing.T, mode string) (Kernelspec, string) {
	t.Helper()
	program := must.Get(os.Executable())
	pids := t.TempDir() + "/pids"
	spec := Kernelspec{
		Name: "fake", Argv: []string{program, "{connection_file}"}, InterruptMode: "message",
		Env: map[string]string{fakeMode: mode, fakePIDs: pids},
	}
	spec.Metadata.Siegebook.Transport = "ipc"
	return spec, pids
}

// write stores a connection file in a folder.
func (c connection) write(folder string) (string, error) {
	file := filepath.Join(folder, "kernel-"+rand.Text()+".json")
	return file, os.WriteFile(file, encoded(c), 0o600)
}
