// Plays with an explorable like a reader who tries everything. It sets each field to both ends, to random values, and
// to texts that are not numbers. It presses each button and each plane while a field is wrong, from random states.
// given holds the seed. Returns the faults, which a reader should never see.
globalThis.requestAnimationFrame = (work) => setTimeout(work); // nobody watches: do not wait for the screen
const frame = () => new Promise((done) => setTimeout(done));
const drawn = async (frames = 1) => {
	while (frames-- > 0) await frame();
	while (host.dataset.drawn === undefined || host.dataset.drawing !== undefined) await frame();
};
const rested = async () => { // after a move, the explorable draws again at rest
	await new Promise((done) => setTimeout(done, 250));
	await drawn();
};
let seed = given[0];
const random = () => { // the generator mulberry32, from 0 to below 1
	seed = (seed + 0x6d2b79f5) | 0;
	let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
	t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
	return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
};
const among = (list) => list[Math.floor(random() * list.length)];
Element.prototype.setPointerCapture = () => {}; // it fails for pointers that the browser does not know

const faults = new Set();
const exception = /\b(?:undefined|NaN|Infinity)\b|\[object |\b[A-Z][a-z]+Error\b|Cannot (?:convert|read|mix|destructure)|is not (?:a function|iterable|defined|valid)/;
const problem = host.querySelector(".x-problem");
let did = "";
const look = () => {
	const page = host.innerHTML, at = page.search(exception); // the message quotes the text around it
	if (at >= 0) faults.add(did + ": it shows “" + page.slice(Math.max(0, at - 60), at + 80).replaceAll("\n", " ") + "”");
	if (!problem.hidden && /cannot be (?:drawn|played)/.test(problem.textContent)) faults.add(did + ": " + problem.textContent);
	if (!problem.hidden && /\n|: .*: .*: /.test(problem.textContent)) faults.add(did + ": no sentence: " + problem.textContent);
};

const boxes = () => [...host.querySelectorAll("input, select")].filter((e) => !e.disabled);
const called = (e) => e.name || (e.closest(".x-row")?.textContent.slice(0, 20) ?? "") + " " + e.type;
const set = (e, value) => {
	did = called(e) + " = " + JSON.stringify(value);
	e.value = value;
	for (const kind of e.localName === "select" ? ["change"] : ["input", "change"]) e.dispatchEvent(new Event(kind, {bubbles: true}));
};
// The ends of a field, and numbers between them.
const sensible = (e) => {
	if (e.localName === "select") return [e.options[0].value, e.options[e.options.length - 1].value, among([...e.options]).value];
	const slider = e.type === "range" ? e : e.closest(".x-row")?.querySelector("[type=range]") ?? {min: "0", max: "100"};
	const [least, most] = [Number(slider.min), Number(slider.max)], between = String(Math.floor(least + random() * (most - least + 1)));
	return [slider.min, slider.max, String(Math.max(least, most - 1)), between];
};
const absurd = ["", "0", "-1", "1e9", "9223372036854775807", "9223372036854775808"];

// The buttons that can be pressed. Only one is included of several buttons that differ only in numbers.
const buttons = () => new Map([...host.querySelectorAll("button")].filter((e) => !e.disabled && e.checkVisibility()).map((e) => [e.textContent.replaceAll(/\d+/g, "#"), e]));
const press = async (name) => {
	did += ", then “" + name + "”";
	buttons().get(name)?.click();
	await drawn(2);
	look();
};
const tap = async (plane) => {
	if (!plane.isConnected || !plane.checkVisibility()) return;
	const box = plane.getBoundingClientRect();
	did += ", then a tap";
	const init = {bubbles: true, button: 0, pointerId: 1, clientX: box.left + random() * box.width, clientY: box.top + random() * box.height};
	for (const kind of ["pointerdown", "pointerup"]) plane.dispatchEvent(new PointerEvent(kind, init));
	await drawn(2);
	look();
	await rested();
};
// The visible texts, without the message. They must belong to one state, whatever a field contains.
const shown = () => [...host.querySelectorAll(".x-stage, .x-rest")].map((part) =>
	part.contains(problem) ? part.textContent.replace(problem.textContent, "") : part.textContent).join();
const oneState = async (e, [first, second]) => {
	const texts = [];
	await rested(); // a moving map still has the earlier legend
	for (const value of [second, first]) {
		set(e, value);
		await drawn();
		texts.push(shown());
	}
	set(e, second);
	await frame(); // the page is drawing the second value now
	set(e, "");
	await drawn();
	if (e.getAttribute("aria-invalid") === "true" && !texts.includes(shown())) faults.add(did + " after " + second + ": what is shown is of two states");
};
const free = (drawings) => { // checks acts that had no effect
	if (host.dataset.drawn !== drawings && host.querySelector(".x-old")) faults.add(did + ": it is blocked: " + problem.textContent);
};

const planes = () => [...host.querySelectorAll(".x-pick, .x-plane, .x-board")].filter((e) => e.checkVisibility());

// Checks that a refusal is next to its field.
const atField = (e) => {
	if (e.getAttribute("aria-invalid") !== "true" || !e.name || !e.checkVisibility()) return;
	const [field, words] = [e, problem].map((part) => part.getBoundingClientRect());
	if (problem.hidden) faults.add(did + ": nobody says what is wrong");
	else if (words.top < field.top || words.top > field.bottom + 100) faults.add(did + ": “" + problem.textContent + "” stands " + Math.round(words.top - field.bottom) + " pixels below its field");
};

for (const fold of host.querySelectorAll("details:has(input, select)")) fold.open = true;
await drawn();
did = "at the start";
look();
if (problem.hidden) {
	for (const e of boxes()) {
		const before = e.value;
		for (const value of e.type === "number" ? absurd : e.type === "text" ? [...sensible(e), ...absurd] : sensible(e)) {
			if (!e.isConnected) break;
			set(e, value);
			await drawn();
			look();
			atField(e);
		}
		if (e.isConnected && e.type === "number" && e.checkVisibility()) await oneState(e, sensible(e));
		set(e, before);
		await drawn();
	}
	for (let round = 0; round < 6; round++) {
		for (const e of boxes()) set(e, among(sensible(e)));
		await drawn();
		did = "with " + boxes().map((e) => called(e) + "=" + e.value).join(" ");
		look();
	}
}
// If the state is wrong from the start, presses all buttons at once before anything is drawn.
if (!problem.hidden) {
	did = "all buttons at a wrong start";
	for (const button of buttons().values()) button.click();
	for (const plane of planes()) await tap(plane);
	await drawn(2);
	look();
	return [...faults];
}
// Tries each button and each plane while some field is wrong, from random states. A page for readers' programs has
// buttons of its own, which fields may block.
await rested();
for (const act of [...[...buttons().keys()].map((name) => () => press(name)), ...planes().map((plane) => () => tap(plane))]) {
	for (let times = 0; times < 2; times++) {
		if (times === 1) for (const e of boxes()) if (e.type !== "range") set(e, among(sensible(e)));
		await drawn();
		const e = among(boxes().filter((e) => ["number", "text"].includes(e.type) && e.checkVisibility()));
		const state = "with " + boxes().map((e) => called(e) + "=" + e.value).join(" ") + ", ";
		did = "";
		if (e) set(e, among(["", "1e9", "-5", "9".repeat(25)]));
		did = state + did;
		await drawn();
		look();
		const drawings = host.dataset.drawn;
		await act();
		if (!host.querySelector(".x-program")) free(drawings);
	}
}
return [...faults];
