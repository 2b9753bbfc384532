package site

import (
	"encoding/json"
	"encoding/xml"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
)

// TestWordsTable checks that each row of words.txt has the same number of {} in all languages, that keys are unique,
// and that the sources use each key.
func TestWordsTable(t *testing.T) {
	var sources strings.Builder
	for _, pattern := range []string{"*.go", "layout/*.tmpl", "../book/*.go", "../lesson/*.go", "../folder/*.go"} {
		files := must.Get(filepath.Glob(pattern))
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			data := must.Get(os.ReadFile(file))
			sources.Write(data)
		}
	}
	var made []string // keys that the sources compose from parts
	for _, level := range levelNames[1:] {
		made = append(made, strings.ReplaceAll(level, " ", "-"))
	}
	made = append(made, "summary-table", "summary-of", "data-table", "data-of")
	seen := map[string]bool{}
	for line := range strings.Lines(wordsTable) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), " | ")
		key := cells[0]
		if len(cells) != len(languages)+1 || seen[key] {
			t.Errorf("%q: %d cells, or twice", key, len(cells))
			continue
		}
		seen[key] = true
		for _, words := range cells[2:] {
			if strings.Count(words, "{}") != strings.Count(cells[1], "{}") || words == "" {
				t.Errorf("%s: %q has not the {} of %q", key, words, cells[1])
			}
		}
		live := strings.HasPrefix(key, "live-") // see TestLiveWords
		if !live && !strings.Contains(sources.String(), `"`+key+`"`) && !slices.Contains(made, key) {
			t.Errorf("nothing says %q", key)
		}
	}
	for _, kind := range append(made, calloutNames...) {
		if !seen[kind] {
			t.Errorf("there is no %q", kind)
		}
	}
}

var latin = regexp.MustCompile(`[A-Za-z]{2,}`)

// wordless returns Words without Latin letters.
func wordless() Words {
	words := Words{}
	for key, said := range translated()["en"] {
		words[key] = "§" + strings.Repeat("{}", strings.Count(said, "{}"))
	}
	return words
}

// noEnglish checks that a page contains no English words, neither visible ones nor for screen readers.
func noEnglish(t *testing.T, name string, page []byte) {
	t.Helper()
	inside := ""
	for token := range must.Tokens(t, name, page) {
		var said []string
		switch token := token.(type) {
		case xml.StartElement:
			inside = token.Name.Local
			description := slices.Contains(token.Attr, xml.Attr{Name: xml.Name{Local: "name"}, Value: "description"})
			for _, a := range token.Attr {
				if slices.Contains([]string{"aria-label", "alt", "title", "placeholder"}, a.Name.Local) ||
					description && a.Name.Local == "content" {
					said = append(said, a.Value)
				}
			}
		case xml.EndElement:
			inside = ""
		case xml.CharData:
			if !slices.Contains([]string{"style", "script", "annotation"}, inside) {
				said = append(said, string(token))
			}
		}
		for _, text := range said {
			if found := latin.FindString(text); found != "" && found != "MB" {
				t.Errorf("%s: <%s> says %q", name, inside, strings.TrimSpace(text))
			}
		}
	}
}

// TestDate checks that dates are written in the language of a book, or in digits if the language is unknown.
func TestDate(t *testing.T) {
	for lang, want := range map[string]string{
		"en": "March 1, 2026; November 29, 2026", "de": "1. März 2026; 29. November 2026",
		"fr-CA": "1er mars 2026; 29 novembre 2026", "it": "2026-03-01; 2026-11-29",
	} {
		words, _ := NewWords(lang, nil)
		if got := words.Date("2026-03-01") + "; " + words.Date("2026-11-29"); got != want {
			t.Errorf("%s: %s, want %s", lang, got, want)
		}
	}
	own := map[string]string{"months": "gen feb mar apr mag giu lug ago set ott nov dic", "date": "d m y"}
	if words, problems := NewWords("it", own); len(problems) > 0 || words.Date("2026-03-09") != "9 mar 2026" {
		t.Errorf("%v: %s", problems, words.Date("2026-03-09"))
	}
}

var (
	scriptComment = regexp.MustCompile(`(?m)(^|\s)//[ #].*$`)
	scriptText    = regexp.MustCompile(`"(?:[^"\\]|\\.)*"(?:\s*\+\s*"(?:[^"\\]|\\.)*")*`)
	joined        = regexp.MustCompile(`"\s*\+\s*"`)
	// readable matches a string that readers may see: several words, or a word that begins like a sentence or a label.
	readable = regexp.MustCompile(`\pL\pL[.:,;!?)]* |[ (]\pL\pL|\pL\pL[.!?:)]|^\p{Lu}\p{Ll}`)
)

// unseen lists the strings in the scripts of live pages that look like prose although readers do not see them.
var unseen = []string{
	"Enter", "Shift", "Escape", "Tab", // keys
	" on-light", "output output-stderr", "output output-error", // classes
	":scope > pre, :scope > details.code-fold > pre", "data:image/png;base64,", "#live:", "go run show\n",
	"index out of range", "nil map", "nil pointer", "out of memory", // parts of Go's messages
	"the thread ended", // for the console
}

// TestLiveWords checks that the scripts of live pages translate each string that readers see, that each string has a
// row in words.txt, and that the scripts use each row.
func TestLiveWords(t *testing.T) {
	phrases := map[string]string{}
	for _, key := range liveWords() {
		phrases[translated()["en"][key]] = key
	}
	// These functions translate their arguments, or pass them to another of these functions.
	says := regexp.MustCompile(`\b(?:liveSay|liveCount|liveRemark|say|button|take|Refused)\($`)
	named, paren := regexp.MustCompile(`\w\($`), map[byte]int{'(': 1, ')': -1}
	said := map[string]bool{}
	for _, file := range []string{"live.js", "notebook.js"} {
		script := string(must.Get(os.ReadFile("../../../report/explore/web/live/" + file)))
		script = scriptComment.ReplaceAllString(script, "$1")
		texts := scriptText.FindAllStringIndex(script, -1)
		blank := []byte(script) // without the strings, so that all remaining brackets belong to the code
		for _, at := range texts {
			for i := at[0]; i < at[1]; i++ {
				blank[i] = '"'
			}
		}
		begin, end := 0, 0 // the range of the list of hints, which LivePage.failure translates
		if begin = strings.Index(script, "const liveHints = "); begin >= 0 {
			end = begin + strings.Index(script[begin:], ";\n")
		}
		for _, at := range texts {
			text := joined.ReplaceAllString(script[at[0]:at[1]], "")
			text = strings.ReplaceAll(text[1:len(text)-1], `\n`, "\n")
			_, known := phrases[text]
			if said[text] = true; !known && (!readable.MatchString(text) || slices.Contains(unseen, text)) {
				continue
			}
			if !known {
				t.Errorf("%s: %q has no row in words.txt", file, text)
			}
			// The string is an argument of the function whose name precedes the nearest open parenthesis.
			call := at[0]
			for open := 0; call > 0 && blank[call-1] != '{'; call-- {
				if open += paren[blank[call-1]]; open > 0 && named.Match(blank[:call]) {
					break
				}
				open = min(open, 0)
			}
			if !says.Match(blank[:call]) && (at[0] < begin || at[0] > end) {
				t.Errorf("%s: %q is not translated", file, text)
			}
		}
	}
	for _, text := range append(slices.Sorted(maps.Keys(phrases)), unseen...) {
		if !said[text] {
			t.Errorf("no script has %q", text)
		}
	}
}

// TestReaderWords checks that the phrases of all explorables occur literally in the scripts or in Go code, that a page
// in another language contains them in addition to its own phrases, and that a page in English has no phrases.
func TestReaderWords(t *testing.T) {
	var sources strings.Builder
	for _, pattern := range []string{"../../../report/explore/web/*.js", "../../../report/pictures/*.go"} {
		for _, file := range must.Get(filepath.Glob(pattern)) {
			sources.Write(must.Get(os.ReadFile(file)))
		}
	}
	for _, key := range readerWords {
		for _, piece := range regexp.MustCompile(`[{};]+`).Split(translated()["en"][key], -1) {
			if piece = strings.Trim(piece, " ,."); piece != "" && !strings.Contains(sources.String(), piece) {
				t.Errorf("%s: nothing says %q", key, piece)
			}
		}
	}
	german, problems := NewWords("de", nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	var all map[string]string
	must.Do(t, json.Unmarshal([]byte(german.phrases(map[string]string{"Play": "Los"})), &all))
	if all["Play"] != "Los" || all["is larger than #"] != "es ist größer als #" || all["."] != "," {
		t.Errorf("the German phrases are %v", all)
	}
	if english, _ := NewWords("en", nil); english.phrases(nil) != "" || Words(nil).phrases(nil) != "" {
		t.Error("a page in English has phrases")
	}
}
