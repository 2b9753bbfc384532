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
//	notebook.go cell.go strip.go parameters.go syntax.go        the file, and what can be changed in it
//	kernelspec.go process.go connection.go sockets.go           kernels, and how to talk to one
//	run.go session.go execute.go message.go checksum.go         a run: kernel, cells, the executed copy
//	proxy.go server.go controls.go cursor.go help.go trace.go   what stands between Jupyter and gonb
//	gocells.go gobuild.go aside.go                              the go that gonb finds: what cells are built with
//	setup.go check.go repository.go toolchain.go modules.go     the project's own kernel, and what it is made of
//
// The protocol is https://jupyter-client.readthedocs.io/en/stable/messaging.html, version 5.3; the file format
// https://nbformat.readthedocs.io/en/latest/format_description.html, version 4.5.
package jupyter
