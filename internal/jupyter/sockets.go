package jupyter

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"log"
	"sync"
	"time"

	"github.com/go-zeromq/zmq4"
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
	open     map[channel]zmq4.Socket
	incoming chan received
	// drained is closed when the kernel has closed all channels and every message has been taken from incoming.
	drained chan struct{}
	closed  chan struct{}
	close   sync.Once
}

// dialPause lies between two attempts to reach a kernel that does not listen yet.
const dialPause = 10 * time.Millisecond

// dial connects to a kernel, as soon as it listens. It returns early when the context ends, unless the kernel has
// accepted a connection and says nothing: then it returns when the kernel's process ends.
func dial(ctx context.Context, c connection) (*sockets, error) {
	// The context of a socket is its life-line, which must outlast the dialling.
	life, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, cancel)
	s := newSockets(life, c)
	if err := s.connect(c, zmq4.OptionSubscribe); err != nil {
		stop()
		return nil, err
	}
	if !stop() {
		s.Close()
		return nil, context.Cause(ctx)
	}
	s.receive()
	return s, nil
}

// newSockets returns sockets that are not connected yet.
func newSockets(life context.Context, c connection) *sockets {
	s := &sockets{
		key: signer(c.Key), open: map[channel]zmq4.Socket{}, incoming: make(chan received),
		drained: make(chan struct{}), closed: make(chan struct{}),
	}
	identity := zmq4.WithID(zmq4.SocketIdentity(rand.Text())) // shared by shell and stdin, by the protocol
	options := []zmq4.Option{
		zmq4.WithDialerRetry(dialPause), zmq4.WithDialerMaxRetries(-1), zmq4.WithLogger(log.New(io.Discard, "", 0)),
	}
	s.open[shell] = zmq4.NewDealer(life, append(options, identity)...)
	s.open[stdin] = zmq4.NewDealer(life, append(options, identity)...)
	s.open[control] = zmq4.NewDealer(life, options...)
	s.open[iopub] = zmq4.NewSub(life, options...)
	return s
}

// connect dials all channels, when it has set the option of iopub to take messages of any topic: nothing is published
// in between. After an error all of them are closed.
func (s *sockets) connect(c connection, subscribe string) error {
	if err := s.open[iopub].SetOption(subscribe, ""); err != nil {
		s.Close()
		return fmt.Errorf("cannot listen to the kernel: %w", err)
	}
	for channel, port := range map[channel]int{shell: c.Shell, control: c.Control, stdin: c.Stdin, iopub: c.IOPub} {
		if err := s.open[channel].Dial(c.endpoint(port)); err != nil {
			s.Close()
			return fmt.Errorf("cannot reach the kernel: %w", err)
		}
	}
	return nil
}

// receive starts to read all channels.
func (s *sockets) receive() {
	var readers sync.WaitGroup
	for channel, socket := range s.open {
		readers.Go(func() {
			for {
				raw, err := socket.Recv()
				if err != nil {
					return // the kernel is gone, or we have closed the socket
				}
				m, err := s.key.decode(raw.Frames)
				select {
				case s.incoming <- received{channel, m, err}:
				case <-s.closed:
					// Goes on reading: the library's reader would block for ever on a message that nobody takes.
				}
			}
		})
	}
	go func() {
		readers.Wait()
		close(s.drained)
	}()
}

// send puts a message on a channel.
func (s *sockets) send(c channel, m message) error {
	return s.open[c].SendMulti(zmq4.NewMsgFrom(s.key.encode(m)...))
}

// drain takes what a kernel that has ended had still sent, until every channel has come to its end. A reader of the
// library that holds a message when its socket is closed would wait for ever. The limit is for a process that escaped
// and keeps a channel open.
func (s *sockets) drain(limit time.Duration) {
	expired := time.After(limit)
	for {
		select {
		case <-s.incoming:
		case <-s.drained:
			return
		case <-expired:
			return
		}
	}
}

// Close ends all channels. Where they have been drained before, all readers have come to their end too.
func (s *sockets) Close() {
	s.close.Do(func() {
		close(s.closed)
		for _, socket := range s.open {
			_ = socket.Close()
		}
	})
}
