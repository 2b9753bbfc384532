package jupyter

import (
	"encoding/binary"
	"io/fs"
	"net"
	"os"
	"syscall"
	"time"
)

// change is when the system has last seen a change of a file, which nobody can set, and which file it is.
type change struct {
	time time.Time
	file uint64
}

func changeTime(info fs.FileInfo) change {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return change{time: info.ModTime()}
	}
	return change{time.Unix(int64(s.Ctim.Sec), int64(s.Ctim.Nsec)), s.Ino}
}

// ofAnotherUser says whether a connection of TCP comes from a program of another user of this machine, but for root,
// who may do everything anyway. The system knows whose sockets there are (sock_diag(7)), but those of other machines.
func ofAnotherUser(conn net.Conn) bool {
	theirs, isTCP := conn.RemoteAddr().(*net.TCPAddr)
	ours, _ := conn.LocalAddr().(*net.TCPAddr)
	if !isTCP {
		return false
	}
	const netlinkSockDiag, sockDiagByFamily, anything = 4, 20, 0xffffffff
	socket, err := syscall.Socket(syscall.AF_NETLINK, syscall.SOCK_RAW|syscall.SOCK_CLOEXEC, netlinkSockDiag)
	if err != nil {
		return false
	}
	defer syscall.Close(socket)
	ask, native := make([]byte, 72), binary.NativeEndian
	native.PutUint32(ask, uint32(len(ask)))
	native.PutUint16(ask[4:], sockDiagByFamily)
	native.PutUint16(ask[6:], syscall.NLM_F_REQUEST)
	ask[16], ask[17] = syscall.AF_INET6, syscall.IPPROTO_TCP
	native.PutUint32(ask[20:], anything) // its state
	binary.BigEndian.PutUint16(ask[24:], uint16(theirs.Port))
	binary.BigEndian.PutUint16(ask[26:], uint16(ours.Port))
	if from, to := theirs.IP.To4(), ours.IP.To4(); from != nil && to != nil {
		ask[16] = syscall.AF_INET
		copy(ask[28:], from)
		copy(ask[44:], to)
	} else {
		copy(ask[28:], theirs.IP.To16())
		copy(ask[44:], ours.IP.To16())
	}
	native.PutUint32(ask[64:], anything) // its cookie
	native.PutUint32(ask[68:], anything)
	said := make([]byte, 4096)
	if syscall.Sendto(socket, ask, 0, &syscall.SockaddrNetlink{Family: syscall.AF_NETLINK}) != nil {
		return false
	}
	n, _, err := syscall.Recvfrom(socket, said, 0)
	if err != nil || n < 84 || native.Uint16(said[4:]) != sockDiagByFamily {
		return false
	}
	user := native.Uint32(said[80:])
	return user != 0 && user != uint32(os.Getuid())
}
