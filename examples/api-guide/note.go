// Package notes has what clients and the service share.
package notes

import "errors"

// Note is a text with a title.
type Note struct {
	Title string   `json:"title"`
	Text  string   `json:"text"`
	Tags  []string `json:"tags,omitempty"`
}

// Valid returns an error if the note has no title.
func (n Note) Valid() error {
	if n.Title == "" {
		return errors.New("the note has no title")
	}
	return nil
}
