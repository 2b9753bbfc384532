package claims

import (
	"context"
	"fmt"
	"slices"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/siegebook/siegebook/internal/canceled"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
)

// Space is what claims of one kind range over: all points with whole numbers from 1 to the ends of a box, or in Wide
// from others on.
type Space struct {
	Kind        string   // of the checker
	Axes        []string // names of a point's numbers
	Wide, Small []int64  // the boxes in which the build looks, and the checker; the same if the first is nil
	From        []int64  // where the numbers of Wide begin; at 1 if it is nil
	// Values are what a condition may name beside the axes, as functions of a point. In a space of lines of play the
	// orders of each wave follow the numbers of the point.
	Values map[string]func(at []int64) int64
}

// box is a box of a space, as a value of the language.
type box struct {
	opaque
	axes     []string
	from, to []int64
}

func (b box) String() string { return chapter.Range(b.sides()...) }

func (b box) sides() []chapter.Side {
	all := make([]chapter.Side, len(b.axes))
	for i, axis := range b.axes {
		all[i] = chapter.Side{Name: axis, To: b.to[i]}
	}
	return all
}

// box returns a box of the space, the small one if there are no ends.
func (s Space) box(to []int64) box {
	if to == nil {
		to = s.Small
	}
	return box{axes: s.Axes, from: s.From, to: to}
}

// opaque is what Go values have to be for the language: they can be named and passed on.
type opaque struct{}

func (opaque) Type() string          { return "claims" }
func (opaque) Freeze()               {}
func (opaque) Truth() starlark.Bool  { return true }
func (opaque) Hash() (uint32, error) { return 0, fmt.Errorf("it is no key") }

// number is a condition, or an order, as a function of a point. A true condition is 1, a false one 0. Its numbers are
// those of a small box, and outgrow no word.
type number func(at []int64) int64

// conditions are a condition on a point, and one on those of which the first holds.
type conditions struct{ among, says number }

// compile compiles two conditions, the second with orders for a line of play.
func (s Space) compile(among, says string, orders ...string) conditions {
	var played []number
	for _, order := range orders {
		played = append(played, s.number(order, nil))
	}
	return conditions{s.number(among, nil), s.number(says, played)}
}

// number compiles an expression. The orders are given to the values that it names.
func (s Space) number(text string, orders []number) number {
	of, err := content.Stopped(func() (number, error) {
		return s.compiled(content.Get(dialect.ParseExpr("", text, 0)), orders), nil
	})
	if err != nil {
		content.Do(fmt.Errorf("%s: %w", text, err))
	}
	return of
}

func (s Space) compiled(expr syntax.Expr, orders []number) number {
	switch e := expr.(type) {
	case *syntax.ParenExpr:
		return s.compiled(e.X, orders)
	case *syntax.Literal:
		if value, ok := e.Value.(int64); ok {
			return func([]int64) int64 { return value }
		}
	case *syntax.Ident:
		if i := slices.Index(s.Axes, e.Name); i >= 0 {
			return func(at []int64) int64 { return at[i] }
		}
		value, ok := s.Values[e.Name]
		if !ok {
			content.Do(fmt.Errorf("nobody knows what %s is", e.Name))
		}
		if orders == nil {
			return value
		}
		return func(at []int64) int64 {
			played := slices.Clone(at)
			for _, order := range orders {
				played = append(played, order(at))
			}
			return value(played)
		}
	case *syntax.UnaryExpr:
		switch x := s.compiled(e.X, orders); e.Op {
		case syntax.NOT:
			return func(at []int64) int64 { return OneIf(x(at) == 0) }
		case syntax.MINUS:
			return func(at []int64) int64 { return -x(at) }
		}
	case *syntax.BinaryExpr:
		if joined := binary(e.Op, s.compiled(e.X, orders), s.compiled(e.Y, orders)); joined != nil {
			return joined
		}
	}
	content.Do(fmt.Errorf("a condition has whole numbers, names, comparisons, sums, products, and, or, not, and no %T",
		expr))
	return nil
}

// OneIf is a condition as a number: 1 if it holds, else 0.
func OneIf(holds bool) int64 {
	if holds {
		return 1
	}
	return 0
}

// binary joins two expressions, nil if there is no such operator.
func binary(op syntax.Token, x, y number) number {
	switch op {
	case syntax.AND:
		return func(at []int64) int64 {
			if left := x(at); left == 0 {
				return left
			}
			return y(at)
		}
	case syntax.OR:
		return func(at []int64) int64 {
			if left := x(at); left != 0 {
				return left
			}
			return y(at)
		}
	case syntax.PLUS:
		return func(at []int64) int64 { return x(at) + y(at) }
	case syntax.MINUS:
		return func(at []int64) int64 { return x(at) - y(at) }
	case syntax.STAR:
		return func(at []int64) int64 { return x(at) * y(at) }
	case syntax.EQL:
		return func(at []int64) int64 { return OneIf(x(at) == y(at)) }
	case syntax.NEQ:
		return func(at []int64) int64 { return OneIf(x(at) != y(at)) }
	case syntax.LT:
		return func(at []int64) int64 { return OneIf(x(at) < y(at)) }
	case syntax.LE:
		return func(at []int64) int64 { return OneIf(x(at) <= y(at)) }
	case syntax.GT:
		return func(at []int64) int64 { return OneIf(x(at) > y(at)) }
	case syntax.GE:
		return func(at []int64) int64 { return OneIf(x(at) >= y(at)) }
	}
	return nil
}

// search looks through a box, in the order of its axes, for the first point that is among some and of which something
// is not so. It returns how many were among them until then, and the point, nil if there is none.
func (c conditions) search(ctx context.Context, b box) (cases int, found []int64) {
	for at := range chapter.Points(b.from, b.to) {
		if c.among(at) != 0 {
			cases++
			if c.says(at) == 0 {
				return cases, at
			}
		}
		if at[len(at)-1] == b.to[len(at)-1] {
			content.Do(canceled.Cause(ctx))
		}
	}
	return cases, nil
}

// Search looks through the points of a box, from 1 to its ends, for the first that is among some and of which something
// is not so. It returns how many were among them until then, and the point, nil if there is none. It ends by
// [content.Do] at a condition that cannot be read.
func (s Space) Search(among, says string, to []int64) (cases int, found []int64) {
	return s.compile(among, says).search(context.Background(), box{to: to})
}
