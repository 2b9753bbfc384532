package jupyter

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// OutputType is the kind of an output, in the words of nbformat.
type OutputType string

// The kinds of outputs.
const (
	Stream        OutputType = "stream"         // Name and Text
	DisplayData   OutputType = "display_data"   // Data and Metadata
	ExecuteResult OutputType = "execute_result" // Data, Metadata and the cell's ExecutionCount
	ErrorOutput   OutputType = "error"          // ErrorName, ErrorValue and Traceback
)

// Output is one output of a code cell. Which fields count depends on its type.
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
	lines := []string{}
	for line := range strings.Lines(text) {
		lines = append(lines, line)
	}
	return lines
}

// storedAsLines says whether a notebook stores the text of a media type as a list of lines.
func storedAsLines(mediaType string) bool {
	return strings.HasPrefix(mediaType, "text/") || mediaType == "application/javascript" || mediaType == "image/svg+xml"
}
