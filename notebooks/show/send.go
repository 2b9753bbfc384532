package show

import (
	"fmt"
	"html"
	"os"
	"strings"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"
	"github.com/siegebook/siegebook/report/content"
)

// send delivers one output in three forms, as a block for the report, as HTML and as text, and returns when it has
// arrived. If the block is too large, or a drawing that the report cannot take, it is left out, and the report shows
// the HTML.
// Tests replace it.
var send = func(b content.Block, rich, plain string) { display("", b, rich, plain) }

// display is send for an output with an id, by which it can be replaced later; "" for none. The block may be nil.
func display(id string, b content.Block, rich, plain string) {
	if !gonbui.IsNotebook {
		fmt.Fprintln(os.Stdout, plain)
		return
	}
	forms := map[protocol.MIMEType]any{protocol.MIMETextHTML: rich, protocol.MIMETextPlain: plain}
	if b != nil {
		if data, err := content.Marshal(b); err == nil {
			forms[content.MediaType] = string(data)
		}
	}
	settled.wait()
	gonbui.SendData(&protocol.DisplayData{Data: forms, DisplayID: id})
	if err := gonbui.Error(); err != nil {
		Fail("show: the notebook does not answer: %v", err)
	}
	gonbui.Sync()
}

// Text shows a line of text, formatted as by [fmt.Printf]. Its numbers get commas, as in tables and on pages, and
// negative ones a true minus.
func Text(format string, args ...any) {
	text := prose(format, args...)
	send(content.Output{Kind: content.Sentence, Text: text}, "<p>"+escape(text)+"</p>", text)
}

// prose writes a text for people.
func prose(format string, args ...any) string {
	return content.ForPeople(fmt.Sprintf(format, args...))
}

// escape makes text safe in HTML and keeps its line breaks.
func escape(text string) string {
	return strings.ReplaceAll(html.EscapeString(text), "\n", "<br>")
}
