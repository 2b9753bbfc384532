package site

import (
	"bytes"
	"encoding/csv"
	"errors"
	"strings"
)

// writeCSV returns records as CSV. Text that a spreadsheet would run as a formula gets a leading apostrophe; numbers,
// which may start with a sign, stay numbers.
func writeCSV(records [][]string) ([]byte, error) {
	var buf bytes.Buffer
	w := csv.NewWriter(&buf)
	for _, record := range records {
		safe := make([]string, len(record))
		for i, cell := range record {
			safe[i] = neutral(cell)
		}
		if err := w.Write(safe); err != nil {
			return nil, err
		}
	}
	w.Flush()
	return buf.Bytes(), w.Error()
}

// formulaStarts are the characters with which a cell begins that some spreadsheet runs, after OWASP's list. The wide forms count too:
// input methods for Chinese and Japanese write them, and Excel takes them.
const formulaStarts = "=+-@\t\r\n＝＋－＠"

func neutral(cell string) string {
	if strings.IndexAny(cell, formulaStarts) == 0 && !decimalRule.MatchString(cell) {
		return "'" + cell
	}
	return cell
}

// rewriteCSV checks CSV made elsewhere and returns its records, and them written by writeCSV.
func rewriteCSV(data []byte) (records [][]string, out []byte, err error) {
	records, err = csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		return nil, nil, err
	}
	if len(records) == 0 {
		return nil, nil, errors.New("it is empty: the first record is the header")
	}
	out, err = writeCSV(records)
	return records, out, err
}
