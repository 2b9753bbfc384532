// The state of an explorable: what its fields hold, which of that is shown, and what follows from a button, an address
// or a text that is typed. Nothing here knows an element of a page, so that a test presses all buttons without one.

// A number of from five digits on has commas, as on the pages.
const spoken = (number) => {
	const digits = String(number);
	return digits.replace("-", "").length > 4 ? digits.replace(/\B(?=(\d{3})+(?!\d))/g, ",") : digits;
};

const plural = (count, one, many = one + "s") => spoken(count) + " " + (String(count) === "1" ? one : many);

const largest = 9223372036854775807n;

// translated is a text in the language of a page, in whose phrases # is a number.
const translated = (phrases, text) => {
	const digits = /\d+(?:[.,]\d+)*/g, numbers = text.match(digits) || [];
	return (phrases[text] ?? phrases[text.replace(digits, "#")] ?? text).replace(/#/g, () => numbers.shift());
};

// Refused is what is wrong with what a reader wants: words for the reader, and the field that they are about, if it is
// one. No other error is shown to readers, so nothing but worker.js reads the message of an error.
class Refused extends Error {
	constructor(words, field) {
		super(words);
		this.words = words;
		this.field = field;
	}
}

// readNumber reads a whole number as people write it: 1000, 1,000, 1 000, 3.0. It returns the value, or else what is
// wrong with the text; neither, if the text is no number at all.
const readNumber = (text) => {
	const [found, sign, whole, , rest = ""] =
		/^([+−-]?)(\d+|\d{1,3}([ ,\u00a0\u202f])\d{3}(?:\3\d{3})*)(?:\.(\d*))?$/.exec(text.trim()) || [];
	if (/[1-9]/.test(rest)) return {wrong: "it has a fraction, and has to be a whole number"};
	if (found === undefined) {
		return /^[+−-]?\d[\d ,]*$/.test(text.trim()) ? {wrong: "commas and spaces stand between groups of three " +
			"digits only, as in 1,000"} : {};
	}
	const digits = whole.replace(/\D/g, "").replace(/^0+(?=\d)/, "");
	const value = BigInt(digits.length > 19 ? largest + 1n : digits);
	if (value <= largest) return {value: sign === "−" || sign === "-" ? -value : value};
	return {wrong: sign === "−" || sign === "-" ? "it is too small" : "it is larger than " + spoken(largest)};
};

// pointed is a number as readers see it, with so many of its digits behind a point, and pointless the number that they
// have typed so: 0.25 and 25.
const pointed = (text, digits = 0) => digits ? text.replace(/^(-?)(\d+)$/, (all, sign, number) => {
	const long = number.padStart(digits + 1, "0");
	return sign + long.slice(0, -digits) + "." + long.slice(-digits);
}) : text;
const pointless = (text, digits = 0) => digits ? text.trim().replace(/^([+−-]?)(\d*)(?:[.,](\d*))?$/,
	(all, sign, before, behind = "") => /^0*$/.test(behind.slice(digits)) && before + behind
		? sign + before + behind.slice(0, digits).padEnd(digits, "0") : all) : text;

// Field is a field of a state, as a picture describes it. Its text is what stands there, right or wrong.
class Field {
	constructor({least = 0, most = 0, limit = 0, start = "", label, ...description}) {
		label ||= description.name;
		Object.assign(this, {say: String}, description, {text: start, start, label, typed: false});
		[this.least, this.most, this.limit] = [BigInt(least), BigInt(most), BigInt(limit) || largest];
		this.numeric = !this.options && !this.memory && !this.given;
		// A hand can type numbers from low to high, in the state that is shown.
		[this.low, this.high] = [this.least, this.limit];
		this.show = () => {}; // called whenever something changes; with true, if a hand may be typing
	}

	// fault is what is wrong with the text, or undefined.
	get fault() {
		const {text} = this;
		if (this.given) return undefined;
		const refused = (rule) => new Refused((this.memory ? "" : this.label + " (") + this.name + (this.memory ? "" :
			")") + " = " + (pointed(text, this.digits).slice(0, 40) || "nothing") + ": " + this.say(rule), this);
		if (this.memory) {
			if (text.length > 4000) return refused("it may not be longer than 4000 letters");
			return /^[A-Za-z0-9,._-]*$/.test(text) ? undefined : refused("it has letters, digits and , . - _ only");
		}
		if (this.options) {
			const all = this.options.map(({value}) => value);
			return all.includes(text) ? undefined : refused("it has to be one of " + all.join(", "));
		}
		const {value, wrong} = readNumber(text), [least, limit] = this.typed ? [this.low, this.high]
			: [this.least, this.limit];
		if (wrong) return refused(wrong);
		if (value !== undefined && value >= least && value <= limit) return undefined;
		if (this.digits) {
			const [from, to] = [least, limit].map((end) => pointed(String(end), this.digits));
			return refused("it has to be a number from " + from + " to " + to + " with at most " +
				plural(this.digits, "decimal"));
		}
		return refused("it has to be a whole number" + (limit < largest ? " from " + spoken(least) + " to " +
			spoken(limit) : ", " + spoken(least) + " or more"));
	}

	// value is a BigInt of a number, and the text of others. It throws what is wrong.
	get value() {
		const {fault} = this;
		if (fault) throw fault;
		return this.numeric ? readNumber(this.text).value : this.text;
	}

	// take takes a text that a hand has typed, and read one that comes from elsewhere.
	take(text, typed) {
		const {value} = this.numeric ? readNumber(text) : {};
		this.text = value === undefined ? text.trim() : String(value);
		this.typed = typed;
	}

	read(text) {
		this.take(String(text), false);
		this.show(false);
	}

	// range takes the ends of the slider, and of what can be typed, in the state that is shown.
	range({least, most, limit = this.limit}) {
		[this.low, this.most, this.high] = [least, most, limit].map(BigInt);
		this.show(true);
	}
}

class State {
	constructor(start, phrases = {}) {
		this.start = start; // Map of name to text
		this.say = (text) => translated(phrases, text);
		this.fields = new Map();
		this.shown = undefined; // Map of name to text: the state of what is shown, once something is
		this.refused = false; // whether what the fields hold is something else, which was refused
		this.pressed = false; // whether a button was pressed since the last drawing
	}

	// changed is called whenever a field changes.
	changed() {}

	field(description) {
		const {name, start, label = ""} = description, {say} = this;
		const field = new Field({...description, say, label: say(label), start: this.start.get(name) ?? start});
		this.fields.set(name, field);
		return field;
	}

	// take sets fields. A text is not checked until something is asked.
	take(values) { for (const [name, value] of Object.entries(values)) this.fields.get(name)?.read(value); }

	// texts are what all fields hold.
	texts() { return new Map([...this.fields.values()].map(({name, text}) => [name, text])); }

	// starts are what the fields hold at the start. What is kept is not part of it, but for what a reader writes.
	starts() {
		return Object.fromEntries([...this.fields.values()].filter(({given, kept}) => !(given && kept))
			.map(({name, start}) => [name, start]));
	}

	// settings are the state for the engine, some values of which may be others. They throw what is wrong with a field.
	settings(over = {}) {
		return [...this.fields.values()].map((field) => [field.name, over[field.name] ?? field.value, field.given])
			.filter(([, value, given]) => value !== "" || !given).map(([name, value]) => name + "=" + value).join("&");
	}

	// type takes what a hand has typed or chosen. Where the state of an address was refused, all others go back.
	type(field, text) {
		if (this.refused) this.back((other) => other !== field && !other.typed);
		field.take(text, true);
		if (field.sets) this.take(field.sets);
		this.changed();
	}

	// wrong says whether the fields hold what cannot be shown.
	get wrong() { return this.refused || [...this.fields.values()].some(({fault}) => fault); }

	// current is the text of a field that a press finds.
	current(name) { return this.wrong ? this.shown.get(name) : this.fields.get(name).text; }

	// press sets values, as a button does. All other fields have what is shown: a button cannot know what else a reader
	// has typed, and what is wrong there does not stop it.
	press(values) {
		if (this.wrong) this.back();
		this.pressed = true;
		this.take(values);
		this.changed();
	}

	// back takes fields back to what is shown. What a reader writes stays.
	back(which = () => true) {
		if (!this.shown) return;
		for (const field of this.fields.values()) {
			const text = this.shown.get(field.name);
			if (field.kept) field.mend?.();
			else if (which(field) && (field.text !== text || field.typed)) field.read(text);
		}
	}

	// instead returns values to ask for in the place of those that are refused. What is done is done to what is shown;
	// and where nothing is, the start is shown beside what is wrong. It throws the fault where all stays as it is.
	instead(fault, act) {
		if (!(fault instanceof Refused) || fault.stopped || this.shown && !act) throw fault;
		const over = this.shown ? {} : this.starts();
		this.back();
		return over;
	}

	// restore takes the state of an address. What the address does not name is as at the start.
	restore(values) {
		for (const field of this.fields.values()) {
			if (!field.given && values.has(field.name)) field.read(values.get(field.name));
			else if (!field.kept) field.read(field.start);
		}
	}

	// see takes what the engine has answered to the texts that it was asked about: bounds, and values that the picture
	// has chosen. A text that was typed meanwhile is newer.
	see(asked, {bounds = {}, set = {}}) {
		for (const [name, bound] of Object.entries(bounds)) this.fields.get(name).range(bound);
		for (const [name, value] of Object.entries(set)) {
			const field = this.fields.get(name);
			if (field && field.text === asked.get(name)) field.read(value);
		}
		this.shown = new Map([...asked, ...Object.entries(set)]);
		for (const field of this.fields.values()) if (field.text === this.shown.get(field.name)) field.typed = false;
	}

	// moved says whether a value is not that of the start.
	moved(texts = this.texts()) {
		return [...this.fields.values()].some(({name, start, given}) => !given && texts.get(name) !== start);
	}

	// state is the state as it stands in an address, where what is shown stands in the place of what is wrong.
	state() {
		return [...this.fields.values()].filter(({given}) => !given).map(({name, text, fault}) => name + "=" +
			(fault && this.shown ? this.shown.get(name) : text)).join("&");
	}
}
