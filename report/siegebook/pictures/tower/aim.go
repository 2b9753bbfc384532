package tower

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
)

// Aiming returns a battle in which readers aim by hand, tower by tower. It also shows the results that the strategies
// and random shots achieve against the same towers.
func Aiming() pictures.Picture {
	return pictures.Picture{
		Name: "tower-aim", Fields: aimFields(), See: seeAim, Do: doAim,
	}
}

// These are the effects of a click, in the order of the field's options.
const (
	clickHits = "hits"
	clickOne  = "one"
	clickFive = "five"
	clickAll  = "all"
)

func aimFields() []pictures.Field {
	fields := battleFields(100, 16)
	for i := range fields {
		fields[i].Apart, fields[i].Sets = true, pictures.Values{"moves": "", "aim": "", "at": ""}
	}
	var readings []pictures.Option
	for _, r := range game.Readings() {
		readings = append(readings, pictures.Option{Value: r.String(), Label: r.Description() + " (" + r.String() +
			")"})
	}
	return append(fields,
		pictures.Memory("moves", ""), pictures.Memory("aim", ""),
		pictures.Field{Name: "click", Label: "a click aims", Start: clickHits, Apart: true, Options: []pictures.Option{
			{Value: clickHits, Label: "as many shots as the tower takes"},
			{Value: clickOne, Label: "1 shot"},
			{Value: clickFive, Label: "5 shots"},
			{Value: clickAll, Label: "all that are left"},
		}},
		pictures.Field{
			Name: "reading", Label: "random shots choose", Start: readings[0].Value, Options: readings,
			Apart: true,
		},
		pictures.Given("at"), pictures.Given("compare"),
	)
}

// siege is a battle in which the reader aims. It holds the towers, the rounds so far, and the shots of the next round.
type siege struct {
	game.Battle
	rounds []round // the first element is the start
	hits   []int64 // the hits that each tower has left
	shots  []int64
	at     int // the selected tower
}

// round is the state at the end of a round.
type round struct {
	state         game.State
	winner        game.Winner
	shots         []int64
	wasted, kills int64
}

func (s *siege) now() round { return s.rounds[len(s.rounds)-1] }

func (s *siege) over() bool { return s.now().winner != game.Undecided }

// free returns the number of soldiers without a target.
func (s *siege) free() int64 {
	free := s.now().state.Soldiers
	for _, each := range s.shots {
		free -= each
	}
	return free
}

// newSiege plays the battle that the field values describe. It returns an error for values that break the rules.
func newSiege(v pictures.Values) (*siege, error) {
	s, err := &siege{Battle: battleOf(v)}, error(nil)
	s.hits = slices.Repeat([]int64{s.HitsPerTower}, int(s.Towers))
	s.rounds = []round{{state: s.Start()}}
	if v["moves"] != "" {
		for text := range strings.SplitSeq(v["moves"], "_") {
			shots, err := s.parse("moves", text)
			if err != nil {
				return nil, err
			}
			if err := s.fire(shots); err != nil {
				return nil, err
			}
		}
	}
	if s.shots, err = s.parse("aim", v["aim"]); err != nil {
		return nil, err
	}
	wrong := s.free() < 0 || s.over() && v["aim"] != ""
	for i, each := range s.shots {
		wrong = wrong || each > 0 && s.hits[i] == 0
	}
	if wrong {
		return nil, pictures.Refuse("", "aim = %.40s: only %s can fire, and only at standing towers", v["aim"],
			pictures.Plural(s.now().state.Soldiers, "soldier"))
	}
	s.at, _ = strconv.Atoi(v["at"])
	if s.at < 0 || s.at >= len(s.hits) {
		s.at = 0
	}
	return s, nil
}

// anySiege calls newSiege for the values in an address. If the shots or rounds belong to another battle, it clears
// them, and returns the changed values and a notice.
func anySiege(v pictures.Values) (s *siege, set pictures.Values, notice string, err error) {
	s, wrong := newSiege(v)
	if wrong == nil {
		return s, nil, "", nil
	}
	v, set, notice = maps.Clone(v), pictures.With("aim", ""), wrong.Error()+". The aims are cleared."
	v["aim"] = ""
	if s, err = newSiege(v); err != nil {
		v["moves"], set["moves"], notice = "", "", wrong.Error()+". A new battle begins."
		s, err = newSiege(v)
	}
	return s, set, notice, err
}

// parse parses a round in the form that addresses use: 1-4.6,5.3 means six shots at each of the towers 1 to 4, and
// three at tower 5.
func (s *siege) parse(name, text string) ([]int64, error) {
	shots := make([]int64, s.Towers)
	if text == "" {
		return shots, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		towers, each, _ := strings.Cut(part, ".")
		first, last, several := strings.Cut(towers, "-")
		if !several {
			last = first
		}
		from, wrong := strconv.Atoi(first)
		to, wrongTo := strconv.Atoi(last)
		count, wrongCount := strconv.ParseInt(each, 10, 64)
		isAim := errors.Join(wrong, wrongTo, wrongCount) == nil && from >= 1 && to <= len(shots) && count >= 0 &&
			count <= mostSoldiers
		if !isAim {
			return nil, pictures.Refuse("", "%s = %.40s: write 1-4.6 for six shots at each of the towers 1 to "+
				"4, and there are %s", name, part, pictures.Plural(s.Towers, "tower"))
		}
		for i := from - 1; i < to; i++ {
			shots[i] = count
		}
	}
	return shots, nil
}

// written returns a round in the form that parse parses.
func written(shots []int64) string {
	var parts []string
	for first := 0; first < len(shots); {
		next := first + 1
		for next < len(shots) && shots[next] == shots[first] {
			next++
		}
		switch {
		case shots[first] == 0:
		case next == first+1:
			parts = append(parts, fmt.Sprintf("%d.%d", next, shots[first]))
		default:
			parts = append(parts, fmt.Sprintf("%d-%d.%d", first+1, next, shots[first]))
		}
		first = next
	}
	return strings.Join(parts, ",")
}

// fire plays a round. If all towers fall, the round may have fewer shots than soldiers, because the other soldiers have
// no targets.
func (s *siege) fire(shots []int64) error {
	before := s.now()
	if s.over() {
		return s.refuse("the %v won in round %d: take back the later rounds", before.winner, len(s.rounds)-1)
	}
	aims, err := s.aims(shots)
	if err != nil {
		return err
	}
	state, killsLeft, winner := s.Step(before.state, aims)
	hitsBefore, _ := before.state.HitsLeft().Int64()
	hitsAfter, _ := state.HitsLeft().Int64()
	kills, _ := killsLeft.Int64()
	for i, each := range shots {
		s.hits[i] = max(0, s.hits[i]-each)
	}
	wasted := before.state.Soldiers - (hitsBefore - hitsAfter)
	s.rounds = append(s.rounds, round{state, winner, shots, wasted, kills})
	return nil
}

// refuse returns an error about the round that the reader wants to fire.
func (s *siege) refuse(format string, values ...any) error {
	return pictures.Refuse("", "round %d: "+format, append([]any{len(s.rounds)}, values...)...)
}

// aims returns the shots of all soldiers at each standing tower.
func (s *siege) aims(shots []int64) ([]game.Aim, error) {
	var aims []game.Aim
	soldiers := s.now().state.Soldiers
	fired, allFall := int64(0), true
	for i, hits := range s.hits {
		switch {
		case shots[i] > soldiers-fired:
			return nil, s.refuse("shots at tower %d = %d: %s left to fire: aim fewer", i+1, shots[i],
				soldiersAre(soldiers-fired))
		case hits == 0 && shots[i] > 0:
			return nil, s.refuse("shots at tower %d = %d: the tower has fallen: aim at a standing one", i+1, shots[i])
		case hits > 0:
			aim := game.Aim{Towers: 1, Hits: hits, Shots: shots[i]}
			aims, fired, allFall = append(aims, aim), fired+aim.Shots, allFall && aim.Left() == 0
		}
	}
	if free := soldiers - fired; free > 0 {
		if !allFall {
			return nil, s.refuse("%s without a target: aim each at a tower", soldiersAre(free))
		}
		aims[len(aims)-1].Shots += free
	}
	return aims, nil
}

func soldiersAre(count int64) string { return pictures.Text("{soldier is|soldiers are}", count) }

// Dealt distributes the aims among towers that have the given hits left, and returns the number of shots at each tower.
// Of towers with the same hits left, the first ones get shots first.
func Dealt(hits []int64, aims []game.Aim) []int64 {
	shots, done := make([]int64, len(hits)), make([]bool, len(hits))
	for _, aim := range aims {
		for i, left := range hits {
			if aim.Towers > 0 && left == aim.Hits && !done[i] {
				shots[i], done[i] = aim.Shots, true
				aim.Towers--
			}
		}
	}
	return shots
}

// ending describes how a battle ends.
type ending struct {
	winner      game.Winner
	round, left int64
}

func (e ending) words() string {
	look := pictures.Lost
	if e.winner == game.Soldiers {
		look = pictures.Won
	}
	return look.Signed(pictures.Text("%v win in round %v, %v left", e.winner, e.round, e.left))
}

// end returns the end of the battle if a strategy aims from the given round on.
func (s *siege) end(after int, by game.Strategy) ending {
	from := s.rounds[after]
	if from.winner != game.Undecided {
		return endingOf(int64(after), from.winner, from.state)
	}
	var last game.Round
	for last = range s.RoundsFrom(from.state, by.Aims) { //nolint:revive // the last one counts
	}
	return endingOf(int64(after)+last.Number, last.Winner, last.State)
}

func endingOf(round int64, winner game.Winner, state game.State) ending {
	if winner == game.Soldiers {
		return ending{winner, round, state.Soldiers}
	}
	return ending{winner, round, state.Towers()}
}

// doAim performs an action of the reader.
func doAim(v pictures.Values, what string) (pictures.Values, error) {
	verb, rest, _ := strings.Cut(what, " ")
	switch verb { // before the aims and the rounds are parsed, because they may be wrong
	case "back":
		if v["moves"] == "" {
			return nil, pictures.Refuse("", "Nothing has been fired yet.")
		}
		before, last := "", v["moves"]
		if i := strings.LastIndexByte(last, '_'); i >= 0 {
			before, last = last[:i], last[i+1:]
		}
		v["moves"], v["aim"] = before, last
		return v, nil
	case "clear":
		v["aim"] = ""
		return v, nil
	case "at":
		v["at"] = rest
		return v, nil
	}
	s, err := newSiege(v)
	if err != nil {
		return nil, err
	}
	if s.over() {
		return nil, pictures.Refuse("", "The battle is over. Take a round back, or begin another one.")
	}
	switch verb {
	case "fire":
		if err := s.fire(s.shots); err != nil {
			return nil, err
		}
		moves := strings.TrimPrefix(v["moves"]+"_"+v["aim"], "_")
		if v["moves"] == "" {
			moves = v["aim"]
		}
		if len(moves) > 4000 {
			return nil, pictures.Refuse("", "This battle is too long for an address. Take rounds back, or begin with "+
				"fewer soldiers.")
		}
		v["moves"], v["aim"] = moves, ""
		return v, nil
	case "like":
		i := slices.IndexFunc(game.Strategies(), func(g game.Strategy) bool { return g.String() == rest })
		if i < 0 {
			return nil, pictures.Refuse("", "%.40q: there is no such strategy", rest)
		}
		s.shots = Dealt(s.hits, game.Strategies()[i].Aims(s.now().state))
	case "throw":
		seed, _ := strconv.ParseUint(rest, 10, 64)
		s.shots = Dealt(s.hits, readingOf(v).Aims(s.now().state, rand.New(rand.NewPCG(seed, 0))))
	case "press", "more", "key":
		key, cell, isKey := strings.Cut(rest, " ")
		if !isKey {
			key, cell = "", rest
		}
		i, err := strconv.Atoi(cell)
		if err != nil || i < 0 || i >= len(s.hits) {
			return nil, pictures.Refuse("", "%.40q: there is no such tower", cell)
		}
		v["at"] = strconv.Itoa(i)
		if err := s.shoot(i, s.change(i, key, v["click"])); err != nil {
			return nil, err
		}
	default:
		return nil, pictures.Refuse("", "%.40q: there is no such action", what)
	}
	v["aim"] = written(s.shots)
	return v, nil
}

// change returns by how many shots a key or a click changes the aim at a tower.
func (s *siege) change(i int, key, click string) int64 {
	free, lacking := s.free(), s.hits[i]-s.shots[i]
	switch {
	case key == "+" || key == "1":
		return 1
	case key == "-":
		return -1
	case key == "all":
		return max(free, 1)
	case key == "Delete" || key == "Backspace":
		return -s.shots[i]
	case click == clickOne:
		return 1
	case click == clickFive:
		return 5
	case click == clickAll && free == 0, click == clickHits && s.shots[i] > 0 && (lacking <= 0 || free == 0):
		return -s.shots[i]
	case click == clickAll:
		return free
	}
	return lacking
}

// shoot adds shots to the aim at a tower, or removes shots if more is negative. It adds at most as many shots as there
// are free soldiers.
func (s *siege) shoot(i int, more int64) error {
	free := s.free()
	switch {
	case s.hits[i] == 0:
		return pictures.Refuse("", "Tower %d has fallen.", i+1)
	case more > 0 && free <= 0:
		return pictures.Refuse("", "No soldier is free. Take shots from another tower first.")
	}
	s.shots[i] += max(min(more, free), -s.shots[i])
	return nil
}

func readingOf(v pictures.Values) game.Reading {
	all := game.Readings()
	return all[slices.IndexFunc(all, func(r game.Reading) bool { return r.String() == v["reading"] })]
}

// across is the number of towers side by side.
const across = 8

// plate draws the towers.
func (s *siege) plate() *pictures.Plate {
	columns := min(across, len(s.hits))
	rows := (len(s.hits) + columns - 1) / columns
	g := figure.Grid{Rows: rows, Cols: columns}
	board := &pictures.Board{Rows: rows, Columns: columns, At: s.at, Keys: []string{"+", "-", "Delete", "Backspace"}}
	for i, left := range s.hits {
		p := towerPiece(i/columns, i%columns, left, s.HitsPerTower)
		how := map[int]string{intact: "not hit yet", damaged: "damaged", fallen: "destroyed"}[p.Class]
		words := pictures.Text("Tower %v, %v, {hit} left", i+1, how, left)
		if each := s.shots[i]; each > 0 {
			p.Tag = strconv.FormatInt(each, 10)
			words += pictures.Text(", {shot} aimed at it", each)
		}
		g.Pieces = append(g.Pieces, p)
		board.Cells = append(board.Cells, words)
	}
	now := s.now().state
	drawing := Fields(pictures.Text("{soldier} against {tower}", now.Soldiers, now.Towers()), g)
	drawing.Classes, drawing.Tag = drawing.Classes[1:], "shots aimed at it"
	return &pictures.Plate{
		Key: fmt.Sprint(drawing.Title, s.HitsPerTower, s.hits, s.shots), Board: board, Draw: drawing.Figure,
		Label: "Towers. Arrow keys go from tower to tower, Enter aims, plus and minus change the shots, Delete takes " +
			"them back",
	}
}

func seeAim(v pictures.Values) (*pictures.View, error) {
	s, set, notice, err := anySiege(v)
	if err != nil {
		return nil, err
	}
	over := s.over()
	view := &pictures.View{
		Answer: s.headline(), Set: set, Notice: notice,
		Bounds: map[string]pictures.Bound{"n": {Least: 1, Most: max(100, s.Soldiers)}},
	}
	news := s.news()
	ready := ""
	switch free := s.free(); {
	case over:
	case free == 0:
		ready = "Every soldier has a target."
	default:
		ready = soldiersAre(free) + " without a target."
	}
	view.ScreenReaderText = strings.TrimLeft(strings.TrimSpace(news+" "+view.Answer+". "+ready), "✓✗ ")
	view.Parts = []pictures.Part{
		{Plate: s.plate()},
		{Text: append(pictures.Say(ready), s.army())},
		pictures.Words("Each tower kills {soldier} a round, as long as it stands. %v", s.KillsPerTower, news),
		pictures.Words("The number below a tower is the number of hits that it can still take; the number above is " +
			"the number of shots aimed at it."),
		s.does(over),
	}
	if !over {
		view.Parts = append(view.Parts, pictures.Part{Row: &pictures.Row{
			Label: fmt.Sprintf("At tower %d:", s.at+1),
			Buttons: []pictures.Button{
				{Label: "+1", Do: fmt.Sprintf("more + %d", s.at)},
				{Label: "−1", Do: fmt.Sprintf("more - %d", s.at)},
				{Label: "all free soldiers", Do: fmt.Sprintf("more all %d", s.at)},
			},
		}}, pictures.Part{Field: "click"}, s.strategyButtons())
		fold := &pictures.Fold{
			Field: "compare", Summary: "What would the strategies do now, and how would the battle end?",
		}
		if v["compare"] == "open" {
			fold.Parts = append(s.compared(readingOf(v)), pictures.Part{Field: "reading"})
		}
		view.Parts = append(view.Parts, pictures.Part{Fold: fold})
	} else {
		view.Parts = append(append(view.Parts, s.ended(readingOf(v))...), pictures.Part{Field: "reading"})
	}
	if len(s.rounds) > 1 {
		view.Parts = append(view.Parts, s.story())
	}
	view.Parts = append(view.Parts, s.another())
	return view, nil
}

func (s *siege) headline() string {
	now := s.now()
	switch n, soldiers, towers := len(s.rounds), now.state.Soldiers, now.state.Towers(); now.winner {
	case game.Soldiers:
		return pictures.Won.Signed(pictures.Text("You win in round %v with {soldier} left", n-1, soldiers))
	case game.Towers:
		return pictures.Lost.Signed(pictures.Text("The towers win in round %v with {tower} left", n-1, towers))
	default:
		return pictures.Text("Round %v: {soldier} against {tower}", n, soldiers, towers)
	}
}

// news describes what the last round has changed.
func (s *siege) news() string {
	if len(s.rounds) == 1 {
		return ""
	}
	before, now := s.rounds[len(s.rounds)-2], s.now()
	text := pictures.Text("{tower} fell", before.state.Towers()-now.state.Towers())
	if now.wasted > 0 {
		text += pictures.Text(", {shot was wasted|shots were wasted}", now.wasted)
	}
	if left := now.state.Towers(); left > 0 {
		killed := pictures.Plural(before.state.Soldiers-now.state.Soldiers, "soldier")
		text += pictures.Text(". The {tower} left killed %v", left, killed)
	}
	return text + "."
}

// mostSeen is the largest number of soldiers that are drawn individually.
const mostSeen = 100

// army returns the soldiers individually, with different signs for soldiers who have a target, who have none, and who
// are dead.
func (s *siege) army() pictures.Span {
	if s.Soldiers > mostSeen {
		return pictures.Span{}
	}
	alive, free := s.now().state.Soldiers, s.free()
	dots := strings.Repeat("●", int(alive-free)) + strings.Repeat("○", int(free)) + strings.Repeat("×",
		int(s.Soldiers-alive))
	const legend = " (● soldier with a target, ○ without one, × dead soldier)"
	return pictures.Span{Text: " " + dots + legend, Sign: true}
}

// does returns the buttons for a round.
func (s *siege) does(over bool) pictures.Part {
	row := &pictures.Row{}
	if !over {
		row.Buttons = append(row.Buttons, pictures.Button{Label: "Fire", Do: "fire"})
	}
	row.Buttons = append(row.Buttons, pictures.Button{Label: "Take back the round", Do: "back"},
		pictures.Button{Label: "Back to round 1", Set: pictures.With("moves", "", "aim", "")})
	if !over {
		row.Buttons = append(row.Buttons, pictures.Button{Label: "Clear the aims", Do: "clear"})
	}
	return pictures.Part{Row: row}
}

// strategyButtons returns the buttons that aim as a strategy would, or at random.
func (s *siege) strategyButtons() pictures.Part {
	row := &pictures.Row{Label: "Aim like"}
	for _, by := range game.Strategies() {
		row.Buttons = append(row.Buttons, pictures.Button{
			Label: by.String(), Do: "like " + by.String(),
			Note: by.Description(),
		})
	}
	row.Buttons = append(row.Buttons, pictures.Button{
		Label: "chance", Do: "throw", Chance: true, Note: "has every soldier fire at a random tower",
	})
	return pictures.Part{Row: row}
}

// another returns the part in which readers choose another battle. The part is folded, so that readers see the field
// first.
func (s *siege) another() pictures.Part {
	set := func(label string, n int64, pairs ...any) pictures.Button {
		pairs = append([]any{"n", min(n, mostSoldiers), "moves", "", "aim", ""}, pairs...)
		return pictures.Button{Label: label, Set: pictures.With(pairs...)}
	}
	row := &pictures.Row{}
	for by, label := range map[game.Strategy]string{
		game.Greedy: "The fewest soldiers who can win",
		game.Fewest: "The fewest who win however they aim, without waste",
	} {
		if n, err := s.MinSoldiers(by, needSteps); err == nil && n > 0 {
			row.Buttons = append(row.Buttons, set(label, n))
		}
	}
	slices.SortFunc(row.Buttons, func(a, b pictures.Button) int { return len(a.Label) - len(b.Label) })
	row.Buttons = append(row.Buttons, set("A large battle", 225, "h", 20, "k", 1, "t", 40))
	return pictures.Part{Fold: &pictures.Fold{Summary: "Another battle", Parts: []pictures.Part{
		{Field: "n"}, {Field: "h"}, {Field: "k"}, {Field: "t"}, {Row: row},
	}}}
}

// deal returns the distribution of shots as text, such as 4 × 6, 1 × 3.
func deal(shots []int64) string {
	counts := map[int64]int{}
	for _, each := range shots {
		if each > 0 {
			counts[each]++
		}
	}
	var parts []string
	sizes := make([]int64, 0, len(counts))
	for each := range counts {
		sizes = append(sizes, each)
	}
	slices.Sort(sizes)
	for _, each := range slices.Backward(sizes) {
		parts = append(parts, fmt.Sprintf("%d × %s", counts[each], pictures.People(each)))
	}
	return strings.Join(parts, ", ")
}

// compared describes how the battle would end if each strategy, or chance, aimed from now on.
func (s *siege) compared(reading game.Reading) []pictures.Part {
	now := len(s.rounds) - 1
	best, worst := s.end(now, game.Greedy), s.end(now, game.Fewest)
	verdict := "From here the aim decides the battle: the best play wins, the worst play loses."
	switch {
	case best.winner != game.Soldiers:
		verdict = "From here no play can win."
	case worst.winner == game.Soldiers:
		verdict = "From here every play that wastes no shot wins."
	}
	t := &pictures.Table{
		Caption: fmt.Sprintf("From round %d on", now+1), Chosen: -1, Words: true,
		Heads: pictures.Heads("strategy", "towers × shots", "how it ends"),
	}
	for _, by := range game.Strategies() {
		t.Add(by, deal(Dealt(s.hits, by.Aims(s.now().state))), s.end(now, by).words())
	}
	luck, err := chanceOf(s.KillsPerTower, s.now().state, reading)
	chance := "computing it takes too long"
	if err == nil {
		chance = luck.words()
	}
	t.Add("random", "by chance", chance)
	return []pictures.Part{
		pictures.Words("%v No play does better than %v, and no play without waste does worse than %v.", verdict,
			game.Greedy, game.Fewest), {Table: t},
	}
}

// ended compares the reader with the strategies at the end of a battle, and finds the round in which the battle was
// lost.
func (s *siege) ended(reading game.Reading) []pictures.Part {
	last := len(s.rounds) - 1
	mine, best := s.end(last, game.Greedy), s.end(0, game.Greedy)
	t := &pictures.Table{Caption: "How the battle ends", Chosen: -1, Words: true, Heads: pictures.Heads("who aims",
		"how it ends")}
	t.Add("you", mine.words())
	for _, by := range game.Strategies() {
		t.Add(by, s.end(0, by).words())
	}
	var words string
	winnable := last - 1
	for winnable >= 0 && s.end(winnable, game.Greedy).winner != game.Soldiers {
		winnable--
	}
	switch {
	case mine.winner == game.Soldiers && mine == best:
		words = "No play does better."
	case mine.winner == game.Soldiers && mine.round == best.round:
		words = pictures.Text("No play wins earlier, but one play keeps {soldier} alive.", best.left)
	case mine.winner == game.Soldiers:
		words = fmt.Sprintf("The best play wins in round %d.", best.round)
	case winnable >= 0:
		words = fmt.Sprintf("You lost the battle in round %d: before that round it could still be won, and after it "+
			"no play wins.", winnable+1)
	default:
		words = "No play wins this battle."
	}
	luck, err := chanceOf(s.KillsPerTower, s.rounds[0].state, reading)
	if err != nil {
		words += pictures.Text(" Computing the probabilities for {soldier} and {tower} takes too long.", s.Soldiers,
			s.Towers)
	} else {
		t.Add("random", luck.words())
		as := "hold out as long as you"
		if mine.winner == game.Soldiers {
			as = "win as early as you"
		}
		words += " Soldiers who shoot at random " + as + " with a probability of " + percent(luck.asGood(mine)) + "."
	}
	return []pictures.Part{pictures.Words(words), {Table: t}}
}

// story returns the table of the rounds so far.
func (s *siege) story() pictures.Part {
	t := &pictures.Table{
		Caption: "Your rounds: towers × shots, and what they leave", Chosen: -1,
		Heads: pictures.Heads("round", "shots", "wasted", "soldiers killed", "soldiers", "towers", "hits"),
	}
	if s.over() {
		t.Heads = append(t.Heads, pictures.Say("can win"))
	}
	for i, r := range s.rounds[1:] {
		hits, _ := r.state.HitsLeft().Int64()
		row := []any{
			i + 1, deal(r.shots), r.wasted, s.rounds[i].state.Soldiers - r.state.Soldiers, r.state.Soldiers,
			r.state.Towers(), hits,
		}
		if s.over() {
			row = append(row, s.still(i+1))
		}
		t.Add(row...)
	}
	return pictures.Part{Table: t}
}

// still says whether the battle can still be won after a round.
func (s *siege) still(after int) string {
	switch winner := s.rounds[after].winner; {
	case winner == game.Soldiers:
		return "won"
	case winner == game.Towers:
		return "lost"
	case s.end(after, game.Greedy).winner == game.Soldiers:
		return "yes"
	}
	return "no"
}

// luck is the result of random shots: the probability of a win, and whether a win and a loss are possible.
type luck struct {
	game.Distribution
	wins, losses bool
}

// These constants limit the steps and the memory for computing chances. The steps take some tenths of a second.
const (
	chanceSteps  = 200_000_000
	chanceMemory = 128 << 20
)

type luckKey struct {
	state   string
	kills   int64
	reading game.Reading
}

var lucks pictures.Last[luckKey, luck]

func chanceOf(kills int64, from game.State, reading game.Reading) (luck, error) {
	return lucks.Of(luckKey{fmt.Sprint(from), kills, reading}, func() (l luck, err error) {
		options := game.RandomOptions{MaxSteps: chanceSteps, MemoryLimit: chanceMemory}
		l.Distribution, err = game.Battle{KillsPerTower: kills}.RandomFrom(context.Background(), from, reading, options)
		for _, o := range l.Outcomes {
			l.wins, l.losses = l.wins || o.Winner == game.Soldiers, l.losses || o.Winner == game.Towers
		}
		return l, err
	})
}

func (l luck) words() string {
	switch {
	case !l.wins:
		return "cannot win"
	case !l.losses:
		return "sure to win"
	}
	return percent(l.Win.Float) + " to win"
}

// asGood returns the probability that random shots achieve a result at least as good as mine.
func (l luck) asGood(mine ending) (p float64) {
	for _, o := range l.Outcomes {
		wins := o.Winner == game.Soldiers
		if wins && (mine.winner != game.Soldiers || o.Rounds <= mine.round) ||
			!wins && mine.winner != game.Soldiers && o.Rounds >= mine.round {
			p += o.Probability.Float
		}
	}
	return p
}

// percent formats a probability.
func percent(p float64) string {
	const near = 1e-9
	switch tenths := math.Round(1000 * p); {
	case p <= 0:
		return "0"
	case p >= 1-near:
		return "1"
	case tenths == 0:
		return "less than 0.1 %"
	case tenths == 1000:
		return "more than 99.9 %"
	default:
		return content.ForPeople(fmt.Sprintf("%.1f %%", tenths/10))
	}
}
