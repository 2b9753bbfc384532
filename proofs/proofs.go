// Package proofs contains the proofs that Coq 8.16 checks, and the list of their theorems. The files use only Coq's
// standard library.
//
// The list is made from the comment before each Theorem:
//
//	(**
//	   Claim: what the theorem says, in a sentence or two, which may continue on the next lines
//	   Prose: FILE.md, HEADING of docs/derivations that proves it in words
//	   Settles: the name of a claim of the ledger that it proves, alone or with others, or whose counterexample it is
//	   Code: the function whose result the theorem is about, if there is one
//	*)
//	Theorem name : statement.
//	Proof. ... Qed.
//
//	Example name_holds : what the statement says of numbers, without a premise.
//	Proof. apply name; ... Qed.
//
// Prose or Settles may be missing. Each may have several names, separated by "; ". "in part" after a name means that
// the theorem covers only a part of the text there. A statement in docs/derivations is also a claim.
//
// The Example shows that the theorem's premises do not contradict one another (see Exemplified). The list contains no
// Examples and no Lemmas. `make prove` checks everything. A file that could assume something is rejected before Coq
// reads it (see strange).
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

// Texts contains the Coq files of this folder.
//
//go:embed *.v
var Texts embed.FS

// Theorem is a proved statement.
type Theorem struct {
	Name      string `json:"name"`
	File      string `json:"file"`              // in this folder
	Claim     string `json:"claim"`             // the statement in words
	Prose     string `json:"prose,omitempty"`   // the text that proves or mentions it
	Settles   string `json:"settles,omitempty"` // the claims of the ledger that it proves or refutes
	Code      string `json:"code,omitempty"`    // the Go function that it is about
	Statement string `json:"statement"`         // the statement in Coq
	// Needs lists the theorems that the proof or its lemmas use, in the order of the list.
	Needs []string `json:"needs"`
}

// Module returns the theorem's full name in Coq, such as Siegebook.Sums.one.
func (t Theorem) Module() string {
	return Library + "." + strings.TrimSuffix(t.File, ".v") + "." + t.Name
}

// Library is Coq's name for the folder.
const Library = "Siegebook"

var (
	theoremLine = regexp.MustCompile(`(?m)^Theorem +([A-Za-z_0-9']+)`)
	requireLine = regexp.MustCompile(`(?m)^From Siegebook Require Import ([A-Za-z ]+)\.`)
	fieldLine   = regexp.MustCompile(`^   ([A-Z][a-z]+): (.*)$`)
)

// list contains the theorems of a folder's files, and the definitions that they use.
type list struct {
	files       []*File
	theorems    []Theorem
	definitions []Definition
}

// own is the list for Texts. It is read only once, because several pages show it, and a server shows it again after
// each edit.
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

// Theorems returns the theorems of all files of a folder, in the order of Files and of the texts. The error names a
// theorem that has no comment, or whose comment is invalid.
func Theorems(folder fs.FS) ([]Theorem, error) {
	l, err := listOf(folder)
	return slices.Clone(l.theorems), err
}

// File is a Coq file.
type File struct {
	Name, Text string
	plain      string     // the text without comments and strings, see code
	gives      []sentence // the commands that define names
	needs      []*File    // the files that it requires
	sees       []*File    // the files whose names it can use, in the order of Files: itself, and what it needs
}

func (f *File) String() string { return f.Name }

// Module returns the name by which other files require the file.
func (f *File) Module() string { return strings.TrimSuffix(f.Name, ".v") }

// Needs returns the files that the file requires.
func (f *File) Needs() []*File { return slices.Clone(f.needs) }

// Files returns the files of a folder, each after the files that it requires. It returns an error if a file requires a
// missing file, or if files require each other.
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

// theorems returns the theorems of the file.
func (f *File) theorems() ([]Theorem, error) {
	file, text := f.Name, f.Text
	if line, said := strange(f.plain); said != "" {
		return nil, fmt.Errorf("%s:%d: %s: a file of proofs may only import from %s, define, state and "+
			"prove, and may not assume anything", file, line, said, strings.Join(Imported, ", "))
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

// read sets the fields from the theorem's comment.
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
	// exampleLine matches the beginning of an example: its name, and the variables before the colon.
	exampleLine = regexp.MustCompile(`^Example\s+([A-Za-z_0-9']+)([^:]*):`)
	// premise matches the signs of a premise or a variable in an example. The arrow of <-> is not such a sign.
	premise = regexp.MustCompile(`\bforall\b|(?:^|[^<])->`)
	// proofEnd matches the only end of a proof that command allows.
	proofEnd = regexp.MustCompile(`\bQed\.(?:\s|$)`)
)

// Exemplified checks that each theorem of a folder has an example. A theorem with contradictory premises is true but
// says nothing. Coq would reject its example, because an example has no premises and its proof uses the theorem. The
// error names the first theorem that has no example, or whose example has a premise or does not use the theorem.
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
		return fmt.Errorf("its Example %s must not have a premise (a variable, forall or ->): "+
			"put numbers, and meet the premises of %s in its proof", name, t.Name)
	}
	proof, _ := cutAt(rest, proofEnd)
	if !strings.HasPrefix(proof, "Proof.") || !slices.Contains(words.FindAllString(proof, -1), t.Name) {
		return fmt.Errorf("the proof of Example %s has to use the theorem: "+
			"begin it with Proof. apply %s, and end it with Qed", name, t.Name)
	}
	return nil
}

// cutAt returns the text before the first match, and the text that follows it, starting at the next word.
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

// Place is a heading in docs/derivations. The text below it proves or mentions a theorem.
type Place struct {
	File, Heading string
	Part          bool // the theorem covers only a part of the text
}

// Places returns the places in the field Prose. The error names a part of the field that is not a place.
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

// Claim identifies a claim in the ledger.
type Claim struct {
	ID   string
	Part bool // the theorem settles only a part of the claim
}

// Claims returns the claims in the field Settles.
func (t Theorem) Claims() []Claim {
	var all []Claim
	for id, part := range named(t.Settles) {
		all = append(all, Claim{id, part})
	}
	return all
}

// named yields each name in a list, and whether "in part" follows the name.
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

// Definition is a named definition that statements may use.
type Definition struct {
	Name string `json:"name"`
	File string `json:"file"`
	Text string `json:"text"` // its source text
}

var (
	definedLine = regexp.MustCompile(`(?m)^ *(Definition|Fixpoint|Inductive|Record|Lemma|Theorem|Example|Ltac) ` +
		`+([A-Za-z_0-9']+)`)
	sentenceEnd = regexp.MustCompile(`\.(?:\s|$)`)
	branch      = regexp.MustCompile(`(?:\||:=)\s*([A-Za-z_][A-Za-z_0-9']*)`)
	fieldName   = regexp.MustCompile(`[{;]\s*([A-Za-z_][A-Za-z_0-9']*)\s*:`)
	also        = regexp.MustCompile(`\bwith\s+([A-Za-z_][A-Za-z_0-9']*)`)
)

// sentence is a command that defines a name.
type sentence struct {
	kind, name string
	gives      []string // all names that it defines, including constructors and fields
	text       string
}

// naming returns the commands in a text that define names. plain is the text without comments and strings.
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

// Names returns the names that the file defines, in the order of its text.
func (f *File) Names() []string {
	var names []string
	for _, s := range f.gives {
		if s.kind != "Ltac" {
			names = append(names, s.gives...)
		}
	}
	return names
}

// unique returns an error if a file redefines a name that it, or a file that it requires, has already defined. The text
// after such a definition would not mean what it seems to mean.
func unique(files []*File) error {
	for _, file := range files {
		places := map[string]*File{}
		for _, other := range file.sees {
			for _, name := range other.Names() {
				if first, taken := places[name]; taken {
					return fmt.Errorf("%s: %s is already defined in %s: choose another name", other, name, first)
				}
				places[name] = other
			}
		}
	}
	return nil
}

// Definitions returns the definitions that the statements of theorems use, directly or through other definitions, in
// the order of the files. Readers who want to trust the theorems need to read only these definitions.
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

// Imported lists the parts of Coq's library that a file may import.
var Imported = []string{"ZArith", "Lia", "List", "Bool", "FinFun"}

var (
	// command matches a complete sentence that is a command. Tactics, which begin with small letters, do not match.
	command = regexp.MustCompile(`^(?:From Coq Require Import(?: (?:` + strings.Join(Imported, "|") +
		`))+|From Siegebook Require Import(?: [A-Za-z]+)+|` +
		`Import ListNotations|Open Scope ` +
		`Z_scope|Proof|Qed|(?:Inductive|Record|Definition|Fixpoint|Lemma|Theorem|Example|Ltac) .+)$`)
	// lead matches what may precede a tactic: bullets, braces, and numbers of goals.
	lead = regexp.MustCompile(`^(?:[-+*{}\s]|\d+(?:\s*,\s*\d+)*\s*:|(?:all|!|\[\w+\])\s*:)+`)
	// hidden matches parts of a sentence that would let it use something unproved (admit), make Coq check less
	// (#[bypass_check(guard)]), or change its meaning invisibly (a notation after where, a coercion).
	hidden = regexp.MustCompile(`\b(?:admit|give_up|where)\b|#\[|:>`)
)

// strange returns the first sentence in a file's code that proofs may not contain, and its line: a command that does
// not match command, or a sentence that matches hidden. So nothing is assumed (Axiom, Variable, Admitted; a Section
// hides the assumptions of its theorems), nothing changes the meaning of text (Notation, Delimit, Unset), and no file
// is written (Redirect, Extraction, Cd).
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

// code returns text in which blanks replace the comments, which may be nested, and the contents of strings. Line
// numbers do not change.
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
		case text[i] == '"': // even in a comment, a string may contain the end mark of a comment
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
