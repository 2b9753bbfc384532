package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/internal/canceled"
	"github.com/siegebook/siegebook/internal/command"
	"github.com/siegebook/siegebook/internal/plural"
	"github.com/siegebook/siegebook/internal/rows"
)

// castleVars returns the values of ${} in the castle game's help.
func castleVars() kong.Vars {
	var shown []string
	for _, a := range soldiersAlgorithms() {
		switch {
		case a.exact():
			shown = append(shown, a.Name+" ("+a.Title+")")
		case a.Strategy == nil:
			shown = append(shown, a.Name+" (only the number of waves)")
		default:
			shown = append(shown, a.Name)
		}
	}
	ifNamed := slices.DeleteFunc(castle.Surveyable(), func(a castle.Algorithm) bool {
		return slices.ContainsFunc(castle.DefaultSurveyed(), func(b castle.Algorithm) bool { return a.Name == b.Name })
	})
	last := len(shown) - 1
	return kong.Vars{
		"algorithms":      strings.Join(shown[:last], ", ") + ", or " + shown[last],
		"columns":         columnsHelp(),
		"surveyed":        names(castle.Surveyable()),
		"surveyedIfNamed": joined(ifNamed, " and "),
	}
}

// battleArguments is a castle game on the command line.
type battleArguments struct {
	Soldiers         positive `arg:"" json:"soldiers"`
	CastleHits       positive `arg:"" json:"castle_hits"`
	DefendersPerWave positive `arg:"" json:"defenders_per_wave"`
}

func (a battleArguments) battle() castle.Battle {
	return castle.Battle{
		Soldiers:         int64(a.Soldiers),
		CastleHits:       int64(a.CastleHits),
		DefendersPerWave: int64(a.DefendersPerWave),
	}
}

// solveCastle is "siegebook solve castle".
type solveCastle struct {
	Soldiers         positive `arg:"" optional:"" json:"soldiers"`
	CastleHits       positive `arg:"" optional:"" json:"castle_hits"`
	DefendersPerWave positive `arg:"" optional:"" json:"defenders_per_wave"`

	generalFlags `embed:""`
	Algorithm    soldiersAlgorithm `json:"algorithm" default:"exact"`
	TraceLimit   natural           `json:"-" default:"10000" placeholder:"N"`
	Batch        string            `json:"-" placeholder:"FILE|-"`
	Columns      castleColumns     `json:"-" placeholder:"a,b,..."`
	jsonFlag     `embed:""`
	effort       `embed:""`
}

// Run solves one battle, or the battles of a file.
func (c *solveCastle) Run(ctx context.Context, s streams) error {
	given := 0
	for _, number := range []positive{c.Soldiers, c.CastleHits, c.DefendersPerWave} {
		if number != 0 {
			given++
		}
	}
	switch {
	case c.Batch != "" && given > 0:
		return usagef("--batch %s: the battles come from the file: leave out the numbers", c.Batch)
	case c.Batch != "" && (!c.Algorithm.exact() || c.TraceLimit != defaultTraceLimit):
		return usagef("--batch %s: a batch prints one row for each battle: use --columns instead of --algorithm and "+
			"--trace-limit", c.Batch)
	case c.Batch != "" && c.given():
		return usagef("--batch %s: battles of a batch have one shot, one kill and constant reinforcements: leave out "+
			"--shots, --kills and --reinforcements", c.Batch)
	case c.Batch != "":
		return c.solveBatch(ctx, s)
	case c.Columns != nil:
		return usagef("--columns: this flag chooses the columns of a batch: add --batch FILE, or use siegebook sweep " +
			"castle")
	case given < 3:
		return usagef("%s given, but a battle needs 3: write siegebook solve castle SOLDIERS CASTLE-HITS "+
			"DEFENDERS-PER-WAVE", plural.Count(given, "number"))
	}
	battle := battleArguments{c.Soldiers, c.CastleHits, c.DefendersPerWave}.battle()
	general, ok, err := c.generalFlags.battle(battle)
	if err != nil {
		return err
	}
	if ok {
		return c.solveGeneral(ctx, s, general)
	}
	if c.Algorithm.Strategy == nil {
		answer, err := c.Algorithm.Answer(ctx, battle, c.effort.castle())
		if err != nil {
			return err
		}
		return show(ctx, s, c.JSON, numberAnswer{c, answer, battle.Solve()})
	}
	a := castleAnswer{command: c, exact: battle.Solve(), strategy: c.Algorithm.Strategy(battle)}
	if a.line, err = playLine(ctx, battle, a.strategy, int64(c.MaxSteps)); err != nil {
		return err
	}
	return show(ctx, s, c.JSON, a)
}

// soldiersAlgorithm is an algorithm that answers the question about the soldiers.
type soldiersAlgorithm struct{ castle.Algorithm }

// soldiersAlgorithms returns the algorithms that --algorithm accepts.
func soldiersAlgorithms() []soldiersAlgorithm {
	var all []soldiersAlgorithm
	for _, a := range sweptAlgorithms() {
		if a.Question != castle.CastleFewest {
			all = append(all, soldiersAlgorithm{a})
		}
	}
	return all
}

func (a soldiersAlgorithm) MarshalText() ([]byte, error) { return []byte(a.Name), nil }

func (a *soldiersAlgorithm) UnmarshalText(text []byte) (err error) {
	if isListing(string(text)) {
		own, err := readAlgorithm(string(text))
		*a = soldiersAlgorithm{own.Algorithm}
		return err
	}
	*a, err = named(text, "algorithm", soldiersAlgorithms())
	return err
}

// exact reports whether the algorithm plays optimally for the soldiers.
func (a soldiersAlgorithm) exact() bool { return a.Kind == castle.Exact }

// defaultTraceLimit is the default for the number of states in a JSON trace.
const defaultTraceLimit = 10_000

// castleAnswer is a battle played by one algorithm, together with the exact answer.
type castleAnswer struct {
	command  *solveCastle
	exact    castle.Solution
	strategy castle.Strategy
	line     castleLine
}

// notes returns the remarks that are printed below the table. They are also the notes in the JSON, which has no other
// members for this information.
func (a castleAnswer) notes() []string {
	battle := a.exact.Battle
	if !a.command.Algorithm.exact() {
		return a.comparison()
	}
	switch a.exact.Winner {
	case castle.Soldiers:
		survivors, fall := battle.MostSurvivors()
		return append(a.cut(), fmt.Sprintf("at most %s can survive a win in %s; then the castle falls in wave %d",
			plural.Count(survivors, "soldier"), plural.Count(a.exact.MinWaves, "wave"), fall))
	case castle.Tie:
		return append(a.cut(), "the soldiers cannot win, but they can hold out for ever")
	default:
		return append(a.cut(), fmt.Sprintf("the soldiers cannot win, but they can hold out until wave %d",
			battle.LongestResistance().Waves))
	}
}

// cut returns a note if the line stopped at the limit.
func (a castleAnswer) cut() []string {
	if _, over := a.line.result(); over {
		return nil
	}
	return []string{fmt.Sprintf("the battle is not over after %s: raise "+
		"--max-steps", plural.Count(a.line.steps, "step"))}
}

// comparison returns a note that compares the line with best play.
func (a castleAnswer) comparison() []string {
	result, over := a.line.result()
	switch {
	case !over:
		return a.cut()
	case a.exact.Winner == castle.Soldiers && result.Winner != castle.Soldiers:
		return []string{fmt.Sprintf("with best play the soldiers win in %s", plural.Count(a.exact.MinWaves, "wave"))}
	case a.exact.Winner == castle.Soldiers && result.Waves > a.exact.MinWaves:
		return []string{fmt.Sprintf("best play wins in %s", plural.Count(a.exact.MinWaves, "wave"))}
	case a.exact.Winner == castle.Tie && result.Winner == castle.Castle:
		return []string{"with best play the soldiers hold out for ever"}
	default:
		return nil
	}
}

// castleLine is a battle played to its end, or for the allowed number of steps. A step is a run of equal waves.
type castleLine struct {
	battle castle.Battle
	steps  int64
	runs   []castle.Run // at least one run; equal waves share a run
}

// playLine plays a battle and stores its runs. Even a battle of many waves has few runs. The error is the context's
// error, or an error in a listing.
func playLine(
	ctx context.Context, battle castle.Battle, strategy castle.Strategy, maxSteps int64,
) (line castleLine, err error) {
	line = castleLine{battle: battle}
	var failed error
	steps := func(yield func(castle.Run) bool) {
		for run, err := range battle.RunsOrError(strategy) {
			if failed = err; failed != nil {
				return
			}
			if line.steps++; !yield(run) || line.steps == maxSteps || line.steps%(1<<14) == 0 && ctx.Err() != nil {
				return
			}
		}
	}
	for run := range castle.Folded(steps) {
		line.runs = append(line.runs, run)
	}
	if failed != nil {
		return line, command.Usage(failed)
	}
	return line, canceled.Cause(ctx)
}

func (l castleLine) last() castle.Run { return l.runs[len(l.runs)-1] }

// result returns how the line ends. over is false if the line stopped at the limit.
func (l castleLine) result() (result castle.Result, over bool) {
	last := l.last()
	return castle.Result{
		Winner: last.Winner, Waves: last.Last,
		SoldiersLeft: last.End.Soldiers,
	}, last.Winner != castle.Undecided
}

// waves yields the start and each wave of the line.
func (l castleLine) waves(strategy castle.Strategy) iter.Seq[castle.Wave] {
	return func(yield func(castle.Wave) bool) {
		for wave := range l.battle.Waves(strategy) {
			if wave.Number > l.last().Last || !yield(wave) {
				return
			}
		}
	}
}

// text prints the answer for people: the verdict, the battle with one row for all repetitions of a wave, and remarks.
func (a castleAnswer) text(out *bufio.Writer) {
	fmt.Fprintf(out, "%s\n\n%s\n\n", headline(a.exact), a.verdict())
	a.line.table(out)
	if remarks := a.remarks(); len(remarks) > 0 {
		fmt.Fprintln(out)
		sentences(out, remarks)
	}
}

// headline returns a sentence that describes the battle.
func headline(solution castle.Solution) string {
	b := solution.Battle
	return fmt.Sprintf("%s against a castle of %s that sends out %s a wave (case %v).",
		plural.Count(b.Soldiers, "soldier"), plural.Count(b.CastleHits, "hit"), plural.Count(b.DefendersPerWave,
			"defender"), solution.Case)
}

func (a castleAnswer) verdict() string {
	if !a.command.Algorithm.exact() {
		return a.algorithmVerdict()
	}
	switch a.exact.Winner {
	case castle.Soldiers:
		return fmt.Sprintf("The soldiers win in %s at best; the castle falls in wave %d.",
			plural.Count(a.exact.MinWaves, "wave"), a.exact.FallWave)
	case castle.Tie:
		return "A tie: the soldiers cannot win, but they can hold out for ever."
	default:
		return fmt.Sprintf("The castle wins: the soldiers can hold out until wave %d, but cannot win.",
			a.exact.Battle.LongestResistance().Waves)
	}
}

func (a castleAnswer) algorithmVerdict() string {
	result, over := a.line.result()
	switch {
	case !over:
		return fmt.Sprintf("%s: the battle was not played to the end.", a.command.Algorithm.Name)
	case result.Winner == castle.Tie:
		return fmt.Sprintf("%s: a tie, because wave %d ends as it began.", a.command.Algorithm.Name, result.Waves)
	case result.Winner == castle.Soldiers:
		return fmt.Sprintf("%s: the soldiers win in wave %d with %s left.", a.command.Algorithm.Name, result.Waves,
			plural.Count(result.SoldiersLeft, "soldier"))
	default:
		return fmt.Sprintf("%s: the castle wins in wave %d.", a.command.Algorithm.Name, result.Waves)
	}
}

// remarks returns the notes that the verdict does not contain, and a remark about the castle's side.
func (a castleAnswer) remarks() []string {
	if !a.command.Algorithm.exact() {
		return a.comparison()
	}
	remarks := a.cut()
	if a.exact.Winner == castle.Soldiers {
		remarks = a.notes()
	}
	b := a.exact.Battle
	if waves := b.CastleMinWaves(); waves != 0 {
		return append(remarks, fmt.Sprintf("the castle's fastest win takes %s, if the soldiers play into its hands "+
			"without wasting a shot", plural.Count(waves, "wave")))
	}
	return append(remarks, "the castle cannot win unless the soldiers waste shots")
}

// table prints the runs of a line. Each row has the state at the end of the run's last wave.
func (l castleLine) table(w io.Writer) {
	out := newTable(w)
	idle := l.anyIdle()
	header, start := "at castle\t", "\t"
	if idle {
		header, start = header+"no target\t", start+"\t"
	}
	fmt.Fprintf(out, "wave\tat defenders\t%ssoldiers\tdefenders\tcastle hits\t\n", header)
	state := l.battle.Start()
	fmt.Fprintf(out, "start\t\t%s%d\t%d\t%d\t\n", start, state.Soldiers, state.Defenders, state.CastleHits)
	for _, run := range l.runs {
		shots := min(run.AtCastle, state.CastleHits)
		fmt.Fprintf(out, "%s\t%d\t%d\t", waveNumbers(run.First, run.Last), run.AtDefenders, shots)
		if idle {
			fmt.Fprintf(out, "%d\t", run.AtCastle-shots)
		}
		state = run.End
		fmt.Fprintf(out, "%d\t%d\t%d\t%s\n", state.Soldiers, state.Defenders, state.CastleHits, outcome(run))
	}
	_ = out.Flush() // w keeps the error for its caller
}

// anyIdle reports whether any soldiers have nothing left to shoot at: more soldiers shoot at the castle than it has
// hits, and each defender already has a soldier who shoots at him.
func (l castleLine) anyIdle() bool {
	hits := l.battle.CastleHits
	for _, run := range l.runs {
		if run.AtCastle > hits {
			return true
		}
		hits = run.End.CastleHits
	}
	return false
}

func outcome(run castle.Run) string {
	switch run.Winner {
	case castle.Soldiers:
		return "  the soldiers win"
	case castle.Castle:
		return "  the castle wins"
	case castle.Tie:
		return fmt.Sprintf("  the same as after wave %d, for ever", run.Last-1)
	}
	return ""
}

// traceState is one element of a trace: the state at the end of a wave, or the start for wave 0.
type traceState struct {
	Wave       int64  `json:"wave"`
	Soldiers   int64  `json:"soldiers"`
	CastleHits int64  `json:"castle_hits"`
	Defenders  uint64 `json:"defenders"`
}

func traceStateOf(wave int64, s castle.State) traceState {
	return traceState{wave, s.Soldiers, s.CastleHits, s.Defenders}
}

// json prints the answer as one object: the question, the result, and best play.
func (a castleAnswer) json(o *jsonObject) {
	o.echo(a.command)
	battle := a.exact.Battle
	if a.command.Algorithm.exact() {
		o.member("winner", a.exact.Winner)
		o.member("min_waves", orNull(a.exact.MinWaves))
		o.member("castle_min_waves", orNull(battle.CastleMinWaves()))
		o.member("case", a.exact.Case)
		survivors, fall := battle.MostSurvivors()
		if a.exact.Winner != castle.Soldiers {
			survivors, fall = 0, 0
		}
		o.member("most_survivors", orNull(survivors))
		o.member("fall_wave", orNull(fall))
		resistance := int64(0) // if the soldiers win or hold out for ever
		if a.exact.Winner == castle.Castle {
			resistance = battle.LongestResistance().Waves
		}
		o.member("resistance_waves", orNull(resistance))
	} else {
		if result, over := a.line.result(); over { // a line that stopped at the limit has no result
			o.member("winner", result.Winner)
			o.member("waves", result.Waves)
			o.member("soldiers_left", result.SoldiersLeft)
		}
		exactMembers(o, a.exact)
	}
	_, over := a.line.result()
	o.member("over", over)
	a.traceMembers(o)
	o.notes(a.notes())
}

// exactMembers writes who wins with best play, and in how many waves.
func exactMembers(o *jsonObject, exact castle.Solution) {
	o.member("best_winner", exact.Winner)
	o.member("min_waves", orNull(exact.MinWaves))
}

func (a castleAnswer) traceMembers(o *jsonObject) {
	states := elements(a.line.waves(a.strategy),
		func(wave castle.Wave) any { return traceStateOf(wave.Number, wave.State) })
	listed := o.trace(int64(a.command.TraceLimit), states)
	last := a.line.last()
	if last.Winner == castle.Tie {
		o.member("repeats_from", last.Last-1)
	}
	if last.Winner == castle.Undecided || listed <= last.Last {
		o.member("trace_truncated", true)
	}
}

// numberAnswer is the answer of an algorithm that does not play a line, with the exact answer.
type numberAnswer struct {
	command *solveCastle
	answer  castle.Answer
	exact   castle.Solution
}

// waves returns the digits of the fewest waves, or "" if there are none.
func (a numberAnswer) waves() string {
	switch {
	case a.answer.Rounded():
		return string(rows.AppendWhole(nil, a.answer.InFloat))
	case a.answer.Winner == castle.Soldiers:
		return fmt.Sprint(a.answer.Waves)
	}
	return ""
}

func (a numberAnswer) json(o *jsonObject) {
	o.echo(a.command)
	if a.command.Algorithm.Case != nil {
		o.member("case", a.command.Algorithm.Case(a.exact.Battle))
	}
	o.name("waves")
	o.text(cmp.Or(a.waves(), "null"))
	exactMembers(o, a.exact)
	o.notes(a.notes())
}

func (a numberAnswer) text(out *bufio.Writer) {
	says := "predicts that the soldiers cannot win"
	switch {
	case a.waves() != "":
		says = "gives min_waves = " + a.waves()
	case a.answer.Winner == castle.Undecided:
		says = "has no finite value"
	}
	if a.command.Algorithm.Case != nil {
		says += fmt.Sprintf(" (its case %v)", a.command.Algorithm.Case(a.exact.Battle))
	}
	fmt.Fprintf(out, "%s\n\nThe %s %s.\n", headline(a.exact), a.command.Algorithm.Title, says)
	sentences(out, a.notes())
}

// notes returns the corrections if the number is wrong.
func (a numberAnswer) notes() []string {
	switch verdict := a.answer.Verdict(castle.ExactAnswers(a.exact.MinWaves, 0)); {
	case verdict != castle.Right && a.exact.Winner == castle.Soldiers:
		return []string{fmt.Sprintf("in fact, the soldiers win in %s", plural.Count(a.exact.MinWaves, "wave"))}
	case verdict == castle.WrongSide:
		return []string{"in fact, the soldiers cannot win"}
	}
	return nil
}

// solveBatch solves all battles of a file. It reads the whole file before it prints the first row, so it prints
// nothing if a row is bad.
func (c *solveCastle) solveBatch(ctx context.Context, s streams) error {
	all, err := c.readBatch(ctx, s)
	if err != nil {
		return err
	}
	size := int64(len(all))
	progress := s.StartProgress("solve castle", size, true)
	defer progress.Stop()
	format := rows.Format(rows.CSV{})
	if c.JSON {
		format = rows.JSONLines{}
	}
	read := func(list []castle.Battle, block grid.Block) []castle.Battle {
		return append(list, all[block.First:block.First+block.Size]...)
	}
	return newCastleRows(c.Columns, c.effort).write(ctx, s.Out, format, size, c.Memory, progress, read)
}

// readBatch reads all battles. It limits their number, because they are held in memory.
func (c *solveCastle) readBatch(ctx context.Context, s streams) (all []castle.Battle, err error) {
	progress := s.StartProgress("reading "+c.Batch, 0, false)
	defer progress.Stop()
	in, err := openInput(ctx, s, c.Batch)
	if err != nil {
		return nil, fmt.Errorf("--batch: %w", err)
	}
	defer in.Close()
	battles, err := newCastleReader(in.name, in)
	if err != nil {
		return nil, err
	}
	for {
		battle, err := battles.next()
		switch {
		case err == io.EOF:
			return all, nil
		case err != nil:
			return nil, err
		case int64(len(all)) == int64(c.Memory)/battleBytes:
			return nil, usagef("%s: the file has more than %s, the most that fit in the memory limit: raise "+
				"--memory, or split the file", in.name, plural.Count(len(all), "battle"))
		}
		all = append(all, battle)
	}
}

// castleHeader lists the columns that the header of a file of castle games must have.
var castleHeader = [3]string{"soldiers", "castle_hits", "defenders_per_wave"}

// longestRow is the maximum length of a CSV row in bytes, with the empty lines before it. Longer input is not a table
// of numbers. It must not fill up the memory, even if it never ends.
const longestRow = 64 << 10

// castleReader reads castle games from CSV. Its errors name the input, the line and the column.
type castleReader struct {
	name  string
	text  *rationed
	rows  *csv.Reader
	width int    // the number of columns in the table
	at    [3]int // the indices of the columns of castleHeader
}

// newCastleReader reads the header.
func newCastleReader(name string, r io.Reader) (*castleReader, error) {
	text := &rationed{r: r, left: longestRow}
	input := bufio.NewReader(text)
	if mark, err := input.Peek(3); err == nil && bytes.Equal(mark, []byte("\xef\xbb\xbf")) {
		_, _ = input.Discard(3) // skips the byte order mark that spreadsheets write
	}
	c := &castleReader{name: name, text: text, rows: csv.NewReader(input)}
	c.rows.ReuseRecord = true
	c.rows.FieldsPerRecord = -1 // checked below with a clearer message
	header, err := c.row()
	switch {
	case err == io.EOF:
		return nil, usagef("%s: the file is empty: begin it with the header %s", name,
			strings.Join(castleHeader[:], ","))
	case err != nil:
		return nil, err
	}
	c.width = len(header)
	for i, column := range castleHeader {
		c.at[i] = slices.Index(header, column)
		if c.at[i] < 0 || slices.Contains(header[c.at[i]+1:], column) {
			return nil, usagef("%s: line 1: the header %q must contain each of %s exactly once, in any order%s",
				name, strings.Join(header, ","), strings.Join(castleHeader[:], ","), otherComma(header))
		}
	}
	return c, nil
}

// otherComma returns a hint if the columns of a header are separated by a character other than a comma. Spreadsheets
// write such files in countries where the comma is the decimal separator.
func otherComma(header []string) string {
	for _, sign := range [][2]string{{";", "semicolons"}, {"\t", "tabs"}, {"|", "vertical bars"}} {
		if len(header) == 1 && strings.Count(header[0], sign[0]) >= len(castleHeader)-1 {
			return fmt.Sprintf("; its columns are separated by %s: use commas", sign[1])
		}
	}
	return ""
}

// row returns the fields of the next row, or io.EOF after the last. If the input is not CSV, the error is a user error.
func (c *castleReader) row() ([]string, error) {
	fields, err := c.rows.Read()
	c.text.left = longestRow
	var syntax *csv.ParseError
	switch {
	case err == nil, err == io.EOF:
		return fields, err
	case errors.Is(err, errTooLong):
		return nil, usagef("%s: line %d: %w", c.name, c.text.line(), errTooLong)
	case errors.As(err, &syntax):
		return nil, usagef("%s: line %d, column %d: %w: write numbers separated by commas", c.name, syntax.Line,
			syntax.Column, syntax.Err)
	}
	return nil, command.Unreadable(fmt.Errorf("%s: %w", c.name, err))
}

// next returns the next battle, or io.EOF after the last.
func (c *castleReader) next() (castle.Battle, error) {
	fields, err := c.row()
	if err != nil {
		return castle.Battle{}, err
	}
	if len(fields) != c.width {
		line, _ := c.rows.FieldPos(0)
		return castle.Battle{}, usagef("%s: line %d: has %s, but must have %d like the header", c.name, line,
			plural.Count(len(fields), "column"), c.width)
	}
	var numbers [len(castleHeader)]int64
	for i, column := range c.at {
		if numbers[i], err = grid.ParseNumber(fields[column], 1); err != nil {
			line, _ := c.rows.FieldPos(column)
			return castle.Battle{}, usagef("%s: line %d, column %d (%s): %w", c.name, line, column+1, castleHeader[i],
				err)
		}
	}
	return castle.Battle{Soldiers: numbers[0], CastleHits: numbers[1], DefendersPerWave: numbers[2]}, nil
}

var errTooLong = fmt.Errorf("no row ends within %d KiB: write numbers separated by commas, one row "+
	"per line", longestRow>>10)

// rationed is a reader with a limit: after left bytes, it returns errTooLong. The caller renews the limit for each
// row. So the length of a row is limited even if quotes extend it over many lines.
type rationed struct {
	r     io.Reader
	left  int
	ended int // the number of line ends among the bytes read
}

func (r *rationed) Read(p []byte) (int, error) {
	if r.left == 0 {
		return 0, errTooLong
	}
	n, err := r.r.Read(p[:min(len(p), r.left)])
	r.left -= n
	r.ended += bytes.Count(p[:n], []byte{'\n'})
	return n, err
}

// line returns the number of the line that contains the last byte read.
func (r *rationed) line() int { return r.ended + 1 }
