// This script is the search of a report. It requests only the parts of the texts, and shows results as text, never as
// markup. It does not use the two characters that XML treats as markup, so that pages stay well-formed.
"use strict";
(() => {
	const most = 50; // the maximum number of results that are shown
	const part = (name) => document.getElementById("search-" + name);
	const [box, words, count, results, note, headings] = ["box", "words", "count", "results", "note", "headings"].map(part);
	if (!globalThis.DecompressionStream) return;

	box.hidden = false;
	note.hidden = true;

	const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").replace(/[‘’]/g, "'").toLowerCase();

	const index = JSON.parse(part("index").textContent);
	const sections = []; // the sections that have been read so far

	// A page on a disk may not fetch a file, but it may load a script, so each file of texts is a script that calls
	// searched. An edition of one file contains all texts, and does not allow any Trusted Types policy.
	let policy;
	const script = (name) => {
		const made = document.createElement("script");
		policy = policy || (globalThis.trustedTypes || {createPolicy: (_, rules) => rules}).createPolicy("siegebook", {
			createScriptURL: (address) => /^search-[0-9]+\.js$/.test(address) ? address : "",
		});
		made.src = policy.createScriptURL(name);
		return made;
	};
	const packed = (number) => {
		const inside = part(number);
		if (inside) return inside.textContent;
		return new Promise((resolve, reject) => {
			const name = "search-" + number + ".js", file = script(name);
			globalThis.searched = resolve;
			file.onerror = () => reject(new Error(name));
			document.head.append(file);
		});
	};
	const unpacked = async (letters) => {
		const signs = atob(letters), bytes = new Uint8Array(signs.length);
		for (let i = 0; i !== signs.length; i++) bytes[i] = signs.charCodeAt(i);
		return JSON.parse(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text());
	};

	// begin reads all texts, one part after another, when the reader begins to search. After each part, it shows the
	// results so far.
	let reading = false, missing = "";
	const begin = async () => {
		if (reading) return;
		reading = true;
		box.setAttribute("aria-busy", "true");
		for (let number = 1; index.parts >= number; number++) {
			try {
				const {pages, sections: more} = await unpacked(await packed(number));
				for (const [page, title, href, text] of more) sections.push({
					page: pages[page], title, href, text,
					heading: fold(title), all: fold([title, pages[page], text].join(" ")),
				});
			} catch (fault) {
				missing = fault.message;
				break;
			}
			if (number === index.parts) break;
			show();
		}
		box.removeAttribute("aria-busy");
		show();
	};

	// A match in the heading raises the rank, even more so at the start of a word.
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

	// mark puts text into an element and marks the wanted words. Folding changes lengths, so from records the original
	// position of each folded letter.
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
		const [none, one, several, many, lost] = index.words;
		if (box.ariaBusy) return ""; // the final number of results is not known yet
		const say = (words, values) => words.split("{}").map((piece, i) => piece + (values[i] ?? "")).join("");
		if (missing !== "") return say(lost, [missing]);
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

	// Readers can save the address of a search, because the fragment contains the words.
	const read = () => {
		if (!location.hash.startsWith("#q=")) return;
		try {
			words.value = decodeURIComponent(location.hash.slice(3));
		} catch {
			words.value = location.hash.slice(3);
		}
		begin();
		show();
	};

	words.addEventListener("focus", begin);
	words.addEventListener("input", () => {
		begin();
		show();
		history.replaceState(null, "", "#q=" + encodeURIComponent(words.value.trim()));
	});
	addEventListener("hashchange", read);
	if (words.value === "") read();
	else begin(); // search for words that the reader typed while the page was loading
})();
