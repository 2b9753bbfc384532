package ants

import (
	"math/big"
	"slices"
	"strings"

	game "github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/report/chapter"
	pictures "github.com/siegebook/siegebook/report/pictures/ants"
	"github.com/siegebook/siegebook/report/site"
)

// addBattleExercises computes the answers to the exercises on the battles of the post.
func addBattleExercises(values map[string]any) {
	friends := newFight(strings.ReplaceAll(picture("a pair against two").Map, "C", "B"), game.Focus)
	front := newFight(picture("wall").Map[:strings.LastIndex(picture("wall").Map, "\n")], game.Focus)
	alone := newFight(strings.ReplaceAll(picture("a and b among c").Map, "B", "."), game.Focus)
	chapter.Set(values, "friends fallen", friends.fallen(), "friends count", friends.enemies[0],
		"front fallen", front.fallen(), "alone fallen", alone.fallen())
	holds := friends.deaths() == len(friends.army) && slices.Max(friends.enemies) == slices.Min(friends.enemies) &&
		front.lost('B') == 3 && front.lost('A') == 0 && alone.deaths() == 2 && alone.dead[alone.at(1, 0)] &&
		alone.dead[alone.at(1, 2)]
	chapter.Expect("the exercises on the battles", holds, friends.dead, front.dead, alone.dead)
}

// addSpared computes the answers to the exercises on the four rules: the first of the smallest positions of a box in
// which damage spares an ant that focus kills.
func addSpared(page *site.Page, box []judged) {
	focus, damage := slices.Index(game.Rules(), game.Focus), slices.Index(game.Rules(), game.Damage)
	text := smallest(box, func(j judged) bool { return !j.same(focus, damage) }).text
	byFocus, byDamage := newFight(text, game.Focus), newFight(text, game.Damage)
	one := 0
	for one < len(byFocus.army) && (!byFocus.dead[one] || byDamage.dead[one]) {
		one++
	}
	chapter.Expect("damage spares an ant that focus kills", one < len(byFocus.army))
	var counts []int
	sum := new(big.Rat)
	for _, enemy := range byFocus.inRange(one) {
		counts = append(counts, byFocus.enemies[enemy])
		sum.Add(sum, big.NewRat(1, int64(byFocus.enemies[enemy])))
	}
	chapter.Set(page.Values, "spared ants", len(byFocus.army), "spared name", byFocus.name(one),
		"spared count", byFocus.enemies[one], "spared foes", chapter.Joined(counts), "spared sum", sum.RatString())
	far := newFight("A..\n..B", game.Focus)
	holds := far.distance2(0, 1) == game.ContestRadius2 && slices.Contains(counts, byFocus.enemies[one]) &&
		sum.Cmp(big.NewRat(1, 1)) < 0
	for _, rule := range game.Rules() {
		dead := newFight("A..\n..B", rule).deaths()
		holds = holds && (rule == game.Closest && dead == 0 || rule != game.Closest && dead == 2)
	}
	chapter.Expect("the exercises on the four rules", holds, counts, sum)
	chapter.Draw(page, "spared", pictures.Board("A position that focus and damage decide differently",
		byFocus.grid("focus", pictures.Deaths), byDamage.grid("damage", pictures.Deaths)))
}

// addRuleExercises computes the answers to the exercises on the rule.
func addRuleExercises(values map[string]any) {
	square := newFight("AA\nBB", game.Focus)
	values["square dead"], values["square count"] = square.deaths(), square.enemies[0]
	alike := square.deaths() == len(square.army) && slices.Max(square.enemies) == slices.Min(square.enemies)
	chapter.Expect("the exercise on the rule", alike, square.dead)
}
