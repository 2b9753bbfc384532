// Package claims reads a game's table of claims, and checks the claims.
//
// A table is a text in Starlark, a subset of Python, with a call for each claim:
//
//	noted(
//	    id = "iii-tie", where = "III, case 2d", ref = "page:tank-rules",
//	    proof = "sec:proofs-tank-pumps/theorem-6",
//	    says = r"For $d = n$ the pumps can hold a tie from day 2 on",
//	    check = every("d == n and s > n", "leaks_first_ties == 1"),
//	)
//
// erratum, confirmed and noted put a claim into one of the lists of [chapter.Claims]. The other fields are title,
// convention, verdict, stands and ours, as in [chapter.Claim], and truth, example and checked, as in [chapter.Finding].
// In texts, {{expression}} is replaced by the value of the expression.
//
// The conditions in a check are used three times: the build evaluates them with the library, the ledger prints them,
// and the ledger's checker evaluates the same strings with its own rules. They may use the names in [Space.Values] and
// in the result of [Game.Play]. A check is one of these, or a list of them:
//
//	every(among, says)           in all battles of a box in which the first condition holds, the second does; texts
//	                             call their number cases
//	refuted(among, says)         in one battle it does not; the first such battle is called first in the texts
//	battle(at, play, values)     a line of play, with values that the checker computes again, and what holds of it
//	all_tests(holds)             a condition that holds in all tests of the posts, in some, or exactly in some
//	expect("expression")         of the texts' language; the checker does not see it
//	computed("name")             a Go function, for checks that the others cannot express
//
// A claim that is read without wasted shots may have a further check, true_with_waste or false_with_waste. It shows
// whether the statement is true or false if shots may be wasted. The first battle that the check calls is the example.
//
// wide and small are the game's boxes, and box(8, 24, 16) is another box. tests are the battles of the posts, and
// army(10, 43, 8) is a battle. For texts, count(among) is the number of battles in a box, and listed(list) writes a
// list in words.
//
// A game adds its own checks in [Game.Names].
package claims

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"go.starlark.net/lib/json"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/report/content"
)

// dialect is the language of tables, conditions and texts.
var dialect = &syntax.FileOptions{}

// contextKey is the key under which a thread keeps its context.
const contextKey = "context"

// newThread returns a thread that stops when the context ends.
func newThread(ctx context.Context) (thread *starlark.Thread, release func() bool) {
	thread = &starlark.Thread{Name: "claims"}
	thread.SetLocal(contextKey, ctx)
	return thread, context.AfterFunc(ctx, func() { thread.Cancel(ctx.Err().Error()) })
}

// WholeNumbers converts a Starlark list to integers.
func WholeNumbers(list starlark.Value) ([]int64, error) {
	values, ok := list.(starlark.Iterable)
	if !ok {
		return nil, fmt.Errorf("%v is not a list", list)
	}
	all := []int64{}
	for value := range starlark.Elements(values) {
		var number int64
		if err := starlark.AsInt(value, &number); err != nil {
			return nil, err
		}
		all = append(all, number)
	}
	return all, nil
}

// Game is a game with a table of claims.
type Game struct {
	Name  string // the game's name in the ledger
	File  string // the path of the table from the root of the repository
	Table string
	Space // the space of battles; its Kind is "every"
	// Play plays a battle. told is the battle with its line of play, the values that a check names, and the condition
	// holds, in the form that the checker reads. said has the values that the condition may name in addition to the
	// values of the space.
	Play func(ctx context.Context, at []int64, play starlark.Value, values, holds string) (told any,
		said starlark.StringDict, err error)
	Tests []starlark.Value // battles of the posts, each from Battle
	// Names are additional names for tables: constants, and the game's own checks, made by [Check].
	Names starlark.StringDict
	// Computed are the checks in Go.
	Computed map[string]func(context.Context) (chapter.Finding, error)
}

// Battle is a battle as a value of the language. Its attributes are its numbers, the values of the space, and the
// values from Play.
type Battle struct {
	opaque
	game *Game
	At   []int64
	more starlark.StringDict
}

// Battle returns a battle. more has attributes that not all battles have.
func (g *Game) Battle(at []int64, more starlark.StringDict) *Battle {
	return &Battle{game: g, At: at, more: more}
}

func (b *Battle) String() string {
	return chapter.NoBreak("(" + chapter.Joined(b.At) + ")")
}

// Attr returns an attribute.
func (b *Battle) Attr(name string) (starlark.Value, error) {
	if i := slices.Index(b.game.Axes, name); i >= 0 {
		return starlark.MakeInt64(b.At[i]), nil
	}
	if value, ok := b.more[name]; ok {
		return value, nil
	}
	if value, ok := b.game.Values[name]; ok {
		return starlark.MakeInt64(value(b.At)), nil
	}
	return nil, nil
}

// AttrNames returns the names of the additional attributes.
func (b *Battle) AttrNames() []string { return b.more.Keys() }

// check is a check of a claim, as a value of the language.
type check struct {
	opaque
	run func(*Run) error
}

func (check) String() string { return "a check" }

// Check returns a check that tables can use.
func Check(run func(*Run) error) starlark.Value { return check{run: run} }

// Told returns a check that only passes numbers to the checker.
func Told(numbers any) starlark.Value {
	return Check(func(r *Run) error {
		r.Tell(numbers)
		return nil
	})
}

// Call turns a Go function into a Starlark function. The Go function receives the context of the check or text that
// calls it.
func Call(name string, do func(context.Context, starlark.Tuple) (starlark.Value, error)) starlark.Value {
	return builtin(name, func(c call) (starlark.Value, error) {
		ctx, ok := c.thread.Local(contextKey).(context.Context)
		if !ok { // no check runs, because the table is being read
			ctx = context.Background()
		}
		return do(ctx, c.args)
	})
}

// Run is a check that is being run.
type Run struct {
	context.Context
	game    *Game
	names   starlark.StringDict // the names that texts may use
	told    []any
	finding chapter.Finding
}

// Tell passes numbers to the checker.
func (r *Run) Tell(told any) { r.told = append(r.told, told) }

// names returns the names that a table may use.
func (g *Game) names() starlark.StringDict {
	all := starlark.StringDict{
		"json": json.Module, "every": g.Quantifier(g.Space),
		"wide": box{axes: g.Axes, to: g.Wide}, "small": box{axes: g.Axes, to: g.Small},
		"tests": starlark.NewList(g.Tests),
	}
	for name, do := range map[string]func(call) (starlark.Value, error){
		"box": g.boxOf, "army": g.armyOf, "refuted": g.refuted, "battle": g.battle, "all_tests": g.tests,
		"expect": g.expect, "computed": g.computed, "listed": listed,
	} {
		all[name] = builtin(name, do)
	}
	maps.Copy(all, g.Names)
	return all
}

// call is a call of a Go function from the language.
type call struct {
	name   string
	thread *starlark.Thread
	args   starlark.Tuple
	named  []starlark.Tuple
}

// unpack reads the arguments, as starlark.UnpackArgs does.
func (c call) unpack(pairs ...any) error {
	return starlark.UnpackArgs(c.name, c.args, c.named, pairs...)
}

// builtin turns a Go function into a Starlark function.
func builtin(name string, do func(call) (starlark.Value, error)) *starlark.Builtin {
	return starlark.NewBuiltin(name, func(
		thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, named []starlark.Tuple,
	) (starlark.Value, error) {
		return do(call{name, thread, args, named})
	})
}

// Claims reads the table. It panics if it cannot read the table, because the table is part of the program. The texts of
// claims are known before they are checked.
func (g *Game) Claims() chapter.Claims {
	var all chapter.Claims
	names := g.names()
	for name, list := range map[string]*[]chapter.Claim{
		"erratum": &all.Errata, "confirmed": &all.Confirmed,
		"noted": &all.Noted,
	} {
		names[name] = builtin(name, func(c call) (starlark.Value, error) {
			place := content.Place{File: g.File, Line: int(c.thread.CallFrame(1).Pos.Line)}
			claim, err := row{game: g, names: names, place: place}.claim(c)
			*list = append(*list, claim)
			return starlark.None, err
		})
	}
	globals, err := starlark.ExecFileOptions(dialect, &starlark.Thread{Name: g.File}, g.File, g.Table, names)
	var failed *starlark.EvalError
	if errors.As(err, &failed) {
		err = errors.New(failed.Backtrace())
	}
	maps.Copy(names, globals)
	for _, list := range [][]chapter.Claim{all.Errata, all.Confirmed, all.Noted} {
		for i := range list {
			if err == nil {
				list[i].Printed, err = written(context.Background(), string(list[i].Printed), names)
			}
		}
	}
	if err != nil {
		panic(fmt.Sprintf("%s: %v", g.File, err))
	}
	return all
}

// row is a claim of the table.
type row struct {
	game                     *Game
	names                    starlark.StringDict
	place                    content.Place
	truth, example, searched string
	checks, wasteful         []check
}

func (r row) claim(row call) (c chapter.Claim, err error) {
	var says, convention, verdict, stands string
	var checks, trueWasting, falseWasting starlark.Value
	err = row.unpack("id", &c.ID, "where", &c.Where, "says", &says, "title?", &c.Title, "convention?", &convention,
		"verdict?", &verdict, "stands?", &stands, "proof?", &c.Proof, "ref?", &c.Ref, "ours?", &c.Ours, "truth?",
		&r.truth, "example?", &r.example, "checked?", &r.searched, "check?", &checks, "true_with_waste?", &trueWasting,
		"false_with_waste?", &falseWasting)
	if err != nil {
		return c, err
	}
	c.Convention, c.Verdict, c.Stands = content.Convention(convention), chapter.Verdict(verdict),
		content.Standing(stands)
	if r.checks, err = checksOf(c.ID, checks); err != nil {
		return c, err
	}
	for truth, value := range map[content.Truth]starlark.Value{content.True: trueWasting, content.False: falseWasting} {
		if value == nil {
			continue
		}
		if c.Convention != chapter.NoWaste || c.WithWaste != "" {
			return c, fmt.Errorf("%s: only a claim that is read without waste can have a check with waste, and at "+
				"most one", c.ID)
		}
		c.WithWaste = truth
		if r.wasteful, err = checksOf(c.ID, value); err != nil {
			return c, err
		}
	}
	c.Printed, c.Place, c.Check = content.Markdown(says), r.place, r.run
	return c, nil
}

// checksOf reads a check, or a list of them.
func checksOf(id string, value starlark.Value) (all []check, err error) {
	switch value := value.(type) {
	case check:
		return []check{value}, nil
	case *starlark.List:
		for each := range value.Elements() {
			one, ok := each.(check)
			if !ok {
				return nil, fmt.Errorf("%s: %v is not a check", id, each)
			}
			all = append(all, one)
		}
	}
	return all, nil
}

// run runs the checks of a claim, and writes its texts.
func (r row) run(ctx context.Context) (chapter.Finding, error) {
	run := &Run{Context: ctx, game: r.game, names: maps.Clone(r.names)}
	run.names["count"] = builtin("count", run.count)
	for _, c := range r.checks {
		if err := c.run(run); err != nil {
			return chapter.Finding{}, err
		}
	}
	f := run.finding
	if len(r.wasteful) > 0 {
		wasteful := &Run{Context: ctx, game: r.game, names: maps.Clone(r.names)}
		for _, c := range r.wasteful {
			if err := c.run(wasteful); err != nil {
				return chapter.Finding{}, err
			}
		}
		if first, ok := wasteful.names["first"]; ok {
			f.Wasted = content.Markdown(first.String())
		}
		run.told = append(run.told, wasteful.told...)
	}
	texts := []struct {
		text string
		to   *content.Markdown
	}{{r.truth, &f.Truth}, {r.example, &f.Example}, {r.searched, (*content.Markdown)(&f.Checked)}}
	for _, t := range texts {
		if t.text != "" {
			var err error
			if *t.to, err = written(ctx, t.text, run.names); err != nil {
				return chapter.Finding{}, err
			}
		}
	}
	switch len(run.told) {
	case 0:
	case 1:
		f.Recompute = run.told[0]
	default:
		f.Recompute = chapter.AllOf(run.told...)
	}
	return f, nil
}

var inText = regexp.MustCompile(`\{\{(.*?)\}\}`)

// written replaces the expressions in a text with their values. It formats numbers as content.Thousands does.
func written(ctx context.Context, text string, names starlark.StringDict) (content.Markdown, error) {
	var said strings.Builder
	from := 0
	for _, at := range inText.FindAllStringSubmatchIndex(text, -1) {
		value, err := evaluate(ctx, text[at[2]:at[3]], names)
		if err != nil {
			return "", err
		}
		said.WriteString(text[from:at[0]] + shown(value))
		from = at[1]
	}
	return content.Markdown(said.String() + text[from:]), nil
}

// shown formats a value for a text.
func shown(value starlark.Value) string {
	if text, ok := starlark.AsString(value); ok {
		return text
	}
	if number, ok := value.(starlark.Int); ok {
		return content.Thousands(number.String())
	}
	return value.String()
}

func evaluate(ctx context.Context, expression string, names starlark.StringDict) (starlark.Value, error) {
	thread, release := newThread(ctx)
	defer release()
	value, err := starlark.EvalOptions(dialect, thread, expression, expression, names)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", expression, err)
	}
	return value, nil
}

// Function turns a Go function of integers into a Starlark function.
func Function(name string, of func(at []int64) starlark.Value) starlark.Value {
	return builtin(name, func(c call) (starlark.Value, error) {
		at, err := WholeNumbers(c.args)
		if err != nil {
			return nil, err
		}
		return of(at), nil
	})
}

// Numbers turns a list of integers into a Starlark list.
func Numbers[N int | int64](numbers ...N) starlark.Value {
	values := make([]starlark.Value, len(numbers))
	for i, number := range numbers {
		values[i] = starlark.MakeInt64(int64(number))
	}
	return starlark.NewList(values)
}
