package castle

import (
	"cmp"
	"fmt"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
)

// BestPlay returns the picture of a battle wave by wave, with the best play of the soldiers.
func BestPlay() pictures.Picture {
	return pictures.Picture{
		Name: "castle-trace", Fields: limitedBattle(40, 400, 40, 9999), See: seeBestPlay,
	}
}

// limitedBattle returns the fields of a battle whose numbers are limited.
func limitedBattle(n, s, d, limit int64) []pictures.Field {
	fields := battleFields(n, s, d)
	for i := range fields {
		fields[i].Limit = limit
	}
	return fields
}

func seeBestPlay(v pictures.Values) (*pictures.View, error) {
	l := Best(battleOf(v))
	answer := content.ForPeople(content.Capital(l.end()))
	return &pictures.View{
		Answer: answer, ScreenReaderText: answer + ".", Bounds: stretched(v, 40, 400, 40),
		Parts: []pictures.Part{
			{Plate: &pictures.Plate{
				Key: l.Battle.String(), Label: "Soldiers, defenders and castle hits after each wave",
				Draw: func() (content.Figure, error) { return Trace(l.Battle, l.Strategy).Figure() },
			}},
			battleWords(v, " "+content.ForPeople(l.Battle.HelpedWin())),
		},
	}, nil
}

// End describes in a few words how a line of play ends, such as "the soldiers win in wave 16 with 5 left".
func End(r game.Result) string {
	switch r.Winner {
	case game.Soldiers:
		return fmt.Sprintf("the soldiers win in wave %d with %d left", r.Waves, r.SoldiersLeft)
	case game.Castle:
		return fmt.Sprintf("the castle wins in wave %d", r.Waves)
	default:
		return fmt.Sprintf("a tie: wave %d changes nothing", r.Waves)
	}
}

// Line is a battle with the strategy of its soldiers.
type Line struct {
	Battle   game.Battle
	Strategy game.Strategy
}

// Best returns the line of play in which the soldiers play best.
func Best(b game.Battle) Line { return Line{b, b.Solve().Strategy()} }

func (l Line) end() string { return End(l.Battle.Play(l.Strategy)) }

// maxPoints is the maximum number of waves that a trace shows; these are the first waves.
const maxPoints = 10_000

// points returns the soldiers, defenders and castle hits after each wave.
func (l Line) points() (series [3]figure.Series) {
	for i, name := range []string{"soldiers", "defenders", "castle hits"} {
		series[i].Name = name
	}
	for wave := range l.Battle.Waves(l.Strategy) {
		if len(series[0].Points) == maxPoints {
			break
		}
		for i, y := range []float64{
			float64(wave.State.Soldiers), float64(wave.State.Defenders),
			float64(wave.State.CastleHits),
		} {
			series[i].Points = append(series[i].Points, figure.Point{X: float64(wave.Number), Y: y})
		}
	}
	return series
}

// Trace returns the drawing of soldiers, defenders and castle hits after each wave of a battle, for at most 10,000
// waves.
func Trace(b game.Battle, strategy game.Strategy) figure.Trace {
	l := Line{b, strategy}
	series := l.points()
	return trace(fmt.Sprintf("%v, wave by wave: %s", b, l.end()), figure.Panel{Series: series[:]})
}

// Armies returns the drawing of soldiers and defenders after each wave, with a panel for each line of play. There may
// be at most four lines, and their battles must have different numbers of soldiers.
func Armies(lines ...Line) figure.Trace {
	var panels []figure.Panel
	for _, l := range lines {
		series := l.points()
		panels = append(panels, figure.Panel{
			Title:  fmt.Sprintf("n = %d: %s", l.Battle.Soldiers, l.end()),
			Series: series[:2],
		})
	}
	return trace("Soldiers and defenders at the end of each wave", panels...)
}

func trace(title string, panels ...figure.Panel) figure.Trace {
	return figure.Trace{Title: title, XLabel: "wave", YLabel: "number left", Panels: panels, Steps: true}
}

// ends lists the classes of a tree's leaves.
var ends = []figure.Class{
	pictures.Won.Class(int(game.Soldiers), "the soldiers win"),
	pictures.Lost.Class(int(game.Castle), "the castle wins"),
	pictures.Tied.Class(int(game.Tie), "tie"),
}

// Paths returns the picture of all paths of a small battle.
func Paths() pictures.Picture {
	return pictures.Picture{Name: "castle-tree", Fields: limitedBattle(20, 40, 30, 999), See: seePaths}
}

func seePaths(v pictures.Values) (*pictures.View, error) {
	b := battleOf(v)
	const most = figure.MaxLeaves * figure.MaxDepth
	tooLarge := func(limit string) error {
		return pictures.Refuse("s", "castle hits (s) = %s: the tree of %v has more than %s: choose a weaker castle or "+
			"fewer soldiers", pictures.People(b.CastleHits), b, limit)
	}
	root, err := b.Tree(most)
	if err != nil {
		return nil, tooLarge(fmt.Sprintf("%d boxes", most))
	}
	f, err := Tree{Battle: b}.Figure()
	if err != nil {
		return nil, tooLarge(fmt.Sprintf("%d paths or %d waves", figure.MaxLeaves, figure.MaxDepth))
	}
	won, lost, tied := leaves(root, game.Soldiers), leaves(root, game.Castle), leaves(root, game.Tie)
	answer := pictures.Text("The soldiers win on {path}, the castle on %v", won, lost)
	if tied > 0 {
		answer += pictures.Text(", and %v ends in a tie", tied) // at most one path ends in a tie
	}
	return &pictures.View{
		Answer: answer, ScreenReaderText: answer + ".", Bounds: stretched(v, 20, 40, 30),
		Parts: []pictures.Part{
			{Plate: &pictures.Plate{
				Key: b.String(), Label: "Tree of all paths", Draw: func() (content.Figure, error) { return f, nil },
			}},
			battleWords(v, ""),
		},
	}, nil
}

// leaves counts the paths on which a side wins.
func leaves(n *game.Node, winner game.Winner) (count int64) {
	if len(n.Children) == 0 && n.Winner == winner {
		return 1
	}
	for _, child := range n.Children {
		count += leaves(child, winner)
	}
	return count
}

// Tree draws all paths of a small battle, which has at most [figure.MaxLeaves] paths of at most [figure.MaxDepth]
// waves.
type Tree struct {
	Battle game.Battle
	Title  string // the default explains the numbers on the lines
	// HandsUp adds two numbers to each box, below its state: the numbers of wins for the soldiers and for the castle
	// that a search of all paths returns for this state.
	HandsUp bool
}

// Figure draws the tree. It returns an error for a battle whose paths are too many or too long.
func (t Tree) Figure() (content.Figure, error) {
	root, err := t.Battle.Tree(figure.MaxLeaves * figure.MaxDepth)
	if err != nil {
		return content.Figure{}, err
	}
	explained := fmt.Sprintf("All paths of %v; the number on a line is the number of soldiers who shoot "+
		"at defenders", t.Battle)
	drawn := box(root, "")
	if t.HandsUp {
		handUp(root, drawn)
	}
	return figure.Tree{Title: cmp.Or(t.Title, explained), Root: drawn, Classes: ends}.Figure()
}

// box draws a state and the states that follow it. edge is the label of the move that led to the state.
func box(n *game.Node, edge string) *figure.Node {
	b := &figure.Node{
		Lines: []string{
			fmt.Sprintf("N %d  S %d", n.State.Soldiers, n.State.CastleHits),
			fmt.Sprintf("D %d", n.State.Defenders),
		},
		Edge: edge, Class: int(n.Winner),
	}
	for _, child := range n.Children {
		b.Children = append(b.Children, box(child, fmt.Sprint(child.Move)))
	}
	return b
}
