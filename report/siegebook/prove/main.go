// Command prove has Coq check the proofs of package proofs, in a temporary folder that it removes at the end.
//
// It finds the example of each theorem, and compiles the files in the order of their dependencies. Coq compares each
// theorem with the statement that readers see, and reports the assumptions of the theorems. There must not be any. Then
// Coq extracts the proved functions as OCaml. Coq and the OCaml program compute both sides' fewest waves over grids of
// battles, and prove compares their checksums with the library's. It also compares the program's answers with the
// library's in random battles. If the user names a folder with the ledger and its checker, the functions also decide
// the claims about the castle game, and prove compares their verdicts with the checker's. Coq's separate checker,
// coqchk, checks the compiled files.
//
// It exits with code 1 if any of these checks fails.
package main

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/phi"
	"github.com/siegebook/siegebook/internal/plural"
	"github.com/siegebook/siegebook/proofs"
	"github.com/siegebook/siegebook/report/siegebook/prove/grids"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	folder := ""
	if len(os.Args) > 1 {
		folder = os.Args[1]
	}
	if err := run(ctx, proofs.Texts, folder, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "prove:", err)
		stop()
		os.Exit(1)
	}
}

// run checks the proofs in a folder and prints the results to out. If ledger names a folder, the proved functions also
// decide the claims in that folder's ledger.
func run(ctx context.Context, texts fs.FS, ledger string, out io.Writer) error {
	theorems, err := proofs.Theorems(texts)
	if err != nil {
		return err
	}
	if err := proofs.Exemplified(texts); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "siegebook-prove-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	c := coq{dir}
	version, err := c.version(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s; the files are written for Coq %s\n", version, proofs.Coq)
	files, err := proofs.Files(texts)
	if err != nil {
		return err
	}
	if err := c.fresh(ctx, files); err != nil {
		return err
	}
	lines, start := 0, time.Now()
	took, err := c.compile(ctx, files)
	if err != nil {
		return err
	}
	for i, file := range files {
		length := strings.Count(file.Text, "\n")
		fmt.Fprintf(out, "%-14s %4d lines, %4.1f s\n", file, length, took[i].Seconds())
		lines += length
	}
	fmt.Fprintf(out, "%d files, %d lines, %.1f s\n\n", len(files), lines, time.Since(start).Seconds())
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return c.check(ctx, files) })
	group.Go(func() error { return examine(ctx, c, files, theorems, ledger, out) })
	if err := group.Wait(); err != nil {
		return err
	}
	fmt.Fprintln(out, "coqchk has checked all files again, and found no axioms in them")
	return nil
}

// compile has Coq check files in parallel, as many at once as there are processors, and each one after the files that
// it requires. The files must be in the order of their dependencies. compile returns the time for each file.
func (c coq) compile(ctx context.Context, files []*proofs.File) ([]time.Duration, error) {
	took, done := make([]time.Duration, len(files)), map[*proofs.File]chan struct{}{}
	for _, file := range files {
		done[file] = make(chan struct{})
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, file := range files {
		group.Go(func() error {
			for _, other := range file.Needs() {
				select {
				case <-done[other]:
				case <-ctx.Done():
					return ctx.Err()
				}
			}
			began := time.Now()
			if _, err := c.script(ctx, file.Name, file.Text); err != nil {
				return err
			}
			took[i] = time.Since(began)
			close(done[file])
			return nil
		})
	}
	return took, group.Wait()
}

// examine checks the theorems of compiled files with Coq, and compares the numbers and verdicts that Coq computes.
func examine(
	ctx context.Context, c coq, files []*proofs.File, theorems []proofs.Theorem, ledger string, out io.Writer,
) error {
	if err := c.stated(ctx, files, theorems); err != nil {
		return err
	}
	if err := c.closed(ctx, theorems); err != nil {
		return err
	}
	fmt.Fprintf(out, "%d theorems, nothing assumed, each with an example\n\n", len(theorems))
	if err := c.extract(ctx); err != nil {
		return err
	}
	if err := compare(ctx, c, out); err != nil {
		return err
	}
	if err := compareExtracted(ctx, c, out); err != nil {
		return err
	}
	if err := compareSieges(ctx, c, out); err != nil || ledger == "" {
		return err
	}
	return judge(ctx, c, ledger, out)
}

// fuel is the number of waves after which the function for the castle's side stops.
const fuel = 120

// extraction makes Coq write the proved functions as a program in OCaml.
const extraction = `From Coq Require Import ExtrOcamlBasic.
From Coq Require Extraction.
From Siegebook Require Import MinWaves Words ByRoot Greedy Totals Rules Survey General
Survivors AnyState.
Extraction Language OCaml.
Extraction "proved.ml" min_waves min_waves64 waves_by_root castle_waves counted step orders checksum siege_waves
most_survivors soldiers_from.
`

// answering is a program that answers questions with these functions. It converts text to Coq's numbers and back.
//
//go:embed answer.ml
var answering []byte

// function is a proved function and its counterpart in the library. To choose the number of battles, we changed a sign
// or a number in the library's functions in 268 ways. Each change that affects an answer in 300,000 battles also
// affects an answer in the first 13,000 (castle_waves: 1,000). The fast function is nevertheless tested on about a
// million battles.
type function struct {
	name    string
	battles int // the number of random battles
	draw    func(*rand.Rand) castle.Battle
	ours    func(castle.Battle) string
}

func number(waves int64) string { return strconv.FormatInt(waves, 10) }

var functions = []function{
	{"min_waves", 200_000, drawn, func(b castle.Battle) string { return number(b.MinWaves()) }},
	{"min_waves64", 50_000, drawn, func(b castle.Battle) string { return number(b.MinWaves()) }},
	{"waves_by_root", 1_000_000, drawn, func(b castle.Battle) string { return number(b.Solve().MinWaves) }},
	{"castle_waves", 5_000, drawnForCastle, func(b castle.Battle) string {
		waves := b.CastleMinWaves()
		if waves > fuel {
			waves = 0
		}
		return number(waves)
	}},
	{"counted", 500, drawnSmall, countedWays},
	{"most_survivors", 5_000, drawn, func(b castle.Battle) string {
		survivors, fall := b.MostSurvivors()
		return number(survivors) + " " + number(fall)
	}},
	{"soldiers_from", 6_000, drawnEither, fewestFromWaves},
}

// batch is the number of battles that are passed to one call of the program.
const batch = 100_000

// extract makes Coq write the program, and builds it.
func (c coq) extract(ctx context.Context) error {
	if _, err := c.script(ctx, "Extract.v", extraction); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(c.dir, "answer.ml"), answering, 0o600); err != nil {
		return err
	}
	_, err := c.run(ctx, "ocamlopt", "-w", "-a", "-o", "answer", "proved.mli", "proved.ml", "answer.ml")
	return err
}

// compareExtracted compares the program's answers with the library's, battle by battle.
func compareExtracted(ctx context.Context, c coq, out io.Writer) error {
	for i, f := range functions {
		random := rand.New(rand.NewPCG(48, uint64(i)))
		for done := 0; done < f.battles; done += batch {
			battles := make([]castle.Battle, min(batch, f.battles-done))
			for j := range battles {
				battles[j] = f.draw(random)
			}
			if err := f.compare(ctx, c, battles); err != nil {
				return err
			}
		}
		fmt.Fprintf(out, "extracted: %s agrees with the program in %d battles\n", f.name, f.battles)
	}
	return nil
}

// compare asks the program about battles, and compares its answers with the library's.
func (f function) compare(ctx context.Context, c coq, battles []castle.Battle) error {
	var text strings.Builder
	for _, b := range battles {
		fmt.Fprintf(&text, "%d %d %d\n", b.Soldiers, b.CastleHits, b.DefendersPerWave)
	}
	if err := os.WriteFile(filepath.Join(c.dir, "battles"), []byte(text.String()), 0o600); err != nil {
		return err
	}
	answers, err := c.run(ctx, filepath.Join(c.dir, "answer"), f.name, strconv.Itoa(fuel), "battles")
	if err != nil {
		return err
	}
	return f.differ(battles, answers)
}

// differ returns an error that names the first battle in which the answers differ from the library's. answers contains
// one answer per line.
func (f function) differ(battles []castle.Battle, answers string) error {
	lines := strings.Split(strings.TrimSuffix(answers, "\n"), "\n")
	if len(lines) != len(battles) {
		return fmt.Errorf("extracted: %s printed %d lines for %d battles", f.name, len(lines), len(battles))
	}
	for i, b := range battles {
		if ours := f.ours(b); lines[i] != ours {
			return fmt.Errorf("extracted: %s of %v is %s, but the program returns %s", f.name, b, lines[i], ours)
		}
	}
	return nil
}

// ofAnyLength draws a positive number of at most the given length in bits. All lengths are equally likely.
func ofAnyLength(r *rand.Rand, bits int) int64 { return 1 + r.Int64N(1<<(r.IntN(bits)+1)-1) }

// near draws a number from 1 to the largest int64 that differs from the given one by at most 2.
func near(r *rand.Rand, to int64) int64 {
	by := r.Int64N(5) - 2
	if by > 0 && to > math.MaxInt64-by {
		return to
	}
	return max(1, to+by)
}

// sumOf returns the sum of non-negative numbers, or the largest int64 if the sum is larger.
func sumOf(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// drawn draws a battle of one of these kinds: of any size, near the border of the hunt (x φ = n), near the end of a
// stair, or near the largest int64.
func drawn(r *rand.Rand) castle.Battle {
	b := castle.Battle{Soldiers: ofAnyLength(r, 62), CastleHits: ofAnyLength(r, 62), DefendersPerWave: ofAnyLength(r,
		62)}
	n := b.Soldiers
	switch r.IntN(5) {
	case 0: // x = s + d - 2n is near a fraction F(2k)/F(2k+1) of n, or n/φ
		k := r.IntN(44) + 1
		m := ofAnyLength(r, 8)
		if phi.Fib(2*k+1) < 1<<53 {
			n = near(r, m*int64(phi.Fib(2*k+1)))
		}
		b.Soldiers, b.DefendersPerWave = n, near(r, n/2+r.Int64N(n))
		b.CastleHits = near(r, max(1, 2*n-b.DefendersPerWave+int64(phi.FloorDiv(uint64(n)))))
	case 1: // near the end of a stair
		b.DefendersPerWave = max(1, n-ofAnyLength(r, 20))
		gain := n - b.DefendersPerWave
		b.CastleHits = near(r, sumOf(n, sumOf(gain*r.Int64N(1<<20), int64(phi.FloorDiv(uint64(n))))))
	case 2:
		b.CastleHits, b.DefendersPerWave = near(r, sumOf(n, ofAnyLength(r, 62))), near(r, n)
	case 3:
		b.Soldiers = math.MaxInt64 - r.Int64N(5)
		b.CastleHits, b.DefendersPerWave = math.MaxInt64-r.Int64N(3), max(1, b.Soldiers-ofAnyLength(r, 62))
	}
	return b
}

// drawnForCastle draws a battle in which the soldiers last only a few waves if all of them shoot at the castle. Most
// battles are near the smallest castle that can win.
func drawnForCastle(r *rand.Rand) castle.Battle {
	n := ofAnyLength(r, 62)
	d := max(1, n>>r.IntN(6)-r.Int64N(n)/8)
	b := castle.Battle{Soldiers: n, CastleHits: ofAnyLength(r, 62), DefendersPerWave: near(r, d)}
	if border := castle.SmallestCastle(n, b.DefendersPerWave); border.IsInt64() && r.IntN(4) > 0 {
		b.CastleHits = near(r, border.Int64())
	}
	return b
}

// drawnEither draws a battle in one of these two ways.
func drawnEither(r *rand.Rand) castle.Battle {
	if r.IntN(3) == 0 {
		return drawn(r)
	}
	return drawnForCastle(r)
}

// smallWaves is the last wave for which ways are counted.
const smallWaves = 6

// drawnSmall draws a small battle without a tie. At a tie, the library ends a line of play, whereas Coq continues it.
func drawnSmall(r *rand.Rand) castle.Battle {
	for {
		b := castle.Battle{Soldiers: 1 + r.Int64N(5), CastleHits: 1 + r.Int64N(10), DefendersPerWave: 1 + r.Int64N(6)}
		if counts, err := b.Count(context.Background(), castle.CountOptions{}); err == nil && counts.Ties.Sign() == 0 {
			return b
		}
	}
}

// countedWays returns the number of ways in which each side can win in each of the first waves.
func countedWays(b castle.Battle) string {
	counts, err := b.Count(context.Background(), castle.CountOptions{})
	if err != nil {
		return err.Error()
	}
	said := make([]string, 2*smallWaves)
	for i, ways := range []castle.Histogram{counts.Soldiers, counts.Castle} {
		for w := range smallWaves {
			said[i*smallWaves+w] = "0"
		}
		for _, c := range ways {
			if c.Wave <= smallWaves {
				said[i*smallWaves+int(c.Wave)-1] = c.Ways.String()
			}
		}
	}
	return strings.Join(said, " ")
}

// fewestFromWaves returns the soldiers' fewest waves from the start of each of the first waves, if no more soldiers
// than necessary shoot at defenders in these waves.
func fewestFromWaves(b castle.Battle) string {
	var said []string
	for now, winner := b.Start(), castle.Undecided; winner == castle.Undecided && len(said) < 6; {
		said = append(said, number(b.SoldiersFrom(now)))
		low, _ := now.Moves()
		now, winner = b.Step(now, low)
	}
	return strings.Join(said, " ")
}

// coq is the folder in which Coq's programs run.
type coq struct{ dir string }

// run runs a program in the folder and returns what it prints. Any error contains all of the output.
func (c coq) run(ctx context.Context, program string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = c.dir
	out, err := cmd.CombinedOutput()
	switch {
	case ctx.Err() != nil:
		return "", errors.New("interrupted")
	case errors.Is(err, exec.ErrNotFound):
		return "", fmt.Errorf("%s is missing: install Coq %s, for example with `make prove` on Debian", program,
			proofs.Coq)
	case err != nil:
		return "", fmt.Errorf("%s %q: %w\n%s", program, args, err, out)
	}
	return string(out), nil
}

// version returns the first line of Coq's version.
func (c coq) version(ctx context.Context) (string, error) {
	out, err := c.run(ctx, "coqc", "--version")
	line, _, _ := strings.Cut(out, "\n")
	return line, err
}

// check makes Coq's separate checker check the compiled files, and the files of Coq's library that they need.
func (c coq) check(ctx context.Context, files []*proofs.File) error {
	args := []string{"-silent", "-o", "-R", ".", proofs.Library}
	for _, file := range files {
		args = append(args, proofs.Library+"."+file.Module())
	}
	out, err := c.run(ctx, "coqchk", args...)
	if err != nil {
		return err
	}
	return checked(out)
}

// trusted lists the paragraphs in coqchk's report that list assumptions.
var trusted = []string{
	"Axioms", "Constants/Inductives relying on type-in-type", "Constants/Inductives relying on unsafe (co)fixpoints",
	"Inductives whose positivity is assumed",
}

// checked parses the report of coqchk, which must not list any assumptions.
func checked(report string) error {
	for _, what := range trusted {
		_, list, ok := strings.Cut(report, "\n* "+what+":")
		if !ok {
			return fmt.Errorf("coqchk does not list its %s:\n%s", what, report)
		}
		list, _, _ = strings.Cut(list, "\n*")
		if list = strings.Join(strings.Fields(list), ", "); list != "<none>" {
			return fmt.Errorf("coqchk finds %s: %s", what, list)
		}
	}
	return nil
}

// closed returns an error unless Coq reports that the theorems assume nothing. It asks about all theorems at once,
// because the assumptions of each theorem are among the assumptions of them all.
func (c coq) closed(ctx context.Context, theorems []proofs.Theorem) error {
	var text strings.Builder
	for _, theorem := range theorems {
		fmt.Fprintf(&text, "From %s Require %s.\n", proofs.Library, strings.TrimSuffix(theorem.File, ".v"))
	}
	text.WriteString("Definition together := (I")
	for _, theorem := range theorems {
		fmt.Fprintf(&text, ",\n@%s", theorem.Module())
	}
	text.WriteString(").\nPrint Assumptions together.\n")
	said, err := c.script(ctx, "Together.v", text.String())
	if said = strings.TrimSpace(said); err == nil && said != "Closed under the global context" {
		err = fmt.Errorf("the theorems depend on unproved statements:\n%s", said)
	}
	return err
}

// openLine matches a line that changes how Coq reads the statements of a file.
var openLine = regexp.MustCompile(`(?m)^(?:From .*|Import .*|Open Scope .*)$`)

// stated makes Coq compare each theorem with the statement that readers see. Coq reads the statement after the file's
// imports and the file itself, and the theorem must prove exactly this statement. So no section or notation in the file
// can make the theorem look stronger than it is. Coq reads each file in a separate module, where the file's imports
// end, so a single run is enough for all files.
func (c coq) stated(ctx context.Context, files []*proofs.File, theorems []proofs.Theorem) error {
	var script strings.Builder
	for _, file := range files {
		module := file.Module()
		fmt.Fprintf(&script, "Module Shown_%s.\n", module)
		for _, line := range openLine.FindAllString(file.Text, -1) {
			fmt.Fprintln(&script, line)
		}
		fmt.Fprintf(&script, "From %s Require Import %s.\n", proofs.Library, module)
		for _, theorem := range theorems {
			if theorem.File != file.Name {
				continue
			}
			shown, ok := strings.CutPrefix(theorem.Statement, "Theorem "+theorem.Name)
			if !ok {
				return fmt.Errorf("%s: the statement of %s does not begin with its name: %s", file, theorem.Name,
					theorem.Statement)
			}
			fmt.Fprintf(&script, "Theorem shown_%s%s\nProof. exact %s. Qed.\n", theorem.Name, shown, theorem.Module())
		}
		fmt.Fprintf(&script, "End Shown_%s.\n", module)
	}
	if _, err := c.script(ctx, "Stated.v", script.String()); err != nil {
		return fmt.Errorf("a theorem differs from its shown statement: %w", err)
	}
	return nil
}

// script returns Coq's output for the given input.
func (c coq) script(ctx context.Context, file, text string) (string, error) {
	if err := os.WriteFile(filepath.Join(c.dir, file), []byte(text), 0o600); err != nil {
		return "", err
	}
	return c.run(ctx, "coqc", "-q", "-w", "-all", "-R", ".", proofs.Library, file)
}

// shadows lists names from Coq's library that the files redefine. The list of definitions shows them.
var shadows = []string{"left", "order", "plus", "positive", "sum"}

// libraryLine matches Coq's answer about a name that its library defines.
var libraryLine = regexp.MustCompile(`^(?:Constant|Inductive|Constructor|Notation) Coq\.(?:\S+\.)?([^\s.]+)$`)

// fresh asks Coq which of the files' names are also defined in the importable parts of its library. Only the names in
// shadows may be redefined. Text in which, for example, nat had a different meaning would mislead its readers.
func (c coq) fresh(ctx context.Context, files []*proofs.File) error {
	script := "From Coq Require Import " + strings.Join(proofs.Imported, " ") + ".\n"
	places := map[string]*proofs.File{}
	for _, file := range files {
		for _, name := range file.Names() {
			places[name] = file
			script += "Locate " + name + ".\n"
		}
	}
	answer, err := c.script(ctx, "Fresh.v", script)
	if err != nil {
		return err
	}
	lines := strings.Split(answer, "\n")
	for i, line := range lines {
		m := libraryLine.FindStringSubmatch(strings.TrimRight(line, " "))
		// A definition does not hide a name that requires a longer form, such as Z.add.
		longer := i+1 < len(lines) && strings.HasPrefix(strings.TrimSpace(lines[i+1]), "(shorter name")
		if m != nil && !longer && places[m[1]] != nil && !slices.Contains(shadows, m[1]) {
			return fmt.Errorf("%s: %s is already a name in Coq's library: choose another", places[m[1]], m[1])
		}
	}
	return nil
}

// compare compares the library's checksums with the checksums from Coq and from the extracted program in c.dir.
func compare(ctx context.Context, c coq, out io.Writer) error {
	differ := false
	for _, g := range grids.All() {
		ours, err := g.Checksum(ctx)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "checksum of %s, n <= %d, s <= %d, d <= %d (%d battles)\n%v  siegebook\n", g.What, g.N, g.S,
			g.D, g.Battles(), ours)
		for _, function := range g.Functions {
			theirs, err := c.checksum(ctx, g, function)
			if err != nil {
				return err
			}
			fmt.Fprintf(out, "%v  %s, %s\n", theirs, g.By(), function)
			differ = differ || theirs != ours
		}
	}
	if differ {
		return errors.New("the numbers that Coq computes differ from the program's")
	}
	return nil
}

// gridFuel is the number of waves after which the function for the castle's side stops in the battles of a grid.
const gridFuel = 40

// withFuel lists the functions whose first argument is a number of waves.
var withFuel = map[string]string{"castle_waves": fmt.Sprintf("(castle_waves %d)", gridFuel)}

// checksum returns the checksum of a function's answers over a grid.
func (c coq) checksum(ctx context.Context, g grids.Grid, function string) (castle.Checksum, error) {
	if g.Extracted {
		answer, err := c.run(ctx, filepath.Join(c.dir, "answer"), "checksum", strconv.Itoa(gridFuel), function,
			strconv.FormatInt(g.N, 10), strconv.FormatInt(g.S, 10), strconv.FormatInt(g.D, 10))
		if err != nil {
			return 0, err
		}
		sum, err := strconv.ParseUint(strings.TrimSpace(answer), 10, 64)
		return castle.Checksum(sum), err
	}
	answer, err := c.script(ctx, "Values.v", fmt.Sprintf("From Coq Require Import ZArith.\n"+
		"From Siegebook Require Import MinWaves ByRoot Greedy Survey.\nOpen Scope Z_scope.\n"+
		"Eval vm_compute in checksum %s %d %d %d.\n", cmp.Or(withFuel[function], function), g.N, g.S, g.D))
	if err != nil {
		return 0, err
	}
	return evaluated(answer)
}

var valueLine = regexp.MustCompile(`(?m)^ *= (\d+)$`)

// evaluated reads the number that Coq prints for Eval.
func evaluated(answer string) (castle.Checksum, error) {
	all := valueLine.FindAllStringSubmatch(answer, -1)
	if len(all) != 1 {
		return 0, fmt.Errorf("coq computed %s, not one:\n%s", plural.Count(len(all), "checksum"), answer)
	}
	value, err := strconv.ParseUint(all[0][1], 10, 64)
	return castle.Checksum(value), err
}
