package chapter

import (
	"context"
	"crypto/sha256"
	"fmt"
)

// Parameter is something in a chapter that whoever builds the report may choose. A value is text, as after the
// parameter's flag and in the report's stamp.
type Parameter struct {
	Name        string // of its flag, and of its field in the stamp; unique among all games
	Placeholder string // of a value, in the help of its flag
	Help        string // of its flag, a sentence
	// Default is in normal form. If it is empty, a report for which nothing was chosen does not name the parameter.
	Default string
	// Normal returns the normal form of a value, or an error that says what is wrong with it and what to write instead.
	Normal func(text string) (string, error)
	// File, if not nil, lets a value be what is in a file.
	File *File
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

// File says how a value of a parameter may be what is in a file. Such a value is too long for a stamp, which names it
// by its checksum.
type File struct {
	Most int64 // bytes
	// Is reports whether a value is what was in a file.
	Is func(value string) bool
	// Read returns the normal form of what is in a file, or an error that says what is wrong with it.
	Read func(content string) (string, error)
	// Gather, if not nil, lets the flag name files, and be given several times. It returns the normal form of what is
	// in them, or an error that says what is wrong with it. Join is not asked then.
	Gather func([]NamedText) (string, error)
	// Join returns the normal form of what is in the files of shards, or an error that says what is wrong with them.
	Join func(Shards) (string, error)
	// Kept is where the report's folder has such a value, for readers and to check the report: files which, one
	// behind the other, are its normal form. Those behind the first are not always there.
	Kept []string
	// Recheck computes of a value what it can compute again, as the seed decides, and says what that was. The error
	// says what is wrong with the value. Nil where the pages of a report are all that can be computed.
	Recheck func(ctx context.Context, value string, seed uint64) (said string, err error)
}

// NamedText is a file that a flag names, and what is in it.
type NamedText struct{ Name, Text string }

// Shards are the parts of a long computation, which together are all of it.
type Shards struct {
	Command, Version string // that computed them
	Of               int64  // how many they are
	// Read reads into found what the shard of a number, 1..Of, has found.
	Read func(number int64, found any) error
}

// Sum begins the text that stands for what was in a file.
const Sum = "sha256:"

// Shown returns what stands for a value in normal form in the stamp and on pages: the value, or its checksum if it was
// in a file.
func (p Parameter) Shown(value string) string {
	if p.File == nil || !p.File.Is(value) {
		return value
	}
	return fmt.Sprintf("%s%x", Sum, sha256.Sum256([]byte(value)))
}

// SettingError is the error of a setting that turns out to be wrong only when its chapter is computed.
type SettingError struct {
	Name string // of the parameter
	Err  error
}

func (e *SettingError) Error() string { return fmt.Sprintf("%s: %v", e.Name, e.Err) }

// Unwrap returns what is wrong.
func (e *SettingError) Unwrap() error { return e.Err }
