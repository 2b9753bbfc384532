package jupyter

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// collector gathers the outputs of a cell from a kernel's messages.
type collector struct {
	limit    int64 // bytes of content
	used     int64
	over     bool
	outputs  []*Output
	texts    map[*Output]*[]byte // what streams have written so far, as it stands in the JSON of the messages
	clearing bool                // clear before the next output
	// displays are the outputs that have an id, of all cells: any of them can be replaced later.
	displays map[string][]*Output
	trace    traceFilter
}

func newCollector(limit int64, displays map[string][]*Output) *collector {
	return &collector{limit: limit, texts: map[*Output]*[]byte{}, displays: displays}
}

// content is what messages with outputs hold.
type content struct {
	Output
	Text      json.RawMessage `json:"text"` // of a stream, with its quotes
	Transient struct {
		DisplayID string `json:"display_id"`
	} `json:"transient"`
	Wait bool `json:"wait"`
}

// take adds the output that a message holds; messages of other types are none of its business. Beyond the limit the
// error names it, and everything that follows is dropped.
func (c *collector) take(m message) error {
	kind := OutputType(m.header.Type)
	known := []OutputType{Stream, DisplayData, ExecuteResult, ErrorOutput, "update_display_data", "clear_output", "execute_input"}
	if c.over || !slices.Contains(known, kind) {
		return nil
	}
	var in content
	if err := json.Unmarshal(m.content, &in); err != nil {
		return fmt.Errorf("the kernel sent a message of type %s that cannot be read: %w", kind, err)
	}
	if c.used += int64(len(m.content)); c.used > c.limit {
		return c.overflow(in, int64(len(m.content)))
	}
	switch kind {
	case "execute_input":
		c.used -= int64(len(m.content))
		c.trace.begin(m.content)
	case "clear_output":
		if c.clearing = in.Wait; !in.Wait {
			c.clear()
		}
	case "update_display_data":
		for _, shown := range c.displays[in.Transient.DisplayID] {
			shown.Data, shown.Metadata = in.Data, in.Metadata
		}
	case Stream:
		if changed, is := c.trace.stream(m.content); is {
			if changed == nil {
				return nil
			}
			if err := json.Unmarshal(changed, &in); err != nil {
				return err
			}
		}
		if len(in.Text) == 0 || in.Text[0] != '"' {
			return errors.New("the kernel sent a message of type stream without a text")
		}
		c.write(in.Name, in.Text)
	default:
		if text := c.trace.find(); text != "" {
			c.write("stderr", encoded(text))
		}
		in.Type = kind
		c.add(&in.Output, in.Transient.DisplayID)
	}
	return nil
}

func (c *collector) add(o *Output, displayID string) {
	if c.clearing {
		c.clear()
	}
	c.outputs = append(c.outputs, o)
	if displayID != "" {
		c.displays[displayID] = append(c.displays[displayID], o)
	}
}

// clear forgets the outputs of the cell. Outputs of other cells may have the same ids, and stay.
func (c *collector) clear() {
	for id, shown := range c.displays {
		c.displays[id] = slices.DeleteFunc(shown, func(o *Output) bool { return slices.Contains(c.outputs, o) })
	}
	c.outputs, c.clearing = nil, false
}

// write adds to a stream. Between two outputs of other kinds there is one output per stream, stdout first: the order in
// which the lines of two streams arrive is a matter of chance. A kernel cuts the output of a cell anywhere, also in the
// middle of a character: in bytes that are not UTF-8, or in half of a surrogate pair as an escape. So it is read when
// both halves have come together.
func (c *collector) write(name string, quoted json.RawMessage) {
	text := slices.Clone(quoted[1 : len(quoted)-1])
	if c.clearing {
		c.clear()
	}
	start := len(c.outputs)
	for start > 0 && c.outputs[start-1].Type == Stream {
		start--
	}
	at, found := slices.BinarySearchFunc(c.outputs[start:], name, func(o *Output, name string) int {
		return strings.Compare(name, o.Name) // descending, so that stdout stands before stderr
	})
	if at += start; found {
		into := c.texts[c.outputs[at]]
		*into = append(*into, text...)
		return
	}
	o := &Output{Type: Stream, Name: name}
	c.texts[o] = (*[]byte)(&text)
	c.outputs = slices.Insert(c.outputs, at, o)
}

// overflow ends the collection with what still fits of a stream, and a note in the outputs.
func (c *collector) overflow(in content, size int64) error {
	c.over = true
	var text string
	if json.Unmarshal(in.Text, &text) == nil {
		room := c.limit - (c.used - size)
		c.write(in.Name, encoded(strings.ToValidUTF8(text[:min(int64(len(text)), max(0, room))], "\uFFFD")))
	}
	c.write("stderr", encoded(fmt.Sprintf("\n[output cut off at %d bytes]\n", c.limit)))
	return fmt.Errorf("the cell wrote more than %d bytes of output: let it print less", c.limit)
}

// result returns the outputs.
func (c *collector) result() []*Output {
	for _, o := range c.outputs {
		if text := c.texts[o]; text != nil {
			_ = json.Unmarshal(slices.Concat([]byte(`"`), bytes.ToValidUTF8(*text, []byte("\uFFFD")), []byte(`"`)), &o.Text)
		}
	}
	return c.outputs
}
