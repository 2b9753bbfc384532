package siegebook

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/faulttest"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/report/book"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/siegebook/ledger"
)

// tablesFile is the file with the tables of these tests.
const tablesFile = "ledger/testdata/tables.txt"

// ledgerFile is the file of claims in the form that readers download.
type ledgerFile struct {
	Claims []struct {
		ID, Statement, Convention, Source, Verdict, Report string
		WithWaste                                          string `json:"with_waste"`
		Evidence                                           struct {
			Kind, Text, Proof string
			Theorems          []content.Theorem
			Check             json.RawMessage
		}
	}
}

// checker runs the checker in a folder and returns its output. The checker has to end with the given exit code.
func checker(t *testing.T, folder string, code int, files ...string) string {
	t.Helper()
	cmd := python(t, append([]string{ledger.ScriptName}, files...)...)
	cmd.Dir = folder
	return faulttest.Run(t, cmd, code)
}

// python returns a command that runs Python.
func python(t *testing.T, arguments ...string) *exec.Cmd {
	t.Helper()
	program, err := exec.LookPath("python3")
	if err != nil {
		must.SkipMissing(t, "the checker of claims cannot be run: %v: install Python 3", err)
	}
	cmd := exec.CommandContext(t.Context(), program, arguments...)
	cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
	return cmd
}

// saved writes the checker and a ledger to a folder, and returns the folder.
func saved(t *testing.T, claims []byte) string {
	t.Helper()
	folder := t.TempDir()
	for name, data := range map[string][]byte{ledger.ScriptName: ledger.Script, ledger.FileName: claims} {
		must.Write(t, filepath.Join(folder, name), data)
	}
	return folder
}

// TestLedger builds the report and uses its ledger as a reader would. Every claim is complete and leads to its place in
// the report. Its name is in only one place of the source. The checker finds no false claim in the ledger, and finds
// each changed number below "check".
func TestLedger(t *testing.T) {
	tree := build(t, book.Options{Settings: small})
	text := tree[ledger.FileName]
	var file ledgerFile
	if err := json.Unmarshal(text, &file); err != nil || len(file.Claims) < 200 {
		t.Fatalf("%d claims: %v", len(file.Claims), err)
	}
	script := tree[ledger.ScriptName]
	if pin := fmt.Sprintf("\nPINNED = \"%x\"", sha256.Sum256(text)); !bytes.Contains(script, []byte(pin)) {
		t.Error("the checker beside the claims is not pinned to them")
	}
	t.Run("complete", func(t *testing.T) { completeLedger(t, file, tree) })
	t.Run("conventions", func(t *testing.T) { conventions(t, file) })
	t.Run("theorems", func(t *testing.T) { theorems(t, file) })
	t.Run("ranges", func(t *testing.T) { printedRanges(t, file) })
	t.Run("sentences", func(t *testing.T) { sentences(t, file) })
	t.Run("one place", func(t *testing.T) { inOnePlace(t, file) })
	t.Run("checker", func(t *testing.T) {
		folder := saved(t, text)
		must.Write(t, filepath.Join(folder, ledger.ScriptName), script)
		out := checker(t, folder, 0, ledger.FileName)
		lines := strings.Split(strings.TrimSpace(out), "\n")
		if len(lines) != len(file.Claims)+1 || !strings.HasSuffix(lines[len(lines)-1], "no lie found") {
			t.Fatal(out)
		}
		t.Log(lines[len(lines)-1])
	})
	t.Run("meaning", func(t *testing.T) {
		noticed(t, "meaning.py", reportFolder(t, tree), "%d lies of %d kinds found, 0 missed", new(int), new(int))
	})
	t.Run("changes", func(t *testing.T) {
		found := 0
		if noticed(t, "mutate.py", saved(t, text), "%d changes found, 0 missed", &found); found < 10_000 {
			t.Errorf("%d changes", found)
		}
	})
}

// noticed runs a program of ledger/testdata that changes the ledger in a folder in many ways. The last line of its
// output has to say that the checker in the folder found all changes. counts gets the numbers in this line.
func noticed(t *testing.T, script, folder, says string, counts ...any) {
	t.Helper()
	if testing.Short() {
		t.Skip("runs the checker many times, which takes a minute; leave out -short")
	}
	cmd := python(t, filepath.Join("ledger", "testdata", script), filepath.Join(folder, ledger.ScriptName),
		filepath.Join(folder, ledger.FileName))
	out := faulttest.Run(t, cmd, 0)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	last := lines[len(lines)-1]
	if _, err := fmt.Sscanf(last, says, counts...); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	t.Log(last)
}

// reportFolder writes the files that the checker reads to a folder, and returns the folder.
func reportFolder(t *testing.T, tree site.Tree) string {
	t.Helper()
	folder := t.TempDir()
	for name, data := range tree {
		if ext := path.Ext(name); ext == ".html" || ext == ".json" || ext == ".py" {
			must.Write(t, filepath.Join(folder, path.Base(name)), data)
		}
	}
	return folder
}

// anchors matches the anchors of a page.
var anchors = regexp.MustCompile(`\bid="([^"]+)"`)

// completeLedger checks that each claim is complete, and follows its links.
func completeLedger(t *testing.T, file ledgerFile, tree site.Tree) {
	known := map[string]bool{}
	for name, data := range tree {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		known[name] = true
		for _, id := range anchors.FindAllSubmatch(data, -1) {
			known[name+"#"+string(id[1])] = true
		}
	}
	ids := map[string]bool{}
	for _, c := range file.Claims {
		if ids[c.ID] || c.Statement == "" || c.Source == "" || c.Verdict == "" || c.Evidence.Kind == "" ||
			c.Evidence.Text == "" {
			t.Errorf("claim %q is incomplete, or its name is taken", c.ID)
		}
		ids[c.ID] = true
		for what, to := range map[string]string{
			"report": c.Report, "proof": c.Evidence.Proof,
			"entry": ledger.Slug + ".html#claim-" + c.ID,
		} {
			if !known[to] && (what != "proof" || to != "") {
				t.Errorf("claim %q: the %s leads to %q, which is not there", c.ID, what, to)
			}
		}
	}
}

// conventions compares the conventions of claims whose truth depends on whether shots may be wasted.
func conventions(t *testing.T, file ledgerFile) {
	read := map[string]string{}
	for _, c := range file.Claims {
		read[c.ID] = strings.TrimSuffix(c.Convention+", "+c.WithWaste, ", ")
		wastes := strings.Contains(string(c.Evidence.Check), "castle_any") ||
			strings.HasPrefix(c.ID, "tower-") && regexp.MustCompile(`\blost\b`).Match(c.Evidence.Check)
		if wastes != (c.Evidence.Check != nil && (c.Convention == string(chapter.AnyShots) || c.WithWaste != "")) {
			t.Errorf("%s is read with %q, but is computed otherwise", c.ID, c.Convention)
		}
		if c.Convention == "" && strings.Contains(string(c.Evidence.Check), `"ways"`) {
			t.Errorf("%s counts ways to win, and does not say whether shots may be wasted", c.ID)
		}
	}
	for _, row := range must.Rows(t, tablesFile, "conventions") {
		for id := range strings.FieldsSeq(row[1]) {
			if got, ok := read[id]; !ok || got != row[0] {
				t.Errorf("%s is read with %q, want %q", id, got, row[0])
			}
		}
	}
}

// theorems compares the theorems of claims that need more than one theorem for their proof.
func theorems(t *testing.T, file ledgerFile) {
	got := map[string]string{}
	for _, c := range file.Claims {
		var names []string
		for _, theorem := range c.Evidence.Theorems {
			if !theorem.Part {
				names = append(names, theorem.Name)
			}
		}
		slices.Sort(names)
		got[c.ID] = c.Verdict + ": " + strings.Join(names, " ")
	}
	for _, row := range must.Rows(t, tablesFile, "theorems") {
		if want := "proved by machine: " + row[1]; got[row[0]] != want {
			t.Errorf("%s is %s, want %s", row[0], got[row[0]], want)
		}
	}
}

// printedRanges compares the ranges that entries print as recomputed with the boxes of their checks.
func printedRanges(t *testing.T, file ledgerFile) {
	type box struct {
		Kind, Game string
		N, S, D, I int64
		H, K, T    int64
		All        []box
	}
	boxes := 0
	for _, c := range file.Claims {
		var check box
		if c.Evidence.Check == nil {
			continue
		}
		if err := json.Unmarshal(c.Evidence.Check, &check); err != nil {
			t.Fatalf("%s: %v", c.ID, err)
		}
		_, recomputed, _ := strings.Cut(strings.ReplaceAll(c.Evidence.Text, "\u00a0", " "), "Recomputed: ")
		for _, b := range append(check.All, check) {
			castle := []chapter.Side{{Name: "n", To: b.N}, {Name: "s", To: b.S}, {Name: "d", To: b.D}}
			tower := []chapter.Side{
				{Name: "n", To: b.N},
				{Name: "h", To: b.H},
				{Name: "k", To: b.K},
				{Name: "t", To: b.T},
			}
			said := map[string]string{
				"castle every":  chapter.Range(castle...),
				"castle line":   chapter.Range(castle...),
				"castle wave":   chapter.Range(append(castle, chapter.Side{Name: "i", To: b.I})...),
				"castle battle": fmt.Sprintf("(%d, %d, %d)", b.N, b.S, b.D),
				"tower every":   chapter.Range(tower...),
				"tower battle":  fmt.Sprintf("(%d, %d, %d, %d)", b.N, b.H, b.K, b.T),
			}[b.Game+" "+b.Kind]
			if said = strings.ReplaceAll(said, "\u00a0", " "); said == "" {
				continue
			}
			all := strings.Contains(recomputed, said) || strings.Contains(recomputed, " battles.") && b.Kind == "battle"
			if !all {
				t.Errorf("%s does not say %q: %s", c.ID, said, c.Evidence.Text)
			}
			if b.Kind != "battle" {
				boxes++
			}
		}
	}
	if boxes < 30 {
		t.Errorf("%d boxes", boxes)
	}
}

// A statement has one of these verbs, or a formula with a relation.
var (
	verb = regexp.MustCompile(`(?i)\b(` +
		`is|are|was|were|has|have|can|cannot|may|must|will|does|do|did|win|won|loses?|lost|needs?|` +
		`takes?|kills?|dies?|leads?|leaves?|holds?|fall|goes|tells?|tends?|rises?|says?|keeps?|makes?|` +
		`gets?|finds?|begins?|differs?|passes|shoots|answers|costs|carries|brings|covers?|repeats|grows|` +
		`falls|stands|solves|improve|run|ties|fails|ends|shows|live|play)\b`)
	relation = regexp.MustCompile(`\$[^$]*(=|<|>|\\le|\\ge|\\to)[^$]*\$`)
	mathIn   = regexp.MustCompile(`\$[^$]*\$`)
)

// sentences looks for statements that are not complete sentences, or that refer to other texts.
func sentences(t *testing.T, file ledgerFile) {
	const noStatements = `The evidence|as above|state by state|the evidence names|\*\*`
	for _, c := range file.Claims {
		words := mathIn.ReplaceAllString(c.Statement, "")
		if !verb.MatchString(words) && !relation.MatchString(c.Statement) {
			t.Errorf("%s is no sentence: %s", c.ID, c.Statement)
		}
		if found := regexp.MustCompile(noStatements).FindString(c.Statement); found != "" {
			t.Errorf("%s has %q: %s", c.ID, found, c.Statement)
		}
	}
}

// defined matches the names of claims in the source: of claims themselves, open questions, steps of the derivation, and
// drawn battles.
var defined = regexp.MustCompile(`(?m)\bID: +"([a-z0-9-]+)"(?:,\s+(?:Title|Where|Stands|Ours|Ref|Proof):)|` +
	`^(?:    id = "|## )([a-z0-9-]+)(?:", |: )|^(?:\t\{\n?\t{0,2}"|\| )([a-z0-9-]+)(?:",\s+[` + "`" + `"]| \| )`)

// inOnePlace checks that the source defines the name of each claim in one place.
func inOnePlace(t *testing.T, file ledgerFile) {
	places := map[string][]string{}
	err := fs.WalkDir(os.DirFS("."), ".", func(name string, entry fs.DirEntry, err error) error {
		source := slices.Contains([]string{".go", ".star"}, path.Ext(name)) ||
			slices.Contains([]string{"_open.md", "_steps.md"}, path.Base(name))
		if err != nil || entry.IsDir() || !source || strings.HasSuffix(name, "_test.go") ||
			strings.Count(name, "/") != 1 {
			return err
		}
		text, err := os.ReadFile(name)
		game := path.Dir(name)
		for _, m := range defined.FindAllSubmatch(text, -1) {
			id := game + "-" + strings.TrimPrefix(string(m[1])+string(m[2]), game+"-")
			if len(m[3]) > 0 { // a row of a table, from which the name of a claim is derived
				id = map[string]string{"castle": "castle-step-", "ants": "ants-picture-"}[game] + string(m[3])
			}
			places[id] = append(places[id], name)
		}
		return err
	})
	must.Do(t, err)
	headings := map[string]int{}
	texts := must.Get(filepath.Glob(filepath.Join("..", "..", "docs", "derivations", "*.md")))
	for _, name := range texts {
		text := must.Get(os.ReadFile(name))
		for line := range strings.Lines(string(text)) {
			if title, ok := strings.CutPrefix(strings.TrimSpace(line), "### "); ok {
				headings["proofs-"+strings.TrimSuffix(filepath.Base(name), ".md")+"-"+site.Slug(title)]++
			}
		}
	}
	for _, c := range file.Claims {
		if strings.HasPrefix(c.ID, "naval-trial-") {
			continue // the numbers of the post's tournaments, which are in one list
		}
		if n := len(places[c.ID]) + headings[c.ID]; n != 1 {
			t.Errorf("the claim %q has its name in %d places: %v", c.ID, n, places[c.ID])
		}
	}
}

// claimIn matches a claim in a row: its id, and optional additions to its evidence.
var claimIn = regexp.MustCompile(`‹([^ ›]*)([^›]*)›`)

// TestCheckerRefuses checks that the checker stops at the first false claim with exit code 1, and exits with 2 if the
// file is not a ledger.
func TestCheckerRefuses(t *testing.T) {
	rows := append(must.Rows(t, tablesFile, "TestCheckerRefuses"), [][]string{
		{"deep", "", `{"claims": []}→` + strings.Repeat("[", 100_000), "2", "not a ledger of claims"},
		{"nested", `‹a "check": ` + strings.Repeat("[", 30) + strings.Repeat("]", 30) + "›", "", "2", "too deep"},
		{"long fraction", `‹a "check": ` + strings.Repeat("1", 5000) + ".5›", "", "2", "a number is too long"},
		{"long text", `‹a›`, `"s"→"` + strings.Repeat("Checked: ", 20_000) + `"`, "2", "a string has more than"},
		{"long key", `‹a›`, `"source"→"` + strings.Repeat("k", 10_000) + `": 0, "source"`, "2", "a string has more than"},
		{"large", `‹a›` + strings.Repeat(" ", 4_000_000), "", "2", "more than 4000000 bytes"},
		{"long number", `‹a "check": ` + strings.Repeat("1", 5000) + "›", "", "2", "a number is too long"},
		{
			"huge", `‹a "check": {"game": "naval", "kind": "knockout", "players": 1` + strings.Repeat("0", 400) +
				`, "games": 7, "records": []}›`, "", "1", "lie   a",
		},
	}...)
	for _, row := range rows {
		name, change, code, says := row[0], row[2], row[3], row[4]
		text := `{"claims": [` + claimIn.ReplaceAllStringFunc(row[1], func(claim string) string {
			m := claimIn.FindStringSubmatch(claim)
			more := ""
			if m[2] != "" {
				more = "," + m[2]
			}
			return `{"id": "` + m[1] + `", "statement": "s", "source": "o", "verdict": "refuted", ` +
				`"report": "r.html", "evidence": {"kind": "counterexample", ` +
				`"text": "Counterexample: c. Checked: by reading the text."` + more + `}}`
		}) + "]}"
		if from, to, ok := strings.Cut(change, "→"); ok {
			text = strings.Replace(text, from, to, 1)
		}
		t.Run(name, func(t *testing.T) {
			out := checker(t, saved(t, []byte(text)), must.Get(strconv.Atoi(code)), ledger.FileName)
			if lines := strings.Count(out, "\n"); lines > 3 || code == "2" && lines != 1 ||
				strings.Contains(out, "Traceback") {
				t.Errorf("not one line: %s", out)
			}
			if !strings.Contains(out, says) || code == "1" && strings.Contains(out, " c: ") {
				t.Errorf("it says %s", out)
			}
		})
	}
}

// TestCheckerPinned checks that a checker that was published with a file of claims refuses other files, and does so
// before it parses them.
func TestCheckerPinned(t *testing.T) {
	claims := []byte(`{"claims": [{"id": "a", "statement": "s", "source": "o", "verdict": "open", "report": ` +
		`"r.html", "evidence": {"kind": "none", "text": "t"}}]}`)
	folder := saved(t, claims)
	pin := fmt.Appendf(nil, "\nPINNED = \"%x\"", sha256.Sum256(claims))
	must.Write(t, filepath.Join(folder, ledger.ScriptName),
		bytes.Replace(ledger.Script, []byte("\nPINNED = None"), pin, 1))
	if out := checker(t, folder, 0, ledger.FileName); !strings.Contains(out, "no lie found") {
		t.Error(out)
	}
	for name, text := range map[string][]byte{
		"a blank": append(claims, ' '), "not JSON": []byte("{"), "nothing": nil, "huge": bytes.Repeat(claims, 100_000),
		"long texts": bytes.Replace(claims, []byte(`"t"`), []byte(`"`+strings.Repeat("Checked: ", 20_000)+`"`), 1),
	} {
		must.Write(t, filepath.Join(folder, ledger.FileName), text)
		if out := checker(t, folder, 1, ledger.FileName); !strings.HasPrefix(out, "lie   these are not the claims") {
			t.Errorf("%s: %s", name, out)
		}
	}
}

// TestCheckerPatterns checks that for any texts, the checker's time grows only linearly with their length. If it tried
// to match again from each letter, megabytes of text would take hours.
func TestCheckerPatterns(t *testing.T) {
	folder := saved(t, []byte("{}"))
	cmd := python(t, filepath.Join("ledger", "testdata", "patterns.py"), filepath.Join(folder, ledger.ScriptName))
	if out := faulttest.Run(t, cmd, 0); !strings.HasSuffix(out, " texts, 0 wrong\n") {
		t.Error(out)
	}
}

// TestCheckerBounds checks that large numbers in a ledger make the checker take neither too much memory nor too much
// depth or time.
func TestCheckerBounds(t *testing.T) {
	if testing.Short() {
		t.Skip("works up to the bounds of the checker; leave out -short")
	}
	folder := saved(t, []byte("{}"))
	cmd := python(t, filepath.Join("ledger", "testdata", "bounded.py"), filepath.Join(folder, ledger.ScriptName),
		filepath.Join("ledger", "testdata", "hostile.txt"))
	if out := faulttest.Run(t, cmd, 0); !strings.HasSuffix(out, " checks, 0 wrong\n") {
		t.Error(out)
	}
}

// TestCheckerUsage checks that the checker takes one file, and an error of one line names a file that it cannot read.
func TestCheckerUsage(t *testing.T) {
	folder := saved(t, []byte("{}"))
	for name, arguments := range map[string][]string{
		"none": {}, "two": {"a", "b"}, "a folder": {"."},
		"nothing there": {"nowhere.json"},
	} {
		if out := checker(t, folder, 2, arguments...); strings.Count(out, "\n") != 1 {
			t.Errorf("%s: %s", name, out)
		}
	}
}
