package castle

// The slow, obvious versions that the rest of the package is tested against. They follow the written rules by
// their own code and share nothing with Step.

type naiveState struct{ soldiers, defenders, hits int }

// naiveMoves lists the successors of an undecided state with the winner of each.
func naiveMoves(s naiveState, d int, yield func(shooters int, next naiveState, winner Winner)) {
	for i := 0; i <= s.soldiers && i <= s.defenders; i++ {
		atCastle := s.soldiers - i
		if atCastle > s.hits && i < s.defenders {
			continue // a wasted shot while a defender could be shot
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

// naiveAnswer is everything that exhaustive search says of one state, in further waves; 0 means never.
type naiveAnswer struct {
	soldiers  int // fewest waves of a soldiers' win
	castle    int // fewest waves of a castle's win
	survivors int // most soldiers left after a fastest win
	longest   int // most waves before the castle wins, over all lines that the castle wins
	tie       bool
}

// naiveSearch solves states of battles with d defenders a wave by exhaustive search, each state once.
type naiveSearch struct {
	d    int
	seen map[naiveState]naiveAnswer
}

func newNaiveSearch(d int) naiveSearch { return naiveSearch{d, map[naiveState]naiveAnswer{}} }

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

// take keeps the better of two answers in each respect.
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

func (n naiveSearch) battle(soldiers, hits int) naiveAnswer {
	return n.solve(naiveState{soldiers, 0, hits})
}

// naiveCounts is what a walk over every path counts.
type naiveCounts struct {
	soldiers, castle map[int]int // ways by wave
	ties, prefixes   int
}

// naiveWalk visits every path of a battle, without memory: the plain recursion of the posts.
func naiveWalk(n, s, d int, printed bool) naiveCounts {
	counts := naiveCounts{soldiers: map[int]int{}, castle: map[int]int{}}
	var walk func(s naiveState, wave int)
	walk = func(s naiveState, wave int) {
		if s.hits > 0 {
			counts.prefixes++
		}
		naiveMoves(s, d, func(_ int, next naiveState, winner Winner) {
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
	walk(naiveState{n, 0, s}, 1)
	return counts
}
