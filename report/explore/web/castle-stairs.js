// The staircase: fewest waves against castles of all strengths. Each stair ends at the further one of two marks, of those who
// strike in wave 2 and of those who wait.

define("castle-stairs", (x) => {
	const [n, s, d] = castleFields(x, {n: 200, s: 400, d: 200});
	let stair; // that of the castle
	x.button("Strongest castle of this stair", () => stair && stair.waves > 0n && s.set(stair.to));
	x.button("One wave more", () => stair && stair.waves > 0n && stair.to < largest && s.set(stair.to + 1n));
	x.reset();
	const answer = x.answer();
	const words = make("p", {className: "x-words"}), formula = make("p", {className: "x-words"});
	x.stage.append(words);
	let ends = [1n, 2n]; // of the axis of castle hits
	const place = plot(x, {label: "Fewest waves by castle hits", height: 360, pick: (part) => s.set(plotWithin(plotPart(part, ...ends), 1n, largest))});
	const striking = make("span", {}, "▲ strike in wave 2, hunt for all waves that are left"), waiting = make("span", {}, "■ wait in wave 2");
	const legend = make("p", {className: "x-words x-legend"}, striking, waiting);
	x.stage.append(legend, formula);

	x.draw(async () => {
		const [soldiers, hits, defenders] = [n.value, s.value, d.value];
		const {ints} = await x.ask("castle.stairs", soldiers, hits, defenders);
		const stairs = plotRows(ints, 1, 5).map(([from, to, waves, struck, waited]) => ({from, to, waves, struck, waited}));
		const at = stairs.findIndex(({from, to}) => from <= hits && hits <= to), after = stairs[at + 1];
		stair = stairs[at];
		const verdict = stair.waves === 0n ? "The soldiers cannot win" : "The soldiers win in " + plural(stair.waves, "wave");
		answer(verdict);
		words.textContent = stair.waves === 0n ? "Every castle of " + plural(stair.from, "hit") + " or more is too strong for them."
			: "It is the same for every castle of " + spoken(stair.from) + " to " + plural(stair.to, "hit") + (!after ? "." : after.waves === 0n
				? ". One hit more, and they cannot win." : ". One hit more takes " + plural(after.waves, "wave") + ".");
		x.say(verdict + ". " + words.textContent);
		striking.hidden = !stairs.some(({struck}) => struck > 0n);
		waiting.hidden = !stairs.some(({waited}) => waited > 0n);
		formula.replaceChildren(...stairsFormula(stair, soldiers, defenders));
		ends = stairsPlot(place, stairs, soldiers, hits);
	});
});

// stairsFormula puts the numbers of a stair into the recursion.
const stairsFormula = ({to, waves, struck, waited}, n, d) => {
	if (waves === 0n) return [];
	if (waves === 1n) return ["The soldiers are as many as the castle can take hits, or more: it falls at once."];
	if (struck === largest || waited === largest) return [];
	const gain = n - d, hunted = struck - n - gain, before = waited - n - gain, most = before > hunted ? before : hunted;
	const start = ["The strongest castle that falls in ", plotLetter("w"), plotFormula(" = " + spoken(waves)) + " waves: ",
		plotLetter("n"), plotFormula(" + A(w) = "), plotLetter("n"), plotFormula(" + ("), plotLetter("n"), plotFormula(" − "), plotLetter("d"), plotFormula(") + ")];
	const sum = " = " + spoken(n) + (gain < 0n ? " − " + spoken(-gain) : " + " + spoken(gain));
	if (waited === 0n) {
		return [...start, plotFormula("T(w − 2)" + sum + " + " + spoken(hunted) + " = " + spoken(to)) + ". So many defenders come that nothing is gained by waiting."];
	}
	return [
		...start, plotFormula("max(A(w − 1), T(w − 2))" + sum + " + max(" + spoken(before) + ", " + spoken(hunted) + ") = " + spoken(to)) + ". ",
		before === hunted ? "To strike and to wait are the same here." : most === hunted ? "Against it they have to strike in wave 2." : "Against it they have to wait in wave 2.",
	];
};

// stairsPlot draws stairs, and returns the ends of the axis of castle hits.
const stairsPlot = (place, stairs, n, hits) => {
	const winnable = stairs.filter(({waves}) => waves > 0n), beyond = stairs.find(({waves}) => waves === 0n);
	const first = winnable[0], last = winnable.at(-1), [low, high] = [first.waves === 1n ? n : first.from, last.to];
	const margin = (high - low) / 12n + 1n;
	const from = first.waves === 1n && n > margin ? n - margin : first.waves === 1n ? 0n : low, to = (high > hits ? high : hits) + margin;
	const shown = beyond ? [from, high + 3n * margin > to ? high + 3n * margin : to] : [from, to];
	place.show({
		x: shown, y: [first.waves - 1n, last.waves + 1n], xLabel: "castle hits, s", yLabel: "fewest waves",
		words: winnable.map(({from, to, waves}) => spoken(from) + " to " + spoken(to) + " hits: " + plural(waves, "wave")).join("; "),
		draw: ({x, y, left, right, top, bottom}) => {
			const at = x(hits), edge = (value) => Math.max(left, x(value));
			const triangle = (px, py) => makeSVG("path", {class: "x-mark", d: "M" + px + " " + (py - 7) + "l6 11h-12z", fill: colours("won").ground});
			const square = (px, py) => makeSVG("rect", {class: "x-mark", x: px - 4.5, y: py - 4.5, width: 9, height: 9, fill: colours("intact").ground});
			const marks = winnable.filter(({waves}) => waves > 1n).flatMap(({waves, struck, waited}) => [
				...(waited > 0n && waited >= shown[0] && waited <= shown[1] ? [square(x(waited), y(waves))] : []),
				...(struck >= shown[0] && struck <= shown[1] ? [triangle(x(struck), y(waves))] : []),
			]);
			const steps = winnable.flatMap(({from, to, waves}) => [[edge(from), y(waves)], [Math.min(right, x(to)), y(waves)]]);
			return [
				...(beyond ? [makeSVG("rect", {class: "x-area", x: x(high), y: top, width: right - x(high), height: bottom - top, fill: colours("lost").ground}), plotText("✗ cannot be won", right - 4, bottom - 10, "end")] : []),
				plotLine(steps, "x-path"), ...marks,
				makeSVG("path", {class: "x-here", d: "M" + at + " " + top + "V" + bottom}), at > (left + right) / 2 ? plotText(spoken(hits), at - 7, top + 14, "end", "x-over x-bold") : plotText(spoken(hits), at + 7, top + 14, "start", "x-over x-bold"),
			];
		},
	});
	return shown;
};
