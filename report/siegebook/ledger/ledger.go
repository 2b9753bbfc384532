// Package ledger creates the page and the file that list all claims, and contains the program that checks the file.
//
// It lists the claims of the chapters, and the lemmas and theorems of docs/derivations. The page shows the claims as
// their sources state them, and adds nothing. The program, check_claims.py, implements the rules of the games
// independently: it shares no code and no tables with this library. The tests check that it detects every change to a
// number.
package ledger

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/site"
	coq "github.com/siegebook/siegebook/proofs"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/siegebook/proofs"
)

// Script is the program that checks a file of claims. The published copy also contains the digest of the published
// file.
//
//go:embed check_claims.py
var Script []byte

// Slug is the slug of the page.
const Slug = chapter.LedgerSlug

// GraphSlug is the slug of the page with the graph of claims and their proofs.
const GraphSlug = "claims-graph"

// These are the names of the files that are published next to the page.
const (
	FileName   = "claims.json"
	ScriptName = "check_claims.py"
)

// claim is a claim in the form that the file uses.
type claim struct {
	ID         string             `json:"id"`
	Statement  string             `json:"statement"` // Markdown with formulas in TeX
	Convention content.Convention `json:"convention,omitempty"`
	WithWaste  content.Truth      `json:"with_waste,omitempty"` // for claims with the convention that no shot is wasted
	Source     string             `json:"source"`
	Verdict    string             `json:"verdict"` // a content.Standing
	Evidence   evidence           `json:"evidence"`
	Report     string             `json:"report"` // the location in the report
}

type evidence struct {
	Kind     string            `json:"kind"`
	Text     string            `json:"text"`
	Proof    string            `json:"proof,omitempty"` // the location of the proof in words
	Theorems []content.Theorem `json:"theorems,omitempty"`
	Check    json.RawMessage   `json:"check,omitempty"`
}

// theorem is a machine-checked theorem in the form that the file uses.
type theorem struct {
	Name      string   `json:"name"`
	File      string   `json:"file"`
	Statement string   `json:"statement"`
	Settles   []string `json:"settles"` // names of claims, some followed by " in part"
}

// JSON returns the file of claims, with the machine-checked theorems. It returns an error if a check cannot be encoded
// as JSON, or if a theorem refers to a place that does not exist.
func JSON(entries []content.Statement, theorems []coq.Theorem) ([]byte, error) {
	file := struct {
		Claims   []claim   `json:"claims"`
		Theorems []theorem `json:"theorems"`
	}{[]claim{}, []theorem{}}
	for _, t := range theorems {
		listed := theorem{t.Name, t.File, t.Statement, []string{}}
		claims, err := settled(t)
		if err != nil {
			return nil, err
		}
		for _, c := range claims {
			id := c.ID
			if c.Part {
				id += " in part"
			}
			listed.Settles = append(listed.Settles, id)
		}
		file.Theorems = append(file.Theorems, listed)
	}
	for _, e := range entries {
		said := e.Evidence
		file.Claims = append(file.Claims, claim{
			e.ID, string(e.Text), e.Convention, e.Otherwise, e.Source(), string(e.Stands),
			evidence{said.Kind, string(said.Text), address(said.Proof), said.Theorems, said.Check},
			address(e.Ref),
		})
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(file); err != nil {
		return nil, fmt.Errorf("claims: %w", err)
	}
	return compact(text.Bytes()), nil
}

// pinned returns the checker with the digest of the file together with which it is published.
func pinned(file []byte) []byte {
	pin := fmt.Sprintf("\nPINNED = \"%x\"", sha256.Sum256(file))
	return bytes.Replace(Script, []byte("\nPINNED = None"), []byte(pin), 1)
}

// compact puts each list of numbers on one line, because such lists make up most of the file.
func compact(text []byte) []byte {
	var out bytes.Buffer
	for line := range bytes.Lines(text) {
		bare := bytes.TrimSpace(line)
		item := bytes.TrimRight(bare, ",")
		if len(item) > 0 && bytes.Trim(item, "0123456789-") == nil || string(item) == "]" {
			out.Truncate(len(bytes.TrimRight(out.Bytes(), " \n")))
			line = append(bare, '\n')
		}
		out.Write(line)
	}
	return out.Bytes()
}

// parts splits a reference as used in {{ ref }}: "sec:slug/anchor", "tbl:slug/id" or "page:slug".
func parts(ref string) (kind, slug, anchor string) {
	kind, target, _ := strings.Cut(ref, ":")
	slug, anchor, _ = strings.Cut(target, "/")
	return kind, slug, anchor
}

// address returns the address of a reference.
func address(ref string) string {
	kind, slug, anchor := parts(ref)
	switch {
	case slug == "":
		return ""
	case anchor == "":
		return slug + ".html"
	case kind != "sec":
		anchor = kind + "-" + anchor
	}
	return slug + ".html#" + anchor
}

// lists contains a section for each standing, with the words that introduce it on the page.
var lists = map[content.Standing]struct{ title, says string }{
	content.ByMachine: {"Proved by machine", "Coq has checked a proof of each."},
	content.InProse:   {"Proved in prose", "Each has a proof for all numbers, in words that you can follow."},
	content.Verified: {
		"Verified on a range", "Each was computed or searched on the range that its entry names, and holds there.",
	},
	content.Refuted: {"Refuted", "Each has a counterexample, or a computation contradicts it."},
	content.Open: {
		"Open", "The answer is unknown, or cannot be found from what the posts print. What is known is next to " +
			"each.",
	},
}

// list is a section of the page.
type list struct{ ID, Title, Says, Caption string }

// Text is the text of the page.
//
//go:embed claims.md
var Text string

// Fill lists all claims on their page, with the checked theorems. title returns the title of the page with the given
// slug, or "" if there is no such page. It returns the same errors as [JSON].
func Fill(page *site.Page, entries []content.Statement, theorems []coq.Theorem, title func(slug string) string) error {
	entries = inOrder(entries)
	file, err := JSON(entries, theorems)
	if err != nil {
		return err
	}
	page.Values = map[string]any{
		"claims": len(entries), "recomputed": recomputed(entries), "lines": bytes.Count(Script, []byte("\n")),
		"file": content.Markdown(FileName), "script": content.Markdown(ScriptName),
	}
	page.Downloads = map[string][]byte{FileName: file, ScriptName: pinned(file)}
	page.Tables = []content.Table{counts(entries)}
	var sections []list
	for _, stands := range content.Standings() {
		all := content.Entries{ID: site.Slug(string(stands))}
		for _, e := range entries {
			if e.Stands == stands {
				all.Entries = append(all.Entries, view(e, title))
			}
		}
		if len(all.Entries) > 0 {
			page.Entries = append(page.Entries, all)
			words := lists[stands]
			sections = append(sections,
				list{all.ID, words.title, words.says, fmt.Sprintf("%s: %d", words.title, len(all.Entries))})
		}
	}
	page.Funcs = map[string]any{"lists": func() []list { return sections }}
	return nil
}

// inOrder sorts claims by post: first by the order of the games, then by the names of the posts. Our own claims come
// last.
func inOrder(entries []content.Statement) []content.Statement {
	var games []string
	for _, e := range entries {
		if game, _, _ := strings.Cut(e.ID, "-"); !slices.Contains(games, game) {
			games = append(games, game)
		}
	}
	rank := func(e content.Statement) int {
		game, _, _ := strings.Cut(e.ID, "-")
		rank := slices.Index(games, game)
		if e.Post == chapter.Ours {
			rank += len(games)
		}
		return rank
	}
	entries = slices.Clone(entries)
	slices.SortStableFunc(entries, func(a, b content.Statement) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), strings.Compare(a.Post, b.Post))
	})
	return entries
}

// recomputed counts the claims that the checker recomputes.
func recomputed(entries []content.Statement) int {
	number := 0
	for _, e := range entries {
		if e.Evidence.Check != nil {
			number++
		}
	}
	return number
}

// ClaimAddress returns the address of a claim's entry, for links on another page.
func ClaimAddress(id string) string { return Slug + ".html#" + chapter.ClaimAnchor(id) }

// view returns the entry for a claim on the page.
func view(e content.Statement, title func(slug string) string) content.Entry {
	kind := e.Evidence.Kind
	if e.Evidence.Check != nil {
		kind += ", recomputed"
	}
	shown := content.Entry{ID: chapter.ClaimAnchor(e.ID), Title: e.ID, Where: e.Source(), Verdict: content.Text(kind)}
	if isDerived(e) { // on that page, the statement precedes its proof
		shown.Parts = []content.Point{{Name: "Statement and proof", Text: link(e.Ref, title)}}
	} else {
		shown.Lead = content.Point{Name: "Claim", Text: reading(e)}
		shown.Parts = []content.Point{{Name: "Evidence", Text: e.Evidence.Text}}
	}
	if len(e.Evidence.Theorems) > 0 {
		var names []string
		for _, t := range e.Evidence.Theorems {
			name := fmt.Sprintf("[`%s`](%s.html#%s)", t.Name, proofs.MachineSlug, proofs.TheoremAnchor(t.Name))
			if t.Part {
				name += " (in part)"
			}
			names = append(names, name)
		}
		shown.Parts = append(shown.Parts,
			content.Point{Name: "Theorem", Text: content.Markdown(strings.Join(names, ", ") + ".")})
	}
	if e.Evidence.Proof != "" && !isDerived(e) {
		shown.Parts = append(shown.Parts, content.Point{Name: "Proof", Text: link(e.Evidence.Proof, title)})
	}
	if e.Ref != "" && e.Ref != e.Evidence.Proof {
		shown.Parts = append(shown.Parts, content.Point{Name: "Report", Text: link(e.Ref, title)})
	}
	return shown
}

// inLink matches a link. The first group matches the words of the link.
var inLink = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)

// reading returns a statement, with its convention, as a sentence or a question. The result contains no links, because
// readers press it to unfold the entry.
func reading(e content.Statement) content.Markdown {
	statement := strings.TrimPrefix(string(chapter.Reading(e)), string(e.Text))
	statement = string(e.Text) + inLink.ReplaceAllString(statement, "$1")
	if !strings.HasSuffix(statement, "?") {
		statement += "."
	}
	return content.Markdown(statement)
}

// link returns a link to the target of a reference. Its words are the title of the target's page.
func link(ref string, title func(slug string) string) content.Markdown {
	_, slug, anchor := parts(ref)
	words := title(slug)
	if kind, rest, _ := strings.Cut(anchor, "-"); slices.Contains([]string{"lemma", "theorem"}, kind) {
		number, _, _ := strings.Cut(rest, "-")
		words += ", " + kind + " " + number
	}
	return content.Markdown("[" + site.Escape(words) + "](" + address(ref) + ")")
}

// counts returns a table with the number of claims by post and standing.
func counts(entries []content.Statement) content.Table {
	table := chapter.Table("counts", "whose", "claims")
	for _, stands := range content.Standings() {
		table.Header = append(table.Header, content.Text(string(stands)))
	}
	var posts []string
	numbers := map[string]map[content.Standing]int{}
	for _, e := range entries {
		if numbers[e.Post] == nil {
			posts, numbers[e.Post] = append(posts, e.Post), map[content.Standing]int{}
		}
		numbers[e.Post][e.Stands]++
	}
	for _, post := range posts {
		total, row := 0, []any{post, 0}
		for _, stands := range content.Standings() {
			total += numbers[post][stands]
			row = append(row, numbers[post][stands])
		}
		row[1] = total
		table.Add(row...)
	}
	return table
}
