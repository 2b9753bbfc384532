package naval

import (
	"context"
	"fmt"
	"testing"
	"time"
)

func TestProto(t *testing.T) {
	for p := range Placement(9) {
		ok := 0
		var c chance
		c.restart(1, 1, 1)
		n := 1 << 20
		for range n {
			var f Fleet
			if f.tryPlace(p, &c) {
				ok++
			}
		}
		fmt.Printf("%v attempts %.5f\n", p, float64(n)/float64(ok))
	}
	type st struct {
		n string
		s Strategy
		f int
	}
	all := append([]Placement{Anywhere}, Placements()...)
	for _, s := range []st{{"blind", Strategy{}, 0}, {"random coded", Strategy{Random, AsCoded, true}, 20000}, {"random desc", Strategy{Random, AsDescribed, true}, 20000}, {"linear desc", Strategy{Linear, AsDescribed, true}, 20000}, {"random proper", Strategy{Random, Proper, true}, 20000}, {"linear proper", Strategy{Linear, Proper, true}, 20000}, {"diag proper", Strategy{Diagonal, Proper, true}, 20000}, {"diag desc", Strategy{Diagonal, AsDescribed, true}, 20000}, {"density", Strategy{Random, Density, true}, 20000}, {"density diag", Strategy{Diagonal, Density, true}, 20000}, {"informed", Strategy{Random, Informed, true}, 200}} {
		if s.f == 0 {
			continue
		}
		fmt.Printf("%-14s", s.n)
		b := time.Now()
		n := s.f
		for _, p := range all {
			x, _ := Measure(context.Background(), s.s, p, n, 1, 1)
			fmt.Printf(" %s %.2f±%.2f", p, x.Mean(), x.Margin())
		}
		fmt.Println(time.Since(b) / time.Duration(n*9))
	}
	for _, ta := range []Targeting{AsCoded, AsDescribed, Density} {
		b := time.Now()
		n := 0
		for seed := range uint64(10) {
			s, err := Tournament{1024, Placements(), AllMoves(), ta, true, seed}.Play(context.Background(), Options{})
			if seed == 0 {
				fmt.Println(s, s.MeanMoves(), s.MeanMovesWinners(), s.MeanMovesLosers(), s.MeanLosersScore(), err)
			}
			n += int(s.Games)
		}
		fmt.Println(time.Since(b) / time.Duration(n))
	}
}
