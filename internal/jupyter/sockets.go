package jupyter

import (
	"context"
	"crypto/rand"
	"net"
	"sync"
	"time"
)

// channel names one of the sockets between a client and a kernel.
type channel int

const (
	shell     channel = iota // requests and their replies
	control                  // requests that overtake those on shell
	stdin                    // questions of the kernel to the user
	iopub                    // outputs and states, published to all clients
	heartbeat                // whether the kernel is alive; front.go answers it, and we ask nobody
)

// received is a message, or the reason why a channel has ended.
type received struct {
	channel channel
	message message
	err     error
}

// sockets are the client's ends of a kernel's channels.
type sockets struct {
	key      signer
	open     map[channel]*link
	incoming chan received
	// drained is closed when the kernel has closed all channels and every message has been taken from incoming.
	drained chan struct{}
	closed  chan struct{}
	close   sync.Once
}

const (
	// dialPause lies between two attempts to reach a kernel that does not listen yet.
	dialPause = 10 * time.Millisecond
	// maxFromKernel bounds a message of a kernel, which may well show a large picture.
	maxFromKernel = 1 << 30
)

// connect opens all channels to a kernel, as soon as it listens. After an error all of them are closed.
func connect(ctx context.Context, c connection) (*sockets, error) {
	s := &sockets{
		key: signer(c.Key), open: map[channel]*link{}, incoming: make(chan received),
		drained: make(chan struct{}), closed: make(chan struct{}),
	}
	identity := rand.Text() // shared by shell and stdin, by the protocol
	for channel, port := range c.ports() {
		if channel == heartbeat {
			continue
		}
		network, address := c.address(port)
		l, err := dialLink(ctx, network, address, map[bool]string{true: "SUB", false: "DEALER"}[channel == iopub], identity)
		if err == nil && channel == iopub {
			err = l.write([][]byte{{1}}) // messages of any topic
		}
		if err != nil {
			s.Close()
			return nil, err
		}
		s.open[channel] = l
	}
	return s, nil
}

// dialLink connects to a socket of a kernel, as soon as that listens.
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
					return // the kernel is gone, or we have closed the socket
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

// send puts a message on a channel.
func (s *sockets) send(c channel, m message) error {
	return s.open[c].write(s.key.encode(m))
}

// Close ends all channels.
func (s *sockets) Close() {
	s.close.Do(func() {
		close(s.closed)
		for _, socket := range s.open {
			_ = socket.Close()
		}
	})
}
