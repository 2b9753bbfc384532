// The phase map of the castle as a place to walk: a point of it, and all that is to be said of that battle.

define("castle-map", (x) => {
	const columns = 400, rows = 200;
	const [n, s, d] = castleFields(x, {n: columns / 4, s: columns, d: rows});
	const answer = x.answer();
	const plane = map(x, {
		label: "Map of who wins, by castle hits and defenders",
		move: (column, row) => x.set({s: column + 1, d: row + 1}),
	});
	x.reset();
	x.draw(async () => {
		const {text} = await x.ask("castle.answer", n.value, s.value, d.value);
		const {bytes} = await x.ask("castle.map", n.value, 1, columns, 1, rows);
		answer(text);
		x.say(text);
		const blocked = rgb(colours("cannot").ground);
		plane.show({
			columns, rows, cells: bytes, point: [Number(s.value) - 1, Number(d.value) - 1],
			colour: (waves) => waves === 0 ? blocked : scaleColour(Math.log2(waves) / 6),
			xLabel: "castle hits, 1 to " + columns, yLabel: "defenders a wave, 1 to " + rows,
		});
	});
});
