package jupyter

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// CellKind is the kind of a cell, in the words of nbformat.
type CellKind string

// The kinds of cells.
const (
	Code     CellKind = "code"
	Markdown CellKind = "markdown"
	Raw      CellKind = "raw"
)

// Cell is a view of one cell of a notebook; to change it changes nothing in the notebook.
type Cell struct {
	// ID is unique in the notebook; "" in files before nbformat 4.5.
	ID   string
	Kind CellKind
	// Source is the whole text.
	Source string
	Tags   []string
	// Metadata is the cell's metadata as it stands in the file, nil if there is none.
	Metadata json.RawMessage
	// Attachments are images and the like that belong to a Markdown cell, by name.
	Attachments map[string]Bundle
	// ExecutionCount is the number of a code cell, 0 if it has none; Outputs are in the order in which they are shown.
	ExecutionCount int
	Outputs        []Output
}

// Tags that the runner knows.
const (
	TagParameters = "parameters"       // the cell whose values can be set from outside
	TagRaises     = "raises-exception" // the cell may fail, and the notebook goes on
	TagSkip       = "skip-execution"   // the cell is not run
)

// HasTag says whether the cell has a tag.
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

// setOutputs replaces what a run has made of a code cell; count 0 stands for a cell that was not run.
func (n *Notebook) setOutputs(i, count int, outputs []*Output) {
	list := make([]any, len(outputs))
	for k, o := range outputs {
		list[k] = o.stored()
	}
	n.style.set(n.cells[i], "execution_count", number(count), cellDepth)
	n.style.set(n.cells[i], "outputs", list, cellDepth)
}

// SetSource replaces a cell's text, in the form that it has: a string, or a list of lines.
func (n *Notebook) SetSource(i int, source string) {
	var value any = splitLines(source)
	if _, ok := member(n.cells[i], "source").(hujson.Literal); ok {
		value = source
	}
	n.style.set(n.cells[i], "source", value, cellDepth)
}

// stored returns the output as nbformat wants it.
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

// number returns an execution count as it is stored: null for none.
func number(count int) any {
	if count > 0 {
		return count
	}
	return nil
}

// Name names a cell in messages: by its id, or where it has none by its place, i counting from 0.
func (c Cell) Name(i int) string {
	if c.ID != "" {
		return fmt.Sprintf("cell %q", c.ID)
	}
	return fmt.Sprintf("cell %d", i+1)
}

// OutputType is the kind of an output, in the words of nbformat.
type OutputType string

// The kinds of outputs.
const (
	Stream        OutputType = "stream"         // Name and Text
	DisplayData   OutputType = "display_data"   // Data and Metadata
	ExecuteResult OutputType = "execute_result" // Data, Metadata and the cell's ExecutionCount
	ErrorOutput   OutputType = "error"          // ErrorName, ErrorValue and Traceback
)

// Output is one output of a code cell. Its type decides which fields count.
type Output struct {
	Type OutputType `json:"-"`
	// Name is "stdout" or "stderr".
	Name string `json:"name"`
	// Text is what the cell wrote, valid UTF-8; it may hold terminal escape sequences and carriage returns.
	Text string `json:"-"`
	// Data is one thing to show, in one or more forms.
	Data Bundle `json:"data"`
	// Metadata is a JSON object about Data, nil if there is none.
	Metadata json.RawMessage `json:"metadata"`
	// ExecutionCount is the number of the cell in its session, from 1; 0 if there is none.
	ExecutionCount int `json:"execution_count"`
	// ErrorName, ErrorValue and Traceback tell what went wrong; the lines of the traceback are for terminals.
	ErrorName  string   `json:"ename"`
	ErrorValue string   `json:"evalue"`
	Traceback  []string `json:"traceback"`
}

// Bundle holds the forms of one thing to show: JSON values by media type. A text, and also an image in base64, is a
// string.
type Bundle map[string]json.RawMessage

// Text returns the form of a media type that is a text; notebooks store it as a string or as a list of strings.
func (b Bundle) Text(mediaType string) (string, bool) {
	raw, ok := b[mediaType]
	if !ok {
		return "", false
	}
	return joinText(raw)
}

// MediaTypes returns the media types of all forms, sorted.
func (b Bundle) MediaTypes() []string { return slices.Sorted(maps.Keys(b)) }

// joinText reads a string or a list of strings.
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

// splitLines cuts a text behind each line feed, the form in which notebooks store texts.
func splitLines(text string) []string {
	return slices.AppendSeq([]string{}, strings.Lines(text))
}
