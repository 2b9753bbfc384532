package jupyter

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
)

// link is one end of a connection that speaks ZMTP 3.0 without encryption (https://rfc.zeromq.org/spec/23), as far as
// the channels of Jupyter need it. The other end may be anybody: memory is taken as bytes come, not as they are
// announced, and a message has a bound.
type link struct {
	net.Conn
	in    *bufio.Reader
	limit int64 // of the bytes of a message
	mu    sync.Mutex
}

const (
	moreFlag, longFlag, commandFlag = 1, 2, 4

	greetingSize = 64
	// frameCost is what the shortest frame counts, as it takes memory too.
	frameCost = 64
)

var errFrame = errors.New("the other end does not speak ZMTP 3, or says too much at once")

func newLink(conn net.Conn, limit int64) *link {
	return &link{Conn: conn, in: bufio.NewReader(conn), limit: limit}
}

// greet shakes hands, as a socket of a kind: DEALER, ROUTER, SUB, PUB, REP.
func (l *link) greet(kind, identity string) error {
	greeting := make([]byte, greetingSize)
	copy(greeting, "\xff\x00\x00\x00\x00\x00\x00\x00\x01\x7f\x03\x00NULL")
	if _, err := l.Write(greeting); err != nil {
		return err
	}
	theirs := make([]byte, greetingSize)
	if _, err := io.ReadFull(l.in, theirs); err != nil {
		return err
	}
	if theirs[0] != 0xff || theirs[9] != 0x7f || theirs[10] < 3 || !bytes.Equal(theirs[12:32], greeting[12:32]) {
		return errFrame
	}
	ready := []byte("\x05READY")
	for _, property := range [][2]string{{"Socket-Type", kind}, {"Identity", identity}} {
		ready = append(append(ready, byte(len(property[0]))), property[0]...)
		ready = append(binary.BigEndian.AppendUint32(ready, uint32(len(property[1]))), property[1]...)
	}
	if _, err := l.Write(append([]byte{commandFlag, byte(len(ready))}, ready...)); err != nil {
		return err
	}
	flags, body, err := l.frame(l.limit)
	if err == nil && (flags&commandFlag == 0 || !bytes.HasPrefix(body, []byte("\x05READY"))) {
		err = errFrame
	}
	return err
}

// frame reads a frame of at most so many bytes.
func (l *link) frame(limit int64) (flags byte, body []byte, err error) {
	var head [9]byte
	if _, err := io.ReadFull(l.in, head[:2]); err != nil {
		return 0, nil, err
	}
	flags = head[0]
	size := uint64(head[1])
	if flags&longFlag != 0 {
		if _, err := io.ReadFull(l.in, head[2:]); err != nil {
			return 0, nil, err
		}
		size = binary.BigEndian.Uint64(head[1:])
	}
	if limit < 0 || size > uint64(limit) {
		return 0, nil, fmt.Errorf("%w: a frame of %d bytes", errFrame, size)
	}
	var grown bytes.Buffer
	if _, err := io.CopyN(&grown, l.in, int64(size)); err != nil {
		return 0, nil, err
	}
	return flags, grown.Bytes(), nil
}

// read returns the frames of the next message. Commands, which nobody needs behind the handshake, are left out.
func (l *link) read() ([][]byte, error) {
	var frames [][]byte
	for room := l.limit; ; {
		flags, body, err := l.frame(room)
		switch {
		case err != nil:
			return nil, err
		case flags&commandFlag != 0:
			continue
		}
		frames = append(frames, body)
		if flags&moreFlag == 0 {
			return frames, nil
		}
		room -= int64(len(body)) + frameCost
	}
}

// write sends a message, and waits for as long as the other end does not take it.
func (l *link) write(frames [][]byte) error {
	var out net.Buffers
	for i, frame := range frames {
		head := []byte{0, byte(len(frame))}
		if len(frame) > 255 {
			head = binary.BigEndian.AppendUint64([]byte{longFlag}, uint64(len(frame)))
		}
		if i < len(frames)-1 {
			head[0] |= moreFlag
		}
		out = append(out, head, frame)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	_, err := out.WriteTo(l.Conn)
	return err
}
