//go:build wasip1

package module

import "unsafe"

// Main does nothing: a page writes a request, see [Module.Ask], into the memory that request returns, and calls ask.
// The reply is at the address that ask returns.
func Main() {}

var (
	// asked is the memory for a request.
	asked []byte
	// reply is the last answer, which stays in its place until the next one.
	reply Reply
	// answer describes the reply: 1 for an error, whose field and words are the text, with a line break between them,
	// else 0; then the address and length of the bytes, and of the text.
	answer [5]uint32
)

// request returns the address to which a request of size bytes is to be written.
//
//go:wasmexport request
func request(size int32) unsafe.Pointer {
	asked = make([]byte, max(size, 1))
	return unsafe.Pointer(&asked[0])
}

// ask answers the request of size bytes that has been written. It returns the address of the five numbers of the
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
