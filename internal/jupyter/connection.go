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
	"html"
	"math/rand/v2"
	"net"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/siegebook/siegebook/internal/plural"
)

// connection describes where a kernel listens. Its JSON is the connection file, which the kernel reads.
type connection struct {
	// IP is an address or, for Unix sockets, the prefix of their file names.
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

// newConnection chooses a key and ports for a kernel on this machine. If the kernel supports it, and the folder's path
// is short enough, the kernel listens on Unix sockets in the folder, which only this user may open. Anybody on the
// machine can connect to a TCP port. Without the key they cannot send requests, but they can read the outputs of cells.
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

// longestSocket is the maximum length of a socket's path in bytes. The system's limit, which includes the terminating
// zero byte, is 108 on Linux and 104 elsewhere.
const longestSocket = 103

// ports returns the port number of each channel.
func (c connection) ports() map[channel]int {
	return map[channel]int{shell: c.Shell, control: c.Control, stdin: c.Stdin, iopub: c.IOPub, heartbeat: c.Heartbeat}
}

// address returns the network and address of a port in the form that package net expects. Unix sockets are named as in
// Jupyter.
func (c connection) address(port int) (network, address string) {
	if c.Transport == "ipc" {
		return "unix", c.IP + "-" + strconv.Itoa(port)
	}
	// "*" means all network interfaces.
	return c.Transport, net.JoinHostPort(strings.TrimPrefix(c.IP, "*"), strconv.Itoa(port))
}

// We choose ports below the range for outgoing connections, so that no outgoing connection takes a chosen port before
// the kernel starts. For the same reason, dialing a port on which nobody listens yet cannot connect the socket to
// itself.
const firstPort, lastPort = 20000, 32767

// freePorts returns n ports that were free when it checked.
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

// protocolVersion is the version of Jupyter's messaging protocol that we use.
const protocolVersion = "5.3"

// delimiter separates the routing prefix of a message from the message.
var delimiter = []byte("<IDS|MSG>")

var errSignature = errors.New(
	"the kernel sent a message with a wrong signature: it uses another connection file, or is broken")

// header is the header of a message.
type header struct {
	ID       string `json:"msg_id"`
	Session  string `json:"session"`
	Username string `json:"username"`
	Date     string `json:"date"`
	Type     string `json:"msg_type"`
	Version  string `json:"version"`
}

// message is a message between a client and a kernel. Its content stays raw because it may contain invalid UTF-8, which
// encoding/json would replace.
type message struct {
	header   header
	parent   header
	metadata map[string]string // only of a message to send
	content  []byte
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
	metadata := []byte("{}")
	if m.metadata != nil {
		metadata = encoded(m.metadata)
	}
	parts := [][]byte{encoded(m.header), parent, metadata, m.content}
	return append([][]byte{delimiter, key.sign(parts)}, parts...)
}

// encoded returns a value as JSON. It panics if the value cannot be encoded.
func encoded(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}

// decode reads the frames of a message after any routing prefix. A publisher's prefix is the topic. Any frames after
// the content are raw buffers of widgets; decode ignores them, and the signature does not cover them.
func (key signer) decode(frames [][]byte) (message, error) {
	var m message
	start := slices.IndexFunc(frames, func(frame []byte) bool { return bytes.Equal(frame, delimiter) }) + 1
	if start == 0 || len(frames) < start+5 {
		return m, fmt.Errorf("the kernel sent %s that %s not a message",
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

// request returns a new message in the given session.
func request(session, kind string, content any) message {
	return message{
		header: header{
			ID: cryptorand.Text(), Session: session, Username: "siegebook", Type: kind, Version: protocolVersion,
			Date: time.Now().UTC().Format(time.RFC3339Nano),
		},
		content: encoded(content),
	}
}

var ansi = regexp.MustCompile("\x1b\\[[0-9;?]*[ -/]*[@-~]")

// stripANSI removes terminal escape sequences from text.
func stripANSI(text string) string { return ansi.ReplaceAllString(text, "") }

// plainer lists replacements in gonb's messages about a cell that does not compile. They remove the names of commands
// and temporary files.
var plainer = []struct {
	said *regexp.Regexp
	text string
}{
	{regexp.MustCompile(`failed to run "(\\.|[^"])*": exit status \d+`), "the cell does not compile"},
	{regexp.MustCompile(`(?s)parsing go files in TempDir ".*`), "the cell does not compile"},
	{regexp.MustCompile(`([^\s"<>]*/)?\bmain(_test)?\.go:\d+:\d+: `), ""},
	{programPath, ""},
	{statement, "statements go below the line %%"},
	{regexp.MustCompile(`expected statement, found 'import'` + others), "imports go above the line %%"},
	{regexp.MustCompile(`expected '\(', found [\pL_]\w*` + others), "functions with a name go above the line %%"},
}

// statement matches Go's message about a statement outside a function that begins with a name, a keyword, a number, a
// string or an operator.
var statement = regexp.MustCompile(`expected declaration, found ([\pL_]\w*|[0-9.]+\w*|"(\\.|[^"\\\n])*"|` + "`[^`]*`" +
	`|'(if|for|switch|select|go|defer|return|[-+!^*&(\[{]|<-)')`)

// others matches the count of further errors, which are consequences of the first error.
const others = `( \(and \d+ more errors\))?`

// programPath matches a position in the program that gonb generates from a cell. gonb prints it after the position in
// the cell.
var programPath = regexp.MustCompile(`(?:[ \t]*\bat)?[ \t]*[^\s"<>]*/gonb_\w+/main(_test)?\.go:\d+`)

// plainText returns gonb's message about a cell that does not compile, reworded for people.
func plainText(text string) string {
	text = usesLine.ReplaceAllString(strings.ReplaceAll(shownValue.ReplaceAllString(text, "$1"), mainHead, ""), "")
	for _, p := range plainer {
		text = p.said.ReplaceAllString(text, p.text)
	}
	return text
}

const lineLength = 400

// oneLine returns text as a single line of at most lineLength characters.
func oneLine(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > lineLength {
		return string(runes[:lineLength]) + "..."
	}
	return text
}

// refusal is a compiler error in a cell.
type refusal struct {
	text string
	line int // the first line that the error names
}

func (r *refusal) Error() string { return oneLine(r.text) }

// failure returns a one-line error that explains why a cell failed: the compiler's message if there is one, otherwise
// the kernel's. If the kernel reports only that a program failed, the error contains the program's message.
func failure(r reply, outputs []*Output) error {
	if refused := compileErrors(outputs); refused != nil {
		return refused
	}
	message := strings.TrimSpace(plainText(stripANSI(r.Value)))
	if r.Name != "" && !strings.EqualFold(r.Name, "error") {
		message = strings.TrimSuffix(r.Name+": "+message, ": ")
	}
	if missing := withoutNetwork(message); missing != "" {
		return errors.New(oneLine(missing + " is not downloaded, and " + allowNetwork))
	}
	if message == "" {
		message = fmt.Sprintf("the kernel reported only the status %q", r.Status)
	}
	reason, final := failureReason(outputs)
	switch {
	case reason == "":
		return errors.New(oneLine(message))
	case final && strings.HasPrefix(message, "exit status "):
		return errors.New(oneLine(reason))
	}
	return fmt.Errorf("%s (%s)", oneLine(message), oneLine(reason))
}

// compilerSays matches an entry of gonb's traceback for a compiler error: the position, the code around it, and the
// error on the last line.
var compilerSays = regexp.MustCompile(`(?s)^Cell\[\d+\]: Line (\d+)(, column \d+)?\n.*\n([^\n]+)\s*$`)

// compileErrors returns the Go compiler's messages about a cell, or nil if there are none. Line numbers refer to the
// cell, not to the file that gonb generates from it.
func compileErrors(outputs []*Output) *refusal {
	var all []string
	first := 0
	for _, o := range outputs {
		for _, entry := range o.Traceback {
			if m := compilerSays.FindStringSubmatch(stripANSI(entry)); m != nil {
				all = append(all, "line "+m[1]+m[2]+": "+strings.TrimSpace(plainText(m[3])))
				if first == 0 {
					first, _ = strconv.Atoi(m[1])
				}
			}
		}
	}
	if all == nil {
		return nil
	}
	return &refusal{strings.Join(all, "; "), first}
}

// cellLine matches the position in a cell that gonb inserts into the stack trace of the cell's program. If a trace
// arrives in pieces, gonb may miss the position.
var cellLine = regexp.MustCompile(`\[\[ (Cell (?:\[\d+\] )?Line \d+) \]\]`)

// saysWhy matches the line in which a panic or a test reports the reason for a failure.
var saysWhy = regexp.MustCompile(`^(?:panic|fatal error|--- FAIL): `)

// failedAt matches a line with a position as gonb passes it on. Package show prints the position after the line with
// the reason for a cell's failure.
var failedAt = regexp.MustCompile(`^at +\[\[ (Cell (?:\[\d+\] )?Line \d+) \]\]( [^:]*:\d+)?$`)

// failureReason returns the line of output that explains why a program failed. final means that the line comes from a
// panic or a test, or is followed by a position. Otherwise it is the last line of stderr that is not an exit status.
func failureReason(outputs []*Output) (reason string, final bool) {
	for _, o := range outputs {
		text := stripANSI(o.Text)
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line)
			place := failedAt.FindStringSubmatch(line)
			switch {
			case final || line == "" || strings.HasPrefix(line, "exit status "):
			case saysWhy.MatchString(line):
				reason, final = line, true
				if place := cellLine.FindStringSubmatch(text); place != nil {
					reason += " at " + place[1]
				}
			case o.Name == "stderr" && place != nil:
				reason, final = reason+" at "+place[1], true
			case o.Name == "stderr":
				reason = line
			}
		}
	}
	return reason, final
}

// plainJSON applies plainText to all strings in a JSON value, and adds column numbers in the cell.
func plainJSON(content []byte, cell string, number int) []byte {
	var value any
	if json.Unmarshal(content, &value) != nil {
		return content
	}
	var plain func(value any) any
	plain = func(value any) any {
		switch v := value.(type) {
		case string:
			return plainText(withColumns(v, cell, number))
		case []any:
			for i := range v {
				v[i] = plain(v[i])
			}
		case map[string]any:
			for name := range v {
				v[name] = plain(v[name])
			}
		}
		return value
	}
	return encoded(plain(value))
}

// shownValue matches the last line of a cell as it appears in the program.
var shownValue = regexp.MustCompile(regexp.QuoteMeta(valueHead) + `(.*)\)`)

// usesLine matches the inserted line that uses the variables of a cell.
var usesLine = regexp.MustCompile(`(?m)^(?:_, )*_ = [\pL\d_, ]+ \}\n`)

// atLine and inPage match gonb's message about a line with a column in the program. In plain text, the message consists
// of the lines before that line, the line itself, and a marker indented with spaces. In HTML, it consists of the
// column, and the line in its context.
var (
	atLine = regexp.MustCompile(`(?s)^(Cell\[(\d+)\]: Line (\d+))(\n(?:.*?\n)?([^\n]*)\n( *)\^\n)`)
	inPage = regexp.MustCompile(`(?s)(gonb-cell-line-info">Cell\[(\d+)\]: Line (\d+))(</span> ` +
		`<span class="gonb-err-location">[^<]*?:\d+:(\d+): </span>.*?<div class="gonb-err-line">([^\n]*)\n</div>)`)
)

// withColumns adds column numbers in the cell to gonb's messages about its lines.
func withColumns(text, cell string, number int) string {
	lines := strings.Split(cell, "\n")
	column := func(count, place, line string, at int) string {
		i, _ := strconv.Atoi(place)
		if count != strconv.Itoa(number) || i < 1 || i > len(lines) {
			return ""
		}
		if n := columnIn(line, at, lines[i-1]); n > 0 {
			return fmt.Sprintf(", column %d", n)
		}
		return ""
	}
	if m := atLine.FindStringSubmatch(text); m != nil {
		said, mark := column(m[2], m[3], m[5], len(m[6])+1), m[6]
		if said != "" { // users do not see the inserted code
			mark = strings.Repeat(" ", len(withoutPut(m[5][:len(m[6])])))
		}
		return m[1] + said + strings.TrimSuffix(m[4], m[6]+"^\n") + mark + "^\n" + text[len(m[0]):]
	}
	return inPage.ReplaceAllStringFunc(text, func(said string) string {
		m := inPage.FindStringSubmatch(said)
		at, _ := strconv.Atoi(m[5])
		return m[1] + column(m[2], m[3], html.UnescapeString(m[6]), at) + m[4]
	})
}

// withoutPut returns code from gonb's program without the code that the proxy has inserted.
func withoutPut(made string) string {
	for _, put := range []string{mainHead, valueHead} {
		made = strings.Replace(made, put, "", 1)
	}
	return made
}

// columnIn returns the 1-based column, in characters, of a position in a line of the cell. made is the line in gonb's
// program, and at is the 1-based byte of the position in that line. It returns 0 if the two lines agree neither before
// that byte nor after it.
func columnIn(made string, at int, line string) int {
	if at > len(made) {
		return 0
	}
	before, behind := withoutPut(made[:at-1]), strings.TrimRight(made[at-1:], " \t")
	end := len(line) - len(behind)
	switch {
	case strings.HasPrefix(line, before):
	case end >= 0 && line[end:] == behind:
		before = line[:end]
	default:
		return 0
	}
	return utf8.RuneCountInString(before) + 1
}

// missingPackage matches Go's message about a package or a module that it could not download without the network. With
// the network, Go may print the same message if a module proxy gives no reason.
var missingPackage = regexp.MustCompile(
	`cannot find module providing package ([^\s:]+)(?:\s|$)|(\S+): module lookup disabled by GOPROXY=off`)

// allowNetwork says how a cell can get a missing module, because the kernelspec turns off the network.
const allowNetwork = "cells cannot download modules unless an earlier cell allows it " +
	"with %env GOPROXY=... and %env GOSUMDB=..., set to what 'go env GOPROXY GOSUMDB' prints"

// withoutNetwork returns the package or module that Go's message reports as not found, or "" for other messages.
func withoutNetwork(text string) string {
	m := missingPackage.FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	return m[1] + m[2] // one of the two groups is empty
}
