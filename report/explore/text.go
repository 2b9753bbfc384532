package explore

import (
	"encoding/ascii85"
	"strings"
)

// An engine comes to a page as text, in a string of a script or as the text of an element. Four bytes are five signs,
// so that it is a sixteenth shorter than base64. The five signs of Ascii85 that would mean something there have others
// in their place. In web/kit.js, engine.start reads it.
var fitting = strings.NewReplacer(`"`, "v", "&", "w", "<", "x", ">", "{", `\`, "y")

// Text returns bytes as text for a page.
func Text(data []byte) string {
	text := make([]byte, ascii85.MaxEncodedLen(len(data)))
	return fitting.Replace(string(text[:ascii85.Encode(text, data)]))
}
