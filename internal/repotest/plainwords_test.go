package repotest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/siegebook/siegebook/internal/must"
)

// This is a ratchet for words. Rules find sentences that an editor would rewrite, and a file sets a ceiling for the
// number of hits in each folder. Ceilings may only fall.

const (
	// ceilingsFile has a line for each folder with hits: the folder, a tab, and the folder's ceiling.
	ceilingsFile = "internal/repotest/testdata/plainwords_ceilings.txt"

	// mostHits limits the number of hits that a failure lists for one folder.
	mostHits = 20

	lowerCeilings = "go test ./internal/repotest -run '^TestPlainWords$' -update"
)

// plainRule is a row of testdata/plainwords.txt, which explains its columns.
type plainRule struct {
	Name, Reads             string
	Finds, Unless           regexp.Regexp
	Example, CounterExample string
}

// finds reports whether the rule finds something in a sentence.
func (r *plainRule) finds(text string) bool {
	if r.Unless.String() == "" {
		return r.Finds.MatchString(text)
	}
	return slices.ContainsFunc(r.Finds.FindAllStringIndex(text, -1), func(match []int) bool {
		return !r.Unless.MatchString(text[match[0]:])
	})
}

// panicker panics where a test would fail.
type panicker struct{}

func (panicker) Helper()           {}
func (panicker) Fatal(args ...any) { panic(fmt.Sprint(args...)) }

// plainRules returns the rules of testdata/plainwords.txt.
var plainRules = sync.OnceValue(func() (rules []*plainRule) {
	for _, rule := range must.Table[plainRule](panicker{}, filepath.Join("testdata", "plainwords.txt"), "rules") {
		rules = append(rules, &rule)
	}
	return rules
})

// sentence is a sentence to which the rules are applied. Its number is the number of its line, or of its cell in a
// notebook.
type sentence struct {
	number int
	reads  string // "sentence", or "function" for the beginning of a function's comment
	text   string
}

type line struct {
	number int
	text   string
}

var (
	bullet = regexp.MustCompile(`^\s*[-*] `)

	// sentenceEnd has a group that matches at the beginning of the next sentence.
	sentenceEnd   = regexp.MustCompile("[.!?][\"')]?\\s+([A-Z\"\\[`$(])")
	abbreviations = []string{"e.g", "i.e", "etc", "vs"}

	word        = regexp.MustCompile(`[A-Za-z']{2,}`)
	commentLine = regexp.MustCompile(`^\s*// ?(.*)$`)
	directive   = regexp.MustCompile(`^\s*//(?:go:|export |line )`)
	funcLine    = regexp.MustCompile(`^func (?:\([^)]*\) )?(\w+)`)

	// longString matches Go strings. A string of two words or more is a message.
	longString = regexp.MustCompile(`"((?:[^"\\]|\\.){25,})"`)
	twoWords   = regexp.MustCompile(`[a-z] [a-z]`)
)

// sentences returns the sentences of five words or more. Paragraphs end at empty lines, and at lines with one of the
// prefixes. The latter lines are left out, because they belong to headings, tables and code.
func sentences(lines []line, prefixes ...string) (found []sentence) {
	var paragraph []line
	for _, l := range append(lines, line{}) {
		begins := func(prefix string) bool { return strings.HasPrefix(l.text, prefix) }
		if strings.TrimSpace(l.text) != "" && !slices.ContainsFunc(prefixes, begins) {
			paragraph = append(paragraph, line{l.number, bullet.ReplaceAllString(l.text, "")})
			continue
		}
		found = append(found, splitParagraph(paragraph)...)
		paragraph = nil
	}
	return found
}

// splitParagraph returns the sentences of a paragraph, each with the number of the line in which it begins.
func splitParagraph(paragraph []line) (found []sentence) {
	text, starts := "", []int{}
	for _, l := range paragraph {
		starts = append(starts, len(text))
		text += strings.TrimSpace(l.text) + " "
	}
	begin := 0
	add := func(end int) {
		if part := strings.TrimSpace(text[begin:end]); len(word.FindAllString(part, 5)) == 5 {
			after, _ := slices.BinarySearch(starts, begin+1)
			found = append(found, sentence{paragraph[after-1].number, "sentence", part})
		}
		begin = end
	}
	for _, match := range sentenceEnd.FindAllStringSubmatchIndex(text, -1) {
		abbreviated := func(word string) bool { return strings.HasSuffix(text[:match[0]], word) }
		if !slices.ContainsFunc(abbreviations, abbreviated) {
			add(match[2])
		}
	}
	add(len(text))
	return found
}

// goSentences returns the sentences in a Go file's comments, the beginnings of its functions' comments, and its
// messages. It leaves out comments that follow code on the same line.
func goSentences(source string) (found []sentence) {
	var comment []line
	for i, code := range strings.Split(source, "\n") {
		if match := commentLine.FindStringSubmatch(code); match != nil && !directive.MatchString(code) {
			comment = append(comment, line{i + 1, match[1]})
			continue
		}
		found = append(found, sentences(comment, "\t", "  ", "#")...)
		function := funcLine.FindStringSubmatch(code)
		if function != nil && comment != nil && strings.HasPrefix(comment[0].text, function[1]+" ") {
			found = append(found, sentence{comment[0].number, "function", comment[0].text})
		}
		comment = nil
		for _, match := range longString.FindAllStringSubmatch(code, -1) {
			if text := match[1]; twoWords.MatchString(text) && !strings.Contains(text[:len(text)-2], `\n`) {
				found = append(found, sentence{i + 1, "sentence", text})
			}
		}
	}
	return found
}

// markdownSentences returns the sentences of a Markdown document or of a page.
func markdownSentences(text string) []sentence {
	var lines []line
	code := false
	for i, l := range strings.Split(text, "\n") {
		fence := strings.HasPrefix(strings.TrimSpace(l), "```")
		code = code != fence
		if code || fence {
			l = ""
		}
		lines = append(lines, line{i + 1, l})
	}
	return sentences(lines, "#", "|", "    ", "$$", "---")
}

// notebookSentences returns the sentences in the Markdown cells of a notebook.
func notebookSentences(text []byte) (found []sentence) {
	var notebook struct {
		Cells []struct {
			Kind   string `json:"cell_type"`
			Source []string
		}
	}
	if err := json.Unmarshal(text, &notebook); err != nil {
		panic(err)
	}
	for i, cell := range notebook.Cells {
		if cell.Kind != "markdown" {
			continue
		}
		var lines []line
		for l := range strings.SplitSeq(strings.Join(cell.Source, ""), "\n") {
			lines = append(lines, line{i + 1, l})
		}
		found = append(found, sentences(lines, "#", "    ", "```", "$$")...)
	}
	return found
}

// isProse reports whether the rules apply to a file. They do not apply to tests, their data, and records of the past.
func isProse(name string) bool {
	return suffix(".go", ".md", ".ipynb")(name) && !strings.HasSuffix(name, "_test.go") &&
		!strings.Contains(name, "testdata") && !strings.HasPrefix(name, "docs/adr/old/") && name != "CHANGELOG.md"
}

// plainHits returns, for each folder, a line for each hit.
func plainHits(tree fs.FS) map[string][]string {
	hits := map[string][]string{}
	for _, name := range files(tree, isProse) {
		text := must.Get(fs.ReadFile(tree, name))
		place := name + ":%d"
		var found []sentence
		switch path.Ext(name) {
		case ".go":
			found = goSentences(string(text))
		case ".md":
			found = markdownSentences(string(text))
		case ".ipynb":
			found, place = notebookSentences(text), name+": cell %d"
		}
		for _, s := range found {
			var names []string
			for _, rule := range plainRules() {
				if rule.Reads == s.reads && rule.finds(s.text) {
					names = append(names, rule.Name)
				}
			}
			if names != nil {
				hits[path.Dir(name)] = append(hits[path.Dir(name)],
					fmt.Sprintf(place+": [%s] %.150s", s.number, strings.Join(names, ","), s.text))
			}
		}
	}
	return hits
}

// readCeilings returns the ceilings and the text of their file. If there is no such file, the ceilings are nil.
func readCeilings(tree fs.FS) (ceilings map[string]int, text string) {
	data, err := fs.ReadFile(tree, ceilingsFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ""
	}
	text = string(must.Get(data, err))
	ceilings = map[string]int{}
	for row := range strings.Lines(text) {
		folder, ceiling, _ := strings.Cut(strings.TrimSuffix(row, "\n"), "\t")
		ceilings[folder] = must.Get(strconv.Atoi(ceiling))
	}
	return ceilings, text
}

// ceilingsText returns the text of the file with the given ceilings.
func ceilingsText(ceilings map[string]int) string {
	text := ""
	for _, folder := range slices.Sorted(maps.Keys(ceilings)) {
		if ceilings[folder] > 0 {
			text += fmt.Sprintf("%s\t%d\n", folder, ceilings[folder])
		}
	}
	return text
}

// aboveCeilings lists the folders with more hits than their ceilings allow. The hits of a folder follow its name.
func aboveCeilings(hits map[string][]string, ceilings map[string]int) (problems []string) {
	for _, folder := range slices.Sorted(maps.Keys(hits)) {
		count, ceiling := len(hits[folder]), ceilings[folder]
		if count <= ceiling {
			continue
		}
		shown := hits[folder][:min(count, mostHits)]
		problems = append(problems, fmt.Sprintf(
			"%s: hits %d, ceiling %d: rewrite the new ones; the first %d:", folder, count, ceiling, len(shown)))
		problems = append(problems, shown...)
	}
	return problems
}

// checkPlainWords compares the hits of each folder with its ceiling.
func checkPlainWords(tree fs.FS) []string {
	hits := plainHits(tree)
	ceilings, text := readCeilings(tree)
	problems := aboveCeilings(hits, ceilings)
	for _, folder := range slices.Sorted(maps.Keys(ceilings)) {
		if count, ceiling := len(hits[folder]), ceilings[folder]; count < ceiling {
			problems = append(problems, fmt.Sprintf(
				"%s: hits %d, ceiling %d: lower it with `%s`", folder, count, ceiling, lowerCeilings))
		}
	}
	if text != ceilingsText(ceilings) {
		problems = append(problems, fmt.Sprintf(
			"%s: must have one row for each folder, in lexical order, with a tab and a ceiling of at least 1: run `%s`",
			ceilingsFile, lowerCeilings))
	}
	return problems
}

// loweredCeilings returns the text of the file of ceilings for the current hits. If a ceiling would rise, it returns
// problems instead. If there is no such file, it records all hits.
func loweredCeilings(tree fs.FS) (text string, problems []string) {
	hits := plainHits(tree)
	if ceilings, _ := readCeilings(tree); ceilings != nil {
		if problems := aboveCeilings(hits, ceilings); problems != nil {
			return "", problems
		}
	}
	counts := map[string]int{}
	for folder, found := range hits {
		counts[folder] = len(found)
	}
	return ceilingsText(counts), nil
}

// TestPlainWords fails if the number of hits in a folder differs from the folder's ceiling; with -update it lowers the
// ceilings.
func TestPlainWords(t *testing.T) {
	if !*update {
		report(t, checkPlainWords(tree(t)))
		return
	}
	text, problems := loweredCeilings(tree(t))
	report(t, problems)
	if problems == nil {
		must.Write(t, filepath.Join(root(t), filepath.FromSlash(ceilingsFile)), text)
	}
}

// TestPlainWordsRules checks that each rule finds its example and not its counter-example.
func TestPlainWordsRules(t *testing.T) {
	for _, rule := range plainRules() {
		if !rule.finds(rule.Example) || rule.finds(rule.CounterExample) {
			t.Errorf("%s: finds its example: %t, want true; finds its counter-example: %t, want false", rule.Name,
				rule.finds(rule.Example), rule.finds(rule.CounterExample))
		}
		if rule.Reads != "sentence" && rule.Reads != "function" {
			t.Errorf("%s: reads %q, which nothing is", rule.Name, rule.Reads)
		}
	}
}

// TestPlainWordsUpdate checks that an update lowers ceilings, drops the ceilings of folders without hits, and never
// raises a ceiling.
func TestPlainWordsUpdate(t *testing.T) {
	for _, test := range []struct {
		name, ceilings, want string
		problems             []string
	}{
		{"lower", "a\t3\nb\t2\n", "a\t1\n", nil},
		{"the same", "a\t1\n", "a\t1\n", nil},
		{"sort", "b\t1\na\t1\n", "a\t1\n", nil},
		{"raise", "b\t2\n", "", []string{"a: hits 1, ceiling 0: ", "a/a.md:1: [spatial] "}},
		{"record", "no file", "a\t1\n", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			tree := fstest.MapFS{"a/a.md": {Data: []byte("Run writes a notebook beside each page.\n")}}
			if test.ceilings != "no file" {
				tree[ceilingsFile] = &fstest.MapFile{Data: []byte(test.ceilings)}
			}
			text, problems := loweredCeilings(tree)
			if text != test.want {
				t.Errorf("the file is %q, want %q", text, test.want)
			}
			wantProblems(t, problems, test.problems...)
		})
	}
}

// TestPlainWordsShown checks that a failure lists at most 20 hits of a folder.
func TestPlainWordsShown(t *testing.T) {
	if problems := aboveCeilings(map[string][]string{"a": make([]string, 30)}, nil); len(problems) != 1+mostHits {
		t.Errorf("%d lines, want %d", len(problems), 1+mostHits)
	}
}
