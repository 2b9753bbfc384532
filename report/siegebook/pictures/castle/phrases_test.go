package castle

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/pictures"
)

// lessonPhrases returns the phrases for the game in a lesson's file. They are the map in its last cell.
func lessonPhrases(t *testing.T, language string) pictures.Phrases {
	t.Helper()
	text := string(must.Get(os.ReadFile("../../castle/lesson-" + language + ".md")))
	at := strings.LastIndex(text, "map[string]string{")
	literal, _, _ := strings.Cut(text[at:], "\n}")
	phrases := pictures.Phrases{}
	for _, e := range must.Get(parser.ParseExpr(literal + "\n}")).(*ast.CompositeLit).Elts {
		pair := e.(*ast.KeyValueExpr)
		value := func(e ast.Expr) string { return must.Get(strconv.Unquote(e.(*ast.BasicLit).Value)) }
		phrases[value(pair.Key)] = value(pair.Value)
	}
	return phrases
}

var (
	said   = regexp.MustCompile(`"(?:t|label|answer|say|notice|summary|caption|title|alt|note)":"((?:[^"\\]|\\.)*)"`)
	inSVG  = regexp.MustCompile(`<t(?:ext|span)[^>]*>([^<]+)<`)
	word   = regexp.MustCompile(`\p{L}[\p{L}\x{ad}]*`)
	shapes = strings.NewReplacer(`\u003c`, "<", `\u003e`, ">")
)

// wordsOf returns the words that readers see or hear in a view.
func wordsOf(t *testing.T, view *pictures.View) (all []string) {
	t.Helper()
	must.Get(view.Drawn(pictures.Hand{}))
	text := shapes.Replace(string(must.Get(json.Marshal(view))))
	for _, pattern := range []*regexp.Regexp{said, inSVG} {
		for _, m := range pattern.FindAllStringSubmatch(text, -1) {
			all = append(all, word.FindAllString(strings.ReplaceAll(m[1], "\\n", " "), -1)...)
		}
	}
	return all
}

// TestLessonPhrases plays battles of the lesson's game in German and in French. The translations in the lesson's file
// must contain all words that the game shows, and the game must show as many sentences as in English. All phrases in
// the file must be in use: their words must occur in the game's sources.
func TestLessonPhrases(t *testing.T) {
	sources := ""
	for _, file := range []string{
		"play.go", "line.go", "../../../figure/ranks.go", "../../../../analysis/castle/castleside.go",
	} {
		sources += string(must.Get(os.ReadFile(file)))
	}
	for _, language := range []string{"de", "fr"} {
		phrases, known := lessonPhrases(t, language), map[string]bool{"N": true, "S": true, "D": true}
		for english, translation := range phrases {
			for _, w := range word.FindAllString(translation, -1) {
				known[w] = true
			}
			for _, w := range word.FindAllString(english, -1) {
				stem := strings.ToLower(strings.TrimSuffix(strings.ReplaceAll(w, "\u00ad", `\u00ad`), "s"))
				if !strings.Contains(strings.ToLower(sources), stem) {
					t.Errorf("%s: %q: no game says %q", language, english, w)
				}
			}
		}
		random := rand.New(rand.NewPCG(1, uint64(len(phrases))))
		foreign, states := map[string]bool{}, 0
		for i := range 5 * len(Offers) {
			b, p := Offers[i%len(Offers)].Battle, Playing().In(phrases)
			if i%3 == 2 && b.Soldiers < 100 { // tries a tie, a castle that falls at once, and a battle of one soldier
				b = []game.Battle{battle(3, 9, 3), battle(9, 9, 4), battle(1, 2, 1), battle(9, 5, 2)}[i/3%4]
			}
			if testing.Short() && b.Soldiers > 100 {
				continue // this battle takes seconds
			}
			v := must.Get(p.Values(Opened(b)))
			for range 9 {
				acts := []string{"shoot", "shoot", "shoot", "back", "can", "best", "to 1", "to 99", "return", "dance"}
				if b.Soldiers < 100 {
					acts = append(acts, "finish")
				}
				if random.IntN(2) == 0 {
					v["order"] = fmt.Sprint(random.Int64N(b.Soldiers + 1))
				}
				view := must.Get(p.After(v, acts[random.IntN(len(acts))]))
				for name, value := range view.Set {
					v[name] = value
				}
				states++
				for _, w := range wordsOf(t, view) {
					if !known[w] && w != "dance" {
						foreign[w] = true
					}
				}
			}
		}
		view := must.Get(Playing().In(phrases).See(must.Get(Playing().Parse("n=5&s=6&d=6&moves=9,9"))))
		for _, w := range wordsOf(t, view) {
			foreign[w] = foreign[w] || !known[w]
		}
		var list []string
		for w, is := range foreign {
			if is {
				list = append(list, w)
			}
		}
		if slices.Sort(list); len(list) > 0 || states < 100 {
			t.Errorf("%s: in %d states the game says %q", language, states, list)
		}
	}
}
