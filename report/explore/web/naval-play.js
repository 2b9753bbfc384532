// The naval battle: the reader shoots at a hidden fleet, and a strategy of the library at the reader's, which is
// placed by hand or at random.
//
// The page gives, beside the values of the fields, the lists that there are to choose from: ways are the strategies, as
// moves-targeting-mean-words; placements are names of the library.

// A board: a grid of cells, with the number of each column and of each row. Arrow keys, Home and End move the focus; a
// click, a tap, Enter and the space bar press a cell.

const navalSide = 10;

// navalCell is a cell as on the other pages: (column, row).
const navalCell = (cell) => "(" + cell % navalSide + ", " + Math.floor(cell / navalSide) + ")";

// navalBoard makes a board. title is what it is called; press is called with the number of a cell, 0 to 99, row by row;
// key, if any, with other keys; point, if any, with the cell at which the reader points or whose turn it is for the
// keyboard, undefined for none. It returns {element, show, name}: show takes a list of 100 {sign, words, look,
// classes}.
const navalBoard = (x, {title, press, key, point = () => {}}) => {
	const id = x.id + "-" + title.replace(/\W/g, "");
	const name = make("p", {className: "x-naval-title", id}, title);
	const cells = Array.from({length: navalSide * navalSide}, () => make("td", {role: "gridcell", tabIndex: -1},
		make("span", {"aria-hidden": "true"}), make("span", {className: "hidden"})));
	const head = make("tr", {}, make("td", {role: "presentation"}));
	for (let column = 0; column < navalSide; column++) head.append(make("th", {scope: "col"}, String(column)));
	const grid = make("table", {className: "x-naval-grid", role: "grid"}, make("thead", {}, head));
	const body = make("tbody");
	grid.setAttribute("aria-labelledby", id);
	for (let row = 0; row < navalSide; row++) {
		const from = row * navalSide;
		body.append(make("tr", {}, make("th", {scope: "row"}, String(row)), ...cells.slice(from, from + navalSide)));
	}
	grid.append(body);

	let at = 0;
	cells[at].tabIndex = 0;
	const go = (to) => {
		cells[at].tabIndex = -1;
		at = to;
		cells[at].tabIndex = 0;
	};
	const moved = (event) => {
		const column = at % navalSide, row = Math.floor(at / navalSide), last = navalSide - 1;
		switch (event.key) {
		case "ArrowLeft": return at - (column > 0 ? 1 : 0);
		case "ArrowRight": return at + (column < last ? 1 : 0);
		case "ArrowUp": return at - (row > 0 ? navalSide : 0);
		case "ArrowDown": return at + (row < last ? navalSide : 0);
		case "Home": return event.ctrlKey ? 0 : at - column;
		case "End": return event.ctrlKey ? cells.length - 1 : at - column + last;
		}
		return undefined;
	};
	grid.addEventListener("keydown", (event) => {
		if (event.altKey || event.metaKey) return;
		const to = moved(event);
		if (to !== undefined) {
			go(to);
			cells[to].focus();
		} else if (event.key === "Enter" || event.key === " ") {
			press(at);
		} else if (event.ctrlKey || !key || !key(event.key, at)) {
			return;
		}
		event.preventDefault();
	});
	const cellOf = (event) => cells.indexOf(event.target.closest("td"));
	grid.addEventListener("click", (event) => {
		const to = cellOf(event);
		if (to < 0) return;
		go(to);
		cells[to].focus({preventScroll: true});
		press(to);
	});
	grid.addEventListener("pointerover",
		(event) => { if (event.pointerType === "mouse") point(cellOf(event) < 0 ? undefined : cellOf(event)); });
	grid.addEventListener("pointerleave", () => point(undefined));
	grid.addEventListener("focusin", (event) => { if (cellOf(event) >= 0) point(cellOf(event)); });
	grid.addEventListener("focusout", () => point(undefined));

	const write = (element, text) => { if (element.textContent !== text) element.textContent = text; };
	const show = (list) => list.forEach(({sign = "", words, ground, classes = ""}, i) => {
		const cell = cells[i];
		write(cell.firstChild, sign);
		write(cell.lastChild, navalCell(i) + ", " + words);
		if (cell.className !== classes) cell.className = classes;
		cell.style.setProperty("--cell", ground || "transparent");
		cell.style.setProperty("--sign", ground ? navalInk(ground) : "inherit");
	});
	return {element: make("div", {className: "x-naval-board"}, name, grid), show, name};
};

// navalInk is black or white, whichever is easier to read on a colour #rrggbb.
const navalInk = (ground) => {
	const [r, g, b] = [1, 3, 5].map((at) => (parseInt(ground.slice(at, at + 2), 16) / 255) ** 2.2);
	return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.18 ? "#000" : "#fff";
};

const navalHex = (parts) => "#" + parts.map((part) => part.toString(16).padStart(2, "0")).join("");

const navalWords = (text) => text.replaceAll(".", ",").replaceAll("_", " ");

const navalPlays = [["hand", "in turn, you begin"], ["shooter", "in turn, the computer begins"],
	["alone", "each for itself"]];

// In an address a cell is its column and its row, without anything between them.
const navalShipText = /^([0-9]{2})([rd])([1-9])$/;
const navalFrom = (text) => Number(text[0]) + navalSide * Number(text[1]);
const navalTo = (cell) => String(cell % navalSide) + Math.floor(cell / navalSide);

define("naval-play", (x) => {
	const ways = x.start.get("ways").split(",").map((entry) => entry.split("-"));
	const placements = x.start.get("placements").split(",");
	const listed = placements.map((name) => [name, navalWords(name)]);

	const way = x.choice("way", {label: "Computer shoots by",
		options: ways.map(([moves, targeting, , words]) => [moves + "-" + targeting, navalWords(words)])});
	const its = x.choice("its", {label: "Computer’s fleet", options: [["any", "in one of the post’s ways"],
		...listed]});
	const play = x.choice("play", {label: "You play", options: navalPlays});
	const heat = x.choice("heat", {label: "Computer’s thoughts", options: [["off", "stay hidden"],
		["on", "show on your board"]]});
	const phase = x.memory("phase", "play", (text) => ["place",
		"play"].includes(text) ? "" : "it has to be place or play");
	const mine = x.choice("mine", {label: "Place your ships", options: listed});
	const k = x.number("k", {label: "Computer’s shots", least: 0, most: 100, limit: 100, words: (n) => plural(n,
		"shot")});
	const game = x.memory("game", "1",
		(text) => /^[0-9]{1,9}$/.test(text) ? "" : "it has to be a number of at most 9 digits");
	const draws = x.memory("draws", "1",
		(text) => /^[0-9]{1,9}$/.test(text) ? "" : "it has to be a number of at most 9 digits");
	const fleet = x.memory("fleet", "", (text) => text === "" ||
		text.split(".").every((ship) => navalShipText.test(ship)) ? "" :
		"ships look like 23r4, with a point between them: the column and the row where it begins, r for right or d " +
			"for down, and the decks");
	const shots = x.memory("shots", "",
		(text) => /^(?:[0-9]{2})*$/.test(text) ? "" : "shots look like 235699, the column and the row of each");

	// The names of what the library numbers.
	let names;
	const learnNames = async () => {
		if (names) return;
		const [, moves, targetings,
			outcomes] = (await x.ask("naval.names")).text.split("\n").map((line) => line.split(" "));
		if (names) return; // somebody else has asked, too
		names = {moves, targetings, outcomes};
		begin();
	};

	const strategy = () => {
		const [moves, targeting] = way.value.split("-");
		return [names.moves.indexOf(moves), names.targetings.indexOf(targeting)];
	};
	const chosen = () => ways.find(([moves, targeting]) => moves + "-" + targeting === way.value);
	const placement = (name) => placements.indexOf(name); // -1 for any
	const readShips = () => fleet.value === "" ? [] : fleet.value.split(".").map((ship) => {
		const [, cell, direction, decks] = navalShipText.exec(ship);
		return {first: navalFrom(cell), decks: Number(decks), upright: direction === "d" && decks !== "1"};
	});
	const numbers = (ships) => ships.flatMap(({first, decks, upright}) => [first, decks, upright ? 1 : 0]);
	const written = (ships) => ships.map(({first, decks, upright}) => navalTo(first) + (upright ? "d" : "r") +
		decks).join(".");
	const fromRows = (ints) => Array.from({length: ints.length / 3}, (_, i) => ({first: Number(ints[3 * i]),
		decks: Number(ints[3 * i + 1]), upright: ints[3 * i + 2] === 1n}));
	const readShots = () => (shots.value.match(/[0-9]{2}/g) || []).map(navalFrom);

	// A change of what the game is about begins it anew. Who plays for himself goes on whoever shoots at him.
	const afresh = {shots: "", k: "0"};
	way.box.addEventListener("change", () => { if (play.value !== "alone") x.set(afresh); });
	for (const field of [its, play]) field.box.addEventListener("change", () => x.set(afresh));

	let sea, own, state; // two boards, and what was drawn last
	const answer = x.answer();
	const detail = make("p", {className: "x-naval-detail"});
	const boards = make("div", {className: "x-naval-boards"});
	const legend = make("ul", {className: "x-naval-legend"});
	const scores = make("table", {className: "x-naval-scores"});
	boards.append(detail); // below the boards, which stay in their place whatever it says
	x.stage.append(boards, legend, scores);

	const place = x.attempt(async (again) => {
		if (again) draws.read(String((Number(draws.value) + 1) % 1e9));
		await learnNames();
		const {ints} = await x.ask("naval.place", placement(mine.value), draws.value);
		x.set({...afresh, phase: "place", fleet: written(fromRows(ints))});
	});
	mine.box.addEventListener("change", () => place(false));
	const inPlace = [
		x.button("Place at random", () => place(true)),
		x.button("Turn the ship (R)", () => turn()),
		x.button("Take all away", () => x.set({...afresh, fleet: ""})),
		x.button("Begin", () => x.set({...afresh, phase: "play"})),
	];
	const inPlay = [
		x.button("New game", () => x.set({...afresh, game: String((Number(game.value) + 1) % 1e9)})),
		x.button("Move your ships", () => x.set({...afresh, phase: "place"})),
	];
	const inAlone = [
		x.button("Let the computer shoot", () => k.set(String(Math.min(100, (k.valid() ? Number(k.text) : 0) + 1)))),
		x.button("Let the computer finish", () => k.set("100")),
	];
	x.reset();

	// Presses wait until what came before them is drawn: a hand may be faster.
	let waiting = [];
	const press = (board, cell) => {
		waiting.push([board, cell]);
		if (!x.drawing) next();
	};
	const next = () => {
		while (waiting.length > 0 && !x.stale) {
			const [board, cell] = waiting.shift();
			if (!state) continue; // nothing is drawn, as the address is wrong
			if (state.placing && board === own) put(cell);
			else if (!state.placing && board === sea) shoot(cell);
		}
	};

	const begin = () => {
		sea = navalBoard(x, {title: "The computer’s fleet", press: (cell) => press(sea, cell)});
		own = navalBoard(x, {title: "Your fleet", press: (cell) => press(own, cell), key: (key) => /^r$/i.test(key) &&
			turn(), point: (cell) => ghost(cell)});
		boards.prepend(sea.element, own.element);
	};

	const shoot = (cell) => {
		if (!state.mayShoot) return remark("The game is over. Choose “New game” for another one.");
		if (state.seaCells[cell] !== 0 && state.seaCells[cell] !== 4) return remark("You have shot at " +
			navalCell(cell) + " before.");
		shots.set(shots.value + navalTo(cell));
	};
	const remark = (text) => {
		detail.textContent = text;
		x.say(text);
	};

	// Placing: one ship is in the hand, the longest that is missing or the one that was taken up last.
	let held, upright = false, pointed;
	const inHand = ({missing} = state) => missing.includes(held) ? held : missing[0];
	const turn = () => {
		if (!state || !state.placing) return false;
		upright = !upright;
		remark("The ship now lies " + (upright ? "downwards." : "to the right."));
		x.changed(true);
		return true;
	};
	const put = (cell) => {
		const there = state.owners[cell];
		if (there > 0) {
			({decks: held, upright} = state.ships[there - 1]);
			fleet.set(written(state.ships.filter((_, i) => i !== there - 1)));
		} else if (state.missing.length === 0) {
			remark("All ships are placed. Press one to take it up, or begin.");
		} else {
			const ship = {first: cell, decks: inHand(), upright: upright && inHand() > 1};
			if (state.room[cell] === 1) fleet.set(written([...state.ships, ship]));
			else refuse(ship);
		}
	};
	const refuse = x.attempt(async (ship) => {
		try {
			await x.ask("naval.fits", ...numbers([...state.ships, ship]));
		} catch (fault) {
			if (!(fault instanceof Refused)) throw fault;
			remark("Not there: " + fault.words + ".");
		}
	});
	const ghost = (cell) => {
		pointed = cell;
		if (state && state.placing) own.show(placingCells());
	};

	const lookOf = (outcome) => ({sign: look.outcomes[outcome].sign, ground: colours(outcome).ground});
	const kinds = () => [
		{words: "not shot at"}, {words: "miss", ...lookOf("miss"), classes: "x-naval-miss"}, {words: "hit",
			...lookOf("hit")},
		{words: "hit, ship sunk", ...lookOf("hit"), classes: "x-naval-sunk"}, {words: "water beside a sunk ship",
			...lookOf("closed"), classes: "x-naval-empty"},
		{words: "ship", ...lookOf("afloat"), classes: "x-naval-ship"},
	];

	const placingCells = () => {
		const [water, , , , , ship] = kinds();
		const list = Array.from(state.owners, (owner) => owner === 0 ? {...water, words: "water"} : {...ship,
			words: "your ship of " + plural(state.ships[owner - 1].decks, "deck")});
		if (pointed === undefined || state.missing.length === 0 || state.owners[pointed] > 0) return list;
		const decks = inHand(), fits = state.room[pointed] === 1;
		for (let i = 0, at = pointed; i < decks && at < list.length; i++, at += upright ? navalSide : 1) {
			list[at] = {...list[at], sign: fits ? "+" : "!", ground: colours(fits ? "won" : "lost").ground,
				classes: "x-naval-ghost"};
			if (!upright && at % navalSide === navalSide - 1) break;
		}
		list[pointed].words += ", " + (fits ? "room for the ship of " : "no room for the ship of ") +
			plural(decks, "deck") + (upright ? " downwards" : " to the right");
		return list;
	};

	const tell = (cells, last, thoughts) => {
		const all = kinds();
		const greatest = thoughts ? thoughts.cells.reduce((a, b) => a > b ? a : b, 1n) : 1n;
		return Array.from(cells, (code, i) => {
			const cell = {...all[code]};
			if (last.has(i)) {
				cell.classes = (cell.classes || "") + " x-naval-last";
				cell.words += ", shot " + last.get(i);
			}
			const value = thoughts && (code === 0 || code === 5) ? thoughts.cells[i] : 0n;
			if (value > 0n) {
				cell.sign = thoughts.sign(value);
				cell.ground = navalHex(scaleColour(Number(value) / Number(greatest)));
				cell.words += ", " + thoughts.words(value);
				cell.classes = (cell.classes || "") + " x-naval-heat" + (value === greatest ? " x-naval-best" : "");
			}
			return cell;
		});
	};

	const percent = (value) => value < 10n ? "<1" : String((value + 5n) / 10n);
	const measures = {
		drawn: {sign: () => "?", words: () => "the computer may shoot here next",
			all: "The computer draws its next shot from the cells with a question mark."},
		ways: {sign: String, words: (value) => plural(value, "way") + " for a ship to lie here",
			all: "Each number says in how many ways the ships afloat can lie on the cell, as far as the computer " +
				"knows. It shoots where the number is greatest."},
		odds: {sign: percent, words: (value) => percent(value) + " % sure of a ship",
			all: "Each number is how probable a ship is there for the computer, in percent. It shoots where that is " +
				"greatest."},
	};
	const think = async (count, ships) => {
		const {ints, text} = await x.ask("naval.thoughts", ...strategy(), game.value, count, ...numbers(ships));
		return ints.length === 0 ? undefined : {cells: ints, ...measures[text]};
	};

	// What it takes to sink a fleet, on average over games; computed once for a fleet and a strategy.
	let needed = {};
	const needs = async (ships, games) => {
		const key = way.value + fleet.value + games;
		if (needed.key !== key) {
			const {ints} = await x.ask("naval.needs", ...strategy(), game.value, games, ...numbers(ships));
			needed = {key, mean: (ints.reduce((a, b) => a + Number(b), 0) / games).toFixed(1)};
		}
		return needed.mean;
	};

	const showLegend = (codes, extra) => {
		const all = kinds();
		legend.replaceChildren(...codes.map((code) => {
			const swatch = make("span", {className: "x-naval-swatch " + (all[code].classes || "")}, all[code].sign ||
				"");
			swatch.style.setProperty("--cell", all[code].ground || "transparent");
			swatch.style.setProperty("--sign", all[code].ground ? navalInk(all[code].ground) : "inherit");
			return make("li", {}, swatch, all[code].words);
		}), ...extra.map((words) => make("li", {}, words)));
	};
	const showScores = (rows) => {
		scores.hidden = rows.length === 0;
		const [, , mean, words] = chosen();
		const head = ["", "shots", "hits", "sunk"];
		scores.replaceChildren(
			make("caption", {}, "It takes " + navalWords(words) + " " + mean +
				" shots on average to sink a fleet of the post."),
			make("thead", {}, make("tr", {}, ...head.map((text) => text ? make("th", {scope: "col"},
				text) : make("td")))),
			make("tbody", {}, ...rows.map(([who, ...counts]) => make("tr", {}, make("th", {scope: "row"}, who),
				...counts.map((text) => make("td", {}, String(text)))))),
		);
	};

	const show = (phaseIs) => {
		const alone = play.value === "alone";
		mine.row.hidden = !phaseIs.placing;
		k.row.hidden = phaseIs.placing || !alone;
		heat.row.hidden = phaseIs.placing;
		for (const b of inPlace) b.hidden = !phaseIs.placing;
		for (const b of inPlay) b.hidden = phaseIs.placing;
		for (const b of inAlone) b.hidden = phaseIs.placing || !alone;
		sea.element.hidden = phaseIs.placing;
		boards.classList.toggle("x-naval-one", phaseIs.placing);
	};

	x.draw(async () => {
		await learnNames();
		try {
			await drawAll();
		} catch (fault) {
			waiting = [];
			throw fault;
		}
		next();
	});
	const drawAll = async () => {
		const ships = readShips(), goes = k.value; // which is refused if it is wrong, also where it does not count
		let fits;
		try {
			fits = await x.ask("naval.fits", ...numbers(ships));
		} catch (fault) {
			show({placing: true}); // where it can be mended
			throw fault;
		}
		const missing = Array.from(fits.ints, Number);
		if (missing.length > 0 || phase.value === "place") await drawPlacing(ships, missing, fits.bytes);
		else await drawGame(ships, goes);
	};

	const drawPlacing = async (ships, missing, owners) => {
		const drawn = {placing: true, ships, missing, owners};
		const before = state;
		if (missing.length > 0) drawn.room = (await x.ask("naval.room", inHand(drawn), upright &&
			inHand(drawn) > 1 ? 1 : 0, ...numbers(ships))).bytes;
		state = drawn; // all of it at once: a pointer may ask for it at any time
		show(drawn);
		inPlace[3].disabled = missing.length > 0;
		inPlace[1].disabled = missing.length === 0;
		own.show(placingCells());
		if (missing.length > 0) {
			answer("Place the ship of " + plural(inHand(), "deck") + (inHand() === 1 ? "." : ", " +
				(upright ? "downwards." : "to the right.")));
			detail.textContent = "Press the cell where it begins. Still to come: " + missing.join(", ") +
				" decks. Ships must not touch, not even at corners. Press a ship to take it up again.";
		} else {
			const games = way.value.endsWith("-informed") ? 10 : 200;
			const mean = await needs(ships, games);
			const [, , usual, words] = chosen();
			answer("Your fleet is complete. Begin?");
			detail.textContent = "It takes " + navalWords(words) + " " + mean +
				" shots on average to sink this fleet (" + games + " games), and " + usual +
				" to sink a fleet of the post. Press a ship to take it up and hide it better.";
		}
		if (before) x.say(answerText() + " " + detail.textContent);
		showLegend([5], []);
		showScores([]);
	};
	const answerText = () => x.stage.querySelector("output").textContent;

	const drawGame = async (ships, goes) => {
		const hand = readShots();
		const kind = navalPlays.findIndex(([name]) => name === play.value);
		const alone = play.value === "alone";
		const {ints, bytes} = await x.ask("naval.game", kind, ...strategy(), game.value, placement(its.value),
			game.value, alone ? goes : 0, hand.length, ...hand, ...numbers(ships));
		const [mayShoot, mayGo, winner, ...counts] = Array.from(ints.slice(0, 9), Number);
		const list = Array.from({length: (ints.length - 9) / 3}, (_, i) => ints.slice(9 + 3 * i, 12 +
			3 * i)).map((row) => Array.from(row, Number));
		const before = state;
		state = {placing: false, ships, mayShoot: mayShoot === 1, seaCells: bytes.slice(0, 100)};
		if (alone && goes > BigInt(counts[3])) k.read(String(counts[3]));

		show(state);
		for (const b of inAlone) b.disabled = mayGo === 0;
		const lasts = [lastTurn(list, 0), lastTurn(list, 1)];
		const thoughts = heat.value === "on" && (alone ? mayGo === 1 : winner < 0) ? await think(counts[3],
			ships) : undefined;
		sea.show(tell(state.seaCells, lasts[0]));
		own.show(tell(bytes.slice(100), lasts[1], thoughts));

		const who = navalWords(chosen()[3]);
		const ended = winner >= 0 || alone && mayShoot === 0;
		let verdict;
		if (winner === 0) verdict = "You have won with " + plural(counts[0], "shot") + ".";
		else if (winner === 1) verdict = "The computer has won with " + plural(counts[3], "shot") + ".";
		else if (ended) verdict = "You have sunk all with " + plural(counts[0], "shot") + ".";
		else verdict = hand.length === 0 ? "Shoot at the computer’s fleet: press a cell." : "Your shot.";
		answer(verdict);
		const told = [];
		const news = turns(list);
		if (news) told.push(news);
		if (alone && mayGo === 0) told.push("The computer has sunk your fleet with " + plural(counts[3], "shot") + ".");
		if (ended) {
			const hidden = fromRows((await x.ask("naval.place", placement(its.value), game.value)).ints);
			const {ints: [same]} = await x.ask("naval.needs", ...strategy(), game.value, 1, ...numbers(hidden));
			told.push("It takes " + who + " " + plural(same, "shot") + " to sink the fleet that you shot at.");
		}
		if (thoughts) told.push(thoughts.all);
		detail.textContent = told.join(" ");
		if (before) x.say([news, verdict].filter(Boolean).join(" "));
		showLegend([5, 1, 2, 3, 4], thoughts ? ["a number in a frame: your ship is there",
			"underlined: the best cells for the computer"] : []);
		showScores([["you", counts[0], counts[1], counts[2] + " of 10"], ["the computer", counts[3], counts[4],
			counts[5] + " of 10"]]);
	};

	// The shots of a player since the other one shot last, with their numbers: what there is to see.
	const lastTurn = (list, player) => {
		const own = list.filter(([who]) => who === player), found = new Map();
		let i = list.findLastIndex(([who]) => who === player), number = own.length;
		for (; i >= 0 && list[i][0] === player; i--) found.set(list[i][1], number--);
		if (play.value === "alone") return new Map([...found].slice(0, 1));
		return found;
	};
	const told = (list) => list.map(([, cell, outcome]) => "at " + navalCell(cell) + ": " +
		names.outcomes[outcome]).join(", ");
	// The last shot of the reader and those of the computer since, in words.
	const turns = (list) => {
		const hand = list.findLast(([who]) => who === 0);
		const reply = play.value === "alone" ? list.filter(([who]) => who === 1).slice(-1)
			: list.slice(list.lastIndexOf(hand) + 1);
		const parts = [];
		if (hand) parts.push("You shot " + told([hand]) + ".");
		if (reply.length > 0) parts.push("The computer shot " + told(reply) + ".");
		return parts.join(" ");
	};
});
