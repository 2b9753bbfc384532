// The state of an explorable: the values of its fields, the values that are shown, and the effects of buttons,
// addresses and typed texts. This file uses no page elements, so a test can press all buttons without a page.

// spoken writes a number of five or more digits with commas, as pages do.
const spoken = (number) => {
	const digits = String(number);
	return digits.replace("-", "").length > 4 ? digits.replace(/\B(?=(\d{3})+(?!\d))/g, ",") : digits;
};

const plural = (count, one, many = one + "s") => spoken(count) + " " + (String(count) === "1" ? one : many);

const largest = 9223372036854775807n;

// translated returns text in the language of the page. In phrases, # stands for a number.
const translated = (phrases, text) => {
	const digits = /\d+(?:[.,]\d+)*/g, numbers = text.match(digits) || [];
	return (phrases[text] ?? phrases[text.replace(digits, "#")] ?? text).replace(/#/g, () => numbers.shift());
};

// Refused is an error in a reader's input. It contains words for the reader and, if the error is about one field, that
// field. Readers see no other errors, so only worker.js reads the messages of errors.
class Refused extends Error {
	constructor(words, field) {
		super(words);
		this.words = words;
		this.field = field;
	}
}

// readNumber reads an integer as people write it: 1000, 1,000, 1 000, 3.0. It returns the value, or what is wrong with
// the text, or neither if the text is not a number at all.
const readNumber = (text) => {
	const [found, sign, whole, , rest = ""] =
		/^([+−-]?)(\d+|\d{1,3}([ ,\u00a0\u202f])\d{3}(?:\3\d{3})*)(?:\.(\d*))?$/.exec(text.trim()) || [];
	if (/[1-9]/.test(rest)) return {wrong: "must be a whole number, without a fraction"};
	if (found === undefined) {
		return /^[+−-]?\d[\d ,]*$/.test(text.trim()) ? {wrong: "commas and spaces may only separate " +
			"groups of three digits, as in 1,000"} : {};
	}
	const digits = whole.replace(/\D/g, "").replace(/^0+(?=\d)/, "");
	const value = BigInt(digits.length > 19 ? largest + 1n : digits);
	if (value <= largest) return {value: sign === "−" || sign === "-" ? -value : value};
	return {wrong: sign === "−" || sign === "-" ? "is too small" : "is larger than " + spoken(largest)};
};

// pointed returns a number as readers see it, with digits decimals, such as 0.25 for 25. pointless converts a number
// that they have typed back, such as 0.25 to 25.
const pointed = (text, digits = 0) => digits ? text.replace(/^(-?)(\d+)$/, (all, sign, number) => {
	const long = number.padStart(digits + 1, "0");
	return sign + long.slice(0, -digits) + "." + long.slice(-digits);
}) : text;
const pointless = (text, digits = 0) => digits ? text.trim().replace(/^([+−-]?)(\d*)(?:[.,](\d*))?$/,
	(all, sign, before, behind = "") => /^0*$/.test(behind.slice(digits)) && before + behind
		? sign + before + behind.slice(0, digits).padEnd(digits, "0") : all) : text;

// Field is a field that a picture describes. Its text may be right or wrong.
class Field {
	constructor({least = 0, most = 0, limit = 0, start = "", label, ...description}) {
		label ||= description.name;
		Object.assign(this, {say: String}, description, {text: start, start, label, typed: false});
		[this.least, this.most, this.limit] = [BigInt(least), BigInt(most), BigInt(limit) || largest];
		this.numeric = !this.options && !this.memory && !this.given;
		// In the state that is shown, readers can type numbers from low to high.
		[this.low, this.high] = [this.least, this.limit];
		this.show = () => {}; // called after each change; true means that the reader may be typing
	}

	// fault is the error in the text, or undefined.
	get fault() {
		const {text} = this;
		if (this.given) return undefined;
		const refused = (rule) => new Refused((this.memory ? "" : this.label + " (") + this.name + (this.memory ? "" :
			")") + " = " + (pointed(text, this.digits).slice(0, 40) || "nothing") + ": " + this.say(rule), this);
		if (this.memory) {
			if (text.length > 4000) return refused("may have at most 4000 characters");
			return /^[A-Za-z0-9,._-]*$/.test(text) ? undefined : refused("can have only letters, digits and , . - _");
		}
		if (this.options) {
			const all = this.options.map(({value}) => value);
			return all.includes(text) ? undefined : refused("must be one of " + all.join(", "));
		}
		const {value, wrong} = readNumber(text), [least, limit] = this.typed ? [this.low, this.high]
			: [this.least, this.limit];
		if (wrong) return refused(wrong);
		if (value !== undefined && value >= least && value <= limit) return undefined;
		if (this.digits) {
			const [from, to] = [least, limit].map((end) => pointed(String(end), this.digits));
			return refused("must be a number from " + from + " to " + to + " with at most " +
				plural(this.digits, "decimal"));
		}
		return refused("must be a whole number" + (limit < largest ? " from " + spoken(least) + " to " +
			spoken(limit) : ", " + spoken(least) + " or more"));
	}

	// value is a BigInt for a number field, and the text for other fields. It throws the fault.
	get value() {
		const {fault} = this;
		if (fault) throw fault;
		return this.numeric ? readNumber(this.text).value : this.text;
	}

	// take sets the text; typed means that the reader typed it. read sets text that comes from elsewhere.
	take(text, typed) {
		const {value} = this.numeric ? readNumber(text) : {};
		this.text = value === undefined ? text.trim() : String(value);
		this.typed = typed;
	}

	read(text) {
		this.take(String(text), false);
		this.show(false);
	}

	// range sets the ends of the slider, and the greatest number that can be typed, for the state that is shown.
	range({least, most, limit = this.limit}) {
		[this.low, this.most, this.high] = [least, most, limit].map(BigInt);
		this.show(true);
	}
}

class State {
	constructor(start, phrases = {}) {
		this.start = start; // the fields' texts by name
		this.say = (text) => translated(phrases, text);
		this.fields = new Map();
		this.shown = undefined; // the texts by name in the state that is shown, or undefined if no state is shown
		this.refused = false; // whether the fields have values that were rejected
		this.pressed = false; // whether a button has been pressed since the last drawing
	}

	// changed is called whenever a field changes.
	changed() {}

	field(description) {
		const {name, start, label = ""} = description, {say} = this;
		const field = new Field({...description, say, label: say(label), start: this.start.get(name) ?? start});
		this.fields.set(name, field);
		return field;
	}

	// take sets fields. Their text is checked only when the engine is asked.
	take(values) { for (const [name, value] of Object.entries(values)) this.fields.get(name)?.read(value); }

	// texts returns the texts of all fields.
	texts() { return new Map([...this.fields.values()].map(({name, text}) => [name, text])); }

	// starts returns the start values of all fields, except for kept fields that addresses do not contain.
	starts() {
		return Object.fromEntries([...this.fields.values()].filter(({given, kept}) => !(given && kept))
			.map(({name, start}) => [name, start]));
	}

	// settings returns the state for the engine; over replaces some values. It throws the fault of a wrong field.
	settings(over = {}) {
		return [...this.fields.values()].map((field) => [field.name, over[field.name] ?? field.value, field.given])
			.filter(([, value, given]) => value !== "" || !given).map(([name, value]) => name + "=" + value).join("&");
	}

	// type sets a field that the reader has changed. If an address was rejected, untyped fields return to what's shown.
	type(field, text) {
		if (this.refused) this.back((other) => other !== field && !other.typed);
		field.take(text, true);
		if (field.sets) this.take(field.sets);
		this.changed();
	}

	// wrong returns whether the values of the fields cannot be shown.
	get wrong() { return this.refused || [...this.fields.values()].some(({fault}) => fault); }

	// current returns the text of a field on which a button acts.
	current(name) { return this.wrong ? this.shown.get(name) : this.fields.get(name).text; }

	// press sets values, as a button does. If a field contains wrong text, all fields first return to the values that
	// are shown, so that the wrong text does not block the button.
	press(values) {
		if (this.wrong) this.back();
		this.pressed = true;
		this.take(values);
		this.changed();
	}

	// back resets fields to the values that are shown, except for texts that readers write.
	back(which = () => true) {
		if (!this.shown) return;
		for (const field of this.fields.values()) {
			const text = this.shown.get(field.name);
			if (field.kept) field.mend?.();
			else if (which(field) && (field.text !== text || field.typed)) field.read(text);
		}
	}

	// instead returns values to request in place of rejected ones. An action changes the state that is shown. If no
	// state is shown, the initial state is shown next to the error. If nothing needs to be drawn, it throws the fault.
	instead(fault, act) {
		if (!(fault instanceof Refused) || fault.stopped || this.shown && !act) throw fault;
		const over = this.shown ? {} : this.starts();
		this.back();
		return over;
	}

	// restore sets the state from an address. Fields that the address does not contain get their start values.
	restore(values) {
		for (const field of this.fields.values()) {
			if (!field.given && values.has(field.name)) field.read(values.get(field.name));
			else if (!field.kept) field.read(field.start);
		}
	}

	// see applies the engine's answer for the given texts: bounds, and values that the picture has chosen. It keeps
	// text that the reader has typed in the meantime.
	see(asked, {bounds = {}, set = {}}) {
		for (const [name, bound] of Object.entries(bounds)) this.fields.get(name).range(bound);
		for (const [name, value] of Object.entries(set)) {
			const field = this.fields.get(name);
			if (field && field.text === asked.get(name)) field.read(value);
		}
		this.shown = new Map([...asked, ...Object.entries(set)]);
		for (const field of this.fields.values()) if (field.text === this.shown.get(field.name)) field.typed = false;
	}

	// moved returns whether a value differs from its start value.
	moved(texts = this.texts()) {
		return [...this.fields.values()].some(({name, start, given}) => !given && texts.get(name) !== start);
	}

	// state returns the state for an address. Wrong texts are replaced by the values that are shown.
	state() {
		return [...this.fields.values()].filter(({given}) => !given).map(({name, text, fault}) => name + "=" +
			(fault && this.shown ? this.shown.get(name) : text)).join("&");
	}
}
