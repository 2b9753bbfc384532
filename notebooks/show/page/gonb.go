//go:build !wasip1

package page

import (
	"encoding/base64"
	"encoding/gob"
	"fmt"
	"os"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// flush waits until the generator has received everything that cells have shown through package gonbui.
func flush() { gonbui.Sync() }

// serveGonb acts as gonb for cells that use package gonbui. The generator creates the pipes for such a page.
func serveGonb(s *Session) {
	if !gonbui.IsNotebook {
		return
	}
	// The pipes are opened for both directions, so that opening them does not wait for the other side.
	in, err := os.OpenFile(os.Getenv(protocol.GONB_PIPE_ENV), os.O_RDWR, 0)
	if err != nil {
		return
	}
	back, err := os.OpenFile(os.Getenv(protocol.GONB_PIPE_BACK_ENV), os.O_RDWR, 0)
	if err != nil {
		return
	}
	go func() {
		for from, to := gob.NewDecoder(in), gob.NewEncoder(back); ; {
			var message protocol.DisplayData
			if from.Decode(&message) != nil {
				return
			}
			if call, is := message.Data[protocol.MIMECommValue].(protocol.CommValue); is {
				if call.Address == protocol.GonbuiSyncAddress {
					_ = to.Encode(&protocol.CommValue{Address: protocol.GonbuiSyncAckAddress, Value: call.Value})
				}
				continue
			}
			if forms := formsOf(message.Data); len(forms) > 0 {
				s.Show(message.DisplayID, forms)
			}
		}
	}()
}

// formsOf returns the forms of a message as notebooks store them.
func formsOf(data map[protocol.MIMEType]any) map[string]string {
	forms := map[string]string{}
	for kind, form := range data {
		switch form := form.(type) {
		case []byte:
			forms[string(kind)] = base64.StdEncoding.EncodeToString(form)
		case string:
			forms[string(kind)] = form
		case protocol.InputRequest, protocol.CommSubscription: // nobody can answer
		default:
			forms[string(kind)] = fmt.Sprint(form)
		}
	}
	return forms
}
