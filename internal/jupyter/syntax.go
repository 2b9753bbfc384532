package jupyter

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

// parseJSON reads JSON as a tree that holds every byte of it. Errors name line and column.
//
// encoding/json goes first: it admits no comments, which hujson does, bounds the depth, so that hujson's recursion
// ends, and knows where an error is.
func parseJSON(data []byte) (hujson.Value, error) {
	if at := invalidUTF8(data); at >= 0 {
		return hujson.Value{}, fmt.Errorf("%s: byte %#02x is not UTF-8: save the file as UTF-8", position(data, at), data[at])
	}
	if bytes.HasPrefix(data, []byte("\uFEFF")) {
		return hujson.Value{}, errors.New("line 1, column 1: the file starts with a byte order mark: save it as UTF-8 without one")
	}
	var checked json.RawMessage
	if err := json.Unmarshal(data, &checked); err != nil {
		return hujson.Value{}, syntaxError(data, err)
	}
	return hujson.Parse(data)
}

// syntaxError says where encoding/json found an error.
func syntaxError(data []byte, err error) error {
	var syntax *json.SyntaxError
	var mismatch *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		at := int(syntax.Offset) - 1 // of the byte that is wrong
		if at >= len(data)-1 && syntax.Error() == "unexpected end of JSON input" {
			return fmt.Errorf("%s: broken JSON: the text ends in the middle", position(data, len(data)))
		}
		return fmt.Errorf("%s: broken JSON: %w", position(data, at), err)
	case errors.As(err, &mismatch):
		return fmt.Errorf("%s: %w", position(data, int(mismatch.Offset)), err)
	}
	return err
}

// position names a place in a text by line and column, in characters from 1.
func position(data []byte, at int) string {
	before := data[:max(0, min(at, len(data)))]
	line := bytes.Count(before, []byte("\n")) + 1
	column := utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
	return fmt.Sprintf("line %d, column %d", line, column)
}

// invalidUTF8 returns the offset of the first byte that is not UTF-8, or -1.
func invalidUTF8(data []byte) int {
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}
