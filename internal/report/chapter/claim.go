package chapter

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/siegebook/siegebook/internal/canceled"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/pictures"
)

// Claim is a statement that a post prints or that we make, with a check. The check recomputes the verdict each time the
// report is built; a claim whose check fails stops the build.
type Claim struct {
	ID      string           // follows the game's name in the ledger; for an erratum, also the anchor of its entry
	Title   string           // the heading of its entry
	Where   string           // the post and the place in it; only a place for our own claims
	Printed content.Markdown // the claim in our words
	Verdict Verdict
	Check   func(context.Context) (Finding, error)

	Stands content.Standing // the standing in the ledger, if it does not follow from Verdict and Proof
	Proof  string           // where it is proved in prose, as an argument of ref
	// Convention says how to read the claim, if its truth or its numbers depend on that.
	Convention content.Convention
	// WithWaste applies to a claim that is read without waste: it says whether the claim is also true if shots may be
	// wasted. It is empty if this is unknown.
	WithWaste content.Truth
	Ref       string // where the report discusses it, as an argument of ref; empty for the page of errata
	Ours      bool   // the claim is ours; no post makes it

	Place content.Place // where the claim is in its source
	found Finding       // the result of its check, once that has run
}

// A convention says how to read a claim: which shots a player may fire. A claim without a convention holds under both.
// A shot is wasted if nothing is left of its target when it arrives, while it could have hit something else.
const (
	NoWaste  content.Convention = "no wasted shots"
	AnyShots content.Convention = "any shots"
)

// Finding is the result of a check.
type Finding struct {
	Truth   content.Markdown // what is true
	Example content.Markdown // the counterexample
	Checked string           // the range that was searched
	Wasted  content.Markdown // a battle in which the claim is false if shots may be wasted
	// Recompute holds the numbers that the ledger's checker recomputes, in the form that the checker reads. It is nil
	// if the checker cannot recompute them.
	Recompute any
}

// Verdict says what is wrong with a claim.
type Verdict string

// The verdicts. A true statement has no verdict.
const (
	Wrong  Verdict = "wrong"
	Slip   Verdict = "slip"
	Gap    Verdict = "gap"
	Hazard Verdict = "hazard"
)

// Mark returns the sign of the verdict and its meaning.
func (v Verdict) Mark() content.Mark {
	switch v {
	case Wrong:
		return pictures.Wrong.Mark("not true as printed")
	case Slip:
		return pictures.Slip.Mark("a slip without consequences")
	case Gap:
		return pictures.Gap.Mark("a case left out")
	default:
		return pictures.Hazard.Mark("true on paper, treacherous in floating point")
	}
}

// CheckClaims runs all checks on all cores and returns their findings in order. It returns a [*ClaimError] for the
// first claim that does not hold, or the context's error.
func CheckClaims(ctx context.Context, claims []Claim) ([]Finding, error) {
	findings := make([]Finding, len(claims))
	err := Each(ctx, len(claims), func(i int) (err error) {
		if findings[i], err = claims[i].Check(ctx); err != nil {
			return claims[i].refute(err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return findings, nil
}

// refute returns the error for the claim after its check has failed.
func (c Claim) refute(err error) *ClaimError {
	return &ClaimError{Kind: "claim", ID: c.ID, Where: c.Where, Place: c.Place, Err: err}
}

// Side is a side of a box: a number that runs from 1 to To.
type Side struct {
	Name string
	To   int64
}

// Range formats a box: "n ≤ 12, s ≤ 40, d ≤ 24".
func Range(box ...Side) string {
	var all []string
	for _, side := range box {
		all = append(all, fmt.Sprintf("%s\u00a0≤\u00a0%d", side.Name, side.To))
	}
	return strings.Join(all, ", ")
}

// Points yields all points with integer coordinates between two corners, inclusive, in ascending order. All points
// share one slice. If from is nil, all coordinates start at 1.
func Points(from, to []int64) iter.Seq[[]int64] {
	if from == nil {
		from = slices.Repeat([]int64{1}, len(to))
	}
	return func(yield func([]int64) bool) {
		at := slices.Clone(from)
		for yield(at) {
			axis := len(at) - 1
			for ; axis >= 0 && at[axis] == to[axis]; axis-- {
				at[axis] = from[axis]
			}
			if axis < 0 {
				return
			}
			at[axis]++
		}
	}
}

// Box is the set of battles of a game whose parameters are the points of a box. Searches visit the battles in the order
// of the sides.
type Box[B any] struct {
	Sides []Side
	Of    func(at []int64) B
}

// String formats the box.
func (b Box[B]) String() string { return Range(b.Sides...) }

// Ends returns the upper bounds of the sides.
func (b Box[B]) Ends() []int64 {
	ends := make([]int64, len(b.Sides))
	for i, side := range b.Sides {
		ends[i] = side.To
	}
	return ends
}

// Each calls visit for every battle of the box until it returns false.
func (b Box[B]) Each(visit func(B) bool) {
	for at := range Points(nil, b.Ends()) {
		if !visit(b.Of(at)) {
			return
		}
	}
}

// First returns the first battle of the box that has a property.
func (b Box[B]) First(property func(B) bool) (first B, ok bool) {
	for battle := range b.Each {
		if property(battle) {
			return battle, true
		}
	}
	return first, false
}

// Count returns how many battles of the box have a property.
func (b Box[B]) Count(property func(B) bool) int {
	total := 0
	for battle := range b.Each {
		if property(battle) {
			total++
		}
	}
	return total
}

// Every is a claim about all battles of a box, for the ledger's checker: if the expression If holds for a battle, so
// does Then. The expressions use the checker's names.
type Every struct {
	Game     string
	Kind     string // empty means "every"
	Box      []Side
	Orders   []string // the orders of a line of play after which Then holds
	If, Then string
	Cases    int // number of battles in which If holds
}

// MarshalJSON returns the claim in the form that the checker reads.
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

// Recomputed returns the range that the checker searches.
func (e Every) Recomputed() string { return Range(e.Box...) }

// together joins checks of one claim.
type together struct {
	All []any `json:"all"`
}

// AllOf joins checks of one claim for the ledger's checker.
func AllOf[C any](checks ...C) any {
	var all together
	for _, check := range checks {
		all.All = append(all.All, check)
	}
	return all
}

// recomputed returns a sentence that lists what the checker searches: the ranges of boxes, and single battles. It uses
// the checks themselves, so an entry cannot claim more than is checked.
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

// Each calls do with each number from 0 to n-1, on all cores. It returns the error for the smallest number for which do
// fails, or the cause of the context's end.
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

// ClaimError says which claim of a chapter does not hold.
type ClaimError struct {
	Kind  string        // the chapter's word for such claims, such as "claim"
	ID    string        // unique among claims of the kind
	Where string        // post and place; empty if no post claims it
	Place content.Place // where the claim is in its table
	Err   error         // why the claim does not hold
}

func (e *ClaimError) Error() string {
	where := ""
	if e.Where != "" {
		where = " (" + e.Where + ")"
	}
	at := ""
	if e.Place.Line > 0 {
		at = fmt.Sprintf("%s:%d: ", e.Place.File, e.Place.Line)
	}
	return fmt.Sprintf("%s%s %q%s: %v", at, e.Kind, e.ID, where, e.Err)
}

// Unwrap returns why the claim does not hold.
func (e *ClaimError) Unwrap() error { return e.Err }

// Expect returns an error unless a statement holds. The error contains the details.
func Expect(what string, holds bool, details ...any) error {
	if holds {
		return nil
	}
	return fmt.Errorf("%s does not hold: %s", what, strings.TrimSpace(fmt.Sprintln(details...)))
}

// HoldsAt returns an error unless a claim holds. The format and its arguments name the numbers for which it was
// checked.
func HoldsAt(holds bool, format string, args ...any) error {
	if holds {
		return nil
	}
	return fmt.Errorf("does not hold at "+format, args...)
}

// Must returns a value that only the program determines, such as a drawing of fixed numbers. Like template.Must, it
// panics on an error, because an error is a bug in the program.
func Must[T any](value T, err error) T {
	Assert(err)
	return value
}

// Assert panics with an error, as Must does.
func Assert(err error) {
	if err != nil {
		panic(err)
	}
}
