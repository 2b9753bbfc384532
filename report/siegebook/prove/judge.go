package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// judging is a program that decides the ledger's claims about castle battles with functions that are proved correct.
//
//go:embed judge.ml
var judging []byte

// checking makes the ledger's checker decide the same parts. If the checker rejects a part for any reason other than a
// wrong number, the verdict is unknown.
const checking = `import json, sys
sys.path.insert(0, sys.argv[1])
import check_claims
for claim in json.load(open(sys.argv[2], encoding="utf-8"))["claims"]:
    check_claims.taken[0] = 0
    wrong = check_claims.lie(claim["evidence"]["check"])
    other = wrong and wrong.startswith(("nothing is said", "it takes more than", "no expression", "no whole number"))
    print(claim["id"], 0, "unknown" if other else "lie" if wrong else "right")
`

// part is a part of a check, in the form that the ledger contains.
type part = map[string]any

// judged is a part of a check, in the form that both programs read.
type judged struct {
	ID       string `json:"id"`
	Evidence struct {
		Check part `json:"check,omitempty"`
	} `json:"evidence"`
}

// castleParts returns the parts about the castle game, each with a unique name.
func castleParts(ledger []byte) ([]judged, error) {
	var read struct {
		Claims []judged `json:"claims"`
	}
	if err := exactly(ledger, &read); err != nil {
		return nil, err
	}
	var all []judged
	for _, c := range read.Claims {
		parts := []any{c.Evidence.Check}
		if list, ok := c.Evidence.Check["all"].([]any); ok {
			parts = list
		}
		for i, one := range parts {
			if p, ok := one.(part); ok && p["game"] == "castle" {
				all = append(all, named(fmt.Sprintf("%s-%d", c.ID, i), p))
			}
		}
	}
	return all, nil
}

// exactly parses JSON that contains numbers of any length.
func exactly(text []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	return decoder.Decode(into)
}

func named(id string, p part) (c judged) {
	c.ID, c.Evidence.Check = id, p
	return c
}

// changes is the number of changed copies of each part that are checked.
const changes = 3

// changed returns copies of a part. In each copy, one number is larger by one, or one comparison is reversed.
func changed(c judged, r *rand.Rand) []judged {
	var all []judged
	for i := range changes {
		text, err := json.Marshal(c.Evidence.Check)
		if err != nil {
			panic(err) // cannot fail, because the part came from JSON
		}
		var p part
		if err := exactly(text, &p); err != nil {
			panic(err)
		}
		if places := places(p); i > 0 || !turned(p) {
			places[r.IntN(len(places))]()
		}
		all = append(all, named(fmt.Sprintf("%s-changed-%d", c.ID, i), p))
	}
	return all
}

// places returns functions, each of which increases one number in a part by one. They are in the order in which the
// numbers appear in the part.
func places(at any) (all []func()) {
	switch at := at.(type) {
	case part:
		for _, key := range slices.Sorted(maps.Keys(at)) {
			if number, ok := at[key].(json.Number); ok {
				all = append(all, func() { at[key] = next(number) })
				continue
			}
			all = append(all, places(at[key])...)
		}
	case []any:
		for i, one := range at {
			if number, ok := one.(json.Number); ok {
				all = append(all, func() { at[i] = next(number) })
				continue
			}
			all = append(all, places(one)...)
		}
	}
	return all
}

func next(number json.Number) json.Number {
	larger, _ := new(big.Int).SetString(number.String(), 10) // the ledger contains only integers
	return json.Number(larger.Add(larger, big.NewInt(1)).String())
}

// turned reverses the first comparison in a part, and reports whether there is one.
func turned(p part) bool {
	for _, key := range []string{"then", "holds"} {
		said, _ := p[key].(string)
		for _, sign := range [][2]string{{"==", "!="}, {">=", "<"}, {"<=", ">"}} {
			if before, after, ok := strings.Cut(said, sign[0]); ok {
				p[key] = before + sign[1] + after
				return true
			}
		}
	}
	return false
}

// judge compares two sets of verdicts on the ledger's claims about the castle game: the verdicts of the extracted
// functions, and the verdicts of the ledger's checker, which shares no code with them. Both decide the claims as they
// are, and copies with one change each.
func judge(ctx context.Context, c coq, folder string, out io.Writer) error {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return err
	}
	ledger, err := os.ReadFile(filepath.Join(folder, "claims.json"))
	if err != nil {
		return err
	}
	claimed, err := castleParts(ledger)
	if err != nil {
		return err
	}
	all, random := slices.Clone(claimed), rand.New(rand.NewPCG(30, 3))
	for _, one := range claimed {
		all = append(all, changed(one, random)...)
	}
	text, err := json.Marshal(map[string]any{"claims": all})
	if err != nil {
		return err
	}
	for name, content := range map[string][]byte{
		"parts.json": text, "judge.ml": judging, "checking.py": []byte(checking),
	} {
		if err := os.WriteFile(filepath.Join(c.dir, name), content, 0o600); err != nil {
			return err
		}
	}
	if _, err := c.run(ctx, "ocamlopt", "-w", "-a", "-o", "judge", "proved.mli", "proved.ml", "judge.ml"); err != nil {
		return err
	}
	proved, err := c.run(ctx, filepath.Join(c.dir, "judge"), "parts.json")
	if err != nil {
		return err
	}
	checked, err := c.run(ctx, "python3", "checking.py", folder, "parts.json")
	if err != nil {
		return err
	}
	told, err := agreed(claimed, proved, checked)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "ledger: of %d parts about the castle game, the extracted functions confirm %d, and do not check "+
		"%d; with a number or a sign changed, %d are false and %d are true; check_claims.py agrees\n",
		len(claimed), told.right, len(claimed)-told.right, told.lies, told.harmless)
	return nil
}

// verdicts counts the verdicts on which both judges agree.
type verdicts struct{ right, lies, harmless int }

// agreed compares the verdicts of both programs. Each text contains one line for each part. The verdicts on the
// unchanged ledger come first, and none of them may be "lie".
func agreed(claimed []judged, proved, checked string) (told verdicts, err error) {
	ours, theirs := strings.Fields(proved), strings.Fields(checked)
	if len(ours) != len(theirs) || len(ours) < 3*len(claimed) || len(claimed) == 0 {
		return told, fmt.Errorf("ledger: %d verdicts by the extracted functions and %d by check_claims.py, on %d parts",
			len(ours)/3, len(theirs)/3, len(claimed))
	}
	for i := 0; i < len(ours); i += 3 {
		id, verdict, other := ours[i], ours[i+2], theirs[i+2]
		switch {
		case id != theirs[i]:
			return told, fmt.Errorf("ledger: a verdict on %s where a verdict on %s is expected", id, theirs[i])
		case i < 3*len(claimed) && (verdict == "lie" || other != "right"):
			return told, fmt.Errorf("ledger: %s is %s by the extracted functions and %s by check_claims.py", id,
				verdict, other)
		case verdict == "unknown" || other == "unknown":
		case verdict != other:
			return told, fmt.Errorf("ledger: %s is %s by the extracted functions, but %s by check_claims.py", id,
				verdict, other)
		case i < 3*len(claimed):
			told.right++
		case verdict == "lie":
			told.lies++
		default:
			told.harmless++
		}
	}
	if told.right < len(claimed)/2 {
		return told, errors.New("ledger: the extracted functions check fewer than half of the parts")
	}
	return told, nil
}
