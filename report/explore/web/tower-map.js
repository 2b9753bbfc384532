// The map of which aim wins, as a place to walk: a point of it, how each strategy does there, and the way to the same
// battle by hand.

// towerLooks are the looks of who wins, from the best strategy alone to all of them.
const towerLooks = ["open", "intact", "tied", "quiet"];

// towerClasses are the classes of a map, and of what each cell: the strategies that win, a bit for each.
const towerClasses = (words) => {
	const names = words.strategies.map(([name]) => name), every = (1 << names.length) - 1;
	const colour = (kind) => ({ground: rgb(colours(kind).ground), mark: rgb(colours(kind).mark), pattern: colours(kind).pattern});
	const classes = [{...colour("cannot"), sign: look.outcomes.cannot.sign, name: "no play wins", label: "no play wins"}], classOf = new Uint8Array(every + 1);
	for (let winners = 1; winners <= every; winners++) {
		if (!(winners & 1 << words.best)) continue; // no play does better than the best
		const won = names.filter((_, i) => winners & 1 << i);
		const label = winners === every ? "all of them win" : won.length === 1 ? "only " + won[0] + " wins" : won.join(" and ") + " win";
		classOf[winners] = classes.length;
		classes.push({...colour(towerLooks[(classes.length - 1) % towerLooks.length]), name: label, label});
	}
	return {classes, classOf};
};

define("tower-map", (x) => {
	const columns = 120, rows = 40;
	const fields = [
		x.number("n", {label: "soldiers", most: columns, limit: 999, words: (n) => plural(n, "soldier")}),
		x.number("h", {label: "hits per tower", most: 20, limit: 99, words: (h) => plural(h, "hit") + " per tower"}),
		x.number("k", {label: "kills per tower", most: 10, limit: 99, words: (k) => plural(k, "kill") + " per tower"}),
		x.number("t", {label: "towers", most: rows, limit: rows, words: (t) => plural(t, "tower")}),
	];
	const [n, h, k, t] = fields;
	x.reset();
	const answer = x.answer(), facts = make("div", {});
	let step = 1n;
	const plane = map(x, {
		label: "Map of which aim wins, by soldiers and towers",
		move: (column, row) => x.set({n: step * BigInt(column + 1) > 999n ? 999n : step * BigInt(column + 1), t: row + 1}),
	});
	const setLegend = legend(x), go = make("div", {className: "x-row"});
	x.stage.append(facts, go);

	let words, key, needs, cells, axes, looks, wasDark;
	const need = (row, i) => needs[row * words.strategies.length + i];

	// survey asks how many soldiers each strategy needs, and fills the map from that.
	const survey = async () => {
		const next = h.value + "," + k.value;
		if (next === key) return;
		needs = (await x.ask("tower.needs", h.value, k.value, 1, rows)).ints;
		const most = need(rows - 1, words.worst);
		step = (most - 1n) / BigInt(columns) + 1n;
		if (step > 8n) step = 8n;
		n.range(1, Math.min(999, columns * Number(step)));
		cells = new Uint8Array(columns * rows);
		for (let row = 0, i = 0; row < rows; row++) {
			for (let column = 1n; column <= BigInt(columns); column++, i++) {
				for (let s = 0; s < words.strategies.length; s++) {
					const enough = need(row, s);
					if (enough > 0n && step * column >= enough) cells[i] |= 1 << s;
				}
			}
		}
		axes = {x: {label: "soldiers", first: step, step}, y: {label: "towers", first: 1n, step: 1n}};
		key = next;
	};

	// The field to play on is the last one before the map. In a notebook there may be none, and then no way to it.
	const byHand = () => all.slice(0, all.indexOf(x)).findLast((other) => other.host.dataset.kind === "tower-aim");
	const play = x.button("Play this battle by hand", () => {
		const field = byHand();
		field.set({n: n.value, h: h.value, k: k.value, t: t.value, moves: "", aim: ""});
		field.host.scrollIntoView({block: "center", behavior: still.matches ? "auto" : "smooth"});
	}, go);

	x.draw(async () => {
		if (!words) {
			words = await towerWords(x);
			for (const [i, [name]] of words.strategies.entries()) {
				x.button("As few as win by " + name, () => {
					const enough = need(Number(t.value) - 1, i);
					x.set({n: enough > 999n ? 999n : enough});
				}, go);
			}
		}
		play.hidden = !byHand();
		await survey();
		if (!looks || wasDark !== dark.matches) [looks, wasDark] = [towerClasses(words), dark.matches];
		const {ints} = await x.ask("tower.play", n.value, h.value, k.value, t.value);
		const ends = words.strategies.map((_, i) => ints.slice(6 + 3 * i, 9 + 3 * i));
		const winners = ends.reduce((all, [winner], i) => all | (winner === 1n ? 1 << i : 0), 0);
		const label = looks.classes[looks.classOf[winners]].label;
		const headline = plural(n.value, "soldier") + " against " + plural(t.value, "tower") + ": " + label;
		answer(headline);
		x.say(headline + ".");
		facts.replaceChildren(towerTable("Against " + plural(t.value, "tower") + " of " + plural(h.value, "hit") + " and " + plural(k.value, "kill"), ["strategy", "needs", "with " + plural(n.value, "soldier")],
			words.strategies.map(([name], i) => [name, plural(need(Number(t.value) - 1, i), "soldier"), towerMark(ends[i][0]) + " " + towerEnd(ends[i])])));
		const column = Math.max(0, Number(n.value / step) - 1);
		setLegend(looks.classes, plane.show({columns, rows, cells, ...looks, ...axes, point: [Math.min(columns - 1, column), Number(t.value) - 1]}));
	});
});
