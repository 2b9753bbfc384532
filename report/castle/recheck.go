package castle

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/report/chapter"
)

// maxRedrawn is the most battles of a shard that is computed again: some minutes of a core.
const maxRedrawn = 1_000_000_000

// recheckMade computes a survey that was made elsewhere again: all of it if a build would make one of that size. Else
// these are shards that are drawn with the seed, where they are known, and single battles.
func recheckMade(ctx context.Context, value string, seed uint64) (string, error) {
	made, err := readMade(value)
	if err != nil {
		return "", err
	}
	algorithms, err := made.Asked()
	if err != nil {
		return "", err
	}
	r := recheck{made, game.SurveyOptions{Algorithms: algorithms, Effort: game.Effort{Steps: game.SurveySteps}}}
	if made.Battles > maxCompared {
		return r.sample(ctx, seed)
	}
	return r.whole(ctx, seed)
}

// recheck is a survey that is computed again.
type recheck struct {
	madeSurvey
	options game.SurveyOptions
}

// part computes some of the battles again.
func (r recheck) part(ctx context.Context, block grid.Block) (game.Survey, error) {
	part := game.Survey{Soldiers: r.Soldiers, Castle: r.Castle, Defenders: r.Defenders}
	var err error
	part.Totals, err = part.Part(ctx, block, r.options)
	return part, err
}

// whole computes everything again, shard by shard where they are known.
func (r recheck) whole(ctx context.Context, seed uint64) (string, error) {
	if r.shards != nil {
		if _, err := r.redraw(ctx, allShards(len(r.shards.Battles)), r.Battles); err != nil {
			return "", err
		}
	}
	if _, err := r.SpotCheck(ctx, r.Battles, seed); err != nil {
		return "", err
	}
	said := fmt.Sprintf("all %s battles", chapter.Thousands(r.Battles))
	if r.shards != nil {
		said += fmt.Sprintf(" in %s", shardsText(len(r.shards.Battles)))
	}
	return said, nil
}

// allShards lists the numbers of all shards, from 0.
func allShards(shards int) []int {
	all := make([]int, shards)
	for i := range all {
		all[i] = i
	}
	return all
}

// sample computes again what the seed draws.
func (r recheck) sample(ctx context.Context, seed uint64) (string, error) {
	check, err := r.SpotCheck(ctx, checkDraws, seed)
	if err != nil {
		return "", err
	}
	said := []string{fmt.Sprintf("of %s battles %s, with the seed %d", chapter.Thousands(r.Battles), checkedText(check), seed)}
	if r.shards != nil {
		order := rand.New(rand.NewPCG(seed, uint64(len(r.shards.Battles)))).Perm(len(r.shards.Battles))
		redrawn, err := r.redraw(ctx, order, maxCompared)
		if err != nil {
			return "", err
		}
		text := fmt.Sprintf("none of %s, as the first drawn has more than %s battles", shardsText(len(order)), chapter.Thousands(maxRedrawn))
		if len(redrawn) > 0 {
			text = fmt.Sprintf("shards %s of %s", numbersText(redrawn), chapter.Thousands(len(order)))
		}
		said = append(said, text)
	}
	return strings.Join(said, "; "), nil
}

// numbersText lists the numbers of shards, from 1, as far as people read.
func numbersText(shards []int) string {
	const most = 20
	var texts []string
	for i, shard := range shards {
		if i == most {
			return strings.Join(texts, ", ") + fmt.Sprintf(" and %s others", chapter.Thousands(len(shards)-most))
		}
		texts = append(texts, fmt.Sprint(shard+1))
	}
	return strings.Join(texts, ", ")
}

// redraw computes shards again, in an order, until the next would make more than so many battles; the first of them may
// be larger. It returns which they were. The error says that one of them has other totals.
func (r recheck) redraw(ctx context.Context, order []int, most int64) ([]int, error) {
	firsts := make([]int64, len(r.shards.Battles)) // the first battle of each shard
	for i := 1; i < len(firsts); i++ {
		firsts[i] = firsts[i-1] + r.shards.Battles[i-1]
	}
	var redrawn []int
	for _, i := range order {
		battles := r.shards.Battles[i]
		if battles > most && (len(redrawn) > 0 || battles > maxRedrawn) {
			break
		}
		most -= min(most, battles)
		part, err := r.part(ctx, grid.Block{First: firsts[i], Size: battles})
		if err != nil {
			return nil, err
		}
		if part.Checksum != r.shards.Checksums[i] || totalsSum(part) != r.shards.Totals[i] {
			what, said, found := "the checksum", r.shards.Checksums[i].String(), part.Checksum.String()
			if said == found {
				what, said, found = "the SHA-256 of the totals", r.shards.Totals[i], totalsSum(part)
			}
			return nil, fmt.Errorf("shard %d of %d, computed again, has other totals: of %d battles from number %d on, %s is said to be %s, and it is %s",
				i+1, len(firsts), battles, firsts[i], what, said, found)
		}
		redrawn = append(redrawn, i)
	}
	return redrawn, nil
}
