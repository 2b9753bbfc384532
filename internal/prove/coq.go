package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
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

// otherVersion is what to say where a version of Coq is not that of the files, if something failed.
func otherVersion(version string) string {
	if strings.Contains(version, " "+proofs.Coq+".") || strings.HasSuffix(version, " "+proofs.Coq) {
		return ""
	}
	return fmt.Sprintf("\nthis is %s; the files are written for Coq %s: try again with that", version, proofs.Coq)
}

// version returns the first line that Coq tells about itself.
func (c coq) version(ctx context.Context) (string, error) {
	out, err := c.run(ctx, "coqc", "--version")
	line, _, _ := strings.Cut(out, "\n")
	return line, err
}

// compile has Coq check a file, which it puts into the folder.
func (c coq) compile(ctx context.Context, file string, text []byte) error {
	_, err := c.script(ctx, file, text)
	return err
}

// check has Coq's separate checker read the compiled files.
func (c coq) check(ctx context.Context, files []string) error {
	args := []string{"-silent", "-o", "-R", ".", proofs.Library}
	for _, file := range files {
		args = append(args, proofs.Library+"."+strings.TrimSuffix(file, ".v"))
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

// closed is what Coq says of a theorem that assumes nothing.
const closed = "Closed under the global context"

// assumptions returns what Coq says that each theorem assumes.
func (c coq) assumptions(ctx context.Context, theorems []proofs.Theorem) ([]string, error) {
	var text bytes.Buffer
	seen := map[string]bool{}
	for _, theorem := range theorems {
		if module := strings.TrimSuffix(theorem.File, ".v"); !seen[module] {
			seen[module] = true
			fmt.Fprintf(&text, "From %s Require %s.\n", proofs.Library, module)
		}
	}
	for _, theorem := range theorems {
		fmt.Fprintf(&text, "Goal True. idtac %q. exact I. Qed.\nPrint Assumptions %s.\n", mark+theorem.Name,
			theorem.Module())
	}
	out, err := c.script(ctx, "Assumptions.v", text.Bytes())
	if err != nil {
		return nil, err
	}
	return told(out, theorems)
}

// openLine matches a line that says in which terms a file's statements are to be read.
var openLine = regexp.MustCompile(`(?m)^(?:From .*|Import .*|Open Scope .*)$`)

// stated has Coq compare each theorem of a file with the statement that is shown to readers: read after what the file
// imports and the file itself, it must be what the theorem proves. So no section or notation of the file can make it
// look stronger than it is.
func (c coq) stated(ctx context.Context, file, text string, theorems []proofs.Theorem) error {
	module := strings.TrimSuffix(file, ".v")
	var script bytes.Buffer
	for _, line := range openLine.FindAllString(text, -1) {
		fmt.Fprintln(&script, line)
	}
	fmt.Fprintf(&script, "From %s Require Import %s.\n", proofs.Library, module)
	for _, theorem := range theorems {
		if theorem.File != file {
			continue
		}
		shown, ok := strings.CutPrefix(theorem.Statement, "Theorem "+theorem.Name)
		if !ok {
			return fmt.Errorf("%s: the statement of %s does not begin with its name: %s", file, theorem.Name,
				theorem.Statement)
		}
		fmt.Fprintf(&script, "Theorem shown_%s%s\nProof. exact %s. Qed.\n", theorem.Name, shown, theorem.Module())
	}
	if _, err := c.script(ctx, "Stated"+file, script.Bytes()); err != nil {
		return fmt.Errorf("%s: a theorem is not what is shown of it: %w", file, err)
	}
	return nil
}

// mark begins the lines between the answers.
const mark = "theorem: "

// told returns what stands behind each theorem's mark, in one line each.
func told(out string, theorems []proofs.Theorem) ([]string, error) {
	parts := strings.Split("\n"+out, "\n"+mark)
	if len(parts) != len(theorems)+1 {
		return nil, fmt.Errorf("coq told about %s, not about %d:\n%s", plural.Count(len(parts)-1, "theorem"),
			len(theorems), out)
	}
	answers := make([]string, len(theorems))
	for i, theorem := range theorems {
		name, answer, _ := strings.Cut(parts[i+1], "\n")
		if name != theorem.Name {
			return nil, fmt.Errorf("coq told about %s where %s was asked for", name, theorem.Name)
		}
		answers[i] = strings.Join(strings.Fields(answer), " ")
	}
	return answers, nil
}

// script returns what Coq prints when it reads a text.
func (c coq) script(ctx context.Context, file string, text []byte) (string, error) {
	if err := os.WriteFile(filepath.Join(c.dir, file), text, 0o600); err != nil {
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
func (c coq) fresh(ctx context.Context, folder fs.FS, files []string) error {
	script := "From Coq Require Import " + strings.Join(proofs.Imported, " ") + ".\n"
	places := map[string]string{}
	for _, file := range files {
		text, err := fs.ReadFile(folder, file)
		if err != nil {
			return err
		}
		for _, name := range proofs.Names(string(text)) {
			places[name] = file
			script += "Locate " + name + ".\n"
		}
	}
	answer, err := c.script(ctx, "Fresh.v", []byte(script))
	if err != nil {
		return err
	}
	lines := strings.Split(answer, "\n")
	for i, line := range lines {
		m := libraryLine.FindStringSubmatch(strings.TrimRight(line, " "))
		// A name that has to be written longer, like Z.add, is not hidden.
		longer := i+1 < len(lines) && strings.HasPrefix(strings.TrimSpace(lines[i+1]), "(shorter name")
		if m != nil && !longer && places[m[1]] != "" && !slices.Contains(shadows, m[1]) {
			return fmt.Errorf("%s: %s is a name of Coq's library: choose another", places[m[1]], m[1])
		}
	}
	return nil
}

// compare compares the program's checksums with those of the numbers that Coq computes.
func compare(ctx context.Context, c coq, out io.Writer) error {
	differ := false
	for _, g := range grids.All() {
		ours, err := g.Checksum(ctx)
		if err != nil {
			return err
		}
		text := "From Coq Require Import ZArith.\nFrom Siegebook Require Import MinWaves ByRoot Greedy Survey.\nOpen " +
			"Scope Z_scope.\n"
		for _, function := range g.Functions {
			text += fmt.Sprintf("Eval vm_compute in checksum %s %d %d %d.\n", function, g.N, g.S, g.D)
		}
		answer, err := c.script(ctx, "Values.v", []byte(text))
		if err != nil {
			return err
		}
		theirs, err := evaluated(answer)
		if err != nil {
			return err
		}
		if len(theirs) != len(g.Functions) {
			return fmt.Errorf("coq computed %s, not %d:\n%s", plural.Count(len(theirs), "checksum"), len(g.Functions),
				answer)
		}
		fmt.Fprintf(out, "checksum of %s, n <= %d, s <= %d, d <= %d (%d battles)\n%v  siegebook\n", g.What, g.N, g.S,
			g.D, g.Battles(), ours)
		for i, function := range g.Functions {
			fmt.Fprintf(out, "%v  Coq, %s\n", theirs[i], function)
			differ = differ || theirs[i] != ours
		}
	}
	if differ {
		return errors.New("the numbers that Coq computes are not those of the program")
	}
	return compareExtracted(ctx, c, out)
}

var valueLine = regexp.MustCompile(`(?m)^ *= (\d+)$`)

// evaluated reads the numbers that Coq prints for Eval.
func evaluated(answer string) ([]castle.Checksum, error) {
	var all []castle.Checksum
	for _, m := range valueLine.FindAllStringSubmatch(answer, -1) {
		value, err := strconv.ParseUint(m[1], 10, 64)
		if err != nil {
			return nil, err
		}
		all = append(all, castle.Checksum(value))
	}
	return all, nil
}
