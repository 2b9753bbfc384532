package content

import (
	"errors"
	"fmt"
	"strings"
)

// Entries is a list of statements with what is to be said of each, which unfolds. Its caption comes from the page's
// text, {{ entries "id" "caption" }}.
type Entries struct {
	// ID names the list on its page, in the form of a Figure's. Its anchor is "entries-" + ID.
	ID      string
	Entries []Entry
}

// Entry is a statement. Its row has the title, the place and the verdict; its parts unfold.
type Entry struct {
	ID      string // its anchor, in the form of a Figure's ID
	Title   string // plain text, required
	Where   string // plain text
	Verdict Cell   // plain text with a mark
	Lead    Part   // stands in the row, below the title; without a name and a text there is none
	Parts   []Part // at least one
}

// Part is one of the things that are said of a statement: a sentence, a listing, or both.
type Part struct {
	Name string   // plain text, required
	Text Markdown // a sentence, without block markup
	Code Code     // stands below the sentence: a language and a text; not in a lead
}

// Validate returns an error that says which rule the list breaks.
func (l *Entries) Validate() error {
	if !ValidID(l.ID) {
		return errBadID
	}
	if len(l.Entries) == 0 {
		return errors.New("it has no entries: leave it out")
	}
	for _, e := range l.Entries {
		if !ValidID(e.ID) {
			return fmt.Errorf("entry %q: %w", e.ID, errBadID)
		}
		if strings.TrimSpace(e.Title) == "" || len(e.Parts) == 0 {
			return fmt.Errorf("entry %q has no title or no parts: say what it is about, and what is to be said", e.ID)
		}
		parts := e.Parts
		if e.Lead != (Part{}) {
			parts = append([]Part{e.Lead}, e.Parts...)
		}
		for _, part := range parts {
			if strings.TrimSpace(part.Name) == "" || strings.TrimSpace(string(part.Text)+part.Code.Text) == "" {
				return fmt.Errorf("entry %q has a part without a name or a text: leave it out", e.ID)
			}
		}
		if e.Verdict.Kind != TextCell {
			return fmt.Errorf("entry %q has a verdict of the kind %s: make it a cell of text", e.ID, e.Verdict.Kind)
		}
		if err := e.Verdict.validate(); err != nil {
			return fmt.Errorf("entry %q: %w", e.ID, err)
		}
	}
	return nil
}
