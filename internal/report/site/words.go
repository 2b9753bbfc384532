package site

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Words maps the keys in words.txt to the program's own words on a page. They appear in menus and labels, including
// labels for screen readers. {} stands for a number or a name. Nil means English.
type Words map[string]string

//go:embed words.txt
var wordsTable string

// languages lists the languages that have a column in words.txt.
var languages = []string{"en", "de", "fr"}

// pointed lists further languages with a decimal point. Most other languages have a decimal comma.
var pointed = []string{
	"am", "bn", "cy", "fil", "ga", "gu", "he", "hi", "ja", "kn", "ko", "ml", "mr", "ms", "mt", "pa", "si", "sw", "ta",
	"te", "th", "tl", "ur", "yo", "zh",
}

// translated returns the words of each language in words.txt.
var translated = sync.OnceValue(func() map[string]Words {
	all := map[string]Words{}
	for line := range strings.Lines(wordsTable) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), " | ")
		for i, language := range languages {
			if all[language] == nil {
				all[language] = Words{}
			}
			all[language][cells[0]] = cells[i+1]
		}
	}
	return all
})

// NewWords returns the words of a language, which is a BCP 47 tag. If words.txt does not have the language, the words
// are English. The words in own replace the words of the language.
func NewWords(language string, own map[string]string) (Words, []Problem) {
	base, _, _ := strings.Cut(strings.ToLower(language), "-")
	english := translated()[languages[0]]
	words := maps.Clone(translated()[base])
	if words == nil {
		words = maps.Clone(english)
		if base != "" {
			words["thousands"], words["months"] = "\u202f", "" // then dates look like 2026-11-29
			if !slices.Contains(pointed, base) {
				words["decimal"] = ","
			}
		}
	}
	var problems []Problem
	for _, key := range slices.Sorted(maps.Keys(own)) {
		usual, known := english[key]
		problem := ""
		switch most, got := strings.Count(usual, "{}"), strings.Count(own[key], "{}"); {
		case !known:
			problem = fmt.Sprintf("words has no key %q: the keys are %s", key,
				strings.Join(slices.Sorted(maps.Keys(english)), ", "))
		case strings.TrimSpace(own[key]) == "" && key != "thousands":
			problem = fmt.Sprintf("the text of %q is empty: write a text for %q", key, usual)
		case got != most:
			problem = fmt.Sprintf("the number of {} in the text of %q is %d: write %d, as in %q", key, got, most, usual)
		}
		if problem != "" {
			problems = append(problems, Problem{"words." + key, problem})
			continue
		}
		words[key] = own[key]
	}
	return words, problems
}

// Say returns the words of a key, with each {} replaced by a value. It panics if words.txt does not have the key.
func (w Words) Say(key string, values ...any) string {
	text, ok := w[key]
	if !ok {
		if text, ok = translated()[languages[0]][key]; !ok {
			panic("site: there are no words " + key)
		}
	}
	pieces := strings.SplitN(text, "{}", len(values)+1)
	said := pieces[0]
	for i, piece := range pieces[1:] {
		value := fmt.Sprint(values[i])
		if number, ok := values[i].(int); ok {
			value = w.thousands(strconv.Itoa(number))
		}
		said += value + piece
	}
	return said
}

// Count returns the words of the key one if n is 1, or else of the key many, with {} replaced by n.
func (w Words) Count(n int64, one, many string) string {
	if n == 1 {
		return w.Say(one, 1)
	}
	return w.Say(many, w.thousands(strconv.FormatInt(n, 10)))
}

// readerWords lists the keys of the phrases that all explorables use.
var readerWords = []string{
	"reader-play", "reader-again", "reader-pause", "reader-start", "reader-stop", "reader-stopped", "reader-work",
	"reader-check", "reader-none", "reader-other", "reader-keys", "reader-zoom", "reader-whole", "reader-such",
	"reader-range", "reader-least", "reader-list", "reader-fraction", "reader-large", "reader-small",
}

// liveWords returns the keys of the phrases of live pages: a few keys that other parts of pages use too, and all keys
// that begin with "live-".
func liveWords() []string {
	keys := []string{"reader-stop", "reader-stopped", "a-table", "data-table", "case", "cases"}
	for key := range translated()[languages[0]] {
		if strings.HasPrefix(key, "live-") {
			keys = append(keys, key)
		}
	}
	return keys
}

// phrases returns the phrases of an explorable as JSON: its own phrases, and the phrases of all explorables. It returns
// "" for English.
func (w Words) phrases(own map[string]string) string {
	all := w.translations(readerWords, "#")
	maps.Copy(all, own)
	return phrasesJSON(all)
}

// livePhrases returns the phrases of live pages as JSON, or "" for English.
func (w Words) livePhrases() string { return phrasesJSON(w.translations(liveWords(), "{}")) }

// translations returns a map from the English words of the given keys to the words of this language, where they differ.
// sign replaces each {}. The map also contains the separators in numbers.
func (w Words) translations(keys []string, sign string) map[string]string {
	all, english := map[string]string{}, translated()[languages[0]]
	for _, key := range keys {
		if said := w[key]; said != "" && said != english[key] {
			all[strings.ReplaceAll(english[key], "{}", sign)] = strings.ReplaceAll(said, "{}", sign)
		}
	}
	for key, sign := range map[string]string{"thousands": ",", "decimal": "."} {
		if said, has := w[key]; has && said != english[key] {
			all[sign] = said
		}
	}
	return all
}

// phrasesJSON returns phrases as JSON, or "" if there are none.
func phrasesJSON(all map[string]string) string {
	if len(all) == 0 {
		return ""
	}
	text, err := json.Marshal(all)
	if err != nil {
		panic("site: " + err.Error()) // cannot happen: a map of strings is valid JSON
	}
	return string(text)
}
