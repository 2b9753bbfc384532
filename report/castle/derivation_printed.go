package castle

import (
	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/phi"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/site"
)

// printedParts are q and max(0, k) of the printed case 2a, evaluated in whole numbers: q is the least whole number, not
// necessarily positive, with x_q <= 0 or x_q² + d x_q <= nd, and k is the length of the hunt for x_q.
func printedParts(b game.Battle) (q, k int64) {
	n, d := b.Soldiers, b.DefendersPerWave
	q = (b.CastleHits-n)/(n-d) + 1 // nobody is left
	for x := leftAt(b, q-1); x <= 0 || x*(x+d) <= n*d; x = leftAt(b, q-1) {
		q--
	}
	return q, huntLength(n, leftAt(b, q))
}

// huntLength is k(x) of a hunt that the soldiers win.
func huntLength(n, x int64) int64 {
	k, _ := huntWaves(n, x)
	return k
}

// putRight is the formula as the page has it beside the printed one; 0 where the soldiers cannot win.
func putRight(b game.Battle) int64 {
	n, s, d := b.Soldiers, b.CastleHits, b.DefendersPerWave
	switch {
	case s <= n:
		return 1
	case d < n:
		q, _ := printedParts(b)
		q = max(1, q)
		return 1 + q + huntLength(n, leftAt(b, q))
	case s < 2*n && phi.Cmp(uint64(n), uint64(s+d-2*n)) > 0:
		return 2 + huntLength(n, leftAt(b, 1))
	}
	return 0
}

// addPrinted writes the published formula as it is printed, beside what is right.
func addPrinted(page *site.Page) error {
	q, k := printedParts(example)
	printed, _, ok := example.Published()
	holds := ok && printed == float64(q+k) && example.MinWaves() == 1+q+k
	chapter.Do(chapter.Expect("the printed formula is one wave short of the example", holds, printed, q, k))
	page.Values["box"], page.Values["example"] = wide.String(), triple(example)
	page.Values["printed q"], page.Values["printed k"], page.Values["printed x"] = q, waves(k), leftAt(example, q)
	page.Values["printed waves"], page.Values["right waves"] = q+k, example.MinWaves()
	page.Tables = append(page.Tables, printedTable())
	return nil
}

// printedTable has the formula case by case. Differences are marked.
func printedTable() content.Table {
	table := chapter.Table("printed", "case", "as printed", "put right")
	row := func(name, printed, right content.Markdown, verdict chapter.Verdict) {
		cells := chapter.Row(name, printed, right)
		if verdict != "" {
			cells[1] = cells[1].Marked(verdict.Mark())
		}
		table.Rows = append(table.Rows, cells)
	}
	row("the wave to strike", `$q = \left\lceil \dfrac{\sqrt{d^2 + 4nd} - d + 2n - 2s}{2(d - n)} \right\rceil$`,
		`$\boxed{q' = \max(1, q)}$`, chapter.Wrong)
	row("the hunt", `$k(x) = \left\lceil \dfrac{1}{4} \log_\varphi \dfrac{n + x\varphi^{-1}}{n - x\varphi} \right\rceil$`, `$k(x)$: the least $k$ with $x\,F(2k+1) \le n\,F(2k)$`, chapter.Hazard)
	row("1: $s \\le n$", "$1$", "$1$", "")
	row("2a: $s > n$, $d < n$", `$q + \max(0, k(x_q))$`, `$\boxed{1 +{}}\; \boxed{q'} + \max(0, k(x_{q'}))$`,
		chapter.Wrong)
	row("2b: $n < s < 2n$, $d \\ge n$, $2n < d + s < (\\varphi + 1)n$", `$2 + \max(0, k(x_1))$`,
		`$2 + \max(0, k(x_1))$`, "")
	row("2c: $n < s < 2n$, $d \\ge n$, $d + s \\ge (\\varphi + 1)n$", "cannot win", "cannot win", "")
	row("2d: $d \\ge n$", "$s > 2n$: cannot win", `$s \mathrel{\boxed{\ge}} 2n$: cannot win`, chapter.Gap)
	return table
}
