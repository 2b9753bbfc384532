package citations

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/siegebook/siegebook/internal/must"
	_ "github.com/siegebook/siegebook/internal/rapidseed"
)

func TestPlainTeX(t *testing.T) {
	for written, want := range map[string]string{
		`G{\"o}del`: "Gödel", `G\"odel`: "Gödel", `{\'E}tude`: "Étude", `\'{\i}`: "í", `\v{S}evera`: "Ševera", `\c c`: "ç",
		`Erd\H{o}s`: "Erdős", `\o re`: "øre", `\OE uvre`: "Œuvre", `Stra{\ss}e`: "Straße", `\L{}ukasiewicz`: "Łukasiewicz",
		`a--b---c`: "a–b—c", "``so''": "“so”", `A~B`: "A\u00a0B", `R \& D 50\%`: "R & D 50%", `$x_{1}$ and {Y}`: "$x_{1}$ and Y",
		`\emph{Word} here`: "Word here", "{A  \n B}": "A B", `\~n`: "ñ", `\k{a}`: "ą", `\r{u}`: "ů", `\.z`: "ż", `\`: `\`, `\'`: "\u0301",
		`$5`: "$5", `{\'`: "\u0301",
	} {
		if got := PlainTeX(written); got != want {
			t.Errorf("%q is %q, want %q", written, got, want)
		}
	}
}

func TestNames(t *testing.T) {
	for written, want := range map[string][]Name{
		"Ada Lovelace": {{Family: "Lovelace", Given: "Ada"}}, "Lovelace, Ada": {{Family: "Lovelace", Given: "Ada"}},
		"Ludwig van Beethoven":                  {{Family: "Beethoven", Given: "Ludwig", Particle: "van"}},
		"van der Waals, Johannes":               {{Family: "Waals", Given: "Johannes", Particle: "van der"}},
		"Jean de la Fontaine du Bois":           {{Family: "Bois", Given: "Jean", Particle: "de la Fontaine du"}},
		"King, Jr., Martin Luther":              {{Family: "King", Given: "Martin Luther", Suffix: "Jr."}},
		"{The {GNU} Project} and Plato":         {{Literal: "The GNU Project"}, {Family: "Plato"}},
		"Knuth, D. E. and others":               {{Family: "Knuth", Given: "D. E."}, {Literal: "et al."}},
		`{\'A}d{\'a}m {Le Clerc} and {\o}rsted`: {{Family: "Le Clerc", Given: "Ádám"}, {Family: "ørsted"}},
		"A{ and }B C":                           {{Family: "C", Given: "A and B"}},
		"":                                      nil,
	} {
		if diff := cmp.Diff(want, namesOf(written)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", written, diff)
		}
	}
}

const sample = `
A comment by me@example.org. @comment{ @book{no, } }
@string{ jt = {Journal of } # "Tests" }
@ARTICLE(one, author = {G{\"o}del, Kurt}, title = "A {\"U}ber {B}", journal = jt, volume = 3, number = {4}, pages = "1--9",
  date = {1931-05}, month = jan,
)
@misc{two, title = {No author}, url = {http://example.org/a}, }
@inproceedings{three, author = {B and A and C}, title = {T}, crossref = {proc}}
@proceedings{proc, editor = {E, F}, title = {All}, year = 1999}
@online{four, title = {Paper}, eprint = {1234.5678}, archivePrefix = {arXiv}, author={G{\"o}del, Kurt}, year=1931}
`

func TestReadBibTeX(t *testing.T) {
	entries := must.Get(Read("a.bib", []byte(sample)))
	var got []string
	for _, e := range entries {
		got = append(got, e.ID+": "+e.Note())
	}
	want := []string{
		"one: Kurt Gödel, *A Über B*, Journal of Tests 3 (4), 1–9, 1931.", "two: *No author*, <https://example.org/a>.",
		"three: B, A, C, *T*, All, 1999.", "proc: F E, *All*, 1999.",
		"four: Kurt Gödel, *Paper*, 1931, <https://arxiv.org/abs/1234.5678>.",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestFaults(t *testing.T) {
	for text, want := range map[string]string{
		"@a{k, t = {x}":  "1:14 BibTeX: expected \"}\" or a comma: close the braces and quotation marks before it",
		"\n@a{k, t = {x": "2:12 BibTeX: a brace is not closed",
		"@a{k, t = \"x}": "1:12 BibTeX: a quotation mark is not closed",
		"@a{, }":         "1:4 BibTeX: an entry has no key: write one after the brace, followed by a comma",
		"@a{k, t {x}}":   "1:9 BibTeX: expected \"=\": close the braces and quotation marks before it",
		"@a{k}@a{k}":     "1:11 BibTeX: the key \"k\" occurs twice: rename one",
	} {
		_, err := Read("a.bib", []byte(text))
		var fault *Fault
		if !errors.As(err, &fault) {
			t.Errorf("%q has no fault", text)
			continue
		}
		line, column := Place([]byte(text), fault.Offset)
		if got := fmt.Sprintf("%d:%d %v", line, column, err); got != want {
			t.Errorf("%q has the fault %q, want %q", text, got, want)
		}
	}
}

// TestWrittenAndRead checks that entries written as BibTeX, in any form, are read back unchanged.
func TestWrittenAndRead(t *testing.T) {
	word := rapid.StringMatching(`[A-Z][a-zäöüßéøł]{1,6}`)
	rapid.Check(t, func(t *rapid.T) {
		var text strings.Builder
		var want []Entry
		for i := range rapid.IntRange(0, 4).Draw(t, "entries") {
			e := Entry{ID: fmt.Sprintf("k%d", i), Title: word.Draw(t, "title") + " " + word.Draw(t, "title")}
			var names []string
			for range rapid.IntRange(0, 3).Draw(t, "authors") {
				n := Name{Family: word.Draw(t, "family"), Given: word.Draw(t, "given")}
				e.Authors = append(e.Authors, n)
				if rapid.Bool().Draw(t, "comma") {
					names = append(names, n.Family+", "+n.Given)
				} else {
					names = append(names, n.Given+"  "+n.Family)
				}
			}
			e.Year = rapid.StringMatching(`[12][0-9]{3}`).Draw(t, "year")
			quote := func(value string) string {
				switch rapid.IntRange(0, 2).Draw(t, "form") {
				case 0:
					return "{" + value + "}"
				case 1:
					return `"` + value + `"`
				}
				return "{" + value[:1] + `} # "` + value[1:] + `"`
			}
			fmt.Fprintf(&text, "words %% @\n@Book{ %s ,\n title = %s, year = %s,", e.ID, quote(e.Title), e.Year)
			if names != nil {
				fmt.Fprintf(&text, "AUTHOR=%s", quote(strings.Join(names, "\nand ")))
			}
			text.WriteString("}\n")
			want = append(want, e)
		}
		got, err := Read("a.bib", []byte(text.String()))
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Fatalf("%s\nis read with %v as (-want +got):\n%s", text.String(), err, diff)
		}
	})
}

// FuzzBibTeX checks that every input is either read or rejected.
func FuzzBibTeX(f *testing.F) {
	f.Add(sample)
	f.Fuzz(func(_ *testing.T, text string) {
		if entries, err := Read("a.bib", []byte(text)); err == nil {
			New(entries, Authors, "en").List()
		}
		PlainTeX(text)
		Parse(text)
	})
}

func TestParse(t *testing.T) {
	for inside, want := range map[string][]Cite{
		"@a": {{Key: "a", At: 1}}, "-@a": {{Key: "a", NoAuthor: true, At: 2}},
		"see @a, pp. 3-5; also @b.c:d": {
			{Key: "a", Prefix: "see", Suffix: "pp.\u00a03–5", At: 5}, {Key: "b.c:d", Prefix: "also", At: 23},
		},
		"@a p. 3": {{Key: "a", Suffix: "p.\u00a03", At: 1}}, "me@example.org": nil, "a; @b": nil, "@": nil, "@a@b": nil,
		"@doi/10.1/x": {{Key: "doi/10.1/x", At: 1}},
	} {
		if diff := cmp.Diff(want, Parse(inside)); diff != "" {
			t.Errorf("[%s] (-want +got):\n%s", inside, diff)
		}
	}
}

func TestStyles(t *testing.T) {
	entries := must.Get(Read("a.bib", []byte(sample)))
	cites := Parse("see @one, p. 3; -@three; @two")
	for style, want := range map[Style][]string{
		Authors: {
			"(see [Gödel 1931a](b.html#ref-one), p.\u00a03; [1999](b.html#ref-three); [No author](b.html#ref-two))",
			"Gödel ([1931b](b.html#ref-four))", "B, A, C (1999): *T*, All.",
			"Gödel, Kurt (1931a): *A Über B*, Journal of Tests 3 (4), 1–9.",
			"Gödel, Kurt (1931b): *Paper*, <https://arxiv.org/abs/1234.5678>.", "*No author*, <https://example.org/a>.",
		},
		Numbers: {
			"&#91;see [1](b.html#ref-one), p.\u00a03; [2](b.html#ref-three); [3](b.html#ref-two)&#93;",
			"Gödel &#91;[4](b.html#ref-four)&#93;",
			"&#91;1&#93; Kurt Gödel, *A Über B*, Journal of Tests 3 (4), 1–9, 1931.",
			"&#91;2&#93; B, A, C, *T*, All, 1999.",
			"&#91;3&#93; *No author*, <https://example.org/a>.",
			"&#91;4&#93; Kurt Gödel, *Paper*, 1931, <https://arxiv.org/abs/1234.5678>.",
		},
	} {
		b := New(entries, style, "en")
		got := []string{b.Inline(cites, "b.html"), b.Narrative("four", "b.html")}
		for _, l := range b.List() {
			got = append(got, l.Markdown)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", style, diff)
		}
	}
	b := New(entries, Notes, "en")
	name, text := b.Note(cites[0])
	want := "see Kurt Gödel, *A Über B*, Journal of Tests 3 (4), 1–9, 1931, p.\u00a03."
	if name != "cite-one-see-p-3" || text != want {
		t.Errorf("the note %s is %q", name, text)
	}
	if got := len(New(entries, Notes, "en").List()); got != len(entries) {
		t.Errorf("a list of which nothing is cited has %d works, want all %d", got, len(entries))
	}
}

// TestOrder checks that the language determines the order of letters with accents.
func TestOrder(t *testing.T) {
	entries := []Entry{
		{ID: "z", Title: "T", Authors: []Name{{Family: "Zorn"}}},
		{ID: "o", Title: "T", Authors: []Name{{Family: "Öst"}}},
		{ID: "p", Title: "T", Authors: []Name{{Family: "Pauli"}}},
	}
	for lang, want := range map[string]string{"de": "o p z", "sv": "p z o", "": "o p z"} {
		if got := strings.Join(New(entries, Authors, lang).Keys(), " "); got != want {
			t.Errorf("in %q the order is %s, want %s", lang, got, want)
		}
	}
}
