// A battle that the reader plays wave by wave. The moves stand in the address; all rules, hints and judgements are the
// engine's, which is asked for the whole game at each change.

const castlePlayLongest = 200; // waves, as castle.play has it

// castlePlayPresets reads what a page offers: name.n,s,d-name.n,s,d
const castlePlayPresets = (text) => text.split("-").map((part) => {
	const [name, numbers = ""] = part.split("."), battle = numbers.split(",");
	return {name, battle};
}).filter(({battle}) => battle.length === 3);

// castlePlayCheck says what is wrong with the moves of an address, as far as that can be seen without the battle.
const castlePlayCheck = (text) => {
	if (text === "") return "";
	const moves = text.split(",");
	if (moves.length > castlePlayLongest) return "a game of " + moves.length + " waves; at most " + castlePlayLongest +
		" are played here, leave out the others";
	const bad = moves.find((move) => !/^[0-9]{1,19}$/.test(move) || BigInt(move) > largest);
	return bad === undefined ? "" : "the move “" + bad.slice(0, 25) +
		"” is no number of soldiers; moves look like 0,8,5";
};

// castlePlayRow reads a row of castle.play.
const castlePlayRow = ([atDefenders, atCastle, left, soldiers, defenders, hits, winner, outlook, more, best, low, high,
	cost], names) => ({
	atDefenders, atCastle, left, soldiers, defenders: BigInt.asUintN(64,
		defenders), hits, winner: names[winner], outlook: names[outlook], more, best, low, high, cost,
});

const castlePlayRead = ({ints, text}) => {
	const names = text.trim().split("\n"), rows = [], words = {remark: []};
	for (const line of names.splice(4)) {
		const [name, sentence] = line.split("\t");
		if (name === "remark") words.remark.push(sentence);
		else words[name] = sentence;
	}
	for (let at = 13; at < ints.length; at += 13) rows.push(castlePlayRow([...ints.slice(at, at + 13)], names));
	return {given: Number(ints[0]), rows, words};
};

// castlePlayBars draws a moment: soldiers, defenders and castle as bars, and on them what an order does.
const castlePlayBars = (x, aim) => {
	const scene = make("div", {className: "x-play-scene", role: "img"});
	const bar = (kind, label) => {
		const struck = make("span", {className: "x-play-struck"}), rest = make("span", {className: "x-play-rest"});
		const track = make("span", {className: "x-play-track"}, struck, rest);
		const count = make("span", {className: "x-play-count"}), change = make("span",
			{className: "x-play-change"}), note = make("span", {className: "x-play-note"});
		scene.append(make("div", {className: "x-play-bar x-play-" + kind}, make("span", {}, label), count, change, note,
			track));
		const share = (value, whole) => Number(value * 100000n / (whole > 0n ? whole : 1n)) / 1000 + "%";
		return {track, show: (value, part, whole, words, ...changes) => {
			change.textContent = changes.filter((by) => by !== 0n).map((by) => by < 0n ? "−" + spoken(-by) : "+" +
				spoken(by)).join(" ");
			struck.style.inlineSize = share(part, whole);
			rest.style.inlineSize = share(value - part, whole);
			count.textContent = spoken(value);
			note.textContent = words;
		}};
	};
	const soldiers = bar("soldiers", "Soldiers"), defenders = bar("defenders", "Defenders"), castle = bar("castle",
		"Castle hits");
	let scale = 1n;
	const point = (event) => {
		const box = soldiers.track.getBoundingClientRect();
		const share = Math.max(0, Math.min(1, (event.clientX - box.left) / box.width));
		aim((scale * BigInt(Math.round(share * 1e6)) + 500000n) / 1000000n);
	};
	soldiers.track.addEventListener("pointerdown", (event) => {
		if (event.button !== 0) return;
		soldiers.track.setPointerCapture(event.pointerId);
		point(event);
	});
	soldiers.track.addEventListener("pointermove",
		(event) => { if (soldiers.track.hasPointerCapture(event.pointerId)) point(event); });
	// moved says that a wave has just been played: its changes move, for those who like that.
	return {scene, show: ([n, s], rows, moved, next) => {
		const now = rows[rows.length - 1], before = rows[rows.length - 2] || {...now, defenders: 0n,
			left: 0n}, wave = rows.length > 1;
		const dead = [now.soldiers - before.soldiers], hits = [now.hits - before.hits];
		const out = wave ? [-now.atDefenders, now.defenders - now.left] : []; // shot, and newly come
		scene.classList.toggle("x-play-moved", moved);
		scale = rows.reduce((most, row) => row.defenders > most ? row.defenders : most, n);
		scene.setAttribute("aria-label", plural(now.soldiers, "soldier") + ", " + plural(now.defenders, "defender") +
			", " + plural(now.hits, "castle hit"));
		scene.classList.toggle("x-play-over", now.winner !== "undecided");
		if (next === undefined) {
			soldiers.show(now.soldiers, 0n, scale, now.soldiers === 0n ? "nobody is left" : "", ...dead);
			defenders.show(now.defenders, 0n, scale, now.defenders === 0n ? "nobody is out" : "", ...out);
			castle.show(now.hits, 0n, s, now.hits === 0n ? "it has fallen" : "", ...hits);
			return;
		}
		const hit = now.hits - next.hits;
		soldiers.show(now.soldiers, next.atDefenders, scale, spoken(next.atDefenders) + " at defenders, " +
			spoken(next.atCastle) + " at the castle", ...dead);
		defenders.show(now.defenders, next.atDefenders, scale,
			now.defenders === 0n ? "nobody is out yet" : spoken(next.atDefenders) + " shot, " + spoken(next.left) +
			" left", ...out);
		castle.show(now.hits, hit, s, now.hits === 0n ? "it has fallen" : spoken(hit) + " hit, " + spoken(next.hits) +
			" left", ...hits);
	}};
};

// castlePlayTable lists waves; a row is its cells, the first of them its header. remarks is the heading of a last
// column.
const castlePlayTable = (label, rows, remarks) => {
	const heading = (text, span) => make("th", {scope: span ? "colgroup" : "col", colSpan: span || 1}, text);
	const head = make("thead", {},
		make("tr", {}, make("td"), heading("soldiers shoot at", 2), heading("left at the end", 3),
			...(remarks ? [make("td")] : [])),
		make("tr", {}, ...["wave", "defenders", "castle", "soldiers", "defenders", "hits",
			...(remarks ? [remarks] : [])].map((text, i) => {
			const cell = heading(text);
			if (i < 6) cell.className = "num";
			return cell;
		})));
	const body = make("tbody", {}, ...rows.map(([first, ...cells]) => make("tr", {},
		make("th", {scope: "row", className: "num"}, first),
		...cells.map((text, i) => make("td", {className: i < 5 ? "num" : ""}, text)))));
	const table = make("table", {}, head, body);
	table.setAttribute("aria-label", label);
	const box = make("div", {className: "scroll", tabIndex: 0, role: "group"}, table);
	box.setAttribute("aria-label", label);
	return box;
};

// castlePlayOrder is where the reader says how many shoot at defenders: a slider and a field, which know each other.
const castlePlayOrder = (x, changed, fire) => {
	const id = x.id + "-order", label = "soldiers who shoot at defenders";
	const slider = make("input", {type: "range", step: "1"}), box = make("input", {type: "text", id,
		inputMode: "numeric", autocomplete: "off"});
	slider.setAttribute("aria-label", label);
	const row = make("div", {className: "x-row x-number x-play-order"}, make("label", {htmlFor: id}, "At defenders"),
		slider, box);
	const coarse = 1000n; // steps of a slider whose orders are too many for one step each
	const order = {row, low: 0n, high: 0n, text: "0"};
	const direct = () => order.high <= 100000n;
	order.valid = () => /^[0-9]{1,19}$/.test(order.text) && BigInt(order.text) >= order.low &&
		BigInt(order.text) <= order.high;
	Object.defineProperty(order, "value", {get: () => BigInt(order.text)});
	const show = () => {
		if (box.value !== order.text) box.value = order.text;
		box.setAttribute("aria-invalid", String(!order.valid()));
		if (!order.valid()) return;
		const span = order.high - order.low;
		[slider.min, slider.max] = direct() ? [String(order.low), String(order.high)] : ["0", String(coarse)];
		slider.value = String(direct() ? order.value : (order.value - order.low) * coarse / span);
		slider.setAttribute("aria-valuetext", spoken(order.value) + " at defenders, " +
			spoken(order.soldiers - order.value) + " at the castle");
		slider.disabled = span === 0n;
	};
	order.set = (value) => {
		order.text = String(value < order.low ? order.low : value > order.high ? order.high : value);
		show();
	};
	order.range = (now) => {
		[order.low, order.high, order.soldiers] = [now.low, now.high, now.soldiers];
		if (/^[0-9]{1,19}$/.test(order.text)) order.set(BigInt(order.text));
		else order.set(order.low);
	};
	slider.addEventListener("input", () => {
		order.set(direct() ? BigInt(slider.value) : order.low +
			(order.high - order.low) * BigInt(slider.value) / coarse);
		changed();
	});
	box.addEventListener("input", () => { order.text = box.value.trim(); show(); changed(); });
	for (const input of [slider, box]) input.addEventListener("keydown",
		(event) => { if (event.key === "Enter") { event.preventDefault(); fire(); } });
	return order;
};

// The numbers of a battle for a castle: n soldiers, s castle hits, d defenders a wave.
const castleFields = (x, most) => [
	x.number("n", {label: "soldiers", most: most.n, words: (n) => plural(n, "soldier")}),
	x.number("s", {label: "castle hits", most: most.s, words: (s) => plural(s, "hit")}),
	x.number("d", {label: "defenders a wave", most: most.d, words: (d) => plural(d, "defender") + " a wave"}),
];

define("castle-play", (x) => {
	const presets = castlePlayPresets(x.start.get("presets") || "");
	const choice = make("div", {className: "x-row x-play-presets"}), story = make("p", {className: "x-play-story"});
	const answer = x.answer(), helped = make("p");
	// What the battle comes to, from its start, is in the page all the time, and to be seen when the reader has asked.
	const verdict = make("div", {}, make("p", {}, "From the start: ", x.stage.lastChild), helped);
	x.stage.append(choice, story);

	x.controls.append(make("p", {className: "x-play-heading"}, "Another battle"));
	const [n, s, d] = castleFields(x, {n: 100, s: 300, d: 100});
	const moves = x.memory("moves", "", castlePlayCheck);
	x.stage.after(x.controls);

	let game, drawn, hint = "", alone = false; // game is undefined while a number is wrong
	// The battle whose verdict is shown, the verdict in words, and the game that another one has taken the place of.
	let asked, verdictSaid, left;
	// leave begins anew, and keeps the game in hand.
	const leave = () => {
		if (moves.text !== "") left = {n: n.text, s: s.text, d: d.text, moves: moves.text};
		moves.read("");
	};
	x.controls.addEventListener("input", leave, true); // before the field itself hears of it
	const restore = x.restore;
	x.restore = (values) => {
		leave();
		restore.call(x, values);
	};
	const set = x.set;
	x.set = (values) => {
		leave();
		set.call(x, values);
	};
	const played = () => moves.value === "" ? [] : moves.value.split(",");
	const now = () => game.rows[game.rows.length - 1];
	const goOn = (list) => moves.set(list.join(","));
	const look = () => {
		x.notice = "";
		x.changed(true);
	};
	const act = (press) => () => game && press(); // what a button does: nothing while there is no game
	// Who is quicker than the drawing does not shoot by the rules of the wave before.
	const fire = x.attempt(() => { if (game && game.moves === moves.value && !shoot.disabled &&
		order.valid()) goOn([...played(), order.text]); });
	const aim = (value) => {
		if (!game || now().winner !== "undecided") return;
		order.set(value);
		look();
	};

	const bars = castlePlayBars(x, aim);
	const order = castlePlayOrder(x, look, fire);
	const preview = make("p", {className: "x-play-preview"}), told = make("p", {className: "x-play-hint"});
	const buttons = make("div", {className: "x-row"}), result = make("div", {className: "x-play-result",
		tabIndex: -1}), log = make("div", {className: "x-play-waves"});
	x.stage.append(bars.scene, order.row, preview, buttons, verdict, told, result, log);
	const shoot = x.button("Shoot!", fire, buttons);
	shoot.classList.add("x-play-shoot");
	const back = x.button("Take back", act(() => goOn(played().slice(0, -1))), buttons);
	const can = x.button("Can I still win?", act(() => {
		if (played().length === 0) asked = game.battle.join();
		else hint = game.words.more;
		look();
	}), buttons);
	const best = x.button("Show the best order", act(() => {
		order.set(now().best);
		hint = game.words.hint;
		look();
	}), buttons);
	const rest = x.button("Let best play finish", act(async () => {
		if (now().more > BigInt(castlePlayLongest - played().length)) {
			hint = `That takes ${spoken(now().more)} more waves, and a game here ends after ${castlePlayLongest}.`;
			return look();
		}
		const list = played(), battle = game.battle;
		for (let at = now(); at.winner === "undecided";) {
			list.push(String(at.best));
			const {rows} = castlePlayRead(await x.ask("castle.play", ...battle, ...list));
			at = rows[rows.length - 1];
		}
		if (game && game.battle === battle) goOn(list);
	}), buttons);
	const again = x.button("Play it again", () => x.set({}), buttons);
	const before = x.button("Back to your game", () => {
		const to = left;
		left = undefined;
		if (to) x.set(to);
	}, buttons);

	for (const preset of presets) {
		const [a, b, c] = preset.battle;
		preset.button = x.button("", () => x.set({n: a, s: b, d: c}), choice);
	}
	x.button("Surprise me", act(async () => {
		const some = (least, most) => least + Math.floor(Math.random() * (most - least + 1));
		for (let tries = 0; tries < 50; tries++) {
			const army = some(8, 30), battle = [army, some(army + 1, 4 * army), some(Math.ceil(army / 3),
				Math.ceil(1.2 * army))];
			const {ints: [waves]} = await x.ask("castle.answer", ...battle);
			if (waves < 4n || waves > 12n) continue; // too easy, lost, or long
			return x.set({n: battle[0], s: battle[1], d: battle[2]});
		}
	}), choice);
	x.reset();

	// settle leaves each button in its place, so that nothing moves below them while a game is played.
	const settle = (over) => {
		const focused = over && !alone && [order.row, buttons].some((part) => part.contains(focus()));
		alone = over;
		order.row.hidden = preview.hidden = over;
		for (const button of [shoot, can, best, rest]) button.disabled = over;
		back.disabled = again.disabled = played().length === 0;
		before.disabled = !left;
		const shown = asked === game.battle.join() &&
			played().length === 0; // a game that is played is not about the start any more
		verdict.className = shown ? "x-play-verdict" : "hidden";
		verdict.ariaHidden = String(!shown);
		if (focused) result.focus({preventScroll: true});
	};

	const showResult = async (battle) => {
		const over = now().winner !== "undecided";
		result.hidden = !over;
		if (!over) return;
		const {end, given} = game.words;
		result.className = "x-play-result x-play-" +
			(now().winner === "soldiers" ? "won" : now().winner === "tie" ? "tied" : "lost");
		const parts = [make("p", {className: "x-play-end"}, end)];
		if (game.given > 0) {
			parts.push(make("p", {}, given));
			const turn = make("button", {type: "button"}, "Go back to wave " + game.given);
			turn.addEventListener("click",
				() => { goOn(played().slice(0, game.given - 1)); order.row.querySelector("input").focus(); });
			parts.push(make("p", {}, turn));
		}
		const {ints} = await x.ask("castle.best", ...battle), line = [];
		for (let at = 0; at < ints.length; at += 8) {
			const [first, last, atDefenders, atCastle, soldiers, defenders, hits] = ints.slice(at, at + 8);
			line.push([first === last ? spoken(first) : spoken(first) + "–" + spoken(last), ...[atDefenders, atCastle,
				soldiers, BigInt.asUintN(64, defenders), hits].map(spoken)]);
		}
		parts.push(make("details", {}, make("summary", {}, "The best line, wave by wave"),
			castlePlayTable("The best line, wave by wave", line)));
		result.replaceChildren(...parts);
		x.say(end.slice(2));
	};

	const showWaves = () => {
		const rows = game.rows.map((row, wave) => [
			wave === 0 ? "start" : spoken(wave), ...(wave === 0 ? ["", ""] : [spoken(row.atDefenders),
				spoken(row.atCastle)]),
			spoken(row.soldiers), spoken(row.defenders), spoken(row.hits),
			wave === 0 ? "" : game.words.remark[wave - 1],
		]);
		const table = castlePlayTable("Your battle, wave by wave", rows, "your order");
		log.replaceChildren(table);
		table.classList.toggle("tall", rows.length > 15);
		table.scrollTop = table.scrollHeight;
	};

	// foresee shows what the order at hand does.
	const foresee = async (battle, list, moved) => {
		const wave = list.length + 1;
		shoot.disabled = !order.valid() || wave > castlePlayLongest;
		shoot.textContent = "Shoot! Wave " + wave;
		if (wave > castlePlayLongest) {
			preview.textContent = `A game here ends after ${castlePlayLongest} waves. Take some back, or choose ` +
				`another battle.`;
			return bars.show(battle, game.rows, moved);
		}
		if (!order.valid()) {
			preview.textContent = game.words.range;
			return bars.show(battle, game.rows, moved);
		}
		const {rows, words} = castlePlayRead(await x.ask("castle.play", ...battle, ...list, order.value));
		bars.show(battle, game.rows, moved, rows[rows.length - 1]);
		preview.textContent = words.did;
	};

	const speak = () => {
		if (now().winner !== "undecided") return; // showResult does
		const start = game.rows.length === 1 && asked === game.battle.join() ? verdictSaid : "";
		x.say(hint || start + game.words.said);
	};

	// read asks for the game as it stands in the fields.
	const read = async () => {
		const battle = [n.value, s.value, d.value], list = played();
		try {
			return {...castlePlayRead(await x.ask("castle.play", ...battle, ...list)), battle, moves: list.join(",")};
		} catch (fault) {
			if (!(fault instanceof Refused) || list.length === 0) throw fault;
			x.notice = new Refused(fault.words + ". The battle begins anew.");
			moves.read("");
			return {...castlePlayRead(await x.ask("castle.play", ...battle)), battle, moves: ""};
		}
	};

	// showGame shows all that does not depend on the order at hand.
	const showGame = async () => {
		const {battle} = game, [reach, more] = (await x.ask("castle.answer", ...battle)).text.split("\n");
		answer(reach);
		helped.textContent = more;
		const lines = (await x.ask("castle.stories", ...battle)).text.split("\n").map((line) => line.split("\t"));
		story.textContent = lines.find(([name]) => name === "")[2];
		verdictSaid = "From the start: " + reach + ". " + more + " ";
		for (const {name, battle: [a, b, c], button} of presets) {
			const its = [a, b, c].every((value, i) => BigInt(value) === battle[i]);
			button.setAttribute("aria-pressed", String(its));
			for (const [other, title, words] of lines) {
				if (other !== name) continue;
				button.textContent = title;
				if (its) story.textContent = words;
			}
		}
		showWaves();
		await showResult(battle);
	};

	x.draw(async () => {
		const was = drawn, previous = game;
		drawn = undefined;
		try {
			game = await read();
		} catch (fault) {
			game = undefined;
			answer("");
			throw fault;
		}
		const moved = previous && previous.battle.join() === game.battle.join() && game.moves === (previous.moves &&
			previous.moves + ",") + now().atDefenders;
		const state = [...game.battle, game.moves].join(), over = now().winner !== "undecided";
		if (state !== was) {
			hint = "";
			await showGame();
		}
		told.textContent = hint;
		told.hidden = hint === "";
		settle(over);
		if (over) bars.show(game.battle, game.rows, moved);
		else {
			if (state !== was) order.range(now());
			await foresee(game.battle, played(), moved);
		}
		speak();
		drawn = state;
	});
});
