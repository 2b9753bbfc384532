package castle

import (
	"context"
	"sort"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/phi"
	"github.com/siegebook/siegebook/report/content"
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
	Pose: func(v pictures.Values) pictures.Problem {
		b := patientBattle(v)
		n, d, waves := b.Soldiers, b.DefendersPerWave, b.MinWaves()
		left, fall := b.MostSurvivors()
		return pictures.Problem{
			Question: pictures.Say("Play the battle %v by hand: {soldier}, {hit}, {defender} a wave. In how many "+
				"waves can the soldiers win, and how many of them can be left then at most?", triple(b), n,
				b.CastleHits, d),
			Asks: []pictures.Ask{
				{Label: "fewest waves", Answer: waves, Wrong: fewestWrong(b)},
				{Label: "soldiers left", Answer: left},
			},
			Hint: pictures.Say("In wave 1 all shoot at the castle. From wave 2 on, %v can shoot the fresh defenders. "+
				"How many shoot at the castle then?", d),
			Solution: pictures.Say("They need {wave}. Each wave of waiting has {shot} at the fresh defenders and "+
				"{shot} at the castle, so nobody dies. The castle falls in wave %v, and %v of %v are left at the end.",
				waves, d, n-d, fall, left, n),
		}
	},
}

// patientBattle is a battle that the soldiers win, and in which they can wait.
func patientBattle(v pictures.Values) game.Battle {
	b := battleOf(v)
	pictures.Require(b.CastleHits > b.Soldiers && b.DefendersPerWave < b.Soldiers, "s", "(%d, %d, %d): the exercise "+
		"takes n < s and d < n", b.Soldiers, b.CastleHits, b.DefendersPerWave)
	return b
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
	return pictures.Formula(pictures.Text("(%v, %v, %v)", b.Soldiers, b.CastleHits, b.DefendersPerWave))
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
	Pose: func(v pictures.Values) pictures.Problem {
		n, mostHits, mostDefenders := v.Int("n"), v.Int("s"), v.Int("d")
		ties, first := int64(0), int64(0)
		for s := int64(1); s <= mostHits; s++ {
			for d := int64(1); d <= mostDefenders; d++ {
				b := battle(n, s, d)
				if b.Play(game.DefendersFirst).Winner != game.Tie {
					continue
				}
				if ties++; first == 0 {
					first = s
				}
			}
		}
		solution := pictures.Say("None: for a tie *d* has to be *n*, and *s* more than *n*.")
		if ties > 0 {
			solution = pictures.Say("%v: those with *d* = %v and *s* from %v to %v. From wave 2 on all soldiers shoot "+
				"at as many defenders, and nobody at the castle.", ties, n, first, mostHits)
		}
		return pictures.Problem{
			Question: pictures.Say("{soldier} play defenders first. How many of the battles with *s* from 1 to %v "+
				"and *d* from 1 to %v end in a tie?", n, mostHits, mostDefenders),
			Asks: []pictures.Ask{{Label: "ties", Answer: ties}},
			Hint: pictures.Say("In a tie every wave ends as it began. How many defenders come then, and who shoots " +
				"at the castle?"),
			Solution: solution,
		}
	},
}

// AskMost asks how many defenders can be hunted down.
var AskMost = pictures.Exercise{
	Name:    "castle-ask-most",
	Numbers: []pictures.Field{pictures.Asked("n", "soldiers", 1, mostAskedArmy, 100)},
	Other:   func(random uint64) pictures.Values { return pictures.With("n", 20+random%480) },
	Pose: func(v pictures.Values) pictures.Problem {
		n := v.Int("n")
		most := int64(phi.FloorDiv(uint64(n)))
		waves := int64(len(Hunt(n, most)) - 1)
		form := func(x int64) int64 { return n*n - n*x - x*x }
		return pictures.Problem{
			Question: pictures.Say("{soldier} shoot in the wave in which the castle falls. How many defenders may "+
				"that wave leave at most, if the soldiers are to win, and in how many waves do they hunt down so "+
				"many?", n),
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
					return pictures.Text("They lose against so many: %v = %v.", pictures.Formula("n² − nx − x²"),
						form(given))
				}},
				{Label: "waves of the hunt", Answer: waves},
			},
			Hint: pictures.Say("The soldiers win exactly if `*n*² − *nx* − *x*²` is positive, and *n*/φ is about " +
				"0.618*n*."),
			Solution: pictures.Say("%v, in {wave}. For *x* = %v the number `*n*² − *nx* − *x*²` is %v, for *x* = %v "+
				"it is %v.", most, waves, most, form(most), most+1, form(most+1)),
		}
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
	Pose: func(v pictures.Values) pictures.Problem {
		n, x := v.Int("n"), v.Int("x")
		form := n*n - n*x - x*x
		who := "positive, so the soldiers win"
		if form <= 0 {
			who = "negative, so the castle wins"
		}
		return pictures.Problem{
			Question: pictures.Say("Compute `*n*² − *nx* − *x*²` for the neighbours *n* = %v and *x* = %v among the "+
				"Fibonacci numbers. Who wins this hunt? What follows for other neighbours?", n, x),
			Asks: []pictures.Ask{{Label: "the number", Answer: form}},
			Hint: pictures.Say("Put in the numbers. For other neighbours: the number stays the same when a hunt " +
				"goes two places back."),
			Solution: pictures.Say("`%v − %v − %v` = %v: %v. Neighbours give 1 and −1 in turn. A whole number that is "+
				"not 0 cannot be nearer to 0, so these are the closest hunts there are. They are also long: each "+
				"wave only goes back two places, to the next smaller pair of the same kind.", n*n, n*x, x*x, form, who),
		}
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
	Pose: func(v pictures.Values) pictures.Problem {
		b := patientBattle(v)
		n, s, d := b.Soldiers, b.CastleHits, b.DefendersPerWave
		waves := b.MinWaves()
		left := func(q int64) int64 { return s + q*d - (q+1)*n }
		q := int64(1)
		for left(q) > 0 && left(q)*left(q)+d*left(q) > n*d {
			q++
		}
		x := max(0, left(q))
		k := int64(len(Hunt(n, x)) - 1)
		late := ""
		if x > 0 {
			late = pictures.Text(" and `*x*² + *dx*` = %v, which is at most *nd* = %v", x*x+d*x, n*d)
		}
		return pictures.Problem{
			Question: pictures.Say("How many waves do the soldiers need in the battle %v?", triple(b)),
			Asks:     []pictures.Ask{{Label: "fewest waves", Answer: waves, Wrong: fewestWrong(b)}},
			Hint: pictures.Say("Wait as long as `*x*² + *dx*` > *nd* = %v. For *q* = 1, *x* = %v, and each wave of "+
				"waiting makes it smaller by %v.", n*d, left(1), n-d),
			Solution: pictures.Say("With *q* = %v, *x*_*q* = %v%v for the first time: strike in wave %v. The hunt "+
				"takes *k* = {wave}, so it is 1 + `%v + %v` = {wave}.", q, left(q), late, q+1, k, q, k, waves),
		}
	},
}

// AskArmy asks for the smallest army against a castle of as many hits as defenders.
var AskArmy = pictures.Exercise{
	Name:    "castle-ask-army",
	Numbers: []pictures.Field{pictures.Asked("s", "hits, and defenders a wave", 1, mostAskedArmy, 1000)},
	Other:   func(random uint64) pictures.Values { return pictures.With("s", 20+random%2000) },
	Pose: func(v pictures.Values) pictures.Problem {
		s := v.Int("s")
		wins := func(n int64) bool {
			return n > 0 && battle(n, s, s).MinWaves() > 0
		}
		least := int64(sort.Search(int(s), func(n int) bool { return wins(int64(n)) })) // s soldiers win at once
		border := func(n int64) int64 { return 2*n + int64(phi.FloorDiv(uint64(n))) }
		fewer := ""
		if least > 1 {
			fewer = pictures.Text("; one soldier fewer wins only up to %v", border(least-1))
		}
		return pictures.Problem{
			Question: pictures.Say("A castle takes {hit} and sends out {defender} a wave. How many soldiers win "+
				"against it at least?", s, s),
			Asks: []pictures.Ask{{Label: "soldiers", Answer: least, Wrong: func(given int64) string {
				if wins(min(given, s)) {
					return "They win, but so does a smaller army."
				}
				return "They lose."
			}}},
			Hint: pictures.Say("The border is `*s* + *d*` < (φ + 1)*n*, and φ + 1 is about 2.618."),
			Solution: pictures.Say("At least {soldier}: they win up to `*s* + *d*` = %v, and the castle has %v%v.",
				least, border(least), 2*s, fewer),
		}
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
	Pose: func(v pictures.Values) pictures.Problem {
		b := battleOf(v)
		counts := content.Get(b.Count(context.Background(), game.CountOptions{}))
		soldiers, castle, ties := counts.Soldiers.Total(), counts.Castle.Total(), counts.Ties
		return pictures.Problem{
			Question: pictures.Say("Walk through %v on paper, and draw the tree of all orders that waste no shot. How "+
				"many paths are there for each outcome?", triple(b)),
			Asks: []pictures.Ask{
				{Label: "won by the soldiers", Answer: soldiers.Int64()},
				{Label: "won by the castle", Answer: castle.Int64()},
				{Label: "ties", Answer: ties.Int64()},
			},
			Hint: pictures.Say("Wave 1 has one order. In wave 2 try every number of soldiers at the defenders, and " +
				"note what is left."),
			Solution: pictures.Say("%v for the soldiers, %v for the castle, {tie}.", soldiers, castle, ties.Int64()),
		}
	},
}

// AskLaw asks for the paths of two soldiers against one defender a wave.
var AskLaw = pictures.Exercise{
	Name:    "castle-ask-law",
	Numbers: []pictures.Field{pictures.Asked("s", "castle hits", 4, 200, 14)},
	Other:   func(random uint64) pictures.Values { return pictures.With("s", 4+random%60) },
	Pose: func(v pictures.Values) pictures.Problem {
		s := v.Int("s")
		counts := content.Get(battle(2, s, 1).Count(
			context.Background(), game.CountOptions{}))
		all := counts.Soldiers.Total().Int64() + counts.Castle.Total().Int64() + counts.Ties.Int64()
		return pictures.Problem{
			Question: pictures.Say("Two soldiers attack a castle with one defender a wave. Count the paths for *s* = "+
				"4, 5, 6, … Which law do you see? How many paths are there for *s* = %v?", s),
			Asks: []pictures.Ask{{Label: "paths", Answer: all}},
			Hint: pictures.Say("There are 2 paths for *s* = 4, and 4 for *s* = 5."),
			Solution: pictures.Say("%v, which is 2(*s* − 3). In each of the waves 3 to *s* − 2 the castle can win in "+
				"2 ways, and in wave *s* − 1 the soldiers in 2.", all),
		}
	},
}
