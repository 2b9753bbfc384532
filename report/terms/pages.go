// Package terms is the back matter of the report: what its letters and its words mean, and where they are defined.
package terms

import (
	"cmp"
	_ "embed"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/site"
)

// Symbol is a letter in formulas.
type Symbol struct {
	Sign    content.Markdown // as it stands in formulas
	Letters string           // the letters of the sign, as a reader sees them
	Meaning content.Markdown
	Unit    string // what it counts
	Where   string // the page that introduces it, and perhaps an anchor behind "#"
}

// Chapter is the letters of one game, or of all.
type Chapter struct {
	ID, Title string // of its table and its heading
	Part      string // of the report where they are used; empty for everywhere
	Symbols   []Symbol
}

// Symbols are the letters in the display formulas of chapters and lessons. The proofs introduce their own.
var Symbols = []Chapter{
	{ID: "everywhere", Title: "Everywhere", Symbols: []Symbol{
		{
			`$\varphi$`, "φ",
			"the golden ratio, $(1 + \\sqrt 5)/2 \\approx 1.618$: the positive number with $\\varphi^2 = \\varphi + 1$",
			"", "castle-hunt#form",
		},
		{`$i$, $j$, $m$, $p$`, "ijmp", "running numbers; in a sum, or where a formula holds for each of them", "", ""},
		{
			`$a + b\varphi$`, "ab",
			"a number with whole $a$ and $b$, which is how the golden ratio is computed without rounding", "",
			"castle-hunt#form",
		},
	}},
	{ID: "castle", Title: "The castle", Part: "Castle", Symbols: []Symbol{
		{
			"$n$", "n", "the army: the soldiers before the first wave, and no running number", "soldiers",
			"castle-rules#rules",
		},
		{
			"$s$", "s", "the strength of the castle before the first wave: the hits that it takes", "hits",
			"castle-rules#rules",
		},
		{
			"$d$", "d", "those who come out of the castle after each wave for as long as it stands", "defenders a wave",
			"castle-rules#rules",
		},
		{
			"$N$", "N", "the army at the start of a wave; $N'$ and $N_{j+1}$ at that of the next", "soldiers",
			"castle-rules#rules",
		},
		{
			"$D$", "D", "all who are out at the start of a wave, those left and those who are fresh", "defenders",
			"castle-rules#rules",
		},
		{"$S$", "S", "what the castle still takes at the start of a wave", "hits", "castle-rules#rules"},
		{"$i$", "i", "those who shoot at defenders in a wave", "soldiers", "castle-rules#rules"},
		{
			"$x$", "x", "those whom a wave leaves alive; $x_q$ by the fall of the castle in wave $q + 1$", "defenders",
			"castle-rules#rules",
		},
		{"$y_t$", "y", "all who are dead after wave $t$", "soldiers", "castle-side#thrift"},
		{"$t$, $w$", "tw", "the number of a wave, or of waves", "waves", "castle-derivation#books"},
		{"$f$", "f", "the wave in which the castle falls", "waves", "castle-border#moment"},
		{
			"$q$", "q", "the waves from the second to the fall, which comes in wave $q + 1$", "waves",
			"castle-border#left",
		},
		{
			"$k$, $k(x)$", "k", "the waves that it takes to hunt down the $x$ defenders whom the fall leaves", "waves",
			"castle-hunt#length",
		},
		{"$F(k)$", "F", "the Fibonacci numbers, from $F(0) = 0$ and $F(1) = 1$ on", "", "castle-hunt#hunt"},
		{"$T(k)$", "T", "the most who can be hunted down in $k$ waves", "defenders", "castle-hunt#length"},
		{
			"$A(w)$", "A", "what the strongest castle that falls within $w$ waves takes beyond $n$", "hits",
			"castle-derivation#staircase",
		},
		{
			`$\kappa$`, "κ", "the length of a hunt as a real number, before it is rounded up", "waves",
			"castle-hunt#length",
		},
		{
			`$\sigma$`, "σ", "what the army has beyond $d$, once the castle is down to its last hit", "soldiers",
			"castle-side#thrift-hunt",
		},
		{"$u$", "u", "the first wave after which thrift is not too early", "waves", "castle-side#smallest"},
		{
			"$B$", "B", "the fewest whom a fall has to leave if the castle is to win", "defenders",
			"castle-side#smallest",
		},
	}},
	{ID: "towers", Title: "Towers", Part: "Towers", Symbols: []Symbol{
		{"$n$", "n", "the soldiers before the first round", "soldiers", "tower-rules#rules"},
		{"$t$", "t", "the towers before the first round", "towers", "tower-rules#rules"},
		{"$h$", "h", "what a tower takes before it falls", "hits", "tower-rules#rules"},
		{"$k$", "k", "those whom a tower kills in a round", "soldiers", "tower-rules#rules"},
		{
			"$S$, $T$, $H$",
			"STH",
			"soldiers, standing towers, and the hits that these take in all, at the start of a round; $S'$, $T'$, " +
				"$H'$ at its end",
			"",
			"tower-rules#rules",
		},
		{"$a$", "a", "$k/h$: the kills of a tower for each of its hits", "soldiers a hit", "tower-strategies#price"},
		{
			"$Q$", "Q",
			"a form in $S$ and $H$ that never grows from round to round, so that its sign tells who cannot win", "",
			"tower-strategies#price",
		},
		{
			"$x$", "x",
			"how many soldiers it takes for each tower, if they aim as well as they can and towers are many",
			"soldiers a tower", "tower-strategies#price",
		},
		{
			"$r$", "r", "the same if they aim as badly as they can without waste", "soldiers a tower",
			"tower-strategies#price",
		},
		{
			"$u$", "u", "the round whose bound on the soldiers is the least, for the worst aim without waste", "rounds",
			"tower-strategies#ratios",
		},
		{
			`$\rho$`, "ρ", "the soldiers for each tower whom the worst aim without waste needs", "",
			"tower-strategies#ratios",
		},
		{"$c$", "c", "the positive root of $c^2 = k(c + 1)$", "", "tower-strategies#ratios"},
	}},
	{ID: "ants", Title: "Ants", Part: "Ants", Symbols: []Symbol{
		{"$a$, $b$", "ab", "two ants that are enemies", "", "ants-rules#rule"},
		{"$e(a)$", "e", "the enemies in range of the ant $a$", "ants", "ants-rules#rule"},
		{"$r$, $c$", "rc", "the rows and the columns between two ants", "cells", "ants-rules#range"},
		{"$m$", "m", "all ants on a map", "ants", "ants-compared#cost"},
	}},
	{ID: "naval", Title: "Naval battle", Part: "Naval battle", Symbols: []Symbol{
		{"$x$, $y$", "xy", "a cell: its column and its row", "", "naval-rules"},
	}},
}

// Term is a word with a special meaning in the report.
type Term struct {
	Name    string
	Meaning content.Markdown
	Where   string // the page that defines it, and perhaps an anchor behind "#"
}

// Glossary returns the terms in alphabetical order.
func Glossary() []Term {
	return slices.SortedFunc(slices.Values(glossary), func(a, b Term) int {
		return cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
	})
}

var glossary = []Term{
	// The castle.
	{
		"wave",
		"one turn of the castle game: soldiers shoot, defenders left shoot back, new ones come out. The posts also " +
			"call it a day",
		"castle-rules#rules",
	},
	{"hunt", "the waves after the castle has fallen, in which nobody has a choice any more", "castle-rules#rules"},
	{
		"fall", "the moment when the castle has taken all its hits; the battle may go on, as a hunt",
		"castle-rules#rules",
	},
	{"tie", "a battle that nobody wins, because a wave ends in the state in which it began", "castle-rules#rules"},
	{
		"no wasted shot",
		"the rule that the castle gets more shots than it can take only when no defender is left to shoot",
		"castle-rules#rules",
	},
	{
		"cannot win", "of soldiers: every line of play ends with a win of the castle, or at best with a tie",
		"castle-border#outnumbered",
	},
	{"fewest waves", "the length of the fastest win that is possible", "castle-rules#questions"},
	{"line of play", "one order for each wave, from the first to the last", "castle-counts#histogram"},
	{"castle first", "a heuristic: finish the castle if that can be done now", "castle-rules#castle-first"},
	{"defenders first", "a heuristic: always shoot as many defenders as possible", "castle-rules#defenders-first"},
	{
		"published formula", "the closed form for the fewest waves as the third post prints it",
		"castle-agreement#published",
	},
	{
		"wrong side", "of an answer: it lets soldiers win who cannot, or lets soldiers lose who can win",
		"castle-agreement",
	},
	{
		"too many waves", "of an answer: right about who wins, but it needs more waves than the fewest",
		"castle-agreement",
	},
	{"too few waves", "of an answer: right about who wins, but in fewer waves than anybody can", "castle-agreement"},
	{"patience", "shooting all defenders in every wave until the castle is brought down", "castle-border#moment"},
	{"strike", "bringing the castle down although defenders will be left", "castle-border#wait"},
	{
		"staircase", "the strongest castle that falls within a number of waves, as that number grows",
		"castle-derivation#staircase",
	},
	{"thrift", "leaving the castle its last hit, so that it goes on sending out defenders", "castle-side#thrift"},
	{"resistance", "the number of waves for which soldiers who cannot win hold out", "castle-side#resistance"},
	{
		"complete, printed",
		"two ways to count the castle’s wins: all of them, or those that the second post’s program counts",
		"castle-tests#conventions",
	},
	{
		"case 2a",
		"the battles in which a castle that does not fall at once sends out fewer defenders than there are soldiers",
		"castle-border#wait",
	},
	// Towers.
	{"round", "one turn of the tower game: every soldier shoots, then every tower left", "tower-rules#rules"},
	{"wasted shot", "of towers: a shot at one that others destroy in the same round", "tower-rules#rules"},
	{
		"Greedy, Fewest, Even",
		"ways to aim at towers: destroy as many as possible, as few as possible, or give all the same number of shots",
		"tower-strategies",
	},
	{
		"sim, seq",
		"two readings of “at random”: all choose at the same time, or one after the other among the towers that " +
			"still stand", "tower-random#readings",
	},
	// Ants.
	{"in range", "of two ants: near enough to fight", "ants-rules#range"},
	{"killer", "of an ant: an enemy in range that has no more enemies than the ant itself", "ants-rules#rule"},
	{"outlive", "of an ant: to be alive when all ants of a larger army are dead", "ants-battles#outlive"},
	// Naval battle.
	{
		"race of misses", "a naval battle seen as the question who misses more often before the last hit",
		"naval-rules#race",
	},
	{
		"region", "the cells that are kept for the ships of one deck; the others lie outside of it",
		"naval-placement#regions",
	},
	{
		"hunting, finishing", "the two halves of shooting at ships: to find one, and to sink one that is hit",
		"naval-shooting#hunting",
	},
	{
		"density", "a way to shoot: at a cell on which most placements of the ships afloat lie",
		"naval-shooting#thinking",
	},
	{
		"informed",
		"a way to shoot: at the cell that most probably has a ship, given how players are known to hide theirs",
		"naval-shooting#thinking",
	},
	// The report.
	{"heuristic", "a rule of play that is simple and usually good, and not always right", "castle-rules#castle-first"},
	{"lesson", "a page that is a notebook: a question, code that answers it, exercises", ""},
	{
		"checked", "of a sentence: a program has tested it in so many cases when the report was built",
		"castle-derivation#checks",
	},
	{"stamp", "the lines at the foot of a page: version, settings, and a hash of the data", "about#again"},
	{
		"wrong, slip, gap, hazard",
		"the kinds of errata: not true as printed, without consequence, a case left out, true on paper only",
		"castle-errata",
	},
}

// The slugs of the pages.
const (
	SymbolsSlug  = "symbols"
	GlossarySlug = "glossary"
)

// The texts of the pages.
var (
	//go:embed symbols.md
	SymbolsText string
	//go:embed glossary.md
	GlossaryText string
)

// FillSymbols lists the letters of formulas on their page. The titles of pages are known by their slugs.
func FillSymbols(page *site.Page, title func(slug string) string) {
	page.Funcs = map[string]any{"chapters": func() []Chapter { return Symbols }}
	for _, c := range Symbols {
		table := chapter.Table(c.ID, "letter", "meaning", "counts", "introduced in")
		table.RowHeader = false // a formula alone is no text by which assistive technology could name a row
		for _, s := range c.Symbols {
			table.Rows = append(table.Rows, chapter.Row(s.Sign, s.Meaning, s.Unit, linkTo(s.Where, title)))
		}
		page.Tables = append(page.Tables, table)
	}
}

// FillGlossary lists the terms on their page.
func FillGlossary(page *site.Page, title func(slug string) string) {
	table := chapter.Table("terms", "word", "meaning", "defined in")
	for _, term := range Glossary() {
		table.Rows = append(table.Rows, chapter.Row(term.Name, term.Meaning, linkTo(term.Where, title)))
	}
	page.Tables = []content.Table{table}
}

// linkTo links to a page and perhaps a place on it, under the page's title.
func linkTo(where string, title func(slug string) string) content.Markdown {
	if where == "" {
		return ""
	}
	slug, anchor, _ := strings.Cut(where, "#")
	address := slug + ".html"
	if anchor != "" {
		address += "#" + anchor
	}
	return content.Markdown("[" + site.Escape(title(slug)) + "](" + address + ")")
}
