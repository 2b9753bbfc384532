// How a battle for a castle goes, and what the posts' algorithms make of it.

// castleRuns are the rows of castle.line: equal waves from first to last.
const castleRuns = (ints) => {
	const runs = [];
	for (let i = 0; i < ints.length; i += 8) {
		const [first, last, atCastle, atDefenders, soldiers, defenders, hits, winner] = ints.subarray(i, i + 8);
		runs.push({first, last, atCastle, atDefenders, soldiers, defenders: BigInt.asUintN(64, defenders), hits, winner: look.winners[Number(winner)]});
	}
	return runs;
};

// castleTable makes a table of a battle, which is hidden until it has one. It returns what fills it: (n, s, runs).
const castleTable = (label) => {
	const groups = [["", 1], ["shots at", 2], ["left", 3]], heads = ["wave", "castle", "defenders", "soldiers", "defenders", "castle"];
	const body = make("tbody"), known = [];
	const group = ([text, colSpan]) => make(text ? "th" : "td", text ? {scope: "colgroup", colSpan} : {}, text);
	const table = make("table", {className: "x-castle-battle"}, make("thead", {}, make("tr", {}, ...groups.map(group)), make("tr", {}, ...heads.map((head) => make("th", {scope: "col"}, head)))), body);
	const element = make("div", {className: "x-castle-scroll", tabIndex: 0, role: "region", hidden: true}, table);
	element.setAttribute("aria-label", label);
	const row = (i) => {
		if (known[i]) return known[i];
		const cells = heads.map((_, column) => column === 0 ? make("th", {scope: "row"}) : make("td", column > 2 ? {className: "x-castle-bar"} : {}));
		return known[i] = {tr: make("tr", {}, ...cells), cells};
	};
	const part = (value, all) => all > 0n ? Number(1000n * value / all) / 10 + "%" : "0%";
	const show = (n, s, runs) => {
		element.hidden = runs.length === 0;
		if (element.hidden) return;
		let most = 1n;
		for (const {defenders} of runs) if (defenders > most) most = defenders;
		const start = {soldiers: n, defenders: 0n, hits: s};
		const rows = [start, ...runs].map((run, i) => {
			const {tr, cells} = row(i), each = run.last > run.first ? " each" : "";
			const texts = i === 0 ? ["start", "", ""] : [each ? spoken(run.first) + " to " + spoken(run.last) : spoken(run.first), spoken(run.atCastle) + each, spoken(run.atDefenders) + each];
			[...texts, spoken(run.soldiers), spoken(run.defenders), spoken(run.hits)].forEach((text, column) => { if (cells[column].textContent !== text) cells[column].textContent = text; });
			cells[3].style.setProperty("--part", part(run.soldiers, n));
			cells[4].style.setProperty("--part", part(run.defenders, most));
			cells[5].style.setProperty("--part", part(run.hits, s));
			return tr;
		});
		while (body.rows.length > rows.length) body.lastChild.remove();
		rows.slice(body.rows.length).forEach((tr) => body.append(tr));
	};
	return {element, show};
};

// castleEnd says how a battle ends.
const castleEnd = (runs) => {
	const {winner, last, soldiers} = runs.at(-1);
	if (winner === "tie") return "a tie: from here on nothing changes";
	return winner === "soldiers" ? "the soldiers win in wave " + spoken(last) + ", with " + spoken(soldiers) + " left" : "the castle wins in wave " + spoken(last);
};

// castleBattle is a battle wave by wave, by a way to play of one's choice.
const castleBattle = (x) => {
	const players = look.algorithms.filter(({plays}) => plays);
	const play = x.choice("play", {label: "Wave by wave:", options: players.map(({name, title}) => [name, title])});
	const end = make("p", {className: "x-castle-end"}), table = castleTable("The battle, wave by wave");
	x.stage.append(play.row, end, table.element);
	return {
		ask: (n, s, d) => x.ask("castle.line", n, s, d, players.find(({name}) => name === play.value).place),
		show(n, s, {ints}) {
			const runs = castleRuns(ints);
			end.textContent = "So played, it ends like this: " + castleEnd(runs) + ".";
			table.show(n, s, runs);
		},
	};
};

// castlePosts is a table of the posts' algorithms: what each says of a battle, and whether that is right.
const castlePosts = (x) => {
	const body = make("tbody");
	const head = make("tr", {}, ...["way of the posts", "its answer", "beside best play"].map((text) => make("th", {scope: "col"}, text)));
	const scroll = make("div", {className: "x-castle-scroll", tabIndex: 0, role: "region", hidden: true}, make("table", {className: "x-castle-posts"}, make("thead", {}, head), body));
	scroll.setAttribute("aria-label", "The posts' algorithms");
	x.stage.append(scroll);
	let before;
	return ({text, ints}) => {
		if (before === (before = text + ints)) return;
		scroll.hidden = false;
		body.replaceChildren(...text.split("\n").filter(Boolean).map((line, i) => {
			const [title, answer] = line.split("\t"), {words, look: {sign}} = look.verdicts[Number(ints[3 * i + 1])], extra = ints[3 * i + 2];
			const judged = (sign ? sign + " " : "") + words + (extra > 0n ? ": " + spoken(extra) + " more than needed" : "");
			return make("tr", {}, make("th", {scope: "row"}, title), make("td", {}, answer), make("td", {className: sign ? "x-castle-wrong" : ""}, judged));
		}));
	};
};
