// A board of ants that a reader fills: who dies by each of the rules, and who killed whom. Who wants to guesses first.

// A board as text has its rows one after the other, with - between them: a letter for an ant, a number for so many empty
// cells. Empty ends of rows are left out: "3B-1A1A-3C".
const antsRead = (text, rows, columns) => {
	const cells = new Array(rows * columns).fill("");
	text.split("-").slice(0, rows).forEach((line, row) => {
		let column = 0;
		for (const [token] of line.matchAll(/[A-Z]|[0-9]+/g)) {
			if (token >= "A" && column < columns) cells[row * columns + column] = token;
			column += token >= "A" ? 1 : Number(token);
		}
	});
	return cells;
};

const antsWrite = (cells, rows, columns) => {
	const lines = [];
	for (let row = 0; row < rows; row++) {
		let line = "", empty = 0;
		for (const sign of cells.slice(row * columns, (row + 1) * columns)) {
			if (!sign) {
				empty++;
				continue;
			}
			line += (empty || "") + sign;
			empty = 0;
		}
		lines.push(line);
	}
	return lines.join("-").replace(/-+$/, "");
};

// The battles that a page offers: names and boards in turn, with points between them. Their rows are whole, and give the
// size of the board; one around a torus begins with the row "torus".
const antsPresets = (text) => {
	const parts = text ? text.split(".") : [], presets = [];
	for (let i = 0; i + 1 < parts.length; i += 2) {
		const lines = parts[i + 1].split("-");
		const edges = lines[0] === "torus" ? lines.shift() : "edges";
		const columns = [...lines[0].matchAll(/[A-Z]|[0-9]+/g)].reduce((sum, [token]) => sum + (token >= "A" ? 1 : Number(token)), 0);
		const cells = antsRead(lines.join("-"), lines.length, columns);
		presets.push({name: parts[i].replaceAll("_", " "), rows: lines.length, cols: columns, edges, board: antsWrite(cells, lines.length, columns)});
	}
	return presets;
};

const antsLooks = new Map(look.armies.map((army) => [army.sign, army]));
const antsColours = (sign) => antsLooks.get(sign)[dark.matches ? "dark" : "light"];

const antsUnit = 40, antsRadius = 13; // of a cell, of an ant
const antsMiddle = (cell) => cell * antsUnit + antsUnit / 2;

// antsArrow is a bent arrow from one cell to another, which leaves the ants at its ends free, and bends more where
// another one is in its way.
const antsArrow = (row, column, down, right, {dashed, blocked}) => {
	const [x0, y0, length] = [antsMiddle(column), antsMiddle(row), Math.hypot(down, right)];
	const [ux, uy] = [right / length, down / length];
	const [x1, y1] = [x0 + right * antsUnit, y0 + down * antsUnit], bow = blocked ? 4 * antsRadius : 5 + 2 * length;
	const [cx, cy] = [(x0 + x1) / 2 - uy * bow, (y0 + y1) / 2 + ux * bow];
	const towards = (x, y) => {
		const far = Math.hypot(cx - x, cy - y);
		return [(cx - x) / far, (cy - y) / far];
	};
	const [ax, ay] = towards(x0, y0), [bx, by] = towards(x1, y1), off = antsRadius + 2;
	const [tx, ty] = [x1 + bx * off, y1 + by * off];
	const head = [[tx, ty], [tx + 9 * bx - 4.5 * by, ty + 9 * by + 4.5 * bx], [tx + 9 * bx + 4.5 * by, ty + 9 * by - 4.5 * bx]];
	return [
		makeSVG("path", {class: dashed ? "x-ants-arrow x-ants-dashed" : "x-ants-arrow", d: `M${x0 + ax * off} ${y0 + ay * off}Q${cx} ${cy} ${tx + 6 * bx} ${ty + 6 * by}`}),
		makeSVG("polygon", {class: "x-ants-ink", points: head.map((p) => p.join(",")).join(" ")}),
	];
};

const antsDivisor = (a, b) => b === 0 ? a : antsDivisor(b, a % b);

// antsLinks are the arrows of an ant's kills: from its killers, and dashed to those whom it kills. Where a way leads
// over the edge of a torus, it is drawn again where it comes in.
const antsLinks = ({rows, columns, cells, chosen, links = []}) => links.flatMap(({killer, down, right}) => {
	const drawn = [];
	const steps = antsDivisor(Math.abs(down), Math.abs(right)), around = (i, size) => (i + size) % size;
	let blocked = false;
	for (let i = 1; i < steps; i++) {
		blocked ||= cells[around(chosen[0] + i * down / steps, rows) * columns + around(chosen[1] + i * right / steps, columns)] !== "";
	}
	for (const beyondRows of [-rows, 0, rows]) {
		for (const beyondColumns of [-columns, 0, columns]) {
			const [row, column] = [chosen[0] + beyondRows, chosen[1] + beyondColumns];
			const seen = (r, c) => r >= 0 && r < rows && c >= 0 && c < columns;
			if (!seen(row, column) && !seen(row + down, column + right)) continue;
			drawn.push(...(killer ? antsArrow(row + down, column + right, -down, -right, {blocked}) : antsArrow(row, column, down, right, {dashed: true, blocked})));
		}
	}
	return drawn;
});

// antsPiece is an ant: a full disc, or, if it is dead, a ring with a cross over it.
const antsPiece = (sign, x, y, {dead, marked, count, verdict}) => {
	const {ground, text} = antsColours(sign), parts = [];
	const cross = [[1, 1], [1, -1], [-1, 1], [-1, -1]].map(([dx, dy]) =>
		`M${x + 0.46 * antsRadius * dx} ${y + 0.46 * antsRadius * dy}L${x + 0.95 * antsRadius * dx} ${y + 0.95 * antsRadius * dy}`).join("");
	if (dead) {
		parts.push(makeSVG("circle", {class: "x-ants-dead", cx: x, cy: y, r: antsRadius, stroke: ground}), makeSVG("path", {class: "x-ants-cross", d: cross}));
	} else {
		parts.push(makeSVG("circle", {class: "x-ants-disc", cx: x, cy: y, r: antsRadius, fill: ground}));
	}
	if (marked) parts.push(makeSVG("circle", {class: "x-ants-marked", cx: x, cy: y, r: antsRadius + 3}), makeSVG("text", {class: "x-ants-note", x: x - 15, y: y + 15}, "†"));
	parts.push(makeSVG("text", dead ? {class: "x-ants-sign x-ants-halo", x, y} : {class: "x-ants-sign", x, y, fill: text}, sign));
	if (count !== undefined) parts.push(makeSVG("text", {class: "x-ants-note", x: x + 14, y: y + 14}, count));
	if (verdict) parts.push(makeSVG("text", {class: "x-ants-note x-ants-verdict", x: x + 14, y: y - 13}, verdict));
	return parts;
};

// antsReach shades the cells in range, with hatching as in the figures.
const antsReach = (reach, columns) => {
	const part = antsUnit / 4;
	let cells = "", hatching = "";
	reach.forEach((inside, cell) => {
		if (!inside) return;
		const [left, top] = [cell % columns * antsUnit, Math.floor(cell / columns) * antsUnit];
		cells += `M${left} ${top}h${antsUnit}v${antsUnit}h-${antsUnit}z`;
		for (let i = 1; i < 8; i += 2) {
			const low = Math.max(0, i - 4) * part, high = Math.min(4, i) * part;
			hatching += `M${left + low} ${top + high}L${left + high} ${top + low}`;
		}
	});
	return [makeSVG("path", {fill: colours("quiet").ground, d: cells}), makeSVG("path", {class: "x-ants-hatching", d: hatching})];
};

// antsPicture draws a board into an SVG element. cells are signs, "" for none; dead, marks, counts and verdicts are
// asked by the number of a cell.
const antsPicture = (svg, board) => {
	const {rows, columns, cells, torus, reach, chosen, tell} = board;
	const [width, height] = [columns * antsUnit, rows * antsUnit];
	let lines = "";
	for (let column = 1; column < columns; column++) lines += `M${column * antsUnit} 0V${height}`;
	for (let row = 1; row < rows; row++) lines += `M0 ${row * antsUnit}H${width}`;
	const parts = [];
	if (reach) parts.push(...antsReach(reach, columns));
	parts.push(makeSVG("path", {class: "x-ants-lines", d: lines}));
	parts.push(makeSVG("rect", {class: torus ? "x-ants-edge x-ants-dashed" : "x-ants-edge", x: 0, y: 0, width, height}));
	cells.forEach((sign, cell) => {
		if (sign) parts.push(...antsPiece(sign, antsMiddle(cell % columns), antsMiddle(Math.floor(cell / columns)), tell(cell)));
	});
	if (chosen) {
		parts.push(makeSVG("rect", {class: "x-ants-chosen", x: chosen[1] * antsUnit + 1.5, y: chosen[0] * antsUnit + 1.5, width: antsUnit - 3, height: antsUnit - 3, rx: 4}));
		parts.push(...antsLinks(board));
	}
	svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
	svg.classList.toggle("x-ants-clipped", torus); // arrows leave a torus, and come in again
	svg.replaceChildren(...parts);
};

// antsGrid is the board that a hand works on: a picture, and over it cells for pointers and keys. press, slide and lift
// are told the cell of a stroke, key the cell and the key.
const antsGrid = (x, {press, slide, lift, key, move}) => {
	const picture = makeSVG("svg", {"aria-hidden": "true"});
	const cells = make("div", {className: "x-ants-cells", role: "grid"});
	cells.setAttribute("aria-label", "Board of ants. Arrow keys move, letters or numbers put ants, Delete removes, Space uses the tool.");
	const top = make("div", {className: "x-ants-top"}), side = make("div", {className: "x-ants-side"});
	for (const numbers of [top, side]) numbers.setAttribute("aria-hidden", "true");
	const plane = make("div", {className: "x-ants-plane"}, picture, cells);
	const element = make("div", {className: "x-ants-board"}, top, side, plane);
	let rows = 0, columns = 0, all = [], stroke;

	const at = (event) => {
		const box = plane.getBoundingClientRect();
		const [row, column] = [Math.floor((event.clientY - box.top) / box.height * rows), Math.floor((event.clientX - box.left) / box.width * columns)];
		return row >= 0 && row < rows && column >= 0 && column < columns ? row * columns + column : -1;
	};
	plane.addEventListener("pointerdown", (event) => {
		const cell = at(event);
		if (event.button !== 0 || stroke !== undefined || cell < 0) return;
		event.preventDefault(); // no text is selected, and the focus goes where we say
		plane.setPointerCapture(event.pointerId);
		stroke = event.pointerId;
		all[cell].focus({preventScroll: true, focusVisible: false});
		press(cell);
	});
	plane.addEventListener("pointermove", (event) => {
		const cell = at(event);
		if (event.pointerId === stroke && cell >= 0) slide(cell);
	});
	for (const end of ["pointerup", "pointercancel"]) {
		plane.addEventListener(end, (event) => {
			if (event.pointerId !== stroke) return;
			stroke = undefined;
			lift();
		});
	}
	cells.addEventListener("keydown", (event) => {
		const cell = all.indexOf(event.target);
		if (cell < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
		const row = Math.floor(cell / columns), column = cell % columns;
		const to = {
			ArrowLeft: [row, column - 1], ArrowRight: [row, column + 1], ArrowUp: [row - 1, column], ArrowDown: [row + 1, column],
			Home: [row, 0], End: [row, columns - 1], PageUp: [0, column], PageDown: [rows - 1, column],
		}[event.key];
		if (!to && !key(cell, event.key)) return;
		event.preventDefault();
		if (!to || to[0] < 0 || to[0] >= rows || to[1] < 0 || to[1] >= columns) return;
		all[to[0] * columns + to[1]].focus();
		move(to[0] * columns + to[1]);
	});

	// size makes the cells anew if their number has changed.
	const size = (nextRows, nextColumns) => {
		if (rows === nextRows && columns === nextColumns) return;
		[rows, columns] = [nextRows, nextColumns];
		const numbers = (count) => Array.from({length: count}, (_, i) => make("span", {}, String(i)));
		top.replaceChildren(...numbers(columns));
		side.replaceChildren(...numbers(rows));
		all = Array.from({length: rows * columns}, () => make("div", {className: "x-ants-cell", role: "gridcell", tabIndex: -1}));
		cells.replaceChildren(...numbers(rows).map((_, row) => make("div", {className: "x-ants-row", role: "row"}, ...all.slice(row * columns, (row + 1) * columns))));
		element.style.setProperty("--rows", String(rows));
		element.style.setProperty("--columns", String(columns));
	};
	return {
		element,
		show(board) {
			size(board.rows, board.columns);
			antsPicture(picture, board);
			const first = board.chosen ? board.chosen[0] * columns + board.chosen[1] : 0;
			all.forEach((cell, i) => {
				cell.tabIndex = i === first ? 0 : -1;
				cell.setAttribute("aria-label", board.words(i));
			});
		},
	};
};

const antsPlace = (cell, columns) => "(" + Math.floor(cell / columns) + ", " + cell % columns + ")";
const antsPlaces = /^([0-9]{1,2}\.[0-9]{1,2}(,(?=[0-9])|$))*$/;

define("ants-board", (x) => {
	const presets = antsPresets(x.start.get("presets"));
	const most = 12;

	// What can be set.
	const world = make("details", {className: "x-ants-world"}, make("summary", {}, "Size, edges, radius, chance"));
	const rows = x.number("rows", {label: "rows", most, limit: most, words: (n) => plural(n, "row")});
	const cols = x.number("cols", {label: "columns", most, limit: most, words: (n) => plural(n, "column")});
	const signs = new RegExp("^([0-9" + [...antsLooks.keys()].join("") + "-]*|random)$");
	const board = x.memory("board", "", (text) => signs.test(text) ? "" : "it has the letters " + [...antsLooks.keys()].join(", ") + " for ants, numbers for empty cells and - between rows");
	const edges = x.choice("edges", {label: "edges", options: [["edges", "the board ends there"], ["torus", "a torus: left meets right, top meets bottom"]]});
	const radius = x.number("radius", {label: "squared attack radius", most: 25, words: (n) => "squared attack radius " + n});
	const rule = x.memory("rule", "focus", (text) => /^[a-z]+$/.test(text) ? "" : "it is the name of a rule");
	const at = x.memory("at", "", (text) => /^([0-9]{1,2}\.[0-9]{1,2})?$/.test(text) ? "" : "it is a row and a column, such as 1.3");
	const guess = x.memory("guess", "no", (text) => ["no", "yes", "seen"].includes(text) ? "" : "it is no, yes or seen");
	const marks = x.memory("marks", "", (text) => antsPlaces.test(text) ? "" : "it has rows and columns, such as 1.3,2.4");
	const counts = x.memory("counts", "no", (text) => ["no", "yes"].includes(text) ? "" : "it is yes or no");
	const score = x.memory("score", "", (text) => /^([0-9]{1,6}\.[0-9]{1,6}\.[0-9]{1,6})?$/.test(text) ? "" : "it has three numbers, such as 3.4.1");
	const armies = x.number("armies", {label: "armies at random", least: 2, most: 4, limit: 4, words: (n) => plural(n, "army", "armies")});
	const seed = x.number("seed", {label: "board at random no.", most: 1000, words: (n) => "board " + n});
	for (const field of [rows, cols, edges, radius, armies, seed]) world.append(field.row);
	for (const field of [armies, seed]) field.row.addEventListener("input", () => anew({board: "random"}));

	// A guess was made about a board in its world and by a rule. Who changes one of them after the answer wants to see
	// what follows: the guess is over, and is not judged again.
	const over = () => guess.value === "seen" ? {guess: "no", marks: ""} : {};
	for (const field of [rows, cols, edges, radius]) field.row.addEventListener("input", () => x.set(over()));

	// What the last drawing showed.
	let shown, rules, hiding;
	const past = [];
	const whenShown = (press) => () => shown && press();

	const marked = () => new Set(marks.value.split(",").filter(Boolean).map((place) => place.split(".").map(Number))
		.filter(([row, column]) => row < shown.rows && column < shown.columns).map(([row, column]) => row * shown.columns + column));
	const address = (cell) => Math.floor(cell / shown.columns) + "." + cell % shown.columns;
	const cellsNow = () => board.value === "random" ? [...shown.cells] : antsRead(board.value, shown.rows, shown.columns);

	// anew is another battle: nothing is marked or seen of it.
	const anew = (values) => x.set({marks: "", at: "", ...guess.value === "seen" ? {guess: "yes"} : {}, ...values});

	const remember = () => {
		past.push({rows: rows.text, cols: cols.text, board: antsWrite(cellsNow(), shown.rows, shown.columns), edges: edges.text});
		if (past.length > 200) past.shift();
	};

	// edit shows a changed board.
	const edit = (cells, cell) => x.set({
		board: antsWrite(cells, shown.rows, shown.columns), at: cell < 0 ? "" : address(cell),
		marks: [...marked()].filter((i) => cells[i]).map(address).join(","),
		...over(),
	});
	const put = (cell, sign) => {
		const cells = cellsNow();
		if (cells[cell] === sign) return;
		cells[cell] = sign;
		edit(cells, cell);
	};
	const mark = (cell) => {
		const set = marked();
		if (!cellsNow()[cell]) {
			x.set({at: address(cell)});
			return;
		}
		if (!set.delete(cell)) set.add(cell);
		x.set({marks: [...set].sort((a, b) => a - b).map(address).join(","), at: address(cell)});
	};

	// The tools. A letter puts ants of its army.
	let tool = antsLooks.keys().next().value;
	const tools = new Map(), palette = make("div", {className: "x-row x-ants-tools", role: "group"});
	palette.setAttribute("aria-label", "What a click does");
	const use = (name) => {
		tool = name;
		for (const [other, button] of tools) button.setAttribute("aria-pressed", String(other === tool));
	};
	const addTool = (name, ...content) => {
		const button = x.button("", () => use(name), palette);
		button.append(...content);
		tools.set(name, button);
		return button;
	};
	addTool("mark", "Mark who dies");
	addTool("move", "Choose or move");
	const pens = [...antsLooks.keys()].map((sign) => {
		const icon = makeSVG("svg", {viewBox: "0 0 30 30", class: "x-ants-icon", "aria-hidden": "true"});
		return {sign, icon, button: addTool(sign, icon, make("span", {className: "hidden"}, "ant of "), sign)};
	});
	addTool("remove", "Remove");
	const undo = x.button("Undo", () => {
		if (past.length > 0) anew(past.pop());
	}, palette);
	x.button("Clear", () => {
		remember();
		anew({board: ""});
	}, palette);
	// Keys 1, 2, ... are the armies whose pens are shown.
	const penOf = (key) => {
		const shownPens = pens.filter(({button}) => !button.hidden);
		const pen = pens.find(({sign}) => sign === key.toUpperCase()) || shownPens[Number(key) - 1];
		return /^[A-Za-z1-9]$/.test(key) ? pen : undefined;
	};

	// Strokes on the board. An ant under the hand is carried along.
	let stroke;
	const grid = antsGrid(x, {
		press(cell) {
			if (!shown) return;
			const sign = cellsNow()[cell];
			stroke = {cell, sign, from: cell, kept: false};
			if (tool === "mark") mark(cell);
			else if (tool === "remove") strike(cell, "");
			else if (!sign && antsLooks.has(tool)) strike(cell, tool);
			else x.set({at: address(cell)});
		},
		slide(cell) {
			if (!stroke || cell === stroke.cell || tool === "mark") return;
			stroke.cell = cell;
			const cells = cellsNow();
			if (tool === "remove") strike(cell, "");
			else if (stroke.sign && !cells[cell]) {
				keep();
				[cells[stroke.from], cells[cell]] = ["", stroke.sign];
				stroke.from = cell;
				edit(cells, cell);
			} else if (!stroke.sign && antsLooks.has(tool) && !cells[cell]) strike(cell, tool);
		},
		lift() { stroke = undefined; },
		key(cell, key) {
			if (!shown) return false;
			const pen = penOf(key);
			stroke = undefined;
			if (key === " " || key === "Enter") {
				if (tool === "mark") mark(cell);
				else if (tool === "remove") strike(cell, "");
				else if (antsLooks.has(tool) && !cellsNow()[cell]) strike(cell, tool);
				else x.set({at: address(cell)});
			} else if (["Delete", "Backspace", "0"].includes(key)) strike(cell, "");
			else if (pen) strike(cell, pen.sign);
			else return false;
			return true;
		},
		move(cell) { x.set({at: address(cell)}); },
	});
	// keep remembers the board once a stroke.
	const keep = () => {
		if (!stroke || !stroke.kept) remember();
		if (stroke) stroke.kept = true;
	};
	const strike = (cell, sign) => {
		if (cellsNow()[cell] === sign) {
			x.set({at: address(cell)});
			return;
		}
		keep();
		put(cell, sign);
	};

	// Which battle, and whether to guess it.
	const choose = make("select", {id: x.id + "-battle"}, make("option", {value: ""}, "your own"), ...presets.map(({name}, i) => make("option", {value: String(i)}, name)));
	choose.addEventListener("change", () => {
		const preset = presets[Number(choose.value)];
		if (choose.value === "" || !preset) return;
		if (shown) remember();
		anew({rows: preset.rows, cols: preset.cols, board: preset.board, edges: preset.edges, radius: radius.start});
	});
	const first = x.row(make("label", {htmlFor: choose.id}, "Battle"), choose);
	first.hidden = presets.length === 0;
	x.buttons = x.row();
	x.button("Board at random", whenShown(() => {
		remember();
		const next = board.value === "random" && seed.valid(), fewest = 6; // smaller boards are dull at random
		anew({
			board: "random", seed: next ? seed.value % seed.most + 1n : seed.valid() ? seed.text : 1,
			rows: next ? rows.text : Math.max(shown.rows, fewest), cols: next ? cols.text : Math.max(shown.columns, fewest),
		});
	}));
	const guessing = x.button("Guess first", () => x.set({guess: guess.value === "no" ? "yes" : "no", marks: ""}));
	const hint = x.button("Show the counts", () => x.set({counts: counts.value === "yes" ? "no" : "yes"}));
	const reveal = x.button("", whenShown(() => {
		const right = shown.right(), [before, of, boards] = score.value ? score.value.split(".").map(Number) : [0, 0, 0];
		x.set({guess: "seen", score: [before + right, of + shown.ants, boards + 1].join(".")});
	}));
	x.reset();
	x.controls.append(world);

	const answer = x.answer(), output = x.stage.lastChild;
	const differ = make("p", {className: "x-ants-differ"}), points = make("p", {className: "x-ants-score"});
	const fate = make("div", {className: "x-ants-fate"});
	const cards = make("div", {className: "x-ants-cards"});
	const table = make("div", {className: "x-ants-table"});
	// What changes stands beside the board or below it: a board must not move under a hand.
	const told = make("div", {}, output, differ, points, fate);
	x.stage.append(palette, make("div", {className: "x-ants-desk"}, grid.element, told), cards, table);

	let views = [];
	const readRules = async () => {
		const {text} = await x.ask("ants.rules");
		rules = text.split("\n").map((line) => {
			const at = line.indexOf(": ");
			return {name: line.slice(0, at), does: line.slice(at + 2)};
		});
		views = rules.map(({name}) => {
			const button = make("button", {type: "button"}, name);
			button.addEventListener("click", () => x.set({rule: name, ...over()}));
			const svg = makeSVG("svg", {role: "img"}), words = make("p");
			cards.append(make("div", {className: "x-ants-card"}, button, svg, words));
			return {button, svg, words};
		});
	};

	const countTable = (owners) => {
		const head = make("tr", {}, make("th", {scope: "col"}, "army"), ...rules.map(({name}) => make("th", {scope: "col"}, name)));
		const body = owners.map((owner) => make("tr", {}, make("th", {scope: "row"}, owner), ...rules.map((_, i) => {
			const own = shown.cells.map((sign, cell) => sign === owner ? shown.fates(i, cell) : 0);
			return make("td", {}, make("span", {}, own.filter((f) => f === 2).length + " dead,"), " ", make("span", {}, own.filter((f) => f === 1).length + " alive"));
		})));
		table.replaceChildren(make("table", {}, make("caption", {}, "The dead and the living, army by army"), make("thead", {}, head), make("tbody", {}, ...body)));
	};

	x.draw(async () => {
		if (!rules) await readRules();
		const index = rules.findIndex(({name}) => name === rule.value);
		if (index < 0) throw new Refused("rule = " + rule.value + ": there is no such rule, use one of " + rules.map(({name}) => name).join(", "));
		const [height, width] = [Number(rows.value), Number(cols.value)], size = height * width;
		let cells;
		if (board.value === "random") {
			const {bytes} = await x.ask("ants.random", height, width, armies.value, seed.value);
			cells = Array.from(bytes, (code) => code ? String.fromCharCode(code) : "");
		} else cells = antsRead(board.value, height, width);
		const numbers = [height, width, edges.value === "torus" ? 0 : 1, radius.value], codes = cells.map((sign) => sign ? sign.charCodeAt(0) : 0);
		const battle = await x.ask("ants.battle", ...numbers, ...codes);
		const [row, column] = at.value ? at.value.split(".").map(Number) : [-1, -1];
		const chosen = row >= 0 && row < height && column < width ? [row, column] : undefined;
		const ant = chosen && await x.ask("ants.ant", ...numbers, row, column, ...codes);

		const fates = (i, cell) => battle.bytes[i * size + cell];
		const hidden = guess.value === "yes", seen = guess.value === "seen";
		shown = {rows: height, columns: width, cells, fates, ants: cells.filter(Boolean).length};
		const guessed = new Set([...marked()].filter((cell) => cells[cell]));
		const outside = board.value === "random" ? 0 : (board.value.match(/[A-Z]/g) || []).length - shown.ants;
		const rightAt = (cell) => (fates(index, cell) === 2) === guessed.has(cell);
		shown.right = () => cells.filter((sign, cell) => sign && rightAt(cell)).length;
		const links = Array.from(rules, () => []);
		for (let i = 0; ant && i < ant.ints.length; i += 6) {
			const [r, , , role, down, right] = Array.from(ant.ints.slice(i, i + 6), Number);
			links[r].push({killer: role === 0, down, right});
		}

		const withCounts = !hidden || counts.value === "yes";
		const drawing = {rows: height, columns: width, cells, torus: edges.value === "torus", chosen};
		grid.show({
			...drawing, reach: ant && ant.bytes, links: hidden ? [] : links[index],
			tell: (cell) => ({
				dead: !hidden && fates(index, cell) === 2, marked: guess.value !== "no" && guessed.has(cell), count: withCounts ? battle.ints[cell] : undefined,
				verdict: seen ? rightAt(cell) ? "✓" : "✗" : "",
			}),
			words: (cell) => antsWords({cell, width, sign: cells[cell], hidden, seen, withCounts, count: battle.ints[cell], dead: fates(index, cell) === 2, marked: guessed.has(cell), right: rightAt(cell), reached: ant && ant.bytes[cell] === 1}),
		});

		const lines = battle.text.split("\n"), compared = lines[rules.length];
		const outcome = "By " + rule.value + " " + lines[index] + ".";
		let words = outcome;
		if (hidden) words = shown.ants === 0 ? compared : "Who dies by " + rule.value + "? Mark them: " + plural(guessed.size, "ant") + " of " + spoken(shown.ants) + " marked.";
		else if (shown.ants === 0) words = compared;
		else if (seen) words = "You had " + shown.right() + " of " + plural(shown.ants, "ant") + " right. " + outcome;
		answer(words);
		x.say(hidden || shown.ants === 0 ? words : words + " " + compared);
		differ.textContent = hidden ? "" : rule.value[0].toUpperCase() + rule.value.slice(1) + " " + rules[index].does + "." + (shown.ants === 0 ? "" : " " + compared);
		differ.hidden = hidden;
		const [total, of, boards] = score.value ? score.value.split(".") : [];
		points.hidden = !score.value || guess.value === "no";
		points.textContent = score.value ? "Your score: " + spoken(total) + " of " + plural(of, "ant") + " right on " + plural(boards, "board") + "." : "";

		fate.replaceChildren();
		if (outside > 0) fate.append(make("p", {}, "Outside of the board: " + plural(outside, "ant") + ". Give it more rows or columns to see them."));
		if (ant) {
			const [about, ...byRule] = ant.text.split("\n");
			if (hidden) fate.append(make("p", {}, "The shaded cells are in range of " + cells[row * width + column] + antsPlace(row * width + column, width) + "."));
			else fate.append(make("p", {}, about), make("ul", {}, ...byRule.map((line, i) => make("li", {}, make("strong", {}, rules[i].name), ": " + line))));
			if (!hidden && byRule.length > 0) fate.append(make("p", {className: "x-ants-key"}, "Full arrows lead from its killers, dashed ones to those whom it kills; shaded cells are in its range."));
		} else fate.append(make("p", {}, hidden ? "Click the ants that die, or go to them with the arrow keys and press Space." : "Choose an ant to see who kills it, drag it to another cell, or put more ants on the board."));

		cards.hidden = shown.ants === 0;
		table.hidden = hidden || shown.ants === 0;
		views.forEach(({button, svg, words: below}, i) => {
			button.setAttribute("aria-pressed", String(i === index));
			below.textContent = hidden ? rules[i].does : lines[i];
			svg.toggleAttribute("hidden", hidden);
			svg.setAttribute("aria-label", rules[i].name + ": " + lines[i]);
			if (!hidden) antsPicture(svg, {...drawing, links: links[i], tell: (cell) => ({dead: fates(i, cell) === 2})});
		});
		const owners = [...new Set(cells.filter(Boolean))].sort();
		if (!hidden) countTable(owners);

		for (const {sign, icon, button} of pens) {
			icon.replaceChildren(makeSVG("circle", {class: "x-ants-disc", cx: 15, cy: 15, r: antsRadius, fill: antsColours(sign).ground}));
			button.hidden = !owners.includes(sign) && pens.findIndex((pen) => pen.sign === sign) >= 4;
		}
		tools.get("mark").hidden = !hidden;
		if (hidden !== hiding) use(hidden ? "mark" : hiding === undefined ? tool : "move");
		hiding = hidden;
		undo.disabled = past.length === 0;
		guessing.textContent = guess.value === "no" ? "Guess first" : "Stop guessing";
		reveal.hidden = hint.hidden = !hidden;
		reveal.textContent = guessed.size === 0 ? "I guess that nobody dies" : "Show who dies";
		hint.textContent = counts.value === "yes" ? "Hide the counts" : "Show the counts";
		const written = antsWrite(cells, height, width);
		choose.value = String(presets.findIndex((p) => p.rows === height && p.cols === width && p.board === written && p.edges === edges.value));
		if (choose.selectedIndex < 0) choose.value = "";
	});
});

// antsWords tell of a cell those who go through the board by keys.
const antsWords = ({cell, width, sign, hidden, seen, withCounts, count, dead, marked, right, reached}) => {
	const words = [sign ? sign + antsPlace(cell, width) : "empty " + antsPlace(cell, width)];
	if (sign && withCounts) words.push(plural(count, "enemy", "enemies") + " in range");
	if (sign && !hidden) words.push(dead ? "dies" : "lives");
	if (sign && marked && (hidden || seen)) words.push("marked");
	if (sign && seen) words.push(right ? "guessed right" : "guessed wrong");
	if (reached) words.push("in range of the chosen cell");
	return words.join(", ");
};
