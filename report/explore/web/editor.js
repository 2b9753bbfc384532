// Pictures for an algorithm that a reader writes. It runs only when the reader presses Run, even if it comes from an
// address. Until then, the page shows the new text next to the picture of the previous run.

const indent = "    ";

// tokenLines returns the lines of a program. A line is a list of tokens, each with a class and text. Go defines them.
const token = look.tokens && new RegExp(look.tokens.pattern, "gu");
const tokenLines = (text) => {
	const lines = [[]];
	const add = (letters, kind = "") => letters.split("\n").forEach((part, i) => {
		if (i > 0) lines.push([]);
		if (part) lines.at(-1).push([kind, part]);
	});
	let at = 0;
	for (const match of text.matchAll(token)) {
		add(text.slice(at, match.index));
		look.tokens.classes.forEach((kind, i) => add(match[i + 1] || "", kind));
		at = match.index + match[0].length;
	}
	add(text.slice(at));
	return lines;
};

// makeTokens places a coloured copy of a box's text on top of the box, whose own text is then invisible. Readers and
// screen readers still use the box.
const makeTokens = (box) => {
	const text = make("div"), element = make("div", {className: "x-tokens"}, text);
	element.inert = true; // readers search, hear and select the text in the box itself
	let shown = [];
	// follow moves the copy to the position of the box's text, without covering the scroll bars.
	const follow = () => {
		element.style.inlineSize = box.clientWidth + "px";
		element.style.blockSize = box.clientHeight + "px";
		element.scrollTo(box.scrollLeft, box.scrollTop);
	};
	new ResizeObserver(follow).observe(box);
	const show = () => { // unchanged lines stay on the page
		const plain = box.value.length > look.tokens.most;
		box.parentElement.classList.toggle("x-plain", plain);
		const lines = plain ? [] : tokenLines(box.value), keys = lines.map((line) => JSON.stringify(line));
		const most = Math.min(keys.length, shown.length);
		let first = 0, last = 0;
		while (first < most && keys[first] === shown[first]) first++;
		while (last < most - first && keys.at(-1 - last) === shown.at(-1 - last)) last++;
		for (const gone of [...text.children].slice(first, shown.length - last)) gone.remove();
		const next = text.children[first] || null;
		for (const line of lines.slice(first, lines.length - last)) {
			const parts = line.map(([kind, letters]) => kind ? make("span", {className: kind}, letters) : letters);
			text.insertBefore(make("div", {}, ...parts, "\n"), next);
		}
		shown = keys;
		follow();
	};
	return {element, follow, show};
};

// makeEditor returns a field for a program, with line numbers. It calls changed whenever the text changes.
const makeEditor = (x, {label, help}, changed) => {
	const id = x.id + "-program";
	const box = make("textarea", {id, className: "x-program", wrap: "off", spellcheck: false, autocapitalize: "off"});
	const numbers = make("div", {className: "x-lines"}), caret = make("pre", {className: "x-caret", hidden: true});
	const hint = make("p", {className: "x-hint", id: id + "-help"}, help);
	numbers.setAttribute("aria-hidden", "true");
	caret.setAttribute("aria-hidden", "true"); // the error message gives the same information in words
	box.dataset.described = hint.id;
	box.setAttribute("aria-describedby", hint.id);
	const tokens = makeTokens(box), written = make("div", {className: "x-written"}, box, tokens.element);
	const element = make("div", {className: "x-editor"}, make("label", {htmlFor: id}, label),
		make("div", {className: "x-lined"}, numbers, written), caret, hint);
	let blamed = 0, leaving = false;
	const number = () => {
		const count = box.value.split("\n").length;
		box.rows = within(count + 1, 9, 30);
		clear(numbers, grow([...numbers.children], count, () => make("span")));
		[...numbers.children].forEach((line, i) => {
			setText(line, String(i + 1));
			line.classList.toggle("x-blamed", i + 1 === blamed);
		});
		numbers.scrollTop = box.scrollTop;
		tokens.show();
	};
	const blame = (line = 0, column = 0) => {
		blamed = line;
		caret.hidden = line === 0;
		const text = box.value.split("\n")[line - 1] || "";
		setText(caret, text + "\n" + [...text].slice(0, column - 1).join("").replace(/[^\t]/gu, " ") + "^");
		number();
	};
	// type replaces the selection in a way that the browser can undo.
	const type = (text) => {
		if (document.execCommand(text ? "insertText" : "delete", false, text)) return;
		box.setRangeText(text, box.selectionStart, box.selectionEnd, "end");
	};
	// lines extends the selection to whole lines and returns these lines.
	const lines = () => {
		const {value, selectionStart: from, selectionEnd: to} = box;
		const end = value.indexOf("\n", to > from && value[to - 1] === "\n" ? to - 1 : to);
		box.setSelectionRange(value.lastIndexOf("\n", from - 1) + 1, end < 0 ? value.length : end);
		return value.slice(box.selectionStart, box.selectionEnd).split("\n");
	};
	const shift = (change) => {
		const changed = lines().map(change), from = box.selectionStart;
		type(changed.join("\n"));
		box.setSelectionRange(from, from + changed.join("\n").length);
	};
	box.addEventListener("keydown", (event) => {
		if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
		const wasLeaving = leaving;
		if (event.key !== "Shift") leaving = event.key === "Escape";
		if (event.key === "Tab" && !wasLeaving) {
			event.preventDefault();
			const {value, selectionStart: from, selectionEnd: to} = box;
			if (event.shiftKey) {
				const at = value.slice(value.lastIndexOf("\n", from - 1) + 1, from).length;
				const cut = /^ {0,4}/.exec(value.slice(from - at))[0].length;
				shift((line) => line.replace(/^( {1,4}|\t)/, ""));
				const back = Math.max(from - cut, from - at);
				if (from === to) box.setSelectionRange(back, back);
			} else if (value.slice(from, to).includes("\n")) {
				shift((line) => line && indent + line);
			} else {
				type(indent);
			}
		}
		if (event.key === "Enter" && !event.shiftKey) {
			event.preventDefault();
			const before = box.value.slice(box.value.lastIndexOf("\n", box.selectionStart - 1) + 1, box.selectionStart);
			type("\n" + /^\s*/.exec(before)[0] + (before.trimEnd().endsWith(":") ? indent : ""));
		}
	});
	// Tab leaves the box if the reader entered it by keyboard and has typed nothing.
	box.addEventListener("focus", () => { leaving = true; });
	for (const event of ["pointerdown", "pointerup"]) box.addEventListener(event, () => { leaving = false; });
	box.addEventListener("scroll", () => {
		numbers.scrollTop = box.scrollTop;
		tokens.follow();
	});
	// While an input method is composing letters, such as Chinese ones, the browser marks them in the box.
	for (const event of ["compositionstart", "compositionend"]) box.addEventListener(event, () => {
		written.classList.toggle("x-composing", event === "compositionstart");
	});
	box.addEventListener("input", () => {
		blame();
		changed();
	});
	return {element, box, blame, get text() { return box.value; }, set text(text) {
		if (box.value !== text) box.value = text;
		blame();
	}, begin(text) { // replace the program in a way that the browser can undo
		box.focus();
		if (box.value !== text) { // otherwise the browser would add an empty undo step
			box.select();
			type(text);
		}
		box.setSelectionRange(0, 0);
		box.scrollTop = 0;
	}};
};

// An address contains a program as base64 with - and _, unless the program is too long for an address.
const mostAddressed = 8000;

const toAddress = (text) => {
	const bytes = new TextEncoder().encode(text);
	let letters = "";
	for (const byte of bytes) letters += String.fromCharCode(byte);
	return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
};

const fromAddress = (text) => {
	const letters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
	return new TextDecoder("utf-8", {fatal: true}).decode(Uint8Array.from(letters, (letter) => letter.charCodeAt(0)));
};

const edited = ({name, fields, module}) => (x) => {
	x.engine = makeEngine(module); // not a shared engine, so that Stop stops only this explorable
	x.wait = () => {}; // the editor displays its progress itself
	const editor = makeEditor(x, {
		label: "Your program, in the syntax of Python",
		help: "While you write, Tab indents, and Shift and Tab unindent. " +
			"To leave the program with the keyboard, press Escape, then Tab.",
	}, () => x.changed());
	const written = () => toAddress(editor.text);
	pictureFields(x, fields, {text: (field) => {
		let unread; // text from an address that is not a program
		Object.assign(field, {row: editor.element, box: editor.box, kept: true});
		field.read = (text) => {
			try {
				editor.text = fromAddress(text);
				unread = undefined;
			} catch {
				unread = text;
			}
		};
		field.mend = () => { unread = undefined; };
		field.read(field.start);
		editor.box.addEventListener("input", field.mend);
		Object.defineProperty(field, "value", {get: () => {
			if (field.fault) throw field.fault;
			return written();
		}});
		Object.defineProperty(field, "fault", {get: () => unread !== undefined && new Refused(field.name + " = " +
			unread.slice(0, 40) + ": must be a program in the form that this page writes into the address", field)});
		Object.defineProperty(field, "text", {get: () => written().length > mostAddressed ? "" : written()});
	}});
	const begins = make("div", {className: "x-row"}, make("span", {}, "Begin with:"));
	for (const {title, text} of look.examples[name]) x.button(title, () => editor.begin(text), begins);
	const progress = make("progress", {max: 1, value: 0, hidden: true}), state = make("span", {className: "x-count"});
	progress.setAttribute("aria-label", "progress");
	const run = x.button("Run", () => {
		begin(question());
		x.changed(true);
	});
	const stop = x.button("Stop", () => x.engine.stop());
	x.button("Start again", () => x.press(x.starts()));
	x.buttons.append(progress, state);
	x.controls.prepend(editor.element, begins);
	const rest = make("div", {className: "x-rest"}), see = pictureView(x, name, rest);
	x.stage.after(rest);
	x.glance = undefined; // resting the pointer must not run a program

	// Some fields only select a detail to show next to the picture; all other fields determine the picture.
	const choosing = fields.filter((field) => field.within).map((field) => field.name);
	const asked = [...x.fields.values()].filter((field) => !field.within && !field.given).map((field) => field.name);
	// question returns the settings to request. It reads all values first, so that a wrong one is rejected before that.
	const question = () => [...x.fields.values()].map((field) => [field.name, field.value])
		.filter(([name]) => asked.includes(name)).map((pair) => pair.join("=")).join("&");
	const first = question(); // the question for the unchanged page
	let ran, finished, stopped, broken, running = false; // stopped by an error or by the reader
	let good; // the question whose picture is shown
	const texts = new Map(); // the text of the fields, by question
	const begin = (now) => {
		ran = now;
		stopped = finished = undefined;
		texts.set(now, [...x.texts()].filter(([name]) => asked.includes(name)));
	};
	const busy = (now) => {
		if (running === now) return;
		running = now;
		stop.setAttribute("aria-disabled", String(!now));
		progress.hidden = !now;
		if (now) progress.value = 0;
	};
	stop.setAttribute("aria-disabled", "true");

	// work requests the picture, with more steps each time, until the picture is complete.
	const work = async () => {
		const goesOn = ran;
		for (let steps = 8; ;) {
			const began = performance.now();
			const places = choosing.map((part) => part + "=" + x.fields.get(part).value);
			const settings = [goesOn, ...places, "steps=" + steps].join("&");
			const view = await see(settings, x.held && finished === ran, "", Object.fromEntries(texts.get(goesOn)));
			if (!view.progress) break;
			progress.value = view.progress.done / view.progress.all;
			if (ran !== goesOn) return; // Run was pressed again
			const took = performance.now() - began;
			steps = Math.min(Math.ceil(steps * 300 / Math.max(took, 1)), 8 * steps);
		}
		finished = good = goesOn;
	};
	x.draw(async () => {
		const now = question(), {pressed} = x;
		x.pressed = false;
		if (pressed && ran === undefined) ran = good; // buttons act on the picture that is shown
		if (ran !== now && now === first && stopped !== now) begin(now);
		x.outdated = ran !== now;
		const hint = ran === undefined ? "Read the program, then press Run." : "Changed: press Run.";
		const long = written().length > mostAddressed ?
			"The program is too long for the address, so a link does not contain it." : "";
		setText(state, [x.outdated ? hint : "", long].filter(Boolean).join(" "));
		if (ran === undefined) {
			if (stopped === now) throw broken; // only drawn again, as for another theme: the message stays
			return;
		}
		if (finished !== ran) busy(true);
		try {
			await work();
		} catch (fault) {
			if (fault.place && ran === now) editor.blame(...fault.place);
			[stopped, broken] = [ran, fault];
			ran = finished = undefined;
			throw fault;
		} finally {
			busy(false);
		}
	});
	run.classList.add("x-main");
};

for (const one of look.pictures) if (look.examples[one.name]) define(one.name, edited(one));
