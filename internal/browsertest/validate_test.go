package browsertest

import (
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
)

// validation is html-validate's configuration. Pages are well-formed XML, so that empty elements close themselves, and
// ids that the text cannot name hold a dot or a colon; all else is as recommended.
const validation = `{"root": true, "extends": ["html-validate:recommended"], "rules": {
	"void-style": ["error", {"style": "selfclose"}],
	"valid-id": ["error", {"relaxed": true}]
}}`

// validate runs html-validate over pages and returns what it finds in each, as "rule: line: message".
func validate(t *testing.T, pages ...string) map[string][]string {
	t.Helper()
	config := filepath.Join(t.TempDir(), "html-validate.json")
	must.Write(t, config, validation)
	tool := filepath.Join(checkers(t), "html-validate", "bin", "html-validate.mjs")
	cmd := exec.CommandContext(t.Context(), "node", append([]string{tool, "--config", config, "--formatter", "json"},
		pages...)...)
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		t.Fatalf("html-validate: %v\n%s", err, said.String())
	}
	var results []struct {
		FilePath string
		Messages []struct {
			RuleID, Message string
			Line            int
		}
	}
	if err := json.Unmarshal(out, &results); err != nil {
		t.Fatalf("html-validate: %v\n%s%s", err, out, said.String())
	}
	problems := map[string][]string{}
	for _, r := range results {
		for _, m := range r.Messages {
			problems[r.FilePath] = append(problems[r.FilePath], fmt.Sprintf("%s: line %d: %s", m.RuleID, m.Line,
				m.Message))
		}
	}
	return problems
}

// TestHTML validates every page, and the report as one file.
func TestHTML(t *testing.T) {
	t.Parallel()
	r := report(t)
	for page, problems := range validate(t, append(slices.Clone(r.pages), r.single)...) {
		t.Errorf("%s: %q", filepath.Base(page), problems)
	}
}
