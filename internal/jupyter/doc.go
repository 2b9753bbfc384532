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
//	notebook.go cell.go output.go          the file and what it holds
//	strip.go parameters.go govalues.go gokind.go    what can be changed in it
//	syntax.go tree.go style.go             JSON that keeps its bytes
//	kernelspec.go                          which kernels there are
//	process.go strays.go                   starting one, and ending it
//	connection.go wire.go sockets.go zmtp.go    the protocol: ports, signed messages, channels
//	session.go execute.go                  a kernel at work, a cell at work
//	collect.go message.go                  outputs out of messages, one line out of a failure
//	run.go                                 a whole notebook
//	front.go outlet.go controls.go trace.go help.go    what stands between Jupyter and gonb
//	gocells.go aside.go gokey.go gokept.go goplan.go    the go that gonb finds: what cells are built with
//	setup.go check.go                      the project's own kernel
//	frontsetup.go programs.go ownership.go its programs; which files are ours to replace and to remove
//	repository.go toolchain.go modules.go  what it is made of, and what its cells need
//
// The protocol is https://jupyter-client.readthedocs.io/en/stable/messaging.html, version 5.3; the file format
// https://nbformat.readthedocs.io/en/latest/format_description.html, version 4.5.
package jupyter
