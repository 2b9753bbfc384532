package castle

import (
	"fmt"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/pictures"
)

// forced is the remark on an order without a choice.
const forced = "no choice"

// remark says what the last order was worth, in the moment before it. Praise is for a choice that could be wrong.
func (p *played) remark() string {
	before := p.last()
	won := before.Winner == game.Soldiers
	switch low, high := before.Moves(); {
	case low == high:
		return forced
	case p.lastCost < 0 && won:
		return pictures.Lost.Signed("gave the win away")
	case p.lastCost < 0:
		return pictures.Lost.Signed("gave the tie away")
	case p.lastCost > 0 && won:
		return pictures.TooMany.Signed(pictures.Plural(p.lastCost, "wave"))
	case p.lastCost > 0:
		return pictures.TooFew.Signed(pictures.Plural(p.lastCost, "wave"))
	case before.Winner != game.Castle:
		return pictures.Won.Signed("best")
	case before.Waves == 1:
		return "lost anyway"
	}
	return "holds out longest"
}

// headline is where the battle stands, or how it has ended.
func (p *played) headline() string {
	if p.over() {
		return p.end()
	}
	return fmt.Sprintf("Wave %s: %s", pictures.People(p.wave()+1), p.left())
}

// left are the numbers of the moment.
func (p *played) left() string {
	defenders := pictures.People(p.now.Defenders) + " defenders"
	if p.now.Defenders == 1 {
		defenders = "1 defender"
	}
	return fmt.Sprintf("%s, %s, %s.", pictures.Plural(p.now.Soldiers, "soldier"), defenders,
		pictures.Plural(p.now.CastleHits, "castle hit"))
}

// said is the moment for those who listen.
func (p *played) said() string {
	if p.wave() == 0 {
		return p.left()
	}
	return fmt.Sprintf("Wave %s: %s. %s", pictures.People(p.wave()), p.losses(), p.left())
}

// losses says how many soldiers the last wave has cost.
func (p *played) losses() string {
	switch dead := p.last().Soldiers - p.now.Soldiers; dead {
	case 0:
		return "nobody dies"
	case 1:
		return "1 soldier dies"
	default:
		return pictures.Plural(dead, "soldier") + " die"
	}
}

// did is what the last order has done.
func (p *played) did() string {
	before := p.last()
	text := "Then: "
	if low, high := before.Moves(); low == high {
		text = "No choice here. Then: "
	}
	switch left := before.Defenders - uint64(before.order); {
	case before.Defenders == 0:
		text += "nobody shoots back"
	case left == 1:
		text += "1 defender is left, and " + p.losses()
	default:
		text += pictures.People(left) + " defenders are left, and " + p.losses()
	}
	switch {
	case p.now.CastleHits > 0:
		return text + "; the castle stands with " + pictures.Plural(p.now.CastleHits, "hit") + "."
	case before.CastleHits > 0:
		return text + "; the castle falls."
	}
	return text + "; the castle is down."
}

// hint is the best order.
func (p *played) hint() string {
	best := map[game.Winner]string{
		game.Soldiers: "Best", game.Tie: "To hold for ever", game.Castle: "To hold out longest",
	}
	order := p.now.AtDefenders
	return fmt.Sprintf("%s: %s at defenders, %s at the castle. Shoot, or think again.", best[p.now.Winner],
		pictures.People(order), pictures.People(p.now.Soldiers-order))
}

// more says what can be made of the moment.
func (p *played) more() string {
	if p.wave() == 0 {
		return content.ForPeople("From the start: " + p.Reach() + ". " + p.HelpedWin())
	}
	switch p.now.Winner {
	case game.Soldiers:
		more := pictures.People(p.now.Waves) + " more waves"
		if p.now.Waves == 1 {
			more = "1 more wave"
		}
		return "Yes. From here best play wins in " + more + "."
	case game.Tie:
		return "No. But you need not lose either: you can hold for ever, which is a tie."
	}
	return "No, the castle wins. From here you can hold out until wave " + pictures.People(p.wave()+p.now.Waves) +
		" at most."
}

// end judges a battle that is over.
func (p *played) end() string {
	waves, fewest := pictures.Plural(p.wave(), "wave"), pictures.People(p.before[0].Waves)
	switch p.winner {
	case game.Soldiers:
		home := pictures.Plural(p.now.Soldiers, "soldier") + " come home"
		if p.now.Soldiers == 1 {
			home = "1 soldier comes home"
		}
		if p.cost > 0 {
			return pictures.Won.Signed(fmt.Sprintf("You win in %s; best play takes %s. %s.", waves, fewest, home))
		}
		most := "Nobody can be that fast and bring more of them back: a perfect game."
		if survivors, _ := p.MostSurvivors(); survivors != p.now.Soldiers {
			most = "Best play is as fast and brings back " + pictures.People(survivors) + "."
		}
		return pictures.Won.Signed(fmt.Sprintf("You win in %s, and nobody can be faster. %s. %s", waves, home, most))
	case game.Tie:
		text := fmt.Sprintf("A tie: wave %d changes nothing, and it could go on like that for ever.", p.wave())
		if p.given > 0 {
			return pictures.Tied.Signed(text + " But you could have won.")
		}
		return pictures.Tied.Signed(text + " More than that cannot be had here.")
	}
	lost := fmt.Sprintf("The castle wins in wave %d.", p.wave())
	switch {
	case p.given > 0:
	case p.cost > 0:
		lost += " It could not be won, but best play holds out until wave " + fewest + "."
	default:
		lost += " It could not be won, and nobody can hold out longer: a perfect game."
	}
	return pictures.Lost.Signed(lost)
}

// gaveAway tells of the moment in which the battle was given away.
func (p *played) gaveAway() string {
	before, had, then := p.before[p.given-1], "could still hold for ever", ""
	if before.Winner == game.Soldiers {
		had = "could still win"
		then = " With it you could have won in wave " + pictures.People(p.given-1+before.Waves) + "."
	}
	return fmt.Sprintf("When wave %d began, you %s. Then %s shot at defenders; the best order was %s.%s", p.given, had,
		pictures.People(before.order), pictures.People(p.better), then)
}
