package castle

import (
	"fmt"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
)

// The sentences of the agreement page that depend on the grid. What they say of every battle is checked on the grid,
// and a battle that contradicts it stops the build.

// explanations are the texts of the algorithms that the page explains, by their names.
var explanations = map[string]func(*survey, algorithmMap) (content.Markdown, error){
	"castle-first": (*survey).castleFirstText, "defenders-first": (*survey).defendersFirstText, "published": (*survey).publishedText,
}

// countWhere counts the battles with a verdict and a property.
func (s *survey) countWhere(a algorithmMap, v game.Verdict, property func(game.Battle) bool) int {
	total := 0
	for cell, got := range a.verdicts {
		if got == v && property(s.battle(cell)) {
			total++
		}
	}
	return total
}

func outnumbered(b game.Battle) bool { return b.DefendersPerWave >= b.Soldiers }

// castleFirstText explains the errors of castle-first.
func (s *survey) castleFirstText(a algorithmMap) (content.Markdown, error) {
	if err := chapter.Expect("castle-first wins what can be won where d >= n", s.countWhere(a, game.WrongSide, outnumbered) == 0); err != nil {
		return "", err
	}
	if a.tally[game.Right] == len(a.verdicts) {
		return "On this grid it makes no mistake.", nil
	}
	text := "One might expect the errors near the border $d + s = (\\varphi + 1)n$, where battles are close. "
	if wrong := a.tally[game.WrongSide]; wrong > 0 {
		text += fmt.Sprintf("But all %s battles in which it loses a win have $d < n$: it brings the castle down the first moment it can, and leaves more defenders than "+
			"the hunt can take, where waiting longer would have won. ", chapter.Thousands(wrong))
	}
	if slow := a.tally[game.TooMany]; slow > 0 {
		lost := s.countWhere(a, game.TooMany, func(b game.Battle) bool { return soldierWaves(b) == 0 })
		text += fmt.Sprintf("In %s battles the right side wins too late; in %s of them that is the castle, as soldiers who cannot win hold out longer than its fastest win takes. ",
			chapter.Thousands(slow), chapter.Thousands(lost))
	}
	return content.Markdown(text + "For $d \\ge n$ there is nothing to wait for, and it wins every battle that can be won."), nil
}

// defendersFirstText explains the errors of defenders-first.
func (s *survey) defendersFirstText(a algorithmMap) (content.Markdown, error) {
	strikes := func(b game.Battle) bool { return outnumbered(b) && b.CastleHits > b.Soldiers && soldierWaves(b) > 0 }
	missed := s.countWhere(a, game.WrongSide, strikes)
	slips := missed == a.tally[game.WrongSide] && s.countWhere(a, game.Right, strikes)+s.countWhere(a, game.TooMany, strikes) == 0
	if err := chapter.Expect("defenders-first loses just the battles with d >= n and s > n that can be won", slips); err != nil {
		return "", err
	}
	if a.tally[game.Right] == len(a.verdicts) {
		return "On this grid it makes no mistake.", nil
	}
	text := "For $d < n$ it always wins, and loses nobody; it is late wherever a bold strike pays. "
	if missed > 0 {
		text += fmt.Sprintf("For $d \\ge n$ and $s > n$ shooting defenders leads nowhere, as each wave brings at least as many new ones: it lets every win slip, all %s of them. ", chapter.Thousands(missed))
	}
	if lost := s.countWhere(a, game.TooMany, func(b game.Battle) bool { return soldierWaves(b) == 0 }); lost > 0 {
		text += fmt.Sprintf("In %s battles that are lost anyway it merely holds out longer than the castle's fastest win takes, or ties; the posts colour that cyan too. ", chapter.Thousands(lost))
	}
	return content.Markdown(text), nil
}

// publishedText explains the errors of the published formula.
func (s *survey) publishedText(a algorithmMap) (content.Markdown, error) {
	if a.tally[game.Right] == len(a.verdicts) {
		return "On this grid it makes no mistake.", nil
	}
	text := ""
	if low := s.countWhere(a, game.TooFew, case2a); low > 0 {
		hidden := s.countWhere(a, game.Right, case2a) + s.countWhere(a, game.TooMany, case2a)
		text = fmt.Sprintf("For $d < n < s$ the printed sum is short of a wave, and promises too much in %s battles; in %s rounding hides it. ", chapter.Thousands(low), chapter.Thousands(hidden))
	}
	if high := a.tally[game.TooMany]; high > 0 {
		text += fmt.Sprintf("Where a hunt ends exactly, rounding makes it one wave too long: %s battles. ", chapter.Thousands(high))
	}
	return content.Markdown(text), nil
}
