package main

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
)

// byData lists the keys of objects that count things: their own keys are numbers or names from the data.
var byData = []string{
	"by_min_waves", "soldier_wins_by_wave", "castle_wins_by_wave", "by_shots", "by_placement", "by_moves",
}

// keysOf adds the keys of a JSON value.
func keysOf(keys map[string]bool, value any, isData bool) {
	switch value := value.(type) {
	case []any:
		for _, element := range value {
			keysOf(keys, element, false)
		}
	case map[string]any:
		for key, element := range value {
			if !isData {
				keys[key] = true
			}
			keysOf(keys, element, !isData && slices.Contains(byData, key))
		}
	}
}

// TestVocabulary checks that the keys in the JSON of all commands, and of their shards, are exactly the keys that
// docs/json.md explains.
func TestVocabulary(t *testing.T) {
	dir := t.TempDir()
	keys := map[string]bool{}
	for _, row := range must.Rows(t, cases, "TestVocabulary") {
		line := strings.ReplaceAll(row[0], "DIR", dir)
		var value any
		must.Do(t, json.Unmarshal([]byte(mustRun(t, row[1], strings.Fields(line)...)), &value))
		keysOf(keys, value, false)
	}
	known := map[string]bool{}
	doc := string(must.Get(os.ReadFile(filepath.Join("..", "..", "docs", "json.md"))))
	for _, row := range regexp.MustCompile("(?m)^\\| (`[^|]*`) \\|").FindAllStringSubmatch(doc, -1) {
		for key := range strings.SplitSeq(row[1], ", ") {
			if known[key] {
				t.Errorf("docs/json.md has %s twice", key)
			}
			known[strings.Trim(key, "`")] = true
		}
	}
	if !maps.Equal(keys, known) {
		t.Errorf("the commands write\n%q, docs/json.md has\n%q", slices.Sorted(maps.Keys(keys)),
			slices.Sorted(maps.Keys(known)))
	}
}
