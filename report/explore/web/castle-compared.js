// Two algorithms over a grid of the reader's own: where one differs from the other, and one of the battles as both fight
// it.

// castleJudgements are the verdicts as classes of a map: by best play, or by another algorithm, which need not be right.
const castleJudgements = (() => {
	const known = {}, beside = ["as the other", "the other side", "more waves", "fewer waves", "not asked"];
	return (byBest) => known[[dark.matches, byBest]] || (known[[dark.matches, byBest]] = look.verdicts.map(({words, look: {sign, ...themes}}, i) => {
		const {ground, mark, pattern} = themes[dark.matches ? "dark" : "light"], label = byBest ? words : beside[i];
		return {ground: rgb(ground), mark: rgb(mark), pattern, sign, name: label, label};
	}));
})();

const castleSame = Uint8Array.from({length: 256}, (_, i) => Math.min(i, look.verdicts.length - 1));

// castleSide is one of the two battles: what an algorithm says of it, and how it plays it.
const castleSide = () => {
	const title = make("p", {className: "x-castle-side"}), text = make("p", {className: "x-castle-end"}), table = castleTable("");
	return {
		element: make("div", {}, title, text, table.element),
		show(algorithm, n, s, line) {
			const runs = castleRuns(line.ints);
			title.textContent = algorithm.title;
			table.element.setAttribute("aria-label", algorithm.title + ", wave by wave");
			text.textContent = runs.length > 0 ? "So played, " + castleEnd(runs) + "." : "It plays no battle. It says: " + line.text + ".";
			table.show(n, s, runs);
		},
	};
};

define("castle-compared", (x) => {
	const options = look.algorithms.map(({name, title}) => [name, title]);
	const algorithm = x.choice("algorithm", {label: "algorithm", options}), measure = x.choice("measure", {label: "measured by", options});
	const n = x.number("n", {label: "soldiers", most: 60, words: (value) => plural(value, "soldier")});
	const bounds = make("details", {className: "x-castle-grid"}, make("summary", {}, "The grid"));
	x.controls.append(bounds);
	const bound = (name, label, most) => {
		const field = x.number(name, {label, most});
		bounds.append(field.row);
		field.label = label;
		return field;
	};
	const [sa, sz, da, dz] = [bound("sa", "first castle hits", 400), bound("sz", "last castle hits", 400), bound("da", "first defenders", 200), bound("dz", "last defenders", 200)];
	const pairs = x.buttons = x.row("Compare:");
	const ofKind = (kind) => look.algorithms.filter((one) => one.kind === kind), [best] = ofKind("exact"), [one, other] = ofKind("heuristic");
	const offer = (of, by) => { if (of && by) x.button(of.title + " and " + by.title, () => x.set({algorithm: of.name, measure: by.name}), pairs); };
	offer(one, best);
	offer(one, other);
	offer(ofKind("formula")[0], best);
	x.reset();

	const answer = x.answer();
	let cells, key, part, axes, lines, worst, counts, judgement;
	const plane = map(x, {
		label: "Map of how two algorithms differ, by castle hits and defenders",
		move: (column, row) => {
			const to = (first, cell, last) => { const value = first + BigInt(cell); return value < first ? first : value > last ? last : value; };
			x.set({s: to(sa.value, column, sz.value), d: to(da.value, row, dz.value)});
		},
	});
	const classes = legend(x), jumps = make("div", {className: "x-row"});
	const summary = make("p", {className: "x-castle-facts"});
	x.stage.append(jumps, summary);
	const s = x.number("s", {label: "castle hits", most: 400, words: (value) => plural(value, "hit")});
	const d = x.number("d", {label: "defenders a wave", most: 200, words: (value) => plural(value, "defender") + " a wave"});
	const sides = [castleSide(), castleSide()];
	x.stage.append(make("div", {className: "x-controls"}, s.row, d.row), make("div", {className: "x-castle-sides"}, ...sides.map(({element}) => element)));

	// jump goes to the next battle of which something holds, row by row from where the point is.
	const jump = (wanted, none) => {
		const {columns, rows} = part, at = castleHas(part, s.value, d.value) ? Number(d.value - da.value) * columns + Number(s.value - sa.value) : -1;
		for (let i = 1; i <= columns * rows; i++) {
			const cell = (at + i) % (columns * rows);
			if (wanted(cells[cell])) return x.set({s: sa.value + BigInt(cell % columns), d: da.value + BigInt(Math.floor(cell / columns))});
		}
		x.say(none);
	};
	const ready = (press) => () => { if (cells) press(); };
	x.button("Next difference", ready(() => jump((verdict) => verdict !== 0, "There is no difference on this grid.")), jumps);
	x.button("Where it takes most waves more", ready(() => { if (worst[0] > 0n) x.set({s: worst[1], d: worst[2]}); else x.say("Nowhere on this grid does it take more waves."); }), jumps);

	const place = () => {
		for (const [first, last] of [[sa, sz], [da, dz]]) {
			if (last.value < first.value) throw new Refused(last.label + " (" + last.name + ") = " + spoken(last.value) + ": the first are " + spoken(first.value) + ", choose that or more");
		}
		for (const [field, last] of [[s, sz], [d, dz]]) if (field.most !== last.value) field.range(1, last.value);
		castleStretch(n, 60);
	};

	x.draw(async () => {
		place();
		const [of, by] = [algorithm, measure].map((field) => look.algorithms.find(({name}) => name === field.value)), byBest = by.kind === "exact" || by.kind === "check";
		const columns = sz.value - sa.value + 1n, rows = dz.value - da.value + 1n;
		const asked = [n.value, sa.value, 1, columns, da.value, 1, rows, by.place, of.place], next = asked.join();
		const hits = [n.value, s.value, d.value];
		const [drawn, here, ...played] = await Promise.all([
			next === key ? undefined : x.ask("castle.compared", ...asked), x.ask("castle.compared", n.value, s.value, 1, 1, d.value, 1, 1, by.place, of.place),
			...[of, by].map(({place: at}) => x.ask("castle.line", ...hits, at)),
		]);
		if (drawn) {
			part = {s0: sa.value, d0: da.value, sStep: 1n, dStep: 1n, columns: Number(columns), rows: Number(rows)};
			[key, cells, lines, worst] = [next, drawn.bytes, castleLines(n.value, drawn.ints[0], part), drawn.ints.subarray(1)];
			axes = {x: {label: "castle hits", first: sa.value, step: 1n}, y: {label: "defenders a wave", first: da.value, step: 1n}};
		}
		const judged = castleJudgements(byBest), there = castleHas(part, s.value, d.value);
		counts = plane.show({columns: part.columns, rows: part.rows, cells, classOf: castleSame, classes: judged, lines, ...axes, point: there ? [Number(s.value - sa.value), Number(d.value - da.value)] : undefined});
		classes(judged, counts);
		const {label, sign} = judged[here.bytes[0]], more = here.ints[1];
		judgement = of.title + " by " + by.title + ": " + (sign ? sign + " " : "") + label + (more > 0n ? " (" + spoken(more) + " more)" : "");
		answer(judgement);
		summary.textContent = "Against " + plural(s.value, "hit") + " and " + plural(d.value, "defender") + " a wave, " + of.title + " says: " + played[0].text + "; " + by.title + " says: " + played[1].text + "." + (there ? "" : " This battle is not on the grid.");
		sides.forEach((side, i) => side.show([of, by][i], n.value, s.value, played[i]));
		x.say(judgement + ". " + summary.textContent);
	});
});
