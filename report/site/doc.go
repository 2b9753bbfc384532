// Package site turns Markdown, figures and tables into static HTML pages, and publishes them.
//
// It knows no game and no way to draw. A caller fills a Site with pages; Render turns it into files in memory, or
// refuses it with the file and line of every fault; Publish puts the files in place in one step. A page that is
// published needs no network and no further file, and no script but to search.
//
// A page says either a body, blocks of package content one after the other, or a source. The same functions render the
// figures, tables and prose of both.
//
// # The source of a page
//
// A page's source is Markdown with text/template calls, which run first:
//
//	The soldiers win {{ .Value "wins" }} times, see {{ ref "fig:map" }} and {{ ref "eq:border" }}.
//
//	{{ figure "map" `Who wins for $n = 100$` }}
//
//	$$ d + s = (\varphi + 1)\, n \label{eq:border} $$
//
//	{{ table "tests" "The **27 tests**" }}
//
// The functions figure, table, entries and exercise stand on a line of their own. A reference (fig:, tbl:, eq:, sec:
// and an anchor, page: and a slug) means what its own page has; "fig:slug/id" is what another page has. Its text is the
// target's number, or a second argument. {{ picture "fig:slug/id" "text" }} is a small picture of a figure that leads
// to it; items of a list that begin with one stand beside each other. {{ name "key" }} is a text of Page.Lookups,
// {{ range .List "name" }} goes through rows of Page.Lists, and {{ if .Has "id" }} asks for a figure. The function text
// escapes a value of a page's own functions as Value does. A file begins with the title of its page: see [ReadText].
//
// Notes stand in the margin beside their sentence: footnotes[^name] with a number, which are written [^name]: text, and
// ^[a remark] without one. Where there is no margin, on narrow screens and on paper, they follow the block that calls
// for them, or the list or formula that ends its sentence.
//
// Beside CommonMark there are GFM tables, ~~strike~~, definition lists, fenced code in colours, and math:
// $...$ within a line without spaces next to the dollars, $$...$$ without blank lines. An equation has a number where
// it has a \label{eq:name} or a \tag, and so has each row of align and gather. A dollar sign is \$. A block quote that
// starts with [!NOTE] and the like, and perhaps a title, is a callout. A pair of <details> and </details>, each at the
// start of a line, perhaps with a <summary> first, makes a callout too. A paragraph that is one TeX environment is
// display math. Other HTML is refused, apart from comments.
//
// Everything that has a number has an anchor made of its name, so that links survive edits: headings their title or
// {#name}, figures fig-id, tables tbl-id, equations eq-name.
//
// A probable slip fails the build and never reaches the page: an unknown value, reference, figure, link
// or footnote, a figure that the text forgot, a lone dollar sign, bad TeX, a heading that leaves out a level.
//
// # The text of a body
//
// Prose of a body is in the same dialect without template calls, and is read as Jupyter reads a notebook, each block
// for itself: notes, lists and formulas do not go on in the next. Headings, figures, tables, equations and
// notes are numbered through the page. The first heading of level 1 is the page's title, which stands in its frame. The
// others move to the levels from 2 on, keep their order and skip no level; those of one name get numbers; within a fold
// or a list they are bold text. A link to the file of another body leads to its page, and #A-Heading, as Jupyter writes
// it, to that heading.
//
// # Trust
//
// The author of a source is trusted, and that of a body's prose as far as it can go: it cannot hold HTML. HTML of
// others comes in blocks that package foreign makes. Values, titles, alt texts, cells and data are not, and are shown
// as the text they are. The pages carry a Content-Security-Policy that allows no script, save those of the page
// "search", which Render adds, of explorables and of previews, and none beside HTML of others.
package site
