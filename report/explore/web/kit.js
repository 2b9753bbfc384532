// All explorables are made of this: the controls of a state (state.js), and the engine that is asked. Fields stand in
// the address of the page, in the order in which they are made. Whenever some change, draw is called at once, and never
// twice at a time. The explorable itself tells at the field what the engine refuses, and what is typed wrong; neither
// draw nor what a button does need catch it. All other handlers of events go through attempt. Text only ever goes into
// the page as text.

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

// The bytes of a text in which five signs are four bytes: Ascii85, with other signs for five that mean something on a
// page.
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

// The modules of the engines, compressed and as text. Each is loaded once a page; who asks for it before waits.
const modules = new Map();
const moduleNamed = (name) => {
	if (!modules.has(name)) {
		let start;
		modules.set(name, {arrived: new Promise((resolve) => { start = resolve; }), start});
	}
	return modules.get(name);
};

// startThread starts a worker with the text of a script.
let scripts; // the policy by which a worker may be made of a script
const startThread = (source) => {
	const url = URL.createObjectURL(new Blob([source], {type: "text/javascript"}));
	scripts ||= globalThis.trustedTypes?.createPolicy("siegebook", {createScriptURL: (address) => address});
	return new Worker(scripts ? scripts.createScriptURL(url) : url);
};

// The questions to a thread that wait for their answers.
const makeQuestions = () => {
	const waiting = new Map();
	let next = 0;
	return {
		ask: (worker, request) => new Promise((resolve, reject) => {
			waiting.set(next, {resolve, reject});
			worker.postMessage({id: next++, request: request.join("\n")});
		}),
		// answer gives an answer to whoever has asked, and returns whether it is a fault.
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

// An engine of a module. It works in a worker.
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
		// ask asks for a picture, and gets {text, bytes}.
		async ask(...request) {
			const packed = await moduleNamed(name).arrived;
			if (failed) throw failed;
			if (!worker) begin(packed);
			return questions.ask(worker, request);
		},
		// stop ends whatever is being computed. The next question begins anew.
		stop() { end(Object.assign(new Refused("Stopped."), {stopped: true})); },
	};
};

// engineNamed returns the engine of a module, which the explorables of a page share.
const engines = new Map();
const engineNamed = (name) => {
	if (!engines.has(name)) engines.set(name, makeEngine(name));
	return engines.get(name);
};

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

// mostDrawn is how many explorables a page draws at once when it is opened.
const mostDrawn = 12;

const nearby = new IntersectionObserver((seen) => {
	for (const {target} of seen.filter(({isIntersecting}) => isIntersecting)) {
		nearby.unobserve(target);
		target.dispatchEvent(new Event("near"));
	}
}, {rootMargin: "100%"});

let count = 0; // of fields and explorables, for ids

class Explorable extends State {
	constructor(host, start) {
		super(start, JSON.parse(host.dataset.words || "{}"));
		this.host = host;
		this.id = "explorable-" + ++count;
		this.engine = engineNamed("engine"); // of most explorables
		this.players = {}; // by the names of the fields that play
		this.until = 0; // when what is drawn has been seen for its time
		this.notice = undefined; // what the picture says of the values that it was given
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

	// number is a whole number: a slider, and beside it a box that takes more than the slider shows. words says what it
	// means, for who listens: (value) => "19 litres".
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
			// A browser complains about other values.
			const number = /^-?[0-9]{1,300}$/.test(text) ? seen(text) : "";
			if (!typing && box.value !== number) box.value = number;
			box.classList.toggle("x-long", text.length > 10);
			box.setAttribute("aria-invalid", String(Boolean(fault)));
			const said = words && !fault ? words(seen(field.value)) : label + " " + seen(text);
			slider.setAttribute("aria-valuetext", said);
			slider.min = String(low);
			box.min = seen(low);
			// The end stays under a hand.
			if (!this.held || focus() !== slider || most > Number(slider.max)) slider.max = String(most);
			if (!fault) slider.value = String(within(field.value, low, most));
		};
		box.addEventListener("input", () => {
			this.type(field, box.validity.badInput ? "no number" : pointless(box.value, digits));
			field.show(true);
		});
		box.addEventListener("change", () => { if (!field.fault) field.show(); });
		slider.addEventListener("input", () => { // whose numbers are rounded beyond 2^53
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

	// player goes through the numbers of a field one by one, each once it is drawn and has been seen for its time. The
	// numbers of a film go on by themselves once it is seen; a reader who wants no motion goes from step to step.
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
			this.take({...values, runs: "on"}); // without a word in the address
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
		// It begins if nobody has touched it, and has not come by an address.
		const seen = new IntersectionObserver(([{isIntersecting}]) => {
			if (!isIntersecting) return;
			seen.disconnect();
			setTimeout(() => {
				if (!still.matches && !player.touched && !this.moved() && !player.running) player.start(true);
			}, 700);
		}, {threshold: 0.34});
		seen.observe(this.host);
	}

	// rest stops what plays, because a hand is at work.
	rest() {
		for (const player of Object.values(this.players)) {
			player.touched = true;
			player.stop();
		}
	}

	// choice is one of a few.
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

	// button is a button in the last row, or in one of one's own.
	button(label, press, row = this.buttons || (this.buttons = this.row())) {
		const b = make("button", {type: "button"}, this.say(label));
		b.addEventListener("click", this.attempt(press));
		row.append(b);
		return b;
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
			const {pushed} = this; // a button, meanwhile
			this.pushed = undefined;
			if (pushed) pushed();
		});
	}

	// fail tells what is refused. Any other error is a fault of ours: its words are for the console. The drawing may
	// then be half of one state and half of another, so it goes.
	fail(fault) {
		if (fault instanceof Refused) {
			if (this.shown) this.live();
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
		this.problem.textContent = this.say(words);
		this.problem.hidden = words === "";
		for (const part of this.host.querySelectorAll(".x-stage, .x-rest")) part.classList.toggle("x-old", old);
	}

	// wait shows that something takes long, with a button that stops it.
	wait(long) {
		if (!long) this.waiting = this.waiting?.remove();
		else if (!this.waiting) {
			this.waiting = make("p", {className: "x-waiting"}, this.say("At work …") + " ");
			this.button("Stop", () => this.engine.stop(), this.waiting);
			this.stage.before(this.waiting);
		}
	}

	// keep puts the state into the address, once the hand is still: browsers mind if that is done too often. In a
	// notebook there is no place for it, and nothing that writes it.
	keep() {
		clearTimeout(this.keeping);
		if (this.write) this.keeping = setTimeout(this.write, 300);
	}

	// restore takes the state of an address.
	restore(values) {
		this.notice = undefined;
		super.restore(values);
		if (this.given && this.moved()) this.given.replaceChildren(); // until it is known
		this.changed(true);
	}
}
