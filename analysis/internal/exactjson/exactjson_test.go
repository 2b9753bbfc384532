package exactjson

import (
	"encoding/json"
	"strings"
	"testing"
)

type result struct {
	Name   string `json:"name"`
	Counts Counts `json:"counts"`
	Sum    Sum    `json:"sum"`
	List   []int  `json:"list"`
}

const written = `{"name":"a","counts":{"2":5,"10":1},"sum":"00000000000000ff","list":[]}`

// TestRead: what was written is read, in any order and with any white space, and nothing else is.
func TestRead(t *testing.T) {
	for _, text := range []string{written, "\n{ \"list\": [], \"sum\": \"00000000000000ff\",\n\t\"counts\": {\"10\": " +
		"1, \"2\": 5}, \"name\": \"a\" }\n"} {
		var r result
		if err := Read([]byte(text), &r); err != nil || r.Sum != 255 || r.Counts[10] != 1 {
			t.Errorf("%s: %+v, %v", text, r, err)
		}
		if back, err := json.Marshal(r); err != nil || string(back) != written {
			t.Errorf("%s, %v", back, err)
		}
	}
	for _, test := range []struct{ old, wrong, want string }{
		{`"sum"`, `"sam"`, `unknown field "sam"`},
		{`"sum"`, `"Sum"`, `member "sum"`},
		{`,"list":[]`, ``, `member "list": is missing`},
		{`,"list":[]`, `,"list":null,"lost":1`, `unknown field "lost"`},
		{`"2":5`, `"02":5`, `member "counts"`},
		{`"2":5`, `"2":5.0`, `5.0`},
		{`00ff`, `00FF`, `checksum "00000000000000FF": not 16 hexadecimal digits`},
		{`00ff`, `ff`, `checksum "000000000000ff": not 16`},
		{written, written + "[]", "more than one"},
		{written, `[1]`, "cannot unmarshal"},
		{written, ``, "EOF"},
	} {
		err := Read([]byte(strings.Replace(written, test.old, test.wrong, 1)), &result{})
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s for %s: %v, want %q", test.wrong, test.old, err, test.want)
		}
	}
}
