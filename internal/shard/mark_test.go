package shard

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

// TestJSONShards: what was found is read again, and the file is a shard; other JSON is none.
func TestJSONShards(t *testing.T) {
	mark := Mark{Recipe: Recipe{"survey castle", `{"soldiers":"1:3","seed":7}`}, Version: "1.2.3", Shard: "2/3"}
	var file bytes.Buffer
	if err := Seal(&file, func(w io.Writer) error {
		return WriteJSON(w, map[string]int{"battles": 7}, mark)
	}); err != nil {
		t.Fatal(err)
	}
	if got, err := ReadMark(t.Context(), bytes.NewReader(file.Bytes())); err != nil || got != mark {
		t.Errorf("%+v, %v", got, err)
	}
	var found map[string]int
	if err := ReadJSON(&file, &found); err != nil || found["battles"] != 7 {
		t.Errorf("%v, %v", found, err)
	}
	for text, want := range map[string]string{
		`{"battles":7}`:               `it has no member "siegebook.found"`,
		`[7]`:                         "cannot unmarshal",
		``:                            "unexpected end",
		`{"siegebook.found":"seven"}`: "cannot unmarshal",
	} {
		if err := ReadJSON(strings.NewReader(text), &found); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// TestRecipe: a recipe is printed as the command line that a user types.
func TestRecipe(t *testing.T) {
	for arguments, want := range map[string]string{
		`{}`: "siegebook sweep castle",
		`{"soldiers":"1:3","castle_hits":"1,3:9:2"}`:       "siegebook sweep castle --soldiers 1:3 --castle-hits 1,3:9:2",
		`{"max_steps":9223372036854775807,"minimum":true}`: "siegebook sweep castle --max-steps 9223372036854775807 --minimum true",
		`{"a":`: "siegebook sweep castle", ``: "siegebook sweep castle",
	} {
		if got := (Recipe{"sweep castle", arguments}).String(); got != want {
			t.Errorf("%s: %s, want %s", arguments, got, want)
		}
	}
}
