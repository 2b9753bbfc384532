package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/internal/plural"
	"github.com/siegebook/siegebook/internal/prove/grids"
	"github.com/siegebook/siegebook/proofs"
)

// coq is a folder in which Coq's programs are run.
type coq struct{ dir string }

// run runs a program in the folder and returns what it printed. The error has all of it.
func (c coq) run(ctx context.Context, program string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = c.dir
	out, err := cmd.CombinedOutput()
	switch {
	case ctx.Err() != nil:
		return "", errors.New("interrupted")
	case errors.Is(err, exec.ErrNotFound):
		return "", fmt.Errorf("%s is not there: install Coq %s, for example by `make prove` on Debian", program,
			proofs.Coq)
	case err != nil:
		return "", fmt.Errorf("%s %q: %w\n%s", program, args, err, out)
	}
	return string(out), nil
}

// version returns the first line that Coq tells about itself.
func (c coq) version(ctx context.Context) (string, error) {
	out, err := c.run(ctx, "coqc", "--version")
	line, _, _ := strings.Cut(out, "\n")
	return line, err
}

// check has Coq's separate checker read the compiled files, and the files of Coq's library that they need.
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

// trusted are the paragraphs of coqchk's report that list what it has not checked but was told to believe.
var trusted = []string{
	"Axioms", "Constants/Inductives relying on type-in-type", "Constants/Inductives relying on unsafe (co)fixpoints",
	"Inductives whose positivity is assumed",
}

// checked reads the report of coqchk: nothing may be believed.
func checked(report string) error {
	for _, what := range trusted {
		_, list, ok := strings.Cut(report, "\n* "+what+":")
		if !ok {
			return fmt.Errorf("coqchk does not say which %s there are:\n%s", what, report)
		}
		list, _, _ = strings.Cut(list, "\n*")
		if list = strings.Join(strings.Fields(list), ", "); list != "<none>" {
			return fmt.Errorf("coqchk finds %s: %s", what, list)
		}
	}
	return nil
}

// closed fails unless Coq says that the theorems assume nothing. It is asked about all of them together: what all
// assume is what each of them assumes.
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
		err = fmt.Errorf("the theorems lean on what is not proved:\n%s", said)
	}
	return err
}

// openLine matches a line that says in which terms a file's statements are to be read.
var openLine = regexp.MustCompile(`(?m)^(?:From .*|Import .*|Open Scope .*)$`)

// stated has Coq compare each theorem with the statement that is shown to readers: read after what its file imports and
// the file itself, it must be what the theorem proves. So no section or notation of the file can make it look stronger
// than it is. Each file is read in a module, and its imports end there, so one run does for all files.
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
		return fmt.Errorf("a theorem is not what is shown of it: %w", err)
	}
	return nil
}

// script returns what Coq prints when it reads a text.
func (c coq) script(ctx context.Context, file, text string) (string, error) {
	if err := os.WriteFile(filepath.Join(c.dir, file), []byte(text), 0o600); err != nil {
		return "", err
	}
	return c.run(ctx, "coqc", "-q", "-w", "-all", "-R", ".", proofs.Library, file)
}

// shadows are names of Coq's library that the files give to what they define, which the list of definitions shows.
var shadows = []string{"left", "order", "plus", "positive", "sum"}

// libraryLine matches what Coq says of a name that its library gives.
var libraryLine = regexp.MustCompile(`^(?:Constant|Inductive|Constructor|Notation) Coq\.(?:\S+\.)?([^\s.]+)$`)

// fresh asks Coq for names that its library gives already, so far as a file may import it. Only those of shadows may be
// given anew: a text with another meaning of nat is not what its reader believes.
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
		// A name that has to be written longer, like Z.add, is not hidden.
		longer := i+1 < len(lines) && strings.HasPrefix(strings.TrimSpace(lines[i+1]), "(shorter name")
		if m != nil && !longer && places[m[1]] != nil && !slices.Contains(shadows, m[1]) {
			return fmt.Errorf("%s: %s is a name of Coq's library: choose another", places[m[1]], m[1])
		}
	}
	return nil
}

// compare compares the program's checksums with those of the numbers that Coq computes, and those that the extracted
// program computes, which c.dir has.
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
		return errors.New("the numbers that Coq computes are not those of the program")
	}
	return nil
}

// gridFuel is how many waves the function of the castle's side follows in the battles of a grid.
const gridFuel = 40

// withFuel are the functions that take a number of waves first.
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
