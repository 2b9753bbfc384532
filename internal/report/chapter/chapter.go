// Package chapter contains what the chapters of all games have in common: their parameters, the claims of the posts and
// their checks, the questions that the posts leave open, and functions that put drawings and numbers on a page.
//
// The numbers in the prose of a chapter are computed, never typed. A claim that does not hold fails the build.
package chapter

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"sync"
	"text/template"

	"github.com/siegebook/siegebook/internal/canceled"
	"github.com/siegebook/siegebook/report/content"
)

// listingRule finds the listings in a page's text. A listing may be in a callout, whose lines begin with >; quoteRule
// matches these marks.
var (
	listingRule = regexp.MustCompile("(?ms)^(?:> )?```python\n(.*?)^(?:> )?```$")
	quoteRule   = regexp.MustCompile("(?m)^> ?")
)

// Listings returns the Python listings of pages as one program, with empty lines between them.
func Listings(texts fs.FS, pages ...string) string {
	var all strings.Builder
	for _, page := range pages {
		for _, match := range listingRule.FindAllStringSubmatch(TextOf(texts, page), -1) {
			all.WriteString(quoteRule.ReplaceAllString(match[1], "") + "\n\n")
		}
	}
	return all.String()
}

// Sentences returns a function that formats the sentence of a game with the given name. The text _sentences.md defines
// the sentences as templates of text/template. The function panics if it cannot format a sentence, because the text is
// part of the program.
func Sentences(texts fs.FS, funcs template.FuncMap) func(name string, data any) content.Markdown {
	sentences := template.Must(template.New("").Funcs(funcs).Parse(TextOf(texts, "_sentences")))
	return func(name string, data any) content.Markdown {
		var said strings.Builder
		Assert(sentences.ExecuteTemplate(&said, name, data))
		return content.Markdown(said.String())
	}
}

// Rows splits a text into lines, and splits each line at | into cells.
func Rows(text content.Markdown) (rows [][]content.Markdown) {
	for line := range strings.Lines(string(text)) {
		var row []content.Markdown
		for cell := range strings.SplitSeq(line, "|") {
			row = append(row, content.Markdown(strings.TrimSpace(cell)))
		}
		rows = append(rows, row)
	}
	return rows
}

// Game is a game in a book: the title of its chapter, its parameters, its claims and its questions.
type Game struct {
	Name       string      // the slugs of its pages begin with it
	Title      string      // the title in menus
	Parameters []Parameter // what users may choose
	Seed       uint64      // the seed for everything random in the chapter; 0 if nothing is random
	Texts      fs.FS       // the texts of the chapter; _questions.md and _open.md have its questions
	// Open computes and checks what is known about the open questions in the text _open.md, by their IDs. It is nil if
	// there is no such text.
	Open func(context.Context) (map[string]Known, error)
	// Claims returns the claims of the game; nil if there are none.
	Claims func() Claims
	// Post is the prefix of the names of posts in the claims and the ledger, such as "Pumps and Leaks ".
	Post string
}

// Known has the best known values for an open question.
type Known struct {
	Values    map[string]any // the values that the question's text shows as {{ .name }}
	Recompute any            // has the meaning of the field of OpenQuestion
}

// TextOf returns the text of a game's page. The texts of all pages are compiled into the program.
func TextOf(texts fs.FS, page string) string {
	text, err := fs.ReadFile(texts, page+".md")
	if err != nil {
		panic("chapter: " + err.Error())
	}
	return string(text)
}

// ErrataOf returns the slug of a game's page of errata.
func ErrataOf(game string) string { return game + "-errata" }

// Once returns a function that computes a value when it is first called. Other calls wait meanwhile, even if their own
// contexts end. An error is not kept, so the next call after a cancelled one computes the value again.
func Once[T any](compute func(context.Context) (T, error)) func(context.Context) (T, error) {
	var mu sync.Mutex
	var value T
	var done bool
	return func(ctx context.Context) (T, error) {
		mu.Lock()
		defer mu.Unlock()
		switch {
		case ctx.Err() != nil:
			var none T
			return none, canceled.Cause(ctx)
		case done:
			return value, nil
		}
		computed, err := compute(ctx)
		if err == nil {
			value, done = computed, true
		}
		return computed, err
	}
}

// Parameter is something in a chapter that users can choose when the report is built. A value is a string, in the form
// that the parameter's flag and the report's stamp use.
type Parameter struct {
	Name        string // the name of its flag and of its field in the stamp; unique among all games
	Placeholder string // stands for a value in the help of its flag
	Help        string // the help of its flag, a sentence
	// Default is in normal form. If it is empty and no value was chosen, the report does not name the parameter.
	Default string
	// Normal returns the normal form of a value, or an error that says what is wrong with it and what to write instead.
	Normal func(text string) (string, error)
	// If File is not nil, a value may come from a file.
	File *File
}

// Settings are values of parameters by their names. A parameter without a value has its default.
type Settings map[string]string

// Of returns the value of a parameter.
func (s Settings) Of(p Parameter) string {
	if text, ok := s[p.Name]; ok {
		return text
	}
	return p.Default
}

// File describes values of a parameter that come from a file. Such a value is too long for a stamp, so the stamp has
// its checksum instead.
type File struct {
	Most int64 // the maximum number of bytes
	// Is reports whether a value comes from a file.
	Is func(value string) bool
	// Read returns the normal form of the contents of a file, or an error that says what is wrong with them.
	Read func(content string) (string, error)
	// If Gather is not nil, the flag names files and may be repeated. Gather returns the normal form of the contents of
	// the files, or an error that says what is wrong with them. Join is then not called.
	Gather func([]NamedText) (string, error)
	// Join returns the normal form of the contents of the files of shards, or an error that says what is wrong with
	// them.
	Join func(Shards) (string, error)
	// Kept names the files in the report's folder that contain such a value, for readers and for checks of the report.
	// Concatenated, the files are the normal form of the value. All files but the first may be missing.
	Kept []string
	// Recheck recomputes the part of a value that the seed selects, and reports which part that was. The error says
	// what is wrong with the value. Recheck is nil if a check can only recompute the pages of a report.
	Recheck func(ctx context.Context, value string, seed uint64) (said string, err error)
}

// NamedText is the name and the content of a file that a flag names.
type NamedText struct{ Name, Text string }

// Shards are the parts of a long computation.
type Shards struct {
	Command, Version string // the command and the version that computed the shards
	Of               int64  // number of shards
	// Read reads the results of a shard, numbered from 1 to Of, into found.
	Read func(number int64, found any) error
}

// HashPrefix is the start of the text that replaces a value from a file.
const HashPrefix = "sha256:"

// Shown returns the form of a normal value in the stamp and on pages: the value itself, or its checksum if it comes
// from a file.
func (p Parameter) Shown(value string) string {
	if p.File == nil || !p.File.Is(value) {
		return value
	}
	return fmt.Sprintf("%s%x", HashPrefix, sha256.Sum256([]byte(value)))
}

// SettingError reports a setting that turns out to be wrong only when its chapter is computed.
type SettingError struct {
	Name string // the name of the parameter
	Err  error
}

func (e *SettingError) Error() string { return fmt.Sprintf("%s: %v", e.Name, e.Err) }

// Unwrap returns the cause.
func (e *SettingError) Unwrap() error { return e.Err }
