package jupyter

import (
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestConnection: a kernel that can listens in its folder, and on TCP only where the folder's name is too long.
func TestConnection(t *testing.T) {
	t.Parallel()
	var ipc Kernelspec
	ipc.Metadata.Siegebook.Transport = "ipc"
	long := "/" + strings.Repeat("x", 98) // with "/s-1" one byte less than the system takes
	for _, test := range []struct {
		name   string
		kernel Kernelspec
		folder string
		want   string // of an endpoint
	}{
		{"a kernel of others", Kernelspec{}, "/tmp/k", "tcp 127.0.0.1:"},
		{"ours", ipc, "/tmp/k", "unix /tmp/k/s-1"},
		{"a long name", ipc, long, "unix " + long + "/s-1"},
		{"a name that is too long", ipc, long + "x", "tcp 127.0.0.1:"},
	} {
		c, err := newConnection(test.kernel, test.folder)
		if err != nil {
			t.Fatal(err)
		}
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

// TestRunTransport runs a kernel by either transport. Its sockets in a folder are for this user only.
func TestRunTransport(t *testing.T) {
	t.Parallel()
	for _, transport := range []string{"ipc", ""} {
		spec, pids := fakeSpec(t, "fine")
		spec.Metadata.Siegebook.Transport = transport
		s, err := startSession(t.Context(), spec, "", hasty)
		if err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(s.folder); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("the folder: %v, error %v", info.Mode(), err)
		}
		sockets, err := filepath.Glob(filepath.Join(s.folder, "s-*"))
		if want := map[string]int{"ipc": 4, "": 0}[transport]; err != nil || len(sockets) != want {
			t.Errorf("transport %q: sockets %v, want %d, error %v", transport, sockets, want, err)
		}
		for _, name := range sockets {
			if info, err := os.Stat(name); err != nil || info.Mode()&os.ModeSocket == 0 {
				t.Errorf("%s: %v, error %v", name, info.Mode(), err)
			}
		}
		files, err := filepath.Glob(filepath.Join(s.folder, "kernel-*.json"))
		if err != nil || len(files) != 1 {
			t.Fatalf("connection files %v, error %v", files, err)
		}
		var c connection
		if err := json.Unmarshal(read(t, files[0]), &c); err != nil || (c.Transport == "ipc") != (transport == "ipc") {
			t.Errorf("connection %+v, error %v", c, err)
		}
		s.Close()
		if _, err := os.Stat(s.folder); !os.IsNotExist(err) {
			t.Errorf("the folder is left, error %v", err)
		}
		wantNoneLeft(t, pids)
	}
}
