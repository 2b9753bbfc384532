package jupyter

import (
	"bytes"
	"crypto/hmac"
	cryptorand "crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/siegebook/siegebook/internal/plural"
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
// which only this user may enter, unless the folder's name is too long for sockets. A port of TCP is open to everybody
// on the machine: the key keeps others from giving orders, but whoever connects can read what cells show.
func newConnection(kernel Kernelspec, folder string) (connection, error) {
	c := connection{Key: cryptorand.Text(), Scheme: "hmac-sha256", Name: kernel.Name}
	ports := []int{1, 2, 3, 4, 5}
	prefix := filepath.Join(folder, "s")
	if kernel.Metadata.Siegebook.Transport == "ipc" && len(prefix)+len("-1") <= longestSocket {
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

// ports returns the number of each channel.
func (c connection) ports() map[channel]int {
	return map[channel]int{shell: c.Shell, control: c.Control, stdin: c.Stdin, iopub: c.IOPub, heartbeat: c.Heartbeat}
}

// address returns where a channel is, for package net; files are named as Jupyter does.
func (c connection) address(port int) (network, address string) {
	if c.Transport == "ipc" {
		return "unix", c.IP + "-" + strconv.Itoa(port)
	}
	// "*" stands for all there are
	return c.Transport, net.JoinHostPort(strings.TrimPrefix(c.IP, "*"), strconv.Itoa(port))
}

// The ports that we choose from lie below those of outgoing connections. So none of these takes one before the kernel
// starts, and to dial a port that is not yet listened on cannot end in a connection with itself.
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

// protocolVersion is the version of Jupyter's messaging protocol that we speak.
const protocolVersion = "5.3"

// delimiter stands between the routing prefix of a message and the message itself.
var delimiter = []byte("<IDS|MSG>")

var errSignature = errors.New(
	"the kernel sent a message with a wrong signature: its connection file is not ours, or it is broken")

// header is the header of a message.
type header struct {
	ID       string `json:"msg_id"`
	Session  string `json:"session"`
	Username string `json:"username"`
	Date     string `json:"date"`
	Type     string `json:"msg_type"`
	Version  string `json:"version"`
}

// message is what travels between a client and a kernel. Its content stays raw: it may hold bytes that are not UTF-8,
// which encoding/json would replace.
type message struct {
	header  header
	parent  header
	content []byte
}

// signer signs and checks messages with HMAC-SHA256.
type signer []byte

func (key signer) sign(parts [][]byte) []byte {
	mac := hmac.New(sha256.New, key)
	for _, part := range parts {
		mac.Write(part)
	}
	return hex.AppendEncode(nil, mac.Sum(nil))
}

// encode returns the frames of a message without a routing prefix.
func (key signer) encode(m message) [][]byte {
	parent := []byte("{}")
	if m.parent.ID != "" {
		parent = encoded(m.parent)
	}
	parts := [][]byte{encoded(m.header), parent, []byte("{}"), m.content}
	return append([][]byte{delimiter, key.sign(parts)}, parts...)
}

// encoded returns a value as JSON, which it always has.
func encoded(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}

// decode reads the frames of a message behind any routing prefix, which a publisher uses for its topic. Frames behind
// the content, raw buffers of widgets, are not part of the signature and of no interest here.
func (key signer) decode(frames [][]byte) (message, error) {
	var m message
	start := slices.IndexFunc(frames, func(frame []byte) bool { return bytes.Equal(frame, delimiter) }) + 1
	if start == 0 || len(frames) < start+5 {
		return m, fmt.Errorf("the kernel sent %s that %s no message",
			plural.Count(len(frames), "frame"), plural.Of(len(frames), "is", "are"))
	}
	signature, parts := frames[start], frames[start+1:start+5]
	if !hmac.Equal(signature, key.sign(parts)) {
		return m, errSignature
	}
	if err := json.Unmarshal(parts[0], &m.header); err != nil {
		return m, fmt.Errorf("the kernel sent a message whose header cannot be read: %w", err)
	}
	if err := json.Unmarshal(parts[1], &m.parent); err != nil {
		return m, fmt.Errorf("the kernel sent a message whose parent header cannot be read: %w", err)
	}
	m.content = parts[3]
	return m, nil
}

// request returns a new message of a session.
func request(session, kind string, content any) message {
	return message{
		header: header{
			ID: cryptorand.Text(), Session: session, Username: "siegebook", Type: kind, Version: protocolVersion,
			Date: time.Now().UTC().Format(time.RFC3339Nano),
		},
		content: encoded(content),
	}
}
