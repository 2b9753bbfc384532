package engine

import (
	"fmt"
	"math"
	"strings"

	"github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/report/explore/module"
)

// navalFunctions are about the naval battle. Cells are 0 to 99, row by row. Placements, moves and targetings are
// numbers in the library's lists, as naval.names has them. A ship is three numbers: its first cell, its decks, and 1 if
// it goes down from there, 0 if it goes right. Shooters have halos.
var navalFunctions = []module.Function{
	{Name: "naval.names", Args: nil, Call: navalNames},
	{Name: "naval.place", Args: []string{"placement", "seed"}, Call: navalPlace},
	{Name: "naval.fits", Args: []string{"ships..."}, Call: navalFits},
	{Name: "naval.room", Args: []string{"decks", "upright", "ships..."}, Call: navalRoom},
	{Name: "naval.game", Args: []string{"play", "moves", "targeting", "seed", "placement", "hidden", "shooter", "hand", "shots and ships..."}, Call: navalGame},
	{Name: "naval.thoughts", Args: []string{"moves", "targeting", "seed", "shots", "ships..."}, Call: navalThoughts},
	{Name: "naval.needs", Args: []string{"moves", "targeting", "seed", "games", "ships..."}, Call: navalNeeds},
}

// navalNames lists what pages call by number. Text has a line for each list, with a space between names: placements,
// moves, targetings, outcomes.
func navalNames(_ []int64, r *module.Reply) error {
	r.Text = strings.Join([]string{
		spaced(naval.Placements(), naval.Placement.String), spaced(naval.AllMoves(), naval.Moves.String),
		spaced(naval.Targetings(), naval.Targeting.String), spaced(naval.Outcomes(), naval.Outcome.String),
	}, "\n")
	return nil
}

func spaced[T any](list []T, name func(T) string) string {
	names := make([]string, len(list))
	for i, value := range list {
		names[i] = name(value)
	}
	return strings.Join(names, " ")
}

// entry returns the entry of a list with a number.
func entry[T any](what string, list []T, number int64) (T, error) {
	if number < 0 || number >= int64(len(list)) {
		var none T
		return none, fmt.Errorf("%s %d: there are those from 0 to %d, choose one of them", what, number, len(list)-1)
	}
	return list[number], nil
}

// anyOfThePost stands for a placement that is drawn from those of the post.
const anyOfThePost = -1

func placedFleet(placement, seed int64) (naval.Fleet, error) {
	from := naval.PostPlacements()
	if placement != anyOfThePost {
		p, err := entry("placement", naval.Placements(), placement)
		if err != nil {
			return naval.Fleet{}, err
		}
		from = []naval.Placement{p}
	}
	f, _, err := naval.PlaceFleet(from, uint64(seed), 0)
	return f, err
}

// navalPlace places a fleet, of one placement or with -1 of one of the post's. Ints are its ten ships.
func navalPlace(args []int64, r *module.Reply) error {
	f, err := placedFleet(args[0], args[1])
	if err != nil {
		return err
	}
	for _, s := range f {
		r.Add(int64(s.First), int64(s.Decks), bit(s.Upright))
	}
	return nil
}

func bit(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// readShips reads ships that can lie together.
func readShips(args []int64) ([]naval.Ship, error) {
	all := len(naval.Lengths())
	if len(args)%3 != 0 {
		return nil, fmt.Errorf("numbers of ships = %d: give three for each", len(args))
	}
	if len(args) > 3*all {
		return nil, fmt.Errorf("%d ships: a fleet has %d, take some away", len(args)/3, all)
	}
	var list []naval.Ship
	for ; len(args) > 0; args = args[3:] {
		s, err := readShip(args[0], args[1], args[2])
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, naval.Together(list)
}

func readShip(first, decks, upright int64) (naval.Ship, error) {
	if first < 0 || first >= naval.Side*naval.Side || decks < 1 || decks > math.MaxInt8 || upright < 0 || upright > 1 {
		return naval.Ship{}, fmt.Errorf("a ship (%d, %d, %d): give its first cell from 0 to %d, its decks, and 0 or 1 for its direction", first, decks, upright, naval.Side*naval.Side-1)
	}
	return naval.Ship{First: naval.Cell(first), Decks: int8(decks), Upright: upright == 1}, nil
}

// navalFits is asked about the ships of a fleet, none to all. It refuses what cannot lie together, with the reason.
// Bytes has for each cell the number of the ship on it, from 1, in the order of the arguments, and 0 for water. Ints
// are the decks of the ships that are missing, the longest first.
func navalFits(args []int64, r *module.Reply) error {
	list, err := readShips(args)
	if err != nil {
		return err
	}
	r.Bytes = make([]byte, naval.Side*naval.Side)
	var placed [math.MaxInt8 + 1]int // ships by decks
	for i, s := range list {
		placed[s.Decks]++
		for c := range s.Cells().All() {
			r.Bytes[c] = byte(i + 1)
		}
	}
	for _, decks := range naval.Lengths() {
		if placed[decks]--; placed[decks] < 0 {
			r.Add(int64(decks))
		}
	}
	return nil
}

// navalRoom says where one more ship may begin. Bytes has for each cell 1 if it may, else 0.
func navalRoom(args []int64, r *module.Reply) error {
	list, err := readShips(args[2:])
	if err != nil {
		return err
	}
	more, err := readShip(0, args[0], args[1])
	if err != nil {
		return err
	}
	list = append(list, more)
	r.Bytes = make([]byte, naval.Side*naval.Side)
	for c := range r.Bytes {
		list[len(list)-1].First = naval.Cell(c)
		r.Bytes[c] = byte(bit(naval.Together(list) == nil))
	}
	return nil
}

// wholeFleet reads a whole fleet.
func wholeFleet(args []int64) (naval.Fleet, error) {
	list, err := readShips(args)
	if err != nil {
		return naval.Fleet{}, err
	}
	return naval.FleetOf(list)
}

// readStrategy reads a strategy.
func readStrategy(moves, targeting int64) (s naval.Strategy, err error) {
	s.Halo = true
	if s.Moves, err = entry("move strategy", naval.AllMoves(), moves); err != nil {
		return s, err
	}
	s.Targeting, err = entry("targeting", naval.Targetings(), targeting)
	return s, err
}

// readShooter reads a strategy that shoots at a fleet.
func readShooter(moves, targeting, seed int64, f naval.Fleet) (*naval.Shooter, error) {
	s, err := readStrategy(moves, targeting)
	if err != nil {
		return nil, err
	}
	return naval.NewShooter(s, f, uint64(seed), 0)
}

// The kinds of games.
const (
	handFirst    = iota // in turn
	shooterFirst        // in turn
	alone               // each for itself: both shoot as often as the arguments say
)

// The states of a cell as a player may know them; 0 if nothing is known.
const (
	seaMiss = 1 + iota
	seaHit
	seaSunk
	seaEmpty // beside a sunk ship
	seaAfloat
)

// navalGame plays: a hand, who names the cells of his shots, against a shooter. The hidden fleet is one of a placement
// (-1: of one of the post's) and a seed; the other one is given, behind the hand's shots. hand is how many of these
// there are. shooter is how often the shooter shoots if each plays for itself, or until all is sunk; in turn the rules
// say it.
//
// Ints are 1 if the hand may shoot, else 0; 1 if the shooter may; 0 or 1 for the player who has won in turn, else -1;
// for each player shots, hits and ships sunk; then a row for each shot: player, cell, outcome (0 miss, 1 hit, 2 sunk).
// Bytes has both boards, the hidden fleet's first: 0 not known, 1 miss, 2 hit, 3 hit on a sunk ship, 4 water beside a
// sunk ship, 5 afloat: hidden ships only when the game is over.
func navalGame(args []int64, r *module.Reply) error {
	count, rest := args[7], args[8:]
	if count < 0 || count > int64(len(rest)) {
		return fmt.Errorf("shots = %d, with numbers = %d: give as many as there are", count, len(rest))
	}
	own, err := wholeFleet(rest[count:])
	if err != nil {
		return err
	}
	hidden, err := placedFleet(args[4], args[5])
	if err != nil {
		return err
	}
	s, err := readShooter(args[1], args[2], args[3], own)
	if err != nil {
		return err
	}
	h, err := naval.NewHand(hidden)
	if err != nil {
		return err
	}
	list, winner, err := playOut(args[0], args[6], h, s, rest[:count])
	if err != nil {
		return err
	}
	over := winner >= 0
	r.Add(bit(!over && !h.Done()), bit(args[0] == alone && !s.Done()), winner)
	for player, sunk := range [][]naval.Ship{h.Sunk(), s.Sunk()} {
		shots, hits := naval.Game{Shots: list}.Count(player)
		r.Add(int64(shots), int64(hits), int64(len(sunk)))
	}
	for _, shot := range list {
		r.Add(int64(shot.Player), int64(shot.At), int64(shot.Outcome))
	}
	r.Bytes = append(seaOf(hidden, h.Sunk(), list, 0, over), seaOf(own, s.Sunk(), list, 1, true)...)
	return nil
}

// playOut plays a game and returns its shots, and who has won in turn: -1 for nobody.
func playOut(kind, shots int64, h *naval.Hand, s *naval.Shooter, hand []int64) (list []naval.Shot, winner int64, err error) {
	switch kind {
	case handFirst, shooterFirst:
		m, err := naval.NewMatch(h, s, int(kind))
		if err != nil {
			return nil, 0, err
		}
		if err := eachCell(hand, m.Shoot); err != nil {
			return nil, 0, err
		}
		if player, over := m.Winner(); over {
			return m.Shots, int64(player), nil
		}
		return m.Shots, -1, nil
	case alone:
		err := eachCell(hand, func(at naval.Cell) error {
			outcome, err := h.Shoot(at)
			list = append(list, naval.Shot{Player: 0, At: at, Outcome: outcome})
			return err
		})
		if err != nil {
			return nil, 0, err
		}
		more, err := shootOn(s, shots)
		return append(list, more...), -1, err
	}
	return nil, 0, fmt.Errorf("play %d: choose 0 or 1, in turn, or 2, each for itself", kind)
}

// eachCell shoots at cells, one after the other.
func eachCell(cells []int64, shoot func(naval.Cell) error) error {
	for _, c := range cells {
		if c < 0 || c >= naval.Side*naval.Side {
			return fmt.Errorf("a shot at cell %d: the board has those from 0 to %d", c, naval.Side*naval.Side-1)
		}
		if err := shoot(naval.Cell(c)); err != nil {
			return err
		}
	}
	return nil
}

// shootOn lets a shooter shoot so many times, or until all is sunk.
func shootOn(s *naval.Shooter, shots int64) (list []naval.Shot, err error) {
	if shots < 0 {
		return nil, fmt.Errorf("%d shots: give 0 or more", shots)
	}
	for ; shots > 0 && !s.Done(); shots-- {
		at, outcome := s.Shoot()
		list = append(list, naval.Shot{Player: 1, At: at, Outcome: outcome})
	}
	return list, nil
}

// seaOf is a fleet's board after a player's shots.
func seaOf(f naval.Fleet, lost []naval.Ship, shots []naval.Shot, player int, seen bool) []byte {
	board := make([]byte, naval.Side*naval.Side)
	if seen {
		fillCells(board, f.Cells(), seaAfloat)
	}
	for _, s := range lost {
		fillCells(board, s.Zone(), seaEmpty)
	}
	for _, shot := range shots {
		if shot.Player == player {
			board[shot.At] = [...]byte{naval.Miss: seaMiss, naval.Hit: seaHit, naval.Sunk: seaHit}[shot.Outcome]
		}
	}
	for _, s := range lost {
		fillCells(board, s.Cells(), seaSunk)
	}
	return board
}

func fillCells(board []byte, cells naval.Cells, what byte) {
	for c := range cells.All() {
		board[c] = what
	}
}

// navalThoughts are what decides a shooter's next shot, after so many at a fleet. Ints has a number for each cell; Text
// says what they are: drawn, ways, or odds in 1/1000. There are none if all is sunk.
func navalThoughts(args []int64, r *module.Reply) error {
	f, err := wholeFleet(args[4:])
	if err != nil {
		return err
	}
	s, err := readShooter(args[0], args[1], args[2], f)
	if err != nil {
		return err
	}
	if _, err := shootOn(s, args[3]); err != nil {
		return err
	}
	if s.Done() {
		return nil
	}
	thoughts := s.Thoughts()
	r.Text = thoughts.Measure.String()
	scale := 1.0
	if thoughts.Measure == naval.Odds {
		scale = 1000
	}
	for _, value := range thoughts.Cells {
		r.Add(int64(math.Round(scale * value)))
	}
	return nil
}

// mostGames bounds navalNeeds to about a second. Informed takes some thousand times as long as the others.
func mostGames(s naval.Targeting) int64 {
	if s == naval.Informed {
		return 10
	}
	return 1000
}

// navalNeeds lets a strategy sink a fleet several times, with chances of its own each time; the first of them is the
// game of navalGame. Ints are the numbers of shots.
func navalNeeds(args []int64, r *module.Reply) error {
	f, err := wholeFleet(args[4:])
	if err != nil {
		return err
	}
	s, err := readStrategy(args[0], args[1])
	if err != nil {
		return err
	}
	if most := mostGames(s.Targeting); args[3] < 1 || args[3] > most {
		return fmt.Errorf("%d games by %v: choose 1 to %d", args[3], s.Targeting, most)
	}
	for game := range uint64(args[3]) {
		s, err := naval.NewShooter(s, f, uint64(args[2]), game)
		if err != nil {
			return err
		}
		for !s.Done() {
			s.Shoot()
		}
		r.Add(int64(s.Shots()))
	}
	return nil
}
