package chapter

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/siegebook/siegebook/internal/canceled"
	"github.com/siegebook/siegebook/report/content"
)

// Side is a number of a box, from 1 to its end.
type Side struct {
	Name string
	To   int64
}

// Range writes a box: "n ≤ 12, s ≤ 40, d ≤ 24".
func Range(box ...Side) string {
	var all []string
	for _, side := range box {
		all = append(all, fmt.Sprintf("%s\u00a0≤\u00a0%d", side.Name, side.To))
	}
	return strings.Join(all, ", ")
}

// Every is a claim about all battles of a box, for the ledger's checker: where the first expression holds, the second
// does. The expressions are in the checker's words.
type Every struct {
	Game     string
	Kind     string // "every" if it is empty
	Box      []Side
	Orders   []string // of a line of play, after which the second holds
	If, Then string
	Cases    int // in which the first holds
}

// MarshalJSON returns the claim as the checker reads it.
func (e Every) MarshalJSON() ([]byte, error) {
	all, battles := map[string]any{"game": e.Game, "kind": e.Kind, "if": e.If, "then": e.Then, "cases": e.Cases},
		int64(1)
	if e.Kind == "" {
		all["kind"] = "every"
	}
	if e.Orders != nil {
		all["orders"] = e.Orders
	}
	for _, side := range e.Box {
		all[side.Name] = side.To
		battles *= side.To
	}
	all["battles"] = battles
	return json.Marshal(all)
}

// Recomputed says what the checker goes through.
func (e Every) Recomputed() string { return Range(e.Box...) }

// together are checks of one claim.
type together struct {
	All []any `json:"all"`
}

// Together joins checks of one claim for the ledger's checker.
func Together[C any](checks ...C) any {
	var all together
	for _, check := range checks {
		all.All = append(all.All, check)
	}
	return all
}

// recomputed is a sentence on what the checker goes through: boxes by their ranges, and single battles. It is made from
// the checks themselves, so that an entry cannot claim more of them than there is.
func recomputed(recompute any) content.Markdown {
	all := []any{recompute}
	if several, ok := recompute.(together); ok {
		all = several.All
	}
	const most = 4
	var boxes, battles []string
	for _, check := range all {
		named, ok := check.(interface{ Recomputed() string })
		if !ok {
			continue
		}
		list := &battles
		if _, box := check.(Every); box {
			list = &boxes
		}
		if name := named.Recomputed(); !slices.Contains(*list, name) {
			*list = append(*list, name)
		}
	}
	if len(battles) > most {
		battles = []string{fmt.Sprintf("%d battles", len(battles))}
	}
	if said := append(boxes, battles...); len(said) > 0 {
		return content.Markdown(" Recomputed: " + strings.Join(said, "; ") + ".")
	}
	return ""
}

// Each calls do with 0 to n-1 on all cores, and returns the error of the least number that has one, or the cause of the
// context.
func Each(ctx context.Context, n int, do func(i int) error) error {
	var next atomic.Int64
	errs := make([]error, n)
	var group sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		group.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				errs[i] = do(i)
			}
		})
	}
	group.Wait()
	if ctx.Err() != nil {
		return canceled.Cause(ctx)
	}
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
