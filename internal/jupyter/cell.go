package jupyter

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// CellKind is the kind of a cell, as named by nbformat.
type CellKind string

// These are the kinds of cells.
const (
	Code     CellKind = "code"
	Markdown CellKind = "markdown"
	Raw      CellKind = "raw"
)

// Cell is a copy of one cell of a notebook. Changes to the copy do not change the notebook.
type Cell struct {
	// ID is unique in the notebook; "" in files before nbformat 4.5.
	ID   string
	Kind CellKind
	// Source is the complete source text.
	Source string
	Tags   []string
	// Metadata is the JSON of the cell's metadata, or nil if there is none.
	Metadata json.RawMessage
	// Attachments are files that belong to a Markdown cell, such as images, by name.
	Attachments map[string]Bundle
	// ExecutionCount is the execution count of a code cell, or 0 if it has none. Outputs are in display order.
	ExecutionCount int
	Outputs        []Output
}

// Run observes cells with these tags.
const (
	TagParameters = "parameters"       // callers can set the cell's values
	TagRaises     = "raises-exception" // the cell may fail, and the run continues
	TagSkip       = "skip-execution"   // the cell is not run
)

// HasTag reports whether the cell has a tag.
func (c Cell) HasTag(tag string) bool { return slices.Contains(c.Tags, tag) }

// Cells returns all cells in the order of the file.
func (n *Notebook) Cells() []Cell {
	cells := make([]Cell, len(n.cells))
	for i, object := range n.cells {
		source, _ := joinText(pack(member(object, "source")))
		cells[i] = Cell{
			ID: text(member(object, "id")), Kind: CellKind(text(member(object, "cell_type"))), Source: source,
			Tags: tags(child(object, "metadata")), Metadata: pack(member(object, "metadata")),
			Attachments: attachments(object), ExecutionCount: count(object), Outputs: outputs(object),
		}
	}
	return cells
}

func tags(metadata *hujson.Object) []string {
	var tags []string
	for _, e := range elements(metadata, "tags") {
		tags = append(tags, text(e.Value))
	}
	return tags
}

func count(object *hujson.Object) int {
	if literal, ok := member(object, "execution_count").(hujson.Literal); ok {
		return int(literal.Int())
	}
	return 0
}

func attachments(cell *hujson.Object) map[string]Bundle {
	files := map[string]Bundle{}
	for _, m := range child(cell, "attachments").Members {
		if forms, ok := m.Value.Value.(*hujson.Object); ok {
			files[text(m.Name.Value)] = bundle(forms)
		}
	}
	return files
}

func bundle(object *hujson.Object) Bundle {
	forms := Bundle{}
	for _, m := range object.Members {
		forms[text(m.Name.Value)] = pack(m.Value.Value)
	}
	return forms
}

func outputs(cell *hujson.Object) []Output {
	var list []Output
	for _, e := range elements(cell, "outputs") {
		object, ok := e.Value.(*hujson.Object)
		if !ok {
			continue
		}
		o := Output{
			Type: OutputType(text(member(object, "output_type"))), Name: text(member(object, "name")),
			Metadata: pack(member(object, "metadata")), ExecutionCount: count(object),
			ErrorName: text(member(object, "ename")), ErrorValue: text(member(object, "evalue")),
		}
		o.Text, _ = joinText(pack(member(object, "text")))
		if _, ok := member(object, "data").(*hujson.Object); ok {
			o.Data = bundle(child(object, "data"))
		}
		for _, line := range elements(object, "traceback") {
			o.Traceback = append(o.Traceback, text(line.Value))
		}
		list = append(list, o)
	}
	return list
}

// setOutputs replaces the outputs and the execution count of a code cell. A count of 0 means that the cell has not been
// run.
func (n *Notebook) setOutputs(i, count int, outputs []*Output) {
	list := make([]any, len(outputs))
	for k, o := range outputs {
		list[k] = o.stored()
	}
	n.style.set(n.cells[i], "execution_count", number(count), cellDepth)
	n.style.set(n.cells[i], "outputs", list, cellDepth)
}

// SetSource replaces a cell's source. It keeps the way in which the source is stored: as a string, or as a list of
// lines.
func (n *Notebook) SetSource(i int, source string) {
	var value any = splitLines(source)
	if _, ok := member(n.cells[i], "source").(hujson.Literal); ok {
		value = source
	}
	n.style.set(n.cells[i], "source", value, cellDepth)
}

// stored returns the output as nbformat stores it.
func (o *Output) stored() map[string]any {
	stored := map[string]any{"output_type": o.Type}
	switch o.Type {
	case Stream:
		stored["name"], stored["text"] = o.Name, splitLines(o.Text)
		return stored
	case ErrorOutput:
		stored["ename"], stored["evalue"], stored["traceback"] = o.ErrorName, o.ErrorValue,
			append([]string{}, o.Traceback...)
		return stored
	case ExecuteResult:
		stored["execution_count"] = number(o.ExecutionCount)
	}
	data := map[string]any{}
	for mediaType, value := range o.Data {
		data[mediaType] = value
		lines := mediaType == "application/javascript" || mediaType == "image/svg+xml" ||
			strings.HasPrefix(mediaType, "text/")
		if text, ok := o.Data.Text(mediaType); ok && lines {
			data[mediaType] = splitLines(text)
		}
	}
	stored["data"], stored["metadata"] = data, o.Metadata
	if len(o.Metadata) == 0 || string(o.Metadata) == "null" {
		stored["metadata"] = struct{}{}
	}
	return stored
}

// number returns an execution count as nbformat stores it: 0 becomes null.
func number(count int) any {
	if count > 0 {
		return count
	}
	return nil
}

// Name returns the name of a cell for messages: its ID or, if it has none, its position. i is its 0-based index.
func (c Cell) Name(i int) string {
	if c.ID != "" {
		return fmt.Sprintf("cell %q", c.ID)
	}
	return fmt.Sprintf("cell %d", i+1)
}

// OutputType is the kind of an output, as named by nbformat.
type OutputType string

// These are the kinds of outputs.
const (
	Stream        OutputType = "stream"         // Name and Text
	DisplayData   OutputType = "display_data"   // Data and Metadata
	ExecuteResult OutputType = "execute_result" // Data, Metadata and the cell's ExecutionCount
	ErrorOutput   OutputType = "error"          // ErrorName, ErrorValue and Traceback
)

// Output is one output of a code cell. Its type determines which fields are set.
type Output struct {
	Type OutputType `json:"-"`
	// Name is "stdout" or "stderr".
	Name string `json:"name"`
	// Text is the text that the cell wrote, as valid UTF-8. It may contain escape sequences and carriage returns.
	Text string `json:"-"`
	// Data is the content to display, in one or more formats.
	Data Bundle `json:"data"`
	// Metadata is a JSON object that describes Data, or nil if there is none.
	Metadata json.RawMessage `json:"metadata"`
	// ExecutionCount is the 1-based number of the cell in its session, or 0 if there is none.
	ExecutionCount int `json:"execution_count"`
	// ErrorName, ErrorValue and Traceback describe an error. The lines of the traceback are formatted for terminals.
	ErrorName  string   `json:"ename"`
	ErrorValue string   `json:"evalue"`
	Traceback  []string `json:"traceback"`
}

// Bundle contains one piece of content in several formats: JSON values by media type. Text is a string, and an image is
// a base64 string.
type Bundle map[string]json.RawMessage

// Text returns the content in the given media type if it is text. Notebooks store text as a string or as a list of
// strings.
func (b Bundle) Text(mediaType string) (string, bool) {
	raw, ok := b[mediaType]
	if !ok {
		return "", false
	}
	return joinText(raw)
}

// MediaTypes returns the media types of all formats, sorted.
func (b Bundle) MediaTypes() []string { return slices.Sorted(maps.Keys(b)) }

// joinText returns the text of a JSON string or of a JSON list of strings.
func joinText(raw json.RawMessage) (string, bool) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text, true
	}
	var lines []string
	if json.Unmarshal(raw, &lines) != nil || lines == nil {
		return "", false
	}
	return strings.Join(lines, ""), true
}

// splitLines splits text after each line feed, because notebooks store text as such a list.
func splitLines(text string) []string {
	return slices.AppendSeq([]string{}, strings.Lines(text))
}
