package jupyter

import (
	"bytes"
	"errors"
	"log"
	"net"
	"slices"
	"sync"
	"time"
)

// outlet is a channel at which front ends connect. On TCP so can everybody else on the machine, who shall neither end
// nor delay anything:
//
//   - On Linux, programs of other users are refused.
//   - Connections are served side by side. Those that have not yet proved by a signature that they have the key are
//     bounded in number, in the time for the handshake and in the size of a message.
//   - Nobody waits for who reads: what is to be written waits in a queue, and whose queue is too long loses the
//     connection. Front ends of ZeroMQ then connect again.
type outlet struct {
	kind     string // of the socket: ROUTER, PUB or REP
	listener net.Listener
	// received takes a message that came at a ROUTER, and says whether it was signed.
	received func(*peer, [][]byte) bool

	mu      sync.Mutex
	peers   []*peer
	refused sync.Once
}

const (
	maxMessage     = 64 << 20 // of who has the key
	maxUnsigned    = 1 << 20
	maxStrangers   = 64
	maxTopics      = 64
	handshakeLimit = 10 * time.Second
)

// maxQueue is how many bytes wait for a front end that does not read.
var maxQueue = 64 << 20

// peer is a connection at an outlet.
type peer struct {
	*link
	proved bool // under the mutex of the outlet

	mu      sync.Mutex
	topics  [][]byte // that it has subscribed to
	queue   [][][]byte
	queued  int
	writing bool
}

func (o *outlet) listen(network, address string) error {
	var err error
	o.listener, err = net.Listen(network, address)
	return err
}

// accept serves all who connect, until the outlet is closed.
func (o *outlet) accept() {
	for {
		conn, err := o.listener.Accept()
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case err != nil: // there may be no file left for it
			time.Sleep(dialPause)
		case ofAnotherUser(conn):
			_ = conn.Close()
			o.refused.Do(func() { log.Print("a connection of another user of this machine was refused") })
		default:
			p := &peer{link: newLink(conn, maxUnsigned)}
			o.admit(p)
			go o.serve(p)
		}
	}
}

// admit adds a connection. Where too many are without proof, the one before it goes, so that those that were here
// before a flood of them stay.
func (o *outlet) admit(p *peer) {
	o.mu.Lock()
	defer o.mu.Unlock()
	strangers := 0
	for _, other := range o.peers {
		if !other.proved {
			strangers++
		}
	}
	if strangers >= maxStrangers {
		last := len(o.peers) - 1
		for o.peers[last].proved {
			last--
		}
		_ = o.peers[last].Close()
		o.peers = slices.Delete(o.peers, last, last+1)
	}
	o.peers = append(o.peers, p)
}

// serve reads from a connection until it ends.
func (o *outlet) serve(p *peer) {
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
			if !p.subscribe(frames[0]) {
				return
			}
		case o.kind == "REP":
			p.send(frames)
		case o.received(p, frames):
			o.mu.Lock()
			p.proved, p.limit = true, maxMessage
			o.mu.Unlock()
		}
	}
}

// tell sends a message to all who have subscribed to it.
func (o *outlet) tell(frames [][]byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, p := range o.peers {
		if p.wants(frames[0]) {
			p.send(frames)
		}
	}
}

func (p *peer) wants(topic []byte) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.ContainsFunc(p.topics, func(wanted []byte) bool { return bytes.HasPrefix(topic, wanted) })
}

// subscribe takes a wish to hear of a topic, or to hear of it no more, and says whether it was one.
func (p *peer) subscribe(wish []byte) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(wish) == 0 || wish[0] > 1 || len(p.topics) >= maxTopics {
		return false
	}
	if wish[0] == 1 {
		p.topics = append(p.topics, wish[1:])
	} else if at := slices.IndexFunc(p.topics, func(t []byte) bool { return bytes.Equal(t, wish[1:]) }); at >= 0 {
		p.topics = slices.Delete(p.topics, at, at+1)
	}
	return true
}

// send queues a message.
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

// flush writes until nothing waits.
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

// close ends all connections, when what waits has been written or the time is over.
func (o *outlet) close(limit time.Time) {
	if o.listener == nil {
		return
	}
	_ = o.listener.Close()
	o.mu.Lock()
	peers := slices.Clone(o.peers)
	o.mu.Unlock()
	for _, p := range peers {
		for p.isWriting() && time.Now().Before(limit) {
			time.Sleep(dialPause)
		}
		_ = p.Close()
	}
}

func (p *peer) isWriting() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.writing
}
