// Package show displays figures, tables and checked claims as the output of a notebook cell, one line of code each.
//
//	show.Figure(figure.Lines{...})              // any struct of report/figure
//	show.Plot(p, "two lines that cross at 3")   // any *plot.Plot of gonum.org/v1/plot
//	show.Explore(figure.PhaseMap{...}, "castle-map", "n=24&s=36&d=24") // an explorable, if scripts may run
//	show.Slider("n", 1, 60, 24, func(n int64) show.Drawing { ... }) // redrawn while the slider moves
//	show.NewTable("", "n", "n²").Row(1, 1).Row(2, 4).Show()
//	show.Text("%d battles", n)
//	show.Claim(n == m, "both roads lead to %d", n)
//
// It holds these opinions:
//
//   - A picture is an HTML <img> with its SVG inside. Front ends strip scripts, styles and bare SVG from a notebook
//     that they do not trust, and converters do too; they keep images. A picture has its own light ground, so that it
//     is legible on a dark page. An explorable is followed by its script, which front ends strip or run.
//   - Every output is sent as HTML and as plain text, from which the front end chooses: for a picture the text is its
//     description. A program outside of a notebook prints the text. A third form is data under its own media type,
//     see [content.Marshal]: the report renders it like the figures, tables and claims of its chapters, and front
//     ends ignore it.
//   - A call returns when the kernel has published the output, and begins when the kernel has published what the cell
//     has printed before. So outputs are in the order of the program, and nothing is lost when the cell ends or fails
//     at once. Only Linux shows whether the kernel has published; elsewhere a display waits a moment, and on a busy
//     machine may overtake printed text.
//   - A cell that cannot show its output, or whose claim does not hold, ends with a line that says why, see [Fail].
//
// Every cell is linked anew, so the package imports little. It knows no game; those are in folders below.
package show
