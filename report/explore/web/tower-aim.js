// A battle against towers, aimed by hand: a click aims at a tower, and the round is fired when all soldiers have a
// target. Beside it stands what the strategies and chance would make of the same towers.

// What the library calls strategies and readings: {strategies, readings: [[name, what it does], ...], best, worst}.
const towerWords = async (x) => {
	const {text, ints} = await x.ask("tower.words");
	const lines = text.split("\n").map((line) => line.split("\t"));
	const of = (what) => lines.filter(([kind]) => kind === what).map(([, name, does]) => [name, does]);
	return {strategies: of("strategy"), readings: of("reading"), best: Number(ints[0]), worst: Number(ints[1])};
};

// A round in an address: 1-4.6,5.3 is six shots at each of the towers 1 to 4, and three at tower 5.
const towerShots = (text, towers) => {
	const shots = new Array(towers).fill(0n);
	for (const part of text === "" ? [] : text.split(",")) {
		const [, first, last = first, each] = /^([0-9]{1,3})(?:-([0-9]{1,3}))?\.([0-9]{1,6})$/.exec(part) || [];
		if (first === undefined || Number(first) < 1 || Number(last) > towers) {
			throw new Refused("shots = " + part.slice(0, 40) + ": they are written 1-4.6 for six shots at each of the towers 1 to 4, and there are " + plural(towers, "tower"));
		}
		shots.fill(BigInt(each), Number(first) - 1, Number(last));
	}
	return shots;
};

const towerAddress = (shots) => {
	const parts = [];
	for (let first = 0, next; first < shots.length; first = next) {
		for (next = first + 1; next < shots.length && shots[next] === shots[first];) next++;
		if (shots[first] > 0n) parts.push((first + 1 === next ? next : first + 1 + "-" + next) + "." + shots[first]);
	}
	return parts.join(",");
};

const towerForm = (text) => /^[0-9.,_-]*$/.test(text) ? "" : "rounds are written like 1-4.6,5.3_6.12";

const sum = (numbers) => numbers.reduce((a, b) => a + b, 0n);

// Billionths as a probability.
const towerPercent = (billionths) => {
	const tenths = (billionths + 500000n) / 1000000n;
	if (billionths === 0n || billionths === 1000000000n) return billionths === 0n ? "0" : "1";
	if (tenths === 0n) return "less than 0.1 %";
	if (tenths === 1000n) return "more than 99.9 %";
	return tenths / 10n + "." + tenths % 10n + " %";
};

const towerChance = (win) => win === 0n ? "cannot win" : win === 1000000000n ? "sure to win" : towerPercent(win) + " to win";

// Who wins and how, as towerPlay says it: [winner, round, left].
const towerEnd = ([winner, round, left]) => (winner === 1n ? "soldiers" : "towers") + " win in round " + spoken(round) + ", " + spoken(left) + " left";

const towerMark = (winner) => look.outcomes[winner === 1n ? "won" : "lost"].sign;

// What is said and not seen, and what is seen and not said.
const towerSaid = (words) => make("span", {className: "hidden"}, words);
const towerSign = (sign) => make("span", {ariaHidden: "true"}, sign);

// How shots are dealt out, in words: 4 × 6, 1 × 3.
const towerDeal = (shots) => {
	const counts = new Map();
	for (const each of shots) if (each > 0n) counts.set(each, (counts.get(each) || 0) + 1);
	return [...counts].sort(([a], [b]) => (a < b ? 1 : -1)).map(([each, towers]) => towers + " × " + spoken(each)).join(", ");
};

const towerTable = (caption, header, rows) => make("div", {className: "x-tower-scroll", tabIndex: 0, role: "group", ariaLabel: caption}, make("table", {className: "x-tower-table"},
	make("caption", {}, caption),
	make("thead", {}, make("tr", {}, ...header.map((words) => make("th", {scope: "col"}, words)))),
	make("tbody", {}, ...rows.map(([name, ...cells]) => make("tr", {}, make("th", {scope: "row"}, name), ...cells.map((words) => make("td", {}, words)))))));

// towerNews says what a round has done, from its start to its end.
const towerNews = (start, end) => {
	if (!start) return "";
	const wasted = end[4] > 0n ? ", " + plural(end[4], "shot was wasted", "shots were wasted") : "";
	const killed = end[2] > 0n ? " The " + plural(end[2], "tower") + " left killed " + plural(start[1] - end[1], "soldier") + "." : "";
	return plural(start[2] - end[2], "tower fell", "towers fell") + wasted + "." + killed + " ";
};

define("tower-aim", (x) => {
	const numbers = [
		x.number("n", {label: "soldiers", most: 100, limit: 999, words: (n) => plural(n, "soldier")}),
		x.number("h", {label: "hits per tower", most: 20, limit: 99, words: (h) => plural(h, "hit") + " per tower"}),
		x.number("k", {label: "kills per tower", most: 10, limit: 99, words: (k) => plural(k, "kill") + " per tower"}),
		x.number("t", {label: "towers", most: 16, limit: 40, words: (t) => plural(t, "tower")}),
	];
	const [n, h, k, t] = numbers;
	const moves = x.memory("moves", "", towerForm), aim = x.memory("aim", "", towerForm);
	const click = x.choice("click", {label: "a click aims", options: [["hits", "as many shots as the tower takes"], ["one", "1 shot"], ["five", "5 shots"], ["all", "all that are left"]]});
	const reading = x.memory("reading", "", (text) => /^[a-z]{0,9}$/.test(text) ? "" : "it is the name of a reading");

	// Another battle stands folded above, so that the field is what one sees first.
	const fold = make("details", {className: "x-tower-fold"}, make("summary", {}, "Another battle"));
	x.controls.prepend(fold);
	const presets = make("div", {className: "x-row"});
	fold.append(...numbers.map((field) => field.row), presets);
	const forget = () => { moves.text = aim.text = ""; };
	for (const field of numbers) field.row.addEventListener("input", forget);
	const need = (which) => async () => {
		const {ints} = await x.ask("tower.needs", h.value, k.value, t.value, 1);
		x.set({n: ints[words[which]], moves: "", aim: ""});
	};
	// attempt tells what the rules refuse beside the towers, where the hand is.
	const attempt = (work) => x.attempt(async () => {
		try {
			await work();
		} catch (fault) {
			if (!(fault instanceof Refused) || fault.field) throw fault;
			tell(fault.words);
		}
	});
	x.button("The fewest soldiers who can win", need("best"), presets);
	x.button("The fewest who win however they aim, without waste", need("worst"), presets);
	x.button("A great battle", () => x.set({n: 225, h: 20, k: 1, t: 40, moves: "", aim: ""}), presets);

	const answer = x.answer();
	const news = make("p", {className: "x-tower-news"}), army = make("p", {className: "x-tower-army"}), soldiers = make("span", {ariaHidden: "true"}), count = make("span", {});
	army.append(count, " ", soldiers);
	const field = make("div", {className: "x-tower-field", role: "group", ariaLabel: "Towers. Arrow keys go from tower to tower, Enter aims, plus and minus change the shots, Delete takes them back."});
	const key = make("ul", {className: "x-tower-key"}), hint = make("p", {className: "x-tower-hint"});
	const one = make("label", {htmlFor: x.id + "-shots"}), slider = make("input", {type: "range", min: "0", step: "1", id: x.id + "-shots"});
	const shotsOut = make("output", {className: "x-tower-count", htmlFor: x.id + "-shots"});
	shotsOut.setAttribute("aria-live", "off");
	const single = make("div", {className: "x-row x-tower-one"}, one, slider, shotsOut);
	const does = make("div", {className: "x-row"}), like = make("ul", {className: "x-tower-ways"});
	const story = make("div", {className: "x-tower-story"});
	const compare = make("details", {className: "x-tower-fold"}, make("summary", {}, "What would the strategies do now, and how would it end?"));
	const compared = make("div", {});
	const readings = make("select", {name: "reading", id: x.id + "-reading"});
	const ending = make("div", {});
	const random = make("div", {className: "x-row x-choice"}, make("label", {htmlFor: readings.id}, "random shots choose"), readings);
	compare.append(compared);
	x.stage.append(news, army, field, key, hint, does, make("p", {className: "x-tower-like"}, "Aim like"), like, single, click.row, compare, ending, random, story);
	readings.addEventListener("change", () => reading.set(readings.value));
	compare.addEventListener("toggle", () => x.changed(true));

	let words; // the library's
	let towers = []; // [button, parts] of each tower
	let now; // {at, soldiers, hits, winner, rounds, play, who}, as drawn; at is the position, who the reading
	let selected = 0;

	const tell = (sentence) => {
		hint.textContent = sentence;
		if (sentence) x.say(sentence);
	};
	// position is the battle and the rounds that have been fired. What is drawn may be one behind: then nobody aims.
	const position = () => [...numbers, moves].map((part) => part.text).join("_");
	const aiming = () => now && now.at === position() && now.winner === 0n;
	const ended = "The battle is over. Take a round back, or begin another one.";
	// deal takes the shots of a round from the engine.
	const deal = (name, ...args) => attempt(async () => {
		while (x.drawing) await new Promise(requestAnimationFrame);
		if (now && now.winner !== 0n) return tell(ended);
		if (!aiming()) return;
		const {at} = now, {ints} = await x.ask(name, ...args.map((arg) => arg()), now.soldiers, ...now.hits);
		if (at === position()) put([...ints]);
	});
	const aimed = () => towerShots(aim.text, towers.length);
	const free = () => now.soldiers - sum(aimed());
	const put = (shots) => {
		tell("");
		aim.set(towerAddress(shots));
	};
	// shoot lets so many soldiers more fire at a tower, or fewer; as many as there are.
	const shoot = (i, more) => {
		if (!aiming()) return;
		if (now.hits[i] === 0n) return tell("Tower " + (i + 1) + " has fallen.");
		const shots = aimed(), left = free();
		if (more > 0n && left === 0n) return tell("No soldier is free. Take shots from another tower first.");
		const change = more > left ? left : -more > shots[i] ? -shots[i] : more;
		shots[i] += change;
		put(shots);
	};
	const press = (i) => {
		select(i);
		if (!aiming()) return;
		const shots = aimed()[i], lacking = now.hits[i] - shots;
		if (click.value === "one") shoot(i, 1n);
		else if (click.value === "five") shoot(i, 5n);
		else if (click.value === "all") shoot(i, free() || -shots);
		else if (shots > 0n && (lacking <= 0n || free() === 0n)) shoot(i, -shots);
		else shoot(i, lacking);
	};
	const select = (i) => {
		selected = i;
		for (const [j, {button}] of towers.entries()) {
			button.tabIndex = j === i ? 0 : -1;
			button.classList.toggle("x-tower-selected", j === i);
		}
		showSelected();
	};
	const showSelected = () => {
		const playing = now.winner === 0n && now.hits[selected] > 0n, shots = aimed();
		single.hidden = now.winner !== 0n;
		one.textContent = "shots at tower " + (selected + 1);
		slider.max = String(playing ? shots[selected] + now.soldiers - sum(shots) : 0);
		slider.value = String(shots[selected]);
		slider.disabled = !playing;
		slider.setAttribute("aria-valuetext", plural(shots[selected], "shot"));
		shotsOut.value = spoken(shots[selected]);
	};
	slider.addEventListener("input", () => {
		if (!aiming()) return;
		const shots = aimed();
		shots[selected] = BigInt(slider.value);
		put(shots);
	});
	const fire = async () => {
		while (x.drawing) await new Promise(requestAnimationFrame);
		if (!now || now.at !== position()) return;
		if (now.winner !== 0n) return tell(ended);
		const round = aim.text, before = moves.text, next = (before === "" ? "" : before + "_") + round;
		if (next.length > 4000) return tell("This battle is too long for an address. Take rounds back, or begin with fewer soldiers.");
		await x.ask("tower.play", ...now.play, ...towerShots(round, towers.length));
		if (moves.text === before && aim.text === round) x.set({moves: next, aim: ""});
	};
	const back = () => {
		if (moves.text === "") return tell("Nothing has been fired yet.");
		const rounds = moves.text.split("_");
		const last = rounds.pop();
		tell("");
		x.set({moves: rounds.join("_"), aim: last});
	};
	const fireButton = x.button("Fire", attempt(fire), does);
	fireButton.classList.add("x-tower-fire");
	x.button("+1", () => shoot(selected, 1n), single);
	x.button("−1", () => shoot(selected, -1n), single);
	x.button("all free soldiers", () => shoot(selected, free()), single);
	x.button("Take back the round", back, does);
	x.button("Back to round 1", () => x.set({moves: "", aim: ""}), does);
	const clear = x.button("Clear the aims", () => put([]), does);
	x.buttons = does;
	x.reset();

	field.addEventListener("keydown", (event) => {
		const i = towers.findIndex(({button}) => button === event.target);
		if (i < 0 || event.ctrlKey || event.altKey || event.metaKey) return;
		const columns = towers.filter(({button}) => button.offsetTop === towers[0].button.offsetTop).length;
		const step = {ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns, Home: -i, End: towers.length - 1 - i}[event.key];
		if (step !== undefined) {
			event.preventDefault();
			const to = i + step;
			if (to >= 0 && to < towers.length) {
				select(to);
				towers[to].button.focus();
			}
		} else if (aiming() && ["+", "-", "Delete", "Backspace"].includes(event.key)) {
			event.preventDefault();
			shoot(i, {"+": 1n, "-": -1n}[event.key] || -aimed()[i]);
		}
	});

	// build makes the towers of a battle.
	const build = (many, hits) => {
		const columns = hits <= 8 ? 1 : hits <= 20 ? 2 : hits <= 48 ? 4 : 6;
		towers = Array.from({length: many}, (_, i) => {
			const blocks = Array.from({length: hits}, () => make("span", {}));
			const wall = make("span", {className: "x-tower-wall", ariaHidden: "true"}, ...blocks);
			wall.style.gridTemplateColumns = "repeat(" + columns + ", 1fr)";
			const part = (of, ...children) => make("span", {className: "x-tower-" + of}, ...children);
			const name = part("name", towerSaid("Tower "), String(i + 1)), state = part("state"), shots = part("shots");
			const button = make("button", {type: "button", className: "x-tower", tabIndex: i === 0 ? 0 : -1}, name, wall, state, shots);
			button.addEventListener("click", () => press(i));
			button.addEventListener("focus", () => { if (selected !== i) select(i); });
			return {button, blocks, state, shots};
		});
		selected = 0;
		field.replaceChildren(...towers.map(({button}) => button));
	};

	// show draws the towers, with the shots that are aimed at them.
	const show = (hits, full, shots) => {
		for (const name of ["intact", "damaged", "fallen"]) {
			field.style.setProperty("--" + name, colours(name).ground);
		}
		for (const [i, tower] of towers.entries()) {
			const left = Number(hits[i]), aimedAt = Number(shots[i]);
			const kind = left === 0 ? "fallen" : left < full ? "damaged" : "intact";
			tower.button.dataset.kind = kind;
			const how = {fallen: ", destroyed, ", damaged: ", damaged, ", intact: ", not hit yet, "}[kind];
			tower.state.replaceChildren(towerSaid(how), towerSign(look.outcomes[kind].sign), " " + left, towerSaid(left === 1 ? " hit left" : " hits left"));
			tower.shots.replaceChildren(...aimedAt ? [towerSaid(", "), towerSign("◎"), " " + aimedAt, towerSaid((aimedAt === 1 ? " shot" : " shots") + " aimed at it")] : []);
			tower.button.classList.toggle("x-tower-aimed", aimedAt > 0);
			for (const [j, block] of tower.blocks.entries()) { // from above
				const standing = full - j; // is it there if so many hits are left?
				block.className = standing > left ? "x-gone" : standing > left - aimedAt ? "x-aimed" : "";
			}
		}
	};

	const chances = new Map(); // what has been asked of chance
	const chance = async (who, killing, many, hits) => {
		const key = [who, killing, many, ...hits].join();
		if (!chances.has(key)) {
			try {
				const {ints} = await x.ask("tower.chance", who, killing, many, ...hits);
				chances.set(key, {win: ints[0], outcomes: Array.from({length: (ints.length - 1) / 3}, (_, i) => ints.slice(1 + 3 * i, 4 + 3 * i))});
			} catch (fault) {
				if (!(fault instanceof Refused) || fault.words === "stopped") throw fault;
				chances.set(key, {refused: fault.words});
			}
		}
		return chances.get(key);
	};

	// ends are the ends of all strategies from a state on, by their numbers.
	const ends = (row) => words.strategies.map((_, i) => row.slice(6 + 3 * i, 9 + 3 * i));

	// showCompared says what each strategy would do now, and chance.
	const showCompared = async (row, who) => {
		if (!compare.open || row[0] !== 0n) return;
		const rows = [];
		for (const [i, [name]] of words.strategies.entries()) {
			const {ints} = await x.ask("tower.aims", i, row[1], ...now.hits);
			const end = ends(row)[i];
			rows.push([name, towerDeal(ints), towerMark(end[0]) + " " + towerEnd(end)]);
		}
		const luck = await chance(who, k.value, row[1], now.hits);
		rows.push(["random", "by chance", luck.refused || towerChance(luck.win)]);
		const best = ends(row)[words.best], worst = ends(row)[words.worst];
		const verdict = best[0] !== 1n ? "From here no play wins any more." :
			worst[0] === 1n ? "From here every play wins that wastes no shot." : "From here the aim decides: the best play wins, the worst one loses.";
		compared.replaceChildren(
			make("p", {}, verdict + " No play does better than " + words.strategies[words.best][0] + ", and no play without waste does worse than " + words.strategies[words.worst][0] + "."),
			towerTable("From here on, round " + (now.rounds + 1), ["strategy", "towers × shots", "how it ends"], rows));
	};

	// showEnding compares the reader with the strategies, once the battle is over, and finds where it was lost.
	const showEnding = async (states, who) => {
		const last = states.at(-1);
		ending.replaceChildren();
		if (last[0] === 0n) return;
		const mine = [last[0], BigInt(states.length - 1), last[0] === 1n ? last[1] : last[2]];
		const start = ends(states[0]), best = start[words.best];
		const rows = [["you", towerMark(mine[0]) + " " + towerEnd(mine)], ...words.strategies.map(([name], i) => [name, towerMark(start[i][0]) + " " + towerEnd(start[i])])];
		const sentences = [];
		const winnable = states.findLastIndex((row) => row[0] === 0n && ends(row)[words.best][0] === 1n);
		if (mine[0] === 1n) {
			sentences.push(mine[1] === best[1] && mine[2] === best[2] ? "No play does better." :
				mine[1] === best[1] ? "No play wins earlier, but one keeps " + plural(best[2], "soldier") + "." : "The best play wins in round " + best[1] + ".");
		} else if (winnable >= 0) {
			sentences.push("You lost it in round " + (winnable + 1) + ": before it the battle could still be won, after it no play wins.");
		} else {
			sentences.push("No play wins this battle.");
		}
		const luck = await chance(who, k.value, n.value, new Array(towers.length).fill(h.value));
		if (luck.refused) {
			sentences.push(luck.refused[0].toUpperCase() + luck.refused.slice(1) + ".");
		} else {
			rows.push(["random", towerChance(luck.win)]);
			const good = sum(luck.outcomes.filter(([winner, round]) => mine[0] === 1n ? winner === 1n && round <= mine[1] : winner === 1n || round >= mine[1]).map(([, , p]) => p));
			sentences.push("Soldiers who shoot at random " + (mine[0] === 1n ? "win as early as you" : "hold out as long as you") + " with a probability of " + towerPercent(good) + ".");
		}
		ending.replaceChildren(make("p", {}, sentences.join(" ")), towerTable("How the battle ends", ["who aims", "how it ends"], rows));
	};

	const showStory = (states, rounds) => {
		if (rounds.length === 0) return story.replaceChildren();
		const over = states.at(-1)[0] !== 0n;
		story.replaceChildren(towerTable("Your rounds: towers × shots, and what they leave", ["round", "shots", "wasted", "soldiers killed", "soldiers", "towers", "hits", ...over ? ["can win"] : []],
			rounds.map((shots, i) => {
				const row = states[i + 1], killed = states[i][1] - row[1];
				const still = row[0] === 1n ? "won" : row[0] === 2n ? "lost" : ends(row)[words.best][0] === 1n ? "yes" : "no";
				return [String(i + 1), towerDeal(shots), spoken(row[4]), spoken(killed), spoken(row[1]), spoken(row[2]), spoken(row[3]), ...over ? [still] : []];
			})));
	};

	let built = "", told = "";
	x.draw(async () => {
		if (!words) {
			words = await towerWords(x);
			readings.replaceChildren(...words.readings.map(([name, among]) => make("option", {value: name}, among + " (" + name + ")")));
			const way = (name, what, press) => {
				const item = make("li");
				like.append(item);
				x.button(name, press, item);
				item.append(make("span", {}, what));
			};
			for (const [i, [name, what]] of words.strategies.entries()) way(name, what, deal("tower.aims", () => i));
			way("chance", "has every soldier fire at a random tower", deal("tower.throw", () => now.who, () => Math.floor(Math.random() * 2 ** 53)));
		}
		const who = reading.value === "" ? 0 : words.readings.findIndex(([name]) => name === reading.value);
		if (who < 0) throw new Refused("reading = " + reading.value + ": it has to be one of " + words.readings.map(([name]) => name).join(", "));
		readings.value = words.readings[who][0];
		const at = position(), battle = [n.value, h.value, k.value, t.value], many = Number(t.value), full = Number(h.value);
		const rounds = moves.value === "" ? [] : moves.value.split("_").map((round) => towerShots(round, many));
		const shots = towerShots(aim.value, many);
		const play = [...battle, ...rounds.flat()];
		const {ints} = await x.ask("tower.play", ...play);
		const length = 6 + 3 * words.strategies.length + many;
		const states = Array.from({length: ints.length / length}, (_, i) => ints.slice(i * length, (i + 1) * length));
		const last = states.at(-1), hits = last.slice(length - many);
		if (sum(shots) > last[1] || shots.some((each, i) => each > 0n && hits[i] === 0n) || last[0] !== 0n && sum(shots) > 0n) {
			throw new Refused("aim = " + aim.value.slice(0, 40) + ": there are " + plural(last[1], "soldier") + " to fire, at towers that stand; clear the aims");
		}
		if (built !== many + "," + full) {
			build(many, full);
			built = many + "," + full;
		}
		key.replaceChildren(...[
			...[["intact", "not hit yet"], ["damaged", "damaged"], ["fallen", "destroyed"]].map(([kind, what]) => [look.outcomes[kind].sign, "tower " + what]),
			["2", "hits that the tower can still take"], ["◎", "shots aimed at it"],
			...n.value > 100n ? [] : [["●", "soldier with a target"], ["○", "soldier without one"], ["×", "dead soldier"]],
		].map(([sign, what]) => make("li", {}, make("b", {}, sign), " " + what)));
		now = {at, soldiers: last[1], hits, winner: last[0], rounds: rounds.length, play, who};
		show(hits, full, shots);
		const stands = hits.findIndex((left) => left > 0n);
		select(hits[selected] > 0n || stands < 0 || field.contains(focus()) ? selected : stands);
		const ready = last[1] - sum(shots), over = last[0] !== 0n;
		const headline = over ? towerMark(last[0]) + " " + (last[0] === 1n ? "You win" : "The towers win") + " in round " + rounds.length + (last[0] === 1n ? " with " + plural(last[1], "soldier") : " with " + plural(last[2], "tower")) + " left" :
			"Round " + (rounds.length + 1) + ": " + plural(last[1], "soldier") + " against " + plural(last[2], "tower");
		answer(headline);
		count.textContent = over ? "" : ready === 0n ? "Every soldier has a target." : plural(ready, "soldier is", "soldiers are") + " without a target.";
		soldiers.textContent = n.value > 100n ? "" : "●".repeat(Number(sum(shots))) + "○".repeat(Number(ready)) + "×".repeat(Number(n.value - last[1]));
		fireButton.setAttribute("aria-disabled", String(over));
		for (const button of like.querySelectorAll("button")) button.setAttribute("aria-disabled", String(over));
		click.row.hidden = compare.hidden = clear.hidden = over;
		random.hidden = !over && !compare.open;
		const happened = towerNews(states.at(-2), last);
		news.textContent = "Each tower kills " + plural(k.value, "soldier") + " a round, as long as it stands. " + happened;
		x.say((rounds.length + "" !== told ? happened : "") + headline.replace(/^[✓✗] /, "") + ". " + (over ? "" : count.textContent));
		told = String(rounds.length);
		await showCompared(last, who);
		await showEnding(states, who);
		showStory(states, rounds);
	});
});
