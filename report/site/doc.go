// Package site turns Markdown, figures and tables into static HTML pages, and publishes them.
//
// It knows no game and no way to draw. A caller fills a Site with pages; Render turns it into files in memory, or
// refuses it with the file and line of every fault; Publish puts the files in place in one step. A page that is
// published needs no network and no further file, and no script but to search.
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
// The functions figure, table and fragment stand on a line of their own. A reference (fig:, tbl:, eq:, sec: and an
// anchor, page: and a slug) finds its target on its own page or else on the one page that has it; "fig:slug/id" names
// the page. Its text is the target's number, or a second argument. The function text escapes a value of a page's own
// functions as Value does.
//
// Beside CommonMark there are GFM tables, ~~strike~~, footnotes, definition lists, fenced code in colours, and math:
// $...$ within a line without spaces next to the dollars, $$...$$ without blank lines. An equation has a number where it
// has a \label{eq:name} or a \tag, and so has each row of align and gather. A dollar sign is \$. A block quote that
// starts with [!NOTE] and the like, and perhaps a title, is a callout. HTML is refused, apart from comments.
//
// Everything that has a number has an anchor made of its name, so that links survive edits: headings their title or
// {#name}, figures fig-id, tables tbl-id, equations eq-name.
//
// Whatever is probably a slip fails the build rather than show on the page: an unknown value, reference, figure, link or
// footnote, a figure that the text forgot, a lone dollar sign, bad TeX, a heading that leaves out a level.
//
// # Trust
//
// The author of a source and of Fragments is trusted; values, titles, alt texts, cells and data are not, and are shown
// as the text they are. The pages carry a Content-Security-Policy that allows no script, save the one of the page "search", which
// Render adds, and of an edition of one file: it is admitted by its hash.
package site
