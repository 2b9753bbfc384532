//go:build wasip1

package module

import "unsafe"

// Main does nothing, because a page calls the exported functions. The page calls request, writes a request (see
// [Module.Ask]) to the returned address, and calls ask. ask returns the address of the answer.
func Main() {}

var (
	// asked is the memory for a request.
	asked []byte
	// reply is the last reply. It stays in memory until the next reply, because answer contains its addresses.
	reply Reply
	// answer describes the reply. The first number is 1 for an error, and 0 otherwise. The address and the length of
	// the bytes follow, and then the address and the length of the text. The text of an error consists of its field, a
	// line break and its message.
	answer [5]uint32
)

// request returns the address at which the page writes a request of size bytes.
//
//go:wasmexport request
func request(size int32) unsafe.Pointer {
	asked = make([]byte, max(size, 1))
	return unsafe.Pointer(&asked[0])
}

// ask answers the request of size bytes that the page has written. It returns the address of the five numbers of the
// answer.
//
//go:wasmexport ask
func ask(size int32) unsafe.Pointer {
	var field string
	var err error
	reply, field, err = Served.Ask(string(asked[:size]))
	failed := uint32(0)
	if err != nil {
		failed, reply.Text = 1, field+"\n"+err.Error()
	}
	answer = [5]uint32{
		failed,
		address(unsafe.SliceData(reply.Bytes)), uint32(len(reply.Bytes)),
		address(unsafe.StringData(reply.Text)), uint32(len(reply.Text)),
	}
	return unsafe.Pointer(&answer)
}

func address[T any](p *T) uint32 { return uint32(uintptr(unsafe.Pointer(p))) }
