package castle

import (
	"iter"

	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/internal/must"
)

const tables = "testdata/tables.txt"

// battles yields the battles of three ranges. The defenders change fastest.
func battles(soldiers, hits, defenders grid.Range) iter.Seq[Battle] {
	return func(yield func(Battle) bool) {
		all := must.Get(grid.Product(soldiers, hits, defenders))
		for point := range all.Points(grid.Block{Size: all.Size()}) {
			if !yield(Battle{point[0], point[1], point[2]}) {
				return
			}
		}
	}
}

// to returns the range of the numbers from 1 to last.
func to(last int64) grid.Range { return grid.Range{First: 1, Last: last} }

// upTo yields all battles with up to the given numbers of soldiers, castle hits and defenders per wave.
func upTo(n, s, d int64) iter.Seq[Battle] { return battles(to(n), to(s), to(d)) }

// The rest of the package is tested against the slow, obvious versions below. They follow the written rules in their
// own code and share nothing with Step.

type naiveState struct{ soldiers, defenders, hits int }

func naiveStart(b Battle) naiveState { return naiveState{int(b.Soldiers), 0, int(b.CastleHits)} }

// naiveMoves lists the successors of an undecided state with the winner of each.
func naiveMoves(s naiveState, d int, yield func(shooters int, next naiveState, winner Winner)) {
	for i := 0; i <= s.soldiers && i <= s.defenders; i++ {
		atCastle := s.soldiers - i
		if atCastle > s.hits && i < s.defenders {
			continue // this wastes a shot while it could hit a defender
		}
		next := naiveState{s.soldiers, s.defenders - i, s.hits - atCastle}
		if next.hits < 0 {
			next.hits = 0
		}
		if next.hits == 0 && next.defenders == 0 {
			yield(i, next, Soldiers)
			continue
		}
		next.soldiers -= next.defenders
		if next.soldiers <= 0 {
			yield(i, next, Castle)
			continue
		}
		if next.hits > 0 {
			next.defenders += d
		}
		if next == s {
			yield(i, next, Tie)
			continue
		}
		yield(i, next, Undecided)
	}
}

// naiveAnswer holds the results of exhaustive search for one state, as numbers of further waves; 0 means never.
type naiveAnswer struct {
	soldiers  int // the fewest waves in which the soldiers win
	castle    int // the fewest waves in which the castle wins
	survivors int // the most soldiers left after a fastest win
	longest   int // the most waves before the castle wins, over all lines that the castle wins
	tie       bool
}

// naiveSearch solves states of battles with d defenders per wave by exhaustive search, each state once.
type naiveSearch struct {
	d    int
	seen map[naiveState]naiveAnswer
}

func newNaiveSearch(d int64) naiveSearch { return naiveSearch{int(d), map[naiveState]naiveAnswer{}} }

func (n naiveSearch) solve(s naiveState) naiveAnswer {
	if answer, ok := n.seen[s]; ok {
		return answer
	}
	var answer naiveAnswer
	naiveMoves(s, n.d, func(_ int, next naiveState, winner Winner) {
		switch winner {
		case Soldiers:
			answer.take(naiveAnswer{soldiers: 1, survivors: next.soldiers})
		case Castle:
			answer.take(naiveAnswer{castle: 1, longest: 1})
		case Tie:
			answer.take(naiveAnswer{tie: true})
		default:
			later := n.solve(next)
			if later.soldiers > 0 {
				later.soldiers++
			}
			if later.castle > 0 {
				later.castle++
				later.longest++
			}
			answer.take(later)
		}
	})
	n.seen[s] = answer
	return answer
}

// take replaces each number in a by the better of a's and b's.
func (a *naiveAnswer) take(b naiveAnswer) {
	if b.soldiers > 0 {
		switch {
		case a.soldiers == 0 || b.soldiers < a.soldiers:
			a.soldiers, a.survivors = b.soldiers, b.survivors
		case b.soldiers == a.soldiers:
			a.survivors = max(a.survivors, b.survivors)
		}
	}
	if b.castle > 0 && (a.castle == 0 || b.castle < a.castle) {
		a.castle = b.castle
	}
	a.longest = max(a.longest, b.longest)
	a.tie = a.tie || b.tie
}

func (n naiveSearch) battle(b Battle) naiveAnswer { return n.solve(naiveStart(b)) }

// naiveCounts holds the counts of a walk over every path.
type naiveCounts struct {
	soldiers, castle map[int64]int64 // the number of ways by wave
	ties, prefixes   int
}

// naiveWalk visits every path of a battle without memoization: the plain recursion of the posts.
func naiveWalk(b Battle, printed bool) naiveCounts {
	counts := naiveCounts{soldiers: map[int64]int64{}, castle: map[int64]int64{}}
	var walk func(s naiveState, wave int64)
	walk = func(s naiveState, wave int64) {
		if s.hits > 0 {
			counts.prefixes++
		}
		naiveMoves(s, int(b.DefendersPerWave), func(_ int, next naiveState, winner Winner) {
			switch winner {
			case Soldiers:
				counts.soldiers[wave]++
			case Castle:
				if !printed || s.hits > 0 || next.soldiers == 0 {
					counts.castle[wave]++
				}
			case Tie:
				counts.ties++
			default:
				walk(next, wave+1)
			}
		})
	}
	walk(naiveStart(b), 1)
	return counts
}
