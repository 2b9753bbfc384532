package jupyter

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strconv"
)

// connection says where a kernel listens; as JSON it is the connection file, from which the kernel learns it.
type connection struct {
	IP        string `json:"ip"`
	Transport string `json:"transport"`
	Shell     int    `json:"shell_port"`
	IOPub     int    `json:"iopub_port"`
	Stdin     int    `json:"stdin_port"`
	Control   int    `json:"control_port"`
	Heartbeat int    `json:"hb_port"`
	Key       string `json:"key"`
	Scheme    string `json:"signature_scheme"`
	Name      string `json:"kernel_name"`
}

// newConnection picks a key and free ports for a kernel on this machine.
func newConnection(kernel string) (connection, error) {
	ports, err := freePorts(5)
	if err != nil {
		return connection{}, err
	}
	return connection{
		IP: "127.0.0.1", Transport: "tcp", Key: randomHex(), Scheme: "hmac-sha256", Name: kernel,
		Shell: ports[0], IOPub: ports[1], Stdin: ports[2], Control: ports[3], Heartbeat: ports[4],
	}, nil
}

// write stores the connection file, which holds the key, for the eyes of this user only.
func (c connection) write(folder string) (string, error) {
	data, err := json.Marshal(c)
	if err != nil {
		return "", err
	}
	path := filepath.Join(folder, "kernel-"+randomHex()+".json")
	return path, os.WriteFile(path, data, 0o600)
}

func (c connection) endpoint(port int) string {
	return c.Transport + "://" + net.JoinHostPort(c.IP, strconv.Itoa(port))
}

// The ports that we choose from lie below those that the usual systems give to outgoing connections. So nobody's
// connection takes one between our choice and the kernel's start, and to dial a port that is not yet listened on cannot
// end in a connection with itself.
const firstPort, lastPort = 20000, 32767

// freePorts returns n ports on which nobody listened when it looked.
func freePorts(n int) ([]int, error) {
	var ports []int
	var held []net.Listener
	defer func() {
		for _, l := range held {
			l.Close()
		}
	}()
	var last error
	for range 1000 {
		port := firstPort + rand.IntN(lastPort-firstPort+1)
		l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if err != nil {
			last = err
			continue
		}
		held = append(held, l)
		if ports = append(ports, port); len(ports) == n {
			return ports, nil
		}
	}
	return nil, fmt.Errorf("no free ports for a kernel on 127.0.0.1: %w", last)
}
