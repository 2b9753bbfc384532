package ants

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	game "github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/claims"
	"github.com/siegebook/siegebook/report/siegebook/ants/post"
)

//go:embed claims.star
var claimsText string

// claimTable returns the table of the claims. A battle of ants has no numbers, so the table names a picture of the
// post, or contains a map.
func claimTable() *claims.Game {
	var rows []starlark.Value
	for _, b := range Battles {
		p := picture(b.Name)
		where := strings.NewReplacer(" about the world of ants", "", "Some technical", "Technical").Replace(p.Section)
		rows = append(rows, starlark.Tuple{
			starlark.String(b.ID), starlark.String(b.Name), starlark.String(b.Title), starlark.String(where),
			starlark.Bool(p.Correction != ""),
		})
	}
	return &claims.Game{
		Name: "ants", File: "report/siegebook/ants/claims.star", Table: claimsText, Computed: computedClaims(),
		Play: playClaimed,
		Names: starlark.StringDict{
			"pictures": starlark.NewList(rows),
			"numbers": claims.Call("numbers", func(_ context.Context, args starlark.Tuple) (starlark.Value, error) {
				return starlark.String(strings.Trim(args[0].String(), "[]")), nil // as a text: "1, 2, 2, 1"
			}),
		},
	}
}

// playClaimed decides a battle. The values are "radius" with a radius other than the contest's, or pairs of ants if the
// text of the claim needs their squared distances.
func playClaimed(
	_ context.Context, _ []int64, play starlark.Value, values, holds string,
) (any, starlark.StringDict, error) {
	text, _ := starlark.AsString(play)
	for _, p := range post.Pictures() {
		if p.Name == text {
			text = latin(p.Map)
		}
	}
	f := NewFight(text, game.Focus)
	var radius int64
	if _, err := fmt.Sscanf(values, "radius %d", &radius); err == nil {
		f = Decide(f.Map, f.Map.World(radius*radius, true), game.Focus)
		values = ""
	}
	r := recomputed(f)
	r.Holds = holds
	var squares []int64
	for pair := range strings.FieldsSeq(values) {
		var one, other int
		if _, err := fmt.Sscanf(pair, "%d-%d", &one, &other); err != nil {
			return nil, nil, fmt.Errorf("not a pair of ants: %s", pair)
		}
		r.apart(f, one, other)
		squares = append(squares, f.distance2(one, other))
	}
	var names []starlark.Value
	dies := make([]int, len(f.Army))
	for i := range f.Army {
		names = append(names, starlark.String(f.Name(i)))
		if f.Dead[i] {
			dies[i] = 1
		}
	}
	return r, starlark.StringDict{
		"enemies": claims.Numbers(f.Enemies...), "dead": claims.Numbers(r.Dead...),
		"dies": claims.Numbers(dies...), "squares": claims.Numbers(squares...), "names": starlark.NewList(names),
		"fallen": starlark.String(f.Fallen()),
	}, nil
}

// computedClaims returns the checks for claims of the table that have no conditions.
func computedClaims() map[string]func(context.Context) (chapter.Finding, error) {
	all := map[string]func(context.Context) (chapter.Finding, error){
		"kills": everywhere(sameKills), "attention": everywhere(byAttention), "least": everywhere(byLeast),
		"several": checkSeveral, "range": checkRange, "price": checkPrice, "outlived": checkOutlived,
		"laws": func(context.Context) (chapter.Finding, error) {
			box := EveryPosition(3, 3)
			for _, f := range box {
				err := chapter.Expect("the busiest ants die, and with one enemy only a duel kills", lawful(f), f.Map)
				if err != nil {
					return chapter.Finding{}, err
				}
			}
			return chapter.Finding{
				Checked: fmt.Sprintf("proved; all %s positions of two armies in a box of %s cells",
					chapter.Thousands(len(box)), BoxName(3, 3)),
			}, nil
		},
		"chain": func(ctx context.Context) (chapter.Finding, error) {
			all, err := JudgeBox(ctx, 3, 3)
			if err != nil {
				return chapter.Finding{}, err
			}
			holds := Within(all, game.Damage, game.Focus) && Within(all, game.Focus, game.Support) &&
				Within(all, game.Closest, game.Support)
			if err := chapter.Expect("the chain of rules", holds, len(all)); err != nil {
				return chapter.Finding{}, err
			}
			return chapter.Finding{
				Checked: fmt.Sprintf("proved; all %s positions in a box of 3 × 3 cells", chapter.Thousands(len(all))),
			}, nil
		},
		"food": func(context.Context) (chapter.Finding, error) {
			for at := range chapter.Points([]int64{0, 0, 0, 0}, []int64{2, 2, 2, 2}) {
				ants := map[int64]int{}
				cells := []byte("...\n.*.\n...")
				for i, beside := range []int{1, 4, 6, 9} { // above, left, right and below
					if army := at[i]; army > 0 {
						cells[beside] = " AB"[army]
						ants[army]++
					}
				}
				what, owner := newMeal(string(cells)).fate()
				want := []fate{untouched, eaten, destroyed}[len(ants)]
				holds := what == want && (what != eaten || ants[int64(owner-'A')+1] > 0)
				if err := chapter.HoldsAt(holds, "%s", cells); err != nil {
					return chapter.Finding{}, err
				}
			}
			return chapter.Finding{}, nil
		},
		"food out of reach": func(context.Context) (chapter.Finding, error) {
			what, _ := newMeal("*..\n..A").fate()
			if err := chapter.Expect("food out of reach", what == untouched, what); err != nil {
				return chapter.Finding{}, err
			}
			return chapter.Finding{}, nil
		},
	}
	for _, b := range Battles {
		all["picture "+b.ID] = func(context.Context) (chapter.Finding, error) {
			return chapter.Finding{}, asPrinted(picture(b.Name))
		}
	}
	return all
}

// everywhere checks a statement for all positions of two armies in a small box.
func everywhere(holds func(Fight) bool) func(context.Context) (chapter.Finding, error) {
	return func(context.Context) (chapter.Finding, error) {
		box, deaths := EveryPosition(3, 3), 0
		for _, f := range box {
			if err := chapter.Expect("the statement", holds(f), f.Map); err != nil {
				return chapter.Finding{}, err
			}
			deaths += f.Deaths()
		}
		return chapter.Finding{
			Checked: fmt.Sprintf("all %s positions of two armies on 3 × 3 cells, up to an exchange of the armies",
				chapter.Thousands(len(box))),
			// The checker distinguishes the armies, so it visits each position except the empty one twice.
			Recompute: map[string]any{
				"game": "ants", "kind": "every", "rows": 3, "columns": 3, "positions": 2*len(box) - 1,
				"deaths": 2 * deaths,
			},
		}, nil
	}
}

// sameKills reports whether the deaths follow from this rule: an ant kills the enemies in range that have at least as
// many enemies as itself.
func sameKills(f Fight) bool {
	var kills []game.Kill
	dead := make([]bool, len(f.Army))
	for killer := range f.Army {
		for _, enemy := range f.InRange(killer) {
			if f.Enemies[enemy] >= f.Enemies[killer] {
				kills = append(kills, game.Kill{Victim: enemy, Killer: killer})
				dead[enemy] = true
			}
		}
	}
	slices.SortStableFunc(kills, func(x, y game.Kill) int { return x.Victim - y.Victim })
	return slices.Equal(kills, f.Kills) && slices.Equal(dead, f.Dead)
}

// byAttention reports whether an ant lives if each enemy in range has more enemies than itself.
func byAttention(f Fight) bool {
	for ant := range f.Army {
		focused := func(enemy int) bool { return f.Enemies[enemy] <= f.Enemies[ant] }
		if slices.ContainsFunc(f.InRange(ant), focused) != f.Dead[ant] {
			return false
		}
	}
	return true
}

func checkSeveral(context.Context) (chapter.Finding, error) {
	f := Drawn("wall")
	for ant := range f.Army {
		if by := len(f.Killers(ant)); by > 1 && f.Killed(ant) > 1 {
			return chapter.Finding{
				Checked:   fmt.Sprintf("%s of the wall: killed by %d, kills %d", f.Name(ant), by, f.Killed(ant)),
				Recompute: recomputed(f),
			}, nil
		}
	}
	return chapter.Finding{}, chapter.Expect("an ant of the wall kills several and is killed by several", false,
		f.Kills)
}

func checkRange(context.Context) (chapter.Finding, error) {
	cells, digits := post.RangePicture()
	m, err := game.ParseMap(cells)
	if err != nil {
		return chapter.Finding{}, err
	}
	world := m.World(game.ContestRadius2, true)
	n, wide := 0, m.Cols+1 // a line feed after each row
	var squares []int64
	for row := range m.Rows {
		for col := range m.Cols {
			d := world.Distance2(m.Rows/2, m.Cols/2, row, col)
			inRange, digit := m.At(row, col) == 'x', digits[row*wide+col]
			if inRange != (d > 0 && d <= world.Radius2) || digit != '.' && int64(digit-'0') != d || digit == '.' &&
				d <= 9 {
				return chapter.Finding{}, chapter.Expect("the picture of the range", false, row, col)
			}
			if inRange {
				squares = append(squares, d)
				n++
			}
		}
	}
	slices.Sort(squares)
	if err := chapter.Expect("20 cells in range", n == 20, n); err != nil {
		return chapter.Finding{}, err
	}
	return chapter.Finding{
		Checked: "every cell", Recompute: map[string]any{
			"game": "ants", "kind": "range", "cells": n,
			"squares": squares,
		},
	}, nil
}

// byLeast reports whether the post's listing decides the same: an ant lives if it has no enemies in range, or if the
// least count among these enemies is higher than its own.
func byLeast(f Fight) bool {
	for ant := range f.Army {
		near := f.InRange(ant)
		dies := false
		if len(near) > 0 {
			least := f.Enemies[near[0]]
			for _, enemy := range near {
				least = min(least, f.Enemies[enemy])
			}
			dies = least <= f.Enemies[ant]
		}
		if dies != f.Dead[ant] {
			return false
		}
	}
	return true
}

func checkPrice(ctx context.Context) (chapter.Finding, error) {
	list, largest, err := outlivedBoxes(ctx)
	if err != nil {
		return chapter.Finding{}, err
	}
	for _, o := range list {
		if o.Ants == 0 {
			continue
		}
		if f := NewFight(o.First, game.Focus); 2*o.Ants > 5*(len(f.Army)-o.Ants) || int64(o.Ants) > o.Bound() {
			return chapter.Finding{}, chapter.HoldsAt(false, "%s", o.Name())
		}
	}
	return chapter.Finding{
		Checked:   fmt.Sprintf("proved; compared with the largest armies of %d boxes", len(list)),
		Recompute: largest,
	}, nil
}

func checkOutlived(ctx context.Context) (chapter.Finding, error) {
	list, largest, err := outlivedBoxes(ctx)
	if err != nil {
		return chapter.Finding{}, err
	}
	checks, sizes := []any{largest}, []string{}
	for _, o := range list {
		if o.Found == byAttempt || o.Ants == 0 {
			continue
		}
		f := NewFight(o.First, game.Focus)
		if err := chapter.HoldsAt(f.OneOutlives(o.Ants), "%s", o.Name()); err != nil {
			return chapter.Finding{}, err
		}
		checks = append(checks, recomputed(f).outlived(o.Ants))
		sizes = append(sizes, fmt.Sprintf("%d in %s", o.Ants, o.Name()))
	}
	return chapter.Finding{
		Truth:     chapter.MD("%s", strings.Join(sizes, ", ")),
		Recompute: chapter.AllOf(checks...),
	}, nil
}

// outlivedBoxes returns the boxes, the smallest first, and the data with which the checker recomputes the largest
// armies in them.
func outlivedBoxes(ctx context.Context) (list []Outlived, largest map[string]any, err error) {
	if list, err = KnownOutlived(ctx); err != nil {
		return nil, nil, err
	}
	largest, err = largestOutlived(ctx)
	return list, largest, err
}

// largestOutlived returns data that make the checker search all positions of 3 × 3 cells for the largest army that one
// ant outlives.
func largestOutlived(ctx context.Context) (map[string]any, error) {
	finding, err := everywhere(sameKills)(ctx)
	if err != nil {
		return nil, err
	}
	found, err := outlive(ctx, 3, 3)
	if err != nil {
		return nil, err
	}
	check, ok := finding.Recompute.(map[string]any)
	if err := chapter.Expect("a check of all positions", ok && found.Ants > 0, found); err != nil {
		return nil, err
	}
	check["outlived"] = found.Ants
	return check, nil
}

// recompute is a battle in the form in which the ledger's checker reads it.
type recompute struct {
	Game     string   `json:"game"`
	Kind     string   `json:"kind"`
	Map      []string `json:"map"`
	Enemies  []int    `json:"enemies"`            // the number of enemies of each ant, row by row
	Dead     []int    `json:"dead"`               // the indices of dead ants, from 0
	Radius   int      `json:"radius,omitempty"`   // a radius other than the contest's, whose square is 5
	Outlived int      `json:"outlived,omitempty"` // the size of the army that one ant outlives
	Squares  [][3]int `json:"squares,omitempty"`  // two ants and their squared distance
	Holds    string   `json:"holds,omitempty"`    // the condition that the checker checks
}

// recomputed returns a decided battle for the checker.
func recomputed(f Fight) *recompute {
	r := &recompute{Game: "ants", Kind: "battle", Enemies: f.Enemies, Dead: []int{}}
	for row := range f.Map.Rows {
		cells := ""
		for col := range f.Map.Cols {
			cells += string(f.Map.At(row, col))
		}
		r.Map = append(r.Map, cells)
	}
	for ant, dead := range f.Dead {
		if dead {
			r.Dead = append(r.Dead, ant)
		}
	}
	if f.World.Radius2 != game.ContestRadius2 {
		for r.Radius = 1; int64(r.Radius*r.Radius) < f.World.Radius2; {
			r.Radius++
		}
	}
	return r
}

// Recomputed returns the name of a position for the checker.
func (r *recompute) Recomputed() string { return "one position" }

// apart adds the squared distance of two ants of a battle to the checker's data.
func (r *recompute) apart(f Fight, one, other int) *recompute {
	r.Squares = append(r.Squares, [3]int{one, other, int(f.distance2(one, other))})
	return r
}

// outlived adds to the checker's data the statement that one ant outlives an army of the given size.
func (r *recompute) outlived(size int) *recompute {
	r.Outlived = size
	return r
}
