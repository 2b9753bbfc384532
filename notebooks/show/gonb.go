//go:build !wasip1

package show

import (
	"crypto/rand"
	"encoding/json"
	"net"
	"os"
	"strconv"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// inNotebook reports whether gonb started the program.
func inNotebook() bool { return gonbui.IsNotebook }

// newID returns a unique ID.
func newID() string { return rand.Text() }

// kernelID returns the kernel's ID, which the script of controls needs.
func kernelID() string { return os.Getenv(protocol.GONB_JUPYTER_KERNEL_ID_ENV) }

// settle returns after the kernel has published everything that was printed.
func settle() { settled.wait() }

// toNotebook shows the forms of an output in the notebook. It replaces the output with the same ID, if there is one.
func toNotebook(id string, forms map[string]string) {
	settle()
	message := &protocol.DisplayData{Data: map[protocol.MIMEType]any{}, DisplayID: id}
	for kind, form := range forms {
		message.Data[protocol.MIMEType(kind)] = form
	}
	gonbui.SendData(message)
	if err := gonbui.Error(); err != nil {
		Fail("show: the notebook does not answer: %v", err)
	}
	gonbui.Sync()
}

// internal/jupyter/controls.go describes the protocol between a program and the proxy in front of the kernel.
const (
	controlsVariable = "SIEGEBOOK_CONTROLS"
	numberVariable   = "SIEGEBOOK_CONTROL"
)

// register announces a control and its fields to the proxy, and reports whether readers can move
// the control.
func register(id string, number int, fields []knob) bool {
	address := os.Getenv(controlsVariable)
	if address == "" || !inNotebook() {
		return false
	}
	dir, err1 := os.Getwd()
	exe, err2 := os.Executable()
	if err1 != nil || err2 != nil {
		return false
	}
	conn, err := net.Dial("unix", address)
	if err != nil {
		return false
	}
	defer conn.Close()
	err = json.NewEncoder(conn).Encode(map[string]any{
		"id": id, "number": strconv.Itoa(number), "args": os.Args[1:], "env": os.Environ(), "dir": dir, "exe": exe,
		"fields": fields,
	})
	if err != nil {
		return false
	}
	var answer struct{ Live bool }
	return json.NewDecoder(conn).Decode(&answer) == nil && answer.Live
}

// served serves a control if the proxy has started the program for this control. If the proxy has started it for
// another control, served skips this one. It reports whether the program has nothing more to do.
func served(number int, draw func() Drawing, knobs []Knob) bool {
	wanted := os.Getenv(numberVariable)
	if wanted == strconv.Itoa(number) {
		serve(draw, knobs)
	}
	return wanted != ""
}

// serve reads values and writes drawings until the proxy closes the connection.
func serve(draw func() Drawing, knobs []Knob) {
	in, out := json.NewDecoder(os.NewFile(3, "values")), json.NewEncoder(os.NewFile(4, "pictures"))
	for {
		var ask struct{ Values []string }
		if in.Decode(&ask) != nil {
			os.Exit(0)
		}
		if out.Encode(map[string]any{"data": picture(draw, knobs, ask.Values)}) != nil {
			os.Exit(0)
		}
	}
}
