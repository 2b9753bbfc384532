package listing

import (
	"cmp"
	"context"
	"fmt"

	"github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/analysis/tower"
)

// Game is a game whose players a listing may be.
type Game struct {
	Name      string
	Signature Signature            // the function that a listing defines
	Axes      []string             // the positive numbers that make a case on which players are compared
	Own       func(*Listing) Judge // what judges a listing
	Library   func() []Player      // those of the library, which listings are compared with
}

// Player is a player of the library.
type Player struct {
	Name  string
	Judge Judge
}

// Judge plays the battles of a case, whose numbers are those of the axes, and counts how a player does. The errors are
// the *Error of a listing, that of a case that there is not, and that of the context.
type Judge func(ctx context.Context, at []int64, t *Tally) error

// Games are all games.
var Games = []Game{
	{
		Name: "castle", Signature: CastleSignature, Axes: []string{"soldiers", "castle hits", "defenders per wave"},
		Own: func(l *Listing) Judge { return judgeCastle(Castle(l)) },
		Library: func() (all []Player) {
			for _, a := range castle.AlgorithmsOf(castle.Heuristic) {
				all = append(all, Player{a.Name, judgeCastle(a)})
			}
			return all
		},
	},
	{
		Name: "tower", Signature: TowerSignature, Axes: []string{"soldiers", "hits", "kills", "towers"},
		Own: func(l *Listing) Judge { return judgeTower(l.aims) },
		Library: func() (all []Player) {
			for _, strategy := range tower.Strategies() {
				play := func(_ tower.Battle, _ int64, s tower.State) ([]tower.Aim, error) {
					return strategy.Aims(s),
						nil
				}
				all = append(all, Player{strategy.String(), judgeTower(play)})
			}
			return all
		},
	},
	{
		Name: "ants", Signature: AntsSignature, Axes: []string{"rows", "columns", "owners", "radius2"},
		Own: func(l *Listing) Judge { return judgeAnts(l.Deaths) },
		Library: func() (all []Player) {
			for _, rule := range ants.Rules() {
				play := func(_ context.Context, world ants.World, army []ants.Ant) ([]bool, error) {
					outcome, err := ants.Solve(world, army, rule)
					return outcome.Dead, err
				}
				all = append(all, Player{rule.String(), judgeAnts(play)})
			}
			return all
		},
	},
	{
		Name: "naval", Signature: NavalSignature, Axes: []string{"fleet"},
		Own: func(l *Listing) Judge { return judgeNaval(l.sink) },
		Library: func() (all []Player) {
			for _, t := range naval.Targetings() {
				if strategy := (naval.Strategy{Targeting: t, Halo: true}); t.Cost() <= 1000 {
					all = append(all, Player{strategy.String(), judgeNaval(shooter(strategy))})
				}
			}
			return all
		},
	},
}

// Tally sums up how a player does in battles.
type Tally struct {
	Battles   int64 // those that were played to their end
	Right     int64 // as well as can be
	WrongSide int64 // lost, and can be won
	TooMany   int64 // with more waves, rounds, shots or ants judged otherwise than need be
	Extra     int64 // how many more, in all of these
	ExtraMax  int64
	// FirstWrongSide and FirstTooMany are the first such battles, empty if there is none.
	FirstWrongSide, FirstTooMany string
}

// First is the first battle in which the player errs, one on the wrong side if there is any; empty if there is none.
func (t Tally) First() string { return cmp.Or(t.FirstWrongSide, t.FirstTooMany) }

// Add adds the tally of later battles.
func (t *Tally) Add(u Tally) {
	t.Battles, t.Right = t.Battles+u.Battles, t.Right+u.Right
	t.WrongSide, t.TooMany = t.WrongSide+u.WrongSide, t.TooMany+u.TooMany
	t.Extra, t.ExtraMax = t.Extra+u.Extra, max(t.ExtraMax, u.ExtraMax)
	t.FirstWrongSide = cmp.Or(t.FirstWrongSide, u.FirstWrongSide)
	t.FirstTooMany = cmp.Or(t.FirstTooMany, u.FirstTooMany)
}

// count counts a battle that is won in so many steps, 0 if it is lost, and can be won in best at the fewest.
func (t *Tally) count(battle fmt.Stringer, steps, best int64) {
	one := Tally{Battles: 1}
	switch {
	case (steps > 0) != (best > 0):
		one.WrongSide, one.FirstWrongSide = 1, battle.String()
	case steps > best:
		one.TooMany, one.Extra, one.ExtraMax, one.FirstTooMany = 1, steps-best, steps-best, battle.String()
	default:
		one.Right = 1
	}
	t.Add(one)
}

func judgeCastle(a castle.Algorithm) Judge {
	return func(ctx context.Context, at []int64, t *Tally) error {
		b := castle.Battle{Soldiers: at[0], CastleHits: at[1], DefendersPerWave: at[2]}
		answer, err := a.Answer(ctx, b, castle.Effort{Steps: castle.SurveySteps})
		switch {
		case castle.OutOfEffort(err):
			return nil
		case err != nil:
			return err
		case answer.Winner != castle.Soldiers:
			answer.Waves = 0
		}
		t.count(b, answer.Waves, b.MinWaves())
		return nil
	}
}

// in names a place in the message of a fault.
func in(err error, format string, place ...any) error {
	if fault, ok := err.(*Error); ok {
		fault.Message = fmt.Sprintf(format, place...) + ": " + fault.Message
	}
	return err
}
