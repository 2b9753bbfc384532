// Package figure draws the figures of a report or a notebook cell: maps of values, of agreement and of shares, heat
// maps and masks side by side, histograms, traces, path trees, cost charts, plain lines and boards with pieces. Each
// kind is a struct of input; its Figure method validates the input and returns one value, a [content.Figure], that
// holds everything a page needs: the picture for a light and a dark page, the text that stands for it, its legend and
// its numbers.
//
// The package knows no game and no page. It holds these opinions:
//
//   - Same input, same bytes.
//   - No meaning rests on colour alone: areas carry patterns and signs, lines carry dashes and markers, and legends
//     (HTML, never drawn inside the plot) carry counts.
//   - The alternative text is computed from the data, like the picture.
//   - Text in an SVG is text: it can be selected, searched and read aloud, takes the reader's own font and costs a few
//     bytes. Its width is therefore unknown here; the layout measures with DejaVu Sans, which is wider than the usual
//     interface fonts, so that a label never outgrows its place. Glyph outlines would fix the width, and lose all that.
//   - A figure is laid out [Width] CSS pixels wide, a [Board] perhaps less, and scales. In a viewport of at most 480
//     pixels its text grows by a quarter; the layout leaves room for the larger size from the start, so both sizes
//     share one geometry.
package figure
