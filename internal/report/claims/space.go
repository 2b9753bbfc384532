package claims

import (
	"context"
	"fmt"
	"slices"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/siegebook/siegebook/internal/canceled"
	"github.com/siegebook/siegebook/internal/report/chapter"
)

// Space is the range of claims of one kind: all points of a box. Their coordinates are integers that run from 1, or in
// Wide from From, to the ends of the box.
type Space struct {
	Kind        string   // the checker's name for such claims
	Axes        []string // the names of a point's numbers
	Wide, Small []int64  // the boxes that the build and the checker search; if Wide is nil, both search Small
	From        []int64  // where the numbers of Wide begin; nil means at 1
	// Values are functions of a point that a condition may name in addition to the axes. In a space of lines of play,
	// the orders of each wave follow the numbers of the point.
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

// box returns a box of the space, or the small box if no ends are given.
func (s Space) box(to []int64) box {
	if to == nil {
		to = s.Small
	}
	return box{axes: s.Axes, from: s.From, to: to}
}

// opaque has the methods that Starlark requires of Go values. Such values can only be named and passed on.
type opaque struct{}

func (opaque) Type() string          { return "claims" }
func (opaque) Freeze()               {}
func (opaque) Truth() starlark.Bool  { return true }
func (opaque) Hash() (uint32, error) { return 0, fmt.Errorf("a value of claims cannot be a key") }

// number is a condition or an order as a function of a point. A true condition is 1, and a false one is 0. The numbers
// of points come from small boxes, so nothing overflows.
type number func(at []int64) int64

// conditions are two conditions on a point. The second has to hold for the points for which the first holds.
type conditions struct{ among, says number }

// compile compiles two conditions. The second may use orders of a line of play.
func (s Space) compile(among, says string, orders ...string) (c conditions, err error) {
	var played []number
	for _, order := range orders {
		n, err := s.number(order, nil)
		if err != nil {
			return conditions{}, err
		}
		played = append(played, n)
	}
	if c.among, err = s.number(among, nil); err != nil {
		return conditions{}, err
	}
	c.says, err = s.number(says, played)
	return c, err
}

// number compiles an expression. It passes the orders to the values that the expression names.
func (s Space) number(text string, orders []number) (number, error) {
	expr, err := dialect.ParseExpr("", text, 0)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", text, err)
	}
	of, err := s.compiled(expr, orders)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", text, err)
	}
	return of, nil
}

func (s Space) compiled(expr syntax.Expr, orders []number) (number, error) {
	switch e := expr.(type) {
	case *syntax.ParenExpr:
		return s.compiled(e.X, orders)
	case *syntax.Literal:
		if value, ok := e.Value.(int64); ok {
			return func([]int64) int64 { return value }, nil
		}
	case *syntax.Ident:
		if i := slices.Index(s.Axes, e.Name); i >= 0 {
			return func(at []int64) int64 { return at[i] }, nil
		}
		value, ok := s.Values[e.Name]
		if !ok {
			return nil, fmt.Errorf("%s is not defined", e.Name)
		}
		if orders == nil {
			return value, nil
		}
		return func(at []int64) int64 {
			played := slices.Clone(at)
			for _, order := range orders {
				played = append(played, order(at))
			}
			return value(played)
		}, nil
	case *syntax.UnaryExpr:
		x, err := s.compiled(e.X, orders)
		switch {
		case err != nil:
			return nil, err
		case e.Op == syntax.NOT:
			return func(at []int64) int64 { return OneIf(x(at) == 0) }, nil
		case e.Op == syntax.MINUS:
			return func(at []int64) int64 { return -x(at) }, nil
		}
	case *syntax.BinaryExpr:
		x, err := s.compiled(e.X, orders)
		if err != nil {
			return nil, err
		}
		y, err := s.compiled(e.Y, orders)
		if err != nil {
			return nil, err
		}
		if joined := binary(e.Op, x, y); joined != nil {
			return joined, nil
		}
	}
	return nil, fmt.Errorf("a condition can contain whole numbers, names, comparisons, sums, products, \"and\", "+
		"\"or\" and \"not\", but not %T", expr)
}

// OneIf returns 1 if a condition holds, and 0 otherwise.
func OneIf(holds bool) int64 {
	if holds {
		return 1
	}
	return 0
}

// binary joins two expressions by an operator. It returns nil if there is no such operator.
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

// search searches a box, in the order of its axes, for the first point for which the first condition holds and the
// second does not. It returns the number of points before it for which the first condition holds, and the point, or nil
// if there is none. It fails if the context ends.
func (c conditions) search(ctx context.Context, b box) (cases int, found []int64, err error) {
	for at := range chapter.Points(b.from, b.to) {
		if c.among(at) != 0 {
			cases++
			if c.says(at) == 0 {
				return cases, at, nil
			}
		}
		if at[len(at)-1] == b.to[len(at)-1] {
			if err := canceled.Cause(ctx); err != nil {
				return 0, nil, err
			}
		}
	}
	return cases, nil, nil
}

// Search searches the points of a box, from 1 to its ends, for the first point for which the first condition holds and
// the second does not. It returns the number of points up to this one for which the first condition holds, and the
// point. Without such a point, it returns nil and the number for the whole box. It fails if a condition cannot be read.
func (s Space) Search(among, says string, to []int64) (cases int, found []int64, err error) {
	c, err := s.compile(among, says)
	if err != nil {
		return 0, nil, err
	}
	return c.search(context.Background(), box{to: to})
}
