package castle

import (
	"context"
	"fmt"
	"sort"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/phi"
	"github.com/siegebook/siegebook/report/pictures"
)

// Exercises are those of the game whose answers are numbers.
func Exercises() []pictures.Exercise {
	return []pictures.Exercise{AskSmall, AskTies, AskMost, AskForm, AskWaves, AskArmy, AskPaths, AskLaw}
}

// The bounds of what exercises ask about: their solutions can be checked by hand, and computed at once.
const (
	mostAskedArmy  = 1_000_000
	mostAskedPaths = 14
)

// AskSmall is a battle to be played by hand, of more soldiers than defenders.
var AskSmall = pictures.Exercise{
	Name: "castle-ask-small",
	Numbers: []pictures.Field{
		pictures.Asked("n", "soldiers", 2, 1000, 2), pictures.Asked("s", "castle hits", 1, 1000, 10),
		pictures.Asked("d", "defenders a wave", 1, 999, 1),
	},
	Other: func(random uint64) pictures.Values {
		n := 2 + int64(random%5)
		return pictures.With("n", n, "s", n+2+int64(random/5%20), "d", 1+int64(random/100)%(n-1))
	},
	Pose: func(v pictures.Values) (pictures.Problem, error) {
		b, err := patientBattle(v)
		if err != nil {
			return pictures.Problem{}, err
		}
		n, s, d := b.Soldiers, b.CastleHits, b.DefendersPerWave
		waves := b.MinWaves()
		left, fall := b.MostSurvivors()
		return pictures.Problem{
			Question: pictures.Spans("Play the battle ", triple(b), " by hand: ", pictures.Plural(n, "soldier"), ", ",
				pictures.Plural(s, "hit"), ", ", pictures.Plural(d, "defender"),
				" a wave. In how many waves can the soldiers win, and how many of them can be left then at most?"),
			Asks: []pictures.Ask{
				{Label: "fewest waves", Answer: waves, Wrong: fewestWrong(b)},
				{Label: "soldiers left", Answer: left},
			},
			Hint: pictures.Spans("In wave 1 all shoot at the castle. From wave 2 on, ", pictures.People(d),
				" can shoot the fresh defenders. How many shoot at the castle then?"),
			Solution: pictures.Spans("They need ", pictures.Plural(waves, "wave"), ". Each wave of waiting has ",
				pictures.Plural(d, "shot"), " at the fresh defenders and ", pictures.Plural(n-d, "shot"),
				" at the castle, so nobody dies. The castle falls in wave ", pictures.People(fall), ", and ",
				pictures.People(left), " of ", pictures.People(n), " are left at the end."),
		}, nil
	},
}

// patientBattle is a battle that the soldiers win, and in which they can wait.
func patientBattle(v pictures.Values) (game.Battle, error) {
	b := battleOf(v)
	if b.CastleHits <= b.Soldiers || b.DefendersPerWave >= b.Soldiers {
		return b, pictures.Refuse("s", "(%d, %d, %d): the exercise takes n < s and d < n", b.Soldiers, b.CastleHits,
			b.DefendersPerWave)
	}
	return b, nil
}

// fewestWrong says what is wrong with a number of waves of a battle that the soldiers win.
func fewestWrong(b game.Battle) func(int64) string {
	return func(given int64) string {
		if given < b.MinWaves() {
			return "No order wins so early."
		}
		return "They can win sooner."
	}
}

// triple is a battle as pages write it.
func triple(b game.Battle) string {
	return pictures.Formula(fmt.Sprintf("(%s, %s, %s)", pictures.People(b.Soldiers), pictures.People(b.CastleHits),
		pictures.People(b.DefendersPerWave)))
}

// AskTies asks in how many battles defenders first leads to a tie.
var AskTies = pictures.Exercise{
	Name: "castle-ask-ties",
	Numbers: []pictures.Field{
		pictures.Asked("n", "soldiers", 1, 60, 5), pictures.Asked("s", "most castle hits", 1, 60, 20),
		pictures.Asked("d", "most defenders", 1, 60, 10),
	},
	Other: func(random uint64) pictures.Values {
		n := 2 + int64(random%9)
		return pictures.With("n", n, "s", n+1+int64(random/9%30), "d", 1+int64(random/270%20))
	},
	Pose: func(v pictures.Values) (pictures.Problem, error) {
		n, mostHits, mostDefenders := v.Int("n"), v.Int("s"), v.Int("d")
		ties, first := int64(0), int64(0)
		for s := int64(1); s <= mostHits; s++ {
			for d := int64(1); d <= mostDefenders; d++ {
				b := game.Battle{Soldiers: n, CastleHits: s, DefendersPerWave: d}
				if b.Play(game.DefendersFirst).Winner != game.Tie {
					continue
				}
				if ties++; first == 0 {
					first = s
				}
			}
		}
		problem := pictures.Problem{
			Question: pictures.Spans(pictures.Plural(n, "soldier"), " play defenders first. How many of the battles "+
				"with ", pictures.Letter("s"), " from 1 to ", pictures.People(mostHits), " and ", pictures.Letter("d"),
				" from 1 to ", pictures.People(mostDefenders), " end in a tie?"),
			Asks: []pictures.Ask{{Label: "ties", Answer: ties}},
			Hint: pictures.Spans("In a tie every wave ends as it began. How many defenders come then, and who shoots " +
				"at the castle?"),
		}
		problem.Solution = pictures.Spans("None: for a tie ", pictures.Letter("d"), " has to be ", pictures.Letter("n"),
			", and ", pictures.Letter("s"), " more than ", pictures.Letter("n"), ".")
		if ties > 0 {
			problem.Solution = pictures.Spans(pictures.People(ties), ": those with ", pictures.Letter("d"), " = ",
				pictures.People(n), " and ", pictures.Letter("s"), " from ", pictures.People(first), " to ",
				pictures.People(mostHits), ". From wave 2 on all soldiers shoot at as many defenders, and nobody at "+
					"the castle.")
		}
		return problem, nil
	},
}

// AskMost asks how many defenders can be hunted down.
var AskMost = pictures.Exercise{
	Name:    "castle-ask-most",
	Numbers: []pictures.Field{pictures.Asked("n", "soldiers", 1, mostAskedArmy, 100)},
	Other:   func(random uint64) pictures.Values { return pictures.With("n", 20+random%480) },
	Pose: func(v pictures.Values) (pictures.Problem, error) {
		n := v.Int("n")
		most := int64(phi.FloorDiv(uint64(n)))
		waves := int64(len(Hunt(n, most)) - 1)
		form := func(x int64) string { return pictures.People(n*n - n*x - x*x) }
		return pictures.Problem{
			Question: pictures.Spans(pictures.Plural(n, "soldier"),
				" shoot in the wave in which the castle falls. How many defenders may that wave leave at most, if "+
					"the soldiers are to win, and in how many waves do they hunt down so many?"),
			Asks: []pictures.Ask{
				{Label: "defenders left", Answer: most, Wrong: func(given int64) string {
					switch {
					case given < 0:
						return "Fewer than nobody cannot be left."
					case given < most:
						return "They win against so many, and against more."
					case given > mostAskedArmy:
						return "They lose against so many."
					}
					return "They lose against so many: n² − nx − x² = " + form(given) + "."
				}},
				{Label: "waves of the hunt", Answer: waves},
			},
			Hint: pictures.Spans("The soldiers win exactly if ", pictures.Letter("n"), "² − ", pictures.Letter("nx"),
				" − ", pictures.Letter("x"), "² is positive, and ", pictures.Letter("n"), "/φ is about 0.618",
				pictures.Letter("n"), "."),
			Solution: pictures.Spans(pictures.People(most), ", in ", pictures.Plural(waves, "wave"), ". For ",
				pictures.Letter("x"), " = ", pictures.People(most), " the number ", pictures.Letter("n"), "² − ",
				pictures.Letter("nx"), " − ", pictures.Letter("x"), "² is ", form(most), ", for ", pictures.Letter("x"),
				" = ", pictures.People(most+1), " it is ", form(most+1), "."),
		}, nil
	},
}

// AskForm asks for the number that a hunt of two neighbours among the Fibonacci numbers keeps.
var AskForm = pictures.Exercise{
	Name: "castle-ask-form",
	Numbers: []pictures.Field{
		pictures.Asked("n", "soldiers", 1, mostAskedArmy, 21), pictures.Asked("x", "defenders left", 0, mostAskedArmy,
			13),
	},
	Other: func(random uint64) pictures.Values {
		k := 4 + int(random%12)
		return pictures.With("n", phi.Fib(k+1), "x", phi.Fib(k))
	},
	Pose: func(v pictures.Values) (pictures.Problem, error) {
		n, x := v.Int("n"), v.Int("x")
		form := n*n - n*x - x*x
		who := "positive, so the soldiers win"
		if form <= 0 {
			who = "negative, so the castle wins"
		}
		return pictures.Problem{
			Question: pictures.Spans("Compute ", pictures.Letter("n"), "² − ", pictures.Letter("nx"), " − ",
				pictures.Letter("x"), "² for the neighbours ", pictures.Letter("n"), " = ", pictures.People(n), " and ",
				pictures.Letter("x"), " = ", pictures.People(x),
				" among the Fibonacci numbers. Who wins this hunt? What follows for other neighbours?"),
			Asks: []pictures.Ask{{Label: "the number", Answer: form}},
			Hint: pictures.Spans("Put in the numbers. For other neighbours: the number stays the same when a hunt " +
				"goes two places back."),
			Solution: pictures.Spans(pictures.People(n*n), " − ", pictures.People(n*x), " − ", pictures.People(x*x),
				" = ", pictures.People(form), ": ", who,
				". Neighbours give 1 and −1 in turn. A whole number that is not 0 cannot be nearer to 0, so these "+
					"are the closest hunts there are. They are also long: each wave only goes back two places, to "+
					"the next smaller pair of the same kind."),
		}, nil
	},
}

// AskWaves asks for the fewest waves of a battle in which waiting is worth it.
var AskWaves = pictures.Exercise{
	Name: "castle-ask-waves",
	Numbers: []pictures.Field{
		pictures.Asked("n", "soldiers", 2, 10_000, 19), pictures.Asked("s", "castle hits", 1, 100_000, 50),
		pictures.Asked("d", "defenders a wave", 1, 10_000, 15),
	},
	Other: func(random uint64) pictures.Values {
		n := 8 + int64(random%30)
		return pictures.With("n", n, "s", 2*n+int64(random/30)%(2*n), "d", n/2+1+int64(random/3600)%(n-n/2-1))
	},
	Pose: func(v pictures.Values) (pictures.Problem, error) {
		b, err := patientBattle(v)
		if err != nil {
			return pictures.Problem{}, err
		}
		n, s, d := b.Soldiers, b.CastleHits, b.DefendersPerWave
		waves := b.MinWaves()
		left := func(q int64) int64 { return s + q*d - (q+1)*n }
		q := int64(1)
		for left(q) > 0 && left(q)*left(q)+d*left(q) > n*d {
			q++
		}
		x := max(0, left(q))
		k := int64(len(Hunt(n, x)) - 1)
		solution := pictures.Spans("With ", pictures.Letter("q"), " = ", pictures.People(q), ", ", pictures.Letter("x"),
			"_", pictures.Letter("q"), " = ", pictures.People(left(q)))
		if x > 0 {
			solution = append(solution, pictures.Spans(" and ", pictures.Letter("x"), "² + ", pictures.Letter("dx"),
				" = ", pictures.People(x*x+d*x), ", which is at most ", pictures.Letter("nd"), " = ",
				pictures.People(n*d))...)
		}
		solution = append(solution, pictures.Spans(" for the first time: strike in wave ", pictures.People(q+1),
			". The hunt takes ", pictures.Letter("k"), " = ", pictures.Plural(k, "wave"), ", so it is 1 + ",
			pictures.People(q), " + ", pictures.People(k), " = ", pictures.Plural(waves, "wave"), ".")...)
		return pictures.Problem{
			Question: pictures.Spans("How many waves do the soldiers need in the battle ", triple(b), "?"),
			Asks:     []pictures.Ask{{Label: "fewest waves", Answer: waves, Wrong: fewestWrong(b)}},
			Hint: pictures.Spans("Wait as long as ", pictures.Letter("x"), "² + ", pictures.Letter("dx"), " > ",
				pictures.Letter("nd"), " = ", pictures.People(n*d), ". For ", pictures.Letter("q"), " = 1, ",
				pictures.Letter("x"), " = ", pictures.People(left(1)),
				", and each wave of waiting makes it smaller by ", pictures.People(n-d), "."),
			Solution: solution,
		}, nil
	},
}

// AskArmy asks for the smallest army against a castle of as many hits as defenders.
var AskArmy = pictures.Exercise{
	Name:    "castle-ask-army",
	Numbers: []pictures.Field{pictures.Asked("s", "hits, and defenders a wave", 1, mostAskedArmy, 1000)},
	Other:   func(random uint64) pictures.Values { return pictures.With("s", 20+random%2000) },
	Pose: func(v pictures.Values) (pictures.Problem, error) {
		s := v.Int("s")
		wins := func(n int64) bool {
			return n > 0 && game.Battle{Soldiers: n, CastleHits: s, DefendersPerWave: s}.MinWaves() > 0
		}
		least := int64(sort.Search(int(s), func(n int) bool { return wins(int64(n)) })) // s soldiers win at once
		problem := pictures.Problem{
			Question: pictures.Spans("A castle takes ", pictures.Plural(s, "hit"), " and sends out ",
				pictures.Plural(s, "defender"), " a wave. How many soldiers win against it at least?"),
			Asks: []pictures.Ask{{Label: "soldiers", Answer: least, Wrong: func(given int64) string {
				if wins(min(given, s)) {
					return "They win, but so does a smaller army."
				}
				return "They lose."
			}}},
			Hint: pictures.Spans("The border is ", pictures.Letter("s"), " + ", pictures.Letter("d"), " < (φ + 1)",
				pictures.Letter("n"), ", and φ + 1 is about 2.618."),
		}
		border := func(n int64) string { return pictures.People(2*n + int64(phi.FloorDiv(uint64(n)))) }
		problem.Solution = pictures.Spans("At least ", pictures.Plural(least, "soldier"), ": they win up to ",
			pictures.Letter("s"), " + ", pictures.Letter("d"), " = ", border(least), ", and the castle has ",
			pictures.People(2*s))
		if least > 1 {
			problem.Solution = append(problem.Solution, pictures.Spans("; one soldier fewer wins only up to ",
				border(least-1))...)
		}
		problem.Solution = append(problem.Solution, pictures.Spans(".")...)
		return problem, nil
	},
}

// AskPaths asks for the paths of a small battle, by who wins.
var AskPaths = pictures.Exercise{
	Name: "castle-ask-paths",
	Numbers: []pictures.Field{
		pictures.Asked("n", "soldiers", 1, mostAskedPaths, 4), pictures.Asked("s", "castle hits", 1, mostAskedPaths, 6),
		pictures.Asked("d", "defenders a wave", 1, mostAskedPaths, 4),
	},
	Other: func(random uint64) pictures.Values {
		n := 2 + int64(random%3)
		return pictures.With("n", n, "s", n+1+int64(random/3%3), "d", 1+int64(random/9%5))
	},
	Pose: func(v pictures.Values) (pictures.Problem, error) {
		b := battleOf(v)
		counts, err := b.Count(context.Background(), game.CountOptions{})
		if err != nil {
			return pictures.Problem{}, err
		}
		soldiers, castle, ties := counts.Soldiers.Total(), counts.Castle.Total(), counts.Ties
		return pictures.Problem{
			Question: pictures.Spans("Walk through ", triple(b), " on paper, and draw the tree of all orders that "+
				"waste no shot. How many paths are there for each outcome?"),
			Asks: []pictures.Ask{
				{Label: "won by the soldiers", Answer: soldiers.Int64()},
				{Label: "won by the castle", Answer: castle.Int64()},
				{Label: "ties", Answer: ties.Int64()},
			},
			Hint: pictures.Spans("Wave 1 has one order. In wave 2 try every number of soldiers at the defenders, and " +
				"note what is left."),
			Solution: pictures.Spans(pictures.People(soldiers.Int64()), " for the soldiers, ",
				pictures.People(castle.Int64()), " for the castle, ", pictures.Plural(ties.Int64(), "tie"), "."),
		}, nil
	},
}

// AskLaw asks for the paths of two soldiers against one defender a wave.
var AskLaw = pictures.Exercise{
	Name:    "castle-ask-law",
	Numbers: []pictures.Field{pictures.Asked("s", "castle hits", 4, 200, 14)},
	Other:   func(random uint64) pictures.Values { return pictures.With("s", 4+random%60) },
	Pose: func(v pictures.Values) (pictures.Problem, error) {
		s := v.Int("s")
		counts, err := game.Battle{Soldiers: 2, CastleHits: s, DefendersPerWave: 1}.Count(context.Background(),
			game.CountOptions{})
		if err != nil {
			return pictures.Problem{}, err
		}
		all := counts.Soldiers.Total().Int64() + counts.Castle.Total().Int64() + counts.Ties.Int64()
		return pictures.Problem{
			Question: pictures.Spans("Two soldiers attack a castle with one defender a wave. Count the paths for ",
				pictures.Letter("s"), " = 4, 5, 6, … Which law do you see? How many paths are there for ",
				pictures.Letter("s"), " = ", pictures.People(s), "?"),
			Asks: []pictures.Ask{{Label: "paths", Answer: all}},
			Hint: pictures.Spans("There are 2 paths for ", pictures.Letter("s"), " = 4, and 4 for ",
				pictures.Letter("s"), " = 5."),
			Solution: pictures.Spans(pictures.People(all), ", which is 2(", pictures.Letter("s"),
				" − 3). In each of the waves 3 to ", pictures.Letter("s"),
				" − 2 the castle can win in 2 ways, and in wave ", pictures.Letter("s"), " − 1 the soldiers in 2."),
		}, nil
	},
}
