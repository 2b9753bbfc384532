package jupyter

import (
	cryptorand "crypto/rand"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// connection says where a kernel listens; as JSON it is the connection file, from which the kernel learns it.
type connection struct {
	// IP is an address; for sockets of files the beginning of their names.
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

// newConnection picks a key and ports for a kernel on this machine. A kernel that can listens on sockets in the folder,
// which only this user may enter. A port of TCP is open to everybody on the machine: the key keeps others from giving
// orders, but whoever connects can read what cells show.
//
// TCP it is too where the folder's name is so long that the system has no sockets there.
func newConnection(kernel Kernelspec, folder string) (connection, error) {
	c := connection{Key: cryptorand.Text(), Scheme: "hmac-sha256", Name: kernel.Name}
	ports := []int{1, 2, 3, 4, 5}
	if prefix := filepath.Join(folder, "s"); kernel.Metadata.Siegebook.Transport == "ipc" && len(prefix)+len("-1") <= longestSocket {
		c.IP, c.Transport = prefix, "ipc"
	} else {
		var err error
		if ports, err = freePorts(len(ports)); err != nil {
			return connection{}, err
		}
		c.IP, c.Transport = "127.0.0.1", "tcp"
	}
	c.Shell, c.IOPub, c.Stdin, c.Control, c.Heartbeat = ports[0], ports[1], ports[2], ports[3], ports[4]
	return c, nil
}

// longestSocket is how many bytes the name of a socket may have: 108 on Linux, 104 elsewhere, the zero at its end
// counted.
const longestSocket = 103

// write stores the connection file, which holds the key, for the eyes of this user only.
func (c connection) write(folder string) (string, error) {
	path := filepath.Join(folder, "kernel-"+cryptorand.Text()+".json")
	return path, os.WriteFile(path, encoded(c), 0o600)
}

// ports returns the number of each channel.
func (c connection) ports() map[channel]int {
	return map[channel]int{shell: c.Shell, control: c.Control, stdin: c.Stdin, iopub: c.IOPub, heartbeat: c.Heartbeat}
}

// address returns where a channel is, for package net; files are named as Jupyter does.
func (c connection) address(port int) (network, address string) {
	if c.Transport == "ipc" {
		return "unix", c.IP + "-" + strconv.Itoa(port)
	}
	return c.Transport, net.JoinHostPort(strings.TrimPrefix(c.IP, "*"), strconv.Itoa(port)) // "*" stands for all there are
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
