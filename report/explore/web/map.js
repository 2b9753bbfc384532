// A map: a cell for each pair of x and y, drawn from below, with a point that can be dragged, moved by the arrow keys, or
// set by a click. The page draws cells as pixels on a canvas, and axes and point as SVG above it.

// map makes a map in x's stage. move is called with the cell, counted from 0, where the reader puts the point. It returns
// {show, element}: show takes {columns, rows, x0, y0, xLabel, yLabel, cells, colour, point, words, lines}. cells has a number for each cell,
// row by row from below; colour makes [red, green, blue] of it; point is [column, row]; words tell what is at the point.
// lines are [[x, y], ...] in cells.
const map = (x, {move, label}) => {
	const canvas = make("canvas", {className: "x-cells"});
	const over = makeSVG("svg", {"aria-hidden": "true", preserveAspectRatio: "none"});
	const plane = make("div", {className: "x-plane", tabIndex: 0, role: "img"}, canvas, over);
	plane.setAttribute("aria-label", label + ". Arrow keys move the point.");
	const xLabel = make("p", {className: "x-axis"}), yLabel = make("p", {className: "x-axis"});
	const element = make("div", {className: "x-map"}, yLabel, plane, xLabel);
	let shown;

	const clamp = (value, size) => Math.max(0, Math.min(size - 1, value));
	const to = (column, row) => {
		column = clamp(column, shown.columns);
		row = clamp(row, shown.rows);
		if (column === shown.point[0] && row === shown.point[1]) return;
		shown.point = [column, row]; // the next key may come before the next drawing
		move(column, row);
	};
	const at = (event) => {
		const box = plane.getBoundingClientRect();
		to(Math.floor((event.clientX - box.left) / box.width * shown.columns), Math.floor((box.bottom - event.clientY) / box.height * shown.rows));
	};
	plane.addEventListener("pointerdown", (event) => {
		if (event.button !== 0 || !shown) return;
		plane.setPointerCapture(event.pointerId);
		at(event);
	});
	plane.addEventListener("pointermove", (event) => { if (plane.hasPointerCapture(event.pointerId)) at(event); });
	plane.addEventListener("keydown", (event) => {
		const step = event.shiftKey ? 10 : 1;
		const [dx, dy] = {ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, step], ArrowDown: [0, -step]}[event.key] || [];
		if (dx === undefined || !shown) return;
		event.preventDefault();
		to(shown.point[0] + dx, shown.point[1] + dy);
	});

	const show = (next) => {
		shown = next;
		const {columns, rows, cells, colour, point, lines = []} = next;
		if (canvas.width !== columns || canvas.height !== rows) [canvas.width, canvas.height] = [columns, rows];
		const context = canvas.getContext("2d");
		const image = context.createImageData(columns, rows);
		const pixels = new Uint32Array(image.data.buffer), known = new Map();
		for (let row = 0, i = 0; row < rows; row++) {
			let p = (rows - 1 - row) * columns;
			for (let column = 0; column < columns; column++, i++, p++) {
				let pixel = known.get(cells[i]);
				if (pixel === undefined) {
					const [r, g, b] = colour(cells[i]);
					known.set(cells[i], pixel = (255 << 24 | b << 16 | g << 8 | r) >>> 0);
				}
				pixels[p] = pixel;
			}
		}
		context.putImageData(image, 0, 0);
		over.setAttribute("viewBox", "0 0 " + columns + " " + rows);
		const [px, py] = [point[0] + 0.5, rows - point[1] - 0.5];
		over.replaceChildren(
			...lines.map((line) => makeSVG("polyline", {class: "x-line", points: line.map(([lx, ly]) => lx + "," + (rows - ly)).join(" ")})),
			makeSVG("path", {class: "x-cross", d: "M" + px + " 0V" + rows + "M0 " + py + "H" + columns}),
		);
		plane.style.setProperty("--x", 100 * px / columns + "%");
		plane.style.setProperty("--y", 100 * py / rows + "%");
		xLabel.textContent = next.xLabel;
		yLabel.textContent = next.yLabel;
	};
	x.stage.append(element);
	return {show, element};
};

const rgb = (text) => [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16));
