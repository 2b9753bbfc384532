package content

import (
	"errors"
	"fmt"
	"strings"
)

// Explorable says that a figure can be played with: on pages where scripts may run, one of the report's explorables
// takes its place; on paper and without script the drawing stands.
type Explorable struct {
	// Kind names the explorable, in the form of a Figure's ID: castle-map.
	Kind string `json:"kind"`
	// Start has the values with which it begins, those of the drawing.
	Start []Setting `json:"start,omitempty"`
	// Answer is what it answers at the start, in plain text; empty if that is not known without its engine. It is in
	// the page for programs that read it; a reader sees it when the explorable shows it.
	Answer string `json:"answer,omitempty"`
	// Other says that the explorable shows the values in another way than the figure, so that it does not take the
	// figure's place on the page of a lesson. A link leads to it.
	Other bool `json:"other,omitempty"`
}

// Exercise is a question with its solution. Where scripts may run, the explorable takes its place, and judges answers.
type Exercise struct {
	// ID names it on its page, as a figure's does. Its anchor is "exercise-" + ID.
	ID       string     `json:"id,omitempty"`
	Explore  Explorable `json:"explore"`
	Question Markdown   `json:"question"`
	Solution Markdown   `json:"solution"`
}

// Validate returns an error that says which rule is broken.
func (e *Exercise) Validate() error {
	switch {
	case !ValidID(e.ID):
		return errBadID
	case e.Question == "" || e.Solution == "":
		return errors.New("an exercise has a question and a solution")
	}
	return e.Explore.Validate()
}

// Setting is a value of an explorable. In an address it is name=value.
type Setting struct {
	Name  string `json:"name"`  // letters
	Value string `json:"value"` // as it is typed: digits, or words of letters, digits and ',', '.', '-', '_'
}

// Settings are names and values in turn, as they stand in an address: "n=19&s=50&d=15". It panics if they do not, as
// they are written by programmers.
func Settings(address string) []Setting {
	all, err := ParseSettings(address)
	if err != nil {
		panic("content: " + err.Error())
	}
	return all
}

// ParseSettings is Settings for what somebody else has written.
func ParseSettings(address string) ([]Setting, error) {
	var all []Setting
	for _, part := range strings.Split(address, "&") {
		name, value, ok := strings.Cut(part, "=")
		if !ok {
			return nil, fmt.Errorf("%q: settings are name=value&name=value", address)
		}
		all = append(all, Setting{name, value})
	}
	return all, nil
}

// Address is the settings as they stand in the address of a page.
func (e *Explorable) Address() string {
	var parts []string
	for _, s := range e.Start {
		parts = append(parts, s.Name+"="+s.Value)
	}
	return strings.Join(parts, "&")
}

// Validate returns an error that says which rule is broken.
func (e *Explorable) Validate() error {
	if !ValidID(e.Kind) {
		return fmt.Errorf("explorable of the kind %q: %w", e.Kind, errBadID)
	}
	for _, s := range e.Start {
		if s.Name == "" || strings.ContainsFunc(s.Name, func(r rune) bool { return !letter(r) }) {
			return fmt.Errorf("explorable %s: the setting %q: a name has letters only", e.Kind, s.Name)
		}
		if strings.ContainsFunc(s.Value, func(r rune) bool {
			return !letter(r) &&
				!strings.ContainsRune("0123456789,.-_", r)
		}) {
			return fmt.Errorf("explorable %s: %s = %q: %w", e.Kind, s.Name, s.Value, errBadValue)
		}
	}
	return nil
}

var errBadValue = errors.New("a value has letters, digits and ',', '.', '-', '_' only")

func letter(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' }
