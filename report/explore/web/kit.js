// The code that all explorables share: controls for a state (state.js), and engines. The page's address lists the
// fields in the order in which they were created. When fields change, the explorable is drawn at once, but never twice
// at the same time. Errors are shown next to the fields: wrong text, and refusals by the engine. So functions that
// draw, and functions of buttons, need not catch errors. All other event handlers must use attempt. The page receives
// text only as text, never as markup.

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

// fromText decodes Ascii85, in which five characters represent four bytes. Other characters replace the five that have
// a special meaning in a page.
const fromText = (text) => {
	const digits = new Uint8Array(128);
	for (let c = 33; c !== 118; c++) digits[c] = c - 33;
	[..."vwx{y"].forEach((sign, i) => { digits[sign.charCodeAt(0)] = "\"&<>\\".charCodeAt(i) - 33; });
	text = text.replaceAll("z", "!!!!!"); // four zeros
	const bytes = new Uint8Array(text.length + 4);
	const view = new DataView(bytes.buffer);
	let size = 0;
	for (let at = 0; at !== text.length;) {
		const end = Math.min(at + 5, text.length), count = end - at;
		let value = 0;
		for (; at !== end; at++) value = value * 85 + digits[text.charCodeAt(at)];
		for (let i = count; i !== 5; i++) value = value * 85 + 84;
		view.setUint32(size, value);
		size += count - 1;
	}
	return bytes.slice(0, size);
};

// The modules of the engines, compressed and encoded as text. A page loads each module once. Callers wait until it has
// arrived.
const modules = new Map();
const moduleNamed = (name) => {
	if (!modules.has(name)) {
		let start;
		modules.set(name, {arrived: new Promise((resolve) => { start = resolve; }), start});
	}
	return modules.get(name);
};

// startThread starts a worker that runs the given script.
let scripts; // the policy that allows us to create a worker from a script
const startThread = (source) => {
	const url = URL.createObjectURL(new Blob([source], {type: "text/javascript"}));
	scripts ||= globalThis.trustedTypes?.createPolicy("siegebook", {createScriptURL: (address) => address});
	return new Worker(scripts ? scripts.createScriptURL(url) : url);
};

// makeQuestions stores the questions to a thread until they are answered.
const makeQuestions = () => {
	const waiting = new Map();
	let next = 0;
	return {
		ask: (worker, request) => new Promise((resolve, reject) => {
			waiting.set(next, {resolve, reject});
			worker.postMessage({id: next++, request: request.join("\n")});
		}),
		// answer passes an answer to the code that asked, and returns whether the answer is a fault.
		answer(data) {
			const {resolve, reject} = waiting.get(data.id) || {};
			waiting.delete(data.id);
			if (!resolve) return false;
			if (!data.refused && !data.fault) resolve(data);
			else reject(data.refused ? new Refused(data.refused, data.field) : new Error(data.fault));
			return Boolean(data.fault);
		},
		refuse(fault) {
			for (const {reject} of waiting.values()) reject(fault);
			waiting.clear();
		},
	};
};

// makeEngine returns an engine that runs a module in a worker.
const makeEngine = (name) => {
	let worker, failed;
	const questions = makeQuestions();

	const end = (fault) => {
		if (worker) worker.terminate();
		worker = undefined;
		questions.refuse(fault);
	};

	const begin = (packed) => {
		worker = startThread(workerSource);
		worker.onmessage = ({data}) => {
			if (data.ready) return;
			if (data.id === undefined) return end(failed = new Error(data.fault));
			if (questions.answer(data)) end(new Error(data.fault));
		};
		worker.onerror = () => end(failed = new Error("this browser does not let a page compute"));
		worker.postMessage({packed: fromText(packed.trim())});
	};

	return {
		// ask requests a picture, and returns {text, bytes}.
		async ask(...request) {
			const packed = await moduleNamed(name).arrived;
			if (failed) throw failed;
			if (!worker) begin(packed);
			return questions.ask(worker, request);
		},
		// stop stops the engine. The next question starts it again.
		stop() { end(Object.assign(new Refused("Stopped."), {stopped: true})); },
	};
};

// engineNamed returns the engine for a module. All explorables on a page share it.
const engines = new Map();
const engineNamed = (name) => {
	if (!engines.has(name)) engines.set(name, makeEngine(name));
	return engines.get(name);
};

// focus returns the element that has the focus. In a notebook, the document knows only the root of an explorable.
const focus = () => {
	let e = document.activeElement;
	while (e && e.shadowRoot) e = e.shadowRoot.activeElement;
	return e;
};

const kinds = new Map();
const define = (kind, build) => { kinds.set(kind, build); };

const dark = matchMedia("(prefers-color-scheme: dark)");
const still = matchMedia("(prefers-reduced-motion: reduce)");

// A page with at least mostDrawn explorables draws each of them only when it comes near.
const mostDrawn = 12;

const nearby = new IntersectionObserver((seen) => {
	for (const {target} of seen.filter(({isIntersecting}) => isIntersecting)) {
		nearby.unobserve(target);
		target.dispatchEvent(new Event("near"));
	}
}, {rootMargin: "100%"});

let count = 0; // the number of explorables so far, for IDs

class Explorable extends State {
	constructor(host, start) {
		super(start, JSON.parse(host.dataset.words || "{}"));
		this.host = host;
		this.id = "explorable-" + ++count;
		this.engine = engineNamed("engine"); // the engine that most explorables use
		this.players = {}; // by the names of the fields that they play
		this.until = 0; // the time until which a playing picture shows the current drawing
		this.notice = undefined; // the message about values that the picture could not use
		this.controls = make("div", {className: "x-controls"});
		this.stage = make("div", {className: "x-stage"});
		this.problem = make("p", {className: "x-problem", id: this.id + "-problem", role: "alert", hidden: true});
		this.spoken = make("p", {className: "hidden", role: "status"});
		this.given = host.querySelector("output"); // the answer on the page, which is right at the start
		host.replaceChildren(this.problem, this.controls, this.stage, this.spoken);
		this.controls.hidden = this.stage.hidden = true;
	}

	// ask asks the engine. If the engine refuses, ask adds the field that the refusal is about, if any.
	async ask(...request) {
		try {
			return await this.engine.ask(...request);
		} catch (fault) {
			if (fault instanceof Refused) { // a line and a column may follow the name of the field
				const [name, ...place] = (fault.field || "").split(" ");
				fault.field = this.fields.get(name);
				fault.place = place.map(Number);
			}
			throw fault;
		}
	}

	// hold is called while the reader is moving a value. Until the movement ends, drawings may be coarser.
	hold() {
		this.held = true;
		clearTimeout(this.holding);
		this.holding = setTimeout(() => {
			this.held = false;
			this.changed(true);
		}, 200);
	}

	// row adds a line of controls.
	row(...children) {
		const row = make("div", {className: "x-row"}, ...children);
		this.controls.append(row);
		return row;
	}

	// number adds a control for an integer: a slider, and a box that accepts larger numbers than the slider. words
	// describes a value for screen readers: (value) => "19 litres".
	number(description, words) {
		const field = this.field(description), {name, label, digits = 0} = field, id = this.id + "-" + name;
		const seen = (value) => pointed(String(value), digits);
		const box = make("input", {type: "number", id, name, min: seen(field.least), step: seen(1),
			inputMode: digits ? "decimal" : "numeric", autocomplete: "off"});
		const slider = make("input", {type: "range", min: String(field.least), max: String(field.most), step: "1"});
		slider.setAttribute("aria-label", label);
		const row = this.row(make("label", {htmlFor: id}, label), slider, box);
		row.classList.add("x-number");
		Object.assign(field, {row, box});
		field.show = (typing) => {
			const {text, fault, low, most} = field;
			// A browser would log a warning for other values.
			const number = /^-?[0-9]{1,300}$/.test(text) ? seen(text) : "";
			if (!typing && box.value !== number) box.value = number;
			box.classList.toggle("x-long", text.length > 10);
			box.setAttribute("aria-invalid", String(Boolean(fault)));
			const said = words && !fault ? words(seen(field.value)) : label + " " + seen(text);
			slider.setAttribute("aria-valuetext", said);
			slider.min = String(low);
			box.min = seen(low);
			// While the reader is moving the slider, its maximum does not decrease.
			if (!this.held || focus() !== slider || most > Number(slider.max)) slider.max = String(most);
			if (!fault) slider.value = String(within(field.value, low, most));
		};
		box.addEventListener("input", () => {
			this.type(field, box.validity.badInput ? "no number" : pointless(box.value, digits));
			field.show(true);
		});
		box.addEventListener("change", () => { if (!field.fault) field.show(); });
		slider.addEventListener("input", () => { // sliders round numbers beyond 2^53
			this.hold();
			this.type(field, String(within(BigInt(Math.round(Number(slider.value))), field.low, field.most)));
			field.show();
		});
		field.show();
		if (!field.play && !field.film) return field;
		this.player(field);
		if (field.film) return field;
		const player = this.players[name], button = this.button("Play", () => player.running ? player.stop()
			: player.start(), row);
		player.show = () => { button.textContent = this.say(player.running ? "Pause" : "Play"); };
		return field;
	}

	// player plays the numbers of a field one by one. It waits until each number has been drawn and has been visible
	// long enough. A film starts by itself once it is visible. Readers who prefer reduced motion step through it.
	player(field) {
		const {name, film} = field;
		const player = this.players[name] = {show() {}, running: false};
		const ended = () => field.fault || field.value >= field.most;
		const turn = (on) => {
			clearInterval(player.timer);
			player.running = on;
			player.show();
		};
		const step = (values) => {
			if (!film) return this.press(values);
			this.take({...values, runs: "on"}); // the address does not change
			this.changed(true);
		};
		const go = () => {
			if (this.drawing || performance.now() < this.until) return;
			if (ended() || document.hidden) return turn(false);
			step({[name]: field.value + 1n});
		};
		player.stop = () => turn(false);
		player.start = (first, values = {}) => {
			if (first || ended()) step({...values, [name]: film && still.matches && !first ? field.value : field.low});
			if (film && still.matches) return first || go();
			turn(true);
			player.timer = setInterval(go, 30);
		};
		if (!film) return;
		// The film starts by itself unless the reader has touched it, or its state came from an address.
		const seen = new IntersectionObserver(([{isIntersecting}]) => {
			if (!isIntersecting) return;
			seen.disconnect();
			setTimeout(() => {
				if (!still.matches && !player.touched && !this.moved() && !player.running) player.start(true);
			}, 700);
		}, {threshold: 0.34});
		seen.observe(this.host);
	}

	// rest stops all players, because the reader is doing something.
	rest() {
		for (const player of Object.values(this.players)) {
			player.touched = true;
			player.stop();
		}
	}

	// choice adds a control with a few options.
	choice(description) {
		const field = this.field(description), {name, label, options} = field, id = this.id + "-" + name;
		const box = make("select", {id, name}, ...options.map((one) => make("option", {value: one.value},
			this.say(one.label))));
		Object.assign(field, {row: this.row(make("label", {htmlFor: id}, label), box), box});
		field.row.classList.add("x-choice");
		field.show = () => { box.value = field.text; };
		box.addEventListener("change", () => this.type(field, box.value));
		field.show();
		return field;
	}

	// attempt returns an event handler that calls work. If work throws an error, the reader sees it, as for drawings.
	attempt(work) {
		return async (...given) => {
			try {
				await work(...given);
			} catch (fault) {
				this.fail(fault);
			}
		};
	}

	// button adds a button to the row of buttons, or to another row.
	button(label, press, row = this.buttons || (this.buttons = this.row())) {
		const b = make("button", {type: "button"}, this.say(label));
		b.addEventListener("click", this.attempt(press));
		row.append(b);
		return b;
	}

	// live shows the explorable in place of the drawing. The drawing stays visible until then, and also if the engine
	// does not run.
	live() {
		this.controls.hidden = this.stage.hidden = false;
		(this.host.closest(".figure-block") || this.host).classList.add("live");
	}

	// answer adds the line with the result, and returns a function that sets it. Screen readers read only the sentences
	// passed to say.
	answer(name = "answer") {
		const output = this.given || make("output");
		output.name = name; // not in the page's HTML, in which several outputs must not share a name
		output.className = "x-answer";
		output.removeAttribute("aria-hidden");
		output.setAttribute("aria-live", "off");
		this.stage.append(output);
		return (...text) => { output.replaceChildren(...text); };
	}

	// say passes a sentence to screen readers after a pause. Of several sentences, it passes only the last.
	say(sentence) {
		clearTimeout(this.saying);
		this.saying = setTimeout(() => {
			if (this.spoken.textContent !== sentence) this.spoken.textContent = sentence;
		}, 400);
	}

	// draw sets the function that draws. On a page with many explorables, the first drawing waits until it comes near.
	draw(render) {
		this.render = render;
		dark.addEventListener("change", () => this.host.dataset.far === undefined && this.changed(true));
		if (document.querySelectorAll(".explorable").length < mostDrawn) return this.changed(true);
		this.host.dataset.far = "";
		this.host.addEventListener("near", () => this.changed(true), {once: true});
		nearby.observe(this.host);
	}

	// changed requests a new drawing and, unless quiet, updates the address.
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
					this.refused = false;
					this.live();
					this.tell(this.notice, this.outdated === true);
				} catch (fault) {
					this.refused = true;
					this.fail(fault);
				}
				clearTimeout(slow);
				this.wait(false);
			}
			this.drawing = false;
			delete this.host.dataset.drawing;
			this.host.dataset.drawn = String(Number(this.host.dataset.drawn || 0) + 1);
			const {pushed} = this; // a button that the reader has pressed in the meantime
			this.pushed = undefined;
			if (pushed) pushed();
		});
	}

	// fail shows a Refused to the reader. Any other error is a bug and goes to the console. The drawing may then be a
	// mixture of two states, so fail hides it.
	fail(fault) {
		if (fault instanceof Refused) {
			if (this.shown) this.live();
			this.controls.hidden = false; // so that readers can correct the error even before the first drawing
			return this.tell(fault);
		}
		console.error(String(fault), fault.stack);
		this.stage.hidden = true;
		this.tell(new Refused(this.controls.hidden ? "This figure is not interactive here."
			: "This cannot be drawn. Choose other numbers."));
	}

	// tell shows an error at its field, or hides the previous one. An old drawing that does not show the current values
	// stays, but is marked as old.
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
		this.problem.textContent = this.say(words);
		this.problem.hidden = words === "";
		for (const part of this.host.querySelectorAll(".x-stage, .x-rest")) part.classList.toggle("x-old", old);
	}

	// wait shows a message with a Stop button if something takes long, and removes the message afterwards.
	wait(long) {
		if (!long) this.waiting = this.waiting?.remove();
		else if (!this.waiting) {
			this.waiting = make("p", {className: "x-waiting"}, this.say("Computing …") + " ");
			this.button("Stop", () => this.engine.stop(), this.waiting);
			this.stage.before(this.waiting);
		}
	}

	// keep writes the state into the address after a pause, because browsers limit how often the address can change. In
	// a notebook it does nothing, because write is not set.
	keep() {
		clearTimeout(this.keeping);
		if (this.write) this.keeping = setTimeout(this.write, 300);
	}

	// restore sets the state from an address, and stops a film.
	restore(values) {
		this.rest();
		this.notice = undefined;
		super.restore(values);
		if (this.given && this.moved()) this.given.replaceChildren(); // stays empty until the engine answers
		this.changed(true);
	}
}
