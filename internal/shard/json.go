package shard

import (
	"encoding/json"
	"fmt"
	"io"
)

// foundKey is the member of a shard that is what it has found.
const foundKey = "siegebook.found"

// WriteJSON writes a shard that is one JSON object: what it has found, its mark, and NoSum for the checksum.
func WriteJSON(w io.Writer, found any, mark Mark) error {
	texts := make([][]byte, 2)
	for i, value := range []any{found, mark} {
		var err error
		if texts[i], err = json.Marshal(value); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "{\n%q: %s,\n%q: %s,\n%q: %q\n}\n", foundKey, texts[0], MarkKey, texts[1], SumKey, NoSum)
	return err
}

// ReadJSON reads into found what a shard of WriteJSON has found.
func ReadJSON(file io.Reader, found any) error {
	text, err := io.ReadAll(file)
	if err != nil {
		return fmt.Errorf("cannot be read: %v", err) // none of the output's, whatever the system says
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		return err
	}
	part, ok := members[foundKey]
	if !ok {
		return fmt.Errorf("it has no member %q", foundKey)
	}
	return json.Unmarshal(part, found)
}
