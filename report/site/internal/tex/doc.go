// Package tex turns TeX formulas into MathML that browsers show without script, style attributes or fonts from a
// network.
//
// The work is KaTeX's, run in QuickJS, both inside this binary. Compiling KaTeX takes about a tenth of a second and
// starting a further machine a fifth of that, so a Converter compiles it once, keeps its machines, and feeds each many
// formulas at a few milliseconds apiece. Results are kept in a cache, so that a rebuild starts no machine at all.
//
// KaTeX's MathML is written for MathML 3. Browsers implement MathML Core, so the tree is mended: mathvariant letters
// become the Unicode letters they mean, and alignment and spacing of tables become classes for a style sheet.
package tex
