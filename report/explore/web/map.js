// A map: a cell for each pair of x and y, drawn from below, with a point that can be dragged, moved by the arrow keys, or
// set by a click. Cells are of classes. Each class has a colour, perhaps a pattern, and a line around its areas; in those
// that have room stands its name. So a map can be read without its colours.

// rgb reads #rrggbb.
const rgb = (text) => [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16));

const mapMix = (a, b, share) => a.map((part, i) => Math.round(part + share * (b[i] - part)));
const mapPixel = ([r, g, b]) => (255 << 24 | b << 16 | g << 8 | r) >>> 0;

// mapShape is how many times as wide as high a map is. The cells of a narrow grid are stretched: a map higher than wide
// would leave the screen, and one a hundred times as high is more than a browser can paint.
const mapShape = ({columns, rows}) => Math.min(8, Math.max(1, columns / rows));

// mapPaint is how a class looks on a canvas: its ground and its pattern's mark as pixels, the lines around it, and the
// colour of its name.
const mapPaint = ({ground, mark, pattern}) => {
	const [r, g, b] = ground, isDark = 0.3 * r + 0.59 * g + 0.11 * b < 110;
	const ink = isDark ? [255, 255, 255] : [0, 0, 0];
	return {ground: mapPixel(ground), mark: mapPixel(mark || ground), pattern, line: mapPixel(mapMix(ground, ink, isDark ? 0.6 : 0.7)), name: isDark ? "#fff" : "#000", halo: "rgb(" + ground + ")"};
};

// mapHatch draws a pattern over the pixels x0 to x1 of the line y. thick is the width of its lines.
const mapHatch = (pixels, width, y, x0, x1, {pattern, mark}, thick) => {
	const step = 9 * thick, base = y * width;
	const every = (first) => {
		for (let x = x0 + (((first - x0) % step) + step) % step - step; x < x1; x += step) {
			for (let i = Math.max(x, x0); i < Math.min(x + thick, x1); i++) pixels[base + i] = mark;
		}
	};
	if (pattern === "rising" || pattern === "cross") every(-y);
	if (pattern === "falling" || pattern === "cross") every(y);
	if (pattern === "vertical") every(0);
	if (pattern === "horizontal" && y % step < thick) pixels.fill(mark, base + x0, base + x1);
	if (pattern === "dots" && y % step < 2 * thick) {
		const shift = Math.floor(y / step) % 2 * (step >> 1);
		every(shift);
		every(shift + thick);
	}
};

// mapBusy is the share of cells with a neighbour of another class from which on lines around areas would hide them.
const mapBusy = 0.3;

// mapRaster draws cells into pixels, width x height of them. kinds has the class of each cell, paints are those of the
// classes. It returns the longest run of each class in every row, from and to.
const mapRaster = (pixels, width, height, {columns, rows, kinds, paints}, thick) => {
	const edge = Int32Array.from({length: columns + 1}, (_, column) => Math.round(column * width / columns));
	const runs = paints.map(() => new Int32Array(2 * rows));
	let borders = 0;
	for (let i = columns; i < kinds.length; i++) if (kinds[i - columns] !== kinds[i]) borders++;
	const lined = borders < mapBusy * kinds.length;
	for (let row = 0; row < rows; row++) {
		const low = height - Math.round(row * height / rows), high = height - Math.round((row + 1) * height / rows);
		const first = row * columns, base = high * width, patterned = [];
		for (let from = 0, to; from < columns; from = to) {
			const kind = kinds[first + from], paint = paints[kind];
			for (to = from + 1; to < columns && kinds[first + to] === kind; to++);
			const run = runs[kind];
			if (to - from > run[2 * row + 1] - run[2 * row]) run[2 * row] = from, run[2 * row + 1] = to;
			if (high === low) continue;
			pixels.fill(paint.ground, base + edge[from], base + edge[to]);
			if (paint.pattern) patterned.push([paint, edge[from], edge[to]]);
		}
		if (high === low) continue;
		for (let y = high + 1; y < low; y++) pixels.copyWithin(y * width, base, base + width);
		for (const [paint, x0, x1] of patterned) for (let y = high; y < low; y++) mapHatch(pixels, width, y, x0, x1, paint, thick);
		if (!lined) continue;
		for (let column = 0; column < columns; column++) {
			const kind = kinds[first + column];
			if (column > 0 && kinds[first + column - 1] !== kind) {
				for (let y = high; y < low; y++) pixels.fill(paints[kind].line, y * width + edge[column], y * width + Math.min(edge[column] + thick, edge[column + 1]));
			}
			if (row + 1 < rows && kinds[first + columns + column] !== kind) {
				for (let y = high; y < Math.min(high + thick, low); y++) pixels.fill(paints[kind].line, y * width + edge[column], y * width + edge[column + 1]);
			}
		}
	}
	return runs;
};

// mapPlace finds where in the areas of a class a name has most room, that is columns wide and rows high: the middle of
// such places, [column, row], or nothing. More than three times the room is not better.
const mapPlace = (runs, rows, wide, high) => {
	let most = wide, found = [];
	for (let row = 0; row + high <= rows; row++) {
		let from = 0, to = Infinity;
		for (let i = row; i < row + high && to - from >= most; i++) {
			from = Math.max(from, runs[2 * i]);
			to = Math.min(to, runs[2 * i + 1]);
		}
		const room = Math.min(to - from, 3 * wide);
		if (room < most) continue;
		if (room > most) [most, found] = [room, []];
		found.push([(from + to) / 2, row + high / 2]);
	}
	return found[found.length >> 1];
};

// mapTicks are round numbers from first to last, at most six of them.
const mapTicks = (first, last) => {
	const rough = Math.max(1, (last - first) / 5), power = 10 ** Math.floor(Math.log10(rough));
	const step = [1, 2, 5, 10].map((m) => m * power).find((candidate) => candidate >= rough);
	const ticks = [];
	for (let tick = Math.ceil(first / step) * step; tick <= last; tick += step) ticks.push(tick);
	return ticks;
};

// mapNumber writes a tick: 200,000 or 2 × 10¹⁸.
const mapNumber = (number) => {
	if (number < 1e6) return spoken(number);
	const [digits, power] = number.toExponential().split("e+");
	return digits + " × 10" + [...power].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("");
};

// mapScale are the ticks of an axis of so many cells, [words, share of the axis]. Where its numbers are long and close
// together, such as 4611686018427387903 and the next ones, ticks count from the first.
const mapScale = ({first, step}, cells) => {
	const from = Number(first), span = Number(step) * (cells - 1), far = from >= 1e6 && span < from / 100;
	return mapTicks(far ? 0 : from, far ? span : from + span).map((tick) => [
		(far ? "+" : "") + mapNumber(tick), ((far ? tick : tick - from) / Number(step) + 0.5) / cells,
	]);
};

// mapSwatch is a canvas that shows how a class looks.
const mapSwatch = (paint) => {
	const canvas = make("canvas", {className: "x-map-swatch", width: 28, height: 16});
	const context = canvas.getContext("2d"), image = context.createImageData(28, 16);
	const pixels = new Uint32Array(image.data.buffer);
	mapRaster(pixels, 28, 16, {columns: 1, rows: 1, kinds: [0], paints: [paint]}, 1);
	context.putImageData(image, 0, 0);
	return canvas;
};

// mapLines draws lines, first each wider and lighter, so that it stands out from any area.
const mapLines = (context, {columns, rows, lines = []}, width, height, ratio) => {
	for (const {points, dashed} of lines) {
		context.beginPath();
		for (const [across, up] of points) context.lineTo(across * width / columns, height - up * height / rows);
		context.setLineDash([]);
		[context.strokeStyle, context.lineWidth] = ["rgb(255 255 255 / 0.7)", 4.5 * ratio];
		context.stroke();
		context.setLineDash(dashed ? [6 * ratio, 4 * ratio] : []);
		[context.strokeStyle, context.lineWidth] = ["#000", (dashed ? 1.25 : 2) * ratio];
		context.stroke();
	}
	context.setLineDash([]);
};

// mapStrip draws a class whose rows are too thin to be seen as lines with an edge.
const mapStrip = (context, runs, {halo}, {columns, rows}, width, height, ratio) => {
	if (height / rows >= 5 * ratio) return;
	for (let row = 0; row < rows; row++) {
		const [from, to] = runs.subarray(2 * row, 2 * row + 2), y = height - (row + 0.5) * height / rows;
		if (to === from) continue;
		for (const [colour, thick] of [["#000", 5.5], [halo, 3.5]]) {
			context.fillStyle = colour;
			context.fillRect(from * width / columns, y - thick * ratio / 2, (to - from) * width / columns, thick * ratio);
		}
	}
};

// map makes a map in x's stage. move is called with the cell, counted from 0, where the reader puts the point; zoom with
// 1 or -1 for + or -. It returns {show, element, held}: held says whether the
// reader holds the point right now. show takes {columns, rows, cells, classOf, classes, point, x, y, lines}
// and returns how many cells are of each class:
//   - cells has a number up to 255 for each cell, row by row from below, and classOf the class of each such number
//   - classes are {ground, mark, pattern, name, thin}, whose name may be empty; a thin one may be a single row
//   - point is [column, row], or undefined if it is not on the map
//   - x and y are the axes {label, first, step}: the BigInt of the first cell, and from each to the next
//   - lines are {points: [[x, y], ...], name, dashed}, in cells
const map = (x, {move, zoom, label}) => {
	const moving = x.attempt(move), zooming = x.attempt(zoom);
	const canvas = make("canvas", {className: "x-cells"}), cross = makeSVG("path", {class: "x-cross"});
	const over = makeSVG("svg", {"aria-hidden": "true", preserveAspectRatio: "none"}, cross);
	const names = make("div", {"aria-hidden": "true"});
	const plane = make("div", {className: "x-plane", tabIndex: 0, role: "application"}, canvas, over, names);
	plane.setAttribute("aria-label", label + ". Arrow keys move the point, with Shift ten cells; plus and minus go closer and away.");
	const xLabel = make("p", {className: "x-axis x-map-across"}), yLabel = make("p", {className: "x-axis"});
	const xTicks = make("div", {className: "x-map-ticks x-map-across", "aria-hidden": "true"}), yTicks = make("div", {className: "x-map-ticks x-map-up", "aria-hidden": "true"});
	const element = make("div", {className: "x-map"}, yLabel, make("div", {className: "x-map-frame"}, yTicks, plane, xTicks), xLabel);
	let shown, width = 0, image, pixels, kinds, counts, held = false;

	const go = (column, row) => {
		const [before, below] = shown.point || [];
		if (column === before && row === below) return;
		shown.point = [column, row]; // the next key may come before the next drawing
		moving(column, row);
	};
	const at = (event) => {
		const box = plane.getBoundingClientRect();
		const cell = (share, size) => Math.max(0, Math.min(size - 1, Math.floor(share * size)));
		go(cell((event.clientX - box.left) / box.width, shown.columns), cell((box.bottom - event.clientY) / box.height, shown.rows));
	};
	plane.addEventListener("pointerdown", (event) => {
		if (event.button !== 0 || !shown) return;
		plane.setPointerCapture(event.pointerId);
		held = true;
		at(event);
	});
	plane.addEventListener("lostpointercapture", () => {
		held = false;
		x.changed(true);
	});
	plane.addEventListener("pointermove", (event) => { if (plane.hasPointerCapture(event.pointerId)) at(event); });
	plane.addEventListener("keydown", (event) => {
		if (!shown || event.ctrlKey || event.metaKey || event.altKey) return;
		const step = event.shiftKey ? 10 : 1;
		const [dx, dy] = {ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, step], ArrowDown: [0, -step]}[event.key] || [];
		const closer = {"+": 1, "=": 1, "-": -1}[event.key];
		if (dx === undefined && !(closer && zoom)) return;
		event.preventDefault();
		if (closer) zooming(closer);
		else if (shown.point) go(shown.point[0] + dx, shown.point[1] + dy);
		else go(0, 0);
	});

	const sort = () => {
		const {cells, classOf, classes} = shown;
		if (!kinds || kinds.length !== cells.length) kinds = new Uint8Array(cells.length);
		counts = new Array(classes.length).fill(0);
		for (let i = 0; i < cells.length; i++) counts[kinds[i] = classOf[cells[i]]]++;
	};

	const paint = () => {
		const {columns, rows, classes} = shown, ratio = Math.min(2, devicePixelRatio || 1), thick = Math.round(ratio);
		const wide = Math.max(1, Math.round(width * ratio)), high = Math.max(1, Math.round(wide / mapShape(shown)));
		const context = canvas.getContext("2d");
		if (!image || canvas.width !== wide || canvas.height !== high) {
			[canvas.width, canvas.height] = [wide, high];
			image = context.createImageData(wide, high);
			pixels = new Uint32Array(image.data.buffer);
		}
		const paints = classes.map(mapPaint);
		const runs = mapRaster(pixels, wide, high, {...shown, kinds, paints}, thick);
		context.putImageData(image, 0, 0);
		mapLines(context, shown, wide, high, ratio);
		classes.forEach(({thin}, i) => { if (thin) mapStrip(context, runs[i], paints[i], shown, wide, high, ratio); });
		context.font = 13 * ratio + "px system-ui, sans-serif";
		context.textAlign = "center";
		context.textBaseline = "middle";
		context.lineJoin = "round";
		context.lineWidth = 4 * ratio;
		classes.forEach(({name}, i) => {
			if (!name) return;
			const place = mapPlace(runs[i], rows, Math.ceil((context.measureText(name).width + 12 * ratio) * columns / wide), Math.ceil(20 * ratio * rows / high));
			if (!place) return;
			const middle = [place[0] * wide / columns, high - place[1] * high / rows];
			if (paints[i].pattern) {
				context.strokeStyle = paints[i].halo;
				context.strokeText(name, ...middle);
			}
			context.fillStyle = paints[i].name;
			context.fillText(name, ...middle);
		});
	};

	const ticks = (box, side, scale) => box.replaceChildren(...scale.map(([words, share]) => {
		const tick = make("span", {}, words);
		tick.style[side] = 100 * share + "%";
		return tick;
	}));

	const tags = () => {
		const {columns, rows, lines = []} = shown;
		names.replaceChildren(...lines.filter((line) => line.name).map((line) => {
			const tag = make("span", {className: "x-map-name"}, line.name);
			const [[ax, ay], [bx, by]] = line.points;
			const share = line.dashed ? 0.85 : 0.25;
			if (ay === by) tag.style.right = ".35rem";
			else tag.style.left = 100 * (ax + share * (bx - ax)) / columns + "%";
			tag.style.bottom = 100 * (ay + share * (by - ay)) / rows + "%";
			return tag;
		}));
	};

	const frame = () => {
		const {columns, rows, x: across, y: up} = shown;
		over.setAttribute("viewBox", "0 0 " + columns + " " + rows);
		const upwards = mapScale(up, rows);
		ticks(xTicks, "left", mapScale(across, columns));
		ticks(yTicks, "bottom", upwards);
		element.style.setProperty("--widest", Math.max(...upwards.map(([words]) => words.length)) + "ch");
		const span = ({label: what, first, step}, cells) => what + ", " + spoken(first) + " to " + spoken(first + step * BigInt(cells - 1)) + (step > 1n ? " in steps of " + spoken(step) : "");
		xLabel.textContent = span(across, columns);
		yLabel.textContent = span(up, rows);
		plane.style.aspectRatio = String(mapShape(shown));
	};

	const show = (next) => {
		const before = shown;
		shown = next;
		const same = (...keys) => before && keys.every((key) => before[key] === next[key]);
		if (!same("cells", "classes", "lines", "x", "y")) {
			sort();
			tags();
			if (!same("columns", "rows") || !["x", "y"].every((axis) => before[axis].first === next[axis].first && before[axis].step === next[axis].step)) frame();
			if (width > 0) paint();
		}
		plane.classList.toggle("x-map-off", !next.point);
		if (!next.point) return counts;
		const {columns, rows, point} = next, [px, py] = [point[0] + 0.5, rows - point[1] - 0.5];
		cross.setAttribute("d", "M" + px + " 0V" + rows + "M0 " + py + "H" + columns);
		plane.style.setProperty("--x", 100 * px / columns + "%");
		plane.style.setProperty("--y", 100 * py / rows + "%");
		return counts;
	};
	new ResizeObserver(([{contentRect}]) => {
		if (contentRect.width === width || contentRect.width === 0) return;
		width = contentRect.width;
		requestAnimationFrame(() => { if (shown) paint(); }); // not while sizes are observed, as it changes the canvas
	}).observe(plane);
	x.stage.append(element);
	return {show, element, held: () => held};
};

// legend makes the list of a map's classes in x's stage. It returns what sets it: a class of a count of 0 is left out.
const legend = (x) => {
	const list = make("ul", {className: "x-map-legend"});
	x.stage.append(list);
	let before, entries;
	return (classes, counts) => {
		if (classes !== before) {
			before = classes;
			entries = classes.map((one) => ({item: make("li", {}, mapSwatch(mapPaint(one)), (one.sign ? one.sign + " " : "") + one.label + " "), count: make("span", {className: "x-map-count"})}));
			for (const {item, count} of entries) item.append(count);
			list.replaceChildren(...entries.map(({item}) => item));
		}
		const all = counts.reduce((sum, count) => sum + count, 0);
		entries.forEach(({item, count}, i) => {
			item.hidden = !counts[i];
			count.replaceChildren(spoken(counts[i]), make("span", {}, " (" + (100 * counts[i] / all).toFixed(1) + " %)"));
		});
	};
};
