// The hunt after the fall of the castle: x defenders are left, n soldiers were alive. Its points keep to a hyperbola; the
// Fibonacci thresholds say how long it takes, and 1/φ who wins.

define("castle-hunt", (x) => {
	const n = x.number("n", {label: "soldiers n", most: 200, words: (count) => plural(count, "soldier")});
	const left = x.number("x", {label: "defenders left x", least: 0, most: 200, words: (count) => plural(count, "defender") + " left"});
	const beside = x.choice("beside", {label: "beside it", options: [["more", "the hunt of one defender more"], ["none", "no other hunt"]]});
	let limits = []; // of n
	x.button("The last that is won", () => limits.length && left.set(limits.at(-1).won));
	x.button("The first that is lost", () => limits.length && left.set(limits.at(-1).lost));
	x.button("The longest of so many", () => {
		const longest = limits.filter((row) => row.odd <= n.value).at(-1);
		if (longest) x.set({n: longest.odd, x: longest.even});
	});
	x.reset();

	const answer = x.answer();
	const words = make("p", {className: "x-words"});
	x.stage.append(words);
	const band = plot(x, {label: "Who wins, by the defenders left", height: 74, axes: false, pick: (part) => left.set(plotPart(part, 0n, n.value))});
	let ends = [0n, 1n]; // of the axis of defenders
	const plane = plot(x, {
		label: "The hunt as points of soldiers and defenders left", height: 360,
		pick: (_, up) => left.set(plotWithin(plotPart(up, ...ends), 0n, n.value)),
	});
	const waves = plotTable(x, "The hunt, wave by wave", ["wave", ["soldiers at its start, ", plotLetter("S")], ["defenders left, ", plotLetter("x"), " (below 0: soldiers to spare)"], ["share killed, ", plotLetter("x"), "/", plotLetter("S")]]);
	const formula = make("p", {className: "x-words"});
	x.stage.append(formula);
	const thresholds = plotTable(x, "The thresholds, by the waves of the hunt", []);

	x.draw(async () => {
		const [soldiers, defenders] = [n.value, left.value];
		const hunt = await huntAsk(x, soldiers, defenders);
		const other = beside.value === "more" && defenders < soldiers ? await huntAsk(x, soldiers, defenders + 1n) : undefined;
		const {ints} = await x.ask("castle.limits", soldiers);
		limits = plotRows(ints, 0, 6).map(([k, won, lost, even, odd, next]) => ({k, won, lost, even, odd, next}));
		left.range(0, soldiers);

		answer(huntVerdict(hunt));
		words.textContent = huntShares(hunt);
		x.say(huntVerdict(hunt));
		huntBand(band, soldiers, defenders, limits);
		ends = huntPlane(plane, soldiers, hunt, other);
		waves.show(hunt.waves.map(([start, rest], i) => [
			i === 0 ? "the fall" : plural(i, "wave") + " later", spoken(start), plotMinus(rest),
			hunt.shares[i] || (hunt.won ? "none: won ✓" : "all: lost ✗"),
		]));
		huntThresholds(thresholds, formula, soldiers, defenders, hunt, limits);
	});
});

const huntAsk = async (x, soldiers, defenders) => {
	const {ints, text} = await x.ask("castle.hunt", soldiers, defenders);
	const [form, golden, ...shares] = text.split("\n");
	return {won: ints[0] === 1n, later: ints[1], waves: plotRows(ints, 2, 2), form, golden, shares};
};

const huntVerdict = ({won, later, waves}) => {
	const when = later === 0n ? "with the fall of the castle" : plural(later, "wave") + " after the fall";
	return won ? "The soldiers win " + when + ", and " + spoken(waves.at(-1)[0]) + (waves.at(-1)[0] === 1n ? " comes home" : " come home") : "The castle wins " + when;
};

// huntShares says how the share of the soldiers that a wave kills leaves 1/φ.
const huntShares = ({won, later, form, golden, shares}) => {
	if (later === 0n) return won ? "No defender is left, so nobody has to be hunted." : "At least as many defenders are left as there are soldiers, so nobody survives the fall.";
	const all = shares.slice(0, -1), way = (all.length > 7 ? [...all.slice(0, 3), "…", ...all.slice(-3)] : all).join(", ");
	return "The wave of the fall kills " + shares[0] + " of the soldiers. That is " + (won ? "below" : "above") + " " + plotFormula("1/φ = " + golden) + ", and each wave takes it further away: "
		+ way + ", and in the last wave " + (won ? "nobody" : "everybody") + ". What stays the same is " + plotFormula("S² − Sx − x² = " + plotMinus(form)) + ", which is "
		+ (won ? "positive, so the soldiers win." : "negative, so the castle wins.");
};

// huntBand draws a line of all numbers of defenders that can be left, with the waves that the hunt takes.
const huntBand = (band, soldiers, defenders, limits) => {
	band.show({
		x: [0n, soldiers], y: [0, 1],
		words: "Won with up to " + spoken(limits.at(-1).won) + " defenders left, lost with " + spoken(limits.at(-1).lost) + " or more",
		draw: ({x, left, right}) => {
			const piece = (from, to, kind, k) => {
				const [a, b] = [x(from), x(to)];
				const parts = [makeSVG("rect", {class: "x-piece", x: a, y: 22, width: Math.max(0, b - a), height: 26, fill: colours(kind).ground})];
				if (b - a > 20) parts.push(plotText(spoken(k), (a + b) / 2, 40));
				return parts;
			};
			const pieces = limits.flatMap(({k, won, lost}, i) => {
				const before = limits[i - 1];
				return [
					...(i === 0 ? [] : piece(before.won, won, "won", k)),
					...(i === 0 ? [] : piece(lost, before.lost, "lost", k)),
				];
			});
			const golden = (x(limits.at(-1).won) + x(limits.at(-1).lost)) / 2, at = x(plotWithin(defenders, 0n, soldiers));
			return [
				...pieces,
				makeSVG("path", {class: "x-guide", d: "M" + golden + " 14V56"}),
				plotText("✓ won, in so many waves", left, 66, "start"), plotText("✗ lost", right, 66, "end"), plotText("n/φ", golden, 66),
				makeSVG("path", {class: "x-pointer", d: "M" + at + " 24l-7 -12h14zM" + at + " 22V50"}),
			];
		},
	});
};

// huntPlane draws hunts as points of soldiers and defenders left, and returns the ends of the axis of defenders.
const huntPlane = (plane, soldiers, hunt, other) => {
	const least = [hunt, other].filter(Boolean).flatMap(({waves}) => waves.map(([, rest]) => rest)).reduce((a, b) => b < a ? b : a, 0n);
	const right = soldiers * 28n / 25n + 1n, bottom = least - soldiers * 3n / 25n - 1n, top = right;
	plane.show({
		x: [0n, right], y: [bottom, top], xLabel: "soldiers at the start of a wave, S", yLabel: "defenders left, x",
		words: hunt.waves.map(([start, rest]) => spoken(start) + " soldiers, " + plotMinus(rest)).join("; "),
		draw: ({x, y, left, right: edge, top: ceiling, bottom: floor}) => {
			const share = (u, v) => [x(0n) + u * (x(soldiers) - x(0n)), y(0n) + v * (y(soldiers) - y(0n))]; // of n
			const golden = (1 + Math.sqrt(5)) / 2, corner = Number(top) / Number(soldiers), end = Number(right) / Number(soldiers);
			const area = (kind, corners) => makeSVG("polygon", {class: "x-area", points: corners.map((p) => p.join(",")).join(" "), fill: colours(kind).ground});
			const orbit = ({waves: [[start, rest]]}, kind) => {
				const r = Number(rest) / Number(start), form = 1 - r - r * r, points = [];
				for (let i = 0; i <= 200; i++) {
					const u = end * i / 200, v = (Math.sqrt(5 * u * u - 4 * form) - u) / 2;
					points.push(v <= corner ? share(u, v) : [NaN, NaN]);
				}
				return plotLine(points, kind);
			};
			const at = ([start, rest]) => [x(start), y(rest < top ? rest : top)]; // more defenders than the slider has stand at the edge
			const path = ({waves}, kind) => plotLine(waves.map(at), kind);
			const marks = ({waves, won}) => waves.map((wave) => plotMarks[won ? "won" : "lost"](...at(wave)));
			const note = plotNotes({left, right: edge}), middle = share(0.62 * end, 0.62 * end / golden);
			const name = note("x = S/φ", ...middle, !hunt.won);
			const all = [hunt.waves.at(-1), ...hunt.waves.slice(0, -1)];
			const notes = all.flatMap((wave) => note((wave[1] > top ? "↑ " : "") + "(" + spoken(wave[0]) + ", " + plotMinus(wave[1]) + ")", ...at(wave), hunt.won || wave[1] > top));
			// The area's name stands where no point is in its way.
			const lost = [29, 60].reduce((found, down) => found.length ? found : note("✗ no soldier is left", left, ceiling + down), []);
			return [
				area("won", [[left, y(0n)], [edge, y(0n)], [edge, floor], [left, floor]]),
				area("lost", [[x(0n), y(0n)], share(corner, corner), [left, ceiling]]),
				plotText("✓ no defender is left", edge - 4, floor - 6, "end"), ...lost,
				plotLine([share(0, 0), share(end, end / golden)], "x-guide"), ...name,
				...(other ? [orbit(other, "x-curve"), path(other, "x-beside"), ...marks(other)] : []),
				orbit(hunt, "x-curve"), path(hunt, "x-path"), ...marks(hunt), ...notes,
			];
		},
	});
	return [bottom, top];
};

// huntThresholds puts the numbers into the formula, and shows the thresholds up to the one that decides.
const huntThresholds = (table, formula, n, x, {won, later}, limits) => {
	const shown = limits.slice(0, Number(later) + 1), {k, even, odd, next} = shown.at(-1), before = shown.at(-2);
	const product = (a, b) => plotFormula(spoken(a) + " · " + spoken(b) + " = " + spoken(a * b));
	const [index, sign, other] = won ? [["2k + 1", "2k"], "≤", ">"] : [["2k + 2", "2k + 1"], "≥", "<"];
	const compare = (row, sign) => won ? product(x, row.odd) + " " + sign + "\u00a0" + product(n, row.even) : product(x, row.next) + " " + sign + "\u00a0" + product(n, row.odd);
	formula.replaceChildren(
		plotLetter("k"), plotFormula(" = " + spoken(k)) + " is the least ", plotLetter("k"), " with ", plotLetter("x"), plotFormula(" F(" + index[0] + ") " + sign + " "), plotLetter("n"), plotFormula(" F(" + index[1] + ")") + ": ",
		compare({even, odd, next}, sign), before ? ", but " + compare(before, other) + "." : ".",
	);
	const named = won ? ["waves k", "F(2k)/F(2k + 1)", "won with up to", "x = " + spoken(x)] : ["waves k", "F(2k + 1)/F(2k + 2)", "lost with", "x = " + spoken(x)];
	table.name([named[0], plotFormula(named[1]), named[2], plotFormula(named[3])]);
	table.show(shown.map((row, i) => [
		spoken(row.k), won ? spoken(row.even) + "/" + spoken(row.odd) : spoken(row.odd) + "/" + spoken(row.next), won ? spoken(row.won) : spoken(row.lost) + " or more",
		i === shown.length - 1 ? (won ? "is within ✓" : "is as many ✗") : won ? "is more" : "is fewer",
	]), shown.length - 1);
};
