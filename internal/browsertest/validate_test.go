package browsertest

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// validation is html-validate's configuration. Pages are well-formed XML, so that empty elements close themselves, and
// ids that the text cannot name hold a dot or a colon; all else is as recommended.
const validation = `{"root": true, "extends": ["html-validate:recommended"], "rules": {
	"void-style": ["error", {"style": "selfclose"}],
	"valid-id": ["error", {"relaxed": true}]
}}`

// validate runs html-validate over pages and returns what it finds, as "page:line: rule: message".
func validate(t *testing.T, pages ...string) []string {
	t.Helper()
	config := filepath.Join(t.TempDir(), "html-validate.json")
	if err := os.WriteFile(config, []byte(validation), 0o600); err != nil {
		t.Fatal(err)
	}
	tool := filepath.Join(checkers(t), "html-validate", "bin", "html-validate.mjs")
	cmd := exec.CommandContext(t.Context(), "node", append([]string{tool, "--config", config, "--formatter", "json"}, pages...)...)
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
	problems := []string{}
	for _, r := range results {
		for _, m := range r.Messages {
			problems = append(problems, fmt.Sprintf("%s:%d: %s: %s", filepath.Base(r.FilePath), m.Line, m.RuleID, m.Message))
		}
	}
	return problems
}

// TestHTML validates every page, and the report as one file.
func TestHTML(t *testing.T) {
	t.Parallel()
	r := report(t)
	for _, problem := range validate(t, append(slices.Clone(r.pages), r.single)...) {
		t.Error(problem)
	}
}

// TestValidationFails shows that each fault is found, and only it.
func TestValidationFails(t *testing.T) {
	t.Parallel()
	for body, rule := range map[string]string{
		`<p>sound</p>`:                               "",
		`<ul><p>x</p></ul>`:                          "element-permitted-content",
		`<p id="a">x</p><p id="a">y</p>`:             "no-dup-id",
		`<img src="pixel.svg" />`:                    "wcag/h37",
		`<button>x</button>`:                         "no-implicit-button-type",
		`<p style="color: red">x</p>`:                "no-inline-style",
		`<table><tr><td>a</td></tr></table><b>x</p>`: "close-order",
	} {
		problems := validate(t, badPage(t, body+"</body></html>\n"))
		found := slices.ContainsFunc(problems, func(p string) bool { return strings.Contains(p, ": "+rule+": ") })
		if found != (rule != "") {
			t.Errorf("%s: want %q, found %q", body, rule, problems)
		}
		if rule == "" && len(problems) > 0 {
			t.Errorf("%s: found %q", body, problems)
		}
	}
}
