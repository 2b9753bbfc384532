// The search of a report. It neither asks for anything nor writes markup: what it finds is shown as text. It is written without the two
// characters that XML would read as markup, so that the pages stay well-formed.
"use strict";
(async () => {
	const most = 50; // results shown
	const part = (name) => document.getElementById("search-" + name);
	const [box, words, count, results, note, headings] = ["box", "words", "count", "results", "note", "headings"].map(part);

	const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").replace(/[‘’]/g, "'").toLowerCase();

	// Of 91 characters, two have 13 bits, and a last one has 6.
	const digits = [...part("index").textContent].map((letter) => {
		const code = letter.charCodeAt(0);
		return code - 33 - (code > 38) - (code > 60) - (code > 62);
	});
	const packed = [];
	for (let i = 0, held = 0, bits = 0; digits.length > i; i += 2) {
		const pair = digits.length > i + 1;
		held += (digits[i] + (pair ? 91 * digits[i + 1] : 0)) * 2 ** bits;
		bits += pair ? 13 : 6;
		for (; bits >= 8; bits -= 8) {
			packed.push(held % 256);
			held = Math.floor(held / 256);
		}
	}
	const unpacked = new Blob([Uint8Array.from(packed)]).stream().pipeThrough(new DecompressionStream("gzip"));
	const bytes = new Uint8Array(await new Response(unpacked).arrayBuffer());
	// A list of pieces of text, a line break, and the places of pieces in the list: seven bits a byte, the lowest first,
	// and 128 in all bytes but the last.
	const end = bytes.indexOf(10);
	const list = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)));
	let text = "", place = 0, unit = 1;
	for (const byte of bytes.subarray(end + 1)) {
		place += byte % 128 * unit;
		unit *= 128;
		if (byte >= 128) continue;
		text += list[place];
		[place, unit] = [0, 1];
	}
	const index = JSON.parse(text);
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
	box.hidden = false;
	note.hidden = true;
	read();
})();
