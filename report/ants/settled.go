package ants

import (
	"context"
	"fmt"
	"strings"

	game "github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/report/chapter"
)

// settledClaims are about the army that one ant outlives, which our page had left open.
func settledClaims() []chapter.Claim {
	const outlive, price = "sec:ants-battles/outlive", "sec:ants-battles/price"
	return []chapter.Claim{
		{
			ID: "ants-price", Where: "one against many", Ours: true, Ref: price, Proof: "sec:proofs-ants/theorem-1",
			Printed: `In the contest, an army that is gone in one turn was at most two and a half times as large as all others together`,
			Check: func(ctx context.Context) (chapter.Finding, error) {
				list, err := knownOutlived(ctx)
				if err != nil {
					return chapter.Finding{}, err
				}
				for _, o := range list {
					if o.ants == 0 {
						continue
					}
					if f := mustFight(o.first, game.Focus); 2*o.ants > 5*(len(f.army)-o.ants) || int64(o.ants) > o.bound() {
						return chapter.Finding{}, chapter.HoldsAt(false, "%s", o.name())
					}
				}
				largest, err := largestOutlived(ctx)
				return chapter.Finding{Checked: fmt.Sprintf("proved; compared with the largest armies of %d boxes", len(list)), Recompute: largest}, err
			},
		},
		{
			ID: "ants-outlived", Where: "one against many", Ours: true, Ref: outlive,
			Printed: `The largest army that one ant outlives is known for the boxes that the table names`,
			Check: func(ctx context.Context) (chapter.Finding, error) {
				list, err := knownOutlived(ctx)
				if err != nil {
					return chapter.Finding{}, err
				}
				all, err := largestOutlived(ctx)
				if err != nil {
					return chapter.Finding{}, err
				}
				checks, sizes := []any{all}, []string{}
				for _, o := range list {
					if o.found == byAttempt || o.ants == 0 {
						continue
					}
					f := mustFight(o.first, game.Focus)
					if !f.oneOutlives(o.ants) {
						return chapter.Finding{}, chapter.HoldsAt(false, "%s", o.name())
					}
					checks = append(checks, recomputed(f).outlived(o.ants))
					sizes = append(sizes, fmt.Sprintf("%d in %s", o.ants, o.name()))
				}
				return chapter.Finding{Truth: chapter.MD("%s", strings.Join(sizes, ", ")), Checked: "a search of each box; the checker plays the positions, and searches 3 × 3 cells itself", Recompute: chapter.Together(checks...)}, nil
			},
		},
	}
}

// largestOutlived has the checker look at all positions of 3 × 3 cells for the largest army that one ant outlives.
func largestOutlived(ctx context.Context) (any, error) {
	finding, err := everywhere(sameKills)(ctx)
	if err != nil {
		return nil, err
	}
	found, err := outlive(ctx, 3, 3)
	if err != nil {
		return nil, err
	}
	check, ok := finding.Recompute.(map[string]any)
	if err := chapter.Expect("a check of all positions", ok && found.ants > 0, found); err != nil {
		return nil, err
	}
	check["outlived"] = found.ants
	return check, nil
}
