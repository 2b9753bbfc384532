package folder

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/content"
)

// attributes are the words in braces after a call: {#name rows=20}.
type attributes struct {
	name string
	set  map[string]string
}

var attribute = regexp.MustCompile(`^(?:#([^\s}]+)|([a-z]+)=(?:"([^"]*)"|([^\s"]+)))(?:\s+|$)`)

// attributes parses the words in braces after a call. keys are the keys that are allowed there.
func (r *reader) attributes(text string, column int, keys ...string) attributes {
	a := attributes{set: map[string]string{}}
	for rest := strings.TrimSpace(text); rest != ""; {
		m := attribute.FindStringSubmatch(rest)
		known := m != nil && (m[2] == "" || slices.Contains(keys, m[2]))
		choice := ""
		for _, key := range keys {
			choice += fmt.Sprintf(", %s=\"…\"", key)
		}
		r.require(known, column, "{%s}: these braces may contain only {#name}%s", text, choice)
		if m[2] == "" {
			a.name = m[1]
		} else {
			a.set[m[2]] = m[3] + m[4]
		}
		rest = rest[len(m[0]):]
	}
	r.require(a.name == "" || content.ValidID(a.name), column, "{#%s}: a name may contain only lower-case letters, "+
		"digits and single hyphens", a.name)
	return a
}

// isData reports whether a table comes from a file of values.
func isData(name string) bool {
	return slices.Contains([]string{".csv", ".tsv"}, strings.ToLower(path.Ext(name)))
}

// usualRows is the number of rows that a page shows by default. mostRows is the maximum that an author can set.
const (
	usualRows = 100
	mostRows  = 2000
)

// dataTable shows a file of comma-separated values as a table. The download contains all rows.
func (r *reader) dataTable(file, caption string, a attributes, column int) string {
	records, comma := r.records(file, column)
	header, rows := records[0], records[1:]
	chosen := make([]int, len(header))
	for i := range chosen {
		chosen[i] = i
	}
	columns := func(key string) (found []int) {
		for name := range strings.SplitSeq(a.set[key], ",") {
			at := slices.Index(header, strings.TrimSpace(name))
			r.require(at >= 0, column, "%s=%q: the file %s has no column %q; %s", key, a.set[key], file, name,
				site.Among("closest names:", name, header))
			found = append(found, at)
		}
		return found
	}
	var texts []int
	if a.set["columns"] != "" {
		chosen = columns("columns")
	}
	if a.set["text"] != "" {
		texts = columns("text")
	}
	digits := r.wholeNumber(a, "digits", -1, 15, column)
	shown := min(r.wholeNumber(a, "rows", usualRows, mostRows, column), len(rows))
	table := content.Table{ID: a.name, Title: file}
	if table.ID == "" {
		table.ID = site.Slug(strings.TrimSuffix(path.Base(file), path.Ext(file)))
	}
	r.require(content.ValidID(table.ID), column, "no name for the table can be made from %q: name the table, as in "+
		"{#name}",
		file)
	numeric := map[int]bool{}
	for _, at := range chosen {
		table.Header = append(table.Header, content.Text(header[at]))
		table.Data.Header = append(table.Data.Header, header[at])
		numeric[at] = !slices.Contains(texts, at) && areNumbers(rows, at, comma)
	}
	for i, row := range rows {
		var cells []content.Cell
		var plain []string
		for _, at := range chosen {
			value, cell := row[at], content.Text(row[at])
			if numeric[at] {
				value = strings.Replace(value, comma, ".", 1)
				cell = numberCell(value, digits)
			}
			cells, plain = append(cells, cell), append(plain, value)
		}
		table.Data.Rows = append(table.Data.Rows, plain)
		if i < shown {
			table.Rows = append(table.Rows, cells)
		}
	}
	r.p.made.Tables = append(r.p.made.Tables, table)
	return fmt.Sprintf("{{ table %q %s }}", table.ID, caption)
}

// wholeNumber returns the integer value of an attribute, or usual if the attribute is missing.
func (r *reader) wholeNumber(a attributes, key string, usual, most, column int) int {
	text, given := a.set[key]
	if !given {
		return usual
	}
	n, err := strconv.Atoi(text)
	r.require(err == nil && n >= 0 && n <= most, column, "%s=%s: write a whole number from 0 to %d", key, text, most)
	return n
}

// records reads the headings and rows of a file, which must all have the same length, and returns the decimal
// separator. The values are separated by tabs in a .tsv file. In other files they are separated by commas, or by
// semicolons if the headings contain semicolons but no comma. With semicolons, the decimal separator is a comma.
func (r *reader) records(file string, column int) (records [][]string, point string) {
	data := bytes.TrimPrefix(r.readBeside(r.named(file), column), byteOrderMark)
	rel := path.Join(path.Dir(r.p.rel), r.named(file))
	line, _ := notText(data)
	r.require(line == 0, column, "the file %s has invalid UTF-8 in line %d: save it as UTF-8", rel, line)
	read := csv.NewReader(bytes.NewReader(data))
	point = "."
	first, _, _ := strings.Cut(string(data), "\n")
	switch {
	case strings.EqualFold(path.Ext(file), ".tsv"):
		read.Comma = '\t'
	case !strings.Contains(first, ",") && strings.Contains(first, ";"):
		read.Comma, point = ';', ","
	}
	records, err := read.ReadAll()
	if fault := new(csv.ParseError); errors.As(err, &fault) {
		r.require(false, column, "the file %s, line %d: %v: correct the line", rel, fault.Line, fault.Err)
	}
	r.require(len(records) > 0, column, "the file %s is empty: its first line must contain the column headings", rel)
	for i, name := range records[0] {
		records[0][i] = strings.TrimSpace(name)
	}
	return records, point
}

var number = regexp.MustCompile(`^[-+]?(?:0|[1-9][0-9]*)?(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?$`)

// areNumbers reports whether a column contains only numbers. A value such as 00012 counts as a name.
func areNumbers(rows [][]string, column int, point string) bool {
	some := false
	for _, row := range rows {
		value := strings.Replace(row[column], point, ".", 1)
		if value == "" {
			continue
		}
		some = true
		if strings.Trim(value, "+-") == "" || !number.MatchString(value) {
			return false
		}
	}
	return some
}

// numberCell returns a cell with a number, rounded to the given number of decimals unless digits is negative.
func numberCell(value string, digits int) content.Cell {
	if f, err := strconv.ParseFloat(value, 64); err == nil && digits >= 0 && math.Abs(f) < 1e15 {
		value = strconv.FormatFloat(f, 'f', digits, 64)
	}
	return content.Decimal(strings.TrimPrefix(value, "+"))
}
