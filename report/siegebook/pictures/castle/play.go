package castle

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
)

// Playing returns a battle that readers play wave by wave. At each moment, it shows what best play would achieve.
func Playing() pictures.Picture {
	return pictures.Picture{
		Name: "castle-play", Fields: playFields(), See: seePlay, Do: doPlay,
	}
}

// Opened returns settings for [Playing] that start a battle. They suggest the order in the middle.
func Opened(b game.Battle) []content.Setting {
	if p, err := newPlayed(b, ""); err == nil && !p.over() {
		return Settings(b, "order", p.middle())
	}
	return Settings(b)
}

// middle returns the order halfway between the smallest and the largest number of shots at defenders.
func (p *played) middle() int64 {
	low, high := p.now.Moves()
	return low + (high-low+1)/2
}

// Offer is a battle that [Playing] offers.
type Offer struct {
	Title string
	// Story describes the battle. Its three %v are replaced by the numbers of soldiers, hits and defenders.
	Story string
	game.Battle
}

// Offers contains the battles that readers choose from. Package report/siegebook/castle checks their stories.
var Offers = []Offer{
	{
		"A first battle", anyStory + " Four of the seven orders win. Which one wins soonest?",
		battle(12, 20, 10),
	},
	{"Thirteen", anyStory + " One order wins. Find it, then try it with one soldier fewer.", battle(13, 17, 17)},
	{"… and twelve", "With %[1]s no order wins any more. How long can you last?", battle(12, 17, 17)},
	{"A fair fight", anyStory + " Can you win? And in how few waves?", battle(19, 50, 15)},
	{
		"One soldier makes the difference", "%[1]s are enough, but only just. In wave 2 exactly one order wins, and " +
			"every other one loses. Which one is it?",
		battle(3820, 5000, 5000),
	},
	{"… and one fewer", "With %[1]s no order wins any more. How long can you last?", battle(3819, 5000, 5000)},
	{
		"Hold out", "You cannot win this battle. If you shoot only at defenders, it is over soon. There is a better " +
			"way to lose: find it.",
		battle(21, 25, 30),
	},
}

const anyStory = "%[1]s before a castle that takes %[2]s and sends out %[3]s a wave."

// mostPlayed is the maximum number of waves that readers can play.
const mostPlayed = 200

func playFields() []pictures.Field {
	fields := battleFields(100, 300, 100)
	for i := range fields {
		fields[i].Apart, fields[i].Sets = true, pictures.Values{"moves": "", "order": "0", "hint": ""}
	}
	return append(fields, pictures.Memory("moves", ""), pictures.Field{
		Name: "order", Label: "shots at defenders", One: "soldier at defenders", Many: "soldiers at defenders",
		Start: "0", Apart: true, Enter: "shoot",
	}, pictures.Given("hint"), pictures.Kept("left"), pictures.Given("fresh"))
}

// played is a battle that a reader is playing.
type played struct {
	game.Battle
	now     moment
	winner  game.Winner
	before  []moment // the moments before each wave
	remarks []string
	most    uint64 // the largest number of defenders so far

	// the wave that lost the win or the tie, or 0; the best order in that wave; the waves lost in total; the waves lost
	// by the last order
	given, better, cost, lastCost int64
}

// moment is a state. If the battle is undecided, it also contains the best outcome that the soldiers can reach, and the
// order that leads to it.
type moment struct {
	game.State
	game.Value
	order int64
}

// newPlayed plays the moves in an address, such as 0,8,5. It returns an error for the first illegal move.
func newPlayed(b game.Battle, moves string) (*played, error) {
	p := begun(b)
	if moves == "" {
		return p.opened()
	}
	list := strings.Split(moves, ",")
	if len(list) > mostPlayed {
		return nil, pictures.Refuse("", "a game of %d waves: at most %d are played here: leave out the others",
			len(list), mostPlayed)
	}
	for _, text := range list {
		order, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, pictures.Refuse("", "the move “%.25s” is not a number of soldiers; moves look like 0,8,5", text)
		}
		if err := p.play(order); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// opened plays the first wave, in which there are no defenders and all soldiers shoot at the castle. Readers play it
// themselves if it ends the battle.
func (p *played) opened() (*played, error) {
	next := begun(p.Battle)
	if err := next.play(0); err != nil || next.over() {
		return p, err
	}
	return next, nil
}

// first returns the number of waves that opened plays.
func (p *played) first() int64 {
	if next, err := begun(p.Battle).opened(); err == nil {
		return next.wave()
	}
	return 0
}

// moves returns the orders so far in the form that addresses use.
func (p *played) moves() []string {
	var moves []string
	for _, m := range p.before {
		moves = append(moves, strconv.FormatInt(m.order, 10))
	}
	return moves
}

// begun returns a battle before the first wave.
func begun(b game.Battle) *played {
	return &played{Battle: b, now: moment{State: b.Start(), Value: b.ValueFrom(b.Start())}}
}

func (p *played) wave() int64 { return int64(len(p.before)) }

func (p *played) over() bool { return p.winner != game.Undecided }

// play plays a wave.
func (p *played) play(order int64) error {
	wave, s := p.wave()+1, p.now
	if p.over() {
		return pictures.Refuse("", "wave %d: the battle is decided in wave %d (%v): leave out the later waves", wave,
			wave-1, p.winner)
	}
	low, high := s.Moves()
	legal := fmt.Sprintf("%d to %d", low, high)
	if low == high {
		legal = fmt.Sprintf("exactly %d", low)
	}
	if order < low || order > high {
		return pictures.Refuse("", "wave %d: %s cannot shoot at defenders in %v, but %s can: change the move", wave,
			content.Counted(order, "soldier", "soldiers"), s.State, legal)
	}
	s.order = order
	p.before = append(p.before, s)
	var next moment
	next.State, p.winner = p.Step(s.State, order)
	next.Value = game.Value{Winner: p.winner}
	if !p.over() {
		next.Value = p.ValueFrom(next.State)
	}
	p.now, p.most = next, max(p.most, next.Defenders)
	p.judge(s.Value)
	p.remarks = append(p.remarks, p.remark())
	return nil
}

// judge computes the cost of the last order.
func (p *played) judge(before game.Value) {
	p.lastCost = 0
	switch after := p.now.Value; {
	case after.Worse(before):
		p.lastCost = -1
		if p.given == 0 {
			p.given, p.better = p.wave(), before.AtDefenders
		}
		return
	case after.Winner == game.Soldiers:
		p.lastCost = 1 + after.Waves - before.Waves
	case after.Winner == game.Castle:
		p.lastCost = before.Waves - 1 - after.Waves
	}
	p.cost += p.lastCost
}

// doPlay performs an action of the reader.
func doPlay(v pictures.Values, what string) (pictures.Values, error) {
	p, err := newPlayed(battleOf(v), v["moves"])
	if err != nil {
		return nil, err
	}
	verb, rest, _ := strings.Cut(what, " ")
	moves := p.moves()
	if p.over() && slices.Contains([]string{"shoot", "finish", "can", "best"}, verb) {
		return nil, pictures.Refuse("", "The battle is over. Take a wave back, or choose another battle.")
	}
	hint := v["hint"]
	v["hint"], v["fresh"] = "", ""
	switch verb {
	case "shoot":
		if p.wave() >= mostPlayed {
			return nil, pictures.Refuse("", "A game here ends after %d waves. Take some back, or choose another "+
				"battle.", mostPlayed)
		}
		order := p.legal(v.Int("order"))
		if err := p.play(order); err != nil {
			return nil, err
		}
		moves, v["fresh"] = append(moves, strconv.FormatInt(order, 10)), "yes"
	case "back":
		if p.wave() <= p.first() {
			return nil, pictures.Refuse("", "Nothing has been played yet.")
		}
		v["order"], moves = moves[len(moves)-1], moves[:len(moves)-1]
	case "to":
		wave, err := strconv.Atoi(rest)
		if err != nil || wave < 1 || wave > len(moves) {
			return nil, pictures.Refuse("", "%.40q: there is no such wave", rest)
		}
		v["order"], moves = moves[wave-1], moves[:wave-1]
	case "finish":
		if p.now.Waves > mostPlayed-p.wave() {
			return nil, pictures.Refuse("", "That takes %s more waves, and a game here ends after %d.",
				pictures.People(p.now.Waves), mostPlayed)
		}
		for !p.over() {
			order := p.now.AtDefenders
			if err := p.play(order); err != nil {
				return nil, err
			}
			moves = append(moves, strconv.FormatInt(order, 10))
		}
		v["fresh"] = "yes"
	case "can", "best":
		if hint != verb { // pressing again hides the hint
			v["hint"] = verb
		}
	case "return":
		left := strings.SplitN(v["left"], ",", 4)
		if len(left) != 4 {
			return nil, pictures.Refuse("", "There is no other game.")
		}
		v["n"], v["s"], v["d"], v["moves"], v["order"] = left[0], left[1], left[2], left[3], "0"
		return v, nil
	case "surprise":
		seed, _ := strconv.ParseUint(rest, 10, 64)
		b := surprise(seed)
		v["n"], v["s"], v["d"] = fmt.Sprint(b.Soldiers), fmt.Sprint(b.CastleHits), fmt.Sprint(b.DefendersPerWave)
		moves, v["order"] = nil, "0"
	default:
		return nil, pictures.Refuse("", "%.40q: there is no such action", what)
	}
	v["moves"] = strings.Join(moves, ",")
	if int64(len(moves)) <= begun(battleOf(v)).first() { // only the first wave has been played
		v["moves"] = ""
	}
	return v, nil
}

// surprise returns a random battle that the soldiers can win, but not at once and not only after many waves.
func surprise(seed uint64) game.Battle {
	const shortest, longest = 4, 12
	chance := rand.New(rand.NewPCG(seed, 0))
	some := func(least, most int64) int64 { return least + chance.Int64N(most-least+1) }
	for {
		n := some(8, 30)
		b := game.Battle{Soldiers: n, CastleHits: some(n+1, 4*n), DefendersPerWave: some((n+2)/3, (6*n+4)/5)}
		if waves := b.MinWaves(); waves >= shortest && waves <= longest {
			return b
		}
	}
}

// legal returns the legal order that is nearest to a number.
func (p *played) legal(order int64) int64 {
	low, high := p.now.Moves()
	return min(max(order, low), high)
}

func seePlay(v pictures.Values) (*pictures.View, error) {
	b, moves, notice := battleOf(v), v["moves"], ""
	p, err := newPlayed(b, moves)
	if err != nil {
		notice = err.Error() + ". A new battle begins."
		if p, err = newPlayed(b, ""); err != nil {
			return nil, err
		}
	}
	if p.wave() <= p.first() {
		moves = ""
	}
	low, high, order := int64(0), int64(0), int64(0)
	if !p.over() {
		low, high = p.now.Moves()
		order = p.legal(v.Int("order"))
		if low > 0 && v["order"] == "0" { // the reader has not chosen yet
			order = p.middle()
		}
	}
	view := &pictures.View{
		Answer: p.headline(), Notice: notice,
		Bounds: map[string]pictures.Bound{"order": {Least: low, Most: high, Limit: max(high, 1)}},
		Set:    pictures.Values{"moves": moves, "order": strconv.FormatInt(order, 10), "fresh": ""},
	}
	here := fmt.Sprintf("%d,%d,%d,%s", b.Soldiers, b.CastleHits, b.DefendersPerWave, moves)
	if moves != "" {
		view.Set["left"] = here
	}
	next, err := newPlayed(b, moves)
	if err == nil && !p.over() {
		err = next.play(order)
	}
	if err != nil {
		return nil, err
	}
	best := v["hint"] == "best" && !p.over()
	hint := map[string]string{"can": p.more(), "best": p.hint()}[v["hint"]]
	view.ScreenReaderText = strings.TrimSpace(hint + " " + p.describeMoment())
	view.Parts = []pictures.Part{{Plate: p.plate(next, v["fresh"] != "", best)}}
	said := hint
	if p.over() {
		view.ScreenReaderText = strings.TrimLeft(p.end(), "✓✗= ")
		if p.given > 0 {
			said = p.gaveAway()
		}
	} else if said == "" {
		said = next.did()
	}
	main := pictures.Row{Buttons: []pictures.Button{p.primary()}}
	dock := [][]pictures.Part{{{Field: "order"}}, {{Row: &main}}}
	if p.over() {
		dock = dock[1:]
	}
	view.Parts = append(view.Parts, pictures.Part{Dock: true, Beside: dock},
		pictures.Part{Text: pictures.Say(p.why()), Room: 2}, pictures.Part{Text: pictures.Say(said), Room: 2},
		p.buttons())
	left := v["left"]
	more := append([]pictures.Part{p.further(left != "" && left != here)}, p.offers()...)
	more = append(more, pictures.Words("A battle of your own:"), pictures.Part{Field: "n"}, pictures.Part{Field: "s"},
		pictures.Part{Field: "d"})
	view.Parts = append(view.Parts, pictures.Part{Fold: &pictures.Fold{Summary: "More", Parts: more}}, p.story())
	if p.over() {
		view.Parts = append(view.Parts, p.bestLine())
	}
	return view, nil
}

// plate draws the moment and the effect of the current order. next is the battle after that order. If best is true,
// plate marks the best order.
func (p *played) plate(next *played, fresh, best bool) *pictures.Plate {
	most := max(uint64(p.Soldiers), p.most)
	castle := figure.Rank{
		Label: "Castle hits", Swatch: figure.Blocked, Whole: uint64(p.CastleHits), Count: uint64(p.now.CastleHits),
		Leaving: true,
	}
	defenders := figure.Rank{
		Label: "Defenders", Swatch: figure.Vermilion, Round: true, Whole: most, Count: p.now.Defenders, Leaving: true,
	}
	soldiers := figure.Rank{
		Label: "Soldiers", Swatch: figure.Sky, Round: true, Whole: most, Count: uint64(p.now.Soldiers),
	}
	if wave := p.wave(); wave > 0 {
		before := p.before[wave-1]
		castle.Lost = uint64(before.CastleHits - p.now.CastleHits)
		soldiers.Lost = uint64(before.Soldiers - p.now.Soldiers)
		defenders.Lost = uint64(before.order)
		stay := before.Defenders - uint64(before.order)
		defenders.Came = p.now.Defenders - stay
		soldiers.Shots = []figure.Shots{
			{At: 0, Count: uint64(before.Soldiers - before.order)}, {At: 1, Count: uint64(before.order)},
		}
		defenders.Shots = []figure.Shots{{At: 2, Count: min(stay, uint64(before.Soldiers)), Late: true}}
	}
	switch {
	case p.now.CastleHits == 0:
		castle.Note = "it has fallen"
	case !p.over():
		castle.Part = uint64(p.now.CastleHits - next.now.CastleHits)
		castle.Note = pictures.Text("%v hit, %v left", castle.Part, next.now.CastleHits)
	}
	switch order := uint64(next.last().order); {
	case p.now.Defenders == 0:
		defenders.Note = "nobody is out"
		if p.wave() == 0 {
			defenders.Note += " yet"
		}
	case !p.over():
		defenders.Part = order
		defenders.Note = pictures.Text("%v shot, %v left", order, p.now.Defenders-order)
	}
	switch order := next.last().order; {
	case p.now.Soldiers == 0:
		soldiers.Note = "nobody is left"
	case !p.over():
		low, high := p.now.Moves()
		soldiers.Part, soldiers.Handle = uint64(order), low < high
		soldiers.Note = pictures.Text("%v at defenders, %v at the castle", order, p.now.Soldiers-order)
	}
	if best {
		soldiers.Ghost, soldiers.Ghosts = true, uint64(p.now.AtDefenders)
	}
	drawing := figure.Ranks{
		Title: "The battle at the end of wave " + pictures.People(p.wave()),
		Rows:  []figure.Rank{castle, defenders, soldiers},
	}
	if p.wave() == 0 {
		drawing.Title = "The battle before the first wave"
	}
	plate := &pictures.Plate{
		Key: fmt.Sprint(drawing), Runs: fresh && p.wave() > 0,
		Shaped: func(narrow bool) pictures.MovingDrawing {
			shaped := drawing
			shaped.Narrow = narrow
			return shaped
		},
		Label: "The bar of the soldiers: the left part shoots at defenders",
	}
	if !p.over() {
		low, high := p.now.Moves()
		plate.Pick = &pictures.Pick{X: pictures.Along("order", 0, float64(most), 0, low, high, next.last().order)}
	}
	return plate
}

// last returns the last moment in which the soldiers received an order.
func (p *played) last() moment {
	if len(p.before) == 0 {
		return moment{}
	}
	return p.before[len(p.before)-1]
}

// able returns a button that is disabled unless can is true.
func able(label, what string, can bool) pictures.Button {
	if !can {
		what = ""
	}
	return pictures.Button{Label: label, Do: what}
}

// primary returns the main button, which leads to the next step.
func (p *played) primary() pictures.Button {
	button := pictures.Button{Label: "Shoot!", Do: "shoot", Main: true}
	if !p.over() {
		if low, high := p.now.Moves(); low == high {
			button.Label = "Go on"
		}
		return button
	}
	button.Do, button.Label = "", "Play it again"
	button.Set = pictures.With("moves", "", "order", 0, "hint", "")
	at := slices.IndexFunc(Offers, func(o Offer) bool { return o.Battle == p.Battle })
	if at >= 0 && at+1 < len(Offers) && p.given == 0 {
		next := Offers[at+1]
		button.Label = "Next: " + next.Title
		fewer := p.Battle
		if fewer.Soldiers--; next.Battle == fewer {
			button.Label = pictures.Text("Now with {soldier}", fewer.Soldiers)
		}
		button.Set = setBattle(next.Battle, "moves", "", "order", 0, "hint", "")
	}
	return button
}

// buttons returns the buttons that readers press frequently.
func (p *played) buttons() pictures.Part {
	row := pictures.Row{Buttons: []pictures.Button{
		able("Undo", "back", p.wave() > p.first()), able("Best play", "best", !p.over()),
	}}
	if p.over() && p.given > 0 {
		row.Buttons[1] = able("Go back to wave "+pictures.People(p.given), fmt.Sprintf("to %d", p.given), true)
	}
	return pictures.Part{Row: &row}
}

// further returns the buttons that readers press less frequently.
func (p *played) further(left bool) pictures.Part {
	again := pictures.Button{Label: "Play it again"}
	if p.wave() > p.first() {
		again.Set = pictures.With("moves", "", "order", 0, "hint", "")
	}
	return pictures.Part{Row: &pictures.Row{Buttons: []pictures.Button{
		able("Can I still win?", "can", !p.over()), able("Let best play finish", "finish", !p.over()), again,
		able("Back to your game", "return", left),
	}}}
}

// offers returns the story of the battle, and buttons for other battles.
func (p *played) offers() []pictures.Part {
	story, row := anyStory, &pictures.Row{Label: "Battles:"}
	for _, o := range Offers {
		set := setBattle(o.Battle, "moves", "", "order", 0, "hint", "")
		button := pictures.Button{Label: o.Title, Set: set, Pressed: o.Battle == p.Battle}
		if o.Battle == p.Battle {
			story = o.Story
		}
		row.Buttons = append(row.Buttons, button)
	}
	row.Buttons = append(row.Buttons, pictures.Button{Label: "Surprise me", Do: "surprise", Chance: true})
	words := fmt.Sprintf(story+"%[5]s", pictures.Plural(p.Soldiers, "soldier"), pictures.Plural(p.CastleHits, "hit"),
		pictures.Plural(p.DefendersPerWave, "defender"), p.DefendersPerWave, "")
	return []pictures.Part{pictures.Words(words), {Row: row}}
}

// waveHeads sets the heads of a table of waves. Long headings break into lines, so that all columns are visible on a
// phone.
func waveHeads(t *pictures.Table) {
	t.Groups = []pictures.Group{{Text: "", Span: 1}, {Text: "shots at", Span: 2}, {Text: "left", Span: 3}}
	t.Heads = pictures.Heads("wave", "castle", "defen\u00adders", "sol\u00addiers", "defen\u00adders", "castle")
}

// story returns the table of the waves played so far.
func (p *played) story() pictures.Part {
	t := &pictures.Table{Caption: "Your battle, wave by wave", Chosen: len(p.before)}
	waveHeads(t)
	t.Groups = append(t.Groups, pictures.Group{Span: 1})
	t.Heads = append(t.Heads, pictures.Say("your order"))
	for wave := range len(p.before) + 1 {
		m := p.now
		if wave < len(p.before) {
			m = p.before[wave]
		}
		if wave == 0 {
			t.Add("start", "", "", m.Soldiers, m.Defenders, m.CastleHits, "")
			continue
		}
		given, remark := p.before[wave-1], p.remarks[wave-1]
		if !p.over() && remark != forced {
			remark = ""
		}
		t.Add(wave, given.Soldiers-given.order, given.order, m.Soldiers, m.Defenders, m.CastleHits, remark)
	}
	return pictures.Part{Table: t}
}

// bestLine returns the best line of a battle that is over.
func (p *played) bestLine() pictures.Part {
	var best []game.Run
	for run := range p.Runs(p.SafestStrategy()) {
		best = append(best, run)
	}
	const caption = "The best line, wave by wave"
	return pictures.Part{Fold: &pictures.Fold{
		Summary: caption, Parts: []pictures.Part{lineTable(caption, p.Battle, best)},
	}}
}

// forced is the remark on an order without an alternative.
const forced = "no choice"

// remark describes how good the last order was. It praises an order only if there was a worse alternative.
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

// headline describes the next step, or how the battle ended.
func (p *played) headline() string {
	if p.over() {
		return p.end()
	}
	return p.asked()
}

// why explains what the last wave changed.
func (p *played) why() string {
	if p.wave() == 0 {
		return p.left()
	}
	before, text := p.last(), pictures.Text("Wave %v:", p.wave())
	switch hits := before.CastleHits - p.now.CastleHits; {
	case before.CastleHits == 0:
	case p.now.CastleHits == 0:
		text += " the castle falls."
	default:
		text += pictures.Text(" the castle takes {hit}.", hits)
	}
	stayed := int64(before.Defenders - uint64(before.order))
	switch {
	case before.Defenders == 0:
	case stayed == 0:
		none := "no defender is left to shoot, and no soldier dies."
		if !strings.HasSuffix(text, ":") {
			none = content.Capital(none)
		}
		text += " " + none
	default:
		text += pictures.Text(" {defender was|defenders were} left and shot {soldier}.", stayed,
			before.Soldiers-p.now.Soldiers)
	}
	return text
}

// asked returns the next instruction for the reader.
func (p *played) asked() string {
	low, high := p.now.Moves()
	switch {
	case p.wave() == 0:
		return pictures.Text("No defender is out yet: {soldier shoots|soldiers shoot} at the castle.", p.now.Soldiers)
	case low == high && p.now.CastleHits == 0:
		return pictures.Text("{defender is|defenders are} left, and no more come: {soldier hunts|soldiers hunt} them.",
			p.now.Defenders, p.now.Soldiers)
	case low == high:
		return pictures.Text("{defender is|defenders are} out, the castle has {hit} left. There is no choice.",
			p.now.Defenders, p.now.CastleHits)
	}
	return pictures.Text("{defender is|defenders are} out, the castle has {hit} left. Divide your {soldier}.",
		p.now.Defenders, p.now.CastleHits, p.now.Soldiers)
}

// left returns the numbers of soldiers, defenders and castle hits at the moment, as text.
func (p *played) left() string {
	return pictures.Text("{soldier}, {defender}, {castle hit}.", p.now.Soldiers, p.now.Defenders, p.now.CastleHits)
}

// describeMoment describes the moment for screen readers.
func (p *played) describeMoment() string {
	if p.wave() == 0 {
		return p.left()
	}
	return pictures.Text("Wave %v: %v. %v", p.wave(), p.losses(), p.left())
}

// losses describes how many soldiers the last wave cost.
func (p *played) losses() string {
	dead := p.last().Soldiers - p.now.Soldiers
	if dead == 0 {
		return "nobody dies"
	}
	return pictures.Text("{soldier dies|soldiers die}", dead)
}

// did describes the effect of the last order.
func (p *played) did() string {
	before := p.last()
	text := "Then: "
	if low, high := before.Moves(); low == high {
		text = "No choice here. Then: "
	}
	switch left := before.Defenders - uint64(before.order); {
	case before.Defenders == 0:
		text += "nobody shoots back"
	default:
		text += pictures.Text("{defender is|defenders are} left, and %v", left, p.losses())
	}
	switch {
	case p.now.CastleHits > 0:
		return text + pictures.Text("; the castle stands with {hit}.", p.now.CastleHits)
	case before.CastleHits > 0:
		return text + "; the castle falls."
	}
	return text + "; the castle is down."
}

// hint describes the best order.
func (p *played) hint() string {
	best := map[game.Winner]string{
		game.Soldiers: "Best", game.Tie: "To hold for ever", game.Castle: "To hold out longest",
	}
	order := p.now.AtDefenders
	return pictures.Text("%v: %v at defenders, %v at the castle. Shoot, or think again.", best[p.now.Winner], order,
		p.now.Soldiers-order)
}

// more describes what the soldiers can still achieve from the moment on.
func (p *played) more() string {
	if p.wave() <= p.first() {
		return content.ForPeople("From the start: " + p.Reach() + ". " + p.HelpedWin())
	}
	switch p.now.Winner {
	case game.Soldiers:
		return pictures.Text("Yes. From here best play wins in {more wave}.", p.now.Waves)
	case game.Tie:
		return "No. But you need not lose either: you can hold out for ever, which is a tie."
	}
	return pictures.Text("No, the castle wins. From here you can hold out until wave %v at most.", p.wave()+p.now.Waves)
}

// end describes how well the reader played a battle that is over.
func (p *played) end() string {
	waves, fewest := pictures.Plural(p.wave(), "wave"), pictures.People(p.before[0].Waves)
	switch p.winner {
	case game.Soldiers:
		home := pictures.Text("{soldier comes home|soldiers come home}", p.now.Soldiers)
		if p.cost > 0 {
			return pictures.Won.Signed(fmt.Sprintf("You win in %s; best play takes %s. %s.", waves, fewest, home))
		}
		most := "Nobody can be that fast and bring more of them back: a perfect game."
		if survivors, _ := p.MostSurvivors(); survivors != p.now.Soldiers {
			most = pictures.Text("Best play is as fast and brings back %v.", survivors)
		}
		return pictures.Won.Signed(fmt.Sprintf("You win in %s, and nobody can be faster. %s. %s", waves, home, most))
	case game.Tie:
		text := fmt.Sprintf("A tie: wave %d changes nothing, and it could go on like that for ever.", p.wave())
		if p.given > 0 {
			return pictures.Tied.Signed(text + " But you could have won.")
		}
		return pictures.Tied.Signed(text + " Nothing better is possible here.")
	}
	lost := fmt.Sprintf("The castle wins in wave %d.", p.wave())
	switch {
	case p.given > 0:
	case p.cost > 0:
		lost += " You could not win it, but best play holds out until wave " + fewest + "."
	default:
		lost += " You could not win it, and nobody can hold out longer: a perfect game."
	}
	return pictures.Lost.Signed(lost)
}

// gaveAway describes the moment in which the reader lost the win or the tie.
func (p *played) gaveAway() string {
	before, had, then := p.before[p.given-1], "could still hold out for ever", ""
	if before.Winner == game.Soldiers {
		had = "could still win"
		then = pictures.Text(" With it you could have won in wave %v.", p.given-1+before.Waves)
	}
	return pictures.Text("When wave %v began, you %v. Then %v shot at defenders; the best order was %v.%v", p.given,
		had, before.order, p.better, then)
}
