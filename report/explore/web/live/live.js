// Cells of a page that readers edit and run. The page's program is in Go. One worker builds it from all cells with Go's
// own compiler and linker, and another worker runs it. The page loads nothing until a reader presses Edit, and runs
// nothing until a reader presses Run. A program's output arrives as data, and becomes text and images, never markup.

const mostTime = 60000; // the maximum running time of a program, in milliseconds
const mostShown = 100000; // the maximum number of characters shown of an output
const mostOutputs = 200; // the maximum number of outputs shown for a cell

// The translations of what live pages and explorables say, by English text. There are none on an English page.
const liveData = document.getElementById("live-data");
const [liveWords, readerWords] = ["words", "reader"].map((name) => JSON.parse(liveData?.dataset[name] || "{}"));

// liveSay returns text in the language of the page, with a value in place of each {}. liveCount chooses by a number.
const liveSay = (text, ...values) => (liveWords[text] ?? text).replace(/\{\}/g, (all) => values.shift() ?? all);
const liveNumber = (n) => String(n).replace(/^-?\d+/, spoken).replace(/[,.]/g, (sign) => liveWords[sign] ?? sign);
const liveCount = (n, one, many, ...before) => liveSay(n === 1 ? one : many, ...before, liveNumber(n));

// Hints for beginners about errors that end programs.
const liveHints = [["index out of range", "an index starts at 0 and must be less than the length"],
	["nil map", "make the map first: m := make(map[string]int)"], ["nil pointer", "a variable points to nothing yet"],
	["deadlock", "the program waits for something that never happens"], ["out of memory", "the limit is 384 MB"]];

// liveParts loads the compiler and its files. They are scripts, because a page on a disk can load nothing else.
const liveParts = async (progress) => {
	const parts = [];
	for (let i = 1; i <= liveKit.parts; i++) {
		const name = "live-" + i, script = make("script");
		await new Promise((resolve, reject) => {
			script.onload = resolve;
			script.onerror = () => reject(new Refused(liveSay(
				"Go could not be loaded: the file {} is not next to this page.", name + ".js")));
			script.src = scripts ? scripts.createScriptURL(name + ".js") : name + ".js";
			document.body.append(script);
		});
		script.remove();
		parts.push(fromText(await moduleNamed(name).arrived));
		modules.delete(name); // the text is large
		progress(i / liveKit.parts);
	}
	return parts;
};

// liveSum returns a checksum of a cell's outputs. The build computes the same checksum.
const liveSum = (text) => {
	let [a, b] = [0x811c9dc5, 0x1000193];
	for (const byte of new TextEncoder().encode(text)) {
		a = Math.imul(a ^ byte, 0x1000193);
		b = Math.imul(b ^ byte, 0x85ebca6b);
	}
	return [a, b].map((half) => (half >>> 0).toString(16)).join("-");
};

// LiveOutput reads a program's output, and the frames in it. A frame is a mark, the sizes of two parts, and the parts.
class LiveOutput {
	constructor(mark, count) {
		Object.assign(this, {mark: new TextEncoder().encode("\0" + mark + " "), cell: 0, left: new Uint8Array(0),
			done: false, errors: "", stop: "\0" + mark + "\n", decoder: new TextDecoder(), out: new TextDecoder()});
		this.cells = Array.from({length: count}, () => ({outputs: [], controls: []}));
		this.named = new Map();
	}

	// add reads bytes from a stream: 1 for the output, 2 for errors.
	add(stream, bytes) {
		if (stream === 2) {
			this.errors += this.decoder.decode(bytes, {stream: true});
			for (let at; (at = this.errors.indexOf(this.stop)) >= 0;) {
				this.print("stderr", this.errors.slice(0, at));
				this.errors = this.errors.slice(at + this.stop.length);
			}
			return;
		}
		const all = new Uint8Array(this.left.length + bytes.length);
		all.set(this.left);
		all.set(bytes, this.left.length);
		let from = 0;
		for (;;) {
			const at = all.indexOf(0, from);
			if (at < 0) break;
			if (this.mark.some((byte, i) => all[at + i] !== byte && at + i < all.length)) { // a zero from the program
				this.print("stdout", this.out.decode(all.subarray(from, at + 1), {stream: true}));
				from = at + 1;
				continue;
			}
			this.print("stdout", this.out.decode(all.subarray(from, at), {stream: true}));
			from = at;
			const end = all.indexOf(10, at);
			if (end < 0) break;
			const head = new TextDecoder().decode(all.subarray(at + this.mark.length, end));
			const [first, second] = head.split(" ").map(Number);
			if (!(end + 1 + first + second <= all.length)) break;
			const text = (begin, size) => new TextDecoder().decode(all.subarray(begin, begin + size));
			this.frame(JSON.parse(text(end + 1, first)), text(end + 1 + first, second));
			from = end + 1 + first + second;
		}
		if (from < all.length && all[from] !== 0) {
			this.print("stdout", this.out.decode(all.subarray(from), {stream: true}));
			from = all.length;
		}
		this.left = all.slice(from);
	}

	// print adds text to the cell's outputs. Between outputs of other kinds, each stream has one output, stdout first.
	print(name, text) {
		if (!text) return;
		const {outputs} = this.cells[this.cell];
		let at = outputs.length;
		while (at > 0 && outputs[at - 1].name && outputs[at - 1].name <= name) at--;
		if (outputs[at]?.name === name) outputs[at].text += text;
		else outputs.splice(at, 0, {name, text});
	}

	frame(frame, block) {
		const cell = this.cells[frame.cell];
		if (!cell) return;
		this.cell = frame.cell;
		if (frame.failed) this.failed = {line: frame.line, text: frame.failed};
		else if (frame.value) cell.value = frame.value;
		else if (frame.control) cell.controls.push(frame.control);
		else if (frame.data) {
			const shown = {data: frame.data, block}, before = frame.id && this.named.get(frame.id);
			if (before) return Object.assign(before, shown);
			cell.outputs.push(shown);
			if (frame.id) this.named.set(frame.id, shown);
		}
		this.done = this.done || Boolean(frame.done);
	}

	// sum returns the checksum of a cell, see liveSum.
	sum(i) {
		const {outputs, value} = this.cells[i];
		const forms = (data) => Object.keys(data).sort().map((kind) => kind + "\n" + data[kind]).join("\n");
		const all = outputs.map(({name, text, data, block}) => name ? name + "\n" + text : block || forms(data));
		return liveSum(all.join("\n\0") + (value ? "\n" + value.Type + "\n" + value.Text : ""));
	}
}

// liveImage returns a drawing, or a pair of drawings for light and dark screens.
const liveImage = ({light, dark, width, height, alt}) => {
	const image = make("img", {src: svgImage(light), width, height, alt});
	return make("div", {className: "picture" + (dark ? "" : " on-light")}, image,
		...dark ? [make("img", {src: svgImage(dark), width, height, alt: "", className: "for-dark"})] : []);
};

const liveRows = ({header = [], rows = []}, rowHeader) => make("div", {className: "scroll", tabIndex: 0, role: "group",
	ariaLabel: liveSay("Table")}, make("table", {}, make("thead", {}, make("tr", {}, ...header.map((text) =>
	make("th", {scope: "col"}, text)))), make("tbody", {}, ...rows.slice(0, 1000).map((row) => make("tr", {},
	...row.map((text, i) => rowHeader && i === 0 ? make("th", {scope: "row"}, text) : make("td", {}, text)))))));

const liveFragment = (...parts) => make("div", {className: "fragment"}, ...parts);

const livePrinted = (text, kind = "output", label = liveSay("Output")) => liveFragment(make("pre",
	{className: kind, tabIndex: 0, role: "group", ariaLabel: label}, make("samp", {}, text.slice(0, mostShown),
		text.length > mostShown ? "\n" + liveSay("… ({} more characters)", liveNumber(text.length - mostShown)) : "")));

const liveRemark = (...text) => liveFragment(make("p", {className: "output-note"}, liveSay(...text)));

// liveBlocks contains functions that show a program's blocks, by kind of block.
const liveBlocks = {
	figure: (f) => {
		const drawing = liveImage(f), caption = make("figcaption", {}, f.title);
		const legend = (f.legend || []).map(({icon, sign, label, count}) => make("li", {}, ...icon ? [make("img",
			{src: svgImage(icon), width: 28, height: 18, alt: "", className: "swatch"})] : [sign], " ",
		make("span", {className: "legend-label"}, label), count ? " " + count : ""));
		const drawn = [drawing, ...legend.length > 0 ? [make("ul", {className: "legend"}, ...legend)] : []];
		const parts = f.explore ? [make("div", {className: "explored"}, make("div", {className: "explorable"}),
			make("div", {className: "drawn"}, ...drawn))] : drawn;
		const host = parts[0].querySelector(".explorable");
		if (host) Object.assign(host.dataset, {kind: f.explore.kind, start: (f.explore.start || []).map(
			({name, value}) => name + "=" + encodeURIComponent(value)).join("&"),
		words: JSON.stringify({...readerWords, ...f.explore.words})});
		const rows = f.summary?.rows ? f.summary : f.data?.rows && f.data;
		const data = rows ? [make("div", {className: "data"}, make("details", {}, make("summary", {},
			liveSay("Data as a table")), liveRows(rows)))] : [];
		return make("div", {className: "figure-block"}, make("figure", {}, ...parts, caption), ...data);
	},
	table: ({title, header, rows, rowHeader}) => {
		const text = (one) => (one.kind === "number" ? liveNumber(one.text) : one.text) +
			(one.mark ? " " + one.mark.sign : "");
		return make("figure", {className: "table-block"}, ...title ? [make("figcaption", {}, title)] : [],
			liveRows({header: header.map(text), rows: (rows || []).map((row) => row.map(text))}, rowHeader));
	},
	claim: ({text, cases}) => make("p", {className: "claim"}, make("span", {className: "claim-sign"}, "✓"), " " +
		text + (cases ? " (" + liveCount(cases, "checked for {} case", "checked for {} cases") + ")" : "")),
	output: ({kind, text, label}) => kind === "remark" ? liveRemark(text) : kind === "sentence"
		? liveFragment(...text.split("\n").map((line) => make("p", {}, line)))
		: livePrinted(text, {diagnostic: "output output-stderr", failure: "output output-error"}[kind], label),
	prose: ({text}) => liveFragment(...text.trim().split(/\n\s*\n/).map((part) => make("p", {}, part))),
	file: ({name}) => liveRemark("The program offers the file {}, but only a build of the book writes it.", name),
};

// liveShown returns an element that shows an output.
const liveShown = ({name, text, data, block}) => {
	if (name) return livePrinted(text, name === "stderr" ? "output output-stderr" : "output");
	if (block) {
		const {kind, block: shown} = JSON.parse(block);
		return Object.hasOwn(liveBlocks, kind) ? liveBlocks[kind](shown) : liveRemark(
			"The program shows a {}, but only a build of the book can show it.", kind);
	}
	const src = data["image/svg+xml"] ? svgImage(data["image/svg+xml"]) : data["image/png"] &&
		"data:image/png;base64," + data["image/png"].replace(/[^A-Za-z0-9+/=]/g, "");
	if (src) return liveFragment(make("img", {src, alt: liveSay("A picture of the program")}));
	if (data["text/plain"] !== undefined && !data["text/html"]) return livePrinted(data["text/plain"]);
	return liveRemark("The program shows HTML, but only a build of the book can show it.");
};

// liveEngine is the engine for a program's controls. The thread that ran the program answers.
const liveEngine = (thread) => {
	const questions = makeQuestions();
	let ended;
	thread.onmessage = ({data}) => questions.answer(data);
	return {
		ask: (...request) => ended ? Promise.reject(ended) : questions.ask(thread, request),
		stop() {
			thread.terminate();
			ended = Object.assign(new Refused(liveSay("Stopped. Press Run to start again.")), {stopped: true});
			questions.refuse(ended);
		},
	};
};

class LivePage {
	constructor(data) {
		this.data = data;
		this.cells = data.Cells.map((cell, number) => ({number, code: cell.Code, text: cell.Code, sum: cell.Sum,
			value: Boolean(cell.Value), given: [], shown: []}));
		this.note = make("p", {className: "live-note", role: "status", hidden: true});
		document.querySelector("h1").after(this.note);
		let place = 0;
		for (const mark of document.querySelectorAll(".live-begin")) {
			const cell = this.cells[Number(mark.dataset.cell)];
			Object.assign(cell, {mark, place: ++place, bar: make("div", {className: "live-bar"})});
			this.find(cell);
			if (cell.listing) this.bars(cell);
		}
		this.restore();
	}

	// find finds a cell's listing and its outputs, which follow the listing or, if there is none, the mark.
	find(cell) {
		let last = cell.mark;
		cell.given = [];
		for (let e = cell.mark.nextElementSibling; e && !e.matches(".live-end"); e = e.nextElementSibling) {
			const code = e.matches("pre") ? e : e.querySelector(":scope > pre, :scope > details.code-fold > pre");
			if (!cell.listing && code && !code.classList.contains("output")) {
				cell.listing = code;
				cell.given = [];
				last = e;
			} else {
				cell.given.push(e);
			}
		}
		cell.after = last;
	}

	// button returns a button for a cell or for the page.
	button(cell, label, press) {
		const b = make("button", {type: "button"}, liveSay(label));
		if (cell) b.setAttribute("aria-label", this.called(b, cell));
		b.addEventListener("click", press);
		return b;
	}

	called({textContent}, {place}) { return liveSay("{}, cell {}", textContent, place); }

	// runButtons returns the buttons that run and stop a cell, and creates the display of progress.
	runButtons(cell) {
		cell.state = make("p", {className: "live-state", role: "status"});
		cell.progress = make("progress", {max: 1, value: 0, hidden: true, ariaLabel: liveSay("Loading Go.")});
		const run = this.button(cell, "Run", () => this.run(cell));
		run.classList.add("live-main");
		cell.stop = this.button(cell, "Stop", () => this.stop());
		cell.stop.setAttribute("aria-disabled", "true");
		return [run, cell.stop];
	}

	// bars creates the buttons below the listing of a cell.
	bars(cell) {
		cell.edit = this.button(cell, "Edit", () => this.edit(cell, true));
		cell.others = [...this.runButtons(cell), this.button(cell, "Reset", () => this.reset(cell)),
			this.button(cell, "Copy link", () => this.link(cell)), this.button(cell, "Save", () => this.save())];
		for (const other of cell.others) other.hidden = true;
		cell.bar.append(cell.edit, ...cell.others, cell.progress, cell.state);
		cell.listing.after(cell.bar);
	}

	// edit replaces a listing with a field.
	edit(cell, focused) {
		if (!cell.box) this.field(cell);
		const fold = cell.listing.closest("details");
		if (fold) fold.open = true;
		cell.listing.hidden = true;
		cell.listing.before(cell.box);
		cell.edit.hidden = true;
		for (const other of cell.others) other.hidden = false;
		if (!focused) return;
		cell.box.focus();
		this.prepare(cell);
	}

	// prepare loads Go before somebody presses Run.
	prepare(cell) {
		this.load(cell).then(() => this.say(cell, this.busy ? "" : "Ready."), () => {});
	}

	// field creates the field in which a reader edits a cell.
	field(cell) {
		cell.box = make("textarea", {className: "live-text", wrap: "off", spellcheck: false, autocapitalize: "off",
			value: cell.text, ariaLabel: this.named(cell)});
		cell.box.addEventListener("input", () => this.changed(cell));
		this.keys(cell);
		this.fit(cell);
	}

	named({place}) {
		return liveSay("Go code of cell {}. Tab indents; to leave with the keyboard, press Escape, then Tab. " +
			"Control and Enter run the cell.", place);
	}

	// fit makes a field as high as its text, but never reduces its height.
	fit({box, text, prose}) {
		const rows = (line) => 1 + (prose ? Math.floor(line.length / 70) : 0);
		const count = text.split("\n").reduce((sum, line) => sum + rows(line), 1);
		box.rows = Math.max(box.rows, Math.min(count, 40));
	}

	keys(cell) {
		const {box} = cell;
		let leaving = false;
		const type = (text) => {
			if (document.execCommand("insertText", false, text)) return;
			box.setRangeText(text, box.selectionStart, box.selectionEnd, "end");
		};
		box.addEventListener("keydown", (event) => {
			if (event.key === "Enter" && (event.ctrlKey || event.metaKey || event.shiftKey)) {
				event.preventDefault();
				return this.run(cell);
			}
			if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
			const goes = leaving;
			if (event.key !== "Shift") leaving = event.key === "Escape";
			if (event.key === "Tab" && !goes && !event.shiftKey) {
				event.preventDefault();
				type("\t");
			} else if (event.key === "Enter") {
				event.preventDefault();
				const {value, selectionStart: at} = box, before = value.slice(value.lastIndexOf("\n", at - 1) + 1, at);
				type("\n" + /^\s*/.exec(before)[0] + (/[{([]\s*$/.test(before) ? "\t" : ""));
			}
		});
	}

	changed(cell) {
		cell.text = cell.box.value;
		this.fit(cell);
		this.blame([]);
		this.tell();
	}

	// edited returns the cells whose text differs from the author's.
	get edited() { return this.cells.filter(({code, text}) => code !== text); }

	// stale marks outputs that do not result from the current text, and returns the first such cell's index, or -1.
	stale() {
		const ran = this.ran || this.cells.map(({code}) => code);
		const stale = this.cells.findIndex(({text}, i) => text !== ran[i] || i > this.reached);
		for (const cell of this.cells) {
			for (const e of [...cell.given, ...cell.shown]) {
				e.classList.toggle("live-stale", stale >= 0 && cell.number >= stale);
			}
		}
		return stale;
	}

	// tell shows a note about the edited cells.
	tell() {
		const {edited} = this, stale = this.stale();
		const names = edited.map(({place}) => place), last = names.pop();
		this.note.hidden = edited.length === 0;
		setText(this.note, [liveSay(names.length > 0 ? "You have edited the cells {} and {} of this page."
			: "You have edited cell {} of this page.", ...[names.join(", "), last].filter(Boolean)),
		liveSay(stale >= 0 ? "Outputs with a dashed border are out of date: press Run."
			: "The cells show the output of your program."),
		liveSay("The text and the numbers in it are the author's.")].join(" "));
	}

	say({state}, ...text) { if (state) setText(state, liveSay(...text)); }

	// load starts the thread that compiles, unless it has already been started.
	load(cell) {
		this.loading = this.loading || this.begin((share) => {
			for (const {progress} of this.cells) if (progress) progress.hidden = true;
			const waits = this.busy || cell;
			waits.progress.hidden = share === 1;
			waits.progress.value = share;
			this.say(cell, "");
			this.say(waits, share === 1 ? "Starting Go." : "Loading Go.");
		}).catch((fault) => {
			this.loading = undefined;
			cell.progress.hidden = true;
			this.say(cell, fault instanceof Refused ? fault.words : "This browser does not let a page compile Go.");
			throw fault;
		});
		return this.loading;
	}

	async begin(progress) {
		progress(0);
		this.maker = startThread(liveWorker);
		this.parts = this.parts || await liveParts(progress);
		progress(1);
		const ready = this.answer(this.maker, "ready");
		this.maker.postMessage({pieces: liveKit.pieces, parts: this.parts, first: this.request(true)});
		await ready;
	}

	// answer waits for a thread's message with the given name. It passes on earlier messages.
	answer(thread, name, others = () => {}) {
		return new Promise((resolve, reject) => {
			this.cancel = reject;
			thread.onmessage = ({data}) => {
				if (name in data) resolve(data[name]);
				else if (data.fault !== undefined) reject(new Error(data.fault));
				else others(data);
			};
			thread.onerror = () => reject(new Error("the thread ended"));
		}).finally(() => { this.cancel = undefined; });
	}

	request(first) {
		return {Page: {Name: this.data.Name, File: this.data.File, Cells: this.cells.map(({code, text, value}) =>
			({Code: first ? code : text, Value: value}))}};
	}

	async run(cell) {
		if (this.busy) return;
		this.busy = cell;
		this.blame([]);
		for (const one of this.cells) if (one.stop) one.stop.setAttribute("aria-disabled", "false");
		cell.bar.dataset.running = "";
		const texts = this.cells.map(({text}) => text), began = performance.now();
		try {
			await this.load(cell);
			this.say(cell, "Compiling.");
			const made = this.answer(this.maker, "made", ({step}) => step && this.say(cell, step === "linking"
				? "Linking." : "Compiling."));
			this.maker.postMessage({make: this.request()});
			const {program, faults} = await made;
			if (faults) {
				this.say(cell, "Not run, because there is a mistake.");
				return this.blame(faults);
			}
			this.say(cell, "Running.");
			this.say(cell, await this.execute(cell, program, texts) || "Done in {} s.",
				liveNumber(((performance.now() - began) / 1000).toFixed(1)));
		} catch (fault) {
			if (fault instanceof Refused) return this.say(cell, fault.words);
			console.error(String(fault), fault.stack);
			if (this.loading) this.end();
			this.say(cell, "Go failed in this browser. Press Run to try again.");
		} finally {
			this.busy = undefined;
			delete cell.bar.dataset.running;
			for (const one of this.cells) if (one.stop) one.stop.setAttribute("aria-disabled", "true");
			document.documentElement.dataset.liveRuns = this.runs = (this.runs || 0) + 1;
		}
	}

	// execute runs a program and shows its outputs. It returns the reason why the program was stopped, or "".
	async execute(cell, program, texts) {
		const mark = Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("");
		const output = new LiveOutput(mark, this.cells.length), thread = startThread(liveWorker);
		let over = "";
		const late = setTimeout(() => this.cancel(over = liveSay("The program was stopped after {} seconds.",
			mostTime / 1000)), mostTime);
		this.running = thread;
		const ran = this.answer(thread, "ran", ({output: pieces = []}) => {
			for (const [stream, bytes] of pieces) {
				if (stream) output.add(stream, bytes);
				else this.cancel(over = liveSay("The program was stopped because it printed more than 4 MB."));
			}
		});
		thread.postMessage({program, name: this.data.Name, mark}, [program.buffer]);
		let ended = {};
		try {
			ended = await ran;
		} catch (fault) {
			if (over || fault instanceof Refused) over ||= liveSay("Stopped.");
			else ended = {code: 2, fault: String(fault)};
		}
		clearTimeout(late);
		this.running = undefined;
		const whole = output.done && !over && ended.code === undefined;
		if (this.engine) this.engine.stop();
		this.engine = whole ? liveEngine(thread) : undefined;
		if (!whole) thread.terminate();
		this.ran = texts;
		this.reached = whole ? this.cells.length : output.cell;
		this.show(cell, output);
		if (!whole && !over || output.failed) this.blame([this.failure(output, ended)]);
		this.tell();
		return over;
	}

	// show replaces the outputs with a program's new ones. It leaves outputs alone that are the same as in the build.
	show(cell, output) {
		const {edited} = this, module = "live-run-" + ((this.runs || 0) + 1);
		const first = Math.min(cell.number, ...edited.map(({number}) => number));
		if (this.engine) engines.set(module, this.engine);
		for (const {controls} of output.cells) for (const {name, fields} of controls) {
			define(name, picture({name, fields, module}));
		}
		for (const one of this.cells) {
			if (!one.mark || one.number > this.reached) continue;
			const {outputs} = output.cells[one.number];
			const same = one.number < first || output.sum(one.number) === one.sum;
			const more = outputs.length - mostOutputs;
			this.place(one, same ? undefined : [...outputs.slice(0, mostOutputs).map(liveShown),
				...more > 0 ? [liveRemark(liveCount(more, "There is {} more output.", "There are {} more outputs."))]
					: []]);
		}
		const count = all.length;
		begin();
		for (const x of all.slice(count)) x.write = () => {}; // the address contains the text of cells
	}

	// place shows elements as the outputs of a cell; if there are none, it shows the author's outputs.
	place(cell, elements) {
		for (const e of cell.shown) e.remove();
		for (const e of cell.given) e.hidden = Boolean(elements);
		cell.shown = elements || [];
		const {bar, after} = cell; // the outputs move, and the buttons stay
		(bar.parentNode === after.parentNode ? bar : after).after(...cell.shown);
	}

	// failure returns the error that ended a program, in the form of a fault.
	failure(output, {code, fault = ""}) {
		const begins = [];
		let line = 1;
		for (const {text} of this.cells) {
			begins.push(line);
			line += text.split("\n").length;
		}
		const said = output.errors + "\n" + fault, trace = /\/book\/[^\s:]*:(\d+)/.exec(said);
		const at = output.failed ? output.failed.line : trace && Number(trace[1]);
		const reason = /^(?:panic|fatal error|runtime): .*$/m.exec(said);
		const Cell = at ? begins.findLastIndex((begin) => begin <= at) : output.cell;
		const ends = code ? liveSay("the program exits here with code {}", code) : liveSay("the program exits here");
		const Message = output.failed?.text || reason?.[0] || ends;
		const [, cure] = liveHints.find(([words]) => Message.includes(words)) || [];
		return {Cell, Line: at ? at - begins[Cell] + 1 : 1, Message, Cure: cure && liveSay(cure)};
	}

	// blame shows faults at the cells that caused them.
	blame(faults) {
		for (const e of document.querySelectorAll(".live-error")) e.remove();
		const boxes = new Map();
		for (const {Cell, Line, Column, Message, Cure} of faults.slice(0, 20)) {
			const cell = this.cells[Cell], shown = cell.listing ? cell : this.busy;
			if (!boxes.has(shown)) {
				boxes.set(shown, make("div", {className: "live-error", role: "alert"}));
				shown.bar.after(boxes.get(shown));
			}
			const text = cell.text.split("\n")[Line - 1] || "";
			const code = text + (Column > 0 ? "\n" + this.under(text, Column) : "");
			boxes.get(shown).append(make("p", {}, liveSay(cell.listing ? "Line {}: {}" : cell.value
				? "A value in the text, line {}: {}" : "A hidden cell, line {}: {}", Line,
			Message + (Cure ? ": " + Cure : ""))), ...text.trim() ? [make("pre", {ariaHidden: "true"}, code)] : []);
		}
	}

	// under returns a caret below a byte in a line.
	under(text, column) {
		const before = new TextDecoder().decode(new TextEncoder().encode(text).slice(0, column - 1));
		return before.replace(/[^\t]/gu, " ") + "^";
	}

	// stop ends the thread that runs the program or, if there is none, the thread that compiles it.
	stop() {
		const stopped = new Refused("Stopped."), {cancel} = this;
		if (!this.busy || !cancel) return;
		if (this.running) this.running.terminate();
		else this.end();
		cancel(stopped);
	}

	// end ends the thread that compiles; the next run starts a new one.
	end() {
		if (this.maker) this.maker.terminate();
		this.maker = this.loading = undefined;
	}

	// reset restores the text of a cell. If no edited cell is left, it also restores the page's outputs.
	reset(cell) {
		if (this.busy) return;
		cell.text = cell.box.value = cell.code;
		cell.box.remove();
		cell.listing.hidden = false;
		cell.edit.hidden = false;
		for (const other of cell.others) other.hidden = true;
		this.say(cell, "");
		this.blame([]);
		if (this.edited.length === 0) {
			for (const one of this.cells) if (one.mark) this.place(one);
			this.ran = this.reached = undefined;
			if (this.engine) this.engine.stop();
			this.engine = undefined;
		}
		cell.edit.focus();
		this.tell();
	}

	// addressed returns the edited cells in the form for addresses, 2:TEXT;5:TEXT, in which each TEXT is in base64.
	addressed() { return this.edited.map(({number, text}) => number + ":" + toAddress(text)).join(";"); }

	async link(cell) {
		const parts = this.addressed();
		if (parts.length > mostAddressed) return this.say(cell, "The text is too long for a link. Save it as a file.");
		const address = location.href.replace(/#.*$/s, "") + (parts ? "#live:" + parts : "");
		write(address);
		try {
			await navigator.clipboard.writeText(address);
			this.say(cell, "The link is copied.");
		} catch {
			this.say(cell, "The link is in the address of this page.");
		}
	}

	restore() {
		const [, parts] = /^#live:([\d:;\w-]*)$/.exec(location.hash) || [];
		for (const [, number, text] of (parts || "").matchAll(/(\d+):([\w-]*)/g)) {
			const cell = this.cells[Number(number)];
			if (!cell?.listing) continue;
			try {
				cell.text = fromAddress(text);
			} catch {
				continue; // the address contains no valid text for the cell
			}
			this.edit(cell, false);
		}
		if (parts) this.tell();
	}

	// save offers the cells for download, as a Markdown page for a book.
	save() {
		const fenced = ({text}) => {
			const marks = "`".repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([found]) => found.length + 1)));
			return "\n" + marks + "go run show\n" + text.replace(/\n$/, "") + "\n" + marks + "\n";
		};
		const text = "# " + document.querySelector("h1").textContent.trim() + "\n" +
			this.cells.filter(({value}) => !value).map(fenced).join("");
		this.offer(this.data.Name + ".md", "text/markdown", text);
	}

	offer(download, type, text) {
		const link = make("a", {href: URL.createObjectURL(new Blob([text], {type})), download});
		document.body.append(link);
		link.click();
		link.remove();
	}
}

// The live page starts after the whole script has been defined.
if (liveData) queueMicrotask(() => {
	const data = JSON.parse(liveData.textContent);
	return data.Notebook ? new LiveNotebook(data) : new LivePage(data);
});
