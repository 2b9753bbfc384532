// A plot: an SVG as wide as its place, with axes, that is drawn anew from numbers; and a table that scrolls by itself. What
// stands on an axis may be a BigInt of any size: positions are computed from differences.

const plotFont = 13; // px, also in the style sheet

// The room that a text takes, at least.
const plotRoom = (text) => 0.6 * plotFont * text.length;

// plotShort writes a number for an axis: a round one that ends in so many zeros as 5·10¹⁸.
const plotShort = (number, least = 6) => {
	const [, sign, digits, zeros] = /^(-?)([0-9.]*?)(0*)$/.exec(String(number));
	if (zeros.length < least || digits === "") return spoken(number).replace("-", "−");
	const power = [...String(zeros.length)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("");
	return sign.replace("-", "−") + (digits === "1" ? "" : spoken(digits) + "·") + "10" + power;
};

// plotTicks are round numbers from one end to the other, at most count of them, as a kind of number that the ends are.
const plotTicks = (from, to, count) => {
	if (typeof from !== "bigint") {
		const ten = 10 ** Math.floor(Math.log10((to - from) / count));
		const step = [1, 2, 5, 10].map((k) => k * ten).find((k) => (to - from) / k <= count);
		const ticks = [];
		for (let i = Math.ceil(from / step); i * step <= to; i++) ticks.push(Number((i * step).toPrecision(12)));
		return ticks;
	}
	const span = to - from, most = BigInt(Math.max(1, Math.floor(count)));
	let ten = 1n;
	while (span / (10n * ten) > most) ten *= 10n;
	const step = [1n, 2n, 5n, 10n, 20n, 50n].map((k) => k * ten).find((k) => span / k <= most);
	const ticks = [];
	const first = from >= 0n ? (from + step - 1n) / step : from / step;
	for (let tick = first * step; tick <= to; tick += step) ticks.push(tick);
	return ticks;
};

// plotScale leads from numbers between two ends to pixels between two others.
const plotScale = (from, to, start, end) => (value) => start + (end - start) * (Number(value - from) / Number(to - from || 1));

// plot makes a plot in x's stage. label says to who listens what it is; height is in pixels. pick, if given, is called
// with the numbers at the place that the reader points at, as parts from 0 to 1 of each axis. It returns {show}: show takes {x: [from,
// to], y: [from, to], xLabel, yLabel, words, draw}, and yTicks, [[number, text], ...], if round numbers will not do. draw is called with ({x, y, left, right, top, bottom}), x and y being
// the scales, and returns what is to be drawn. words say what it shows.
const plot = (x, {label, height = 320, pick, axes = true}) => {
	const svg = makeSVG("svg", {class: "x-plot", role: "img"});
	const element = make("div", {className: "x-plot-place"}, svg);
	x.stage.append(element);
	let width = 0, inside;
	new ResizeObserver(() => {
		if (element.clientWidth && Math.abs(element.clientWidth - width) > 1) x.changed(true);
	}).observe(element);

	const choose = x.attempt(pick);
	const at = (event) => {
		const box = svg.getBoundingClientRect(), {left, right, top, bottom} = inside;
		const part = (value, start, end) => Math.min(1, Math.max(0, (value - start) / (end - start)));
		choose(part(event.clientX - box.left, left, right), part(event.clientY - box.top, bottom, top));
	};
	if (pick) {
		svg.classList.add("x-pick");
		svg.addEventListener("pointerdown", (event) => {
			if (event.button !== 0 || !inside) return;
			svg.setPointerCapture(event.pointerId);
			at(event);
		});
		svg.addEventListener("pointermove", (event) => { if (svg.hasPointerCapture(event.pointerId)) at(event); });
	}

	const show = (next) => {
		width = element.clientWidth || 640;
		const yTicks = !axes ? [] : next.yTicks || plotTicks(next.y[0], next.y[1], height / 45).map((tick) => [tick, plotShort(tick)]);
		const room = Math.max(0, ...yTicks.map(([, text]) => plotRoom(text)));
		const left = axes ? room + 10 : 8, right = width - 8, top = axes ? 26 : 4, bottom = height - (axes ? 42 : 4);
		const put = {x: plotScale(...next.x, left, right), y: plotScale(...next.y, bottom, top), left, right, top, bottom, width, height};
		inside = put;
		svg.setAttribute("viewBox", "0 0 " + width + " " + height);
		svg.setAttribute("height", height);
		svg.setAttribute("aria-label", label + (next.words ? ". " + next.words : ""));
		const drawn = next.draw(put);
		if (!axes) {
			svg.replaceChildren(...drawn);
			return;
		}
		let xTicks = [];
		for (let most = (right - left) / 40; most >= 1; most /= 1.4) { // as many as there is room for
			xTicks = plotTicks(next.x[0], next.x[1], most);
			if (xTicks.reduce((sum, tick) => sum + plotRoom(plotShort(tick)) + 20, 0) < right - left) break;
		}
		const anchor = (px, half) => px + half > width ? "end" : px - half < 0 ? "start" : "middle";
		svg.replaceChildren(
			...yTicks.flatMap(([tick, text]) => [
				makeSVG("path", {class: "x-tick", d: "M" + left + " " + put.y(tick) + "H" + right}),
				makeSVG("text", {x: left - 6, y: put.y(tick) + 4, "text-anchor": "end"}, text),
			]),
			...xTicks.flatMap((tick) => [
				makeSVG("path", {class: "x-tick", d: "M" + put.x(tick) + " " + bottom + "v5"}),
				makeSVG("text", {x: put.x(tick), y: bottom + 18, "text-anchor": anchor(put.x(tick), plotRoom(plotShort(tick)) / 2)}, plotShort(tick)),
			]),
			makeSVG("path", {class: "x-frame", d: "M" + left + " " + top + "V" + bottom + "H" + right}),
			makeSVG("text", {class: "x-axis-name", x: right, y: height - 6, "text-anchor": "end"}, next.xLabel),
			makeSVG("text", {class: "x-axis-name", x: 2, y: 14}, next.yLabel),
			...drawn,
		);
	};
	return {show, element};
};

// plotText is a text in a plot, readable above what it stands on.
const plotText = (text, px, py, anchor = "middle", kind = "x-over") => makeSVG("text", {class: kind, x: px, y: py, "text-anchor": anchor}, text);

// plotNotes returns a function that puts a text beside a point, above or below, if there is room for it between the edges
// and beside the texts before.
const plotNotes = ({left, right}) => {
	const taken = [];
	return (text, px, py, below) => {
		const half = plotRoom(text) / 2, middle = Math.min(Math.max(px, left + half), right - half), base = below ? py + 21 : py - 11;
		const box = [middle - half, base - plotFont, middle + half, base + 4];
		if (2 * half > right - left || taken.some((other) => box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3])) return [];
		taken.push(box);
		return [plotText(text, middle, base)];
	};
};

// plotLine is a line through points, broken where a number is not finite.
const plotLine = (points, kind) => {
	let d = "", pen = "M";
	for (const [px, py] of points) {
		if (!Number.isFinite(px) || !Number.isFinite(py)) pen = "M";
		else [d, pen] = [d + pen + px.toFixed(1) + " " + py.toFixed(1), "L"];
	}
	return makeSVG("path", {class: kind, d});
};

// plotMarks are the signs of points: what is won and what is lost differ in form and colour.
const plotMarks = {
	won: (px, py) => makeSVG("circle", {class: "x-mark", cx: px, cy: py, r: 5, fill: colours("won").ground}),
	lost: (px, py) => makeSVG("path", {class: "x-cross-mark", d: "M" + (px - 5) + " " + (py - 5) + "l10 10m0 -10l-10 10", stroke: colours("lost").ground}),
};

// plotTable makes a table in x's stage: a caption for who listens, heads, and then rows by show([[cells], ...], chosen),
// of which the first cell is the head. chosen is the row that the controls are at, or nothing. cells are texts or elements.
const plotTable = (x, caption, heads) => {
	const body = make("tbody"), row = make("tr");
	const table = make("table", {className: "x-table"}, make("caption", {className: "hidden"}, caption), make("thead", {}, row), body);
	const element = make("div", {className: "x-scroll", tabIndex: 0, role: "group"}, table);
	element.setAttribute("aria-label", caption);
	x.stage.append(element);
	const name = (next) => row.replaceChildren(...next.map((head) => make("th", {scope: "col"}, ...[head].flat())));
	name(heads);
	return {element, name, show(rows, chosen) {
		body.replaceChildren(...rows.map(([head, ...cells], i) => {
			const line = make("tr", {}, make("th", {scope: "row"}, ...[head].flat()), ...cells.map((cell) => make("td", {}, ...[cell].flat())));
			if (i === chosen) {
				line.className = "x-chosen";
				line.setAttribute("aria-current", "true");
			}
			return line;
		}));
	}};
};

// Symbols of formulas: a letter in italics, an index below.
const plotLetter = (letter) => make("i", {}, letter);

// plotFormula is a formula, or a piece of one, that has line breaks nowhere but before a relation.
const plotFormula = (text) => text.replace(/ (?![=<>≤≥])/g, "\u00a0");

// plotPart is a whole number at a part of the way from one to another.
const plotPart = (part, from, to) => from + (BigInt(Math.round(part * 1e6)) * (to - from) + 500000n) / 1000000n;

const plotWithin = (value, least, most) => value < least ? least : value > most ? most : value;

// plotRows are rows of an answer.
const plotRows = (ints, head, length) => {
	const rows = [];
	for (let i = head; i < ints.length; i += length) rows.push(ints.slice(i, i + length));
	return rows;
};

const plotMinus = (number) => spoken(number).replace("-", "−");
