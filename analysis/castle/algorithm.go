package castle

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/analysis/internal/enum"
	"github.com/siegebook/siegebook/analysis/internal/valid"
	"github.com/siegebook/siegebook/analysis/phi"
)

// Question is a question about a battle that an algorithm answers.
type Question int8

// These are the questions.
const (
	SoldiersFewest Question = iota // can the soldiers win, and in how few waves
	CastleFewest                   // can the castle win if no shot is wasted, and in how few waves
	PlaysLine                      // how does the battle end if the algorithm plays it
	// in how many ways can each side win; an Answer holds only the soldiers' fewest waves, and Count returns the ways
	CountsWays
)

var questions = enum.New[Question]("question", "soldiers_fewest", "castle_fewest", "plays_line", "counts_ways")

// String returns soldiers_fewest, castle_fewest, plays_line or counts_ways: the text that is also marshalled and read.
func (q Question) String() string                   { return questions.String(q) }
func (q Question) MarshalText() ([]byte, error)     { return questions.MarshalText(q) }
func (q *Question) UnmarshalText(text []byte) error { return questions.UnmarshalText(q, text) }

// Kind records how an algorithm was obtained and how far it can be trusted.
type Kind int8

// These are the kinds.
const (
	Exact     Kind = iota // our own algorithm, proved right for every battle
	Heuristic             // plays as well as it can
	Formula               // a formula of the posts, as printed
	Check                 // gives an exact answer by another method, for comparison
)

var kinds = enum.New[Kind]("kind of algorithm", "exact", "heuristic", "formula", "check")

// String returns exact, heuristic, formula or check: the text that is also marshalled and read.
func (k Kind) String() string                   { return kinds.String(k) }
func (k Kind) MarshalText() ([]byte, error)     { return kinds.MarshalText(k) }
func (k *Kind) UnmarshalText(text []byte) error { return kinds.UnmarshalText(k, text) }

// Algorithm is one way to answer a question about a battle. Commands, sweeps, the report and the lessons range over the
// table of [Algorithms], so an algorithm is described in one place, next to its code.
type Algorithm struct {
	Name     string // names it in flags, columns and anchors: castle-first
	Title    string // names it in texts: castle first
	Kind     Kind
	Question Question
	Source   string // where it comes from
	Column   string // the prefix of its column names; if empty, the name with underscores
	// Strategy plays a battle as the algorithm does. It is nil if the algorithm does not play battles.
	Strategy func(Battle) Strategy
	// Answer answers the question for a valid battle. It returns the context's error, or an error that OutOfEffort
	// reports.
	Answer func(context.Context, Battle, Effort) (Answer, error)
	Cost   Cost
	// Affordable reports whether surveys use the algorithm for a battle. Together, all battles of a grid for which it
	// returns true take a few seconds. Nil means that surveys use the algorithm for every battle.
	Affordable func(Battle) bool
	// row sets waves[i] to the number of waves in which the algorithm claims that the soldiers win b with i more
	// castle hits. It sets 0 if the algorithm does not claim a win, and -1 if the answer is not a whole number of
	// waves and the caller has to call Answer. It is nil if calling Answer for each battle is as fast.
	row func(b Battle, waves []int64)
	// rows returns the function that Rows calls. It is nil if calling Answer for each battle is as fast.
	rows func() rowsFunc
	// Case returns the posts' case to which the algorithm assigns a battle. It is nil if the algorithm does not
	// distinguish cases.
	Case func(Battle) Case
}

// String returns the name.
func (a Algorithm) String() string { return a.Name }

// Effort bounds what an algorithm may spend on a battle.
type Effort struct {
	Steps  int64 `json:"steps"`  // strides of equal waves in a line, or moves of a search; 0 means no bound
	Memory int64 `json:"memory"` // the memory in bytes; 0 means 2 GiB
}

// Validate returns an error if a bound is negative.
func (e Effort) Validate() error {
	return cmp.Or(valid.Natural("steps", e.Steps), valid.Natural("memory", e.Memory))
}

// Cost describes how many operations an algorithm takes.
type Cost struct {
	Method string // the algorithm's name in descriptions of costs; if empty, its title
	Each   string // the unit of counting, such as "wave by wave"
	Law    string // how the number grows
	// Count counts the operations for a battle. It is nil if the algorithm takes only a few operations.
	Count func(context.Context, Battle) (*big.Int, error)
	// OfPaths computes the number of operations from the numbers of the battle's paths. It is nil if these do not
	// determine the number of operations. An algorithm that has OfPaths is registered without Count; register adds a
	// Count that calls OfPaths.
	OfPaths func(Counts) *big.Int
}

// Operations returns how many operations each of the algorithms takes for a battle, by name. It leaves out algorithms
// without Cost.Count. It counts the paths at most once. Any error is from Cost.Count.
func (b Battle) Operations(ctx context.Context, algorithms []Algorithm) (map[string]*big.Int, error) {
	if err := b.Validate(); err != nil {
		return nil, err
	}
	operations := map[string]*big.Int{}
	var counts *Counts
	for _, a := range algorithms {
		switch {
		case a.Cost.OfPaths != nil:
			if counts == nil {
				counted, err := b.Count(ctx, CountOptions{})
				if err != nil {
					return nil, err
				}
				counts = &counted
			}
			operations[a.Name] = a.Cost.OfPaths(*counts)
		case a.Cost.Count != nil:
			counted, err := a.Cost.Count(ctx, b)
			if err != nil {
				return nil, err
			}
			operations[a.Name] = counted
		}
	}
	return operations, nil
}

// Answer is an algorithm's answer about a battle. It fits into four words, which the compiler keeps in registers.
type Answer struct {
	// Winner is the winner of the line that the algorithm plays. If the question is about one side, it is the winner
	// when that side plays best. It is Undecided if the algorithm has no answer.
	Winner Winner `json:"winner"`
	// Waves is the wave in which the line ends, or the fewest waves in which the side in question can win. It is 0 if
	// that side cannot win.
	Waves        int64 `json:"waves"`
	SoldiersLeft int64 `json:"soldiers_left"` // the number of soldiers left at the end of a line
	// InFloat is the fewest waves in which the soldiers win according to a floating-point formula. Waves is then 0.
	InFloat float64 `json:"in_float"`
}

// Rounded reports whether the number of waves comes from a floating-point formula and is in InFloat.
func (a Answer) Rounded() bool {
	a.must()
	return a.rounded()
}

func (a Answer) rounded() bool { return a.Winner == Soldiers && a.Waves == 0 }

// LimitError is the error for a line that is not over after the allowed number of steps.
type LimitError struct {
	Battle Battle `json:"battle"`
	Limit  int64  `json:"limit"`
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("the battle %v takes more steps than %d: raise the limit", e.Battle, e.Limit)
}

// OutOfEffort reports whether err means that a bound of Effort was reached: the answer is unknown, and more effort
// might find it.
func OutOfEffort(err error) bool {
	var steps *LimitError
	var moves *TooManyMovesError
	var cells *TooManyCellsError
	var memory *OutOfMemoryError
	return errors.As(err, &steps) || errors.As(err, &moves) || errors.As(err, &cells) || errors.As(err, &memory)
}

// registered holds the algorithms in the order of the table. It is not sorted with package slices: the linker would
// then keep the whole type with everything that it refers to, and the engine of the report's pages would grow.
var registered []Algorithm

// register adds an algorithm to the table. It is called during package initialization, in the algorithm's file.
func register(a Algorithm) {
	if ofPaths := a.Cost.OfPaths; ofPaths != nil {
		a.Cost.Count = func(ctx context.Context, b Battle) (*big.Int, error) {
			counts, err := b.Count(ctx, CountOptions{})
			if err != nil {
				return nil, err
			}
			return ofPaths(counts), nil
		}
	}
	i := 0
	for i < len(registered) && registered[i].before(a) {
		i++
	}
	registered = append(registered[:i:i], append([]Algorithm{a}, registered[i:]...)...)
}

// before reports whether a comes before b in the table: by kind, question and name.
func (a Algorithm) before(b Algorithm) bool {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Question, b.Question), cmp.Compare(a.Name, b.Name)) < 0
}

// Algorithms returns the table of all algorithms, by kind, question and name.
func Algorithms() []Algorithm {
	return append([]Algorithm(nil), registered...)
}

// AlgorithmsOf returns the algorithms of the given kinds, in the order of Algorithms.
func AlgorithmsOf(kinds ...Kind) []Algorithm {
	return slices.DeleteFunc(Algorithms(), func(a Algorithm) bool { return !slices.Contains(kinds, a.Kind) })
}

// AlgorithmNamed returns the algorithm with the given name; ok is false if there is none.
func AlgorithmNamed(name string) (a Algorithm, ok bool) {
	i := indexOf(name)
	if i < 0 {
		return Algorithm{}, false
	}
	return registered[i], true
}

func indexOf(name string) int {
	return slices.IndexFunc(registered, func(a Algorithm) bool { return a.Name == name })
}

// answersLike reports whether two algorithms have the same Answer function. Go cannot compare functions, so it compares
// the addresses of their code.
func (a Algorithm) answersLike(b Algorithm) bool {
	return reflect.ValueOf(a.Answer).Pointer() == reflect.ValueOf(b.Answer).Pointer()
}

// fewest returns the answer for a side that can win in the given number of waves at the earliest. If waves is 0, the
// other side keeps it from winning.
func fewest(side, other Winner, waves int64) Answer {
	if waves == 0 {
		return Answer{Winner: other}
	}
	return Answer{Winner: side, Waves: waves}
}

// NewAlgorithm returns an algorithm that plays with the strategy. Surveys and spot checks treat it like an algorithm of
// the table, with the same Effort. Its Title is the name with spaces instead of hyphens. Several goroutines may call
// the strategy at the same time; it must always give the same orders for the same wave and state.
//
// It returns an error if the strategy is nil, or if the name contains characters other than lower-case letters, digits
// and hyphens, or belongs to an algorithm of the table. If the strategy gives an order that the rules do not allow,
// Answer returns an *OrderError.
func NewAlgorithm(name string, strategy Strategy) (Algorithm, error) {
	if err := checkName(name); err != nil {
		return Algorithm{}, err
	}
	err := strategy.validate()
	if _, taken := AlgorithmNamed(name); err == nil && taken {
		err = errTaken
	}
	if err != nil {
		return Algorithm{}, fmt.Errorf("algorithm %q: %w", name, err)
	}
	return playing(Algorithm{Name: name, Title: strings.ReplaceAll(name, "-", " ")}, strategy), nil
}

// playing fills in the fields of an algorithm that plays all battles with one strategy.
func playing(a Algorithm, strategy Strategy) Algorithm {
	a.Kind, a.Question = Heuristic, PlaysLine
	a.Strategy = func(Battle) Strategy { return strategy }
	a.Answer = func(ctx context.Context, b Battle, effort Effort) (Answer, error) {
		result, err := b.PlayWithin(ctx, strategy, effort)
		return Answer{Winner: result.Winner, Waves: result.Waves, SoldiersLeft: result.SoldiersLeft}, err
	}
	a.Cost.Each = "wave by wave"
	a.Cost.Count = func(ctx context.Context, b Battle) (*big.Int, error) {
		result, err := b.PlayWithin(ctx, strategy, Effort{})
		return big.NewInt(result.Waves), err
	}
	return a
}

// registerHeuristic adds an algorithm that plays all battles with one strategy.
func registerHeuristic(a Algorithm, strategy Strategy) { register(playing(a, strategy)) }

func init() {
	const law = "(s − n)/(n − d) + O(log n) if d < n, else O(log n)"
	registerHeuristic(Algorithm{
		Name: "castle-first", Title: "castle first", Source: "Castle Defense I, attackCastle", Cost: Cost{Law: law},
		row: castleFirstRow, rows: castleFirstRows,
	}, CastleFirst)
	registerHeuristic(Algorithm{
		Name: "defenders-first", Title: "defenders first", Source: "Castle Defense I, attackDefenders",
		Cost: Cost{Law: law}, row: defendersFirstRow, rows: defendersFirstRows,
	}, DefendersFirst)
}

// CastleFirst implements the first heuristic of the posts, attackCastle. If the soldiers can finish the castle in this
// wave, they do, and the rest of them shoot at defenders. Otherwise, if they outnumber the defenders, they shoot all
// defenders and hit the castle with the rest; if they do not, all of them hit the castle.
//
// Source: Castle Defense I. For instance, it loses (10, 43, 8), which the soldiers can win, and takes too many waves to
// win (13, 23, 11).
func CastleFirst(_ int64, s State) Orders {
	s.must()
	switch {
	case s.CastleHits <= s.Soldiers:
		return Orders{AtDefenders: min(s.Soldiers-s.CastleHits, clampInt64(s.Defenders))}
	case uint64(s.Soldiers) > s.Defenders:
		// These orders hold until at most S hits are left. From then on the first case applies.
		waves := (s.CastleHits - s.Soldiers - 1) / (s.Soldiers - int64(s.Defenders))
		return Orders{AtDefenders: int64(s.Defenders), Waves: waves + 1}
	default:
		return Orders{}
	}
}

// DefendersFirst implements the second heuristic of the posts, attackDefenders: shoot as many defenders as possible,
// and hit the castle with the rest. It ties exactly when d = n < s.
//
// Source: Castle Defense I. For instance, it does not win (10, 11, 15), which the soldiers can win.
func DefendersFirst(_ int64, s State) Orders {
	s.must()
	return Orders{AtDefenders: min(s.Soldiers, clampInt64(s.Defenders)), Waves: 1<<63 - 1}
}

// castleFirstRow plays the battles of a row with CastleFirst. After wave 1 the castle has s - n hits. While it has more
// than n hits, each wave takes n - d of them and kills no soldier; soldiers who do not outnumber the defenders lose at
// once. In the next wave the castle falls, and a hunt follows for the defenders whom the spare soldiers have not shot.
func castleFirstRow(b Battle, waves []int64) {
	n, d := b.Soldiers, b.DefendersPerWave
	gain := n - d
	for i := range waves {
		hits := b.CastleHits + int64(i) - n
		switch {
		case hits <= 0:
			waves[i] = 1
		case hits > n && gain <= 0:
			waves[i] = 0
		case hits > n && int64(i) >= gain:
			waves[i] = winsIn(waves[int64(i)-gain]+1, waves[int64(i)-gain] > 0) // 1 more than with gain fewer hits
		default:
			waiting := int64(0)
			if hits > n {
				waiting = ceilDiv(hits-n, gain)
			}
			k, ok := cleanup(n, uint64(max(0, d-(n-(hits-waiting*gain)))))
			waves[i] = winsIn(2+waiting+k, ok)
		}
	}
}

// defendersFirstRow plays the battles of a row with DefendersFirst. After wave 1 every wave takes n - d hits from the
// castle; if n = d, the castle never falls.
func defendersFirstRow(b Battle, waves []int64) {
	n, gain := b.Soldiers, b.Soldiers-b.DefendersPerWave
	for i := range waves {
		switch hits := b.CastleHits + int64(i) - n; {
		case hits <= 0:
			waves[i] = 1
		case gain <= 0:
			waves[i] = 0
		default:
			waves[i] = 1 + ceilDiv(hits, gain)
		}
	}
}

// Rows returns a function that answers the question for a row of battles: b, and battles with one, two, ... more
// defenders per wave. The function sets winners, waves and inFloat, which have equal lengths, to the fields of the
// answers. It sets waves[i] to -1 if the effort does not suffice. It returns the context's error, or an error of Answer
// that OutOfEffort does not report.
//
// The function stores earlier results, so only one goroutine may call it at a time.
func (a Algorithm) Rows(effort Effort) func(
	ctx context.Context, b Battle, winners []Winner, waves []int64, inFloat []float64,
) error {
	refuse(effort.Validate())
	if a.Answer == nil {
		refuse(fmt.Errorf("algorithm %q has no Answer: use an algorithm that Algorithms or NewAlgorithm returned",
			a.Name))
	}
	fill := a.oneByOne(effort)
	registered, ok := AlgorithmNamed(a.Name)
	if ok && a.rows != nil && a.answersLike(registered) && (effort.Steps == 0 || effort.Steps >= mostStrides) {
		row := a.rows()
		fill = func(_ context.Context, b Battle, winners []Winner, waves []int64, inFloat []float64) error {
			row(b, winners, waves, inFloat)
			return nil
		}
	}
	return func(ctx context.Context, b Battle, winners []Winner, waves []int64, inFloat []float64) error {
		b.must()
		if more := max(int64(len(waves))-1, 0); b.DefendersPerWave > math.MaxInt64-more {
			refuse(fmt.Errorf("a row of %d battles starting at %v: more than %d defenders per wave, use a shorter row",
				len(waves), b, int64(math.MaxInt64)))
		}
		return fill(ctx, b, winners, waves, inFloat)
	}
}

// oneByOne implements Rows by calling Answer for each battle.
func (a Algorithm) oneByOne(effort Effort) func(context.Context, Battle, []Winner, []int64, []float64) error {
	return func(ctx context.Context, b Battle, winners []Winner, waves []int64, inFloat []float64) error {
		for i := range waves {
			answer, err := a.Answer(ctx, b, effort)
			switch {
			case err == nil:
				winners[i], waves[i], inFloat[i] = answer.Winner, answer.Waves, answer.InFloat
			case OutOfEffort(err):
				winners[i], waves[i], inFloat[i] = Undecided, -1, 0
			default:
				return err
			}
			b.DefendersPerWave++
		}
		return nil
	}
}

// mostStrides exceeds the number of strides in any line of the two heuristics: the first wave, the waves that reduce
// the castle, the wave of its fall, and a hunt, or the waves in which the castle wins.
const mostStrides = longestHunt + 4

// fewestRows returns the rows function of an algorithm that finds the fewest waves in which a side can win.
func fewestRows(side, other Winner, fewest func(Battle) int64) func() rowsFunc {
	return func() rowsFunc {
		return func(b Battle, winners []Winner, waves []int64, _ []float64) {
			for i := range waves {
				waves[i] = fewest(b)
				if winners[i] = side; waves[i] == 0 {
					winners[i] = other
				}
				b.DefendersPerWave++
			}
		}
	}
}

// rowsFunc is the function that Rows calls. The three slices have equal lengths.
type rowsFunc func(b Battle, winners []Winner, waves []int64, inFloat []float64)

// castleFirstRows plays rows with CastleFirst, as castleFirstRow does.
//
// A castle with at most as many hits as there are soldiers falls in wave 2, and each additional defender survives. A
// stronger castle wins at once against soldiers who do not outnumber the defenders. Otherwise all defenders are shot
// until the castle has at most as many hits as there are soldiers.
func castleFirstRows() rowsFunc {
	return func(b Battle, winners []Winner, waves []int64, _ []float64) {
		n, d, hits := b.Soldiers, b.DefendersPerWave, b.CastleHits-b.Soldiers
		switch {
		case hits <= 0:
			fillRow(winners, waves, Soldiers, 1)
		case hits <= n:
			huntRow(n, d-(n-hits), winners, waves)
		default:
			before := rowUntil(d, n, len(waves))
			half := n / 2 // the most defenders that n soldiers can shoot in one more wave
			for i := range before {
				gain := n - d - int64(i)
				waiting := ceilDivFast(hits-n, gain)
				left := hits - waiting*gain - gain // d - (n - hits), with the hits in the wave of the fall
				switch {
				case left <= 0:
					winners[i], waves[i] = Soldiers, 2+waiting
				case left <= half:
					winners[i], waves[i] = Soldiers, 3+waiting
				default:
					k, winner := hunt(n-left, uint64(left))
					winners[i], waves[i] = winner, 2+waiting+k
				}
			}
			fillRow(winners[before:], waves[before:], Castle, 2)
		}
	}
}

// huntRow fills a row of battles in which the castle falls in wave 2 and leaves left, left+1, ... defenders. If such a
// number is not positive, no defenders are left.
func huntRow(n, left int64, winners []Winner, waves []int64) {
	i := rowUntil(left, 1, len(waves))
	fillRow(winners[:i], waves[:i], Soldiers, 2)
	k, lost := int64(0), n
	for won := int64(0); i < len(waves) && won+1 < lost; {
		k++
		won, lost = HuntBounds(n, k)
		end := max(i, rowUntil(left, won+1, len(waves)))
		fillRow(winners[i:end], waves[i:end], Soldiers, 2+k)
		i = end
	}
	for ; i < len(waves); k-- { // after k waves every hunt is over
		end := len(waves)
		if k > 0 {
			_, lost := HuntBounds(n, k-1) // with this many defenders left, the castle wins one wave earlier
			end = max(i, rowUntil(left, lost, len(waves)))
		}
		fillRow(winners[i:end], waves[i:end], Castle, 2+k)
		i = end
	}
}

// defendersFirstRows plays rows with DefendersFirst. For fewer defenders than soldiers see defendersFirstRow. For more,
// the castle keeps its hits and wins in the first wave t with (d - n)(F(2t-1) - 1) >= n, by Lemma 6 of
// docs/derivations/castle-side.md.
func defendersFirstRows() rowsFunc {
	return func(b Battle, winners []Winner, waves []int64, _ []float64) {
		n, d, hits := b.Soldiers, b.DefendersPerWave, b.CastleHits-b.Soldiers
		if hits <= 0 {
			fillRow(winners, waves, Soldiers, 1)
			return
		}
		i := rowUntil(d, n, len(waves))
		for j := range i {
			winners[j], waves[j] = Soldiers, 1+ceilDivFast(hits, n-d-int64(j))
		}
		if i < len(waves) && d+int64(i) == n {
			winners[i], waves[i] = Tie, 2
			i++
		}
		wave := int64(2)
		for i < len(waves) && phi.Fib(int(2*wave-1))-1 < uint64(n) { // until n + 1 defenders win
			wave++
		}
		for ; i < len(waves); wave-- {
			end := len(waves)
			if wave > 2 { // if the defenders outnumber the soldiers by enough, the castle wins one wave earlier
				enough := ceilDiv(n, int64(phi.Fib(int(2*wave-3))-1))
				end = max(i, rowUntil(d-n, enough, len(waves)))
			}
			fillRow(winners[i:end], waves[i:end], Castle, wave)
			i = end
		}
	}
}

// rowUntil returns how many of the size numbers first, first + 1, ... are less than end.
func rowUntil(first, end int64, size int) int {
	if first >= end {
		return 0
	}
	return int(min(uint64(end)-uint64(first), uint64(size)))
}

func fillRow(winners []Winner, waves []int64, winner Winner, wave int64) {
	for i := range winners {
		winners[i] = winner
	}
	for i := range waves {
		waves[i] = wave
	}
}

// ceilDivFast returns ceilDiv(a, b) for positive numbers. It divides floats, which is faster: the quotient of two
// numbers below 2^52 differs from the nearest integer by more than the rounding error.
func ceilDivFast(a, b int64) int64 {
	if (a|b)>>52 == 0 {
		return int64(float64(a-1)/float64(b)) + 1
	}
	return ceilDiv(a, b)
}

// publishedRows returns the rows function of Published. It repeats the case distinction of the method waves, because a
// call for each battle would add a tenth to the time of all rows.
func publishedRows() rowsFunc {
	var known knownHunts
	of := int64(0) // the number of soldiers for which known holds
	return func(b Battle, winners []Winner, waves []int64, inFloat []float64) {
		if of != b.Soldiers {
			known, of = knownHunts{}, b.Soldiers
		}
		n, s := float64(b.Soldiers), float64(b.CastleHits)
		for i := range waves {
			d, said := float64(b.DefendersPerWave+int64(i)), 0.0
			winners[i], waves[i], inFloat[i] = Undecided, 0, 0
			switch publishedCase(n, s, d) {
			case Case1:
				said = 1
			case Case2a:
				q, x := publishedFall(n, s, d, publishedRoot(n, d))
				said = q + known.printedK(n, x)
			case Case2b:
				said = 2 + known.printedK(n, s+d-float64(2*n))
			default:
				winners[i] = Castle
				continue
			}
			if !math.IsNaN(said) && !math.IsInf(said, 0) {
				winners[i], inFloat[i] = Soldiers, said
			}
		}
	}
}
