package content

import (
	"bytes"
	"compress/flate"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/siegebook/siegebook/internal/plural"
)

// Records are numbers and names as text. Every row has as many cells as Header. In JSON many rows are compressed.
type Records struct {
	Header []string
	Rows   [][]string
}

// recordsForm is the JSON form of records. Packed is the compressed JSON of Rows, because a row for each battle of a
// map would be the largest part of a page's results.
type recordsForm struct {
	Header []string   `json:"header,omitempty"`
	Rows   [][]string `json:"rows,omitempty"`
	Packed []byte     `json:"packed,omitempty"`
}

const (
	fewCells   = 20_000        // the maximum number of cells in an uncompressed JSON form
	mostPacked = 12 * MaxBytes // the maximum number of uncompressed bytes of rows
)

// Vast reports whether the rows are too large for the JSON form of a block.
func (r Records) Vast() bool {
	size := 0
	for _, row := range r.Rows {
		for _, cell := range row {
			size += len(cell) + len(`"",`)
		}
	}
	return size > mostPacked
}

// MarshalJSON returns the form of the records.
func (r Records) MarshalJSON() ([]byte, error) {
	form := recordsForm{Header: r.Header, Rows: r.Rows}
	if len(r.Header)*len(r.Rows) > fewCells {
		rows, err := json.Marshal(r.Rows)
		if err == nil {
			form.Packed, err = pack(rows)
		}
		if err != nil {
			return nil, err
		}
		form.Rows = nil
	}
	return json.Marshal(form)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (r *Records) UnmarshalJSON(data []byte) error {
	var form recordsForm
	if err := strictly(data, &form); err != nil {
		return err
	}
	if form.Packed != nil {
		if form.Rows != nil {
			return errors.New("the rows are given twice, packed and unpacked")
		}
		rows, err := unpack(form.Packed)
		if err != nil {
			return err
		}
		if err := strictly(rows, &form.Rows); err != nil {
			return fmt.Errorf("packed rows: %w", err)
		}
	}
	r.Header, r.Rows = form.Header, form.Rows
	return nil
}

// pack compresses data.
func pack(data []byte) ([]byte, error) {
	if len(data) > mostPacked {
		return nil, fmt.Errorf("the data has %d bytes: at most %d are allowed", len(data), mostPacked)
	}
	var packed bytes.Buffer
	w, _ := flate.NewWriter(&packed, flate.DefaultCompression) // the level is valid
	_, _ = w.Write(data)                                       // a bytes.Buffer never fails
	_ = w.Close()
	return packed.Bytes(), nil
}

// unpack decompresses the output of pack.
func unpack(packed []byte) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(packed)), mostPacked+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("the data cannot be unpacked: %w", err)
	case len(data) > mostPacked:
		return nil, fmt.Errorf("the data exceeds %d bytes", mostPacked)
	}
	return data, nil
}

// fileForm is the JSON form of a file.
type fileForm struct {
	Name   string `json:"name"`
	Packed []byte `json:"packed"`
}

// MarshalJSON returns the form of the file.
func (f File) MarshalJSON() ([]byte, error) {
	packed, err := pack(f.Data)
	if err != nil {
		return nil, err
	}
	return json.Marshal(fileForm{f.Name, packed})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (f *File) UnmarshalJSON(data []byte) (err error) {
	var form fileForm
	if err := strictly(data, &form); err != nil {
		return err
	}
	f.Name = form.Name
	f.Data, err = unpack(form.Packed)
	return err
}

// Add appends a row. It formats values other than strings as fmt.Sprint does.
func (r *Records) Add(values ...any) {
	row := make([]string, len(values))
	for i, v := range values {
		row[i] = fmt.Sprint(v)
	}
	r.Rows = append(r.Rows, row)
}

// All returns the header and the rows.
func (r Records) All() [][]string { return append([][]string{r.Header}, r.Rows...) }

// table returns the first rows as a table, but no more than most.
func (r Records) table(most int) *Table {
	var t Table
	for _, name := range r.Header {
		t.Header = append(t.Header, Text(name))
	}
	for _, record := range r.Rows[:min(most, len(r.Rows))] {
		row := make([]Cell, len(record))
		for i, text := range record {
			row[i] = Decimal(text)
		}
		t.Rows = append(t.Rows, row)
	}
	return &t
}

// Validate returns an error unless every row has as many cells as the header. Records without a header must have no
// rows.
func (r Records) Validate() error {
	if len(r.Header) == 0 && len(r.Rows) > 0 {
		return errors.New("there are rows, but no header")
	}
	for i, row := range r.Rows {
		if len(row) != len(r.Header) {
			return fmt.Errorf("row %d has %s, but the header has %d", i+1, plural.Count(len(row), "cell"),
				len(r.Header))
		}
	}
	return nil
}

// CSV returns the records as comma-separated values: UTF-8, the header first, LF line endings. Text that a spreadsheet
// would run as a formula gets a leading apostrophe; numbers, which may start with a sign, stay numbers. Without a
// header, CSV returns nil.
func (r Records) CSV() []byte {
	if len(r.Header) == 0 {
		return nil
	}
	var buf bytes.Buffer
	w := csv.NewWriter(&buf)
	var safe []string
	for _, record := range r.All() {
		safe = safe[:0]
		for _, cell := range record {
			safe = append(safe, neutral(cell))
		}
		_ = w.Write(safe) // a bytes.Buffer never fails, and the default comma is allowed
	}
	w.Flush()
	return buf.Bytes()
}

// formulaStarts contains the characters at the start of a cell that make some spreadsheet run it as a formula, from
// OWASP's list. The list includes the wide forms because Chinese and Japanese input methods write them, and Excel
// accepts them.
const formulaStarts = "=+-@\t\r\n＝＋－＠"

func neutral(cell string) string {
	if first, _ := utf8.DecodeRuneInString(cell); strings.ContainsRune(formulaStarts, first) && !isDecimal(cell) {
		return "'" + cell
	}
	return cell
}

// ValidID reports whether an id has only lower-case letters, of any script, digits and single hyphens, so that it can
// be a part of paths and anchors.
func ValidID(id string) bool {
	for word := range strings.SplitSeq(id, "-") {
		if word == "" || strings.ContainsFunc(word, func(r rune) bool {
			return !unicode.In(r, unicode.Letter, unicode.Digit, unicode.Mark) || unicode.ToLower(r) != r ||
				r == utf8.RuneError
		}) {
			return false
		}
	}
	return true
}

var errBadID = errors.New("an id may contain only lower-case letters, digits and single hyphens")

// identified checks a part of a page that needs an id.
func identified(id string, check func() error) error {
	if !ValidID(id) {
		return errBadID
	}
	return check()
}

// rules checks the rules for a value one by one. Its error is about the first broken rule.
type rules struct{ broken error }

// need records an error, formatted as by fmt.Errorf, unless the condition is true.
func (r *rules) need(is bool, format string, args ...any) {
	if !is {
		r.follow(fmt.Errorf(format, args...))
	}
}

// recordIn records err, if it is not nil, with a prefix that locates the error.
func (r *rules) recordIn(err error, format string, args ...any) {
	if err != nil {
		r.follow(fmt.Errorf(format+": %w", append(args, err)...))
	}
}

// follow records err if it is not nil and no error was recorded before.
func (r *rules) follow(err error) {
	if r.broken == nil {
		r.broken = err
	}
}

// oneOf returns an error that names the choices unless a value is one of them. The error message begins with the
// subject.
func oneOf[T ~string](subject string, value T, choices ...T) error {
	if slices.Contains(choices, value) {
		return nil
	}
	var list []string
	for _, choice := range choices {
		list = append(list, string(choice))
	}
	last := len(list) - 1
	return fmt.Errorf("%.40q: %s %s or %s", value, subject, strings.Join(list[:last], ", "), list[last])
}

// Thousands returns a decimal number as people read it. An integer part of five or more digits gets thousands
// separators, and a negative number gets a true minus sign. The fraction and the unit do not change.
//
// Every number that this report computes has this form, in prose, tables, formulas and figures. English readers know
// commas, drawings and alternative texts can contain them, and screen readers read such a number as one number. Data
// for programs, such as CSV and JSON, has plain digits. A number in an author's text stays as the author has typed it.
func Thousands(s string) string { return plural.Thousands(s) }

// Counted returns a number, in the form of Thousands, with its noun: "1 wave", "10,000 waves".
func Counted[T plural.Integer](n T, one, many string) string {
	return Thousands(fmt.Sprint(n)) + " " + plural.Of(n, one, many)
}

// List joins parts as in a sentence: "a, b and c".
func List(parts []string) string {
	last := len(parts) - 1
	if last < 1 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:last], ", ") + " and " + parts[last]
}

// ForPeople writes the numbers in a text in the form of Thousands, with commas and a true minus. Digits that belong to
// a word or an address, or follow a decimal point, are not numbers of their own.
func ForPeople(text string) string {
	var out strings.Builder
	for at := 0; at < len(text); {
		after := strings.TrimLeft(text[at:], digits)
		end := len(text) - len(after)
		number := text[at:end]
		if len(number) >= 5 && isNumber(text[:at], after) {
			number = Thousands(number)
		}
		next := strings.IndexAny(after, digits)
		if next < 0 {
			next = len(after)
		}
		out.WriteString(number + after[:next])
		at = end + next
	}
	return Minus(out.String())
}

// Minus writes the negative numbers in a text with a true minus. A hyphen in a range or a word follows another
// character, so it is kept.
func Minus(text string) string {
	if !strings.Contains(text, "-") {
		return text
	}
	var out strings.Builder
	before := ' '
	for i, r := range text {
		begins := strings.ContainsRune(" \t\n\f\r([=,:;<>≤≥", before)
		if r == '-' && begins && i+1 < len(text) && isDigit(text[i+1]) {
			r = '−'
		}
		out.WriteRune(r)
		before = r
	}
	return out.String()
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// isNumber reports whether digits between two pieces of text are a number and not half of a fraction.
func isNumber(before, after string) bool {
	last, size := utf8.DecodeLastRuneInString(before)
	next, _ := utf8.DecodeRuneInString(after)
	joins := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }
	if joins(last) || joins(next) || last == '#' ||
		(last == '/' || next == '/') && strings.ContainsFunc(word(before, after), unicode.IsLetter) {
		return false
	}
	beforeLast, _ := utf8.DecodeLastRuneInString(before[:len(before)-size])
	return !strings.ContainsRune(".-", last) || !joins(beforeLast)
}

// word returns the text around a position, up to the nearest spaces.
func word(before, after string) string {
	if start := strings.LastIndexFunc(before, unicode.IsSpace); start >= 0 {
		before = before[start:]
	}
	if end := strings.IndexFunc(after, unicode.IsSpace); end >= 0 {
		after = after[:end]
	}
	return before + after
}

// Capital capitalizes the first letter of a text, unless the letter is a word by itself, such as a variable: n does not
// become N. The exception is the article a: "a wave" becomes "A wave".
func Capital(text string) string {
	_, size := utf8.DecodeRuneInString(text)
	if second, _ := utf8.DecodeRuneInString(text[size:]); !unicode.IsLetter(second) && !strings.HasPrefix(text, "a") {
		return text
	}
	return strings.ToUpper(text[:size]) + text[size:]
}
