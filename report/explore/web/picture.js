// Pictures that Go draws. A view has parts: drawings, sentences, tables, rows of buttons; see package pictures. As long
// as the kind of part at a place does not change, its elements stay on the page, so that they keep the focus and the
// reader's pointer.

// clear gives an element exactly these children. It does not move children that are already in place, because an
// element that is removed and inserted again loses the focus, and a click that the reader has begun.
const clear = (element, children) => {
	for (const child of [...element.childNodes]) if (!children.includes(child)) child.remove();
	children.forEach((child, i) => {
		if (element.childNodes[i] !== child) element.insertBefore(child, element.childNodes[i] || null);
	});
};

const setText = (element, text) => { if (element.textContent !== text) element.textContent = text; };

// grow extends a list to at least count elements, and returns the first count elements.
const grow = (list, count, create) => {
	while (list.length < count) list.push(create(list.length));
	return list.slice(0, count);
};

const narrow = 480; // CSS pixels

const within = (value, least, most) => value < least ? least : value > most ? most : value;

// pictureDrag lets readers change a number in a sentence by dragging it or with the arrow keys.
const pictureDrag = (x, element) => {
	const name = () => element.dataset.field, value = () => BigInt(x.current(name()));
	const to = (wanted) => {
		const {low, most, high} = x.fields.get(name());
		x.hold();
		x.press({[name()]: within(wanted, low, most > value() ? most : high)});
	};
	let from;
	element.addEventListener("pointerdown", (event) => {
		if (event.button !== 0) return;
		element.setPointerCapture(event.pointerId);
		from = {at: event.clientX, value: value()};
		event.preventDefault();
		element.focus();
	});
	element.addEventListener("pointermove", x.attempt((event) => {
		if (!element.hasPointerCapture(event.pointerId)) return;
		to(from.value + BigInt(Math.round((event.clientX - from.at) / 4)));
	}));
	element.addEventListener("keydown", x.attempt((event) => {
		const step = {ArrowLeft: -1n, ArrowDown: -1n, ArrowRight: 1n, ArrowUp: 1n}[event.key];
		if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
		event.preventDefault();
		to(value() + step * (event.shiftKey ? 10n : 1n));
	}));
};

// pictureSpans returns a function that shows the spans of a sentence in an element.
const pictureSpans = (x, element) => {
	const kept = [];
	return (spans) => {
		const shown = spans.map(({t, i, drag, sign, link}, at) => {
			const kind = i ? "i" : link ? "a" : drag ? "drag:" + drag : sign ? "sign" : "text";
			if (!kept[at] || kept[at].kind !== kind) {
				const node = i || link ? make(kind) : sign ? make("span", {ariaHidden: "true"}) : !drag
					? document.createTextNode("") : make("span", {className: "x-drag", tabIndex: 0, role: "slider"});
				kept[at] = {kind, node};
				if (drag) {
					node.dataset.field = drag;
					node.setAttribute("aria-label", x.fields.get(drag).label);
					pictureDrag(x, node);
				}
			}
			const {node} = kept[at];
			setText(node, t);
			if (link) node.href = "#" + x.figure + ":" + new URLSearchParams(link);
			if (drag) {
				const {low, most} = x.fields.get(drag), value = BigInt(x.shown.get(drag));
				const bounds = {min: low, max: value > most ? value : most, now: value, text: t};
				for (const [name, bound] of Object.entries(bounds)) {
					node.setAttribute("aria-value" + name, String(bound));
				}
			}
			return node;
		});
		clear(element, shown);
	};
};

// pictureTable shows a table. It changes cells in place.
const pictureTable = (x) => {
	const groups = make("tr"), heads = make("tr"), body = make("tbody"), table = make("table", {className: "x-table"});
	const scroll = make("div", {className: "x-scroll", tabIndex: 0, role: "group"}, table);
	table.append(make("thead", {}, groups, heads), body);
	const rows = [], headCells = [];
	let field, now;
	// Pressing a column of steps selects the column's step. The head of such a column is a button.
	const to = (at) => {
		const {low, most} = x.fields.get(field), step = low + BigInt(at - 1);
		if (at < 1 || step > most || String(step) === x.fields.get(field).text && !x.drawing) return;
		x.rest();
		x.press({[field]: step});
	};
	const scrub = (event) => {
		const cell = field && event.buttons & 1 && event.target.closest("th, td");
		if (cell) to(cell.cellIndex);
	};
	table.addEventListener("pointerdown", x.attempt(scrub));
	table.addEventListener("pointermove", x.attempt(scrub));
	table.addEventListener("keydown", x.attempt((event) => {
		const by = field && {ArrowLeft: -1, ArrowRight: 1}[event.key];
		if (!by || event.ctrlKey || event.altKey || event.metaKey) return;
		event.preventDefault();
		to(now + by);
		headCells[now + by]?.cell.firstChild.focus();
	}));
	return {element: scroll, show(next) {
		const {caption, groups: above = [], heads: below, rows: lines, chosen, words, steps, step = 0} = next;
		[field, now] = [steps, step + 1];
		table.classList.toggle("x-steps", Boolean(steps));
		scroll.setAttribute("aria-label", caption);
		table.classList.toggle("x-left", Boolean(words));
		groups.hidden = above.length === 0;
		clear(groups, above.map(({t, span}) => make(t ? "th" : "td", t ? {scope: "colgroup", colSpan: span} : {}, t)));
		const shown = grow(headCells, below.length, (at) => {
			const cell = make("th", {scope: "col"});
			if (!steps || at === 0) return {cell, spans: pictureSpans(x, cell)};
			const button = make("button", {type: "button"});
			button.addEventListener("click", x.attempt(() => to(at)));
			cell.append(button);
			return {cell, spans: pictureSpans(x, button)};
		});
		if (steps) shown.forEach(({cell}, at) => {
			cell.classList.toggle("x-now", at === now);
			if (at > 0) cell.firstChild.setAttribute("aria-current", at === now ? "step" : "false");
		});
		clear(heads, shown.map(({cell}) => cell));
		below.forEach((spans, i) => shown[i].spans(spans));
		const some = grow(rows, lines.length, () => ({line: make("tr"), cells: []}));
		clear(body, some.map(({line}) => line));
		lines.forEach((texts, i) => {
			const {line, cells} = some[i];
			line.classList.toggle("x-chosen", i === chosen);
			if (i === chosen) line.setAttribute("aria-current", "true");
			else line.removeAttribute("aria-current");
			clear(line, grow(cells, texts.length, (at) => at === 0 ? make("th", {scope: "row"}) : make("td")));
			texts.forEach(({t, bar, bold, role}, at) => {
				setText(cells[at], t);
				cells[at].className = [bar !== undefined && "x-bar", bar === undefined && bold && "x-bold",
					role && "x-role-" + role, steps && at === now && "x-now"].filter(Boolean).join(" ");
				if (bar !== undefined) cells[at].style.setProperty("--part", 100 * bar + "%");
			});
		});
	}};
};

// pictureSet does what a button does: it sets values of this picture or an earlier one, acts, plays or speaks.
const pictureSet = (x, {set, say, to, do: what, chance, play}) => {
	if (play && !set && x.players[play].running) return x.rest();
	x.rest();
	if (play) return x.players[play].start(Boolean(set), set);
	if (what) return x.act(chance ? what + " " + Math.floor(Math.random() * 2 ** 53) : what);
	if (!set) return say && x.say(say);
	const other = to ? pictureOther(x, to) : x;
	other.press(set);
	if (to) other.host.scrollIntoView({block: "center", behavior: still.matches ? "auto" : "smooth"});
};

// pictureOther returns an earlier picture on the page. There is none in a notebook.
const pictureOther = (x, kind) => typeof all === "undefined" ? undefined
	: all.slice(0, all.indexOf(x)).findLast((other) => other.host.dataset.kind === kind);

const pictureRow = (x) => {
	const label = make("span"), element = make("div", {className: "x-row"}), kept = [];
	return {element, show({label: words = "", buttons}) {
		setText(label, words);
		const create = () => {
			const one = {button: make("button", {type: "button"}), note: make("span")};
			one.both = make("div", {className: "x-noted"}, one.button, one.note);
			one.button.addEventListener("click", x.attempt(() => {
				const {label} = one.what;
				if (!x.drawing || one.what.do) return pictureSet(x, one.what);
				// After the picture has been drawn, the button may do something else.
				x.pushed = x.attempt(() => { if (one.what.label === label) pictureSet(x, one.what); });
			}));
			return one;
		};
		// A button with the same label, or else at the same place, keeps its element: a reader may be pressing it.
		const free = kept.splice(0), taken = (found) => found && free.splice(free.indexOf(found), 1)[0];
		const shown = buttons.map(({label}) => taken(free.find(({what}) => what.label === label)));
		buttons.forEach((_, i) => { shown[i] = shown[i] || taken(free[0]) || create(); });
		kept.push(...shown, ...free);
		buttons.forEach((what, i) => {
			const {button} = shown[i];
			shown[i].what = what;
			const player = what.set ? undefined : x.players[what.play];
			const name = () => setText(button, player?.running ? x.say("Pause") : what.label);
			if (player) player.show = name;
			name();
			button.classList.toggle("x-main", Boolean(what.main));
			button.hidden = Boolean(what.to && !pictureOther(x, what.to));
			if (what.pressed) button.setAttribute("aria-pressed", "true");
			else button.removeAttribute("aria-pressed");
			button.setAttribute("aria-disabled", String(!what.set && !what.say && !what.do && !what.play));
			setText(shown[i].note, what.note || "");
			clear(shown[i].both, what.note ? [button, shown[i].note] : []);
		});
		clear(element, [...words ? [label] : [], ...shown.map(({button, both, what}) => what.note ? both : button)]);
	}};
};

// picked returns the number at a fraction of a scale.
const picked = ({first, step, count, from, to, base, least, most}, share) => {
	const cells = Number(count), cell = BigInt(Math.min(cells - 1, Math.floor(share * cells)));
	const value = cells > 0 ? BigInt(first) + BigInt(step) * cell : BigInt(base) +
		BigInt(Math.round(from + share * (to - from)));
	return within(value, BigInt(least), BigInt(most));
};

const svgImage = (svg) => "data:image/svg+xml;charset=utf-8," + encodeURIComponent(svg);

// pictureBoard is a layer on top of the cells of a board. It passes presses and keys to the engine.
const pictureBoard = (x) => {
	const element = make("div", {className: "x-board", role: "grid"});
	let board = {cells: []}, size = "", all = [], stroke, over = -1;
	const hover = (cell) => {
		if (cell !== over && !x.refused) x.act(cell < 0 ? "at" : "at " + cell);
		over = cell;
	};
	const at = (event) => {
		const {left, top, width, height} = element.getBoundingClientRect();
		const [row, column] = [(event.clientY - top) / height * board.rows,
			(event.clientX - left) / width * board.columns].map(Math.floor);
		const cell = row * board.columns + column;
		return row >= 0 && row < board.rows && column >= 0 && column < board.columns && board.cells[cell] ? cell : -1;
	};
	element.addEventListener("pointerdown", (event) => {
		const cell = at(event);
		if (event.button !== 0 || stroke || cell < 0 || board.quiet) return;
		event.preventDefault(); // prevents the selection of text, and lets us set the focus
		element.setPointerCapture(event.pointerId);
		stroke = {pointer: event.pointerId, cell};
		all[cell].focus({preventScroll: true, focusVisible: false});
		x.act("press " + cell);
	});
	element.addEventListener("pointermove", (event) => {
		const cell = at(event);
		if (!stroke && board.hovers && event.pointerType === "mouse") hover(cell);
		if (!stroke || event.pointerId !== stroke.pointer || cell < 0 || cell === stroke.cell || !board.drags) return;
		x.act("slide " + stroke.cell + " " + cell);
		stroke.cell = cell;
	});
	element.addEventListener("pointerleave", () => { if (board.hovers && !stroke) hover(-1); });
	for (const end of ["pointerup", "pointercancel"]) element.addEventListener(end, () => { stroke = undefined; });
	element.addEventListener("keydown", (event) => {
		const cell = all.indexOf(event.target);
		if (cell < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
		const row = Math.floor(cell / board.columns), column = cell % board.columns;
		const to = {
			ArrowLeft: [row, column - 1], ArrowRight: [row, column + 1],
			ArrowUp: [row - 1, column], ArrowDown: [row + 1, column],
			Home: [row, 0], End: [row, board.columns - 1], PageUp: [0, column], PageDown: [board.rows - 1, column],
		}[event.key];
		if (to) {
			const next = to[0] * board.columns + to[1];
			if (to[0] >= 0 && to[0] < board.rows && to[1] >= 0 && to[1] < board.columns && board.cells[next]) {
				all[next].focus();
				x.act("at " + next);
			}
		} else if (board.quiet) return;
		else if (event.key === " " || event.key === "Enter") x.act("press " + cell);
		else if ((board.keys || []).includes(event.key)) x.act("key " + event.key + " " + cell);
		else return;
		event.preventDefault();
	});
	return {element, show(next, label) {
		board = next;
		const shape = [board.rows, board.columns, board.cells.length].join();
		if (size !== shape) {
			size = shape;
			all = board.cells.map(() => make("div", {className: "x-cell", role: "gridcell", tabIndex: -1}));
			const rows = Array.from({length: board.rows}, (_, row) => make("div", {className: "x-line", role: "row"},
				...all.slice(row * board.columns, (row + 1) * board.columns)));
			element.replaceChildren(...rows);
			element.style.setProperty("--columns", String(board.columns));
		}
		element.setAttribute("aria-label", label);
		element.classList.toggle("x-drags", Boolean(board.drags));
		board.cells.forEach((words, i) => {
			all[i].tabIndex = i === board.at ? 0 : -1;
			all[i].classList.toggle("x-at", i === board.at);
			all[i].hidden = !words;
			all[i].setAttribute("aria-label", words);
		});
	}};
};

// pictureReady loads a drawing, or uses the drawing of the initial state on the page.
const pictureReady = async (x, plate) => {
	const {drawn: {columns, width, height, svg, moving}, half} = plate;
	const given = plate.opening = columns && !half ? x.opening : undefined;
	const ours = given && (dark.matches && given.nextElementSibling?.src || given.src); // the dark drawing follows
	plate.image = make("img", {width, height, draggable: false});
	plate.image.src = ours || svgImage(!still.matches && moving || svg);
	await plate.image.decode();
};

// picturePlate shows a drawing and lets readers point at it.
const picturePlate = (x) => {
	const plane = make("div", {className: "x-plane", role: "application", tabIndex: 0});
	const canvas = make("canvas", {className: "x-cells", hidden: true}), frame = make("div", {className: "x-plate"});
	const legend = make("ul", {className: "x-legend"});
	const element = make("div", {}, frame, legend);
	const board = pictureBoard(x), readout = make("p", {ariaHidden: "true"});
	const over = make("div", {className: "x-readout"}, readout);
	let shown = {}, image = make("img", {alt: ""});
	frame.append(canvas, image, plane, over, board.element);

	const pointed = (event) => {
		const {left, top, width, height} = plane.getBoundingClientRect(), {x: across, y: up} = shown.pick;
		const values = {...shown.pick.with};
		if (across) values[across.field] = picked(across, within((event.clientX - left) / width, 0, 1));
		if (up) values[up.field] = picked(up, within((top + height - event.clientY) / height, 0, 1));
		return values;
	};
	const at = (event) => {
		const values = pointed(event);
		if (Object.entries(values).every(([name, value]) => x.current(name) === String(value)) && !x.wrong) return;
		x.hold();
		x.press(values);
	};
	// read shows words next to a position.
	const read = (left, top, words) => {
		over.style.setProperty("--x", 100 * left + "%");
		over.style.setProperty("--y", 100 * top + "%");
		over.classList.toggle("x-before", left > 0.5);
		over.classList.toggle("x-below", top < 0.3);
		setText(readout, words);
	};
	// When the pointer rests, a text shows the values at its position.
	let glancing = false;
	plane.addEventListener("pointermove", async (event) => {
		if (event.pointerType !== "mouse" || event.buttons || glancing || x.drawing || !shown.pick || !x.glance) return;
		const {left, top, width, height} = plane.getBoundingClientRect();
		const place = [within((event.clientX - left) / width, 0, 1), within((event.clientY - top) / height, 0, 1)];
		glancing = true;
		const words = await x.glance(pointed(event)).catch(() => undefined);
		glancing = false;
		if (!words || !plane.matches(":hover")) return;
		over.hidden = false;
		over.classList.add("x-hover");
		read(...place, words);
	});
	plane.addEventListener("pointerleave", () => {
		over.classList.remove("x-hover");
		rest();
	});
	// rest moves the text back to the chosen point.
	const rest = () => {
		const {x: across, y: up} = shown.pick || {};
		over.hidden = !shown.pick || Boolean(across && across.at < 0) || Boolean(up && up.at < 0);
		if (!over.classList.contains("x-hover")) read(across ? across.at : 0, up ? 1 - up.at : 0, x.reading || "");
	};
	plane.addEventListener("pointerdown", x.attempt((event) => {
		if (event.button !== 0 || !shown.pick) return;
		plane.setPointerCapture(event.pointerId);
		at(event);
	}));
	plane.addEventListener("pointermove",
		x.attempt((event) => { if (plane.hasPointerCapture(event.pointerId)) at(event); }));
	plane.addEventListener("keydown", x.attempt((event) => {
		if (!shown.pick || event.ctrlKey || event.metaKey || event.altKey) return;
		const {x: across, y: up, closer, farther} = shown.pick;
		const set = {"+": closer, "=": closer, "-": farther}[event.key];
		const [scale, sign] = {ArrowLeft: [across, -1n], ArrowRight: [across, 1n], ArrowDown: [up, -1n],
			ArrowUp: [up, 1n]}[event.key] || [];
		if (!set && !scale) return;
		event.preventDefault();
		if (set) return x.press(set);
		const {field, first, step, count, least, most} = scale;
		const by = sign * (count > 0 ? BigInt(step) : 1n) * (event.shiftKey ? 10n : 1n);
		const value = scale.at < 0 && count > 0 ? BigInt(first) : BigInt(x.current(field)) + by;
		x.hold();
		x.press({...shown.pick.with, [field]: within(value, BigInt(least), BigInt(most))});
	}));

	const paint = ({columns, rows}, bytes) => {
		[canvas.width, canvas.height] = [columns, rows];
		canvas.getContext("2d").putImageData(new ImageData(new Uint8ClampedArray(bytes.buffer), columns, rows), 0, 0);
	};
	const place = (element, {left, top, right, bottom}, {width, height}) => {
		const share = (value, whole) => 100 * value / whole + "%";
		Object.assign(element.style, {left: share(left, width), top: share(top, height),
			width: share(right - left, width), height: share(bottom - top, height)});
	};
	const take = ({drawn: next, image: fresh, opening: given, board: signs}, bytes) => {
		fresh.alt = next.alt || (given || image).alt;
		image.replaceWith(fresh);
		image = fresh;
		frame.style.maxInlineSize = "min(45rem, " + 1.4 * next.width + "px)"; // pages enlarge figures by as much
		canvas.hidden = !next.columns || Boolean(given);
		x.coarse = Boolean(next.columns);
		for (const part of [canvas, plane, over, board.element]) place(part, next.box, next);
		if (given) return clear(legend, [...x.host.closest("figure").querySelectorAll(".legend li")].map((entry) =>
			entry.cloneNode(true)));
		if (next.columns) return paint(next, bytes);
		clear(legend, (next.legend || []).map(({icon, sign, label, count}) => make("li", {},
			...icon ? [make("img", {src: svgImage(icon), width: 28, height: 18, alt: signs ? "" : sign || ""})] : [],
			(signs || !icon) && sign ? sign + " " + label : " " + label,
			...count ? [make("span", {className: "x-count"}, " " + count)] : [])));
	};
	return {element, key: () => shown.key, show(next, bytes) {
		if (next.drawn) take(next, bytes);
		shown = next;
		element.classList.toggle("x-half", Boolean(next.half));
		plane.hidden = !next.pick;
		board.element.hidden = !next.board;
		if (next.board) {
			board.show(next.board, next.label);
			x.board = frame;
		}
		const {x: across, y: up} = next.pick || {};
		const share = (scale, turn) => scale && scale.at >= 0 ? 100 * (turn ? 1 - scale.at : scale.at) + "%" : "-100%";
		plane.style.setProperty("--x", share(across, false));
		plane.style.setProperty("--y", share(up, true));
		rest();
		plane.classList.toggle("x-no-x", !across || across.at < 0);
		plane.classList.toggle("x-no-y", !up || up.at < 0);
		const zooms = next.pick && (next.pick.closer || next.pick.farther);
		const keys = "Arrow keys move the point, with Shift ten times as far" +
			(zooms ? "; plus and minus zoom in and out." : ".");
		plane.setAttribute("aria-label", next.label + ". " + x.say(keys));
	}};
};

// pictureForm shows fields for answers. The engine's verdict is shown after each field until the answer in it changes.
const pictureForm = (x) => {
	const element = make("form", {className: "x-form", autocomplete: "off"}), rows = [];
	const check = make("button", {className: "x-main"}, x.say("Check"));
	const judge = ({box, verdict}, words, right = false) => {
		setText(verdict, words);
		verdict.classList.toggle("x-right", right);
		box.setAttribute("aria-invalid", String(words !== "" && !right));
	};
	element.addEventListener("submit", (event) => {
		event.preventDefault();
		const wrong = rows.filter(({box}) => box.value.trim() !== "").map((row) => {
			const {value, wrong: reason} = readNumber(row.box.value);
			if (value !== undefined) row.box.value = String(value);
			else judge(row, "✗ " + row.box.value.trim() + ": " + 
				x.say(reason || "must be a whole number, such as 12"));
			return value === undefined && row.verdict.textContent;
		}).filter(Boolean);
		if (wrong.length > 0) return x.say(wrong.join(" "));
		x.act("answer " + rows.map(({box}) => box.value.trim()).join(";"));
	});
	return {element, show({asks}) {
		x.board = element; // errors in an answer are shown after the form
		const shown = grow(rows, asks.length, (at) => {
			const id = x.id + "-ask-" + at, verdict = make("span", {id: id + "-verdict", className: "x-verdict"});
			const box = make("input", {type: "text", id, inputMode: "text", maxLength: 30});
			box.setAttribute("aria-describedby", verdict.id);
			const label = make("label", {htmlFor: id}), row = make("div", {className: "x-row"}, label, box, verdict);
			const one = {row, label, box, verdict, given: ""};
			box.addEventListener("input", () => judge(one, ""));
			return one;
		});
		asks.forEach(({label, given = "", verdict = "", right}, at) => {
			const one = shown[at];
			setText(one.label, label);
			if (one.given !== given) one.box.value = one.given = given;
			if (one.box.value === given) judge(one, verdict, right);
		});
		clear(element, [...shown.map(({row}) => row), check]);
	}};
};

// pictureParts contains the kinds of parts. Each kind creates {element, show}.
const pictureParts = {
	plate: picturePlate, table: pictureTable, row: pictureRow, form: pictureForm,
	text(x) {
		const element = make("p", {className: "x-words"}), spans = pictureSpans(x, element);
		return {element, show(next, bytes, {room = 0}) {
			element.style.setProperty("--room", String(room));
			spans(next);
		}};
	},
	field(x, name) { return {element: x.fields.get(name).row, show() {}}; },
	fold(x) {
		const summary = make("summary"), within = make("div"), show = pictureList(x, within);
		const element = make("details", {className: "x-fold"}, summary, within);
		let field;
		element.addEventListener("toggle", () => {
			const to = element.open ? "open" : "";
			if (field && x.fields.get(field).text !== to) x.press({[field]: to});
		});
		return {element, async show(next) {
			field = next.field;
			setText(summary, next.summary);
			if (field) element.open = x.shown.get(field) === "open";
			await show(next.parts || []);
		}};
	},
	beside(x) {
		const element = make("div", {className: "x-beside"}), columns = [];
		return {element, async show(lists, bytes, {dock = false}) {
			element.classList.toggle("x-dock", dock);
			const shown = grow(columns, lists.length, () => {
				const column = make("div");
				return {column, show: pictureList(x, column)};
			});
			clear(element, shown.map(({column}) => column));
			for (const [i, list] of lists.entries()) await shown[i].show(list);
		}};
	},
};

// pictureList shows parts in an element. It shows drawings in first, if that is another element.
const pictureList = (x, element, first = element) => {
	const kept = [];
	const show = async (parts, bytes) => {
		const had = kept.filter(({kind}) => kind === "plate"), wanted = parts.map(({plate}) => plate && plate.key);
		for (const [i, part] of parts.entries()) {
			const kind = Object.keys(part).find((key) => key in pictureParts);
			const name = kind === "field" ? "field " + part.field : kind;
			// The engine does not send a drawing again that the page already has. So the part with it moves along.
			const plate = kind === "plate" && (had.find(({key}) => key() === wanted[i]) ||
				had.find(({key}) => !wanted.includes(key())));
			if (plate) kept[i] = had.splice(had.indexOf(plate), 1)[0];
			else if (kind === "plate" || !kept[i] || kept[i].name !== name) kept[i] = {name, kind,
				...pictureParts[kind](x, part[kind])};
			await kept[i].show(part[kind], bytes, part);
		}
		kept.length = parts.length;
		const drawings = first === element ? [] : kept.filter(({kind}) => kind === "plate");
		if (first !== element) clear(first, [...first.dataset.kept ? [first.firstChild] : [],
			...drawings.map((part) => part.element)]);
		const lost = focus();
		clear(element, kept.filter((part) => !drawings.includes(part)).map((part) => part.element));
		if (lost && !lost.isConnected) x.lost();
	};
	show.keys = () => kept.filter(({kind}) => kind === "plate").map(({key}) => key());
	return show;
};

// pictureFields creates the controls of a picture, and returns the list of the reader's actions. makers contains
// functions, by name, for fields without a standard control.
const pictureFields = (x, fields, makers = {}) => {
	const folds = new Map(), acts = [];
	const words = ({one = "", many = ""}) => (value) => many ? plural(value, x.say(one), x.say(many))
		: (x.say(one) + " " + spoken(value)).trim();
	for (const field of fields) {
		if (field.memory || field.given) {
			const made = x.field(field);
			if (makers[field.name]) makers[field.name](made);
			continue;
		}
		const control = field.options ? x.choice(field) : x.number(field, words(field));
		if (field.enter) control.row.addEventListener("keydown", (event) => {
			if (event.key === "Enter") x.act(field.enter);
		});
		if (field.apart) control.row.remove();
		if (!field.fold) continue;
		if (!folds.has(field.fold)) {
			folds.set(field.fold, make("details", {}, make("summary", {}, x.say(field.fold))));
			x.controls.append(folds.get(field.fold));
		}
		folds.get(field.fold).append(control.row);
	}
	x.act = (what) => {
		acts.push(what);
		x.changed();
	};
	return acts;
};

// pictureView returns a function that requests a view and shows it: drawings on the stage, other parts in rest.
const pictureView = (x, name, rest) => {
	const answer = x.answer(), show = pictureList(x, rest, x.stage), line = x.stage.firstChild;
	// The page's caption describes the initial state. In other states, the caption is the title of their drawing.
	const caption = x.host.closest("figure")?.querySelector("figcaption"), ours = [...caption?.childNodes || []];
	const head = ({drawn} = {}) => {
		if (!caption || !drawn || x.film) return;
		if (!x.moved(x.shown)) return clear(caption, ours);
		caption.style.minBlockSize ||= caption.offsetHeight + "px"; // so that the parts below stay in place
		caption.replaceChildren(ours[0], " " + drawn.title);
	};
	// If the element with the focus is removed, the focus moves to the answer.
	x.lost = () => {
		line.tabIndex = -1;
		line.focus({preventScroll: true});
	};
	x.stage.dataset.kept = "answer";
	const reading = ({parts, answer: words}, state) => {
		const scales = ["x", "y"].map((axis) => parts[0].plate?.pick?.[axis]).filter(Boolean);
		return scales.map(({field}) => x.say(field) + " = " + spoken(state.get(field))).join(", ") + ": " + words;
	};
	const theme = () => dark.matches ? "dark" : "light", words = x.host.dataset.words || "";
	// A map is tall if it is as narrow as on a phone.
	const shape = () => x.host.clientWidth > 0 && x.host.clientWidth <= narrow ? " tall" : "";
	let shaped = shape();
	new ResizeObserver(() => { // the width is known here; reading it elsewhere would force a layout of the whole page
		if (shaped === shape()) return;
		shaped = shape();
		if (x.host.dataset.far === undefined) x.changed(true);
	}).observe(x.host);
	// glance returns text about the picture for other values.
	x.glance = async (values) => {
		const state = new Map([...x.shown, ...Object.entries(values)]);
		const {text} = await x.ask(name, theme(), "moving" + shaped, x.settings(Object.fromEntries(state)), "",
			words, ...show.keys());
		return reading(JSON.parse(text), state);
	};
	// The view shows the values of the fields, or other values from over. All its parts change at once, after its
	// drawings have been loaded.
	return async (settings, moving, act = "", over = {}) => {
		if (shaped) x.opening = undefined; // the drawing on the page is wide
		const hand = [theme(), (moving || x.opening ? "moving" : "rest") + shaped];
		const asked = new Map([...x.texts(), ...Object.entries(over)]);
		const {text, bytes} = await x.ask(name, ...hand, settings, act, words, ...show.keys());
		const view = JSON.parse(text);
		await Promise.all(view.parts.map(({plate}) => plate?.drawn && pictureReady(x, plate)));
		x.see(asked, view);
		x.until = performance.now() + 1000 * (view.seconds ?? 0.3);
		if (act) x.keep();
		if (view.notice && (act || !x.notice)) x.notice = new Refused(view.notice,
			view.atBoard ? {row: x.board} : undefined);
		answer(view.answer);
		x.reading = reading(view, x.shown);
		await show(view.parts, bytes);
		head(view.parts.find(({plate}) => plate)?.plate);
		if (view.say) x.say(view.notice || view.say);
		return view;
	};
};

const picture = ({name, fields, module}) => (x) => {
	x.engine = engineNamed(module);
	const acts = pictureFields(x, fields);
	x.film = fields.some(({film}) => film);
	x.host.classList.toggle("x-film", x.film);
	if (!x.film) x.button("Start again", () => x.press(x.starts()));
	const rest = make("div", {className: "x-rest"}), see = pictureView(x, name, rest);
	x.controls.after(rest);
	x.host.insertBefore(x.stage, x.controls);
	if (x.controls.childElementCount < 2) x.host.insertBefore(rest, x.controls); // the parts contain all fields
	// opening is the page's drawing of the initial state. It is shown until the first drawing at rest arrives, because
	// that takes longer than anything that readers need to play.
	x.opening = x.host.parentElement?.querySelector(".drawn img");
	const draw = async (act) => {
		try {
			await see(x.settings(), x.held, act);
		} catch (fault) {
			const over = x.instead(fault, act);
			await see(x.settings(over), x.held, act, over);
			if (!act) throw fault;
		}
	};
	x.draw(async () => {
		if (x.moved()) x.opening = undefined;
		try {
			await draw(acts.shift());
			if (x.opening && x.coarse) x.changed(true);
			x.opening = undefined;
		} catch (fault) {
			acts.length = 0; // the actions referred to a state that could not be drawn
			throw fault;
		}
		if (acts.length > 0) x.changed();
	});
};

for (const one of look.pictures) define(one.name, picture(one));
