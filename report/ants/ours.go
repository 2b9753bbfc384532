package ants

import (
	"context"
	"fmt"
	"sync"

	game "github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/report/chapter"
)

// pageClaims are what our pages say of every position.
func pageClaims() []chapter.Claim {
	const laws = "sec:ants-rules/laws"
	// Both laws hold if the one search of all positions does not stop.
	searched := sync.OnceValues(func() (chapter.Finding, error) {
		values := map[string]any{}
		err := addLaws(values)
		return chapter.Finding{Checked: fmt.Sprintf("proved; all %v positions of two armies in a box of %v cells", values["law positions"], values["law box"])}, err
	})
	lawful := func(context.Context) (chapter.Finding, error) { return searched() }
	return []chapter.Claim{
		{ID: "ants-somebody-dies", Where: "the rule", Ours: true, Ref: laws, Proof: laws, Printed: `Where enemies are in range, somebody dies, and those with the most enemies always do`, Check: lawful},
		{ID: "ants-single-enemy", Where: "the rule", Ours: true, Ref: laws, Proof: laws, Printed: `An ant with a single enemy in range dies only in a duel, with that enemy`, Check: lawful},
		{
			ID: "ants-chain", Where: "the rules compared", Ours: true, Ref: "sec:ants-compared/chain", Proof: "sec:ants-compared/chain",
			Printed: `Who dies by damage dies by focus, and who dies by focus or by closest dies by support`,
			Check: func(ctx context.Context) (chapter.Finding, error) {
				all, err := judgeBox(ctx, 3, 3)
				if err != nil {
					return chapter.Finding{}, err
				}
				holds := within(all, game.Damage, game.Focus) && within(all, game.Focus, game.Support) && within(all, game.Closest, game.Support)
				return chapter.Finding{Checked: fmt.Sprintf("proved; all %s positions in a box of 3 × 3 cells", chapter.Thousands(len(all)))}, chapter.Expect("the chain of rules", holds, len(all))
			},
		},
	}
}
