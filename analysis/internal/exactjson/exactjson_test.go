package exactjson

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
)

type result struct {
	Name   string `json:"name"`
	Counts Counts `json:"counts"`
	Sum    Sum    `json:"sum"`
	List   []int  `json:"list"`
}

const written = `{"name":"a","counts":{"2":5,"10":1},"sum":"00000000000000ff","list":[]}`

// TestRead checks that what was written can be read, in any order and with any white space, and that nothing else can.
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
	for at, row := range must.Table[struct{ Old, Wrong, Want string }](t, "testdata/tables.txt", "TestRead") {
		must.ErrorContains(t, Read([]byte(strings.Replace(written, row.Old, row.Wrong, 1)), &result{}), row.Want, at)
	}
}
