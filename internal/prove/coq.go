package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

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
	case errors.Is(err, exec.ErrNotFound):
		return "", fmt.Errorf("%s is not there: install coq %s, for example by `make prove` on Debian", program, proofs.Coq)
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

// compile has Coq check a file, which it puts into the folder.
func (c coq) compile(ctx context.Context, file string, text []byte) error {
	if err := os.WriteFile(filepath.Join(c.dir, file), text, 0o600); err != nil {
		return err
	}
	_, err := c.run(ctx, "coqc", "-q", "-w", "-all", "-R", ".", proofs.Library, file)
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

// axiomsOf matches the paragraph of coqchk's report that lists axioms.
var axiomsOf = regexp.MustCompile(`(?m)^\* Axioms:([^*]*)`)

// checked reads the report of coqchk: it must list no axiom.
func checked(report string) error {
	m := axiomsOf.FindStringSubmatch(report)
	if m == nil {
		return fmt.Errorf("coqchk does not say which axioms there are:\n%s", report)
	}
	if list := strings.TrimSpace(m[1]); list != "<none>" {
		return fmt.Errorf("coqchk finds axioms: %s", strings.Join(strings.Fields(list), ", "))
	}
	return nil
}

// closed is what Coq says of a theorem that assumes nothing.
const closed = "Closed under the global context"

// assumptions returns what Coq says that each theorem assumes.
func (c coq) assumptions(ctx context.Context, theorems []proofs.Theorem) ([]string, error) {
	var text strings.Builder
	seen := map[string]bool{}
	for _, theorem := range theorems {
		if module := strings.TrimSuffix(theorem.File, ".v"); !seen[module] {
			seen[module] = true
			fmt.Fprintf(&text, "From %s Require %s.\n", proofs.Library, module)
		}
	}
	for _, theorem := range theorems {
		fmt.Fprintf(&text, "Goal True. idtac %q. exact I. Qed.\nPrint Assumptions %s.\n", mark+theorem.Name, theorem.Module())
	}
	out, err := c.script(ctx, "Assumptions.v", text.String())
	if err != nil {
		return nil, err
	}
	return told(out, theorems)
}

// mark begins the lines between the answers.
const mark = "theorem: "

// told returns what stands behind each theorem's mark, in one line each.
func told(out string, theorems []proofs.Theorem) ([]string, error) {
	parts := strings.Split("\n"+out, "\n"+mark)
	if len(parts) != len(theorems)+1 {
		return nil, fmt.Errorf("coq told about %d theorems, not about %d:\n%s", len(parts)-1, len(theorems), out)
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
func (c coq) script(ctx context.Context, file, text string) (string, error) {
	if err := os.WriteFile(filepath.Join(c.dir, file), []byte(text), 0o600); err != nil {
		return "", err
	}
	return c.run(ctx, "coqc", "-q", "-w", "-all", "-R", ".", proofs.Library, file)
}
