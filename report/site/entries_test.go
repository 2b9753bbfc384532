package site

import (
	"context"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/report/content"
)

func entriesPage(source string, entries ...content.Entry) Site {
	s := onePage(source)
	s.Pages[1].Entries = []content.Entries{{ID: "list", Entries: entries}}
	return s
}

func sampleEntry(id string) content.Entry {
	verdict := content.Text("wrong").Marked(content.Mark{Tone: content.Red, Sign: "✗", Meaning: "not true"})
	return content.Entry{
		ID:      id,
		Title:   "The " + id,
		Where:   "post I",
		Verdict: verdict,
		Parts:   []content.Part{{Name: "Printed", Text: "$x$ is 1."}, {Name: "True", Text: "*no*, 12345."}},
	}
}

// TestEntries: each entry is a row that unfolds, with an anchor that references and the search lead to.
func TestEntries(t *testing.T) {
	other := sampleEntry("other")
	other.Parts = append(
		other.Parts[1:], content.Part{Name: "Code", Code: content.Code{Language: "go", Text: "if a < 12345"}},
	)
	s := entriesPage(
		"## S\n\nSee {{ ref \"sec:one\" }} and {{ ref \"sec:a/other\" \"that\" }}.\n\n{{ entries \"list\" `All *entries*` }}\n\n### After\n",
		sampleEntry("one"), other,
	)
	s.Pages[2].Source += "\n{{ ref \"sec:a/one\" }}\n"
	tree, err := Render(context.Background(), s, Options{Cache: testCache})
	if err != nil {
		t.Fatal(err)
	}
	readDocument(t, "a.html", tree["a.html"])
	page := string(tree["a.html"])
	for _, want := range []string{
		`See <a class="ref" href="#one">“The one”</a> and <a class="ref" href="#other">that</a>.`, `<p class="entries-caption" id="entries-list.caption">All <em>entries</em></p>`,
		`<summary><h3 id="one">The one</h3> <span class="entry-where">post I</span> <span class="entry-verdict"><span class="verdict tone-red">wrong <span class="sign" aria-hidden="true">✗</span>`,
		"<dt>Printed</dt>", `<dd><em>no</em>, 12,345.</dd>`, `<span class="legend-label">not true</span>`, "<dd>\n<pre", "a &lt; <span class=\"tok-number\">12345</span></code></pre>", `href="assets/a/entries-list.csv"`, `<span class="number">1.1.1</span> After`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in\n%s", want, page)
		}
	}
	if strings.Count(page, "The one") != 3 { // the reference, the row, and the name of its link
		t.Errorf("the entry stands elsewhere too: in the contents?\n%s", page)
	}
	if want := "where,title,verdict,Printed,True,Code\npost I,The one,wrong,x is 1.,\"no, 12345.\",\npost I,The other,wrong,,\"no, 12345.\",if a < 12345\n"; string(
		tree["assets/a/entries-list.csv"],
	) != want {
		t.Errorf("the CSV is %q, want %q", tree["assets/a/entries-list.csv"], want)
	}
	if want := `<a class="ref" href="a.html#one">“The one”</a>`; !strings.Contains(string(tree["b.html"]), want) {
		t.Errorf("no %s in\n%s", want, tree["b.html"])
	}
	found := false
	for _, section := range readIndex(t, tree["search.html"]).Sections {
		text, _ := section[3].(string)
		found = found || section[1] == "The one" && section[2] == "a.html#one" && strings.Contains(text, "no, 12,345.")
		if strings.Contains(text, "Link to ") {
			t.Errorf("the search has the link of an entry: %v", section)
		}
	}
	if !found {
		t.Errorf("the search does not know the entry: %v", readIndex(t, tree["search.html"]).Sections)
	}
	if strings.Contains(string(tree["search.html"]), `href="a.html#one"`) {
		t.Error("the list of headings has an entry")
	}
	if _, err := RenderSingle(context.Background(), s, Options{Cache: testCache}); err != nil {
		t.Error(err)
	}
}

func TestFaultsOfEntries(t *testing.T) {
	placed := "## S\n\n{{ entries \"list\" \"c\" }}\n"
	bad := func(change func(*content.Entry)) Site {
		e := sampleEntry("one")
		change(&e)
		return entriesPage(placed, e)
	}
	wantFault(
		t, entriesPage("## S\n", sampleEntry("one")),
		`a.md:2: entries "list" is never placed: add {{ entries "list" "caption" }} or leave it out`,
	)
	wantFault(
		t, entriesPage("## S\n\n{{ entries \"no\" \"c\" }}\n\n{{ entries \"list\" \"c\" }}", sampleEntry("one")),
		`a.md:3: there is no entries "no"; the page has list`,
	)
	wantFault(
		t, entriesPage("## S\n\n{{ ref \"sec:no\" }}\n\n{{ entries \"list\" \"c\" }}", sampleEntry("one")),
		`a.md:3: {{ ref "sec:no" }}: there is no such target; near it are sec:one`,
	)
	wantFault(
		t, entriesPage("## One\n\n{{ entries \"list\" \"c\" }}\n", sampleEntry("one")),
		`a.md:3: the anchor #one is taken by`,
	)
	wantFault(t, entriesPage(placed), `a.md:1: entries "list": it has no entries`)
	wantFault(t, bad(func(e *content.Entry) { e.ID = "A b" }), `a.md:1: entries "list": entry "A b"`)
	wantFault(
		t, bad(func(e *content.Entry) { e.Title = " " }),
		`a.md:1: entries "list": entry "one" has no title or no parts`,
	)
	wantFault(
		t, bad(func(e *content.Entry) { e.Parts = nil }),
		`a.md:1: entries "list": entry "one" has no title or no parts`,
	)
	wantFault(
		t, bad(func(e *content.Entry) { e.Parts[0].Text = "" }),
		`a.md:1: entries "list": entry "one" has a part without a name or a text`,
	)
	wantFault(
		t, bad(func(e *content.Entry) { e.Parts[0].Text = "a\n\nb" }),
		`a.md:3: the part "Printed" of entry "one" is not text within a line`,
	)
	wantFault(
		t, bad(func(e *content.Entry) { e.Verdict = content.Int(1) }),
		`a.md:1: entries "list": entry "one" has a verdict of the kind number`,
	)
	wantFault(
		t, bad(func(e *content.Entry) { e.Verdict.Mark.Sign = "" }),
		`a.md:1: entries "list": entry "one": the mark has no sign`,
	)
}
