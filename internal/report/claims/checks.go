package claims

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"

	"go.starlark.net/starlark"

	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/report/content"
)

func (g *Game) boxOf(c call) (starlark.Value, error) {
	to, err := g.point(c, "a box needs the ends of")
	return box{axes: g.Axes, to: to}, err
}

func (g *Game) armyOf(c call) (starlark.Value, error) {
	at, err := g.point(c, "a battle needs")
	return g.Battle(at, nil), err
}

// point reads a number for each axis.
func (g *Game) point(c call, needs string) ([]int64, error) {
	at, err := WholeNumbers(c.args)
	if err == nil && len(at) != len(g.Axes) {
		err = fmt.Errorf("%s %v", needs, g.Axes)
	}
	return at, err
}

// Quantifier returns a Starlark function that makes a check that a condition holds at all points of a space that
// satisfy another condition. The check searches one box, and makes the checker search another box, or no box if told is
// None. In a space of lines of play, the orders of each wave are arguments after the two conditions.
func (g *Game) Quantifier(s Space) *starlark.Builtin {
	return builtin(s.Kind, func(c call) (starlark.Value, error) {
		var among, says string
		var orders []string
		in, told := starlark.Value(s.box(s.Wide)), starlark.Value(box{axes: s.Axes, to: s.Small})
		for _, order := range c.args[min(2, len(c.args)):] {
			text, ok := starlark.AsString(order)
			if !ok {
				return nil, fmt.Errorf("%v is not an order: write an expression as a string", order)
			}
			orders = append(orders, text)
		}
		c.args = c.args[:len(c.args)-len(orders)]
		if err := c.unpack("among", &among, "says", &says, "box?", &in, "told?", &told); err != nil {
			return nil, err
		}
		conditions, err := s.compile(among, says, orders...)
		if err != nil {
			return nil, err
		}
		return Check(func(r *Run) error {
			if r.finding.Checked == "" {
				r.finding.Checked = in.String()
			}
			claim := chapter.Every{Game: g.Name, Kind: s.Kind, Orders: orders, If: among, Then: says}
			for _, each := range []starlark.Value{in, told} {
				b, ok := each.(box)
				if !ok {
					continue
				}
				cases, found, err := conditions.search(r, b)
				if err != nil {
					return err
				}
				if found != nil {
					return fmt.Errorf("does not hold at %v = %v, in case %d: %s", s.Axes, found, cases, says)
				}
				if cases == 0 {
					return fmt.Errorf("no case satisfies the first condition: %s", among)
				}
				if claim.Cases == 0 {
					r.names["cases"] = starlark.String(chapter.Thousands(cases))
				}
				claim.Box, claim.Cases = b.sides(), cases
			}
			if told != starlark.None {
				r.Tell(claim)
			}
			return nil
		}), nil
	})
}

// refuted finds the first battle for which a condition does not hold, and plays it. The checker gets the negated
// condition, or the condition told if it does not know the names in this one.
func (g *Game) refuted(c call) (starlark.Value, error) {
	var among, says, told string
	values, called := "fewest", "first"
	in := starlark.Value(box{axes: g.Axes, to: g.Wide})
	var play starlark.Value
	err := c.unpack("among", &among, "says", &says, "box?", &in, "play?", &play, "values?", &values, "name?", &called,
		"told?", &told)
	if err != nil {
		return nil, err
	}
	told = cmp.Or(told, "("+among+") and not ("+says+")")
	conditions, err := g.compile(among, says)
	if err != nil {
		return nil, err
	}
	return Check(func(r *Run) error {
		_, found, err := conditions.search(r, in.(box))
		if err != nil {
			return err
		}
		if found == nil {
			return fmt.Errorf("no battle refutes %s where %s", says, among)
		}
		return r.Battle(g.Battle(found, nil), play, values, told, called, true)
	}), nil
}

// battle makes a check that plays a battle, and checks a condition on it.
func (g *Game) battle(c call) (starlark.Value, error) {
	var at *Battle
	var play starlark.Value
	var values, holds, called string
	told := true
	err := c.unpack("at", &at, "play?", &play, "values?", &values, "holds?", &holds, "name?", &called, "told?", &told)
	return Check(func(r *Run) error { return r.Battle(at, play, values, holds, called, told) }), err
}

// Battle plays a battle, checks a condition on it if there is one, gives the battle a name for the texts, and passes it
// to the checker.
func (r *Run) Battle(b *Battle, play starlark.Value, values, holds, called string, told bool) error {
	recomputed, said, err := r.game.Play(r, b.At, play, values, holds)
	if err != nil {
		return err
	}
	played := r.game.Battle(b.At, said)
	if called != "" {
		r.names[called] = played
	}
	if told {
		r.Tell(recomputed)
	}
	if holds == "" {
		return nil
	}
	return r.need(played, holds)
}

// need returns an error if a condition does not hold for a battle.
func (r *Run) need(b *Battle, condition string) error {
	holds, err := r.holds(b, condition)
	if err == nil && !holds {
		err = fmt.Errorf("does not hold for %v: %s; %v", b, condition, b.more)
	}
	return err
}

var word = regexp.MustCompile(`\b[a-z][a-z0-9_]*\b`)

// holds evaluates a condition on a battle.
func (r *Run) holds(b *Battle, condition string) (bool, error) {
	names := starlark.StringDict{"True": starlark.True, "False": starlark.False}
	for _, name := range word.FindAllString(condition, -1) {
		value, err := b.Attr(name)
		if err != nil {
			return false, err
		}
		if value != nil {
			names[name] = value
		}
	}
	return isTrue(r, condition, names)
}

// isTrue evaluates an expression as a condition.
func isTrue(ctx context.Context, expression string, names starlark.StringDict) (bool, error) {
	value, err := evaluate(ctx, expression, names)
	return err == nil && bool(value.Truth()), err
}

// tests makes a check of a condition on the battles of the posts. The condition has to hold for all of them, for the
// battles in only, or for exactly the battles in are.
func (g *Game) tests(c call) (starlark.Value, error) {
	var holds string
	values := "fewest"
	var are, only, but *starlark.List
	var play starlark.Value
	told := true
	err := c.unpack("holds", &holds, "are?", &are, "only?", &only, "but?", &but, "play?", &play, "values?", &values,
		"told?", &told)
	among := func(list *starlark.List, number int) bool {
		return slices.ContainsFunc(slices.Collect(list.Elements()), func(v starlark.Value) bool {
			same, err := starlark.Equal(v, starlark.MakeInt(number))
			return err == nil && same
		})
	}
	return Check(func(r *Run) error {
		for number, test := range g.Tests {
			t := test.(*Battle)
			if only != nil && !among(only, number) || but != nil && among(but, number) {
				continue
			}
			var err error
			switch is := are == nil || among(are, number); {
			case is && told:
				err = r.Battle(t, play, values, holds, "", true)
			case is:
				err = r.need(t, holds)
			default:
				err = r.need(t, "not ("+holds+")")
			}
			if err != nil {
				return fmt.Errorf("test %d: %w", number, err)
			}
		}
		return nil
	}), err
}

// expect makes a check that an expression in the language of the texts is true.
func (g *Game) expect(c call) (starlark.Value, error) {
	var expression string
	err := c.unpack("expression", &expression)
	return Check(func(r *Run) error {
		holds, err := isTrue(r, expression, r.names)
		if err == nil && !holds {
			err = errors.New("does not hold: " + expression)
		}
		return err
	}), err
}

// computed returns a check that is written in Go.
func (g *Game) computed(c call) (starlark.Value, error) {
	var called string
	if err := c.unpack("name", &called); err != nil {
		return nil, err
	}
	compute, ok := g.Computed[called]
	if !ok {
		return nil, fmt.Errorf("there is no Go check %q", called)
	}
	return Check(func(r *Run) error {
		found, err := compute(r)
		if err != nil {
			return err
		}
		if found.Recompute != nil {
			r.Tell(found.Recompute)
		}
		found.Recompute = nil
		r.finding = found
		return nil
	}), nil
}

// count returns the number of battles of a box for which a condition holds. Texts call it.
func (r *Run) count(c call) (starlark.Value, error) {
	var among string
	in := starlark.Value(r.game.box(r.game.Wide))
	if err := c.unpack("among", &among, "box?", &in); err != nil {
		return nil, err
	}
	conditions, err := r.game.compile(among, "1")
	if err != nil {
		return nil, err
	}
	cases, _, err := conditions.search(r, in.(box))
	return starlark.String(chapter.Thousands(cases)), err
}

// listed formats a list: "4, 12 and 18".
func listed(c call) (starlark.Value, error) {
	var list *starlark.List
	if err := c.unpack("list", &list); err != nil {
		return nil, err
	}
	var all []string
	for value := range list.Elements() {
		all = append(all, value.String())
	}
	return starlark.String(content.List(all)), nil
}
