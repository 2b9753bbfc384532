package jupyter

import (
	"bytes"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/siegebook/siegebook/internal/must"
)

// TestConnection checks that a kernel that supports Unix sockets listens on sockets in its folder, and uses TCP only if
// the folder's path is too long.
func TestConnection(t *testing.T) {
	t.Parallel()
	var ipc Kernelspec
	ipc.Metadata.Siegebook.Transport = "ipc"
	long := "/" + strings.Repeat("x", 98) // with "/s-1", one byte below the system's limit
	for _, test := range []struct {
		name   string
		kernel Kernelspec
		folder string
		want   string // the address of an endpoint
	}{
		{"a kernel of others", Kernelspec{}, "/tmp/k", "tcp 127.0.0.1:"},
		{"ours", ipc, "/tmp/k", "unix /tmp/k/s-1"},
		{"a long name", ipc, long, "unix " + long + "/s-1"},
		{"a name that is too long", ipc, long + "x", "tcp 127.0.0.1:"},
	} {
		c := must.Get(newConnection(test.kernel, test.folder))
		network, address := c.address(c.Shell)
		if got := network + " " + address; !strings.HasPrefix(got, test.want) {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
	name := filepath.Join(t.TempDir(), "s-1")
	name += strings.Repeat("y", max(0, longestSocket-len(name)))
	if len(name) == longestSocket {
		l, err := net.Listen("unix", name)
		if err != nil {
			t.Fatalf("the system does not take a socket of %d bytes: %v", longestSocket, err)
		}
		l.Close()
	}
}

// TestPlainText checks that plainText removes commands and temporary files from gonb's messages about cells that do not
// compile.
func TestPlainText(t *testing.T) {
	must.Answers(t, "testdata/cases.txtar", func(row struct{ Said string }) []any { return []any{plainText(row.Said)} })
	if got := string(plainJSON([]byte(`{"a":[1,"./main.go:3:1: b"],"c":null}`), "", 0)); got != `{"a":[1,"b"],"c":null}` {
		t.Error(got)
	}
}

// TestFailure checks that the message about a failed cell contains all available information, with the reason first.
func TestFailure(t *testing.T) {
	rows := must.Rows(t, "testdata/cases.txtar", "TestFailure")
	rows = append(rows, []string{
		"a long one", "error", "ERROR", "exit status 2", "stderr", "panic: " + strings.Repeat("é", 1000),
		"panic: " + strings.Repeat("é", lineLength-len("panic: ")) + "...",
	})
	for _, row := range rows {
		want := row[6]
		if strings.HasSuffix(want, " ") {
			want += allowNetwork
		}
		outputs := []*Output{{Type: Stream, Name: row[4], Text: row[5]}}
		if got := failure(reply{Status: row[1], Name: row[2], Value: row[3]}, outputs).Error(); got != want {
			t.Errorf("%s: %q, want %q", row[0], got, want)
		}
	}
}

func TestWire(t *testing.T) {
	key := signer("key")
	m := request("session", "execute_request", map[string]string{"code": "1"})
	m.parent = header{ID: "parent"}
	frames := key.encode(m)
	got, err := key.decode(append([][]byte{[]byte("topic"), []byte("more")}, append(frames, []byte("buffer"))...))
	if err != nil || got.header != m.header || got.parent.ID != "parent" || !bytes.Equal(got.content, m.content) {
		t.Errorf("got %+v, error %v", got, err)
	}
	for i := 1; i < len(frames); i++ { // changes any signed frame, and the signature
		changed := slices.Clone(frames)
		changed[i] = append([]byte("x"), frames[i]...)
		if _, err := key.decode(changed); err != errSignature {
			t.Errorf("frame %d changed: error %v", i, err)
		}
	}
	_, err = key.decode(frames[:4])
	must.ErrorContains(t, err, "not a message")
	if _, err := signer("other").decode(frames); err != errSignature {
		t.Errorf("another key: error %v", err)
	}
}

// TestSignature compares a signature with the result of another implementation (Python's hmac, with the key "key" and
// the parts "a", "b", "c", "d").
func TestSignature(t *testing.T) {
	parts := [][]byte{[]byte("a"), []byte("b"), []byte("c"), []byte("d")}
	const want = "2a31ec0ee8d878c9eece9fb0df79b3b90b2256240163aa5ee50d176d3d1121f8"
	if got := string(signer("key").sign(parts)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestStreamText checks that a character is restored if the kernel splits the output inside it.
func TestStreamText(t *testing.T) {
	for _, row := range must.Rows(t, "testdata/cases.txtar", "TestStreamText") {
		c := newCollector(DefaultOutputLimit, map[string][]*Output{})
		for literal := range strings.FieldsSeq(row[0]) {
			m := message{header: header{Type: "stream"}, content: []byte(`{"name":"stdout","text":` + literal + `}`)}
			must.Do(t, c.take(m))
		}
		if got := c.result()[0].Text; got != row[1] {
			t.Errorf("%s: got %q, want %q", row[0], got, row[1])
		}
	}
	for _, content := range []string{`{"name":"stdout"}`, `{"text":1}`, `{"text":null}`} {
		m := message{header: header{Type: "stream"}, content: []byte(content)}
		must.ErrorContains(t, newCollector(DefaultOutputLimit, nil).take(m), "without text", content)
	}
}

// TestHeartbeats checks that the server echoes a heartbeat, and closes the connection after a heartbeat that is too
// long.
func TestHeartbeats(t *testing.T) {
	folder := must.Get(os.MkdirTemp("", "h"))
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	o := &server{kind: "REP", listener: must.Get(net.Listen("unix", filepath.Join(folder, "s")))}
	go o.accept()
	t.Cleanup(func() { o.close(time.Now()) })
	l := must.Get(dialLink(t.Context(), "unix", filepath.Join(folder, "s"), "REQ", "us"))
	defer l.Close()
	for _, size := range []int{4, 1000} {
		ping := [][]byte{{}, bytes.Repeat([]byte("p"), size)}
		must.Do(t, l.write(ping))
		if pong := must.Get(l.read()); !slices.EqualFunc(ping, pong, bytes.Equal) {
			t.Errorf("%d bytes come back as %q", size, pong)
		}
	}
	_ = l.write([][]byte{{}, make([]byte, 2*maxHeartbeat)})
	if pong, err := l.read(); err == nil {
		t.Errorf("a long one comes back in %d frames", len(pong))
	}
}
