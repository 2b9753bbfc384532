package main

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
)

const ledgerSample = `{"claims": [
	{"id": "a", "evidence": {"check": {"all": [
		{"game": "tower", "kind": "battle", "n": 1},
		{"game": "castle", "kind": "battle", "n": 2, "line": {"orders": [0, 9007199254740993]}, "holds": "castle == 2"}]}}},
	{"id": "b", "evidence": {}},
	{"id": "c", "evidence": {"check": {"game": "castle", "kind": "golden", "powers": [[1, 2, 3]]}}}]}`

// TestChanged: the parts about the castle game are found, and each copy differs from its part in one place.
func TestChanged(t *testing.T) {
	parts, err := castleParts([]byte(ledgerSample))
	if err != nil || len(parts) != 2 || parts[0].ID != "a-1" || parts[1].ID != "c-0" {
		t.Fatalf("%v, %v", parts, err)
	}
	texts := map[string]bool{}
	for seed := range uint64(20) {
		for _, c := range changed(parts[0], rand.New(rand.NewPCG(seed, 1))) {
			text := must.Get(json.Marshal(c.Evidence.Check))
			texts[string(text)] = true
		}
	}
	for _, want := range []string{
		`{"game":"castle","holds":"castle != 2","kind":"battle","line":{"orders":[0,9007199254740993]},"n":2}`,
		`{"game":"castle","holds":"castle == 2","kind":"battle","line":{"orders":[0,9007199254740993]},"n":3}`,
		`{"game":"castle","holds":"castle == 2","kind":"battle","line":{"orders":[1,9007199254740993]},"n":2}`,
		`{"game":"castle","holds":"castle == 2","kind":"battle","line":{"orders":[0,9007199254740994]},"n":2}`,
	} {
		if !texts[want] {
			t.Errorf("no copy is %s", want)
		}
	}
	if len(texts) != 4 {
		t.Errorf("%d copies differ, not 4: %v", len(texts), texts)
	}
}

// TestAgreed: agreed names the verdicts that differ, and a lie of the ledger.
func TestAgreed(t *testing.T) {
	claimed := []judged{named("a-1", nil), named("c-0", nil)}
	const right = "a-1 0 right\nc-0 0 unknown\na-1-changed-0 0 lie\na-1-changed-1 0 right\n"
	told, err := agreed(claimed, right, "a-1 0 right\nc-0 0 right\na-1-changed-0 0 lie\na-1-changed-1 0 right\n")
	if err != nil || told != (verdicts{right: 1, lies: 1, harmless: 1}) {
		t.Errorf("%+v, %v", told, err)
	}
	for theirs, refused := range map[string]string{
		"a-1 0 right\nc-0 0 right\na-1-changed-0 0 right\na-1-changed-1 0 right\n": "a-1-changed-0 is lie by the " +
			"extracted functions, but right by check_claims.py",
		"a-1 0 lie\nc-0 0 right\na-1-changed-0 0 lie\na-1-changed-1 0 right\n": "a-1 is right by the extracted " +
			"functions, and lie by check_claims.py",
		"a-1 0 right\nc-0 0 right\nb-0 0 lie\na-1-changed-1 0 right\n": "a verdict on a-1-changed-0 beside one on b-0",
		"a-1 0 right\n": "4 verdicts by the extracted functions, 1 by check_claims.py, on 2 parts",
	} {
		_, err := agreed(claimed, right, theirs)
		wantError(t, err, refused)
	}
	_, err = agreed(claimed, "a-1 0 unknown\nc-0 0 unknown\n", "a-1 0 right\nc-0 0 right\n")
	wantError(t, err, "judge less than half of the parts")
}
