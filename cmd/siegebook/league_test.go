package main

import (
	"encoding/csv"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/analysis/castle"
)

// TestLeagueOfTen: a class of ten has the same table as text, CSV and page. The places are those of the rules, told
// here once more in Go; programs that do not end, or cannot be read, have none and stop nobody.
func TestLeagueOfTen(t *testing.T) {
	class := t.TempDir()
	write := func(name, body string) {
		t.Helper()
		text := "def at_defenders(n, s, d, wave, N, S, D):\n    \"\"\"Plan " + name + " & more.\"\"\"\n" + body
		if err := os.WriteFile(filepath.Join(class, name+".star"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	// Eight pupils wait until so many defenders, at most, would be left.
	strategies := map[string]castle.Strategy{}
	for most := range uint64(8) {
		name := fmt.Sprintf("wait-%d", most)
		write(name, fmt.Sprintf("    x = S + D - N\n    return min(N - S, D) if S <= N else (0 if 0 <= x and x <= %d "+
			"else min(N, D))\n", most))
		strategies[name] = func(_ int64, s castle.State) castle.Orders {
			x := uint64(s.CastleHits) + s.Defenders - uint64(s.Soldiers)
			switch {
			case s.CastleHits <= s.Soldiers:
				return castle.Orders{AtDefenders: min(s.Soldiers-s.CastleHits, int64(s.Defenders))}
			case int64(x) >= 0 && x <= most:
				return castle.Orders{}
			}
			return castle.Orders{AtDefenders: min(s.Soldiers, int64(s.Defenders))}
		}
	}
	write("endless", "    while True:\n        D += 1\n")
	write("half", "    return N / 2\n")

	grid := []string{"league", "castle", class, "--soldiers", "1:7", "--castle", "1:15", "--defenders", "1:9"}
	out := filepath.Join(t.TempDir(), "league")
	text := mustRun(t, "", grid...)
	mustRun(t, "", append(grid, "--out", out+".csv")...)
	mustRun(t, "", append(grid, "--out", out+".html")...)
	file, err := os.ReadFile(out + ".csv")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(string(file))).ReadAll()
	if err != nil || len(rows) != 13 {
		t.Fatalf("%d rows, %v:\n%s", len(rows), err, file)
	}
	page, err := os.ReadFile(out + ".html")
	if err != nil {
		t.Fatal(err)
	}
	var cells []string
	for _, cell := range regexp.MustCompile(`<td>(.*?)</td>`).FindAllStringSubmatch(string(page), -1) {
		cells = append(cells, html.UnescapeString(cell[1]))
	}
	if want := strings.Join(flat(rows[1:]), "|"); strings.Join(cells, "|") != want {
		t.Errorf("the page has %s\nthe CSV %s", strings.Join(cells, "|"), want)
	}
	last := int64(1 << 62)
	for i, row := range rows[1:] {
		name := strings.TrimSuffix(row[1], ".star")
		if !regexp.MustCompile(`(?m)^ *`+row[0]+` +`+regexp.QuoteMeta(row[1])+` +`+regexp.QuoteMeta(row[2])+
			` `).MatchString(text) && row[0] != "-" {
			t.Errorf("the text has no row %q:\n%s", row, text)
		}
		if a, registered := castle.AlgorithmNamed(row[2]); registered && row[1] == "-" { // the yardsticks
			strategies[row[1]] = a.Strategy(castle.Battle{})
		}
		strategy, sound := strategies[name]
		if !sound {
			if i < 10 || row[0] != "-" || !strings.HasPrefix(row[9], row[1]+":3:") &&
				!strings.HasPrefix(row[9], row[1]+":4:") {
				t.Errorf("row %d: %q", i+1, row)
			}
			continue
		}
		var right int64
		for n := int64(1); n <= 7; n++ {
			for s := int64(1); s <= 15; s++ {
				for d := int64(1); d <= 9; d++ {
					b := castle.Battle{Soldiers: n, CastleHits: s, DefendersPerWave: d}
					end, fewest := b.Play(strategy), b.MinWaves()
					if fewest > 0 && end.Winner == castle.Soldiers && end.Waves == fewest || fewest == 0 &&
						end.Winner != castle.Soldiers {
						right++
					}
				}
			}
		}
		if row[3] != fmt.Sprint(right) || right > last {
			t.Errorf("row %d: %q, want %d right, at most %d", i+1, row, right, last)
		}
		last = right
	}
}

func flat(rows [][]string) []string {
	var all []string
	for _, row := range rows {
		all = append(all, row...)
	}
	return all
}
