// Package chapter has what the chapters of all games have in common: the parts of a chapter, the claims of the posts
// and their checks, the questions that the posts leave open, and functions that put drawings and numbers on a page.
//
// A number in the prose of a chapter is computed, never typed; a claim that does not hold fails the build.
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
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/content"
)

// Front is a game's part of the front page of the report.
type Front struct {
	Figures []content.Figure
	Values  map[string]any
}

// OpenQuestion is a question that is still open.
type OpenQuestion struct {
	ID      string           // anchor of its entry, unique among all games: begins with the game's name
	Title   string           // heading of its entry, a question
	Where   string           // who leaves it open
	Known   content.Markdown // the best that is known, with bounds
	How     content.Markdown // how that was found
	Settles content.Markdown // what would settle it
	Ref     string           // where more is said, as in {{ ref }}

	Recompute any // numbers behind the bounds: see Finding
}

// Question is a question that a post asks or leaves to its readers, or that a page of the report has left open, with
// the answer. The page that it refers to computes or checks the answer.
type Question struct {
	ID     string           // anchor of its entry, unique among all games: begins with the game's name
	Title  string           // heading of its entry
	Where  string           // post and place
	Asked  content.Markdown // one sentence, in the report's words
	Answer content.Markdown // sentences
	Ref    string           // where the answer is shown, as in {{ ref }}
}

// listingRule finds the listings of a page's text, also in callouts, whose lines begin with > and quoteRule finds.
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

// Sentences returns a function that writes the sentences of a game: templates of text/template, which the text
// _sentences.md defines by their names. It panics as [Do] does if a sentence cannot be written.
func Sentences(texts fs.FS, funcs template.FuncMap) func(name string, data any) content.Markdown {
	sentences := template.Must(template.New("").Funcs(funcs).Parse(TextOf(texts, "_sentences")))
	return func(name string, data any) content.Markdown {
		var said strings.Builder
		Do(sentences.ExecuteTemplate(&said, name, data))
		return content.Markdown(said.String())
	}
}

// Rows splits a text into lines, and each line into cells at |.
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

// errata completes a page that lists what of a game's posts is not true, and what is confirmed. Its text can use the
// entries "errata", the table "confirmed", and the values "claims", "confirmed" and, for each verdict that occurs, the
// number of claims with that verdict. entries are the entries of the ledger, in the same order.
func errata(page *site.Page, all Claims, entries []Entry) {
	page.Values = map[string]any{"claims": len(all.Errata), "confirmed": len(all.Confirmed)}
	list, kinds := content.Entries{ID: "errata"}, map[Verdict]int{}
	for i, c := range all.Errata {
		verdict := string(c.Verdict)
		if c.WithWaste == True {
			verdict += " without waste"
		}
		kinds[c.Verdict]++
		page.Values[string(c.Verdict)] = kinds[c.Verdict]
		list.Entries = append(list.Entries, content.Entry{
			ID: c.ID, Title: c.Title, Where: c.Where, Verdict: content.Text(verdict).Marked(c.Verdict.Mark()),
			Parts: []content.Point{
				{Name: "Printed", Text: entries[i].Reading() + "."},
				{Name: "True", Text: c.found.Truth + "."},
				{Name: "Counterexample", Text: c.found.Example + "."},
				{Name: "Checked", Text: content.Markdown(content.Capital(c.found.Checked) + ".")},
			},
		})
	}
	page.Entries = append(page.Entries, list)
	confirmed := Table("confirmed", "where", "statement", "checked")
	confirmed.Short = []int{0}
	for i, c := range all.Confirmed { // for which the search found no counterexample
		confirmed.Add(c.Where, entries[len(all.Errata)+i].Reading(), c.found.Checked)
	}
	page.Tables = append(page.Tables, confirmed)
}

// Game is a game in a book: the title of its chapter, its parameters, and the units that the chapter consists of. The
// same settings make the same chapter.
type Game struct {
	Name       string      // start of the slugs of its pages
	Title      string      // in menus
	Parameters []Parameter // what may be chosen
	Seed       uint64      // of everything in the chapter that is drawn at random; 0 if nothing is
	Slugs      []string    // of its pages, in reading order
	Texts      fs.FS       // rules.md is the text of the page with the slug "toy-rules"
	Questions  func() []Question
	// Stated returns the claims with what is known of them without a check, for a report that shows only a part of
	// them.
	Stated func() []Entry
	// Units returns the units of the chapter for some settings.
	Units func(Settings) []Unit
}

// Unit is a part of a chapter that is computed on demand.
type Unit struct {
	// Name is the slug of its page, or the name of a part without a page: see FrontOf and OpenOf.
	Name string
	// Needs are the parameters on whose values it depends.
	Needs []Parameter
	// Compute returns the part. Its errors are a [*SettingError] for a setting that the parameter refuses, a
	// [*PageError], and the context's error.
	Compute func(context.Context) (Part, error)
}

// Part is the result of a unit: a page without its text, and the claims that were checked for it; or what the front
// page shows of the game; or its open questions.
type Part struct {
	Page   site.Page
	Ledger []Entry
	Front  Front
	Open   []OpenQuestion
}

// TextOf returns the text of a game's page. There is a text for each page, compiled into the program.
func TextOf(texts fs.FS, page string) string {
	text, err := fs.ReadFile(texts, page+".md")
	if err != nil {
		panic("chapter: " + err.Error())
	}
	return string(text)
}

// FrontOf returns the name of the unit that computes what the front page shows of a game.
func FrontOf(game string) string { return game + "/front" }

// OpenOf returns the name of the unit that computes the open questions of a game.
func OpenOf(game string) string { return game + "/open" }

// ErrataOf returns the slug of a game's page of errata, whose unit checks the claims.
func ErrataOf(game string) string { return game + "-" + errataName }

// Plan describes a game's chapter, except for its pages with cells.
type Plan struct {
	Name, Title string // as in Game
	Parameters  []Parameter
	Seed        uint64
	Texts       fs.FS                                 // as in Game
	Front       func(context.Context, Settings) Front // nil if the front page shows nothing of the game
	// Open computes and checks what is known of the open questions of the text _open.md, by their IDs; nil without such
	// a text.
	Open func(context.Context) map[string]Known
	// Claims returns the claims of the game; nil if there are none. The page "errata" lists them. Errata adds other
	// values and figures to that page; nil for none.
	Claims func() Claims
	Errata func(*site.Page)
	// Post is the start of the names of the posts, as the claims and the ledger have them: "Pumps and Leaks ".
	Post string
}

// errataName is the name of the page that lists a game's claims.
const errataName = "errata"

// Known is the knowledge about an open question.
type Known struct {
	Values    map[string]any // which the question's text shows as {{ .name }}
	Recompute any            // as in OpenQuestion
}

// PageError is an error of a page of a chapter.
type PageError struct {
	Slug string
	Err  error
}

func (e *PageError) Error() string { return fmt.Sprintf("page %s: %v", e.Slug, e.Err) }

// Unwrap returns the cause.
func (e *PageError) Unwrap() error { return e.Err }

// Once returns a function that computes something when it is first called. Other calls wait for it meanwhile, even if
// their own context ends. An error is not kept, so that the next call after a cancelled one computes again.
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

// Game returns the game of the plan.
func (p Plan) Game() Game {
	g := Game{
		Name: p.Name, Title: p.Title, Parameters: p.Parameters, Seed: p.Seed, Texts: p.Texts, Questions: p.questions,
		Stated: p.stated, Units: p.units,
	}
	if p.Claims != nil {
		g.Slugs = append(g.Slugs, ErrataOf(p.Name))
	}
	return g
}

// asked reads a text of questions, if there is one. Each question has a fixed number of paragraphs: its id and its
// title; who asks it and where more is said; and the others, which follow the question.
func (p Plan) asked(name string, paragraphs int) (all []Question, others [][]string) {
	if p.Texts == nil {
		return nil, nil
	}
	text, err := fs.ReadFile(p.Texts, name)
	if err != nil {
		return nil, nil
	}
	for _, question := range strings.Split(string(text), "## ")[1:] {
		parts := strings.Split(strings.TrimSpace(question), "\n\n")
		if len(parts) != paragraphs {
			panic(fmt.Sprintf("chapter: a question of %s has %d paragraphs, not %d: %s", p.Name, len(parts), paragraphs,
				parts[0]))
		}
		var q Question
		q.ID, q.Title, _ = strings.Cut(parts[0], ": ")
		q.Where, q.Ref, _ = strings.Cut(parts[1], " | ")
		all, others = append(all, q), append(others, parts[2:])
	}
	return all, others
}

// questions reads the text _questions.md: what is asked, and the answer.
func (p Plan) questions() []Question {
	all, others := p.asked("_questions.md", 4)
	for i, parts := range others {
		all[i].Asked, all[i].Answer = content.Markdown(parts[0]), content.Markdown(parts[1])
	}
	return all
}

// openQuestions reads the text _open.md: what is known, how that was found, and what would settle the question.
func (p Plan) openQuestions(known map[string]Known) (open []OpenQuestion) {
	all, others := p.asked("_open.md", 5)
	if len(all) != len(known) {
		panic(fmt.Sprintf("chapter: _open.md of %s has %d questions, and %d are computed", p.Name, len(all),
			len(known)))
	}
	for i, q := range all {
		var parts [3]content.Markdown
		for k, part := range others[i] {
			var text strings.Builder
			t := Get(template.New(q.ID).Option("missingkey=error").Parse(part))
			Do(t.Execute(&text, known[q.ID].Values))
			parts[k] = content.Markdown(text.String())
		}
		open = append(open, OpenQuestion{
			ID: q.ID, Title: q.Title, Where: q.Where, Ref: q.Ref, Known: parts[0], How: parts[1], Settles: parts[2],
			Recompute: known[q.ID].Recompute,
		})
	}
	return open
}

// stated returns the claims without the results of checks.
func (p Plan) stated() []Entry {
	if p.Claims == nil {
		return nil
	}
	return p.Claims().stated(p.Name, p.Post)
}

func (p Plan) units(settings Settings) []Unit {
	var units []Unit
	add := func(name string, needs []Parameter, compute func(context.Context) (Part, error)) {
		units = append(units, Unit{name, needs, func(ctx context.Context) (Part, error) {
			if ctx.Err() != nil {
				return Part{}, canceled.Cause(ctx)
			}
			return compute(ctx)
		}})
	}
	if p.Front != nil {
		add(FrontOf(p.Name), p.Parameters, func(ctx context.Context) (Part, error) {
			front, err := Stopped(func() (Front, error) { return p.Front(ctx, settings), nil })
			if err != nil {
				err = fmt.Errorf("front page: %w", err)
			}
			return Part{Front: front}, err
		})
	}
	if p.Claims != nil {
		add(ErrataOf(p.Name), nil, func(ctx context.Context) (Part, error) {
			part, err := Stopped(func() (Part, error) { return p.errata(ctx), nil })
			if err != nil {
				err = &PageError{Slug: ErrataOf(p.Name), Err: err}
			}
			return part, err
		})
	}
	add(OpenOf(p.Name), nil, p.open)
	return units
}

// errata checks the claims, and returns the page that lists them.
func (p Plan) errata(ctx context.Context) Part {
	checked := Get(p.Claims().check(ctx))
	entries := Get(checked.entries(p.Name, p.Post))
	part := Part{Page: site.Page{Slug: ErrataOf(p.Name)}, Ledger: entries}
	errata(&part.Page, checked, entries)
	if p.Errata != nil {
		p.Errata(&part.Page)
	}
	return part
}

// open computes the open questions, with their entries in the ledger.
func (p Plan) open(ctx context.Context) (part Part, err error) {
	if p.Open == nil {
		return Part{}, nil
	}
	part.Open, err = Stopped(func() ([]OpenQuestion, error) { return p.openQuestions(p.Open(ctx)), nil })
	if err != nil {
		return Part{}, fmt.Errorf("open questions: %w", err)
	}
	for i, question := range part.Open {
		entry, err := question.entry()
		if err != nil {
			return Part{}, fmt.Errorf("open questions: %w", err)
		}
		part.Ledger = append(part.Ledger, entry)
		part.Open[i].Recompute = nil // its entry has it, in a form that can be kept in a file
	}
	return part, nil
}

// Parameter is something in a chapter that can be chosen when the report is built. A value is text, as after the
// parameter's flag and in the report's stamp.
type Parameter struct {
	Name        string // of its flag, and of its field in the stamp; unique among all games
	Placeholder string // of a value, in the help of its flag
	Help        string // of its flag, a sentence
	// Default is in normal form. If it is empty, a report for which nothing was chosen does not name the parameter.
	Default string
	// Normal returns the normal form of a value, or an error that says what is wrong with it and what to write instead.
	Normal func(text string) (string, error)
	// File, if not nil, allows a value to come from a file.
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

// File describes values of a parameter that come from a file. Such a value is too long for a stamp, which names it by
// its checksum.
type File struct {
	Most int64 // bytes
	// Is reports whether a value comes from a file.
	Is func(value string) bool
	// Read returns the normal form of the contents of a file, or an error that says what is wrong with them.
	Read func(content string) (string, error)
	// Gather, if not nil, allows the flag to name files, and to be given several times. It returns the normal form of
	// the contents of the files, or an error that says what is wrong with them. Join is not called then.
	Gather func([]NamedText) (string, error)
	// Join returns the normal form of the contents of the files of shards, or an error that says what is wrong with
	// them.
	Join func(Shards) (string, error)
	// Kept has the names of the files in the report's folder with such a value, for readers and to check the report.
	// Concatenated, the files are its normal form. The files after the first one may be missing.
	Kept []string
	// Recheck computes again the part of a value that the seed selects, and says which part that was. The error says
	// what is wrong with the value. Recheck is nil if only the pages of a report can be computed again.
	Recheck func(ctx context.Context, value string, seed uint64) (said string, err error)
}

// NamedText is a file that a flag names, and what is in it.
type NamedText struct{ Name, Text string }

// Shards are the parts of a long computation; together they are complete.
type Shards struct {
	Command, Version string // that computed them
	Of               int64  // number of shards
	// Read reads the results of a shard, numbered from 1 to Of, into found.
	Read func(number int64, found any) error
}

// HashPrefix is the start of the text that replaces a value from a file.
const HashPrefix = "sha256:"

// Shown returns the text for a value in normal form in the stamp and on pages: the value, or its checksum if it comes
// from a file.
func (p Parameter) Shown(value string) string {
	if p.File == nil || !p.File.Is(value) {
		return value
	}
	return fmt.Sprintf("%s%x", HashPrefix, sha256.Sum256([]byte(value)))
}

// SettingError is the error of a setting that turns out to be wrong only when its chapter is computed.
type SettingError struct {
	Name string // of the parameter
	Err  error
}

func (e *SettingError) Error() string { return fmt.Sprintf("%s: %v", e.Name, e.Err) }

// Unwrap returns the cause.
func (e *SettingError) Unwrap() error { return e.Err }
