package jupyter

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/siegebook/siegebook/internal/noun"
)

// protocolVersion is the version of Jupyter's messaging protocol that we speak.
const protocolVersion = "5.3"

// delimiter stands between the routing prefix of a message and the message itself.
var delimiter = []byte("<IDS|MSG>")

var errSignature = errors.New("the kernel sent a message with a wrong signature: its connection file is not ours, or it is broken")

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
		return m, fmt.Errorf("the kernel sent %s that %s no message", noun.Count(len(frames), "frame"), noun.Of(len(frames), "is", "are"))
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
			ID: rand.Text(), Session: session, Username: "siegebook", Type: kind, Version: protocolVersion,
			Date: time.Now().UTC().Format(time.RFC3339Nano),
		},
		content: encoded(content),
	}
}
