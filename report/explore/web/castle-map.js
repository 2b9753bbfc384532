// The phase map of the castle as a place to walk: a point of it, and all that is to be said of that battle.

// Classes of the fewest waves: those of the figures, and two outcomes.
const castleClassesNow = () => {
	const ends = look.ends.map(Number), ranges = ends.map((end, i) => [i === 0 ? 1 : ends[i - 1] + 1, end]);
	const waves = [...ranges, [ends.at(-1) + 1, Infinity]].map(([from, to], i, all) => {
		const name = to === Infinity ? from + "+" : from === to ? String(from) : from + "–" + to;
		return {ground: scaleColour(i / (all.length - 1)), name, label: to === Infinity ? from + " waves or more" : name + (to === 1 ? " wave" : " waves")};
	});
	const outcome = (kind, name, label) => ({ground: rgb(colours(kind).ground), mark: rgb(colours(kind).mark), pattern: colours(kind).pattern, sign: look.outcomes[kind].sign, name, label});
	return [...waves, outcome("cannot", "cannot win", "cannot win"), {...outcome("tied", "tie", "tie: cannot win, but hold for ever"), thin: true}];
};
const castleClasses = (() => {
	const known = {};
	return () => known[dark.matches] || (known[dark.matches] = castleClassesNow());
})();

// The class of each cell that the engine has: 0 is lost, 255 tied, all else are waves.
const castleClassOf = (() => {
	const of = new Uint8Array(256), last = look.ends.length;
	for (let waves = 1; waves < 255; waves++) {
		const at = look.ends.findIndex((end) => waves <= end);
		of[waves] = at < 0 ? last : at;
	}
	of[0] = last + 1;
	of[255] = last + 2;
	return of;
})();

// castleLines are the golden border and where it ends, in the cells of a part: n soldiers, and how far it reaches.
const castleLines = (n, reach, {s0, d0, sStep, dStep, columns, rows}) => {
	const across = (s) => Number(s - s0) / Number(sStep) + 0.5, up = (d) => Number(d - d0) / Number(dStep) + 0.5;
	const past = (s) => across(s) + 0.5 / Number(sStep); // between two castles
	const right = s0 + sStep * BigInt(columns), top = d0 + dStep * BigInt(rows), sum = 2n * n + reach;
	const within = (value, low, high) => value >= low && value <= high, least = (a, b) => a < b ? a : b, most = (a, b) => a > b ? a : b;
	const from = most(most(n, s0 - sStep), sum - top), to = least(least(n + reach, right), sum - d0 + dStep), lines = [];
	if (from < to) lines.push({points: [[past(from), up(sum - from)], [past(to), up(sum - to)]], name: "d + s = (φ+1) n"});
	if (within(n, s0, right)) lines.push({points: [[past(n), 0], [past(n), rows]], name: "s = n", dashed: true});
	if (within(n, d0, top) && n < right) lines.push({points: [[Math.max(0, past(n)), up(n)], [columns, up(n)]], name: "d = n", dashed: true});
	return lines;
};

// castleStretch lets the slider of a field reach farther than to most, if its value does. It shrinks again only when no
// hand is on a slider.
const castleStretch = (field, most) => {
	let end = BigInt(most);
	for (let i = 0; field.value > end; i++) end = end / 5n * (i % 2 ? 10n : 25n);
	if (end < field.most && focus() && focus().type === "range") return;
	if (end > largest) end = largest;
	if (end !== field.most) field.range(1, end);
};

// castlePresets are the battles that the page has to offer, as the settings of its figure.
const castlePresets = (x) => {
	const read = (name) => x.start.has(name) ? x.start.get(name).split(",").map(BigInt) : undefined;
	const go = ([n, s, d], view = "") => () => x.set({n, s, d, view});
	const pair = read("pair");
	if (pair) {
		const [won, lost, s, d] = pair, row = x.row(plural(s, "hit") + ", " + plural(d, "defender") + " a wave:");
		const near = castleViewText(castleAround({sStep: 1n, dStep: 1n, size: 50}, s, d));
		x.button(plural(won, "soldier"), go([won, s, d], near), row);
		row.append("or");
		x.button(plural(lost, "soldier") + "?", go([lost, s, d], near), row);
	}
	const row = x.buttons = x.row("Go to:");
	for (const [name, label] of [["golden", "the golden border"], ["tie", "a tie"], ["wrong", "where all the posts are wrong"], ["long", "a very long siege"]]) {
		const battle = read(name);
		if (battle) x.button(label, go(battle), row);
	}
};

define("castle-map", (x) => {
	const ends = [200, 400, 200], [n, s, d] = castleFields(x, {n: ends[0], s: ends[1], d: ends[2]});
	const view = x.memory("view", "", (text) => castleView(text) === null ? "it has to be nothing, or the first castle hits, the first defenders, their steps, and the columns" : "");
	castlePresets(x);
	x.reset();
	const answer = x.answer();
	const facts = make("p", {className: "x-castle-facts"});
	x.stage.append(facts);
	let part, cells, key, lines, axes;

	const turn = (next) => x.set({view: castleViewText(next)});
	const zoom = (closer) => {
		const next = closer > 0 ? castleCloser(part) : castleFarther(part);
		if (next) turn(castleAround(next, s.value, d.value));
		else x.say(closer > 0 ? "Closer it does not go." : "This is as far away as it goes.");
	};
	const plane = map(x, {
		label: "Map of who wins, by castle hits and defenders", zoom,
		move: (column, row) => {
			const to = (first, step, cell) => { const value = first + BigInt(cell) * step; return value < 1n ? 1n : value > largest ? largest : value; };
			x.set({s: to(part.s0, part.sStep, column), d: to(part.d0, part.dStep, row)});
		},
	});
	const zooms = make("div", {className: "x-row"});
	x.stage.append(zooms);
	x.button("Closer", () => zoom(1), zooms);
	x.button("Farther", () => zoom(-1), zooms);
	x.button("Whole map", () => x.set({view: ""}), zooms);
	const classes = legend(x);
	const battle = castleBattle(x);
	const posts = castlePosts(x);

	// place finds the part that has the point on it. While the reader holds the point, it stays where it is.
	const place = () => {
		if (part && plane.held()) return;
		const own = castleView(view.value);
		part = own ? castleHas(own, s.value, d.value) ? own : castleAround(own, s.value, d.value) : castleWhole(n.value, s.value, d.value);
		if (own) view.text = castleViewText(part);
	};

	x.draw(async () => {
		place();
		[n, s, d].forEach((field, i) => castleStretch(field, ends[i]));
		const {s0, d0, columns, rows, sStep, dStep} = part;
		const asked = [n.value, s0, sStep, columns, d0, dStep, rows], next = asked.join();
		const hits = [n.value, s.value, d.value];
		const [verdict, line, judged, drawn] = await Promise.all([
			x.ask("castle.answer", ...hits), battle.ask(...hits), x.ask("castle.judged", ...hits),
			next === key ? undefined : x.ask("castle.map", ...asked),
		]);
		if (drawn) {
			[key, cells, lines] = [next, drawn.bytes, castleLines(n.value, drawn.ints[0], part)];
			axes = {x: {label: "castle hits", first: s0, step: sStep}, y: {label: "defenders a wave", first: d0, step: dStep}};
		}
		const [reach, helped] = verdict.text.split("\n");
		answer(reach);
		facts.textContent = helped;
		x.say("Against " + plural(s.value, "hit") + " and " + plural(d.value, "defender") + " a wave: " + reach + ".");
		const counts = plane.show({columns, rows, cells, classOf: castleClassOf, classes: castleClasses(), lines, ...axes, point: [Number((s.value - s0) / sStep), Number((d.value - d0) / dStep)]});
		classes(castleClasses(), counts);
		battle.show(n.value, s.value, line);
		posts(judged);
	});
});
