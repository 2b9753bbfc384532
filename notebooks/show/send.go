package show

import (
	"fmt"
	"html"
	"os"
	"strings"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// send delivers one output in both forms and returns when it has arrived. Tests replace it.
var send = func(rich, plain string) {
	if !gonbui.IsNotebook {
		fmt.Fprintln(os.Stdout, plain)
		return
	}
	settled.wait()
	gonbui.SendData(&protocol.DisplayData{Data: map[protocol.MIMEType]any{
		protocol.MIMETextHTML: rich, protocol.MIMETextPlain: plain,
	}})
	if err := gonbui.Error(); err != nil {
		Fail("show: the notebook does not answer: %v", err)
	}
	gonbui.Sync()
}

// Text shows a line of text, formatted as by [fmt.Printf].
func Text(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	send("<p>"+escape(text)+"</p>", text)
}

// escape makes text safe in HTML and keeps its line breaks.
func escape(text string) string {
	return strings.ReplaceAll(html.EscapeString(text), "\n", "<br>")
}
