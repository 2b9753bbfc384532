package jupyter

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"
)

// channel identifies one of the sockets between a client and a kernel.
type channel int

const (
	shell     channel = iota // requests and their replies
	control                  // requests that overtake requests on shell
	stdin                    // the kernel's questions to the user
	iopub                    // outputs and statuses, published to all clients
	heartbeat                // checks that the kernel is alive; proxy.go answers them, our client does not send any
)

// received is a message, or the error that ended a channel.
type received struct {
	channel channel
	message message
	err     error
}

// sockets holds the client's ends of a kernel's channels.
type sockets struct {
	key      signer
	open     map[channel]*link
	incoming chan received
	// drained is closed when the kernel has closed all channels, and the client has received every message from
	// incoming.
	drained chan struct{}
	closed  chan struct{}
	close   sync.Once
}

const (
	// dialPause is the pause between attempts to dial a kernel that is not listening yet.
	dialPause = 10 * time.Millisecond
	// maxFromKernel limits the size of a message from a kernel, which may contain a large picture.
	maxFromKernel = 1 << 30
)

// connect opens all channels to a kernel as soon as it listens. If there is an error, all channels are closed.
func connect(ctx context.Context, c connection) (*sockets, error) {
	s := &sockets{
		key: signer(c.Key), open: map[channel]*link{}, incoming: make(chan received),
		drained: make(chan struct{}), closed: make(chan struct{}),
	}
	identity := rand.Text() // the protocol requires that shell and stdin have the same identity
	for channel, port := range c.ports() {
		if channel == heartbeat {
			continue
		}
		network, address := c.address(port)
		l, err := dialLink(ctx, network, address, map[bool]string{true: "SUB", false: "DEALER"}[channel == iopub],
			identity)
		if err == nil && channel == iopub {
			err = l.write([][]byte{{1}}) // subscribe to all topics
		}
		if err != nil {
			s.Close()
			return nil, err
		}
		s.open[channel] = l
	}
	return s, nil
}

// dialLink connects to a socket of a kernel as soon as the kernel listens.
func dialLink(ctx context.Context, network, address, kind, identity string) (*link, error) {
	for {
		conn, err := new(net.Dialer).DialContext(ctx, network, address)
		if err == nil {
			l := newLink(conn, maxFromKernel)
			stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
			if err = l.greet(kind, identity); stop() && err == nil {
				return l, nil
			}
			_ = conn.Close()
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(dialPause):
		}
	}
}

// dial connects to a kernel, and starts to read all channels.
func dial(ctx context.Context, c connection) (*sockets, error) {
	s, err := connect(ctx, c)
	if err != nil {
		return nil, err
	}
	var readers sync.WaitGroup
	for channel, socket := range s.open {
		readers.Go(func() {
			for {
				frames, err := socket.read()
				if err != nil {
					return // the kernel has ended or we have closed the socket
				}
				m, err := s.key.decode(frames)
				select {
				case s.incoming <- received{channel, m, err}:
				case <-s.closed:
					return
				}
			}
		})
	}
	go func() {
		readers.Wait()
		close(s.drained)
	}()
	return s, nil
}

// send sends a message on a channel.
func (s *sockets) send(c channel, m message) error {
	return s.open[c].write(s.key.encode(m))
}

// Close closes all channels.
func (s *sockets) Close() {
	s.close.Do(func() {
		close(s.closed)
		for _, socket := range s.open {
			_ = socket.Close()
		}
	})
}

// link is one end of a connection with the protocol ZMTP 3.0 without encryption (https://rfc.zeromq.org/spec/23), as
// far as Jupyter's channels need it. The other end may be anybody. So link limits the size of a message, and allocates
// memory as bytes arrive, whatever size was announced.
type link struct {
	net.Conn
	in    *bufio.Reader
	limit int64 // the maximum number of bytes of a message
	mu    sync.Mutex
}

const (
	moreFlag, longFlag, commandFlag = 1, 2, 4

	greetingSize = 64
	// frameCost is the minimum number of bytes that each frame counts toward the limit, because even an empty frame
	// takes memory.
	frameCost = 64
)

var errFrame = errors.New("the other end does not speak ZMTP 3, or sends too much at once")

func newLink(conn net.Conn, limit int64) *link {
	return &link{Conn: conn, in: bufio.NewReader(conn), limit: limit}
}

// greet performs the handshake for a type of socket: DEALER, ROUTER, SUB, PUB, REP.
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

// frame reads a frame of at most limit bytes.
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

// read returns the frames of the next message. It skips commands, because only the handshake needs them.
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

// write sends a message. It blocks until the other end accepts it.
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
