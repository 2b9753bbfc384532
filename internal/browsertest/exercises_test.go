package browsertest

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/go-rod/rod/lib/input"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/internal/waittest"
	"github.com/siegebook/siegebook/report/content"
)

// solved has functions that compute the answers to the exercises from their numbers. They use different methods from
// the pages.
var solved = map[string]func(v map[string]int64) []int64{
	"castle-ask-small": func(v map[string]int64) []int64 {
		most, battle := int64(0), battleIn(v)
		waves := battle.Solve().MinWaves
		for fall := range waves {
			if f, ok := battle.FallIn(fall + 1); ok && f.Result.Winner == castle.Soldiers && f.Result.Waves == waves {
				most = max(most, f.Result.SoldiersLeft)
			}
		}
		return []int64{waves, most}
	},
	"castle-ask-ties": func(v map[string]int64) []int64 {
		if v["d"] < v["n"] {
			return []int64{0}
		}
		return []int64{max(0, v["s"]-v["n"])}
	},
	"castle-ask-most": func(v map[string]int64) []int64 {
		most, k := v["n"], int64(0)
		for most*most+most*v["n"] > v["n"]*v["n"] {
			most--
		}
		for won, _ := castle.HuntBounds(v["n"], k); won < most; won, _ = castle.HuntBounds(v["n"], k) {
			k++
		}
		return []int64{most, k}
	},
	"castle-ask-form": func(v map[string]int64) []int64 {
		return []int64{v["n"]*v["n"] - v["n"]*v["x"] - v["x"]*v["x"]}
	},
	"castle-ask-short": func(v map[string]int64) []int64 {
		promised, _, _ := battleIn(v).Published()
		waves := battleIn(v).Solve().MinWaves
		return []int64{waves, waves - int64(promised)}
	},
	"castle-ask-waves": func(v map[string]int64) []int64 { return []int64{battleIn(v).Solve().MinWaves} },
	"castle-ask-army": func(v map[string]int64) []int64 {
		n := int64(1)
		for (castle.Battle{
			Soldiers: n, CastleHits: v["s"],
			DefendersPerWave: v["s"],
		}).Solve().Winner != castle.Soldiers {
			n++
		}
		return []int64{n}
	},
	"castle-ask-paths": func(v map[string]int64) []int64 {
		paths, err := battleIn(v).AllPaths()
		if err != nil {
			panic(err)
		}
		count := map[castle.Winner]int64{}
		for path := range paths {
			count[path.Winner]++
		}
		return []int64{count[castle.Soldiers], count[castle.Castle], count[castle.Tie]}
	},
	"castle-ask-law": func(v map[string]int64) []int64 { return []int64{2 * (v["s"] - 3)} },
	"tower-ask-round": func(v map[string]int64) []int64 {
		towers := (max(0, v["h"]*v["t"]-v["n"]) + v["h"] - 1) / v["h"]
		return []int64{towers, max(0, v["n"]-v["k"]*towers)}
	},
	"tower-ask-need": func(v map[string]int64) []int64 {
		for least := int64(1); ; least++ {
			hits, n := v["h"]*v["t"], least
			for hits > 0 && n > 0 {
				hits -= min(hits, n)
				n -= v["k"] * ((hits + v["h"] - 1) / v["h"])
			}
			if hits == 0 {
				return []int64{least}
			}
		}
	},
	"naval-ask-blind": func(v map[string]int64) []int64 {
		return []int64{v["decks"] * (v["cells"] + 1) / (v["decks"] + 1)}
	},
	"ants-ask-crowd": func(v map[string]int64) []int64 {
		cells := int64(-1)
		for row := int64(-5); row <= 5; row++ {
			for col := int64(-5); col <= 5; col++ {
				if row*row+col*col <= v["radius"] {
					cells++
				}
			}
		}
		return []int64{cells, 0}
	},
	"ants-ask-row": func(v map[string]int64) []int64 {
		switch near := v["gap"] * v["gap"]; {
		case 4*near <= v["radius"]:
			return []int64{3, 3}
		case near <= v["radius"]:
			return []int64{1, 3}
		}
		return []int64{0, 2}
	},
}

func init() {
	for kind := range solved {
		plays[kind] = playExercise
	}
}

func battleIn(v map[string]int64) castle.Battle {
	return castle.Battle{Soldiers: v["n"], CastleHits: v["s"], DefendersPerWave: v["d"]}
}

// playExercise answers an exercise by keyboard, once wrongly and once correctly, asks for help, and continues with
// other numbers.
func playExercise(p *player) {
	judged := func(what string, right int) {
		p.Helper()
		p.wants(what, fmt.Sprint(right), func() string {
			p.settle()
			return fmt.Sprint(inHost[int](p, `return host.querySelectorAll(".x-right").length;`))
		})
	}
	answer := func(numbers []int64, off int64) {
		p.Helper()
		for i, n := range numbers {
			p.writeInto(fmt.Sprintf(".x-form .x-row:nth-child(%d) input", i+1), strconv.FormatInt(n+off, 10))
		}
		p.press(0, input.Enter)
	}
	p.begin("")
	numbers := solved[p.kind](numbersIn(p, p.start))
	answer(numbers, 1)
	p.wantsText("✗ ")
	judged("the number of right answers, of none", 0)
	// The address changes a moment later. The next read of the address must not get the old one.
	solve := func(what string) {
		p.Helper()
		answer(numbers, 0)
		judged(what, len(numbers))
		p.wantsInAddress("answer=" + strings.Trim(strings.ReplaceAll(fmt.Sprint(numbers), " ", ","), "[]"))
	}
	solve("the number of right answers, of all")
	p.writeInto(".x-form input", "x")
	judged("the number of right answers, one of which is edited", len(numbers)-1)
	p.press(0, input.Enter)
	p.wantsText("✗ x: must be a whole number")
	p.push(mouse, "Hint")
	p.wantsInAddress("help=hint")
	p.push(touch, "Solution")
	p.wantsInAddress("help=solution")
	p.wantsText(content.Thousands(strconv.FormatInt(numbers[0], 10)))
	posed := fmt.Sprint(numbersIn(p, p.start))
	for range 3 {
		p.push("", "Other numbers")
		// At first the address contains no answer; afterwards it contains other numbers.
		var settings string
		waittest.Until(p.T, "the numbers stay as they are", func() bool {
			hash := p.address("answer=&help=")
			if _, after, ok := strings.Cut(hash, ":"); ok {
				hash = after
			}
			settings = strings.TrimPrefix(hash, "#")
			return strings.Contains(settings, "answer=&help=") && fmt.Sprint(numbersIn(p, settings)) != posed
		})
		posed = fmt.Sprint(numbersIn(p, settings))
		numbers = solved[p.kind](numbersIn(p, settings))
		solve("the number of right answers to other numbers")
	}
	p.push(mouse, "Start again")
	p.wantsInAddress("answer=&help=")
	judged("the number of right answers at the start", 0)
}

// numbersIn returns the numbers in an address.
func numbersIn(p *player, settings string) map[string]int64 {
	p.Helper()
	v := map[string]int64{}
	for part := range strings.SplitSeq(settings, "&") {
		name, text, _ := strings.Cut(part, "=")
		if name == "answer" || name == "help" {
			continue
		}
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			p.Fatalf("%s: %v", settings, err)
		}
		v[name] = n
	}
	return v
}
