// Package show displays figures, tables and checked claims as the output of a notebook cell, one line of code each.
//
//	show.Figure(figure.Lines{...})              // any struct of report/figure
//	show.Plot(p, "two lines that cross at 3")   // any *plot.Plot of gonum.org/v1/plot
//	show.Explore(figure.PhaseMap{...}, "castle-map", "n=24&s=36&d=24") // where scripts may run, readers play with it
//	show.Slider("n", 1, 60, 24, func(n int64) show.Drawing { ... }) // redrawn while the slider moves
//	show.NewTable("", "n", "n²").Row(1, 1).Row(2, 4).Show()
//	show.Text("%d battles", n)
//	show.Claim(n == m, "both roads lead to %d", n)
//
// It holds these opinions:
//
//   - A picture is an HTML <img> with its SVG inside. Front ends strip scripts, styles and bare SVG from a notebook
//     that they do not trust, and so do converters; images they keep. It has a light ground of its own, so that it can
//     be read on a dark page. A figure to play with has its script behind it, which they strip or run.
//   - Whatever is shown is sent as HTML and as plain text, which the front end may choose from: for a picture the text
//     is its description. It is also what a program prints that runs outside of a notebook. Beside them goes the thing
//     itself, as data under a media type of its own, see [content.Marshal]: the report makes of it what it makes of its
//     chapters' figures, tables and claims, and front ends pass over it.
//   - A call returns when the kernel has published the output, and begins when the kernel has published what the cell
//     has printed before. So all comes in the order of the program, and nothing is lost when the cell ends or fails at
//     once. Only Linux shows what the kernel has published; elsewhere a display waits a moment, and may overtake what
//     was printed on a busy machine.
//   - A cell that cannot show what it should, or whose claim does not hold, ends with a line that says why, see [Fail].
//
// Every cell is linked anew, so the package imports little. It knows no game; those are in folders below.
package show
