// All explorables are made of this: a field for each value, and the engine that is asked. Fields stand in the address
// of the page, in the order in which they are made. Whenever some change, draw is called at once, and never twice at a
// time. The explorable itself tells at the field what the engine refuses, and what is typed wrong; neither draw
// nor what a button does need catch it. All other handlers of events go through attempt. Text only ever goes into the
// page as text.

const make = (tag, properties = {}, ...children) => {
	const e = document.createElement(tag);
	for (const [name, value] of Object.entries(properties)) {
		if (value === undefined || value === null) continue;
		if (name in e && name !== "list" && name !== "form") e[name] = value;
		else e.setAttribute(name, value);
	}
	e.append(...children);
	return e;
};

// A number of from five digits on has commas, as on the pages.
const spoken = (number) => {
	const digits = String(number);
	return digits.replace("-", "").length > 4 ? digits.replace(/\B(?=(\d{3})+(?!\d))/g, ",") : digits;
};

const plural = (count, one, many = one + "s") => spoken(count) + " " + (String(count) === "1" ? one : many);

const largest = 9223372036854775807n;

// Refused is what is wrong with what a reader wants: words for the reader, and the field that they are about, if it is
// one. No other error is shown to readers, so nothing but worker.js reads the message of an error.
class Refused extends Error {
	constructor(words, field) {
		super(words);
		this.words = words;
		this.field = field;
	}
}

// The bytes of a text in which five signs are four bytes: Ascii85, with other signs for five that mean something on a
// page.
const fromText = (text) => {
	const digits = new Uint8Array(128);
	for (let c = 33; c !== 118; c++) digits[c] = c - 33;
	[..."vwx{y"].forEach((sign, i) => { digits[sign.charCodeAt(0)] = "\"&<>\\".charCodeAt(i) - 33; });
	const bytes = new Uint8Array(4 * text.length); // enough if all are zeros, which one sign stands for
	const view = new DataView(bytes.buffer);
	let size = 0;
	for (let at = 0; at !== text.length;) {
		if (text[at] === "z") {
			size += 4;
			at++;
			continue;
		}
		const end = Math.min(at + 5, text.length), count = end - at;
		let value = 0;
		for (; at !== end; at++) value = value * 85 + digits[text.charCodeAt(at)];
		for (let i = count; i !== 5; i++) value = value * 85 + 84;
		view.setUint32(size, value);
		size += count - 1;
	}
	return bytes.slice(0, size);
};

// The modules of the engines, compressed and as text. Each is loaded once a page; who asks for it before waits.
const modules = new Map();
const moduleNamed = (name) => {
	if (!modules.has(name)) {
		let start;
		modules.set(name, {arrived: new Promise((resolve) => { start = resolve; }), start});
	}
	return modules.get(name);
};

// An engine of a module. It works in a worker.
let scripts; // the policy by which a worker may be made of a script
const makeEngine = (name) => {
	let worker, failed, waiting = new Map(), next = 0;

	const source = () => {
		const url = URL.createObjectURL(new Blob([workerSource], {type: "text/javascript"}));
		if (!globalThis.trustedTypes) return url;
		scripts = scripts || trustedTypes.createPolicy("siegebook", {createScriptURL: (address) => address});
		return scripts.createScriptURL(url);
	};

	const end = (fault) => {
		if (worker) worker.terminate();
		worker = undefined;
		for (const {reject} of waiting.values()) reject(fault);
		waiting = new Map();
	};

	const begin = (packed) => {
		worker = new Worker(source());
		worker.onmessage = ({data}) => {
			if (data.ready) return;
			if (data.id === undefined) {
				failed = new Error(data.fault);
				end(failed);
				return;
			}
			const {resolve, reject} = waiting.get(data.id) || {};
			waiting.delete(data.id);
			if (!resolve) return;
			if (data.refused) reject(new Refused(data.refused, data.field));
			else if (data.fault) end(new Error(data.fault)) || reject(new Error(data.fault));
			else resolve(data);
		};
		worker.onerror = () => { failed = new Error("this browser does not let a page compute"); end(failed); };
		worker.postMessage({packed: fromText(packed.trim())});
	};

	return {
		// ask asks for a picture, and gets {text, bytes}.
		async ask(...request) {
			const packed = await moduleNamed(name).arrived;
			if (failed) throw failed;
			if (!worker) begin(packed);
			const id = next++;
			return new Promise((resolve, reject) => {
				waiting.set(id, {resolve, reject});
				worker.postMessage({id, request: request.join("\n")});
			});
		},
		// stop ends whatever is being computed. The next question begins anew.
		stop() { end(new Refused("Stopped.")); },
	};
};

// engine is that of most explorables.
const engine = makeEngine("engine");

// focus is the element that has it. In a notebook, an explorable has a tree of its own, of which the document knows the
// root alone.
const focus = () => {
	let e = document.activeElement;
	while (e && e.shadowRoot) e = e.shadowRoot.activeElement;
	return e;
};

const kinds = new Map();
const define = (kind, build) => { kinds.set(kind, build); };

const dark = matchMedia("(prefers-color-scheme: dark)");
const still = matchMedia("(prefers-reduced-motion: reduce)");

// numberRule says what a number has to be or have.
const numberRule = ({text, least, limit}) => {
	if (limit < largest) return "be a whole number from " + spoken(least) + " to " + spoken(limit);
	return /^[0-9]+$/.test(text) && !/^0*$/.test(text) ? "have at most 18 digits" : "be a whole number, " +
		spoken(least) + " or more";
};

// mostDrawn is how many explorables a page draws at once when it is opened.
const mostDrawn = 12;

const nearby = new IntersectionObserver((seen) => {
	for (const {target} of seen.filter(({isIntersecting}) => isIntersecting)) {
		nearby.unobserve(target);
		target.dispatchEvent(new Event("near"));
	}
}, {rootMargin: "100%"});

let count = 0; // of fields and explorables, for ids

class Explorable {
	constructor(host, start) {
		this.host = host;
		this.start = start; // Map of name to text
		this.fields = new Map();
		this.id = "explorable-" + ++count;
		this.engine = engine;
		this.notice = undefined; // what was refused of an address, until something is changed
		this.controls = make("div", {className: "x-controls"});
		this.stage = make("div", {className: "x-stage"});
		this.problem = make("p", {className: "x-problem", id: this.id + "-problem", role: "alert", hidden: true});
		this.spoken = make("p", {className: "hidden", role: "status"});
		this.given = host.querySelector("output"); // of the page, with what is right at the start
		host.replaceChildren(this.problem, this.controls, this.stage, this.spoken);
		this.controls.hidden = this.stage.hidden = true;
	}

	// ask asks the engine. A refusal is about one of the fields, or none.
	async ask(...request) {
		try {
			return await this.engine.ask(...request);
		} catch (fault) {
			if (fault instanceof Refused) { // behind the name of a field may be a line and a column of its text
				const [name, ...place] = (fault.field || "").split(" ");
				fault.field = this.fields.get(name);
				fault.place = place.map(Number);
			}
			throw fault;
		}
	}

	// hold says that a hand moves a value. Until it rests, drawings may be coarser.
	hold() {
		this.held = true;
		clearTimeout(this.holding);
		this.holding = setTimeout(() => {
			this.held = false;
			this.changed(true);
		}, 200);
	}

	// row is a line of controls.
	row(...children) {
		const row = make("div", {className: "x-row"}, ...children);
		this.controls.append(row);
		return row;
	}

	// number is a whole number: a slider, and beside it a field that takes more than the slider shows. The value is a
	// BigInt. The slider goes from least to most; the field up to limit. words says in words what the number means, for
	// who listens: (value) => "19 soldiers".
	number(name, {label, least = 1, most = 100, limit = largest, words} = {}) {
		const id = this.id + "-" + name;
		const box = make("input", {type: "number", id, name, min: String(least), step: "1", inputMode: "numeric",
			autocomplete: "off"});
		const slider = make("input", {type: "range", min: String(least), max: String(most), step: "1"});
		slider.setAttribute("aria-label", label);
		const row = this.row(make("label", {htmlFor: id}, label), slider, box);
		row.classList.add("x-number");
		const field = {name, label, row, box, least: BigInt(least), most: BigInt(most), limit: BigInt(limit), text: ""};
		const show = () => {
			box.classList.toggle("x-long", field.text.length > 10);
			box.setAttribute("aria-invalid", String(!field.valid()));
			slider.setAttribute("aria-valuetext", words && field.valid() ? words(field.value) : label + " " +
				field.text);
			if (field.valid()) slider.value = String(field.value > field.most ? field.most : field.value);
		};
		field.valid = () => /^[0-9]{1,19}$/.test(field.text) && BigInt(field.text) >= field.least &&
			BigInt(field.text) <= field.limit;
		Object.defineProperty(field, "value", {get: () => {
			if (field.valid()) return BigInt(field.text);
			throw new Refused(label + " (" + name + ") = " + (field.text.slice(0, 40) || "nothing") + ": it has to " +
				numberRule(field), field);
		}});
		field.range = (least, most, last = limit) => { // moves the slider's ends, away from a hand
			if (BigInt(most) < field.most && this.held && focus() === slider) return;
			field.least = BigInt(least);
			field.most = BigInt(most);
			field.limit = BigInt(last);
			slider.min = box.min = String(least);
			slider.max = String(most);
			show();
		};
		field.read = (text) => {
			field.text = String(text).trim();
			// A browser complains about other values.
			const digits = /^-?[0-9]{1,300}$/.test(field.text) ? field.text : "";
			if (box.value !== digits) box.value = digits;
			show();
		};
		field.set = (value) => { field.read(value); this.changed(); };
		box.addEventListener("input", () => { field.text = box.value.trim(); show(); this.changed(); });
		slider.addEventListener("input", () => { // whose numbers are rounded beyond 2^53
			this.hold();
			const value = BigInt(slider.value);
			field.set(value < field.least ? field.least : value > field.most ? field.most : value);
		});
		return this.field(field);
	}

	// choice is one of a few: options are [value, words].
	choice(name, {label, options, start = options[0][0]}) {
		const id = this.id + "-" + name;
		const box = make("select", {id, name}, ...options.map(([value, words]) => make("option", {value}, words)));
		const field = {name, row: this.row(make("label", {htmlFor: id}, label), box), box, text: start};
		box.value = start;
		field.row.classList.add("x-choice");
		Object.defineProperty(field, "value", {get: () => field.text});
		field.read = (text) => {
			if (!options.some(([value]) => value === text)) {
				throw new Refused(label + " (" + name + ") = " + text.slice(0, 40) + ": it has to be one of " +
					options.map(([value]) => value).join(", "), field);
			}
			box.value = field.text = text;
		};
		field.set = (value) => { field.read(value); this.changed(); };
		box.addEventListener("change", () => field.set(box.value));
		return this.field(field);
	}

	// memory is what has no control of its own, such as the moves of a game: a text that check admits, or else it says
	// what is wrong with it.
	memory(name, start, check) {
		const field = {name, text: start};
		Object.defineProperty(field, "value", {get: () => field.text});
		field.read = (text) => {
			const fault = text.length > 4000 ? "it may not be longer than 4000 letters"
				: /^[A-Za-z0-9,._-]*$/.test(text) ? check && check(text) : "it has letters, digits and , . - _ only";
			if (fault) throw new Refused(name + " = " + text.slice(0, 40) + ": " + fault);
			field.text = text;
		};
		field.set = (value) => { field.read(value); this.changed(); };
		return this.field(field);
	}

	field(field) {
		field.start = field.text;
		this.fields.set(field.name, field);
		if (this.start.has(field.name)) {
			field.read(this.start.get(field.name));
			field.start = field.text;
		}
		return field;
	}

	// attempt returns a handler of events that does the work. If the work is refused, the reader is told why, as where
	// a drawing is refused.
	attempt(work) {
		return async (...given) => {
			try {
				await work(...given);
			} catch (fault) {
				this.fail(fault);
			}
		};
	}

	// set sets several fields at once: {n: 5n, s: 8n}.
	set(values) {
		for (const [name, value] of Object.entries(values)) this.fields.get(name).read(String(value));
		this.changed();
	}

	// button is a button in the last row, or in one of one's own.
	button(label, press, row = this.buttons || (this.buttons = this.row())) {
		const b = make("button", {type: "button"}, label);
		b.addEventListener("click", this.attempt(press));
		row.append(b);
		return b;
	}

	// reset adds the button that takes everything back to the start.
	reset() {
		const starts = () => Object.fromEntries([...this.fields.values()].map(({name, start}) => [name, start]));
		this.button("Start again", () => this.set(starts()));
	}

	// live lets the explorable take the place of the drawing, which stays where it is until then, and where the engine
	// does not run.
	live() {
		this.controls.hidden = this.stage.hidden = false;
		(this.host.closest(".figure-block") || this.host).classList.add("live");
	}

	// answer is the line that says it all. It returns what sets it. It is not read aloud on every step: see say.
	answer(name = "answer") {
		const output = this.given || make("output");
		output.name = name; // pages have it without: a name that many outputs of a page share is no valid HTML
		output.className = "x-answer";
		output.removeAttribute("aria-hidden");
		output.setAttribute("aria-live", "off");
		this.stage.append(output);
		return (...text) => { output.replaceChildren(...text); };
	}

	// say tells who listens, once the hand is still; the last sentence wins.
	say(sentence) {
		clearTimeout(this.saying);
		this.saying = setTimeout(() => {
			if (this.spoken.textContent !== sentence) this.spoken.textContent = sentence;
		}, 400);
	}

	// draw takes the function that draws. Where there are many explorables, one is drawn when it comes near.
	draw(render) {
		this.render = render;
		dark.addEventListener("change", () => this.host.dataset.far === undefined && this.changed(true));
		if (document.querySelectorAll(".explorable").length < mostDrawn) return this.changed(true);
		this.host.dataset.far = "";
		this.host.addEventListener("near", () => this.changed(true), {once: true});
		nearby.observe(this.host);
	}

	// changed asks for a new drawing, and puts the fields into the address.
	changed(quiet) {
		if (!this.render) return;
		if (!quiet) {
			this.notice = undefined;
			this.keep();
		}
		this.stale = true;
		delete this.host.dataset.far;
		if (this.drawing) return;
		this.drawing = true;
		this.host.dataset.drawing = "";
		queueMicrotask(async () => {
			while (this.stale) {
				this.stale = false;
				const slow = setTimeout(() => this.wait(true), 300);
				try {
					await this.render();
					this.live();
					this.tell(this.notice, this.outdated === true);
				} catch (fault) {
					this.fail(fault);
				}
				clearTimeout(slow);
				this.wait(false);
			}
			this.drawing = false;
			delete this.host.dataset.drawing;
			this.host.dataset.drawn = String(Number(this.host.dataset.drawn || 0) + 1);
			const {pushed} = this; // a button, meanwhile
			this.pushed = undefined;
			if (pushed) pushed();
		});
	}

	// fail tells what is refused. Any other error is a fault of ours: its words are for the console. The drawing may
	// then be half of one state and half of another, so it goes.
	fail(fault) {
		if (fault instanceof Refused) {
			this.controls.hidden = false; // so that it can be mended, also before anything is drawn
			return this.tell(fault);
		}
		console.error(String(fault), fault.stack);
		this.stage.hidden = true;
		this.tell(new Refused(this.controls.hidden ? "This figure cannot be played with here."
			: "This cannot be drawn. Choose other numbers."));
	}

	// tell shows what is refused, at its field, or that nothing is. A drawing of before that is no answer stays,
	// marked as old.
	tell(refused, old = refused !== undefined) {
		const {words = "", field: {row, box} = {}} = refused || {};
		let place = row;
		for (let e = row; e && e !== this.host; e = e.parentElement) {
			if (e.localName === "details" && !e.open) place = e;
		}
		if (place ? place.nextSibling !== this.problem : this.host.firstChild !== this.problem) {
			if (place) place.after(this.problem);
			else this.host.prepend(this.problem);
		}
		const described = (element) => element.dataset.described ? [element.dataset.described] : [];
		if (this.blamed) {
			if (described(this.blamed).length > 0) this.blamed.setAttribute("aria-describedby", described(this.blamed));
			else this.blamed.removeAttribute("aria-describedby");
		}
		this.blamed = box;
		if (box) box.setAttribute("aria-describedby", [...described(box), this.problem.id].join(" "));
		this.problem.textContent = words;
		this.problem.hidden = words === "";
		this.stage.classList.toggle("x-old", old);
	}

	// wait shows that something takes long, with a button that stops it.
	wait(long) {
		if (!long) {
			if (this.waiting) this.waiting.remove();
			this.waiting = undefined;
		} else if (!this.waiting) {
			const stop = make("button", {type: "button"}, "Stop");
			stop.addEventListener("click", () => this.engine.stop());
			this.waiting = make("p", {className: "x-waiting"}, "At work … ", stop);
			this.stage.before(this.waiting);
		}
	}

	// moved says whether a value is not that of the start.
	moved() { return [...this.fields.values()].some(({text, start}) => text !== start); }

	// The state as it stands in an address.
	state() { return [...this.fields.values()].map((f) => f.name + "=" + f.text).join("&"); }

	// keep puts the state into the address, once the hand is still: browsers mind if that is done too often. In a
	// notebook there is no place for it, and nothing that writes it.
	keep() {
		clearTimeout(this.keeping);
		if (this.write) this.keeping = setTimeout(this.write, 300);
	}

	// restore takes the fields from an address; of what is wrong there it tells, and leaves the rest as it was.
	restore(values) {
		this.notice = undefined;
		for (const [name, text] of values) {
			const field = this.fields.get(name);
			if (!field) continue;
			try {
				field.read(text);
			} catch (fault) {
				if (!(fault instanceof Refused)) throw fault;
				this.notice = fault;
			}
		}
		if (this.given && this.moved()) this.given.replaceChildren(); // until it is known
		this.changed(true);
	}
}
