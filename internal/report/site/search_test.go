package site

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
	_ "github.com/siegebook/siegebook/internal/rapidseed"
	"github.com/siegebook/siegebook/internal/report/sanitize"
	"github.com/siegebook/siegebook/report/content"
	"modernc.org/quickjs"
	"pgregory.net/rapid"
)

// unpackedIndex returns a page with its index, if it has one, as JSON.
func unpackedIndex(t *testing.T, page []byte) []byte {
	t.Helper()
	before, rest, _ := bytes.Cut(page, []byte(`<script type="text/plain" id="search-index">`))
	packed, after, found := bytes.Cut(rest, []byte("</script>"))
	if !found {
		return page
	}
	return slices.Concat(before, unsqueezed(t, packed), after)
}

// unpack replaces the index of the search, and the contents of the previews, by their JSON.
func unpack(t *testing.T, tree Tree) {
	t.Helper()
	for _, name := range []string{"search.html", "single"} {
		tree[name] = unpackedIndex(t, tree[name])
	}
	if _, packed, ok := strings.Cut(string(tree[previewName]), "\n})(\""); ok {
		data, err := base64.StdEncoding.DecodeString(strings.TrimSuffix(packed, "\");\n"))
		must.Do(t, err)
		tree[previewName] = must.Get(io.ReadAll(must.Get(gzip.NewReader(bytes.NewReader(data)))))
	}
}

var (
	policyOfPage = regexp.MustCompile(`<meta http-equiv="Content-Security-Policy" content="([^"]*)" />`)
	inlineScript = regexp.MustCompile(`(?s)<script>(.*?)</script>`)
)

// checkPolicy checks that a page says what it may load before it loads anything, and that it admits its own scripts and
// no others.
func checkPolicy(t *testing.T, name string, page []byte) {
	t.Helper()
	found := policyOfPage.FindAllSubmatchIndex(page, -1)
	if len(found) != 1 {
		t.Errorf("%s has %d policies", name, len(found))
		return
	}
	if before := string(page[:found[0][0]]); strings.Contains(before, "href") || strings.Contains(before, "src") {
		t.Errorf("%s loads something before its policy: %s", name, before)
	}
	policy := html.UnescapeString(string(page[found[0][2]:found[0][3]]))
	for _, want := range []string{"default-src 'none'", "base-uri 'none'", "form-action 'none'"} {
		if !slices.Contains(strings.Split(policy, "; "), want) {
			t.Errorf("%s has the policy %q, want %q in it", name, policy, want)
		}
	}
	if strings.Contains(strings.Replace(policy, "'wasm-unsafe-eval'", "", 1), "unsafe") ||
		strings.Contains(policy, "*") || strings.Contains(policy, "http") {
		t.Errorf("%s has the policy %q", name, policy)
	}
	_, sources, _ := strings.Cut(policy, "script-src ")
	scripts := inlineScript.FindAllSubmatch(page, -1)
	for _, script := range scripts {
		if !strings.Contains(sources, "'"+sourceHash(string(script[1]))+"'") {
			t.Errorf("%s has a script that its policy does not admit: %.60s", name, script[1])
		}
	}
	own, files := strings.Contains(sources, "'self'"), bytes.Contains(page, []byte("<script src="))
	if strings.Count(sources, "'sha256-") != len(scripts) || own != files {
		t.Errorf("%s: %d scripts inside, others: %t, policy %q", name, len(scripts), files, policy)
	}
}

// foreignMarkup returns HTML that is the output of a notebook's cell.
func foreignMarkup(markup string) content.Block {
	made, _, err := sanitize.HTML(markup, func() string { return "Table" })
	return must.Get(made, err)
}

// unsqueezed returns the text that [squeezed] has turned into a number. It uses the same mixer, but other arithmetic:
// integers of any size.
func unsqueezed(t rapid.TB, coded []byte) []byte {
	const signs = "!\"#$%'()*+,-./0123456789:;=?" +
		"@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~"
	number, width, digits := big.NewInt(0), big.NewInt(1), coded
	base, least := big.NewInt(91), new(big.Int).Exp(big.NewInt(91), big.NewInt(5), nil)
	var text []byte
	for m := newMixer(); ; {
		b := 0
		for range 8 {
			for ; width.Cmp(least) < 0; width.Mul(width, base) {
				digit := 0
				if len(digits) > 0 {
					if digit = strings.IndexByte(signs, digits[0]); digit == -1 {
						t.Fatalf("the text has the character %q", digits[0])
					}
					digits = digits[1:]
				}
				number.Add(number.Mul(number, base), big.NewInt(int64(digit)))
			}
			part := new(big.Int).Rsh(width, 16)
			part.Mul(part, big.NewInt(int64(m.chance())))
			bit := 0
			if number.Cmp(part) < 0 {
				bit, width = 1, part
			} else {
				number.Sub(number, part)
				width = new(big.Int).Sub(width, part)
			}
			m.learn(bit)
			b = 2*b + bit
		}
		if b == 0 {
			if len(digits) > 0 {
				t.Fatalf("%d digits stand behind the end", len(digits))
			}
			return text
		}
		if text = append(text, byte(b)); len(text) > 1<<24 {
			t.Fatal("the text does not end")
		}
	}
}

// page gives search.js a document with an index. The script reads the index, and this keeps what it reads.
const page = `var got = null;
globalThis.document = {getElementById: (id) => ({textContent: globalThis.coded, setAttribute: () => {}})};
globalThis.setTimeout = (go) => go();
globalThis.TextDecoder = class { decode(bytes) { return Array.from(bytes).join(); } };
JSON.parse = (text) => { got = text; throw new Error("read"); };`

// readByScript returns the bytes that search.js reads from a number, as decimals with commas.
func readByScript(t rapid.TB, coded string) string {
	vm, err := quickjs.NewVM()
	must.Do(t, err)
	defer vm.Close()
	text, _ := json.Marshal(coded)
	for _, script := range []string{page, "globalThis.coded = " + string(text), searchScript} {
		must.Get(vm.Eval(script, quickjs.EvalGlobal))
	}
	got, err := vm.Eval("got", quickjs.EvalGlobal)
	must.Do(t, err)
	return fmt.Sprint(got)
}

// TestSqueezed: a text comes back from its number, by the mixer and by the script, which has its own copy of the model.
func TestSqueezed(t *testing.T) {
	var long strings.Builder
	for i := range 1200 { // repetitions that are far apart, among new text
		fmt.Fprintf(&long, "battle %d of (19, 50, %d), ½ “won”; ", i*i*i%7919, i%40)
	}
	for _, text := range []string{"", "a", strings.Repeat("ab", 600), "\x01\xff\xfe\u00e9", long.String()} {
		coded := squeezed([]byte(text))
		if got := string(unsqueezed(t, []byte(coded))); got != text {
			t.Fatalf("%.80q comes back as %.80q", text, got)
		}
		if len(text) > 8000 {
			text = text[:8000]
			coded = squeezed([]byte(text))
		}
		if got := readByScript(t, coded); got != decimals(text) {
			t.Fatalf("the script reads %.80q as %.80s", text, got)
		}
	}
	if all := long.String(); len(squeezed([]byte(all))) > len(all)/5 {
		t.Errorf("%d bytes take %d characters", len(all), len(squeezed([]byte(all))))
	}
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.OneOf(rapid.String(), rapid.StringMatching(`[a-c]{1,2}[ .\n]?`))
		words := strings.Join(rapid.SliceOfN(word, 0, 40).Draw(t, "words"), " ")
		text := []byte(strings.ReplaceAll(words, "\x00", ""))
		coded := squeezed(text)
		if got := unsqueezed(t, []byte(coded)); !bytes.Equal(got, text) {
			t.Fatalf("%q comes back as %q", text, got)
		}
	})
}

func decimals(text string) string {
	var list []string
	for _, b := range []byte(text) {
		list = append(list, fmt.Sprint(b))
	}
	return strings.Join(list, ",")
}
