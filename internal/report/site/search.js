// The search of a report. It neither asks for anything nor writes markup: what it finds is shown as text. It is written without the two
// characters that XML would read as markup, so that the pages stay well-formed.
"use strict";
(async () => {
	const most = 50; // results shown
	const part = (name) => document.getElementById("search-" + name);
	const [box, words, count, results, note, headings] = ["box", "words", "count", "results", "note", "headings"].map(part);

	box.hidden = false;
	box.setAttribute("aria-busy", "true"); // until the index is read
	note.hidden = true;

	const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").replace(/[‘’]/g, "'").toLowerCase();

	// The index is a number in base 91, by arithmetic coding; search.go describes the chances.
	const coded = part("index").textContent, table = 2 ** 22, multiply = 0x2F0B4C47, bytes = [];
	const chances = new Uint16Array(table + 64).fill(32768), weights = new Float64Array(4 * 272).fill(0.4);
	const logistic = new Uint16Array(4096), logit = new Float64Array(4096).fill(2047 / 256);
	for (let i = 1, power = 0.0003367755915052735, next = 0; 4096 > i; i++) {
		logistic[i] = 65536 * power / (1 + power);
		while (logistic[i] >= 16 * next) logit[next++] = (i - 2048) / 256;
		power *= 1.0039138893383475;
	}
	const slots = new Int32Array(4), logits = new Float64Array(4), hashes = new Int32Array(7), last = new Int32Array(2 ** 18);
	let taken = 0, code = 0, width = 1, word = 0, repeats = 0, length = 0;
	const nextByte = () => {
		let node = 1, nibble = 1;
		for (let left = 7; left >= 0; left--) {
			if (left === 3) nibble = 1;
			for (let i = 0; 3 > i; i++) {
				if (nibble !== 1) break;
				const x = Math.imul((i === 2 ? word : hashes[1 + 2 * i]) + node, multiply + 2 * i);
				slots[i] = 16 * (Math.imul(x ^ x >>> 15, multiply) >>> 14);
			}
			const wanted = length === 0 ? 0 : bytes[repeats] + 256 >>> left;
			if (wanted >>> 1 !== node) length = 0;
			slots[3] = table - nibble + (length === 0 ? 0 : 2 * Math.min(length, 31) + wanted % 2);
			const set = 4 * (length === 0 ? node : 256 + Math.min(length, 15));
			let sum = 0;
			for (let i = 0; 4 > i; i++) {
				logits[i] = logit[chances[slots[i] + nibble] >>> 4];
				sum += weights[set + i] * logits[i];
			}
			const chance = logistic[Math.floor(Math.max(1, Math.min(4095, sum * 256 + 2048.5)))];
			for (; 91 ** 5 > width; width *= 91) {
				const letter = coded.charCodeAt(taken++);
				code = code * 91 + letter - 33 - (letter > 38) - (letter > 60) - (letter > 62);
			}
			const cut = Math.floor(width / 65536) * chance, bit = cut > code ? 1 : 0;
			if (bit === 0) code -= cut;
			width = bit === 1 ? cut : width - cut;
			for (let i = 0; 4 > i; i++) {
				const old = chances[slots[i] + nibble], seen = old % 16;
				const learnt = Math.floor((old + (65535 * bit - old) * (1 / (seen + 1.5))) / 16);
				chances[slots[i] + nibble] = 16 * learnt + Math.min(15, seen + 1);
				weights[set + i] += (bit - chance / 65536) * 0.008 * logits[i];
			}
			[node, nibble] = [2 * node + bit, 2 * nibble + bit];
		}
		const byte = node - 256;
		bytes.push(byte);
		word = 48 > byte ? 0 : Math.imul(word + byte, multiply);
		for (let i = 6; i > 0; i--) {
			const x = Math.imul(hashes[i - 1] + byte + 1, multiply);
			hashes[i] = x ^ x >>> 15;
		}
		const place = hashes[6] >>> 14;
		if (length > 0) [repeats, length] = [repeats + 1, length + 1];
		else {
			repeats = last[place];
			while (bytes[repeats - 1 - length] === bytes[bytes.length - 1 - length]) if (++length === 40) break;
		}
		last[place] = bytes.length;
		return byte;
	};
	while (nextByte() > 0) {
		if (bytes.length % 16384 === 0) await new Promise((go) => setTimeout(go)); // the page answers meanwhile
	}
	const index = JSON.parse(new TextDecoder().decode(Uint8Array.from(bytes.slice(0, -1))));
	const sections = index.sections.map(([page, title, href, text]) => ({
		page: index.pages[page], title, href, text,
		heading: fold(title), all: fold([title, index.pages[page], text].join(" ")),
	}));

	// A word in the heading counts, more so at the start of a word.
	const rank = (section, wanted) => wanted.reduce((sum, word) => {
		const at = section.heading.indexOf(word);
		if (at === -1) return sum;
		return sum + (at === 0 || /[^\p{L}\p{N}]/u.test(section.heading[at - 1]) ? 3 : 2);
	}, 0);

	const excerpt = (text, wanted) => {
		const folded = fold(text);
		const hits = wanted.map((word) => folded.indexOf(word)).filter((at) => at !== -1);
		const first = Math.min(...hits, text.length);
		const start = hits.length === 0 || 80 > first ? 0 : Math.min(first, text.indexOf(" ", first - 60) + 1);
		const end = start + 220 >= text.length ? text.length : Math.max(text.lastIndexOf(" ", start + 220), start + 160);
		return (start > 0 ? "… " : "") + text.slice(start, end) + (text.length > end ? " …" : "");
	};

	// Puts text into an element, with the words marked. Folding changes lengths, so that each folded letter knows where it came from.
	const mark = (element, text, wanted) => {
		let folded = "", at = 0;
		const from = [];
		for (const letter of text) {
			for (const unit of fold(letter).split("")) {
				folded += unit;
				from.push(at);
			}
			at += letter.length;
		}
		from.push(text.length);
		let done = 0, next = 0;
		for (;;) {
			const hits = wanted.map((word) => ({at: folded.indexOf(word, next), word})).filter((hit) => hit.at !== -1);
			if (hits.length === 0) break;
			hits.sort((a, b) => a.at - b.at || b.word.length - a.word.length);
			next = hits[0].at + hits[0].word.length;
			const marked = document.createElement("mark");
			marked.textContent = text.slice(from[hits[0].at], from[next]);
			element.append(text.slice(done, from[hits[0].at]), marked);
			done = from[next];
		}
		element.append(text.slice(done));
	};

	const item = (section, wanted) => {
		const li = document.createElement("li");
		const a = document.createElement("a");
		a.href = section.href;
		mark(a, section.title, wanted);
		li.append(a);
		if (!section.title.endsWith(section.page)) {
			const page = document.createElement("small");
			page.textContent = section.page;
			li.append(" ", page);
		}
		const p = document.createElement("p");
		mark(p, excerpt(section.text, wanted), wanted);
		li.append(p);
		return li;
	};

	const sentence = (found, query) => {
		const [none, one, several, many] = index.words;
		const say = (words, values) => words.split("{}").map((piece, i) => piece + (values[i] ?? "")).join("");
		if (2 > found) return say([none, one][found], [query]);
		return found > most ? say(many, [found, query, most]) : say(several, [found, query]);
	};

	const show = () => {
		const query = words.value.trim();
		const wanted = [...new Set(fold(query).split(/\s+/).filter((word) => word !== ""))];
		if (headings) headings.hidden = wanted.length > 0;
		if (wanted.length === 0) {
			results.replaceChildren();
			count.textContent = "";
			return;
		}
		const found = sections.filter((section) => wanted.every((word) => section.all.includes(word)))
			.map((section) => ({section, rank: rank(section, wanted)}))
			.sort((a, b) => b.rank - a.rank);
		results.replaceChildren(...found.slice(0, most).map((hit) => item(hit.section, wanted)));
		count.textContent = sentence(found.length, query);
	};

	// The address of a search can be kept: its words are the fragment.
	const read = () => {
		if (!location.hash.startsWith("#q=")) return;
		try {
			words.value = decodeURIComponent(location.hash.slice(3));
		} catch {
			words.value = location.hash.slice(3);
		}
		show();
	};

	words.addEventListener("input", () => {
		show();
		history.replaceState(null, "", "#q=" + encodeURIComponent(words.value.trim()));
	});
	addEventListener("hashchange", read);
	box.removeAttribute("aria-busy");
	if (words.value === "") read();
	else show(); // what was typed meanwhile
})();
