// Package proofs holds the proofs that a machine checks: files for Coq 8.16, which lean on nothing but its standard
// library, and the list of their theorems.
//
// Each Theorem of a file has a comment before it, of which the list is made:
//
//	(**
//	   Claim: what it says, in a sentence or two; lines go on below.
//	   Prose: FILE.md, HEADING of docs/derivations that proves it in words
//	   Settles: the name of a claim of the ledger that it proves, alone or with others, or whose counterexample it is
//	   Code: the function whose result it is about, where there is one
//	*)
//	Theorem name : statement.
//	Proof. ... Qed.
//
//	Example name_holds : what the statement says of numbers, without a premise.
//	Proof. apply name; ... Qed.
//
// Prose or Settles may be missing. Each may name several, with "; " between them, and a name may be followed by
// "in part": the theorem says a part of what stands there. A statement of docs/derivations is a claim, too.
//
// The Example shows that the theorem's premises do not contradict one another (see Exemplified). It is not in the
// list. A Lemma only serves a proof. `make prove` checks all of it. A file that could assume something
// is refused before Coq sees it (see strange).
package proofs

import (
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Texts are the files of this folder.
//
//go:embed *.v
var Texts embed.FS

// Theorem is one statement that is proved.
type Theorem struct {
	Name      string `json:"name"`
	File      string `json:"file"`              // in this folder
	Claim     string `json:"claim"`             // what it says, in words
	Prose     string `json:"prose,omitempty"`   // where it is proved or spoken of in words
	Settles   string `json:"settles,omitempty"` // the claims of the ledger that it proves or refutes
	Code      string `json:"code,omitempty"`    // the function that it is about
	Statement string `json:"statement"`         // what Coq has checked
	// Needs are the theorems that the proof leans on, by itself or by its lemmas, in the order of the list.
	Needs []string `json:"needs"`
}

// Module returns the name under which Coq knows the theorem, as the files have it.
func (t Theorem) Module() string {
	return Library + "." + strings.TrimSuffix(t.File, ".v") + "." + t.Name
}

// Library is the name of the folder for Coq.
const Library = "Siegebook"

var (
	theoremLine = regexp.MustCompile(`(?m)^Theorem +([A-Za-z_0-9']+)`)
	requireLine = regexp.MustCompile(`(?m)^From Siegebook Require Import ([A-Za-z ]+)\.`)
	fieldLine   = regexp.MustCompile(`^   ([A-Z][a-z]+): (.*)$`)
)

// list is what the files of a folder state, and what that rests on.
type list struct {
	files       []*File
	theorems    []Theorem
	definitions []Definition
}

// own is that of Texts, which several pages show, and a server with each edit.
var own = sync.OnceValues(func() (list, error) { return readList(Texts) })

func listOf(folder fs.FS) (list, error) {
	if folder == fs.FS(Texts) {
		return own()
	}
	return readList(folder)
}

func readList(folder fs.FS) (list, error) {
	files, err := Files(folder)
	if err != nil {
		return list{}, err
	}
	if err := unique(files); err != nil {
		return list{}, err
	}
	var theorems []Theorem
	for _, file := range files {
		found, err := file.theorems()
		if err != nil {
			return list{}, err
		}
		theorems = append(theorems, found...)
	}
	addNeeds(files, theorems)
	return list{files, theorems, definitions(files, theorems)}, nil
}

// Theorems returns the theorems of all files of a folder, in the order of Files and in that of the text. The error
// names the place of a theorem without its comment or of a comment that is not as it should be.
func Theorems(folder fs.FS) ([]Theorem, error) {
	l, err := listOf(folder)
	return slices.Clone(l.theorems), err
}

// File is a file of a folder.
type File struct {
	Name, Text string
	plain      string     // see code
	gives      []sentence // the commands that give names
	needs      []*File    // that it requires
	sees       []*File    // those whose names it sees: what it leans on, in the order of Files, and itself
}

func (f *File) String() string { return f.Name }

// Module returns the name by which other files require the file.
func (f *File) Module() string { return strings.TrimSuffix(f.Name, ".v") }

// Needs returns the files that the file requires.
func (f *File) Needs() []*File { return slices.Clone(f.needs) }

// Files returns the files of a folder, each after those that it leans on. The error names a file that requires one that
// is not there, or says that some require one another.
func Files(folder fs.FS) ([]*File, error) {
	names, err := fs.Glob(folder, "*.v")
	if err != nil {
		return nil, err
	}
	all := map[string]*File{}
	for _, name := range names {
		text, err := fs.ReadFile(folder, name)
		if err != nil {
			return nil, err
		}
		f := &File{Name: name, Text: string(text), plain: code(string(text))}
		f.gives, all[name] = naming(f.Text, f.plain), f
	}
	for _, name := range names {
		for _, line := range requireLine.FindAllStringSubmatch(all[name].Text, -1) {
			for _, other := range strings.Fields(line[1]) {
				if all[other+".v"] == nil {
					return nil, fmt.Errorf("%s: requires %s, which is missing", name, other)
				}
				all[name].needs = append(all[name].needs, all[other+".v"])
			}
		}
	}
	var ordered []*File
	missing := func(f *File) bool { return f.sees == nil }
	for len(ordered) < len(names) {
		next := slices.IndexFunc(names, func(name string) bool {
			return missing(all[name]) && !slices.ContainsFunc(all[name].needs, missing)
		})
		if next < 0 {
			return nil, fmt.Errorf("files require each other: %s",
				strings.Join(slices.DeleteFunc(names, func(name string) bool { return !missing(all[name]) }), ", "))
		}
		f := all[names[next]]
		ordered = append(ordered, f)
		for _, other := range ordered {
			leans := func(f *File) bool { return slices.Contains(f.sees, other) }
			if other == f || slices.ContainsFunc(f.needs, leans) {
				f.sees = append(f.sees, other)
			}
		}
	}
	return ordered, nil
}

// theorems returns those of one file.
func (f *File) theorems() ([]Theorem, error) {
	file, text := f.Name, f.Text
	if line, said := strange(f.plain); said != "" {
		return nil, fmt.Errorf("%s:%d: %s: a file of proofs may only import from %s, define, state and "+
			"prove, and assumes nothing", file, line, said, strings.Join(Imported, ", "))
	}
	var found []Theorem
	claims := 0
	for _, at := range theoremLine.FindAllStringSubmatchIndex(text, -1) {
		theorem := Theorem{Name: text[at[2]:at[3]], File: file}
		place := fmt.Sprintf("%s: theorem %s", file, theorem.Name)
		comment, ok := strings.CutSuffix(text[:at[0]], "*)\n")
		opening := strings.LastIndex(comment, "(**\n")
		if !ok || opening < 0 || strings.Contains(comment[opening:], "*)") {
			return nil, fmt.Errorf("%s: there is no comment with Claim, and Prose or Settles, before it", place)
		}
		if err := theorem.read(comment[opening+len("(**\n"):]); err != nil {
			return nil, fmt.Errorf("%s: %w", place, err)
		}
		claims++
		statement, _, ok := strings.Cut(text[at[0]:], "\nProof.")
		if !ok || strings.Contains(statement, "\n\n") {
			return nil, fmt.Errorf("%s: no proof follows the statement", place)
		}
		theorem.Statement = strings.TrimSpace(statement)
		found = append(found, theorem)
	}
	if all := strings.Count(text, "\n   Claim:"); all != claims {
		return nil, fmt.Errorf("%s: there are %d claims before %d theorems, write one before each", file, all, claims)
	}
	return found, nil
}

// read takes the fields from a comment.
func (t *Theorem) read(comment string) error {
	fields := map[string]*string{"Claim": &t.Claim, "Prose": &t.Prose, "Settles": &t.Settles, "Code": &t.Code}
	var field *string
	for _, line := range strings.Split(strings.TrimRight(comment, "\n"), "\n") {
		if m := fieldLine.FindStringSubmatch(line); m != nil {
			var known bool
			if field, known = fields[m[1]]; !known {
				return fmt.Errorf("%s is not a field, use %s", m[1],
					strings.Join(slices.Sorted(maps.Keys(fields)), ", "))
			}
			if *field != "" {
				return fmt.Errorf("the comment has the field %s twice: remove one of them", m[1])
			}
			*field = m[2]
			continue
		}
		if field == nil {
			return fmt.Errorf("the comment begins with %q, not with a field", line)
		}
		*field += " " + strings.TrimSpace(line)
	}
	if t.Claim == "" || t.Prose == "" && t.Settles == "" {
		return fmt.Errorf("the comment lacks Claim, or has neither Prose nor Settles")
	}
	return nil
}

var (
	// exampleLine matches the beginning of an example: its name, and what it binds before the colon.
	exampleLine = regexp.MustCompile(`^Example\s+([A-Za-z_0-9']+)([^:]*):`)
	// premise matches what would leave an example something to be met. The arrow of <-> is none.
	premise = regexp.MustCompile(`\bforall\b|(?:^|[^<])->`)
	// proofEnd matches the only end of a proof that command lets pass.
	proofEnd = regexp.MustCompile(`\bQed\.(?:\s|$)`)
)

// Exemplified looks for the example of each theorem of a folder. A theorem whose premises contradict one another is
// true and says nothing; its example, which has no premise and is proved by it, would not pass Coq. The error names the
// first theorem that has none, or one with a premise, or one whose proof does not use it.
func Exemplified(folder fs.FS) error {
	l, err := listOf(folder)
	if err != nil {
		return err
	}
	for _, file := range l.files {
		for _, theorem := range l.theorems {
			if theorem.File != file.Name {
				continue
			}
			if err := theorem.exemplified(file.plain); err != nil {
				return fmt.Errorf("%s: theorem %s: %w", file, theorem.Name, err)
			}
		}
	}
	return nil
}

// exemplified looks for the theorem's example in the text of its file, without comments.
func (t Theorem) exemplified(plain string) error {
	name := t.Name + "_holds"
	begin := regexp.MustCompile(`(?m)^Theorem +` + regexp.QuoteMeta(t.Name) + `[^A-Za-z_0-9']`).FindStringIndex(plain)
	if begin == nil {
		begin = []int{len(plain), len(plain)}
	}
	_, rest := cutAt(plain[begin[1]:], proofEnd)
	at := exampleLine.FindStringSubmatch(rest)
	if at == nil || at[1] != name {
		return fmt.Errorf("each needs an example directly after its proof: write Example %s, "+
			"which states the theorem for numbers, and prove it by %s", name, t.Name)
	}
	statement, rest := cutAt(rest[len(at[0]):], sentenceEnd)
	if binds := strings.TrimSpace(at[2]); binds != "" || premise.MatchString(statement) {
		return fmt.Errorf("its Example %s may have no premise, neither a variable nor forall nor ->: "+
			"put numbers, and meet the premises of %s in its proof", name, t.Name)
	}
	proof, _ := cutAt(rest, proofEnd)
	if !strings.HasPrefix(proof, "Proof.") || !slices.Contains(words.FindAllString(proof, -1), t.Name) {
		return fmt.Errorf("the proof of Example %s has to use the theorem: "+
			"begin it with Proof. apply %s, and end it with Qed", name, t.Name)
	}
	return nil
}

// cutAt returns what stands before the first match, and behind it from the next word on.
func cutAt(text string, end *regexp.Regexp) (before, behind string) {
	at := end.FindStringIndex(text)
	if at == nil {
		return text, ""
	}
	return text[:at[0]], strings.TrimSpace(text[at[1]:])
}

var (
	provedLine = regexp.MustCompile(`(?m)^(?:Theorem|Lemma) +([A-Za-z_0-9']+)`)
	words      = regexp.MustCompile(`[A-Za-z_][A-Za-z_0-9']*`)
)

// addNeeds finds, for each theorem in the list, the theorems that its proof uses. Names are unique across all files, so
// a name in a proof identifies its lemma or theorem.
func addNeeds(files []*File, all []Theorem) {
	bodies := map[string]string{}
	for _, file := range files {
		for _, at := range provedLine.FindAllStringSubmatchIndex(file.plain, -1) {
			_, rest, _ := strings.Cut(file.plain[at[0]:], "\nProof.")
			proof, _, _ := strings.Cut(rest, "Qed.")
			bodies[file.plain[at[2]:at[3]]] = proof
		}
	}
	isTheorem := map[string]bool{}
	for _, theorem := range all {
		isTheorem[theorem.Name] = true
	}
	for i := range all {
		found := map[string]bool{}
		var follow func(name string)
		follow = func(name string) {
			for _, word := range words.FindAllString(bodies[name], -1) {
				if _, proved := bodies[word]; !proved || found[word] {
					continue
				}
				found[word] = true
				if !isTheorem[word] {
					follow(word)
				}
			}
		}
		follow(all[i].Name)
		all[i].Needs = []string{}
		for _, theorem := range all {
			if found[theorem.Name] {
				all[i].Needs = append(all[i].Needs, theorem.Name)
			}
		}
	}
}

// Coq is the version of the program that the files are written for.
const Coq = "8.16"

// Place is a heading of docs/derivations, below which a theorem is proved or spoken of in words.
type Place struct {
	File, Heading string
	Part          bool // the theorem says a part of what stands there
}

// Places returns what the field Prose says. The error names a part of it that is no place.
func (t Theorem) Places() ([]Place, error) {
	var all []Place
	for name, part := range named(t.Prose) {
		file, heading, ok := strings.Cut(name, ", ")
		if !ok || !strings.HasSuffix(file, ".md") || heading == "" {
			return nil, fmt.Errorf("%s: theorem %s: %q is not a place: write FILE.md, HEADING", t.File, t.Name, name)
		}
		all = append(all, Place{file, heading, part})
	}
	return all, nil
}

// Claim is one of the ledger, by its name there.
type Claim struct {
	ID   string
	Part bool // the theorem settles a part of it
}

// Claims returns what the field Settles says.
func (t Theorem) Claims() []Claim {
	var all []Claim
	for id, part := range named(t.Settles) {
		all = append(all, Claim{id, part})
	}
	return all
}

// named yields the names of a list, and of each whether it is followed by "in part".
func named(list string) func(yield func(name string, part bool) bool) {
	return func(yield func(string, bool) bool) {
		for name := range strings.SplitSeq(list, "; ") {
			name, part := strings.CutSuffix(name, " in part")
			if list != "" && !yield(name, part) {
				return
			}
		}
	}
}

// Definition is what a file calls by a name, and a statement may rest on.
type Definition struct {
	Name string `json:"name"`
	File string `json:"file"`
	Text string `json:"text"` // as it stands in the file
}

var (
	definedLine = regexp.MustCompile(`(?m)^ *(Definition|Fixpoint|Inductive|Record|Lemma|Theorem|Example|Ltac) ` +
		`+([A-Za-z_0-9']+)`)
	sentenceEnd = regexp.MustCompile(`\.(?:\s|$)`)
	branch      = regexp.MustCompile(`(?:\||:=)\s*([A-Za-z_][A-Za-z_0-9']*)`)
	fieldName   = regexp.MustCompile(`[{;]\s*([A-Za-z_][A-Za-z_0-9']*)\s*:`)
	also        = regexp.MustCompile(`\bwith\s+([A-Za-z_][A-Za-z_0-9']*)`)
)

// sentence is one command of a file that gives a name.
type sentence struct {
	kind, name string
	gives      []string // all names that it gives: of constructors and fields, too
	text       string
}

// naming returns the commands of a text that give names; plain is its code.
func naming(text, plain string) []sentence {
	var all []sentence
	for _, at := range definedLine.FindAllStringSubmatchIndex(plain, -1) {
		end := len(plain)
		if stop := sentenceEnd.FindStringIndex(plain[at[1]:]); stop != nil {
			end = at[1] + stop[0] + 1
		}
		s := sentence{kind: plain[at[2]:at[3]], name: plain[at[4]:at[5]], text: strings.TrimSpace(text[at[0]:end])}
		s.gives = []string{s.name}
		body := plain[at[5]:end]
		patterns := map[string][]*regexp.Regexp{
			"Inductive": {branch, also}, "Record": {branch, fieldName}, "Fixpoint": {},
		}[s.kind]
		for _, pattern := range patterns {
			for _, m := range pattern.FindAllStringSubmatch(body, -1) {
				s.gives = append(s.gives, m[1])
			}
		}
		all = append(all, s)
	}
	return all
}

// Names returns the names that the file gives, in the order of its text.
func (f *File) Names() []string {
	var names []string
	for _, s := range f.gives {
		if s.kind != "Ltac" {
			names = append(names, s.gives...)
		}
	}
	return names
}

// unique returns an error that names what a file calls by a name that it, or one that it leans on, has given already:
// what stands behind it would speak of something else than it seems to.
func unique(files []*File) error {
	for _, file := range files {
		places := map[string]*File{}
		for _, other := range file.sees {
			for _, name := range other.Names() {
				if first, taken := places[name]; taken {
					return fmt.Errorf("%s: %s has its name from %s already: choose another name", other, name, first)
				}
				places[name] = other
			}
		}
	}
	return nil
}

// Definitions returns the definitions that the statements of theorems use, directly or through others, in the order of
// the files. To believe the theorems, a reader has to read these and no more.
func Definitions(folder fs.FS) ([]Definition, error) {
	l, err := listOf(folder)
	return slices.Clone(l.definitions), err
}

func definitions(files []*File, theorems []Theorem) []Definition {
	all := []Definition{}
	giver := map[*File]map[string]int{} // the index in all of each definition, by its file and name
	for _, file := range files {
		giver[file] = map[string]int{}
		for _, s := range file.gives {
			if slices.Contains([]string{"Definition", "Fixpoint", "Inductive", "Record"}, s.kind) {
				for _, name := range s.gives {
					giver[file][name] = len(all)
				}
				all = append(all, Definition{s.name, file.Name, s.text})
			}
		}
	}
	needed := make([]bool, len(all))
	var need func(file *File, text string)
	need = func(file *File, text string) {
		for _, word := range words.FindAllString(code(text), -1) {
			for _, other := range file.sees {
				if i, ok := giver[other][word]; ok && !needed[i] {
					needed[i] = true
					need(other, all[i].Text)
				}
			}
		}
	}
	for _, file := range files {
		for _, t := range theorems {
			if t.File == file.Name {
				need(file, t.Statement)
			}
		}
	}
	rest := []Definition{}
	for i, d := range all {
		if needed[i] {
			rest = append(rest, d)
		}
	}
	return rest
}

// Imported are the parts of Coq's library that a file may import.
var Imported = []string{"ZArith", "Lia", "List", "Bool", "FinFun"}

var (
	// command matches the whole of a sentence that is a command and no tactic: those begin with small letters.
	command = regexp.MustCompile(`^(?:From Coq Require Import(?: (?:` + strings.Join(Imported, "|") +
		`))+|From Siegebook Require Import(?: [A-Za-z]+)+|` +
		`Import ListNotations|Open Scope ` +
		`Z_scope|Proof|Qed|(?:Inductive|Record|Definition|Fixpoint|Lemma|Theorem|Example|Ltac) .+)$`)
	// lead matches what may stand before a tactic: bullets, braces, goals that it is for.
	lead = regexp.MustCompile(`^(?:[-+*{}\s]|\d+(?:\s*,\s*\d+)*\s*:|(?:all|!|\[\w+\])\s*:)+`)
	// hidden matches what would let a sentence of these lean on something that is not proved (admit), have Coq check
	// less (#[bypass_check(guard)]), or say something else than what is read (a notation after where, a coercion).
	hidden = regexp.MustCompile(`\b(?:admit|give_up|where)\b|#\[|:>`)
)

// strange returns the first sentence of a file's code that proofs are not made of, and its line: a command that is
// none of the above, or one with something hidden. So nothing is assumed (Axiom, Variable, Admitted; the theorems of a
// Section do not show what they assume), nothing changes how what is read is understood (Notation, Delimit, Unset), and
// no file is written (Redirect, Extraction, Cd).
func strange(plain string) (line int, said string) {
	for at := 0; at < len(plain); {
		end := len(plain)
		if stop := sentenceEnd.FindStringIndex(plain[at:]); stop != nil {
			end = at + stop[0]
		}
		begin := at + len(lead.FindString(plain[at:end]))
		words := strings.Fields(plain[begin:end])
		said := hidden.FindString(plain[begin:end])
		if said == "" && len(words) > 0 && 'A' <= words[0][0] && words[0][0] <= 'Z' &&
			!command.MatchString(strings.Join(words, " ")) {
			said = strings.Join(words[:min(3, len(words))], " ")
		}
		if said != "" {
			return 1 + strings.Count(plain[:begin], "\n"), said
		}
		at = end + 1
	}
	return 0, ""
}

// code returns a text with blanks in place of its comments, which may stand inside one another, and of what its strings
// say. Lines stay where they are.
func code(text string) string {
	plain := []byte(text)
	depth, inString := 0, false
	blank := func(i int) {
		if plain[i] != '\n' {
			plain[i] = ' '
		}
	}
	for i := 0; i < len(text); i++ {
		pair := text[i:min(i+2, len(text))]
		switch {
		case text[i] == '"': // in a comment, too, a string may hold the end of a comment
			inString = !inString
		case inString:
			blank(i)
		case pair == "(*":
			depth++
			blank(i)
			i++
		case pair == "*)" && depth > 0:
			depth--
			blank(i)
			i++
			blank(i)
			continue
		}
		if depth > 0 {
			blank(i)
		}
	}
	return string(plain)
}
