// Wait or strike: in which wave should the castle fall? Each choice has its cost, and one is the best. Readers can try waves
// first, and look at all of them later.

define("castle-wait", (x) => {
	const [n, s, d] = castleFields(x, {n: 200, s: 500, d: 200});
	const wave = x.number("f", {label: "castle falls in wave", most: 20, words: (f) => "wave " + spoken(f)});
	const rows = x.choice("rows", {label: "show", options: [["all", "all waves"], ["tried", "only what I have tried"]]});
	const battle = () => [n, s, d].map((field) => field.value).join(".");
	const list = (text) => /^[0-9]{1,19}(\.[0-9]{1,19}){2}(,[0-9]{1,19}){0,60}$|^$/.test(text) ? "" : "it has to be a battle and waves, such as 10.43.8,5,7";
	const tried = x.memory("tried", "", list), bet = x.memory("bet", "", list);
	const tries = () => { // of this battle
		const [of, ...waves] = tried.value.split(",");
		return of === battle() ? waves.map(BigInt) : [];
	};
	const attempt = x.button("Try this wave", () => {
		const known = tries();
		if (!known.includes(wave.value)) tried.set([battle(), ...known, wave.value].slice(0, 61).join(","));
	});
	if (bet.value) {
		x.button("The bet: guess first", () => {
			const [soldiers, hits, defenders] = bet.value.split(",")[0].split(".");
			x.set({n: soldiers, s: hits, d: defenders, f: 2, rows: "tried", tried: ""});
		});
	}
	x.reset();

	const answer = x.answer();
	const words = make("p", {className: "x-words"});
	x.stage.append(words);
	let ends = [0n, 1n];
	const place = plot(x, {label: "The wave that decides the battle, by the wave in which the castle falls", height: 300, pick: (part) => wave.set(plotWithin(plotPart(part, ...ends), 1n, largest))});
	const table = plotTable(x, "What each wave of the fall costs", ["falls in wave", "castle hits before", ["defenders left, ", plotLetter("x")], "waves of the hunt", "waves altogether", "soldiers lost", "soldiers left", "result"]);
	const rule = make("p", {className: "x-words"});
	x.stage.append(rule);

	x.draw(async () => {
		const guessing = rows.value === "tried", f = wave.value;
		const {ints, text} = await x.ask("castle.falls", n.value, s.value, d.value, f, 24n);
		const [first, last, fewest, best] = ints, squares = text ? text.split("\n") : [];
		const falls = plotRows(ints, 5, 7).map(([at, hits, left, won, waves, home, early], i) => (
			{at, hits, left: BigInt.asUintN(64, left), won: won === 1n, waves, home, early: early === 1n, square: squares[i + 1], fewest: won === 1n && waves === fewest, best: at === best}));
		wave.range(1n, last > 0n ? last : 2n);
		attempt.hidden = !guessing;
		const known = tries(), shown = guessing ? falls.filter(({at}) => known.includes(at)) : falls;
		const chosen = shown.find(({at}) => at === f);
		const sentence = waitSentence({first, last, f, chosen, n: n.value, fewest});
		answer(sentence);
		words.textContent = guessing ? waitGuess(shown, fewest) : waitBest(fewest, falls, n.value);
		x.say(sentence + ". " + words.textContent);
		table.show(shown.map((fall) => [
			spoken(fall.at), spoken(fall.hits), spoken(fall.left), spoken(fall.waves - fall.at), spoken(fall.waves), spoken(n.value - fall.home), spoken(fall.home), waitResult(fall, fewest),
		]), shown.indexOf(chosen));
		table.element.hidden = shown.length === 0;
		rule.replaceChildren(...(chosen && squares.length > 0 ? waitRule(chosen, d.value, squares[0]) : []));
		place.element.hidden = last === 0n;
		if (last > 0n) ends = waitPlot(place, falls, shown, f);
	});
});

const waitSentence = ({first, last, f, chosen, n}) => {
	if (last === 0n) return "The castle cannot fall";
	if (f < first || f > last) return "It cannot fall in wave " + spoken(f) + ", but " + (first === last ? "only in wave " + spoken(first) : "in waves " + spoken(first) + " to " + spoken(last));
	if (!chosen) return "In wave " + spoken(f) + "? Try it";
	return chosen.won ? "Falls in wave " + spoken(f) + ": won in " + plural(chosen.waves, "wave") + ", " + spoken(n - chosen.home) + " of " + plural(n, "soldier") + " lost"
		: "Falls in wave " + spoken(f) + ": lost in wave " + spoken(chosen.waves);
};

const waitGuess = (shown, fewest) => {
	const won = shown.filter((fall) => fall.won).map((fall) => fall.waves), least = won.reduce((a, b) => b < a ? b : a, largest);
	if (fewest === 0n) return "Guess a wave, and try it.";
	if (won.length === 0) return shown.length === 0 ? "Guess a wave for the castle to fall in, and try it. In how few waves can the battle be won?" : "Not won yet.";
	return least === fewest ? "The fewest waves that there are: you have found them, with " + plural(shown.length, "try", "tries") + "." : "Your fewest waves so far: " + spoken(least) + ". It goes faster.";
};

const waitBest = (fewest, falls, n) => {
	if (fewest === 0n) return falls.length === 0 ? "There are too many defenders for a shot at the castle." : "The soldiers cannot win, whenever the castle falls.";
	const best = falls.find((fall) => fall.best), same = falls.filter((fall) => fall.fewest);
	return "The fewest waves are " + spoken(fewest) + ", with a fall in wave " + same.map(({at}) => spoken(at)).join(" or ") + "."
		+ (same.length > 1 ? " Of these, wave " + spoken(best.at) + " costs the fewest soldiers: " + spoken(n - best.home) + "." : "");
};

const waitResult = ({won, waves, best, fewest: fastest}, fewest) => best ? "✓ the best" : fastest ? "✓ as fast" : won ? "+ " + plural(waves - fewest, "wave") : "✗ lost";

// waitRule puts the numbers into the rule of the derivation.
const waitRule = ({left, early, square}, d, limit) => [
	plotLetter("x"), plotFormula("² + "), plotLetter("d"), plotLetter("x"), plotFormula(" = " + spoken(left) + "² + " + spoken(d) + " · " + spoken(left) + " = " + spoken(square)),
	early ? " is more than " : " is no more than ", plotLetter("nd"), plotFormula(" = " + spoken(limit)) + (early ? ": too early, wait." : ": late enough, there is no need to wait longer."),
];

// waitPlot draws falls, and returns the ends of the axis of waves.
const waitPlot = (place, falls, shown, f) => {
	const ats = falls.map(({at}) => at), decided = falls.map(({waves}) => waves);
	const least = (list) => list.reduce((a, b) => b < a ? b : a), most = (list) => list.reduce((a, b) => b > a ? b : a);
	const x0 = least(ats) - 1n, x1 = most(ats) + 1n;
	place.show({
		x: [x0, x1], y: [x0, most(decided) + 1n], xLabel: "wave in which the castle falls", yLabel: "wave that decides the battle",
		words: shown.map(({at, won, waves}) => "wave " + spoken(at) + ": " + (won ? "won in " : "lost in ") + spoken(waves)).join("; "),
		draw: ({x, y, left, right, top, bottom}) => {
			const note = plotNotes({left, right});
			return [
				plotLine([[x(x0), y(x0)], [x(x1), y(x1)]], "x-guide"), plotText("the fall", x(x1) - 6, y(x1) + 20, "end"),
				...(f > x0 && f < x1 ? [makeSVG("path", {class: "x-here", d: "M" + x(f) + " " + top + "V" + bottom})] : []),
				...shown.map(({at, waves}) => makeSVG("path", {class: "x-path", d: "M" + x(at) + " " + y(at) + "V" + y(waves)})),
				...shown.map(({at, won, waves}) => plotMarks[won ? "won" : "lost"](x(at), y(waves))),
				...[...shown].sort((a, b) => (b.at === f) - (a.at === f) || b.best - a.best).flatMap((fall) => note(spoken(fall.waves) + (fall.best ? " ✓" : fall.won ? "" : " ✗"), x(fall.at), y(fall.waves))),
			];
		},
	});
	return [x0, x1];
};
