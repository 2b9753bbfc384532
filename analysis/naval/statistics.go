package naval

// Statistics sums up the games of a tournament, as the post does. A "move" is a shot.
type Statistics struct {
	Games        int64 // one less than players
	WinnersMoves int64 // shots of the winners of all games
	LosersMoves  int64
	LosersScore  int64                   // hits of the losers
	ByPlacement  [len(placements)]Record // the games won and lost with each placement
	ByMoves      [len(moves)]Record      // and with each list of moves
}

// Record is how often players with something in common won and lost.
type Record struct {
	Wins, Losses int64
}

// MeanMoves returns the mean number of shots of a player in a game.
func (s Statistics) MeanMoves() float64 {
	s.must()
	return float64(s.WinnersMoves+s.LosersMoves) / float64(2*s.Games)
}

// MeanMovesWinners returns the mean number of shots of a game's winner.
func (s Statistics) MeanMovesWinners() float64 {
	s.must()
	return float64(s.WinnersMoves) / float64(s.Games)
}

// MeanMovesLosers returns the mean number of shots of a game's loser.
func (s Statistics) MeanMovesLosers() float64 {
	s.must()
	return float64(s.LosersMoves) / float64(s.Games)
}

// MeanLosersScore returns the mean number of hits of a game's loser, of 20 that win.
func (s Statistics) MeanLosersScore() float64 {
	s.must()
	return float64(s.LosersScore) / float64(s.Games)
}

// add takes in the game that a duel has just played.
func (s *Statistics) add(d *duel, placements [2]Placement, strategies [2]Strategy, winner int) {
	won, lost := &d.gunners[winner], &d.gunners[1-winner]
	s.Games++
	s.WinnersMoves += int64(won.shots)
	s.LosersMoves += int64(lost.shots)
	s.LosersScore += int64(lost.score)
	s.ByPlacement[placements[winner]].Wins++
	s.ByPlacement[placements[1-winner]].Losses++
	s.ByMoves[strategies[winner].Moves].Wins++
	s.ByMoves[strategies[1-winner].Moves].Losses++
}

// merge adds the games of t.
func (s *Statistics) merge(t Statistics) {
	s.Games += t.Games
	s.WinnersMoves += t.WinnersMoves
	s.LosersMoves += t.LosersMoves
	s.LosersScore += t.LosersScore
	for p, r := range t.ByPlacement {
		s.ByPlacement[p].add(r)
	}
	for m, r := range t.ByMoves {
		s.ByMoves[m].add(r)
	}
}

func (r *Record) add(t Record) {
	r.Wins += t.Wins
	r.Losses += t.Losses
}
