package chapter

import (
	"context"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/report/site"
)

func finds(f Finding) func(context.Context) (Finding, error) {
	return func(context.Context) (Finding, error) { return f, nil }
}

// TestEvidence: how a claim stands follows from its evidence, and a claim without evidence stops the build.
func TestEvidence(t *testing.T) {
	searched, refuted := Finding{Checked: "everywhere"}, Finding{Truth: "no", Example: "1", Checked: "everywhere"}
	for name, c := range map[string]struct {
		claim Claim
		want  Standing
		kind  string
		error string
	}{
		"verified": {claim: Claim{Check: finds(searched)}, want: Verified, kind: "computation"},
		"refuted":  {claim: Claim{Verdict: Gap, Check: finds(refuted)}, want: Refuted, kind: "counterexample"},
		"proved":   {claim: Claim{Proof: "page:proofs", Check: finds(searched)}, want: InProse, kind: "proof"},
		"open":     {claim: Claim{Stands: Open, Check: finds(searched)}, want: Open, kind: "none"},
		"a slip that is": {
			claim: Claim{Verdict: Slip, Stands: Verified, Check: finds(refuted)}, want: Verified,
			kind: "computation",
		},
		"nothing":    {claim: Claim{Check: finds(Finding{})}, error: "it has no evidence: let its check say"},
		"no example": {claim: Claim{Verdict: Wrong, Check: finds(searched)}, error: "no counterexample"},
		"no proof": {claim: Claim{Stands: InProse, Check: finds(searched)}, error: "it has no evidence: it is " +
			"said to be proved in prose"},
		"no theorem": {
			claim: Claim{Stands: ByMachine, Proof: "page:proofs", Check: finds(searched)},
			error: "it has no evidence: it is said to be proved by machine",
		},
	} {
		c.claim.ID, c.claim.Where, c.claim.Printed = "this", "text", "a statement"
		built, err := Plan[Nothing]{
			Name: "toy", Post: "The post, ", Questions: func() []Question { return nil },
			Claims: func() Claims { return Claims{Noted: []Claim{c.claim}} },
			Errata: func(Checked) (site.Page, error) { return site.Page{}, nil },
		}.Game().Units(nil)[0].Compute(t.Context())
		switch {
		case c.error != "":
			if err == nil || !strings.Contains(err.Error(), `claim "this" (text): `) ||
				!strings.Contains(err.Error(), c.error) {
				t.Errorf("%s: error %v", name, err)
			}
		case err != nil || len(built.Ledger) != 1:
			t.Errorf("%s: %v", name, err)
		default:
			if e := built.Ledger[0]; e.ID != "toy-this" || e.Stands != c.want || e.Evidence.Kind != c.kind ||
				e.Source() != "The post, text" {
				t.Errorf("%s: %+v", name, e)
			}
		}
	}
}
