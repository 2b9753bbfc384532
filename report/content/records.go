package content

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/siegebook/siegebook/internal/plural"
)

// Records are numbers and names as text. Every row has as many cells as Header.
type Records struct {
	Header []string   `json:"header,omitempty"`
	Rows   [][]string `json:"rows,omitempty"`
}

// All returns the header and the rows.
func (r Records) All() [][]string { return append([][]string{r.Header}, r.Rows...) }

// table returns the first rows as a table.
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

// Validate returns an error unless all rows are as long as the header, which is there if there are rows.
func (r Records) Validate() error {
	if len(r.Header) == 0 && len(r.Rows) > 0 {
		return errors.New("it has rows, but no header")
	}
	for i, row := range r.Rows {
		if len(row) != len(r.Header) {
			return fmt.Errorf("row %d has %s, the header has %d", i+1, plural.Count(len(row), "cell"), len(r.Header))
		}
	}
	return nil
}

// CSV returns the records as comma-separated values: UTF-8, the header first, LF line ends. Text that a spreadsheet
// would run as a formula gets a leading apostrophe; numbers, which may start with a sign, stay numbers. Without a
// header it is nil.
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

// formulaStarts are the characters with which a cell begins that some spreadsheet runs, after OWASP's list. The wide
// forms count too: input methods for Chinese and Japanese write them, and Excel takes them.
const formulaStarts = "=+-@\t\r\n＝＋－＠"

func neutral(cell string) string {
	if first, _ := utf8.DecodeRuneInString(cell); strings.ContainsRune(formulaStarts, first) && !isDecimal(cell) {
		return "'" + cell
	}
	return cell
}

// ValidID says whether an id has lower-case letters, digits and single hyphens only, so that it can be a part of paths
// and anchors.
func ValidID(id string) bool {
	for word := range strings.SplitSeq(id, "-") {
		if word == "" || strings.Trim(word, "abcdefghijklmnopqrstuvwxyz0123456789") != "" {
			return false
		}
	}
	return true
}

var errBadID = errors.New("an id has lower-case letters, digits and single hyphens only")

// names are those of an enumeration's values, in order, behind what its messages begin with.
type names[T ~uint8] struct {
	subject string
	values  []string
}

func (n names[T]) of(v T) string {
	if int(v) < len(n.values) {
		return n.values[v]
	}
	return fmt.Sprintf("unknown (%d)", v)
}

func (n names[T]) write(v T) ([]byte, error) {
	if int(v) < len(n.values) {
		return []byte(n.values[v]), nil
	}
	return nil, n.wrong(fmt.Sprint(v))
}

func (n names[T]) read(v *T, text []byte) error {
	i := slices.Index(n.values, string(text))
	if i < 0 {
		return n.wrong(string(text))
	}
	*v = T(i)
	return nil
}

func (n names[T]) wrong(value string) error {
	last := len(n.values) - 1
	return fmt.Errorf("%.40q: %s %s or %s", value, n.subject, strings.Join(n.values[:last], ", "), n.values[last])
}
