// Package terms is the back matter of the report: what its letters and its words mean, and where they are defined.
package terms

import "github.com/siegebook/siegebook/report/content"

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
		{`$\varphi$`, "φ", "the golden ratio, $(1 + \\sqrt 5)/2 \\approx 1.618$: the positive number with $\\varphi^2 = \\varphi + 1$", "", "castle-derivation#form"},
		{`$i$, $j$, $m$, $p$`, "ijmp", "running numbers; in a sum, or where a formula holds for each of them", "", ""},
		{`$a + b\varphi$`, "ab", "a number with whole $a$ and $b$, which is how the golden ratio is computed without rounding", "", "castle-derivation#form"},
	}},
	{ID: "castle", Title: "The castle", Part: "Castle", Symbols: []Symbol{
		{"$n$", "n", "the army: the soldiers before the first wave, and no running number", "soldiers", "castle-rules#rules"},
		{"$s$", "s", "the strength of the castle before the first wave: the hits that it takes", "hits", "castle-rules#rules"},
		{"$d$", "d", "those who come out of the castle after each wave for as long as it stands", "defenders a wave", "castle-rules#rules"},
		{"$S$", "S", "the army at the start of a wave; $S'$ and $S_{j+1}$ at that of the next", "soldiers", "castle-rules#rules"},
		{"$D$", "D", "all who are out at the start of a wave, those left and those who are fresh", "defenders", "castle-rules#rules"},
		{"$C$", "C", "what the castle still takes at the start of a wave", "hits", "castle-rules#rules"},
		{"$i$", "i", "those who shoot at defenders in a wave", "soldiers", "castle-rules#rules"},
		{"$x$", "x", "those whom a wave leaves alive; $x_q$ by the fall of the castle in wave $q + 1$", "defenders", "castle-rules#rules"},
		{"$y_t$", "y", "all who are dead after wave $t$", "soldiers", "castle-derivation#thrift"},
		{"$t$, $w$", "tw", "the number of a wave, or of waves", "waves", "castle-derivation#books"},
		{"$f$", "f", "the wave in which the castle falls", "waves", "castle-derivation#patience"},
		{"$q$", "q", "the waves from the second to the fall, which comes in wave $q + 1$", "waves", "castle-derivation#left"},
		{"$k$, $k(x)$", "k", "the waves that it takes to hunt down the $x$ defenders whom the fall leaves", "waves", "castle-derivation#length"},
		{"$F(k)$", "F", "the Fibonacci numbers, from $F(0) = 0$ and $F(1) = 1$ on", "", "castle-derivation#hunt"},
		{"$T(k)$", "T", "the most who can be hunted down in $k$ waves", "defenders", "castle-derivation#length"},
		{"$A(w)$", "A", "what the strongest castle that falls within $w$ waves takes beyond $n$", "hits", "castle-derivation#staircase"},
		{`$\kappa$`, "κ", "the length of a hunt as a real number, before it is rounded up", "waves", "castle-derivation#length"},
		{`$\sigma$`, "σ", "what the army has beyond $d$, once the castle is down to its last hit", "soldiers", "castle-derivation#thrift-hunt"},
	}},
	{ID: "towers", Title: "Towers", Part: "Towers", Symbols: []Symbol{
		{"$n$", "n", "the soldiers before the first round", "soldiers", "tower-rules#rules"},
		{"$t$", "t", "the towers before the first round", "towers", "tower-rules#rules"},
		{"$h$", "h", "what a tower takes before it falls", "hits", "tower-rules#rules"},
		{"$k$", "k", "those whom a tower kills in a round", "soldiers", "tower-rules#rules"},
		{"$S$, $T$, $H$", "STH", "soldiers, standing towers, and the hits that these take in all, at the start of a round; $S'$, $T'$, $H'$ at its end", "", "tower-rules#rules"},
		{"$a$", "a", "$k/h$: the kills of a tower for each of its hits", "soldiers a hit", "tower-strategies#price"},
		{"$Q$", "Q", "a form in $S$ and $H$ that never grows from round to round, so that its sign tells who cannot win", "", "tower-strategies#price"},
		{"$x$", "x", "how many soldiers it takes for each tower, if they aim as well as they can and towers are many", "soldiers a tower", "tower-strategies#price"},
		{"$r$", "r", "the same if they aim as badly as they can without waste", "soldiers a tower", "tower-strategies#price"},
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
