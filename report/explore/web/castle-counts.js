// The ways to win, by wave and side, for any battle that can be counted in about a second. The numbers are texts: they have
// more digits than any number of a script.

define("castle-counts", (x) => {
	const [n, s, d] = castleFields(x, {n: 80, s: 250, d: 80});
	const convention = x.choice("convention", {label: "castle's ways", options: look.conventions.map((name) => [name, name])});
	const wave = x.number("wave", {label: "look at wave", most: 60, words: (at) => "wave " + spoken(at)});
	x.reset();
	const answer = x.answer();
	const words = make("p", {className: "x-words"});
	x.stage.append(words);
	let ends = [0, 1]; // of the axis of waves
	const place = plot(x, {label: "Ways to win by wave, of the soldiers upwards and of the castle downwards", height: 380, pick: (part) => wave.set(Math.max(1, Math.round(ends[0] + part * (ends[1] - ends[0]))))});
	const table = plotTable(x, "Ways to win, wave by wave", []);

	let known; // the last count: it stays as long as the battle does
	const count = async () => {
		const key = [n.value, s.value, d.value, convention.value].join();
		if (known && known.key === key) return known;
		const index = look.conventions.indexOf(convention.value);
		const found = await countsAsk(x, [n.value, s.value, d.value], index);
		const complete = index === 0 ? found : await countsAsk(x, [n.value, s.value, d.value], 0);
		return known = {key, ...found, all: complete};
	};

	x.draw(async () => {
		const found = await count(), rows = countsRows(found);
		wave.range(1n, rows.at(-1).wave);
		const at = wave.value, chosen = rows.find((row) => row.wave === at);
		answer(countsOf(found.soldiers) + " for the soldiers, " + countsOf(found.castle) + " for the castle");
		const inWave = "In wave " + spoken(at) + (chosen ? " the soldiers win in " + countsOf(chosen.soldiers) + ", and the castle in " + countsOf(chosen.castle) + "." : " nobody can win.");
		words.textContent = countsWords(found, rows) + " " + inWave;
		x.say(inWave);
		ends = countsPlot(place, rows, at);
		const omitted = rows.some(({left}) => left > 0n), middle = rows.filter((row) => row.wave < at).length;
		const from = rows.length > 60 ? Math.max(0, Math.min(middle - 10, rows.length - 21)) : 0, near = rows.length > 60 ? rows.slice(from, from + 21) : rows;
		table.name(["wave", "soldiers", "castle", ...(omitted ? ["left out"] : [])]);
		table.show(near.map((row) => [spoken(row.wave), spoken(row.soldiers), spoken(row.castle), ...(omitted ? [spoken(row.left)] : [])]), near.indexOf(chosen));
	});
});

const countsAsk = async (x, battle, index) => {
	const {text} = await x.ask("castle.count", ...battle, index);
	const [soldiers, castle, ties, ...lines] = text.split("\n");
	return {soldiers, castle, ties, lines: lines.map((line) => line.split(" "))};
};

// countsRows joins a count with that of all ways: what it leaves out of the castle's.
const countsRows = ({lines, all}) => {
	const counted = new Map(lines.map(([wave, soldiers, castle]) => [wave, castle]));
	return all.lines.map(([wave, soldiers, castle]) => {
		const own = counted.get(wave) || "0";
		return {wave: BigInt(wave), soldiers, castle: own, all: castle, left: BigInt(castle) - BigInt(own)};
	});
};

const countsOf = (ways) => plural(ways, "way");

// countsWords say what the picture shows.
const countsWords = ({soldiers, castle, ties, all}, rows) => {
	const [up, down] = countsHeights(rows), left = BigInt(all.castle) - BigInt(castle), total = BigInt(soldiers) + BigInt(castle) + BigInt(ties);
	const share = Number(BigInt(soldiers) * 1000n / total) / 10, digits = total.toString().length;
	const tie = ties === "0" ? "" : " One path ends as a tie.";
	return (total === 1n ? "There is only one path." : "Of all " + (digits > 30 ? "paths, whose number has " + digits + " digits, " : spoken(total) + " paths, ") + share.toFixed(1) + "\u00a0% are won by the soldiers.")
		+ tie + (left > 0n ? " " + countsOf(left) + " of the castle " + (left === 1n ? "is" : "are") + " left out: the part of a bar that is only outlined." : "")
		+ (up + down > 3 ? " Mind the axis: from line to line there are " + plotShort(10n ** BigInt(countsStep(up + down)), 7) + " times as many ways." : "");
};

// countsLog is the logarithm of a number of any length to the base 10, and somewhat more, so that 1 has a bar.
const countsLog = (ways) => ways === "0" ? 0 : 0.4 + Math.log10(Number(ways.slice(0, 15))) + Math.max(0, ways.length - 15);

// countsHeights are the heights of the tallest bars, up and down.
const countsHeights = (rows) => [Math.max(0.8, ...rows.map((row) => countsLog(row.soldiers))), Math.max(0.8, ...rows.map((row) => countsLog(row.all)))];

// countsStep is how many powers of ten lie between two lines.
const countsStep = (height) => [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((k) => height / k < 9) || 2000;

// countsPlot draws bars, and returns the ends of the axis of waves.
const countsPlot = (place, rows, at) => {
	const first = Number(rows[0].wave), last = Number(rows.at(-1).wave), span = [first - 1, last + 1];
	const [up, down] = countsHeights(rows);
	const step = countsStep(up + down);
	const powers = (most, sign) => {
		const ticks = [];
		for (let k = step === 1 ? 0 : step; k + 0.4 <= most; k += step) ticks.push([sign * (k + 0.4), k === 0 ? "1" : k === 1 ? "10" : plotShort(10n ** BigInt(k), 1)]);
		return ticks;
	};
	place.show({
		x: span, y: [-down - 0.3, up + 0.3], yTicks: [...powers(up, 1), ...powers(down, -1)], xLabel: "wave in which the battle is won", yLabel: "ways, log scale",
		words: rows.slice(0, 30).map(({wave, soldiers, castle}) => "wave " + wave + ": " + soldiers + " and " + castle).join("; "),
		draw: ({x, y, left, right, top, bottom}) => {
			const half = Math.max(0.5, 0.4 * (x(first + 1) - x(first)));
			const bars = (from, to) => rows.map((row) => [x(Number(row.wave)), y(from(row)), y(to(row))]).filter(([, a, b]) => Math.abs(a - b) > 0.01)
				.map(([px, a, b]) => "M" + (px - half).toFixed(2) + " " + a.toFixed(2) + "V" + b.toFixed(2) + "h" + (2 * half).toFixed(2) + "V" + a.toFixed(2) + "z").join("");
			const own = (row) => -countsLog(row.castle);
			const here = x(Number(at));
			return [
				makeSVG("path", {class: "x-bar", d: bars(() => 0, (row) => countsLog(row.soldiers)), fill: colours("won").ground}),
				makeSVG("path", {class: "x-bar", d: bars(() => 0, own), fill: colours("lost").ground}),
				makeSVG("path", {class: "x-bar-left-out", d: bars(own, (row) => -countsLog(row.all))}),
				makeSVG("path", {class: "x-frame", d: "M" + left + " " + y(0) + "H" + right}),
				plotText("soldiers ↑", right - 4, top + 16, "end"), plotText("castle ↓", right - 4, bottom - 8, "end"),
				...(here < left || here > right ? [] : [makeSVG("path", {class: "x-pointer", d: "M" + here + " " + (top + 2) + "l-6 -11h12z"}), makeSVG("path", {class: "x-guide", d: "M" + here + " " + top + "V" + bottom})]),
			];
		},
	});
	return span;
};
