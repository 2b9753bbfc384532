//go:build wasip1

// Engine is the module that the pages of the report ask: package report/explore/engine as WebAssembly, a WASI reactor
// without files, clock and network. genreport build compiles it:
//
//	GOOS=wasip1 GOARCH=wasm go build -buildmode=c-shared -trimpath -gcflags=std=-l -ldflags='-s -w' ./cmd/engine
//
// Whoever asks writes the name of a function and, behind it, its arguments into the memory that arguments returns, and
// calls ask. What comes back lies where reply says.
package main

import (
	"encoding/binary"
	"unsafe"

	"github.com/siegebook/siegebook/report/explore/engine"
)

// request is what is asked: a name and arguments, 8 bytes each, little-endian.
var request []byte

// reply is the last answer, which stays where it is until the next.
var reply engine.Reply

// answer describes it: 1 for an error, whose line is the text, else 0; then address and length of numbers, bytes, text.
var answer [7]uint32

// arguments returns where a request of so many bytes is to be written.
//
//go:wasmexport arguments
func arguments(size int32) unsafe.Pointer {
	request = make([]byte, max(size, 1))
	return unsafe.Pointer(&request[0])
}

// ask answers what has been written: a name of so many bytes, then count arguments. It returns where the seven numbers
// of the answer are.
//
//go:wasmexport ask
func ask(name, count int32) unsafe.Pointer {
	args := make([]int64, count)
	for i := range args {
		args[i] = int64(binary.LittleEndian.Uint64(request[int(name)+8*i:]))
	}
	var err error
	reply, err = engine.Call(string(request[:name]), args)
	failed := uint32(0)
	if err != nil {
		failed, reply.Text = 1, err.Error()
	}
	answer = [7]uint32{
		failed,
		address(unsafe.SliceData(reply.Ints)), uint32(len(reply.Ints)),
		address(unsafe.SliceData(reply.Bytes)), uint32(len(reply.Bytes)),
		address(unsafe.StringData(reply.Text)), uint32(len(reply.Text)),
	}
	return unsafe.Pointer(&answer)
}

func address[T any](p *T) uint32 { return uint32(uintptr(unsafe.Pointer(p))) }

func main() {}
