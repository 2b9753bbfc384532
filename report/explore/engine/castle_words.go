package engine

import (
	"fmt"
	"strings"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/explore/module"
	"github.com/siegebook/siegebook/report/pictures"
)

// stories tell of the battles that a page offers, by the names that it has for them.
var stories = []struct{ name, title, words string }{
	{
		"easy", "A first battle",
		"%[1]s, and only %[4]d new defenders a wave: nobody can take this battle from you. But can " +
			"you be as fast as best play?",
	},
	{"fair", "A fair fight", anyStory + " Can you win? And in how few waves?"},
	{
		"won", "One soldier decides",
		"%[1]s are enough, but only just. In wave 2 one single order wins, and every other one " +
			"loses. Which one is it?",
	},
	{"lost", "… and one fewer", "With %[1]s no order wins any more. How long do you last?"},
	{
		"hopeless", "Hold out",
		"You cannot win this one. Shoot only at defenders, and it is over soon. There is a better way " +
			"to lose: find it.",
	},
	{"", "", anyStory},
}

const anyStory = "%[1]s before a castle that takes %[2]s and sends out %[3]s a wave."

// castleStories tells of a battle. Text has a line for each name that a page may have for it, and a last one for a
// battle without: the name, the title, and the story.
func castleStories(args []int64, r *module.Reply) error {
	b, err := battle(args[0], args[1], args[2])
	if err != nil {
		return err
	}
	for _, s := range stories {
		words := fmt.Sprintf(s.words+"%[5]s", pictures.Plural(b.Soldiers, "soldier"), pictures.Plural(b.CastleHits,
			"hit"),
			pictures.Plural(b.DefendersPerWave, "defender"), b.DefendersPerWave, "")
		r.Text += s.name + "\t" + s.title + "\t" + words + "\n"
	}
	return nil
}

// forced is the remark on an order without a choice.
const forced = "no choice"

// remark says what the last order was worth, in the moment before it. Praise is for a choice that could be wrong.
func (g *game) remark() string {
	before := g.before[len(g.before)-1]
	won := before.Winner == castle.Soldiers
	switch low, high := before.State.Moves(); {
	case low == high:
		return forced
	case g.lastCost < 0 && won:
		return "✗ gave the win away"
	case g.lastCost < 0:
		return "✗ gave the tie away"
	case g.lastCost > 0 && won:
		return "+ " + pictures.Plural(g.lastCost, "wave")
	case g.lastCost > 0:
		return "− " + pictures.Plural(g.lastCost, "wave")
	case before.Winner != castle.Castle:
		return "✓ best"
	case before.Waves == 1:
		return "lost anyway"
	}
	return "holds out longest"
}

// words are what is said of a game: of each wave a "remark" on its order, which is told at the end, unless there was no
// choice; what the last wave "did", and the state that is "said" to those who listen; while it goes on what can be made
// of it, "more", the "hint" for the next order and the "range" of orders; and its "end", with what "given" it away.
func (g *game) words() string {
	var all strings.Builder
	say := func(name, words string) { all.WriteString(name + "\t" + words + "\n") }
	over := g.winner != castle.Undecided
	for _, words := range g.remarks {
		if !over && words != forced {
			words = ""
		}
		say("remark", words)
	}
	s := g.state
	said := fmt.Sprintf("%s, %s, %s.", pictures.Plural(s.Soldiers, "soldier"), defenders(s.Defenders, ""),
		pictures.Plural(s.CastleHits, "castle hit"))
	if len(g.before) > 0 {
		say("did", g.did())
		said = fmt.Sprintf("Wave %d: %s. %s", g.wave, g.losses(), said)
	}
	say("said", said)
	if over {
		say("end", g.end())
		say("given", g.gaveAway())
		return all.String()
	}
	low, high := s.Moves()
	orders := pictures.People(low)
	if low < high {
		orders += " to " + pictures.People(high)
	}
	say("range", "In this wave "+orders+" soldiers can shoot at defenders.")
	best := map[castle.Winner]string{
		castle.Soldiers: "Best", castle.Tie: "To hold for ever",
		castle.Castle: "To hold out longest",
	}
	say("hint", fmt.Sprintf("%s: %s at defenders, %s at the castle. Shoot, or think again.", best[g.outlook.Winner],
		pictures.People(g.outlook.AtDefenders), pictures.People(s.Soldiers-g.outlook.AtDefenders)))
	say("more", g.more())
	return all.String()
}

func defenders(n uint64, after string) string {
	if n == 1 {
		return "1 defender" + strings.Replace(after, " are", " is", 1)
	}
	return pictures.People(n) + " defenders" + after
}

// losses says how many soldiers the last wave has cost.
func (g *game) losses() string {
	switch dead := g.before[len(g.before)-1].Soldiers - g.state.Soldiers; dead {
	case 0:
		return "nobody dies"
	case 1:
		return "1 soldier dies"
	default:
		return pictures.Plural(dead, "soldier") + " die"
	}
}

// did is what the last order has done.
func (g *game) did() string {
	before := g.before[len(g.before)-1]
	text := "Then: "
	if low, high := before.State.Moves(); low == high {
		text = "There is no choice in this wave. Then: "
	}
	if before.State.Defenders == 0 {
		text += "nobody shoots back"
	} else {
		text += defenders(before.State.Defenders-uint64(before.order), " are left") + ", and " + g.losses()
	}
	switch {
	case g.state.CastleHits > 0:
		return text + "; the castle stands with " + pictures.Plural(g.state.CastleHits, "hit") + "."
	case before.CastleHits > 0:
		return text + "; the castle falls."
	}
	return text + "; the castle is down."
}

// more says what can be made of the moment.
func (g *game) more() string {
	switch g.outlook.Winner {
	case castle.Soldiers:
		more := pictures.People(g.outlook.Waves) + " more waves"
		if g.outlook.Waves == 1 {
			more = "1 more wave"
		}
		return "Yes. From here best play wins in " + more + "."
	case castle.Tie:
		return "No. But you need not lose either: you can hold for ever, which is a tie."
	}
	return "No, the castle wins. From here you can hold out until wave " + pictures.People(g.wave+g.outlook.Waves) +
		" at most."
}

// end judges a game that is over.
func (g *game) end() string {
	start := g.before[0]
	switch g.winner {
	case castle.Soldiers:
		home := pictures.Plural(g.state.Soldiers, "soldier") + " come home"
		if g.state.Soldiers == 1 {
			home = "1 soldier comes home"
		}
		win := "You win in " + pictures.Plural(g.wave, "wave")
		if g.cost > 0 {
			return pictures.Won.Signed(fmt.Sprintf("%s; best play takes %s. %s.", win, pictures.People(start.Waves),
				home))
		}
		most := "Nobody can be that fast and bring more of them back: a perfect game."
		if survivors, _ := g.MostSurvivors(); survivors != g.state.Soldiers {
			most = "Best play is as fast and brings back " + pictures.People(survivors) + "."
		}
		return pictures.Won.Signed(win + ", and nobody can be faster. " + home + ". " + most)
	case castle.Tie:
		text := fmt.Sprintf("A tie: wave %d changes nothing, and it could go on like that for ever.", g.wave)
		if g.given > 0 {
			return pictures.Tied.Signed(text + " But you could have won.")
		}
		return pictures.Tied.Signed(text + " More than that cannot be had here.")
	}
	lost := fmt.Sprintf("The castle wins in wave %d.", g.wave)
	switch {
	case g.given > 0:
	case g.cost > 0:
		lost += " It could not be won, but best play holds out until wave " + pictures.People(start.Waves) + "."
	default:
		lost += " It could not be won, and nobody can hold out longer: a perfect game."
	}
	return pictures.Lost.Signed(lost)
}

// gaveAway tells of the moment in which the game was given away.
func (g *game) gaveAway() string {
	if g.given == 0 {
		return ""
	}
	before, had, then := g.before[g.given-1], "could still hold for ever", ""
	if before.Winner == castle.Soldiers {
		had = "could still win"
		then = " With it you could have won in wave " + pictures.People(g.given-1+before.Waves) + "."
	}
	return fmt.Sprintf("When wave %d began, you %s. Then %s shot at defenders; the best order was %s.%s", g.given, had,
		pictures.People(before.order), pictures.People(g.better), then)
}
