package naval

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	game "github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/report/pictures"
)

// Pictures returns the pictures of the game that readers can change.
func Pictures() []pictures.Picture { return []pictures.Picture{Playing(), Race()} }

// Playing returns a battle between a reader and a strategy: both place a fleet and shoot at each other's fleet.
func Playing() pictures.Picture {
	return pictures.Picture{
		Name: "naval-play", Fields: playFields(), See: seePlay, Do: doPlay,
	}
}

// These are the ways to play a battle, in the order of the field's options. In the first two, the reader or the
// computer starts, as in [game.NewMatch].
const (
	handFirst = iota
	shooterFirst
	alone // both shoot independently, as often as the fields specify
)

var plays = []pictures.Option{
	{Value: "hand", Label: "in turn; you begin"},
	{Value: "shooter", Label: "in turn; the computer begins"},
	{Value: "alone", Label: "independently"},
}

// These are values of fields.
const (
	anyOfThePost = "any"    // one of the post's placements, chosen at random
	byChance     = "chance" // a randomly placed fleet
	placing      = "place"  // the phase of placing
	yes          = "yes"
)

// Label returns the name for a strategy in games against fleets that do not shoot back.
func Label(s game.Strategy) string {
	if s.Targeting.EveryShot() {
		return s.Targeting.String()
	}
	return s.Moves.String() + ", " + strings.ReplaceAll(s.Targeting.String(), "_", " ")
}

// Way returns a strategy as a field value of [Playing].
func Way(s game.Strategy) string { return fmt.Sprintf("%v-%v", s.Moves, s.Targeting) }

// Ships returns a fleet as a field value of [Playing]. Each ship consists of the column and the row of its first deck,
// r for right or d for down, and the number of decks, such as 23r4.
func Ships(list []game.Ship) string {
	var texts []string
	for _, s := range list {
		direction := "r"
		if s.Upright {
			direction = "d"
		}
		texts = append(texts, fmt.Sprintf("%d%d%s%d", s.First.X(), s.First.Y(), direction, s.Decks))
	}
	return strings.Join(texts, ".")
}

func playFields() []pictures.Field {
	var ways []pictures.Option
	for _, s := range game.Contenders() {
		ways = append(ways, pictures.Option{Value: Way(s), Label: Label(s)})
	}
	placements := pictures.Options(game.Placements())
	for i := range placements {
		placements[i].Label = strings.ReplaceAll(placements[i].Label, "_", " ")
	}
	afresh := pictures.Values{"shots": "", "k": "0"}
	choice := func(name, label, start string, sets pictures.Values, options ...pictures.Option) pictures.Field {
		return pictures.Field{Name: name, Label: label, Start: start, Options: options, Sets: sets, Apart: true}
	}
	return []pictures.Field{
		choice("way", "Computer shoots by", Way(game.Strategy{Moves: game.Random, Targeting: game.Density}), nil,
			ways...),
		choice("its", "Computer’s fleet", anyOfThePost, afresh,
			append([]pictures.Option{
				{Value: anyOfThePost, Label: "placed in one of the post’s ways"},
			}, placements...)...),
		choice("play", "You play", plays[0].Value, afresh, plays...),
		choice("heat", "Computer’s thoughts", "off", nil, pictures.Option{Value: "off", Label: "hidden"},
			pictures.Option{Value: "on", Label: "shown on your board"}),
		pictures.Memory("phase", "play"),
		choice("mine", "Place your ships", game.Anywhere.String(),
			pictures.Values{"fleet": byChance, "shots": "", "k": "0", "phase": placing}, placements...),
		{
			Name: "k", Label: "Computer’s shots", Most: game.Side * game.Side, Limit: game.Side * game.Side,
			One: "shot", Many: "shots", Start: "0", Apart: true,
		},
		pictures.Memory("game", "1"), pictures.Memory("draws", "1"), pictures.Memory("fleet", byChance),
		pictures.Memory("shots", ""), pictures.Given("means"), pictures.Given("by"), pictures.Given("at"),
		pictures.Given("held"), pictures.Given("upright"),
	}
}

// table is the state of the game that the field values describe.
type table struct {
	pictures.Values
	strategy game.Strategy
	kind     int
	seed     uint64 // the seed of the game
	ships    []game.Ship
	missing  []int // the numbers of decks of the ships still to be placed, the longest first
	shots    []game.Cell
	at       int // the selected cell, or -1
}

// isDigits reports whether text contains only digits. It does not use package regexp, which would make the engine one
// percent larger.
func isDigits(text string) bool { return strings.Trim(text, "0123456789") == "" }

// newTable parses a game. It returns an error for values that break the rules.
func newTable(v pictures.Values) (*table, error) {
	t := &table{Values: v, at: -1}
	t.strategy = game.Contenders()[slices.IndexFunc(game.Contenders(),
		func(s game.Strategy) bool { return Way(s) == v["way"] })]
	t.kind = slices.IndexFunc(plays, func(o pictures.Option) bool { return o.Value == v["play"] })
	var err error
	if t.seed, err = number(v, "game"); err != nil {
		return nil, err
	}
	if v["phase"] != "play" && v["phase"] != placing {
		return nil, pictures.Refuse("phase", "phase = %.40s: must be place or play", v["phase"])
	}
	if err := t.readShips(); err != nil {
		return nil, err
	}
	if len(v["shots"])%2 != 0 || !isDigits(v["shots"]) {
		return nil, pictures.Refuse("shots", "shots = %.40s: write the column and the row of each shot, such as 235699",
			v["shots"])
	}
	for i := 0; i < len(v["shots"]); i += 2 {
		t.shots = append(t.shots, game.At(int(v["shots"][i]-'0'), int(v["shots"][i+1]-'0')))
	}
	if at, err := strconv.Atoi(v["at"]); err == nil && at >= 0 && at < game.Side*game.Side {
		t.at = at
	}
	return t, nil
}

func number(v pictures.Values, name string) (uint64, error) {
	n, err := strconv.ParseUint(v[name], 10, 64)
	if err != nil || len(v[name]) > 9 {
		return 0, pictures.Refuse(name, "%s = %.40s: must be a number of at most 9 digits", name, v[name])
	}
	return n, nil
}

func (t *table) readShips() error {
	v := t.Values
	switch v["fleet"] {
	case byChance:
		draws, err := number(v, "draws")
		if err != nil {
			return err
		}
		fleet, err := placed(v["mine"], draws)
		if err != nil {
			return err
		}
		t.ships = fleet[:]
		v["fleet"] = Ships(t.ships)
	case "":
	default:
		for text := range strings.SplitSeq(v["fleet"], ".") {
			isShip := len(text) == 4 && isDigits(text[:2]) && strings.Contains("rd", text[2:3]) && text[3] >= '1' &&
				text[3] <= '9'
			if !isShip {
				return pictures.Refuse("fleet", "fleet = %.40s: write each ship like 23r4 (its first column and row, "+
					"r for right or d for down, and its decks), with a point between ships", v["fleet"])
			}
			ship := game.Ship{First: game.At(int(text[0]-'0'), int(text[1]-'0')), Decks: int8(text[3] - '0')}
			ship.Upright = text[2] == 'd' && ship.Decks > 1
			t.ships = append(t.ships, ship)
		}
	}
	if most := len(game.Lengths()); len(t.ships) > most {
		return pictures.Refuse("fleet", "%d ships: a fleet has %d: remove some", len(t.ships), most)
	}
	if err := game.Together(t.ships); err != nil {
		return err
	}
	var have [10]int // the number of ships by number of decks
	for _, s := range t.ships {
		have[s.Decks]++
	}
	for _, decks := range game.Lengths() {
		if have[decks]--; have[decks] < 0 {
			t.missing = append(t.missing, decks)
		}
	}
	return nil
}

// placed returns a random fleet.
func placed(placement string, seed uint64) (game.Fleet, error) {
	from := game.PostPlacements()
	if i := slices.IndexFunc(game.Placements(),
		func(p game.Placement) bool { return p.String() == placement }); i >= 0 {
		from = game.Placements()[i : i+1]
	}
	fleet, _, err := game.PlaceFleet(from, seed, 0)
	return fleet, err
}

func (t *table) places() bool { return t.Values["phase"] == placing || len(t.missing) > 0 }

// inHand returns the ship to be placed next: a ship that was picked up, or the longest missing one.
func (t *table) inHand(at game.Cell) game.Ship {
	decks := t.missing[0]
	if held, err := strconv.Atoi(t.Values["held"]); err == nil && slices.Contains(t.missing, held) {
		decks = held
	}
	return game.Ship{First: at, Decks: int8(decks), Upright: t.Values["upright"] == yes && decks > 1}
}

// owner returns the number of the ship on a cell, or -1 if there is none.
func (t *table) owner(c game.Cell) int {
	return slices.IndexFunc(t.ships, func(s game.Ship) bool { return s.Cells().Has(c) })
}

// battle holds the moves so far.
type battle struct {
	shots               []game.Shot
	hidden, own         game.Fleet
	mayShoot, mayGo     bool // whether the reader may shoot, and whether a player who shoots independently may continue
	winner              int  // the winner of a game in turns, or -1
	lostHidden, lostOwn []game.Ship
	thoughts            *game.Thoughts // nil if they are hidden or there are none
}

var battles pictures.Last[string, *battle]

// play plays the game.
func (t *table) play() (*battle, error) {
	v := t.Values
	goes := int64(0)
	if t.kind == alone {
		goes = v.Int("k")
	}
	key := fmt.Sprint(v["way"], t.kind, t.seed, v["its"], v["shots"], v["fleet"], goes, v["heat"])
	return battles.Of(key, func() (*battle, error) { return t.playOut(goes) })
}

func (t *table) playOut(goes int64) (*battle, error) {
	b := &battle{winner: -1}
	var err error
	if b.own, err = game.FleetOf(t.ships); err != nil {
		return nil, err
	}
	if b.hidden, err = placed(t.Values["its"], t.seed); err != nil {
		return nil, err
	}
	shooter, err := game.NewShooter(t.strategy, b.own, t.seed, 0)
	if err != nil {
		return nil, err
	}
	hand, err := game.NewHand(b.hidden)
	if err != nil {
		return nil, err
	}
	if t.kind == alone {
		for _, c := range t.shots {
			outcome, err := hand.Shoot(c)
			if err != nil {
				return nil, err
			}
			b.shots = append(b.shots, game.Shot{Player: 0, At: c, Outcome: outcome})
		}
		for ; goes > 0 && !shooter.Done(); goes-- {
			at, outcome := shooter.Shoot()
			b.shots = append(b.shots, game.Shot{Player: 1, At: at, Outcome: outcome})
		}
	} else {
		m, err := game.NewMatch(hand, shooter, t.kind)
		if err != nil {
			return nil, err
		}
		for _, c := range t.shots {
			if err := m.Shoot(c); err != nil {
				return nil, err
			}
		}
		if player, over := m.Winner(); over {
			b.winner = player
		}
		b.shots = m.Shots
	}
	b.mayShoot = b.winner < 0 && !hand.Done()
	b.mayGo = t.kind == alone && !shooter.Done()
	b.lostHidden, b.lostOwn = hand.Sunk(), shooter.Sunk()
	if t.Values["heat"] == "on" && (b.mayGo || t.kind != alone && b.winner < 0) {
		thoughts := shooter.Thoughts()
		b.thoughts = &thoughts
	}
	return b, nil
}

// counts returns the numbers of a player's shots and hits.
func (b *battle) counts(player int) (shots, hits int) { return game.Game{Shots: b.shots}.Count(player) }

// last returns the shots of a player since the other player's last shot, with their numbers. For a player who plays
// independently, it returns only the last shot.
func (t *table) last(b *battle, player int) map[game.Cell]int {
	found := map[game.Cell]int{}
	count, _ := b.counts(player)
	i := len(b.shots) - 1
	for ; i >= 0 && b.shots[i].Player != player; i-- { //nolint:revive // to the last one
	}
	for ; i >= 0 && b.shots[i].Player == player && (t.kind != alone || len(found) == 0); i-- {
		found[b.shots[i].At] = count
		count--
	}
	return found
}

type needsKey struct {
	way, fleet  string
	seed, games uint64
}

var needed pictures.Last[needsKey, float64]

// needs returns the mean number of shots that the strategy needs to sink a fleet.
func (t *table) needs(f game.Fleet, games uint64) (float64, error) {
	return needed.Of(needsKey{t.Values["way"], fmt.Sprint(f), t.seed, games}, func() (float64, error) {
		sum := 0
		for number := range games {
			s, err := game.NewShooter(t.strategy, f, t.seed, number)
			if err != nil {
				return 0, err
			}
			for !s.Done() {
				s.Shoot()
			}
			sum += s.Shots()
		}
		return float64(sum) / float64(games), nil
	})
}

// doPlay performs an action of the reader.
func doPlay(v pictures.Values, what string) (pictures.Values, error) {
	t, err := newTable(v)
	if err != nil {
		return nil, err
	}
	verb, rest, _ := strings.Cut(what, " ")
	afresh := func() { v["shots"], v["k"] = "", "0" }
	next := func(name string) error {
		n, err := number(v, name)
		v[name] = strconv.FormatUint((n+1)%1e9, 10)
		return err
	}
	switch verb {
	case "at":
		v["at"] = rest
	case "press":
		at, err := strconv.Atoi(rest)
		if err != nil || at < 0 || at >= game.Side*game.Side {
			return nil, pictures.Refuse("", "%.40q: there is no such cell", rest)
		}
		v["at"] = rest
		if t.places() {
			return v, t.put(game.Cell(at))
		}
		return v, t.shoot(game.Cell(at))
	case "key", "turn":
		if !t.places() {
			return v, nil
		}
		v["upright"] = map[bool]string{true: "", false: yes}[v["upright"] == yes]
	case byChance:
		afresh()
		v["phase"], v["fleet"] = placing, byChance
		return v, next("draws")
	case "away":
		afresh()
		v["phase"], v["fleet"], v["at"] = placing, "", ""
	case "begin":
		if len(t.missing) > 0 {
			return nil, pictures.Refuse("", "Place all ships first.")
		}
		afresh()
		v["phase"], v["at"] = "play", ""
	case "move":
		afresh()
		v["phase"], v["at"] = placing, ""
	case "new":
		afresh()
		v["at"] = ""
		return v, next("game")
	case "shoot":
		v["k"] = strconv.FormatInt(min(v.Int("k")+1, game.Side*game.Side), 10)
	case "finish":
		v["k"] = strconv.Itoa(game.Side * game.Side)
	default:
		return nil, pictures.Refuse("", "%.40q: there is no such action", what)
	}
	return v, nil
}

// put places the ship in hand, or picks up a ship.
func (t *table) put(at game.Cell) error {
	if i := t.owner(at); i >= 0 {
		t.Values["held"] = strconv.Itoa(int(t.ships[i].Decks))
		t.Values["upright"] = map[bool]string{true: yes}[t.ships[i].Upright]
		t.Values["fleet"] = Ships(slices.Delete(slices.Clone(t.ships), i, i+1))
		return nil
	}
	if len(t.missing) == 0 {
		return pictures.Refuse("", "All ships are placed. Press one to pick it up, or begin.")
	}
	all := append(slices.Clone(t.ships), t.inHand(at))
	if err := game.Together(all); err != nil {
		return pictures.Refuse("", "Not there: %v.", err)
	}
	t.Values["fleet"] = Ships(all)
	return nil
}

// shoot shoots at a cell.
func (t *table) shoot(at game.Cell) error {
	b, err := t.play()
	switch {
	case err != nil:
		return err
	case !b.mayShoot:
		return pictures.Refuse("", "The game is over. Choose “New game” for another one.")
	case slices.Contains(t.shots, at):
		return pictures.Refuse("", "You have already shot at %v.", at)
	}
	t.Values["shots"] += fmt.Sprintf("%d%d", at.X(), at.Y())
	return nil
}

// thought returns the strategy's estimate for a cell as a sign, in words, and as a share from 0 to 1. sign and words
// are "" if there is no estimate.
func (b *battle) thought(c game.Cell) (sign, words string, share float64) {
	value := b.thoughts.Cells[c]
	greatest := slices.Max(b.thoughts.Cells[:])
	switch b.thoughts.Measure {
	case game.Drawn:
		sign, words = "?", "the computer may shoot here next"
	case game.Ways:
		sign = strconv.Itoa(int(value))
		words = pictures.Text("{way} for a ship to be here", int64(value))
	case game.Odds:
		const least = 0.0005
		if value < least {
			return "", "", 0
		}
		sign = strconv.Itoa(int(math.Round(100 * value)))
		if value < 0.01 {
			sign = "<1"
		}
		words = sign + " % sure of a ship"
	}
	if value <= 0 {
		return "", "", 0
	}
	return sign, words, value / greatest
}
