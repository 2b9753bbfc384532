package chapter

// Parameter is something in a chapter that whoever builds the report may choose. A value is text, as after the
// parameter's flag and in the report's stamp.
type Parameter struct {
	Name        string // of its flag, and of its field in the stamp; unique among all games
	Placeholder string // of a value, in the help of its flag
	Help        string // of its flag, a sentence
	Default     string // in normal form
	// Normal returns the normal form of a value, or an error that says what is wrong with it and what to write instead.
	Normal func(text string) (string, error)
}

// Settings are values of parameters by their names. A parameter that is not among them has its default.
type Settings map[string]string

// Of returns the value of a parameter.
func (s Settings) Of(p Parameter) string {
	if text, ok := s[p.Name]; ok {
		return text
	}
	return p.Default
}
