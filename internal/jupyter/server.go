package jupyter

import (
	"errors"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// server is a channel to which front ends connect. On TCP, anybody on the machine can connect, and must not be able to
// end or delay anything. So the server serves connections concurrently. It limits the time for the handshake and, until
// a connection has sent a signed message, the size of messages. Outgoing messages wait in a queue. A front end whose
// queue gets too long loses its connection; ZeroMQ front ends then reconnect. The server reads a heartbeat only after
// it has answered the previous one.
type server struct {
	kind     string // the type of the socket: ROUTER, PUB or REP
	listener net.Listener
	// received handles a message that arrived at a ROUTER socket, and reports whether the message was signed.
	received func(*peer, [][]byte) bool

	mu    sync.Mutex
	peers []*peer
}

const (
	maxMessage     = 64 << 20 // for messages from a peer that has the key
	maxUnsigned    = 1 << 20
	maxHeartbeat   = 4 << 10
	handshakeLimit = 10 * time.Second
)

// maxQueue is the maximum number of bytes that wait for a front end that does not read.
var maxQueue = 64 << 20

// peer is a connection to a server.
type peer struct {
	*link
	hears atomic.Bool // the peer has subscribed; front ends subscribe to all topics at once

	mu      sync.Mutex
	queue   [][][]byte
	queued  int
	writing bool
}

// accept serves all connections until the server is closed.
func (o *server) accept() {
	for {
		conn, err := o.listener.Accept()
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case err != nil: // for example because too many files are open
			time.Sleep(dialPause)
		default:
			limit := int64(maxUnsigned)
			if o.kind == "REP" {
				limit = maxHeartbeat
			}
			p := &peer{link: newLink(conn, limit)}
			o.mu.Lock()
			o.peers = append(o.peers, p)
			o.mu.Unlock()
			go o.serve(p)
		}
	}
}

// serve reads from a connection until the connection ends.
func (o *server) serve(p *peer) {
	defer func() {
		_ = p.Close()
		o.mu.Lock()
		defer o.mu.Unlock()
		o.peers = slices.DeleteFunc(o.peers, func(other *peer) bool { return other == p })
	}()
	_ = p.SetDeadline(time.Now().Add(handshakeLimit))
	if p.greet(o.kind, "") != nil || p.SetDeadline(time.Time{}) != nil {
		return
	}
	for {
		frames, err := p.read()
		switch {
		case err != nil:
			return
		case o.kind == "PUB":
			p.hears.Store(true)
		case o.kind == "REP":
			if p.write(frames) != nil { // written directly, without the queue
				return
			}
		case o.received(p, frames):
			p.limit = maxMessage
		}
	}
}

// tell sends a message to all subscribers.
func (o *server) tell(frames [][]byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, p := range o.peers {
		if p.hears.Load() {
			p.send(frames)
		}
	}
}

// send appends a message to the queue.
func (p *peer) send(frames [][]byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.queue, p.queued = append(p.queue, frames), p.queued+sizeOf(frames)
	if p.queued > maxQueue {
		_ = p.Close()
		p.queue, p.queued = nil, 0
	}
	if !p.writing {
		p.writing = true
		go p.flush()
	}
}

// flush writes messages until the queue is empty.
func (p *peer) flush() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.queue) > 0 {
		next := p.queue[0]
		p.queue = p.queue[1:]
		p.mu.Unlock()
		err := p.write(next)
		p.mu.Lock()
		p.queued -= sizeOf(next)
		if err != nil {
			_ = p.Close()
			p.queue, p.queued = nil, 0
		}
	}
	p.writing = false
}

func sizeOf(frames [][]byte) int {
	size := 0
	for _, frame := range frames {
		size += len(frame) + frameCost
	}
	return size
}

// close closes all connections after the queued messages have been written or the time limit has passed.
func (o *server) close(limit time.Time) {
	if o.listener == nil {
		return
	}
	_ = o.listener.Close()
	o.mu.Lock()
	peers := slices.Clone(o.peers)
	o.mu.Unlock()
	for _, p := range peers {
		for p.mu.Lock(); p.writing && time.Now().Before(limit); p.mu.Lock() {
			p.mu.Unlock()
			time.Sleep(dialPause)
		}
		p.mu.Unlock()
		_ = p.Close()
	}
}
