package castle

import (
	"context"
	_ "embed"
	"sort"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/phi"
	"github.com/siegebook/siegebook/report/pictures"
)

// Exercises returns the game's exercises whose answers are numbers.
func Exercises() []pictures.Exercise {
	return []pictures.Exercise{AskSmall, AskTies, AskMost, AskForm, AskShort, AskWaves, AskArmy, AskPaths, AskLaw}
}

//go:embed exercises.txt
var exercises string

// AskSmall asks about a small battle with more soldiers than defenders, which readers can play by hand.
var AskSmall = pictures.Exercise{
	Name: "castle-ask-small", Texts: &exercises,
	Other: func(random uint64) pictures.Values {
		n := 2 + int64(random%5)
		return pictures.With("n", n, "s", n+2+int64(random/5%20), "d", 1+int64(random/100)%(n-1))
	},
	Solve: func(v pictures.Values) (pictures.Solved, error) {
		b, err := patientBattle(v)
		if err != nil {
			return pictures.Solved{}, err
		}
		left, fall := b.MostSurvivors()
		return pictures.Solved{
			Values: map[string]any{
				"battle": triple(b), "waves": b.MinWaves(), "left": left, "fall": fall,
				"free": b.Soldiers - b.DefendersPerWave,
			},
			Wrong: fewestWrong(b),
		}, nil
	},
}

// patientBattle returns the battle that the values describe. It must be a battle in which the soldiers win and can
// wait.
func patientBattle(v pictures.Values) (game.Battle, error) {
	b := battleOf(v)
	if b.CastleHits <= b.Soldiers {
		return b, pictures.Refuse("s", "castle hits (s) = %d: in this exercise, there must be more than the %d hits "+
			"of the first wave", b.CastleHits, b.Soldiers)
	}
	if b.DefendersPerWave >= b.Soldiers {
		return b, pictures.Refuse("d", "defenders a wave (d) = %d: in this exercise, there must be fewer than the %s",
			b.DefendersPerWave, pictures.Plural(b.Soldiers, "soldier"))
	}
	return b, nil
}

// fewestWrong returns functions that explain a wrong number of waves for a battle that the soldiers can win.
func fewestWrong(b game.Battle) map[string]func(int64) string {
	return map[string]func(int64) string{"waves": func(given int64) string {
		if given < b.MinWaves() {
			return "No play wins that early."
		}
		return "They can win sooner."
	}}
}

// triple returns a battle in the notation of the pages.
func triple(b game.Battle) string {
	return pictures.Formula(pictures.Text("(%v, %v, %v)", b.Soldiers, b.CastleHits, b.DefendersPerWave))
}

// AskShort asks how many waves too few a published formula predicts if there are fewer defenders per wave than
// soldiers.
var AskShort = pictures.Exercise{
	Name: "castle-ask-short", Texts: &exercises,
	Other: func(random uint64) pictures.Values {
		n := 4 + int64(random%6)
		return pictures.With("n", n, "s", n+1+int64(random/6%uint64(3*n)), "d", 1+int64(random/1000)%(n-1))
	},
	Solve: func(v pictures.Values) (pictures.Solved, error) {
		b, err := patientBattle(v)
		if err != nil {
			return pictures.Solved{}, err
		}
		n, d := b.Soldiers, b.DefendersPerWave
		left := func(q int64) int64 { return b.CastleHits + q*d - (q+1)*n }
		good := func(q int64) bool { return left(q) <= 0 || left(q)*(left(q)+d) <= n*d }
		q := (b.CastleHits-n)/(n-d) + 1 // at this q, no defender is left
		for good(q - 1) {
			q--
		}
		hunt := func(q int64) int64 { // returns the number of waves of a hunt
			if left(q) <= 0 {
				return 0
			}
			return int64(len(Hunt(n, left(q)))) - 1
		}
		wait, waves := max(1, q), b.MinWaves()
		forgotten, why := waves-q-hunt(q), ", the first."
		if q < 1 {
			why = pictures.Text(": the first, and more because its *q* is less than 1.")
		}
		wrong := fewestWrong(b)
		wrong["forgotten"] = func(given int64) string {
			if given < forgotten {
				return "It forgets more."
			}
			return "It does not forget that many."
		}
		return pictures.Solved{
			Values: map[string]any{
				"battle": triple(b), "q": q, "x": max(0, left(q)), "k": hunt(q), "promised": q + hunt(q),
				"waves": waves, "wait": wait, "hunt": hunt(wait), "forgotten": forgotten, "why": why,
			},
			Wrong: wrong,
		}, nil
	},
}

// AskTies asks in how many battles "defenders first" leads to a tie.
var AskTies = pictures.Exercise{
	Name: "castle-ask-ties", Texts: &exercises,
	Other: func(random uint64) pictures.Values {
		n := 2 + int64(random%9)
		return pictures.With("n", n, "s", n+1+int64(random/9%30), "d", 1+int64(random/270%20))
	},
	Solve: func(v pictures.Values) (pictures.Solved, error) {
		n, mostHits := v.Int("n"), v.Int("s")
		ties, first := int64(0), int64(0)
		for s := int64(1); s <= mostHits; s++ {
			for d := int64(1); d <= v.Int("d"); d++ {
				if battle(n, s, d).Play(game.DefendersFirst).Winner != game.Tie {
					continue
				}
				if ties++; first == 0 {
					first = s
				}
			}
		}
		which := "None: a tie needs *d* = *n* and *s* > *n*."
		if ties > 0 {
			which = pictures.Text("%v: the battles with *d* = %v and *s* from %v to %v. From wave 2 on, all soldiers "+
				"shoot at an equal number of defenders, and none at the castle.", ties, n, first, mostHits)
		}
		return pictures.Solved{Values: map[string]any{"ties": ties, "which": which}}, nil
	},
}

// formOf returns n² - nx - x².
func formOf(n, x int64) int64 { return n*n - n*x - x*x }

// AskMost asks for the largest number of defenders that the soldiers can hunt down.
var AskMost = pictures.Exercise{
	Name: "castle-ask-most", Texts: &exercises,
	Other: func(random uint64) pictures.Values { return pictures.With("n", 20+random%480) },
	Solve: func(v pictures.Values) (pictures.Solved, error) {
		const mostAsked = 1_000_000 // small enough to keep the form from overflowing
		n := v.Int("n")
		most := int64(phi.FloorDiv(uint64(n)))
		return pictures.Solved{
			Values: map[string]any{
				"most": most, "more": most + 1, "waves": len(Hunt(n, most)) - 1, "form": formOf(n, most),
				"other": formOf(n, most+1),
			},
			Wrong: map[string]func(int64) string{"most": func(given int64) string {
				switch {
				case given < 0:
					return "The number of defenders cannot be negative."
				case given < most:
					return "They win against that number, and against more."
				case given > mostAsked:
					return "They lose against that number."
				}
				return pictures.Text("They lose against that number: %v = %v.", pictures.Formula("n² − nx − x²"),
					formOf(n, given))
			}},
		}, nil
	},
}

// AskForm asks for the invariant of a hunt that begins with two consecutive Fibonacci numbers.
var AskForm = pictures.Exercise{
	Name: "castle-ask-form", Texts: &exercises,
	Other: func(random uint64) pictures.Values {
		k := 4 + int(random%12)
		return pictures.With("n", phi.Fib(k+1), "x", phi.Fib(k))
	},
	Solve: func(v pictures.Values) (pictures.Solved, error) {
		n, x := v.Int("n"), v.Int("x")
		who := "positive, so the soldiers win"
		if formOf(n, x) <= 0 {
			who = "negative, so the castle wins"
		}
		return pictures.Solved{
			Values: map[string]any{"nn": n * n, "nx": n * x, "xx": x * x, "form": formOf(n, x), "who": who},
		}, nil
	},
}

// AskWaves asks for the fewest waves in a battle in which waiting pays off.
var AskWaves = pictures.Exercise{
	Name: "castle-ask-waves", Texts: &exercises,
	Other: func(random uint64) pictures.Values {
		n := 8 + int64(random%30)
		return pictures.With("n", n, "s", 2*n+int64(random/30)%(2*n), "d", n/2+1+int64(random/3600)%(n-n/2-1))
	},
	Solve: func(v pictures.Values) (pictures.Solved, error) {
		b, err := patientBattle(v)
		if err != nil {
			return pictures.Solved{}, err
		}
		n, s, d := b.Soldiers, b.CastleHits, b.DefendersPerWave
		left := func(q int64) int64 { return s + q*d - (q+1)*n }
		q := int64(1)
		for left(q) > 0 && left(q)*left(q)+d*left(q) > n*d {
			q++
		}
		x, late := max(0, left(q)), ""
		if x > 0 {
			late = pictures.Text(" and `*x*² + *dx*` = %v, which is at most *nd* = %v", x*x+d*x, n*d)
		}
		return pictures.Solved{
			Values: map[string]any{
				"battle": triple(b), "waves": b.MinWaves(), "nd": n * d, "first": left(1), "gain": n - d, "q": q,
				"left": left(q), "late": late, "strike": q + 1, "k": len(Hunt(n, x)) - 1,
			},
			Wrong: fewestWrong(b),
		}, nil
	},
}

// AskArmy asks for the smallest army that takes a castle with as many hits as defenders per wave.
var AskArmy = pictures.Exercise{
	Name: "castle-ask-army", Texts: &exercises,
	Other: func(random uint64) pictures.Values { return pictures.With("s", 20+random%2000) },
	Solve: func(v pictures.Values) (pictures.Solved, error) {
		s := v.Int("s")
		wins := func(n int64) bool {
			return n > 0 && battle(n, s, s).MinWaves() > 0
		}
		least := int64(sort.Search(int(s), func(n int) bool { return wins(int64(n)) })) // s soldiers win at once
		fewer := ""
		if least > 1 {
			fewer = pictures.Text("; with one soldier fewer, they win only up to %v", lastWon(least-1))
		}
		return pictures.Solved{
			Values: map[string]any{"least": least, "border": lastWon(least), "sum": 2 * s, "fewer": fewer},
			Wrong: map[string]func(int64) string{"least": func(given int64) string {
				if wins(min(given, s)) {
					return "They win, but so does a smaller army."
				}
				return "They lose."
			}},
		}, nil
	},
}

// AskPaths asks for the number of paths in a small battle, by winner.
var AskPaths = pictures.Exercise{
	Name: "castle-ask-paths", Texts: &exercises,
	Other: func(random uint64) pictures.Values {
		n := 2 + int64(random%3)
		return pictures.With("n", n, "s", n+1+int64(random/3%3), "d", 1+int64(random/9%5))
	},
	Solve: func(v pictures.Values) (pictures.Solved, error) {
		b := battleOf(v)
		counts, err := b.Count(context.Background(), game.CountOptions{})
		if err != nil {
			return pictures.Solved{}, err
		}
		return pictures.Solved{Values: map[string]any{
			"battle": triple(b), "soldiers": counts.Soldiers.Total(), "castle": counts.Castle.Total(),
			"ties": counts.Ties,
		}}, nil
	},
}

// AskLaw asks for the number of paths in battles of two soldiers against one defender per wave.
var AskLaw = pictures.Exercise{
	Name: "castle-ask-law", Texts: &exercises,
	Other: func(random uint64) pictures.Values { return pictures.With("s", 4+random%60) },
	Solve: func(v pictures.Values) (pictures.Solved, error) {
		counts, err := battle(2, v.Int("s"), 1).Count(context.Background(), game.CountOptions{})
		if err != nil {
			return pictures.Solved{}, err
		}
		all := counts.Soldiers.Total()
		all.Add(all, counts.Castle.Total()).Add(all, counts.Ties)
		return pictures.Solved{Values: map[string]any{"paths": all}}, nil
	},
}
