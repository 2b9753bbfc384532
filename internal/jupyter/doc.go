// Package jupyter reads and writes notebook files, and runs them in any kernel that Jupyter knows, without Jupyter and
// without Python. It knows no game.
//
// A notebook is a file under version control first: whatever is done to it, every byte that nobody asked to change
// stays (Parse, Notebook.Strip, Notebook.SetParameters). A run works on a copy, and what it gives back depends on the
// cells alone: no times, no process numbers (Run).
//
// A kernel is a program that obeys whatever a cell says, and so nobody trusts it to end: it gets a limit for each
// cell's time and output, and when a run is over, none of its processes is left, also where this process dies.
//
//	notebook.go cell.go                    the file and what it holds
//	strip.go parameters.go                 what can be changed in it
//	syntax.go                              JSON that keeps its bytes
//	kernelspec.go                          which kernels there are
//	process.go                             starting one, and ending it
//	connection.go sockets.go               the protocol: ports, signed messages, channels
//	session.go execute.go message.go       a kernel at work, a cell at work, what it says
//	run.go checksum.go                         a whole notebook, its executed copy
//	proxy.go server.go controls.go         what stands between Jupyter and gonb
//	cursor.go help.go trace.go             what it does for readers
//	gocells.go aside.go gokey.go gokept.go    the go that gonb finds: what cells are built with
//	setup.go check.go ownership.go         the project's own kernel; which files are ours to replace and to remove
//	repository.go toolchain.go modules.go  what it is made of, and what its cells need
//	system_linux.go group_unix.go          what systems do differently
//
// The protocol is https://jupyter-client.readthedocs.io/en/stable/messaging.html, version 5.3; the file format
// https://nbformat.readthedocs.io/en/latest/format_description.html, version 4.5.
package jupyter
